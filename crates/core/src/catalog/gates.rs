//! What must be so before a route is taken or a tool is called? Gates as written, and as they are checked.

use super::condition::Condition;
use super::draft::{Placed, placed, texts};
use super::flows::missing_step;
use super::id::RouteId;
use super::naming::{dangling, refuse_twice};
use super::place::Source;
use super::problem::{Code, Problem};
use super::session::FactsDraft;
use super::shape::Presence::{Needed, Optional};
use super::shape::{Key, Shape, Table};
use super::tools::Tool;
use super::tools::compile::find;
use super::tree::Node;

/// The key of a catalog that lists gates.
pub const GATES: Key = Key {
    name: "gates",
    shape: Shape::List(&Shape::Table(&GATE), 0),
    presence: Optional,
    says: "What must be so before a route is taken or a tool is called: conditions over facts of the session, which no wording of a message changes. They are told in the order they are written; the first that is closed offers its way on.",
};

/// One gate.
static GATE: Table = Table {
    title: "a gate",
    one_of: &[],
    keys: &[
        Key {
            name: "name",
            shape: Shape::Name,
            presence: Needed,
            says: "What answers call it; unique among the gates.",
        },
        Key {
            name: "routes",
            shape: Shape::List(&Shape::Name, 0),
            presence: Optional,
            says: "Routes it guards: while it is closed they are named and not taken.",
        },
        Key {
            name: "tools",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Tools it guards, by name, or as `server/name` where two share one: while it is closed they are not called.",
        },
        Key {
            name: "open_when",
            shape: Shape::Text,
            presence: Needed,
            says: "The condition under which it is open, over facts of the session alone, such as `session.tpr_complete`. A missing fact is false.",
        },
        Key {
            name: "reason",
            shape: Shape::Text,
            presence: Needed,
            says: "Why it is there, in a person's words.",
        },
        Key {
            name: "way_on",
            shape: Shape::Either(&[Shape::Text, Shape::Table(&WAY_ON)]),
            presence: Needed,
            says: "The one way on that is offered while it is closed.",
        },
    ],
};

/// The way on.
static WAY_ON: Table = Table {
    title: "a way on",
    one_of: &[],
    keys: &[
        Key {
            name: "text",
            shape: Shape::Text,
            presence: Needed,
            says: "What can be done now, in a person's words.",
        },
        Key { name: "route", shape: Shape::Name, presence: Optional, says: "The route to continue at." },
        Key { name: "tool", shape: Shape::Text, presence: Optional, says: "The tool to continue with." },
        Key {
            name: "step",
            shape: Shape::Name,
            presence: Optional,
            says: "The argument of the tool to continue at. Default: the first step of the tool's flow that the session has no fact for.",
        },
    ],
};

/// What must be so before a route is taken or a tool is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// What answers call it.
    pub name: String,
    /// The routes it guards.
    pub routes: Vec<RouteId>,
    /// The tools it guards, by their places in the catalog.
    pub tools: Vec<usize>,
    /// When it is open.
    pub open_when: Condition,
    /// Why it is there.
    pub reason: String,
    /// What is offered while it is closed.
    pub way_on: WayOn,
}

/// Where to go while a gate is closed, as the catalog says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WayOn {
    /// What can be done, in a person's words.
    pub text: String,
    /// The route to continue at.
    pub route: Option<RouteId>,
    /// The tool to continue with, by its place in the catalog.
    pub tool: Option<usize>,
    /// The argument to continue at, where the catalog fixes it.
    pub step: Option<String>,
}

/// A gate as written.
#[derive(Clone, Debug)]
pub struct GateDraft {
    /// Its name, and where it stands.
    pub name: Placed<String>,
    routes: Vec<Placed<String>>,
    tools: Vec<Placed<String>>,
    open_when: Option<Placed<String>>,
    reason: String,
    way_on: WayOnDraft,
}

/// A way on as written.
#[derive(Clone, Debug, Default)]
struct WayOnDraft {
    text: String,
    route: Option<Placed<String>>,
    tool: Option<Placed<String>>,
    step: Option<Placed<String>>,
}

impl GateDraft {
    /// Whether it guards anything.
    pub fn guards(&self) -> bool {
        !self.routes.is_empty() || !self.tools.is_empty()
    }
}

/// Reads gates from a checked catalog; one without a name is reported already.
pub fn read(root: &Node) -> Vec<GateDraft> {
    let gate = |node: &Node| {
        Some(GateDraft {
            name: node.get("name").and_then(placed)?,
            routes: texts(node.list("routes")),
            tools: texts(node.list("tools")),
            open_when: node.get("open_when").and_then(placed),
            reason: node.get("reason").and_then(Node::text).unwrap_or_default().to_owned(),
            way_on: node.get("way_on").map(read_way_on).unwrap_or_default(),
        })
    };
    root.list("gates").iter().filter_map(gate).collect()
}

fn read_way_on(node: &Node) -> WayOnDraft {
    let name = |key: &str| node.get(key).and_then(placed);
    let text = node.text().or_else(|| node.get("text").and_then(Node::text));
    WayOnDraft {
        text: text.unwrap_or_default().to_owned(),
        route: name("route"),
        tool: name("tool"),
        step: name("step"),
    }
}

/// What gates may name.
#[derive(Clone, Copy)]
pub struct Named<'n> {
    /// The routes by name, in the order of their ids.
    pub routes: &'n [&'n str],
    /// The tools, in the order of their places.
    pub tools: &'n [Tool],
    /// The facts of a session.
    pub facts: &'n FactsDraft,
    /// The files, to tell where a name stood first.
    pub sources: &'n [Source],
}

impl Named<'_> {
    /// The route of a name; one that is not there is a problem.
    pub fn route(&self, named: &Placed<String>, problems: &mut Vec<Problem>) -> Option<RouteId> {
        let found = self.routes.iter().position(|name| *name == named.value);
        if found.is_none() {
            problems.push(dangling(named, "route", self.routes.iter().copied(), "list it under `routes`"));
        }
        found.and_then(|place| u32::try_from(place).ok()).map(RouteId)
    }
}

/// Compiles gates; what is wrong with them is added to the problems.
pub fn compile(drafts: Vec<GateDraft>, named: Named<'_>, problems: &mut Vec<Problem>) -> Vec<Gate> {
    refuse_twice("gate", drafts.iter().map(|gate| &gate.name), named.sources, problems);
    drafts.into_iter().filter_map(|gate| compile_gate(gate, named, problems)).collect()
}

fn compile_gate(draft: GateDraft, named: Named<'_>, problems: &mut Vec<Problem>) -> Option<Gate> {
    let routes = draft.routes.iter().filter_map(|route| named.route(route, problems)).collect();
    let tools = draft.tools.iter().filter_map(|tool| find(tool, named.tools, problems)).collect();
    let way_on = compile_way_on(draft.way_on, named, problems);
    // A condition that is missing is reported already.
    let open_when = named.facts.condition(draft.open_when.as_ref()?, problems)?;
    Some(Gate { name: draft.name.value, routes, tools, open_when, reason: draft.reason, way_on })
}

fn compile_way_on(draft: WayOnDraft, named: Named<'_>, problems: &mut Vec<Problem>) -> WayOn {
    let route = draft.route.and_then(|route| named.route(&route, problems));
    let tool = draft.tool.as_ref().and_then(|tool| find(tool, named.tools, problems));
    if let Some(step) = &draft.step {
        match (&draft.tool, tool.and_then(|place| named.tools.get(place))) {
            (None, _) => {
                let message = format!("the step `{}` is a step of no tool", step.value);
                let problem = Problem::new(Code::BadValue, step.place, message);
                problems.push(problem.hint("name its tool under `tool`"));
            }
            (Some(_), Some(tool)) => problems.extend(missing_step(step, tool)),
            // That there is no such tool is told already.
            (Some(_), None) => {}
        }
    }
    WayOn { text: draft.text, route, tool, step: draft.step.map(|step| step.value) }
}

/// Gates that guard nothing: surely not meant.
pub fn idle(drafts: &[GateDraft]) -> impl Iterator<Item = Problem> {
    drafts.iter().filter(|gate| !gate.guards()).map(|gate| {
        let message = format!("the gate `{}` guards nothing", gate.name.value);
        Problem::new(Code::IdleGate, gate.name.place, message)
            .hint("name what it guards under `routes` or `tools`")
    })
}
