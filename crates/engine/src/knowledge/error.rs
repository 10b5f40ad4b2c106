//! What can go wrong with an index?

use std::io;
use std::path::{Path, PathBuf};

/// What went wrong with an index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KnowledgeError {
    /// There is no index in the folder.
    #[error("there is no index in {}; make one with `waypost index PATH --out {}`", folder.display(), folder.display())]
    NoIndex {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder holds something else.
    #[error("{} is not empty and holds no index; name a folder that may be made", folder.display())]
    NotAnIndex {
        /// The folder.
        folder: PathBuf,
    },
    /// Another process writes to the index.
    #[error("another process is writing to the index in {}; try again when it is done", folder.display())]
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// The index was written by a later version of Waypost.
    #[error("the index in {} has version {found} and this Waypost reads up to {known}; update Waypost", folder.display())]
    Newer {
        /// The folder.
        folder: PathBuf,
        /// Its version.
        found: u32,
        /// The latest version that is known here.
        known: u32,
    },
    /// The index is damaged.
    #[error("the index in {} is damaged: {cause}; remove the folder and index again", folder.display())]
    Corrupt {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// Two files of one collection would be told apart by nothing.
    #[error(
        "the collection {collection} has two files called {file}; give one of their folders a collection of its own"
    )]
    SameName {
        /// The collection.
        collection: String,
        /// The file.
        file: String,
    },
    /// Something cannot be read or written.
    #[error("cannot read or write {}: {cause}; is there space, and may this user write there?", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
}

impl KnowledgeError {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            KnowledgeError::NoIndex { .. } => "no_index",
            KnowledgeError::NotAnIndex { .. } => "not_an_index",
            KnowledgeError::Locked { .. } => "index_locked",
            KnowledgeError::Newer { .. } => "index_newer",
            KnowledgeError::Corrupt { .. } => "index_corrupt",
            KnowledgeError::SameName { .. } => "same_name",
            KnowledgeError::Io { .. } => "index_io",
        }
    }

    /// What an error of the system means for a path.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> KnowledgeError {
        let path = path.to_owned();
        move |cause| KnowledgeError::Io { path, cause }
    }

    /// What an error of the text index means for a folder.
    pub(super) fn of(folder: &Path) -> impl Fn(tantivy::TantivyError) -> KnowledgeError {
        let folder = folder.to_owned();
        move |error| match error {
            tantivy::TantivyError::IoError(cause) => KnowledgeError::Io {
                path: folder.clone(),
                cause: io::Error::new(cause.kind(), cause.to_string()),
            },
            other => KnowledgeError::Corrupt { folder: folder.clone(), cause: other.to_string() },
        }
    }
}
