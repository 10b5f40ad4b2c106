//! What must be there, and is it? Every check passes, fails or does not know, and says why.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Task;
use super::flags::Given;
use crate::catalog::{Needs, Precautions};
use crate::measure::Points;
use crate::resources::{Observed, Reach, Resource, Resources, percent};

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As it should be.
    Pass,
    /// Not as it should be.
    Fail,
    /// Not checked.
    Unknown,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// What it came to.
    pub verdict: Verdict,
    /// Why, in a person's words.
    pub detail: String,
}

impl Check {
    pub(super) fn new(name: &str, verdict: Verdict, detail: impl Into<String>) -> Check {
        Check { name: name.to_owned(), verdict, detail: detail.into() }
    }

    fn pass(name: &str, detail: impl Into<String>) -> Check {
        Check::new(name, Verdict::Pass, detail)
    }

    fn unknown(name: &str, detail: impl Into<String>) -> Check {
        Check::new(name, Verdict::Unknown, detail)
    }
}

/// What a task requires, of everybody, of its route and of its command; each name once, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requires {
    /// Programs.
    pub tools: Vec<String>,
    /// Files and folders of the project.
    pub project: Vec<String>,
    /// Servers, by name.
    pub servers: Vec<String>,
}

/// What a task requires. The engine looks for exactly this.
pub fn required(needs: &Needs, task: &Task) -> Requires {
    let persona = task.persona.as_ref().and_then(|persona| needs.personas.get(persona));
    let command = task.command.as_ref().and_then(|command| needs.commands.get(command));
    let mut requires = Requires::default();
    for requirement in [Some(&needs.always), persona, command].into_iter().flatten() {
        requires.tools.extend_from_slice(&requirement.tools);
        requires.project.extend_from_slice(&requirement.project);
        requires.servers.extend_from_slice(&requirement.servers);
    }
    for names in [&mut requires.tools, &mut requires.project, &mut requires.servers] {
        names.sort();
        names.dedup();
    }
    requires
}

/// Looks at everything there is to look at, in a fixed order.
pub fn check(
    precautions: &Precautions,
    task: &Task,
    resources: &Resources,
    given: &Given,
    observed: &Observed,
) -> Vec<Check> {
    let needs = &precautions.needs;
    let requires = required(needs, task);
    let used = |resource| use_of(resource, resources, precautions.bounds.red);
    vec![
        tokens(task.tokens, task.token_budget),
        used(Resource::Memory),
        used(Resource::Cpu),
        used(Resource::Disk),
        permissions(observed.writable),
        space(observed.free_bytes, needs.space_mb),
        presence("tools", &requires.tools, &observed.tools),
        servers(&requires.servers, &observed.servers, needs.slow_ms),
        persona_and_command(needs, task),
        presence("project", &requires.project, &observed.project),
        compatible_flags(precautions, given),
    ]
}

/// Whether the tokens a task will take are within what its band is granted; the budget itself is.
fn tokens(predicted: Option<u64>, budget: Option<u64>) -> Check {
    let name = "tokens";
    match (predicted, budget) {
        (Some(tokens), Some(budget)) if tokens <= budget => {
            Check::pass(name, format!("about {tokens} of {budget}"))
        }
        (Some(tokens), Some(budget)) => {
            let over = tokens.saturating_sub(budget);
            Check::new(
                name,
                Verdict::Fail,
                format!("about {tokens}, {over} more than the budget of {budget}"),
            )
        }
        (None, _) => Check::unknown(name, "not checked: no prediction"),
        (_, None) => Check::unknown(name, "not checked: no budget"),
    }
}

/// Whether there is enough left of a resource: less than where red begins is used.
fn use_of(resource: Resource, resources: &Resources, red: Points) -> Check {
    let name = resource.name();
    match resources.used(resource) {
        Some(used) if used < red => Check::pass(name, format!("used to {} %", percent(used))),
        Some(used) => {
            let detail = format!("used to {} %; from {} % on it is short", percent(used), percent(red));
            Check::new(name, Verdict::Fail, detail)
        }
        None => Check::unknown(name, "not checked"),
    }
}

fn permissions(writable: Option<bool>) -> Check {
    let name = "permissions";
    match writable {
        Some(true) => Check::pass(name, "state can be written"),
        Some(false) => {
            Check::new(name, Verdict::Fail, "the folder that state is kept in cannot be written to")
        }
        None => Check::unknown(name, "not checked"),
    }
}

/// Bytes of a megabyte, as disks are sold.
const MEGABYTE: u64 = 1_000_000;

fn space(free_bytes: Option<u64>, least_mb: u32) -> Check {
    let name = "space";
    let Some(free) = free_bytes else { return Check::unknown(name, "not checked") };
    let free_mb = free / MEGABYTE;
    if free >= u64::from(least_mb) * MEGABYTE {
        Check::pass(name, format!("{free_mb} MB are free"))
    } else {
        Check::new(name, Verdict::Fail, format!("{free_mb} MB are free; {least_mb} MB are needed"))
    }
}

/// Whether all that is required was found.
fn presence(name: &str, required: &[String], seen: &BTreeMap<String, bool>) -> Check {
    let with = |wanted: Option<bool>| -> Vec<&str> {
        required.iter().filter(|what| seen.get(*what).copied() == wanted).map(String::as_str).collect()
    };
    let (missing, unseen) = (with(Some(false)), with(None));
    match (missing.as_slice(), unseen.as_slice()) {
        ([], []) if required.is_empty() => Check::pass(name, "none is required"),
        ([], []) => Check::pass(name, format!("found {}", required.join(", "))),
        ([], unseen) => Check::unknown(name, format!("not checked: {}", unseen.join(", "))),
        (missing, _) => Check::new(name, Verdict::Fail, format!("missing: {}", missing.join(", "))),
    }
}

/// Whether the required servers were reached, and soon enough; exactly so many milliseconds are.
fn servers(required: &[String], seen: &BTreeMap<String, Reach>, slow_ms: u32) -> Check {
    let name = "servers";
    if required.is_empty() {
        return Check::pass(name, "none is required");
    }
    let each: Vec<(Verdict, String)> = required
        .iter()
        .map(|server| match seen.get(server) {
            Some(Reach::After(ms)) if *ms <= u64::from(slow_ms) => {
                (Verdict::Pass, format!("{server} in {ms} ms"))
            }
            Some(Reach::After(ms)) => {
                (Verdict::Fail, format!("{server} only after {ms} ms; the most is {slow_ms} ms"))
            }
            Some(Reach::Failed(why)) => (Verdict::Fail, format!("{server} offline: {why}")),
            None => (Verdict::Unknown, format!("{server} not checked")),
        })
        .collect();
    let any = |verdict: Verdict| each.iter().any(|(is, _)| *is == verdict).then_some(verdict);
    let verdict = any(Verdict::Fail).or_else(|| any(Verdict::Unknown)).unwrap_or(Verdict::Pass);
    let details: Vec<&str> = each.iter().map(|(_, detail)| detail.as_str()).collect();
    Check::new(name, verdict, details.join("; "))
}

/// Whether the route is one that the command works with.
fn persona_and_command(needs: &Needs, task: &Task) -> Check {
    let name = "persona_and_command";
    let Some(command) = &task.command else { return Check::pass(name, "no command is given") };
    let personas = needs.commands.get(command).map_or(&[][..], |requirement| &requirement.personas);
    match &task.persona {
        _ if personas.is_empty() => Check::pass(name, format!("/{command} works with any")),
        None => Check::unknown(
            name,
            format!("not checked: /{command} works with {}, and no route is chosen", personas.join(", ")),
        ),
        Some(persona) if personas.contains(persona) => {
            Check::pass(name, format!("/{command} works with {persona}"))
        }
        Some(persona) => {
            let detail = format!("/{command} works with {}, not with {persona}", personas.join(", "));
            Check::new(name, Verdict::Fail, detail)
        }
    }
}

/// Whether the flags of the message can be meant together. What a catalog without flags makes of one, nobody knows.
fn compatible_flags(precautions: &Precautions, given: &Given) -> Check {
    let name = "flags";
    match given.settle() {
        Err(conflict) => Check::new(name, Verdict::Fail, conflict.to_string()),
        Ok(_) if precautions.flags.known.is_empty() && given.unknown > 0 => {
            Check::unknown(name, "not checked: the catalog knows no flags")
        }
        Ok(flags) => {
            let flags: Vec<&str> = flags.collect();
            let detail = if flags.is_empty() { "none is given".to_owned() } else { flags.join(", ") };
            Check::pass(name, detail)
        }
    }
}
