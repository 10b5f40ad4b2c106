//! Which choices does a message speak of?

use std::ops::Range;

use serde_json::Value;

use crate::arguments::By;
use crate::arguments::candidates::{Candidate, Seat, by_clause};
use crate::arguments::features::View;
use crate::arguments::form::Slot;
use crate::arguments::settle::remaining::for_all;

/// How sure a clause must mean a choice for it to be in play, and where others are named: words mean a little of many things.
const MEANT_MIN: f32 = 0.85;
const MEANT_BESIDE_NAMES_MIN: f32 = 0.95;

/// A choice that the message speaks of.
pub(super) struct InPlay {
    pub value: Value,
    /// Where it is spoken of.
    pub words: Range<usize>,
    pub by: By,
    /// Whether it is said not to be so.
    pub denied: bool,
}

/// The choices of a slot that are in play, in the order in which they stand: those that are named, denied or not, and those that
/// clauses mean.
pub(super) fn in_play(seat: &Seat<'_>, candidates: &[Candidate]) -> Vec<InPlay> {
    let Seat { view, place, slot, .. } = *seat;
    let named = |candidate: &&Candidate| {
        candidate.slot == place && matches!(candidate.by, By::Exact | By::Alias | By::Fuzzy)
    };
    let mut options: Vec<InPlay> = candidates
        .iter()
        .filter(named)
        .map(|c| InPlay { value: c.value.clone(), words: c.words.clone(), by: c.by, denied: false })
        .collect();
    for choice in &slot.choices {
        let denied = view.named_at(choice).filter(|words| view.heard.denied(words));
        let denied =
            denied.map(|words| InPlay { value: choice.value.clone(), words, by: By::Exact, denied: true });
        options.extend(denied);
    }
    if view.taught.knows(place) {
        let named: Vec<(usize, Range<usize>)> = options.iter().map(|o| (place, o.words.clone())).collect();
        let least = if named.is_empty() { MEANT_MIN } else { MEANT_BESIDE_NAMES_MIN };
        // "The other ranking" means whichever was not spoken of.
        let other = said_other(view);
        let refers = |words: &Range<usize>| other.is_some_and(|at| view.heard.clause(words).contains(&at));
        let meant = by_clause(&Seat { named: &named, ..*seat }).into_iter();
        let meant = meant.filter(|(_, words, confidence)| *confidence >= least && !refers(words));
        options.extend(meant.map(|(value, words, _)| {
            let denied = view.heard.denied(&words);
            InPlay { value: value.clone(), words, by: By::Meaning, denied }
        }));
    }
    options.sort_by_key(|option| (option.words.start, std::cmp::Reverse(option.words.end)));
    let mut end = 0;
    options.retain(|option| {
        let free = option.words.start >= end;
        end = if free { option.words.end } else { end };
        free
    });
    options
}

/// Whether every choice but the one for all of them is in play, and none is denied.
pub(super) fn counted_up(slot: &Slot, options: &[InPlay]) -> bool {
    let Some(every) = for_all(slot) else { return false };
    let mut others = slot.choices.iter().filter(|choice| choice.value != every.value);
    let named = |value: &Value| options.iter().any(|option| option.value == *value && !option.denied);
    !options.iter().any(|option| option.value == every.value) && others.all(|choice| named(&choice.value))
}

/// Whether options are counted up one after the other, with nothing but little words between them.
pub(super) fn joined(view: &View<'_, '_>, options: &[InPlay]) -> bool {
    let little = |at: usize| {
        view.heard.word(at).is_none_or(|word| word.empty)
            && !matches!(view.heard.tokens.lower(at), "." | ";" | "?" | "!" | "but" | "or" | "not")
    };
    let mut pairs = options.iter().zip(options.iter().skip(1));
    pairs.all(|(one, other)| (one.words.end..other.words.start).all(little))
}

/// Words that stand for the one of two that was not spoken of.
const OTHER: [&str; 4] = ["other", "alternative", "opposite", "counterpart"];

/// Where the message speaks of the other one; "other than", "each other" and "on the other hand" do not.
pub(super) fn said_other(view: &View<'_, '_>) -> Option<usize> {
    let lower = |at: usize| view.heard.tokens.lower(at);
    let alone = |at: usize| {
        let before = at.checked_sub(1).map_or("", lower);
        !matches!(lower(at + 1), "than" | "hand" | "day" | "people")
            && !matches!(before, "each" | "any" | "every" | "some")
    };
    (0..view.heard.len()).find(|at| OTHER.contains(&lower(*at)) && alone(*at))
}
