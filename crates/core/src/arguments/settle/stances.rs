//! Which of several choices in play is wanted? What the words around them tell.

mod options;

use std::ops::Range;

use serde_json::Value;

use options::{InPlay, counted_up, in_play, joined, said_other};

use super::SETTLED_SCORE;
use super::remaining::for_all;
use crate::arguments::candidates::{Candidate, Seat};
use crate::arguments::features::View;
use crate::arguments::form::Choice;
use crate::arguments::stance::{self, Stance};
use crate::arguments::{Asked, By, Doubt};

/// By how much the likeliest stances must lead over the next to settle a slot: of our lessons, nine in ten of those are right.
const LEAD_MIN: f32 = 0.8;
/// The same where one choice alone is in play, which is mostly wanted; and where choices are counted up one after the other, which
/// are mostly wanted together.
const LEAD_OF_ONE_MIN: f32 = 1.0;
const LEAD_OF_COUNTED_MIN: f32 = 2.0;
/// By how much they must lead for a question where both are named and do not sound wanted alike.
const LEAD_TO_ASK_MIN: f32 = 0.3;
/// How sure a choice is that is told by stances.
const STANCE: f32 = 0.9;

/// Settles the slots whose choices are set against each other, and says which.
pub(super) fn settle(view: &View<'_, '_>, asked: &Asked<'_>, candidates: &mut Vec<Candidate>) -> Vec<usize> {
    let mut told = Vec::new();
    for (place, slot) in view.form.slots.iter().enumerate() {
        if !slot.closed || slot.many.is_some() || slot.choices.len() < 2 {
            continue;
        }
        let seat = Seat { view, asked, place, slot, named: &[] };
        let options = in_play(&seat, candidates);
        if let Some(settled) = by_stance(&seat, &options) {
            candidates.retain(|candidate| candidate.slot != place);
            candidates.push(settled);
            told.push(place);
        }
    }
    told
}

fn by_stance(seat: &Seat<'_>, options: &[InPlay]) -> Option<Candidate> {
    let spans: Vec<Range<usize>> =
        options.iter().map(|option| seat.view.heard.bytes(&option.words)).collect();
    let turn = seat.view.heard.turn.filter(|turn| options.iter().any(|option| option.words.start >= *turn));
    let told: Vec<Option<Stance>> = options.iter().map(|option| option.told(turn)).collect();
    let judged = stance::of_options(seat.asked.text, &spans, &told);
    let wanted = judged.as_ref().is_some_and(|(stances, _)| stances.contains(&Stance::Wanted));
    if !wanted && let Some(other) = other_of_two(seat, options) {
        return Some(other);
    }
    let (stances, lead) = judged?;
    let counted = turn.is_none() && counted_up(seat.slot, options);
    let in_a_row = counted && joined(seat.view, options);
    let least = match options {
        [_] => LEAD_OF_ONE_MIN,
        _ if in_a_row => LEAD_OF_COUNTED_MIN,
        _ => LEAD_MIN,
    };
    if lead < least {
        let alike = stances.iter().all(|stance| *stance == Stance::Wanted);
        let first = options.first().filter(|_| counted && !in_a_row && !alike && lead > LEAD_TO_ASK_MIN)?;
        return Some(first.candidate(
            seat,
            &first.value,
            Some(several(seat, &options.iter().collect::<Vec<_>>())),
        ));
    }
    match options {
        // One that is wanted is left to what else speaks for it.
        [one] if wanted || one.by == By::Meaning => None,
        _ => settled(seat, options, &stances),
    }
}

impl InPlay {
    /// What plain words tell of it: a denial, or a correction that begins somewhere.
    fn told(&self, turn: Option<usize>) -> Option<Stance> {
        match turn {
            _ if self.denied => Some(Stance::Aside),
            Some(turn) if self.words.end <= turn => Some(Stance::Aside),
            turn => turn.map(|_| Stance::Wanted),
        }
    }

    /// A value that is told by this choice.
    fn candidate(&self, seat: &Seat<'_>, value: &Value, doubt: Option<Doubt>) -> Candidate {
        Candidate {
            slot: seat.place,
            value: value.clone(),
            words: self.words.clone(),
            score: SETTLED_SCORE,
            confidence: STANCE,
            by: self.by,
            doubt,
        }
    }
}

/// A question between some of the choices, in the order of the schema.
fn several(seat: &Seat<'_>, options: &[&InPlay]) -> Doubt {
    let values = seat.slot.choices.iter().map(|choice| &choice.value);
    let in_play = |value: &&Value| options.iter().any(|option| option.value == **value);
    Doubt::Several(values.filter(in_play).cloned().collect())
}

/// The other of two choices, where one of them is spoken of, or is remembered and nothing else is said.
fn other_of_two(seat: &Seat<'_>, options: &[InPlay]) -> Option<Candidate> {
    let at = said_other(seat.view)?;
    let every = for_all(seat.slot).map(|choice| &choice.value);
    let values = seat.slot.choices.iter().map(|choice| &choice.value);
    let two: Vec<&Value> = values.filter(|value| Some(*value) != every).collect();
    let [one, other] = two.as_slice() else { return None };
    let mut spoken = options.iter().map(|option| &option.value).filter(|value| Some(*value) != every);
    let first = match spoken.next() {
        Some(first) => first,
        None => seat.asked.remembered(seat.slot)?,
    };
    if spoken.any(|value| value != first) {
        return None;
    }
    let value = [(one, other), (other, one)].into_iter().find(|(spoken, _)| **spoken == first)?.1;
    let said = InPlay { value: (*value).clone(), words: at..at + 1, by: By::Meaning, denied: false };
    Some(said.candidate(seat, value, None))
}

/// What the stances of the options settle.
fn settled(seat: &Seat<'_>, options: &[InPlay], stances: &[Stance]) -> Option<Candidate> {
    let of = |stance: Stance| {
        let mut values: Vec<&InPlay> = Vec::new();
        for (option, own) in options.iter().zip(stances) {
            if *own == stance && !values.iter().any(|other| other.value == option.value) {
                values.push(option);
            }
        }
        values
    };
    let (wanted, mut aside, open) = (of(Stance::Wanted), of(Stance::Aside), of(Stance::Open));
    aside.retain(|option| !wanted.iter().any(|other| other.value == option.value));
    let every = for_all(seat.slot).map(|choice| &choice.value);
    let is_every = |option: &&InPlay| Some(&option.value) == every;
    match (wanted.as_slice(), aside.as_slice(), open.as_slice()) {
        // "Any level but primary" is all that is left.
        ([one], [first, ..], _) if is_every(one) && first.denied && one.words.start < first.words.start => {
            Some(left_over(seat, &aside, first, every))
        }
        ([one], ..) => Some(one.candidate(seat, &one.value, None)),
        ([first, ..], ..) => {
            let every = every?;
            let mut others = seat.slot.choices.iter().filter(|choice| choice.value != *every);
            let counted = others.all(|choice| wanted.iter().any(|option| option.value == choice.value));
            if counted || wanted.iter().any(is_every) {
                return Some(first.candidate(seat, every, None));
            }
            Some(first.candidate(seat, &first.value, Some(several(seat, &wanted))))
        }
        // One choice that is asked about is a question, and all of them together are none.
        ([], [], [_]) => None,
        ([], _, open) if open.iter().any(is_every) => None,
        ([], _, [first, ..]) => Some(first.candidate(seat, &first.value, Some(several(seat, &open)))),
        ([], [first, ..], []) => Some(left_over(seat, &aside, first, None)),
        ([], [], []) => None,
    }
}

/// What is left when some choices are set aside: the one, or a question which. Where none is left, all are put to the speaker
/// again.
fn left_over(seat: &Seat<'_>, aside: &[&InPlay], first: &InPlay, besides: Option<&Value>) -> Candidate {
    let choices = &seat.slot.choices;
    let out = |choice: &Choice| {
        Some(&choice.value) == besides || aside.iter().any(|option| option.value == choice.value)
    };
    let left = choices.iter().filter(|choice| seat.asked.shows(choice) && !out(choice));
    let mut left: Vec<Value> = left.map(|choice| choice.value.clone()).collect();
    if left.is_empty() {
        left = choices.iter().map(|choice| choice.value.clone()).collect();
    }
    let value = left.first().cloned().unwrap_or_default();
    first.candidate(seat, &value, (left.len() > 1).then_some(Doubt::Several(left)))
}
