//! `waypost chat`: a conversation in a terminal.

use std::io::{self, BufReader, IsTerminal};
use std::sync::Arc;

use anyhow::{Context, bail};
use serde_json::{Value, json};
use waypost::arguments::Interpreter;
use waypost::core::history::read_instant;
use waypost::core::mentions::Civil;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::BuiltIn;
use waypost::ports::conversation::{Conversations, Events, Message, Outcome, TurnAnswer, UserText};
use waypost::ports::{Clock, new_id};
use waypost::store::{Sqlite, Store};

use super::batch::next_row;
use super::definitions::{ChatFlags, EventFlags};
use super::input::StoreUse;
use super::output::Output;
use super::{Ending, history, input, llm};
use crate::report;

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &ChatFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let mut chat = Chat::open(catalog, asked)?;
    let terminal = io::stdin().is_terminal();
    let mut lines = BufReader::new(io::stdin());
    let (mut row, mut ending) = (Vec::new(), Ending::Good);
    loop {
        if terminal && !asked.json {
            output.text("> ")?;
        }
        if next_row(&mut lines, &mut row).context("cannot read standard input")?.is_none() {
            break;
        }
        let said = match std::str::from_utf8(&row).map(str::trim) {
            Ok("") => continue,
            Ok("/quit") => break,
            Ok("/facts") => chat.facts(output),
            Ok("/why") => chat.why(output),
            Ok("/forget") => chat.forget(output),
            Ok("/done") => chat.report(true, output),
            Ok("/failed") => chat.report(false, output),
            Ok(text) => chat.say(text, output),
            Err(error) => Err(anyhow::anyhow!("a message is not UTF-8: {error}")),
        };
        if let Err(error) = said {
            if super::output::is_broken_pipe(&error) {
                return Err(error);
            }
            ending = Ending::SomeBad;
            chat.tell_error(&error, output)?;
        }
    }
    if let Some(lost) = chat.conversations.finish() {
        output.remark(&lost);
    }
    Ok(ending)
}

/// The file of events that was asked for.
pub fn events(flags: &EventFlags) -> Option<Events> {
    let text = if flags.events_without_text { UserText::Left } else { UserText::AsCatalog };
    let file = flags.events.as_deref().filter(|file| !file.as_os_str().is_empty())?;
    Some(Events::to_file(file, text))
}

/// A conversation under way.
struct Chat<'a> {
    conversations: Conversations,
    asked: &'a ChatFlags,
    session: String,
    last: Option<TurnAnswer>,
}

impl Chat<'_> {
    fn open<'a>(catalog: Option<&str>, asked: &'a ChatFlags) -> anyhow::Result<Chat<'a>> {
        let router = input::surrounded(
            input::cached(input::ready(catalog)?),
            asked.kept.data.as_deref(),
            StoreUse::Look,
            input::handshakes(false),
        )?;
        let session = match asked.session.as_deref() {
            Some("") => bail!("a conversation has no empty name; what shall --session name?"),
            Some(session) => session.to_owned(),
            None => new_id(),
        };
        let store: Arc<dyn Store> = match asked.session {
            Some(_) => Arc::new(history::open(&asked.kept)?),
            None => Arc::new(Sqlite::in_memory()?),
        };
        let clock = asked.now.as_deref().map(clock).transpose()?;
        let interpreter = Interpreter::new(&router, BuiltIn::shipped()?);
        let interpreter = llm::with_models(interpreter, &asked.llm, asked.reader.as_deref())?;
        let mut conversations = Conversations::new(&router, interpreter, store)
            .with_events(events(&asked.events))
            .spoken_at(asked.now.clone(), asked.locale.clone());
        if let Some(clock) = clock {
            conversations = conversations.with_clock(clock);
        }
        if let Some(tool) = &asked.tool {
            conversations.get_ready(tool)?;
        }
        Ok(Chat { conversations, asked, session, last: None })
    }

    fn say(&mut self, text: &str, output: &mut Output) -> anyhow::Result<()> {
        let message = Message {
            tenant: self.asked.tenant.as_deref(),
            user: self.asked.user.as_deref(),
            session: &self.session,
            text,
            tool: self.asked.tool.as_deref(),
            facts: input::facts(&self.asked.fact)?,
        };
        let answer = self.conversations.turn(&message)?;
        self.show(answer, output)
    }

    fn show(&mut self, answer: TurnAnswer, output: &mut Output) -> anyhow::Result<()> {
        if self.asked.json {
            Self::row(&json!(answer), output)?;
        } else {
            output.remarks(&answer.notes);
            output.text(&report::turn(&answer, output.paint()))?;
        }
        self.last = Some(answer);
        Ok(())
    }

    /// Reports the outcome of the last call.
    fn report(&mut self, success: bool, output: &mut Output) -> anyhow::Result<()> {
        let tenant = self.asked.tenant.as_deref();
        let last = self.conversations.look(tenant, &self.session)?.last;
        let tool = last.context("no call was made yet; there is nothing to report")?.tool;
        let answer = self.conversations.report(&Outcome {
            tenant,
            user: self.asked.user.as_deref(),
            session: &self.session,
            tool: &tool,
            success,
            ..Outcome::default()
        })?;
        self.show(answer, output)
    }

    fn facts(&self, output: &mut Output) -> anyhow::Result<()> {
        let state = self.conversations.look(self.asked.tenant.as_deref(), &self.session)?;
        if self.asked.json {
            let facts = json!({ "facts": state.facts, "values": state.values, "progress": state.progress });
            Self::row(&facts, output)
        } else {
            Ok(output.text(&report::known(&state, self.conversations.catalog(), output.paint()))?)
        }
    }

    fn why(&self, output: &mut Output) -> anyhow::Result<()> {
        match &self.last {
            Some(answer) if self.asked.json => {
                let why = json!({ "turn": answer.turn, "reason": answer.reason, "slots": answer.slots, "gates": answer.gates });
                Self::row(&json!({ "why": why }), output)
            }
            Some(answer) => Ok(output.text(&report::why(answer, output.paint()))?),
            None if self.asked.json => Self::row(&json!({ "why": null }), output),
            None => Ok(output.text("Nothing was said yet.\n")?),
        }
    }

    fn forget(&mut self, output: &mut Output) -> anyhow::Result<()> {
        let forgotten = self.conversations.forget(self.asked.tenant.as_deref(), &self.session)?;
        self.last = None;
        if self.asked.json {
            Self::row(&json!({ "forgotten": forgotten }), output)
        } else {
            Ok(output.text("The conversation is forgotten.\n")?)
        }
    }

    fn row(value: &Value, output: &mut Output) -> anyhow::Result<()> {
        output.row(value)?;
        Ok(output.flush()?)
    }

    fn tell_error(&self, error: &anyhow::Error, output: &mut Output) -> anyhow::Result<()> {
        if self.asked.json {
            let error = json!({ "code": "bad_message", "message": format!("{error:#}") });
            return Self::row(&json!({ "version": CONTRACT_VERSION, "error": error }), output);
        }
        output.complain(error);
        Ok(())
    }
}

/// A clock that stands still.
pub(super) struct Stopped(u64);

impl Clock for Stopped {
    fn now_ms(&self) -> u64 {
        self.0
    }
}

/// A clock at a time as ISO 8601, in UTC where no zone is said.
pub(super) fn clock(written: &str) -> anyhow::Result<Stopped> {
    if let Ok(ms) = read_instant(written) {
        return Ok(Stopped(ms));
    }
    let read = Civil::parse(written).and_then(|(civil, zone)| {
        let ahead = zone.map_or(0, |zone| i64::from(zone.0) * 60);
        let seconds =
            civil.date.days().checked_mul(86_400)?.checked_add(civil.of_day())?.checked_sub(ahead)?;
        u64::try_from(seconds).ok()?.checked_mul(1000)
    });
    let ms = read.with_context(|| {
        format!(
            "{written:?} is no time; write it as 2027-03-04T15:30:00, with +01:00 or Z where the zone matters"
        )
    })?;
    Ok(Stopped(ms))
}
