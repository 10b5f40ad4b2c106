//! How like is a message to what a catalog says? By whole vectors, and word by word.

use std::ops::Range;

use waypost_core::fewshot::{Likeness, MessageLikeness, RouteTexts};
use waypost_core::head::similarity;

use super::super::layers::round;
use super::super::product::Matrix;
use super::super::stack::WIDTH;
use super::{FewShot, GRAIN, MessageReading};
use crate::spread::spread_texts;

/// What one is in the eight bits of a token's vector.
const EIGHT_BITS: f32 = 127.0;
/// Rows of a matrix come in so many.
const ROWS: usize = 32;

/// What was read in an example or a description.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextReading {
    pub(crate) vector: Vec<f32>,
    /// A vector per token.
    pub(crate) grains: Vec<f32>,
}

impl TextReading {
    /// Texts as they are kept: a count of tokens, the vector, and the token vectors in eight bits.
    pub(crate) fn to_bytes(texts: &[TextReading]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for text in texts {
            bytes.extend(u32::try_from(text.grains.len() / GRAIN).unwrap_or_default().to_le_bytes());
            bytes.extend(text.vector.iter().flat_map(|value| value.to_le_bytes()));
            bytes.extend(text.grains.iter().map(|value| eight_bits(*value)));
        }
        bytes
    }

    /// The way back, where the bytes are so many texts.
    pub(crate) fn from_bytes(mut bytes: &[u8], count: usize) -> Option<Vec<TextReading>> {
        let mut texts = Vec::with_capacity(count);
        while let Some((tokens, rest)) = bytes.split_first_chunk::<4>() {
            let (vector, rest) = rest.split_at_checked(4 * WIDTH)?;
            let (grains, rest) = rest.split_at_checked(u32::from_le_bytes(*tokens) as usize * GRAIN)?;
            let vector = vector.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
            let grains = grains.iter().map(|byte| f32::from(byte.cast_signed()) / EIGHT_BITS).collect();
            texts.push(TextReading { vector, grains });
            bytes = rest;
        }
        (bytes.is_empty() && texts.len() == count).then_some(texts)
    }
}

/// All texts of a catalog, ready to be compared with messages: examples, route after route, then a description per route.
#[derive(Clone, Debug)]
pub(crate) struct CatalogTexts {
    routes: RouteTexts,
    vectors: Vec<f32>,
    /// The token vectors of all texts, and which rows are whose.
    grains: Option<Matrix>,
    rows: Vec<Range<usize>>,
}

impl CatalogTexts {
    /// Takes texts together. There is one description per route, behind the examples.
    pub(crate) fn new(routes: RouteTexts, texts: &[TextReading]) -> CatalogTexts {
        let (mut bytes, mut rows) = (Vec::new(), Vec::new());
        for text in texts {
            let start = bytes.len() / GRAIN;
            bytes.extend(text.grains.iter().map(|value| eight_bits(*value)));
            rows.push(start..bytes.len() / GRAIN);
        }
        let count = (bytes.len() / GRAIN).next_multiple_of(ROWS);
        bytes.resize(count * GRAIN, 0);
        let grains = Matrix::new(&bytes, count, GRAIN);
        let vectors = texts.iter().flat_map(|text| text.vector.iter().copied()).collect();
        CatalogTexts { routes, vectors, grains, rows }
    }

    /// Which texts belong to which routes.
    pub(crate) fn routes(&self) -> &RouteTexts {
        &self.routes
    }

    /// How like a message is to each text, by each of its readings.
    pub(crate) fn compare(&self, message: &MessageReading) -> MessageLikeness {
        let best = self.best_matches(&message.grains);
        let readings = message.readings.each_ref().map(|reading| Likeness {
            vectors: self
                .vectors
                .chunks_exact(WIDTH)
                .map(|vector| similarity(&reading.vector, vector))
                .collect(),
            words: weighted(&best, &reading.weights, self.rows.len()),
        });
        MessageLikeness { readings, acts: message.acts }
    }

    /// The same as if an example, counted from the first, were not there; and which texts are left.
    pub(crate) fn compare_without(
        &self,
        message: &MessageReading,
        example: usize,
    ) -> (MessageLikeness, RouteTexts) {
        let (mut likeness, mut routes) = (self.compare(message), self.routes.clone());
        let mut end = 0;
        let own = routes.examples.iter_mut().find(|count| {
            end += **count;
            example < end
        });
        if let Some(count) = own {
            *count -= 1;
            for reading in &mut likeness.readings {
                reading.vectors.remove(example);
                reading.words.remove(example);
            }
        }
        (likeness, routes)
    }

    /// The best match of each token of a message in each text.
    fn best_matches(&self, grains: &[f32]) -> Vec<f32> {
        let Some(matrix) = &self.grains else { return Vec::new() };
        let mut rounded = Vec::with_capacity(grains.len());
        let steps: Vec<f32> = grains.chunks_exact(GRAIN).map(|grain| round(grain, &mut rounded)).collect();
        let products = matrix.times(&rounded);
        let mut best = Vec::with_capacity(steps.len() * self.rows.len());
        for (products, step) in products.chunks_exact(matrix.rows()).zip(&steps) {
            let of = |rows: &Range<usize>| products.get(rows.clone()).unwrap_or_default();
            let most =
                |rows: &Range<usize>| of(rows).iter().fold(i32::MIN, |most, product| most.max(*product));
            #[allow(clippy::cast_precision_loss)]
            // sums of 128 products of eight and twelve bits are below 2^26
            best.extend(self.rows.iter().map(|rows| most(rows) as f32 * (step / EIGHT_BITS)));
        }
        best
    }
}

/// The matches of all tokens, each as much as it counts.
fn weighted(best: &[f32], weights: &[f32], texts: usize) -> Vec<f32> {
    let mut sums = vec![0.0; texts];
    for (best, weight) in best.chunks_exact(texts.max(1)).zip(weights) {
        for (sum, best) in sums.iter_mut().zip(best) {
            *sum += weight * best;
        }
    }
    sums
}

#[allow(clippy::cast_possible_truncation)] // within ±127, since the vector has length one
fn eight_bits(value: f32) -> u8 {
    ((value * EIGHT_BITS).round() as i8).cast_unsigned()
}

impl FewShot {
    /// Reads texts, on all processors.
    pub(crate) fn read_texts(&self, texts: &[&str]) -> Vec<TextReading> {
        spread_texts(texts, |text| self.read_text(text))
    }
}
