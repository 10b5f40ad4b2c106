//! Which of its choices does the message mean, where it names none?

use std::ops::Range;

use serde_json::Value;

use super::{Candidate, Seat, columns, taught};
use crate::arguments::RUN_MIN;
use crate::arguments::features::View;
use crate::arguments::form::Choice;
use crate::arguments::meaning::dot;
use crate::arguments::weights::logistic;

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

/// The choice that is nearest in meaning, if it is near; of a list, the nearest in each clause.
pub(super) fn find_all(seat: &Seat<'_>, found: &mut Vec<Candidate>) {
    let Seat { view, place, slot, .. } = *seat;
    if slot.many.is_none() {
        found.extend(find(seat, &(0..view.heard.len())));
        return;
    }
    let mut at = 0;
    while at < view.heard.len() {
        let part = view.heard.part(&(at..at + 1));
        at = part.end.max(at) + 1;
        let Some(meant) = find(seat, &part) else { continue };
        let within = |candidate: &mut Candidate| {
            candidate.slot == place && candidate.words.start < part.end && part.start < candidate.words.end
        };
        let named: Vec<Value> = found.iter_mut().filter_map(|c| within(c).then(|| c.value.clone())).collect();
        let surer = meant.confidence >= taught::OVER_NAMES_MIN && view.taught.knows(place);
        if surer && !named.contains(&meant.value) {
            // "The positivity of under fives" names one column and means another.
            found.extract_if(.., within).for_each(drop);
            found.push(meant);
        } else if named.is_empty() {
            found.push(meant);
        }
    }
}

/// The choice that is nearest in meaning within some words: as the examples teach, and by likeness where they teach nothing.
fn find(seat: &Seat<'_>, within: &Range<usize>) -> Option<Candidate> {
    let columns = seat.slot.columns && seat.asked.has_columns();
    let untaught = |seat: &Seat<'_>| if columns { columns::find(seat, within) } else { alike(seat, within) };
    if !seat.view.taught.knows(seat.place) {
        return untaught(seat);
    }
    let meant = taught::find(seat, within);
    if seat.slot.closed || meant.as_ref().is_some_and(|meant| meant.confidence >= RUN_MIN) {
        return meant;
    }
    untaught(seat).or(meant)
}

/// The choice that is most alike within some words, of those that no example taught.
fn alike(seat: &Seat<'_>, within: &Range<usize>) -> Option<Candidate> {
    let Seat { view, asked, place, slot, .. } = *seat;
    let mut best: Vec<(f32, Range<usize>)> = Vec::new();
    let taught = |choice: &Choice| slot.shown.iter().any(|shown| shown.value == choice.value);
    let columns = asked.columns_of(slot).filter(|column| !taught(column));
    let choices: Vec<&Choice> = slot.choices.iter().chain(columns).collect();
    best.resize(choices.len(), (0.0, 0..0));
    for_runs(seat, within, |words, meaning| {
        for (choice, best) in choices.iter().zip(&mut best) {
            let like = likeness(choice, meaning);
            if like > best.0 {
                *best = (like, words.clone());
            }
        }
    });
    let mut room = Vec::new();
    let (nth, (like, words)) =
        best.iter().enumerate().max_by(|(_, (left, _)), (_, (right, _))| left.total_cmp(right))?;
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
    let confidence = logistic(BASE + LIKENESS * like + LEAD * lead);
    let choice = choices.get(nth).filter(|_| confidence >= CONFIDENCE_MIN)?;
    Some(seat.meant(&choice.value, words.clone(), confidence))
}

/// Looks at the runs of words that may mean a choice, each with its meaning: none that is denied, or only names the slot.
pub(super) fn for_runs(seat: &Seat<'_>, within: &Range<usize>, mut look: impl FnMut(&Range<usize>, &[f32])) {
    let view = seat.view;
    let heavy = |at: usize| {
        let told = view.heard.word(at).is_some_and(|word| !word.light);
        told && !seat.is_elsewhere(at)
            && view.heard.tokens.lower(at).len() > 1
            && !view.is_talk(at)
            && !view.is_of_tool(at)
    };
    let denied = |at: usize| view.heard.word(at).is_some_and(|word| word.denied && !word.light);
    let mut room = Vec::new();
    for words in runs(view, within) {
        let speaks = words.clone().any(heavy) && !words.clone().any(denied);
        if speaks && !view.is_own_name(seat.place, &words) && view.heard.sum(&words, &mut room) {
            look(&words, &room);
        }
    }
}

/// How near a choice is: by its names, and by the examples of how people ask for it.
pub(super) fn likeness(choice: &Choice, vector: &[f32]) -> f32 {
    choice.words.iter().chain(&choice.examples).map(|phrase| dot(&phrase.vector, vector)).fold(0.0, f32::max)
}

/// Runs of words with something to say within some words, not across the signs that end a clause; and all of them.
pub(super) fn runs<'v>(
    view: &'v View<'_, '_>,
    within: &Range<usize>,
) -> impl Iterator<Item = Range<usize>> + use<'v> {
    let heard = view.heard;
    let all = within.clone();
    let breaks =
        move |at: usize| heard.word(at).is_some_and(|word| word.sign) && heard.tokens.lower(at) != "-";
    let told = move |at: usize| heard.word(at).is_some_and(|word| !word.empty);
    let last = all.end;
    let from = move |start: usize| {
        let end = (start..last).find(|at| breaks(*at)).unwrap_or(last).min(start + RUN_WORDS_MAX);
        (start + 1..=end).map(move |end| start..end).filter(move |words| told(words.end - 1))
    };
    let whole = (all.len() > RUN_WORDS_MAX).then_some(all.clone());
    all.filter(move |at| told(*at)).flat_map(from).chain(whole)
}
