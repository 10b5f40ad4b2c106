//! Which passages of an index may answer a conversation? Candidates by words and by meaning, and what both say of each.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use tantivy::collector::{FilterCollector, TopDocs};
use tantivy::query::{BooleanQuery, BoostQuery, EnableScoring, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::tokenizer::TokenStream;
use tantivy::{DocAddress, DocSet, Score, TERMINATED, Term};
use waypost_core::selection::terms::telling;

use super::error::KnowledgeError;
use super::fields::NUMBER;
use super::open::Knowledge;

/// How much more a word counts in a heading than in the text: titles are chosen with care.
const HEADING_BOOST: f32 = 1.5;
/// Most terms of a conversation that are looked up; what comes behind adds nothing but time.
const TERMS_MAX: usize = 64;
/// Candidates of the scan for every row wanted by meaning. As a hundred and more are wanted, they are over two thousand, which hold 99 of
/// 100 of the ten that are truly nearest among 1,000,000.
const OVERSAMPLE: usize = 20;

/// What is looked for.
pub(crate) struct Sought<'s> {
    /// The message and the turns before it, with what the words of each count.
    pub texts: &'s [(&'s str, f32)],
    /// What they mean together.
    pub vector: &'s [f32],
    /// Rows that alone are looked at; all where there are none.
    pub within: Option<&'s [Range<u32>]>,
}

/// A passage that may answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hinted {
    /// Its row.
    pub row: u32,
    /// How well its words fit (BM25).
    pub words: f32,
    /// How far it means the same.
    pub alike: f32,
}

impl Knowledge {
    /// So many candidates by words and as many by meaning, in the order of their rows.
    pub(crate) fn candidates(&self, sought: &Sought<'_>, each: usize) -> Result<Vec<Hinted>, KnowledgeError> {
        let terms = self.terms(sought.texts)?;
        let mut found: BTreeMap<u32, f32> = self.by_words(&terms, sought.within, each)?.into_iter().collect();
        let near = match sought.within {
            Some(ranges) => self.vectors.nearest_within(sought.vector, ranges, each, OVERSAMPLE),
            None => self.vectors.nearest(sought.vector, each, OVERSAMPLE),
        };
        let unheard: Vec<u32> =
            near.iter().map(|near| near.row).filter(|row| !found.contains_key(row)).collect();
        found.extend(self.heard(&terms, &unheard)?);
        let rows: Vec<u32> = found.keys().copied().collect();
        let near = self.vectors.nearest_among(sought.vector, &rows, rows.len());
        let alike: BTreeMap<u32, f32> = near.into_iter().map(|near| (near.row, near.similarity)).collect();
        let hinted = |(row, words): (u32, f32)| {
            let alike = alike.get(&row).copied().unwrap_or_default();
            Hinted { row, words, alike }
        };
        Ok(found.into_iter().map(hinted).collect())
    }

    /// The words that are looked for, in the text or in the headings of a passage. A word of two turns counts for both.
    fn terms(&self, texts: &[(&str, f32)]) -> Result<Vec<Box<dyn Query>>, KnowledgeError> {
        let analyzer = self.index.tokenizer_for_field(self.fields.text);
        let mut analyzer = analyzer.map_err(KnowledgeError::of(self.folder()))?;
        let mut words: Vec<(String, f32)> = Vec::new();
        for (text, weight) in texts {
            for word in telling(text) {
                let mut stream = analyzer.token_stream(text.get(word.at).unwrap_or_default());
                while stream.advance() {
                    let token = &stream.token().text;
                    let full = words.len() >= TERMS_MAX;
                    match words.iter_mut().find(|(known, _)| known == token) {
                        Some((_, known)) => *known += weight,
                        None if full => {}
                        None => words.push((token.clone(), *weight)),
                    }
                }
            }
        }
        let term = |field, word: &str, weight: f32| -> Box<dyn Query> {
            let term = TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs);
            Box::new(BoostQuery::new(Box::new(term), weight))
        };
        let both = |(word, weight): &(String, f32)| {
            let heading = term(self.fields.heading, word, HEADING_BOOST * weight);
            [term(self.fields.text, word, *weight), heading]
        };
        Ok(words.iter().flat_map(both).collect())
    }

    /// The rows whose words fit best, and how well.
    fn by_words(
        &self,
        terms: &[Box<dyn Query>],
        within: Option<&[Range<u32>]>,
        most: usize,
    ) -> Result<Vec<(u32, Score)>, KnowledgeError> {
        let any = terms.iter().map(|term| (Occur::Should, term.box_clone())).collect();
        let (query, best) = (BooleanQuery::new(any), TopDocs::with_limit(most.max(1)).order_by_score());
        let found = match within.map(|ranges| self.numbers_of(ranges)) {
            Some(ranges) => {
                let is_in = move |number: u64| ranges.iter().any(|range| range.contains(&number));
                self.searcher.search(&query, &FilterCollector::new(NUMBER.to_owned(), is_in, best))
            }
            None => self.searcher.search(&query, &best),
        };
        let found = found.map_err(KnowledgeError::of(self.folder()))?;
        found.into_iter().map(|(score, address)| Ok((self.row_at(address)?, score))).collect()
    }

    /// How well the words of some rows fit.
    fn heard(&self, terms: &[Box<dyn Query>], rows: &[u32]) -> Result<Vec<(u32, Score)>, KnowledgeError> {
        let failed = KnowledgeError::of(self.folder());
        let mut places: BTreeMap<DocAddress, (u32, Score)> = BTreeMap::new();
        for row in rows {
            if let Some(address) = self.address_of(*row)? {
                places.insert(address, (*row, 0.0));
            }
        }
        for term in terms {
            let weight =
                term.weight(EnableScoring::enabled_from_searcher(&self.searcher)).map_err(&failed)?;
            let mut open = None;
            for (address, (_, worth)) in &mut places {
                let segment = address.segment_ord;
                if open.as_ref().is_none_or(|(own, _)| *own != segment) {
                    let reader = self.searcher.segment_reader(segment);
                    open = Some((segment, weight.scorer(reader, 1.0).map_err(&failed)?));
                }
                let Some((_, scorer)) = &mut open else { continue };
                if scorer.doc() != TERMINATED && scorer.doc() < address.doc_id {
                    scorer.seek(address.doc_id);
                }
                if scorer.doc() == address.doc_id {
                    *worth += scorer.score();
                }
            }
        }
        Ok(places.into_values().collect())
    }

    /// Numbers rise with rows, so ranges of rows are ranges of numbers.
    fn numbers_of(&self, ranges: &[Range<u32>]) -> Vec<RangeInclusive<u64>> {
        let rows = |range: &Range<u32>| self.numbers().get(range.start as usize..range.end as usize);
        let within = |numbers: &[u64]| Some(*numbers.first()?..=*numbers.last()?);
        ranges.iter().filter_map(|range| rows(range).and_then(within)).collect()
    }

    fn row_at(&self, address: DocAddress) -> Result<u32, KnowledgeError> {
        let reader = self.searcher.segment_reader(address.segment_ord);
        let numbers = reader.fast_fields().u64(NUMBER).map_err(KnowledgeError::of(self.folder()))?;
        let row = numbers.first(address.doc_id).and_then(|number| self.numbers().binary_search(&number).ok());
        row.and_then(|row| u32::try_from(row).ok())
            .ok_or_else(|| self.generations.corrupt("a passage is not on the list"))
    }
}
