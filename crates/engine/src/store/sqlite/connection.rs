//! How is the file opened? Checked, brought up to date, and set so that nothing acknowledged is lost.

use std::time::Instant;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::{Place, StoreError, Survives};
use crate::folders;

/// The steps from an empty file to the present layout; a file's version is how many it has behind it.
const MIGRATIONS: &[&str] = &[
    include_str!("schema.sql"),
    include_str!("offered.sql"),
    include_str!("conversations.sql"),
    include_str!("tool_runs.sql"),
    include_str!("specialists.sql"),
];

/// The mark of our files in SQLite's header: `Wayp`.
const APPLICATION_ID: i64 = 0x5761_7970;

/// Opens the file to write; makes it where there is none.
pub(super) fn open_to_write(place: &Place) -> Result<Connection, StoreError> {
    // What history says of people is theirs: nobody else may read the file, nor what SQLite puts beside it.
    folders::make_private(&place.path)
        .map_err(|error| StoreError::Io { path: place.path.clone(), cause: error.to_string() })?;
    let tell = |error| place.tell(&error);
    let connection = open(place).map_err(tell)?;
    identify(&connection, place)?;
    // What is deleted is overwritten, not only unlinked.
    connection.pragma_update(None, "secure_delete", true).map_err(tell)?;
    write_ahead(&connection, place).map_err(tell)?;
    migrate(&connection).map_err(tell)?;
    Ok(connection)
}

/// Opens the file of a store that was opened to write before.
pub(super) fn open_to_read(place: &Place) -> Result<Connection, StoreError> {
    let opened = open(place).and_then(|connection| {
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    });
    opened.map_err(|error| place.tell(&error))
}

/// A store of this process alone.
pub(super) fn in_memory(place: &Place) -> Result<Connection, StoreError> {
    let opened = Connection::open_in_memory().and_then(|connection| {
        migrate(&connection)?;
        Ok(connection)
    });
    opened.map_err(|error| place.tell(&error))
}

fn open(place: &Place) -> rusqlite::Result<Connection> {
    // Each connection is behind a mutex of ours, so SQLite needs none.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&place.path, flags)?;
    connection.busy_timeout(place.settings.busy_wait)?;
    Ok(connection)
}

/// Makes sure that the file is a store, or empty, and no newer than we are.
fn identify(connection: &Connection, place: &Place) -> Result<(), StoreError> {
    let (application, found, tables) = header(connection).map_err(|error| place.tell(&error))?;
    let known = version();
    let path = place.path.clone();
    match application {
        APPLICATION_ID if found > known => Err(StoreError::Newer { path, found, known }),
        APPLICATION_ID => Ok(()),
        0 if tables == 0 && found == 0 => Ok(()),
        _ => Err(StoreError::Corrupt { path, cause: "it is a database of another program".to_owned() }),
    }
}

/// The mark, the version and how many tables there are. Read in one transaction: another process may be making them.
fn header(connection: &Connection) -> rusqlite::Result<(i64, i64, i64)> {
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Deferred)?;
    let number = |sql| transaction.query_row(sql, [], |row| row.get(0));
    let (application, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    Ok((application, version, number("SELECT count(*) FROM sqlite_schema")?))
}

fn version() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Has changes written beside the file first, so that readers and a writer do not wait for each other.
///
/// Of several processes that find a new file, SQLite refuses all but one at once, without waiting. The others then wait
/// for the file as a writer does, and try again.
fn write_ahead(connection: &Connection, place: &Place) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        let switched = connection.pragma_update(None, "journal_mode", "WAL");
        match &switched {
            Err(error) if is_busy(error) && begun.elapsed() < place.settings.busy_wait => {
                connection.execute_batch("BEGIN IMMEDIATE; COMMIT")?;
            }
            _ => return switched,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// Takes the steps that the file has not behind it.
fn migrate(connection: &Connection) -> rusqlite::Result<()> {
    let behind = |connection: &Connection| -> rusqlite::Result<usize> {
        connection.query_row("PRAGMA user_version", [], |row| row.get(0))
    };
    if behind(connection)? >= MIGRATIONS.len() {
        return Ok(());
    }
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let behind = behind(&transaction)?;
    for step in MIGRATIONS.iter().skip(behind) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", version())?;
    transaction.commit()
}

/// Sets what the next write must survive.
pub(super) fn sync_for(connection: &Connection, survives: Survives) -> rusqlite::Result<()> {
    let level = match survives {
        Survives::MachineCrash => "FULL",
        Survives::ProcessCrash => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", level)
}

/// Leaves nothing in the files of what was deleted.
///
/// Overwriting what is deleted is not enough: where SQLite moves rows between pages, old copies stay in unused space.
/// So the whole file is written anew, and what was written beside it is cut off.
pub(super) fn wipe(connection: &Connection, place: &Place) -> Result<(), StoreError> {
    let wiped = connection.execute_batch("VACUUM").and_then(|()| {
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0))
    });
    match wiped {
        Ok(false) => Ok(()),
        Err(error) if !is_busy(&error) => Err(place.tell(&error)),
        Ok(true) | Err(_) => Err(StoreError::NotWiped { path: place.path.clone() }),
    }
}
