//! How do layers of labels become something to tell by?

use std::collections::{BTreeMap, HashMap};

use super::super::lexicon::{Lexicon, Use};
use super::super::nearest::nearest;
use super::super::place::Place;
use super::super::problem::{Code, Problem};
use super::super::tree::{Node, Value};
use super::{
    Always, Band, BandEnd, Budget, Glob, Holds, Label, LabelId, Labelled, LabelledBy, Labels, Layer, ToldBy,
};
use crate::entities::{EntityKind, Known};
use crate::measure::Points;
use crate::message::Folded;

/// Compiles the `context` of a checked tree. What is wrong beyond the format is added to the problems.
pub fn compile(node: &Node, problems: &mut Vec<Problem>) -> Labels {
    let mut layers: Vec<Layer> =
        node.list("layers").iter().map(|layer| read_layer(layer, problems)).collect();
    refuse_twice(node.list("layers"), "layer", problems);
    let mut compiling = Compiling {
        layers: &layers,
        problems,
        terms: BTreeMap::new(),
        examples: Vec::new(),
        places: HashMap::new(),
    };
    for (layer, own) in node.list("layers").iter().enumerate() {
        for (label, written) in own.list("labels").iter().enumerate() {
            compiling.teach(written, LabelId { layer, label });
        }
    }
    for row in node.list("examples") {
        compiling.labelled(row, node.list("columns"));
    }
    let understands = node.get("understands").and_then(|read| compiling.understands(read));
    let by_words = node.get("understands").map(|read| compiling.by_words(read)).unwrap_or_default();
    let Compiling { terms, examples, .. } = compiling;
    let lexicon = match Lexicon::new(terms) {
        Ok(lexicon) => Some(lexicon),
        Err(error) => {
            problems.push(Problem::new(Code::TooLarge, node.place, error));
            None
        }
    };
    let products = node.list("products").iter().filter_map(Node::text);
    for (place, layer) in layers.iter_mut().enumerate() {
        let teaches = |example: &Labelled| {
            example.kind == LabelledBy::Message && example.labels.get(place).is_some_and(Option::is_some)
        };
        if !examples.iter().any(teaches) {
            layer.told_by = ToldBy::Words;
        }
    }
    let known = Known::new(products.map(|name| (name, EntityKind::Product)));
    Labels { layers, understands, by_words, known, examples, lexicon }
}

fn read_layer(node: &Node, problems: &mut Vec<Problem>) -> Layer {
    refuse_twice(node.list("labels"), "label", problems);
    let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    let labels: Vec<Label> = node.list("labels").iter().map(read_label).collect();
    let default = node.get("default").and_then(|named| default(named, &labels, problems));
    Layer {
        name: text("name").unwrap_or_default(),
        labels,
        default,
        told_by: ToldBy::Lessons,
        always: if text("always").as_deref() == Some("yes") { Always::Yes } else { Always::No },
    }
}

fn default(named: &Node, labels: &[Label], problems: &mut Vec<Problem>) -> Option<usize> {
    let name = named.text()?;
    let found = labels.iter().position(|label| label.name == name);
    if found.is_none() {
        let problem =
            Problem::new(Code::DanglingReference, named.place, format!("there is no label `{name}`"));
        let near = nearest(name, labels.iter().map(|label| label.name.as_str()));
        problems.push(match near {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None => problem,
        });
    }
    found
}

fn read_label(node: &Node) -> Label {
    let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned).unwrap_or_default();
    let texts = |key: &str| node.list(key).iter().filter_map(Node::text).map(str::to_owned).collect();
    let share = |key: &str| node.get(key).and_then(Node::number).map(Points::from_share);
    let end = share("below").map(BandEnd::Below).or_else(|| share("up_to").map(BandEnd::UpTo));
    Label {
        name: text("name"),
        description: text("description"),
        words: node
            .list("words")
            .iter()
            .filter_map(|word| forms(word).first().map(|(form, _)| form.clone()))
            .collect(),
        files: node.list("files").iter().filter_map(Node::text).map(Glob::new).collect(),
        holds: match text("holds").as_str() {
            "personal" => Some(Holds::Personal),
            "secret" => Some(Holds::Secret),
            _ => None,
        },
        band: share("score").map(|score| Band { score, end: end.unwrap_or(BandEnd::Last) }),
        sets: node.get("sets").and_then(Node::text).map(str::to_owned),
        budget: Budget { tokens: count(node, "tokens"), minutes: count(node, "minutes") },
        tools: texts("tools"),
        outputs: texts("outputs"),
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked to be whole and within its bounds before
fn count(node: &Node, key: &str) -> Option<u32> {
    node.get(key).and_then(Node::number).map(|number| number as u32)
}

/// A word in all its forms, each with its place.
fn forms(node: &Node) -> Vec<(String, Place)> {
    let form = |node: &Node| Some((node.text()?.to_owned(), node.place));
    form(node).map_or_else(|| node.items().iter().filter_map(form).collect(), |form| vec![form])
}

fn refuse_twice(nodes: &[Node], what: &str, problems: &mut Vec<Problem>) {
    let mut seen = HashMap::new();
    for name in nodes.iter().filter_map(|node| node.get("name")) {
        let Some(text) = name.text() else { continue };
        let first = *seen.entry(text).or_insert(name.place);
        if first != name.place {
            let message = format!("the {what} `{text}` is given twice");
            problems.push(Problem::new(Code::DuplicateName, name.place, message));
        }
    }
}

struct Compiling<'c> {
    layers: &'c [Layer],
    problems: &'c mut Vec<Problem>,
    terms: BTreeMap<String, Vec<Use>>,
    examples: Vec<Labelled>,
    /// Where a text stands among the examples: one text is one lesson, whatever says it.
    places: HashMap<String, usize>,
}

impl Compiling<'_> {
    /// What a label's own words and messages teach.
    fn teach(&mut self, node: &Node, id: LabelId) {
        for (word, index) in node.list("words").iter().zip(0..) {
            for (form, _) in forms(word) {
                self.term(&form, Use::Label { layer: small(id.layer), label: small(id.label), word: index });
                self.add(&form, id, LabelledBy::Word);
            }
        }
        for word in node.list("typical").iter().filter_map(Node::text) {
            self.term(word, Use::Typical { layer: small(id.layer), label: small(id.label) });
        }
        for text in node.list("examples").iter().filter_map(Node::text) {
            self.add(text, id, LabelledBy::Message);
        }
    }

    fn term(&mut self, text: &str, used: Use) {
        let uses = self.terms.entry(Folded::new(text).text().to_owned()).or_default();
        if !uses.contains(&used) {
            uses.push(used);
        }
    }

    fn add(&mut self, text: &str, id: LabelId, kind: LabelledBy) {
        let next = self.examples.len();
        let place = *self.places.entry(text.to_lowercase()).or_insert(next);
        if place == next {
            self.examples.push(Labelled {
                text: text.to_owned(),
                labels: vec![None; self.layers.len()],
                kind,
            });
        }
        // Where several labels claim a word, the first has it: that is what their order says.
        if let Some(label) = self.examples.get_mut(place).and_then(|known| known.labels.get_mut(id.layer)) {
            label.get_or_insert(id.label);
        }
    }

    fn labelled(&mut self, row: &Node, columns: &[Node]) {
        let (Some(text), Some(labels)) = (row.get("text").and_then(Node::text), row.get("labels")) else {
            return;
        };
        let Some(line) = labels.text() else {
            for (layer, label) in labels.entries() {
                if let Some(id) = self.find(layer, label) {
                    self.add(text, id, LabelledBy::Message);
                }
            }
            return;
        };
        let named: Vec<&str> = line.split_whitespace().collect();
        if named.len() != columns.len() {
            let message = format!("{} labels for {} columns", named.len(), columns.len());
            let problem = Problem::new(Code::BadValue, labels.place, message);
            self.problems.push(problem.hint("one for each of `columns`, `-` where there is none"));
            return;
        }
        for (layer, name) in columns.iter().zip(named).filter(|(_, name)| *name != "-") {
            if let Some(id) = layer.text().and_then(|layer| self.place(layer, name)) {
                self.add(text, id, LabelledBy::Message);
                continue;
            }
            let label = Node { place: labels.place, value: Value::Text(name.to_owned()) };
            self.find(layer, &label);
        }
    }

    /// The label of two names, if there is one.
    fn place(&self, layer: &str, label: &str) -> Option<LabelId> {
        let at = self.layers.iter().position(|own| own.name == layer)?;
        let label = self.layers.get(at)?.labels.iter().position(|own| own.name == label)?;
        Some(LabelId { layer: at, label })
    }

    fn understands(&mut self, node: &Node) -> Option<LabelId> {
        let (layer, label) = (node.get("layer")?.clone(), node.get("label")?.clone());
        self.find(&layer, &label)
    }

    /// The labels that are read by words alone.
    fn by_words(&mut self, node: &Node) -> Vec<usize> {
        let Some(layer) = node.get("layer").cloned() else { return Vec::new() };
        let named = node.list("by_words").to_vec();
        named.iter().filter_map(|label| Some(self.find(&layer, label)?.label)).collect()
    }

    /// The label two nodes name; what names nothing is a problem.
    fn find(&mut self, layer: &Node, label: &Node) -> Option<LabelId> {
        let (layer_name, label_name) = (layer.text()?, label.text()?);
        let layers = || self.layers.iter().map(|layer| layer.name.as_str());
        let Some(at) = layers().position(|name| name == layer_name) else {
            let near = nearest(layer_name, layers()).map(str::to_owned);
            self.dangling("layer", layer, layer_name, near);
            return None;
        };
        let labels = || {
            self.layers.get(at).into_iter().flat_map(|layer| &layer.labels).map(|label| label.name.as_str())
        };
        let found = labels().position(|name| name == label_name);
        if found.is_none() {
            let near = nearest(label_name, labels()).map(str::to_owned);
            self.dangling("label", label, label_name, near);
        }
        Some(LabelId { layer: at, label: found? })
    }

    fn dangling(&mut self, what: &str, node: &Node, name: &str, near: Option<String>) {
        let problem =
            Problem::new(Code::DanglingReference, node.place, format!("there is no {what} `{name}`"));
        self.problems.push(match near {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None => problem,
        });
    }
}

/// Layers and labels are few.
fn small(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}
