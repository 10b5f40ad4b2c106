//! What stands at a place of the text: a word of time, a number, an ordinal, a word that joins?

use std::cell::{Cell, OnceCell};

use super::super::calendar::{Civil, Date, Grain};
use super::super::tokens::Kind;
use super::super::{Setting, Tokens, numbers};
use super::holidays;
use super::lexicon::{self, Word};
use super::piece::Piece;

/// A text whose words of time are looked up, and what it is read against.
pub(super) struct Scene<'a> {
    pub tokens: &'a Tokens<'a>,
    pub setting: &'a Setting,
    /// The time on the speaker's clock; where nobody tells it, some time.
    pub now: Civil,
    words: Vec<(Option<Word>, bool)>,
    /// What was read at a place already, so that a long text costs no more than its length.
    pub atoms: Vec<OnceCell<Option<(Piece, usize)>>>,
    /// How deep expressions within expressions are being read.
    pub depth: Cell<usize>,
}

impl<'a> Scene<'a> {
    pub fn new(tokens: &'a Tokens<'a>, setting: &'a Setting) -> Option<Scene<'a>> {
        let look_up = |at: usize| (lexicon::word(tokens.lower(at)), holidays::may_begin(tokens.lower(at)));
        let words = (0..tokens.len()).map(look_up).collect();
        let now = match setting.now {
            Some(now) => now,
            None => Date::new(1970, 1, 1)?.start(),
        };
        let atoms = vec![OnceCell::new(); tokens.len()];
        Some(Scene { tokens, setting, now, words, atoms, depth: Cell::new(0) })
    }

    /// What the word at a place says of time.
    pub fn word(&self, at: usize) -> Option<Word> {
        self.words.get(at).and_then(|(word, _)| *word)
    }

    /// Whether the name of a holiday may begin at a place.
    pub fn names_holiday(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|(_, holiday)| *holiday)
    }

    /// Whether a word or sign stands at a place.
    pub fn is(&self, at: usize, word: &str) -> bool {
        self.tokens.lower(at) == word
    }

    /// Whether one of some words stands at a place.
    pub fn any(&self, at: usize, words: &[&str]) -> bool {
        words.contains(&self.tokens.lower(at))
    }

    /// The place after some words, where they stand there one after another.
    pub fn all(&self, at: usize, words: &[&str]) -> Option<usize> {
        words.iter().enumerate().all(|(more, word)| self.is(at + more, word)).then_some(at + words.len())
    }

    /// The place after the first of some words that stands here, or the same place.
    pub fn skip(&self, at: usize, words: &[&str]) -> usize {
        at + usize::from(self.any(at, words))
    }

    /// Whether the token at a place is made of figures.
    pub fn is_figures(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Figures)
    }

    /// Figures at a place and how many they are, four at most: longer numbers are no part of a time.
    pub fn figures(&self, at: usize) -> Option<(i64, usize)> {
        let lower = self.tokens.lower(at);
        (self.is_figures(at) && lower.len() <= 4).then(|| Some((lower.parse().ok()?, lower.len())))?
    }

    /// Whether figures stand for themselves: not the whole part of "1,000" or "3.5", nor joined to letters ("200k")
    /// or to a sign before them ("$5").
    pub fn is_plain(&self, at: usize) -> bool {
        let joined = |at: usize| self.tokens.is_joined(at);
        let apart = !joined(at) || at == 0 || self.any(at - 1, &["(", "\"", "'", "@", "-", "–", "/", "["]);
        let unit = matches!(self.tokens.lower(at + 1), "%" | "$" | "€" | "£" | "°" | "/" | "#");
        let longer = self.any(at + 1, &[".", ",", ":"]) && joined(at + 2) && self.is_figures(at + 2);
        let sign = self.tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Sign);
        let after = !joined(at + 1) || sign && !unit && !longer;
        apart && after
    }

    /// A number below sixty in figures or words, for hours, minutes and days.
    pub fn small(&self, at: usize) -> Option<(i64, usize)> {
        if let Some((value, count)) = self.figures(at) {
            return (count <= 2).then_some((value, at + 1));
        }
        let Some(Word::Count(tens)) = self.word(at) else { return None };
        if tens >= 20 {
            let next = self.hyphen(at + 1);
            if let Some(Word::Count(units @ 1..=9)) = self.word(next) {
                return Some((tens + units, next + 1));
            }
        }
        Some((tens, at + 1))
    }

    /// A place in an order: 3rd, third, twenty-first.
    pub fn place(&self, at: usize) -> Option<(i64, usize)> {
        if !self.is_figures(at) && !matches!(self.word(at), Some(Word::Place | Word::Count(20 | 30))) {
            return None;
        }
        numbers::ordinal_at(self.tokens, at)
    }

    /// The place after a hyphen within a word.
    pub fn hyphen(&self, at: usize) -> usize {
        at + usize::from(self.is(at, "-") && self.tokens.is_joined(at) && self.tokens.is_joined(at + 1))
    }

    /// The unit of time at a place, and how many of it the word stands for.
    pub fn unit(&self, at: usize) -> Option<(Grain, i64)> {
        match self.word(at) {
            Some(Word::Unit(grain, count)) => Some((grain, count)),
            Some(Word::Place) if self.is(at, "second") => Some((Grain::Second, 1)),
            _ if self.is(at, "m") && self.tokens.is_joined(at) => Some((Grain::Minute, 1)),
            _ if self.is(at, "s") && self.tokens.is_joined(at) => Some((Grain::Second, 1)),
            _ if self.is(at, "d") && self.tokens.is_joined(at) => Some((Grain::Day, 1)),
            _ => None,
        }
    }

    /// How many: a number, "a", "a couple of", "a few".
    pub fn count(&self, at: usize) -> Option<(f64, usize)> {
        let after = self.skip(at, &["a", "the"]);
        let vague = match self.tokens.lower(after) {
            "couple" | "pair" => 2.0,
            "few" => 3.0,
            _ => 0.0,
        };
        if vague > 0.0 {
            return Some((vague, self.skip(after + 1, &["of"])));
        }
        if self.any(at, &["a", "an"]) {
            return Some((1.0, at + 1));
        }
        if let Some((value, next)) = self.small(at).filter(|(_, next)| self.unit(*next).is_some()) {
            return Some((f64::from(i32::try_from(value).ok()?), next));
        }
        numbers::at(self.tokens, at).or_else(|| {
            let (value, next) = self.small(at)?;
            Some((f64::from(i32::try_from(value).ok()?), next))
        })
    }
}
