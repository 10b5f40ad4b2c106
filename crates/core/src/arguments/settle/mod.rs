//! What does the manner of speaking settle? What is taken back, set against another, swapped, placed, remembered or left over.

mod places;
mod remaining;
mod stances;
mod turns;

pub(super) use places::slot_in_view;

use serde_json::Value;

use super::candidates::{self, Candidate};
use super::features::View;
use super::form::Kind;
use super::manner::Manner;
use super::talk::Talk;
use super::{Asked, By};

/// How sure what is remembered is, where the message refers to it.
const MEMORY: f32 = 0.9;
/// What speaks for what the message says in as many words.
const SETTLED_SCORE: f32 = 7.0;
/// How plainly a message must be said in a manner to be taken so. Above these, of the phrasings for `choices` that were looked
/// at, one in twenty is misjudged; what refers must still find something remembered.
const REFERRING_MIN: f32 = 0.5;
const ASKING_MIN: f32 = 0.5;
const TORN_MIN: f32 = 0.4;
/// Fewest words that tell a reference: in fewer, each stands for too much.
const REFERRING_WORDS_MIN: usize = 4;
/// How plainly a message must refer for a meaning to count for little, and how sure a meaning must be all the same.
const PLAINLY_REFERRING_MIN: f32 = 0.6;
const DESPITE_REFERENCE_MIN: f32 = 0.97;

impl Talk {
    /// Adds what the manner of speaking settles to the candidates, and takes away what it takes back.
    pub fn settle(&mut self, view: &View<'_, '_>, asked: &Asked<'_>, candidates: &mut Vec<Candidate>) {
        if view.is_elsewhere() && asked.about.is_none() {
            candidates.retain(|candidate| !matches!(candidate.by, By::Number | By::Meaning));
        }
        let told = stances::settle(view, asked, candidates);
        turns::take_back(view, candidates);
        turns::give_way(view, candidates);
        both_of_a_list(view, candidates);
        if self.asks {
            candidates.clear();
            return;
        }
        self.wonders(view, candidates);
        if self.is_place_alone(view) {
            // "Past their fifth birthday" is no place where no list is in view.
            let sure = |c: &Candidate| asked.options.is_empty() && c.confidence >= MEANING_BESIDE_MIN;
            candidates.retain(|candidate| candidate.by != By::Meaning || sure(candidate));
        }
        let wavers = self.is(Manner::Torn, TORN_MIN) && view.heard.turn.is_none();
        self.by_place(view, asked, candidates);
        places::every_one(view, asked, candidates);
        if self.refers.is_some() {
            by_memory(view, asked, true, candidates);
        }
        for (place, slot) in view
            .form
            .slots
            .iter()
            .enumerate()
            .filter(|(place, slot)| slot.closed && slot.many.is_none() && !told.contains(place))
        {
            if !wavers {
                remaining::by_counting_up(view, place, slot, candidates);
            }
            remaining::by_exclusion(view, asked, place, slot, candidates);
        }
        places::in_view(view, asked, candidates);
        faint(view, self.refers.is_some(), candidates);
        let long = view.heard.words.iter().filter(|word| !word.sign).count() >= REFERRING_WORDS_MIN;
        let referring = self.refers.is_none() && long && self.is(Manner::Referring, REFERRING_MIN);
        let recalled = referring && by_memory(view, asked, false, candidates);
        if recalled || self.is(Manner::Referring, PLAINLY_REFERRING_MIN) {
            // What is referred to is not made up from the words of the reference.
            candidates.retain(|c| c.by != By::Meaning || c.confidence >= DESPITE_REFERENCE_MIN);
        }
        if wavers {
            torn(view, candidates);
        }
    }

    /// A question about choices makes none of them; one that asks what the tool would show is a request.
    fn wonders(&mut self, view: &View<'_, '_>, candidates: &mut Vec<Candidate>) {
        if !self.is(Manner::Asking, ASKING_MIN) {
            return;
        }
        // Of a tool that answers questions, a question is a request; examples of wishes tell that this is none of them.
        let closed = |candidate: &Candidate| {
            let slot = view.form.slots.get(candidate.slot);
            view.taught.knows(candidate.slot) && slot.is_some_and(|slot| slot.closed)
        };
        let chosen = candidates.iter().any(closed);
        candidates.retain(|candidate| !closed(candidate));
        self.asks = chosen && candidates.iter().all(|candidate| candidate.confidence < super::RUN_MIN);
    }
}

/// "Both rainfall and elevation" counts up a list, and chooses nothing for a slot that has a choice "both".
fn both_of_a_list(view: &View<'_, '_>, candidates: &mut Vec<Candidate>) {
    let two = |candidate: &Candidate| candidate.value.as_array().is_some_and(|values| values.len() == 2);
    if !candidates.iter().any(|candidate| two(candidate) && candidate.confidence >= super::RUN_MIN) {
        return;
    }
    let only_both = |candidate: &Candidate| {
        candidate.words.clone().all(|at| matches!(view.heard.tokens.lower(at), "both" | "two" | "the"))
            && !candidate.value.is_array()
            && !view.names_slot(candidate.slot)
    };
    candidates.retain(|candidate| !only_both(candidate));
}

/// Where the speaker is torn, what is named is put to him again.
fn torn(view: &View<'_, '_>, candidates: &mut [Candidate]) {
    for (place, slot) in view.form.slots.iter().enumerate() {
        let mut values: Vec<Value> = Vec::new();
        for candidate in candidates.iter().filter(|c| c.slot == place && c.confidence >= super::ASK_MIN) {
            if !values.contains(&candidate.value) {
                values.push(candidate.value.clone());
            }
        }
        if values.len() < 2 && !slot.choices.is_empty() {
            values = slot.choices.iter().map(|choice| choice.value.clone()).collect();
        }
        if values.is_empty() {
            continue;
        }
        for candidate in candidates.iter_mut().filter(|c| c.slot == place && c.doubt.is_none()) {
            candidate.doubt = Some(super::Doubt::Several(values.clone()));
        }
    }
}

/// How sure a meaning must be where the message already says something else for another slot.
const MEANING_BESIDE_MIN: f32 = 0.9;

/// Drops what a slot that may be left out is only said by its meaning, where words say something surer for another: in a message
/// about one thing, many words mean a little of another.
fn faint(view: &View<'_, '_>, refers: bool, candidates: &mut Vec<Candidate>) {
    candidates::keep(candidates, |candidate, all| {
        let others = all.iter().filter(|c| c.slot != candidate.slot && c.by != By::Learned);
        let best = others.map(|c| c.confidence).fold(0.0, f32::max);
        let slot = view.form.slots.get(candidate.slot);
        let optional = slot.is_some_and(|slot| !slot.required && slot.kind != Kind::Flag);
        let beside = best > candidate.confidence || refers;
        let sure = candidate.confidence >= MEANING_BESIDE_MIN && !refers;
        candidate.by != By::Meaning || !(optional || refers) || sure || !beside
    });
}

/// What is remembered of the slots that are meant: those that are named, or all that nothing else is said for. Where a word refers
/// to it, what is only meant or learned counts for little beside it; where the manner does, all that is sure counts.
fn by_memory(view: &View<'_, '_>, asked: &Asked<'_>, by_word: bool, candidates: &mut Vec<Candidate>) -> bool {
    let is_said = |place: usize, candidates: &[Candidate]| {
        let faint = |candidate: &Candidate| {
            matches!(candidate.by, By::Learned | By::Meaning)
                && (by_word || candidate.confidence < DESPITE_REFERENCE_MIN)
        };
        // A number that fits another slot better is said for that one.
        let elsewhere = |candidate: &Candidate| {
            candidates.iter().any(|other| {
                other.slot != place && other.words == candidate.words && other.score > candidate.score
            })
        };
        let sure = |c: &Candidate| c.slot == place && c.confidence >= super::RUN_MIN;
        candidates.iter().any(|c| sure(c) && !faint(c) && !elsewhere(c))
    };
    // "As before, but six to a household" refers to all but the household.
    let named: Vec<usize> = (0..view.form.slots.len())
        .filter(|place| view.names_slot(*place) && !is_said(*place, candidates))
        .collect();
    let asked_for = asked.about.and_then(|name| view.form.place(name));
    let mut recalled = false;
    for (place, slot) in view.form.slots.iter().enumerate() {
        let meant = match asked_for {
            Some(asked_for) => place == asked_for,
            None => named.is_empty() || !by_word || named.contains(&place),
        };
        let said = is_said(place, candidates);
        let Some(value) = asked.remembered(slot).filter(|_| meant && !said) else { continue };
        candidates.retain(|candidate| candidate.slot != place);
        candidates.push(Candidate {
            slot: place,
            value: value.clone(),
            // Several slots may refer to the past with the same words, so they take none away.
            words: 0..0,
            score: SETTLED_SCORE,
            confidence: MEMORY,
            by: By::Memory,
            doubt: None,
        });
        recalled = true;
    }
    recalled
}
