//! What is told of a task once it is done?

use serde::{Deserialize, Serialize};

/// The record of one completed task. A task is known by its id within its tenant; telling it twice is telling it once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// The task.
    pub task_id: String,
    /// Whose user it was done for, where several organisations share one installation; empty is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The user it was done for.
    pub user: String,
    /// The decision that sent it where it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_id: Option<String>,
    /// Whether it succeeded.
    pub success: bool,
    /// The specialist that did it: the route that was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specialist: Option<String>,
    /// Its area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<String>,
    /// Its operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// How complex it was, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complexity: Option<f64>,
    /// The confidence it was sent with, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence_used: Option<f64>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution_time_ms: Option<u64>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// The same in a word, such as `timeout`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_kind: Option<String>,
    /// When it was completed, in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
}
