//! How is a text written, once spelling habits are set aside?
//!
//! Matching works on a *folded* text: NFKC, lower case, contractions written out, white space and control
//! characters folded to single spaces, invisible format characters dropped. [`Folded`] remembers where
//! every piece came from, so that a match can point at the text as the person wrote it.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::contractions::{self, Expansion};
use super::span::{Span, position};

/// A text as it is matched, with the way back to the text as it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    text: String,
    pieces: Vec<Piece>,
    line_ends: Vec<u32>,
}

/// A run of the folded text and the run of the original it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    folded: Span,
    original: Span,
    /// The two correspond byte by byte; elsewhere the run maps as a whole.
    even: bool,
}

impl Folded {
    /// Folds a text.
    pub fn new(original: &str) -> Folded {
        let mut folding = Folding::with_room_for(original);
        if original.is_ascii() {
            folding.ascii(original);
        } else {
            folding.unicode(original);
        }
        folding.finish()
    }

    /// The folded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where lines of the original ended, as positions in the folded text.
    pub fn line_ends(&self) -> &[u32] {
        &self.line_ends
    }

    /// The span of the original that a span of the folded text stands for.
    pub fn original(&self, folded: Span) -> Span {
        let start = self.piece_at(folded.start).map_or(0, |piece| piece.original_start(folded.start));
        let last = folded.end.saturating_sub(1).max(folded.start);
        let end = self.piece_at(last).map_or(start, |piece| piece.original_end(folded.end));
        Span { start, end: end.max(start) }
    }

    fn piece_at(&self, at: u32) -> Option<&Piece> {
        let after = self.pieces.partition_point(|piece| piece.folded.start <= at);
        self.pieces.get(after.checked_sub(1)?)
    }
}

impl Piece {
    fn original_start(&self, at: u32) -> u32 {
        if self.even { self.original.start + (at - self.folded.start) } else { self.original.start }
    }

    fn original_end(&self, end: u32) -> u32 {
        let within = end.min(self.folded.end).saturating_sub(self.folded.start);
        if self.even { self.original.start + within } else { self.original.end }
    }
}

/// The folded text while it grows.
struct Folding {
    folded: Folded,
    /// Where the word now being written began, or the end of the text between words.
    word_start: usize,
    /// White space is owed before the next word.
    space_owed: Option<Span>,
}

impl Folding {
    fn with_room_for(original: &str) -> Folding {
        // Contractions add a byte or two; one spare sixteenth spares most texts a second allocation.
        let text = String::with_capacity(original.len() + original.len() / 16 + 8);
        let folded = Folded { text, pieces: Vec::with_capacity(16), line_ends: Vec::new() };
        Folding { folded, word_start: 0, space_owed: None }
    }

    fn ascii(&mut self, original: &str) {
        for (at, byte) in original.bytes().enumerate() {
            self.character(char::from(byte.to_ascii_lowercase()), Span::new(at..at + 1), true);
        }
    }

    /// Folds cluster by cluster: a starter with the marks that may compose with it. Composition does not
    /// cross such a border (but for loose Hangul letters), so folding piecewise equals folding the whole.
    fn unicode(&mut self, original: &str) {
        let mut cluster_start = 0;
        let mut marks = false;
        for (at, c) in original.char_indices() {
            if at > cluster_start && !continues_cluster(c) {
                self.cluster(original, cluster_start..at, marks);
                cluster_start = at;
                marks = false;
            }
            marks |= at > cluster_start;
        }
        self.cluster(original, cluster_start..original.len(), marks);
    }

    fn cluster(&mut self, original: &str, range: std::ops::Range<usize>, marks: bool) {
        let span = Span::new(range.clone());
        let Some(cluster) = original.get(range) else { return };
        match cluster.chars().next() {
            // NFKC would take an acute accent typed for an apostrophe apart into a space and a mark.
            Some(c) if is_apostrophe(c) && !marks => self.character('\'', span, false),
            Some(c) if c.is_ascii() && !marks => self.character(c.to_ascii_lowercase(), span, true),
            Some(_) => {
                for c in cluster.nfkc().flat_map(char::to_lowercase) {
                    self.character(c, span, false);
                }
            }
            None => {}
        }
    }

    fn character(&mut self, c: char, original: Span, even: bool) {
        if c.is_whitespace() || c.is_control() {
            self.end_word();
            if matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') {
                self.line_end();
            }
            return self.owe_space(original);
        }
        if is_invisible(c) {
            return;
        }
        if !(is_word_char(c) || c == '\'') {
            self.end_word();
            self.write(c, original, even);
            self.word_start = self.folded.text.len();
            return;
        }
        self.write(c, original, even && c.len_utf8() == 1);
    }

    fn line_end(&mut self) {
        let at = position(self.folded.text.len());
        if self.folded.line_ends.last() != Some(&at) {
            self.folded.line_ends.push(at);
        }
    }

    fn owe_space(&mut self, original: Span) {
        if !self.folded.text.is_empty() {
            let owed = self.space_owed.map_or(original.start, |owed| owed.start);
            self.space_owed = Some(Span { start: owed, end: original.end });
        }
    }

    fn write(&mut self, c: char, original: Span, even: bool) {
        if let Some(owed) = self.space_owed.take() {
            self.append(" ", owed, owed.end - owed.start == 1);
            self.word_start = self.folded.text.len();
        }
        self.append(c.encode_utf8(&mut [0; 4]), original, even);
    }

    fn append(&mut self, piece: &str, original: Span, even: bool) {
        let start = self.folded.text.len();
        self.folded.text.push_str(piece);
        let folded = Span::new(start..self.folded.text.len());
        match self.folded.pieces.last_mut() {
            Some(last) if even && last.even && last.original.end == original.start => {
                last.folded.end = folded.end;
                last.original.end = original.end;
            }
            // A second character out of the same cluster belongs to the same piece.
            Some(last) if !even && last.original == original => last.folded.end = folded.end,
            _ => self.folded.pieces.push(Piece { folded, original, even }),
        }
    }

    /// The word just written may be a contraction; write it out.
    fn end_word(&mut self) {
        let start = std::mem::replace(&mut self.word_start, self.folded.text.len());
        let Some(word) = self.folded.text.get(start..) else { return };
        // A word in single quotes is still that word.
        let quotes = word.len() - word.trim_start_matches('\'').len();
        let closing = word.len() - word.trim_end_matches('\'').len();
        let Some(Expansion { kept, suffix }) = contractions::expand(word.trim_matches('\'')) else { return };
        let (cut, end) = (start + quotes + kept, self.folded.text.len() - closing);
        let original = self.folded.original(Span::new(cut..end));
        let after = self.folded.original(Span::new(end..self.folded.text.len()));
        self.cut_back(cut);
        self.append(suffix, original, false);
        if closing > 0 {
            self.append(&"'".repeat(closing), after, false);
        }
        self.word_start = self.folded.text.len();
    }

    fn cut_back(&mut self, to: usize) {
        self.folded.text.truncate(to);
        let to = position(to);
        while self.folded.pieces.last().is_some_and(|piece| piece.folded.start >= to) {
            self.folded.pieces.pop();
        }
        if let Some(last) = self.folded.pieces.last_mut().filter(|piece| piece.folded.end > to) {
            last.original.end = last.original_end(to);
            last.folded.end = to;
        }
    }

    fn finish(mut self) -> Folded {
        self.end_word();
        self.folded
    }
}

/// Whether a character can compose with, or belongs to, the cluster before it.
fn continues_cluster(c: char) -> bool {
    is_combining_mark(c) || matches!(c, '\u{1160}'..='\u{11FF}' | '\u{FF9E}' | '\u{FF9F}')
}

/// Format characters that print nothing: joiners, marks of direction, the byte-order mark, the soft
/// hyphen, tags. Left in, they would let a word hide from its own name.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E007F}')
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\u{2018}' | '\u{2019}' | '\u{2BC}' | '\u{2032}' | '\u{B4}')
}

/// Whether a character is part of a word: letters, digits, marks and the underscore.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || (!c.is_ascii() && is_combining_mark(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(original: &str, folded: &str) {
        assert_eq!(Folded::new(original).text(), folded);
    }

    #[test]
    fn spelling_habits_are_set_aside() {
        check("", "");
        check("  Fix\t\r\n it \u{7} ", "fix it");
        check("ISN’T don´t", "is not do not");
        check("it's wrong; can't fix", "it is wrong; can not fix");
        check("The action's output", "the action's output");
        check("'can't' and 'cannot'", "'can not' and 'can not'");
        check("ｓｕｒｇｉｃａｌ ﬁx", "surgical fix");
        check("sur\u{AD}gi\u{200B}cal", "surgical");
        check("Cafe\u{301} Straße", "café straße");
        check("مرحبا 👩\u{200D}💻", "مرحبا 👩💻");
        check("don't", "do not");
    }

    #[track_caller]
    fn check_origin(original: &str, part: &str, expected: &str) {
        let folded = Folded::new(original);
        let at = folded.text().find(part).unwrap();
        assert_eq!(folded.original(Span::new(at..at + part.len())).of(original), expected);
    }

    #[test]
    fn every_piece_knows_where_it_came_from() {
        check_origin("It   Isn't\tOK", "not", "n't");
        check_origin("It   Isn't\tOK", "is not ok", "Isn't\tOK");
        check_origin("It   Isn't\tOK", "ok", "OK");
        check_origin("We can’t fix", "can not", "can’t");
        check_origin("We can’t fix", "fix", "fix");
        check_origin("ｓurgical", "surgical", "ｓurgical");
        check_origin("e\u{301}tude fix", "étude", "e\u{301}tude");
        check_origin("a  b", " b", "  b");
    }

    #[test]
    fn line_ends_are_remembered() {
        assert_eq!(Folded::new("a b\n\nc").line_ends(), [3]);
        assert_eq!(Folded::new("isn't\nc").line_ends(), [6], "behind the word as it is written out");
    }

    proptest! {
        #[test]
        fn folding_piecewise_equals_folding_the_whole(original in "[^'’‘ʼ′`´]{0,40}") {
            let whole: String = original.nfkc().flat_map(char::to_lowercase).filter(|c| !is_invisible(*c)).collect();
            let squeeze = |text: &str| -> String {
                text.chars().filter(|c| !c.is_whitespace() && !c.is_control() && !is_apostrophe(*c) && *c != '\'').collect()
            };
            let folded = Folded::new(&original);
            if !folded.text().contains(" not") && !folded.text().contains("can") {
                prop_assert_eq!(squeeze(folded.text()), squeeze(&whole));
            }
        }

        #[test]
        fn every_span_leads_back_inside_the_original(original in "\\PC{0,30}|[ a-z'\n\u{301}ﬁ]{0,30}", a in 0usize..40, b in 0usize..40) {
            let folded = Folded::new(&original);
            let borders: Vec<usize> = (0..=folded.text().len()).filter(|at| folded.text().is_char_boundary(*at)).collect();
            let (a, b) = (borders[a % borders.len()], borders[b % borders.len()]);
            let span = Span::new(a.min(b)..a.max(b));
            let back = folded.original(span);
            prop_assert!(original.get(back.range()).is_some(), "{:?} {:?}", span, back);
        }
    }
}
