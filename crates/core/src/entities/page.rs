//! Which words does the text have, and what is each known for?

use std::ops::Range;

use super::vocabulary::{Traits, traits_of};
use crate::message::Span;

/// Words of a text and its pieces between blanks, with what can be seen of each at once.
pub(super) struct Page<'t> {
    pub(super) text: &'t str,
    pub(super) words: Vec<Word>,
}

/// A run of letters and digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) span: Span,
    pub(super) traits: Traits,
    pub(super) shape: Shape,
}

/// What a word looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Digits only.
    Digits,
    /// Letters and digits.
    Mixed,
    /// Letters, none of them upper-case.
    Lower,
    /// One upper-case letter first, at least one other letter, and the rest lower-case or of both cases.
    Capital,
    /// Upper-case letters only.
    Upper,
}

/// A piece of the text between blanks, without the punctuation around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
    /// Which kinds of characters it has.
    pub(super) has: Has,
}

/// Kinds of characters in a chunk: a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Has(u8);

impl Has {
    pub(super) const DIGIT: Has = Has(1);
    pub(super) const UPPER: Has = Has(2);
    pub(super) const AT: Has = Has(4);
    pub(super) const SLASH: Has = Has(8);
    pub(super) const DOT: Has = Has(16);
    /// `_ - = # * (`: what is rare in prose and common in code.
    pub(super) const MARK: Has = Has(32);
    pub(super) const COLON: Has = Has(64);

    pub(super) const fn any(self, other: Has) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) const fn and(self, other: Has) -> Has {
        Has(self.0 | other.0)
    }
}

impl Chunk<'_> {
    /// Whether it is a word with an upper-case letter first, or a lower-case one with a full stop: most pieces are.
    pub(super) fn is_word(&self) -> bool {
        let text = self.text;
        (self.has == Has::UPPER || self.has == Has::DOT || self.has == Has::UPPER.and(Has::DOT))
            && text.bytes().skip(1).all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii())
            && !text.starts_with('.')
            && !(text.len() >= 7 && text.ends_with("file"))
            || text.is_empty()
    }
}

/// What each byte adds to the set.
const KINDS: [u8; 256] = {
    let mut kinds = [0u8; 256];
    let mut byte = 0usize;
    #[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // counted over the table itself
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'0'..=b'9' => Has::DIGIT.0,
            b'A'..=b'Z' => Has::UPPER.0,
            b'@' => Has::AT.0,
            b'/' | b'\\' => Has::SLASH.0,
            b'.' => Has::DOT.0,
            b'_' | b'-' | b'=' | b'#' | b'*' | b'(' => Has::MARK.0,
            b':' => Has::COLON.0,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// Punctuation that stands around a piece rather than in it.
const BEFORE: &[char] = &['(', '[', '{', '<', '"', '\'', '`', '“', '‘', '«', '„', ',', ';', '|', '>', '!'];
const AFTER: &[char] =
    &[')', ']', '}', '>', '"', '\'', '`', '”', '’', '»', '“', '.', ',', ';', ':', '!', '?', '…', '|', '<'];

impl<'t> Page<'t> {
    /// Splits a text into words and looks each of them up, in one pass.
    pub(super) fn read(text: &'t str) -> Page<'t> {
        let mut words = Vec::with_capacity(text.len() / 5 + 1);
        let mut start = None;
        for (at, c) in text.char_indices() {
            match (is_letter(c), start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    words.push(Word::new(text, from..at));
                    start = None;
                }
                _ => {}
            }
        }
        words.extend(start.map(|from| Word::new(text, from..text.len())));
        Page { text, words }
    }

    /// The text of a word; nothing where there is no such word.
    pub(super) fn word(&self, index: usize) -> &'t str {
        self.words.get(index).map_or("", |word| word.span.of(self.text))
    }

    /// What a word is known for.
    pub(super) fn traits(&self, index: usize) -> Traits {
        self.words.get(index).map_or(Traits::NONE, |word| word.traits)
    }

    /// Whether a word is known for any of these.
    pub(super) fn is(&self, index: usize, traits: Traits) -> bool {
        self.traits(index).any(traits)
    }

    /// The shape of a word.
    pub(super) fn shape(&self, index: usize) -> Option<Shape> {
        self.words.get(index).map(|word| word.shape)
    }

    /// Where a word begins.
    pub(super) fn start(&self, index: usize) -> usize {
        self.words.get(index).map_or(self.text.len(), |word| word.span.start as usize)
    }

    /// Where a word ends.
    pub(super) fn end(&self, index: usize) -> usize {
        self.words.get(index).map_or(self.text.len(), |word| word.span.end as usize)
    }

    /// What stands between a word and the next; behind the last, the rest of the text.
    pub(super) fn gap(&self, index: usize) -> &'t str {
        self.text.get(self.end(index)..self.start(index + 1)).unwrap_or_default()
    }

    /// What stands between the word before and this one; before the first, the beginning of the text.
    pub(super) fn gap_before(&self, index: usize) -> &'t str {
        let from = if index == 0 { 0 } else { self.end(index - 1) };
        self.text.get(from..self.start(index)).unwrap_or_default()
    }

    /// The bytes from the first of these words to the last, both included.
    pub(super) fn range(&self, first: usize, last: usize) -> Range<usize> {
        self.start(first)..self.end(last)
    }

    /// The index of the first word that begins at or behind a byte.
    pub(super) fn word_at(&self, byte: usize) -> usize {
        self.words.partition_point(|word| (word.span.start as usize) < byte)
    }

    /// Whether a sentence or a line begins with this word.
    pub(super) fn begins_sentence(&self, index: usize) -> bool {
        index == 0 || self.gap_before(index).contains(['.', '!', '?', '\n', ':', '"', '“'])
    }

    /// Whether one of so many words before this one is known for any of these.
    pub(super) fn cued(&self, index: usize, reach: usize, traits: Traits) -> bool {
        let from = index.saturating_sub(reach);
        self.words.get(from..index).is_some_and(|words| words.iter().any(|word| word.traits.any(traits)))
    }

    /// Whether one of so many words from this one on is known for any of these, on the same line.
    pub(super) fn cued_after(&self, index: usize, reach: usize, traits: Traits) -> bool {
        (index..index + reach)
            .take_while(|at| !self.gap_before(*at).contains('\n'))
            .any(|at| self.is(at, traits))
    }
}

impl Word {
    fn new(text: &str, range: Range<usize>) -> Word {
        let span = Span::new(range);
        let shape = shape_of(span.of(text));
        let traits = if shape == Shape::Digits { Traits::NONE } else { traits_of(span.of(text)) };
        Word { span, traits, shape }
    }
}

impl Shape {
    /// Whether it is written as names are.
    pub(super) const fn is_capital(self) -> bool {
        matches!(self, Shape::Capital | Shape::Upper)
    }
}

/// The pieces of a text that have more than lower-case letters in them, in order.
pub(super) fn chunks(text: &str) -> impl Iterator<Item = Chunk<'_>> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        while rest < text.len() {
            let tail = text.get(rest..)?;
            let blank = tail.find(|c: char| !c.is_whitespace()).unwrap_or(tail.len());
            let tail = tail.get(blank..)?;
            let mut has = Has::default();
            let mut end = tail.len();
            for (at, byte) in tail.bytes().enumerate() {
                if byte.is_ascii_whitespace() {
                    end = at;
                    break;
                }
                has.0 |= KINDS.get(usize::from(byte)).copied().unwrap_or_default();
            }
            let start = rest + blank;
            rest = start + end.max(1);
            if has != Has::default() {
                return Some(trim(tail.get(..end)?, start, has));
            }
        }
        None
    })
}

/// A piece without the punctuation around it.
fn trim(piece: &str, start: usize, has: Has) -> Chunk<'_> {
    let bare = piece.trim_start_matches(BEFORE);
    let start = start + piece.len() - bare.len();
    let text = bare.trim_end_matches(AFTER);
    Chunk { text, start, has }
}

/// Letters and digits, and the marks that change the letter before them.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || (!c.is_ascii() && (c.is_alphanumeric() || ('\u{300}'..='\u{36F}').contains(&c)))
}

fn shape_of(word: &str) -> Shape {
    let (mut digits, mut letters, mut upper) = (0usize, 0usize, 0usize);
    for c in word.chars() {
        if c.is_ascii_digit() {
            digits += 1;
        } else {
            letters += 1;
            upper += usize::from(c.is_uppercase());
        }
    }
    let first_is_upper = word.chars().next().is_some_and(char::is_uppercase);
    match (digits, letters) {
        (_, 0) => Shape::Digits,
        (1.., _) => Shape::Mixed,
        _ if upper == letters => Shape::Upper,
        _ if first_is_upper => Shape::Capital,
        _ => Shape::Lower,
    }
}
