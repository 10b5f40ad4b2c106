//! Which of its choices does the message mean, where it names none?

use std::ops::Range;

use serde_json::Value;

use super::{Candidate, taught};
use crate::arguments::features::View;
use crate::arguments::form::{Choice, Slot};
use crate::arguments::meaning::dot;
use crate::arguments::weights::logistic;
use crate::arguments::{Asked, By, RUN_MIN};

/// Longest run of words that is compared with a choice.
const RUN_WORDS_MAX: usize = 5;

/// How likeness and lead become a confidence: the logistic of their weighted sum. Fitted on the development half of our own
/// phrasings for the catalog `choices`.
const BASE: f32 = -6.0;
const LIKENESS: f32 = 8.0;
const LEAD: f32 = 9.0;

/// How much nearer a choice of another slot may be: words mean a little of many things.
const ELSEWHERE_GIVEN: f32 = 0.05;

/// Least confidence at which a choice is taken into account at all.
pub(super) const CONFIDENCE_MIN: f32 = 0.15;

/// What speaks for a choice that is meant, at full confidence.
pub(super) const MEANT_SCORE: f32 = 5.0;

/// The choice that is nearest in meaning, if it is near; of a list, the nearest in each clause.
pub(super) fn find_all(
    view: &View<'_, '_>,
    asked: &Asked<'_>,
    place: usize,
    slot: &Slot,
    covered: &[(usize, Range<usize>)],
    found: &mut Vec<Candidate>,
) {
    if slot.many.is_none() {
        return find(view, asked, place, slot, covered, &(0..view.heard.len()), found);
    }
    let mut at = 0;
    while at < view.heard.len() {
        let part = view.heard.part(&(at..at + 1));
        let from = found.len();
        find(view, asked, place, slot, covered, &part, found);
        let within = |candidate: &Candidate| {
            candidate.slot == place && candidate.words.start < part.end && part.start < candidate.words.end
        };
        let named: Vec<&Value> = found.iter().take(from).filter(|c| within(c)).map(|c| &c.value).collect();
        let another = |meant: &Candidate| !named.contains(&&meant.value);
        let surer = found.iter().skip(from).any(|c| c.confidence >= taught::OVER_NAMES_MIN && another(c));
        let named = !named.is_empty();
        if named && surer && view.taught.knows(place) {
            // "The positivity of under fives" names one column and means another.
            let mut nth = 0;
            found.retain(|candidate| {
                nth += 1;
                nth > from || !within(candidate)
            });
        } else if named {
            // What a part names, it need not mean as well.
            found.truncate(from);
        }
        at = part.end.max(at) + 1;
    }
}

/// The choice that is nearest in meaning within some words.
fn find(
    view: &View<'_, '_>,
    asked: &Asked<'_>,
    place: usize,
    slot: &Slot,
    covered: &[(usize, Range<usize>)],
    within: &Range<usize>,
    found: &mut Vec<Candidate>,
) {
    let from = found.len();
    if view.taught.knows(place) {
        taught::find(view, asked, place, slot, covered, within, found);
        if slot.closed || found.iter().skip(from).any(|candidate| candidate.confidence >= RUN_MIN) {
            return;
        }
    }
    alike(view, asked, place, slot, covered, within, found);
}

/// The choice that is most alike within some words, of those that no example taught.
fn alike(
    view: &View<'_, '_>,
    asked: &Asked<'_>,
    place: usize,
    slot: &Slot,
    covered: &[(usize, Range<usize>)],
    within: &Range<usize>,
    found: &mut Vec<Candidate>,
) {
    let mut best: Vec<(f32, Range<usize>)> = Vec::new();
    let taught = |choice: &Choice| slot.shown.iter().any(|shown| shown.value == choice.value);
    let columns = asked.columns_of(slot).filter(|column| !taught(column));
    let choices: Vec<&Choice> = slot.choices.iter().chain(columns).collect();
    best.resize(choices.len(), (0.0, 0..0));
    let mut room = Vec::new();
    for words in runs(view).filter(|words| within.start <= words.start && words.end <= within.end) {
        let heavy = |at: usize| {
            let told = view.heard.word(at).is_some_and(|word| !word.light);
            let elsewhere = covered.iter().any(|(slot, words)| *slot != place && words.contains(&at));
            told && !elsewhere
                && view.heard.tokens.lower(at).len() > 1
                && !view.is_talk(at)
                && !view.is_of_tool(at)
        };
        let denied = |at: usize| view.heard.word(at).is_some_and(|word| word.denied && !word.light);
        if !words.clone().any(heavy)
            || words.clone().any(denied)
            || view.is_own_name(place, &words)
            || !view.heard.sum(&words, &mut room)
        {
            continue;
        }
        for (choice, best) in choices.iter().zip(&mut best) {
            let like = likeness(choice, &room);
            if like > best.0 {
                *best = (like, words.clone());
            }
        }
    }
    let Some((nth, (like, words))) =
        best.iter().enumerate().max_by(|(_, (left, _)), (_, (right, _))| left.total_cmp(right))
    else {
        return;
    };
    let second = best.iter().enumerate().filter(|(other, _)| *other != nth).map(|(_, (like, _))| *like);
    // What is as like the choices of another slot is meant for neither.
    let others =
        view.form.slots.iter().enumerate().filter(|(other, other_slot)| *other != place && other_slot.closed);
    let mut elsewhere: f32 = 0.0;
    if view.heard.sum(words, &mut room) {
        let choices = others.flat_map(|(_, slot)| &slot.choices);
        elsewhere = choices.map(|choice| likeness(choice, &room)).fold(0.0, f32::max);
    }
    let lead = (like - second.fold(0.0, f32::max)).min(like - elsewhere + ELSEWHERE_GIVEN);
    let words = words.clone();
    let confidence = logistic(BASE + LIKENESS * like + LEAD * lead);
    if let (Some(choice), true) = (choices.get(nth), confidence >= CONFIDENCE_MIN) {
        found.push(Candidate {
            slot: place,
            value: choice.value.clone(),
            words,
            score: MEANT_SCORE * confidence,
            confidence,
            by: By::Meaning,
            doubt: None,
        });
    }
}

/// How near a choice is: by its names, and by the examples of how people ask for it.
pub(super) fn likeness(choice: &Choice, vector: &[f32]) -> f32 {
    choice.words.iter().chain(&choice.examples).map(|phrase| dot(&phrase.vector, vector)).fold(0.0, f32::max)
}

/// Runs of words with something to say, not across the signs that end a clause; and the whole message.
pub(super) fn runs<'v>(view: &'v View<'_, '_>) -> impl Iterator<Item = Range<usize>> + use<'v> {
    let heard = view.heard;
    let breaks =
        move |at: usize| heard.word(at).is_some_and(|word| word.sign) && heard.tokens.lower(at) != "-";
    let told = move |at: usize| heard.word(at).is_some_and(|word| !word.empty);
    let from = move |start: usize| {
        let end =
            (start..heard.len()).find(|at| breaks(*at)).unwrap_or(heard.len()).min(start + RUN_WORDS_MAX);
        (start + 1..=end).map(move |end| start..end).filter(move |words| told(words.end - 1))
    };
    let whole = (heard.len() > RUN_WORDS_MAX).then_some(0..heard.len());
    (0..heard.len()).filter(move |at| told(*at)).flat_map(from).chain(whole)
}
