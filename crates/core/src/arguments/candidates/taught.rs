//! Which of its choices do the examples of a form speak for?

use std::ops::Range;

use serde_json::Value;

use super::Candidate;
use super::meant::{CONFIDENCE_MIN, MEANT_SCORE, likeness, runs};
use crate::arguments::features::View;
use crate::arguments::form::Slot;
use crate::arguments::weights::logistic;
use crate::arguments::{Asked, By, RUN_MIN};
use crate::selection::terms::Term;

/// How what speaks for a choice becomes a confidence: the logistic of a weighted sum of what speaks for it in the words and in
/// the message as a whole, and of how alike its nearest example is. Fitted on phrasings for the catalog `choices`.
const TAUGHT_BASE: f32 = -0.73;
const TAUGHT_OWN: f32 = 3.12;
const TAUGHT_WHOLE: f32 = 5.16;
const TAUGHT_NEAR: f32 = 4.13;

/// The choice that the examples of the form speak for most: in a message as a whole, or in one of its clauses.
pub(super) fn find(
    view: &View<'_, '_>,
    asked: &Asked<'_>,
    place: usize,
    slot: &Slot,
    covered: &[(usize, Range<usize>)],
    within: &Range<usize>,
    found: &mut Vec<Candidate>,
) {
    let heard = view.heard;
    let after = heard.turn.filter(|turn| within.contains(turn)).unwrap_or(within.start);
    let told = |at: &usize| heard.word(*at).is_some_and(|word| !word.sign && !word.denied);
    // What other slots are named by says little of this one.
    let free =
        |at: &usize| told(at) && !covered.iter().any(|(slot, words)| *slot != place && words.contains(at));
    let whole = after..within.end;
    let all = judged(view, &whole.clone().filter(told).collect::<Vec<usize>>());
    let rest = judged(view, &whole.clone().filter(free).collect::<Vec<usize>>());
    let overall: Vec<&Judged> = all.iter().chain(&rest).collect();
    let mut best: Option<(&Value, f32)> = None;
    for segment in segments(view, &whole) {
        let words: Vec<usize> = segment.filter(told).collect();
        let Some(scores) = judged(view, &words) else { continue };
        let Some((value, confidence)) = believed(view, asked, place, slot, &scores, &overall) else {
            continue;
        };
        if best.is_none_or(|(_, highest)| confidence > highest) {
            best = Some((value, confidence));
        }
        // The message as a whole comes first; what is sure of it is not sought in its parts.
        if best.is_some_and(|(_, highest)| highest >= RUN_MIN) {
            break;
        }
    }
    let Some((value, confidence)) = best.filter(|(_, confidence)| *confidence >= CONFIDENCE_MIN) else {
        return;
    };
    found.push(Candidate {
        slot: place,
        value: value.clone(),
        words: telling(view, place, value, within),
        score: MEANT_SCORE * confidence,
        confidence,
        by: By::Meaning,
        doubt: None,
    });
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

/// The choices that what is denied means, where they are sure: "do not go by the equal weights". Words that name a choice are left
/// to the names.
pub(in crate::arguments) fn ruled_out<'v>(
    view: &View<'v, '_>,
    asked: &Asked<'_>,
    place: usize,
    slot: &Slot,
    named: &[Range<usize>],
) -> Vec<(&'v Value, Range<usize>)> {
    let denied = |at: &usize| {
        let said = view.heard.word(*at).is_some_and(|word| !word.sign && word.denied);
        said && !named.iter().any(|words| words.contains(at))
    };
    let words: Vec<usize> = (0..view.heard.len()).filter(denied).collect();
    let runs = words.chunk_by(|one, next| one + 1 == *next);
    let meant = runs.filter_map(|run| {
        let scores = judged(view, run)?;
        let (value, confidence) = believed(view, asked, place, slot, &scores, &[&scores])?;
        (confidence >= RUN_MIN).then_some((value, *run.first()?..run.last()? + 1))
    });
    meant.collect()
}

/// What some words mean, and what the examples of the form make of them; nothing where they say nothing.
struct Judged {
    vector: Vec<f32>,
    scores: Vec<f32>,
}

fn judged(view: &View<'_, '_>, words: &[usize]) -> Option<Judged> {
    let heard = view.heard;
    // A number alone means no choice.
    let heavy =
        |at: &usize| heard.word(*at).is_some_and(|word| !word.light && !word.empty) && !view.is_talk(*at);
    let mut vector = Vec::new();
    if !words.iter().any(heavy) || !heard.sum_of(words.iter().copied(), &mut vector) {
        return None;
    }
    let terms: Vec<Term> = words.iter().filter_map(|at| Some(heard.word(*at)?.meant)).collect();
    let scores = view.taught.judge(&vector, &terms);
    Some(Judged { vector, scores })
}

/// The choice that most speaks for in some words, and how sure it is beside what speaks for it in the message as a whole.
fn believed<'v>(
    view: &View<'v, '_>,
    asked: &Asked<'_>,
    place: usize,
    slot: &Slot,
    words: &Judged,
    whole: &[&Judged],
) -> Option<(&'v Value, f32)> {
    let known = |value: &Value| slot.closed || asked.columns_of(slot).any(|column| column.value == *value);
    let own = view.taught.of_slot(place, &words.scores).filter(|(value, _)| known(value));
    let (value, _) = own.max_by(|(_, left), (_, right)| left.total_cmp(right))?;
    Some((value, belief(view, place, slot, value, words, whole)))
}

/// How sure a choice is by what speaks for it in some words and in the message as a whole, and by its nearest example.
fn belief(
    view: &View<'_, '_>,
    place: usize,
    slot: &Slot,
    value: &Value,
    words: &Judged,
    whole: &[&Judged],
) -> f32 {
    let of = |judged: &Judged| {
        let mut own = view.taught.of_slot(place, &judged.scores);
        own.find(|(other, _)| *other == value).map(|(_, score)| score)
    };
    let score = of(words).unwrap_or(NOT_SAID);
    let overall = whole.iter().filter_map(|whole| of(whole)).reduce(f32::max).unwrap_or(score);
    let choices = slot.choices.iter().chain(&slot.shown).filter(|choice| choice.value == *value);
    let near = choices.map(|choice| likeness(choice, &words.vector)).fold(0.0, f32::max);
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
fn telling(view: &View<'_, '_>, place: usize, value: &Value, within: &Range<usize>) -> Range<usize> {
    let mut best = (f32::MIN, within.clone());
    let mut room = Vec::new();
    for words in runs(view).filter(|words| within.start <= words.start && words.end <= within.end) {
        if !view.heard.sum(&words, &mut room) {
            continue;
        }
        let terms: Vec<Term> = words.clone().filter_map(|at| Some(view.heard.word(at)?.meant)).collect();
        let scores = view.taught.judge(&room, &terms);
        let own = view.taught.of_slot(place, &scores).find(|(other, _)| *other == value);
        if let Some((_, score)) = own.filter(|(_, score)| *score > best.0) {
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
pub(super) fn beside_names(
    view: &View<'_, '_>,
    asked: &Asked<'_>,
    place: usize,
    slot: &Slot,
    found: &mut Vec<Candidate>,
    from: usize,
) {
    if !view.taught.knows(place) {
        return;
    }
    let mut meant = Vec::new();
    find(view, asked, place, slot, &[], &(0..view.heard.len()), &mut meant);
    let said = |at: &usize| view.heard.word(*at).is_some_and(|word| !word.sign);
    let all: Vec<usize> = (view.heard.turn.unwrap_or(0)..view.heard.len()).filter(said).collect();
    let whole = judged(view, &all);
    if let Some(whole) = &whole {
        let doubtful = |candidate: &Candidate| {
            let weak = candidate.words.clone().all(|at| is_weak(view, at));
            weak && belief(view, place, slot, &candidate.value, whole, &[whole]) < WEAK_NAME_MIN
        };
        let mut nth = 0;
        found.retain(|candidate| {
            nth += 1;
            nth <= from || !doubtful(candidate)
        });
    }
    let Some(mut meant) = meant.pop().filter(|meant| meant.confidence >= RUN_MIN) else { return };
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
