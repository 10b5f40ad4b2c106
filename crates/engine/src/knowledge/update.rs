//! How does an index follow its documents? What changed is read again, and the whole is swapped in at once.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::thread;

use serde::Serialize;

use super::build::Build;
use super::error::KnowledgeError;
use super::generations::Generations;
use super::manifest::{IndexedFile, Manifest};
use super::plan::{Plan, Task, hash, plan};
use super::rows::Rows;
use crate::documents::{self, Format, Found, Passage, Skipped};
use crate::spread::spread;

/// How much is read before it is encoded and indexed, in bytes and in files: some thousand passages, so that memory stays
/// bounded and a bar moves several times a second.
const BATCH_BYTES: u64 = 4 << 20;
const BATCH_FILES: usize = 512;
/// How many passages a thread encodes at a time: a millisecond or two of work, far more than taking it costs.
const ENCODED_AT_A_TIME: usize = 32;

/// Files under one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    /// Its name.
    pub name: String,
    /// All its files. What else is known of it goes.
    pub files: Vec<Found>,
}

/// A file that was not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SkippedFile {
    /// The collection it would belong to.
    pub collection: String,
    /// The file, and why it was not read.
    #[serde(flatten)]
    pub skipped: Skipped,
}

/// How far an update is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read.
    pub bytes: u64,
    /// Bytes there are to read.
    pub bytes_total: u64,
    /// Passages made.
    pub passages: u64,
}

/// What an update did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Updated {
    /// The generation that counts now.
    pub generation: Option<u64>,
    /// Whether it is new.
    pub changed: bool,
    /// Files that were read: new ones and changed ones.
    pub files_read: usize,
    /// Files that were as before.
    pub files_unchanged: usize,
    /// Files that were known and are no longer there, or can no longer be read.
    pub files_removed: usize,
    /// Files that were not read.
    pub skipped: Vec<SkippedFile>,
    /// Passages of the files that were read.
    pub passages_read: u64,
    /// Passages of the whole index.
    pub passages: u64,
}

/// Brings an index up to date with collections of files; collections that are not named stay as they are. The index is
/// made where there is none. Whatever happens, readers find the state before it or the state after it.
pub fn update(
    folder: &Path,
    collections: &[Collection],
    rows: &dyn Rows,
    progress: &mut dyn FnMut(Progress),
) -> Result<Updated, KnowledgeError> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let generations = Generations::at(folder);
    let lock = generations.lock()?;
    let current = generations.current()?;
    let held = current.map(|_| generations.hold()).transpose()?;
    let known = held.as_ref().map(Manifest::read).transpose()?;
    // One that was read by other rules has nothing that could stay.
    let known = known.filter(|known| known.still_holds(rows.id()));
    let plan = plan(known.as_ref(), collections, threads)?;
    let before = held.as_ref().zip(known.as_ref());
    let begin = || Build::begin(&generations, &lock, current, before, &plan, rows);

    let bytes_total = plan.tasks.iter().map(|task| task.found.bytes).sum();
    let mut told = Progress { bytes_total, ..Progress::default() };
    let mut updated = Updated { files_unchanged: plan.unchanged, ..Updated::default() };
    let gone = !plan.replaced.is_empty() || !plan.removed.is_empty();
    let mut build = if gone || current.is_none() { Some(begin()?) } else { None };
    for batch in batches(&plan.tasks) {
        progress(told);
        let documents = spread(batch, threads, 1, read);
        let passages: Vec<&Passage> =
            documents.iter().flatten().flat_map(|document| &document.passages).collect();
        let vectors =
            spread(&passages, threads, ENCODED_AT_A_TIME, |passage| rows.row(&passage.in_context()));
        let mut vectors = vectors.as_slice();
        for document in documents {
            match document {
                Ok(document) => {
                    let (own, rest) = vectors.split_at_checked(document.passages.len()).unwrap_or_default();
                    vectors = rest;
                    let build = match &mut build {
                        Some(build) => build,
                        None => build.insert(begin()?),
                    };
                    updated.files_read += 1;
                    updated.passages_read += document.passages.len() as u64;
                    build.add(document.file, &document.passages, own)?;
                }
                Err(skipped) => updated.skipped.push(skipped),
            }
        }
        told.bytes += batch.iter().map(|task| task.found.bytes).sum::<u64>();
        told.passages = updated.passages_read;
    }
    progress(told);
    updated.files_removed = plan.removed.len() + unreadable(&plan, &updated);
    updated.changed = build.is_some();
    let (generation, manifest) = match build {
        Some(build) => {
            build.finish(&generations, &lock).map(|(number, manifest)| (Some(number), Some(manifest)))?
        }
        None => (current, known),
    };
    drop(held);
    // What cannot be removed now goes the next time; the update itself is done.
    let _ = generations.sweep(&lock, generation);
    updated.generation = generation;
    updated.passages = manifest.iter().flat_map(|manifest| &manifest.files).map(|file| file.passages).sum();
    Ok(updated)
}

/// How many files that were known can no longer be read.
fn unreadable(plan: &Plan<'_>, updated: &Updated) -> usize {
    let is_skipped = |file: &IndexedFile| {
        updated
            .skipped
            .iter()
            .any(|skipped| skipped.collection == file.collection && skipped.skipped.file == file.file)
    };
    plan.replaced.iter().filter(|file| is_skipped(file)).count()
}

/// Tasks in order, so many at a time.
fn batches<'t, 'c>(tasks: &'t [Task<'c>]) -> impl Iterator<Item = &'t [Task<'c>]> {
    let mut rest = tasks;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = |task: &&Task<'c>| {
            bytes += task.found.bytes;
            bytes <= BATCH_BYTES
        };
        // One that is longer than a batch is a batch of its own.
        let count = rest.iter().take(BATCH_FILES).take_while(fits).count().max(1);
        let (batch, behind) = rest.split_at_checked(count)?;
        rest = behind;
        Some(batch)
    })
}

/// A file that was read.
struct Document {
    file: IndexedFile,
    passages: Vec<Passage>,
}

fn read(task: &Task<'_>) -> Result<Document, SkippedFile> {
    let Found { path, name, .. } = task.found;
    let skipped = |skipped| SkippedFile { collection: task.collection.to_owned(), skipped };
    let bytes = fs::read(path).map_err(|cause| skipped(Skipped::broken(name, &cause)))?;
    let format = Format::of(path);
    let passages =
        documents::read(format, &bytes).map_err(|unread| skipped(Skipped::unread(name, &unread)))?;
    let file = IndexedFile {
        collection: task.collection.to_owned(),
        file: name.clone(),
        format,
        hash: hash(&bytes),
        first: 0,
        passages: 0,
    };
    Ok(Document { file, passages })
}
