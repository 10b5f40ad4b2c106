//! Which passages do the documents of a catalog have?

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use waypost_core::catalog::Catalog;
use waypost_core::catalog::knowledge::Collection;

use super::{About, Library, Metadata, Passage, Place};
use crate::Error;
use crate::documents::{self, Format, Found, Skipped, Wanted, walk};
use crate::encode::BuiltIn;
use crate::load::documents_of;

/// Where the documents of a catalog are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Documents {
    /// In the program, by their paths.
    Within(&'static [(&'static str, &'static str)]),
    /// In files relative to a folder.
    Beside(PathBuf),
}

impl Library {
    /// The documents that a catalog names, by the name or path it was read from, and what could not be read of them.
    pub fn of_catalog(
        name: &str,
        catalog: &Catalog,
        encoder: Arc<BuiltIn>,
    ) -> Result<(Library, Vec<Skipped>), Error> {
        let documents = documents_of(name)?;
        let (mut passages, mut skipped) = (Vec::new(), Vec::new());
        for collection in &catalog.knowledge().collections {
            for named in &collection.files {
                match &documents {
                    Documents::Within(texts) => {
                        let own = texts.iter().filter(|(path, _)| path == named);
                        own.for_each(|(path, text)| {
                            take(collection, path, text.as_bytes(), &mut passages, &mut skipped)
                        });
                    }
                    Documents::Beside(folder) => {
                        for Found { path, name, .. } in files(folder, named, &mut skipped)? {
                            match fs::read(&path) {
                                Ok(bytes) => take(collection, &name, &bytes, &mut passages, &mut skipped),
                                Err(cause) => skipped.push(Skipped::broken(&name, &cause)),
                            }
                        }
                    }
                }
            }
        }
        Ok((Library::new(passages, encoder)?, skipped))
    }
}

/// The files and folders that a catalog names: what an index calls their collection, what the catalog calls them, and where they are.
/// Those of a shipped catalog are in the program, and there are none.
pub fn paths_of(name: &str, catalog: &Catalog) -> Result<Vec<(String, String, PathBuf)>, Error> {
    let Documents::Beside(folder) = documents_of(name)? else { return Ok(Vec::new()) };
    let collections = catalog.knowledge().collections.iter();
    let paths = collections
        .flat_map(|own| own.files.iter().map(|file| (own.stored.clone(), file.clone(), folder.join(file))));
    Ok(paths.collect())
}

/// What a catalog says of its collections, by the names that an index may have for them.
pub fn metadata_of(catalog: &Catalog) -> Metadata {
    let both = |collection: &Collection| {
        let about = About { name: collection.name.clone(), says: collection.metadata.clone() };
        [&collection.name, &collection.stored].map(|name| (name.clone(), about.clone()))
    };
    catalog.knowledge().collections.iter().flat_map(both).collect()
}

/// The files of a folder, or the file itself, under the name it has in the catalog.
fn files(folder: &Path, named: &str, skipped: &mut Vec<Skipped>) -> Result<Vec<Found>, Error> {
    let root = folder.join(named);
    let unreadable = |cause| Error::UnreadableDocuments { path: root.clone(), cause };
    let mut walked = walk(&root, &Wanted::default()).map_err(unreadable)?;
    skipped.append(&mut walked.skipped);
    if root.is_file() {
        walked.files.iter_mut().for_each(|found| named.clone_into(&mut found.name));
    } else {
        let within = named.trim_end_matches('/');
        walked.files.iter_mut().for_each(|found| found.name = format!("{within}/{}", found.name));
    }
    Ok(walked.files)
}

/// Splits a document and takes its passages.
fn take(
    collection: &Collection,
    file: &str,
    bytes: &[u8],
    passages: &mut Vec<Passage>,
    skipped: &mut Vec<Skipped>,
) {
    let format = Format::of(Path::new(file));
    let split = match documents::read(format, bytes) {
        Ok(split) => split,
        Err(unread) => return skipped.push(Skipped::unread(file, &unread)),
    };
    let mut metadata: BTreeMap<String, Value> =
        collection.metadata.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str()))).collect();
    metadata.insert("format".to_owned(), Value::from(format.as_str()));
    for (rank, passage) in (1..).zip(split) {
        let title = passage.heading.last().cloned().unwrap_or_else(|| file.to_owned());
        passages.push(Passage {
            id: format!("{}/{file}#{rank}", collection.name),
            collection: collection.name.clone(),
            title,
            text: passage.text,
            place: Some(Place { file: file.to_owned(), heading: passage.heading, lines: passage.lines }),
            metadata: metadata.clone(),
        });
    }
}
