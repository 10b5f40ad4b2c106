//! **What comes next?** A conversation from turn to turn: what was settled, what is asked, and what a message does to it.
//!
//! A [`Conversation`] is a plain value that is kept between messages. [`turn`] takes one and a message, asks [`Ears`] what the
//! message says, and gives the conversation after it with a [`Reply`]. Gates are asked about facts alone, before arguments
//! are heard and again before anything is run.

mod words;
mod heard;
mod pending;
mod flow;
mod reply;
mod conclude;
mod explain;
mod moves;
mod report;
mod plain;
mod answers;
mod turn;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::arguments::Form;
use crate::catalog::Catalog;
use crate::message::Fact;

pub use heard::{Ask, Ears, Heard, Later, Routed, Said};
pub use moves::OFFERED;
pub use pending::{Asks, Chip, Pending};
pub use reply::{FlowTold, Reply, TurnKind, Verdict};
pub use report::{Reported, report};
pub use turn::{Spoken, turn};
pub use words::{Move, taken_back};

/// Most tools whose last values are remembered, and most values a tool: catalogs have fewer in one conversation.
const TOOLS_MAX: usize = 32;
const SLOTS_MAX: usize = 64;
/// Longest value remembered, in bytes of JSON: a list of columns fits, a pasted text is no choice.
const VALUE_BYTES_MAX: usize = 2_048;
/// Most facts a conversation has.
pub const FACTS_MAX: usize = 256;

/// Values by slot.
pub type Values = BTreeMap<String, Value>;

/// What is remembered of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Conversation {
    /// Facts that were established.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, Fact>,
    /// The last value of each slot that a call was made with, by tool.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Values>,
    /// Steps that are done of flows that are not, by tool.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub progress: BTreeMap<String, Values>,
    /// What is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<Pending>,
    /// A call that waits behind a gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<Call>,
    /// The call of the last turn, where it made one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Call>,
    /// What was asked besides, and waits until the call before it is made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub later: Vec<Later>,
    /// The value that the last message asked about, where it is one of the slot that is asked for: "that one" means it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explained: Option<Value>,
    /// Tools whose flows are complete and whose outcome has not been reported.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub awaited: BTreeSet<String>,
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// What its slots hold; defaults are left out.
    pub settled: Values,
    /// The arguments, defaults and all, valid against the tool's schema.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
}

impl Conversation {
    /// The last values of a tool's slots that its schema still takes: a catalog may have changed since.
    pub fn memory(&self, catalog: &Catalog, tool: &str) -> Values {
        let Some(values) = self.values.get(tool) else { return Values::new() };
        let Some(form) = form(catalog, tool) else { return Values::new() };
        let taken = values.iter().filter(|(slot, value)| takes(&form, slot, value));
        taken.map(|(slot, value)| (slot.clone(), value.clone())).collect()
    }

    /// Remembers what a call was made with, within bounds.
    fn remember(&mut self, call: &Call) {
        if !self.values.contains_key(&call.tool) && self.values.len() >= TOOLS_MAX {
            self.values.pop_first();
        }
        let own = self.values.entry(call.tool.clone()).or_default();
        for (slot, value) in &call.settled {
            if value.to_string().len() <= VALUE_BYTES_MAX && (own.len() < SLOTS_MAX || own.contains_key(slot))
            {
                own.insert(slot.clone(), value.clone());
            }
        }
    }

    /// Takes facts that somebody else established; beyond the most, further ones are left out.
    pub fn learn(&mut self, facts: &BTreeMap<String, Fact>) {
        for (name, fact) in facts {
            if self.facts.len() < FACTS_MAX || self.facts.contains_key(name) {
                self.facts.insert(name.clone(), fact.clone());
            }
        }
    }
}

/// The slots of a tool of the catalog.
fn form(catalog: &Catalog, tool: &str) -> Option<Form> {
    let tool = catalog.tools().get(catalog.tool_place(tool)?)?;
    Form::read(&tool.name, &tool.description, tool.input_schema.as_ref()).ok()
}

/// Whether a slot takes a value, as far as its choices and bounds say.
fn takes(form: &Form, slot: &str, value: &Value) -> bool {
    let Some(slot) = form.place(slot).and_then(|place| form.slots.get(place)) else { return false };
    let listed = || slot.choices.iter().any(|choice| choice.value == *value);
    let held = value.as_f64().is_none_or(|number| slot.bounds.hold(number));
    held && (!slot.closed || slot.many.is_some() || listed())
}
