//! How do the trained scores and the catalog's own head decide together? One rule for all catalogs, by the number of examples.

use super::{as_real, log_softmax, two_most};
use crate::head::Judgement;
use crate::head::exact::{exp, ln, sigmoid};
use crate::measure::{Confidence, Points};

/// How much a head counts beside the trained scores for every logarithm of examples per route. A head learns from the examples alone,
/// so it is worth little with a few of them and much with many. Fitted by `training/blend.py` on validation catalogs: of the settings that
/// are about equally good, the one with the lowest loss.
const HEAD_PER_LOG_EXAMPLE: f32 = 0.1;
const HEAD_MAX: f32 = 1.0;
/// How many times as much a head counts that was also taught what belongs nowhere: such catalogs are written with care, and their heads
/// know what the training could not. Chosen on the held-out messages of `triad`, `starter` and `choices`, which are spent.
const TAUGHT_NONE: f32 = 4.5;
/// A head's belief below this counts as this much, so that its logarithm stays finite.
const BELIEF_MIN: f32 = 0.01;
/// What is added to "none of these", as a logarithm, where the head knows nothing of it. Fitted on validation catalogs.
const NONE_BIAS: f32 = -1.5;
/// What the logarithms are divided by, so that beliefs are as often right as they say. Fitted on validation catalogs.
const TEMPERATURE: f32 = 1.0;

/// Where each route is judged for itself: what the logarithm of its share in the two requests counts, what that of a head's belief counts
/// for every logarithm of examples, and a base. Fitted on 400 messages to eight assistants with guides of two to eight examples.
const EACH_SHARE: f32 = 1.04;
const EACH_HEAD_PER_LOG_EXAMPLE: f32 = 0.3;
const EACH_BASE: f32 = 3.14;
/// A share below this counts as this much, some e⁻⁸: less says nothing more.
const SHARE_MIN: f32 = 0.0003;

/// When a head's decision is that of the full model: how much its best belief, its lead, its fit and the number of words speak for it,
/// and a base. The bound keeps 99 of 100 decisions alike. Fitted by `training/blend.py` on validation catalogs.
const AGREEMENT: [f32; 5] = [8.702, 0.739, -1.356, -0.0732, -7.758];
const AGREEMENT_MIN: f32 = -0.17;
/// Words from which on more say nothing new about agreement.
const WORDS_MAX: usize = 30;

/// How sure a decision must be for so many of those acted on to be right, in steps between which it is read off a straight line. Measured
/// on the validation catalogs, all together.
const NEEDED: [(f64, f64); 7] =
    [(0.80, 0.06), (0.85, 0.28), (0.90, 0.55), (0.94, 0.80), (0.96, 0.90), (0.98, 0.966), (0.99, 0.993)];

/// How sure a decision of the full model must be for a wanted precision.
pub fn needed_for(precision: f64) -> Confidence {
    let pairs = NEEDED.iter().zip(NEEDED.iter().skip(1));
    let between = pairs.into_iter().find(|(_, (upper, _))| precision <= *upper);
    let share = match between {
        Some(((lower, from), (upper, to))) => {
            from + (to - from) * ((precision - lower) / (upper - lower)).clamp(0.0, 1.0)
        }
        None => NEEDED.last().map_or(1.0, |(_, share)| *share),
    };
    Confidence::new(Points::from_share(share))
}

/// What a head was taught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taught {
    /// Which messages belong to which route.
    RoutesAlone,
    /// The same, and which belong to none of them.
    NoneToo,
}

/// How heads and trained scores are weighed in one catalog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    head: f32,
    /// The same where each route is judged for itself.
    head_of_each: f32,
}

impl Blend {
    /// The rule for a catalog whose routes have so many examples.
    pub fn of(examples: &[usize]) -> Blend {
        let routes = as_real(examples.len().max(1));
        let mean = examples.iter().map(|count| ln(as_real(1 + count))).sum::<f32>() / routes;
        let taught = examples.iter().any(|count| *count > 0);
        let weight = |per_log: f32| if taught { (per_log * mean).min(HEAD_MAX) } else { 0.0 };
        Blend { head: weight(HEAD_PER_LOG_EXAMPLE), head_of_each: weight(EACH_HEAD_PER_LOG_EXAMPLE) }
    }

    /// Whether a head is so sure that the full model would decide alike.
    pub fn agrees(&self, head: &Judgement, words: usize) -> bool {
        let (best, second) = two_most(&head.beliefs);
        let features = [best, best - second, head.fits, as_real(words.min(WORDS_MAX)), 1.0];
        features.iter().zip(AGREEMENT).map(|(feature, weight)| feature * weight).sum::<f32>() >= AGREEMENT_MIN
    }

    /// How likely each route is needed, whatever the others are: it may be the first request or the second.
    pub fn believe_each(&self, asked: &[f32], also: &[f32], head: &Judgement) -> Vec<f32> {
        // Logarithms are taken of numbers above one.
        let shares = asked.iter().zip(also).map(|(asked, also)| (exp(*asked) + exp(*also)).max(SHARE_MIN));
        let each = shares.zip(&head.beliefs).map(|(share, belief)| {
            let doubts = EACH_SHARE * ln(1.0 / share) + self.head_of_each * ln(1.0 / belief.max(BELIEF_MIN));
            sigmoid(EACH_BASE - doubts)
        });
        each.collect()
    }

    /// The probabilities of the routes, and last that of none of them. A head that was taught what belongs nowhere has a say in that too.
    pub fn believe(&self, asked: &[f32], head: &Judgement, taught: Taught) -> Vec<f32> {
        let weight = match taught {
            Taught::RoutesAlone => self.head,
            Taught::NoneToo => TAUGHT_NONE * self.head,
        };
        let vote = |belief: f32| weight * (ln(1.0 / BELIEF_MIN) - ln(1.0 / belief.clamp(BELIEF_MIN, 1.0)));
        let none = match taught {
            Taught::RoutesAlone => NONE_BIAS,
            Taught::NoneToo => vote(1.0 - head.beliefs.iter().sum::<f32>()),
        };
        let votes = head.beliefs.iter().map(|belief| vote(*belief)).chain([none]);
        let logits = asked.iter().zip(votes).map(|(log, vote)| (log + vote) / TEMPERATURE).collect();
        log_softmax(logits).into_iter().map(exp).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(beliefs: &[f32]) -> Judgement {
        Judgement { beliefs: beliefs.to_vec(), fits: 1.0 }
    }

    #[test]
    fn beliefs_add_up_and_a_head_moves_them_by_its_examples() {
        let asked = log_softmax(vec![1.0, 0.9, 0.0]);
        let of = |examples: &[usize]| {
            Blend::of(examples).believe(&asked, &head(&[0.05, 0.9]), Taught::RoutesAlone)
        };
        let (none, few, many) = (of(&[0, 0]), of(&[3, 3]), of(&[50, 50]));
        for beliefs in [&none, &few, &many] {
            assert!((beliefs.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{beliefs:?}");
        }
        assert!(none[0] > none[1] && few[1] > none[1] && many[1] > few[1], "{none:?} {few:?} {many:?}");
        let doubts = Blend::of(&[50, 50]).believe(&asked, &head(&[0.02, 0.02]), Taught::NoneToo);
        assert!(doubts[2] > many[2] && doubts[2] > 0.5, "{doubts:?}");
    }

    #[test]
    fn each_route_is_believed_for_itself() {
        let each = |asked: [f32; 3], also: [f32; 3], own: [f32; 2]| {
            let [asked, also] = [asked, also].map(|logits| log_softmax(logits.to_vec()));
            Blend::of(&[3, 3]).believe_each(&asked, &also, &head(&own))
        };
        let (first, both) = (
            each([9.0, 0.0, 0.0], [0.0, 0.0, 9.0], [0.9, 0.1]),
            each([9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.9, 0.1]),
        );
        assert!(first[0] > 0.9 && first[1] < 0.1, "{first:?}");
        assert!(both[0] > 0.9 && both[1] > 0.5, "{both:?}");
        let neither = each([0.0, 0.0, 9.0], [0.0, 0.0, 9.0], [0.1, 0.1]);
        assert!(neither.iter().all(|belief| *belief < 0.1), "{neither:?}");
    }

    #[test]
    fn more_precision_asks_for_more() {
        let needed: Vec<Confidence> =
            [0.5, 0.8, 0.87, 0.9, 0.95, 0.98, 0.995].into_iter().map(needed_for).collect();
        assert!(needed.is_sorted(), "{needed:?}");
        assert_eq!(needed_for(0.9), Confidence::new(Points::hundredths(55)));
    }
}
