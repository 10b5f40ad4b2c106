//! What do signs speak for? Weights that were learned elsewhere and come with the library.
//!
//! A file holds how many lessons each sign stood in and how much it speaks for each of a few outcomes; signs are told by a hash
//! of their names.

use crate::head::exact;
use crate::head::grams::{SEED, fed};

use super::weights::real;

/// What each sign says for each outcome.
#[derive(Debug)]
pub(super) struct Learned<const OUTCOMES: usize> {
    /// Their hashes, ascending.
    hashes: Vec<u32>,
    /// How rare each is.
    rarity: Vec<f32>,
    /// What each speaks for, in units of the scale.
    speaks: Vec<[i8; OUTCOMES]>,
    scale: f32,
    /// What speaks for each outcome before anything is said.
    constant: [f32; OUTCOMES],
}

impl<const OUTCOMES: usize> Learned<OUTCOMES> {
    /// Reads a file; what is missing weighs nothing.
    pub fn read(bytes: &[u8]) -> Learned<OUTCOMES> {
        let mut rest = bytes;
        let mut four = || {
            let (first, behind) = rest.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
            rest = behind;
            *first
        };
        let count = u32::from_le_bytes(four()) as usize;
        let lessons = u32::from_le_bytes(four()) as usize;
        let scale = f32::from_le_bytes(four());
        let constant = std::array::from_fn(|_| f32::from_le_bytes(four()));
        let hashes = (0..count).map(|_| u32::from_le_bytes(four())).collect();
        let (held, speaks) = rest.split_at(rest.len().min(2 * count));
        let rarity =
            |held: &[u8; 2]| exact::ln(1.0 + real(lessons) / f32::from(u16::from_le_bytes(*held).max(1)));
        Learned {
            hashes,
            rarity: held.as_chunks().0.iter().map(rarity).collect(),
            speaks: speaks.as_chunks::<OUTCOMES>().0.iter().map(|row| row.map(u8::cast_signed)).collect(),
            scale,
            constant,
        }
    }

    /// What signs speak for together: about 1 where it is plain and −1 where it is not so. Each sign counts once.
    pub fn judge(&self, mut signs: Vec<u32>) -> [f32; OUTCOMES] {
        signs.sort_unstable();
        signs.dedup();
        let mut sums = [0.0; OUTCOMES];
        let mut square = 0.0;
        for sign in signs {
            let Ok(place) = self.hashes.binary_search(&sign) else { continue };
            let (Some(rarity), Some(speaks)) = (self.rarity.get(place), self.speaks.get(place)) else {
                continue;
            };
            square += rarity * rarity;
            for (sum, weight) in sums.iter_mut().zip(speaks) {
                *sum += rarity * f32::from(*weight);
            }
        }
        let unit = self.scale / square.sqrt().max(f32::MIN_POSITIVE);
        let mut scores = self.constant;
        for (score, sum) in scores.iter_mut().zip(sums) {
            *score += unit * sum;
        }
        scores
    }
}

/// The hash of a sign that is named by its parts, one after the other.
pub(super) fn hashed(parts: &[&str]) -> u32 {
    let hash = parts.iter().fold(SEED, |hash, part| fed(hash, part.as_bytes()));
    u32::try_from(((hash >> 32) ^ hash) & u64::from(u32::MAX)).unwrap_or_default()
}
