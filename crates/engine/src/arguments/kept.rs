//! What was read before, so that a file that repeats itself is quick?

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use crate::locks::open;

/// Most values that are kept: files repeat a few. A form takes some tens of kilobytes, and what a reader keeps of it two or three megabytes.
const KEPT_MAX: usize = 64;

/// Values by what they were made of.
pub(super) struct Kept<K, V: ?Sized>(Mutex<HashMap<K, Arc<V>>>);

impl<K, V: ?Sized> Default for Kept<K, V> {
    fn default() -> Self {
        Kept(Mutex::default())
    }
}

impl<K: Hash + Eq + Clone, V> Kept<K, V> {
    /// The value of a key, made where there is none yet. Two that ask at once may both make it; both get a good one.
    pub fn get<E>(&self, key: &K, make: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        if let Some(value) = open(&self.0).get(key) {
            return Ok(Arc::clone(value));
        }
        let value = Arc::new(make()?);
        let mut kept = open(&self.0);
        // All are given up at once: what is near repeats, and a list of who came last costs more than it gains.
        if kept.len() >= KEPT_MAX {
            kept.clear();
        }
        kept.insert(key.clone(), Arc::clone(&value));
        Ok(value)
    }
}
