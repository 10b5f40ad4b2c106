//! In which order are the arguments of a tool asked for, and what comes after it?

use std::collections::BTreeMap;

use super::draft::{Placed, placed, texts};
use super::gates::Named;
use super::id::RouteId;
use super::naming::{dangling, refuse_twice};
use super::pattern::{Extent, Matcher};
use super::problem::{Code, Problem};
use super::shape::Presence::{Needed, Optional};
use super::shape::{Key, Shape, Table};
use super::tools::Tool;
use super::tools::compile::find;
use super::tree::Node;
use crate::message::Fact;

/// The keys of a catalog that say what is done step by step.
pub const FLOWS: Key = Key {
    name: "flows",
    shape: Shape::List(&Shape::Table(&FLOW), 0),
    presence: Optional,
    says: "Work that is done step by step: the arguments of a tool in the order they are asked for, and what comes after.",
};
pub const PROCEED: Key = Key {
    name: "proceed",
    shape: Shape::List(&Shape::Regex, 0),
    presence: Optional,
    says: "Regular expressions, written as a route's patterns are, for messages that say no more than to go on, such as `^go ahead$`: they mean the route of the first flow that is not complete, and in a conversation its pending step.",
};

/// One flow.
static FLOW: Table = Table {
    title: "a flow",
    one_of: &[],
    keys: &[
        Key {
            name: "name",
            shape: Shape::Name,
            presence: Needed,
            says: "What it is called; unique among the flows.",
        },
        Key {
            name: "route",
            shape: Shape::Name,
            presence: Optional,
            says: "The route whose messages begin it.",
        },
        Key {
            name: "tool",
            shape: Shape::Text,
            presence: Needed,
            says: "The tool that its steps fill, by name, or as `server/name` where two share one.",
        },
        Key {
            name: "steps",
            shape: Shape::List(&Shape::Name, 1),
            presence: Needed,
            says: "Arguments of the tool, in the order they are asked for. A step that the session has a fact of the same name for is done.",
        },
        Key {
            name: "sets",
            shape: Shape::Name,
            presence: Optional,
            says: "The fact of the session that is true once all steps are done, without `session.`, such as `tpr_complete`.",
        },
        Key { name: "next", shape: Shape::Name, presence: Optional, says: "The flow that comes after it." },
    ],
};

/// Work that is done step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// What it is called.
    pub name: String,
    /// The route whose messages begin it.
    pub route: Option<RouteId>,
    /// The tool that its steps fill, by its place in the catalog.
    pub tool: usize,
    /// Arguments of the tool, in the order they are asked for.
    pub steps: Vec<String>,
    /// The fact that is true once all steps are done.
    pub sets: Option<String>,
    /// The flow that comes after it, by name.
    pub next: Option<String>,
}

impl Flow {
    /// Whether the session says that it is done.
    pub fn is_complete(&self, session: &BTreeMap<String, Fact>) -> bool {
        self.sets.as_ref().is_some_and(|fact| session.get(fact) == Some(&Fact::Flag(true)))
    }

    /// The first step that the session has no fact for; nothing where the flow is done.
    pub fn pending(&self, session: &BTreeMap<String, Fact>) -> Option<&str> {
        let is_open = |step: &&String| matches!(session.get(*step), None | Some(Fact::Unset));
        let mut open = self.steps.iter().filter(is_open);
        open.next().filter(|_| !self.is_complete(session)).map(String::as_str)
    }
}

/// An expression for messages that say no more than to go on.
#[derive(Clone, Debug)]
pub struct Proceed {
    /// As the catalog writes it.
    pub source: String,
    /// How it is matched.
    pub matcher: Matcher,
}

/// A flow as written.
#[derive(Clone, Debug)]
pub struct FlowDraft {
    name: Placed<String>,
    route: Option<Placed<String>>,
    tool: Option<Placed<String>>,
    steps: Vec<Placed<String>>,
    sets: Option<Placed<String>>,
    next: Option<Placed<String>>,
}

/// Reads flows from a checked catalog; one without a name is reported already.
pub fn read(root: &Node) -> Vec<FlowDraft> {
    let flow = |node: &Node| {
        let name = |key: &str| node.get(key).and_then(placed);
        Some(FlowDraft {
            name: name("name")?,
            route: name("route"),
            tool: name("tool"),
            steps: texts(node.list("steps")),
            sets: name("sets"),
            next: name("next"),
        })
    };
    root.list("flows").iter().filter_map(flow).collect()
}

/// Compiles what says to go on; what is wrong with it is added to the problems.
pub fn compile_proceed(drafts: Vec<Placed<String>>, problems: &mut Vec<Problem>) -> Vec<Proceed> {
    let mut compiled = Vec::new();
    for Placed { value: source, place } in drafts {
        match Matcher::new(&source, Extent::Shortest) {
            Ok(matcher) => compiled.push(Proceed { source, matcher }),
            Err(error) => {
                problems.push(Problem::new(Code::BadPattern, place, format!("bad pattern: {error}")))
            }
        }
    }
    compiled
}

/// Compiles flows; what is wrong with them is added to the problems.
pub fn compile(drafts: Vec<FlowDraft>, named: Named<'_>, problems: &mut Vec<Problem>) -> Vec<Flow> {
    refuse_twice("flow", drafts.iter().map(|flow| &flow.name), named.sources, problems);
    let names: Vec<String> = drafts.iter().map(|flow| flow.name.value.clone()).collect();
    drafts.into_iter().filter_map(|flow| compile_flow(flow, &names, named, problems)).collect()
}

fn compile_flow(
    draft: FlowDraft,
    flows: &[String],
    named: Named<'_>,
    problems: &mut Vec<Problem>,
) -> Option<Flow> {
    let names = || flows.iter().map(String::as_str);
    let route = draft.route.and_then(|route| named.route(&route, problems));
    if let Some(next) = draft.next.as_ref().filter(|next| !flows.contains(&next.value)) {
        problems.push(dangling(next, "flow", names(), "list it under `flows`"));
    }
    let facts = named.facts.names();
    if let Some((fact, facts)) =
        draft.sets.as_ref().zip(facts).filter(|(fact, facts)| !facts.contains(&fact.value.as_str()))
    {
        problems.push(dangling(fact, "fact", facts.into_iter(), "list it under `facts`"));
    }
    // A tool that is missing is reported already.
    let tool = find(draft.tool.as_ref()?, named.tools, problems)?;
    let of = named.tools.get(tool)?;
    problems.extend(draft.steps.iter().filter_map(|step| missing_step(step, of)));
    Some(Flow {
        name: draft.name.value,
        route,
        tool,
        steps: draft.steps.into_iter().map(|step| step.value).collect(),
        sets: draft.sets.map(|fact| fact.value),
        next: draft.next.map(|flow| flow.value),
    })
}

/// The problem of a step that is no argument of its tool.
pub fn missing_step(step: &Placed<String>, tool: &Tool) -> Option<Problem> {
    let properties = tool.input_schema.as_ref().and_then(|schema| schema.get("properties")?.as_object());
    let names = || properties.into_iter().flat_map(|properties| properties.keys()).map(String::as_str);
    let otherwise = format!("the tool `{}` takes {}", tool.name, names().collect::<Vec<_>>().join(", "));
    (!names().any(|name| name == step.value)).then(|| dangling(step, "argument", names(), &otherwise))
}
