//! How many ask at once? So many, and the others wait their turn, for as long as they have time.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::locks::open;

/// Places for those who ask.
#[derive(Debug)]
pub(super) struct Slots {
    free: Mutex<u32>,
    one_more: Condvar,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub(super) struct Slot<'s>(&'s Slots);

impl Slots {
    /// So many places, and one at least.
    pub(super) fn new(places: u32) -> Slots {
        Slots { free: Mutex::new(places.max(1)), one_more: Condvar::new() }
    }

    /// A place, if one comes free in time.
    pub(super) fn take(&self, within: Duration) -> Option<Slot<'_>> {
        let until = Instant::now() + within;
        let mut free = open(&self.free);
        while *free == 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            free = self.one_more.wait_timeout(free, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Some(Slot(self))
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *open(&self.0.free) += 1;
        self.0.one_more.notify_one();
    }
}
