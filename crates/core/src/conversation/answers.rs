//! Is a message the answer to what is asked? A value, yes or no, one of a few offers, or something else that lets the question wait.

use serde_json::Value;

use super::conclude::DEFAULTS;
use super::flow::Work;
use super::turn::Talk;
use super::{Asks, Chip, Heard, Later, Move, Pending, Reply, TurnKind, Values, words};
use crate::arguments::form::Kind;
use crate::arguments::{By, Outcome};
use crate::gates;

/// Words up to which agreement is no more than that.
const AGREEMENT_WORDS_MAX: usize = 4;

/// Most requests that wait.
pub(super) const LATER_MAX: usize = 3;

/// The places of the answers to the question whether to make a call.
const YES: usize = 0;
const NO: usize = 1;

impl Talk<'_> {
    /// A message after a question for a slot.
    pub(super) fn answer(&mut self, pending: &Pending, slot: &str) -> Reply {
        let proceeds = self.catalog.proceed(&self.reading).is_some();
        if proceeds || words::wants_defaults(&self.reading) {
            let work = Work::of(self.catalog, &self.state.facts, &pending.tool);
            if let Some(value) = work.and_then(|work| work.default_of(slot)) {
                return self.settle(TurnKind::Proceed, pending, slot, value, By::Default);
            }
        }
        if let Some(Chip { value, .. }) = Self::only_chip(pending).filter(|_| proceeds || self.agrees()) {
            return self.settle(TurnKind::Answer, pending, slot, value, By::Exact);
        }
        let of_number = |chip: &Chip| chip.value.is_number();
        let chip = self.chip_named(pending).and_then(|place| pending.chips.get(place));
        if let Some(Chip { label, value }) = chip.filter(|_| !pending.chips.iter().any(of_number)) {
            let by =
                if self.spoken.text.trim().eq_ignore_ascii_case(label) { By::Exact } else { By::Ordinal };
            return self.settle(TurnKind::Answer, pending, slot, value.clone(), by);
        }
        let short = words::words(&self.reading).len() <= AGREEMENT_WORDS_MAX;
        let means_it = || short && matches!(self.steered(), Some(Move::That | Move::Agree));
        let names_another =
            || self.plain_values(&pending.tool, Some(slot), &pending.settled).contains_key(slot);
        if let Some(value) = self.pointed.clone().filter(|_| means_it() && !names_another()) {
            return self.settle(TurnKind::Answer, pending, slot, value, By::Exact);
        }
        if let Some(value) = self.bare_number(pending, slot) {
            return self.settle(TurnKind::Answer, pending, slot, value, By::Number);
        }
        if proceeds {
            return self.ask(TurnKind::Proceed, pending.clone(), format!("{slot} has no default"));
        }
        let free_text = self.is_free_text(&pending.tool, slot);
        if free_text && self.is_no_text() {
            return match self.steered() {
                Some(Move::Cancel | Move::Decline) => self.abandon(),
                Some(Move::Chat) => self.chatted(),
                _ if self.routed().tools.iter().any(|tool| *tool != pending.tool) => {
                    self.interrupted(pending)
                }
                _ => self.ask(TurnKind::Answer, pending.clone(), format!("{slot} is not said")),
            };
        }
        // "One moment, the doorbell" is no answer.
        let is_aside = self.steered() == Some(Move::Chat) && !self.has_value() && !names_another();
        if is_aside && !free_text {
            return self.chatted();
        }
        let heard = self.hear(&pending.tool, Some(pending), &pending.settled);
        if self.is_another(&pending.tool, Some(slot), &heard, &pending.settled) {
            return self.interrupted(pending);
        }
        let heard = self.without_swallowed(pending, slot, heard);
        let mut heard = self.settled_on(&pending.tool, Some(slot), &pending.settled, heard);
        let says = |heard: &Heard| heard.said(&pending.settled).next().is_some();
        if !says(&heard) && words::corrects(&self.reading) {
            // It may change another slot than the one that is asked for.
            let free = self.hear(&pending.tool, None, &pending.settled);
            heard = self.settled_on(&pending.tool, None, &pending.settled, free);
        }
        if !says(&heard) {
            return match self.steered() {
                Some(Move::Cancel) => self.abandon(),
                Some(Move::Chat) => self.chatted(),
                _ => self.ask(TurnKind::Answer, pending.clone(), heard.reason),
            };
        }
        let overrides = heard.said(&pending.settled).any(|said| pending.settled.contains_key(&said.slot));
        let kind = if overrides { TurnKind::Correction } else { TurnKind::Answer };
        self.conclude(kind, &pending.tool, heard)
    }

    /// Whether a message is surely not the text that is asked for: a question, or a few words that steer the conversation.
    fn is_no_text(&self) -> bool {
        let steers = matches!(self.steered(), Some(Move::Agree | Move::Cancel | Move::Decline | Move::Chat));
        let short = words::words(&self.reading).len() <= AGREEMENT_WORDS_MAX;
        self.spoken.text.trim_end().ends_with('?') || short && steers
    }

    /// What was heard without a text that is no more than the words around another slot's choice: "the boat was cancelled!" is no booking code.
    fn without_swallowed(&self, pending: &Pending, slot: &str, mut heard: Heard) -> Heard {
        let plain = self.plain_values(&pending.tool, Some(slot), &pending.settled);
        let names_another = plain.keys().any(|own| own != slot) && !plain.contains_key(slot);
        if names_another && self.is_free_text(&pending.tool, slot) {
            heard.slots.retain(|said| said.slot != slot || said.span.is_none() || said.by != By::Learned);
            heard.outcome = Outcome::Clarify;
        }
        heard
    }

    /// A message after the question whether to make a call: yes, no, something to be changed, or something else.
    pub(super) fn confirm(&mut self, pending: &Pending) -> Reply {
        let picked = self.chip_named(pending);
        let known = words::moves(&self.reading);
        if known == Some(Move::Decline) || picked == Some(NO) {
            return self.abandon();
        }
        let heard = self.hear(&pending.tool, Some(pending), &pending.settled);
        let is_another = self.is_another(&pending.tool, None, &heard, &pending.settled);
        let heard = self.settled_on(&pending.tool, None, &pending.settled, heard);
        let changed = heard.outcome == Outcome::Run
            || heard.said(&pending.settled).any(|said| heard.fills(&said.slot, &pending.settled));
        let changed = changed && heard.said(&pending.settled).next().is_some();
        let steered = self.steered().filter(|_| !changed || known.is_some());
        if matches!(steered, Some(Move::Decline | Move::Cancel)) {
            return self.abandon();
        }
        let agrees = self.catalog.proceed(&self.reading).is_some()
            || matches!(steered, Some(Move::Agree | Move::Repeat | Move::That));
        if agrees || picked == Some(YES) {
            let heard = self.by_default(&pending.tool, &pending.settled, &Values::new());
            return self.conclude(TurnKind::Answer, &pending.tool, heard);
        }
        if is_another {
            return self.interrupted(pending);
        }
        if changed {
            self.conclude(TurnKind::Correction, &pending.tool, heard)
        } else {
            match steered {
                Some(Move::Chat) => self.chatted(),
                _ => self.ask(TurnKind::Answer, pending.clone(), heard.reason),
            }
        }
    }

    /// A message that is about something else: what was asked waits until that is done.
    fn interrupted(&mut self, pending: &Pending) -> Reply {
        self.state.pending = None;
        // What waits behind a gate leads back to its way on by itself.
        let waits = self.state.wanted.is_none().then(|| Later {
            tool: pending.tool.clone(),
            text: String::new(),
            settled: pending.settled.clone(),
        });
        self.meanwhile(waits)
    }

    /// Takes a message for itself; what was open before waits until it is done.
    fn meanwhile(&mut self, waits: Option<Later>) -> Reply {
        let reply = self.begin(TurnKind::Change);
        let waits = waits.filter(|waits| reply.tool.as_deref() != Some(waits.tool.as_str()));
        match waits {
            Some(waits) if self.state.later.len() < LATER_MAX => self.state.later.push(waits),
            _ => return reply,
        }
        if reply.outcome == Outcome::Run && reply.pending.is_none() { self.with_next(reply) } else { reply }
    }

    /// A reply that made a call, with the offer of what waits.
    fn with_next(&mut self, reply: Reply) -> Reply {
        let ran = reply.tool.clone().unwrap_or_default();
        self.state.pending = self.next_request(&ran);
        Reply { pending: self.state.pending.clone(), ..reply }
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
        if self.spoken.text.contains('-') {
            return None;
        }
        let said: Value = serde_json::from_str(words::only_word(&self.reading)?).ok()?;
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
    pub(super) fn choose(&mut self, pending: &Pending) -> Reply {
        if self.declines() {
            return self.abandon();
        }
        if let Some(reply) = self.changes_wanted(pending) {
            return reply;
        }
        // Words that agree may say a value besides: "fine, unlock it for 20 minutes".
        let long = words::words(&self.reading).len() > AGREEMENT_WORDS_MAX;
        let agrees = self.catalog.proceed(&self.reading).is_some()
            || self.agrees() && !(long && self.says_for(pending))
            || words::begins_agreeing(self.spoken.text)
                && self.is_for(&pending.tool)
                && !self.says_for(pending);
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

    /// Whether a message leads to a tool, or nowhere.
    fn is_for(&self, tool: &str) -> bool {
        let tools = &self.routed().tools;
        self.spoken.tool.is_some() || tools.is_empty() || tools.iter().any(|own| own == tool)
    }

    /// Whether a message gives the tool of an offer a value.
    fn says_for(&self, pending: &Pending) -> bool {
        let heard = self.hear(&pending.tool, Some(pending), &pending.settled);
        heard.said(&pending.settled).any(|said| said.span.is_some() && !said.doubtful)
    }

    /// A message at a closed gate that says something else for the call that waits there: "hm, on the digital press rather".
    fn changes_wanted(&mut self, pending: &Pending) -> Option<Reply> {
        let wanted = self.state.wanted.clone().filter(|wanted| wanted.tool != pending.tool)?;
        let cued = words::corrects(&self.reading) && words::moves(&self.reading).is_none();
        if !cued || !matches!(pending.asks, Asks::WayOn(_)) {
            return None;
        }
        let heard = self.hear(&wanted.tool, None, &wanted.settled);
        let heard = self.settled_on(&wanted.tool, None, &wanted.settled, heard);
        let said = heard
            .said(&wanted.settled)
            .any(|said| said.span.is_some() && wanted.settled.contains_key(&said.slot));
        let own = self.plain_values(&pending.tool, pending.slot(), &pending.settled);
        (said && own.is_empty()).then(|| self.conclude(TurnKind::Correction, &wanted.tool, heard))
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
                let facts = self.state.facts.clone();
                let work = Work::of(self.catalog, &facts, &wanted.tool);
                let defaults = work.as_ref().map(Work::defaults).unwrap_or_default();
                let heard = self.by_default(&wanted.tool, &wanted.settled, &defaults);
                let needed = work.as_ref().and_then(|work| work.question(work.needed(&wanted.settled)?));
                // A flow that was interrupted goes on at its next step.
                if gates::closed(&self.gates(&wanted.tool)).is_some() {
                    return self.conclude(TurnKind::Proceed, &wanted.tool, heard);
                }
                let is_made = self.state.progress.get(&wanted.tool) == Some(&wanted.settled);
                match needed.filter(|_| is_made || heard.outcome != Outcome::Run) {
                    Some(question) => {
                        let pending = Pending::of(&wanted.tool, &question, wanted.settled.clone());
                        self.ask(TurnKind::Proceed, pending, String::new())
                    }
                    None => self.conclude(TurnKind::Proceed, &wanted.tool, heard),
                }
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
            let another = self.is_another(&pending.tool, pending.slot(), &heard, &pending.settled);
            let heard = self.settled_on(&pending.tool, pending.slot(), &pending.settled, heard);
            let says = heard.said(&pending.settled).next().is_some() && heard.outcome != Outcome::Rephrase;
            if says && !another {
                self.state.pending = None;
                return self.conclude(TurnKind::WayOn, &pending.tool, heard);
            }
        }
        let elsewhere = self.spoken.tool.is_none() && !self.routed().tools.is_empty();
        if elsewhere || self.routed().route.is_some() && pending.asks == Asks::Tool {
            self.state.pending = None;
            if pending.asks != Asks::Resume {
                return self.begin(TurnKind::Change);
            }
            let wanted = self.state.wanted.take();
            let waits =
                wanted.map(|call| Later { tool: call.tool, text: String::new(), settled: call.settled });
            return self.meanwhile(waits);
        }
        if self.steered() == Some(Move::Chat) {
            return self.chatted();
        }
        self.ask(TurnKind::Answer, pending.clone(), "none of what is offered is named".to_owned())
    }
}
