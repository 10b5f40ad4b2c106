//! What guides a conversation? The gates, flows, facts and columns of a catalog, and how they are asked for.

use std::collections::BTreeMap;

use serde_json::Value;

use super::choices::{self, Choices};
use super::columns::{self, Column, ColumnDraft};
use super::draft::{Placed, texts};
use super::flows::{self, Flow, FlowDraft, Proceed};
use super::gates::{self, Gate, GateDraft, Named};
use super::place::Source;
use super::problem::Problem;
use super::session::{self, FactsDraft};
use super::tools::Tool;
use super::tools::defaults::{self, DefaultDraft, DefaultWhen};
use super::tree::Node;
use super::{Catalog, RouteId};
use crate::message::{Fact, Reading};

/// What guides a conversation, compiled.
#[derive(Clone, Debug, Default)]
pub struct Guidance {
    gates: Vec<Gate>,
    flows: Vec<Flow>,
    proceed: Vec<Proceed>,
    facts: BTreeMap<String, String>,
    columns: Vec<Column>,
    defaults: Vec<DefaultWhen>,
    choices: Choices,
}

/// The same as written.
#[derive(Clone, Debug, Default)]
pub struct GuidanceDraft {
    /// The facts of a session.
    pub facts: FactsDraft,
    /// The gates.
    pub gates: Vec<GateDraft>,
    flows: Vec<FlowDraft>,
    proceed: Vec<Placed<String>>,
    columns: Vec<ColumnDraft>,
    defaults: Vec<DefaultDraft>,
    choices: Choices,
}

impl GuidanceDraft {
    /// Reads a checked catalog.
    pub fn read(root: &Node) -> GuidanceDraft {
        GuidanceDraft {
            facts: session::read(root),
            gates: gates::read(root),
            flows: flows::read(root),
            proceed: texts(root.list("proceed")),
            columns: columns::read(root),
            defaults: defaults::read(root.list("tools")),
            choices: choices::read(root),
        }
    }

    /// Compiles it, held against the routes by name, in the order of their ids, and the tools.
    pub fn compile(
        self,
        routes: &[&str],
        tools: &[Tool],
        sources: &[Source],
        problems: &mut Vec<Problem>,
    ) -> Guidance {
        let facts = self.facts;
        let named = Named { routes, tools, facts: &facts, sources };
        Guidance {
            gates: gates::compile(self.gates, named, problems),
            flows: flows::compile(self.flows, named, problems),
            proceed: flows::compile_proceed(self.proceed, problems),
            columns: columns::compile(self.columns, sources, problems),
            defaults: defaults::compile(&self.defaults, tools, &facts, problems),
            facts: facts.compile(),
            choices: self.choices,
        }
    }
}

impl Catalog {
    /// The gates, in the order they are written.
    pub fn gates(&self) -> &[Gate] {
        &self.guidance.gates
    }

    /// The flows, in the order they are written.
    pub fn flows(&self) -> &[Flow] {
        &self.guidance.flows
    }

    /// The flow of a name.
    pub fn flow(&self, name: &str) -> Option<&Flow> {
        self.flows().iter().find(|flow| flow.name == name)
    }

    /// The flow that a route's messages begin.
    pub fn flow_of_route(&self, route: RouteId) -> Option<&Flow> {
        self.flows().iter().find(|flow| flow.route == Some(route))
    }

    /// The flow whose steps fill a tool, by the tool's place.
    pub fn flow_of_tool(&self, tool: usize) -> Option<&Flow> {
        self.flows().iter().find(|flow| flow.tool == tool)
    }

    /// The expression by which a message says no more than to go on, if it does.
    pub fn proceed(&self, reading: &Reading) -> Option<&str> {
        let said = |proceed: &&Proceed| proceed.matcher.regex.is_match(reading.text());
        self.guidance.proceed.iter().find(said).map(|proceed| proceed.source.as_str())
    }

    /// The first flow that a session has not completed.
    pub fn pending_flow(&self, session: &BTreeMap<String, Fact>) -> Option<&Flow> {
        self.flows().iter().find(|flow| !flow.is_complete(session))
    }

    /// The facts that a session may have, each with what it says; empty where any may be named.
    pub fn facts(&self) -> &BTreeMap<String, String> {
        &self.guidance.facts
    }

    /// The columns that the data may have, in the order they are written.
    pub fn columns(&self) -> &[Column] {
        &self.guidance.columns
    }

    /// How choices are made, how long they are remembered, and what may be told of them.
    pub const fn choices(&self) -> &Choices {
        &self.guidance.choices
    }

    /// The place of a tool, by its name or as `server/name`.
    pub fn tool_place(&self, name: &str) -> Option<usize> {
        self.tools().iter().position(|tool| tool.name == name || tool.full_name() == name)
    }

    /// The value that an argument of a tool has where nobody says one, by what its schema says of such sessions
    /// (`x-default-when`). Its plain `default` is not looked at.
    pub fn default_in(
        &self,
        tool: usize,
        argument: &str,
        session: &BTreeMap<String, Fact>,
    ) -> Option<&Value> {
        defaults::first(&self.guidance.defaults, tool, argument, session)
    }
}
