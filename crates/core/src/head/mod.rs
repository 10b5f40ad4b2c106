//! **What was taught?** A linear head over a text's vector and its n-grams, learned from examples.
//!
//! Logistic regression, trained example by example in a fixed order with a step of its own for every feature: the same
//! examples give the same head, bit for bit, on every machine.

pub(crate) mod exact;
pub(crate) mod grams;
mod table;
mod errors;
mod train;
mod calibrate;
mod promise;
mod exemplars;
mod voices;
mod stored;
mod panel;

use serde::{Deserialize, Serialize};

use crate::message::Reading;
use exemplars::{Asked, Exemplars};
use grams::{BUCKETS, Grams};
use table::Table;

pub use calibrate::{Calibration, Said};
pub use exact::exp;

pub use panel::{Overheard, Panel};
pub use promise::{Judged, Kept, Promise, Promises, RISK, fewest_for};
pub use stored::{LEARNING_VERSION, Taught, Unreadable};
pub use train::{Lesson, Role, teach, teach_more};
pub use voices::Voice;

/// What each block of n-grams weighs beside the vector, whose length is one.
const BLOCK_WEIGHT: f32 = 0.4;
/// The same where one head answers many questions: words tell an operation or an urgency better than the meaning of the
/// whole does. Found on messages left out.
const LAYERED_BLOCK_WEIGHT: f32 = 0.9;
/// Classes whose nearest example is looked for: what speaks for others is too little to be turned by one.
const CONTENDERS: usize = 3;
/// No row: the n-gram was not in any example.
const NO_ROW: u32 = u32::MAX;

/// How many classes a text may belong to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Select {
    /// One at most: what is believed of one is taken from the others.
    #[default]
    One,
    /// Any number: each class is believed or not for itself.
    Many,
}

/// What a head tells apart, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many classes there are.
    pub classes: usize,
    /// How long the vectors are.
    pub dimensions: usize,
    /// How many classes a text may belong to.
    pub select: Select,
}

/// A head that tells classes apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    shape: Shape,
    /// Classes spoken for: those told apart and, where it was taught, "none of these".
    outputs: usize,
    /// Which row a bucket has, and how rare it is.
    rows: Vec<u32>,
    rarity: Vec<f32>,
    /// Rows of the vector's dimensions, then the bias, then rows of the buckets.
    weights: Table,
    /// How far each row was moved while it learned: what it learns later moves it less.
    moved: Vec<f32>,
    exemplars: Exemplars,
    /// What each block of n-grams weighs beside the vector.
    block_weight: f32,
    calibration: Calibration,
    /// What heads like it said about examples they had not learned from.
    judged: Vec<Judged>,
}

/// What a head makes of a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// How far each class is believed.
    pub beliefs: Vec<f32>,
    /// How likely the text belongs to any of them.
    pub fits: f32,
}

/// What speaks for each class in a text, uncalibrated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    /// What speaks for each output, in no unit.
    logits: Vec<f32>,
    /// How alike the nearest example of the likeliest classes is, from -1 to 1.
    nearness: f32,
    /// The likeliest classes, each with how alike its nearest example is.
    contenders: Vec<(usize, f32)>,
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
    /// What it tells apart, and by what.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether it was taught what belongs to no class.
    pub const fn knows_none(&self) -> bool {
        self.outputs > self.shape.classes || matches!(self.shape.select, Select::Many)
    }

    /// Whether it was taught nothing, and tells classes apart by likeness alone: there are too many of them.
    pub fn goes_by_likeness(&self) -> bool {
        self.rarity.is_empty() && self.shape.dimensions > 0
    }

    /// What heads like it said about examples they had not learned from.
    pub fn judged(&self) -> &[Judged] {
        &self.judged
    }

    /// What the head looks at in a text.
    pub fn features(&self, reading: &Reading, vector: Vec<f32>) -> Features {
        self.features_of(&Grams::of(reading), vector)
    }

    fn features_of(&self, grams: &Grams, vector: Vec<f32>) -> Features {
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
        let length = if square > 0.0 { self.block_weight / square.sqrt() } else { 0.0 };
        rows.iter_mut().skip(start).for_each(|(_, weight)| *weight *= length);
    }

    /// What speaks for each class, and for none of them where that was taught, in no unit.
    pub fn logits(&self, features: &Features) -> Vec<f32> {
        let mut logits = vec![0.0; self.weights.stride()];
        // Element by element, so that wider registers change the time and not a bit.
        pulp::Arch::new().dispatch(|| {
            for (row, amount) in self.rows_of(features) {
                self.weights.add(row, amount, &mut logits);
            }
        });
        logits.truncate(self.outputs);
        logits
    }

    /// The rows of the weights that a text touches, and how much of each.
    fn rows_of<'f>(&self, features: &'f Features) -> impl Iterator<Item = (usize, f32)> + use<'f> {
        let bias = self.shape.dimensions;
        let dense = features.vector.iter().copied().enumerate();
        let sparse = features.grams.iter().map(move |(row, amount)| (bias + 1 + *row as usize, *amount));
        dense.chain([(bias, 1.0)]).chain(sparse)
    }

    /// What the head makes of a text.
    pub fn judge(&self, features: &Features) -> Judgement {
        self.calibration.judge(self.shape, &self.hear(features))
    }

    /// What speaks for each class in a text, uncalibrated.
    fn hear(&self, features: &Features) -> Heard {
        let logits = self.logits(features);
        let contenders = self.contenders(&logits, &features.vector);
        let classes = contenders.iter().filter(|(class, _)| *class < self.shape.classes);
        let nearness = classes.map(|(_, alike)| *alike).fold(-1.0, f32::max);
        Heard { logits, nearness, contenders }
    }

    /// The likeliest classes, each with how alike its nearest example is.
    fn contenders(&self, logits: &[f32], vector: &[f32]) -> Vec<(usize, f32)> {
        let asked = Asked::new(vector);
        let alike =
            |class: usize| self.exemplars.nearest(class, &asked, 1).first().map_or(0.0, |(_, like)| *like);
        likeliest(logits, CONTENDERS).into_iter().map(|class| (class, alike(class))).collect()
    }

    /// The lessons of a class that are most like a vector, nearest first: which, and how alike from -1 to 1.
    pub fn nearest(&self, class: usize, vector: &[f32], most: usize) -> Vec<(usize, f32)> {
        self.exemplars.nearest(class, &Asked::new(vector), most)
    }

    /// The same head, its word weighed by what heads like it said about examples they had not learned from.
    #[must_use]
    pub fn calibrated(mut self, said: &[Said]) -> Head {
        self.calibration = Calibration::fit(self.shape, said);
        self.judged = self.calibration.judged(self.shape, said);
        self
    }
}

/// The outputs that most speaks for, in no order.
fn likeliest(logits: &[f32], most: usize) -> Vec<usize> {
    let mut likeliest: Vec<usize> = (0..logits.len()).collect();
    let logit = |output: &usize| logits.get(*output).copied().unwrap_or(f32::MIN);
    if likeliest.len() > most {
        likeliest.select_nth_unstable_by(most, |a, b| logit(b).total_cmp(&logit(a)).then(a.cmp(b)));
        likeliest.truncate(most);
    }
    likeliest
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

#[cfg(test)]
mod tests;
