//! What forbids a task, if anything does? What was found before it begins, as one binding verdict with the way on.

use serde::{Deserialize, Serialize};

use super::actions::Permission;
use super::checks::{Check, Verdict};
use super::gate::{Gate, Passage};
use super::{Preflight, Task};
use crate::catalog::{Precautions, Work};

/// The flag that asks for safe mode. A task that is too risky begins only with it.
pub const SAFE_MODE: &str = "--safe-mode";

/// Checks of which a failure forbids the task. Memory, processors and disk are judged by zones, and flags that exclude each other are asked about.
const BINDING: [&str; 7] =
    ["tokens", "permissions", "space", "tools", "servers", "persona_and_command", "project"];

/// Why a task may not begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    /// What forbids it: `resources`, a check by its name, `risk` or `escalation`.
    pub by: String,
    /// Why, in a person's words.
    pub reason: String,
    /// What can be done about it.
    pub way_on: String,
}

/// What forbids a task, and whether it is to wait or not to begin at all. What is blocked outdoes what is deferred.
pub fn verdict(
    precautions: &Precautions,
    task: &Task,
    preflight: &Preflight,
    gate: Option<&Gate>,
) -> Option<(Permission, Blocked)> {
    let blocked = by_zone(precautions, preflight, Permission::Blocked).or_else(|| by_check(preflight));
    let deferred = || {
        by_risk(preflight)
            .or_else(|| by_zone(precautions, preflight, Permission::Deferred))
            .or_else(|| by_gate(task, gate?))
    };
    match blocked {
        Some(blocked) => Some((Permission::Blocked, blocked)),
        None => deferred().map(|deferred| (Permission::Deferred, deferred)),
    }
}

fn by_zone(precautions: &Precautions, preflight: &Preflight, permission: Permission) -> Option<Blocked> {
    let held = preflight.actions.held.as_ref().filter(|_| preflight.actions.permission == permission)?;
    let work = match &held.work {
        Work::Heavy => "heavy work",
        Work::NotEssential => "work that is not essential",
        Work::Named(name) => name,
    };
    let how = if permission == Permission::Blocked { "may not begin" } else { "has to wait" };
    let resource = preflight.pressure.worst.map_or("the machine", |worst| worst.name());
    let begin = crate::resources::percent(precautions.bounds.begin(held.zone));
    let later = format!("Try again when less than {begin} % of {resource} is used");
    // What a zone holds back by its name it holds back for critical tasks, too.
    let way_on = match held.work {
        Work::Named(_) => format!("{later}."),
        _ => format!("{later}, or say that the task is critical (--environment is_critical_task=true)."),
    };
    Some(Blocked {
        by: "resources".to_owned(),
        reason: format!(
            "The machine is in zone {}; from zone {} on, {work} {how}.",
            preflight.pressure.words(),
            held.zone
        ),
        way_on,
    })
}

fn by_check(preflight: &Preflight) -> Option<Blocked> {
    let fails = |check: &&Check| check.verdict == Verdict::Fail && BINDING.contains(&check.name.as_str());
    let check = preflight.checks.iter().find(fails)?;
    let way_on = match check.name.as_str() {
        "tokens" => "Split the task into smaller ones, or raise the budget of its complexity.",
        "permissions" => "Make the folder of the state writable, or name another with --data.",
        "space" => "Free some space on the disk.",
        "tools" => "Install what is missing, or take it out of `preflight.tools`.",
        "servers" => "Start the server, or remove it from what is required.",
        "persona_and_command" => "Use another command, or another specialist.",
        _ => "Add what is missing to the project.",
    };
    let reason = format!("The check {} fails: {}.", check.name, check.detail);
    Some(Blocked { by: check.name.clone(), reason, way_on: way_on.to_owned() })
}

fn by_risk(preflight: &Preflight) -> Option<Blocked> {
    let risk = &preflight.risk;
    if !risk.safe_mode || preflight.is_safe() {
        return None;
    }
    let worst = risk.parts.iter().max_by_key(|part| part.points);
    let grounds = worst.into_iter().flat_map(|part| &part.grounds).map(|ground| ground.says.as_str());
    let grounds = grounds.collect::<Vec<_>>().join(", ");
    Some(Blocked {
        by: "risk".to_owned(),
        reason: format!("The risk of {:.2} is too high: {grounds}.", risk.risk),
        way_on: format!("Send it again with {SAFE_MODE}, or make the task smaller."),
    })
}

fn by_gate(task: &Task, gate: &Gate) -> Option<Blocked> {
    let failed = gate.checks.iter().find(|check| check.verdict == Verdict::Fail);
    let failed = failed.filter(|_| gate.passage == Passage::Escalated)?;
    let who = task.persona.as_deref().unwrap_or("it");
    Some(Blocked {
        by: "escalation".to_owned(),
        reason: format!("{who} needs a person's review first: {}, {}.", failed.name, failed.detail),
        way_on: "Ask a person to review the task, or name another specialist.".to_owned(),
    })
}
