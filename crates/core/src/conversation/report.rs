//! What became of a call? Its host reports the outcome; facts change by nothing else.

use std::collections::BTreeMap;

use super::answers::LATER_MAX;
use super::flow::Work;
use super::turn::{Spoken, Talk};
use super::{Asks, Chip, Conversation, Ears, Later, Pending, Reply, TurnKind};
use crate::arguments::Outcome;
use crate::catalog::Catalog;
use crate::gates;
use crate::message::Fact;

/// The outcome of a tool, as its host reports it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Whether it did its work.
    pub success: bool,
    /// Facts that hold since; they are kept where it succeeded.
    pub facts: &'a BTreeMap<String, Fact>,
}

/// Takes a report: the conversation after it, and the offer that follows.
pub fn report(
    catalog: &Catalog,
    ears: &dyn Ears,
    state: Conversation,
    reported: &Reported<'_>,
) -> (Conversation, Reply) {
    let mut talk = Talk::new(catalog, ears, state, Spoken::default());
    let reply = if reported.success { talk.succeeded(reported) } else { talk.failed(reported.tool) };
    (talk.state, Reply { kind: TurnKind::Reported, tool: Some(reported.tool.to_owned()), ..reply })
}

impl Talk<'_> {
    /// What the tool's flow establishes holds now, if the flow was complete, and so do the facts that came with the report.
    fn succeeded(&mut self, reported: &Reported<'_>) -> Reply {
        let tool = reported.tool;
        if self.no_longer_awaited(tool) {
            let work = Work::of(self.catalog, &self.state.facts, tool);
            let sets = work.and_then(|work| work.flow).and_then(|flow| flow.sets.clone());
            self.state.facts.extend(sets.map(|fact| (fact, Fact::Flag(true))));
        }
        self.state.learn(reported.facts);
        // A call that was asked about ran after all.
        let confirmed = |pending: &Pending| pending.asks == Asks::Confirm && pending.tool == tool;
        self.state.pending = self.state.pending.take().filter(|pending| !confirmed(pending));
        // An offered way on is done with once its gate is open.
        let offers =
            self.state.pending.as_ref().is_some_and(|pending| matches!(pending.asks, Asks::WayOn(_)));
        let waits = self.state.wanted.as_ref().map(|wanted| wanted.tool.clone());
        if offers && waits.is_some_and(|waits| gates::closed(&self.gates(&waits)).is_none()) {
            self.state.pending = None;
        }
        if self.state.pending.is_none() {
            self.state.pending = self.waiting(tool);
        }
        let pending = self.state.pending.clone();
        let outcome = if pending.is_some() { Outcome::Clarify } else { Outcome::Rephrase };
        Reply { outcome, pending, reason: format!("{tool} succeeded"), ..Reply::default() }
    }

    /// A call that failed may be made again. What is asked for another tool waits until then.
    fn failed(&mut self, tool: &str) -> Reply {
        self.no_longer_awaited(tool);
        let last = self.state.last.clone().filter(|last| self.is_same_tool(&last.tool, tool));
        if let Some(last) = last {
            let open =
                self.state.pending.take().filter(|open| !open.tool.is_empty() && open.tool != last.tool);
            let waits = open.filter(|open| matches!(open.asks, Asks::Slot(_) | Asks::Confirm));
            let waits =
                waits.map(|open| Later { tool: open.tool, text: String::new(), settled: open.settled });
            self.state.later.extend(waits.filter(|_| self.state.later.len() < LATER_MAX));
            self.state.pending = Some(Pending {
                asks: Asks::Confirm,
                question: format!("{} failed. Should it run again?", last.tool),
                chips: ["yes", "no"].map(|answer| Chip::new(answer.into())).to_vec(),
                tool: last.tool,
                settled: last.settled,
            });
        }
        let pending = self.state.pending.clone();
        let outcome = if pending.is_some() { Outcome::Clarify } else { Outcome::Rephrase };
        Reply { outcome, pending, reason: format!("{tool} failed"), ..Reply::default() }
    }

    /// Takes a tool out of those whose outcome is awaited, by whichever of its names.
    fn no_longer_awaited(&mut self, tool: &str) -> bool {
        let name = self.state.awaited.iter().find(|name| self.is_same_tool(name, tool)).cloned();
        name.is_some_and(|name| self.state.awaited.remove(&name))
    }
}
