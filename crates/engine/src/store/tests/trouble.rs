//! Is it told clearly what is wrong with a file?

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::*;

/// No time to wait for anybody.
const AT_ONCE: Settings = Settings { busy_wait: Duration::ZERO };

/// A folder with a store in which one task was told.
fn with_store() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(STORE_FILE);
    let store = Sqlite::open(&file, AT_ONCE).unwrap();
    store.record(&completion("t", "ann", true, 1)).unwrap();
    (folder, file)
}

fn refused(file: &Path) -> StoreError {
    Sqlite::open(file, AT_ONCE).unwrap_err()
}

#[test]
fn a_file_that_is_no_store_is_told_from_one_that_is() {
    let check = |spoil: &dyn Fn(&Path), code: &str, expected: &str| {
        let (_folder, file) = with_store();
        spoil(&file);
        let error = refused(&file);
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.to_string().contains(STORE_FILE), "{error}");
    };
    let sql = |file: &Path, sql: &str| Connection::open(file).unwrap().execute_batch(sql).unwrap();
    check(
        &|file| fs::write(file, "no database at all, but long enough to be one".repeat(99)).unwrap(),
        "store_corrupt",
        "begin anew",
    );
    check(&|file| sql(file, "PRAGMA application_id = 5"), "store_corrupt", "another program");
    check(&|file| sql(file, "PRAGMA user_version = 99"), "store_newer", "update Waypost");
    check(
        &|file| {
            fs::remove_file(file).unwrap();
            fs::create_dir(file).unwrap();
        },
        "store_io",
        "may this user write",
    );
}

#[test]
fn a_damaged_page_is_found_when_it_is_read() {
    let (_folder, file) = with_store();
    let layout = Connection::open(&file).unwrap();
    let mut roots = layout.prepare("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0").unwrap();
    let pages: Vec<usize> = roots.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    drop(roots);
    drop(layout);
    let mut bytes = fs::read(&file).unwrap();
    // The layout stays; the rows of every table are damaged.
    for page in pages {
        bytes[(page - 1) * 4096..page * 4096].fill(0xa5);
    }
    fs::write(&file, bytes).unwrap();
    let store = Sqlite::open(&file, AT_ONCE).unwrap();
    assert_eq!(store.history(None, "ann").unwrap_err().code(), "store_corrupt");
    assert_eq!(store.record(&completion("u", "ann", true, 1)).unwrap_err().code(), "store_corrupt");
}

#[test]
fn a_held_file_is_told_after_the_wait() {
    let (_folder, file) = with_store();
    let store = Sqlite::open(&file, AT_ONCE).unwrap();
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = store.record(&completion("u", "ann", true, 1)).unwrap_err();
    assert_eq!(error.code(), "store_locked");
    assert!(error.to_string().contains("held by another process, and was after 0 ms"), "{error}");
    // Whoever only reads does not wait for a writer.
    assert_eq!(store.history(None, "ann").unwrap().total, 1);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(store.record(&completion("u", "ann", true, 1)).unwrap(), Recorded::New);
}

#[test]
fn a_file_held_for_one_alone_is_told_when_it_is_opened() {
    let (_folder, file) = with_store();
    let other = Connection::open(&file).unwrap();
    other.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT").unwrap();
    assert_eq!(refused(&file).code(), "store_locked");
}

#[test]
fn who_still_reads_keeps_forgetting_from_its_end() {
    let (_folder, file) = with_store();
    let store = Sqlite::open(&file, AT_ONCE).unwrap();
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN; SELECT * FROM users").unwrap();
    assert_eq!(store.forget(None, "ann").unwrap_err().code(), "store_not_wiped");
    assert_eq!(store.history(None, "ann").unwrap(), History::default());
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(store.forget(None, "ann").unwrap(), Forgotten::default());
}

#[cfg(unix)]
#[test]
fn only_the_user_may_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, file) = with_store();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}
