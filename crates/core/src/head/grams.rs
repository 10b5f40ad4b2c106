//! Which letters and words is a text made of? Hashed n-grams: what meaning alone does not see.

use crate::message::{Reading, Span};

/// Buckets that n-grams are hashed into: enough that fifteen thousand examples rarely share one.
pub(super) const BUCKETS: usize = 1 << 18;

/// Shortest and longest run of letters counted, in characters, borders of words included.
const LETTERS_MIN: usize = 2;
const LETTERS_MAX: usize = 4;
/// Most n-grams taken from one text: a page; what comes behind says nothing new.
const GRAMS_MAX: usize = 4096;
/// Most words of them.
const WORDS_MAX: usize = GRAMS_MAX / 8;

/// The n-grams of a text in two blocks, words and letters; each a bucket and how often it stands there.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Grams {
    pub(super) words: Vec<(u32, f32)>,
    pub(super) letters: Vec<(u32, f32)>,
}

impl Grams {
    /// The n-grams of a text as it is read.
    pub(super) fn of(reading: &Reading) -> Grams {
        let text = reading.text();
        let words: Vec<&str> = reading.words().iter().take(WORDS_MAX).map(|span| span.of(text)).collect();
        let singles = words.iter().map(|word| bucket(&[b"w", word.as_bytes()]));
        let neighbours = words.iter().zip(words.iter().skip(1));
        let pairs = neighbours.map(|(left, right)| bucket(&[b"p", left.as_bytes(), b" ", right.as_bytes()]));
        let mut letters = Vec::with_capacity(GRAMS_MAX.min(text.len() * 3));
        for word in &words {
            letter_grams(word, &mut letters);
        }
        letters.truncate(GRAMS_MAX);
        Grams { words: count(singles.chain(pairs).collect()), letters: count(letters) }
    }
}

/// An n-gram where it stands.
pub(super) struct Gram {
    /// The word it is in, or the two words it is, in the folded text.
    pub(super) span: Span,
    pub(super) bucket: u32,
}

/// The n-grams of a text, each with its word.
pub(super) fn placed(reading: &Reading) -> Vec<Gram> {
    let text = reading.text();
    let words = || reading.words().iter().take(WORDS_MAX);
    let mut placed = Vec::new();
    for (left, right) in words().zip(words().skip(1)) {
        let bucket = bucket(&[b"p", left.of(text).as_bytes(), b" ", right.of(text).as_bytes()]);
        placed.push(Gram { span: Span { start: left.start, end: right.end }, bucket });
    }
    for span in words() {
        let mut buckets = vec![bucket(&[b"w", span.of(text).as_bytes()])];
        letter_grams(span.of(text), &mut buckets);
        placed.extend(buckets.into_iter().map(|bucket| Gram { span: *span, bucket }));
    }
    placed
}

/// Every run of letters of a word with its borders, as spaces.
fn letter_grams(word: &str, grams: &mut Vec<u32>) {
    let bordered = || std::iter::once(' ').chain(word.chars()).chain(std::iter::once(' '));
    let mut ahead = bordered();
    loop {
        // A longer run goes on where a shorter one ends, and so does its hash.
        let mut hash = fed(SEED, b"c");
        let mut length = 0;
        for c in ahead.clone().take(LETTERS_MAX) {
            hash = fed(hash, c.encode_utf8(&mut [0; 4]).as_bytes());
            length += 1;
            if length >= LETTERS_MIN {
                grams.push(folded(hash));
            }
        }
        if length < LETTERS_MIN || grams.len() >= GRAMS_MAX {
            return;
        }
        ahead.next();
    }
}

/// Where FNV-1a begins, and what it multiplies by.
pub(crate) const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a: fast on short texts, and the same everywhere.
pub(crate) fn fed(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

/// A hash, folded to the number of buckets.
fn folded(hash: u64) -> u32 {
    u32::try_from(((hash >> 32) ^ hash) & (BUCKETS as u64 - 1)).unwrap_or_default()
}

fn bucket(parts: &[&[u8]]) -> u32 {
    folded(parts.iter().fold(SEED, |hash, part| fed(hash, part)))
}

/// How often each bucket stands there, dampened: twice is not twice as much.
fn count(mut buckets: Vec<u32>) -> Vec<(u32, f32)> {
    buckets.sort_unstable();
    let runs = buckets.chunk_by(|a, b| a == b);
    runs.filter_map(|run| Some((*run.first()?, dampened(run.len())))).collect()
}

/// 1 + ln(count), from a table for the counts that occur.
fn dampened(count: usize) -> f32 {
    const LOGS: [f32; 8] = [1.0, 1.0, 1.693_147, 2.098_612, 2.386_294, 2.609_438, 2.791_76, 2.945_91];
    LOGS.get(count).copied().unwrap_or(3.0)
}
