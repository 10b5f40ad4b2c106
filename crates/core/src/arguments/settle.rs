//! What does the manner of speaking settle? What is taken back, set against another, swapped, placed, remembered or left over.

use std::ops::Range;

use serde_json::Value;

use super::candidates::Candidate;
use super::features::View;
use super::form::{Choice, Kind, Slot};
use super::talk::Talk;
use super::{Asked, By};
use crate::mentions::Value as Found;

/// How sure a place in the visible options is.
const ORDINAL: f32 = 0.9;
/// How sure what is remembered is, where the message refers to it.
const MEMORY: f32 = 0.9;
/// How sure the one choice is that is left when the others are ruled out.
const REMAINING: f32 = 0.85;
/// What speaks for each of them: the message says so in as many words.
const SETTLED_SCORE: f32 = 7.0;

impl Talk {
    /// Adds what the manner of speaking settles to the candidates, and takes away what it takes back.
    pub fn settle(&self, view: &View<'_, '_>, asked: &Asked<'_>, candidates: &mut Vec<Candidate>) {
        take_back(view, candidates);
        outdone(view, candidates);
        swapped(view, candidates);
        if self.asks {
            candidates.clear();
            return;
        }
        self.by_place(view, asked, candidates);
        if let Some(words) = &self.refers {
            by_memory(view, asked, words, candidates);
        }
        for (place, slot) in
            view.form.slots.iter().enumerate().filter(|(_, slot)| slot.closed && slot.many.is_none())
        {
            by_counting_up(view, place, slot, candidates);
            by_exclusion(view, asked, place, slot, candidates);
        }
        faint(view, self.refers.is_some(), candidates);
    }

    /// The option at the place that is named.
    fn by_place(&self, view: &View<'_, '_>, asked: &Asked<'_>, candidates: &mut Vec<Candidate>) {
        let Some((place, words)) = &self.ordinal else { return };
        let at = place.unwrap_or(asked.options.len().saturating_sub(1));
        let Some(option) = asked.options.get(at) else { return };
        let Some((slot, value)) = slot_of_options(view, asked, option) else { return };
        let listed = view.form.slots.get(slot).is_some_and(|slot| slot.many.is_some());
        let (value, words) = if listed { all_places(view, asked, words) } else { (value, words.clone()) };
        candidates
            .retain(|candidate| candidate.words.end <= words.start || candidate.words.start >= words.end);
        candidates.push(Candidate {
            slot,
            value,
            words,
            score: SETTLED_SCORE,
            confidence: ORDINAL,
            by: By::Ordinal,
            doubt: None,
        });
    }
}

/// The options of all places that are named, as a list: "the first and the third".
fn all_places(view: &View<'_, '_>, asked: &Asked<'_>, words: &Range<usize>) -> (Value, Range<usize>) {
    let places = view.heard.mentions.iter().filter_map(|mention| match mention.value {
        Found::Ordinal(place) => {
            Some((usize::try_from(place).ok()?.checked_sub(1)?, view.heard.words_of(mention.span)))
        }
        _ => None,
    });
    let mut values = Vec::new();
    let mut all = words.clone();
    for (place, words) in places {
        if let Some((_, value)) =
            asked.options.get(place).and_then(|option| slot_of_options(view, asked, option))
        {
            values.push(value);
            all = all.start.min(words.start)..all.end.max(words.end);
        }
    }
    (Value::Array(values), all)
}

/// Where something is said for a slot after a correction, what was said before it is dropped.
fn take_back(view: &View<'_, '_>, candidates: &mut Vec<Candidate>) {
    let Some(turn) = view.heard.turn else { return };
    let corrected: Vec<usize> = candidates
        .iter()
        .filter(|candidate| candidate.words.start >= turn)
        .map(|candidate| candidate.slot)
        .collect();
    // What is corrected stands where its correction is meant: the new value is as likely there as the old one was.
    let before: Vec<(usize, f32, f32)> = candidates
        .iter()
        .filter(|candidate| candidate.words.end <= turn && corrected.contains(&candidate.slot))
        .map(|candidate| (candidate.slot, candidate.score, candidate.confidence))
        .collect();
    candidates.retain(|candidate| candidate.words.start >= turn || !corrected.contains(&candidate.slot));
    for candidate in candidates.iter_mut().filter(|candidate| candidate.words.start >= turn) {
        for (_, score, confidence) in before.iter().filter(|(slot, ..)| *slot == candidate.slot) {
            candidate.score = candidate.score.max(*score);
            candidate.confidence = candidate.confidence.max(*confidence);
        }
    }
}

/// Where one thing is put in the place of another, the other is dropped: "swap ndvi for elevation".
fn swapped(view: &View<'_, '_>, candidates: &mut [Candidate]) {
    let lower = |at: usize| view.heard.tokens.lower(at);
    let Some(verb) = (0..view.heard.len()).find(|at| matches!(lower(*at), "swap" | "replace" | "switch"))
    else {
        return;
    };
    let joint = (verb + 1..view.heard.len()).find(|at| matches!(lower(*at), "for" | "with" | "by" | "to"));
    let Some(joint) = joint else { return };
    for candidate in candidates.iter_mut() {
        if let Value::Array(values) = &mut candidate.value {
            let named = |value: &Value| {
                value.as_str().is_some_and(|name| {
                    let words = super::phrase::Phrase::new(name);
                    super::candidates::matches(view.heard, &words)
                        .any(|at| verb < at.start && at.end <= joint)
                })
            };
            values.retain(|value| !named(value));
        }
    }
}

/// How sure a meaning must be where the message already says something else for another slot.
const MEANING_BESIDE_MIN: f32 = 0.9;

/// Drops what a slot that may be left out is only said by its meaning, where words say something surer for another: in a message
/// about one thing, many words mean a little of another.
fn faint(view: &View<'_, '_>, refers: bool, candidates: &mut Vec<Candidate>) {
    let best = |place: usize| {
        candidates
            .iter()
            .filter(|c| c.slot != place && c.by != By::Learned)
            .map(|c| c.confidence)
            .fold(0.0, f32::max)
    };
    let faint = |candidate: &Candidate| {
        let optional =
            view.form.slots.get(candidate.slot).is_some_and(|slot| !slot.required && slot.kind != Kind::Flag);
        let confidence = candidate.confidence;
        let beside = best(candidate.slot) > confidence || refers;
        let sure = confidence >= MEANING_BESIDE_MIN && !refers;
        candidate.by == By::Meaning && (optional || refers) && !sure && beside
    };
    let faint: Vec<bool> = candidates.iter().map(faint).collect();
    let mut faint = faint.into_iter();
    candidates.retain(|_| !faint.next().unwrap_or(false));
}

/// Where two choices of a slot are set against each other, the second is dropped: "pca rather than composite", "pca over
/// composite", "rather pca than composite".
fn outdone(view: &View<'_, '_>, candidates: &mut Vec<Candidate>) {
    let lost = |later: &Candidate| {
        let before =
            later.words.start.checked_sub(1).map(|at| view.heard.tokens.lower(at)).unwrap_or_default();
        matches!(before, "than" | "over")
            && candidates.iter().any(|other| {
                other.slot == later.slot && other.words.end < later.words.start && other.value != later.value
            })
    };
    let lost: Vec<bool> = candidates.iter().map(lost).collect();
    let mut lost = lost.into_iter();
    candidates.retain(|_| !lost.next().unwrap_or(false));
}

/// Which slot the visible options are for, and the value of one of them.
fn slot_of_options(view: &View<'_, '_>, asked: &Asked<'_>, option: &str) -> Option<(usize, Value)> {
    let value = |slot: &Slot| {
        let is =
            |choice: &&Choice| choice.words.iter().any(|phrase| phrase.text.eq_ignore_ascii_case(option));
        slot.choices.iter().chain(asked.columns_of(slot)).find(is).map(|choice| choice.value.clone())
    };
    let asked_for = asked.about.and_then(|name| view.form.place(name));
    let places = asked_for.into_iter().chain(0..view.form.slots.len());
    let mut places = places;
    let known = places.find_map(|place| Some((place, value(view.form.slots.get(place)?)?)));
    known.or_else(|| {
        let open = |place: &usize| view.form.slots.get(*place).is_some_and(|slot| !slot.closed);
        let place = asked_for.filter(open).or_else(|| (0..view.form.slots.len()).find(open))?;
        Some((place, Value::String(option.to_owned())))
    })
}

/// What is remembered of the slots that are meant: those that are named, or all that nothing else is said for.
fn by_memory(view: &View<'_, '_>, asked: &Asked<'_>, words: &Range<usize>, candidates: &mut Vec<Candidate>) {
    let named: Vec<usize> = (0..view.form.slots.len()).filter(|place| view.names_slot(*place)).collect();
    let asked_for = asked.about.and_then(|name| view.form.place(name));
    for (place, slot) in view.form.slots.iter().enumerate() {
        let meant = match asked_for {
            Some(asked_for) => place == asked_for,
            None => named.is_empty() || named.contains(&place),
        };
        let said = candidates.iter().any(|c| {
            c.slot == place && c.confidence >= super::RUN_MIN && !matches!(c.by, By::Learned | By::Meaning)
        });
        let Some(value) = asked.remembered(slot).filter(|_| meant && !said) else { continue };
        candidates.retain(|candidate| candidate.slot != place);
        candidates.push(Candidate {
            slot: place,
            value: value.clone(),
            // Several slots may refer to the past with the same words, so they take none away.
            words: words.start..words.start,
            score: SETTLED_SCORE,
            confidence: MEMORY,
            by: By::Memory,
            doubt: None,
        });
    }
}

/// Words that stand for all the others of a list of choices.
const ALL_OF_THEM: [&str; 3] = ["both", "all", "every"];

/// Where every choice but the one for all of them is named, that one: "rdt and microscopy" is both. With an "or" between
/// them it is a question.
fn by_counting_up(view: &View<'_, '_>, place: usize, slot: &Slot, candidates: &mut Vec<Candidate>) {
    let stands_for_all = |choice: &&Choice| {
        choice
            .words
            .first()
            .and_then(|own| own.words.first())
            .is_some_and(|word| ALL_OF_THEM.contains(&word.as_str()))
    };
    let Some(all) = slot.choices.iter().find(stands_for_all) else { return };
    let named: Vec<&Candidate> = candidates
        .iter()
        .filter(|c| c.slot == place && matches!(c.by, By::Exact | By::Alias | By::Fuzzy))
        .collect();
    let is_named = |choice: &Choice| named.iter().any(|candidate| candidate.value == choice.value);
    let others = || slot.choices.iter().filter(|choice| choice.value != all.value);
    let alternatives =
        (0..view.heard.len()).any(|at| matches!(view.heard.tokens.lower(at), "or" | "versus" | "vs"));
    if others().count() < 2 || !others().all(is_named) || alternatives {
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
fn by_exclusion(
    view: &View<'_, '_>,
    asked: &Asked<'_>,
    place: usize,
    slot: &Slot,
    candidates: &mut Vec<Candidate>,
) {
    let named = candidates.iter().any(|c| c.slot == place && !matches!(c.by, By::Meaning | By::Fuzzy));
    let denied: Vec<(&Choice, Range<usize>)> = slot
        .choices
        .iter()
        .filter_map(|choice| Some((choice, view.named_at(choice).find(|words| view.heard.denied(words))?)))
        .collect();
    let Some((_, words)) = denied.first().filter(|_| !named) else { return };
    let ruled_out = |choice: &Choice| denied.iter().any(|(out, _)| out.value == choice.value);
    let shown = |choice: &Choice| {
        let is = |option: &String| choice.words.iter().any(|phrase| phrase.text.eq_ignore_ascii_case(option));
        asked.options.is_empty() || asked.options.iter().any(is)
    };
    let left: Vec<&Choice> =
        slot.choices.iter().filter(|choice| !ruled_out(choice) && shown(choice)).collect();
    candidates.retain(|candidate| candidate.slot != place);
    let doubt = match left.as_slice() {
        [_] => None,
        several => Some(super::Doubt::Several(several.iter().map(|choice| choice.value.clone()).collect())),
    };
    let Some(choice) = left.first().copied().or(slot.choices.first()) else { return };
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
