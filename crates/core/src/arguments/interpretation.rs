//! What comes of a message? The value of each slot, how sure it is, and what follows.

use serde::Serialize;
use serde_json::{Map, Value};

use super::form::Slot;
use super::question::{Doubt, Question};
use super::{Asked, By};
use crate::message::Span;

/// What follows from an interpretation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The call is complete, and sure enough.
    Run,
    /// One question is to be asked first.
    Clarify,
    /// Nothing was understood.
    #[default]
    Rephrase,
}

/// What a slot holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Filled {
    /// The slot.
    pub slot: String,
    /// Its value.
    pub value: Value,
    /// How sure it is.
    pub confidence: f32,
    /// How it was found.
    pub by: By,
    /// Where it stands in the message, in bytes; nowhere if it is remembered or a default.
    pub span: Option<Span>,
    /// Why it cannot be run as it is.
    pub doubt: Option<Doubt>,
}

impl Filled {
    /// A value that does not stand in the message.
    pub(super) fn unspoken(slot: &Slot, value: Value, confidence: f32, by: By) -> Filled {
        Filled { slot: slot.name.clone(), value, confidence, by, span: None, doubt: None }
    }

    /// What was settled in an earlier turn of the same call.
    pub(super) fn settled(asked: &Asked<'_>, slot: &Slot) -> Option<Filled> {
        let value = asked.settled?.get(&slot.name)?.clone();
        Some(Filled::unspoken(slot, value, 1.0, By::Memory))
    }

    /// The schema's default.
    pub(super) fn default(slot: &Slot) -> Option<Filled> {
        Some(Filled::unspoken(slot, slot.default.clone()?, 1.0, By::Default))
    }

    /// Whether it was said at some time, and is not the schema's default.
    pub fn is_said(&self) -> bool {
        self.by != By::Default
    }

    /// A warning if the value lies beyond the soft bounds.
    pub(super) fn warning(&self, slot: &Slot) -> Option<String> {
        let number = self.value.as_f64()?;
        let soft = &slot.soft;
        (!soft.hold(number)).then(|| {
            let usual = match (soft.least, soft.most) {
                (Some(least), Some(most)) => format!("{least} to {most}"),
                (Some(least), None) => format!("{least} or more"),
                (None, Some(most)) => format!("{most} or less"),
                (None, None) => "another".to_owned(),
            };
            format!("{} is {number}; {usual} is usual", slot.name)
        })
    }
}

/// What a message says for a tool.
#[derive(Clone, Debug, Default)]
pub struct Interpretation {
    /// What follows.
    pub outcome: Outcome,
    /// The arguments: valid against the schema if the outcome is to run, else what is known of them.
    pub args: Map<String, Value>,
    /// What each slot holds, in the order of the schema.
    pub slots: Vec<Filled>,
    /// How sure the whole is: as its weakest slot.
    pub confidence: f32,
    /// How likely all of it is right.
    pub all_right: Option<f32>,
    /// The slots that a language model may tell better; none if no value would settle what follows.
    pub unsure: Vec<String>,
    /// The arguments of each call, if the message asks for several.
    pub calls: Vec<Map<String, Value>>,
    /// How the weakest slot was found.
    pub by: Option<By>,
    /// Why, in a few words.
    pub reason: String,
    /// What is to be asked.
    pub clarification: Option<Question>,
    /// What is unusual and yet allowed.
    pub warnings: Vec<String>,
}
