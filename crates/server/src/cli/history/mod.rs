//! `waypost history`: how did tasks of users go?

mod choices;
mod record;
mod show;

use std::time::Duration;

use anyhow::bail;
use serde_json::json;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::ports::{Clock, SystemClock};
use waypost::store::{self, Forgotten, Settings, Sqlite, Store, StoreError};

use super::Ending;
use super::definitions::{ForgetFlags, History, Kept};
use super::output::Output;
use crate::report::tame;

/// Runs the command.
pub fn run(what: History, output: &mut Output) -> anyhow::Result<Ending> {
    match what {
        History::Show(asked) => show::run(&asked, output),
        History::Record(asked) => record::run(*asked, output),
        History::Choices(asked) => choices::run(&asked, output),
        History::Forget(asked) => forget(&asked, output),
    }
}

/// The store, made where there is none.
pub(super) fn open(kept: &Kept) -> Result<Sqlite, StoreError> {
    Sqlite::open(&store::path(kept.data.as_deref())?, settings(kept))
}

/// The store, to look into.
pub(super) fn look(kept: &Kept) -> anyhow::Result<Sqlite> {
    Ok(Sqlite::look(&store::path(kept.data.as_deref())?, settings(kept))?)
}

/// The same, if anything is kept at all.
pub(super) fn look_if_any(kept: &Kept) -> Option<Result<Sqlite, StoreError>> {
    let file = store::path(kept.data.as_deref()).ok().filter(|file| file.exists())?;
    Some(Sqlite::look(&file, settings(kept)))
}

fn settings(kept: &Kept) -> Settings {
    Settings { busy_wait: Duration::from_millis(kept.wait_ms) }
}

fn now_ms() -> u64 {
    SystemClock.now_ms()
}

/// A user who was named: an empty name is that of a variable nobody set, and means nobody.
fn named(user: &str) -> anyhow::Result<&str> {
    if user.is_empty() {
        bail!("nobody has an empty name; whom shall --user name?");
    }
    Ok(user)
}

/// A user as a sentence names them, fit for a terminal.
fn name(tenant: Option<&str>, user: &str) -> String {
    match tenant {
        Some(tenant) if !tenant.is_empty() => tame(&format!("{user} of {tenant}")),
        _ => tame(user),
    }
}

fn forget(asked: &ForgetFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let (tenant, store) = (asked.tenant.as_deref(), look(&asked.kept)?);
    let user = asked.user.as_deref().map(named).transpose()?;
    let session = asked.session.as_deref();
    let forgotten = match (user, session) {
        (Some(user), _) => store.forget(tenant, user)?,
        (None, session) => store.forget_session(tenant, session.unwrap_or_default())?,
    };
    if asked.json {
        let mut told =
            json!({ "version": CONTRACT_VERSION, "user": user, "tenant": tenant, "forgotten": forgotten });
        if let (Some(session), Some(told)) = (session, told.as_object_mut()) {
            told.insert("session".to_owned(), json!(session));
        }
        output.json(&told)?;
    } else {
        let name = user.or(session).map(|user| name(tenant, user)).unwrap_or_default();
        output.text(&in_words(&name, forgotten))?;
    }
    Ok(Ending::Good)
}

/// What was forgotten, as a sentence.
fn in_words(name: &str, forgotten: Forgotten) -> String {
    if forgotten == Forgotten::default() {
        return format!("nothing was known of {name}\n");
    }
    let Forgotten { completions, decisions, conversations, choices } = forgotten;
    let spoken = match (conversations, choices) {
        (0, 0) => String::new(),
        _ => format!(", conversations deleted: {conversations}, turns deleted: {choices}"),
    };
    format!("forgot {name}: tasks deleted: {completions}, decisions deleted: {decisions}{spoken}\n")
}
