//! Where is kept what outlives the process? On a shelf, whoever provides it.

use std::sync::Arc;

use waypost_core::measure::Confidence;

use super::Key;

/// Something kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// What was computed, as bytes.
    pub value: Arc<[u8]>,
    /// How sure it is: where room is short, the less sure goes first.
    pub confidence: Confidence,
    /// When it was computed, in milliseconds since 1970-01-01 UTC.
    pub made_ms: u64,
}

impl Kept {
    /// Whether it is younger than a life. What was made in the future was made by a clock that was wrong.
    pub(super) fn is_fresh(&self, now_ms: u64, life_ms: u64) -> bool {
        now_ms.checked_sub(self.made_ms).is_some_and(|age_ms| age_ms < life_ms)
    }
}

/// Keeps things beyond the life of a process. A shelf never fails: what it cannot give is not there, and what it cannot
/// take is computed again another time.
pub trait Shelf: Send + Sync {
    /// What is kept under a key.
    fn get(&self, key: &Key, now_ms: u64) -> Option<Kept>;

    /// Keeps something, in place of what was there.
    fn put(&self, key: &Key, kept: &Kept, now_ms: u64);

    /// What went wrong so badly that nothing is kept any more.
    fn trouble(&self) -> Option<String> {
        None
    }
}
