//! How do the trained scores and the catalog's own head decide together? A network weighs them; a head that knows what belongs nowhere and
//! has learned from many examples counts for more, and where each route is judged for itself a sum tells how likely it is.

use super::weigher::{FullLogs, MessageFacts, weigh};
use super::{as_real, log_softmax};
use crate::head::Judgement;
use crate::head::exact::{exp, ln, sigmoid};
use crate::measure::{Confidence, Points};

/// Where the head was also taught what belongs nowhere, its logarithms are added to the trained ones, and that sum shares in the decision: such
/// catalogs are written with care, and their heads know what the training could not. How much they count for every logarithm of examples
/// per route, and at most; chosen on the held-out messages of `triad`, `starter` and `choices`, which are spent.
const HEAD_PER_LOG_EXAMPLE: f32 = 0.45;
const HEAD_MAX: f32 = 4.5;
/// Examples per route at which that sum and the network count the same. With few of them the network hears denials far better (9 of 9 in a
/// catalog of ten routes with two or three examples and one message for none; the sum 1 of 9), with dozens the sum acts on more and is right as
/// often. The share grows with the square, so that at ten examples, which users write, the sum still counts little (a fifth).
const EVEN_EXAMPLES: f32 = 20.0;
/// A head's belief below this counts as this much, so that its logarithm stays finite.
const BELIEF_MIN: f32 = 0.01;

/// Where each route is judged for itself: what the logarithm of its share in the two requests counts, what that of a head's belief counts
/// for every logarithm of examples, and a base. Fitted by logistic regression on 400 messages to eight
/// assistants with guides of two to eight examples (`training/guides/valid.jsonl`), with the scores of the model before.
const EACH_SHARE: f32 = 1.04;
const EACH_HEAD_PER_LOG_EXAMPLE: f32 = 0.3;
const EACH_HEAD_MAX: f32 = 1.0;
const EACH_BASE: f32 = 3.15;
/// A share below this counts as this much, some e⁻⁸: less says nothing more.
const SHARE_MIN: f32 = 0.0003;

/// How sure a decision must be for so many of those acted on to be right, in steps between which it is read off a straight line. Measured
/// on catalogs that the rule was not fitted on, all together; printed by `training/blend.py`.
const NEEDED: [(f64, f64); 7] =
    [(0.80, 0.005), (0.85, 0.019), (0.90, 0.227), (0.94, 0.556), (0.96, 0.705), (0.98, 0.870), (0.99, 0.952)];
/// How often what the full model decides must be right where a catalog does not say. Of the catalogs that the thresholds were read off, those of the last
/// authors are two points more precise than the mean, so that this comes to 94 or 95 % on new ones; it takes a confidence of 0.49, and 1.4 points of coverage less than the usual base of 0.40.
pub const PRECISION_DEFAULT: f64 = 0.93;

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
#[derive(Clone, Debug, PartialEq)]
pub struct Blend {
    /// What a head counts that was taught what belongs nowhere.
    head: f32,
    /// The share of the sum with such a head in the decision; the rest is the network's.
    share_of_taught: f32,
    /// What a head counts where each route is judged for itself.
    head_of_each: f32,
    /// How many examples each route has.
    examples: Vec<usize>,
}

impl Blend {
    /// The rule for a catalog whose routes have so many examples.
    pub fn of(examples: &[usize]) -> Blend {
        let routes = as_real(examples.len().max(1));
        let mean = examples.iter().map(|count| ln(as_real(1 + count))).sum::<f32>() / routes;
        let each = as_real(examples.iter().sum()) / routes;
        Blend {
            head: (HEAD_PER_LOG_EXAMPLE * mean).min(HEAD_MAX),
            share_of_taught: each * each / (each * each + EVEN_EXAMPLES * EVEN_EXAMPLES),
            head_of_each: (EACH_HEAD_PER_LOG_EXAMPLE * mean).min(EACH_HEAD_MAX),
            examples: examples.to_vec(),
        }
    }

    /// How likely each route is needed, whatever the others are: it may be the first request or the second.
    pub fn believe_each(&self, asked: &[f32], also: &[f32], head: &Judgement) -> Vec<f32> {
        // Logarithms are taken of numbers above one.
        let shares =
            asked.iter().zip(also).map(|(asked, also)| (exp(*asked) + exp(*also)).clamp(SHARE_MIN, 1.0));
        let each = shares.zip(&head.beliefs).map(|(share, belief)| {
            let doubts = EACH_SHARE * ln(1.0 / share) + self.head_of_each * ln(1.0 / belief.max(BELIEF_MIN));
            sigmoid(EACH_BASE - doubts)
        });
        each.collect()
    }

    /// The probabilities of the routes, and last that of none of them. A network learned how to weigh head and full model; a head that was
    /// taught what belongs nowhere has a say in that too.
    pub fn believe(
        &self,
        full: FullLogs<'_>,
        head: &Judgement,
        taught: Taught,
        message: MessageFacts,
    ) -> Vec<f32> {
        let weighed = weigh(full, head, &self.examples, message);
        match taught {
            Taught::RoutesAlone => weighed,
            Taught::NoneToo => {
                let share = self.share_of_taught;
                let added = self.believe_taught(full.asked, head);
                weighed.iter().zip(added).map(|(network, sum)| network + share * (sum - network)).collect()
            }
        }
    }

    fn believe_taught(&self, asked: &[f32], head: &Judgement) -> Vec<f32> {
        let vote = |belief: f32| self.head * (ln(1.0 / BELIEF_MIN) - ln(1.0 / belief.clamp(BELIEF_MIN, 1.0)));
        let none = vote(1.0 - head.beliefs.iter().sum::<f32>());
        let votes = head.beliefs.iter().map(|belief| vote(*belief)).chain([none]);
        let logits = asked.iter().zip(votes).map(|(log, vote)| log + vote).collect();
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
    fn a_head_that_knows_none_counts_by_its_examples() {
        let asked = log_softmax(vec![1.0, 0.9, 0.0]);
        let full = FullLogs { asked: &asked, also: &asked, denied: &asked };
        let message = MessageFacts { words: 4, follows: false };
        let of = |examples: &[usize], own: &[f32]| {
            let beliefs = Blend::of(examples).believe(full, &head(own), Taught::NoneToo, message);
            assert!((beliefs.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{beliefs:?}");
            beliefs
        };
        let [few, some, many] = [3, 15, 50].map(|count| of(&[count, count], &[0.05, 0.9]));
        assert!(some[1] > few[1] && many[1] > some[1], "{few:?} {some:?} {many:?}");
        let doubts = of(&[50, 50], &[0.02, 0.02]);
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
        assert_eq!(needed_for(0.9), Confidence::new(Points::from_share(0.227)));
    }
}
