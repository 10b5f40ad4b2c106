//! What do words mean? The port through which vectors of words come in, and the little arithmetic on them.

use super::form::Form;
use super::phrase::Phrase;

/// Knows what words mean. A few words mean the sum of what each of them does, brought to length one.
pub trait Meaning: Sync {
    /// How long its vectors are.
    fn dimensions(&self) -> usize;

    /// Whether it knows a word as it is written, so that it is none with typing errors.
    fn is_word(&self, word: &str) -> bool;

    /// Adds what a word means to a sum.
    fn add(&self, word: &str, sum: &mut [f32]);
}

/// Knows nothing: what is said is taken by its letters alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Letters;

impl Meaning for Letters {
    fn dimensions(&self) -> usize {
        0
    }

    fn is_word(&self, _word: &str) -> bool {
        true
    }

    fn add(&self, _word: &str, _sum: &mut [f32]) {}
}

impl Form {
    /// Gives every phrase of the form its vector, once, when the form is read.
    pub fn learn(&mut self, meaning: &dyn Meaning) {
        learn(&mut self.about, meaning);
        for (message, _) in &mut self.examples {
            learn(message, meaning);
        }
        for slot in &mut self.slots {
            learn(&mut slot.about, meaning);
            let choices = slot
                .choices
                .iter_mut()
                .chain(&mut slot.shown)
                .flat_map(|choice| choice.words.iter_mut().chain(&mut choice.examples));
            for phrase in slot.names.iter_mut().chain(&mut slot.examples).chain(choices) {
                learn(phrase, meaning);
            }
        }
    }
}

/// Gives a phrase its vector.
pub(super) fn learn(phrase: &mut Phrase, meaning: &dyn Meaning) {
    let mut sum = vec![0.0; meaning.dimensions()];
    for word in &phrase.words {
        meaning.add(word, &mut sum);
    }
    bring_to_length_one(&mut sum);
    phrase.vector = sum;
}

/// Brings a vector to length one; nothing stays nothing.
pub(super) fn bring_to_length_one(vector: &mut [f32]) {
    let length = dot(vector, vector).sqrt();
    if length > f32::EPSILON {
        for value in vector {
            *value /= length;
        }
    }
}

/// The sum of products, in eight lanes so that it is quick and the same on every machine.
#[allow(clippy::inline_always)] // so that a dispatch on what the processor can do reaches it
#[inline(always)]
pub(super) fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    let (left_chunks, right_chunks) = (left.chunks_exact(8), right.chunks_exact(8));
    let rest: f32 = left_chunks.remainder().iter().zip(right_chunks.remainder()).map(|(a, b)| a * b).sum();
    for (left, right) in left_chunks.zip(right_chunks) {
        for ((lane, a), b) in lanes.iter_mut().zip(left).zip(right) {
            *lane += a * b;
        }
    }
    lanes.iter().sum::<f32>() + rest
}
