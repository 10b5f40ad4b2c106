//! Which runs of letters, figures and signs is a text made of?

use crate::message::Span;

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Letters, with apostrophes within them: `don't`.
    Word,
    /// Figures alone: `2013`. What joins them (`1,000`, `3.5`) is for the reader of numbers to say.
    Figures,
    /// One sign that is neither letter, figure nor space.
    Sign,
}

/// A run of letters or figures, or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it stands, in bytes of the text.
    pub span: Span,
    /// Letters, figures or a sign.
    pub kind: Kind,
    /// Whether white space, or nothing, stands before it.
    pub spaced: bool,
    /// In small letters.
    pub lower: String,
}

/// A text cut into tokens. "3km" is two of them, the second not spaced.
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    text: &'t str,
    tokens: Vec<Token>,
}

impl<'t> Tokens<'t> {
    /// Cuts a text.
    pub fn new(text: &'t str) -> Tokens<'t> {
        let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
        let mut spaced = true;
        let mut rest = text.char_indices().peekable();
        while let Some((start, first)) = rest.next() {
            if first.is_whitespace() {
                spaced = true;
                continue;
            }
            let kind = kind_of(first);
            let mut end = start + first.len_utf8();
            while let Some(&(at, next)) = rest.peek() {
                let after = || text.get(at + next.len_utf8()..).and_then(|rest| rest.chars().next());
                if !goes_on(kind, next, after) {
                    break;
                }
                end = at + next.len_utf8();
                rest.next();
            }
            let span = Span::new(start..end);
            tokens.push(Token { span, kind, spaced, lower: span.of(text).to_lowercase() });
            spaced = false;
        }
        Tokens { text, tokens }
    }

    /// The text as it was written.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The token at a place.
    pub fn get(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    /// The token at a place in small letters; empty beyond the end, so that nothing need be asked twice.
    pub fn lower(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &token.lower)
    }

    /// Whether a token stands there, right behind the one before it.
    pub fn is_joined(&self, at: usize) -> bool {
        at > 0 && self.tokens.get(at).is_some_and(|token| !token.spaced)
    }

    /// The span from one token to another, the second not included.
    pub fn span(&self, from: usize, to: usize) -> Span {
        let start = self.tokens.get(from).map_or(0, |token| token.span.start);
        let end =
            to.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(start, |token| token.span.end);
        Span { start, end }
    }
}

fn kind_of(c: char) -> Kind {
    match c {
        _ if c.is_ascii_digit() => Kind::Figures,
        _ if c.is_alphabetic() => Kind::Word,
        _ => Kind::Sign,
    }
}

/// Whether a character goes on with the token it follows. An apostrophe does within a word.
fn goes_on(kind: Kind, c: char, after: impl Fn() -> Option<char>) -> bool {
    match kind {
        Kind::Word => {
            c.is_alphabetic() || (matches!(c, '\'' | '’') && after().is_some_and(char::is_alphabetic))
        }
        Kind::Figures => c.is_ascii_digit(),
        Kind::Sign => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tokens = Tokens::new(text);
        let cut: Vec<&str> = (0..tokens.len()).map(|at| tokens.lower(at)).collect();
        assert_eq!(cut, expected, "{text}");
    }

    #[test]
    fn a_text_is_cut_where_letters_figures_and_signs_change() {
        check("3km", &["3", "km"]);
        check("Don't pay $1,000.50!", &["don't", "pay", "$", "1", ",", "000", ".", "50", "!"]);
        check("at 5' or ’tis", &["at", "5", "'", "or", "’", "tis"]);
        check("", &[]);
    }
}
