//! Which column of the speaker's own data does a message mean? By how its name is spelled, by what it means, and by what the examples
//! teach of columns like it.

use std::ops::Range;

use serde_json::Value;

use super::meant::{CONFIDENCE_MIN, for_runs, likeness};
use super::{Candidate, Seat, taught};
use crate::arguments::features::View;
use crate::arguments::form::Choice;
use crate::arguments::meaning::dot;
use crate::arguments::phrase::Phrase;
use crate::arguments::spelling;
use crate::arguments::weights::{logistic, real};

/// How what speaks for a column becomes a confidence: the logistic of a weighted sum of how much of its name is spelled, how alike
/// it is, what the examples say of columns like it, and by how much each leads. Fitted on phrasings about columns that no example
/// knows.
const BASE: f32 = -3.24;
const SPELLED: [f32; 2] = [0.7, 3.51];
const ALIKE: [f32; 2] = [3.33, 2.02];
const AKIN: [f32; 2] = [0.82, 0.39];

/// What speaks for a column.
struct Evidence<'c> {
    column: &'c Choice,
    spelled: f32,
    alike: f32,
    akin: f32,
    words: Range<usize>,
}

/// The column that most speaks for within some words, of those that no example taught.
pub(super) fn find(seat: &Seat<'_>, within: &Range<usize>) -> Option<Candidate> {
    let Seat { view, asked, slot, .. } = *seat;
    let taught = |choice: &Choice| slot.shown.iter().any(|shown| shown.value == choice.value);
    let columns: Vec<&Choice> = asked.columns_of(slot).filter(|column| !taught(column)).collect();
    let judged = taught::says(seat, within.clone().filter(|at| is_told(seat, *at)));
    let kin: Vec<(&Value, f32)> =
        judged.iter().flat_map(|judged| view.taught.of_slot(seat.place, &judged.scores)).collect();
    let mut found: Vec<Evidence<'_>> = columns
        .iter()
        .map(|column| {
            let (spelled, words) = spelled(seat, column, &columns, within);
            Evidence { column, spelled, alike: 0.0, akin: akin(seat, column, &kin), words }
        })
        .collect();
    liken(seat, within, &mut found);
    let lead = |of: fn(&Evidence<'_>) -> f32, at: usize| {
        let others = found.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, e)| of(e));
        found.get(at).map_or(0.0, of) - others.fold(0.0, f32::max)
    };
    let sure = |at: usize| {
        let Some(one) = found.get(at) else { return 0.0 };
        let pair =
            |[own, leads]: [f32; 2], of: fn(&Evidence<'_>) -> f32| own * of(one) + leads * lead(of, at);
        logistic(BASE + pair(SPELLED, |e| e.spelled) + pair(ALIKE, |e| e.alike) + pair(AKIN, |e| e.akin))
    };
    let best =
        (0..found.len()).map(|at| (at, sure(at))).max_by(|(_, left), (_, right)| left.total_cmp(right));
    let (at, confidence) = best.filter(|(_, confidence)| *confidence >= CONFIDENCE_MIN)?;
    let best = found.get(at)?;
    Some(seat.meant(&best.column.value, best.words.clone(), confidence))
}

/// Whether a word is said, and says something.
fn is_told(seat: &Seat<'_>, at: usize) -> bool {
    seat.view.heard.word(at).is_some_and(|word| !word.sign && !word.denied)
}

/// What a part of a name weighs that is a figure, a unit or another few letters.
const WEAK_PART: f32 = 0.3;
/// Longest part that is weak, in letters.
const WEAK_LETTERS_MAX: usize = 2;
/// How sure a part of a name is by a word that it shortens, or that is misspelt.
const SHORTENED: f32 = 0.9;
const MISSPELT: f32 = 0.85;
/// What a word of the tool itself says for a column: "wards" are what it is about.
const OF_TOOL: f32 = 0.3;

/// How much of a column's name, or of what else it is called, is spelled within some words, and where.
fn spelled(seat: &Seat<'_>, column: &Choice, all: &[&Choice], within: &Range<usize>) -> (f32, Range<usize>) {
    let mut best = (0.0, within.clone());
    for name in &column.words {
        let (mut share, mut total) = (0.0, 0.0);
        let mut words: Option<Range<usize>> = None;
        for part in &name.words {
            let having = all.iter().filter(|c| c.words.iter().any(|n| n.words.contains(part))).count();
            let weak = part.len() <= WEAK_LETTERS_MAX || part.chars().all(char::is_numeric);
            let weight = if weak && name.words.len() > 1 { WEAK_PART } else { 1.0 } / real(having.max(1));
            total += weight;
            let Some((sure, at)) = found(seat, part, name, within) else { continue };
            share += weight * sure;
            words = Some(words.map_or(at.clone(), |w| w.start.min(at.start)..w.end.max(at.end)));
        }
        if let Some(words) = words.filter(|_| share / total > best.0) {
            best = (share / total, words);
        }
    }
    best
}

/// Where a part of a name is said, and how sure that is.
fn found(seat: &Seat<'_>, part: &str, name: &Phrase, within: &Range<usize>) -> Option<(f32, Range<usize>)> {
    let view = seat.view;
    let nth = name.words.iter().position(|word| word == part)?;
    let term = name.terms.get(nth)?;
    let sure = |at: usize| {
        let word = view.heard.word(at).filter(|word| !word.sign && !word.denied)?;
        let lower = view.heard.tokens.lower(at);
        let sure = if word.term == *term || word.meant == *term {
            1.0
        } else if word.light || word.empty {
            return None;
        } else if shortens(part, lower) || shortens(lower, part) {
            SHORTENED
        } else if spelling::errors(lower, part).is_some() {
            MISSPELT
        } else {
            return None;
        };
        Some((if view.is_of_tool(at) { sure * OF_TOOL } else { sure }, at..at + 1))
    };
    let single = within.clone().filter_map(sure);
    let initials = initials(view, part, within).map(|words| (SHORTENED, words));
    single.chain(initials).max_by(|(left, _), (right, _)| left.total_cmp(right))
}

/// Fewest letters that shorten a word.
const SHORT_LETTERS_MIN: usize = 3;

/// Whether letters shorten a word: its beginning, or its first letter and others in their order, at least every third of them.
fn shortens(short: &str, word: &str) -> bool {
    if short.len() < SHORT_LETTERS_MIN
        || word.len() <= short.len() + 1
        || !word.starts_with(short.get(..1).unwrap_or("#"))
    {
        return false;
    }
    if word.starts_with(short) {
        return true;
    }
    let mut letters = word.chars();
    let ordered = short.chars().all(|letter| letters.any(|other| other == letter));
    // What shortens leaves out vowels before anything else.
    let vowels = short.chars().filter(|letter| "aeiou".contains(*letter)).count();
    ordered && short.len() * 3 >= word.len() && vowels * 2 < short.len()
}

/// Words that follow each other and whose first letters are these: "entomological inoculation rate" for `eir`.
fn initials(view: &View<'_, '_>, part: &str, within: &Range<usize>) -> Option<Range<usize>> {
    if !(2..=5).contains(&part.len()) {
        return None;
    }
    let said: Vec<usize> = within
        .clone()
        .filter(|at| view.heard.word(*at).is_some_and(|word| !word.sign && !word.empty && !word.denied))
        .collect();
    let spells = |words: &&[usize]| {
        words.iter().zip(part.chars()).all(|(at, letter)| view.heard.tokens.lower(*at).starts_with(letter))
    };
    let words = said.windows(part.len()).find(spells)?;
    Some(*words.first()?..words.last()? + 1)
}

/// How much of the name of a column that was taught must be in another's for them to be alike, and how near in meaning.
const KIN_LIKENESS_MIN: f32 = 0.7;

/// What the examples say for the columns that are most like one.
fn akin(seat: &Seat<'_>, column: &Choice, kin: &[(&Value, f32)]) -> f32 {
    let mut best: Option<(f32, f32)> = None;
    for shown in &seat.slot.shown {
        let Some(name) = shown.words.first() else { continue };
        let Some((_, score)) = kin.iter().find(|(value, _)| **value == shown.value) else { continue };
        let near = column.words.iter().map(|own| kinship(own, name)).fold(0.0, f32::max);
        if near > best.map_or(0.0, |(near, _)| near) {
            best = Some((near, *score));
        }
    }
    best.map_or(0.0, |(_, score)| score + 1.0)
}

/// How near two names are: the number of words of one where all of them are in the other, else their likeness where it is high.
fn kinship(own: &Phrase, name: &Phrase) -> f32 {
    let has = |word: &String| own.words.iter().any(|part| part == word || shortens(part, word));
    if name.words.iter().all(has) {
        return real(name.words.len());
    }
    let near = dot(&own.vector, &name.vector);
    if near >= KIN_LIKENESS_MIN { near } else { 0.0 }
}

/// How alike each column is to some run of the words.
fn liken(seat: &Seat<'_>, within: &Range<usize>, found: &mut [Evidence<'_>]) {
    for_runs(seat, within, |words, meaning| {
        for one in found.iter_mut() {
            let like = likeness(one.column, meaning);
            if like > one.alike {
                one.alike = like;
                if one.spelled == 0.0 {
                    one.words = words.clone();
                }
            }
        }
    });
}
