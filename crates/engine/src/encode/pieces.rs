//! Which known piece does a text begin with? A table of hashes, built once, looked into longest first.

use super::TokenId;

/// Longest piece that is found, in bytes: twenty characters of any script.
const PIECE_BYTES_MAX: usize = 80;
/// Where FNV-1a begins, and what it multiplies by.
const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Pieces of words with their ids.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// All pieces, one after the other.
    text: String,
    /// Where each piece stands, and its id.
    places: Vec<(u32, u32, TokenId)>,
    /// Slots by hash: one more than the number of a place, or zero.
    slots: Vec<u32>,
    longest: usize,
}

impl Pieces {
    /// A table for about so many pieces.
    pub(super) fn for_about(count: usize) -> Pieces {
        let slots = (2 * count).next_power_of_two();
        Pieces { text: String::new(), places: Vec::with_capacity(count), slots: vec![0; slots], longest: 0 }
    }

    /// Adds a piece; a later one of the same text takes its place.
    pub(super) fn insert(&mut self, piece: &str, id: TokenId) {
        // Half of the slots stay empty, so that a search ends soon.
        if 2 * (self.places.len() + 1) > self.slots.len() {
            self.grow();
        }
        if let Some(place) = self.find(hash_of(piece.as_bytes()), piece.as_bytes()) {
            if let Some(known) = self.places.get_mut(place) {
                known.2 = id;
            }
            return;
        }
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let start = self.text.len();
        self.text.push_str(piece);
        self.places.push((place(start), place(self.text.len()), id));
        self.longest = self.longest.max(piece.len().min(PIECE_BYTES_MAX));
        self.put(hash_of(piece.as_bytes()), place(self.places.len()));
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.places.len()
    }

    /// The id of a piece.
    pub(super) fn get(&self, piece: &str) -> Option<TokenId> {
        let place = self.find(hash_of(piece.as_bytes()), piece.as_bytes())?;
        self.places.get(place).map(|(_, _, id)| *id)
    }

    /// The longest piece that a text begins with: its id and its length.
    pub(super) fn longest(&self, rest: &str) -> Option<(TokenId, usize)> {
        let bytes = rest.as_bytes();
        let most = bytes.len().min(self.longest);
        // The hash of each beginning is that of the one before, fed one byte more.
        let mut hashes = [SEED; PIECE_BYTES_MAX];
        let mut hash = SEED;
        for (kept, byte) in hashes.iter_mut().zip(bytes.iter().take(most)) {
            hash = fed(hash, *byte);
            *kept = hash;
        }
        let begins = |length: usize| {
            let place = self.find(*hashes.get(length - 1)?, bytes.get(..length)?)?;
            self.places.get(place).map(|(_, _, id)| (*id, length))
        };
        (1..=most).rev().find_map(begins)
    }

    fn find(&self, hash: u64, piece: &[u8]) -> Option<usize> {
        let mut slot = self.slot_of(hash);
        loop {
            let place = (*self.slots.get(slot)? as usize).checked_sub(1)?;
            let (start, end, _) = *self.places.get(place)?;
            if self.text.as_bytes().get(start as usize..end as usize) == Some(piece) {
                return Some(place);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    fn put(&mut self, hash: u64, place: u32) {
        let mut slot = self.slot_of(hash);
        while self.slots.get(slot).is_some_and(|taken| *taken != 0) {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        if let Some(free) = self.slots.get_mut(slot) {
            *free = place;
        }
    }

    fn grow(&mut self) {
        self.slots = vec![0; 2 * self.slots.len().max(1)];
        let hashes: Vec<u64> = self
            .places
            .iter()
            .map(|(start, end, _)| {
                hash_of(self.text.as_bytes().get(*start as usize..*end as usize).unwrap_or_default())
            })
            .collect();
        for (hash, place) in hashes.into_iter().zip(1..) {
            self.put(hash, place);
        }
    }

    #[allow(clippy::cast_possible_truncation)] // the lower bits are what is wanted
    const fn slot_of(&self, hash: u64) -> usize {
        ((hash >> 32) ^ hash) as usize & (self.slots.len() - 1)
    }
}

fn hash_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(SEED, |hash, byte| fed(hash, *byte))
}

/// One step of FNV-1a: fast on short texts.
fn fed(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(PRIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_beginning_is_found() {
        let mut pieces = Pieces::for_about(1);
        for (id, piece) in ["a", "ab", "abcd", "数", "x".repeat(200).as_str()].into_iter().enumerate() {
            pieces.insert(piece, TokenId::try_from(id).unwrap());
        }
        pieces.insert("a", 9);
        assert_eq!(pieces.longest("abcx"), Some((1, 2)));
        assert_eq!(pieces.longest("abcdef"), Some((2, 4)));
        assert_eq!(pieces.longest("axe"), Some((9, 1)), "the later of two");
        assert_eq!(pieces.longest("数据"), Some((3, 3)));
        assert_eq!((pieces.longest("zzz"), pieces.longest("")), (None, None));
        assert_eq!((pieces.get("ab"), pieces.get("abc"), pieces.len()), (Some(1), None, 5));
    }
}
