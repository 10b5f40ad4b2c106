//! Why are there no vectors?

use std::path::{Path, PathBuf};

/// Why a set of vectors cannot be built or used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VectorsError {
    /// Vectors of such a length cannot be kept.
    #[error("vectors of {found} numbers cannot be kept: the number must be a multiple of 64, up to {most}")]
    BadDimensions {
        /// How many were asked for.
        found: usize,
        /// The most.
        most: usize,
    },
    /// A vector is longer or shorter than the others.
    #[error("vector {row} has {found} numbers, and should have {expected}")]
    WrongDimensions {
        /// Which vector.
        row: usize,
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A vector has something in it that is no number.
    #[error("vector {row} has a number that is not finite")]
    NotFinite {
        /// Which vector.
        row: usize,
    },
    /// Rows are counted in 32 bits.
    #[error("a set has room for {most} vectors")]
    TooMany {
        /// The most.
        most: usize,
    },
    /// The file cannot be opened or read.
    #[error("cannot read {}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: String,
    },
    /// The file is something else.
    #[error("{} is no file of vectors", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a later version of Waypost.
    #[error(
        "{} has version {found} and this Waypost reads up to {known}; update Waypost, or build the file anew",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The latest version that is known here.
        known: u32,
    },
    /// The file ends too early.
    #[error("{} is cut short: it has {found} bytes of {stated}; build it anew", path.display())]
    Short {
        /// The file.
        path: PathBuf,
        /// How many bytes it has.
        found: u64,
        /// How many it should have.
        stated: u64,
    },
    /// The file is not as it was written.
    #[error("{} is damaged: {what}; build it anew", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
}

impl VectorsError {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            VectorsError::BadDimensions { .. } => "vectors_bad_dimensions",
            VectorsError::WrongDimensions { .. } => "vectors_wrong_dimensions",
            VectorsError::NotFinite { .. } => "vectors_not_finite",
            VectorsError::TooMany { .. } => "vectors_too_many",
            VectorsError::Io { .. } => "vectors_io",
            VectorsError::Foreign { .. } => "vectors_foreign",
            VectorsError::Newer { .. } => "vectors_newer",
            VectorsError::Short { .. } => "vectors_short",
            VectorsError::Damaged { .. } => "vectors_damaged",
        }
    }

    pub(super) fn io(path: &Path, error: &std::io::Error) -> VectorsError {
        VectorsError::Io { path: path.to_owned(), cause: error.to_string() }
    }

    pub(super) fn damaged(path: &Path, what: &'static str) -> VectorsError {
        VectorsError::Damaged { path: path.to_owned(), what }
    }
}
