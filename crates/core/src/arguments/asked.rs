//! What is known when a message is heard?

use std::collections::BTreeMap;

use serde_json::Value;

use super::form::{Choice, Slot};
use super::phrase::Phrase;
use crate::mentions::Setting;

/// A column of the data that is talked about.
#[derive(Clone, Debug)]
pub struct Column(pub(super) Choice);

impl Column {
    /// A column with what else it is called.
    pub fn new(name: &str, aliases: impl IntoIterator<Item = impl AsRef<str>>) -> Column {
        let mut words = vec![Phrase::new(name)];
        words.extend(aliases.into_iter().map(|alias| Phrase::new(alias.as_ref())));
        Column(Choice { value: Value::String(name.to_owned()), words, examples: Vec::new() })
    }
}

/// A message, and what it is heard against.
#[derive(Clone, Debug, Default)]
pub struct Asked<'a> {
    /// What was said.
    pub text: &'a str,
    /// Where and when.
    pub setting: Setting,
    /// The choices the speaker sees, in their order.
    pub options: &'a [String],
    /// The last value of each slot, by its name.
    pub memory: Option<&'a BTreeMap<String, Value>>,
    /// The slot that was asked for last, where the message answers a question.
    pub about: Option<&'a str>,
    /// What was said to the speaker last, in words.
    pub question: Option<&'a str>,
    /// What is settled already, by slot.
    pub settled: Option<&'a BTreeMap<String, Value>>,
    /// The share of all messages that may be run with a wrong argument; nothing for the usual one.
    pub max_wrong: Option<f64>,
}

impl<'a> Asked<'a> {
    /// A message by itself.
    pub fn new(text: &'a str) -> Asked<'a> {
        Asked { text, ..Asked::default() }
    }

    /// Whether a choice may be answered with: it is among the visible options, where there are some.
    pub(super) fn shows(&self, choice: &Choice) -> bool {
        let is = |option: &String| choice.words.iter().any(|phrase| phrase.text.eq_ignore_ascii_case(option));
        self.options.is_empty() || self.options.iter().any(is)
    }

    /// The last value of a slot.
    pub(super) fn remembered(&self, slot: &Slot) -> Option<&'a Value> {
        let memory = self.memory?;
        let value = memory.get(&slot.name).or_else(|| memory.get(slot.path.last()?))?;
        // What the schema no longer takes is forgotten.
        let taken = |value: &Value| slot.choices.iter().any(|choice| choice.value == *value);
        let holds =
            !slot.closed || value.as_array().map_or_else(|| taken(value), |values| values.iter().all(taken));
        holds.then_some(value)
    }
}
