//! `waypost history`: how did tasks of users go?

mod record;
mod show;

use std::time::Duration;

use anyhow::bail;
use serde_json::json;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::ports::{Clock, SystemClock};
use waypost::store::{self, Settings, Sqlite, Store, StoreError};

use super::Ending;
use super::definitions::{ForgetFlags, History, Kept};
use super::output::Output;
use crate::report::tame;

/// Runs the command.
pub fn run(what: History, output: &mut Output) -> anyhow::Result<Ending> {
    match what {
        History::Show(asked) => show::run(&asked, output),
        History::Record(asked) => record::run(*asked, output),
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
    let (tenant, user) = (asked.tenant.as_deref(), named(&asked.user)?);
    let forgotten = look(&asked.kept)?.forget(tenant, user)?;
    if asked.json {
        output.json(&json!({
            "version": CONTRACT_VERSION, "user": user, "tenant": tenant, "forgotten": forgotten,
        }))?;
    } else {
        let name = name(tenant, user);
        let told = match (forgotten.completions, forgotten.decisions) {
            (0, 0) => format!("nothing was known of {name}\n"),
            (tasks, decisions) => {
                format!("forgot {name}: tasks deleted: {tasks}, decisions deleted: {decisions}\n")
            }
        };
        output.text(&told)?;
    }
    Ok(Ending::Good)
}
