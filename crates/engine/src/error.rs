//! What can go wrong outside a decision?

use std::path::PathBuf;

use waypost_core::catalog::{Problem, Source};

/// What went wrong. Not finding a route is a decision, never an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A catalog of that name is not shipped.
    #[error("there is no catalog `{name}`{}; shipped are {shipped}, and a path has a `/` or ends in .yaml", hint(.nearest.as_deref()))]
    UnknownCatalog {
        /// The name that was given.
        name: String,
        /// The shipped name most like it.
        nearest: Option<String>,
        /// The shipped names.
        shipped: String,
    },
    /// A catalog file cannot be read.
    #[error("cannot read the catalog {}: {source}", path.display())]
    UnreadableCatalog {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A catalog folder holds no YAML file.
    #[error("there is no .yaml file in the folder {}", path.display())]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The catalog says something it may not say.
    #[error("{}", show(.problems, .sources))]
    BadCatalog {
        /// All that is wrong with it.
        problems: Vec<Problem>,
        /// The files, to quote from.
        sources: Vec<Source>,
    },
    /// The message is longer than the catalog allows.
    #[error("the message has {bytes} bytes; the most is {most}")]
    MessageTooLong {
        /// Its length.
        bytes: usize,
        /// The longest allowed.
        most: usize,
    },
    /// A trace was made by another catalog than the one loaded.
    #[error("the trace was made by the catalog {made_by}, and the one loaded is {loaded}")]
    AnotherCatalog {
        /// Name and hash of the trace's.
        made_by: String,
        /// Name and hash of the one loaded.
        loaded: String,
    },
}

impl Error {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Error::UnknownCatalog { .. } => "unknown_catalog",
            Error::UnreadableCatalog { .. } => "unreadable_catalog",
            Error::EmptyFolder { .. } => "empty_folder",
            Error::BadCatalog { .. } => "bad_catalog",
            Error::MessageTooLong { .. } => "message_too_long",
            Error::AnotherCatalog { .. } => "another_catalog",
        }
    }
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

fn show(problems: &[Problem], sources: &[Source]) -> String {
    let errors = problems.iter().filter(|problem| problem.code.is_error());
    let shown: Vec<String> = errors.map(|problem| problem.show(sources)).collect();
    format!(
        "the catalog has {} {}\n\n{}",
        shown.len(),
        if shown.len() == 1 { "error" } else { "errors" },
        shown.join("\n")
    )
}
