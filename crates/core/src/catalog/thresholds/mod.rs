//! How sure must a decision be, and what moves that? Thresholds, the rules that adjust them, and the signals they see.

pub(super) mod format;
pub(super) mod draft;
mod compile;

use serde::{Deserialize, Serialize};

pub(super) use compile::{BASE_DEFAULT, HIGH_DEFAULT, compile, condition as compile_condition};

use super::condition::Condition;
use crate::measure::{Confidence, Points};

/// How sure a decision must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// The least confidence to act on, before any rule.
    pub base: Confidence,
    /// The least confidence called high.
    pub high: Confidence,
    /// How far below the best still counts as equally sure.
    pub window: Points,
    /// How often a route taken by what was learned must be right.
    pub target_precision: Option<Confidence>,
    /// What no rule goes below.
    pub least: Confidence,
    /// What no rule goes above.
    pub most: Confidence,
    /// From here on a threshold is called strict.
    pub strict: Confidence,
    /// Up to here a threshold is called lenient.
    pub lenient: Confidence,
    /// What moves the threshold, in the order in which rules win.
    pub rules: Vec<ThresholdRule>,
    /// What is noticed and told; rules may ask for it.
    pub signals: Vec<ThresholdSignal>,
}

/// A rule that moves the threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThresholdRule {
    /// Its name; unique in the catalog.
    pub id: String,
    /// When it fires.
    pub when: Condition,
    /// Where it puts the threshold.
    pub threshold: Confidence,
    /// Which rule wins: the higher.
    pub priority: i32,
    /// Whether it is stricter or more lenient than the base.
    pub direction: Direction,
    /// Why, for people.
    pub reason: String,
}

/// Where a rule moves the threshold. Stricter comes first: among equals it wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// To more.
    Up,
    /// To less.
    Down,
}

/// Something worth noticing about the user, the machine or the task. It moves nothing by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThresholdSignal {
    /// Its name; unique in the catalog.
    pub name: String,
    /// What it is about.
    pub source: SignalSource,
    /// When it is seen.
    pub when: Condition,
    /// What it would do to the threshold.
    pub recommends: Recommends,
    /// Where it would put it.
    pub value: Option<Confidence>,
    /// Why, for people.
    pub reason: String,
}

/// What a signal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignalSource {
    /// The user's earlier tasks.
    User,
    /// The machine.
    Resource,
    /// The task and where it runs.
    Context,
}

/// What a signal would do to the threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Recommends {
    /// Raise it.
    Up,
    /// Lower it.
    Down,
    /// Leave it.
    Neutral,
}

impl SignalSource {
    /// The word for it, in catalogs and answers.
    pub const fn name(self) -> &'static str {
        match self {
            SignalSource::User => "user",
            SignalSource::Resource => "resource",
            SignalSource::Context => "context",
        }
    }
}

impl Recommends {
    /// The word for it, in catalogs and answers.
    pub const fn name(self) -> &'static str {
        match self {
            Recommends::Up => "up",
            Recommends::Down => "down",
            Recommends::Neutral => "neutral",
        }
    }
}

#[cfg(test)]
mod tests;
