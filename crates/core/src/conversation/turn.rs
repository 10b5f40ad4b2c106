//! What is a message in its conversation? An answer, going on, a correction, something else, or the end of it.

use std::cell::OnceCell;

use serde_json::Value;

use super::answers::LATER_MAX;
use super::{
    Ask, Asks, Chip, Conversation, Ears, Heard, Move, Pending, Reply, Routed, TurnKind, Values, words,
};
use crate::arguments::form::Kind;
use crate::arguments::{By, Outcome, RUN_MIN};
use crate::catalog::Catalog;
use crate::message::Reading;

/// A message that answers what is asked is mostly its answer: of one whose values are less than so much of it, and which is
/// surely another tool's, they are not meant as one ("top 10 wards by rainfall" is no number of nets).
const ANSWER_SHARE_MIN: f32 = 0.5;

/// A message that no route takes surely is still for the likeliest one if its tool takes so much of the text as values.
const GUESS_SHARE_MIN: f32 = 0.15;

/// How sure the route of a message must be that answers nothing of what is asked, to leave that for it.
pub(super) const ANOTHER_MIN: f32 = 0.7;

/// Telling words up to which a message with a word of correction is for the last call, whatever route its words lead to.
const CORRECTION_WORDS_MAX: usize = 4;

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
    /// What the message asks of the conversation itself, once it was asked for.
    pub moved: OnceCell<Option<Move>>,
    /// The value that the message before asked about.
    pub pointed: Option<Value>,
    pub reading: Reading,
}

/// Takes a turn: the conversation after a message, and what is said back.
pub fn turn(
    catalog: &Catalog,
    ears: &dyn Ears,
    state: Conversation,
    spoken: Spoken<'_>,
) -> (Conversation, Reply) {
    let mut talk = Talk::new(catalog, ears, state, spoken);
    let reply = talk.take();
    (talk.state, reply)
}

impl<'t> Talk<'t> {
    pub(super) fn new(
        catalog: &'t Catalog,
        ears: &'t dyn Ears,
        state: Conversation,
        spoken: Spoken<'t>,
    ) -> Talk<'t> {
        let (reading, mut state) = (Reading::new(spoken.text), state);
        let pointed = state.explained.take();
        Talk {
            catalog,
            ears,
            spoken,
            state,
            routed: OnceCell::new(),
            moved: OnceCell::new(),
            pointed,
            reading,
        }
    }
}

impl Talk<'_> {
    fn take(&mut self) -> Reply {
        // "Forget it, book a room" asks for something else.
        let elsewhere = || self.routed().confidence >= RUN_MIN && !self.routed().tools.is_empty();
        let ends = || self.state.pending.is_some() && words::drops(self.spoken.text) && !elsewhere();
        if words::abandons(&self.reading) || ends() {
            return self.abandon();
        }
        if let Some(reply) = self.aside() {
            return reply;
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
    pub(super) fn abandon(&mut self) -> Reply {
        let dropped = self.state.pending.take();
        let waited = self.state.wanted.take();
        self.state.later.clear();
        if dropped.is_some() || waited.is_some() {
            self.state.last = None;
        }
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

    /// A message that answers nothing.
    pub(super) fn begin(&mut self, kind: TurnKind) -> Reply {
        if kind == TurnKind::New && self.catalog.proceed(&self.reading).is_some() {
            return self.proceed();
        }
        if kind == TurnKind::New {
            if let Some(reply) = self.again() {
                return reply;
            }
            // Known words alone steer before a correction; "no sorry, payroll" is like a refusal and changes the last call.
            if let Some(reply) = words::moves(&self.reading).and_then(|known| self.steer(known)) {
                return reply;
            }
            let chats = self.steered() == Some(Move::Chat);
            let corrected = if chats { None } else { self.correction() };
            if let Some(reply) = corrected.or_else(|| self.steer(self.steered()?)) {
                return reply;
            }
        }
        let tools = match self.spoken.tool {
            Some(tool) => vec![tool.to_owned()],
            None => self.routed().tools.clone(),
        };
        let tools = if tools.is_empty() { self.guessed() } else { tools };
        let settled = |tool: &str| self.state.progress.get(tool).cloned().unwrap_or_default();
        let first = self.routed.get().and_then(|routed| routed.first.clone());
        let text = first.as_deref().unwrap_or(self.spoken.text);
        let heard = tools.iter().map(|tool| (tool.clone(), self.hear_text(text, tool, None, &settled(tool))));
        // Of several tools of one route, the one the message says most for.
        let best = heard.max_by(|(_, one), (_, other)| one.rank().total_cmp(&other.rank()));
        if let Some((tool, _)) = &best {
            let also = self.routed.get().map(|routed| routed.also.as_slice()).unwrap_or_default();
            let mut later = std::mem::take(&mut self.state.later);
            later.extend(also.iter().cloned());
            later.retain(|waits| !self.is_same_tool(&waits.tool, tool));
            later.truncate(LATER_MAX);
            self.state.later = later;
        }
        match best {
            // A route was taken for it, so it is about the tool, though it says nothing for its slots.
            Some((tool, heard)) if heard.outcome == Outcome::Rephrase && self.spoken.tool.is_none() => {
                self.go_on(kind, &tool, false)
            }
            Some((tool, heard)) => {
                let heard = self.missing_first(&tool, &settled(&tool), heard);
                self.conclude(kind, &tool, heard)
            }
            None => self.step_of_flow(kind).unwrap_or_else(|| self.without_tool(kind)),
        }
    }

    /// What follows where a message steers the conversation while nothing is asked, and no route is taken.
    fn steer(&mut self, steered: Move) -> Option<Reply> {
        if self.spoken.tool.is_some() || !self.routed().tools.is_empty() {
            return None;
        }
        match steered {
            Move::Cancel => Some(self.abandon()),
            Move::Decline | Move::Chat => Some(self.chatted()),
            Move::Agree | Move::That if self.catalog.pending_flow(&self.state.facts).is_none() => {
                Some(self.nothing(TurnKind::Proceed, "there is nothing to go on with"))
            }
            _ => None,
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
            Some(tool) if self.is_awaited(&tool) => {
                self.nothing(TurnKind::Proceed, format!("the outcome of {tool} has not been reported"))
            }
            Some(tool) => self.go_on(TurnKind::Proceed, &tool, true),
            None => self.nothing(TurnKind::Proceed, "there is nothing to go on with"),
        }
    }

    /// Changes the last call, where the message takes it back, or would not do without it.
    fn correction(&mut self) -> Option<Reply> {
        let last = self.state.last.clone()?;
        let cued = words::corrects(&self.reading) || words::adds(&self.reading);
        let refers = words::refers(&self.reading);
        let same = match self.spoken.tool {
            Some(tool) => tool == last.tool,
            None => self.routed().tools.contains(&last.tool),
        };
        let nowhere = self.spoken.tool.is_none() && self.routed().route.is_none();
        // "Could that be done on thursday?" speaks of the last call.
        let cued = cued || same && refers;
        let heard = self.hear(&last.tool, None, &last.settled);
        let heard = self.settled_on(&last.tool, None, &last.settled, heard);
        // A word of correction may stand before a value that other tools take as well: "oops, I meant web1".
        let meant = cued
            && self.spoken.tool.is_none()
            && heard.said(&last.settled).any(|said| said.span.is_some() || said.by == By::Exact);
        let alone = meant && words::telling_count(&self.reading) <= CORRECTION_WORDS_MAX;
        if !same && !nowhere && !alone {
            return None;
        }
        let says = heard.said(&last.settled).next().is_some() && heard.outcome != Outcome::Rephrase;
        // What is said for the same tool without a word of correction begins anew where it can stand by itself.
        let leans = || {
            let alone = self.hear(&last.tool, None, &Values::new());
            heard.outcome == Outcome::Run && alone.outcome != Outcome::Run
        };
        let covers =
            || heard.covers(self.spoken.text) >= ANSWER_SHARE_MIN || words::telling_count(&self.reading) <= 2;
        if !says || !(cued || nowhere && covers() || leans()) {
            return None;
        }
        let overrides = heard.said(&last.settled).any(|said| last.settled.contains_key(&said.slot));
        let kind = if cued || overrides { TurnKind::Correction } else { TurnKind::New };
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

    /// Whether a message is another tool's than the one it was asked for: it is routed there, and what it says for this one is
    /// nothing, a guess, or little of it.
    pub(super) fn is_another(
        &self,
        tool: &str,
        about: Option<&str>,
        heard: &Heard,
        settled: &Values,
    ) -> bool {
        if self.spoken.tool.is_some() {
            return false;
        }
        let routed = self.routed();
        if routed.tools.is_empty() || routed.tools.iter().any(|own| own == tool) {
            return false;
        }
        let fills = match about {
            Some(slot) => heard.fills(slot, settled),
            None => heard.said(settled).any(|said| heard.fills(&said.slot, settled)),
        };
        let firm = heard.firm();
        let plain = || self.plain_values(tool, about, settled);
        let names = || firm.iter().chain(&plain()).any(|(slot, value)| settled.get(slot) != Some(value));
        let telling = words::telling_count(&self.reading);
        // "No wait, tuesday" changes what is being asked about, wherever its words would lead by themselves.
        let asks = self.spoken.text.contains('?');
        if telling <= CORRECTION_WORDS_MAX
            && words::corrects(&self.reading)
            && !asks
            && (names() || self.has_value())
        {
            return false;
        }
        let sure = routed.confidence >= RUN_MIN;
        let silent = heard.slots.iter().all(|said| said.span.is_none());
        let little = !fills || heard.covers(self.spoken.text) < ANSWER_SHARE_MIN;
        let takes_text = || about.is_some_and(|slot| self.is_free_text(tool, slot));
        let guessed = !fills && telling > 2 && !takes_text() && !names() && routed.confidence >= ANOTHER_MIN;
        silent && !fills && routed.confidence >= ANOTHER_MIN
            || sure && little
            || asks && !fills && !names()
            || guessed
    }

    /// Whether any words may be the value of a slot.
    pub(super) fn is_free_text(&self, tool: &str, slot: &str) -> bool {
        let form = super::form(self.catalog, tool);
        form.and_then(|form| {
            form.slots.get(form.place(slot)?).map(|slot| slot.kind == Kind::Text && !slot.closed)
        })
        .unwrap_or_default()
    }

    /// The route of the message, asked for once.
    pub(super) fn routed(&self) -> &Routed {
        let route = |text: &str| self.ears.route(text, &self.state.facts);
        self.routed.get_or_init(|| {
            let whole = route(self.spoken.text);
            // "Hold on, how warm is it?" asks how warm it is.
            let rest = words::after_opening(self.spoken.text).filter(|_| whole.tools.is_empty());
            let routed = rest.map(|rest| Routed { first: Some(rest.to_owned()), ..route(rest) });
            routed.filter(|routed| !routed.tools.is_empty()).unwrap_or(whole)
        })
    }

    /// What the message says for a tool.
    pub(super) fn hear(&self, tool: &str, pending: Option<&Pending>, settled: &Values) -> Heard {
        self.hear_text(self.spoken.text, tool, pending, settled)
    }

    fn hear_text(&self, text: &str, tool: &str, pending: Option<&Pending>, settled: &Values) -> Heard {
        let memory = self.state.memory(self.catalog, tool);
        self.ears.hear(&self.asking(text, tool, pending, settled, &memory))
    }

    /// The tools of the likeliest route where none was sure enough, if the message says values for them.
    fn guessed(&self) -> Vec<String> {
        let fills = |tool: &&String| {
            let heard = self.hear(tool, None, &Values::new());
            let said = heard.slots.iter().any(|said| said.span.is_some() && !said.doubtful);
            said && heard.outcome != Outcome::Rephrase && heard.covers(self.spoken.text) >= GUESS_SHARE_MIN
        };
        self.routed().guess.iter().filter(fills).cloned().collect()
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
