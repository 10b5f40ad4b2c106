//! What do the examples of a form make of words?

use std::ops::Range;

use serde_json::Value;

use super::View;
use crate::selection::terms::Term;

/// What the lead of a slot that the words speak of weighs beside likeness to its examples. With the two below, found on the phrasings
/// for `choices` that were looked at: numbers go to the slot that is spoken of, and to none where none is.
const SPOKEN_OF: f32 = 0.4;
/// What speaks for a slot in words that may still be about it, and what falling short of that weighs beside the lead.
const SPOKEN_MIN: f32 = -0.6;
const UNSPOKEN: f32 = 4.0;
/// What speaks for a slot in words that are not about it: of messages about other things, nine in ten are below.
const UNSPOKEN_MAX: f32 = -0.8;
/// What speaks for what is not said at all.
const NOT_SAID: f32 = -1.0;

/// What some words mean together, and how much they speak for each choice that was taught.
#[derive(Clone, Debug)]
pub(in crate::arguments) struct Judged {
    pub vector: Vec<f32>,
    pub scores: Vec<f32>,
}

impl View<'_, '_> {
    /// What the examples make of some words; nothing where their meaning is not known.
    pub fn judged(&self, words: impl Iterator<Item = usize> + Clone) -> Option<Judged> {
        let mut vector = Vec::new();
        if !self.heard.sum_of(words.clone(), &mut vector) {
            return None;
        }
        let terms: Vec<Term> = words.filter_map(|at| Some(self.heard.word(at)?.meant)).collect();
        let scores = self.taught.judge(&vector, &terms);
        Some(Judged { vector, scores })
    }

    /// What they make of the message as a whole.
    pub fn whole(&self) -> Option<&Judged> {
        self.whole.get_or_init(|| self.judged_between(&(0..self.heard.len()))).as_ref()
    }

    /// What speaks for a choice of a slot in words that were judged.
    pub fn speaks_for(&self, place: usize, value: &Value, judged: &Judged) -> Option<f32> {
        let mut own = self.taught.of_slot(place, &judged.scores);
        own.find(|(other, _)| *other == value).map(|(_, score)| score)
    }

    /// How much more words speak of a slot than of any other; less where they do not speak of it at all, 0 where nothing is known.
    pub fn spoken_of(&self, place: usize, words: &Range<usize>) -> f32 {
        let Some(judged) = self.judged_between(words) else { return 0.0 };
        let of = |place: usize| {
            let own = self.taught.of_slot(place, &judged.scores);
            own.map(|(_, score)| score).fold(NOT_SAID, f32::max)
        };
        let others = (0..self.form.slots.len()).filter(|other| *other != place).map(of);
        let lead = of(place) - others.fold(NOT_SAID, f32::max);
        SPOKEN_OF * (lead + UNSPOKEN * (of(place) - SPOKEN_MIN).min(0.0))
    }

    /// Whether the clause around words, or the message as a whole, may speak of a slot: where its examples teach what speaking of
    /// it is, and it was not asked for, and is not named.
    pub fn may_speak_of(&self, place: usize, words: &Range<usize>) -> bool {
        let asked_for = self.wanted.get(place).is_some_and(|wanted| *wanted > 0.0);
        if !self.taught.knows(place) || asked_for || self.names_slot(place) {
            return true;
        }
        let speaks = |judged: &Judged| {
            self.taught.of_slot(place, &judged.scores).any(|(_, score)| score > UNSPOKEN_MAX)
        };
        self.whole().is_some_and(speaks)
            || self.judged_between(&self.heard.clause(words)).is_some_and(|clause| speaks(&clause))
    }

    /// Whether a number is far from all that the examples of its slot have.
    pub fn is_unusual(&self, place: usize, value: &Value) -> bool {
        value.as_f64().is_some_and(|number| self.taught.is_unusual(place, number))
    }

    fn judged_between(&self, words: &Range<usize>) -> Option<Judged> {
        self.judged(words.clone().filter(|at| self.heard.word(*at).is_some_and(|word| !word.sign)))
    }
}
