//! What is something kept under? A checksum of all that it follows from.

use sha2::{Digest, Sha256};

/// Which way of keeping wrote it: what another version kept is never read.
const KEEPING_VERSION: u32 = 1;

/// What something is kept under. A checksum stands for the text, so a long one takes no more room than a short one, and
/// no layer holds what was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of what was asked about a text under a catalog: whatever the result follows from must be named in `asked`.
    pub fn of(catalog_hash: &str, asked: &str, text: &str) -> Key {
        let mut digest = Sha256::new();
        digest.update(KEEPING_VERSION.to_le_bytes());
        for part in [catalog_hash, asked, text] {
            // Lengths between the parts, so that no two questions run together into one.
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        Key(digest.finalize().into())
    }

    /// The key as bytes, for shelves.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_counts_and_none_runs_into_the_next() {
        let key = Key::of("hash", "asked", "text");
        assert_eq!(key, Key::of("hash", "asked", "text"));
        for (hash, asked, text) in [
            ("hush", "asked", "text"),
            ("hash", "asket", "text"),
            ("hash", "asked", "Text"),
            ("hasha", "sked", "text"),
            ("hash", "askedtext", ""),
        ] {
            assert_ne!(key, Key::of(hash, asked, text), "{hash} {asked} {text}");
        }
    }
}
