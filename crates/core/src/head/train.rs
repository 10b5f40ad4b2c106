//! How does a head learn?

use std::ops::Range;

use super::calibrate::Calibration;
use super::errors::{error, error_by_layer};
use super::exemplars::Exemplars;
use super::grams::Grams;
use super::table::{Table, stride_of};
use super::{BLOCK_WEIGHT, BUCKETS, Features, Head, LAYERED_BLOCK_WEIGHT, NO_ROW, Select, Shape, exact};
use crate::message::Reading;

/// An example to learn from.
#[derive(Clone, Debug)]
pub struct Lesson<'t> {
    /// The text.
    pub text: &'t str,
    /// Its vector, of length one.
    pub vector: &'t [f32],
    /// The classes it belongs to; without any it belongs to none of them.
    pub classes: &'t [usize],
    /// What it is.
    pub role: Role,
}

/// What is learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A message.
    Example,
    /// The name or the description of a class: a weak example more.
    Hint,
}

/// Learning is done when every example has been seen so often, or so many have been seen in all.
const EPOCHS_MAX: usize = 60;
const EPOCHS_MIN: usize = 8;
const EXAMPLES_SEEN: usize = 180_000;
/// The same where one head answers many questions: a third of it teaches as well, as judged on messages left out.
const LAYERED_EXAMPLES_SEEN: usize = 50_000;
/// How often an example that comes later is seen: enough to be believed, and moved rows move little.
const EPOCHS_OF_MORE: usize = 12;
/// The first step of a feature nothing has moved yet.
const STEP: f32 = 1.0;
/// What every row counts as moved at the outset: it bounds the first step.
const MOVED_AT_FIRST: f32 = 1e-3;
/// The least scale of a row: below it, steps on its weights would grow out of measure.
const SCALE_MIN: f32 = 1e-3;
/// How strongly weights are held back: the C of the literature, as found on the valid parts of public sets.
const STRENGTH: f32 = 15.0;
/// The same where one head answers many questions, as found on messages left out.
const LAYERED_STRENGTH: f32 = 40.0;
/// n-grams of a message, about.
const GRAMS_OF_A_TEXT: usize = 100;
/// Most multiplications of learning: some ten seconds. Beyond, classes are told apart by likeness alone.
const WORK_MAX: usize = 40_000_000_000;
/// Most weights learned: a quarter of a gigabyte while they are.
const CELLS_MAX: usize = 64_000_000;
/// How loudly a class speaks that is wholly like the text; what calibration starts from.
const LIKENESS: f32 = 16.0;
/// From so many examples on, an n-gram that only one of them has teaches nothing about another.
const MANY_LESSONS: usize = 5_000;

/// Learns a head from examples. The order of the lessons is part of the result.
pub fn teach(lessons: &[Lesson<'_>], shape: Shape) -> Head {
    let read: Vec<Grams> = lessons.iter().map(|lesson| Grams::of(&Reading::new(lesson.text))).collect();
    let (rows, rarity) = rows_of(&read);
    let foreign = lessons.iter().any(|lesson| lesson.classes.is_empty());
    let outputs = shape.classes + usize::from(shape.select == Select::One && foreign);
    let epochs = (EXAMPLES_SEEN / lessons.len().max(1)).clamp(EPOCHS_MIN, EPOCHS_MAX);
    let steps = lessons.len().saturating_mul(epochs).saturating_mul(shape.dimensions + GRAMS_OF_A_TEXT);
    let cells = (shape.dimensions + 1 + rarity.len()).saturating_mul(stride_of(outputs));
    if shape.dimensions > 0 && (steps.saturating_mul(outputs) > WORK_MAX || cells > CELLS_MAX) {
        return by_likeness(lessons, shape, outputs);
    }
    let mut head = Head {
        exemplars: exemplars_of(lessons, shape),
        moved: vec![MOVED_AT_FIRST; shape.dimensions + 1 + rarity.len()],
        ..Head::blank(shape, outputs, rows, rarity)
    };
    let weights = vec![0.0; cells];
    Learning::new(&mut head, weights, lessons.len(), &[]).run(lessons, &read, epochs);
    head
}

/// Learns one head that answers several questions, the outputs of each question side by side: what is believed of the
/// answers to one is one in all. A lesson without an answer to a question teaches nothing about it.
pub(super) fn teach_layers(lessons: &[Lesson<'_>], layers: &[Range<usize>], dimensions: usize) -> Head {
    let read: Vec<Grams> = lessons.iter().map(|lesson| Grams::of(&Reading::new(lesson.text))).collect();
    let (rows, rarity) = rows_of(&read);
    let outputs = layers.last().map_or(0, |last| last.end);
    let shape = Shape { classes: outputs, dimensions, select: Select::One };
    let epochs = (LAYERED_EXAMPLES_SEEN / lessons.len().max(1)).clamp(EPOCHS_MIN, EPOCHS_MAX);
    let count = dimensions + 1 + rarity.len();
    let mut head = Head {
        moved: vec![MOVED_AT_FIRST; count],
        block_weight: LAYERED_BLOCK_WEIGHT,
        ..Head::blank(shape, outputs, rows, rarity)
    };
    let weights = vec![0.0; count * stride_of(outputs)];
    Learning::new(&mut head, weights, lessons.len(), layers).run(lessons, &read, epochs);
    head
}

impl Head {
    /// A head that has learned nothing yet.
    fn blank(shape: Shape, outputs: usize, rows: Vec<u32>, rarity: Vec<f32>) -> Head {
        Head {
            shape,
            outputs,
            rows,
            rarity,
            weights: Table::freeze(&[], stride_of(outputs)),
            moved: Vec::new(),
            exemplars: Exemplars::new(0, shape.classes),
            block_weight: BLOCK_WEIGHT,
            calibration: Calibration::unfitted(),
            judged: Vec::new(),
        }
    }
}

/// A head that was not taught: each class speaks as loudly as its centre is like the text. For catalogs of thousands
/// of routes, which would take minutes and gigabytes to learn.
fn by_likeness(lessons: &[Lesson<'_>], shape: Shape, outputs: usize) -> Head {
    let (centres, stride) = (centres_of(lessons, shape), stride_of(outputs));
    let mut weights = vec![0.0; (shape.dimensions + 1) * stride];
    for (class, centre) in centres.chunks_exact(shape.dimensions.max(1)).enumerate() {
        for (dimension, value) in centre.iter().enumerate() {
            if let Some(weight) = weights.get_mut(dimension * stride + class) {
                *weight = LIKENESS * value;
            }
        }
    }
    Head {
        weights: Table::freeze(&weights, stride),
        moved: vec![1.0; shape.dimensions + 1],
        exemplars: exemplars_of(lessons, shape),
        ..Head::blank(shape, outputs, vec![NO_ROW; BUCKETS], Vec::new())
    }
}

/// Teaches a few examples more to a head that has learned already, without seeing the others again. What comes of it stands
/// in for a head taught all of them from the beginning; it is not the same to the bit.
#[must_use]
pub fn teach_more(mut head: Head, lessons: &[Lesson<'_>], taught: usize) -> Head {
    let read: Vec<Grams> = lessons.iter().map(|lesson| Grams::of(&Reading::new(lesson.text))).collect();
    for (bucket, _) in read.iter().flat_map(|grams| grams.words.iter().chain(&grams.letters)) {
        let next = u32::try_from(head.rarity.len()).unwrap_or(NO_ROW);
        if let Some(row) = head.rows.get_mut(*bucket as usize).filter(|row| **row == NO_ROW) {
            *row = next;
            head.rarity.push(rare(1, taught + lessons.len()));
            head.moved.push(MOVED_AT_FIRST);
        }
    }
    for lesson in lessons {
        head.exemplars.push(lesson.vector, lesson.classes);
    }
    let mut weights = head.weights.thaw();
    weights.resize(head.moved.len() * head.weights.stride(), 0.0);
    // Nothing is held back: what the head knows of the other examples is not to fade.
    Learning::new(&mut head, weights, usize::MAX, &[]).run(lessons, &read, EPOCHS_OF_MORE);
    head
}

/// The mean of each class's vectors, brought to length one.
fn centres_of(lessons: &[Lesson<'_>], shape: Shape) -> Vec<f32> {
    let dimensions = shape.dimensions;
    let mut centres = vec![0.0; shape.classes * dimensions];
    for lesson in lessons {
        for class in lesson.classes {
            if let Some(centre) = centres.get_mut(class * dimensions..(class + 1) * dimensions) {
                add(centre, lesson.vector, 1.0);
            }
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

fn exemplars_of(lessons: &[Lesson<'_>], shape: Shape) -> Exemplars {
    let mut exemplars = Exemplars::new(shape.dimensions, shape.classes);
    for lesson in lessons {
        exemplars.push(lesson.vector, lesson.classes);
    }
    exemplars
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
    let least = if read.len() > MANY_LESSONS { 2 } else { 1 };
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

/// The state of learning: the weights in full, and when each row was last held back. A row is held back by its scale
/// alone, which spares writing it: reading and writing rows is what learning takes its time for.
struct Learning<'h> {
    head: &'h mut Head,
    weights: Vec<f32>,
    scales: Vec<f32>,
    held_back: Vec<u32>,
    /// What each example holds back of every weight.
    decay: f32,
    seen: u32,
    logits: Vec<f32>,
    /// The outputs of each question, where there are several.
    layers: &'h [Range<usize>],
}

impl<'h> Learning<'h> {
    #[allow(clippy::cast_precision_loss)] // as above
    fn new(
        head: &'h mut Head,
        weights: Vec<f32>,
        examples: usize,
        layers: &'h [Range<usize>],
    ) -> Learning<'h> {
        let strength = if layers.is_empty() { STRENGTH } else { LAYERED_STRENGTH };
        let decay = 1.0 / (strength * examples.max(1) as f32);
        let (rows, logits) = (head.moved.len(), vec![0.0; head.weights.stride()]);
        let (scales, held_back) = (vec![1.0; rows], vec![0; rows]);
        Learning { head, weights, scales, held_back, decay, seen: 0, logits, layers }
    }

    fn run(mut self, lessons: &[Lesson<'_>], read: &[Grams], epochs: usize) {
        let featured = lessons.iter().zip(read);
        let features: Vec<Features> =
            featured.map(|(lesson, grams)| self.head.features_of(grams, lesson.vector.to_vec())).collect();
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
            let scale = self.hold_back(row);
            self.settle(row, scale);
        }
        self.head.weights = Table::freeze(&self.weights, self.head.weights.stride());
    }

    /// One step on one example: towards its classes, away from the others as far as they were believed.
    fn learn(&mut self, lesson: &Lesson<'_>, features: &Features) {
        self.seen += 1;
        let rows: Vec<(usize, f32)> = self.head.rows_of(features).collect();
        let mut logits = std::mem::take(&mut self.logits);
        logits.fill(0.0);
        // Element by element, so that wider registers change the time and not a bit.
        let arch = pulp::Arch::new();
        arch.dispatch(|| {
            for (row, amount) in &rows {
                let scale = self.hold_back(*row);
                add(&mut logits, self.row(*row), *amount * scale);
            }
        });
        let square = if self.layers.is_empty() {
            error(&mut logits, self.head.shape, self.head.outputs, lesson)
        } else {
            error_by_layer(&mut logits, self.layers, lesson)
        };
        arch.dispatch(|| {
            for (row, amount) in rows {
                self.step(row, amount, square, &logits);
            }
        });
        self.logits = logits;
    }

    #[inline(always)] // compiled for the registers of whoever calls
    #[allow(clippy::inline_always)]
    fn row(&mut self, row: usize) -> &mut [f32] {
        let stride = self.head.weights.stride();
        self.weights.get_mut(row * stride..(row + 1) * stride).unwrap_or_default()
    }

    #[inline(always)] // compiled for the registers of whoever calls
    #[allow(clippy::inline_always)]
    fn step(&mut self, row: usize, amount: f32, square: f32, error: &[f32]) {
        let Some(moved) = self.head.moved.get_mut(row) else { return };
        *moved += amount * amount * square;
        let scale = self.scales.get(row).copied().unwrap_or(1.0);
        let step = -STEP * amount / (moved.sqrt() * scale);
        add(self.row(row), error, step);
    }

    /// Makes up for the examples since this row was last looked at; returns what its weights count.
    fn hold_back(&mut self, row: usize) -> f32 {
        let (Some(last), Some(scale)) = (self.held_back.get_mut(row), self.scales.get_mut(row)) else {
            return 0.0;
        };
        let missed = self.seen - std::mem::replace(last, self.seen);
        let step = STEP / self.head.moved.get(row).copied().unwrap_or(1.0).sqrt();
        #[allow(clippy::cast_precision_loss)] // examples seen are far below 2^24
        let kept = (1.0 - (self.decay * step * missed as f32)).max(0.0);
        *scale *= kept;
        let scale = *scale;
        if scale >= SCALE_MIN {
            return scale;
        }
        self.settle(row, scale);
        1.0
    }

    /// Writes a row's scale into its weights.
    fn settle(&mut self, row: usize, scale: f32) {
        for weight in self.row(row) {
            *weight *= scale;
        }
        if let Some(scale) = self.scales.get_mut(row) {
            *scale = 1.0;
        }
    }
}

/// Adds so much of a row.
#[inline(always)] // compiled for the registers of whoever calls
#[allow(clippy::inline_always)]
fn add(sum: &mut [f32], row: &[f32], amount: f32) {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum += amount * weight;
    }
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
