//! What speaks for words being the value of a slot? Where they stand, how they are written, and what is near them.

mod judged;
mod kinds;
mod near;
mod shape;

use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use super::form::{Choice, Form, Slot};
use super::heard::{Heard, Word};
use super::meaning::{Meaning, dot, learn};
use super::phrase::Phrase;
use super::taught::Taught;
use super::weights::real;
use super::{Asked, Ready};
use crate::mentions::Value as Mentioned;
use crate::selection::terms::{self, Term};

pub(super) use judged::Judged;
pub(super) use kinds::Feature;
use near::Near;

/// One reason, as the place of its weight, and how much of it there is.
pub(super) type Reason = (usize, f32);

/// Words that lead up to a value. What each says depends on the sort of slot: their product is what is learned.
const LEADS: [&str; 16] = [
    "of", "in", "at", "on", "for", "from", "to", "by", "with", "near", "about", "between", "and", "is", "as",
    "named",
];
/// Sorts of slots, each by words that such slots are called by. A slot belongs to one as far as it is alike in meaning.
const SORTS: [&str; 6] = [
    "city location place country address",
    "person name author artist player",
    "title of a song movie book game",
    "origin start from departure source",
    "destination end to arrival target",
    "type kind category style method",
];
/// How many features there are, with the products behind the others.
pub(super) const COUNT: usize = Feature::Led as usize + LEADS.len() * (SORTS.len() + 1);

/// What speaks for a tool in a message that is about it, and in one that besides names something of it. Of phrasings for `choices`
/// that were looked at, one in fifty that are about something else are above, and none of the others below.
const ABOUT_MIN: f32 = 0.1;
const ABOUT_NAMED_MIN: f32 = -0.3;
/// What speaks for a tool in a message that is about something else, and fewest words that tell so.
const ELSEWHERE_MAX: f32 = -0.5;
const ELSEWHERE_WORDS_MIN: usize = 2;
/// Least likeness of a message to a tool at which it is about it.
const TOUCHES_MIN: f32 = 0.45;

/// How far each slot of a form belongs to each sort, worked out once when the form is read.
#[derive(Clone, Debug, Default)]
pub struct Sorts(Vec<[f32; SORTS.len()]>);

impl Sorts {
    /// Compares the slots of a form, which must have their vectors, with the sorts.
    pub fn of(form: &Form, meaning: &dyn Meaning) -> Sorts {
        let sorts = SORTS.map(|words| {
            let mut phrase = Phrase::new(words);
            learn(&mut phrase, meaning);
            phrase.vector
        });
        let like = |slot: &Slot| {
            let name = slot.names.first().map(|name| name.vector.as_slice()).unwrap_or_default();
            std::array::from_fn(|at| {
                let sort = sorts.get(at).map(Vec::as_slice).unwrap_or_default();
                dot(name, sort).max(dot(&slot.about.vector, sort)).max(0.0)
            })
        };
        Sorts(form.slots.iter().map(like).collect())
    }
}

/// A form and a message looked at together.
pub(super) struct View<'a, 't> {
    pub form: &'a Form,
    pub heard: &'a Heard<'t>,
    pub setting: &'a crate::mentions::Setting,
    sorts: &'a Sorts,
    pub taught: &'a Taught,
    near: Near,
    room: RefCell<Vec<f32>>,
    /// What the examples make of the message as a whole, once it was asked for.
    whole: OnceCell<Option<Judged>>,
    /// How far the last question asked for each slot.
    wanted: Vec<f32>,
    pub columns: &'a [&'a Choice],
}

impl<'a, 't> View<'a, 't> {
    pub fn new(ready: &'a Ready, heard: &'a Heard<'t>, asked: &'a Asked<'_>) -> View<'a, 't> {
        let form = &ready.form;
        let wanted = wanted(form, asked);
        View {
            form,
            heard,
            setting: &asked.setting,
            sorts: &ready.sorts,
            taught: &ready.taught,
            near: Near::new(form, heard),
            room: RefCell::new(Vec::new()),
            whole: OnceCell::new(),
            wanted,
            columns: &asked.columns,
        }
    }

    /// How far a word next to these names the slot.
    pub fn named_near(&self, place: usize, words: &Range<usize>) -> f32 {
        self.near.named_near(self, place, words)
    }

    /// Whether the words are nothing but the slot's own name.
    pub fn is_own_name(&self, place: usize, words: &Range<usize>) -> bool {
        let told = |at: usize| self.heard.word(at).is_some_and(|word| !word.empty);
        words.clone().all(|at| !told(at) || self.near.named(place, at) > 0.0)
    }

    /// Whether a word belongs to how the message is said: a place in a list, a plain number.
    pub fn is_talk(&self, at: usize) -> bool {
        let Some(token) = self.heard.tokens.get(at) else { return true };
        self.heard.mentions.iter().any(|mention| {
            let told = matches!(
                mention.value,
                Mentioned::Ordinal(_)
                    | Mentioned::Number(_)
                    | Mentioned::Percent(_)
                    | Mentioned::Measure(..)
                    | Mentioned::Money(..)
            );
            told && mention.span.holds(token.span)
        })
    }

    /// Whether a word is of the slot's name.
    pub fn names_word(&self, place: usize, at: usize) -> bool {
        self.near.named(place, at) > 0.0
    }

    /// Whether the message names a slot.
    pub fn names_slot(&self, place: usize) -> bool {
        (0..self.heard.len()).any(|at| self.near.named(place, at) > 0.0)
    }

    /// Whether a word is of the names of choices or slots.
    pub fn is_of_choices(&self, at: usize) -> bool {
        let Some(word) = self.heard.word(at) else { return false };
        self.columns.iter().any(|choice| choice.words.iter().any(|phrase| phrase.has(word.term)))
            || self.form.slots.iter().any(|slot| {
                let choices = slot.choices.iter().flat_map(|choice| &choice.words);
                slot.names.iter().take(1).chain(choices).any(|phrase| phrase.has(word.term))
            })
    }

    /// Whether a word is of what the tool says of itself.
    pub fn is_of_tool(&self, at: usize) -> bool {
        let Some(word) = self.heard.word(at) else { return false };
        self.form.about.has(word.term) || self.form.slots.iter().any(|slot| slot.about.has(word.term))
    }

    /// Where a choice is named word for word.
    pub fn named_at<'v>(
        &'v self,
        choice: &'v Choice,
    ) -> impl Iterator<Item = Range<usize>> + use<'v, 'a, 't> {
        choice.words.iter().flat_map(|phrase| super::candidates::matches(self.heard, phrase))
    }

    /// Whether the message asks for the tool itself, by a word of its name or by what it is like.
    pub fn names_tool(&self) -> bool {
        let named = |word: &crate::arguments::heard::Word| !word.light && self.form.about.has(word.term);
        self.heard.words.iter().any(named)
            || self.like(&(0..self.heard.len()), &self.form.about.vector) >= TOUCHES_MIN
    }

    /// Whether a word of the message is one of the tool's, of its slots or of their choices, or means the like.
    pub fn touches_tool(&self) -> bool {
        let heavy = |at: usize| self.heard.word(at).is_some_and(|word| !word.light);
        let named = || (0..self.heard.len()).any(|at| heavy(at) && self.is_of_choices(at));
        if let Some(about) = self.about() {
            return about > ABOUT_MIN || (about > ABOUT_NAMED_MIN && named());
        }
        let told = || self.heard.words.iter().filter(|word| !word.empty && !word.light);
        let said = |word: &Word| {
            self.form.about.has(word.term) || self.form.slots.iter().any(|slot| slot.about.has(word.term))
        };
        told().any(said)
            || named()
            || self.like(&(0..self.heard.len()), &self.form.about.vector) >= TOUCHES_MIN
    }

    /// What speaks for the tool being spoken of, where examples teach what that is.
    pub fn about(&self) -> Option<f32> {
        let whole = self.whole().filter(|_| !self.taught.is_empty())?;
        Some(Taught::about(&whole.scores))
    }

    /// Whether a message of several words is about something else altogether, as far as examples teach.
    pub fn is_elsewhere(&self) -> bool {
        let told = self.heard.words.iter().filter(|word| !word.empty && !word.light).count();
        told >= ELSEWHERE_WORDS_MIN && self.about().is_some_and(|about| about < ELSEWHERE_MAX)
    }

    /// Everything that speaks for words being the value of a slot, or against it.
    pub fn look(&self, place: usize, words: &Range<usize>, reasons: &mut Vec<Reason>) {
        shape::shape(self.heard, words, reasons);
        shape::position(self.heard, words, reasons);
        self.near.look(self, place, words, reasons);
        self.meaning(place, words, reasons);
        self.led(place, words, reasons);
        let wanted = self.wanted.get(place).copied().unwrap_or(0.0);
        reasons.push(Feature::AskedFor.amount(wanted));
    }

    /// How much more the clause around words is like the examples of a slot than like those of the others: 0 where none has
    /// examples.
    pub fn like_examples(&self, place: usize, words: &Range<usize>) -> f32 {
        if self.form.slots.iter().all(|slot| slot.examples.is_empty()) {
            return 0.0;
        }
        let clause = self.heard.clause(words);
        if self.taught.knows(place) {
            return self.spoken_of(place, &clause);
        }
        let mut room = self.room.borrow_mut();
        if !self.heard.sum(&clause, &mut room) {
            return 0.0;
        }
        let like =
            |slot: &Slot| slot.examples.iter().map(|example| dot(&room, &example.vector)).fold(0.0, f32::max);
        let own = self.form.slots.get(place).map_or(0.0, like);
        let others = self.form.slots.iter().enumerate().filter(|(other, _)| *other != place);
        own - others.map(|(_, slot)| like(slot)).fold(0.0, f32::max)
    }

    /// How alike words and a vector are in meaning.
    pub fn like(&self, words: &Range<usize>, vector: &[f32]) -> f32 {
        self.heard.like(words, vector, &mut self.room.borrow_mut())
    }

    fn meaning(&self, place: usize, words: &Range<usize>, reasons: &mut Vec<Reason>) {
        let Some(slot) = self.form.slots.get(place) else { return };
        let mut room = self.room.borrow_mut();
        if !self.heard.sum(words, &mut room) {
            return;
        }
        let name = |slot: &'a Slot| slot.names.first().map(|name| name.vector.as_slice()).unwrap_or_default();
        let like_slot = dot(&room, name(slot)).max(dot(&room, &slot.about.vector));
        let choices = slot.choices.iter().flat_map(|choice| &choice.words);
        let like_choice = choices.map(|phrase| dot(&room, &phrase.vector)).fold(0.0, f32::max);
        let others = self.form.slots.iter().enumerate().filter(|(other, _)| *other != place);
        let like_others = others.map(|(_, other)| dot(&room, name(other))).fold(0.0, f32::max);
        reasons.extend([
            Feature::LikeSlot.amount(like_slot),
            Feature::LikeChoice.amount(like_choice),
            Feature::LikeOthers.amount(like_others),
        ]);
    }

    /// Which word leads up to the words: the nearest that is neither an article nor a quotation mark.
    fn led(&self, place: usize, words: &Range<usize>, reasons: &mut Vec<Reason>) {
        let lower = |at: usize| self.heard.tokens.lower(at);
        let passed = |at: &usize| matches!(lower(*at), "the" | "a" | "an" | "my" | "\"" | "'" | "“" | ":");
        let Some(at) = (0..words.start).rev().take(3).find(|at| !passed(at)) else { return };
        let word = match lower(at) {
            "called" | "titled" => "named",
            "are" | "was" | "be" | "=" => "is",
            "into" => "in",
            word => word,
        };
        let Some(lead) = LEADS.iter().position(|lead| *lead == word) else { return };
        let first = Feature::Led as usize + lead * (SORTS.len() + 1);
        let sorts = self.sorts.0.get(place).into_iter().flatten().copied();
        for (offset, amount) in std::iter::once(1.0).chain(sorts).enumerate() {
            reasons.push((first + offset, amount));
        }
    }
}

/// How far the last question asked for each slot: wholly where that is known, else by the words it names the slot with.
fn wanted(form: &Form, asked: &Asked<'_>) -> Vec<f32> {
    let terms: Vec<Term> =
        asked.question.map(terms::telling).unwrap_or_default().iter().map(|word| word.term).collect();
    let wanted = |slot: &Slot| {
        if asked.about == Some(slot.name.as_str()) {
            return 1.0;
        }
        let named = |phrase: &Phrase| {
            let named = phrase.terms.iter().filter(|term| terms.contains(term)).count();
            real(named) / real(phrase.terms.len().max(1))
        };
        slot.names.iter().map(named).fold(0.0, f32::max)
    };
    form.slots.iter().map(wanted).collect()
}
