//! Where does a value stand? In the message, among what the speaker sees or said before, or nowhere.

use serde_json::Value;

use crate::arguments::form::{Choice, Form, Kind, Slot};
use crate::arguments::interpretation::Interpretation;
use crate::arguments::reading::{Source, word_spans};
use crate::arguments::{Asked, Doubt};
use crate::mentions::Civil;
use crate::message::{Reading, Span};

/// Shortest word that may stand for a choice, in letters: shorter ones join others.
const TELLING_LETTERS_MIN: usize = 4;

/// How far two numbers may be apart and still be the same, relative to the larger: what conversion costs.
const NEAR: f64 = 1e-6;

/// How a value is borne out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Grounds {
    /// By nothing.
    Nowhere,
    /// As a choice that is perhaps meant by other words.
    Paraphrased,
    /// By what the speaker sees, was asked, or said before.
    Known,
    /// By the message.
    Said,
}

/// A value, and what bears it out.
#[derive(Clone, Debug)]
pub(super) struct Traced {
    pub value: Value,
    pub grounds: Grounds,
    pub span: Option<Span>,
    pub doubt: Option<Doubt>,
}

/// What values can stand on.
pub(super) struct Ground<'a> {
    form: &'a Form,
    asked: &'a Asked<'a>,
    source: Source<'a>,
    reading: Reading,
}

impl<'a> Ground<'a> {
    pub fn new(form: &'a Form, asked: &'a Asked<'a>) -> Ground<'a> {
        let source = Source::new(asked.text, &asked.setting);
        Ground { form, asked, source, reading: Reading::new(asked.text) }
    }

    /// What bears out a value of a slot.
    pub fn trace(&self, slot: &Slot, value: &Value) -> Traced {
        let Value::Array(items) = value else { return self.one(slot, value) };
        let traced: Vec<Traced> = items.iter().map(|item| self.one(slot, item)).collect();
        let spans = || traced.iter().filter_map(|item| item.span);
        Traced {
            grounds: traced.iter().map(|item| item.grounds).min().unwrap_or(Grounds::Nowhere),
            span: spans().reduce(Span::joined).filter(|_| spans().count() == items.len()),
            doubt: traced.iter().find_map(|item| item.doubt.clone()),
            value: Value::Array(traced.into_iter().map(|item| item.value).collect()),
        }
    }

    fn one(&self, slot: &Slot, value: &Value) -> Traced {
        let traced = |grounds| Traced { value: value.clone(), grounds, span: None, doubt: None };
        let choice = slot.choices.iter().find(|choice| same(&choice.value, value));
        if let Some(choice) = choice {
            return self.of_choice(slot, choice);
        }
        let found = self.source.values(slot).into_iter().find(|(_, read)| same(&read.value, value));
        if let Some((span, read)) = found.filter(|(span, _)| !self.is_denied(*span)) {
            return Traced { value: read.value, grounds: Grounds::Said, span: Some(span), doubt: read.doubt };
        }
        if self.is_known(value) {
            return traced(Grounds::Known);
        }
        if slot.kind == Kind::Flag {
            return traced(Grounds::Paraphrased);
        }
        self.in_words(slot, value)
    }

    fn is_denied(&self, span: Span) -> bool {
        let mut scopes =
            self.reading.negations().iter().map(|negation| self.reading.original(negation.scope));
        scopes.any(|scope| scope.overlaps(span))
    }

    /// A choice by its own words; else it may be meant by others, unless its own words are denied.
    fn of_choice(&self, slot: &Slot, choice: &Choice) -> Traced {
        let named: Vec<Span> =
            choice.words.iter().filter_map(|word| self.place_of(&word.words.join(" "))).collect();
        let said = named.iter().copied().find(|span| !self.is_denied(*span));
        let grounds = match said {
            Some(_) => Grounds::Said,
            None if !named.is_empty() => Grounds::Nowhere,
            // What answers a question for the slot may be as short as "yes".
            None if self.is_known(&choice.value) || self.asked.about == Some(slot.name.as_str()) => {
                Grounds::Known
            }
            None => Grounds::Paraphrased,
        };
        Traced { value: choice.value.clone(), grounds, span: said, doubt: None }
    }

    /// Whether the speaker sees the value, was asked about it, or said it before.
    fn is_known(&self, value: &Value) -> bool {
        let asked = self.asked;
        let before = [asked.memory, asked.settled].into_iter().flatten().flat_map(|known| known.values());
        let mut items =
            before.flat_map(|known| known.as_array().map_or(std::slice::from_ref(known), Vec::as_slice));
        let seen = asked.options.iter().any(|option| match value {
            Value::String(text) => alike(option, text),
            other => other.to_string().as_str() == option,
        });
        let asked_about = || {
            let text = value.as_str().map(bare).filter(|text| !text.is_empty());
            text.is_some_and(|text| asked.question.is_some_and(|question| holds(&bare(question), &text)))
        };
        seen || items.any(|known| same(known, value)) || asked_about()
    }

    /// A text or a structure by the words it is made of.
    fn in_words(&self, slot: &Slot, value: &Value) -> Traced {
        let nowhere = Traced { value: value.clone(), grounds: Grounds::Nowhere, span: None, doubt: None };
        let all_said = |items: &[&Value]| {
            let said = |item: &&Value| self.in_words(slot, item).grounds == Grounds::Said;
            if !items.is_empty() && items.iter().all(said) { Grounds::Said } else { Grounds::Nowhere }
        };
        match value {
            Value::String(text) if !slot.kind.is_time() && slot.kind != Kind::Duration => {
                match self.place_of(text).filter(|span| !self.is_denied(*span)) {
                    Some(span) => Traced { grounds: Grounds::Said, span: Some(span), ..nowhere },
                    None => nowhere,
                }
            }
            Value::Object(fields) => {
                let leaves: Vec<&Value> = fields.values().filter(|leaf| !leaf.is_null()).collect();
                Traced { grounds: all_said(&leaves), ..nowhere }
            }
            Value::Array(items) => Traced { grounds: all_said(&items.iter().collect::<Vec<_>>()), ..nowhere },
            // A number within a structure: as the message writes or says it.
            Value::Number(number) if slot.kind == Kind::Object => {
                let is_it = |found: f64| number.as_f64().is_some_and(|number| near(number, found));
                let span =
                    self.source.numbers().into_iter().find(|(_, found)| is_it(*found)).map(|(span, _)| span);
                let grounds = if span.is_some() { Grounds::Said } else { Grounds::Nowhere };
                Traced { grounds, span, ..nowhere }
            }
            _ => nowhere,
        }
    }

    /// Where the message has these words, one behind the other, whatever stands between them in signs.
    fn place_of(&self, text: &str) -> Option<Span> {
        let (message, wanted) = (self.asked.text, word_spans(text));
        let words = word_spans(message);
        let is = |one: &Span, other: &Span| one.of(message).to_lowercase() == other.of(text).to_lowercase();
        let found = words
            .windows(wanted.len().max(1))
            .find(|run| !wanted.is_empty() && run.iter().zip(&wanted).all(|(one, other)| is(one, other)));
        let in_words = found.and_then(|run| Some(run.first()?.joined(*run.last()?)));
        in_words.or_else(|| {
            let text = text.trim();
            let from = message.find(text).filter(|_| !text.is_empty())?;
            Some(Span::new(from..from + text.len()))
        })
    }

    /// Choices that are meant by other words need such words: if the message has fewer left than there are of them, nothing
    /// bears them out.
    pub fn hold_paraphrases(
        &self,
        traced: &mut [(usize, Traced)],
        own: &Interpretation,
        new: impl Fn(usize, &Value) -> bool,
    ) {
        let spans = own.slots.iter().filter_map(|filled| filled.span);
        let taken: Vec<Span> = spans.chain(traced.iter().filter_map(|(_, traced)| traced.span)).collect();
        let of_tool = |word: &str| self.form.about.words.iter().any(|own| own == word);
        let left = word_spans(self.asked.text).into_iter().filter(|span| {
            let word = span.of(self.asked.text).to_lowercase();
            let telling = word.chars().count() >= TELLING_LETTERS_MIN && !of_tool(&word);
            telling && !self.is_denied(*span) && !taken.iter().any(|taken| taken.overlaps(*span))
        });
        let meant = |place: usize, traced: &Traced| {
            traced.grounds == Grounds::Paraphrased && new(place, &traced.value)
        };
        let paraphrases = traced.iter().filter(|(place, traced)| meant(*place, traced)).count();
        if left.count() < paraphrases {
            for (place, traced) in traced {
                if meant(*place, traced) {
                    traced.grounds = Grounds::Nowhere;
                }
            }
        }
    }
}

/// Whether two values are the same, however they are written.
pub(super) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => match (left.as_f64(), right.as_f64()) {
            (Some(left), Some(right)) => near(left, right),
            _ => left == right,
        },
        (Value::String(left), Value::String(right)) => alike(left, right) || same_time(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (left, right) => left == right,
    }
}

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() <= NEAR * left.abs().max(right.abs())
}

fn alike(left: &str, right: &str) -> bool {
    left.trim() == right.trim() || bare(left) == bare(right) && !bare(left).is_empty()
}

/// `20:00` is `20:00:00`, and a moment need not name its zone.
fn same_time(left: &str, right: &str) -> bool {
    let seconds = |long: &str, short: &str| long.strip_suffix(":00") == Some(short) && short.contains(':');
    let moment = match (Civil::parse(left), Civil::parse(right)) {
        (Some((left, one)), Some((right, other))) => {
            left == right && (one == other || one.is_none() || other.is_none())
        }
        _ => false,
    };
    moment || seconds(left, right) || seconds(right, left)
}

/// A text in small letters, with one space for what only parts its words. Other signs say something: C is not C++.
fn bare(text: &str) -> String {
    let parts = |c: char| {
        c.is_whitespace() || matches!(c, '_' | '-' | ',' | '"' | '“' | '”' | '\'' | '’' | '?' | '!')
    };
    let words = text.split(parts).map(|word| word.trim_end_matches('.')).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Whether words stand whole within others.
fn holds(text: &str, words: &str) -> bool {
    format!(" {text} ").contains(&format!(" {words} "))
}
