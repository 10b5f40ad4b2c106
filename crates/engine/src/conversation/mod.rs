//! How does a conversation go on? A message a turn, with what is remembered between them, and the events it leaves.
//!
//! [`Conversations`] brings to the core's room `conversation` what it needs of the world: the router and the interpreter that
//! hear a message, the store that remembers, the clock, and a file of events.

mod answer;
mod moves;
mod ears;
mod events;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use waypost_core::arguments::{self, By};
use waypost_core::catalog::{Catalog, Off};
use waypost_core::conversation::{Conversation, Reply, Reported, Spoken, TurnKind, report, turn};
use waypost_core::limits::MESSAGE_BYTES_MAX;
use waypost_core::message::Fact;

pub use answer::{Clarification, TurnAnswer, WouldRun};
pub use events::{Event, Events, UserText};

use crate::Router;
use crate::arguments::{Interpreter, Refused, ToolGiven};
use crate::ports::{Clock, Store, SystemClock, elapsed_us};
use crate::store::{ChoiceKept, Forgotten, StoreError, TurnOf, Turned};
use ears::Hearing;
use moves::Moves;

/// A message of a conversation, and whose it is.
#[derive(Clone, Debug, Default)]
pub struct Message<'a> {
    /// Whose user says it.
    pub tenant: Option<&'a str>,
    /// Who says it.
    pub user: Option<&'a str>,
    /// The conversation.
    pub session: &'a str,
    /// What was said.
    pub text: &'a str,
    /// The tool it is for, where that is not to be found out.
    pub tool: Option<&'a str>,
    /// Facts that somebody else established; they are remembered.
    pub facts: BTreeMap<String, Fact>,
}

/// A catalog in conversation. Safe to share between threads.
pub struct Conversations {
    router: Router,
    interpreter: Interpreter,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    events: Option<Events>,
    now: Option<String>,
    locale: Option<String>,
    moves: Moves,
}

/// The outcome of a tool, as the host that ran it reports it.
#[derive(Clone, Debug, Default)]
pub struct Outcome<'a> {
    /// Whose user the conversation belongs to.
    pub tenant: Option<&'a str>,
    /// Who speaks in it.
    pub user: Option<&'a str>,
    /// The conversation.
    pub session: &'a str,
    /// The tool, by name.
    pub tool: &'a str,
    /// Whether it did its work.
    pub success: bool,
    /// Facts that hold since; they are kept where it succeeded.
    pub facts: BTreeMap<String, Fact>,
}

impl Conversations {
    /// Conversations by a router and the interpreter of its catalog, remembered in a store.
    pub fn new(router: &Router, interpreter: Interpreter, store: Arc<dyn Store>) -> Conversations {
        Conversations {
            router: router.clone(),
            interpreter,
            store,
            clock: Arc::new(SystemClock),
            events: None,
            now: None,
            locale: None,
            moves: Moves::default(),
        }
    }

    /// The same by a clock of your choice.
    #[must_use]
    pub fn with_clock(self, clock: impl Clock + 'static) -> Conversations {
        Conversations { clock: Arc::new(clock), ..self }
    }

    /// The same, telling events.
    #[must_use]
    pub fn with_events(self, events: Option<Events>) -> Conversations {
        Conversations { events, ..self }
    }

    /// The same where the speaker is: the time on his clock, as ISO 8601, and his locale.
    #[must_use]
    pub fn spoken_at(self, now: Option<String>, locale: Option<String>) -> Conversations {
        Conversations { now, locale, ..self }
    }

    /// The catalog.
    pub fn catalog(&self) -> &Catalog {
        self.router.catalog()
    }

    /// What is remembered of a conversation.
    pub fn look(&self, tenant: Option<&str>, session: &str) -> Result<Conversation, StoreError> {
        self.store.conversation(&TurnOf { tenant, user: None, session, now_ms: self.clock.now_ms() })
    }

    /// Forgets a conversation.
    pub fn forget(&self, tenant: Option<&str>, session: &str) -> Result<Forgotten, StoreError> {
        self.store.forget_session(tenant, session)
    }

    /// Makes sure that a tool is there and can be read.
    pub fn get_ready(&self, tool: &str) -> Result<(), Refused> {
        self.interpreter.get_ready(&ToolGiven::Named(tool.to_owned()))
    }

    /// Writes what still waits of the events, and says what was lost of them.
    pub fn finish(self) -> Option<String> {
        self.events.and_then(Events::finish)
    }

    /// Takes a turn. Where the store fails, the message is answered as the first of a conversation, and a note says so.
    pub fn turn(&self, message: &Message<'_>) -> Result<TurnAnswer, Refused> {
        let begun = Instant::now();
        let (bytes, most) = (message.text.len(), MESSAGE_BYTES_MAX);
        if bytes > most {
            return Err(Refused::MessageTooLong { bytes, most });
        }
        if let Some(off) = self.interpreter.off(Some(message.session)) {
            return Ok(self.switched_off(message, off, begun));
        }
        let of = TurnOf {
            tenant: message.tenant,
            user: message.user,
            session: message.session,
            now_ms: self.clock.now_ms(),
        };
        let ears = Hearing { conversations: self, session: message.session };
        let mut taken = None;
        let mut take = |mut state: Conversation| {
            state.learn(&message.facts);
            let spoken = Spoken { text: message.text, tool: message.tool };
            let (conversation, reply) = turn(self.catalog(), &ears, state, spoken);
            taken = Some((conversation.clone(), reply.clone()));
            self.turned(conversation, &reply, begun)
        };
        let mut notes = Vec::new();
        if let Err(error) = self.store.converse(&of, &mut take) {
            take(Conversation::default());
            notes.push(format!("{error}; answered without what was said before"));
        }
        let (state, reply) = taken.unwrap_or_default();
        let answer = TurnAnswer::of(self.catalog(), message.session, &reply, &state, notes);
        self.tell(message, &reply, &answer, elapsed_us(begun));
        Ok(TurnAnswer { elapsed_us: elapsed_us(begun), ..answer })
    }

    /// Takes the outcome of a tool that the host ran. Facts change by this alone, and what waited for them is offered. Fails
    /// where the outcome cannot be kept.
    pub fn report(&self, outcome: &Outcome<'_>) -> Result<TurnAnswer, StoreError> {
        let begun = Instant::now();
        let of = TurnOf {
            tenant: outcome.tenant,
            user: outcome.user,
            session: outcome.session,
            now_ms: self.clock.now_ms(),
        };
        let ears = Hearing { conversations: self, session: outcome.session };
        let mut taken = None;
        let reported = Reported { tool: outcome.tool, success: outcome.success, facts: &outcome.facts };
        self.store.converse(&of, &mut |state: Conversation| {
            let (conversation, reply) = report(self.catalog(), &ears, state, &reported);
            taken = Some((conversation.clone(), reply));
            let keep_ms = self.catalog().choices().memory_ms();
            Turned { conversation, keep_ms, verdict: None, choice: None }
        })?;
        let (state, reply) = taken.unwrap_or_default();
        let answer = TurnAnswer::of(self.catalog(), outcome.session, &reply, &state, Vec::new());
        Ok(TurnAnswer { elapsed_us: elapsed_us(begun), ..answer })
    }

    fn turned(&self, conversation: Conversation, reply: &Reply, begun: Instant) -> Turned {
        let is_aside = matches!(reply.kind, TurnKind::Explained | TurnKind::Chat);
        let choice = (reply.kind != TurnKind::Abandon && !is_aside).then(|| ChoiceKept {
            tool: reply.tool.clone(),
            outcome: reply.outcome,
            matched_by: reply.by.unwrap_or(By::None),
            confidence: f64::from(reply.confidence),
            latency_us: elapsed_us(begun),
        });
        let keep_ms = self.catalog().choices().memory_ms();
        Turned { conversation, keep_ms, verdict: (!is_aside).then(|| reply.kind.verdict()), choice }
    }

    /// The answer where the interpreter is not used. Nothing is remembered of the message.
    fn switched_off(&self, message: &Message<'_>, off: Off, begun: Instant) -> TurnAnswer {
        let reply = Reply { reason: off.reason().to_owned(), ..Reply::default() };
        let state = Conversation { facts: message.facts.clone(), ..Conversation::default() };
        let answer = TurnAnswer::of(self.catalog(), message.session, &reply, &state, Vec::new());
        TurnAnswer { elapsed_us: elapsed_us(begun), ..answer }
    }

    /// Tells what happened: which route, which choice, and which call.
    fn tell(&self, message: &Message<'_>, reply: &Reply, answer: &TurnAnswer, latency_us: f64) {
        let Some(events) = &self.events else { return };
        let text = events.text(self.catalog(), message.text);
        if reply.route.is_some() {
            events.tell(&Event::route(message.session, reply, text.clone()));
        }
        if !matches!(reply.kind, TurnKind::Abandon | TurnKind::Explained | TurnKind::Chat) {
            events.tell(&Event::choice(Some(message.session), answer, text));
        }
        if let Some(call) = reply.call.as_ref().filter(|_| reply.outcome == arguments::Outcome::Run) {
            events.tell(&Event::tool(message.session, call, latency_us));
        }
    }
}
