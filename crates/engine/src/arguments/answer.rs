//! What is answered? The JSON contract of `waypost args`.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use waypost_core::arguments::{By, Filled, Outcome, Question};
use waypost_core::gates::GateAnswer;
use waypost_core::preflight::Blocked;
use waypost_core::trace::CatalogRef;

use super::LlmTold;

/// What a message says for a tool.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The version of this contract.
    pub version: u32,
    /// An id of this answer.
    pub id: String,
    /// The catalog it was made with.
    pub catalog: CatalogRef,
    /// What follows.
    pub outcome: Outcome,
    /// What would follow from the message alone, were no gate closed: what evaluations look at.
    #[serde(skip)]
    pub heard: Outcome,
    /// The tool; nothing where none serves the message.
    pub tool: Option<String>,
    /// The arguments: valid against the tool's schema where the outcome is to run, else what is known of them.
    pub args: Map<String, Value>,
    /// Why, in a few words.
    pub reason: String,
    /// How sure the whole is: as its weakest required slot.
    #[serde(serialize_with = "rounded")]
    pub confidence: f32,
    /// How likely all of it is right, empty slots too, where the reader says so.
    #[serde(skip)]
    pub all_right: Option<f32>,
    /// How the weakest slot was found.
    #[serde(serialize_with = "named")]
    pub matched_by: By,
    /// What each slot holds, in the order of the schema.
    pub slots: Slots,
    /// The arguments of each call, if the message asks for several. None of them runs before it is confirmed, and `args` has those of the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Map<String, Value>>,
    /// What is asked back.
    pub clarification: Option<Clarification>,
    /// The gates that guard the tool.
    pub gates: Vec<GateAnswer>,
    /// What is unusual and yet allowed, and what could not be looked at.
    pub warnings: Vec<String>,
    /// The tools that were considered, the best first, where one was chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Considered>,
    /// What came of asking a language model, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llm: Option<LlmTold>,
    /// How long it took, in microseconds.
    pub elapsed_us: f64,
}

/// What slots hold, as an object whose keys are the slots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slots(pub Vec<(String, SlotAnswer)>);

impl Slots {
    /// What a slot holds.
    pub fn get(&self, slot: &str) -> Option<&SlotAnswer> {
        self.0.iter().find(|(name, _)| name == slot).map(|(_, held)| held)
    }
}

impl Serialize for Slots {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (name, slot) in &self.0 {
            map.serialize_entry(name, slot)?;
        }
        map.end()
    }
}

/// What one slot holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlotAnswer {
    /// Its value.
    pub value: Value,
    /// How sure it is.
    #[serde(serialize_with = "rounded")]
    pub confidence: f32,
    /// How it was found.
    #[serde(serialize_with = "named")]
    pub matched_by: By,
    /// Where it stands in the message, in characters; nothing where it does not.
    pub span: Option<[usize; 2]>,
    /// Whether it cannot be run as it is, and is asked about.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub doubtful: bool,
}

impl SlotAnswer {
    /// What the core found, as it is told.
    pub(super) fn of(filled: &Filled, text: &str) -> SlotAnswer {
        SlotAnswer {
            value: filled.value.clone(),
            confidence: filled.confidence,
            matched_by: filled.by,
            span: filled.span.map(|span| span.in_chars(text)),
            doubtful: filled.doubt.is_some(),
        }
    }
}

/// A question back to the speaker.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clarification {
    /// The slot it asks for; nothing where it asks for the tool, or offers a way on.
    pub slot: Option<String>,
    /// The question, in one sentence or two.
    pub question: String,
    /// What can be answered, in the order it is shown.
    pub options: Vec<Value>,
}

impl From<Question> for Clarification {
    fn from(question: Question) -> Clarification {
        let Question { slot, question, options } = question;
        // Whether to run at all is no question for a slot.
        Clarification { slot: Some(slot).filter(|slot| !slot.is_empty()), question, options }
    }
}

impl Answer {
    /// Asks instead of running: what forbids the task, and what can be done about it.
    pub(super) fn hold_back(&mut self, blocked: &Blocked) {
        let Blocked { reason, way_on, .. } = blocked;
        self.outcome = Outcome::Clarify;
        self.reason = format!("{reason} {}", self.reason);
        let question = format!("{reason} {way_on}");
        let options = vec![Value::String(way_on.clone())];
        self.clarification = Some(Clarification { slot: None, question, options });
    }
}

impl Clarification {
    /// What a closed gate asks: what is missing, and the one way on.
    pub(super) fn way_on(gate: &GateAnswer) -> Clarification {
        let way = gate.way_on.clone().unwrap_or_default();
        let question = format!("{} {}", gate.reason, way.text);
        Clarification { slot: None, question, options: vec![Value::String(way.text)] }
    }
}

/// A tool that was considered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Considered {
    /// Its name.
    pub name: String,
    /// How sure it is to be meant, by what it is for alone.
    #[serde(serialize_with = "rounded")]
    pub confidence: f32,
    /// How likely it is among those considered, by what it is for and by what the message says for its slots.
    #[serde(serialize_with = "rounded")]
    pub share: f32,
}

/// Three digits say all there is to say.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
pub(crate) fn rounded<S: Serializer>(number: &f32, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64((f64::from(*number) * 1000.0).round() / 1000.0)
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
pub(crate) fn named<S: Serializer>(by: &By, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(by.name())
}
