//! **Which route do a few examples and a description speak for?** Learned once, on many small catalogs, for all catalogs.
//!
//! A message is read in three ways: what it asks, what it asks besides, and what it does not want. The engine says how like each
//! reading is to every example and description; this room makes of it how likely each route is, and how likely none of them is.
//! The numbers come from training (`training/routes.py`) and are the same for every catalog.

mod network;
mod weigher;
mod blend;

pub use blend::{Blend, PRECISION_DEFAULT, Taught, needed_for};
pub use network::Network;
pub use weigher::{FullLogs, MessageFacts, weights_mark};

use crate::head::exact::{exp, ln, ln_double};

/// Readings of a message: what is asked, asked besides, and not wanted.
pub const READINGS: usize = 3;
/// Numbers by which the message itself speaks on whether any route is meant.
pub const ACTS: usize = 8;
/// What a route's score is made of: its nearest example, the soft mean of its examples, its description, and how far the words of the
/// message are found in an example and in the description.
const PARTS: usize = 5;
/// What else bends a score: the number of examples, and whether there is none.
const FEATURES: usize = PARTS + 2;
/// What tells whether any route is meant, beside the acts.
const SCENE: usize = 10;
/// How sharply the soft mean prefers the nearest examples.
const SHARPNESS: f32 = 15.0;
/// What keeps a logarithm finite.
const LEAST: f32 = 1e-9;
/// How much "none of these" moves beside the scores.
const DISTANCE: f32 = 5.0;
/// A denial takes at most its learned weight over this from a route's score.
const HUSH_PART: f32 = 4.0;
/// Units of the logarithms of counts.
const COUNT_UNIT: f32 = 3.0;
const ROUTES_UNIT: f32 = 4.0;

/// Which texts of a catalog belong to which route: examples, route after route, then a description per route.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteTexts {
    /// How many examples each route has.
    pub examples: Vec<usize>,
}

/// How like one reading is to every text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Likeness {
    /// By whole vectors, from -1 to 1.
    pub vectors: Vec<f32>,
    /// Word by word, from -1 to 1.
    pub words: Vec<f32>,
}

/// How like a message is to every text of a catalog.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageLikeness {
    /// By what is asked, asked besides, and not wanted.
    pub readings: [Likeness; READINGS],
    /// What the message itself says about whether any route is meant.
    pub acts: [f32; ACTS],
}

/// What a message asks for, as logarithms of probabilities; the last of each is "none of these".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// What is asked.
    pub asked: Vec<f32>,
    /// What is asked besides: unnormalised, since what is asked must be left out first.
    pub also: Vec<f32>,
    /// What is not wanted.
    pub denied: Vec<f32>,
}

/// The numbers of the training.
#[derive(Clone, Debug, PartialEq)]
pub struct Scoring {
    scale: f32,
    mix: [f32; PARTS],
    bend: Network,
    none: [Network; READINGS],
    hush: f32,
}

/// A route's score, and what it is made of.
struct Scored {
    score: f32,
    parts: [f32; PARTS],
}

impl Scoring {
    /// Takes the numbers of a model file; nothing where they are not as many as they must be.
    pub fn new(scale: f32, mix: &[f32], bend: Network, none: Vec<Network>, hush: f32) -> Option<Scoring> {
        let none: [Network; READINGS] = none.try_into().ok()?;
        let fits = bend.inputs() == FEATURES && none.iter().all(|network| network.inputs() == SCENE + ACTS);
        Some(Scoring {
            scale: exp(scale),
            mix: mix.try_into().ok()?,
            bend,
            none,
            hush: softplus(hush) / HUSH_PART,
        })
        .filter(|_| fits)
    }

    /// What a message asks for. What it does not want counts against its route.
    pub fn judge(&self, likeness: &MessageLikeness, texts: &RouteTexts) -> Asked {
        let [asked, also, denied] = likeness.readings.each_ref().map(|reading| self.score(reading, texts));
        let denied = log_softmax(self.logits(2, &denied, &[], likeness, texts));
        let less: Vec<f32> = denied.iter().map(|log| self.hush * exp(*log)).collect();
        Asked {
            asked: log_softmax(self.logits(0, &asked, &less, likeness, texts)),
            also: self.logits(1, &also, &less, likeness, texts),
            denied,
        }
    }

    /// A score per route.
    fn score(&self, reading: &Likeness, texts: &RouteTexts) -> Vec<Scored> {
        let described = texts.examples.iter().sum::<usize>();
        let mut first = 0;
        let score = |(route, count): (usize, &usize)| {
            let own = first..first + count;
            first += count;
            let at = |of: &[f32], place: usize| of.get(place).copied().unwrap_or_default();
            let [description, described_words] =
                [&reading.vectors, &reading.words].map(|of| at(of, described + route));
            let parts = if *count == 0 {
                [description, description, description, described_words, described_words]
            } else {
                let near = reading.vectors.get(own.clone()).unwrap_or_default();
                let words = reading.words.get(own).unwrap_or_default();
                [most(near), soft_mean(near), description, most(words), described_words]
            };
            let counted = [ln(as_real(1 + count)) / COUNT_UNIT, if *count == 0 { 1.0 } else { 0.0 }];
            let features: Vec<f32> = parts.into_iter().chain(counted).collect();
            let sum: f32 = parts.iter().zip(&self.mix).map(|(part, weight)| part * weight).sum();
            Scored { score: sum + self.bend.apply(&features), parts }
        };
        texts.examples.iter().enumerate().map(score).collect()
    }

    /// What speaks for each route and for none of them, in no unit.
    fn logits(
        &self,
        reading: usize,
        scored: &[Scored],
        less: &[f32],
        likeness: &MessageLikeness,
        texts: &RouteTexts,
    ) -> Vec<f32> {
        let less = less.iter().copied().chain(std::iter::repeat(0.0));
        let scores: Vec<f32> = scored.iter().zip(less).map(|(scored, less)| scored.score - less).collect();
        let count = as_real(scores.len().max(1));
        let mean = scores.iter().sum::<f32>() / count;
        let spread = (scores.iter().map(|score| (score - mean) * (score - mean)).sum::<f32>() / count).sqrt();
        let (best, second) = two_most(&scores);
        let part =
            |at: usize| most(&scored.iter().filter_map(|s| s.parts.get(at).copied()).collect::<Vec<f32>>());
        let examples =
            texts.examples.iter().map(|count| ln(as_real(1 + count))).sum::<f32>() / count / COUNT_UNIT;
        let scene = [
            best,
            best - second,
            part(0),
            part(2),
            part(3),
            part(4),
            mean,
            spread,
            ln(count) / ROUTES_UNIT,
            examples,
        ];
        let scene: Vec<f32> = scene.into_iter().chain(likeness.acts).collect();
        let none = self.none.get(reading).map_or(0.0, |network| network.apply(&scene));
        let none = self.scale * best + DISTANCE * none;
        scores.into_iter().map(|score| self.scale * score).chain([none]).collect()
    }
}

/// Logarithms of probabilities that add up to one.
pub fn log_softmax(logits: Vec<f32>) -> Vec<f32> {
    let highest = most(&logits);
    let sum: f32 = logits.iter().map(|logit| exp(logit - highest)).sum();
    let total = highest + ln(sum);
    logits.into_iter().map(|logit| logit - total).collect()
}

/// The logarithm of the mean of exponentials.
pub fn log_mean_exp(values: &[f32]) -> f32 {
    let highest = most(values);
    let sum: f32 = values.iter().map(|value| exp(value - highest)).sum();
    highest + logarithm(sum / as_real(values.len().max(1)))
}

/// Between the mean and the most, nearer to the most.
fn soft_mean(near: &[f32]) -> f32 {
    let sum: f32 = near.iter().map(|near| exp(SHARPNESS * (near - 1.0))).sum();
    logarithm(sum / as_real(near.len().max(1)) + LEAST) / SHARPNESS + 1.0
}

fn softplus(x: f32) -> f32 {
    ln(1.0 + exp(x))
}

#[allow(clippy::cast_possible_truncation)] // a single-precision number by intent
fn logarithm(x: f32) -> f32 {
    ln_double(f64::from(x.max(f32::MIN_POSITIVE))) as f32
}

fn most(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::NEG_INFINITY, f32::max).max(-1e4)
}

/// The two largest; one alone is both.
fn two_most(values: &[f32]) -> (f32, f32) {
    let (mut best, mut second) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for value in values {
        if *value > best {
            second = best;
            best = *value;
        } else if *value > second {
            second = *value;
        }
    }
    (best, if second == f32::NEG_INFINITY { best } else { second })
}

#[allow(clippy::cast_precision_loss)] // counts are far below 2^24
fn as_real(count: usize) -> f32 {
    count as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(inputs: usize) -> Network {
        Network::new(vec![0.1; 2 * inputs], vec![0.0; 2], vec![0.0; 2], &[-1.0]).unwrap()
    }

    fn scoring() -> Scoring {
        let none = (0..READINGS).map(|_| network(SCENE + ACTS)).collect();
        Scoring::new(3.0, &[0.5, 0.2, 0.3, 0.1, 0.1], network(FEATURES), none, 1.0).unwrap()
    }

    fn likeness(vectors: &[f32]) -> Likeness {
        Likeness { vectors: vectors.to_vec(), words: vectors.to_vec() }
    }

    #[test]
    fn the_likest_route_is_likeliest_and_what_is_denied_is_less_so() {
        let texts = RouteTexts { examples: vec![2, 0] };
        // Two examples of the first route, then both descriptions.
        let (first, second) = (likeness(&[0.9, 0.2, 0.6, 0.3]), likeness(&[0.1, 0.2, 0.2, 0.8]));
        let judge = |asked: &Likeness, denied: &Likeness| {
            let readings = [asked.clone(), second.clone(), denied.clone()];
            scoring().judge(&MessageLikeness { readings, acts: [0.0; ACTS] }, &texts)
        };
        let nothing = likeness(&[0.0; 4]);
        let plain = judge(&first, &nothing);
        assert!(plain.asked[0] > plain.asked[1] && plain.asked[0] > plain.asked[2], "{plain:?}");
        assert!((plain.asked.iter().map(|log| exp(*log)).sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(plain.also[1] > plain.also[0], "the second reading has its own likeness");
        let denied = judge(&first, &first);
        assert!(denied.asked[0] < plain.asked[0] && denied.denied[0] > denied.denied[1], "{denied:?}");
        assert!(
            judge(&second, &nothing).asked[1] > judge(&second, &nothing).asked[0],
            "a description is enough"
        );
    }

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        assert!(Scoring::new(3.0, &[0.5], network(FEATURES), Vec::new(), 1.0).is_none());
        assert!(Network::new(vec![0.0; 3], vec![0.0; 2], vec![0.0; 2], &[0.0]).is_none());
    }

    #[test]
    fn a_soft_mean_lies_between_the_mean_and_the_most() {
        let near = [0.9, 0.1, 0.5];
        assert!(soft_mean(&near) < 0.9 && soft_mean(&near) > 0.5);
        assert!((log_mean_exp(&[2.0, 2.0]) - 2.0).abs() < 1e-5);
        assert_eq!(two_most(&[0.3]), (0.3, 0.3));
    }
}
