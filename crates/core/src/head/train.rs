//! How does a head learn?

use super::grams::Grams;
use super::{BUCKETS, Features, Head, NO_ROW, exact};
use crate::message::Reading;

/// An example to learn from.
#[derive(Clone, Debug)]
pub struct Lesson<'t> {
    /// The text.
    pub text: &'t str,
    /// Its vector, of length one.
    pub vector: &'t [f32],
    /// The class it belongs to.
    pub class: usize,
    /// What it is.
    pub role: Role,
}

/// What is learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A message that belongs to the class.
    Example,
    /// The name of the class, as it would be said: one weak example more.
    Name,
}

/// Learning is done when every example has been seen so often, or so many have been seen in all.
const EPOCHS_MAX: usize = 60;
const EPOCHS_MIN: usize = 8;
const EXAMPLES_SEEN: usize = 180_000;
/// The first step of a feature nothing has moved yet.
const STEP: f32 = 1.0;
/// How strongly weights are held back: the C of the literature, as found on the valid parts of public sets.
const STRENGTH: f32 = 15.0;
/// Rows are filled up to a multiple of this many weights.
const LANES: usize = 8;

/// Learns a head from examples of so many classes. The order of the lessons is part of the result.
pub fn teach(lessons: &[Lesson<'_>], classes: usize, dimensions: usize) -> Head {
    let read: Vec<Grams> = lessons.iter().map(|lesson| Grams::of(&Reading::new(lesson.text))).collect();
    let (rows, rarity) = rows_of(&read);
    let stride = classes.next_multiple_of(LANES).max(LANES);
    let weights = vec![0.0; (dimensions + rarity.len() + 1) * stride];
    let centres = centres_of(lessons, classes, dimensions);
    let mut head = Head { classes, stride, dimensions, rows, rarity, weights, centres, calibration: None };
    let features: Vec<Features> = lessons
        .iter()
        .zip(&read)
        .map(|(lesson, grams)| {
            let mut rows = Vec::new();
            for block in [&grams.words, &grams.letters] {
                head.weigh(block, &mut rows);
            }
            Features { vector: lesson.vector.to_vec(), grams: rows }
        })
        .collect();
    Learning::new(&mut head, lessons.len()).run(lessons, &features);
    head
}

/// The mean of each class's vectors, brought to length one.
fn centres_of(lessons: &[Lesson<'_>], classes: usize, dimensions: usize) -> Vec<f32> {
    let mut centres = vec![0.0; classes * dimensions];
    for lesson in lessons {
        let start = lesson.class * dimensions;
        if let Some(centre) = centres.get_mut(start..start + dimensions) {
            super::add(centre, lesson.vector, 1.0);
        }
    }
    for centre in centres.chunks_exact_mut(dimensions.max(1)) {
        let length = super::similarity(centre, centre).sqrt().max(1e-6);
        for value in centre {
            *value /= length;
        }
    }
    centres
}

/// A row for every bucket that occurs, and how rare it is.
fn rows_of(read: &[Grams]) -> (Vec<u32>, Vec<f32>) {
    let mut seen = vec![0u32; BUCKETS];
    for grams in read {
        for (bucket, _) in grams.words.iter().chain(&grams.letters) {
            if let Some(count) = seen.get_mut(*bucket as usize) {
                *count += 1;
            }
        }
    }
    // In a large set an n-gram of one example teaches nothing about another.
    let least = if read.len() > 5_000 { 2 } else { 1 };
    let mut rows = vec![NO_ROW; BUCKETS];
    let mut rarity = Vec::new();
    for (row, count) in rows.iter_mut().zip(&seen).filter(|(_, count)| **count >= least) {
        *row = u32::try_from(rarity.len()).unwrap_or(NO_ROW);
        rarity.push(rare(*count, read.len()));
    }
    (rows, rarity)
}

#[allow(clippy::cast_precision_loss)] // counts of examples are far below 2^24
fn rare(count: u32, of: usize) -> f32 {
    exact::ln((1.0 + of as f32) / (1.0 + count as f32)) + 1.0
}

/// The state of learning: how far each row has been moved, and when it was last held back.
struct Learning<'h> {
    head: &'h mut Head,
    moved: Vec<f32>,
    held_back: Vec<u32>,
    /// What each example holds back of every weight.
    decay: f32,
    seen: u32,
    logits: Vec<f32>,
}

impl<'h> Learning<'h> {
    #[allow(clippy::cast_precision_loss)] // as above
    fn new(head: &'h mut Head, examples: usize) -> Learning<'h> {
        let rows = head.dimensions + head.rarity.len() + 1;
        let decay = 1.0 / (STRENGTH * examples.max(1) as f32);
        let logits = vec![0.0; head.stride];
        Learning { head, moved: vec![1e-3; rows], held_back: vec![0; rows], decay, seen: 0, logits }
    }

    fn run(&mut self, lessons: &[Lesson<'_>], features: &[Features]) {
        let count = lessons.len().max(1);
        let epochs = (EXAMPLES_SEEN / count).clamp(EPOCHS_MIN, EPOCHS_MAX);
        let mut order: Vec<usize> = (0..lessons.len()).collect();
        for epoch in 0..epochs {
            shuffle(&mut order, epoch as u64);
            for at in &order {
                if let (Some(lesson), Some(features)) = (lessons.get(*at), features.get(*at)) {
                    self.learn(lesson, features);
                }
            }
        }
        for row in 0..self.held_back.len() {
            self.hold_back(row);
        }
    }

    /// One step on one example: towards its class, away from the others as far as they were believed.
    fn learn(&mut self, lesson: &Lesson<'_>, features: &Features) {
        self.seen += 1;
        let bias = self.head.dimensions + self.head.rarity.len();
        let dense = features.vector.iter().copied().enumerate();
        let sparse =
            features.grams.iter().map(|(row, amount)| (self.head.dimensions + *row as usize, *amount));
        let rows: Vec<(usize, f32)> = dense.chain(sparse).chain([(bias, 1.0)]).collect();
        for (row, _) in &rows {
            self.hold_back(*row);
        }
        self.logits.fill(0.0);
        let mut logits = std::mem::take(&mut self.logits);
        self.head.add_logits(features, &mut logits);
        let square = error(&mut logits, self.head.classes, lesson);
        for (row, amount) in rows {
            self.step(row, amount, square, &logits);
        }
        self.logits = logits;
    }

    fn step(&mut self, row: usize, amount: f32, square: f32, error: &[f32]) {
        let Some(moved) = self.moved.get_mut(row) else { return };
        *moved += amount * amount * square;
        let step = -STEP * amount / moved.sqrt();
        let stride = self.head.stride;
        if let Some(weights) = self.head.weights.get_mut(row * stride..(row + 1) * stride) {
            super::add(weights, error, step);
        }
    }

    /// Makes up for the examples since this row was last looked at.
    fn hold_back(&mut self, row: usize) {
        let Some(last) = self.held_back.get_mut(row) else { return };
        let missed = self.seen - std::mem::replace(last, self.seen);
        if missed == 0 {
            return;
        }
        let step = STEP / self.moved.get(row).copied().unwrap_or(1.0).sqrt();
        #[allow(clippy::cast_precision_loss)] // examples seen are far below 2^24
        let kept = (1.0 - (self.decay * step * missed as f32)).max(0.0);
        let stride = self.head.stride;
        if let Some(weights) = self.head.weights.get_mut(row * stride..(row + 1) * stride) {
            for weight in weights {
                *weight *= kept;
            }
        }
    }
}

/// Turns logits into the error of each class; returns its square.
fn error(logits: &mut [f32], classes: usize, lesson: &Lesson<'_>) -> f32 {
    let highest = logits.iter().take(classes).copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for (class, logit) in logits.iter_mut().enumerate() {
        *logit = if class < classes { exact::exp(*logit - highest) } else { 0.0 };
        sum += *logit;
    }
    let mut square = 0.0;
    for (class, share) in logits.iter_mut().enumerate() {
        *share = *share / sum - if class == lesson.class { 1.0 } else { 0.0 };
        square += *share * *share;
    }
    square
}

/// Fisher and Yates's shuffle by a generator of fixed seed.
fn shuffle(order: &mut [usize], epoch: u64) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(epoch + 1);
    for at in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let other = usize::try_from(state % (at as u64 + 1)).unwrap_or_default();
        order.swap(at, other);
    }
}
