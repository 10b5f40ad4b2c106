//! Do zones, flags, checks and risk fit together? Names resolved, zones in order, weights adding up to one.

use std::collections::BTreeMap;

use super::super::draft::Placed;
use super::super::nearest::nearest;
use super::super::place::{Place, Source};
use super::super::problem::{Code, Problem};
use super::super::tools::Tool;
use super::conduct;
use super::draft::{FlagsDraft, NeedsDraft, PrecautionsDraft, RequirementDraft, RiskDraft, ZoneDraft};
use super::{Contact, Flags, Needs, Precautions, Requirement, RiskWeights, Work, ZoneRule};
use crate::measure::Points;
use crate::resources::{Zone, ZoneBounds};

/// Compiles precautions; `routes` are the names that personas may have, `tools` those that safe mode may name.
pub fn compile(
    draft: PrecautionsDraft,
    routes: &[&str],
    tools: &[Tool],
    sources: &[Source],
    problems: &mut Vec<Problem>,
) -> Precautions {
    let bounds = bounds(&draft.zones, problems);
    let flags = flags(draft.flags, problems);
    for (_, zone) in &draft.zones {
        require_flags(&zone.activate, &flags, problems);
        let suggested: Vec<Placed<String>> =
            zone.suggest.iter().filter(|what| what.value.starts_with("--")).cloned().collect();
        require_flags(&suggested, &flags, problems);
    }
    let named = conduct::Named { routes, tools, flags: &flags, sources };
    let conduct = conduct::compile(draft.conduct, named, problems);
    Precautions {
        bounds,
        conduct,
        zones: draft.zones.into_iter().map(|(zone, draft)| (zone, rule(draft))).collect(),
        needs: needs(draft.needs, routes, sources, problems),
        flags,
        risk: draft.risk.map_or_else(RiskWeights::default, |risk| weights(&risk, problems)),
    }
}

/// Where the zones begin: each further up than the one before it.
fn bounds(zones: &[(Zone, ZoneDraft)], problems: &mut Vec<Problem>) -> ZoneBounds {
    let mut bounds = ZoneBounds::default();
    for (zone, draft) in zones {
        let Some(at) = &draft.at else { continue };
        match zone {
            Zone::Green => {}
            Zone::Yellow => bounds.yellow = at.value,
            Zone::Orange => bounds.orange = at.value,
            Zone::Red => bounds.red = at.value,
            Zone::Critical => bounds.critical = at.value,
        }
    }
    for (milder, harsher) in Zone::PRESSED.into_iter().zip(Zone::PRESSED.into_iter().skip(1)) {
        if bounds.begin(milder) >= bounds.begin(harsher) {
            let message = format!(
                "{harsher} begins at {}, and {milder} not before {}",
                bounds.begin(harsher).share(),
                bounds.begin(milder).share()
            );
            let written = |wanted: Zone| {
                let found = zones.iter().find(|(zone, draft)| *zone == wanted && draft.at.is_some());
                found.map(|(_, draft)| draft.at.as_ref().map_or(draft.place, |at| at.place))
            };
            let place = written(harsher).or_else(|| written(milder)).unwrap_or(Place::START);
            let problem = Problem::new(Code::BadValue, place, message);
            problems.push(problem.hint("the zones are yellow, orange, red and critical, in rising order"));
        }
    }
    bounds
}

fn rule(draft: ZoneDraft) -> ZoneRule {
    let work = |names: Vec<Placed<String>>| names.iter().map(|name| Work::new(&name.value)).collect();
    ZoneRule {
        suggest: values(draft.suggest),
        activate: values(draft.activate),
        defer: work(draft.defer),
        block: work(draft.block),
        tiers: draft.tiers,
        say: draft.say,
    }
}

fn flags(draft: FlagsDraft, problems: &mut Vec<Problem>) -> Flags {
    for (flag, _) in &draft.known {
        if !is_flag(&flag.value) {
            let message = format!("`{}` is not a flag", flag.value);
            let problem = Problem::new(Code::BadValue, flag.place, message);
            problems.push(
                problem.hint("a flag is two dashes, then small letters, digits and single dashes: --no-mcp"),
            );
        }
    }
    let known = draft.known.into_iter().map(|(flag, says)| (flag.value, says)).collect();
    let mut flags = Flags { known, ..Flags::default() };
    for pair in draft.conflicts {
        require_flags(&pair.value, &flags, problems);
        match pair.value.as_slice() {
            [one, other] if one.value != other.value => {
                flags.conflicts.push((one.value.clone(), other.value.clone()));
            }
            _ => {
                let message = "a conflict is a pair of two different flags";
                problems.push(Problem::new(Code::BadValue, pair.place, message));
            }
        }
    }
    for (name, activated) in draft.activate {
        require_flags(&activated, &flags, problems);
        flags.activate.insert(name, values(activated));
    }
    flags
}

/// Whether a text is a flag as messages are searched for them.
fn is_flag(text: &str) -> bool {
    text.strip_prefix("--").is_some_and(|name| {
        let plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        plain && name.split('-').all(|part| !part.is_empty())
    })
}

fn require_flags(named: &[Placed<String>], flags: &Flags, problems: &mut Vec<Problem>) {
    require(
        named,
        "flag",
        &flags.known.keys().map(String::as_str).collect::<Vec<_>>(),
        "flags.known",
        problems,
    );
}

/// Reports every name that is not among the known ones.
fn require(named: &[Placed<String>], what: &str, known: &[&str], table: &str, problems: &mut Vec<Problem>) {
    for name in named.iter().filter(|name| !known.contains(&name.value.as_str())) {
        let message = format!("there is no {what} `{}`", name.value);
        let hint = match nearest(&name.value, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("define it under `{table}`"),
        };
        problems.push(Problem::new(Code::DanglingReference, name.place, message).hint(hint));
    }
}

fn needs(draft: NeedsDraft, routes: &[&str], sources: &[Source], problems: &mut Vec<Problem>) -> Needs {
    let unsaid = Needs::default();
    let servers = servers(draft.servers, sources, problems);
    let names: Vec<&str> = servers.keys().map(String::as_str).collect();
    for (name, _) in &draft.personas {
        require(std::slice::from_ref(name), "route", routes, "routes", problems);
    }
    for (_, requirement) in draft.personas.iter().chain(&draft.commands) {
        require(&requirement.servers, "server", &names, "preflight.servers", problems);
        require(&requirement.personas, "route", routes, "routes", problems);
    }
    let by_name = |drafts: Vec<(Placed<String>, RequirementDraft)>| {
        drafts.into_iter().map(|(name, draft)| (name.value, requirement(draft))).collect()
    };
    Needs {
        heavy: values(draft.heavy),
        essential: values(draft.essential),
        space_mb: draft.space_mb.unwrap_or(unsaid.space_mb),
        slow_ms: draft.slow_ms.unwrap_or(unsaid.slow_ms),
        always: requirement(draft.always),
        personas: by_name(draft.personas),
        commands: by_name(draft.commands),
        servers,
    }
}

fn servers(
    drafts: Vec<(Placed<String>, Contact)>,
    sources: &[Source],
    problems: &mut Vec<Problem>,
) -> BTreeMap<String, Contact> {
    let mut first: BTreeMap<String, Place> = BTreeMap::new();
    let mut servers = BTreeMap::new();
    for (name, contact) in drafts {
        let taken = *first.entry(name.value.clone()).or_insert(name.place);
        if taken != name.place {
            let message = format!("the server `{}` is named twice", name.value);
            let hint = format!("first {}", taken.seen_from(name.place, sources));
            problems.push(Problem::new(Code::DuplicateName, name.place, message).hint(hint));
        }
        servers.insert(name.value, contact);
    }
    servers
}

fn requirement(draft: RequirementDraft) -> Requirement {
    Requirement {
        tools: values(draft.tools),
        project: values(draft.project),
        servers: values(draft.servers),
        personas: values(draft.personas),
    }
}

fn weights(draft: &RiskDraft, problems: &mut Vec<Problem>) -> RiskWeights {
    let unsaid = RiskWeights::default();
    let weights = RiskWeights {
        complexity: draft.complexity.unwrap_or(unsaid.complexity),
        failure: draft.failure.unwrap_or(unsaid.failure),
        exhaustion: draft.exhaustion.unwrap_or(unsaid.exhaustion),
        cascade: draft.cascade.unwrap_or(unsaid.cascade),
        safe_mode: draft.safe_mode.unwrap_or(unsaid.safe_mode),
    };
    let sum = weights.complexity + weights.failure + weights.exhaustion + weights.cascade;
    if sum != Points::ONE {
        let message = format!("the weights of risk add up to {}", sum.share());
        let problem = Problem::new(Code::BadValue, draft.place, message);
        problems.push(problem.hint("complexity, failure, exhaustion and cascade add up to 1"));
    }
    weights
}

fn values(placed: Vec<Placed<String>>) -> Vec<String> {
    placed.into_iter().map(|text| text.value).collect()
}
