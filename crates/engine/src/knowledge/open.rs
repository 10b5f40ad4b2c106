//! How is an index asked? A generation is held, searched by words, and read by the numbers of passages.

use std::collections::BTreeMap;
use std::path::Path;

use tantivy::schema::{IndexRecordOption, TantivyDocument};
use tantivy::{DocAddress, DocSet, Index, Searcher, SegmentReader, Term};

use super::build::TEXT;
use super::error::KnowledgeError;
use super::fields::Fields;
use super::generations::{Generations, Held};
use super::manifest::{IndexedFile, Manifest};
use super::rows::VECTORS;
use crate::documents::{Format, Passage};
use crate::encode::BuiltIn;
use crate::vectors::Vectors;

/// An index, as it was when it was opened.
pub struct Knowledge {
    pub(super) generations: Generations,
    held: Held,
    manifest: Manifest,
    pub(super) fields: Fields,
    pub(super) index: Index,
    pub(super) searcher: Searcher,
    pub(super) vectors: Vectors,
    numbers: Vec<u64>,
}

/// A passage and where it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedPassage {
    /// Its row.
    pub row: u32,
    /// Its collection.
    pub collection: String,
    /// Its file.
    pub file: String,
    /// The hash of the file it was read from.
    pub hash: String,
    /// What it says, and where.
    pub passage: Passage,
}

impl IndexedPassage {
    /// How it is cited.
    pub fn citation(&self) -> String {
        Format::of(Path::new(&self.file)).cite(&self.file, self.passage.lines)
    }
}

impl Knowledge {
    /// Opens the index of a folder.
    pub fn open(folder: &Path) -> Result<Knowledge, KnowledgeError> {
        let generations = Generations::at(folder);
        let held = generations.hold()?;
        let manifest = Manifest::read(&held)?;
        let failed = KnowledgeError::of(folder);
        let index = Index::open_in_dir(held.folder.join(TEXT)).map_err(&failed)?;
        Fields::register(&index);
        let searcher = index.reader().map_err(&failed)?.searcher();
        let numbers = manifest.numbers();
        if searcher.num_docs() != numbers.len() as u64 {
            let (found, listed) = (searcher.num_docs(), numbers.len());
            return Err(generations.corrupt(format!("it has {found} passages and lists {listed}")));
        }
        let vectors = Vectors::open(&held.folder.join(VECTORS))
            .map_err(|error| generations.corrupt(error.to_string()))?;
        let (found, listed) = (vectors.len(), numbers.len());
        if found != listed || vectors.dimensions() != BuiltIn::DIMENSIONS {
            return Err(generations.corrupt(format!("it has {found} vectors and lists {listed} passages")));
        }
        Ok(Knowledge {
            generations,
            held,
            manifest,
            fields: Fields::new(),
            index,
            searcher,
            vectors,
            numbers,
        })
    }

    /// The number of its generation.
    pub fn generation(&self) -> u64 {
        self.held.number
    }

    /// All that its rows follow from: files with their hashes, and how they were read.
    pub(crate) fn mark(&self) -> String {
        format!("{} {:?}", self.held.number, self.manifest)
    }

    /// The folder of its generation, where vectors stand beside the text.
    pub fn folder(&self) -> &Path {
        &self.held.folder
    }

    /// Whether another generation counts by now.
    pub fn is_outdated(&self) -> Result<bool, KnowledgeError> {
        Ok(self.generations.current()? != Some(self.held.number))
    }

    /// Its files, in the order of collections and names.
    pub fn files(&self) -> &[IndexedFile] {
        &self.manifest.files
    }

    /// Its collections, and how many passages each has.
    pub fn collections(&self) -> BTreeMap<&str, u64> {
        let mut collections = BTreeMap::new();
        for file in &self.manifest.files {
            *collections.entry(file.collection.as_str()).or_default() += file.passages;
        }
        collections
    }

    /// The numbers of its passages, in order. The rows of vectors stand in the same order.
    pub fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// How many words a passage has on average.
    #[allow(clippy::cast_precision_loss)] // the first digits do
    pub(crate) fn mean_words(&self) -> f32 {
        let words = |reader: &SegmentReader| {
            reader.inverted_index(self.fields.text).map_or(0, |index| index.total_num_tokens())
        };
        let all: u64 = self.searcher.segment_readers().iter().map(words).sum();
        all as f32 / self.numbers.len().max(1) as f32
    }

    /// The passage of a row, if there is one.
    pub fn passage(&self, row: u32) -> Result<Option<IndexedPassage>, KnowledgeError> {
        self.address_of(row)?.map(|address| self.read(row, address)).transpose()
    }

    /// Where the text of a row stands.
    pub(super) fn address_of(&self, row: u32) -> Result<Option<DocAddress>, KnowledgeError> {
        let Some(number) = self.numbers.get(row as usize) else { return Ok(None) };
        let term = Term::from_field_u64(self.fields.number, *number);
        let failed = KnowledgeError::of(&self.held.folder);
        for (segment, reader) in (0..).zip(self.searcher.segment_readers()) {
            let index = reader.inverted_index(self.fields.number).map_err(&failed)?;
            let postings = index.read_postings(&term, IndexRecordOption::Basic);
            let postings = postings.map_err(|error| failed(error.into()))?;
            if let Some(postings) = postings {
                let doc = postings.doc();
                if !reader.is_deleted(doc) {
                    return Ok(Some(DocAddress::new(segment, doc)));
                }
            }
        }
        Ok(None)
    }

    fn read(&self, row: u32, address: DocAddress) -> Result<IndexedPassage, KnowledgeError> {
        let document: TantivyDocument =
            self.searcher.doc(address).map_err(KnowledgeError::of(&self.held.folder))?;
        let read = self.fields.read(&document);
        let read = read.ok_or_else(|| self.generations.corrupt("a passage lacks a field"))?;
        let (_, collection, file, hash, passage) = read;
        Ok(IndexedPassage { row, collection, file, hash, passage })
    }
}
