//! What do the examples of a form teach about its choices?
//!
//! A ridge regression from what a text means and which words it has to the choice it asks for, solved once when the form is
//! read. What is an example of one slot is an example of "nothing said" for the others.

mod numbers;
mod ridge;

use std::ops::Range;

use serde_json::{Map, Value};

use super::form::{Choice, Form, Slot};
use super::heard::Heard;
use super::meaning::{Meaning, learn};
use super::phrase::Phrase;
use super::spelling;
use crate::mentions::{self, Setting};
use crate::selection::terms::Term;

use numbers::Numbers;
use ridge::{Ridge, Weighing};

/// Half for the words tells the phrasings of `choices` that were looked at apart best; from a third to the whole it makes no
/// difference of two in a hundred. Weights are held back by a third of the length of a meaning, as found on the same phrasings.
const WEIGHING: Weighing = Weighing { signs: 0.5, ridge: 0.3 };
/// Small talk, and wishes about all sorts of other things: examples of no choice, for every form.
const SMALL_TALK: &str = include_str!("smalltalk.txt");
/// Most examples that are learned from, small talk included: solving takes their number to the third power, 0.3 s for sixteen
/// hundred. A form with more goes by likeness.
const EXAMPLES_MAX: usize = 3_000;
/// Fewest examples of a choice from which its slot is taught: its name alone teaches nothing that likeness does not tell.
const EXAMPLES_MIN: usize = 3;

/// What the examples of a form teach: how much each word and each direction of meaning speaks for each choice.
#[derive(Clone, Debug, Default)]
pub(super) struct Taught {
    /// What is told apart: the choices of slots, and that a slot without choices is spoken of at all, as `null`.
    outputs: Vec<(usize, Value)>,
    /// What the words and pairs of words of the examples, and what they mean, say for each of these.
    ridge: Option<Ridge<Gram>>,
    /// What the numbers of the examples belong to.
    numbers: Numbers,
    /// Words of the names and examples, ascending: what words with typing errors may be meant to be.
    words: Vec<String>,
    /// The least and the largest number in the examples of each slot, where they have some.
    usual: Vec<Option<(f64, f64)>>,
}

/// The place of an output that is of no slot.
const NO_SLOT: usize = usize::MAX;

/// A word, or two that follow each other.
type Gram = (Term, Option<Term>);

/// Lines of small talk that every form learns from; more as it has more examples, so that few are not drowned by them.
const SMALL_TALK_MIN: usize = 150;

/// Small talk beside so many examples.
fn small_talk(examples: usize) -> impl Iterator<Item = &'static str> {
    SMALL_TALK.lines().take(examples.max(SMALL_TALK_MIN))
}

/// An example, and what it asks for.
struct Lesson<'f> {
    phrase: &'f Phrase,
    /// The outputs that are right for it.
    outputs: Vec<usize>,
}

impl<'f> Lesson<'f> {
    fn of(phrase: &'f Phrase, output: usize) -> Lesson<'f> {
        Lesson { phrase, outputs: vec![output] }
    }

    /// A whole message with its arguments.
    fn whole(
        form: &Form,
        phrase: &'f Phrase,
        args: &Map<String, Value>,
        outputs: &[(usize, Value)],
    ) -> Lesson<'f> {
        let asked_for = |(place, value): &(usize, Value)| {
            let said = form.slots.get(*place).and_then(|slot| along(args, &slot.path));
            said.is_some_and(|said| match said {
                _ if value.is_null() => true,
                Value::Array(several) => several.contains(value),
                one => one == value,
            })
        };
        let right = outputs.iter().enumerate().filter(|(_, output)| asked_for(output));
        Lesson { phrase, outputs: right.map(|(at, _)| at).collect() }
    }
}

impl Taught {
    /// Learns from the examples of a form, whose phrases must have their vectors.
    pub fn of(form: &Form, meaning: &dyn Meaning) -> Taught {
        let mut outputs = Vec::new();
        let mut lessons: Vec<Lesson<'_>> = Vec::new();
        for (place, slot) in form.slots.iter().enumerate() {
            let choices = told_apart(slot);
            for choice in choices {
                let phrases = choice.words.iter().chain(&choice.examples);
                lessons.extend(phrases.map(|phrase| Lesson::of(phrase, outputs.len())));
                outputs.push((place, choice.value.clone()));
            }
            outputs.extend(numbers::unspoken(form, slot).into_iter().map(|number| (place, number)));
            if choices.is_empty() && !slot.closed && slot.examples.len() >= EXAMPLES_MIN {
                lessons.extend(slot.examples.iter().map(|example| Lesson::of(example, outputs.len())));
                outputs.push((place, Value::Null));
            }
        }
        if outputs.is_empty() {
            return Taught::default();
        }
        lessons
            .extend(form.examples.iter().map(|(message, args)| Lesson::whole(form, message, args, &outputs)));
        // That the tool is spoken of at all is the last output.
        for lesson in &mut lessons {
            lesson.outputs.push(outputs.len());
        }
        outputs.push((NO_SLOT, Value::Null));

        let mut known: Vec<String> =
            lessons.iter().flat_map(|lesson| lesson.phrase.words.iter().cloned()).collect();
        known.sort_unstable();
        known.dedup();
        let mut talk: Vec<Phrase> = small_talk(lessons.len()).map(Phrase::new).collect();
        for phrase in &mut talk {
            learn(phrase, meaning);
        }
        lessons.extend(talk.iter().map(|phrase| Lesson { phrase, outputs: Vec::new() }));
        lessons.retain(|lesson| !lesson.phrase.vector.is_empty());
        if lessons.is_empty() || lessons.len() > EXAMPLES_MAX {
            return Taught::default();
        }
        let lessons: Vec<ridge::Lesson<Gram>> = lessons
            .into_iter()
            .map(|lesson| ridge::Lesson {
                vector: lesson.phrase.vector.clone(),
                signs: grams(&lesson.phrase.terms).collect(),
                right: lesson.outputs,
            })
            .collect();
        let ridge = Some(Ridge::of(&lessons, outputs.len(), WEIGHING));
        let mut taught = Taught {
            outputs,
            ridge,
            numbers: Numbers::default(),
            words: known,
            usual: form.slots.iter().map(usual).collect(),
        };
        taught.numbers = Numbers::of(form, &taught, meaning);
        taught
    }

    /// The word of the form that a word with typing errors was meant to be; nothing where it is a word, or is close to none.
    pub fn mended(&self, word: &str, meaning: &dyn Meaning) -> Option<&str> {
        let first = word.get(..1)?;
        let known = |other: &String| other.as_str().cmp(word);
        if self.words.is_empty() || self.words.binary_search_by(known).is_ok() || meaning.is_word(word) {
            return None;
        }
        let from = self.words.partition_point(|other| other.as_str() < first);
        let alike = self.words.iter().skip(from).take_while(|other| other.starts_with(first));
        let close = alike.filter_map(|other| Some((spelling::errors(word, other)?, other)));
        close.min_by_key(|(errors, _)| *errors).map(|(_, other)| other.as_str())
    }

    /// Whether a number is far from all that the examples of a slot have.
    pub fn is_unusual(&self, slot: usize, number: f64) -> bool {
        let usual = self.usual.get(slot).copied().flatten();
        number > 0.0 && usual.is_some_and(|(least, most)| number < least / FAR || number > most * FAR)
    }

    /// Whether nothing was taught.
    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }

    /// Whether the choices of a slot are told apart by what was taught.
    pub fn knows(&self, slot: usize) -> bool {
        self.outputs.iter().any(|(known, _)| *known == slot)
    }

    /// What speaks for each choice of a text with this meaning and these words: about 1 where it is asked for and −1 where
    /// it is not.
    pub fn judge(&self, vector: &[f32], terms: &[Term]) -> Vec<f32> {
        self.ridge.as_ref().map_or_else(Vec::new, |ridge| ridge.judge(vector, grams(terms)))
    }

    /// Whether examples tell which numbers are a slot's.
    pub fn tells_numbers(&self, slot: usize) -> bool {
        self.numbers.knows(slot)
    }

    /// What speaks for a number being that of a slot, at its place in a message: about 1 where it is and −1 where it is not;
    /// nothing where no example tells.
    pub fn number(&self, slot: usize, heard: &Heard<'_>, words: &Range<usize>, number: f64) -> Option<f32> {
        self.numbers.judge(slot, heard, words, number)
    }

    /// What speaks for the tool being spoken of at all.
    pub fn about(scores: &[f32]) -> f32 {
        scores.last().copied().unwrap_or(0.0)
    }

    /// The choices of a slot that were taught, with what speaks for each.
    pub fn of_slot<'s>(&'s self, slot: usize, scores: &[f32]) -> impl Iterator<Item = (&'s Value, f32)> {
        let own = move |((known, value), score): (&'s (usize, Value), &f32)| {
            (*known == slot).then_some((value, *score))
        };
        self.outputs.iter().zip(scores).filter_map(own)
    }
}

/// How many times less than the least, or more than the largest, a number must be to be far from them: people plan for half
/// or twice of what others do, hardly for a fifth.
const FAR: f64 = 5.0;

/// The least and the largest number in the examples of a slot that takes numbers. Zero and below are left out: what is far is a
/// ratio.
fn usual(slot: &Slot) -> Option<(f64, f64)> {
    if !slot.kind.is_number() || slot.examples.len() < EXAMPLES_MIN {
        return None;
    }
    let setting = Setting::default();
    let mut numbers: Vec<f64> = Vec::new();
    for example in &slot.examples {
        let found = mentions::find(&example.text, &setting);
        numbers.extend(found.iter().filter(|mention| !mention.latent).filter_map(|mention| {
            match &mention.value {
                mentions::Value::Number(amount) | mentions::Value::Percent(amount) => amount.single(),
                _ => None,
            }
        }));
    }
    numbers.retain(|number| *number > 0.0);
    numbers.sort_by(f64::total_cmp);
    // A few odd numbers stand in examples for other reasons.
    let cut = numbers.len() / ODD_ONE_IN;
    let least = numbers.get(cut)?;
    let most = numbers.get(numbers.len().checked_sub(1 + cut)?)?;
    Some((*least, *most))
}

/// One number of so many in examples may be there for other reasons, at either end: "five teams can each take one ward, show ten".
const ODD_ONE_IN: usize = 10;

/// The argument of a slot, which may stand within objects.
fn along<'a>(args: &'a Map<String, Value>, path: &[String]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(args.get(first)?, |value, name| value.get(name))
}

/// The choices of a slot that are to be told apart: those of a schema that says by example how people ask for each.
fn told_apart(slot: &Slot) -> &[Choice] {
    let choices = if slot.closed { &slot.choices } else { &slot.shown };
    let taught = choices.len() > 1 && choices.iter().all(|choice| choice.examples.len() >= EXAMPLES_MIN);
    if taught && !slot.is_counted() { choices } else { &[] }
}

/// The words of a text and the pairs that follow each other.
fn grams(terms: &[Term]) -> impl Iterator<Item = Gram> + use<'_> {
    let pairs = terms.iter().zip(terms.iter().skip(1)).map(|(one, other)| (*one, Some(*other)));
    terms.iter().map(|term| (*term, None)).chain(pairs)
}
