//! What does the scan of vectors cost as they grow in number, and what does it miss? Measured as it stands.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::Error;
use crate::encode::BuiltIn;
use crate::ports::elapsed_us;
use crate::retrieve::in_parallel;
use crate::vectors::{Builder, OVERSAMPLE, Vectors, VectorsError};

/// Neighbours wanted of each question.
const WANTED: usize = 10;
/// Times every question is asked.
const ROUNDS: usize = 3;
/// Texts that are read before they are held against the questions: some megabytes of vectors.
const BATCH: usize = 4_096;

/// What a scan of so many vectors cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Scanned {
    /// How many vectors there are.
    pub size: usize,
    /// How long each question took, in microseconds.
    pub times_us: Vec<f64>,
    /// The share of the ten that are truly nearest, in full precision, that was found.
    pub recall_at_10: f64,
}

/// Vectors of texts, in sets of several sizes, and what is truly nearest to some questions.
pub struct Scans {
    encoder: Arc<BuiltIn>,
    questions: Vec<Vec<f32>>,
    nearest: Vec<Vec<(f32, u32)>>,
    builders: Vec<(usize, Builder)>,
    count: usize,
    waiting: Vec<String>,
    oversample: usize,
}

impl Scans {
    /// Candidates that a search takes for each vector wanted.
    pub const OVERSAMPLE: usize = OVERSAMPLE;

    /// Sets of so many, of which the smallest is complete first, scanned with so many candidates for each vector wanted.
    pub fn new(questions: &[String], sizes: &[usize], oversample: usize) -> Result<Scans, Error> {
        let encoder = BuiltIn::shipped()?;
        let questions: Vec<Vec<f32>> = questions.iter().map(|question| encoder.vector(question)).collect();
        let mut sizes = sizes.to_vec();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.dedup();
        let builder = |size| Ok((size, Builder::new(BuiltIn::DIMENSIONS)?));
        let builders = sizes.into_iter().map(builder).collect::<Result<_, VectorsError>>()?;
        let nearest = vec![Vec::new(); questions.len()];
        Ok(Scans { encoder, questions, nearest, builders, count: 0, waiting: Vec::new(), oversample })
    }

    /// Takes a text. Whether a set is complete with it, and is to be measured before the next.
    pub fn push(&mut self, text: String) -> Result<bool, Error> {
        self.waiting.push(text);
        let complete = self.builders.last().is_some_and(|(size, _)| self.count + self.waiting.len() >= *size);
        if complete || self.waiting.len() >= BATCH {
            self.read()?;
        }
        Ok(complete)
    }

    /// Measures the smallest set that was not measured yet, out of a file that is mapped. `now` is told when the set is open, and
    /// when all questions were answered.
    pub fn measure(&mut self, file: &Path, now: &mut dyn FnMut()) -> Result<Option<Scanned>, Error> {
        self.read()?;
        let Some((_, builder)) = self.builders.pop() else { return Ok(None) };
        let failed =
            |cause: std::io::Error| VectorsError::Io { path: file.to_owned(), cause: cause.to_string() };
        let opened = File::create(file).map_err(failed)?;
        builder.finish().write(BufWriter::new(opened)).map_err(failed)?;
        now();
        let set = Vectors::open(file)?;
        let mut times_us = Vec::with_capacity(ROUNDS * self.questions.len());
        let mut found = 0;
        for round in 0..=ROUNDS {
            for (question, nearest) in self.questions.iter().zip(&self.nearest) {
                let begun = Instant::now();
                let near = set.nearest(question, WANTED, self.oversample);
                // The first round reads the file into memory.
                if round > 0 {
                    times_us.push(elapsed_us(begun));
                } else {
                    found +=
                        nearest.iter().filter(|(_, row)| near.iter().any(|near| near.row == *row)).count();
                }
            }
        }
        now();
        let wanted = self.nearest.iter().map(Vec::len).sum::<usize>().max(1);
        #[allow(clippy::cast_precision_loss)] // ten a question
        let recall_at_10 = found as f64 / wanted as f64;
        Ok(Some(Scanned { size: set.len(), times_us, recall_at_10 }))
    }

    /// Reads the texts that wait, and holds them against the questions.
    fn read(&mut self) -> Result<(), Error> {
        let texts = std::mem::take(&mut self.waiting);
        let vectors = in_parallel(&texts, |text| self.encoder.vector(text));
        let first = self.count;
        let known: Vec<_> = self.questions.iter().zip(&self.nearest).collect();
        self.nearest = in_parallel(&known, |(question, nearest)| {
            let mut nearest = (*nearest).clone();
            for (vector, row) in vectors.iter().zip(first..) {
                learn(&mut nearest, product(question, vector), u32::try_from(row).unwrap_or(u32::MAX));
            }
            nearest
        });
        for vector in &vectors {
            for (_, builder) in &mut self.builders {
                builder.push(vector)?;
            }
        }
        self.count += vectors.len();
        Ok(())
    }
}

/// Keeps a row where it is among the nearest so far.
fn learn(nearest: &mut Vec<(f32, u32)>, similarity: f32, row: u32) {
    if nearest.len() < WANTED || nearest.last().is_some_and(|(last, _)| similarity > *last) {
        let at = nearest.partition_point(|(other, _)| *other >= similarity);
        nearest.insert(at, (similarity, row));
        nearest.truncate(WANTED);
    }
}

/// The product in full precision, in sixteen sums that registers can hold.
fn product(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 16];
    for (one, other) in one.as_chunks::<16>().0.iter().zip(other.as_chunks::<16>().0) {
        for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
            *sum += one * other;
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_complete_in_order_and_scans_find_what_is_nearest() {
        let texts: Vec<String> =
            (0..60).map(|n| format!("the tram number {n} leaves from platform {}", n % 7)).collect();
        let mut scans =
            Scans::new(&["platform 3 of the tram".to_owned()], &[50, 20, 20], Scans::OVERSAMPLE).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut measured = Vec::new();
        for text in texts {
            if scans.push(text).unwrap() {
                let mut told = 0;
                measured.extend(scans.measure(&folder.path().join("v"), &mut || told += 1).unwrap());
                assert_eq!(told, 2);
            }
        }
        let sizes: Vec<usize> = measured.iter().map(|scan| scan.size).collect();
        assert_eq!(sizes, [20, 50]);
        // Eight bits may swap two that are as good as equal.
        assert!(
            measured.iter().all(|scan| scan.recall_at_10 >= 0.9 && scan.times_us.len() == ROUNDS),
            "{measured:?}"
        );
        assert_eq!(scans.measure(&folder.path().join("v"), &mut || ()).unwrap(), None);
    }
}
