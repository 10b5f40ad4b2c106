//! Which numbers do the examples of a form speak of? By what stands around them, and by their size.

use std::ops::Range;

use serde_json::Value;

use super::ridge::{Lesson, Ridge, Weighing};
use super::{EXAMPLES_MIN, Taught, along, small_talk};
use crate::arguments::candidates::readings;
use crate::arguments::form::{Form, Slot};
use crate::arguments::heard::{Heard, is_figure};
use crate::arguments::meaning::{Letters, Meaning};
use crate::mentions::{Mention, Setting, Value as Found};
use crate::selection::terms::{self, Term};

/// Words on each side that say what a number is.
const WORDS_NEAR: usize = 5;
/// Most numbers that are learned from, as with examples.
const LESSONS_MAX: usize = 3_000;
/// The words around a number weigh as much as what they mean; both found on phrasings for `choices` with numbers that belong to
/// nothing.
const WEIGHING: Weighing = Weighing { signs: 1.0, ridge: 0.6 };
/// From which place on a word is just somewhere near.
const FAR: usize = 2;
/// Years that plans and reports speak of.
const YEARS: Range<f64> = 1950.0..2100.0;

/// Something about a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sign {
    /// A word before it, and how far from it.
    Before(usize, Term),
    /// A word behind it, and how far from it.
    Behind(usize, Term),
    /// Its size, in powers of ten.
    Size(i32),
    /// It has a fraction.
    Broken,
    /// It may be a year.
    Year,
    /// It is the only one in the message, or the last of several.
    Alone,
    Last,
}

/// What the numbers of the examples teach.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// The slots that numbers are told apart for.
    slots: Vec<usize>,
    ridge: Option<Ridge<Sign>>,
}

impl Numbers {
    /// Learns from the numbers of examples: those of messages with arguments, those of slots, and those that mean nothing.
    #[allow(clippy::float_cmp)] // the same text gives the same number
    pub fn of(form: &Form, taught: &Taught, meaning: &dyn Meaning) -> Numbers {
        let takes = |slot: &Slot| {
            let number = slot.kind.is_number() && slot.many.is_none() && !slot.closed;
            number && slot.examples.len() >= EXAMPLES_MIN
        };
        let slots: Vec<(usize, &Slot)> =
            form.slots.iter().enumerate().filter(|(_, slot)| takes(slot)).collect();
        if slots.is_empty() {
            return Numbers::default();
        }
        let mut lessons: Vec<Lesson<Sign>> = Vec::new();
        let hear = |text| Heard::new(text, &Setting::default(), taught, meaning);
        for (message, args) in &form.examples {
            let given =
                |slot: &Slot, number: f64| along(args, &slot.path).and_then(Value::as_f64) == Some(number);
            learn(&hear(&message.text), &slots, given, &mut lessons);
        }
        for (_, slot) in &slots {
            for example in &slot.examples {
                let heard = hear(&example.text);
                let numbers: Vec<f64> = readings(&heard, slot).map(|(number, _)| number).collect();
                // Of several numbers, which is meant is not known: "eight under one roof" apart.
                let is_one = |number: &f64| *number == 1.0 && numbers.len() > 1;
                let mut others = numbers.iter().filter(|number| !is_one(number));
                if let (Some(only), None) = (others.next(), others.next()) {
                    let own = |other: &Slot, number: f64| {
                        other.name == slot.name && number == *only && slot.bounds.hold(number)
                    };
                    learn(&heard, &slots, own, &mut lessons);
                }
            }
        }
        let choices = form.slots.iter().flat_map(|slot| slot.choices.iter().chain(&slot.shown));
        for example in choices.flat_map(|choice| &choice.examples) {
            learn(&hear(&example.text), &slots, |_, _| false, &mut lessons);
        }
        for line in small_talk(lessons.len()) {
            learn(&hear(line), &slots, |_, _| false, &mut lessons);
        }
        if lessons.is_empty() || lessons.len() > LESSONS_MAX {
            return Numbers::default();
        }
        let ridge = Some(Ridge::of(&lessons, slots.len(), WEIGHING));
        Numbers { slots: slots.into_iter().map(|(place, _)| place).collect(), ridge }
    }

    /// Whether the numbers of a slot are told apart.
    pub fn knows(&self, slot: usize) -> bool {
        self.slots.contains(&slot)
    }

    /// What speaks for a number being that of a slot; nothing where no example tells.
    pub fn judge(&self, slot: usize, heard: &Heard<'_>, words: &Range<usize>, number: f64) -> Option<f32> {
        let output = self.slots.iter().position(|known| *known == slot)?;
        let (vector, signs) = around(heard, words, number)?;
        self.ridge.as_ref()?.judge(&vector, signs.into_iter()).get(output).copied()
    }
}

/// Learns from each number of a message which of the slots it is of.
fn learn(
    heard: &Heard<'_>,
    slots: &[(usize, &Slot)],
    belongs: impl Fn(&Slot, f64) -> bool,
    lessons: &mut Vec<Lesson<Sign>>,
) {
    // A slot reads a number in its own unit.
    let read: Vec<Vec<(f64, Range<usize>)>> =
        slots.iter().map(|(_, slot)| readings(heard, slot).collect()).collect();
    let mut learned: Vec<&Range<usize>> = Vec::new();
    for (number, words) in read.iter().flatten() {
        if learned.contains(&words) {
            continue;
        }
        learned.push(words);
        let own = |read: &[(f64, Range<usize>)]| {
            read.iter().find(|(_, other)| other == words).map(|(number, _)| *number)
        };
        let right = slots.iter().zip(&read).enumerate();
        let right =
            right.filter(|(_, ((_, slot), read))| own(read).is_some_and(|number| belongs(slot, number)));
        let right = right.map(|(output, _)| output).collect();
        if let Some((vector, signs)) = around(heard, words, *number) {
            lessons.push(Lesson { vector, signs, right });
        }
    }
}

/// The numbers of a slot that messages mean without saying them: "the single worst ward" is one. Each in several examples.
pub(super) fn unspoken(form: &Form, slot: &Slot) -> Vec<Value> {
    if !slot.kind.is_number() || slot.many.is_some() || slot.closed {
        return Vec::new();
    }
    let mut meant: Vec<(&Value, usize)> = Vec::new();
    for (message, args) in &form.examples {
        let Some(value) = along(args, &slot.path) else { continue };
        let heard = Heard::new(&message.text, &Setting::default(), &Taught::default(), &Letters);
        if readings(&heard, slot).any(|(number, _)| Some(number) == value.as_f64()) {
            continue;
        }
        match meant.iter_mut().find(|(other, _)| *other == value) {
            Some((_, count)) => *count += 1,
            None => meant.push((value, 1)),
        }
    }
    meant.into_iter().filter(|(_, count)| *count >= EXAMPLES_MIN).map(|(value, _)| value.clone()).collect()
}

/// What stands around a number, and its size.
fn around(heard: &Heard<'_>, words: &Range<usize>, number: f64) -> Option<(Vec<f32>, Vec<Sign>)> {
    let stops = |at: &usize| !matches!(heard.tokens.lower(*at), "." | ";" | "?" | "!");
    let own = heard.denied(words);
    // What is denied says nothing of what is not: "fifty, not fifteen, of a hundred".
    let said = |at: &usize| heard.word(*at).is_some_and(|word| !word.sign && (own || !word.denied));
    let end = alternative(heard, words.end);
    let before: Vec<usize> = (0..words.start).rev().take_while(stops).filter(said).take(WORDS_NEAR).collect();
    let behind: Vec<usize> = (end..heard.len()).take_while(stops).filter(said).take(WORDS_NEAR).collect();
    let mut vector = Vec::new();
    let mut room = Vec::new();
    for side in [&before, &behind] {
        if !heard.sum_of(side.iter().copied(), &mut room) {
            return None;
        }
        vector.extend(room.iter().map(|value| value * std::f32::consts::FRAC_1_SQRT_2));
    }
    let term = |at: usize| {
        let figure = is_figure(heard.tokens.lower(at));
        heard.word(at).map(|word| if figure { terms::term("#") } else { word.meant })
    };
    let far = |nth: usize| nth.min(FAR);
    let mut signs: Vec<Sign> = Vec::new();
    signs.extend(before.iter().enumerate().filter_map(|(nth, at)| Some(Sign::Before(far(nth), term(*at)?))));
    signs.extend(behind.iter().enumerate().filter_map(|(nth, at)| Some(Sign::Behind(far(nth), term(*at)?))));
    signs.push(Sign::Size(size(number)));
    signs.extend((number.fract() != 0.0).then_some(Sign::Broken));
    signs.extend((YEARS.contains(&number) && words.len() == 1).then_some(Sign::Year));
    let counts = |mention: &Mention| matches!(mention.value, Found::Number(_) | Found::Percent(_));
    let numbers = heard.mentions.iter().filter(|mention| !mention.latent && counts(mention));
    let count = numbers.clone().count();
    let span = heard.span(words);
    let last = numbers.map(|mention| mention.span.start).max().is_some_and(|start| start <= span.start);
    signs.extend((count <= 1).then_some(Sign::Alone));
    signs.extend((count > 1 && last).then_some(Sign::Last));
    Some((vector, signs))
}

/// The size of a number in powers of ten, from hundredths on.
fn size(number: f64) -> i32 {
    let (mut left, mut size) = (number.abs(), 0);
    while left >= 10.0 && size < 16 {
        (left, size) = (left / 10.0, size + 1);
    }
    while left < 1.0 && size > -2 {
        (left, size) = (left * 10.0, size - 1);
    }
    size
}

/// Where the number ends that is set beside another with an "or": both are of what follows.
fn alternative(heard: &Heard<'_>, end: usize) -> usize {
    if heard.tokens.lower(end) != "or" {
        return end;
    }
    let numbers = heard.mentions.iter().filter(|mention| matches!(mention.value, Found::Number(_)));
    let next = numbers.map(|mention| heard.words_of(mention.span)).find(|words| words.start == end + 1);
    next.map_or(end, |words| words.end)
}
