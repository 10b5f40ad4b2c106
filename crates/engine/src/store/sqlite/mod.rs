//! How is it kept in one file? In SQLite, with one connection that writes and a few that read beside it.

mod connection;
mod histories;
mod decisions;
mod specialists;
mod offered;
mod conversations;
mod tool_runs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use waypost_core::conversation::Conversation;
use waypost_core::history::{Completion, History, SpecialistRecord, ToolFigures};
use waypost_core::selection::offered::Offered;

use super::{
    Adjustment, ChoiceCounts, ChoiceFigures, ChoiceKept, DecisionKept, Forgotten, KnownUser, Outcome,
    Recorded, Store, StoreError, TurnOf, Turned,
};
use crate::locks;

pub use conversations::{CHOICES_MAX, CONVERSATIONS_MAX};
pub use decisions::{DECISIONS_MAX, OUTCOMES_MAX};
pub use offered::TURNS_KEPT_MAX;
pub use tool_runs::TOOLS_MEASURED_MAX;

/// How long to wait for another process that holds the file: a write takes milliseconds, and forgetting in a large file
/// seconds.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// Most idle connections that read, kept open for the next: one a core of a small machine; more are opened when needed.
const READERS_IDLE_MAX: usize = 4;

/// How often a turn of a conversation is taken again where another came between, before the file is held for it.
const TURNS_TRIED: u32 = 3;

/// How a file is used.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long to wait for another process that holds the file.
    pub busy_wait: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { busy_wait: BUSY_WAIT }
    }
}

/// A store in one file, or in memory. Processes may share the file.
#[derive(Debug)]
pub struct Sqlite {
    place: Place,
    writer: Mutex<Connection>,
    /// Connections that read while another writes; in memory there is but one for both.
    readers: Option<Mutex<Vec<Connection>>>,
}

/// Where the store is and how long it is waited for: what errors tell.
#[derive(Clone, Debug)]
struct Place {
    path: PathBuf,
    settings: Settings,
}

impl Place {
    fn tell(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of(error, self.path.clone(), self.settings.busy_wait.as_millis())
    }
}

/// What a write must survive once it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Survives {
    /// A crash of the machine: the disk has it.
    MachineCrash,
    /// A crash of the process: the system has it, and gives it to the disk soon.
    ProcessCrash,
}

impl Sqlite {
    /// Opens the store of a file; makes file and folder where there are none.
    pub fn open(path: &Path, settings: Settings) -> Result<Sqlite, StoreError> {
        let place = Place { path: path.to_owned(), settings };
        let writer = connection::open_to_write(&place)?;
        Ok(Sqlite { place, writer: Mutex::new(writer), readers: Some(Mutex::default()) })
    }

    /// Opens the store of a file to look into; where there is none, an empty one that leaves nothing behind.
    pub fn look(path: &Path, settings: Settings) -> Result<Sqlite, StoreError> {
        if path.try_exists().unwrap_or(true) { Sqlite::open(path, settings) } else { Sqlite::in_memory() }
    }

    /// A store that is gone with the process, for where nothing can be written.
    pub fn in_memory() -> Result<Sqlite, StoreError> {
        let place = Place { path: PathBuf::from(":memory:"), settings: Settings::default() };
        let writer = connection::in_memory(&place)?;
        Ok(Sqlite { place, writer: Mutex::new(writer), readers: None })
    }

    /// Reads, in one transaction: what is read together belongs together.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let in_transaction = |connection: &Connection| {
            let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Deferred)?;
            work(&transaction)
        };
        let Some(readers) = &self.readers else {
            return in_transaction(&locks::open(&self.writer)).map_err(|error| self.place.tell(&error));
        };
        let idle = locks::open(readers).pop();
        let reader = idle.map_or_else(|| connection::open_to_read(&self.place), Ok)?;
        let done = in_transaction(&reader).map_err(|error| self.place.tell(&error))?;
        let mut idle = locks::open(readers);
        if idle.len() < READERS_IDLE_MAX {
            idle.push(reader);
        }
        Ok(done)
    }

    /// Writes, in one transaction that holds the file from its beginning.
    fn write<T>(
        &self,
        survives: Survives,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let writer = locks::open(&self.writer);
        let written = || {
            connection::sync_for(&writer, survives)?;
            let transaction = Transaction::new_unchecked(&writer, TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        };
        written().map_err(|error: rusqlite::Error| self.place.tell(&error))
    }
}

/// A text that may be missing, as it is kept: no text is the empty one.
fn kept(text: Option<&str>) -> &str {
    text.unwrap_or_default()
}

/// The way back.
fn told(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

impl Store for Sqlite {
    fn history(&self, tenant: Option<&str>, user: &str) -> Result<History, StoreError> {
        // The row of the empty user is the tenant as a whole, which is nobody's own history.
        if user.is_empty() {
            return Ok(History::default());
        }
        self.read(|connection| histories::of_user(connection, kept(tenant), user))
    }

    fn history_of_tenant(&self, tenant: Option<&str>) -> Result<History, StoreError> {
        self.read(|connection| histories::of_tenant(connection, kept(tenant)))
    }

    fn users(&self, tenant: Option<&str>, most: usize) -> Result<Vec<KnownUser>, StoreError> {
        self.read(|connection| histories::users(connection, tenant, most))
    }

    fn last_tasks(
        &self,
        tenant: Option<&str>,
        user: &str,
        most: usize,
    ) -> Result<Vec<Completion>, StoreError> {
        self.read(|connection| histories::last_tasks(connection, kept(tenant), user, most))
    }

    fn record(&self, completion: &Completion) -> Result<Recorded, StoreError> {
        super::reported::check(completion)?;
        let told = |connection: &Connection| histories::record(connection, completion);
        match self.write(Survives::MachineCrash, told)? {
            histories::Told::For(recorded) => Ok(recorded),
            histories::Told::ForAnother => {
                let what = format!("{} was told for another user", completion.task_id);
                Err(StoreError::BadOutcome { what })
            }
        }
    }

    fn forget(&self, tenant: Option<&str>, user: &str) -> Result<Forgotten, StoreError> {
        if user.is_empty() {
            return Ok(Forgotten::default());
        }
        let forgotten = self.write(Survives::MachineCrash, |connection| {
            let spoken = conversations::forget_user(connection, kept(tenant), user)?;
            let done = histories::forget(connection, kept(tenant), user)?;
            Ok(Forgotten { conversations: spoken.conversations, choices: spoken.choices, ..done })
        })?;
        connection::wipe(&locks::open(&self.writer), &self.place)?;
        Ok(forgotten)
    }

    fn keep_decision(&self, decision: &DecisionKept) -> Result<(), StoreError> {
        self.write(Survives::ProcessCrash, |connection| decisions::keep(connection, decision, DECISIONS_MAX))
    }

    fn decision(&self, id: &str) -> Result<Option<DecisionKept>, StoreError> {
        self.read(|connection| decisions::find(connection, id))
    }

    fn specialists(
        &self,
        tenant: Option<&str>,
        user: Option<&str>,
    ) -> Result<Vec<SpecialistRecord>, StoreError> {
        self.read(|connection| specialists::of(connection, kept(tenant), user.unwrap_or(histories::WHOLE)))
    }

    fn adjustments(
        &self,
        tenant: Option<&str>,
        user: Option<&str>,
        most: usize,
    ) -> Result<Vec<Adjustment>, StoreError> {
        self.read(|connection| decisions::adjustments(connection, kept(tenant), user, most))
    }

    fn outcomes(&self) -> Result<Vec<Outcome>, StoreError> {
        self.read(decisions::outcomes)
    }

    fn offer(
        &self,
        tenant: Option<&str>,
        session: &str,
        turn: &mut dyn FnMut(Offered) -> Offered,
    ) -> Result<(), StoreError> {
        self.write(Survives::ProcessCrash, |connection| {
            let after = turn(offered::find(connection, kept(tenant), session)?);
            offered::keep(connection, kept(tenant), session, &after, TURNS_KEPT_MAX)
        })
    }

    fn conversation(&self, of: &TurnOf<'_>) -> Result<Conversation, StoreError> {
        self.read(|connection| Ok(conversations::find(connection, of)?.1))
    }

    fn converse(
        &self,
        of: &TurnOf<'_>,
        turn: &mut dyn FnMut(Conversation) -> Turned,
    ) -> Result<(), StoreError> {
        // A turn may wait for a language model, so the file is not held meanwhile: what was read is held against what is
        // there when the turn is written.
        for _ in 0..TURNS_TRIED {
            let (read, before) = self.read(|connection| conversations::find(connection, of))?;
            let turned = turn(before);
            let keep = |connection: &Connection| conversations::keep(connection, of, read, &turned);
            if self.write(Survives::ProcessCrash, keep)? {
                return Ok(());
            }
        }
        self.write(Survives::ProcessCrash, |connection| {
            let (read, before) = conversations::find(connection, of)?;
            conversations::keep(connection, of, read, &turn(before)).map(|_| ())
        })
    }

    fn forget_session(&self, tenant: Option<&str>, session: &str) -> Result<Forgotten, StoreError> {
        let forget = |connection: &Connection| conversations::forget(connection, kept(tenant), session);
        let forgotten = self.write(Survives::MachineCrash, forget)?;
        connection::wipe(&locks::open(&self.writer), &self.place)?;
        Ok(forgotten)
    }

    fn record_tool_run(&self, tool: &str, success: bool, elapsed_ms: Option<u64>) -> Result<(), StoreError> {
        super::reported::check_tool(tool)?;
        self.write(Survives::ProcessCrash, |connection| {
            tool_runs::record(connection, tool, success, elapsed_ms, TOOLS_MEASURED_MAX)
        })
    }

    fn tool_figures(&self) -> Result<BTreeMap<String, ToolFigures>, StoreError> {
        self.read(tool_runs::figures)
    }

    fn choices(&self, tenant: Option<&str>, since_ms: u64) -> Result<ChoiceFigures, StoreError> {
        self.read(|connection| conversations::figures(connection, tenant, since_ms))
    }
}
