//! What is kept of a passage, and how is its text cut into terms?

use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TantivyDocument, TextFieldIndexing,
    TextOptions, Value,
};
use tantivy::tokenizer::{Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, TextAnalyzer};
use tantivy::{Index, Term};

use super::manifest::IndexedFile;
use crate::documents::Passage;

/// The name of our way to cut text into terms.
const ANALYZER: &str = "waypost";
/// Longest term, in bytes: longer ones are data that nobody asks for.
const TERM_BYTES_MAX: usize = 64;
/// The field of a passage's number.
pub(super) const NUMBER: &str = "number";

/// The fields of a passage.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    pub schema: Schema,
    /// Collection and file together: what is deleted when a file changes.
    key: Field,
    pub collection: Field,
    file: Field,
    pub heading: Field,
    pub text: Field,
    first_line: Field,
    last_line: Field,
    hash: Field,
    pub number: Field,
}

impl Fields {
    pub fn new() -> Fields {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(ANALYZER)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let words = TextOptions::default().set_indexing_options(indexing).set_stored();
        Fields {
            key: schema.add_text_field("key", STRING),
            collection: schema.add_text_field("collection", STRING | STORED),
            file: schema.add_text_field("file", STRING | STORED),
            heading: schema.add_text_field("heading", words.clone()),
            text: schema.add_text_field("text", words),
            first_line: schema.add_u64_field("first_line", STORED),
            last_line: schema.add_u64_field("last_line", STORED),
            hash: schema.add_text_field("hash", STORED),
            number: schema.add_u64_field(NUMBER, INDEXED | FAST | STORED),
            schema: schema.build(),
        }
    }

    /// Tells an index how text is cut into terms.
    pub fn register(index: &Index) {
        let analyzer = TextAnalyzer::builder(SimpleTokenizer::default())
            .filter(RemoveLongFilter::limit(TERM_BYTES_MAX))
            .filter(LowerCaser)
            .filter(Stemmer::new(Language::English))
            .build();
        index.tokenizers().register(ANALYZER, analyzer);
    }

    /// The term that all passages of a file have.
    pub fn key(&self, collection: &str, file: &str) -> Term {
        Term::from_field_text(self.key, &key(collection, file))
    }

    /// A passage of a file, as the index takes it.
    pub fn document(&self, file: &IndexedFile, number: u64, passage: &Passage) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        document.add_text(self.key, key(&file.collection, &file.file));
        document.add_text(self.collection, &file.collection);
        document.add_text(self.file, &file.file);
        for heading in &passage.heading {
            document.add_text(self.heading, heading);
        }
        document.add_text(self.text, &passage.text);
        document.add_u64(self.first_line, passage.lines.0 as u64);
        document.add_u64(self.last_line, passage.lines.1 as u64);
        document.add_text(self.hash, &file.hash);
        document.add_u64(self.number, number);
        document
    }

    /// A passage, as it was kept: number, collection, file, hash, and what it says.
    pub fn read(&self, document: &TantivyDocument) -> Option<(u64, String, String, String, Passage)> {
        let text = |field| document.get_first(field).and_then(|value| value.as_str()).map(str::to_owned);
        let number = |field| document.get_first(field).and_then(|value| value.as_u64());
        let line = |field| number(field).and_then(|line| usize::try_from(line).ok());
        let heading =
            document.get_all(self.heading).filter_map(|value| value.as_str()).map(str::to_owned).collect();
        let lines = (line(self.first_line)?, line(self.last_line)?);
        let passage = Passage { text: text(self.text)?, heading, lines };
        Some((number(self.number)?, text(self.collection)?, text(self.file)?, text(self.hash)?, passage))
    }
}

fn key(collection: &str, file: &str) -> String {
    format!("{collection}\0{file}")
}
