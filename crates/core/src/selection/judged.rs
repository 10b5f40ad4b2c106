//! How likely does a tool serve a message? What it was found by and what the trained model makes of the message, weighed together.

use super::pool::Named;
use super::ranked::{Candidate, certain};

/// What the trained model makes of a message, a logarithm of a probability for each tool of the pool and last for none of them.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'j> {
    /// What is asked.
    pub asked: &'j [f32],
    /// What is asked besides.
    pub also: &'j [f32],
}

/// The weights of a logistic curve, in logits, fitted by `training/serves.py` on 930 messages over three pools of 70 tools and on odd lines of metatool and
/// livemcpbench: where it begins, and what each fact counts. On messages of the first kind, judged by a fit that has not seen them, the right tool is then first
/// for 84 of 100; before the model had learned from tools it was 77.
const BASE: f32 = 0.53;
/// Being ahead of the next candidate by what was found, or behind the first, in deviations of the pool.
const LEAD: f32 = 0.25;
const BEHIND: f32 = 0.06;
/// Meaning alike, and sharing the words of the message.
const ALIKE: f32 = 2.01;
const COVERED: f32 = 2.49;
/// Being called by name.
const NAMED: f32 = 1.68;
/// Being ahead of the next by the model; what the model says of no tool at all, of this tool rather than none, and of this one besides another.
const ASKED_LEAD: f32 = 0.71;
const NONE: f32 = 0.50;
const ASKED: f32 = 0.82;
const ALSO: f32 = 0.25;
/// Where something means much the same as the message, what is found counts for more and the model for less: by how alike the most alike is.
const MOST_ALIKE: f32 = 0.68;
const MOST_ALIKE_BEHIND: f32 = 0.33;
const MOST_ALIKE_ASKED: f32 = -0.76;
/// What being like a message that a tool does not serve takes away, as where the model is not asked.
const AGAINST: f32 = 8.0;
/// Beyond these being ahead or behind, and what the model says, count no further.
const LEAD_MOST: f32 = 3.0;
const BEHIND_MOST: f32 = 8.0;
const ASKED_LEAD_MOST: f32 = 4.0;
const ASKED_MOST: f32 = 8.0;

/// The candidates as they are when both are weighed, the likeliest first. Whose name is written stays in front.
pub fn weigh(candidates: Vec<Candidate>, judged: Judged<'_>) -> Vec<Candidate> {
    let of = |logs: &[f32], tool: usize| logs.get(tool).copied().unwrap_or(-ASKED_MOST);
    let last = |logs: &[f32]| logs.last().copied().unwrap_or_default();
    let (none, none_besides) = (last(judged.asked), last(judged.also));
    let found = Heads::of(candidates.iter().map(|candidate| candidate.score));
    let asked = Heads::of(candidates.iter().map(|candidate| of(judged.asked, candidate.tool)));
    let most_alike = candidates.iter().map(|candidate| candidate.evidence.alike).fold(0.0, f32::max);
    let logit = |candidate: &Candidate| {
        let evidence = &candidate.evidence;
        let (ahead, log) = (found.ahead(candidate.score), of(judged.asked, candidate.tool));
        let besides = of(judged.also, candidate.tool) - none_besides;
        BASE + LEAD * ahead.clamp(0.0, LEAD_MOST)
            + (BEHIND + MOST_ALIKE_BEHIND * most_alike) * ahead.clamp(-BEHIND_MOST, 0.0)
            + ALIKE * evidence.alike
            + COVERED * evidence.covered
            + if evidence.named.is_some() { NAMED } else { 0.0 }
            + ASKED_LEAD * asked.ahead(log).clamp(0.0, ASKED_LEAD_MOST)
            + NONE * none
            + MOST_ALIKE * most_alike
            + (ASKED + MOST_ALIKE_ASKED * most_alike) * (log - none).clamp(-ASKED_MOST, ASKED_MOST)
            + ALSO * besides.clamp(-ASKED_MOST, ASKED_MOST)
            - AGAINST * evidence.against
    };
    let written = |candidate: &Candidate| candidate.evidence.named == Some(Named::AsWritten);
    let mut weighed: Vec<(f32, Candidate)> =
        candidates.into_iter().map(|candidate| (logit(&candidate), candidate)).collect();
    weighed.sort_by(|(a, one), (b, other)| written(other).cmp(&written(one)).then(b.total_cmp(a)));
    let told = |(logit, candidate): (f32, Candidate)| {
        if written(&candidate) { candidate } else { Candidate { confidence: certain(logit), ..candidate } }
    };
    weighed.into_iter().map(told).collect()
}

/// The two greatest of some numbers.
struct Heads {
    first: f32,
    second: f32,
}

impl Heads {
    fn of(values: impl Iterator<Item = f32>) -> Heads {
        let start = Heads { first: f32::NEG_INFINITY, second: f32::NEG_INFINITY };
        values.fold(start, |heads, value| {
            if value > heads.first {
                Heads { first: value, second: heads.first }
            } else {
                Heads { second: heads.second.max(value), ..heads }
            }
        })
    }

    /// How far a value is ahead of the next, or behind the first.
    fn ahead(&self, value: f32) -> f32 {
        if value >= self.first { value - self.second } else { value - self.first }
    }
}
