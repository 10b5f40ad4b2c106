//! What is to be asked? One short question that names the slot, with what can be answered in order.

use serde::Serialize;
use serde_json::Value;

use super::form::{Bounds, Kind, Slot};

/// Most options of a question: more are not read.
const OPTIONS_MAX: usize = 12;

/// Why a value cannot be run as it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Doubt {
    /// A number that the slot does not take.
    OutOfRange {
        /// The number.
        number: f64,
        /// What it should have held to.
        bounds: Bounds,
        /// Whether it is whole enough.
        whole: bool,
    },
    /// Several values are named, and one is wanted.
    Several(Vec<Value>),
    /// Something is said for the slot that is not a value it takes.
    Unread(String),
}

/// How it is answered whether a call is to be run.
const CONFIRMING: [&str; 2] = ["yes", "no"];

/// A question, as data.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Question {
    /// The slot it asks for.
    pub slot: String,
    /// The question, in one sentence.
    pub question: String,
    /// What can be answered, in the order it is shown.
    pub options: Vec<Value>,
}

impl Question {
    /// Whether a call is to be run at all, with yes and no as answers; it is no question for a slot.
    pub fn confirm(question: String) -> Question {
        Question { slot: String::new(), question, options: CONFIRMING.map(Value::from).to_vec() }
    }

    /// Whether it asks if a call is to be run at all.
    pub fn confirms(&self) -> bool {
        self.slot.is_empty() && self.options.iter().filter_map(Value::as_str).eq(CONFIRMING)
    }

    /// The question for a slot of which nothing is known.
    pub fn of(slot: &Slot) -> Question {
        ask(slot, None, None, &[])
    }
}

/// The question for a slot.
pub(super) fn ask(slot: &Slot, doubt: Option<&Doubt>, guess: Option<&Value>, shown: &[Value]) -> Question {
    // A name of one word stays as it is written: N is no n.
    let name = match slot.names.first() {
        Some(name) if name.words.len() > 1 => name.words.join(" "),
        Some(name) => name.text.clone(),
        None => slot.name.clone(),
    };
    let mut options: Vec<Value> = match doubt {
        Some(Doubt::Several(values)) => values.clone(),
        Some(Doubt::Unread(_)) if !slot.closed => Vec::new(),
        _ if !shown.is_empty() => shown.to_vec(),
        _ if slot.closed => slot.choices.iter().map(|choice| choice.value.clone()).collect(),
        _ => guess.into_iter().cloned().collect(),
    };
    options.truncate(OPTIONS_MAX);
    let listed = options.iter().map(shown_as).collect::<Vec<_>>();
    let question = match doubt {
        Some(Doubt::OutOfRange { number, bounds, whole }) => {
            format!(
                "The {name} must be {}; {number} is not. Which value is it?",
                bounds_in_words(slot, bounds, *whole)
            )
        }
        Some(Doubt::Several(_)) => format!("Which {name} do you mean: {}?", in_words(&listed)),
        Some(Doubt::Unread(said)) if said.is_empty() => format!("What should the {name} be?"),
        Some(Doubt::Unread(said)) => format!("You said {said:?}. What should the {name} be?"),
        None if slot.kind == Kind::Flag => format!("Do you want {name}, yes or no?"),
        None if listed.len() > 1 => format!("Which {name}: {}?", in_words(&listed)),
        None if listed.len() == 1 && guess.is_some() => {
            format!("Did you mean {} for {name}?", in_words(&listed))
        }
        None => format!("What is the {name}?"),
    };
    Question { slot: slot.name.clone(), question, options }
}

/// A value as people read it.
pub(super) fn shown_as(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn in_words(listed: &[String]) -> String {
    match listed {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn bounds_in_words(slot: &Slot, bounds: &Bounds, whole: bool) -> String {
    let unit = slot.unit.map(|unit| format!(" {}", unit.name)).unwrap_or_default();
    let kind = if whole { "" } else { "a whole number " };
    match (bounds.least, bounds.most) {
        (Some(least), Some(most)) => format!("{kind}between {least} and {most}{unit}"),
        (Some(least), None) => {
            format!("{kind}{} {least}{unit}", if bounds.above { "more than" } else { "at least" })
        }
        (None, Some(most)) => {
            format!("{kind}{} {most}{unit}", if bounds.below { "less than" } else { "at most" })
        }
        (None, None) => "a whole number".to_owned(),
    }
}
