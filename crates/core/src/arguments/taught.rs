//! What do the examples of a form teach about its choices?
//!
//! A ridge regression from what a text means and which words it has to the choice it asks for, solved once when the form is
//! read. What is an example of one slot is an example of "nothing said" for the others.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::form::{Choice, Form, Slot};
use super::meaning::{Meaning, dot, learn};
use super::phrase::Phrase;
use super::spelling;
use super::weights::real;
use crate::mentions::{self, Setting};
use crate::selection::terms::Term;

/// What the words of a text weigh beside its meaning, whose length is one. Half tells the phrasings of `choices` that were
/// looked at apart best; from a third to the whole it makes no difference of two in a hundred.
const WORDS_WEIGHT: f32 = 0.5;
/// How far weights are held back, in squares of lengths: a third of that of a meaning. Found on the same phrasings.
const RIDGE: f32 = 0.3;
/// What every text has in common, so that a choice may be rare or frequent.
const CONSTANT: f32 = 1.0;
/// Small talk, and wishes about all sorts of other things: examples of no choice, for every form.
const SMALL_TALK: &str = include_str!("smalltalk.txt");
/// Most examples that are learned from, small talk included: solving takes their number to the third power, 0.3 s for sixteen
/// hundred. A form with more goes by likeness.
const EXAMPLES_MAX: usize = 2_000;
/// Fewest examples of a choice from which its slot is taught: its name alone teaches nothing that likeness does not tell.
const EXAMPLES_MIN: usize = 3;

/// What the examples of a form teach: how much each word and each direction of meaning speaks for each choice.
#[derive(Clone, Debug, Default)]
pub(super) struct Taught {
    /// What is told apart: the choices of slots, and that a slot without choices is spoken of at all, as `null`.
    outputs: Vec<(usize, Value)>,
    /// The words and pairs of words of the examples, each with its place and how rare it is.
    rows: HashMap<Gram, (usize, f32)>,
    /// Words of the names and examples, ascending: what words with typing errors may be meant to be.
    words: Vec<String>,
    /// The least and the largest number in the examples of each slot, where they have some.
    usual: Vec<Option<(f64, f64)>>,
    dimensions: usize,
    /// What speaks for each output: rows of the dimensions, of the constant, and of the words.
    weights: Vec<f32>,
}

/// A word, or two that follow each other.
type Gram = (Term, Option<Term>);

/// A text as it is learned from and judged by.
struct Text<'v> {
    vector: &'v [f32],
    /// Places of words and how much of each.
    words: Vec<(usize, f32)>,
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
        let mut known: Vec<String> =
            lessons.iter().flat_map(|lesson| lesson.phrase.words.iter().cloned()).collect();
        known.sort_unstable();
        known.dedup();
        let mut talk: Vec<Phrase> = SMALL_TALK.lines().map(Phrase::new).collect();
        for phrase in &mut talk {
            learn(phrase, meaning);
        }
        lessons.extend(talk.iter().map(|phrase| Lesson { phrase, outputs: Vec::new() }));
        lessons.retain(|lesson| !lesson.phrase.vector.is_empty());
        if lessons.is_empty() || lessons.len() > EXAMPLES_MAX {
            return Taught::default();
        }
        let dimensions = lessons.first().map_or(0, |lesson| lesson.phrase.vector.len());
        let rows = rows_of(lessons.iter().map(|lesson| lesson.phrase.terms.as_slice()), lessons.len());
        let mut taught = Taught {
            outputs,
            rows,
            words: known,
            usual: form.slots.iter().map(usual).collect(),
            dimensions,
            weights: Vec::new(),
        };
        taught.learn(&lessons);
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
        let mut scores = vec![0.0; self.outputs.len()];
        let text = self.read(vector, terms);
        for (row, amount) in text.parts() {
            let weights = self.weights.chunks_exact(self.outputs.len().max(1)).nth(row).unwrap_or_default();
            for (score, weight) in scores.iter_mut().zip(weights) {
                *score += amount * weight;
            }
        }
        scores
    }

    /// The choices of a slot that were taught, with what speaks for each.
    pub fn of_slot<'s>(&'s self, slot: usize, scores: &[f32]) -> impl Iterator<Item = (&'s Value, f32)> {
        let own = move |((known, value), score): (&'s (usize, Value), &f32)| {
            (*known == slot).then_some((value, *score))
        };
        self.outputs.iter().zip(scores).filter_map(own)
    }

    fn read<'v>(&self, vector: &'v [f32], terms: &[Term]) -> Text<'v> {
        let mut words: Vec<(usize, f32)> =
            grams(terms).filter_map(|gram| self.rows.get(&gram).copied()).collect();
        words.sort_by_key(|(row, _)| *row);
        words.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += later.1;
            }
            same
        });
        let length = words.iter().map(|(_, rarity)| rarity * rarity).sum::<f32>().sqrt();
        let first = self.dimensions + 1;
        for (row, amount) in &mut words {
            *row += first;
            *amount *= WORDS_WEIGHT / length.max(f32::MIN_POSITIVE);
        }
        Text { vector, words }
    }

    /// Solves for the weights: by examples, of which there are fewer than words.
    fn learn(&mut self, lessons: &[Lesson<'_>]) {
        let texts: Vec<Text<'_>> =
            lessons.iter().map(|lesson| self.read(&lesson.phrase.vector, &lesson.phrase.terms)).collect();
        // Element by element, so that wider registers change the time and not a bit.
        let factor = pulp::Arch::new().dispatch(|| Factor::of(&texts));
        let count = self.outputs.len();
        let mut weights = vec![0.0; (self.dimensions + 1 + self.rows.len()) * count];
        for output in 0..count {
            let wanted =
                lessons.iter().map(|lesson| if lesson.outputs.contains(&output) { 1.0 } else { -1.0 });
            let shares = factor.solve(wanted.collect());
            for (text, share) in texts.iter().zip(shares) {
                for (row, amount) in text.parts() {
                    if let Some(weight) = weights.get_mut(row * count + output) {
                        *weight += amount * share;
                    }
                }
            }
        }
        self.weights = weights;
    }
}

impl<'v> Text<'v> {
    /// The rows of the weights that it touches, and how much of each.
    fn parts(&self) -> impl Iterator<Item = (usize, f32)> + use<'_, 'v> {
        let constant = [(self.vector.len(), CONSTANT)];
        self.vector.iter().copied().enumerate().chain(constant).chain(self.words.iter().copied())
    }

    /// How much two texts have in common.
    #[allow(clippy::inline_always)] // so that a dispatch on what the processor can do reaches it
    #[inline(always)]
    fn common(&self, other: &Text<'_>) -> f32 {
        let mut sum = dot(self.vector, other.vector) + CONSTANT * CONSTANT;
        let mut others = other.words.iter().peekable();
        for (row, amount) in &self.words {
            while others.next_if(|(other, _)| other < row).is_some() {}
            if let Some((_, other)) = others.next_if(|(other, _)| other == row) {
                sum += amount * other;
            }
        }
        sum
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

/// Each word and pair of the examples with its place, and how rare it is.
fn rows_of<'t>(texts: impl Iterator<Item = &'t [Term]>, count: usize) -> HashMap<Gram, (usize, f32)> {
    let mut having: HashMap<Gram, (usize, usize, usize)> = HashMap::new();
    for (text, terms) in texts.enumerate() {
        for gram in grams(terms) {
            let next = having.len();
            let (_, last, held) = having.entry(gram).or_insert((next, usize::MAX, 0));
            *held += usize::from(*last != text);
            *last = text;
        }
    }
    let rarity = |held: usize| crate::head::exact::ln(1.0 + real(count) / real(held.max(1)));
    having.into_iter().map(|(gram, (row, _, held))| (gram, (row, rarity(held)))).collect()
}

/// What texts have in common, as the product of a triangle with itself: Cholesky's, row by row.
struct Factor {
    rows: Vec<Vec<f32>>,
}

impl Factor {
    #[allow(clippy::inline_always)] // into the dispatch on what the processor can do
    #[inline(always)]
    fn of(texts: &[Text<'_>]) -> Factor {
        let mut rows: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        for (at, text) in texts.iter().enumerate() {
            let mut row: Vec<f32> = Vec::with_capacity(at + 1);
            for (earlier, solved) in texts.iter().zip(&rows) {
                let Some((before, own)) = parted(solved) else { continue };
                row.push((text.common(earlier) - dot(&row, before)) / own);
            }
            let left = text.common(text) + RIDGE - dot(&row, &row);
            row.push(left.max(f32::MIN_POSITIVE).sqrt());
            rows.push(row);
        }
        Factor { rows }
    }

    /// How much of each text makes up what is wanted.
    fn solve(&self, wanted: Vec<f32>) -> Vec<f32> {
        let mut values = wanted;
        for (at, row) in self.rows.iter().enumerate() {
            let Some((known, own)) = parted(row) else { continue };
            if let Some((before, [value, ..])) = values.split_at_mut_checked(at) {
                *value = (*value - dot(known, before)) / own;
            }
        }
        for (at, row) in self.rows.iter().enumerate().rev() {
            let Some((known, own)) = parted(row) else { continue };
            if let Some((before, [value, ..])) = values.split_at_mut_checked(at) {
                *value /= own;
                for (earlier, known) in before.iter_mut().zip(known) {
                    *earlier -= *value * known;
                }
            }
        }
        values
    }
}

/// A row of the triangle: what stands before its end, and its end.
fn parted(row: &[f32]) -> Option<(&[f32], f32)> {
    row.split_last().map(|(own, before)| (before, *own))
}
