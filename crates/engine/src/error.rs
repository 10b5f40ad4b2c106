//! What can go wrong outside a decision?

use std::path::PathBuf;

use waypost_core::catalog::{Problem, Source};

/// What went wrong. Not finding a route is a decision, never an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A catalog of that name is not shipped.
    #[error("there is no catalog `{name}`{}; shipped are {shipped}, and a path has a `/` or ends in .yaml", hint(.name, .nearest.as_deref()))]
    UnknownCatalog {
        /// The name that was given.
        name: String,
        /// The shipped name most like it.
        nearest: Option<String>,
        /// The shipped names.
        shipped: String,
    },
    /// A catalog file cannot be read.
    #[error("cannot read the catalog {}: {cause}", path.display())]
    UnreadableCatalog {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        cause: std::io::Error,
    },
    /// A catalog folder holds no YAML file.
    #[error("there is no .yaml file in the folder {}", path.display())]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A catalog folder holds more files than a catalog has.
    #[error("the folder {} holds {files} .yaml files; is it a catalog?", path.display())]
    TooManyFiles {
        /// The folder.
        path: PathBuf,
        /// How many there are.
        files: usize,
    },
    /// The catalog says something it may not say.
    #[error("{}", show(.problems, *.omitted, .sources))]
    BadCatalog {
        /// What is wrong with it.
        problems: Vec<Problem>,
        /// How many more there are.
        omitted: usize,
        /// The files, to quote from.
        sources: Vec<Source>,
    },
    /// The message is longer than the catalog allows.
    #[error("the message has more than {most} bytes, which is the most")]
    MessageTooLong {
        /// Its length, or how much of it was read.
        bytes: usize,
        /// The longest allowed.
        most: usize,
    },
    /// A text could not be turned into a vector.
    #[error(transparent)]
    Encode(#[from] crate::encode::EncodeError),
    /// The model file of an encoder cannot be used.
    #[error(transparent)]
    Model(#[from] crate::encode::ModelError),
    /// A model cannot be had.
    #[error(transparent)]
    Models(#[from] crate::encode::models::ModelsError),
    /// Documents that a catalog names cannot be read.
    #[error("cannot read {}: {cause}; the catalog names it under `sources`", path.display())]
    UnreadableDocuments {
        /// The file or folder.
        path: std::path::PathBuf,
        /// Why not.
        cause: std::io::Error,
    },
    /// An index cannot be read.
    #[error(transparent)]
    Knowledge(#[from] crate::knowledge::KnowledgeError),
    /// Vectors cannot be kept or searched.
    #[error(transparent)]
    Vectors(#[from] crate::vectors::VectorsError),
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
            Error::TooManyFiles { .. } => "too_many_files",
            Error::BadCatalog { .. } => "bad_catalog",
            Error::MessageTooLong { .. } => "message_too_long",
            Error::Encode(_) => "encode",
            Error::Model(_) => "model",
            Error::Models(_) => "models",
            Error::UnreadableDocuments { .. } => "unreadable_documents",
            Error::Knowledge(error) => error.code(),
            Error::Vectors(error) => error.code(),
            Error::AnotherCatalog { .. } => "another_catalog",
        }
    }
}

fn hint(name: &str, nearest: Option<&str>) -> String {
    let path = std::path::Path::new(name).exists().then(|| format!(" (for the path write ./{name})"));
    path.or_else(|| nearest.map(|name| format!(" (did you mean `{name}`?)"))).unwrap_or_default()
}

fn show(problems: &[Problem], omitted: usize, sources: &[Source]) -> String {
    let shown: Vec<String> = problems.iter().map(|problem| problem.show(sources)).collect();
    let count = problems.len() + omitted;
    let errors = if count == 1 { "error" } else { "errors" };
    let more = if omitted > 0 { format!("\nand {omitted} more\n") } else { String::new() };
    format!("the catalog has {count} {errors}\n\n{}{more}", shown.join("\n"))
}
