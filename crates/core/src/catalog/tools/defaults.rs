//! Which value does an argument have where nobody says one, as things stand in the session?

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::condition::Condition;
use super::super::draft::{Placed, placed};
use super::super::json;
use super::super::problem::{Code, Problem};
use super::super::session::FactsDraft;
use super::super::tree::Node;
use super::Tool;
use crate::message::Fact;

/// The key of an argument's schema that lists its defaults: `x-default-when: [{when: session.x, value: 3}]`.
const DEFAULT_WHEN: &str = "x-default-when";

/// A default that holds in some sessions only.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultWhen {
    /// The tool, by its place in the catalog.
    pub tool: usize,
    /// The argument.
    pub argument: String,
    /// When it holds.
    pub when: Condition,
    /// The value.
    pub value: Value,
}

/// The same as written.
#[derive(Clone, Debug)]
pub struct DefaultDraft {
    tool: Placed<String>,
    server: Option<String>,
    argument: String,
    entry: Node,
}

/// Reads what the tools of a checked catalog say of defaults.
pub fn read(tools: &[Node]) -> Vec<DefaultDraft> {
    let mut drafts = Vec::new();
    for node in tools {
        let Some(tool) = node.get("name").and_then(placed) else { continue };
        let server = node.get("server").and_then(Node::text).map(str::to_owned);
        let properties = node.get("input_schema").and_then(|schema| schema.get("properties"));
        for (argument, schema) in properties.map(Node::entries).unwrap_or_default() {
            let argument = argument.text().unwrap_or_default();
            drafts.extend(schema.list(DEFAULT_WHEN).iter().map(|entry| DefaultDraft {
                tool: tool.clone(),
                server: server.clone(),
                argument: argument.to_owned(),
                entry: entry.clone(),
            }));
        }
    }
    drafts
}

/// Compiles defaults, in the order they are written; what is wrong with them is added to the problems.
pub fn compile(
    drafts: &[DefaultDraft],
    tools: &[Tool],
    facts: &FactsDraft,
    problems: &mut Vec<Problem>,
) -> Vec<DefaultWhen> {
    let mut compiled = Vec::new();
    for draft in drafts {
        let (when, value) = (draft.entry.get("when").and_then(placed), draft.entry.get("value"));
        let Some((when, value)) = when.zip(value) else {
            let message = format!("a default of `{}` needs `when` and `value`", draft.argument);
            problems.push(
                Problem::new(Code::BadValue, draft.entry.place, message)
                    .hint("such as {when: session.ready, value: 3}"),
            );
            continue;
        };
        let is_of = |tool: &Tool| tool.name == draft.tool.value && tool.server == draft.server;
        let place = tools.iter().position(is_of);
        if let Some((tool, when)) = place.zip(facts.condition(&when, problems)) {
            let value = json::from_node(value);
            compiled.push(DefaultWhen { tool, argument: draft.argument.clone(), when, value });
        }
    }
    compiled
}

/// The first default of an argument that holds in a session.
pub fn first<'d>(
    defaults: &'d [DefaultWhen],
    tool: usize,
    argument: &str,
    session: &BTreeMap<String, Fact>,
) -> Option<&'d Value> {
    let own = |default: &&DefaultWhen| default.tool == tool && default.argument == argument;
    defaults.iter().filter(own).find(|default| default.when.holds_in(session)).map(|default| &default.value)
}
