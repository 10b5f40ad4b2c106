//! Where does a value stand? In the message, among what the speaker sees or said before, or nowhere.

use serde_json::Value;

use crate::arguments::candidates::{self, Candidate};
use crate::arguments::features::View;
use crate::arguments::form::{Choice, Kind, Slot};
use crate::arguments::judge::Interpretation;
use crate::arguments::phrase::Phrase;
use crate::arguments::{Asked, Doubt};
use crate::mentions::{Civil, Value as Found};
use crate::message::Span;

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
pub(super) struct Ground<'g, 'a, 't> {
    view: &'g View<'a, 't>,
    asked: &'g Asked<'a>,
    candidates: Vec<Candidate>,
}

impl<'g, 'a, 't> Ground<'g, 'a, 't> {
    pub fn new(view: &'g View<'a, 't>, asked: &'g Asked<'a>) -> Ground<'g, 'a, 't> {
        Ground { view, asked, candidates: candidates::gather(view, asked) }
    }

    /// What bears out a value of a slot.
    pub fn trace(&self, place: usize, slot: &Slot, value: &Value) -> Traced {
        let Value::Array(items) = value else { return self.one(place, slot, value) };
        let traced: Vec<Traced> = items.iter().map(|item| self.one(place, slot, item)).collect();
        let spans = || traced.iter().filter_map(|item| item.span);
        let whole = spans()
            .reduce(|left, right| Span { start: left.start.min(right.start), end: left.end.max(right.end) });
        Traced {
            grounds: traced.iter().map(|item| item.grounds).min().unwrap_or(Grounds::Nowhere),
            span: whole.filter(|_| spans().count() == items.len()),
            doubt: traced.iter().find_map(|item| item.doubt.clone()),
            value: Value::Array(traced.into_iter().map(|item| item.value).collect()),
        }
    }

    fn one(&self, place: usize, slot: &Slot, value: &Value) -> Traced {
        let heard = self.view.heard;
        let choice = self.choice(slot, value);
        let traced = |grounds| Traced { value: value.clone(), grounds, span: None, doubt: None };
        if choice.is_some_and(|choice| self.is_denied(choice)) {
            return traced(Grounds::Nowhere);
        }
        let offers = candidates::single(self.view, slot, place).into_iter();
        let found = offers.map(|offer| (offer.value, offer.words, offer.doubt));
        let gathered = self.candidates.iter().filter(|candidate| candidate.slot == place);
        let gathered = gathered
            .map(|candidate| (candidate.value.clone(), candidate.words.clone(), candidate.doubt.clone()));
        let mut found = gathered.chain(found).filter(|(offered, ..)| same(offered, value));
        if let Some((value, words, doubt)) = found.next() {
            let span = (!words.is_empty()).then(|| heard.span(&words));
            return Traced { value, grounds: Grounds::Said, span, doubt };
        }
        if let Some(choice) = choice {
            return self.of_choice(slot, choice);
        }
        if self.is_known(value) {
            return traced(Grounds::Known);
        }
        if slot.kind == Kind::Flag {
            return traced(Grounds::Paraphrased);
        }
        self.in_words(slot, value)
    }

    /// The choice or column that a value is.
    fn choice(&self, slot: &'g Slot, value: &Value) -> Option<&'g Choice>
    where
        'a: 'g,
    {
        let all = || slot.choices.iter().chain(self.asked.columns_of(slot));
        all()
            .find(|choice| choice.value == *value)
            .or_else(|| all().find(|choice| same(&choice.value, value)))
    }

    /// Whether a choice is named, and only where it is denied.
    fn is_denied(&self, choice: &Choice) -> bool {
        let mut named = self.view.named_at(choice).peekable();
        named.peek().is_some() && named.all(|words| self.view.heard.denied(&words))
    }

    /// A choice by its own words; else it may be meant by others.
    fn of_choice(&self, slot: &Slot, choice: &Choice) -> Traced {
        let words = self.view.named_at(choice).find(|words| !self.view.heard.denied(words));
        let grounds = match &words {
            Some(_) => Grounds::Said,
            None if self.is_known(&choice.value) => Grounds::Known,
            // What answers a question for the slot may be as short as "yes".
            None if self.asked.about == Some(slot.name.as_str()) => Grounds::Known,
            None => Grounds::Paraphrased,
        };
        let span = words.map(|words| self.view.heard.span(&words));
        Traced { value: choice.value.clone(), grounds, span, doubt: None }
    }

    /// Whether the speaker sees the value, was asked about it, or said it before.
    fn is_known(&self, value: &Value) -> bool {
        let asked = self.asked;
        let before = [asked.memory, asked.settled].into_iter().flatten().flat_map(|known| known.values());
        let items =
            before.flat_map(|known| known.as_array().map_or(std::slice::from_ref(known), Vec::as_slice));
        let seen = asked.options.iter().any(|option| match value {
            Value::String(text) => alike(option, text),
            other => other.to_string().as_str() == option,
        });
        let asked_about = || {
            let text = value.as_str().map(bare).filter(|text| !text.is_empty());
            text.is_some_and(|text| asked.question.is_some_and(|question| holds(&bare(question), &text)))
        };
        seen || items.clone().any(|known| same(known, value)) || asked_about()
    }

    /// A text or a structure by the words it is made of.
    fn in_words(&self, slot: &Slot, value: &Value) -> Traced {
        let heard = self.view.heard;
        let nowhere = Traced { value: value.clone(), grounds: Grounds::Nowhere, span: None, doubt: None };
        match value {
            Value::String(text) if !slot.kind.is_time() && slot.kind != Kind::Duration => {
                let named = heard.mentions.iter().find(|mention| match &mention.value {
                    Found::Email(found) | Found::Url(found) | Found::Phone(found) | Found::File(found) => {
                        alike(found, text)
                    }
                    _ => false,
                });
                let place = self.place_of(text).or(named.map(|mention| mention.span));
                let denied = place.is_some_and(|span| heard.denied(&heard.words_of(span)));
                match place.filter(|_| !denied) {
                    Some(span) => Traced { grounds: Grounds::Said, span: Some(span), ..nowhere },
                    None => nowhere,
                }
            }
            Value::Object(fields) => {
                let leaves = || fields.values().filter(|leaf| !leaf.is_null());
                let said = |leaf: &Value| self.in_words(slot, leaf).grounds == Grounds::Said;
                let whole = leaves().all(said) && leaves().count() > 0;
                Traced { grounds: if whole { Grounds::Said } else { Grounds::Nowhere }, ..nowhere }
            }
            Value::Array(items) if !items.is_empty() => {
                let said = |item: &Value| self.in_words(slot, item).grounds == Grounds::Said;
                let grounds = if items.iter().all(said) { Grounds::Said } else { Grounds::Nowhere };
                Traced { grounds, ..nowhere }
            }
            // A number within a structure: as the message writes or says it.
            Value::Number(number) if slot.kind == Kind::Object => {
                let is_it = |found: f64| number.as_f64().is_some_and(|number| near(number, found));
                let said = heard.mentions.iter().find(|mention| match &mention.value {
                    Found::Number(amount) | Found::Percent(amount) | Found::Measure(amount, _) => {
                        amount.single().is_some_and(is_it)
                    }
                    _ => false,
                });
                let grounds = if said.is_some() { Grounds::Said } else { Grounds::Nowhere };
                Traced { grounds, span: said.map(|mention| mention.span), ..nowhere }
            }
            _ => nowhere,
        }
    }

    /// Where the message has these words, one behind the other, whatever stands between them in signs.
    fn place_of(&self, text: &str) -> Option<Span> {
        let heard = self.view.heard;
        let phrase = Phrase::new(text);
        let place = candidates::matches(heard, &phrase).next().map(|words| heard.span(&words));
        place.or_else(|| {
            let from = heard.tokens.text().find(text.trim())?;
            Some(Span::new(from..from + text.trim().len()))
        })
    }

    /// Choices that are meant by other words need such words: where the message has fewer left than there are of them, nothing
    /// bears them out.
    pub fn hold_paraphrases(
        &self,
        traced: &mut [(usize, Traced)],
        own: &Interpretation,
        new: impl Fn(usize, &Value) -> bool,
    ) {
        let heard = self.view.heard;
        let spans = own.slots.iter().filter_map(|filled| filled.span);
        let taken: Vec<Span> = spans.chain(traced.iter().filter_map(|(_, traced)| traced.span)).collect();
        let left = (0..heard.len()).filter(|at| {
            let span = heard.tokens.get(*at).map(|token| token.span);
            let told = heard.word(*at).is_some_and(|word| !word.light && !word.empty && !word.denied);
            told && !self.view.is_of_tool(*at)
                && span.is_some_and(|span| !taken.iter().any(|taken| taken.overlaps(span)))
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
