//! How likely is what was read right, slot by slot and all of it? What the reader says of itself is too sure; what it was right about on tools it had never seen
//! tells how far to believe it.

use super::super::By;
use super::super::form::{Form, Kind, Slot};
use super::super::interpretation::Filled;
use super::weights::{ALL_RIGHT, NEEDED, SLOT_RIGHT};
use super::{ReaderOutput, SlotOutput, SpeechAct};
use crate::head::exact::{exp, ln, sigmoid};
use crate::message::Span;

/// What is known of how a slot was read: how likely it is by itself, by the runner-up and by where it is said; whether it is not to be run as it is; whether it
/// is said in its own words; and one.
pub const SLOT_FACTS: usize = 6;
/// What is known of a reading as a whole: how likely all slots are together and the least likely of them, that it asks for the tool, once, and for something
/// that no slot takes, how many words it has, the share of them that is a value, figures that are none, slots and earlier turns; and one.
pub const MESSAGE_FACTS: usize = 11;
/// A probability counts as no more certain than this.
const LEAST: f32 = 1e-5;
/// More than anything is likely: nothing runs.
const NEVER: f32 = 1.1;

/// What kind of slot was read, and whether a value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum SlotCase {
    /// One of the slot's values is taken.
    Chosen,
    /// None of them is.
    NoneChosen,
    /// A text is taken.
    Text,
    /// None is.
    NoText,
    /// A number, a day or a time is taken.
    Amount,
    /// None is.
    NoAmount,
    /// A flag is set or unset.
    Flag,
    /// It is left alone.
    NoFlag,
    /// A list is taken.
    List,
    /// None is.
    NoList,
    /// One of the values of a slot with examples is taken.
    Taught,
    /// None of them is.
    NoneTaught,
}

/// How many cases there are.
pub(super) const SLOT_CASES: usize = 12;

/// What was said.
#[derive(Clone, Copy)]
pub(super) struct Said<'t> {
    pub text: &'t str,
    /// Whether earlier turns were read too.
    pub follows: bool,
}

/// What a slot's reading is judged by.
#[derive(Clone, Debug)]
pub struct SlotEvidence {
    /// Its place in the form.
    pub place: usize,
    /// What kind of slot it is, and whether a value was found.
    pub case: SlotCase,
    /// What is known of it.
    pub facts: [f32; SLOT_FACTS],
}

impl SlotEvidence {
    /// How likely the slot is as it was read.
    pub fn right(&self) -> f32 {
        SLOT_RIGHT.get(self.case as usize).map_or(0.5, |weights| judged(weights, &self.facts))
    }
}

/// What a reading is judged by.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Of each slot.
    pub slots: Vec<SlotEvidence>,
    /// Of all of it.
    pub facts: [f32; MESSAGE_FACTS],
}

impl Evidence {
    /// How likely every slot is as it was read, the tool is asked for, and once.
    pub fn all_right(&self) -> f32 {
        judged(&ALL_RIGHT, &self.facts)
    }
}

/// Whether a value was read from the message, and not settled before or a default.
pub(super) fn is_read(filled: &Filled) -> bool {
    filled.is_said() && filled.by != By::Memory
}

fn judged<const N: usize>(weights: &[f32; N], facts: &[f32; N]) -> f32 {
    sigmoid(weights.iter().zip(facts).map(|(weight, fact)| weight * fact).sum())
}

/// How likely all of a call must be right if a share of all messages may be run wrongly.
pub(super) fn needed(max_wrong: f64) -> f32 {
    let above = NEEDED.iter().position(|(share, _)| *share >= max_wrong).unwrap_or(NEEDED.len() - 1);
    let between = NEEDED.get(above.saturating_sub(1)).zip(NEEDED.get(above));
    let Some(((from, more), (to, less))) = between.map(|(from, to)| (*from, *to)) else { return NEVER };
    if to <= from {
        return less;
    }
    #[allow(clippy::cast_possible_truncation)] // a share
    let part = ((max_wrong - from) / (to - from)).clamp(0.0, 1.0) as f32;
    more + part * (less - more)
}

/// What is known of a reading: `seen` is what it sees once no piece is claimed twice.
pub(super) fn evidence(
    form: &Form,
    said: Said<'_>,
    reading: &ReaderOutput,
    seen: &[SlotOutput],
    slots: &[(usize, Filled)],
) -> Evidence {
    let mut left = seen;
    let mut first = reading.slots.as_slice();
    let mut told = Vec::with_capacity(form.slots.len());
    let mut taken: Vec<Span> = Vec::new();
    for (place, slot) in form.slots.iter().enumerate() {
        let count = slot.items.len().max(1);
        let Some(((own, rest), (before, later))) =
            left.split_at_checked(count).zip(first.split_at_checked(count))
        else {
            break;
        };
        (left, first) = (rest, later);
        let filled = slots.iter().find(|(at, filled)| *at == place && is_read(filled));
        let filled = filled.map(|(_, filled)| filled);
        if filled.is_some() {
            taken.extend(own.iter().flat_map(pieces_taken));
        }
        told.push(of_slot(place, slot, own, before, filled));
    }
    let facts = of_message(said, reading, &told, &taken);
    Evidence { slots: told, facts }
}

fn of_slot(
    place: usize,
    slot: &Slot,
    seen: &[SlotOutput],
    before: &[SlotOutput],
    filled: Option<&Filled>,
) -> SlotEvidence {
    let case = case_of(slot, filled.is_some());
    let likely = match (seen, filled) {
        ([own], filled) if slot.items.is_empty() => likely_alone(slot, own, filled),
        (items, _) => items.iter().map(of_item).product(),
    };
    let rival = seen.iter().map(|own| runner_up(slot, own, filled.is_some())).fold(0.0, f32::max);
    let unsaid = before.iter().map(|own| own.none).product();
    let doubt = seen.iter().map(|own| own.doubt).fold(0.0, f32::max);
    let exact = flag(filled.is_some_and(|filled| filled.by == By::Exact));
    SlotEvidence { place, case, facts: [odds(likely), odds(rival), odds(unsaid), odds(doubt), exact, 1.0] }
}

fn case_of(slot: &Slot, filled: bool) -> SlotCase {
    let (taken, left) = match slot.kind {
        _ if slot.is_taught() => (SlotCase::Taught, SlotCase::NoneTaught),
        _ if slot.many.is_some() || !slot.items.is_empty() => (SlotCase::List, SlotCase::NoList),
        Kind::Flag => (SlotCase::Flag, SlotCase::NoFlag),
        _ if slot.closed => (SlotCase::Chosen, SlotCase::NoneChosen),
        Kind::Integer | Kind::Number | Kind::Date | Kind::Time | Kind::DateTime | Kind::Duration => {
            (SlotCase::Amount, SlotCase::NoAmount)
        }
        _ => (SlotCase::Text, SlotCase::NoText),
    };
    if filled { taken } else { left }
}

/// How likely a slot is as it was read, by what the reader says of itself.
fn likely_alone(slot: &Slot, seen: &SlotOutput, filled: Option<&Filled>) -> f32 {
    match filled {
        Some(filled) => filled.confidence,
        None if slot.closed && slot.many.is_some() => {
            seen.each_wanted.iter().map(|wanted| 1.0 - wanted).fold(1.0, f32::min)
        }
        None if slot.closed && slot.kind != Kind::Flag => seen.none_wanted,
        None => seen.none,
    }
}

/// The likeliest of what was not taken.
fn runner_up(slot: &Slot, seen: &SlotOutput, filled: bool) -> f32 {
    let mut shares: Vec<f32> = if slot.closed && slot.kind != Kind::Flag {
        seen.choices.iter().copied().chain([seen.none_wanted]).collect()
    } else {
        seen.pieces.iter().map(|(_, likely)| *likely).chain([seen.none]).collect()
    };
    shares.sort_by(|left, right| right.total_cmp(left));
    let at = usize::from(filled || shares.first() == Some(&seen.none));
    shares.get(at).copied().unwrap_or_default()
}

/// A slot of the objects of a list.
fn of_item(seen: &SlotOutput) -> f32 {
    if seen.parts.is_empty() {
        return seen.none;
    }
    seen.parts.iter().map(|(_, likely)| *likely).fold(1.0, f32::min)
}

/// Where what was taken stands in the message.
fn pieces_taken(seen: &SlotOutput) -> Vec<Span> {
    let pieces = if seen.parts.is_empty() { seen.pieces.get(..1).unwrap_or_default() } else { &seen.parts };
    let said = seen.none < super::judge::SAID_MIN || !seen.parts.is_empty();
    pieces.iter().filter(|(piece, _)| said && piece.turn.is_none()).map(|(piece, _)| piece.span).collect()
}

#[allow(clippy::cast_precision_loss)] // counts of words
fn of_message(
    said: Said<'_>,
    reading: &ReaderOutput,
    slots: &[SlotEvidence],
    taken: &[Span],
) -> [f32; MESSAGE_FACTS] {
    let rights: Vec<f32> = slots.iter().map(|slot| slot.right().clamp(LEAST, 1.0 - LEAST)).collect();
    let together: f32 = rights.iter().map(|right| -ln(1.0 / right)).sum();
    let least = rights.iter().copied().fold(1.0, f32::min);
    let covered = |word: Span| taken.iter().any(|span| span.overlaps(word));
    let (mut words, mut values, mut figures, mut at) = (0_u16, 0_u16, 0_u16, 0);
    for word in said.text.split_inclusive(char::is_whitespace) {
        let inside = covered(Span::new(at..at + word.trim_end().len()));
        at += word.len();
        words = words.saturating_add(1);
        values = values.saturating_add(u16::from(inside));
        figures =
            figures.saturating_add(u16::from(!inside && word.chars().any(|letter| letter.is_ascii_digit())));
    }
    let words = f32::from(words.max(1));
    [
        odds(exp(together)),
        odds(least),
        odds(reading.act(SpeechAct::Request) + reading.act(SpeechAct::Correction)),
        odds(reading.several),
        odds(reading.unmet),
        ln(words),
        f32::from(values) / words,
        f32::from(figures.min(5)),
        ln(1.0 + slots.len() as f32),
        flag(said.follows),
        1.0,
    ]
}

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// The logarithm of the odds.
fn odds(likely: f32) -> f32 {
    let likely = likely.clamp(LEAST, 1.0 - LEAST);
    ln(1.0 / (1.0 - likely)) - ln(1.0 / likely)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_that_may_be_wrong_needs_more() {
        let needs: Vec<f32> = [0.0, 0.002, 0.005, 0.01, 0.015, 0.05, 1.0].map(needed).to_vec();
        assert!(needs.is_sorted_by(|more, less| more >= less), "{needs:?}");
        assert!(needs[0] > 1.0, "nothing runs where nothing may be wrong");
    }

    #[test]
    fn what_is_likelier_is_believed_more() {
        let at = |likely: f32, case: SlotCase| {
            let facts = [odds(likely), odds(1.0 - likely), odds(0.1), odds(0.0), 0.0, 1.0];
            SlotEvidence { place: 0, case, facts }.right()
        };
        for case in [SlotCase::Chosen, SlotCase::Text, SlotCase::Amount, SlotCase::Flag] {
            assert!(at(0.99, case) > at(0.6, case), "{case:?}");
        }
    }
}
