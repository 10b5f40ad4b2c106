//! **What can the machine bear?** How much of it is used, and which zone that is.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::measure::Points;

/// How much of the machine is used, each as a share of what there is; nothing where it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Resources {
    /// Memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<f64>,
    /// Processors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<f64>,
    /// The disk that state is kept on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk: Option<f64>,
}

/// One resource of the machine. Where two are equally used, the first named here is called the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// Memory.
    Memory,
    /// Processors.
    Cpu,
    /// The disk that state is kept on.
    Disk,
}

impl Resource {
    /// All of them, in the order that breaks ties.
    pub const ALL: [Resource; 3] = [Resource::Memory, Resource::Cpu, Resource::Disk];

    /// Its name, as JSON and reports write it.
    pub const fn name(self) -> &'static str {
        match self {
            Resource::Memory => "memory",
            Resource::Cpu => "cpu",
            Resource::Disk => "disk",
        }
    }
}

/// How hard the machine is pressed; each zone holds all that is milder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Zone {
    /// Everything goes.
    #[default]
    Green,
    /// Thrift is suggested.
    Yellow,
    /// What can wait waits.
    Orange,
    /// What is costly does not run.
    Red,
    /// Only what must be runs.
    Critical,
}

impl Zone {
    /// The zones beyond green, from mild to harsh: those a catalog has actions for.
    pub const PRESSED: [Zone; 4] = [Zone::Yellow, Zone::Orange, Zone::Red, Zone::Critical];

    /// Its name, as catalogs and JSON write it.
    pub const fn name(self) -> &'static str {
        match self {
            Zone::Green => "green",
            Zone::Yellow => "yellow",
            Zone::Orange => "orange",
            Zone::Red => "red",
            Zone::Critical => "critical",
        }
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where each zone begins, as the used share of the worst resource; the value itself belongs to the zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneBounds {
    /// Where yellow begins.
    pub yellow: Points,
    /// Where orange begins.
    pub orange: Points,
    /// Where red begins.
    pub red: Points,
    /// Where critical begins.
    pub critical: Points,
}

impl Default for ZoneBounds {
    /// The bounds of the document on the detection engine.
    fn default() -> ZoneBounds {
        ZoneBounds {
            yellow: Points::hundredths(60),
            orange: Points::hundredths(75),
            red: Points::hundredths(85),
            critical: Points::hundredths(95),
        }
    }
}

impl ZoneBounds {
    /// Where a zone begins.
    pub const fn begin(&self, zone: Zone) -> Points {
        match zone {
            Zone::Green => Points::ZERO,
            Zone::Yellow => self.yellow,
            Zone::Orange => self.orange,
            Zone::Red => self.red,
            Zone::Critical => self.critical,
        }
    }

    /// The zone of a used share.
    pub fn zone(&self, used: Points) -> Zone {
        let reached = Zone::PRESSED.into_iter().rev().find(|zone| used >= self.begin(*zone));
        reached.unwrap_or_default()
    }
}

/// Which zone the machine is in, and which resource put it there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pressure {
    /// The zone.
    pub zone: Zone,
    /// The most used resource; nothing where nothing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<Resource>,
    /// How much of it is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<Points>,
}

impl Pressure {
    /// The pressure in a person's words.
    pub fn words(&self) -> String {
        match (self.worst, self.used) {
            (Some(worst), Some(used)) => {
                format!("{}: {} is used to {} %", self.zone, worst.name(), percent(used))
            }
            _ => format!("{}: nothing is known of the machine", self.zone),
        }
    }
}

impl Resources {
    /// How much of one resource is used, between 0 and 1; what is no number is not known.
    pub fn used(&self, resource: Resource) -> Option<Points> {
        let share = match resource {
            Resource::Memory => self.memory,
            Resource::Cpu => self.cpu,
            Resource::Disk => self.disk,
        };
        let share = share.filter(|share| share.is_finite())?;
        Some(Points::from_share(share.clamp(0.0, 1.0)))
    }

    /// The zone by the worst resource. What is not known does not count; where nothing is, the zone is green.
    pub fn pressure(&self, bounds: &ZoneBounds) -> Pressure {
        let known = Resource::ALL.into_iter().filter_map(|resource| Some((self.used(resource)?, resource)));
        // Of equals the last is the greatest, so the order is turned round to keep the first.
        match known.rev().max_by_key(|(used, _)| *used) {
            Some((used, worst)) => Pressure { zone: bounds.zone(used), worst: Some(worst), used: Some(used) },
            None => Pressure::default(),
        }
    }
}

/// A share in per cent, with as many decimals as it has and no more.
pub(crate) fn percent(share: Points) -> f64 {
    // Ten thousand units of a millionth make one per cent; rounding gives back what division blurred.
    (share.share() * 1e6).round() / 1e4
}

/// What was seen of the world. What is not in here was not looked at, and is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// Whether the folder that state is kept in can be written to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writable: Option<bool>,
    /// How much is free on its disk, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free_bytes: Option<u64>,
    /// Programs, and whether they were found.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, bool>,
    /// Files and folders of the project, and whether they are there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub project: BTreeMap<String, bool>,
    /// Servers, and how reaching them went.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub servers: BTreeMap<String, Reach>,
}

impl Observed {
    /// Whether nothing was looked at.
    pub fn is_empty(&self) -> bool {
        *self == Observed::default()
    }
}

/// How reaching a server went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// It was reached, after so many milliseconds.
    After(u64),
    /// It was not, for this reason.
    Failed(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(memory: Option<f64>, cpu: Option<f64>, disk: Option<f64>, words: &str) {
        let resources = Resources { memory, cpu, disk };
        assert_eq!(resources.pressure(&ZoneBounds::default()).words(), words, "{resources:?}");
    }

    #[test]
    fn every_zone_begins_at_its_bound_and_not_a_millionth_before() {
        let zone = |used: f64| {
            Resources { cpu: Some(used), ..Resources::default() }.pressure(&ZoneBounds::default()).zone
        };
        for (bound, below, at) in [
            (0.60, Zone::Green, Zone::Yellow),
            (0.75, Zone::Yellow, Zone::Orange),
            (0.85, Zone::Orange, Zone::Red),
            (0.95, Zone::Red, Zone::Critical),
        ] {
            assert_eq!(zone(bound - 0.000_001), below, "below {bound}");
            assert_eq!(zone(bound), at, "at {bound}");
            assert_eq!(zone(bound + 0.000_001), at, "above {bound}");
        }
        assert_eq!(zone(0.0), Zone::Green);
        assert_eq!(zone(1.0), Zone::Critical);
    }

    #[test]
    fn the_worst_resource_decides_and_is_named() {
        check(Some(0.1), Some(0.2), Some(0.3), "green: disk is used to 30 %");
        check(Some(0.7), Some(0.2), Some(0.3), "yellow: memory is used to 70 %");
        check(Some(0.7), Some(0.755), Some(0.3), "orange: cpu is used to 75.5 %");
        check(None, Some(0.96), None, "critical: cpu is used to 96 %");
        check(Some(0.9), Some(0.9), Some(0.9), "red: memory is used to 90 %");
        check(None, Some(0.9), Some(0.9), "red: cpu is used to 90 %");
    }

    #[test]
    fn what_is_not_known_does_not_count() {
        check(None, None, None, "green: nothing is known of the machine");
        check(Some(f64::NAN), None, Some(f64::INFINITY), "green: nothing is known of the machine");
        check(Some(f64::NAN), None, Some(0.8), "orange: disk is used to 80 %");
        check(Some(-3.0), Some(7.0), None, "critical: cpu is used to 100 %");
    }
}
