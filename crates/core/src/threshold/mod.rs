//! **How sure must we be, now?** The threshold for this user, on this machine, for this task.
//!
//! Rules of the catalog move the threshold away from its base, one at a time and never out of its bounds. Signals
//! tell what was noticed; they move nothing unless a rule asks for them.

mod state;
mod sentence;

use serde::{Deserialize, Serialize};

pub use state::{Misread, State, Task};

use crate::catalog::{Recommends, SignalSource, ThresholdSignal, Thresholds, Value};
use crate::measure::{Confidence, Points};

/// A threshold, and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjusted {
    /// The least confidence to act on, now.
    pub threshold: Confidence,
    /// The least confidence to act on, before any rule.
    pub original: Confidence,
    /// How far it was moved.
    pub delta: Points,
    /// The rule that moved it; nothing where none fires.
    pub rule: Option<String>,
    /// The rules applied: that one, or none.
    pub applied_rules: Vec<String>,
    /// How strict that is.
    pub level: Level,
    /// The whole in one sentence or three.
    pub reason: String,
    /// What was noticed.
    pub signals: Vec<Noticed>,
}

/// How strict a threshold is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// More is asked for than usual.
    Strict,
    /// Neither.
    Moderate,
    /// Less is asked for than usual.
    Lenient,
}

/// A signal that was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noticed {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub source: SignalSource,
    /// What it would do to the threshold.
    pub recommends: Recommends,
    /// Where it would put it.
    pub value: Option<Confidence>,
    /// Why, for people.
    pub reason: String,
}

/// Who takes the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// The specialist, without a doubt.
    SpecialistHigh,
    /// The specialist, watched.
    Specialist,
    /// The universal agent, since nobody is sure enough.
    Universal,
}

impl Level {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Strict => "strict",
            Level::Moderate => "moderate",
            Level::Lenient => "lenient",
        }
    }
}

impl Selection {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Selection::SpecialistHigh => "specialist_high",
            Selection::Specialist => "specialist",
            Selection::Universal => "universal",
        }
    }
}

/// Adjusts the threshold to a state: the first rule that fires, in the order in which rules win, is applied.
pub fn adjust(thresholds: &Thresholds, state: &State) -> Adjusted {
    let seen: Vec<&ThresholdSignal> =
        thresholds.signals.iter().filter(|signal| signal.when.holds(&|fact| state.fact(fact))).collect();
    let fact = |name: &str| match name.strip_prefix("signals.") {
        Some(signal) => Some(Value::Flag(seen.iter().any(|seen| seen.name == signal))),
        None => state.fact(name),
    };
    let rule = thresholds.rules.iter().find(|rule| rule.when.holds(&fact));
    let original = thresholds.base;
    // The catalog was held against its bounds when it was read; this is the second of two locks.
    let threshold = rule.map_or(original, |rule| rule.threshold).clamp(thresholds.least, thresholds.most);
    Adjusted {
        threshold,
        original,
        delta: threshold.points() - original.points(),
        rule: rule.map(|rule| rule.id.clone()),
        applied_rules: rule.map(|rule| rule.id.clone()).into_iter().collect(),
        level: level(thresholds, threshold),
        reason: sentence::sentence(original, threshold, rule),
        signals: seen.into_iter().map(noticed).collect(),
    }
}

/// How strict a threshold is. Where no rule can move it, it is neither.
fn level(thresholds: &Thresholds, threshold: Confidence) -> Level {
    match threshold {
        _ if thresholds.rules.is_empty() => Level::Moderate,
        threshold if threshold >= thresholds.strict => Level::Strict,
        threshold if threshold <= thresholds.lenient => Level::Lenient,
        _ => Level::Moderate,
    }
}

fn noticed(signal: &ThresholdSignal) -> Noticed {
    Noticed {
        name: signal.name.clone(),
        source: signal.source,
        recommends: signal.recommends,
        value: signal.value,
        reason: signal.reason.clone(),
    }
}

/// Who takes a task of this confidence, and how much is missing where it is not a specialist.
pub fn select(
    thresholds: &Thresholds,
    threshold: Confidence,
    confidence: Confidence,
) -> (Selection, Option<Points>) {
    match confidence {
        confidence if confidence >= thresholds.high => (Selection::SpecialistHigh, None),
        confidence if confidence >= threshold => (Selection::Specialist, None),
        confidence => (Selection::Universal, Some(threshold.points() - confidence.points())),
    }
}

#[cfg(test)]
mod tests;
