//! What goes when a layer is full? The least sure of what has not been asked for longest.

use std::collections::{BTreeMap, HashMap};

use super::{Kept, Key};

/// How many of the longest unused are looked at when one must go. The least recently used alone would drop a sure
/// judgement for a doubtful one asked a moment later, and confidence alone would keep for ever what nobody asks for; of
/// eight, at most seven stay longer than their turn, and those only until they expire.
const WINDOW: usize = 8;

/// The most a layer holds, and for how long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) entries: usize,
    pub(super) bytes: usize,
    pub(super) life_ms: u64,
}

/// Things by their keys, bounded in number, size and age.
#[derive(Debug)]
pub(super) struct Layer {
    bounds: Bounds,
    entries: HashMap<Key, Entry>,
    /// Keys by when they were last used, in uses of the layer.
    by_use: BTreeMap<u64, Key>,
    uses: u64,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    kept: Kept,
    /// When it came into this layer: what is found farther off begins its life here anew.
    since_ms: u64,
    used: u64,
}

impl Layer {
    pub(super) fn new(bounds: Bounds) -> Layer {
        Layer { bounds, entries: HashMap::new(), by_use: BTreeMap::new(), uses: 0, bytes: 0 }
    }

    /// What is kept under a key, and not too old for this layer.
    pub(super) fn get(&mut self, key: &Key, now_ms: u64) -> Option<Kept> {
        if self.entries.get(key)?.is_over(now_ms, self.bounds.life_ms) {
            self.remove(key);
            return None;
        }
        self.uses += 1;
        let entry = self.entries.get_mut(key)?;
        self.by_use.remove(&std::mem::replace(&mut entry.used, self.uses));
        self.by_use.insert(self.uses, *key);
        Some(entry.kept.clone())
    }

    /// Keeps something, and lets go what there is no room for.
    pub(super) fn put(&mut self, key: Key, kept: Kept, now_ms: u64) {
        self.remove(&key);
        self.uses += 1;
        self.bytes += kept.value.len();
        self.by_use.insert(self.uses, key);
        self.entries.insert(key, Entry { kept, since_ms: now_ms, used: self.uses });
        while self.entries.len() > self.bounds.entries || self.bytes > self.bounds.bytes {
            let Some(goes) = self.least_worth(now_ms) else { return };
            self.remove(&goes);
        }
    }

    /// Of the longest unused: what is too old, else the least sure, else the longest unused. What has just come is not
    /// among them, unless it is alone.
    fn least_worth(&self, now_ms: u64) -> Option<Key> {
        let life_ms = self.bounds.life_ms;
        let others = self.by_use.len().saturating_sub(1).max(1);
        let window = self.by_use.values().take(WINDOW.min(others));
        let worth = |key: &&Key| {
            let entry = self.entries.get(*key);
            entry.map(|entry| (!entry.is_over(now_ms, life_ms), entry.kept.confidence, entry.used))
        };
        window.min_by_key(worth).copied()
    }

    fn remove(&mut self, key: &Key) {
        let Some(gone) = self.entries.remove(key) else { return };
        self.by_use.remove(&gone.used);
        self.bytes -= gone.kept.value.len();
    }
}

impl Entry {
    fn is_over(&self, now_ms: u64, life_ms: u64) -> bool {
        now_ms.checked_sub(self.since_ms).is_none_or(|age_ms| age_ms >= life_ms)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use waypost_core::measure::{Confidence, Points};

    use super::*;

    fn key(name: &str) -> Key {
        Key::of("", "", name)
    }

    fn kept(hundredths: i32, bytes: usize) -> Kept {
        let confidence = Confidence::new(Points::hundredths(hundredths));
        Kept { value: Arc::from(vec![0; bytes]), confidence, made_ms: 0 }
    }

    /// What is left of entries (name, confidence, age, bytes) put in turn and then asked for in turn, when one more
    /// comes.
    #[track_caller]
    fn check(bounds: Bounds, put: &[(&str, i32, u64, usize)], asked: &str, expected: &str) {
        let mut layer = Layer::new(bounds);
        for (name, sure, at_ms, bytes) in put {
            layer.put(key(name), kept(*sure, *bytes), *at_ms);
        }
        for name in asked.chars() {
            layer.get(&key(&name.to_string()), 10);
        }
        layer.put(key("new"), kept(50, 1), 10);
        let left = ('a'..='z').map(String::from).filter(|name| layer.entries.contains_key(&key(name)));
        assert_eq!(left.collect::<String>(), expected);
        assert_eq!(layer.bytes, layer.entries.values().map(|entry| entry.kept.value.len()).sum::<usize>());
        assert_eq!(layer.by_use.len(), layer.entries.len());
    }

    #[test]
    fn the_least_sure_of_the_longest_unused_goes() {
        let room = |entries| Bounds { entries, bytes: 100, life_ms: 100 };
        check(room(4), &[("a", 90, 0, 1), ("b", 90, 0, 1), ("c", 90, 0, 1)], "", "abc");
        check(room(3), &[("a", 90, 0, 1), ("b", 60, 0, 1), ("c", 90, 0, 1)], "", "ac");
        check(room(3), &[("a", 40, 0, 1), ("b", 30, 0, 1), ("c", 90, 0, 1)], "", "ac");
        check(room(3), &[("a", 40, 0, 1), ("b", 40, 0, 1), ("c", 90, 0, 1)], "", "bc");
        check(room(3), &[("a", 40, 0, 1), ("b", 40, 0, 1), ("c", 90, 0, 1)], "a", "ac");
        // The ninth longest unused is safe, however doubtful.
        let many: Vec<(String, i32)> =
            ('a'..='i').map(|c| (c.to_string(), if c == 'i' { 1 } else { 90 })).collect();
        let many: Vec<_> = many.iter().map(|(name, sure)| (name.as_str(), *sure, 0, 1)).collect();
        check(room(9), &many, "", "bcdefghi");
        check(room(9), &many, "a", "abcdefgh");
    }

    #[test]
    fn what_is_too_old_goes_first_and_bytes_count() {
        let room = Bounds { entries: 2, bytes: 100, life_ms: 10 };
        check(room, &[("a", 10, 5, 1), ("b", 90, 0, 1)], "", "a");
        check(room, &[("a", 10, 5, 1), ("b", 90, 1, 1)], "", "b");
        let narrow = Bounds { entries: 9, bytes: 10, life_ms: 100 };
        check(narrow, &[("a", 90, 0, 4), ("b", 90, 0, 4), ("c", 90, 0, 2)], "", "bc");
        check(narrow, &[("a", 60, 0, 10)], "", "");
    }

    #[test]
    fn a_life_ends_on_the_millisecond() {
        let mut layer = Layer::new(Bounds { entries: 2, bytes: 100, life_ms: 10 });
        for (at_ms, found) in [(100, true), (109, true), (110, false), (99, false)] {
            layer.put(key("a"), kept(1, 1), 100);
            assert_eq!(layer.get(&key("a"), at_ms).is_some(), found, "{at_ms}");
        }
    }
}
