//! What is asked back, and what can be answered?

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::Account;
use crate::catalog::{Route, RouteId};
use crate::decision::Why;
use crate::gates::{self, GateAnswer};
use crate::measure::Confidence;
use crate::preflight::flags::Conflict;

/// Most routes offered: more, and a person reads none of them.
const OPTIONS_MAX: usize = 5;

/// A question back to the person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clarification {
    /// The question.
    pub question: String,
    /// What can be answered.
    pub options: Vec<OptionOffered>,
}

/// One answer a person can give.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionOffered {
    /// The route.
    pub name: String,
    /// What it is for.
    pub description: String,
}

/// The question of an account that asks back.
pub(super) fn clarification(account: &Account<'_>) -> Clarification {
    let Account { catalog, decision, .. } = account;
    if let Some(gate) = gates::closed(&account.gates) {
        return way_on(gate);
    }
    if let Why::Conflict(Conflict { one, other }) = &decision.why {
        let says = |flag: &String| catalog.precautions().flags.known.get(flag).cloned().unwrap_or_default();
        let option = |flag: &String| OptionOffered { name: flag.clone(), description: says(flag) };
        let question = format!("{one} and {other} exclude each other. Which one do you mean?");
        return Clarification { question, options: vec![option(one), option(other)] };
    }
    let option = |route: &Route| OptionOffered {
        name: route.name.to_string(),
        description: route.description.clone(),
    };
    let sure = |id: RouteId| {
        let of_route = account.scores.iter().find(|score| score.route == id);
        of_route.map_or(Confidence::NONE, |score| score.confidence)
    };
    let mut routes: Vec<(RouteId, &Route)> = catalog.routes().collect();
    let many = routes.len() > OPTIONS_MAX;
    routes.sort_by_key(|(id, route)| (Reverse(many.then(|| sure(*id))), Reverse(route.priority)));
    routes.truncate(OPTIONS_MAX);
    Clarification {
        question: catalog.clarify().to_owned(),
        options: routes.into_iter().map(|(_, route)| option(route)).collect(),
    }
}

/// The question that a closed gate asks: what is missing, and the one way on.
pub(super) fn way_on(gate: &GateAnswer) -> Clarification {
    let way = gate.way_on.clone().unwrap_or_default();
    let name = way.route.or(way.tool).unwrap_or_else(|| gate.name.clone());
    Clarification {
        question: format!("{} {}", gate.reason, way.text),
        options: vec![OptionOffered { name, description: way.text }],
    }
}
