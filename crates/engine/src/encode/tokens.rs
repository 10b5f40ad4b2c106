//! Which pieces of words is a text made of? WordPiece, as BERT's uncased vocabulary was made for.
//!
//! Equal to the reference tokeniser token for token (`tests/tokens.rs` holds it to that on ten thousand texts of many
//! scripts), without its weight.

use std::ops::Range;

use unicode_categories::UnicodeCategories;
use unicode_normalization::UnicodeNormalization;

use super::pieces::Pieces;

/// The id of a piece of a word.
pub type TokenId = u32;

/// Longest word that is taken apart, in characters; a longer one is unknown. The reference's bound.
const WORD_CHARS_MAX: usize = 100;
/// Tokens with a meaning of their own, which stand for themselves wherever a text has them.
const SPECIAL: &[&str] = &["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

/// A vocabulary of pieces of words.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// Pieces that begin a word.
    first: Pieces,
    /// Pieces that go on with one, without their `##`.
    further: Pieces,
    unknown: TokenId,
}

impl Vocabulary {
    /// Reads a vocabulary: a piece a line, its id the number of the line. Nothing where it has no `[UNK]`.
    pub fn read(lines: &str) -> Option<Vocabulary> {
        let (mut first, mut further) = (Pieces::for_about(1 << 15), Pieces::for_about(1 << 13));
        for (piece, id) in lines.lines().zip(0..) {
            match piece.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => further.insert(rest, id),
                _ => first.insert(piece, id),
            }
        }
        let unknown = first.get("[UNK]")?;
        Some(Vocabulary { first, further, unknown })
    }

    /// How many pieces there are.
    pub fn count(&self) -> usize {
        self.first.len() + self.further.len()
    }

    /// The tokens of a text, appended.
    pub fn tokenize(&self, text: &str, tokens: &mut Vec<TokenId>) {
        let mut rest = text;
        while let Some((at, special)) = next_special(rest) {
            let (before, after) =
                (rest.get(..at).unwrap_or_default(), rest.get(at + special.len()..).unwrap_or_default());
            self.tokenize_plain(before, tokens);
            tokens.extend(self.first.get(special));
            rest = after;
        }
        self.tokenize_plain(rest, tokens);
    }

    fn tokenize_plain(&self, text: &str, tokens: &mut Vec<TokenId>) {
        let mut word = String::new();
        let mut take = |c: char| {
            if c.is_whitespace() {
                self.end_word(&mut word, tokens);
            } else if is_punctuation(c) {
                self.end_word(&mut word, tokens);
                word.push(c);
                self.end_word(&mut word, tokens);
            } else {
                word.push(c);
            }
        };
        if text.is_ascii() {
            text.bytes().filter_map(clean_ascii).for_each(&mut take);
        } else {
            fold(text).for_each(&mut take);
        }
        self.end_word(&mut word, tokens);
    }

    /// Where a whole word stands in the vocabulary, whose order is about that of how common words are; nothing where it is in pieces.
    pub fn place_of(&self, word: &str) -> Option<TokenId> {
        self.first.get(word)
    }

    /// The tokens of a text, each with where it stands, in bytes.
    pub fn tokenize_with_places(&self, text: &str) -> Vec<(TokenId, Range<usize>)> {
        let (mut tokens, mut start, mut rest) = (Vec::new(), 0, text);
        while let Some((at, special)) = next_special(rest) {
            let (before, after) =
                (rest.get(..at).unwrap_or_default(), rest.get(at + special.len()..).unwrap_or_default());
            self.place_plain(before, start, &mut tokens);
            let end = start + at + special.len();
            tokens.extend(self.first.get(special).map(|id| (id, start + at..end)));
            (start, rest) = (end, after);
        }
        self.place_plain(rest, start, &mut tokens);
        tokens
    }

    /// The same of a text without special tokens, which begins somewhere within another.
    fn place_plain(&self, text: &str, start: usize, tokens: &mut Vec<(TokenId, Range<usize>)>) {
        let mut word = PlacedWord::default();
        for (at, letter) in text.char_indices() {
            let place = start + at..start + at + letter.len_utf8();
            let mut bytes = [0; 4];
            let mut folded = fold(letter.encode_utf8(&mut bytes)).peekable();
            if folded.peek().is_none() {
                // A mark that is not read belongs to the letter before it.
                word.extend_to(place.end);
            }
            for c in folded {
                if c.is_whitespace() {
                    self.place_word(&mut word, tokens);
                } else if is_punctuation(c) {
                    self.place_word(&mut word, tokens);
                    word.push(c, &place);
                    self.place_word(&mut word, tokens);
                } else {
                    word.push(c, &place);
                }
            }
        }
        self.place_word(&mut word, tokens);
    }

    fn place_word(&self, word: &mut PlacedWord, tokens: &mut Vec<(TokenId, Range<usize>)>) {
        let PlacedWord { text, places } = std::mem::take(word);
        let before = tokens.len();
        let of = |from: usize, to: usize| {
            let end = to.checked_sub(1).and_then(|last| places.get(last)).map_or(0, |place| place.end);
            places.get(from).map_or(0, |place| place.start)..end
        };
        let mut from = 0;
        let known = self.take_apart(&text, |id, length| {
            tokens.push((id, of(from, from + length)));
            from += length;
        });
        if !known {
            tokens.truncate(before);
            tokens.push((self.unknown, of(0, text.len())));
        }
    }

    /// Takes a word apart; a word with an unknown piece is unknown as a whole.
    fn end_word(&self, word: &mut String, tokens: &mut Vec<TokenId>) {
        let before = tokens.len();
        if !self.take_apart(word, |id, _| tokens.push(id)) {
            tokens.truncate(before);
            tokens.push(self.unknown);
        }
        word.clear();
    }

    /// Gives the pieces of a word, longest first, each with its length; says whether all of them are known.
    fn take_apart(&self, word: &str, mut piece: impl FnMut(TokenId, usize)) -> bool {
        let too_long = word.len() > WORD_CHARS_MAX && word.chars().count() > WORD_CHARS_MAX;
        let mut rest = word;
        let mut pieces = &self.first;
        while !rest.is_empty() {
            let Some((id, length)) = pieces.longest(rest).filter(|_| !too_long) else { return false };
            piece(id, length);
            rest = rest.get(length..).unwrap_or_default();
            pieces = &self.further;
        }
        true
    }
}

/// A word as it is read, and where the letter of each of its bytes stands.
#[derive(Default)]
struct PlacedWord {
    text: String,
    places: Vec<Range<usize>>,
}

impl PlacedWord {
    fn extend_to(&mut self, end: usize) {
        let Some(start) = self.places.last().map(|last| last.start) else { return };
        for place in self.places.iter_mut().rev().take_while(|place| place.start == start) {
            place.end = end;
        }
    }

    fn push(&mut self, c: char, place: &Range<usize>) {
        self.text.push(c);
        self.places.resize(self.text.len(), place.clone());
    }
}

fn next_special(text: &str) -> Option<(usize, &'static str)> {
    let mut brackets = text.match_indices('[').map(|(at, _)| at);
    brackets.find_map(|at| {
        let here = text.get(at..)?;
        SPECIAL.iter().find(|special| here.starts_with(**special)).map(|special| (at, *special))
    })
}

/// A byte as it is read: in lower case, control characters dropped, white space as a space.
fn clean_ascii(byte: u8) -> Option<char> {
    match byte {
        b'\t' | b'\n' | b'\r' | b' ' => Some(' '),
        0..=31 | 127 => None,
        byte => Some(char::from(byte.to_ascii_lowercase())),
    }
}

/// A text as it is read: cleaned, ideographs set apart, accents dropped, in lower case.
fn fold(text: &str) -> impl Iterator<Item = char> {
    let clean = text.chars().filter(|c| !is_dropped(*c)).map(|c| if is_space(c) { ' ' } else { c });
    let apart = clean.flat_map(|c| {
        let spaced = is_ideograph(c).then_some(' ');
        spaced.into_iter().chain(std::iter::once(c)).chain(spaced)
    });
    apart.nfd().filter(|c| !c.is_mark_nonspacing()).flat_map(char::to_lowercase)
}

fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r') || c.is_whitespace()
}

fn is_dropped(c: char) -> bool {
    matches!(c, '\0' | '\u{fffd}') || (!matches!(c, '\t' | '\n' | '\r') && c.is_other())
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_punctuation() } else { c.is_punctuation() }
}

fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' | '\u{20000}'..='\u{2A6DF}' | '\u{2A700}'..='\u{2B73F}'
        | '\u{2B740}'..='\u{2B81F}' | '\u{2B920}'..='\u{2CEAF}' | '\u{F900}'..='\u{FAFF}' | '\u{2F800}'..='\u{2FA1F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECES: &str = "[PAD]\n[UNK]\n[CLS]\nfix\nit\npre\n##fix\n##es\n,\ncafe\n数\n##数\n";

    #[track_caller]
    fn check(text: &str, expected: &[TokenId]) {
        let mut tokens = Vec::new();
        Vocabulary::read(PIECES).unwrap().tokenize(text, &mut tokens);
        assert_eq!(tokens, expected, "{text}");
    }

    #[test]
    fn words_are_taken_apart_longest_piece_first() {
        check("Fix it, prefixes", &[3, 4, 8, 5, 6, 7]);
        check("fixit", &[1]);
        check("CAFÉ", &[9]);
        check("数数", &[10, 10]);
        check("a[CLS]fix", &[1, 2, 3]);
        check("fi\u{7}x \u{200b}it", &[3, 4]);
        check(&format!("pre{}", "fix".repeat(40)), &[1]);
        check(" ", &[]);
    }

    #[test]
    fn tokens_know_where_they_stand() {
        let vocabulary = Vocabulary::read(PIECES).unwrap();
        for text in
            ["Fix it, prefixes", "a CAFÉ 数数[CLS]fix", "fi\u{7}x \u{200b}it", "cafe\u{301}, ﬁx it!", ""]
        {
            let mut ids = Vec::new();
            vocabulary.tokenize(text, &mut ids);
            let placed = vocabulary.tokenize_with_places(text);
            assert_eq!(placed.iter().map(|(id, _)| *id).collect::<Vec<_>>(), ids, "{text}");
            assert!(
                placed.iter().all(|(_, place)| text.get(place.clone()).is_some_and(|said| !said.is_empty())),
                "{text}"
            );
        }
        let marked = vocabulary.tokenize_with_places("cafe\u{301} it");
        assert_eq!(
            marked.first().map(|(_, place)| place.clone()),
            Some(0..6),
            "the accent belongs to the word"
        );
        let placed = vocabulary.tokenize_with_places("it: prefixes");
        let texts: Vec<&str> =
            placed.into_iter().filter_map(|(_, place)| "it: prefixes".get(place)).collect();
        assert_eq!(texts, ["it", ":", "pre", "fix", "es"]);
    }
}
