//! What was said, as slots look at it: words with what is denied, taken back or named, each read once.

use std::ops::Range;

use super::meaning::{Meaning, bring_to_length_one, dot};
use super::phrase;
use super::taught::Taught;
use crate::mentions::{self, Mention, Setting, Tokens};
use crate::message::{Reading, Span};
use crate::selection::terms::{self, Term};

/// A word, a run of figures or a sign of the message.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is seen for itself, and all combine
pub(super) struct Word {
    /// The form that all its forms share.
    pub term: Term,
    /// The same of what it was meant to be, where it has typing errors.
    pub meant: Term,
    /// Whether it is a sign.
    pub sign: bool,
    /// Whether it says nothing by itself: an article, a pronoun, a preposition.
    pub empty: bool,
    /// Whether it only carries the sentence: "want", "use", "show", "please".
    pub light: bool,
    /// Whether it begins with a capital.
    pub capital: bool,
    /// Whether it is said not to be so.
    pub denied: bool,
}

/// A message, read for its values.
pub(super) struct Heard<'t> {
    pub tokens: Tokens<'t>,
    pub words: Vec<Word>,
    pub mentions: Vec<Mention>,
    /// Whether words besides the first are written with capitals, so that small letters say something.
    pub has_capitals: bool,
    /// Where a correction begins: what was said before it is taken back.
    pub turn: Option<usize>,
    /// The sums of the words' vectors up to each word.
    sums: Vec<f32>,
    dimensions: usize,
}

impl<'t> Heard<'t> {
    /// Hears a message. Words with typing errors are taken to mean the words of the form that they are closest to.
    pub fn new(text: &'t str, setting: &Setting, taught: &Taught, meaning: &dyn Meaning) -> Heard<'t> {
        let tokens = Tokens::new(text);
        let denied = denied(text);
        let mut words = Vec::with_capacity(tokens.len());
        let dimensions = meaning.dimensions();
        let mut sums = vec![0.0; dimensions];
        sums.reserve(dimensions * tokens.len());
        for at in 0..tokens.len() {
            let Some(token) = tokens.get(at) else { break };
            let figure = is_figure(tokens.lower(at + 1));
            let compares = compared(&token.lower).filter(|_| figure);
            let said = compares.unwrap_or(&token.lower);
            let sign = token.kind == mentions::TokenKind::Sign && compares.is_none();
            let from = sums.len() - dimensions;
            sums.extend_from_within(from..);
            let meant = if sign { None } else { taught.mended(said, meaning) };
            if !sign {
                let sum = sums.get_mut(from + dimensions..).unwrap_or_default();
                meaning.add(meant.unwrap_or(said), sum);
            }
            words.push(Word {
                term: phrase::term(said),
                meant: phrase::term(meant.unwrap_or(said)),
                sign,
                empty: sign || terms::is_empty_word(said),
                light: sign || is_light(said),
                capital: token.span.of(text).starts_with(char::is_uppercase),
                denied: denied.iter().any(|span| span.holds(token.span)),
            });
        }
        deny_but(&mut words, &tokens);
        deny_on(&mut words, &tokens);
        let mentions = mentions::find(text, setting);
        let turn = turn(&tokens);
        // A no that answers denies what was said before, and not what follows it.
        if matches!(tokens.lower(0), "no" | "nope" | "nah") && !is_denied_by_no(tokens.lower(1)) {
            undo_denial(&mut words, &tokens, 1);
        }
        if let Some(turn) = turn {
            // What follows a correction is what is meant, so the no of the correction does not deny it.
            undo_denial(&mut words, &tokens, turn);
        }
        let has_capitals = words.iter().skip(1).any(|word| word.capital && !word.empty);
        Heard { tokens, words, mentions, has_capitals, turn, sums, dimensions }
    }

    /// Whether a border between words lies within a run of letters and figures: "CA123456" is one word.
    pub fn is_within_run(&self, at: usize) -> bool {
        let is_letter = |at: usize| self.word(at).is_some_and(|word| !word.sign);
        let joined = |at: usize| self.tokens.is_joined(at);
        let joins = |at: usize| {
            matches!(self.tokens.lower(at), "_" | "-" | "'" | "." | "@" | "^" | "*" | ":" | "/" | "&")
        };
        let before = at.checked_sub(1);
        joined(at)
            && before.is_some_and(|before| {
                (is_letter(before) && is_letter(at))
                    || (is_letter(before) && joins(at) && joined(at + 1) && is_letter(at + 1))
                    || (joins(before)
                        && joined(before)
                        && is_letter(at)
                        && before > 0
                        && is_letter(before - 1))
            })
    }

    /// The clause that words stand in: up to the signs and the "and" around them.
    pub fn clause(&self, words: &Range<usize>) -> Range<usize> {
        let breaks =
            |at: &usize| matches!(self.tokens.lower(*at), "," | ";" | "." | "?" | "!" | "and" | ":" | "—");
        let start = (0..words.start).rev().find(breaks).map_or(0, |at| at + 1);
        let end = (words.end..self.len()).find(breaks).unwrap_or(self.len());
        start..end
    }

    /// The part of a list that words stand in: up to whatever joins the parts.
    pub fn part(&self, words: &Range<usize>) -> Range<usize> {
        let joins = |at: &usize| matches!(self.tokens.lower(*at), "plus" | "with" | "&" | "+" | "n");
        let clause = self.clause(words);
        let start = (clause.start..words.start).rev().find(joins).map_or(clause.start, |at| at + 1);
        let end = (words.end..clause.end).find(joins).unwrap_or(clause.end);
        start..end
    }

    /// Whether one thing is set beside another to choose from.
    pub fn alternates(&self) -> bool {
        (0..self.len()).any(|at| matches!(self.tokens.lower(at), "or" | "versus" | "vs"))
    }

    /// How many words and signs there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn word(&self, at: usize) -> Option<&Word> {
        self.words.get(at)
    }

    /// The text from one word to another, the second not included.
    pub fn text(&self, words: &Range<usize>) -> &'t str {
        self.span(words).of(self.tokens.text())
    }

    pub fn span(&self, words: &Range<usize>) -> Span {
        self.tokens.span(words.start, words.end)
    }

    /// Where words stand, in bytes.
    pub fn bytes(&self, words: &Range<usize>) -> Range<usize> {
        let span = self.span(words);
        span.start as usize..span.end as usize
    }

    /// The words a span covers.
    pub fn words_of(&self, span: Span) -> Range<usize> {
        let position = |holds: &dyn Fn(Span) -> bool| {
            (0..self.len()).find(|at| self.tokens.get(*at).is_some_and(|token| holds(token.span)))
        };
        let start = position(&|token| token.end > span.start).unwrap_or(self.len());
        let end = position(&|token| token.start >= span.end).unwrap_or(self.len());
        start..end.max(start)
    }

    /// What a run of words means, of length one; false where nothing is known.
    pub fn sum(&self, words: &Range<usize>, room: &mut Vec<f32>) -> bool {
        room.clear();
        let sum = |at: usize| self.sums.get(at * self.dimensions..(at + 1) * self.dimensions);
        let (Some(before), Some(after)) = (sum(words.start), sum(words.end)) else { return false };
        room.extend(after.iter().zip(before).map(|(after, before)| after - before));
        bring_to_length_one(room);
        self.dimensions > 0
    }

    /// What some words mean together, of length one; false where nothing is known.
    pub fn sum_of(&self, words: impl Iterator<Item = usize>, room: &mut Vec<f32>) -> bool {
        room.clear();
        room.resize(self.dimensions, 0.0);
        let sum = |at: usize| self.sums.get(at * self.dimensions..(at + 1) * self.dimensions);
        for at in words {
            let (Some(before), Some(after)) = (sum(at), sum(at + 1)) else { return false };
            for ((total, after), before) in room.iter_mut().zip(after).zip(before) {
                *total += after - before;
            }
        }
        bring_to_length_one(room);
        self.dimensions > 0
    }

    /// How alike a run of words and a phrase are in meaning: from −1 to 1, 0 where nothing is known.
    pub fn like(&self, words: &Range<usize>, vector: &[f32], room: &mut Vec<f32>) -> f32 {
        if vector.len() == self.dimensions && self.sum(words, room) { dot(room, vector) } else { 0.0 }
    }

    /// Whether what stands there is taken back later: "primary, no wait, secondary".
    pub fn taken_back(&self, words: &Range<usize>) -> bool {
        self.turn.is_some_and(|turn| words.end <= turn)
    }

    /// Whether all of it is denied.
    pub fn denied(&self, words: &Range<usize>) -> bool {
        let mut said = self.words.get(words.clone()).unwrap_or_default().iter().filter(|word| !word.sign);
        said.clone().count() > 0 && said.all(|word| word.denied)
    }
}

/// Takes the denial off the words behind a correction, up to where something denies them anew.
fn undo_denial(words: &mut [Word], tokens: &Tokens<'_>, turn: usize) {
    for (at, word) in words.iter_mut().enumerate().skip(turn) {
        if matches!(tokens.lower(at), "not" | "without" | "except" | "never") {
            break;
        }
        word.denied = false;
    }
}

/// Goes on denying to the end of a clause, or to a word that begins another wish: "not the list based on averages, the other".
fn deny_on(words: &mut [Word], tokens: &Tokens<'_>) {
    const WISHES: [&str; 14] = [
        "but", "and", "or", "so", "just", "only", "let", "give", "use", "take", "please", "instead", "i",
        "we",
    ];
    let mut denied = false;
    for (at, word) in words.iter_mut().enumerate() {
        let ends = (word.sign && tokens.lower(at) != "-") || WISHES.contains(&tokens.lower(at));
        denied = (denied || word.denied) && !ends;
        word.denied |= denied;
    }
}

/// Words between "any" and the "but" that makes an exception.
const ANY_BUT_WORDS: usize = 4;

/// Denies what stands behind an "any … but", to the end of its clause: "any level but primary".
fn deny_but(words: &mut [Word], tokens: &Tokens<'_>) {
    let opens = |at: usize| matches!(tokens.lower(at), "any" | "every");
    let any = |at: usize| (at.saturating_sub(ANY_BUT_WORDS)..at).any(opens);
    let Some(but) = (0..tokens.len()).find(|at| tokens.lower(*at) == "but" && any(*at)) else { return };
    for word in words.iter_mut().skip(but + 1).take_while(|word| !word.sign) {
        word.denied = true;
    }
}

/// What the message says is not so, in its own bytes.
fn denied(text: &str) -> Vec<Span> {
    let reading = Reading::new(text);
    let scopes = reading.negations().iter().flat_map(|negation| {
        [Some(negation.scope), negation.subject].into_iter().flatten().map(|span| reading.original(span))
    });
    scopes.collect()
}

/// Words that carry a request and say nothing of what is wanted: the verbs of wanting and giving, answers, and what refers
/// to other words. Sorted.
const LIGHT: &[&str] = &[
    "again", "also", "before", "both", "each", "either", "first", "get", "give", "go", "good", "great",
    "hello", "hey", "hi", "just", "kindly", "know", "last", "let", "let's", "like", "look", "make", "maybe",
    "morning", "need", "neither", "no", "nor", "not", "ok", "okay", "one", "only", "pick", "pls", "prefer",
    "same", "second", "see", "select", "set", "show", "sure", "take", "tell", "thanks", "third", "time",
    "try", "use", "using", "want", "well", "yes",
];

/// Whether a no before this word denies it: "no filter", and not "no it is", "no, make it".
fn is_denied_by_no(word: &str) -> bool {
    !matches!(word, "," | "." | "!" | "-") && !is_light(word)
}

fn is_light(word: &str) -> bool {
    LIGHT.binary_search(&word).is_ok() || terms::is_empty_word(word)
}

/// Words with which a speaker takes back what he just said, longest first. They belong to how people talk and not to what
/// about.
const TURNS: &[&[&str]] = &[
    &["on", "second", "thought"],
    &["let", "me", "rephrase"],
    &["no", "wait"],
    &["scratch", "that"],
    &["scrap", "that"],
    &["strike", "that"],
    &["make", "that"],
    &["make", "it"],
    &["i", "mean"],
    &["i", "meant"],
    &["or", "rather"],
    &["change", "that"],
    &["pardon", "me"],
    &["hang", "on"],
    &["hold", "on"],
    &["my", "mistake"],
    &["my", "apologies"],
    &["apologies"],
    &["wait"],
    &["actually"],
    &["sorry"],
    &["correction"],
    &["oops"],
];

/// The word that a sign before a number stands for.
fn compared(sign: &str) -> Option<&'static str> {
    match sign {
        "<" | "≤" => Some("under"),
        ">" | "≥" => Some("over"),
        _ => None,
    }
}

/// Whether a word begins with a figure.
pub(super) fn is_figure(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// Where the last correction begins: behind its words. One that opens the message corrects nothing in it.
fn turn(tokens: &Tokens<'_>) -> Option<usize> {
    let at = |from: usize| {
        // "composite, no, pca"; "of 6, no 7": a no between two signs, or behind one.
        let comma = |at: usize| {
            matches!(tokens.lower(at), "," | "-" | "–" | "—" | "." | ":" | "…")
                || matches!(tokens.lower(at), "hmm" | "er" | "err" | "erm" | "uh" | "um")
        };
        // "Clinics, no hospitals" denies; what is taken back is followed by a sign, a number or the words of a new wish.
        let wish = |at: usize| comma(at) || is_light(tokens.lower(at)) || is_figure(tokens.lower(at));
        if tokens.lower(from) == "no" && comma(from - 1) && wish(from + 1) {
            return Some(from + 1 + usize::from(comma(from + 1)));
        }
        let cue = TURNS
            .iter()
            .find(|cue| cue.iter().enumerate().all(|(offset, word)| tokens.lower(from + offset) == *word))?;
        Some(from + cue.len())
    };
    // "Composite, er, PCA I mean": a cue that ends the message corrects with what stands before it.
    let closes = |from: usize, end: usize| {
        let comma = (1..from).rev().find(|at| tokens.lower(*at) == ",").map(|at| at + 1);
        comma.filter(|_| (end..tokens.len()).all(|at| !tokens.lower(at).starts_with(char::is_alphanumeric)))
    };
    let says = |end: usize| (end..tokens.len()).any(|at| tokens.lower(at).starts_with(char::is_alphanumeric));
    let instead = (1..tokens.len()).find(|at| tokens.lower(*at) == "instead" && tokens.lower(at + 1) != "of");
    // "Leave rainfall, take flood instead": what stands in the clause of the "instead" holds.
    let replaced = instead.and_then(|at| {
        let sign = |at: &usize| matches!(tokens.lower(*at), "," | ";" | "." | "-" | "–" | "—");
        (1..at).rev().find(sign).map(|sign| sign + 1)
    });
    (1..tokens.len())
        .rev()
        .find_map(|from| at(from).and_then(|end| closes(from, end).or(Some(end).filter(|end| says(*end)))))
        .or(replaced)
}
