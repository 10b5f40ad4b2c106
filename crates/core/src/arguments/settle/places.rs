//! Which of the visible options is meant by its place?

use std::ops::Range;

use serde_json::Value;

use super::{SETTLED_SCORE, remaining};
use crate::arguments::candidates::Candidate;
use crate::arguments::features::View;
use crate::arguments::form::{Choice, Kind, Slot};
use crate::arguments::talk::Talk;
use crate::arguments::{Asked, By, RUN_MIN};
use crate::mentions::{Mention, Value as Found};

/// How sure a place in the visible options is.
const ORDINAL: f32 = 0.9;
/// Words with something to say beside a place in a list: "the second column listed".
const BESIDE_PLACE_MAX: usize = 2;

impl Talk {
    /// Whether the message names a place in a list and says nothing besides: it means what stands there, or nothing.
    pub fn is_place_alone(&self, view: &View<'_, '_>) -> bool {
        let Some((_, words)) = &self.ordinal else { return false };
        let said = view.heard.words.iter().enumerate().filter(|(at, _)| !words.contains(at));
        said.filter(|(_, word)| !word.light && !word.empty).count() <= BESIDE_PLACE_MAX
    }

    /// The option at the place that is named.
    pub(super) fn by_place(&self, view: &View<'_, '_>, asked: &Asked<'_>, candidates: &mut Vec<Candidate>) {
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

/// The options of all places that are named, as a list: "the first and the third", "the last two", "1 and 3".
fn all_places(view: &View<'_, '_>, asked: &Asked<'_>, words: &Range<usize>) -> (Value, Range<usize>) {
    let heard = view.heard;
    let count = asked.options.len();
    let mut places: Vec<usize> = Vec::new();
    let mut all = words.clone();
    for mention in &heard.mentions {
        let at = heard.words_of(mention.span);
        let before = at.start.checked_sub(1).map(|at| heard.tokens.lower(at)).unwrap_or_default();
        let found: Range<usize> = match &mention.value {
            Found::Ordinal(place) => nth(*place),
            Found::Number(amount) => match (before, amount.single().and_then(small)) {
                ("first" | "top", Some(few)) => 0..few,
                ("last" | "bottom", Some(few)) => count.saturating_sub(few)..count,
                (before, Some(place)) if !is_pronoun(view, &at, before) => {
                    nth(i64::try_from(place).unwrap_or_default())
                }
                _ => continue,
            },
            _ => continue,
        };
        places.extend(found.filter(|place| *place < count));
        all = all.start.min(at.start)..all.end.max(at.end);
    }
    let last = (0..heard.len()).find(|at| heard.tokens.lower(*at) == "last" && !few_behind(view, *at));
    places.extend(last.and(count.checked_sub(1)));
    places.sort_unstable();
    places.dedup();
    let option =
        |place: &usize| slot_of_options(view, asked, asked.options.get(*place)?).map(|(_, value)| value);
    (Value::Array(places.iter().filter_map(option).collect()), all)
}

/// Whether a one stands for an option: "the third one".
fn is_pronoun(view: &View<'_, '_>, words: &Range<usize>, before: &str) -> bool {
    let one = words.clone().all(|at| view.heard.tokens.lower(at) == "one");
    one && !matches!(before, "option" | "options" | "number" | "numbers" | "")
}

/// The place that an ordinal names, as a range of one; empty below the first.
fn nth(place: i64) -> Range<usize> {
    let place = usize::try_from(place).unwrap_or_default();
    place.saturating_sub(1)..place
}

/// A count of options, where a number is one.
fn small(number: f64) -> Option<usize> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole and small by the condition
    (number.fract() == 0.0 && (0.0..=PLACES_MAX).contains(&number)).then_some(number as usize)
}

/// The highest place in a list that anybody names.
const PLACES_MAX: f64 = 64.0;

/// Whether a number follows a word: "the last two".
fn few_behind(view: &View<'_, '_>, at: usize) -> bool {
    let starts = |mention: &Mention| view.heard.words_of(mention.span).start == at + 1;
    view.heard.mentions.iter().any(|mention| matches!(mention.value, Found::Number(_)) && starts(mention))
}

/// Words that mean every one of the visible options.
const EVERY_ONE: [&str; 5] = ["all", "every", "everything", "both", "each"];

/// The options of a slot whose places are denied: "not the second".
pub(super) fn denied(view: &View<'_, '_>, asked: &Asked<'_>, place: usize) -> Vec<(Value, Range<usize>)> {
    let named = view.heard.mentions.iter().filter_map(|mention| match mention.value {
        Found::Ordinal(nth) => {
            Some((usize::try_from(nth).ok()?.checked_sub(1)?, view.heard.words_of(mention.span)))
        }
        _ => None,
    });
    let option = |(nth, words): (usize, Range<usize>)| {
        let (slot, value) = slot_of_options(view, asked, asked.options.get(nth)?)?;
        (slot == place && view.heard.denied(&words)).then_some((value, words))
    };
    named.filter_map(option).collect()
}

/// Which slot the visible options are for.
pub(in crate::arguments) fn slot_in_view(view: &View<'_, '_>, asked: &Asked<'_>) -> Option<usize> {
    asked.options.first().and_then(|option| slot_of_options(view, asked, option)).map(|(place, _)| place)
}

/// Where a message means every one of the options it sees: the choice that stands for all of them, or the whole list.
pub(super) fn every_one(view: &View<'_, '_>, asked: &Asked<'_>, candidates: &mut Vec<Candidate>) {
    let Some(place) = slot_in_view(view, asked) else { return };
    let Some(slot) = view.form.slots.get(place) else { return };
    let every = (0..view.heard.len())
        .find(|at| EVERY_ONE.contains(&view.heard.tokens.lower(*at)) && !view.heard.denied(&(*at..at + 1)));
    let own = |candidate: &Candidate| candidate.slot == place && candidate.by != By::Meaning;
    if let Some(at) = every.filter(|_| !candidates.iter().any(own)) {
        let value = match slot.many {
            Some(_) => {
                asked.options.iter().filter_map(|o| slot_of_options(view, asked, o)).map(|(_, v)| v).collect()
            }
            None => remaining::for_all(slot).map_or(Value::Null, |choice| choice.value.clone()),
        };
        if !value.is_null() {
            candidates.retain(|candidate| candidate.slot != place);
            candidates.push(Candidate {
                slot: place,
                value,
                words: at..at + 1,
                score: SETTLED_SCORE,
                confidence: ORDINAL,
                by: By::Ordinal,
                doubt: None,
            });
        }
    }
}

/// What a message says for the slot whose options it sees, it does not say for another.
pub(super) fn in_view(view: &View<'_, '_>, asked: &Asked<'_>, candidates: &mut Vec<Candidate>) {
    let Some(place) = slot_in_view(view, asked) else { return };
    let answers: Vec<Range<usize>> = candidates
        .iter()
        .filter(|c| c.slot == place && c.confidence >= RUN_MIN)
        .map(|c| c.words.clone())
        .collect();
    let same = |words: &Range<usize>| answers.iter().any(|a| a.start < words.end && words.start < a.end);
    candidates.retain(|candidate| {
        candidate.slot == place
            || answers.is_empty()
            || !(candidate.by == By::Meaning || same(&candidate.words))
    });
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
        let number: Option<serde_json::Number> = serde_json::from_str(option).ok();
        let shown: Vec<f64> = asked.options.iter().filter_map(|option| option.parse().ok()).collect();
        let open = |place: &usize| {
            view.form.slots.get(*place).is_some_and(|slot| {
                let holds = |number: &f64| slot.bounds.hold(*number) && slot.soft.hold(*number);
                let whole = slot.kind != Kind::Integer || shown.iter().all(|number| number.fract() == 0.0);
                !slot.closed
                    && (slot.kind == Kind::Text || number.is_some())
                    && slot.kind.is_number() == number.is_some()
                    && (number.is_none() || (whole && shown.iter().all(holds)))
            })
        };
        // Of the slots that could hold all of them, the one with the least room for others.
        let room = |place: &usize| {
            view.form.slots.get(*place).map_or(f64::INFINITY, |s| s.bounds.room().min(s.soft.room()))
        };
        let places = || (0..view.form.slots.len()).filter(open);
        let named = || places().find(|place| view.names_slot(*place));
        let tightest = || places().min_by(|one, other| room(one).total_cmp(&room(other)));
        let place = asked_for.filter(open).or_else(named).or_else(tightest)?;
        Some((place, number.map_or_else(|| Value::String(option.to_owned()), Value::Number)))
    })
}
