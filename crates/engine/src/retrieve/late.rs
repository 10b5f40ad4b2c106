//! Which of the best has what each word of a message asks for? Late interaction: pieces against pieces, after the rest.

use waypost_core::head::similarity;

use crate::encode::BuiltIn;
use crate::vectors::{Packed, Signs};

/// The pieces of many texts.
pub(crate) struct Late {
    signs: Signs,
    /// The power of how near the nearest of all texts comes to a piece of a message that the piece counts by.
    sharpness: i32,
}

impl Late {
    /// The pieces of a text, made small.
    pub(crate) fn packed(pieces: &[f32]) -> Packed {
        Signs::pack(pieces, BuiltIn::DIMENSIONS)
    }

    /// Takes texts in, in their order.
    pub(crate) fn new(texts: impl IntoIterator<Item = Packed>, sharpness: i32) -> Late {
        Late { signs: Signs::new(texts, BuiltIn::DIMENSIONS), sharpness }
    }

    /// How far each of these texts has what the pieces of a message ask for, on average: a piece counts by the length of its
    /// vector, which training made longer the more a word tells, and by how near the nearest of all texts comes to it. What
    /// none of them has tells none from another.
    pub(crate) fn alike(&self, message: &[f32], texts: &[usize]) -> Vec<f32> {
        let mut sums = vec![0.0; texts.len()];
        let mut all = 0.0;
        for piece in message.chunks_exact(BuiltIn::DIMENSIONS) {
            let near = self.signs.nearest(piece, texts);
            let nearest = near.iter().copied().fold(0.0_f32, f32::max);
            let weight = similarity(piece, piece).sqrt() * nearest.powi(self.sharpness);
            all += weight;
            sums.iter_mut().zip(near).for_each(|(sum, near)| *sum += weight * near);
        }
        if all > 0.0 {
            for sum in &mut sums {
                *sum /= all;
            }
        }
        sums
    }
}
