//! What does a message ask of the conversation itself? Help, the last call again, the other of two, or nothing at all.

use super::conclude::CONTINUE;
use super::explain::{Open, explain};
use super::flow::Work;
use super::turn::{ANOTHER_MIN, Talk};
use super::words::{self, Move};
use super::{Asks, Call, Pending, Reply, TurnKind, Values};
use crate::arguments::Outcome;

/// Words beyond which a message is about more than the conversation itself.
const MOVE_WORDS_MAX: usize = 9;
/// Words from the beginning among which "why" asks for a reason: "ok, but why".
const WHY_WITHIN: usize = 4;
/// How help begins.
pub const OFFERED: &str = "You can ask for:";
/// Most routes or tools that help lists.
const LISTED_MAX: usize = 12;

impl Talk<'_> {
    /// What the whole message asks of the conversation: by known words, otherwise by what the trained model takes it for.
    pub(super) fn steered(&self) -> Option<Move> {
        *self.moved.get_or_init(|| {
            let count = words::words(&self.reading).len();
            let unknown = || self.ears.steer(self.spoken.text);
            words::moves(&self.reading).or_else(|| (1..=MOVE_WORDS_MAX).contains(&count).then(unknown)?)
        })
    }

    pub(super) fn agrees(&self) -> bool {
        // What is only like agreement may take it back: "ok but not yet".
        let known = words::moves(&self.reading) == Some(Move::Agree);
        known || self.steered() == Some(Move::Agree) && !words::doubts(&self.reading)
    }

    pub(super) fn declines(&self) -> bool {
        let declines = |steered: Option<Move>| matches!(steered, Some(Move::Decline | Move::Cancel));
        // What is only like a refusal may be a request of its own: "ignore that and plan the nets".
        declines(words::moves(&self.reading)) || declines(self.steered()) && self.routed().tools.is_empty()
    }

    /// The reply to a message that speaks of the conversation itself, or asks what a term means.
    pub(super) fn aside(&mut self) -> Option<Reply> {
        let open = self.state.pending.as_ref();
        let tool = open.map(|pending| pending.tool.as_str()).filter(|tool| !tool.is_empty());
        let open = Open { tool, slot: open.and_then(Pending::slot) };
        if let Some(found) = explain(self.catalog, &self.reading, open).filter(|_| !self.is_call()) {
            self.state.explained = found.value;
            return Some(self.explained(found.text));
        }
        if let Some(reason) = self.why_closed() {
            return Some(self.explained(reason));
        }
        let helps = self.steered() == Some(Move::Help);
        let by_words = words::moves(&self.reading) == Some(Move::Help);
        (helps && (by_words || self.routed().tools.is_empty())).then(|| {
            let text = self.offered();
            self.explained(text)
        })
    }

    /// Why the gate is closed that was reached, where that is asked.
    fn why_closed(&self) -> Option<String> {
        let offered = self.state.pending.as_ref().filter(|pending| matches!(pending.asks, Asks::WayOn(_)))?;
        let said = words::words(&self.reading);
        let what_for = said.last() == Some(&"for") && said.contains(&"what");
        let asks = what_for || said.iter().take(WHY_WITHIN).any(|word| *word == "why");
        asks.then(|| offered.question.clone())
    }

    /// Whether the message is surely meant for a tool, though it is worded as a question: "what is the price of two shirts?"
    fn is_call(&self) -> bool {
        let Some(tool) = self.routed().tools.first() else { return false };
        let open = self.state.pending.as_ref().map(|pending| pending.tool.as_str());
        if self.routed().confidence >= ANOTHER_MIN && open.is_some_and(|open| open != tool) {
            return true;
        }
        let heard = self.hear(tool, None, &Values::new());
        heard.outcome == Outcome::Run && heard.slots.iter().any(|said| said.span.is_some())
    }

    /// An explanation; what was open stays open.
    fn explained(&mut self, text: String) -> Reply {
        let pending = self.state.pending.clone();
        let outcome = if pending.is_some() { Outcome::Clarify } else { Outcome::Rephrase };
        let tool = pending.as_ref().map(|pending| pending.tool.clone()).filter(|tool| !tool.is_empty());
        let gates = pending.as_ref().map(|pending| self.gates_shown(pending)).unwrap_or_default();
        let explanation = Some(text);
        Reply { kind: TurnKind::Explained, outcome, tool, pending, gates, explanation, ..Reply::default() }
    }

    /// What can be asked for: the catalog's routes, or its tools where it has none.
    fn offered(&self) -> String {
        let line = |name: &str, description: &str| {
            let name = name.replace(['_', '-'], " ");
            if description.is_empty() { format!("- {name}") } else { format!("- {name}: {description}") }
        };
        let routes = self.catalog.routes().map(|(_, route)| line(&route.name, &route.description));
        let tools = self.catalog.tools().iter().map(|tool| line(&tool.name, &tool.description));
        let mut lines: Vec<String> = routes.collect();
        if lines.is_empty() {
            lines = tools.collect();
        }
        let left = lines.len().saturating_sub(LISTED_MAX);
        lines.truncate(LISTED_MAX);
        let more = (left > 0).then(|| format!("- and {left} more"));
        let lead = OFFERED.to_owned();
        [lead].into_iter().chain(lines).chain(more).collect::<Vec<_>>().join("\n")
    }

    /// The last call again, or with the other of two values.
    pub(super) fn again(&mut self) -> Option<Reply> {
        let last = self.state.last.clone()?;
        let settled = match self.steered()? {
            // "The same again, but larger" says a value of its own.
            Move::Repeat if self.says_more(&last) => return None,
            Move::Repeat => last.settled.clone(),
            Move::Other => self.with_other(&last.tool, &last.settled)?,
            _ => return None,
        };
        let kind = if settled == last.settled { TurnKind::New } else { TurnKind::Correction };
        let heard = self.by_default(&last.tool, &settled, &Values::new());
        Some(self.conclude(kind, &last.tool, heard))
    }

    /// Whether a message gives the last call's tool a value that it did not have.
    pub(super) fn says_more(&self, last: &Call) -> bool {
        let heard = self.hear(&last.tool, None, &last.settled);
        heard.said(&last.settled).any(|said| said.span.is_some() && !said.doubtful)
    }

    /// The values with the only one of two choices exchanged for the other; nothing where more than one slot has two.
    fn with_other(&self, tool: &str, settled: &Values) -> Option<Values> {
        let form = super::form(self.catalog, tool)?;
        let mut swapped = form.slots.iter().filter_map(|slot| {
            let own = settled.get(&slot.name)?;
            let [one, other] = slot.choices.as_slice() else { return None };
            let next = if one.value == *own { &other.value } else { &one.value };
            Some((slot.name.clone(), next.clone()))
        });
        let (slot, value) = swapped.next()?;
        if swapped.next().is_some() {
            return None;
        }
        let mut values = settled.clone();
        values.insert(slot, value);
        Some(values)
    }

    /// Thanks, a greeting or small talk: nothing follows, and what is open stays open.
    pub(super) fn chatted(&mut self) -> Reply {
        let pending = self.state.pending.clone();
        let outcome = if pending.is_some() { Outcome::Clarify } else { Outcome::Rephrase };
        Reply {
            kind: TurnKind::Chat,
            outcome,
            pending,
            reason: "nothing is asked for".to_owned(),
            ..Reply::default()
        }
    }

    /// The offer to go on with what was asked besides the call that was just made.
    pub(super) fn next_request(&mut self, ran: &str) -> Option<Pending> {
        self.state.later.retain(|later| later.tool != ran);
        let next = (!self.state.later.is_empty()).then(|| self.state.later.remove(0))?;
        let mut settled = next.settled;
        if !next.text.is_empty() {
            let nothing = Values::new();
            let heard = self.ears.hear(&self.asking(&next.text, &next.tool, None, &settled, &nothing));
            // The question shows them, so that a yes settles what is only likely.
            settled.extend(heard.firm());
            settled.extend(heard.understood());
        }
        let shown: Vec<String> =
            settled.iter().map(|(slot, value)| format!("{slot} = {}", plainly(value))).collect();
        let with = if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) };
        let args = settled.clone().into_iter().collect();
        self.state.wanted = Some(Call { tool: next.tool.clone(), settled, args });
        Some(self.resume(&next.tool, format!("{} was asked for, too. Go on with it{with}?", next.tool)))
    }

    /// The offer to go on with a call that waits.
    pub(super) fn resume(&self, tool: &str, question: String) -> Pending {
        let settled = self.state.wanted.as_ref().map(|wanted| wanted.settled.clone()).unwrap_or_default();
        let chips = vec![super::Chip::act(format!("go on with {tool}"), CONTINUE)];
        Pending { asks: Asks::Resume, tool: tool.to_owned(), question, chips, settled }
    }

    /// Whether the flow of a tool is complete and its outcome has not been reported.
    pub(super) fn is_awaited(&self, tool: &str) -> bool {
        Work::of(self.catalog, &self.state.facts, tool).is_some_and(|work| work.flow.is_some())
            && self.state.awaited.contains(tool)
    }
}

/// A value as a question shows it.
pub(super) fn plainly(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
