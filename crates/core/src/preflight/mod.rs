//! **Is it safe to begin?** What is looked at before anything is done: flags, checks, zone, risk, and the gate.
//!
//! Everything here is a plain function on plain values. What only the world can tell comes in as [`Observed`] and
//! [`Resources`]; what is not known there is unknown here, never good and never bad.

pub mod flags;
mod checks;
mod actions;
mod risk;
mod gate;
mod verdict;
mod conduct;

use serde::{Deserialize, Serialize};

pub use actions::{Actions, Activated, Held, Permission, Withheld, act};
pub use checks::{Check, Requires, Verdict, check, required};
pub use conduct::{ModeUsed, QualityGate, in_safe_mode, mark, mode, mode_used};
pub use gate::{Gate, Passage, gate};
pub use risk::{Cause, Ground, Part, Risk, RiskPart, assess};
pub use verdict::{Blocked, SAFE_MODE, verdict};

use crate::catalog::Precautions;
use crate::history::Standing;
use crate::measure::Points;
use crate::message::Reading;
pub use crate::resources::{Observed, Reach};
use crate::resources::{Pressure, Resources};
use flags::Given;

/// What is to be done, as far as it matters here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The route that is to take it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// The command the message starts with, without its slash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The operation, such as debugging.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// How complex it is, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Points>,
    /// The band it falls into, where the catalog has bands of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_band: Option<Band>,
    /// The share of the route's tasks in the area that failed, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specialist_failed: Option<Points>,
    /// How many areas it touches.
    #[serde(default)]
    pub areas: usize,
    /// How many tokens it will take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// How many tokens its complexity band is granted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_budget: Option<u64>,
    /// Whether it runs in production.
    #[serde(default)]
    pub production: bool,
    /// Whether it is critical.
    #[serde(default)]
    pub critical: bool,
    /// The operating mode it runs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

impl Task {
    /// Its complexity band.
    pub fn band(&self) -> Option<Band> {
        self.own_band.or_else(|| self.complexity.map(Band::of))
    }

    /// Whether a name of the catalog means its operation or its complexity band.
    fn is_called(&self, name: &str) -> bool {
        self.operation.as_deref() == Some(name) || self.band().is_some_and(|band| band.name() == name)
    }
}

/// How complex a task is, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Band {
    /// Less than three steps.
    Simple,
    /// Three to ten.
    Moderate,
    /// More than ten.
    Complex,
}

impl Band {
    /// From here on a task is moderate.
    const MODERATE_FROM: Points = Points::hundredths(30);
    /// Above this it is complex; the value itself is moderate.
    const MODERATE_TO: Points = Points::hundredths(70);

    /// The band at a place among the catalog's own: the lowest is simple, the highest complex, all between are moderate.
    pub fn at(place: usize, bands: usize) -> Band {
        match place {
            0 => Band::Simple,
            last if last + 1 >= bands => Band::Complex,
            _ => Band::Moderate,
        }
    }

    /// The band of a complexity, where a catalog has none of its own.
    pub fn of(complexity: Points) -> Band {
        match complexity {
            low if low < Band::MODERATE_FROM => Band::Simple,
            high if high > Band::MODERATE_TO => Band::Complex,
            _ => Band::Moderate,
        }
    }

    /// Its name, as catalogs and JSON write it.
    pub const fn name(self) -> &'static str {
        match self {
            Band::Simple => "simple",
            Band::Moderate => "moderate",
            Band::Complex => "complex",
        }
    }
}

/// All that was found before anything is done; it goes into the trace and the report as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Preflight {
    /// The zone and what put the machine there.
    pub pressure: Pressure,
    /// The flags the message carries, and which of them exclude each other.
    pub given: Given,
    /// What the zone and the task bring about.
    pub actions: Actions,
    /// What was looked at, each with its verdict.
    pub checks: Vec<Check>,
    /// The risk and what it is the sum of.
    pub risk: Risk,
}

impl Preflight {
    /// Whether the message asks for safe mode. A zone that sets it does not make a risk acceptable.
    pub fn is_safe(&self) -> bool {
        self.given.has(SAFE_MODE)
    }
}

/// Looks at everything, in the order in which it depends on each other.
pub fn look(
    precautions: &Precautions,
    reading: &Reading,
    task: &Task,
    resources: &Resources,
    standing: &Standing,
    observed: &Observed,
) -> Preflight {
    let pressure = resources.pressure(&precautions.bounds);
    let given = flags::given(reading, &precautions.flags);
    let actions = act(precautions, task, &pressure, &given);
    let checks = check(precautions, task, resources, &given, observed);
    let risk = assess(precautions, task, &pressure, standing);
    Preflight { pressure, given, actions, checks, risk }
}

#[cfg(test)]
mod tests;
