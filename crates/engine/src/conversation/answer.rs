//! What is answered? The JSON contract of `waypost chat`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use waypost_core::arguments::{By, Outcome};
use waypost_core::catalog::Catalog;
use waypost_core::conversation::{Call, Chip, Conversation, FlowTold, Pending, Reply, Said, TurnKind};
use waypost_core::gates::GateAnswer;
use waypost_core::message::Fact;
use waypost_core::trace::{CONTRACT_VERSION, CatalogRef};

use crate::arguments::{SlotAnswer, Slots, named, rounded};
use crate::ports::new_id;

/// What a turn of a conversation comes to.
#[derive(Clone, Debug, Serialize)]
pub struct TurnAnswer {
    /// The version of this contract.
    pub version: u32,
    /// An id of this answer.
    pub id: String,
    /// The catalog it was made with.
    pub catalog: CatalogRef,
    /// The conversation.
    pub session_id: String,
    /// How the message was taken.
    pub turn: TurnKind,
    /// What follows.
    pub outcome: Outcome,
    /// The route the message takes, where it was asked for.
    pub route: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// The arguments, as far as they are known.
    pub args: Map<String, Value>,
    /// Why, in a few words.
    pub reason: String,
    /// How sure the whole is.
    #[serde(serialize_with = "rounded")]
    pub confidence: f32,
    /// How the weakest slot was found.
    #[serde(serialize_with = "named")]
    pub matched_by: By,
    /// What each slot holds.
    pub slots: Slots,
    /// The call that would run.
    pub would_run: Option<WouldRun>,
    /// What is asked.
    pub clarification: Option<Clarification>,
    /// The gates that guard the tool.
    pub gates: Vec<GateAnswer>,
    /// How far the tool's flow is.
    pub flow: Option<FlowTold>,
    /// What is unusual and yet allowed.
    pub warnings: Vec<String>,
    /// What was asked about, in the catalog's words: a term, or what can be asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// Tools whose outcome opens something and has not been reported.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub awaits: Vec<String>,
    /// The facts of the session after the turn.
    pub facts: BTreeMap<String, Fact>,
    /// What did not go as it should, and what was done instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How long it took, in microseconds.
    pub elapsed_us: f64,
}

/// A call that is complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WouldRun {
    /// The tool.
    pub tool: String,
    /// Its arguments, valid against its schema.
    pub args: Map<String, Value>,
}

/// A question, and what can be answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clarification {
    /// The slot it asks for; nothing where it asks for something else.
    pub slot: Option<String>,
    /// The question, in one sentence or two.
    pub question: String,
    /// What can be answered, in the order it is shown, as an interface would show it.
    pub options: Vec<Chip>,
}

impl TurnAnswer {
    /// The answer that a reply comes to.
    pub(super) fn of(
        catalog: &Catalog,
        session: &str,
        reply: &Reply,
        state: &Conversation,
        notes: Vec<String>,
    ) -> TurnAnswer {
        let asked = |pending: &Pending| Clarification {
            slot: pending.slot().map(str::to_owned),
            question: pending.question.clone(),
            options: pending.chips.clone(),
        };
        let call = |call: &Call| WouldRun { tool: call.tool.clone(), args: call.args.clone() };
        TurnAnswer {
            version: CONTRACT_VERSION,
            id: new_id(),
            catalog: CatalogRef { name: catalog.name().to_owned(), hash: catalog.hash().to_owned() },
            session_id: session.to_owned(),
            turn: reply.kind,
            outcome: reply.outcome,
            route: reply.route.clone(),
            tool: reply.tool.clone(),
            args: reply.args.clone(),
            reason: reply.reason.clone(),
            confidence: reply.confidence,
            matched_by: reply.by.unwrap_or(By::None),
            slots: Slots(reply.slots.iter().map(slot).collect()),
            would_run: reply.call.as_ref().map(call),
            clarification: reply.pending.as_ref().map(asked),
            gates: reply.gates.clone(),
            flow: reply.flow.clone(),
            warnings: reply.warnings.clone(),
            explanation: reply.explanation.clone(),
            awaits: state.awaited.iter().cloned().collect(),
            facts: state.facts.clone(),
            notes,
            elapsed_us: 0.0,
        }
    }
}

fn slot(said: &Said) -> (String, SlotAnswer) {
    let held = SlotAnswer {
        value: said.value.clone(),
        confidence: said.confidence,
        matched_by: said.by,
        span: said.span,
        doubtful: said.doubtful,
    };
    (said.slot.clone(), held)
}
