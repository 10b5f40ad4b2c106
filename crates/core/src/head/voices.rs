//! Which words spoke for a class, and which against it?

use std::collections::HashMap;

use super::grams::{self, Gram};
use super::{Features, Head};
use crate::message::{Reading, Span};

/// What one part of a text said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Voice {
    /// The word or the two words, in the folded text; nothing for the meaning of the whole.
    pub span: Option<Span>,
    /// How loud: positive for the class, negative for its rival. All voices and the bias are the margin between them.
    pub amount: f32,
}

impl Head {
    /// What each word, each pair of words and the vector said for a class rather than for its rival, loudest first.
    pub fn voices(
        &self,
        reading: &Reading,
        features: &Features,
        class: usize,
        rival: Option<usize>,
    ) -> Vec<Voice> {
        let bias = self.shape.dimensions;
        let leans =
            |row: usize| self.weights.at(row, class) - rival.map_or(0.0, |rival| self.weights.at(row, rival));
        let meaning: f32 = features.vector.iter().enumerate().map(|(row, amount)| amount * leans(row)).sum();
        let mut unheard: HashMap<u32, f32> = HashMap::with_capacity(features.grams.len());
        for (row, amount) in &features.grams {
            // A word and a run of letters may share a row.
            *unheard.entry(*row).or_default() += amount;
        }
        let mut spans: Vec<Voice> = vec![Voice { span: None, amount: meaning }];
        for Gram { span, bucket } in grams::placed(reading) {
            // What stands several times speaks once, where it stands first.
            let row = self.rows.get(bucket as usize).copied().unwrap_or(super::NO_ROW);
            let Some(amount) = unheard.remove(&row) else { continue };
            let amount = amount * leans(bias + 1 + row as usize);
            match spans.iter_mut().find(|voice| voice.span == Some(span)) {
                Some(voice) => voice.amount += amount,
                None => spans.push(Voice { span: Some(span), amount }),
            }
        }
        spans.sort_by(|a, b| b.amount.abs().total_cmp(&a.amount.abs()).then(a.span.cmp(&b.span)));
        spans
    }
}
