//! Which values does a message name, whatever the tool? For whoever wonders why a slot was filled or not.

use serde::Serialize;
use serde_json::{Value, json};
use waypost_core::mentions::{self, Amount, Mention, Setting, Time, Value as Named};

/// A value that a message names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mentioned {
    /// What sort of value it is.
    pub kind: &'static str,
    /// The words that name it.
    pub text: String,
    /// What it comes to.
    pub value: Value,
    /// Where it stands, in characters.
    pub span: [usize; 2],
    /// Whether the words need not have meant it: `may` is a month and a verb.
    pub latent: bool,
}

/// The values that a message names, in the order in which they begin.
pub(super) fn find(text: &str, setting: &Setting) -> Vec<Mentioned> {
    let mentioned = |mention: &Mention| {
        let (kind, value) = told(&mention.value);
        let span = mention.span.in_chars(text);
        Mentioned { kind, text: mention.span.of(text).to_owned(), value, span, latent: mention.latent }
    };
    mentions::find(text, setting).iter().map(mentioned).collect()
}

fn told(value: &Named) -> (&'static str, Value) {
    match value {
        Named::Number(amount) => ("number", of_amount(*amount)),
        Named::Ordinal(place) => ("ordinal", json!(place)),
        Named::Percent(amount) => ("percent", of_amount(*amount)),
        Named::Measure(amount, unit) => {
            ("measure", json!({ "amount": of_amount(*amount), "unit": unit.name }))
        }
        Named::Money(amount, currency) => {
            ("money", json!({ "amount": of_amount(*amount), "currency": currency }))
        }
        Named::Time(time) => ("time", of_time(time)),
        Named::Email(text) => ("email", json!(text)),
        Named::Url(text) => ("url", json!(text)),
        Named::Phone(text) => ("phone", json!(text)),
        Named::File(text) => ("file", json!(text)),
        Named::Quoted(text) => ("quoted", json!(text)),
    }
}

fn of_amount(amount: Amount) -> Value {
    match amount {
        Amount::Exactly(number) => json!(number),
        Amount::AtLeast(number) => json!({ "at_least": number }),
        Amount::AtMost(number) => json!({ "at_most": number }),
        Amount::Between(from, to) => json!({ "from": from, "to": to }),
    }
}

fn of_time(time: &Time) -> Value {
    let other = time.other.as_ref().map(|other| of_time(other));
    let mut told = json!({ "from": time.from(), "to": time.to(), "grain": time.grain });
    if let (Some(told), Some(other)) = (told.as_object_mut(), other) {
        told.insert("or".to_owned(), other);
    }
    told
}
