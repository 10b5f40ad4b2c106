//! What do the documents know? Passages in an index that is replaced as a whole, or not at all.
//!
//! A folder holds generations, `gen-1`, `gen-2` and so on, and a file `current` that names the one that counts. An update builds
//! the next generation beside it, out of the segments that did not change and new ones, and then replaces `current`. Whoever
//! reads holds its generation, so that it is not removed meanwhile. A process that is killed leaves the old state or the new.

mod error;
mod generations;
mod manifest;
mod fields;
mod rows;
mod plan;
mod build;
mod update;
mod open;
mod search;
#[cfg(test)]
mod tests;

pub use crate::documents::{
    FILE_BYTES_MAX, Format, Found, OVERLAP_SENTENCES, OVERLAP_WORDS_MAX, Passage, READING_VERSION, Reason,
    Skipped, Unread, WORDS_MAX, WORDS_TARGET, Walked, Wanted, read, walk,
};
pub use error::KnowledgeError;
pub use manifest::IndexedFile;
pub use open::{IndexedPassage, Knowledge};
pub use rows::{BuiltInRows, KeptRows, RowWriter, Rows};
pub(crate) use search::{Hinted, Sought};
pub use update::{Collection, Progress, SkippedFile, Updated, update};
