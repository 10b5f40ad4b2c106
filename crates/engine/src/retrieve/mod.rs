//! What is there that serves a message? Tools and passages, searched by words and by meaning.

mod rows;
mod late;
pub mod tools;
pub mod sources;
pub mod rerank;
pub mod growth;

pub use crate::router::Selected;
pub(crate) use late::Late;
pub(crate) use rows::Rows;

use crate::encode::bring_to_length_one;
use crate::spread::spread;

/// The mean of vectors.
#[allow(clippy::cast_precision_loss)] // so many there are not
pub(crate) fn mean(vectors: &[Vec<f32>], dimensions: usize) -> Vec<f32> {
    let mut sum = vec![0.0; dimensions];
    for vector in vectors {
        add(&mut sum, vector, 1.0);
    }
    let count = vectors.len().max(1) as f32;
    for value in &mut sum {
        *value /= count;
    }
    sum
}

/// Adds a vector so many times.
pub(crate) fn add(sum: &mut [f32], vector: &[f32], times: f32) {
    sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += times * value);
}

/// Vectors without a part of what they have in common, each of length one again.
pub(crate) fn centred(vectors: Vec<Vec<f32>>, mean: &[f32], part: f32) -> impl Iterator<Item = Vec<f32>> {
    vectors.into_iter().map(move |mut vector| {
        add(&mut vector, mean, -part);
        bring_to_length_one(&mut vector);
        vector
    })
}

/// Texts a thread takes at a time: some milliseconds of work.
const TEXTS_AT_A_TIME: usize = 64;

/// The same work for each of many, on all cores, in their order.
pub(crate) fn in_parallel<T: Sync, R: Send>(many: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    spread(many, cores, TEXTS_AT_A_TIME, work)
}
