//! What follows from what was heard? A call, the next question, or the way on where a gate is closed.

use serde_json::Value;

use super::flow::Work;
use super::moves::plainly;
use super::turn::Talk;
use super::{Asks, Call, Chip, Heard, Pending, Reply, TurnKind, Values};
use crate::arguments::{ASK_MIN, By, Outcome, Question, RUN_MIN};
use crate::gates::{self, GateAnswer, Guarded};

/// What the chips of a way on mean.
pub(super) const CONTINUE: &str = "continue";
pub(super) const DEFAULTS: &str = "defaults";

impl Talk<'_> {
    /// Goes on with a tool by what is settled of it: asks for its next step, or makes the call where nothing is needed.
    pub(super) fn go_on(&mut self, kind: TurnKind, tool: &str, all_by_default: bool) -> Reply {
        let settled = self.state.progress.get(tool).cloned().unwrap_or_default();
        let gates = self.gates(tool);
        if gates::closed(&gates).is_some() {
            return self.conclude(kind, tool, Heard::default());
        }
        let facts = self.state.facts.clone();
        let Some(work) = Work::of(self.catalog, &facts, tool) else {
            return self.nothing(kind, format!("{tool} has no slots that can be read"));
        };
        let step = match kind {
            // Who chose to continue at a step wants to be asked for it, though it has a default.
            TurnKind::WayOn if !all_by_default => work.undone(&settled),
            _ => work.needed(&settled),
        };
        match step.and_then(|step| work.question(step)) {
            Some(question) => self.ask(kind, Pending::of(tool, &question, settled), String::new()),
            None => {
                let heard = self.by_default(tool, &settled, &work.defaults());
                self.conclude(kind, tool, heard)
            }
        }
    }

    /// What a call comes to by what is settled and, where nothing is, by defaults, marked as such.
    pub(super) fn by_default(&self, tool: &str, settled: &Values, defaults: &Values) -> Heard {
        let mut all = defaults.clone();
        all.extend(settled.clone());
        let mut heard = self.ears.hear(&self.asking("", tool, None, &all, &Values::new()));
        for said in heard.slots.iter_mut().filter(|said| !settled.contains_key(&said.slot)) {
            said.by = By::Default;
        }
        if heard.by == Some(By::Memory) && settled.is_empty() {
            heard.by = Some(By::Default);
        }
        // A tool that needs nothing is called with nothing.
        let work = || Work::of(self.catalog, &self.state.facts, tool);
        if heard.outcome == Outcome::Rephrase && work().is_some_and(|work| work.needed(&all).is_none()) {
            heard.outcome = Outcome::Run;
            heard.args = all.into_iter().collect();
        }
        heard
    }

    /// What follows from what a message says for a tool. Nothing runs but from here, and never past a gate that is closed.
    pub(super) fn conclude(&mut self, kind: TurnKind, tool: &str, heard: Heard) -> Reply {
        let gates = self.gates(tool);
        let mut reply = if let Some(gate) = gates::closed(&gates) {
            // What is asked for again while it waits adds to what was said for it before.
            let waited = self.state.wanted.take().filter(|wanted| wanted.tool == tool).unwrap_or_default();
            let settled = waited.settled.into_iter().chain(heard.firm()).chain(heard.settled()).collect();
            self.state.wanted = Some(Call { tool: tool.to_owned(), settled, args: heard.args.clone() });
            let pending = self.way_on(gate);
            self.state.pending.clone_from(&pending);
            Reply { outcome: Outcome::Clarify, pending, reason: gate.reason.clone(), ..Reply::default() }
        } else {
            match heard.outcome {
                Outcome::Run => self.run(tool, &heard),
                Outcome::Clarify => self.clarify(tool, &heard),
                Outcome::Rephrase => Reply { reason: heard.reason.clone(), ..Reply::default() },
            }
        };
        reply.kind = kind;
        reply.tool = Some(tool.to_owned());
        reply.args = reply.call.as_ref().map_or(heard.args, |call| call.args.clone());
        reply.confidence = heard.confidence;
        reply.by = heard.by;
        reply.warnings = heard.warnings;
        reply.slots = heard.slots;
        reply.gates = gates;
        self.with_route(reply)
    }

    fn clarify(&mut self, tool: &str, heard: &Heard) -> Reply {
        let settled = heard.settled();
        let facts = self.state.facts.clone();
        let work = Work::of(self.catalog, &facts, tool);
        let step = work.as_ref().filter(|work| work.flow.is_some()).and_then(|work| work.needed(&settled));
        // Where nothing was understood there is nothing to confirm, and the first step is asked for.
        let confirms = |question: &&Question| {
            question.confirms() && (step.is_none() || heard.slots.iter().any(|said| said.by != By::Default))
        };
        if let Some(question) = heard.question.as_ref().filter(confirms) {
            let pending = Pending::confirm(tool, question, heard.understood());
            self.state.pending = Some(pending.clone());
            let (outcome, pending) = (Outcome::Clarify, Some(pending));
            return Reply { outcome, pending, reason: heard.reason.clone(), ..Reply::default() };
        }
        let asked = heard.question.clone().filter(|question| !question.slot.is_empty());
        if let Some(reply) =
            asked.as_ref().and_then(|question| self.needs_nothing(tool, &question.slot, heard))
        {
            return reply;
        }
        // Where nothing is said for the slot, the flow says which is asked for first.
        let open = |slot: &str| !heard.slots.iter().any(|said| said.slot == slot);
        let of_step = |step: &str| work.as_ref().and_then(|work| work.question(step));
        let question = match (&asked, step) {
            (Some(question), Some(step)) if question.slot != step && open(&question.slot) => of_step(step),
            (None, Some(step)) => of_step(step),
            _ => asked,
        };
        let question = question.map(|question| match &work {
            Some(work) => work.answerable(question),
            None => question,
        });
        let pending = question.map(|question| Pending::of(tool, &question, settled));
        // Something was understood and nothing is left to ask for: it is confirmed.
        let unasked = || (!heard.understood().is_empty()).then(|| confirming(tool, heard));
        let confirms = |question: Question| Pending::confirm(tool, &question, heard.understood());
        let pending = pending.or_else(|| unasked().map(confirms));
        let outcome = if pending.is_some() { Outcome::Clarify } else { Outcome::Rephrase };
        self.state.pending.clone_from(&pending);
        Reply { outcome, pending, reason: heard.reason.clone(), ..Reply::default() }
    }

    /// Where nothing is said for a slot that may be left out, and nothing is missing, the call is made, or asked about where the route is not sure.
    fn needs_nothing(&mut self, tool: &str, slot: &str, heard: &Heard) -> Option<Reply> {
        let open = !heard.slots.iter().any(|said| said.slot == slot || said.doubtful);
        let settled = heard.settled();
        let work = Work::of(self.catalog, &self.state.facts, tool)?;
        if !open || work.flow.is_some() || work.needed(&settled).is_some() {
            return None;
        }
        let whole = self.by_default(tool, &settled, &work.defaults());
        let harmless = self.catalog.tools().get(self.catalog.tool_place(tool)?)?.destructive != Some(true);
        let sure = self.routed.get().is_some_and(|routed| routed.confidence >= RUN_MIN);
        let may_run = self.catalog.choices().max_wrong() > 0.0;
        if whole.outcome == Outcome::Run && harmless && sure && may_run {
            return Some(self.run(tool, &whole));
        }
        let pending = Pending::confirm(tool, &confirming(tool, heard), settled);
        self.state.pending = Some(pending.clone());
        let reason = heard.reason.clone();
        Some(Reply { outcome: Outcome::Clarify, pending: Some(pending), reason, ..Reply::default() })
    }

    /// A call that is complete: remembered, its flow taken a step on, and what comes after it.
    fn run(&mut self, tool: &str, heard: &Heard) -> Reply {
        let settled = heard.settled();
        let call = Call { tool: tool.to_owned(), settled: settled.clone(), args: heard.args.clone() };
        self.state.remember(&call);
        self.state.last = Some(call.clone());
        self.state.pending = None;
        let mut told = None;
        let facts = self.state.facts.clone();
        if let Some((work, flow)) =
            Work::of(self.catalog, &facts, tool).and_then(|work| work.flow.map(|flow| (work, flow)))
        {
            let step = work.needed(&settled);
            told = work.told(&settled, step);
            match step {
                Some(step) => {
                    let question = work.question(step);
                    self.state.pending =
                        question.map(|question| Pending::of(tool, &question, settled.clone()));
                    self.state.progress.insert(tool.to_owned(), settled);
                }
                None => {
                    self.state.progress.remove(tool);
                    // What it establishes holds once its host reports that it was done.
                    if flow.sets.is_some() {
                        self.state.awaited.insert(tool.to_owned());
                    }
                }
            }
        }
        if self.state.pending.is_none() {
            self.state.pending = self.waiting(tool);
        }
        Reply {
            outcome: Outcome::Run,
            call: Some(call),
            pending: self.state.pending.clone(),
            flow: told,
            reason: heard.reason.clone(),
            ..Reply::default()
        }
    }

    /// The question once a call is made: about what waited behind a gate, the next way on, or what was asked besides.
    pub(super) fn waiting(&mut self, ran: &str) -> Option<Pending> {
        let Some(wanted) = self.state.wanted.clone() else { return self.next_request(ran) };
        if self.is_same_tool(&wanted.tool, ran) {
            self.state.wanted = None;
            return self.next_request(ran);
        }
        let gates = self.gates(&wanted.tool);
        match gates::closed(&gates) {
            // The call that opens the gate was just made; its outcome decides.
            Some(gate) if self.leads_to(gate, ran) => None,
            Some(gate) => self.way_on(gate),
            None => Some(self.resume(&wanted.tool, format!("{} can go on now. Shall it?", wanted.tool))),
        }
    }

    fn leads_to(&self, gate: &GateAnswer, tool: &str) -> bool {
        let way = gate.way_on.as_ref().and_then(|way| way.tool.as_deref());
        way.is_some_and(|way| self.is_same_tool(way, tool))
    }

    /// The one way on of a closed gate, as a question; nothing where it leads to no tool.
    fn way_on(&self, gate: &GateAnswer) -> Option<Pending> {
        let way = gate.way_on.as_ref()?;
        let tool = way.tool.as_ref()?;
        let work = Work::of(self.catalog, &self.state.facts, tool)?;
        let done = self.state.progress.get(tool).cloned().unwrap_or_default();
        let name = work.flow.map_or(tool.as_str(), |flow| flow.name.as_str());
        let by_default = work.needed(&done).is_none();
        let step = work.undone(&done).map(str::to_owned);
        let finish = by_default.then(|| Chip::act(format!("finish {name} with defaults"), DEFAULTS));
        let at_step = step.as_ref().map(|step| Chip::act(format!("continue at step {step}"), CONTINUE));
        Some(Pending {
            asks: Asks::WayOn(step),
            tool: tool.clone(),
            question: format!("{} {}", gate.reason, way.text),
            chips: finish.into_iter().chain(at_step).collect(),
            settled: done,
        })
    }

    /// Asks a question.
    pub(super) fn ask(&mut self, kind: TurnKind, pending: Pending, reason: String) -> Reply {
        self.state.pending = Some(pending.clone());
        let tool = Some(pending.tool.clone()).filter(|tool| !tool.is_empty());
        let gates = self.gates_shown(&pending);
        let told = Work::of(self.catalog, &self.state.facts, &pending.tool)
            .and_then(|work| work.told(&pending.settled, pending.slot()));
        let reply = Reply {
            kind,
            outcome: Outcome::Clarify,
            tool,
            args: pending.settled.clone().into_iter().collect(),
            confidence: ASK_MIN,
            gates,
            flow: told,
            reason,
            pending: Some(pending),
            ..Reply::default()
        };
        self.with_route(reply)
    }

    /// The gates that an answer with a question shows: those of the call that waits, where a way on is offered.
    pub(super) fn gates_shown(&self, pending: &Pending) -> Vec<GateAnswer> {
        let waits = self.state.wanted.as_ref().filter(|_| matches!(pending.asks, Asks::WayOn(_)));
        let tool = waits.map_or(pending.tool.as_str(), |wanted| wanted.tool.as_str());
        if tool.is_empty() { Vec::new() } else { self.gates(tool) }
    }

    /// Nothing follows.
    pub(super) fn nothing(&self, kind: TurnKind, reason: impl Into<String>) -> Reply {
        self.with_route(Reply { kind, reason: reason.into(), ..Reply::default() })
    }

    /// What the gates of a tool say to the facts, and those of the route that was asked for, or of every route that has the tool where none was.
    pub(super) fn gates(&self, tool: &str) -> Vec<GateAnswer> {
        let facts = &self.state.facts;
        let mut answers = gates::check(self.catalog, Guarded::Tool(tool), facts);
        let lists = |tools: &[String]| tools.iter().any(|own| self.is_same_tool(own, tool));
        let listing = self.catalog.routes().filter(|(_, route)| lists(&route.expertise.tools));
        let listing: Vec<&str> = listing.map(|(_, route)| &*route.name).collect();
        let asked = self.routed.get().and_then(|routed| routed.route.as_deref());
        let asked = asked.filter(|route| listing.contains(route));
        for route in asked.map_or(listing, |route| vec![route]) {
            for gate in gates::check(self.catalog, Guarded::Route(route), facts) {
                if !answers.iter().any(|own| own.name == gate.name) {
                    answers.push(gate);
                }
            }
        }
        answers
    }

    /// Whether two names mean one tool: `pay` and `till/pay`.
    pub(super) fn is_same_tool(&self, one: &str, other: &str) -> bool {
        one == other
            || self.catalog.tool_place(one).is_some_and(|place| self.catalog.tool_place(other) == Some(place))
    }

    fn with_route(&self, mut reply: Reply) -> Reply {
        if let Some(routed) = self.routed.get() {
            reply.route.clone_from(&routed.route);
            reply.route_confidence = routed.confidence;
        }
        reply
    }
}

/// The question whether to make a call with what was understood.
pub(super) fn confirming(tool: &str, heard: &Heard) -> Question {
    let understood = heard.understood();
    let shown: Vec<String> =
        understood.iter().map(|(slot, value)| format!("{slot} = {}", plainly(value))).collect();
    let with = if shown.is_empty() { String::new() } else { format!(" with {}", shown.join(", ")) };
    let options = ["yes", "no"].map(Value::from).to_vec();
    Question { slot: String::new(), question: format!("Should {tool} run now{with}?"), options }
}
