//! How much, and is that a bound?

use serde::Serialize;

/// A number as it was meant: a value, or a bound on it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Amount {
    /// This much; "about" says no more.
    Exactly(f64),
    /// This much or more: at least, over, no less than.
    AtLeast(f64),
    /// This much or less: at most, under, up to.
    AtMost(f64),
    /// From the first to the second.
    Between(f64, f64),
}

impl Amount {
    /// The same in another unit.
    #[must_use]
    pub fn map(self, change: impl Fn(f64) -> f64) -> Amount {
        match self {
            Amount::Exactly(value) => Amount::Exactly(change(value)),
            Amount::AtLeast(value) => Amount::AtLeast(change(value)),
            Amount::AtMost(value) => Amount::AtMost(change(value)),
            Amount::Between(from, to) => Amount::Between(change(from), change(to)),
        }
    }

    /// The one number that was said, where it was one.
    pub fn single(self) -> Option<f64> {
        match self {
            Amount::Exactly(value) | Amount::AtLeast(value) | Amount::AtMost(value) => Some(value),
            Amount::Between(..) => None,
        }
    }
}
