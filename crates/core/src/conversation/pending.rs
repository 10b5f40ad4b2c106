//! What is asked, and with what can it be answered?

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Values;
use crate::arguments::Question;

/// Most answers offered: what a person reads at a glance twice.
const CHIPS_MAX: usize = 12;

/// A question that waits for its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// What is asked for.
    pub asks: Asks,
    /// The tool it is asked for; empty where the tool itself is asked for.
    pub tool: String,
    /// The question, in one sentence.
    pub question: String,
    /// What can be answered, in the order it is shown.
    pub chips: Vec<Chip>,
    /// The call so far.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    pub settled: Values,
}

/// What a question asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    /// A slot of the tool.
    Slot(String),
    /// Whether to go the way on while a gate is closed; the step it leads to, where there is one.
    WayOn(Option<String>),
    /// Whether to go on with what waited behind a gate.
    Resume,
    /// Which tool is meant.
    Tool,
    /// Whether to make the call that was understood.
    Confirm,
}

/// An answer that can be given, as an interface shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chip {
    /// What it says.
    pub label: String,
    /// What it means.
    pub value: Value,
}

impl Chip {
    /// A chip that says what it means.
    pub fn new(value: Value) -> Chip {
        Chip { label: value.as_str().map_or_else(|| value.to_string(), str::to_owned), value }
    }

    /// A chip for something to do.
    pub(super) fn act(label: impl Into<String>, act: &str) -> Chip {
        Chip { label: label.into(), value: Value::String(act.to_owned()) }
    }
}

impl Pending {
    /// A question for a slot.
    pub(super) fn of(tool: &str, question: &Question, settled: Values) -> Pending {
        Pending {
            asks: Asks::Slot(question.slot.clone()),
            tool: tool.to_owned(),
            question: question.question.clone(),
            chips: question.options.iter().take(CHIPS_MAX).cloned().map(Chip::new).collect(),
            settled,
        }
    }

    /// A question whether to make a call.
    pub(super) fn confirm(tool: &str, question: &Question, settled: Values) -> Pending {
        Pending { asks: Asks::Confirm, ..Pending::of(tool, question, settled) }
    }

    /// The slot it asks for.
    pub fn slot(&self) -> Option<&str> {
        match &self.asks {
            Asks::Slot(slot) => Some(slot),
            Asks::WayOn(step) => step.as_deref(),
            Asks::Resume | Asks::Tool | Asks::Confirm => None,
        }
    }

    /// What can be answered, as values.
    pub(super) fn options(&self) -> Vec<Value> {
        match self.asks {
            Asks::Slot(_) => self.chips.iter().map(|chip| chip.value.clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// What the chips say.
    pub(super) fn labels(&self) -> Vec<String> {
        self.chips.iter().map(|chip| chip.label.clone()).collect()
    }
}
