//! Which tools serve a message best, and how sure is that?

use super::legs::{Late, Leg, Weights, best_among, joined, raise};
use super::pool::{Named, Pool};
use super::terms::Word;
use crate::head::exact::sigmoid;
use crate::measure::{Confidence, Points};

/// What having what each word asks for counts, in deviations of the pool a likeness of one; chosen on odd lines of public sets.
const LATE_WEIGHT: f32 = 3.0;
/// Tools that are read word by word: what figures look at, and some more that may still come up.
const LATE_READ: usize = 16;
/// What being like a message that a tool does not serve counts against it, in deviations a similarity of one.
const AGAINST_WEIGHT: f32 = 12.0;
/// How like such a message one must be before that counts: below, they only share a subject.
const AGAINST_FROM: f32 = 0.45;
/// What a name as it is written counts: more than everything else together.
const WRITTEN_WEIGHT: f32 = 100.0;
/// How sure a tool is whose name is written so.
const WRITTEN_CONFIDENCE: f32 = 0.97;

/// How far a message and each tool of a pool mean the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meant<'s> {
    /// Similarities, a tool each.
    pub plain: &'s [f32],
    /// The same by the layers of the encoder, where they were asked.
    pub deep: Option<&'s [f32]>,
    /// Reads the best word by word, where that is wanted.
    pub late: Option<Late<'s>>,
    /// How far each tool is about what the whole pool is about.
    pub central: &'s [f32],
    /// How like a message that the tool does not serve this one is; empty where no tool has such messages.
    pub against: &'s [f32],
    /// Tools that alone can be chosen, in order, where not all can.
    pub among: Option<&'s [usize]>,
    /// What is known of how legs and confidence should count here; else they count by the statistics of the pool.
    pub fusion: Option<&'s Fusion>,
}

/// How legs are weighed and confidence is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fusion {
    /// What each leg counts.
    pub weights: Weights,
    /// How often what is found so is right.
    pub curve: Curve,
}

impl Fusion {
    /// The fusion for a pool of which nothing but its statistics is known.
    pub fn by_statistics(pool: &Pool) -> Fusion {
        Fusion { weights: Weights::by_statistics(pool.mean_words()), curve: Curve::default() }
    }
}

/// A logistic curve over what a tool was found by, in logits: where it begins, and what likeness, being ahead of the next and
/// being behind the first are worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Where it begins.
    pub base: f32,
    /// What being alike is worth.
    pub alike: f32,
    /// What being ahead of the next is worth, a deviation of the pool.
    pub lead: f32,
    /// What being behind the first is worth, a deviation of the pool.
    pub behind: f32,
}

impl Default for Curve {
    fn default() -> Curve {
        Curve { base: BASE, alike: ALIKE, lead: LEAD, behind: BEHIND }
    }
}

/// A tool that may serve.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its place in the pool.
    pub tool: usize,
    /// What all legs together say, in deviations of the pool.
    pub score: f32,
    /// How sure it is.
    pub confidence: Confidence,
    /// What it was found by.
    pub evidence: Evidence,
}

/// What a tool was found by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// How its whole name is said, where it is.
    pub named: Option<Named>,
    /// How alike the meanings are.
    pub alike: f32,
    /// How alike by the layers of the encoder; the same where they were not asked.
    pub alike_deep: f32,
    /// The share of what the message's words could be worth that the tool's are.
    pub covered: f32,
    /// How like a message it does not serve this one is, beyond what sharing a subject explains.
    pub against: f32,
}

/// The best tools for a message, the best first.
pub fn rank(pool: &Pool, text: &str, asked: &[Word], meant: &Meant<'_>, most: usize) -> Vec<Candidate> {
    let count = pool.tools().len();
    let mut room = Vec::new();
    let heard = pool.hear(asked, &mut room);
    for (tool, worth) in &heard.entries {
        if let Some(own) = room.get_mut(*tool as usize) {
            *own = *worth;
        }
    }
    let Fusion { weights, curve } = meant.fusion.copied().unwrap_or_else(|| Fusion::by_statistics(pool));
    let words = Leg { scores: &room, weight: weights.words };
    let plain = Leg { scores: meant.plain, weight: 1.0 };
    let central = Leg { scores: meant.central, weight: weights.central };
    let deep = meant.deep.map(|scores| Leg { scores, weight: weights.deep });
    let legs: Vec<Leg<'_>> = [plain, words, central].into_iter().chain(deep).collect();
    let mut sums = joined(&legs, count);
    for (sum, against) in sums.iter_mut().zip(meant.against) {
        *sum -= AGAINST_WEIGHT * (against - AGAINST_FROM).max(0.0);
    }
    let named = pool.named(text);
    for (tool, how) in &named {
        if let Some(sum) = sums.get_mut(*tool).filter(|_| *how == Named::AsWritten) {
            *sum += WRITTEN_WEIGHT;
        }
    }
    if let Some(late) = meant.late {
        let read = best_among(&sums, meant.among, LATE_READ);
        raise(&mut sums, &read, late, LATE_WEIGHT);
    }
    let mut taken = best_among(&sums, meant.among, most);
    let may = |tool: usize| meant.among.is_none_or(|among| among.contains(&tool));
    let called: Vec<usize> = named.iter().map(|(tool, _)| *tool).filter(|tool| may(*tool)).collect();
    find_room(&mut taken, &called, most);
    // Who is pinned is there beside the others, in nobody's place.
    let beside = pool.pinned().iter().copied().filter(|tool| may(*tool));
    let beside: Vec<usize> = beside.filter(|tool| !taken.contains(tool)).collect();
    taken.extend(beside);
    let at = |scores: &[f32], tool: usize| scores.get(tool).copied().unwrap_or_default();
    // The lead of the first is over the second, also where only one is wanted.
    let ahead_of = best_among(&sums, meant.among, 2);
    let second = ahead_of.get(1).map_or(0.0, |tool| at(&sums, *tool));
    let first = ahead_of.first().map_or(0.0, |tool| at(&sums, *tool));
    let candidate = |tool: usize| {
        let score = at(&sums, tool);
        let alike = at(meant.plain, tool);
        let evidence = Evidence {
            named: named.iter().find(|(own, _)| *own == tool).map(|(_, how)| *how),
            alike,
            alike_deep: meant.deep.map_or(alike, |deep| at(deep, tool)),
            covered: if heard.most > 0.0 { at(&room, tool) / heard.most } else { 0.0 },
            against: (at(meant.against, tool) - AGAINST_FROM).max(0.0),
        };
        // How far it is ahead of the next, or behind the first.
        let ahead = if score >= first { score - second } else { score - first };
        Candidate { tool, score, confidence: sure(&curve, &evidence, ahead), evidence }
    };
    taken.into_iter().map(candidate).collect()
}

/// Whoever is called by name is among those taken: at the end, in the place of the least that is not called itself.
fn find_room(taken: &mut Vec<usize>, called: &[usize], most: usize) {
    for tool in called {
        if taken.contains(tool) {
            continue;
        }
        if taken.len() >= most {
            let Some(least) = taken.iter().rposition(|taken| !called.contains(taken)) else { return };
            taken.remove(least);
        }
        taken.push(*tool);
    }
}

/// How often tools found so were right, on odd lines of public sets: a logistic curve over what they were found by.
fn sure(curve: &Curve, evidence: &Evidence, ahead: f32) -> Confidence {
    if evidence.named == Some(Named::AsWritten) {
        return Confidence::new(Points::from_share(f64::from(WRITTEN_CONFIDENCE)));
    }
    // Being ahead of others that have nothing either says nothing: in a small pool somebody always is.
    let speaks = evidence.named.is_some() || evidence.covered > 0.0 || evidence.alike >= ALIKE_FROM;
    let ahead = if speaks { ahead } else { ahead.min(0.0) };
    certain(logit(curve, evidence.alike, ahead) - AGAINST * evidence.against)
}

/// The same by a curve of somebody's own: how alike something is, and how far it is ahead of the next, or behind the first.
pub(super) fn sure_by(curve: &Curve, alike: f32, ahead: f32) -> Confidence {
    certain(logit(curve, alike, ahead))
}

fn logit(curve: &Curve, alike: f32, ahead: f32) -> f32 {
    let lead = ahead.clamp(0.0, LEAD_MOST);
    let behind = ahead.clamp(-BEHIND_MOST, 0.0);
    curve.base + curve.alike * alike + curve.lead * lead + curve.behind * behind
}

pub(super) fn certain(logit: f32) -> Confidence {
    Confidence::new(Points::from_share(f64::from(sigmoid(logit).min(CONFIDENCE_MOST))))
}

/// How alike meanings must be to speak for a tool.
pub const ALIKE_FROM: f32 = 0.1;
/// The curve: where it begins, and what likeness, being ahead of the next and being behind the first are worth in logits.
/// Fitted on the best five of 2,500 odd lines of metatool and 500 of bfcl, and of ten candidates with and without the right one.
const BASE: f32 = -3.18;
const ALIKE: f32 = 3.61;
const LEAD: f32 = 0.99;
const BEHIND: f32 = 0.52;
/// Beyond this being ahead or behind says nothing more, in deviations of the pool.
pub(super) const LEAD_MOST: f32 = 3.0;
pub(super) const BEHIND_MOST: f32 = 4.0;
/// What being like a message that a tool does not serve takes away, in logits a similarity of one.
const AGAINST: f32 = 8.0;
/// The most that finding makes sure of.
const CONFIDENCE_MOST: f32 = 0.99;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::tools::Tool;
    use serde_json::json;

    fn pool() -> Pool {
        let tools = [
            ("send_mail", "Sends a message by e-mail"),
            ("read_file", "Reads a file of this machine"),
            ("weather_now", "Tells the weather of a place"),
        ];
        let tool = |(name, about): (&str, &str)| {
            Tool::from_row(&json!({"name": name, "description": about})).unwrap()
        };
        Pool::new(tools.into_iter().map(tool).collect())
    }

    fn first(text: &str, meant: &Meant<'_>) -> (usize, Confidence) {
        let pool = pool();
        let ranked = rank(&pool, text, &Pool::asked(text), meant, 3);
        assert_eq!(ranked.len(), 3, "as many as are asked for, whether they fit or not");
        (ranked[0].tool, ranked[0].confidence)
    }

    #[test]
    fn words_meaning_and_names_find_a_tool() {
        let silent = Meant { plain: &[0.0; 3], central: &[0.0; 3], ..Meant::default() };
        assert_eq!(first("open that file", &silent).0, 1);
        let rainy = Meant { plain: &[0.1, 0.0, 0.6], central: &[0.0; 3], ..Meant::default() };
        assert_eq!(first("will it rain", &rainy).0, 2);
        let (named, sure) = first("use send_mail, the weather is not asked for", &rainy);
        assert_eq!(named, 0);
        assert!(sure > Confidence::new(Points::from_share(0.9)));
        // Words of a name make sure that the tool is found, not that it is the first.
        let pool = pool();
        let ranked = rank(&pool, "it will rain: send mail", &[], &rainy, 1);
        assert_eq!(ranked[0].tool, 0);
    }

    #[test]
    fn what_a_tool_does_not_serve_counts_against_it() {
        let plain = [0.5, 0.1, 0.55];
        let rainy = Meant { plain: &plain, central: &[0.0; 3], ..Meant::default() };
        let (tool, sure) = first("climate of the past century", &rainy);
        assert_eq!(tool, 2);
        let warned = Meant { against: &[0.0, 0.0, 0.9], ..rainy };
        let (tool, _) = first("climate of the past century", &warned);
        assert_eq!(tool, 0);
        let pool = pool();
        let ranked = rank(&pool, "climate of the past century", &[], &warned, 3);
        let weather = ranked.iter().find(|candidate| candidate.tool == 2).unwrap();
        assert!(weather.confidence < sure);
    }
}
