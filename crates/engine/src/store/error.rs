//! Why is there no history?

use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why the store cannot be used. Deciding goes on without it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no folder to keep it in.
    #[error("there is no folder to keep history in; name one with --data DIR, or set WAYPOST_HOME or HOME")]
    NoFolder,
    /// The router remembers nothing.
    #[error("the router has no store; give it one with `Router::with_store`")]
    NoStore,
    /// The store could not be had when the router was made.
    #[error("{cause}")]
    Lost {
        /// The code of the cause.
        code: &'static str,
        /// Why not.
        cause: String,
    },
    /// The file is damaged, or something else than a store.
    #[error(
        "{} is damaged, or no store of Waypost: {cause}; put a copy of it back, or move it away to begin anew",
        path.display()
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// Another process holds the file.
    #[error(
        "{} is held by another process, and was after {waited_ms} ms; try again when it is done, or wait longer",
        path.display()
    )]
    Locked {
        /// The file.
        path: PathBuf,
        /// How long was waited.
        waited_ms: u128,
    },
    /// A user was forgotten, and copies of what was known are still in the file.
    #[error(
        "what was known is deleted, and {} could not be written anew while another process used it, so old copies \
         may still be in it; ask again when that process is done",
        path.display()
    )]
    NotWiped {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a later version of Waypost.
    #[error(
        "{} has version {found} and this Waypost reads up to {known}; update Waypost, or name another folder with --data",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The latest version that is known here.
        known: i64,
    },
    /// The file cannot be read or written.
    #[error("cannot read or write {}: {cause}; is there space, and may this user write there?", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: String,
    },
    /// What should be recorded cannot be.
    #[error("the outcome cannot be recorded: {what}")]
    BadOutcome {
        /// What is wrong with it.
        what: String,
    },
    /// Something else went wrong in the store.
    #[error(
        "{} does not answer as a store should: {cause}; try again, and where that does not help put a copy of it \
         back, or move it away to begin anew",
        path.display()
    )]
    Failed {
        /// The file.
        path: PathBuf,
        /// How.
        cause: String,
    },
}

impl StoreError {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            StoreError::NoFolder => "no_data_folder",
            StoreError::NoStore => "no_store",
            StoreError::Lost { code, .. } => code,
            StoreError::Corrupt { .. } => "store_corrupt",
            StoreError::Locked { .. } => "store_locked",
            StoreError::NotWiped { .. } => "store_not_wiped",
            StoreError::Newer { .. } => "store_newer",
            StoreError::Io { .. } => "store_io",
            StoreError::BadOutcome { .. } => "bad_outcome",
            StoreError::Failed { .. } => "store_failed",
        }
    }

    /// What an error of SQLite means for this file.
    pub(super) fn of(error: &rusqlite::Error, path: PathBuf, waited_ms: u128) -> StoreError {
        let cause = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Corrupt { path, cause },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StoreError::Locked { path, waited_ms }
            }
            Some(
                ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::DiskFull
                | ErrorCode::PermissionDenied
                | ErrorCode::FileLockingProtocolFailed,
            ) => StoreError::Io { path, cause },
            _ => StoreError::Failed { path, cause },
        }
    }
}
