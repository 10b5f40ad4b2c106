//! What is answered when tools are asked for?

use std::collections::HashSet;

use serde::Serialize;
use waypost_core::catalog::tools::{Safety, Tool};
use waypost_core::measure::Confidence;
use waypost_core::selection::pool::Pool;
use waypost_core::selection::terms::Word;

use super::Toolbox;
use super::examples::FusionTold;
use super::parts::{FoundPart, Served};

/// How sure the best tool must be for the pool to be said to serve the message.
const FITS_FROM: f64 = 0.25;
/// Below this the search tool is added; the gate of the design that the catalog `context` follows.
const SEARCH_BELOW: f64 = 0.7;
/// Kinds of data that only tools tagged for them are given.
const GUARDED: [&str; 2] = ["pii", "safety_critical"];
/// Most words of a message that are told as matched by a tool, or by none.
const WORDS_TOLD: usize = 8;
/// How alike meanings must be to be given as a reason.
const ALIKE_TOLD: f32 = 0.1;
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
    /// What speaks for it.
    pub reasons: Vec<String>,
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
    /// How many tools are wanted.
    pub most: usize,
    /// Tools that alone can be chosen, by id, where not all can.
    pub among: Option<&'a [String]>,
    /// What kind of data the message holds, where that is known.
    pub sensitivity: Option<&'a str>,
    /// How long a call may take, in milliseconds: of near-equal tools those that take longer come last.
    pub latency_budget_ms: Option<f64>,
}

impl Toolbox {
    /// The tools for a message, with reasons.
    pub fn find(&self, asked: &Asked<'_>) -> Found {
        let Asked { text, most, .. } = *asked;
        let words = Pool::asked(text);
        let open = self.open(asked);
        let whole = self.rank(text, most.max(DEPTH_MIN), open.as_deref());
        let (served, parts) = self.by_parts(text, whole, most.max(DEPTH_MIN), open.as_deref());
        let chosen = self.with_room(self.settled(&served, asked.latency_budget_ms), most);
        let mut tools: Vec<FoundTool> = chosen.iter().map(|served| self.told(served, text, &words)).collect();
        let sure = |from: f64| tools.first().is_some_and(|best| best.confidence.points().share() >= from);
        let (fits, searches) = (sure(FITS_FROM), !sure(SEARCH_BELOW));
        let strange = if fits { Vec::new() } else { self.pool.strange(text, &words) };
        let offered = |tool: usize| chosen.iter().any(|served| served.candidate.tool == tool);
        if let Some(search) = self.search.filter(|search| searches && !offered(*search)) {
            tools.extend(self.added(search, self.guarded(asked)));
        }
        let unmatched = strange.into_iter().take(WORDS_TOLD).map(str::to_owned).collect();
        Found { tools, fits, parts, unmatched, removed: self.removed(asked), fusion: self.fusion() }
    }

    /// The places of the tools that may be chosen, where not all may.
    pub(super) fn open(&self, asked: &Asked<'_>) -> Option<Vec<usize>> {
        let tag = self.guarded(asked);
        let tagged = |tool: &Tool| tag.is_none_or(|tag| tool.safety_tags.iter().any(|own| own == tag));
        let among = |tool: &Tool| asked.among.is_none_or(|ids| ids.contains(&tool.id));
        let all = tag.is_none() && asked.among.is_none();
        (!all).then(|| self.places(|tool| tagged(tool) && among(tool)))
    }

    /// The ids of the tools that may be chosen for a message.
    pub fn may_offer(&self, asked: &Asked<'_>) -> HashSet<&str> {
        let open = self.open(asked).unwrap_or_else(|| (0..self.tools().len()).collect());
        open.into_iter().filter_map(|place| Some(self.tools().get(place)?.id.as_str())).collect()
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
        let among = asked.among.map(|ids| self.places(|tool| ids.contains(&tool.id)));
        let ranked = self.rank(asked.text, asked.most, among.as_deref());
        let tools = ranked.iter().filter_map(|candidate| self.pool.tools().get(candidate.tool));
        let lacking = tools.filter(|tool| !tool.safety_tags.iter().any(|own| own == tag));
        let reason = format!("the message is {tag}, and the tool is not tagged for it");
        lacking.map(|tool| Removed { id: tool.id.clone(), reason: reason.clone() }).collect()
    }

    /// The search tool, beside the others and never in place of one; it too needs the tag.
    fn added(&self, search: usize, tag: Option<&str>) -> Option<FoundTool> {
        let tool = self.pool.tools().get(search)?;
        let may = tag.is_none_or(|tag| tool.safety_tags.iter().any(|own| own == tag));
        may.then(|| FoundTool {
            id: tool.id.clone(),
            name: tool.name.clone(),
            server: tool.server.clone(),
            confidence: Confidence::NONE,
            reasons: vec![format!(
                "added, since no tool is sure by {SEARCH_BELOW}: it searches for anything"
            )],
        })
    }

    /// A tool with what speaks for it.
    pub(super) fn told(&self, served: &Served<'_>, text: &str, asked: &[Word]) -> FoundTool {
        let candidate = &served.candidate;
        let (id, name, server) = match self.pool.tools().get(candidate.tool) {
            Some(tool) => (tool.id.clone(), tool.name.clone(), tool.server.clone()),
            None => Default::default(),
        };
        let evidence = &candidate.evidence;
        let shared = self.pool.shared(candidate.tool, text, asked);
        let shared: Vec<&str> = shared.into_iter().take(WORDS_TOLD).collect();
        let reasons = [
            served.part.map(|part| format!("serves the part '{}'", shortened(part))),
            evidence.named.map(|_| format!("its name is said: {name}")),
            (!shared.is_empty()).then(|| format!("shares the words {}", shared.join(", "))),
            (evidence.alike >= ALIKE_TOLD).then(|| format!("means something alike ({:.2})", evidence.alike)),
            self.nearest_example(candidate.tool, text)
                .map(|example| format!("is like its example '{}'", shortened(example))),
            (evidence.against > 0.0).then(|| "is like a message it does not serve".to_owned()),
            served.settled.clone(),
        ];
        let reasons = reasons.into_iter().flatten().collect();
        FoundTool { id, name, server, confidence: candidate.confidence, reasons }
    }
}

/// A part or an example, as far as a reason repeats it.
fn shortened(part: &str) -> String {
    match part.char_indices().nth(PART_TOLD) {
        Some((end, _)) => format!("{}…", part.get(..end).unwrap_or_default().trim_end()),
        None => part.to_owned(),
    }
}
