//! **What was taught?** A linear head over a text's vector and its n-grams, learned from examples.
//!
//! Multinomial logistic regression, trained example by example in a fixed order with a step of its own for
//! every feature: the same examples give the same head, bit for bit, on every machine.

mod exact;
mod grams;
mod train;
mod calibrate;

use crate::message::Reading;
use grams::{BUCKETS, Grams};

pub use calibrate::{Calibration, Said};
pub use train::{Lesson, Role, teach};

/// What each block of n-grams weighs beside the vector, whose length is one.
const BLOCK_WEIGHT: f32 = 0.4;
/// Classes whose nearness is looked at: the nearest one is among the likeliest.
const LIKELY_CLASSES: usize = 8;
/// No row: the n-gram was not in any example.
const NO_ROW: u32 = u32::MAX;

/// A head that tells classes apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    classes: usize,
    /// Weights a row: the classes, filled up so that rows begin evenly.
    stride: usize,
    dimensions: usize,
    /// Which row a bucket has, and how rare it is.
    rows: Vec<u32>,
    rarity: Vec<f32>,
    /// Rows of the vector's dimensions, then of the buckets, then the bias.
    weights: Vec<f32>,
    /// Where each class lies among the vectors, each of length one.
    centres: Vec<f32>,
    calibration: Option<Calibration>,
}

/// What a head makes of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// How far each class is believed.
    pub beliefs: Vec<f32>,
    /// How likely the text belongs to any of them; unknown where the head is not calibrated.
    pub fits: Option<f32>,
}

/// What a head looks at: a vector and n-grams, in rows of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    /// The text's vector, of length one.
    pub vector: Vec<f32>,
    /// Rows of n-grams and how much of each.
    pub grams: Vec<(u32, f32)>,
}

impl Head {
    /// How many classes it tells apart.
    pub const fn classes(&self) -> usize {
        self.classes
    }

    /// What the head looks at in a text.
    pub fn features(&self, reading: &Reading, vector: Vec<f32>) -> Features {
        let grams = Grams::of(reading);
        let mut rows = Vec::with_capacity(grams.words.len() + grams.letters.len());
        for block in [&grams.words, &grams.letters] {
            self.weigh(block, &mut rows);
        }
        Features { vector, grams: rows }
    }

    /// A block of n-grams by rarity, of one length.
    fn weigh(&self, block: &[(u32, f32)], rows: &mut Vec<(u32, f32)>) {
        let start = rows.len();
        let mut square = 0.0;
        for (bucket, count) in block {
            let row = self.rows.get(*bucket as usize).copied().unwrap_or(NO_ROW);
            let Some(rarity) = self.rarity.get(row as usize) else { continue };
            let weight = count * rarity;
            square += weight * weight;
            rows.push((row, weight));
        }
        let length = if square > 0.0 { BLOCK_WEIGHT / square.sqrt() } else { 0.0 };
        rows.iter_mut().skip(start).for_each(|(_, weight)| *weight *= length);
    }

    /// What speaks for each class, in no unit.
    pub fn logits(&self, features: &Features) -> Vec<f32> {
        let mut logits = vec![0.0; self.stride];
        self.add_logits(features, &mut logits);
        logits.truncate(self.classes);
        logits
    }

    /// What the head makes of a text.
    pub fn judge(&self, features: &Features) -> Judgement {
        let logits = self.logits(features);
        match &self.calibration {
            Some(calibration) => {
                let fits = calibration.fits(&logits, self.nearness(&logits, &features.vector));
                Judgement { beliefs: calibration.beliefs(&logits, fits), fits: Some(fits) }
            }
            None => Judgement { beliefs: softmax(&logits), fits: None },
        }
    }

    /// How near the nearest of the likeliest classes is, from -1 to 1.
    fn nearness(&self, logits: &[f32], vector: &[f32]) -> f32 {
        let mut likeliest: Vec<usize> = (0..logits.len()).collect();
        let by_logit = |a: &usize, b: &usize| {
            logits.get(*b).map_or(0.0, |l| *l).total_cmp(&logits.get(*a).map_or(0.0, |l| *l))
        };
        if likeliest.len() > LIKELY_CLASSES {
            likeliest.select_nth_unstable_by(LIKELY_CLASSES, by_logit);
            likeliest.truncate(LIKELY_CLASSES);
        }
        let centre = |class: usize| self.centres.get(class * self.dimensions..(class + 1) * self.dimensions);
        let near = likeliest.into_iter().filter_map(centre).map(|centre| similarity(centre, vector));
        near.fold(-1.0, f32::max)
    }

    /// The same head, its word weighed by what it said about examples it had not learned from.
    #[must_use]
    pub fn calibrated(mut self, calibration: Option<Calibration>) -> Head {
        self.calibration = calibration;
        self
    }

    fn add_logits(&self, features: &Features, logits: &mut [f32]) {
        let dense = features.vector.iter().zip(self.weights.chunks_exact(self.stride));
        for (amount, row) in dense {
            add(logits, row, *amount);
        }
        for (row, amount) in &features.grams {
            add(logits, self.row(self.dimensions + *row as usize), *amount);
        }
        add(logits, self.row(self.dimensions + self.rarity.len()), 1.0);
    }

    fn row(&self, row: usize) -> &[f32] {
        self.weights.get(row * self.stride..(row + 1) * self.stride).unwrap_or_default()
    }
}

/// What each class is believed, from what speaks for it: positive, and one in all.
pub fn softmax(logits: &[f32]) -> Vec<f32> {
    let highest = logits.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = logits.iter().map(|logit| exact::exp(logit - highest)).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// The product of two vectors, summed in eight lanes in a fixed order: the same on every machine.
pub fn similarity(one: &[f32], two: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    let ((ones, one_rest), (twos, two_rest)) = (one.as_chunks::<8>(), two.as_chunks::<8>());
    for (one, two) in ones.iter().zip(twos) {
        for ((lane, a), b) in lanes.iter_mut().zip(one).zip(two) {
            *lane += a * b;
        }
    }
    for ((lane, a), b) in lanes.iter_mut().zip(one_rest).zip(two_rest) {
        *lane += a * b;
    }
    lanes.iter().sum()
}

/// Adds so much of a row.
fn add(sum: &mut [f32], row: &[f32], amount: f32) {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum += amount * weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: &[(&str, usize)] = &[
        ("where is my parcel", 0),
        ("track the parcel please", 0),
        ("when does the package arrive", 0),
        ("my package is late", 0),
        ("refund the invoice", 1),
        ("i was charged twice", 1),
        ("the invoice is wrong", 1),
        ("give me my money back", 1),
    ];

    fn taught(order: &[usize]) -> Head {
        let texts: Vec<(&str, usize)> = order.iter().map(|at| TEXTS[*at]).collect();
        let lessons: Vec<Lesson<'_>> = texts
            .iter()
            .map(|(text, class)| Lesson { text, vector: &[], class: *class, role: Role::Example })
            .collect();
        teach(&lessons, 2, 0)
    }

    #[track_caller]
    fn check(head: &Head, text: &str, class: usize) {
        let beliefs = head.judge(&head.features(&Reading::new(text), Vec::new())).beliefs;
        assert!((beliefs.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(beliefs[class] > 0.5, "{text}: {beliefs:?}");
    }

    #[test]
    fn a_head_tells_apart_what_it_was_taught() {
        let head = taught(&[0, 1, 2, 3, 4, 5, 6, 7]);
        check(&head, "is my parcel late", 0);
        check(&head, "PACKAGES arrive late", 0);
        check(&head, "a wrong invoice, charge", 1);
    }

    #[test]
    fn the_same_lessons_give_the_same_head_to_the_bit() {
        let order = [3, 1, 4, 0, 5, 2, 6, 7];
        assert_eq!(taught(&order), taught(&order));
        let bits: u64 = taught(&order).weights.iter().map(|weight| u64::from(weight.to_bits())).sum();
        // The same number on every machine; it changes only when learning does.
        assert_eq!(bits, 1_265_792_785_265);
    }

    #[test]
    fn strange_texts_are_judged_too() {
        let head = taught(&[0, 4, 1, 5]);
        let long = "parcel ".repeat(20_000);
        for text in ["", "\u{0}", "数据", "🙂", &long] {
            let judged = head.judge(&head.features(&Reading::new(text), Vec::new()));
            assert!(judged.beliefs.iter().all(|belief| belief.is_finite()), "{text}");
        }
    }

    #[test]
    fn a_calibration_knows_what_does_not_fit() {
        let head = taught(&[0, 1, 2, 3, 4, 5, 6, 7]);
        let said: Vec<Said> = (0..40)
            .map(|n| {
                let (text, class) = TEXTS[n % TEXTS.len()];
                Said::of(&head, &head.features(&Reading::new(text), Vec::new()), class)
            })
            .collect();
        assert!(Calibration::fit(&said[..10]).is_none(), "too few to fit on");
        let head = head.clone().calibrated(Calibration::fit(&said));
        let fits = |text: &str| head.judge(&head.features(&Reading::new(text), Vec::new())).fits.unwrap();
        assert!(fits("where is my parcel") > 0.5 && fits("zzz qqq") < 0.5);
    }
}
