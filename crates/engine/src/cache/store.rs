//! What does this machine keep from one run to the next? The third layer, in one SQLite file.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OptionalExtension, params};
use waypost_core::measure::{Confidence, Points};

use super::{Kept, Key, STORE_LIFE_MS, Shelf};
use crate::folders;
use crate::locks::open;

/// The file in the user's folder for caches.
pub(super) const FILE: &str = "cache.db";

/// How long to wait for another process that writes: longer, and computing would have been quicker.
const BUSY: Duration = Duration::from_millis(20);
/// How long to wait for another process that makes or ends the file: it takes some milliseconds, once.
const OPENING: Duration = Duration::from_secs(2);
/// Most rows kept: at one or two KiB each some 20 MB.
const ROWS_MAX: usize = 10_000;
/// So many rows are taken away at once when there are too many, out of twice as many that were not used for longest: the
/// less sure half. It is the order of the other layers, in a bunch, since counting rows takes milliseconds.
const ROWS_TAKEN: usize = 1_000;
/// Rows written between two counts.
const WRITES_A_COUNT: u64 = 500;
/// A row's last use is known to so many milliseconds, ten minutes: nearer, every reading would be a writing.
const USE_KNOWN_TO_MS: u64 = 600_000;

/// The table has its version in its name, so that an older and a newer library can share a file.
const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS kept_1 (
        key BLOB PRIMARY KEY, value BLOB NOT NULL, confidence REAL NOT NULL,
        made_ms INTEGER NOT NULL, used_ms INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS kept_1_by_use ON kept_1 (used_ms, confidence, made_ms);";
const GET: &str = "SELECT value, confidence, made_ms, used_ms FROM kept_1 WHERE key = ?1";
const USE: &str = "UPDATE kept_1 SET used_ms = ?2 WHERE key = ?1";
const PUT: &str =
    "INSERT OR REPLACE INTO kept_1 (key, value, confidence, made_ms, used_ms) VALUES (?1, ?2, ?3, ?4, ?5)";
const DROP_OLD: &str = "DELETE FROM kept_1 WHERE made_ms <= ?1";
const COUNT: &str = "SELECT COUNT(*) FROM kept_1";
const DROP_UNSURE: &str = "
    DELETE FROM kept_1 WHERE rowid IN (
        SELECT rowid FROM (SELECT rowid, confidence, used_ms FROM kept_1 ORDER BY used_ms, rowid LIMIT ?1)
        ORDER BY confidence, used_ms, rowid LIMIT ?2)";

/// Why a file cannot be a shelf.
#[derive(Debug, thiserror::Error)]
#[error("what was computed cannot be kept in {} ({cause}); it is computed anew, and deleting the file may help", file.display())]
pub struct ShelfError {
    file: PathBuf,
    cause: String,
}

impl ShelfError {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        "cache_unusable"
    }
}

/// The third layer: a file that several processes may share.
#[derive(Debug)]
pub struct ShelfFile {
    file: PathBuf,
    connection: Mutex<Connection>,
    writes: AtomicU64,
    /// What went wrong for good.
    broken: OnceLock<String>,
}

impl ShelfFile {
    /// Opens a file, and makes it where there is none. Only the user can read it.
    pub fn open(file: &Path) -> Result<ShelfFile, ShelfError> {
        let failed = |cause: String| ShelfError { file: file.to_owned(), cause };
        // What a message was taken to mean is nobody else's business.
        folders::make_private(file).map_err(|error| failed(error.to_string()))?;
        let connection = connect(file).map_err(|error| failed(error.to_string()))?;
        let (writes, broken) = (AtomicU64::new(0), OnceLock::new());
        Ok(ShelfFile { file: file.to_owned(), connection: Mutex::new(connection), writes, broken })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        open(&self.connection)
    }

    /// What came of asking the file. One that another process holds is asked again next time; any other trouble ends it.
    fn settle<T>(&self, asked: rusqlite::Result<T>) -> Option<T> {
        asked
            .inspect_err(|error| {
                let busy = [ErrorCode::DatabaseBusy, ErrorCode::DatabaseLocked].map(Some);
                if !busy.contains(&error.sqlite_error_code()) {
                    let _ = self.broken.set(error.to_string());
                }
            })
            .ok()
    }
}

impl Shelf for ShelfFile {
    fn get(&self, key: &Key, now_ms: u64) -> Option<Kept> {
        if self.broken.get().is_some() {
            return None;
        }
        let connection = self.connection();
        let (kept, used_ms) = self.settle(read(&connection, key))??;
        if now_ms.abs_diff(used_ms) >= USE_KNOWN_TO_MS {
            let touched = connection.prepare_cached(USE);
            self.settle(touched.and_then(|mut touch| touch.execute(params![key.as_bytes(), whole(now_ms)])));
        }
        Some(kept)
    }

    fn put(&self, key: &Key, kept: &Kept, now_ms: u64) {
        if self.broken.get().is_some() {
            return;
        }
        let connection = self.connection();
        self.settle(write(&connection, key, kept, now_ms));
        if self.writes.fetch_add(1, Ordering::Relaxed).is_multiple_of(WRITES_A_COUNT) {
            self.settle(prune(&connection, now_ms, ROWS_MAX, ROWS_TAKEN));
        }
    }

    fn trouble(&self) -> Option<String> {
        let cause = self.broken.get()?.clone();
        Some(ShelfError { file: self.file.clone(), cause }.to_string())
    }
}

fn connect(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(OPENING)?;
    // Readers and a writer do not wait for each other. Another process may be making this change just now: it need not
    // be made twice.
    let _ = connection.pragma_update(None, "journal_mode", "WAL");
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.execute_batch(TABLES)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// A row, and when it was last used.
fn read(connection: &Connection, key: &Key) -> rusqlite::Result<Option<(Kept, u64)>> {
    let row = |row: &rusqlite::Row<'_>| {
        let (value, confidence): (Vec<u8>, f64) = (row.get(0)?, row.get(1)?);
        let (made_ms, used_ms): (i64, i64) = (row.get(2)?, row.get(3)?);
        let confidence = Confidence::new(Points::from_share(confidence));
        let kept = Kept { value: value.into(), confidence, made_ms: made_ms.try_into().unwrap_or_default() };
        Ok((kept, used_ms.try_into().unwrap_or_default()))
    };
    connection.prepare_cached(GET)?.query_row([key.as_bytes()], row).optional()
}

fn write(connection: &Connection, key: &Key, kept: &Kept, now_ms: u64) -> rusqlite::Result<usize> {
    let confidence = kept.confidence.points().share();
    let row = params![key.as_bytes(), &*kept.value, confidence, whole(kept.made_ms), whole(now_ms)];
    connection.prepare_cached(PUT)?.execute(row)
}

/// Takes away what is too old, and what there are too many of.
fn prune(connection: &Connection, now_ms: u64, most: usize, taken: usize) -> rusqlite::Result<()> {
    connection.execute(DROP_OLD, [whole(now_ms).saturating_sub_unsigned(STORE_LIFE_MS)])?;
    let rows: i64 = connection.query_row(COUNT, [], |row| row.get(0))?;
    let too_many = usize::try_from(rows).unwrap_or_default().saturating_sub(most);
    if too_many > 0 {
        let goes = i64::try_from(too_many.max(taken)).unwrap_or(i64::MAX);
        connection.execute(DROP_UNSURE, [goes.saturating_mul(2), goes])?;
    }
    Ok(())
}

/// A time as SQLite knows it.
fn whole(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::*;

    fn key(n: usize) -> Key {
        Key::of("", "", &n.to_string())
    }

    fn kept(hundredths: i32, made_ms: u64) -> Kept {
        let confidence = Confidence::new(Points::hundredths(hundredths));
        Kept { value: Arc::from([1, 2, 3]), confidence, made_ms }
    }

    #[test]
    fn what_is_kept_is_there_for_the_next_process() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/cache.db");
        let store = ShelfFile::open(&file).unwrap();
        assert_eq!(store.get(&key(1), 5), None);
        store.put(&key(1), &kept(40, 5), 5);
        store.put(&key(1), &kept(70, 6), 6);
        let other = ShelfFile::open(&file).unwrap();
        assert_eq!(other.get(&key(1), 6), Some(kept(70, 6)));
        assert_eq!((store.get(&key(2), 6), other.trouble()), (None, None));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0);
        }
    }

    #[test]
    fn a_file_that_is_none_of_ours_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cache.db");
        fs::write(&file, "this is no database, and long enough for its first page to be read as one")
            .unwrap();
        let told = ShelfFile::open(&file).unwrap_err().to_string();
        assert!(told.contains("cache.db (file is not a database)"), "{told}");
        assert!(ShelfFile::open(&file.join("below a file")).is_err());
    }

    #[test]
    fn a_file_that_breaks_is_told_and_asked_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let store = ShelfFile::open(&folder.path().join("cache.db")).unwrap();
        store.put(&key(1), &kept(40, 0), 0);
        store.connection().execute_batch("DROP TABLE kept_1").unwrap();
        assert_eq!(store.get(&key(1), 0), None);
        store.put(&key(1), &kept(40, 0), 0);
        assert!(store.trouble().unwrap().contains("no such table"));
    }

    #[test]
    fn the_old_and_the_unsure_go() {
        let folder = tempfile::tempdir().unwrap();
        let store = ShelfFile::open(&folder.path().join("cache.db")).unwrap();
        for n in 0..10 {
            // The first four were used least lately; the even ones are less sure.
            store.put(&key(n), &kept(if n % 2 == 0 { 40 } else { 90 }, 1_000), 1_000 + n as u64);
        }
        store.put(&key(10), &kept(99, 0), 2_000);
        let now_ms = STORE_LIFE_MS;
        prune(&store.connection(), now_ms, 9, 2).unwrap();
        let left: Vec<usize> = (0..11).filter(|n| store.get(&key(*n), now_ms).is_some()).collect();
        assert_eq!(left, [1, 3, 4, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn another_process_that_writes_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cache.db");
        let (store, other) = (ShelfFile::open(&file).unwrap(), ShelfFile::open(&file).unwrap());
        store.put(&key(1), &kept(40, 0), 0);
        other.connection().execute_batch("BEGIN IMMEDIATE").unwrap();
        store.put(&key(2), &kept(40, 0), 0);
        assert_eq!((store.get(&key(1), 0), store.get(&key(2), 0)), (Some(kept(40, 0)), None));
        other.connection().execute_batch("COMMIT").unwrap();
        store.put(&key(2), &kept(40, 0), 0);
        assert_eq!((store.get(&key(2), 0), store.trouble()), (Some(kept(40, 0)), None));
    }
}
