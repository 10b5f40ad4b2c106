//! Is it so, or not?

use std::ops::Range;

use serde_json::Value;

use super::Candidate;
use crate::arguments::features::View;
use crate::arguments::form::Slot;
use crate::arguments::{Asked, By};
use crate::selection::terms::{Term, term};

/// Words of a flag's name that say only that it is one.
const FLAG_WORDS: [&str; 16] = [
    "is", "has", "have", "include", "included", "show", "get", "use", "enable", "enabled", "allow",
    "allowed", "with", "add", "want", "need",
];
/// How sure a flag is whose telling words all stand in the message.
const NAMED: f32 = 0.9;
/// How sure one is of which only some do.
const NAMED_IN_PART: f32 = 0.6;
/// How sure yes and no are as the answer to what was asked.
const ANSWERED: f32 = 0.95;
/// Least likeness of words to a flag's name at which it counts as named, and how sure that is.
const LIKE_MIN: f32 = 0.62;
/// What speaks for a flag that is named, at full confidence.
const NAMED_SCORE: f32 = 4.0;
/// Longest run of words compared with a flag's name.
const RUN_WORDS_MAX: usize = 3;

pub(super) fn find(
    view: &View<'_, '_>,
    asked: &Asked<'_>,
    place: usize,
    slot: &Slot,
    found: &mut Vec<Candidate>,
) {
    let answered = if asked.about == Some(slot.name.as_str()) { answer(view) } else { None };
    if let Some((yes, words)) = answered {
        found.push(candidate(place, slot, yes, words, ANSWERED, By::Exact));
        return;
    }
    if let Some((words, confidence, by)) = named(view, slot) {
        let yes = !words.clone().any(|at| view.heard.word(at).is_some_and(|word| word.denied));
        found.push(candidate(place, slot, yes, words, confidence, by));
    }
}

fn candidate(
    place: usize,
    slot: &Slot,
    yes: bool,
    words: Range<usize>,
    confidence: f32,
    by: By,
) -> Candidate {
    Candidate {
        slot: place,
        value: value(slot, yes),
        words,
        score: NAMED_SCORE * confidence,
        confidence,
        by,
        doubt: None,
    }
}

/// Yes and no, as the slot writes them.
pub(in crate::arguments) fn value(slot: &Slot, yes: bool) -> Value {
    let word =
        |value: &Value| value.as_str().map(|word| matches!(word.to_lowercase().as_str(), "true" | "yes"));
    let written = slot.choices.iter().find(|choice| word(&choice.value) == Some(yes));
    written.map_or(Value::Bool(yes), |choice| choice.value.clone())
}

/// Yes or no at the beginning of the message.
fn answer(view: &View<'_, '_>) -> Option<(bool, Range<usize>)> {
    let yes = match view.heard.tokens.lower(0) {
        "yes" | "yeah" | "yep" | "yup" | "sure" | "true" | "ok" | "okay" | "please" | "definitely"
        | "absolutely" => true,
        "no" | "nope" | "nah" | "false" | "not" | "never" => false,
        _ => return None,
    };
    Some((yes, 0..1))
}

/// Where the flag is named: by the words of its name that tell it from others, or by words that mean the same.
fn named(view: &View<'_, '_>, slot: &Slot) -> Option<(Range<usize>, f32, By)> {
    let mut best: Option<(Range<usize>, f32, By)> = None;
    for name in &slot.names {
        let telling: Vec<Term> = name
            .words
            .iter()
            .filter(|word| {
                !FLAG_WORDS.contains(&word.as_str()) && !crate::selection::terms::is_empty_word(word)
            })
            .map(|word| term(word))
            .collect();
        let places: Vec<usize> = telling
            .iter()
            .filter_map(|term| view.heard.words.iter().position(|word| word.term == *term))
            .collect();
        let (Some(first), Some(last)) = (places.iter().min(), places.iter().max()) else { continue };
        let all = places.len() == telling.len();
        let confidence = if all { NAMED } else { NAMED_IN_PART };
        if best.as_ref().is_none_or(|(_, known, _)| confidence > *known) {
            best = Some((*first..*last + 1, confidence, if all { By::Exact } else { By::Meaning }));
        }
    }
    if best.as_ref().is_some_and(|(_, confidence, _)| *confidence >= NAMED) {
        return best;
    }
    let like = meant(view, slot);
    match (&best, like) {
        (Some((_, known, _)), Some((_, confidence))) if *known >= confidence => best,
        (_, Some((words, confidence))) => Some((words, confidence, By::Meaning)),
        (_, None) => best,
    }
}

fn meant(view: &View<'_, '_>, slot: &Slot) -> Option<(Range<usize>, f32)> {
    let name = slot.names.first()?;
    let told = |at: usize| view.heard.word(at).is_some_and(|word| !word.empty);
    let runs = (0..view.heard.len()).filter(|at| told(*at)).flat_map(|start| {
        (start + 1..=(start + RUN_WORDS_MAX).min(view.heard.len())).map(move |end| start..end)
    });
    let likeness = runs.map(|words| (view.like(&words, &name.vector), words));
    let (like, words) = likeness.max_by(|(left, _), (right, _)| left.total_cmp(right))?;
    (like >= LIKE_MIN).then_some((words, like))
}
