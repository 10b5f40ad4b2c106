//! Which of its choices do the examples of a form speak for?

use std::ops::Range;

use serde_json::{Map, Value};

use super::meant::{CONFIDENCE_MIN, likeness, runs};
use super::{Candidate, Seat};
use crate::arguments::RUN_MIN;
use crate::arguments::features::{Judged, View};
use crate::arguments::meaning::dot;
use crate::arguments::phrase::Phrase;
use crate::arguments::weights::logistic;

/// How what speaks for a choice becomes a confidence: the logistic of a weighted sum of what speaks for it in the words and in
/// the message as a whole, and of how alike its nearest example is. Fitted on phrasings for the catalog `choices`.
const TAUGHT_BASE: f32 = -0.73;
const TAUGHT_OWN: f32 = 3.12;
const TAUGHT_WHOLE: f32 = 5.16;
const TAUGHT_NEAR: f32 = 4.13;

/// The choice that the examples of the form speak for most: in a message as a whole, or in one of its clauses.
pub(super) fn find(seat: &Seat<'_>, within: &Range<usize>) -> Option<Candidate> {
    let heard = seat.view.heard;
    let told = |at: &usize| heard.word(*at).is_some_and(|word| !word.sign && !word.denied);
    let after = heard.turn.filter(|turn| within.contains(turn)).unwrap_or(within.start);
    let whole = after..within.end;
    // What other slots are named by says little of this one.
    let all = says(seat, whole.clone().filter(told));
    let apart = |at: &usize| told(at) && !seat.is_elsewhere(*at);
    let heavy = |at: &usize| apart(at) && heard.word(*at).is_some_and(|word| !word.light && !word.empty);
    // One word alone that is left beside them belongs to them: "all ages combined".
    let several = whole.clone().filter(heavy).count() > 1;
    let rest = says(seat, whole.clone().filter(apart)).filter(|_| several);
    let overall: Vec<&Judged> = all.iter().chain(&rest).collect();
    let mut best: Option<(&Value, f32)> = None;
    for segment in segments(seat.view, &whole) {
        let Some(words) = says(seat, segment.filter(told)) else { continue };
        let Some((value, confidence)) = believed(seat, &words, &overall) else { continue };
        if best.is_none_or(|(_, highest)| confidence > highest) {
            best = Some((value, confidence));
        }
        // The message as a whole comes first; what is sure of it is not sought in its parts.
        if best.is_some_and(|(_, highest)| highest >= RUN_MIN) {
            break;
        }
    }
    if best.is_none_or(|(_, confidence)| confidence < RUN_MIN) {
        let with_denial = said_by_denial(seat, &whole);
        if with_denial.is_some() {
            return with_denial;
        }
    }
    let (value, confidence) = best.filter(|(_, confidence)| *confidence >= CONFIDENCE_MIN)?;
    Some(seat.meant(value, telling(seat, value, within), confidence))
}

/// How much more words must speak for a choice with the no before them than without it.
const DENIAL_LEAD: f32 = 0.1;
/// Words and signs that a denial may have: "do n't", "don ' t".
const DENIAL_WORDS: usize = 3;

/// The choice that is said by what is denied: "no filter on the level", "do not split by age". The no before it must speak for it.
fn said_by_denial(seat: &Seat<'_>, within: &Range<usize>) -> Option<Candidate> {
    let view = seat.view;
    let said = |at: &usize| view.heard.word(*at).is_some_and(|word| !word.sign);
    let denied = |at: &usize| view.heard.word(*at).is_some_and(|word| word.denied);
    let start = within.clone().find(denied)?;
    let end = (start..within.end).find(|at| !denied(at)).unwrap_or(within.end);
    let cue = start.saturating_sub(DENIAL_WORDS).max(within.start);
    let whole = says(seat, within.clone().filter(said))?;
    let with = says(seat, (cue..end).filter(said))?;
    let without = says(seat, (start..end).filter(said))?;
    let (value, confidence) = believed(seat, &with, &[&whole])?;
    let score = |judged: &Judged| view.speaks_for(seat.place, value, judged).unwrap_or(NOT_SAID);
    let more = score(&with) - score(&without) >= DENIAL_LEAD;
    (more && confidence >= RUN_MIN).then(|| seat.meant(value, cue..end, confidence))
}

/// Some words as a whole, and each of their clauses where there are several: a wish among side remarks stands in one of them.
fn segments<'v>(
    view: &'v View<'_, '_>,
    whole: &Range<usize>,
) -> impl Iterator<Item = Range<usize>> + use<'v> {
    let (end, length) = (whole.end, whole.len());
    let mut at = whole.start;
    let clauses = std::iter::from_fn(move || {
        let clause = (at < end).then(|| view.heard.clause(&(at..at + 1)))?;
        let clause = clause.start.max(at)..clause.end.min(end);
        at = clause.end.max(at) + 1;
        Some(clause)
    });
    std::iter::once(whole.clone()).chain(clauses.filter(move |clause| clause.len() < length))
}

/// The choices that the clauses of a message mean, each where it is felt most, in the order in which they stand; words that name a
/// choice are left to the names.
pub(in crate::arguments) fn by_clause<'s>(seat: &Seat<'s>) -> Vec<(&'s Value, Range<usize>, f32)> {
    let heard = seat.view.heard;
    let parts = |at: usize| {
        let word = heard.tokens.lower(at);
        CLAUSES.contains(&word)
            || (heard.word(at).is_some_and(|word| word.sign) && word != "-" && word != "'")
    };
    let mut found: Vec<(&Value, Range<usize>, f32)> = Vec::new();
    let mut start = 0;
    while start < heard.len() {
        let end = (start..heard.len()).find(|at| parts(*at)).unwrap_or(heard.len());
        let clause = start..end;
        start = end + 1;
        let named = |words: &Range<usize>| words.start < clause.end && clause.start < words.end;
        if seat.named.iter().any(|(place, words)| *place == seat.place && named(words)) {
            continue;
        }
        let Some(words) = says(seat, clause.clone()) else { continue };
        let Some((value, confidence)) = believed(seat, &words, &[&words]) else { continue };
        if confidence >= RUN_MIN {
            found.push((value, telling(seat, value, &clause), confidence));
        }
    }
    found
}

/// Words that set one clause against another.
const CLAUSES: [&str; 12] =
    ["but", "than", "or", "instead", "not", "because", "since", "so", "while", "although", "though", "and"];

/// The choices that what is denied means, where they are sure: "do not go by the equal weights". Words that name a choice are left
/// to the names.
pub(in crate::arguments) fn ruled_out<'s>(seat: &Seat<'s>) -> Vec<(&'s Value, Range<usize>)> {
    let named = |at: usize| seat.named.iter().any(|(_, words)| words.contains(&at));
    let denied =
        |at: &usize| seat.view.heard.word(*at).is_some_and(|word| !word.sign && word.denied) && !named(*at);
    let words: Vec<usize> = (0..seat.view.heard.len()).filter(denied).collect();
    let runs = words.chunk_by(|one, next| one + 1 == *next);
    let meant = runs.filter_map(|run| {
        let words = says(seat, run.iter().copied())?;
        let (value, confidence) = believed(seat, &words, &[&words])?;
        (confidence >= RUN_MIN).then_some((value, *run.first()?..run.last()? + 1))
    });
    meant.collect()
}

/// What the examples make of words, where they say something: a number alone means no choice.
pub(super) fn says(seat: &Seat<'_>, words: impl Iterator<Item = usize> + Clone) -> Option<Judged> {
    let view = seat.view;
    let heavy =
        |at: usize| view.heard.word(at).is_some_and(|word| !word.light && !word.empty) && !view.is_talk(at);
    if words.clone().any(heavy) { view.judged(words) } else { None }
}

/// The choice that most speaks for in some words, and how sure it is beside what speaks for it in the message as a whole.
fn believed<'s>(seat: &Seat<'s>, words: &Judged, whole: &[&Judged]) -> Option<(&'s Value, f32)> {
    let Seat { view, asked, place, slot, .. } = *seat;
    let known = |value: &Value| {
        slot.closed || value.is_number() || asked.columns_of(slot).any(|column| column.value == *value)
    };
    let own = view.taught.of_slot(place, &words.scores).filter(|(value, _)| known(value));
    let (value, _) = own.max_by(|(_, left), (_, right)| left.total_cmp(right))?;
    Some((value, belief(seat, value, words, whole)))
}

/// How sure a choice is by what speaks for it in some words and in the message as a whole, and by its nearest example.
fn belief(seat: &Seat<'_>, value: &Value, words: &Judged, whole: &[&Judged]) -> f32 {
    let of = |judged: &Judged| seat.view.speaks_for(seat.place, value, judged);
    let score = of(words).unwrap_or(NOT_SAID);
    let overall = whole.iter().filter_map(|whole| of(whole)).reduce(f32::max).unwrap_or(score);
    let choices = seat.slot.choices.iter().chain(&seat.slot.shown).filter(|choice| choice.value == *value);
    let near = choices.map(|choice| likeness(choice, &words.vector)).fold(0.0, f32::max);
    let said = |(message, args): &(Phrase, Map<String, Value>)| {
        (args.get(&seat.slot.name) == Some(value)).then(|| dot(&message.vector, &words.vector))
    };
    let near = if value.is_number() {
        seat.view.form.examples.iter().filter_map(said).fold(near, f32::max)
    } else {
        near
    };
    logistic(TAUGHT_BASE + TAUGHT_OWN * score + TAUGHT_WHOLE * overall + TAUGHT_NEAR * near)
}

/// What speaks for a choice that is not asked for.
const NOT_SAID: f32 = -1.0;
/// How sure a choice must be that is named by nothing but a little word, such as "all", in a message that says more.
const WEAK_NAME_MIN: f32 = 0.25;

/// Whether a word names a choice only by the way.
fn is_weak(view: &View<'_, '_>, at: usize) -> bool {
    matches!(view.heard.tokens.lower(at), "all" | "every" | "everyone" | "everybody" | "any")
        || view.heard.word(at).is_none_or(|word| word.light || word.empty)
}

/// The words that speak most for a choice.
fn telling(seat: &Seat<'_>, value: &Value, within: &Range<usize>) -> Range<usize> {
    let mut best = (f32::MIN, within.clone());
    for words in runs(seat.view, within) {
        let judged = seat.view.judged(words.clone());
        let score = judged.and_then(|judged| seat.view.speaks_for(seat.place, value, &judged));
        if let Some(score) = score.filter(|score| *score > best.0) {
            best = (score, words);
        }
    }
    best.1
}

/// How sure a meaning must be to outdo a choice that is named: of the phrasings for `choices` that name one thing and mean
/// another ("I said PCA, but the team wants the plain mean"), what was so sure was right.
pub(super) const OVER_NAMES_MIN: f32 = 0.95;

/// What speaks for a meaning that outdoes a name, and for a name that is meant as well: more than a rival may have.
const OVER_NAMES_SCORE: f32 = 9.0;
const MEANT_TOO_SCORE: f32 = 2.0;

/// Weighs what the whole message means against the choices it names: one of several that is meant as well is the one, and what
/// is meant beyond doubt outdoes names that other reasons brought in.
pub(super) fn beside_names(seat: &Seat<'_>, found: &mut Vec<Candidate>, from: usize) {
    let view = seat.view;
    if !view.taught.knows(seat.place) {
        return;
    }
    let said = |at: &usize| view.heard.word(*at).is_some_and(|word| !word.sign);
    let whole = says(seat, (view.heard.turn.unwrap_or(0)..view.heard.len()).filter(said));
    if let Some(whole) = &whole {
        let doubtful = |candidate: &mut Candidate| {
            let weak = candidate.words.clone().all(|at| is_weak(view, at));
            weak && belief(seat, &candidate.value, whole, &[whole]) < WEAK_NAME_MIN
        };
        found.extract_if(from.., doubtful).for_each(drop);
    }
    let alone = Seat { named: &[], ..*seat };
    let meant = find(&alone, &(0..view.heard.len()));
    let Some(mut meant) = meant.filter(|meant| meant.confidence >= RUN_MIN) else { return };
    let mut named = false;
    // Of two things named apart, which one is wished for is told by how they are said, and not by the words alone.
    let apart = |one: &Candidate, other: &Candidate| {
        one.value != other.value && (one.words.end <= other.words.start || other.words.end <= one.words.start)
    };
    let names = || found.iter().skip(from);
    let several = names().any(|one| names().any(|other| apart(one, other)));
    for candidate in found.iter_mut().skip(from).filter(|candidate| candidate.value == meant.value) {
        candidate.score += if several { 0.0 } else { MEANT_TOO_SCORE };
        named = true;
    }
    let turned = view.heard.turn.is_some_and(|turn| {
        meant.words.start >= turn && found.iter().skip(from).all(|candidate| candidate.words.end <= turn)
    });
    if !named && (turned || meant.confidence >= OVER_NAMES_MIN) {
        meant.score = OVER_NAMES_SCORE;
        found.push(meant);
    }
}
