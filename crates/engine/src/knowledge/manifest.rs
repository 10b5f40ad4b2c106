//! Which files are in a generation? A list beside the text index, by which the next update knows what changed.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::KnowledgeError;
use super::generations::{Held, put};
use crate::documents::{Format, READING_VERSION};

/// The file of the list.
const FILE: &str = "files.json";
/// The latest version of generations that is known here.
const VERSION: u32 = 1;

/// A file that is in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexedFile {
    /// The collection it belongs to.
    pub collection: String,
    /// Its path in the collection.
    pub file: String,
    /// How it was read.
    pub format: Format,
    /// The hash of its bytes.
    pub hash: String,
    /// The number of its first passage. The others follow it.
    pub first: u64,
    /// How many passages it has.
    pub passages: u64,
}

/// The files of a generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    version: u32,
    /// How documents were read and split.
    reading: u32,
    /// What the rows of vectors were made by.
    rows: String,
    /// The number of the next new passage. Numbers are never given twice.
    pub next: u64,
    /// In the order of collections and files.
    pub files: Vec<IndexedFile>,
}

impl Manifest {
    pub fn new(rows: &str) -> Manifest {
        Manifest {
            version: VERSION,
            reading: READING_VERSION,
            rows: rows.to_owned(),
            next: 0,
            files: Vec::new(),
        }
    }

    /// Reads the list of a generation.
    pub fn read(held: &Held) -> Result<Manifest, KnowledgeError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let path = held.folder.join(FILE);
        let bytes = fs::read(&path).map_err(KnowledgeError::io(&path))?;
        let corrupt = |error: serde_json::Error| KnowledgeError::Corrupt {
            folder: held.folder.clone(),
            cause: format!("{FILE}: {error}"),
        };
        let Versioned { version } = serde_json::from_slice(&bytes).map_err(corrupt)?;
        if version > VERSION {
            let folder = held.folder.clone();
            return Err(KnowledgeError::Newer { folder, found: version, known: VERSION });
        }
        serde_json::from_slice(&bytes).map_err(corrupt)
    }

    pub fn write(&self, folder: &Path) -> Result<(), KnowledgeError> {
        let path = folder.join(FILE);
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        put(&path, &bytes).map_err(KnowledgeError::io(&path))
    }

    /// Whether what it lists would be the same today.
    pub fn still_holds(&self, rows: &str) -> bool {
        self.reading == READING_VERSION && self.rows == rows
    }

    /// The numbers of all passages, in their order.
    pub fn numbers(&self) -> Vec<u64> {
        let mut numbers: Vec<u64> =
            self.files.iter().flat_map(|file| file.first..file.first + file.passages).collect();
        numbers.sort_unstable();
        numbers
    }
}
