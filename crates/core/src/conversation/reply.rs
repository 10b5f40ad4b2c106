//! What is said back, and what was the message?

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Call, Pending, Said};
use crate::arguments::{By, Outcome};
use crate::gates::GateAnswer;

/// How a message was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnKind {
    /// As something new.
    #[default]
    New,
    /// As the answer to what was asked.
    Answer,
    /// As going on.
    Proceed,
    /// As taking the way on that was offered.
    WayOn,
    /// As taking back something said before.
    Correction,
    /// As something else than what was asked.
    Change,
    /// As dropping what was asked.
    Abandon,
    /// A question about a term of the catalog, or what can be asked for. What was open stays open.
    Explained,
    /// Thanks and the like, which ask for nothing.
    Chat,
    /// The outcome of a call, as its host reported it.
    Reported,
}

impl TurnKind {
    /// What it says of the call that was made before it.
    pub const fn verdict(self) -> Verdict {
        match self {
            TurnKind::Correction => Verdict::Corrected,
            TurnKind::Abandon => Verdict::Abandoned,
            _ => Verdict::Accepted,
        }
    }
}

/// What became of a call that was made, by the turn after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It was let stand.
    Accepted,
    /// It was taken back for another.
    Corrected,
    /// What it led to was dropped.
    Abandoned,
}

impl Verdict {
    /// Its name in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::Corrected => "corrected",
            Verdict::Abandoned => "abandoned",
        }
    }
}

/// How far a flow is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlowTold {
    /// The flow.
    pub name: String,
    /// Its steps that are done, in their order.
    pub done: Vec<String>,
    /// The step that is next.
    pub step: Option<String>,
    /// Whether it is complete.
    pub complete: bool,
    /// The flow that comes after it.
    pub next: Option<String>,
}

/// What is said back.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// How the message was taken.
    pub kind: TurnKind,
    /// What follows.
    pub outcome: Outcome,
    /// The route it takes, where that was asked.
    pub route: Option<String>,
    /// How sure the route is.
    pub route_confidence: f32,
    /// The tool.
    pub tool: Option<String>,
    /// The arguments, as far as they are known.
    pub args: Map<String, Value>,
    /// What each slot holds.
    pub slots: Vec<Said>,
    /// How sure the whole is.
    pub confidence: f32,
    /// How the weakest slot was found.
    pub by: Option<By>,
    /// Why, in a few words.
    pub reason: String,
    /// The call that would run.
    pub call: Option<Call>,
    /// What is asked.
    pub pending: Option<Pending>,
    /// The gates that guard the tool.
    pub gates: Vec<GateAnswer>,
    /// What is unusual and yet allowed.
    pub warnings: Vec<String>,
    /// How far the tool's flow is.
    pub flow: Option<FlowTold>,
    /// What was asked about, in the catalog's words.
    pub explanation: Option<String>,
}
