//! What is answered when tools are asked for?

use serde::Serialize;
use waypost_core::catalog::tools::{Safety, Tool};
use waypost_core::measure::Confidence;
use waypost_core::selection::pool::Pool;
use waypost_core::selection::ranked::Candidate;
use waypost_core::selection::terms::Word;

use super::Toolbox;

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

/// Tools for a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The best tools, the best first.
    pub tools: Vec<FoundTool>,
    /// Whether any of them serves the message.
    pub fits: bool,
    /// Words of the message that no tool knows, where none serves it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
    /// Tools that would have been offered, were they tagged for what the message holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Removed>,
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
}

impl Toolbox {
    /// The tools for a message, with reasons.
    pub fn find(&self, asked: &Asked<'_>) -> Found {
        let Asked { text, most, among, .. } = *asked;
        let words = Pool::asked(text);
        let wanted: Option<Vec<usize>> = among.map(|ids| self.places(|tool| ids.contains(&tool.id)));
        let mut ranked = self.rank(text, most, wanted.as_deref());
        let mut removed = Vec::new();
        if let Some(tag) = self.guarded(asked) {
            let may = |tool: &Tool| tool.safety_tags.iter().any(|own| own == tag);
            removed = self.removed(&ranked, tag);
            let open = self.places(|tool| may(tool) && among.is_none_or(|ids| ids.contains(&tool.id)));
            ranked = self.rank(text, most, Some(&open));
        }
        let sure = |from: f64| ranked.first().is_some_and(|best| best.confidence.points().share() >= from);
        let (fits, searches) = (sure(FITS_FROM), !sure(SEARCH_BELOW));
        let strange = if fits { Vec::new() } else { self.pool.strange(text, &words) };
        let mut tools: Vec<FoundTool> =
            ranked.iter().map(|candidate| self.told(candidate, text, &words)).collect();
        let offered = |tool: usize| ranked.iter().any(|candidate| candidate.tool == tool);
        if let Some(search) = self.search.filter(|search| searches && !offered(*search)) {
            tools.extend(self.added(search, self.guarded(asked)));
        }
        let unmatched = strange.into_iter().take(WORDS_TOLD).map(str::to_owned).collect();
        Found { tools, fits, unmatched, removed }
    }

    /// The tag a tool needs for this message, where tools are held to their tags.
    fn guarded<'a>(&self, asked: &Asked<'a>) -> Option<&'a str> {
        asked.sensitivity.filter(|kind| self.safety == Safety::Enforce && GUARDED.contains(kind))
    }

    fn places(&self, may: impl Fn(&Tool) -> bool) -> Vec<usize> {
        let all = self.pool.tools().iter().enumerate();
        all.filter(|(_, tool)| may(tool)).map(|(at, _)| at).collect()
    }

    /// Tools that would have been offered and lack the tag.
    fn removed(&self, ranked: &[Candidate], tag: &str) -> Vec<Removed> {
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

    fn told(&self, candidate: &Candidate, text: &str, asked: &[Word]) -> FoundTool {
        let (id, name, server) = match self.pool.tools().get(candidate.tool) {
            Some(tool) => (tool.id.clone(), tool.name.clone(), tool.server.clone()),
            None => Default::default(),
        };
        let evidence = &candidate.evidence;
        let shared = self.pool.shared(candidate.tool, text, asked);
        let shared: Vec<&str> = shared.into_iter().take(WORDS_TOLD).collect();
        let reasons = [
            evidence.named.map(|_| format!("its name is said: {name}")),
            (!shared.is_empty()).then(|| format!("shares the words {}", shared.join(", "))),
            (evidence.alike >= ALIKE_TOLD).then(|| format!("means something alike ({:.2})", evidence.alike)),
            (evidence.against > 0.0).then(|| "is like a message it does not serve".to_owned()),
        ];
        FoundTool {
            id,
            name,
            server,
            confidence: candidate.confidence,
            reasons: reasons.into_iter().flatten().collect(),
        }
    }
}
