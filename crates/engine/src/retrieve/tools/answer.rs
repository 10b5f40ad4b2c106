//! What is answered when tools are asked for?

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use waypost_core::catalog::tools::{Safety, Tool};
use waypost_core::history::ToolFigures;
use waypost_core::measure::{Confidence, Points};
use waypost_core::selection::pool::Pool;
use waypost_core::selection::ranked::ALIKE_FROM;
use waypost_core::selection::terms::Word;

use super::Toolbox;
use super::examples::FusionTold;
use super::parts::{FoundPart, Served};

/// How sure the best tool must be for the pool to be said to serve the message. On three pools that fits had not seen, 0.25 says of 79 of 100 messages rightly
/// that no tool serves them, this bound of 83, at a loss of one point of recall.
const FITS_FROM: f64 = 0.30;
/// How sure a further tool must be to serve the message too, and which share of the best one's confidence that must be: five points of recall for two of precision.
const BESIDES_FROM: f64 = 0.40;
const BESIDES_SHARE: f64 = 0.5;
/// Below this the search tool is added; the gate of the design that the catalog `context` follows.
const SEARCH_BELOW: f64 = 0.7;
/// Kinds of data that only tools tagged for them are given.
const GUARDED: [&str; 2] = ["pii", "safety_critical"];
/// Most words of a message that are told as matched by a tool, or by none.
const WORDS_TOLD: usize = 8;
/// Most letters of a part or an example that a reason repeats.
const PART_TOLD: usize = 60;
/// Fewest tools that are looked at, however few are asked for: parts and near-equals may bring in one from behind.
pub(super) const DEPTH_MIN: usize = 20;

/// Tools for a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The best tools, the best first.
    pub tools: Vec<FoundTool>,
    /// Whether any of them serves the message.
    pub fits: bool,
    /// The parts of the message, where they want different tools.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<FoundPart>,
    /// Words of the message that no tool knows, where none serves it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
    /// Tools that would have been offered, were they tagged for what the message holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Removed>,
    /// By what ways of finding and confidence count.
    pub fusion: FusionTold,
}

/// A tool for a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundTool {
    /// What it is called in answers.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Who offers it.
    pub server: Option<String>,
    /// How sure it is.
    pub confidence: Confidence,
    /// What else is known of it.
    #[serde(flatten)]
    pub facts: ToolFacts,
    /// Whether it serves the message: it is the best tool, or the best for a part, and sure enough.
    pub serves: bool,
    /// What speaks for it.
    pub reasons: Vec<String>,
}

/// What is known of a tool that has nothing to do with a message. What is unknown is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ToolFacts {
    /// Its name as people read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it can stand in for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Whether it changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// Whether it may delete or overwrite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// Whether the same call again changes nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// Whether it reaches beyond its own data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
    /// What a call costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_estimate: Option<f64>,
    /// How long a call takes, in milliseconds: measured where enough runs are recorded, else as the catalog says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avg_latency_ms: Option<f64>,
    /// Which share of its calls fails: measured where enough runs are recorded, else as the catalog says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_rate: Option<f64>,
}

impl ToolFacts {
    fn of(tool: &Tool, measured: Option<&ToolFigures>) -> ToolFacts {
        ToolFacts {
            title: tool.title.clone(),
            category: tool.category.clone(),
            read_only: tool.read_only,
            destructive: tool.destructive,
            idempotent: tool.idempotent,
            open_world: tool.open_world,
            cost_estimate: tool.cost_estimate,
            avg_latency_ms: latency_of(tool, measured),
            error_rate: measured.map(|known| known.error_rate).or(tool.error_rate),
        }
    }
}

/// How long a call of a tool takes, in milliseconds.
pub(super) fn latency_of(tool: &Tool, measured: Option<&ToolFigures>) -> Option<f64> {
    measured.and_then(|known| known.avg_latency_ms).or(tool.avg_latency_ms)
}

/// A tool that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// What it is called in answers.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// A message that asks for tools.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The message.
    pub text: &'a str,
    /// What was said before it, oldest first.
    pub earlier: &'a [&'a str],
    /// How many tools are wanted.
    pub most: usize,
    /// Tools that alone can be chosen, by id, where not all can.
    pub among: Option<&'a [String]>,
    /// What kind of data the message holds, where that is known.
    pub sensitivity: Option<&'a str>,
    /// Tools that failed and are not offered again, by their places.
    pub failed: &'a [usize],
    /// How long a call may take, in milliseconds: of near-equal tools those that take longer come last.
    pub latency_budget_ms: Option<f64>,
    /// The conversation, for what is looked up.
    pub session: Option<&'a str>,
    /// What is measured of tools, by their full names.
    pub measured: Option<&'a BTreeMap<String, ToolFigures>>,
}

impl Asked<'_> {
    /// What is measured of a tool.
    pub(super) fn measured_of(&self, tool: &Tool) -> Option<&ToolFigures> {
        self.measured?.get(&tool.full_name())
    }
}

impl Toolbox {
    /// The tools for a message, with reasons.
    pub fn find(&self, asked: &Asked<'_>) -> Found {
        let Asked { text, most, .. } = *asked;
        let heard = self.heard(asked);
        let open = self.open(asked);
        let whole = self.judge((text, asked.earlier), asked.session, most.max(DEPTH_MIN), open.as_deref());
        let (served, parts) = self.by_parts(asked, whole, most.max(DEPTH_MIN), open.as_deref());
        let chosen = self.with_room(self.settled(&served, asked), most);
        let mut tools: Vec<FoundTool> = chosen.iter().map(|served| self.told(served, &heard)).collect();
        // They come best first, so none is surer than the one before it.
        let mut most_sure = Confidence::new(Points::ONE);
        let best = tools.first().map_or(0.0, |best| best.confidence.points().share());
        let besides = BESIDES_FROM.max(BESIDES_SHARE * best);
        for (place, (tool, served)) in tools.iter_mut().zip(&chosen).enumerate() {
            tool.confidence = tool.confidence.min(most_sure);
            most_sure = tool.confidence;
            let share = tool.confidence.points().share();
            let is_wanted = place == 0 || served.part.is_some() || share >= besides;
            tool.serves = is_wanted && share >= FITS_FROM;
        }
        let sure = |from: f64| tools.first().is_some_and(|best| best.confidence.points().share() >= from);
        let (fits, searches) = (sure(FITS_FROM), !sure(SEARCH_BELOW));
        let strange = if fits { Vec::new() } else { self.pool.strange(text, &heard.words) };
        let offered = |tool: usize| chosen.iter().any(|served| served.candidate.tool == tool);
        if let Some(search) = self.search.filter(|search| searches && !offered(*search)) {
            tools.extend(self.added(search, open.as_deref(), asked));
        }
        let unmatched = strange.into_iter().take(WORDS_TOLD).map(str::to_owned).collect();
        Found { tools, fits, parts, unmatched, removed: self.removed(asked), fusion: self.fusion() }
    }

    /// The places of the tools that may be chosen, where not all may.
    pub(crate) fn open(&self, asked: &Asked<'_>) -> Option<Vec<usize>> {
        let tag = self.guarded(asked);
        let tagged = |tool: &Tool| tag.is_none_or(|tag| tool.safety_tags.iter().any(|own| own == tag));
        let all = tag.is_none() && asked.among.is_none() && asked.failed.is_empty();
        if all {
            return None;
        }
        let mut open = self.places(|tool| tagged(tool) && is_among(asked, tool));
        open.retain(|place| !asked.failed.contains(place));
        Some(open)
    }

    /// What sets call the tools that may be chosen for a message. One that failed stays in a set: what a provider computed for it
    /// is worth keeping, and it is not among what is found.
    pub fn may_offer(&self, asked: &Asked<'_>) -> HashSet<String> {
        let open = self.open(&Asked { failed: &[], ..*asked });
        let open = open.unwrap_or_else(|| (0..self.tools().len()).collect());
        let tools = open.into_iter().filter_map(|place| self.tools().get(place));
        tools.map(|tool| self.key(&tool.id, tool.server.as_deref(), &tool.name)).collect()
    }

    /// What sets call a tool: its id, or server and name where tools share an id.
    pub(super) fn key(&self, id: &str, server: Option<&str>, name: &str) -> String {
        match server.filter(|_| self.shared_ids.contains(id)) {
            Some(server) => format!("{server}/{name}"),
            None => id.to_owned(),
        }
    }

    /// The tag a tool needs for this message, where tools are held to their tags.
    fn guarded<'a>(&self, asked: &Asked<'a>) -> Option<&'a str> {
        asked.sensitivity.filter(|kind| self.safety == Safety::Enforce && GUARDED.contains(kind))
    }

    pub(super) fn places(&self, may: impl Fn(&Tool) -> bool) -> Vec<usize> {
        let all = self.pool.tools().iter().enumerate();
        all.filter(|(_, tool)| may(tool)).map(|(at, _)| at).collect()
    }

    /// Tools that would have been offered, and lack the tag this message needs.
    fn removed(&self, asked: &Asked<'_>) -> Vec<Removed> {
        let Some(tag) = self.guarded(asked) else { return Vec::new() };
        let among = asked.among.map(|_| self.places(|tool| is_among(asked, tool)));
        let ranked = self.rank(asked.text, asked.most, among.as_deref());
        let tools = ranked.iter().filter_map(|candidate| self.pool.tools().get(candidate.tool));
        let lacking = tools.filter(|tool| !tool.safety_tags.iter().any(|own| own == tag));
        let reason = format!("the message is {tag}, and the tool is not tagged for it");
        lacking.map(|tool| Removed { id: tool.id.clone(), reason: reason.clone() }).collect()
    }

    /// A message, read once for all reasons.
    pub(super) fn heard<'t>(&self, asked: &Asked<'t>) -> Heard<'t> {
        let text = asked.text;
        Heard { text, words: Pool::asked(text), query: self.encoder.vector(text), measured: asked.measured }
    }

    /// The search tool, beside the others and never in place of one; it too must be one that may be chosen.
    fn added(&self, search: usize, open: Option<&[usize]>, asked: &Asked<'_>) -> Option<FoundTool> {
        let tool = self.pool.tools().get(search)?;
        open.is_none_or(|open| open.contains(&search)).then(|| FoundTool {
            id: tool.id.clone(),
            name: tool.name.clone(),
            server: tool.server.clone(),
            confidence: Confidence::NONE,
            facts: ToolFacts::of(tool, asked.measured_of(tool)),
            serves: false,
            reasons: vec![format!(
                "added, since no tool is sure by {SEARCH_BELOW}: it searches for anything"
            )],
        })
    }

    /// A tool with what speaks for it.
    pub(super) fn told(&self, served: &Served<'_>, heard: &Heard<'_>) -> FoundTool {
        let Heard { text, words: asked, query, measured } = heard;
        let candidate = &served.candidate;
        let (id, name, server, facts) = match self.pool.tools().get(candidate.tool) {
            Some(tool) => {
                let measured = measured.and_then(|known| known.get(&tool.full_name()));
                let facts = ToolFacts::of(tool, measured);
                (tool.id.clone(), tool.name.clone(), tool.server.clone(), facts)
            }
            None => Default::default(),
        };
        let evidence = &candidate.evidence;
        let shared = self.pool.shared(candidate.tool, text, asked);
        let reasons = [
            served.part.map(|part| format!("serves the part '{}'", shortened(part))),
            evidence.named.map(|_| format!("its name is said: {name}")),
            (!shared.is_empty()).then(|| format!("shares words: {}", by_fields(&shared))),
            (evidence.alike >= ALIKE_FROM).then(|| format!("means something alike ({:.2})", evidence.alike)),
            self.nearest_example(candidate.tool, query)
                .map(|example| format!("is like its example '{}'", shortened(example))),
            (evidence.against > 0.0).then(|| "is like a message it does not serve".to_owned()),
            served.settled.clone(),
        ];
        let reasons = reasons.into_iter().flatten().collect();
        FoundTool { id, name, server, confidence: candidate.confidence, facts, serves: false, reasons }
    }
}

/// Whether a tool is one of those that alone can be chosen: by its id, or by server and name.
fn is_among(asked: &Asked<'_>, tool: &Tool) -> bool {
    let by_server = |id: &String| tool.server.is_some() && *id == tool.full_name();
    asked.among.is_none_or(|ids| ids.iter().any(|id| *id == tool.id || by_server(id)))
}

/// A message, as reasons are told by it.
pub(super) struct Heard<'t> {
    pub(super) text: &'t str,
    /// Its words.
    pub(super) words: Vec<Word>,
    /// What it means.
    pub(super) query: Vec<f32>,
    /// What is measured of tools.
    measured: Option<&'t BTreeMap<String, ToolFigures>>,
}

/// Words with the texts of a tool that have them: `send, mail (name), somebody (description)`.
fn by_fields(shared: &[(&str, &str)]) -> String {
    let told = shared.get(..WORDS_TOLD.min(shared.len())).unwrap_or_default();
    let mut fields: Vec<&str> = Vec::new();
    for (_, field) in told {
        if !fields.contains(field) {
            fields.push(field);
        }
    }
    let of = |field: &&str| {
        let words: Vec<&str> = told.iter().filter(|(_, own)| own == field).map(|(word, _)| *word).collect();
        format!("{} ({field})", words.join(", "))
    };
    fields.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// A part or an example, as far as a reason repeats it.
fn shortened(part: &str) -> String {
    match part.char_indices().nth(PART_TOLD) {
        Some((end, _)) => format!("{}…", part.get(..end).unwrap_or_default().trim_end()),
        None => part.to_owned(),
    }
}
