//! What does the author mean? The checked tree as typed values that still know their places.
//!
//! The tree has been checked against the format, and what was wrong there is already reported; so reading
//! simply passes over values of the wrong kind.

use super::expertise::{self, ExpertiseDraft};
use super::guidance::GuidanceDraft;
use super::knowledge::draft::KnowledgeDraft;
use super::limits::Limits;
use super::llm::{self, LlmChoice};
use super::place::Place;
use super::precautions::draft::PrecautionsDraft;
use super::thresholds::draft::AdaptiveDraft;
use super::tools::draft::ToolsDraft;
use super::tree::Node;
use super::{EncoderChoice, EndpointChoice, Names, Scoring, Select, Vague};
use crate::measure::Points;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where the catalog says it.
    pub place: Place,
}

/// A catalog as written.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub name: Option<String>,
    pub names: Names,
    pub base: Option<(f64, Place)>,
    pub high: Option<f64>,
    pub window: Option<f64>,
    pub target_precision: Option<f64>,
    pub adaptive: AdaptiveDraft,
    pub select: Select,
    pub encoder: EncoderChoice,
    pub llm: Option<Placed<LlmChoice>>,
    pub ordinary: Vec<Placed<String>>,
    pub limits: Limits,
    pub trouble: Vec<Placed<String>>,
    pub vague: Vague,
    pub clarify: Option<String>,
    pub abstain: Option<String>,
    pub registries: Vec<(Placed<String>, Vec<Placed<String>>)>,
    pub routes: Vec<RouteDraft>,
    pub scoring: Scoring,
    pub routes_layer: Option<Placed<String>>,
    pub sources_layer: Option<Placed<String>>,
    pub fallback: Option<Placed<String>>,
    /// What is said about kinds of request: compiled by its own room.
    pub context: Option<Node>,
    pub precautions: PrecautionsDraft,
    pub tools: ToolsDraft,
    pub knowledge: KnowledgeDraft,
    pub guidance: GuidanceDraft,
}

/// A route as written.
#[derive(Clone, Debug)]
pub struct RouteDraft {
    pub name: Placed<String>,
    pub description: Option<String>,
    pub aliases: Vec<Placed<String>>,
    pub commands: Vec<Placed<String>>,
    pub priority: i32,
    pub patterns: Vec<PatternDraft>,
    pub keywords: Vec<Vec<Placed<String>>>,
    pub examples: Vec<Placed<String>>,
    pub not_examples: Vec<(Placed<String>, Option<String>)>,
    pub target: Option<TargetDraft>,
    pub domain: Option<String>,
    pub expertise: ExpertiseDraft,
    pub intent: Option<String>,
}

/// A pattern as written.
#[derive(Clone, Debug)]
pub struct PatternDraft {
    pub source: Placed<String>,
    pub weight: Option<Points>,
    pub only_if: Option<Placed<String>>,
}

/// A target rule as written.
#[derive(Clone, Debug)]
pub struct TargetDraft {
    pub find: Vec<FinderDraft>,
    pub weight: Option<Points>,
    pub looks_like: Option<Placed<String>>,
}

/// A way to find a target as written.
#[derive(Clone, Debug)]
pub enum FinderDraft {
    Registry(Placed<String>),
    Pattern(Placed<String>),
    Words(Vec<(Placed<String>, String)>),
}

impl Draft {
    /// A draft of routes that are taught by examples alone: texts, each with its route, or with none.
    pub fn of_examples(examples: &[(&str, &str)]) -> Draft {
        let mut routes: std::collections::BTreeMap<&str, Vec<Placed<String>>> =
            std::collections::BTreeMap::new();
        let mut ordinary = Vec::new();
        for ((text, route), line) in examples.iter().zip(1..) {
            let own = if route.is_empty() { &mut ordinary } else { routes.entry(route).or_default() };
            own.push(Placed { value: (*text).to_owned(), place: Place { line, ..Place::START } });
        }
        let named = |(name, examples): (&str, Vec<Placed<String>>)| {
            let place = examples.first().map_or(Place::START, |example| example.place);
            RouteDraft { examples, ..RouteDraft::named(Placed { value: name.to_owned(), place }) }
        };
        Draft { routes: routes.into_iter().map(named).collect(), ordinary, ..Draft::default() }
    }

    /// Reads a checked tree.
    pub fn read(root: &Node) -> Draft {
        let text = |key: &str| root.get(key).and_then(Node::text).map(str::to_owned);
        let number = |table: &str, key: &str| root.get(table)?.get(key)?.number();
        Draft {
            name: text("name"),
            names: if text("names").as_deref() == Some("force") { Names::Force } else { Names::Hint },
            base: root
                .get("thresholds")
                .and_then(|t| t.get("base"))
                .and_then(|b| Some((b.number()?, b.place))),
            high: number("thresholds", "high"),
            window: number("thresholds", "window"),
            target_precision: number("thresholds", "target_precision"),
            adaptive: root.get("thresholds").map(AdaptiveDraft::read).unwrap_or_default(),
            select: if text("select").as_deref() == Some("many") { Select::Many } else { Select::One },
            encoder: root.get("encoder").map(read_encoder).unwrap_or_default(),
            llm: root.get("llm").and_then(llm::read),
            ordinary: texts(root.list("ordinary")),
            limits: Limits::of(root.get("limits")),
            trouble: texts(root.list("trouble")),
            vague: if text("vague").as_deref() == Some("ask") { Vague::Ask } else { Vague::Decide },
            clarify: text("clarify"),
            abstain: text("abstain"),
            registries: root.get("registries").map(read_registries).unwrap_or_default(),
            routes: root.list("routes").iter().map(read_route).collect(),
            scoring: if text("scoring").as_deref() == Some("factors") {
                Scoring::Factors
            } else {
                Scoring::Rules
            },
            routes_layer: root.get("routes_layer").and_then(placed),
            sources_layer: root.get("sources_layer").and_then(placed),
            fallback: root.get("fallback").and_then(placed),
            context: root.get("context").cloned(),
            precautions: PrecautionsDraft::read(root),
            tools: ToolsDraft::read(root),
            knowledge: KnowledgeDraft::read(root),
            guidance: GuidanceDraft::read(root),
        }
    }
}

impl RouteDraft {
    fn named(name: Placed<String>) -> RouteDraft {
        RouteDraft {
            name,
            description: None,
            aliases: Vec::new(),
            commands: Vec::new(),
            priority: 0,
            patterns: Vec::new(),
            keywords: Vec::new(),
            examples: Vec::new(),
            not_examples: Vec::new(),
            target: None,
            domain: None,
            expertise: ExpertiseDraft::default(),
            intent: None,
        }
    }
}

fn read_encoder(node: &Node) -> EncoderChoice {
    let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    match (node.text(), text("model"), text("url")) {
        (Some("none"), ..) => EncoderChoice::None,
        (Some("minilm"), ..) => EncoderChoice::Transformer("minilm".to_owned()),
        (None, Some(model), _) => EncoderChoice::Transformer(model),
        (None, None, Some(url)) => EncoderChoice::Endpoint(EndpointChoice {
            url,
            speaks_tei: text("api").as_deref() == Some("tei"),
            served: text("served"),
            key_env: text("key_env"),
            timeout_ms: node
                .get("timeout_ms")
                .and_then(Node::number)
                .and_then(|ms| u64::try_from(whole(ms)).ok()),
        }),
        _ => EncoderChoice::BuiltIn,
    }
}

fn read_registries(node: &Node) -> Vec<(Placed<String>, Vec<Placed<String>>)> {
    node.entries().iter().filter_map(|(name, list)| Some((placed(name)?, texts(list.items())))).collect()
}

fn read_route(node: &Node) -> RouteDraft {
    RouteDraft {
        // A route without a name is reported, and read all the same: what else is wrong with it is told too.
        name: node.get("name").and_then(placed).unwrap_or(Placed { value: String::new(), place: node.place }),
        description: node.get("description").and_then(Node::text).map(str::to_owned),
        aliases: texts(node.list("aliases")),
        commands: texts(node.list("commands")),
        priority: node.get("priority").and_then(Node::number).map_or(0, whole),
        patterns: node.list("patterns").iter().filter_map(read_pattern).collect(),
        keywords: node.list("keywords").iter().map(forms).filter(|forms| !forms.is_empty()).collect(),
        examples: texts(node.list("examples")),
        not_examples: node.list("not_examples").iter().filter_map(read_not_example).collect(),
        target: node.get("target").map(read_target),
        expertise: expertise::read(node),
        domain: node.get("domain").and_then(Node::text).map(str::to_owned),
        intent: node.get("intent").and_then(Node::text).map(str::to_owned),
    }
}

fn read_pattern(node: &Node) -> Option<PatternDraft> {
    let source = placed(node).or_else(|| node.get("match").and_then(placed))?;
    Some(PatternDraft { source, weight: weight(node), only_if: node.get("if").and_then(placed) })
}

fn read_not_example(node: &Node) -> Option<(Placed<String>, Option<String>)> {
    let text = placed(node).or_else(|| node.get("text").and_then(placed))?;
    Some((text, node.get("reason").and_then(Node::text).map(str::to_owned)))
}

fn read_target(node: &Node) -> TargetDraft {
    TargetDraft {
        find: node.list("find").iter().filter_map(read_finder).collect(),
        weight: weight(node),
        looks_like: node.get("looks_like").and_then(placed),
    }
}

fn read_finder(node: &Node) -> Option<FinderDraft> {
    let registry = || node.get("registry").and_then(placed).map(FinderDraft::Registry);
    let pattern = || node.get("pattern").and_then(placed).map(FinderDraft::Pattern);
    let words = || {
        let entries = node.get("words")?.entries().iter();
        let words = entries.filter_map(|(word, target)| Some((placed(word)?, target.text()?.to_owned())));
        Some(FinderDraft::Words(words.collect()))
    };
    registry().or_else(pattern).or_else(words)
}

/// A text or a list of texts: the forms of one keyword.
fn forms(node: &Node) -> Vec<Placed<String>> {
    placed(node).map_or_else(|| texts(node.items()), |form| vec![form])
}

fn weight(node: &Node) -> Option<Points> {
    node.get("weight").and_then(Node::number).map(Points::from_share)
}

pub(super) fn placed(node: &Node) -> Option<Placed<String>> {
    Some(Placed { value: node.text()?.to_owned(), place: node.place })
}

pub(super) fn texts(items: &[Node]) -> Vec<Placed<String>> {
    items.iter().filter_map(placed).collect()
}

#[allow(clippy::cast_possible_truncation)] // checked to be whole and within its bounds before
pub(super) fn whole(number: f64) -> i32 {
    number as i32
}
