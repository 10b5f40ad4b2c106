//! How is an index asked? A generation is held, searched by words, and read by the numbers of passages.

use std::collections::BTreeMap;
use std::path::Path;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, TantivyDocument};
use tantivy::tokenizer::TokenStream;
use tantivy::{DocAddress, Index, Searcher, Term};

use super::build::TEXT;
use super::error::KnowledgeError;
use super::fields::Fields;
use super::generations::{Generations, Held};
use super::manifest::{IndexedFile, Manifest};
use crate::documents::{Format, Passage};

/// How much more a word counts in a heading than in the text: titles are chosen with care.
const HEADING_BOOST: f32 = 1.5;
/// Most terms of a question that are looked up; what comes behind adds nothing but time.
const TERMS_MAX: usize = 64;

/// An index, as it was when it was opened.
pub struct Knowledge {
    generations: Generations,
    held: Held,
    manifest: Manifest,
    fields: Fields,
    index: Index,
    searcher: Searcher,
    numbers: Vec<u64>,
}

/// A passage and where it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedPassage {
    /// Its number, which stays with it as long as its file does not change.
    pub number: u64,
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

/// A passage that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// How well its words fit (BM25): more is better, and nothing is comparable between questions.
    pub score: f32,
    /// The passage.
    pub found: IndexedPassage,
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
        Ok(Knowledge { generations, held, manifest, fields: Fields::new(), index, searcher, numbers })
    }

    /// The number of its generation.
    pub fn generation(&self) -> u64 {
        self.held.number
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

    /// The passage of a number, if there is one.
    pub fn passage(&self, number: u64) -> Result<Option<IndexedPassage>, KnowledgeError> {
        let query =
            TermQuery::new(Term::from_field_u64(self.fields.number, number), IndexRecordOption::Basic);
        let found = self.top(&query, 1)?;
        found.first().map(|(_, address)| self.read(*address)).transpose()
    }

    /// The passages that fit the words of a text best, of one collection or of all.
    pub fn search(
        &self,
        text: &str,
        collection: Option<&str>,
        most: usize,
    ) -> Result<Vec<Hit>, KnowledgeError> {
        let words = self.query(text)?;
        let query = match collection {
            Some(name) => {
                let term = Term::from_field_text(self.fields.collection, name);
                let within: Box<dyn Query> =
                    Box::new(BoostQuery::new(Box::new(TermQuery::new(term, IndexRecordOption::Basic)), 0.0));
                BooleanQuery::new(vec![(Occur::Must, within), (Occur::Must, Box::new(words))])
            }
            None => words,
        };
        let hits = self.top(&query, most)?.into_iter();
        hits.map(|(score, address)| Ok(Hit { score, found: self.read(address)? })).collect()
    }

    /// Any word of the text, in the text or in the headings of a passage.
    fn query(&self, text: &str) -> Result<BooleanQuery, KnowledgeError> {
        let analyzer = self.index.tokenizer_for_field(self.fields.text);
        let mut analyzer = analyzer.map_err(KnowledgeError::of(&self.held.folder))?;
        let mut words: Vec<String> = Vec::new();
        let mut stream = analyzer.token_stream(text);
        while words.len() < TERMS_MAX && stream.advance() {
            if !words.contains(&stream.token().text) {
                words.push(stream.token().text.clone());
            }
        }
        let term = |field, word: &str| -> Box<dyn Query> {
            Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs))
        };
        let any = words.iter().flat_map(|word| {
            let heading = Box::new(BoostQuery::new(term(self.fields.heading, word), HEADING_BOOST));
            [(Occur::Should, term(self.fields.text, word)), (Occur::Should, heading as Box<dyn Query>)]
        });
        Ok(BooleanQuery::new(any.collect()))
    }

    fn top(&self, query: &dyn Query, most: usize) -> Result<Vec<(f32, DocAddress)>, KnowledgeError> {
        let collector = TopDocs::with_limit(most.max(1)).order_by_score();
        self.searcher.search(query, &collector).map_err(KnowledgeError::of(&self.held.folder))
    }

    fn read(&self, address: DocAddress) -> Result<IndexedPassage, KnowledgeError> {
        let document: TantivyDocument =
            self.searcher.doc(address).map_err(KnowledgeError::of(&self.held.folder))?;
        let read = self.fields.read(&document);
        let read = read.ok_or_else(|| self.generations.corrupt("a passage lacks a field"))?;
        let (number, collection, file, hash, passage) = read;
        Ok(IndexedPassage { number, collection, file, hash, passage })
    }
}
