//! Which values does a list hold? What is counted up one after the other.

use std::ops::Range;

use serde_json::Value;

use super::{Candidate, Offer, single};
use crate::arguments::features::{Feature, View};
use crate::arguments::form::{Kind, Slot};
use crate::arguments::weights::real;
use crate::arguments::{ASK_MIN, By, Doubt, RUN_MIN};

/// What a further choice of a list adds: two that fit say more than one.
const SCORE_A_VALUE: f32 = 0.6;
/// How sure a part of a list must be that is only meant, beside parts that are named.
const MEANT_BESIDE_MIN: f32 = 0.9;
/// Longest part of a list of texts, in words.
const PART_WORDS_MAX: usize = 5;

/// Lists of what could stand in one: what is counted up, and each by itself.
pub(super) fn offers(view: &View<'_, '_>, place: usize, slot: &Slot) -> Vec<Offer> {
    if slot.weighed_as() == Kind::Text { texts(view, place, slot) } else { values(view, place, slot) }
}

/// Numbers and times that follow each other, with nothing but commas and "and" between them. Brackets end a list.
fn values(view: &View<'_, '_>, place: usize, slot: &Slot) -> Vec<Offer> {
    let mut parts = single(view, slot, place);
    parts.sort_by_key(|offer| (offer.words.start, std::cmp::Reverse(offer.words.end)));
    let mut lists = Vec::new();
    let mut run: Vec<Offer> = Vec::new();
    for part in parts {
        let Some(last) = run.last() else {
            run.push(part);
            continue;
        };
        if part.words.start < last.words.end {
            continue;
        }
        if !(last.words.end..part.words.start).all(|at| is_joint(view, at)) {
            lists.extend(listed(view, place, slot, std::mem::take(&mut run)));
        }
        run.push(part);
    }
    lists.extend(listed(view, place, slot, run));
    lists
}

/// Several parts as one list, looked at as a whole.
fn listed(view: &View<'_, '_>, place: usize, slot: &Slot, parts: Vec<Offer>) -> Option<Offer> {
    let many = slot.many?;
    if parts.len() < many.least.max(1) || parts.len() > many.most {
        return None;
    }
    let words = parts.first()?.words.start..parts.last()?.words.end;
    let doubt = parts.iter().find_map(|part| part.doubt.clone());
    let mut own = Vec::new();
    own.extend((parts.len() > 1).then_some(Feature::Several.once()));
    let opened =
        words.start.checked_sub(1).is_some_and(|at| matches!(view.heard.tokens.lower(at), "[" | "(" | "{"));
    own.extend(opened.then_some(Feature::InBrackets.once()));
    let mut values: Vec<Value> = Vec::with_capacity(parts.len());
    for part in parts {
        if !many.unique || !values.contains(&part.value) {
            values.push(part.value);
        }
    }
    Some(Offer { doubt, ..Offer::new(view, place, Value::Array(values), words, own) })
}

/// What stands between the parts of a list.
fn is_joint(view: &View<'_, '_>, at: usize) -> bool {
    matches!(view.heard.tokens.lower(at), "," | "and" | "or" | "&" | "/" | ";" | "+" | "'" | "\"")
}

/// Texts that are counted up: each first part with those that follow it, and each alone.
fn texts(view: &View<'_, '_>, place: usize, slot: &Slot) -> Vec<Offer> {
    let mut lists = Vec::new();
    let bare = |words: Range<usize>| Offer {
        value: Value::String(view.heard.text(&words).to_owned()),
        words,
        reasons: Vec::new(),
        doubt: None,
    };
    for first in super::texts::runs(view).filter(|words| !view.heard.denied(words)) {
        // What is counted up is counted as several, not as one text with commas in it.
        if first.clone().any(|at| matches!(view.heard.tokens.lower(at), "," | "and" | "or" | ";")) {
            continue;
        }
        let mut parts = vec![bare(first.clone())];
        let mut at = first.end;
        while let Some(words) = next_part(view, at) {
            at = words.end;
            parts.push(bare(words));
        }
        // The last part may be shorter than its clause: "Am, F and G up three".
        let last = parts.last().filter(|_| parts.len() > 1).map(|part| part.words.clone());
        for end in last.clone().map(|last| last.start + 1..last.end).into_iter().flatten() {
            let mut shorter: Vec<Offer> =
                parts.iter().take(parts.len() - 1).map(|part| bare(part.words.clone())).collect();
            shorter.extend(last.clone().map(|last| bare(last.start..end)));
            lists.extend(listed(view, place, slot, shorter));
        }
        lists.extend(listed(view, place, slot, parts));
    }
    lists
}

/// The part behind a comma or "and": up to the next of them, or to a word that says nothing.
fn next_part(view: &View<'_, '_>, at: usize) -> Option<Range<usize>> {
    let heard = view.heard;
    let start = (at..heard.len()).find(|at| !is_joint(view, *at)).filter(|start| *start > at)?;
    let start = start + usize::from(matches!(heard.tokens.lower(start), "a" | "an" | "the" | "some"));
    let ends = |at: &usize| {
        is_joint(view, *at)
            || heard.word(*at).is_none_or(|word| word.empty && !matches!(heard.tokens.lower(*at), "-" | "_"))
    };
    let end = (start..heard.len()).find(ends).unwrap_or(heard.len());
    (end > start && end - start <= PART_WORDS_MAX).then_some(start..end)
}

/// All choices that are named, wherever they stand, as one list; as sure as the least sure of them.
pub(super) fn gathered(slot: &Slot, mut single: Vec<Candidate>) -> Option<Candidate> {
    single.sort_by(|left, right| {
        left.words.start.cmp(&right.words.start).then(right.words.len().cmp(&left.words.len()))
    });
    // Beside what is named or surely meant, a part that is hardly meant is a side remark.
    let sure = |candidate: &Candidate| candidate.by != By::Meaning || candidate.confidence >= RUN_MIN;
    let least =
        if single.iter().any(|candidate| candidate.by != By::Meaning) { MEANT_BESIDE_MIN } else { RUN_MIN };

    let mut perhaps: Vec<Value> = Vec::new();
    if single.iter().any(sure) {
        let faint = |candidate: &mut Candidate| candidate.by == By::Meaning && candidate.confidence < least;
        for candidate in single.extract_if(.., faint) {
            if candidate.confidence >= ASK_MIN && !perhaps.contains(&candidate.value) {
                perhaps.push(candidate.value);
            }
        }
    }
    let mut parts: Vec<Candidate> = Vec::new();
    for candidate in single {
        let covered = parts.iter().any(|part| part.words.end > candidate.words.start);
        let again = parts.iter().any(|part| part.value == candidate.value);
        if !covered && !again {
            parts.push(candidate);
        }
    }
    let many = slot.many?;
    if parts.len() < many.least.max(1) || parts.len() > many.most {
        return None;
    }
    let weakest = parts.iter().min_by(|left, right| left.confidence.total_cmp(&right.confidence))?.clone();
    let words = parts.first()?.words.start..parts.iter().map(|part| part.words.end).max()?;
    let further = real(parts.len().saturating_sub(1)) * SCORE_A_VALUE;
    let score = parts.iter().map(|part| part.score).sum::<f32>() / real(parts.len()) + further;
    let values: Vec<Value> = parts.into_iter().map(|part| part.value).collect();
    perhaps.retain(|value| !values.contains(value));
    let doubt =
        (!perhaps.is_empty()).then(|| Doubt::Several(values.iter().cloned().chain(perhaps).collect()));
    Some(Candidate {
        value: Value::Array(values),
        words,
        score,
        doubt: doubt.or(weakest.doubt.clone()),
        ..weakest
    })
}
