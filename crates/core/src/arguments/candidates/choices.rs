//! Which of its choices does the message name? By its words, by what the schema calls it besides, and with typing errors.

use std::ops::Range;

use serde_json::Value;

use super::{Candidate, Seat};
use crate::arguments::By;
use crate::arguments::features::View;
use crate::arguments::form::{Choice, Slot};
use crate::arguments::heard::Heard;
use crate::arguments::phrase::Phrase;
use crate::arguments::spelling;
use crate::arguments::weights::real;

/// How sure a choice is that is named word for word.
const EXACT: f32 = 1.0;
/// How sure a choice is that the schema calls so.
const ALIAS: f32 = 0.95;
/// How much less sure a choice is that is named in another form of its words.
const OTHER_FORM: f32 = 0.85;
/// How sure one is that is named by some of its words, which no other choice has: "United" for United Airlines.
const IN_PART: f32 = 0.8;
/// What speaks for a choice that is named, before its length: more than any reading of the same words as free text.
const NAMED_SCORE: f32 = 6.0;
/// What each further word of its name adds: "all ages" rather than "all".
const SCORE_A_WORD: f32 = 0.5;

/// The choices that a message names, denied ones left out.
pub(super) fn find(seat: &Seat<'_>, found: &mut Vec<Candidate>) {
    let Seat { view, asked, place, slot, .. } = *seat;
    let from = found.len();
    let columns = asked.columns_of(slot);
    for choice in slot.choices.iter().chain(columns) {
        named(view, place, slot, choice, found);
    }
    if found.len() == from && slot.closed {
        in_part(view, place, slot, found);
    }
    only_as_written(view.heard, found, from);
}

/// A choice by its names; the first is its own.
fn named(view: &View<'_, '_>, place: usize, slot: &Slot, choice: &Choice, found: &mut Vec<Candidate>) {
    let from = found.len();
    for (nth, phrase) in choice.words.iter().enumerate() {
        let (by, confidence) = if nth == 0 { (By::Exact, EXACT) } else { (By::Alias, ALIAS) };
        for words in matches(view.heard, phrase) {
            // "check" is hardly ever "checking": another form of the word is less sure than the word itself.
            let same =
                phrase.words.iter().any(|word| words.clone().any(|at| view.heard.tokens.lower(at) == word));
            let confidence = if same { confidence } else { confidence * OTHER_FORM };
            push(view, place, choice, words, by, confidence, found);
        }
    }
    if found.len() > from || !(slot.closed || slot.columns) {
        return;
    }
    for phrase in &choice.words {
        for (words, confidence) in spelling::alike(view.heard, phrase) {
            push(view, place, choice, words, By::Fuzzy, confidence, found);
        }
    }
}

fn push(
    view: &View<'_, '_>,
    place: usize,
    choice: &Choice,
    words: Range<usize>,
    by: By,
    confidence: f32,
    found: &mut Vec<Candidate>,
) {
    if view.heard.denied(&words) {
        return;
    }
    let extra = real(words.len().saturating_sub(1)) * SCORE_A_WORD;
    let near = view.named_near(place, &words);
    found.push(Candidate {
        slot: place,
        value: choice.value.clone(),
        score: NAMED_SCORE * confidence * confidence + extra + near,
        words,
        confidence,
        by,
        doubt: None,
    });
}

/// Where the words of a phrase stand one after the other; a hyphen or the like between them is passed over.
pub(in crate::arguments) fn matches<'h>(
    heard: &'h Heard<'_>,
    phrase: &'h Phrase,
) -> impl Iterator<Item = Range<usize>> + use<'h> {
    (0..heard.len()).filter_map(move |from| match_at(heard, phrase, from))
}

fn match_at(heard: &Heard<'_>, phrase: &Phrase, from: usize) -> Option<Range<usize>> {
    let mut at = from;
    if let Some(end) = spelled(heard, phrase, from) {
        return Some(from..end);
    }
    for (nth, term) in phrase.terms.iter().enumerate() {
        if nth > 0 && heard.word(at).is_some_and(|word| word.sign) && is_joint(heard.tokens.lower(at)) {
            at += 1;
        }
        let word = heard.word(at).filter(|word| !word.sign && word.term == *term)?;
        debug_assert!(!word.sign);
        at += 1;
    }
    (at > from).then_some(from..at)
}

/// Where a short name ends that is spelled letter by letter with points: "P.C.A.".
fn spelled(heard: &Heard<'_>, phrase: &Phrase, from: usize) -> Option<usize> {
    let [name] = phrase.words.as_slice() else { return None };
    if !(2..=5).contains(&name.len()) || heard.tokens.lower(from + 1) != "." {
        return None;
    }
    let mut at = from;
    for letter in name.chars() {
        let mut one = heard.tokens.lower(at).chars();
        if one.next() != Some(letter) || one.next().is_some() {
            return None;
        }
        at += 1;
        if heard.tokens.lower(at) == "." && heard.tokens.is_joined(at) {
            at += 1;
        }
    }
    Some(at)
}

/// Signs that join the parts of a name.
fn is_joint(sign: &str) -> bool {
    matches!(sign, "-" | "_" | "/" | "." | "'" | "&")
}

/// Choices by a word that no other choice has.
fn in_part(view: &View<'_, '_>, place: usize, slot: &Slot, found: &mut Vec<Candidate>) {
    for (at, word) in view.heard.words.iter().enumerate().filter(|(_, word)| !word.empty) {
        if word.light || view.names_word(place, at) {
            continue;
        }
        let has = |choice: &&Choice| {
            let own = choice.words.first().filter(|phrase| phrase.words.len() > 1);
            own.and_then(|phrase| phrase.terms.first()) == Some(&word.term)
        };
        let mut having = slot.choices.iter().filter(has);
        if let (Some(choice), None) = (having.next(), having.next()) {
            push(view, place, choice, at..at + 1, By::Exact, IN_PART, found);
        }
    }
}

/// Where one place names several choices that differ in capitals alone ("AA", "Aa"), those that are written so.
fn only_as_written(heard: &Heard<'_>, found: &mut Vec<Candidate>, from: usize) {
    let written = |candidate: &Candidate| candidate.value.as_str() == Some(heard.text(&candidate.words));
    let exact: Vec<Range<usize>> =
        found.iter().skip(from).filter(|candidate| written(candidate)).map(|c| c.words.clone()).collect();
    let mut at = 0;
    found.retain(|candidate| {
        at += 1;
        at <= from
            || !exact.contains(&candidate.words)
            || written(candidate)
            || matches!(candidate.value, Value::Number(_))
    });
}
