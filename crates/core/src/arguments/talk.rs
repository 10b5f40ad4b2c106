//! How is it said? References to what was said before, places in a list, questions about a choice, and what is ruled out.
//!
//! The words here are those with which people talk about their choices, whatever these are; none names a thing.

use std::ops::Range;

use serde_json::Value;

use super::candidates::Candidate;
use super::features::View;
use super::form::{Choice, Kind, Slot};
use super::heard::Heard;
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

/// References to what was said before.
const REFERENCES: &[&[&str]] = &[
    &["same"],
    &["again"],
    &["last", "time"],
    &["before"],
    &["as", "usual"],
    &["the", "usual"],
    &["earlier"],
    &["previously"],
    &["previous", "one"],
    &["keep", "it"],
    &["unchanged"],
    &["repeat"],
];

/// Verbs that ask about words and not for things.
const ASKING_VERBS: [&str; 12] = [
    "mean",
    "means",
    "explain",
    "define",
    "difference",
    "differ",
    "differs",
    "stand",
    "stands",
    "recommend",
    "suggest",
    "advise",
];

/// Words a question begins with.
const ASKING_WORDS: [&str; 10] =
    ["what", "what's", "whats", "which", "why", "how", "is", "are", "does", "should"];

/// How a message is said.
#[derive(Clone, Debug, Default)]
pub(super) struct Talk {
    /// Where it refers to what was said before.
    pub refers: Option<Range<usize>>,
    /// Which place of a list it names, from 0; the last where it is `None`.
    pub ordinal: Option<(Option<usize>, Range<usize>)>,
    /// Whether it asks about a choice and does not choose.
    pub asks: bool,
}

/// Listens to how a message is said.
pub(super) fn listen(view: &View<'_, '_>, asked: &Asked<'_>) -> Talk {
    let heard = view.heard;
    Talk { refers: refers(heard), ordinal: ordinal(heard, asked), asks: asks(view) }
}

fn refers(heard: &Heard<'_>) -> Option<Range<usize>> {
    let at = |from: usize| {
        let cue = REFERENCES.iter().find(|cue| {
            cue.iter().enumerate().all(|(offset, word)| heard.tokens.lower(from + offset) == *word)
        })?;
        let words = from..from + cue.len();
        (!heard.denied(&words)).then_some(words)
    };
    (0..heard.len()).find_map(at)
}

/// A place in the visible list: "the second one", "#3", "option 2", "the last".
fn ordinal(heard: &Heard<'_>, asked: &Asked<'_>) -> Option<(Option<usize>, Range<usize>)> {
    let numbered = |words: &Range<usize>| {
        let before = words.start.checked_sub(1).map(|at| heard.tokens.lower(at)).unwrap_or_default();
        let alone = heard.words.iter().enumerate().all(|(at, word)| words.contains(&at) || word.empty);
        matches!(before, "option" | "number" | "choice" | "no" | "nr" | "#" | "item") || alone
    };
    for mention in heard.mentions.iter().rev() {
        let words = heard.words_of(mention.span);
        let place = match &mention.value {
            Found::Ordinal(place) => *place,
            #[allow(clippy::cast_possible_truncation)] // a place in a list of at most a few dozen
            Found::Number(amount) if numbered(&words) && !asked.options.is_empty() => match amount.single() {
                Some(number) if number.fract() == 0.0 => number as i64,
                _ => continue,
            },
            _ => continue,
        };
        if !heard.denied(&words) && !heard.taken_back(&words) {
            return Some((usize::try_from(place).ok()?.checked_sub(1), words));
        }
    }
    if asked.options.is_empty() {
        return None;
    }
    let place = |at: &usize| {
        let next = heard.tokens.lower(at + 1);
        let alone = next.is_empty()
            || matches!(next, "one" | "option" | "choice" | "please" | "pls" | "of" | "in" | "." | "!" | ",");
        match heard.tokens.lower(*at) {
            "last" | "bottom" | "latter" | "final" if alone => Some(None),
            "top" | "former" if alone => Some(Some(0)),
            "middle" if alone && asked.options.len() % 2 == 1 => Some(Some(asked.options.len() / 2)),
            _ => None,
        }
    };
    (0..heard.len()).find_map(|at| place(&at).map(|place| (place, at..at + 1)))
}

/// How many choices of one slot the message names: a question that names two of them weighs them.
fn choices_named(view: &View<'_, '_>) -> usize {
    let named =
        |slot: &Slot| slot.choices.iter().filter(|choice| view.named_at(choice).next().is_some()).count();
    view.form.slots.iter().filter(|slot| slot.closed).map(named).max().unwrap_or(0)
}

/// Most words of a question that name neither choice, slot nor tool, where it asks about them: "what counts as tertiary?".
const OTHER_WORDS_MAX: usize = 1;

/// Whether a message asks about a choice and makes none. It begins as a question of what, which, how or why, or has a verb of
/// asking, and there is hardly anything in it but the names of choices, slots and the tool.
fn asks(view: &View<'_, '_>) -> bool {
    let heard = view.heard;
    let first = heard.words.iter().position(|word| !word.sign).unwrap_or(0);
    let (opening, second) = (heard.tokens.lower(first), heard.tokens.lower(first + 1));
    let suggests = matches!((opening, second), ("how" | "what", "about") | ("why", "not" | "don't"));
    let interrogates = ASKING_WORDS.contains(&opening) && !suggests;
    let explains = (0..heard.len()).any(|at| {
        let verb = heard.tokens.lower(at);
        let meant = at > 0 && heard.tokens.lower(at - 1) == "i";
        // A mean is also an average.
        let asked = interrogates || !matches!(verb, "mean" | "means");
        ASKING_VERBS.contains(&verb) && !meant && asked
    });
    if !(interrogates || explains) || !view.form.slots.iter().any(|slot| slot.closed || slot.columns) {
        return false;
    }
    let other = |at: &usize| {
        let light = heard.word(*at).is_none_or(|word| word.light);
        let asking = ASKING_WORDS.contains(&heard.tokens.lower(*at))
            || ASKING_VERBS.contains(&heard.tokens.lower(*at));
        !light && !asking && !view.is_of_choices(*at)
    };
    let others = (0..heard.len()).filter(other).count();
    let named =
        (0..heard.len()).any(|at| view.is_of_choices(at) && heard.word(at).is_some_and(|word| !word.light));
    named && (explains || others <= OTHER_WORDS_MAX || (interrogates && choices_named(view) > 1))
}

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
