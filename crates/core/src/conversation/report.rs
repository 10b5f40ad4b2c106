//! What became of a call? Its host reports the outcome; facts change by nothing else.

use std::collections::BTreeMap;

use super::flow::Work;
use super::turn::{Spoken, Talk};
use super::{Asks, Chip, Conversation, Ears, Pending, Reply, TurnKind};
use crate::arguments::Outcome;
use crate::catalog::Catalog;
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
        if self.state.awaited.remove(tool) {
            let work = Work::of(self.catalog, &self.state.facts, tool);
            let sets = work.and_then(|work| work.flow).and_then(|flow| flow.sets.clone());
            self.state.facts.extend(sets.map(|fact| (fact, Fact::Flag(true))));
        }
        self.state.learn(reported.facts);
        // A call that was asked about ran after all.
        let confirmed = |pending: &Pending| pending.asks == Asks::Confirm && pending.tool == tool;
        self.state.pending = self.state.pending.take().filter(|pending| !confirmed(pending));
        if self.state.pending.is_none() {
            self.state.pending = self.waiting(tool);
        }
        let pending = self.state.pending.clone();
        let outcome = if pending.is_some() { Outcome::Clarify } else { Outcome::Rephrase };
        Reply { outcome, pending, reason: format!("{tool} succeeded"), ..Reply::default() }
    }

    /// A call that failed may be made again.
    fn failed(&mut self, tool: &str) -> Reply {
        self.state.awaited.remove(tool);
        let last = self.state.last.clone().filter(|last| last.tool == tool);
        let pending = last.map(|last| Pending {
            asks: Asks::Confirm,
            tool: tool.to_owned(),
            question: format!("{tool} failed. Should it run again?"),
            chips: ["yes", "no"].map(|answer| Chip::new(answer.into())).to_vec(),
            settled: last.settled,
        });
        self.state.pending.clone_from(&pending);
        let outcome = if pending.is_some() { Outcome::Clarify } else { Outcome::Rephrase };
        Reply { outcome, pending, reason: format!("{tool} failed"), ..Reply::default() }
    }
}
