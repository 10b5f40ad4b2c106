//! What does a message take back? What a correction replaces, what is set against another, and what is put in its place.

use std::ops::Range;

use serde_json::Value;

use crate::arguments::By;
use crate::arguments::candidates::{self, Candidate};
use crate::arguments::features::View;
use crate::arguments::phrase::Phrase;

/// Where something is said for a slot after a correction, what was said before it is dropped.
pub(super) fn take_back(view: &View<'_, '_>, candidates: &mut Vec<Candidate>) {
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

/// Where words of a message give way to others, what they say gives way too: "pca rather than composite", "swap ndvi for elevation",
/// "drop the temperature", "composite? no, pca". Of a slot that nothing else is said for, they stand.
pub(super) fn give_way(view: &View<'_, '_>, candidates: &mut Vec<Candidate>) {
    let given = given_way(view);
    if given.is_empty() {
        return;
    }
    for candidate in candidates.iter_mut() {
        if let Value::Array(values) = &mut candidate.value {
            let stays = |value: &Value| !given.iter().any(|words| is_named(view, value, words));
            if values.iter().any(stays) {
                values.retain(stays);
            }
        }
    }
    // Choices alone: "drop wards above 40 %" says a number.
    let gives = |candidate: &Candidate| {
        matches!(candidate.by, By::Exact | By::Alias | By::Fuzzy | By::Meaning)
            && given
                .iter()
                .any(|words| words.start <= candidate.words.start && candidate.words.end <= words.end)
    };
    candidates::keep(candidates, |candidate, all| {
        let other = |other: &Candidate| {
            other.slot == candidate.slot && other.value != candidate.value && !gives(other)
        };
        candidate.value.is_array() || !gives(candidate) || !all.iter().any(other)
    });
}

/// Verbs that put something aside; "leave" and "take" do with an "out" alone.
const PUTTING_ASIDE: [&str; 10] =
    ["drop", "remove", "exclude", "omit", "skip", "scrap", "forget", "ditch", "leave", "take"];
/// Verbs that put one thing in the place of another, which a little word joins to it.
const PUTTING_IN_PLACE: [&str; 4] = ["swap", "replace", "switch", "change"];

/// The words that give way to others.
fn given_way(view: &View<'_, '_>) -> Vec<Range<usize>> {
    let heard = view.heard;
    let lower = |at: usize| heard.tokens.lower(at);
    let mut given = Vec::new();
    for at in 0..heard.len() {
        let clause = heard.clause(&(at..at + 1));
        let behind = at + 1..clause.end.max(at + 1);
        match lower(at) {
            "than" | "over" | "except" => given.push(behind),
            "place" if lower(at + 1) == "of" => given.push(behind),
            "prefer" => given.extend(behind.clone().find(|to| lower(*to) == "to").map(|to| to..clause.end)),
            "out" if matches!(lower(at.saturating_sub(1)), "is" | "are") => given.push(clause.start..at),
            "too" if at > clause.start && at + 1 < clause.end => given.push(clause.start..at),
            "?" if matches!(lower(at + 1), "no" | "nah" | "nope") => given.push(clause.start..at),
            verb if PUTTING_IN_PLACE.contains(&verb) => {
                let joint = behind.clone().find(|at| matches!(lower(*at), "for" | "with" | "by" | "to"));
                given.extend(joint.map(|joint| at + 1..joint));
            }
            verb if PUTTING_ASIDE.contains(&verb) => {
                let out = behind.clone().any(|at| lower(at) == "out");
                given.extend((!matches!(verb, "leave" | "take") || out).then_some(behind));
            }
            _ => {}
        }
    }
    given
}

/// Whether a value is named within some words.
fn is_named(view: &View<'_, '_>, value: &Value, words: &Range<usize>) -> bool {
    let names: Vec<Phrase> = value.as_str().map(Phrase::new).into_iter().collect();
    let columns =
        view.columns.iter().filter(|column| column.value == *value).flat_map(|column| &column.words);
    let within = |at: &Range<usize>| words.start <= at.start && at.end <= words.end;
    names.iter().chain(columns).any(|phrase| candidates::matches(view.heard, phrase).any(|at| within(&at)))
}
