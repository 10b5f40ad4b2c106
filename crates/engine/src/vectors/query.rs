//! What does a query ask of a row? Vectors in whole numbers, and what four bits of a row are worth to a query.

use super::registers::{PAIR_BYTES, Worths};
use super::turn::turn;

/// Largest number of a row.
const ROW_MAX: u16 = 127;
/// Most that a product's numbers can add up to.
const PRODUCT_MAX: usize = i32::MAX as usize;
/// Most that the worths of a row can add up to.
const WORTH_MAX: u64 = u16::MAX as u64;
/// Dimensions that are looked up together.
pub(super) const GROUP: usize = 4;

/// A vector, turned and in whole numbers. Its length is forgotten, and only its direction kept.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) numbers: Vec<i16>,
    /// One over the length of the numbers; zero where all are zero. So a product with both scales is a cosine.
    pub(super) scale: f32,
}

impl Whole {
    /// A row, in eight bits; nothing where it is not finite.
    pub(super) fn row(vector: &[f32]) -> Option<Whole> {
        Whole::of(vector, ROW_MAX)
    }

    /// A query, in as many bits as its product with a row leaves room for; nothing where it is not finite.
    pub(super) fn query(vector: &[f32]) -> Option<Whole> {
        // A damaged file may have a row of -128.
        let most = PRODUCT_MAX / (128 * vector.len().max(1));
        Whole::of(vector, u16::try_from(most).unwrap_or(u16::MAX).min(i16::MAX.unsigned_abs()))
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // bounded by `most`; a scale is an estimate
    fn of(vector: &[f32], most: u16) -> Option<Whole> {
        let vector = turn(vector);
        if !vector.iter().all(|value| value.is_finite()) {
            return None;
        }
        let largest = vector.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        let factor = f32::from(most) / largest;
        if !factor.is_finite() {
            return Some(Whole { numbers: vec![0; vector.len()], scale: 0.0 });
        }
        let numbers: Vec<i16> = vector.iter().map(|value| (value * factor).round() as i16).collect();
        let squares: i64 = numbers.iter().map(|number| i64::from(*number).pow(2)).sum();
        Some(Whole { numbers, scale: (1.0 / (squares as f64).sqrt()) as f32 })
    }

    /// What a row's bits are worth to this query: each dimension weighs as much as it is large, where the bit has its sign.
    pub(super) fn worths(&self) -> Vec<Worths> {
        let weights: Vec<(u8, bool)> = self
            .weights()
            .into_iter()
            .zip(&self.numbers)
            .map(|(weight, number)| (weight, *number >= 0))
            .collect();
        weights.as_chunks::<{ 4 * GROUP }>().0.iter().map(worths).collect()
    }

    /// How much each dimension weighs: as finely as four fit an entry, and all of them the sum of a row.
    pub(super) fn weights(&self) -> Vec<u8> {
        let sizes: Vec<u64> = self.numbers.iter().map(|number| u64::from(number.unsigned_abs())).collect();
        let largest = sizes.chunks(GROUP).map(|group| group.iter().sum::<u64>()).max().unwrap_or_default();
        // Rounding adds up to a half a dimension; what is left for it keeps both sums within their bytes.
        let of_group = (u64::from(Worths::MAX) - GROUP as u64 / 2, largest);
        let of_all = (WORTH_MAX - self.numbers.len() as u64 / 2, sizes.iter().sum());
        let (most, among) = if of_group.0 * of_all.1 <= of_all.0 * of_group.1 { of_group } else { of_all };
        // A query without a direction weighs nothing.
        let weigh = |size: u64| (size * most + among / 2).checked_div(among).unwrap_or_default();
        sizes.into_iter().map(|size| u8::try_from(weigh(size)).unwrap_or_default()).collect()
    }
}

/// The worths of two columns: eight dimensions each.
fn worths(weights: &[(u8, bool); 4 * GROUP]) -> Worths {
    let [low_a, high_a, low_b, high_b] = [0, 1, 2, 3].map(|group| {
        let weights = weights.as_chunks::<GROUP>().0.get(group).copied().unwrap_or_default();
        // With no bit set all that are down agree; each bit adds its weight where it should be up, and else takes it away.
        let down = weights.iter().filter(|(_, up)| !up).map(|(weight, _)| weight).sum::<u8>();
        let mut entries = [down; 16];
        for (at, (weight, up)) in weights.into_iter().enumerate() {
            let (without, with) = entries.split_at_mut(1 << at);
            for (with, without) in with.iter_mut().zip(without) {
                *with = if up { *without + weight } else { *without - weight };
            }
        }
        entries
    });
    let spread = |a: [u8; 16], b: [u8; 16]| {
        let mut bytes = [0; PAIR_BYTES];
        for (to, from) in bytes.iter_mut().zip([a, a, b, b].as_flattened()) {
            *to = *from;
        }
        bytes
    };
    Worths { low: spread(low_a, low_b), high: spread(high_a, high_b) }
}
