//! What do the zone and the task bring about by themselves?

use serde::{Deserialize, Serialize};

use super::Task;
use super::flags::Given;
use crate::catalog::{Needs, Precautions, Tiers, Work, ZoneRule};
use crate::resources::{Pressure, Zone};

/// Whether the task may begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// It may.
    #[default]
    Granted,
    /// It had better wait.
    Deferred,
    /// It must not.
    Blocked,
}

/// What the zone and the task bring about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actions {
    /// Whether the task may begin.
    pub permission: Permission,
    /// Why not, in a person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The same as zone and kind of work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<Held>,
    /// Which tiers of understanding run.
    pub tiers: Tiers,
    /// Flags that are set without being asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub activated: Vec<Activated>,
    /// Flags that would be, were it not for another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<Withheld>,
    /// What is suggested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggested: Vec<String>,
    /// The sentence a person is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
}

/// What holds a task back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The mildest zone that does it.
    pub zone: Zone,
    /// What kind of work the task is.
    pub work: Work,
}

/// A flag set without being asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activated {
    /// The flag.
    pub flag: String,
    /// What set it: a zone, an operating mode, an operation or a complexity band.
    pub by: String,
}

/// A flag that was not set for the sake of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withheld {
    /// The flag.
    pub flag: String,
    /// What would have set it.
    pub by: String,
    /// The flag it excludes.
    pub excludes: String,
}

/// What the zone and the task bring about. The harshest zone speaks; all up to it act.
pub fn act(precautions: &Precautions, task: &Task, pressure: &Pressure, given: &Given) -> Actions {
    let zone = pressure.zone;
    let (permission, held) = permit(precautions, task, zone);
    let mut actions = Actions {
        permission,
        because: held.as_ref().map(|held| reason(permission, held)),
        held,
        tiers: precautions.tiers(zone),
        say: reached(precautions, zone).rev().find_map(|(_, rule)| rule.say.clone()),
        ..Actions::default()
    };
    // The machine comes before the task: its flags keep it alive.
    for (zone, rule) in reached(precautions, zone).rev() {
        for flag in &rule.activate {
            activate(precautions, flag, &format!("zone {zone}"), given, &mut actions);
        }
    }
    let mode = precautions.conduct.modes.iter().find(|mode| task.mode.as_ref() == Some(&mode.name));
    for (mode, flag) in mode.into_iter().flat_map(|mode| mode.flags.iter().map(move |flag| (mode, flag))) {
        activate(precautions, flag, &format!("mode {}", mode.name), given, &mut actions);
    }
    for (name, flags) in precautions.flags.activate.iter().filter(|(name, _)| task.is_called(name)) {
        for flag in flags {
            activate(precautions, flag, name, given, &mut actions);
        }
    }
    suggest(precautions, zone, given, &mut actions);
    actions
}

/// The rules of the zones up to this one, from mild to harsh.
fn reached(precautions: &Precautions, zone: Zone) -> impl DoubleEndedIterator<Item = (Zone, &ZoneRule)> {
    precautions.zones.range(..=zone).map(|(zone, rule)| (*zone, rule))
}

/// Whether the task may begin. Blocking outdoes deferring, and the mildest zone that does it is named.
fn permit(precautions: &Precautions, task: &Task, zone: Zone) -> (Permission, Option<Held>) {
    let meant = |work: &[Work]| work.iter().find(|work| is_meant(work, &precautions.needs, task)).cloned();
    let held = |work: fn(&ZoneRule) -> &[Work]| {
        reached(precautions, zone).find_map(|(zone, rule)| Some(Held { zone, work: meant(work(rule))? }))
    };
    match (held(|rule| &rule.block), held(|rule| &rule.defer)) {
        (Some(blocked), _) => (Permission::Blocked, Some(blocked)),
        (None, Some(deferred)) => (Permission::Deferred, Some(deferred)),
        (None, None) => (Permission::Granted, None),
    }
}

/// What holds the task back, in a person's words.
fn reason(permission: Permission, held: &Held) -> String {
    let how = if permission == Permission::Blocked { "blocked" } else { "deferred" };
    let kind = match &held.work {
        Work::Heavy => "it is heavy work".to_owned(),
        Work::NotEssential => "it is not essential".to_owned(),
        Work::Named(name) => format!("it is {name}"),
    };
    format!("{how} from zone {} on: {kind}", held.zone)
}

/// Whether a kind of work means this task.
fn is_meant(work: &Work, needs: &Needs, task: &Task) -> bool {
    let among = |names: &[String]| names.iter().any(|name| task.is_called(name));
    let essential = task.critical || among(&needs.essential);
    match work {
        Work::Heavy => among(&needs.heavy) && !essential,
        Work::NotEssential => !essential,
        Work::Named(name) => task.is_called(name),
    }
}

/// Sets a flag, unless it is there or excludes one that is.
fn activate(precautions: &Precautions, flag: &str, by: &str, given: &Given, actions: &mut Actions) {
    let is_set = |flag: &str| given.has(flag) || actions.activated.iter().any(|set| set.flag == flag);
    if is_set(flag) || actions.withheld.iter().any(|withheld| withheld.flag == flag) {
        return;
    }
    let excluded = precautions.flags.conflicts.iter().find_map(|(one, other)| match flag {
        flag if flag == one && is_set(other) => Some(other),
        flag if flag == other && is_set(one) => Some(one),
        _ => None,
    });
    let (flag, by) = (flag.to_owned(), by.to_owned());
    match excluded.cloned() {
        Some(excludes) => actions.withheld.push(Withheld { flag, by, excludes }),
        None => actions.activated.push(Activated { flag, by }),
    }
}

/// Adds what the zones suggest, each once, and nothing that is set already.
fn suggest(precautions: &Precautions, zone: Zone, given: &Given, actions: &mut Actions) {
    for what in reached(precautions, zone).flat_map(|(_, rule)| &rule.suggest) {
        let set = given.has(what) || actions.activated.iter().any(|activated| activated.flag == *what);
        if !set && !actions.suggested.contains(what) {
            actions.suggested.push(what.clone());
        }
    }
}
