//! What stands behind a lock that a thread died with? What was there: nothing here is left half done, so a panic elsewhere does
//! not spoil it, and a transaction that was not finished was never there.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What stands behind a lock.
pub(crate) fn open<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
