//! **May we?** Gates over facts of the session: what must be so before a route is taken or a tool is called.
//!
//! A gate's answer is a function of the catalog and the session alone. The message is no argument of anything here, so
//! no wording opens a gate.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::catalog::{Catalog, Gate, RouteId, Select};
use crate::decision::{Decision, Outcome};
use crate::message::Fact;

/// What a gate may guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarded<'g> {
    /// A route, by its name.
    Route(&'g str),
    /// A tool, by its name or as `server/name`.
    Tool(&'g str),
}

/// What a gate says in a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateAnswer {
    /// The gate.
    pub name: String,
    /// Whether it is open.
    pub allowed: bool,
    /// Why it is there, in a person's words.
    pub reason: String,
    /// The one way on; nothing where it is open.
    pub way_on: Option<WayOn>,
}

/// Where to go while a gate is closed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WayOn {
    /// What can be done now, in a person's words.
    pub text: String,
    /// The route to continue at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// The tool to continue with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The argument of the tool to continue at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
}

/// What the gates of a route or tool say in a session, in the order the catalog writes them; nothing where none guards it.
pub fn check(catalog: &Catalog, guarded: Guarded<'_>, session: &BTreeMap<String, Fact>) -> Vec<GateAnswer> {
    let guards = |gate: &&Gate| match guarded {
        Guarded::Route(name) => gate.routes.iter().any(|route| catalog.route_name(*route) == name),
        // Where servers share a name, a gate of any of them holds: better one question too many.
        Guarded::Tool(name) => {
            let mut own = gate.tools.iter().filter_map(|place| catalog.tools().get(*place));
            own.any(|tool| tool.name == name || tool.full_name() == name)
        }
    };
    catalog.gates().iter().filter(guards).map(|gate| answer(catalog, gate, session)).collect()
}

/// What the gates of the routes that a decision takes say.
pub fn of_decision(
    catalog: &Catalog,
    decision: &Decision,
    session: &BTreeMap<String, Fact>,
) -> Vec<GateAnswer> {
    let count = match (decision.outcome, catalog.select()) {
        (Outcome::Act, Select::One) => 1,
        (Outcome::Act, Select::Many) => decision.ranked.len(),
        _ => 0,
    };
    let taken: Vec<RouteId> = decision.ranked.iter().take(count).copied().collect();
    let guards = |gate: &&Gate| gate.routes.iter().any(|route| taken.contains(route));
    catalog.gates().iter().filter(guards).map(|gate| answer(catalog, gate, session)).collect()
}

/// The first gate that is closed: whose way on is offered.
pub fn closed(answers: &[GateAnswer]) -> Option<&GateAnswer> {
    answers.iter().find(|gate| !gate.allowed)
}

fn answer(catalog: &Catalog, gate: &Gate, session: &BTreeMap<String, Fact>) -> GateAnswer {
    let allowed = gate.open_when.holds_in(session);
    GateAnswer {
        name: gate.name.clone(),
        allowed,
        reason: gate.reason.clone(),
        way_on: (!allowed).then(|| way_on(catalog, gate, session)),
    }
}

fn way_on(catalog: &Catalog, gate: &Gate, session: &BTreeMap<String, Fact>) -> WayOn {
    let way = &gate.way_on;
    let flow = way.tool.and_then(|tool| catalog.flow_of_tool(tool));
    let pending = || flow.and_then(|flow| flow.pending(session)).map(str::to_owned);
    WayOn {
        text: way.text.clone(),
        route: way.route.map(|route| catalog.route_name(route).to_owned()),
        tool: way.tool.and_then(|place| Some(catalog.tools().get(place)?.full_name())),
        step: way.step.clone().or_else(pending),
    }
}
