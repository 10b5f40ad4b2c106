//! What is a message in its conversation? An answer, going on, a correction, something else, or the end of it.

use std::cell::OnceCell;

use serde_json::Value;

use super::conclude::DEFAULTS;
use super::flow::Work;
use super::{
    Ask, Asks, Call, Chip, Conversation, Ears, Heard, Pending, Reply, Routed, TurnKind, Values, words,
};
use crate::arguments::form::Kind;
use crate::arguments::{By, Outcome, RUN_MIN};
use crate::catalog::Catalog;
use crate::message::Reading;

/// A message that answers what is asked is mostly its answer: of one whose values are less than so much of it, and which is
/// surely another tool's, they are not meant as one ("top 10 wards by rainfall" is no number of nets).
const ANSWER_SHARE_MIN: f32 = 0.5;

/// The places of the answers to the question whether to make a call.
const YES: usize = 0;
const NO: usize = 1;

/// A message of a conversation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spoken<'a> {
    /// What was said.
    pub text: &'a str,
    /// The tool it is for, where that is not to be found out.
    pub tool: Option<&'a str>,
}

/// A turn under way.
pub(super) struct Talk<'t> {
    pub catalog: &'t Catalog,
    pub ears: &'t dyn Ears,
    pub spoken: Spoken<'t>,
    pub state: Conversation,
    /// The route of the message, once it was asked for.
    pub routed: OnceCell<Routed>,
    reading: Reading,
}

/// Takes a turn: the conversation after a message, and what is said back.
pub fn turn(
    catalog: &Catalog,
    ears: &dyn Ears,
    state: Conversation,
    spoken: Spoken<'_>,
) -> (Conversation, Reply) {
    let reading = Reading::new(spoken.text);
    let mut talk = Talk { catalog, ears, spoken, state, routed: OnceCell::new(), reading };
    let reply = talk.take();
    (talk.state, reply)
}

impl Talk<'_> {
    fn take(&mut self) -> Reply {
        if words::abandons(&self.reading) {
            return self.abandon();
        }
        match self.state.pending.clone() {
            Some(pending) => match pending.asks.clone() {
                Asks::Slot(slot) => self.answer(&pending, &slot),
                Asks::Confirm => self.confirm(&pending),
                Asks::WayOn(_) | Asks::Resume | Asks::Tool => self.choose(&pending),
            },
            None => self.begin(TurnKind::New),
        }
    }

    /// Drops what is asked and what waits. What was done stays done.
    fn abandon(&mut self) -> Reply {
        let dropped = self.state.pending.take();
        let waited = self.state.wanted.take();
        self.state.last = None;
        let reason = match (&dropped, &waited) {
            (_, Some(call)) => format!("dropped {}", call.tool),
            (Some(pending), None) => match pending.slot() {
                Some(slot) => format!("dropped the question about {slot}"),
                None => "dropped the question".to_owned(),
            },
            (None, None) => "there is nothing to drop".to_owned(),
        };
        self.nothing(TurnKind::Abandon, reason)
    }

    /// A message after a question for a slot.
    fn answer(&mut self, pending: &Pending, slot: &str) -> Reply {
        let proceeds = self.catalog.proceed(&self.reading).is_some();
        if proceeds || words::wants_defaults(&self.reading) {
            let work = Work::of(self.catalog, &self.state.facts, &pending.tool);
            if let Some(value) = work.and_then(|work| work.default_of(slot)) {
                return self.settle(TurnKind::Proceed, pending, slot, value, By::Default);
            }
        }
        if let Some(Chip { value, .. }) =
            Self::only_chip(pending).filter(|_| proceeds || words::agrees(&self.reading))
        {
            return self.settle(TurnKind::Answer, pending, slot, value, By::Exact);
        }
        let of_number = |chip: &Chip| chip.value.is_number();
        let chip = self.chip_named(pending).and_then(|place| pending.chips.get(place));
        if let Some(Chip { label, value }) = chip.filter(|_| !pending.chips.iter().any(of_number)) {
            let by =
                if self.spoken.text.trim().eq_ignore_ascii_case(label) { By::Exact } else { By::Ordinal };
            return self.settle(TurnKind::Answer, pending, slot, value.clone(), by);
        }
        if let Some(value) = self.bare_number(pending, slot) {
            return self.settle(TurnKind::Answer, pending, slot, value, By::Number);
        }
        if proceeds {
            return self.ask(TurnKind::Proceed, pending.clone(), format!("{slot} has no default"));
        }
        let heard = self.hear(&pending.tool, Some(pending), &pending.settled);
        let says = heard.said(&pending.settled).next().is_some();
        if self.is_another(&pending.tool, &heard, heard.fills(slot, &pending.settled)) {
            self.state.pending = None;
            self.state.wanted = None;
            return self.begin(TurnKind::Change);
        }
        if !says {
            return self.ask(TurnKind::Answer, pending.clone(), heard.reason);
        }
        let overrides = heard.said(&pending.settled).any(|said| pending.settled.contains_key(&said.slot));
        let kind = if overrides { TurnKind::Correction } else { TurnKind::Answer };
        self.conclude(kind, &pending.tool, heard)
    }

    /// A message after the question whether to make a call: yes, no, something to be changed, or something else.
    fn confirm(&mut self, pending: &Pending) -> Reply {
        let picked = self.chip_named(pending);
        if words::declines(&self.reading) || picked == Some(NO) {
            return self.abandon();
        }
        let agrees = self.catalog.proceed(&self.reading).is_some() || words::agrees(&self.reading);
        if agrees || picked == Some(YES) {
            let heard = self.by_default(&pending.tool, &pending.settled, &Values::new());
            return self.conclude(TurnKind::Answer, &pending.tool, heard);
        }
        let heard = self.hear(&pending.tool, Some(pending), &pending.settled);
        let changed = heard.said(&pending.settled).any(|said| heard.fills(&said.slot, &pending.settled));
        if self.is_another(&pending.tool, &heard, changed) {
            self.state.pending = None;
            self.state.wanted = None;
            return self.begin(TurnKind::Change);
        }
        if changed {
            self.conclude(TurnKind::Correction, &pending.tool, heard)
        } else {
            self.ask(TurnKind::Answer, pending.clone(), heard.reason)
        }
    }

    /// The answer that a message names by its place or its words, and says no more.
    fn chip_named(&self, pending: &Pending) -> Option<usize> {
        let said = self.spoken.text.trim();
        let named = pending.chips.iter().position(|chip| chip.label.eq_ignore_ascii_case(said));
        let place = || said.parse::<usize>().ok().and_then(|place| place.checked_sub(1));
        named.or_else(|| place().filter(|place| *place < pending.chips.len()))
    }

    /// A number that a message says alone, as the value of a slot that takes it.
    fn bare_number(&self, pending: &Pending, slot: &str) -> Option<Value> {
        let said: Value = serde_json::from_str(self.spoken.text.trim()).ok()?;
        let form = super::form(self.catalog, &pending.tool)?;
        let own = form.place(slot).and_then(|place| form.slots.get(place))?;
        let whole = own.kind != Kind::Integer || said.is_i64();
        let fits = said.is_number() && own.kind.is_number() && own.many.is_none();
        (fits && whole && super::takes(&form, slot, &said)).then_some(said)
    }

    fn only_chip(pending: &Pending) -> Option<Chip> {
        pending.chips.first().filter(|_| pending.chips.len() == 1).cloned()
    }

    /// Gives a slot a value that was not said but agreed to.
    fn settle(&mut self, kind: TurnKind, pending: &Pending, slot: &str, value: Value, by: By) -> Reply {
        let mut settled = pending.settled.clone();
        settled.insert(slot.to_owned(), value);
        let mut heard = self.by_default(&pending.tool, &settled, &Values::new());
        for said in heard.slots.iter_mut().filter(|said| said.slot == slot) {
            said.by = by;
        }
        heard.by = Some(by);
        self.conclude(kind, &pending.tool, heard)
    }

    /// A message after an offer: a way on, to go on, or a tool to choose.
    fn choose(&mut self, pending: &Pending) -> Reply {
        if words::declines(&self.reading) {
            return self.abandon();
        }
        let agrees = self.catalog.proceed(&self.reading).is_some() || words::agrees(&self.reading);
        let usual = words::wants_defaults(&self.reading)
            .then(|| pending.chips.iter().position(|chip| chip.value == DEFAULTS))
            .flatten();
        let first = (agrees && pending.asks != Asks::Tool).then_some(0);
        let place = usual.or(first).or_else(|| self.ears.pick(self.spoken.text, &pending.labels()));
        match place.and_then(|place| pending.chips.get(place)) {
            Some(chip) => self.chosen(pending, &chip.value),
            None => self.not_chosen(pending),
        }
    }

    fn chosen(&mut self, pending: &Pending, value: &Value) -> Reply {
        self.state.pending = None;
        match pending.asks {
            Asks::Tool => {
                let tool = value.as_str().unwrap_or_default().to_owned();
                self.go_on(TurnKind::Answer, &tool, false)
            }
            Asks::Resume => {
                let wanted = self.state.wanted.take().unwrap_or_default();
                let work = Work::of(self.catalog, &self.state.facts, &wanted.tool);
                let defaults = work.map(|work| work.defaults()).unwrap_or_default();
                let heard = self.by_default(&wanted.tool, &wanted.settled, &defaults);
                self.conclude(TurnKind::Proceed, &wanted.tool, heard)
            }
            Asks::WayOn(_) | Asks::Slot(_) | Asks::Confirm => {
                self.go_on(TurnKind::WayOn, &pending.tool, *value == DEFAULTS)
            }
        }
    }

    /// A message that takes no offer may answer the step it leads to, or be something else.
    fn not_chosen(&mut self, pending: &Pending) -> Reply {
        if !pending.tool.is_empty() {
            let heard = self.hear(&pending.tool, Some(pending), &pending.settled);
            let says = heard.said(&pending.settled).next().is_some() && heard.outcome != Outcome::Rephrase;
            let fills = pending.slot().is_some_and(|slot| heard.fills(slot, &pending.settled));
            if says && !self.is_another(&pending.tool, &heard, fills) {
                self.state.pending = None;
                return self.conclude(TurnKind::WayOn, &pending.tool, heard);
            }
        }
        let elsewhere = self.spoken.tool.is_none() && !self.routed().tools.is_empty();
        if elsewhere || self.routed().route.is_some() && pending.asks == Asks::Tool {
            self.state.pending = None;
            let again = |wanted: &Call| self.routed().tools.contains(&wanted.tool);
            self.state.wanted = self.state.wanted.clone().filter(again);
            return self.begin(TurnKind::Change);
        }
        self.ask(TurnKind::Answer, pending.clone(), "none of what is offered is named".to_owned())
    }

    /// A message that answers nothing.
    fn begin(&mut self, kind: TurnKind) -> Reply {
        if kind == TurnKind::New && self.catalog.proceed(&self.reading).is_some() {
            return self.proceed();
        }
        if let Some(reply) = self.correction(kind) {
            return reply;
        }
        let tools = match self.spoken.tool {
            Some(tool) => vec![tool.to_owned()],
            None => self.routed().tools.clone(),
        };
        let settled = |tool: &str| self.state.progress.get(tool).cloned().unwrap_or_default();
        let heard = tools.iter().map(|tool| (tool.clone(), self.hear(tool, None, &settled(tool))));
        // Of several tools of one route, the one the message says most for.
        let best = heard.max_by(|(_, one), (_, other)| one.rank().total_cmp(&other.rank()));
        match best {
            // A route was taken for it, so it is about the tool, though it says nothing for its slots.
            Some((tool, heard)) if heard.outcome == Outcome::Rephrase && self.spoken.tool.is_none() => {
                self.go_on(kind, &tool, false)
            }
            Some((tool, heard)) => self.conclude(kind, &tool, heard),
            None => self.step_of_flow(kind).unwrap_or_else(|| self.without_tool(kind)),
        }
    }

    /// A message that goes nowhere may answer the step that comes next though nobody asked: "go with primary".
    fn step_of_flow(&mut self, kind: TurnKind) -> Option<Reply> {
        if self.routed().route.is_some() {
            return None;
        }
        let flow = self.catalog.pending_flow(&self.state.facts)?;
        let tool = self.catalog.tools().get(flow.tool)?.name.clone();
        let settled = self.state.progress.get(&tool).cloned().unwrap_or_default();
        let heard = self.hear(&tool, None, &settled);
        let sure = heard.said(&settled).any(|said| !said.doubtful && said.confidence >= RUN_MIN);
        let meant = sure && heard.covers(self.spoken.text) >= ANSWER_SHARE_MIN;
        meant.then(|| self.conclude(kind, &tool, heard))
    }

    /// Goes on where nothing is asked: with the first flow that is not complete.
    fn proceed(&mut self) -> Reply {
        let flow = self.catalog.pending_flow(&self.state.facts);
        let tool = flow.and_then(|flow| self.catalog.tools().get(flow.tool)).map(|tool| tool.name.clone());
        match tool.or_else(|| self.spoken.tool.map(str::to_owned)) {
            Some(tool) => self.go_on(TurnKind::Proceed, &tool, true),
            None => self.nothing(TurnKind::Proceed, "there is nothing to go on with"),
        }
    }

    /// Changes the last call, where the message takes it back, or would not do without it.
    fn correction(&mut self, kind: TurnKind) -> Option<Reply> {
        let last = self.state.last.clone().filter(|_| kind == TurnKind::New)?;
        let cued = words::corrects(&self.reading);
        let same = match self.spoken.tool {
            Some(tool) => tool == last.tool,
            None => self.routed().tools.contains(&last.tool),
        };
        let nowhere = self.spoken.tool.is_none() && self.routed().route.is_none();
        if !same && !nowhere {
            return None;
        }
        let heard = self.hear(&last.tool, None, &last.settled);
        let says = heard.said(&last.settled).next().is_some() && heard.outcome != Outcome::Rephrase;
        // What is said for the same tool without a word of correction begins anew where it can stand by itself.
        let leans = || {
            let alone = self.hear(&last.tool, None, &Values::new());
            heard.outcome == Outcome::Run && alone.outcome != Outcome::Run
        };
        if !says || !(cued || nowhere || leans()) {
            return None;
        }
        let overrides = heard.said(&last.settled).any(|said| last.settled.contains_key(&said.slot));
        let kind = if cued || overrides { TurnKind::Correction } else { kind };
        Some(self.conclude(kind, &last.tool, heard))
    }

    fn without_tool(&mut self, kind: TurnKind) -> Reply {
        let routed = self.routed().clone();
        match (routed.route, routed.question) {
            (Some(route), _) => self.nothing(kind, format!("the route {route} has no tool to call")),
            (None, Some((question, tools))) if !tools.is_empty() => {
                let chips = tools.into_iter().map(|tool| Chip::new(Value::String(tool))).collect();
                let pending = Pending {
                    asks: Asks::Tool,
                    tool: String::new(),
                    question,
                    chips,
                    settled: Values::new(),
                };
                self.ask(kind, pending, routed.message)
            }
            (None, _) => self.nothing(kind, routed.message),
        }
    }

    /// Whether a message is surely another tool's than the one it was asked for.
    fn is_another(&self, tool: &str, heard: &Heard, fills: bool) -> bool {
        if self.spoken.tool.is_some() {
            return false;
        }
        let routed = self.routed();
        if routed.tools.is_empty() || routed.tools.iter().any(|own| own == tool) {
            return false;
        }
        let silent = heard.slots.iter().all(|said| said.span.is_none());
        let sure = routed.confidence >= RUN_MIN;
        silent && !fills || sure && (!fills || heard.covers(self.spoken.text) < ANSWER_SHARE_MIN)
    }

    /// The route of the message, asked for once.
    fn routed(&self) -> &Routed {
        self.routed.get_or_init(|| self.ears.route(self.spoken.text, &self.state.facts))
    }

    /// What the message says for a tool.
    fn hear(&self, tool: &str, pending: Option<&Pending>, settled: &Values) -> Heard {
        let memory = self.state.memory(self.catalog, tool);
        self.ears.hear(&self.asking(self.spoken.text, tool, pending, settled, &memory))
    }

    pub(super) fn asking<'a>(
        &'a self,
        text: &'a str,
        tool: &'a str,
        pending: Option<&'a Pending>,
        settled: &'a Values,
        memory: &'a Values,
    ) -> Ask<'a> {
        Ask {
            text,
            tool,
            about: pending.and_then(Pending::slot),
            question: pending.map(|pending| pending.question.as_str()),
            options: pending.map(Pending::options).unwrap_or_default(),
            settled,
            memory,
            facts: &self.state.facts,
        }
    }
}
