//! What is there that serves a message? Tools and passages, searched by words and by meaning.

mod rows;
pub mod tools;
pub mod sources;

pub(crate) use rows::Rows;

use waypost_core::head::similarity;

/// Brings a vector to length one.
pub(crate) fn to_length_one(vector: &mut [f32]) {
    let length = similarity(vector, vector).sqrt();
    if length > 0.0 {
        for value in vector {
            *value /= length;
        }
    }
}

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
        to_length_one(&mut vector);
        vector
    })
}

/// The same work for each of many, on all cores, in their order.
pub(crate) fn in_parallel<T: Sync, R: Send>(many: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let part = many.len().div_ceil(cores).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let parts =
            many.chunks(part).map(|part| scope.spawn(move || part.iter().map(work).collect::<Vec<R>>()));
        let working: Vec<_> = parts.collect();
        let done = working.into_iter().map(std::thread::ScopedJoinHandle::join);
        done.flat_map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}
