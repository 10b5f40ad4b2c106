//! What may a decision depend on? One value, so that a recorded decision can be made again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Message;
use crate::history::{History, SpecialistRecord, ToolFigures};
use crate::resources::{Observed, Resources};

/// Everything a decision may depend on, besides the catalog. The engine fills it and the trace keeps it:
/// same situation and same catalog, same decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Situation {
    /// What was said, by whom, in which session.
    pub message: Message,
    /// How earlier tasks of the user went; nothing where nobody says who it is, or no history is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<History>,
    /// How earlier tasks of specialists went, for all users of the tenant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub specialists: Vec<SpecialistRecord>,
    /// The machine at that moment.
    #[serde(default)]
    pub resources: Resources,
    /// What was seen of what tasks need: programs, servers, files.
    #[serde(default, skip_serializing_if = "Observed::is_empty")]
    pub observed: Observed,
    /// What is measured of tools, by `server/name` or name; of those alone whose runs were recorded often enough.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tool_figures: BTreeMap<String, ToolFigures>,
    /// Tiers that were skipped, since they would have taken longer than what was left of `limits.latency_ms`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// The time, in milliseconds since 1970-01-01 UTC.
    pub now_ms: u64,
}

/// One fact of a session or environment. Facts are flat: what needs structure is not a fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a fact is a string, a number, true, false or null")]
pub enum Fact {
    /// Known to be unset.
    Unset,
    /// True or false.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

impl Fact {
    /// The fact as text, where it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Fact::Text(text) => Some(text),
            Fact::Unset | Fact::Flag(_) | Fact::Number(_) => None,
        }
    }
}

/// An earlier turn of the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a turn is a string, or an object with `text` and perhaps `role`")]
pub enum Turn {
    /// What was said, by the user or by whomever.
    Text(String),
    /// What was said, and by whom.
    Said {
        /// What was said.
        #[serde(alias = "content")]
        text: String,
        /// Who said it, in the caller's own words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        role: Option<String>,
    },
}

impl Turn {
    /// Whether the user said it; where nobody is named, the user did.
    pub fn is_users(&self) -> bool {
        match self {
            Turn::Text(_) | Turn::Said { role: None, .. } => true,
            Turn::Said { role: Some(role), .. } => {
                ["user", "human", "customer"].iter().any(|own| role.eq_ignore_ascii_case(own))
            }
        }
    }

    /// What was said.
    pub fn text(&self) -> &str {
        match self {
            Turn::Text(text) | Turn::Said { text, .. } => text,
        }
    }
}
