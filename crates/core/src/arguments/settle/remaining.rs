//! Which choice is left when the others are named or ruled out?

use std::ops::Range;

use serde_json::Value;

use super::{SETTLED_SCORE, places};
use crate::arguments::candidates::{Candidate, Seat, ruled_out};
use crate::arguments::features::View;
use crate::arguments::form::{Choice, Slot};
use crate::arguments::{ASK_MIN, Asked, By, Doubt};

/// How sure the one choice is that is left when the others are ruled out.
const REMAINING: f32 = 0.85;

/// Words that stand for all the others of a list of choices.
const ALL_OF_THEM: [&str; 3] = ["both", "all", "every"];

/// The choice that stands for all the others.
pub(super) fn for_all(slot: &Slot) -> Option<&Choice> {
    let first = |choice: &Choice| Some(choice.words.first()?.words.first()?.clone());
    slot.choices.iter().find(|choice| first(choice).is_some_and(|word| ALL_OF_THEM.contains(&word.as_str())))
}

/// Where every choice but the one for all of them is named, that one: "rdt and microscopy" is both. With an "or" between
/// them it is a question.
pub(super) fn by_counting_up(
    view: &View<'_, '_>,
    place: usize,
    slot: &Slot,
    candidates: &mut Vec<Candidate>,
) {
    let Some(all) = for_all(slot) else { return };
    let named: Vec<&Candidate> = candidates
        .iter()
        .filter(|c| c.slot == place && matches!(c.by, By::Exact | By::Alias | By::Fuzzy))
        .collect();
    let is_named = |choice: &Choice| named.iter().any(|candidate| candidate.value == choice.value);
    let others = || slot.choices.iter().filter(|choice| choice.value != all.value);
    if others().count() < 2 || !others().all(is_named) || view.heard.alternates() {
        return;
    }
    let words = named.iter().map(|c| c.words.start).min().unwrap_or(0)
        ..named.iter().map(|c| c.words.end).max().unwrap_or(0);
    candidates.retain(|candidate| candidate.slot != place);
    candidates.push(Candidate {
        slot: place,
        value: all.value.clone(),
        words,
        score: SETTLED_SCORE,
        confidence: REMAINING,
        by: By::Exact,
        doubt: None,
    });
}

/// The one choice that is left when the message rules out the others.
pub(super) fn by_exclusion(
    view: &View<'_, '_>,
    asked: &Asked<'_>,
    place: usize,
    slot: &Slot,
    candidates: &mut Vec<Candidate>,
) {
    // "Any level but primary" names every level, and denies one.
    let every = for_all(slot).map(|choice| &choice.value);
    let named =
        |candidate: &Candidate| candidate.slot == place && !matches!(candidate.by, By::Meaning | By::Fuzzy);
    let rest = candidates.iter().filter(|c| named(c)).all(|c| Some(&c.value) == every);
    let named = candidates.iter().any(named);
    let denied: Vec<(&Choice, Range<usize>)> = slot
        .choices
        .iter()
        .filter_map(|choice| Some((choice, view.named_at(choice).find(|words| view.heard.denied(words))?)))
        .collect();
    let meant = candidates.iter().any(|c| c.slot == place && c.confidence >= ASK_MIN);
    let names: Vec<(usize, Range<usize>)> = denied.iter().map(|(_, words)| (place, words.clone())).collect();
    let seat = Seat { view, asked, place, slot, named: &names };
    let by_meaning = if named || meant { Vec::new() } else { ruled_out(&seat) };
    let by_place = places::denied(view, asked, place);
    let by_name = denied.iter().map(|(choice, words)| (&choice.value, words.clone()));
    let out: Vec<(&Value, Range<usize>)> = by_name.chain(by_meaning).collect();
    let placed = by_place.iter().map(|(value, words)| (value, words.clone()));
    let out: Vec<(&Value, Range<usize>)> = out.into_iter().chain(placed).collect();
    let Some((_, words)) = out.first().filter(|_| !named || rest) else { return };
    let ruled_out = |choice: &Choice| out.iter().any(|(value, _)| **value == choice.value);
    let left: Vec<&Choice> =
        slot.choices.iter().filter(|choice| !ruled_out(choice) && asked.shows(choice)).collect();
    candidates.retain(|candidate| candidate.slot != place);
    // Where all are ruled out, all are put to the speaker again.
    let left: Vec<&Choice> = if left.is_empty() { slot.choices.iter().collect() } else { left };
    let doubt = match left.as_slice() {
        [_] => None,
        several => Some(Doubt::Several(several.iter().map(|choice| choice.value.clone()).collect())),
    };
    let Some(choice) = left.first().copied() else { return };
    candidates.push(Candidate {
        slot: place,
        value: choice.value.clone(),
        words: words.clone(),
        score: SETTLED_SCORE,
        confidence: REMAINING,
        by: By::Exact,
        doubt,
    });
}
