//! What is to be looked at before anything is done? What a catalog says of zones, flags, checks and risk.

pub(super) mod format;
pub(super) mod draft;
pub(super) mod compile;
pub(super) mod conduct;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use conduct::{Caution, Conduct, MODE_FACT, Marker, Mode, SafeMode};

use crate::measure::Points;
use crate::resources::{Zone, ZoneBounds};

/// What is to be looked at before anything is done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Precautions {
    /// Where the zones begin.
    pub bounds: ZoneBounds,
    /// What is done in each zone. The actions of milder zones hold too, save for the tiers.
    pub zones: BTreeMap<Zone, ZoneRule>,
    /// The flags a message may carry.
    pub flags: Flags,
    /// What must be there.
    pub needs: Needs,
    /// How risk adds up.
    pub risk: RiskWeights,
    /// How tasks are conducted.
    pub conduct: Conduct,
}

impl Precautions {
    /// Whether the catalog asks for any.
    pub fn is_asked(&self) -> bool {
        let always = &self.needs.always;
        let needs = !always.tools.is_empty() || !always.project.is_empty() || !self.needs.servers.is_empty();
        needs || !self.zones.is_empty() || !self.flags.known.is_empty() || !self.conduct.modes.is_empty()
    }

    /// Which tiers of understanding run in a zone. Unless the catalog says otherwise, the costly ones stop at red.
    pub fn tiers(&self, zone: Zone) -> Tiers {
        let unsaid = if zone >= Zone::Red { Tiers::Cheap } else { Tiers::All };
        self.zones.get(&zone).and_then(|rule| rule.tiers).unwrap_or(unsaid)
    }
}

/// What is done in one zone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ZoneRule {
    /// What is suggested: flags, or habits such as caching.
    pub suggest: Vec<String>,
    /// Flags that are set without being asked for.
    pub activate: Vec<String>,
    /// Work that waits.
    pub defer: Vec<Work>,
    /// Work that does not run.
    pub block: Vec<Work>,
    /// Which tiers run; nothing where the catalog does not say.
    pub tiers: Option<Tiers>,
    /// The sentence a person is told.
    pub say: Option<String>,
}

/// Which tiers of understanding run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tiers {
    /// All of them.
    #[default]
    All,
    /// Only those that cost microseconds.
    Cheap,
}

/// A kind of work that a zone defers or blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// What the catalog lists as heavy, unless it is essential.
    Heavy,
    /// All but what is critical or listed as essential.
    NotEssential,
    /// An operation or a complexity band, by its name.
    Named(String),
}

impl Work {
    /// Reads a kind of work as catalogs write it.
    fn new(name: &str) -> Work {
        match name {
            "heavy" => Work::Heavy,
            "not-essential" => Work::NotEssential,
            _ => Work::Named(name.to_owned()),
        }
    }

    /// As catalogs write it.
    pub fn name(&self) -> &str {
        match self {
            Work::Heavy => "heavy",
            Work::NotEssential => "not-essential",
            Work::Named(name) => name,
        }
    }
}

/// The flags a message may carry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Each flag, with its dashes, and what it does.
    pub known: BTreeMap<String, String>,
    /// Pairs that exclude each other, in the catalog's order.
    pub conflicts: Vec<(String, String)>,
    /// Flags set by themselves, for operations and complexity bands of these names.
    pub activate: BTreeMap<String, Vec<String>>,
}

/// What must be there before work begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Operations and complexity bands that take much of the machine.
    pub heavy: Vec<String>,
    /// Operations and complexity bands that run whatever the zone.
    pub essential: Vec<String>,
    /// The least free space where state is kept, in megabytes.
    pub space_mb: u32,
    /// How long a server may take to be reached, in milliseconds.
    pub slow_ms: u32,
    /// Servers that may be required, by name.
    pub servers: BTreeMap<String, Contact>,
    /// What everything requires.
    pub always: Requirement,
    /// What routes require, by name.
    pub personas: BTreeMap<String, Requirement>,
    /// What commands require, by name.
    pub commands: BTreeMap<String, Requirement>,
}

/// Free space, in megabytes: a year of outcomes of a busy team and the caches take less.
const SPACE_MB_DEFAULT: u32 = 100;
/// How long a server may take to be reached, in milliseconds: one that needs a second to say hello makes every
/// call to it a wait that people notice.
const SLOW_MS_DEFAULT: u32 = 1000;

impl Default for Needs {
    fn default() -> Needs {
        Needs {
            heavy: Vec::new(),
            essential: Vec::new(),
            space_mb: SPACE_MB_DEFAULT,
            slow_ms: SLOW_MS_DEFAULT,
            servers: BTreeMap::new(),
            always: Requirement::default(),
            personas: BTreeMap::new(),
            commands: BTreeMap::new(),
        }
    }
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contact {
    /// At an address.
    Url(String),
    /// As a program that is started.
    Command(String),
}

/// What somebody requires.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    /// Programs.
    pub tools: Vec<String>,
    /// Files and folders of the project.
    pub project: Vec<String>,
    /// Servers, by name.
    pub servers: Vec<String>,
    /// The routes a command works with; any where empty.
    pub personas: Vec<String>,
}

/// How risk adds up: what each likelihood weighs, one in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RiskWeights {
    /// How complex the task is.
    pub complexity: Points,
    /// How often the user's tasks failed.
    pub failure: Points,
    /// How near the machine is to its end.
    pub exhaustion: Points,
    /// How far a failure would spread.
    pub cascade: Points,
    /// The risk above which safe mode is suggested; the value itself does not.
    pub safe_mode: Points,
}

impl Default for RiskWeights {
    /// The task and the record of whoever sets it say most about how it will go; the machine and the surroundings
    /// say how bad it would be. Above 0.8 nearly everything that can speak against a task does (docs/thresholds.md).
    fn default() -> RiskWeights {
        RiskWeights {
            complexity: Points::hundredths(30),
            failure: Points::hundredths(30),
            exhaustion: Points::hundredths(20),
            cascade: Points::hundredths(20),
            safe_mode: Points::hundredths(80),
        }
    }
}
