//! What changed since the last time? Files are compared by the hash of their bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use sha2::{Digest, Sha256};

use super::error::KnowledgeError;
use super::manifest::{IndexedFile, Manifest};
use super::update::Collection;
use crate::documents::Found;
use crate::spread::spread;

/// What an update has to do.
#[derive(Debug, Default)]
pub(super) struct Plan<'c> {
    /// Files that stay as they are, of collections that are not part of this update too.
    pub kept: Vec<IndexedFile>,
    /// How many of them were looked at.
    pub unchanged: usize,
    /// Files that are read again; what was known of them goes.
    pub replaced: Vec<IndexedFile>,
    /// Files that are no longer there.
    pub removed: Vec<IndexedFile>,
    /// Files to be read, in order.
    pub tasks: Vec<Task<'c>>,
}

/// A file to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'c> {
    pub collection: &'c str,
    pub found: &'c Found,
}

/// Holds what was found against what is known.
pub(super) fn plan<'c>(
    known: Option<&Manifest>,
    collections: &'c [Collection],
    threads: usize,
) -> Result<Plan<'c>, KnowledgeError> {
    let tasks = tasks(collections)?;
    let names: BTreeSet<&str> = collections.iter().map(|collection| collection.name.as_str()).collect();
    let files = known.map_or(&[][..], |known| &known.files);
    let mut known: BTreeMap<(&str, &str), &IndexedFile> =
        files.iter().map(|file| ((file.collection.as_str(), file.file.as_str()), file)).collect();
    let paired: Vec<(Task<'c>, Option<&IndexedFile>)> = tasks
        .into_iter()
        .map(|task| (task, known.remove(&(task.collection, task.found.name.as_str()))))
        .collect();
    let same = spread(&paired, threads, 1, |(task, file)| file.is_some_and(|file| is_same(task.found, file)));
    let mut plan = Plan::default();
    for ((task, file), same) in paired.into_iter().zip(same) {
        match file {
            Some(file) if same => {
                plan.unchanged += 1;
                plan.kept.push(file.clone());
            }
            file => {
                plan.replaced.extend(file.cloned());
                plan.tasks.push(task);
            }
        }
    }
    for file in known.into_values() {
        let gone = names.contains(file.collection.as_str());
        if gone { &mut plan.removed } else { &mut plan.kept }.push(file.clone());
    }
    Ok(plan)
}

/// All files in order of collections and names, of which no two may be the same.
fn tasks(collections: &[Collection]) -> Result<Vec<Task<'_>>, KnowledgeError> {
    let mut tasks: Vec<Task<'_>> = collections
        .iter()
        .flat_map(|collection| {
            collection.files.iter().map(|found| Task { collection: &collection.name, found })
        })
        .collect();
    tasks.sort_by_key(|task| (task.collection, task.found.name.as_str()));
    let twice = tasks.windows(2).find_map(|pair| match pair {
        [a, b] if (a.collection, &a.found.name) == (b.collection, &b.found.name) => Some(a),
        _ => None,
    });
    match twice {
        Some(task) => Err(KnowledgeError::SameName {
            collection: task.collection.to_owned(),
            file: task.found.name.clone(),
        }),
        None => Ok(tasks),
    }
}

/// One that cannot be read is not the same; reading it will tell why.
fn is_same(found: &Found, file: &IndexedFile) -> bool {
    fs::read(&found.path).is_ok_and(|bytes| hash(&bytes) == file.hash)
}

/// The hash of a file's bytes, in hexadecimal.
pub(super) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
