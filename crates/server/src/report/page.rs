//! What is on the page? Everything worked out once, in words; the renderers only lay it out.

use serde_json::Value;
use waypost::core::gates::GateAnswer;
use waypost::core::measure::{Confidence, Points};
use waypost::core::signals::MatchedBy;
use waypost::core::trace::{
    Answer, Evidence, LearnedFrom, Like, PartOfMessage, Ranked, RouteEvidence, Spoke,
};
use waypost::{Outcome, Trace};

use super::marks::{Mark, marks};

/// Routes whose reasons are shown: the one taken and those next to it; `--json` has them all.
const TREES_MAX: usize = 6;
/// Candidates without any confidence that are named; the rest are counted.
const SILENT_CANDIDATES_MAX: usize = 6;
/// Longest text quoted beside a reason, in characters; the message above shows it whole.
const QUOTED_CHARS_MAX: usize = 60;

/// The page of one decision.
pub struct Page<'t> {
    /// The message, each character with what it did.
    pub message: Vec<(char, Mark)>,
    /// The outcome, the route and how sure it is.
    pub headline: Headline<'t>,
    /// One sentence on why.
    pub why: &'t str,
    /// The question back, and what can be answered.
    pub question: Option<(&'t str, Vec<(&'t str, &'t str)>)>,
    /// What the route is to work on.
    pub target: Option<String>,
    /// What the gates of the route say, a sentence each.
    pub gates: Vec<String>,
    /// What forbids that the task begins, and what can be done about it.
    pub blocked: Vec<String>,
    /// The names of the tools to call.
    pub tools: Vec<String>,
    /// The ids of the passages to read.
    pub sources: Vec<String>,
    /// What else is in the message: a second request, what is not wanted, the turn it continues.
    pub parts: Vec<String>,
    /// The routes, the one taken first.
    pub candidates: Vec<Candidate<'t>>,
    /// How many more candidates there are than are named.
    pub more_candidates: usize,
    /// The confidence asked for.
    pub threshold: Confidence,
    /// What kind of request it is; empty where the catalog does not ask.
    pub context: Vec<String>,
    /// The reasons of routes that have any, the one taken first, then the surest.
    pub trees: Vec<&'t RouteEvidence>,
    /// The threshold and the margin, a sentence each.
    pub bounds: [String; 2],
    /// What was learned from examples went by: examples like the message, and words that spoke.
    pub learned: Vec<String>,
    /// What would have changed the outcome.
    pub what_if: &'t [String],
    /// What did not go as it should.
    pub notes: &'t [String],
}

/// The answer at a glance.
pub struct Headline<'t> {
    /// What is to happen.
    pub outcome: Outcome,
    /// The route, how sure it is, and the band and way it was matched.
    pub route: Option<(&'t str, Confidence, String)>,
}

/// A route on the page.
pub struct Candidate<'t> {
    /// Its name.
    pub name: &'t str,
    /// How sure it is.
    pub confidence: Confidence,
    /// `taken`, or why not.
    pub verdict: &'t str,
    /// Whether it is taken.
    pub taken: bool,
}

impl<'t> Page<'t> {
    /// The page of a trace.
    pub fn new(trace: &'t Trace) -> Page<'t> {
        let answer = &trace.answer;
        let (candidates, more_candidates) = candidates(trace);
        Page {
            message: trace.situation.message.text.chars().zip(marks(trace)).collect(),
            headline: Headline::new(answer),
            why: &answer.message,
            question: question(answer),
            target: target(answer),
            gates: answer.gates.iter().map(gate).collect(),
            blocked: answer.blocked.iter().map(|held| format!("{} {}", held.reason, held.way_on)).collect(),
            tools: texts_at(&answer.tools, "name"),
            sources: texts_at(&answer.sources, "id"),
            parts: parts(answer),
            candidates,
            more_candidates,
            threshold: answer.threshold.value,
            context: context(answer),
            trees: trees(trace),
            bounds: bounds(answer),
            learned: trace.learned.iter().flat_map(learned).collect(),
            what_if: &trace.what_if,
            notes: &answer.notes,
        }
    }
}

impl<'t> Headline<'t> {
    /// The headline of an answer.
    pub fn new(answer: &'t Answer) -> Headline<'t> {
        let route = taken(answer).map(|first| {
            let how = first.matched_by.map(|by| format!(", matched by {}", by.name())).unwrap_or_default();
            (first.name.as_str(), first.confidence, format!("({}{how})", first.band))
        });
        Headline { outcome: answer.outcome, route }
    }
}

/// What else a message says beside the route taken, a sentence each.
pub(super) fn parts(answer: &Answer) -> Vec<String> {
    let quoted = |part: &PartOfMessage| part.text.as_deref().map(|text| format!(": “{}”", shortened(text)));
    let part = |what: &str, part: &PartOfMessage| {
        format!("{what} {} ({}){}", part.route, part.confidence, quoted(part).unwrap_or_default())
    };
    let also = answer.also.iter().map(|also| part("also asks for", also));
    let denied = answer.denied.iter().map(|denied| part("does not want", denied));
    let continued = answer
        .continues
        .iter()
        .map(|turn| format!("continues turn {}: “{}”", turn.turn + 1, shortened(&turn.text)));
    let lead = answer.team.iter().map(|team| part("lead", &team.lead));
    let assistants = answer.team.iter().flat_map(|team| &team.assistants);
    lead.chain(assistants.map(|assistant| part("assistant", assistant)))
        .chain(also)
        .chain(denied)
        .chain(continued)
        .collect()
}

/// The text that each of these objects has under a key.
pub(super) fn texts_at(objects: &[Value], key: &str) -> Vec<String> {
    objects.iter().filter_map(|object| Some(object.get(key)?.as_str()?.to_owned())).collect()
}

/// What a gate says, and the way on where it is closed.
fn gate(gate: &GateAnswer) -> String {
    let verdict = if gate.allowed { "open" } else { "closed" };
    let way = gate.way_on.as_ref().map(|way| {
        let step = way.step.as_ref().map(|step| format!(" (at {step})")).unwrap_or_default();
        format!(" {}{step}", way.text)
    });
    format!("{}: {verdict}. {}{}", gate.name, gate.reason, way.unwrap_or_default())
}

/// What a head went by for one route, a sentence an aspect.
fn learned(from: &LearnedFrom) -> Vec<String> {
    let route = &from.route;
    let like = |like: &Like| format!("“{}” {}", shortened(&like.text), like.similarity);
    let nearest = from.nearest.iter().map(like).collect::<Vec<_>>().join(", ");
    let spoke = |word: &Spoke| format!("“{}” {}", shortened(&word.text), signed(word.amount));
    let words = |words: &[Spoke]| words.iter().map(spoke).collect::<Vec<_>>().join(", ");
    let meaning = format!("{route}: the meaning of the whole {}", signed(from.meaning));
    let told = |what: &str, list: String| (!list.is_empty()).then(|| format!("{route}: {what} {list}"));
    let lines = [
        told("most like its examples", nearest),
        Some(meaning),
        told("for it spoke", words(&from.spoke_for)),
        told("against it spoke", words(&from.spoke_against)),
    ];
    lines.into_iter().flatten().collect()
}

fn signed(amount: Points) -> String {
    if amount > Points::ZERO { format!("+{amount}") } else { amount.to_string() }
}

fn shortened(text: &str) -> String {
    let short: String = text.chars().take(QUOTED_CHARS_MAX).collect();
    if short.len() < text.len() { short + "…" } else { short }
}

fn taken(answer: &Answer) -> Option<&Ranked> {
    answer.routes.first().filter(|_| answer.route.is_some())
}

/// The question back, and what can be answered.
pub fn question(answer: &Answer) -> Option<(&str, Vec<(&str, &str)>)> {
    let asked = answer.clarification.as_ref()?;
    let options = asked.options.iter().map(|option| (option.name.as_str(), option.description.as_str()));
    Some((&asked.question, options.collect()))
}

/// What the route is to work on, or what was named and is not known.
pub fn target(answer: &Answer) -> Option<String> {
    let known = taken(answer).and_then(|first| first.target.clone());
    known.or_else(|| answer.target_unresolved.as_ref().map(|name| format!("{name} (unknown)")))
}

/// The route taken, those that something spoke for, and a few of the others; and how many are left out.
fn candidates(trace: &Trace) -> (Vec<Candidate<'_>>, usize) {
    let answer = &trace.answer;
    let first = taken(answer).map(|t| Candidate {
        name: &t.name,
        confidence: t.confidence,
        verdict: match answer.outcome {
            Outcome::Act => "taken",
            Outcome::Blocked => "blocked",
            Outcome::Deferred => "deferred",
            _ => "behind a closed gate",
        },
        taken: answer.outcome == Outcome::Act,
    });
    let spoken_for = |name: &str| trace.evidence.iter().any(|route| route.name == name);
    let (spoken, silent): (Vec<_>, Vec<_>) =
        answer.considered.iter().partition(|loser| spoken_for(&loser.name));
    let more = silent.len().saturating_sub(SILENT_CANDIDATES_MAX);
    let losers = spoken.into_iter().chain(silent.into_iter().take(SILENT_CANDIDATES_MAX));
    let losers = losers.map(|l| Candidate {
        name: &l.name,
        confidence: l.confidence,
        verdict: &l.rejected,
        taken: false,
    });
    (first.into_iter().chain(losers).collect(), more)
}

fn trees(trace: &Trace) -> Vec<&RouteEvidence> {
    let mut trees: Vec<&RouteEvidence> = trace.evidence.iter().collect();
    let first = trace.answer.route.as_deref();
    trees.sort_by_key(|route| (Some(route.name.as_str()) != first, std::cmp::Reverse(route.confidence)));
    trees.truncate(TREES_MAX);
    trees
}

/// The labels, how complex it is, and what it names.
fn context(answer: &Answer) -> Vec<String> {
    let context = &answer.context;
    let layers = context.layers.iter().filter(|(_, told)| told.confidence > Confidence::NONE);
    let mut told: Vec<String> =
        layers.map(|(layer, told)| format!("{layer}: {} ({})", told.label, told.confidence)).collect();
    told.extend(
        context.complexity.as_ref().map(|told| format!("complexity: {} ({})", told.band, told.score)),
    );
    let entities =
        context.entities.iter().flatten().map(|entity| format!("{} “{}”", entity.kind, entity.text));
    let entities: Vec<String> = entities.collect();
    told.extend((!entities.is_empty()).then(|| format!("names: {}", entities.join(", "))));
    told
}

fn bounds(answer: &Answer) -> [String; 2] {
    let (threshold, margin) = (&answer.threshold, &answer.margin);
    let ahead = match (margin.value, &margin.runner_up) {
        (Some(value), Some(next)) if value < Points::ZERO => {
            format!(
                "Margin {value:+} to {next}, which is surer; within {} priority settles it.",
                margin.window
            )
        }
        (Some(value), Some(next)) => {
            format!("Margin {value:+} over {next}; within {} priority settles it.", margin.window)
        }
        (Some(value), None) => format!("Margin {value:+}: no other route has any confidence."),
        (None, _) => "No margin, as no route was taken.".to_owned(),
    };
    [format!("Threshold {}: {}", threshold.value, threshold.reason), ahead]
}

/// The points of a reason: in brackets where they are not part of the sum.
pub fn points(reason: &Evidence) -> String {
    if reason.counts { format!("{:+}", reason.points) } else { format!("({})", reason.points) }
}

/// The text a reason points at, shortened.
pub fn quote(reason: &Evidence) -> Option<String> {
    // A head goes by the whole message, which stands above.
    let text = reason.text.as_deref().filter(|_| !reason.matched_by.is_some_and(MatchedBy::is_learned))?;
    Some(format!("“{}”", shortened(text)))
}
