//! What has been encoded already? The vectors of the last texts, so that nobody is asked twice.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use sha2::{Digest, Sha256};

/// Most texts that are remembered: at 1,024 numbers a vector they take 16 MiB.
const CACHE_TEXTS_MAX: usize = 4_096;

/// A text's checksum stands for the text, so a long one takes no more room than a short one.
pub(crate) type Key = [u8; 32];

/// Vectors by text. The one that came first goes first.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    vectors: HashMap<Key, Arc<[f32]>>,
    order: VecDeque<Key>,
}

impl Cache {
    /// The key of a text.
    pub(crate) fn key(text: &str) -> Key {
        Sha256::digest(text).into()
    }

    pub(crate) fn recall(&self, key: &Key) -> Option<Arc<[f32]>> {
        self.vectors.get(key).map(Arc::clone)
    }

    pub(crate) fn keep(&mut self, key: Key, vector: Arc<[f32]>) {
        if self.vectors.insert(key, vector).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > CACHE_TEXTS_MAX {
            if let Some(oldest) = self.order.pop_front() {
                self.vectors.remove(&oldest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes_when_it_is_full() {
        let mut cache = Cache::default();
        for text in 0..=CACHE_TEXTS_MAX {
            cache.keep(Cache::key(&text.to_string()), Arc::from([0.0]));
            cache.keep(Cache::key("1"), Arc::from([1.0]));
        }
        assert_eq!(cache.vectors.len(), CACHE_TEXTS_MAX);
        assert_eq!(cache.recall(&Cache::key("0")), None);
        assert_eq!(cache.recall(&Cache::key("2")).as_deref(), Some(&[0.0][..]));
        assert_eq!(cache.recall(&Cache::key(&CACHE_TEXTS_MAX.to_string())).as_deref(), Some(&[0.0][..]));
    }
}
