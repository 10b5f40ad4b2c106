//! How much do the reasons weigh? Learned, a kind of slot at a time: a weight a reason, and what reasons say together.
//!
//! The score is a sum of weights, and a small network of one hidden layer over the same reasons. The file holds, for each kind,
//! the number of hidden units and then its weights as they are read here; `training/slots.py` makes it.

use std::sync::OnceLock;

use super::features::{COUNT, Reason};
use super::form::Kind;

/// The file of weights that comes with the library.
const LEARNED: &[u8] = include_bytes!("slots.bin");

/// The weights of one kind of slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    /// A weight a reason.
    linear: Vec<f32>,
    /// What each reason adds to the hidden units, one row after the other.
    inward: Vec<f32>,
    /// What the hidden units begin with.
    bias: Vec<f32>,
    /// What each hidden unit adds.
    outward: Vec<f32>,
}

/// Most hidden units of a network: what the room on the stack is for.
const HIDDEN_MAX: usize = 64;

impl Weights {
    /// The weights that a kind of slot goes by.
    pub fn of(kind: Kind) -> &'static Weights {
        static ALL: OnceLock<[Weights; 3]> = OnceLock::new();
        let [text, number, time] = ALL.get_or_init(|| read(LEARNED));
        match kind {
            Kind::Integer | Kind::Number => number,
            Kind::Date | Kind::Time | Kind::DateTime | Kind::Duration => time,
            _ => text,
        }
    }

    /// What reasons come to.
    pub fn weigh(&self, reasons: &[Reason]) -> f32 {
        let hidden = self.bias.len();
        let mut units = [0.0_f32; HIDDEN_MAX];
        for (unit, bias) in units.iter_mut().zip(&self.bias) {
            *unit = *bias;
        }
        let mut score = 0.0;
        for (place, amount) in reasons {
            score += self.linear.get(*place).copied().unwrap_or(0.0) * amount;
            let row = self.inward.get(place * hidden..(place + 1) * hidden).unwrap_or_default();
            for (unit, weight) in units.iter_mut().zip(row) {
                *unit += weight * amount;
            }
        }
        score + units.iter().zip(&self.outward).map(|(unit, weight)| unit.max(0.0) * weight).sum::<f32>()
    }
}

/// Reads the weights of texts, numbers and times, in that order. What is missing weighs nothing.
fn read(bytes: &[u8]) -> [Weights; 3] {
    let mut numbers =
        bytes.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap_or_default()));
    std::array::from_fn(|_| {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // a small count, written as a number
        let hidden = (numbers.next().unwrap_or(0.0) as usize).min(HIDDEN_MAX);
        let mut take = |count: usize| numbers.by_ref().take(count).collect::<Vec<f32>>();
        Weights {
            linear: take(COUNT),
            inward: take(COUNT * hidden),
            bias: take(hidden),
            outward: take(hidden),
        }
    })
}

/// The share of one that a sum of reasons comes to.
pub(super) fn logistic(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

/// A small count as a number.
pub(super) fn real(count: usize) -> f32 {
    u16::try_from(count).map_or(f32::from(u16::MAX), f32::from)
}
