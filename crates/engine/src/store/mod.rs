//! What is remembered between messages? Outcomes of tasks, the decisions they followed, and conversations.

mod error;
mod choices;
mod reported;
mod sqlite;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use crate::ports::Store;
pub use choices::{ChoiceCounts, ChoiceFigures, ChoiceKept, TurnOf, Turned};
pub use error::StoreError;
pub use reported::{AHEAD_MS_MAX, ERROR_BYTES_MAX, NAME_BYTES_MAX, Reported};
pub use sqlite::{
    CHOICES_MAX, CONVERSATIONS_MAX, DECISIONS_MAX, OUTCOMES_MAX, Settings, Sqlite, TOOLS_MEASURED_MAX,
    TURNS_KEPT_MAX,
};

/// The file of the store, in the folder of what is kept.
pub const STORE_FILE: &str = "history.db";

/// Where the store is: in the folder that is named, else in `WAYPOST_HOME`, else in the user's folder for data (XDG).
pub fn path(data: Option<&Path>) -> Result<PathBuf, StoreError> {
    let folder = data.map(Path::to_owned).or_else(crate::folders::data).ok_or(StoreError::NoFolder)?;
    Ok(folder.join(STORE_FILE))
}

/// What became of an outcome that was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recorded {
    /// It was new, and is kept.
    New,
    /// The task had been told before, for the same user; nothing changed, whatever was told this time.
    AlreadyKnown,
}

/// How much was forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forgotten {
    /// Completed tasks.
    pub completions: u64,
    /// Decisions.
    pub decisions: u64,
    /// Conversations.
    pub conversations: u64,
    /// Turns of conversations that were interpreted.
    pub choices: u64,
}

/// A user of whom something is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownUser {
    /// Whose user that is.
    pub tenant: Option<String>,
    /// The user.
    pub user: String,
    /// How many tasks were completed.
    pub total: u64,
    /// How many of them succeeded.
    pub succeeded: u64,
    /// When the last one was completed, in milliseconds since 1970-01-01 UTC.
    pub last_ms: u64,
}

/// What is kept of a decision, so that its outcome can be told by its id alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DecisionKept {
    /// The id of the answer.
    pub id: String,
    /// Whose user it was for.
    pub tenant: Option<String>,
    /// Who it was for, where that was said.
    pub user: Option<String>,
    /// The route taken, if one was.
    pub route: Option<String>,
    /// How sure it was, from 0 to 1.
    pub confidence: f64,
    /// The area of the message.
    pub area: Option<String>,
    /// The operation of the message.
    pub operation: Option<String>,
    /// How complex it was, from 0 to 1.
    pub complexity: Option<f64>,
    /// The threshold that held, from 0 to 1.
    pub threshold: f64,
    /// When it was decided, in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
    /// The threshold before any rule, from 0 to 1; nothing in stores of earlier versions.
    pub threshold_base: Option<f64>,
    /// The rule that decided the threshold.
    pub threshold_rule: Option<String>,
    /// Quality gates that its task must pass to count as complete.
    pub gates: Vec<String>,
}

/// A threshold that a rule decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjustment {
    /// The decision.
    pub decision_id: String,
    /// Who it was for.
    pub user: Option<String>,
    /// The threshold before any rule, from 0 to 1.
    pub base: f64,
    /// The threshold that held.
    pub adjusted: f64,
    /// The rule.
    pub rule: String,
    /// When it was decided, in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
}

/// How a decision ended whose task was told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How sure the decision was, from 0 to 1.
    pub confidence: f64,
    /// Whether its task succeeded.
    pub success: bool,
}
