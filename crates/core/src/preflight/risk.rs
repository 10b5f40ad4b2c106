//! What could go wrong, how likely is it, and what is that the sum of?

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Band, Task};
use crate::catalog::Precautions;
use crate::history::Standing;
use crate::measure::Points;
use crate::resources::{Pressure, Resource, percent};

/// What a likelihood that nobody knows counts as: as likely as not, which is also what an unknown user's reputation is.
const NEUTRAL: Points = Points::hundredths(50);

/// How far a failure spreads by the band of the task alone: a complex one changes a whole system, a simple one a file.
const SPREAD_MODERATE: Points = Points::hundredths(20);
/// The same for a complex task.
const SPREAD_COMPLEX: Points = Points::hundredths(40);
/// What each area beyond the first adds: what crosses a border breaks on both sides.
const SPREAD_AREA: Points = Points::hundredths(10);
/// The most areas that add: with the band they come to 0.6, so that no task is sure to spread by its size alone.
const SPREAD_AREAS_MAX: usize = 2;
/// What production adds: others depend on it.
const SPREAD_PRODUCTION: Points = Points::hundredths(20);
/// What a critical task adds: others wait for it.
const SPREAD_CRITICAL: Points = Points::hundredths(20);

/// A risk from 0 to 1, and what it is the sum of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Risk {
    /// The sum of the parts' points.
    pub risk: Points,
    /// Whether safe mode is suggested.
    pub safe_mode: bool,
    /// The parts, always in the same order.
    pub parts: Vec<Part>,
}

/// One part of the risk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// What could go wrong.
    pub name: RiskPart,
    /// How likely it is, from 0 to 1: the sum of the grounds.
    pub likelihood: Points,
    /// What it weighs.
    pub weight: Points,
    /// Likelihood times weight, to the millionth.
    pub points: Points,
    /// Why it is as likely as that.
    pub grounds: Vec<Ground>,
}

/// What could go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskPart {
    /// The task is too much.
    Complexity,
    /// It fails, as others did.
    Failure,
    /// The machine runs out.
    Exhaustion,
    /// The failure spreads.
    Cascade,
}

impl fmt::Display for RiskPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RiskPart::Complexity => "complexity",
            RiskPart::Failure => "failure",
            RiskPart::Exhaustion => "exhaustion",
            RiskPart::Cascade => "cascade",
        })
    }
}

/// A ground of a likelihood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ground {
    /// How much it is.
    pub points: Points,
    /// What it is, in a person's words.
    pub says: String,
    /// What it is.
    pub cause: Cause,
}

impl Ground {
    fn new(points: Points, cause: Cause) -> Ground {
        Ground { points, says: cause.words(), cause }
    }
}

/// What makes something likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// How complex the task is.
    Band(Band),
    /// Nobody knows how complex it is.
    BandUnknown,
    /// This share of the user's last tasks failed.
    Failed(Points),
    /// This share of the specialist's tasks in the area failed.
    SpecialistFailed(Points),
    /// Nobody knows how the user's tasks go.
    FailedUnknown,
    /// A resource is used to this share.
    Used(Resource, Points),
    /// Nothing of the machine is scarce.
    Green,
    /// Nothing is known of the machine.
    MachineUnknown,
    /// How much a task of this complexity changes.
    Spread(Band),
    /// Nobody knows how much it changes.
    SpreadUnknown,
    /// How many areas it touches.
    Areas(usize),
    /// It runs in production.
    Production,
    /// It is critical.
    Critical,
}

impl Cause {
    /// The cause in a person's words.
    pub fn words(self) -> String {
        let told = match self {
            Cause::Band(band) => return format!("the task is {}", band.name()),
            Cause::Failed(share) => return format!("{} % of the user's last tasks failed", percent(share)),
            Cause::SpecialistFailed(share) => {
                return format!("{} % of the specialist's tasks in this area failed", percent(share));
            }
            Cause::Used(resource, share) => {
                return format!("{} is used to {} %", resource.name(), percent(share));
            }
            Cause::Areas(areas) => return format!("it touches {areas} areas"),
            Cause::BandUnknown => "how complex the task is nobody knows; taken as the middle",
            Cause::FailedUnknown => "how the user's tasks go nobody knows; taken as the middle",
            Cause::Green => "the machine is in the green",
            Cause::MachineUnknown => "nothing is known of the machine; taken as green",
            Cause::Spread(Band::Simple) => "a simple task changes little",
            Cause::Spread(Band::Moderate) => "a moderate task changes several things",
            Cause::Spread(Band::Complex) => "a complex task changes a system",
            Cause::SpreadUnknown => "how complex the task is nobody knows; taken as moderate",
            Cause::Production => "it runs in production",
            Cause::Critical => "it is critical",
        };
        told.to_owned()
    }
}

impl Part {
    /// A part: its grounds add up to at most one, and so the part comes to at most its weight.
    fn new(name: RiskPart, weight: Points, grounds: Vec<Ground>) -> Part {
        let likelihood: Points = grounds.iter().map(|ground| ground.points).sum();
        let points = Points::from_share(likelihood.share() * weight.share());
        Part { name, likelihood, weight, points, grounds }
    }
}

/// The risk of a task: what each thing that could go wrong weighs, times how likely it is.
pub fn assess(precautions: &Precautions, task: &Task, pressure: &Pressure, standing: &Standing) -> Risk {
    let weights = &precautions.risk;
    let parts = vec![
        Part::new(RiskPart::Complexity, weights.complexity, vec![complexity(task)]),
        Part::new(RiskPart::Failure, weights.failure, vec![failure(task, standing)]),
        Part::new(RiskPart::Exhaustion, weights.exhaustion, vec![exhaustion(precautions, pressure)]),
        Part::new(RiskPart::Cascade, weights.cascade, cascade(task)),
    ];
    let risk: Points = parts.iter().map(|part| part.points).sum();
    Risk { risk, safe_mode: risk > weights.safe_mode, parts }
}

fn complexity(task: &Task) -> Ground {
    match task.complexity {
        Some(complexity) => {
            let complexity = complexity.clamp(Points::ZERO, Points::ONE);
            let band = task.own_band.unwrap_or_else(|| Band::of(complexity));
            Ground::new(complexity, Cause::Band(band))
        }
        None => Ground::new(NEUTRAL, Cause::BandUnknown),
    }
}

/// How often tasks failed, which is the best guess for the next: those of the specialist in the area, else the user's last ones.
fn failure(task: &Task, standing: &Standing) -> Ground {
    if let Some(failed) = task.specialist_failed {
        return Ground::new(failed, Cause::SpecialistFailed(failed));
    }
    match standing.recent_success_rate.filter(|rate| rate.is_finite()) {
        Some(rate) => {
            let failed = Points::ONE - Points::from_share(rate.clamp(0.0, 1.0));
            Ground::new(failed, Cause::Failed(failed))
        }
        None => Ground::new(NEUTRAL, Cause::FailedUnknown),
    }
}

/// How far the worst resource is on its way from where green ends to where everything ends.
fn exhaustion(precautions: &Precautions, pressure: &Pressure) -> Ground {
    let green = precautions.bounds.yellow;
    match (pressure.worst, pressure.used) {
        (Some(worst), Some(used)) if used > green => {
            let way = (used - green).share() / (Points::ONE - green).share();
            Ground::new(Points::from_share(way.clamp(0.0, 1.0)), Cause::Used(worst, used))
        }
        (Some(_), Some(_)) => Ground::new(Points::ZERO, Cause::Green),
        _ => Ground::new(Points::ZERO, Cause::MachineUnknown),
    }
}

fn cascade(task: &Task) -> Vec<Ground> {
    let mut grounds = vec![match task.band() {
        Some(Band::Simple) => Ground::new(Points::ZERO, Cause::Spread(Band::Simple)),
        Some(Band::Moderate) => Ground::new(SPREAD_MODERATE, Cause::Spread(Band::Moderate)),
        Some(Band::Complex) => Ground::new(SPREAD_COMPLEX, Cause::Spread(Band::Complex)),
        None => Ground::new(SPREAD_MODERATE, Cause::SpreadUnknown),
    }];
    let further = task.areas.saturating_sub(1);
    if further > 0 {
        let points = std::iter::repeat_n(SPREAD_AREA, further.min(SPREAD_AREAS_MAX)).sum();
        grounds.push(Ground::new(points, Cause::Areas(task.areas)));
    }
    if task.production {
        grounds.push(Ground::new(SPREAD_PRODUCTION, Cause::Production));
    }
    if task.critical {
        grounds.push(Ground::new(SPREAD_CRITICAL, Cause::Critical));
    }
    grounds
}
