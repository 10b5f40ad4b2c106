//! Which passages of an index answer a message? Candidates of both legs on one scale, and the best of them read again.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use waypost_core::head::similarity;
use waypost_core::measure::Confidence;
use waypost_core::selection::hops::{Answered, Guide, Scored, choose};
use waypost_core::selection::legs::{Late as Reader, Leg, best, joined, raise, words_weight};
use waypost_core::selection::shelf::{WINDOW_WEIGHT, turns_weighed};

use super::answer::{FoundSources, Told};
use super::asked::{Asked, Filter, passes};
use super::{Place, meant, recalled, windows};
use crate::Error;
use crate::cache::{Caches, Memo};
use crate::encode::BuiltIn;
use crate::knowledge::{Hinted, IndexedFile, IndexedPassage, Knowledge, KnowledgeError, Sought};
use crate::retrieve::Late;

/// Candidates by words, and as many by meaning. On odd lines of a public set of conversations 32 found as much as 256; the rest is
/// room for larger indexes.
const CANDIDATES_EACH: usize = 128;
/// Candidates whose text is read again, window by window: some ten microseconds each.
const READ_AGAIN: usize = 32;
/// Most pieces of a passage or of a turn that are read: a passage has about two hundred and fifty.
const PIECES_MAX: usize = 512;
/// What having what each word asks for counts, in deviations of the candidates a likeness of one. On odd lines of a public set
/// anything from two to eight finds as much.
const LATE_WEIGHT: f32 = 4.0;
/// The power of how near the nearest of all comes to a piece of a message that the piece counts by.
const LATE_SHARPNESS: i32 = 2;

/// What a catalog says of collections, by the names that an index may have for them.
pub type Metadata = BTreeMap<String, About>;

/// What a catalog says of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// What answers call it.
    pub name: String,
    /// What is true of all its passages.
    pub says: BTreeMap<String, String>,
}

/// An index that can be asked.
pub struct Indexed {
    knowledge: Knowledge,
    encoder: Arc<BuiltIn>,
    /// In order.
    collections: Vec<String>,
    spans: Vec<Span>,
    metadata: Metadata,
    /// Where what was answered before is looked up.
    memo: Option<Memo>,
}

/// Where the passages of a file stand.
struct Span {
    rows: Range<u32>,
    collection: usize,
    file: usize,
}

/// A conversation, as it is searched by.
struct Said {
    /// What it means.
    vector: Vec<f32>,
    /// Its pieces, one after the other, which count by their length and so less the older they are.
    pieces: Vec<f32>,
}

/// What a search came to.
struct Hop {
    hinted: Vec<Hinted>,
    /// Passages that were read, by their place among the hinted.
    read: BTreeMap<usize, IndexedPassage>,
    answered: Answered,
}

impl Indexed {
    /// Opens the index of a folder, with what a catalog says of its collections.
    pub fn open(folder: &Path, encoder: Arc<BuiltIn>, metadata: Metadata) -> Result<Indexed, KnowledgeError> {
        let knowledge = Knowledge::open(folder)?;
        let collections: Vec<String> = knowledge.collections().into_keys().map(str::to_owned).collect();
        let spans = spans(&knowledge, &collections);
        Ok(Indexed { knowledge, encoder, collections, spans, metadata, memo: None })
    }

    /// How many passages there are.
    pub fn count(&self) -> usize {
        self.knowledge.numbers().len()
    }

    /// The same index, looking up which passages answered a message before.
    #[must_use]
    pub fn with_caches(self, caches: Option<Arc<Caches>>) -> Indexed {
        let of = || format!("index {} {:?} {:?}", self.knowledge.mark(), self.collections, self.metadata);
        let memo = caches.map(|caches| Memo::new(caches, &of()));
        Indexed { memo, ..self }
    }

    /// The passages for a message and the turns before it.
    pub fn find(&self, asked: &Asked<'_>) -> Result<FoundSources, Error> {
        let (answered, mut read) = match &self.memo {
            Some(memo) => {
                let answered = recalled(memo, asked, || self.searched(asked).map(|(answered, _)| answered))?;
                (answered, BTreeMap::new())
            }
            None => self.searched(asked)?,
        };
        let mut passages = Vec::with_capacity(answered.passages.len());
        for (row, confidence) in answered.passages {
            let passage = match read.remove(&row) {
                Some(passage) => Some(passage),
                None => self.knowledge.passage(u32::try_from(row).unwrap_or(u32::MAX))?,
            };
            passages.extend(passage.map(|passage| self.told(passage, confidence)));
        }
        let name = |place: usize| {
            self.collections.get(place).map_or("", |collection| self.name_of(collection)).to_owned()
        };
        let collections = answered.collections.into_iter().map(|(place, sure)| (name(place), sure));
        Ok(FoundSources::of(collections, passages.into_iter()))
    }

    /// What is answered, passages by their rows, and which of them were read on the way.
    fn searched(&self, asked: &Asked<'_>) -> Result<(Answered, BTreeMap<usize, IndexedPassage>), Error> {
        let said = self.said(asked);
        let names = self.collections.iter().map(String::as_str);
        let only = asked.guidance.and_then(|guidance| guidance.only(names));
        let mut hop = self.hop(asked, &said, only.as_deref())?;
        let few = only.is_none() && hop.answered.passages.len() < asked.most;
        if let Some(read) = hop.answered.read.clone().filter(|_| few) {
            // The likely collections may have more than was among the candidates of all.
            let collections = hop.answered.collections;
            hop = self.hop(asked, &said, Some(&read))?;
            hop.answered.collections = collections;
        }
        let Hop { hinted, read, mut answered } = hop;
        let row = |place: usize| hinted.get(place).map_or(usize::MAX, |hinted| hinted.row as usize);
        for (place, _) in &mut answered.passages {
            *place = row(*place);
        }
        Ok((answered, read.into_iter().map(|(place, passage)| (row(place), passage)).collect()))
    }

    fn said(&self, asked: &Asked<'_>) -> Said {
        let vector = meant(asked.text, asked.earlier, |text| self.encoder.vector(text));
        let turns = turns_weighed(asked.text, asked.earlier).into_iter();
        let pieces = turns.flat_map(|(turn, weight)| {
            let pieces = self.encoder.pieces(turn, PIECES_MAX);
            pieces.into_iter().map(move |value| weight * value)
        });
        Said { vector, pieces: pieces.collect() }
    }

    /// Candidates of all collections or of some, and which of them are answered.
    fn hop(&self, asked: &Asked<'_>, said: &Said, only: Option<&[usize]>) -> Result<Hop, KnowledgeError> {
        let (texts, within) = (turns_weighed(asked.text, asked.earlier), self.within(asked, only));
        let sought = Sought { texts: &texts, vector: &said.vector, within: within.as_deref() };
        let most = asked.most.min(self.count());
        let hinted = self.knowledge.candidates(&sought, CANDIDATES_EACH.max(most))?;
        let of: Vec<usize> = hinted.iter().map(|hinted| self.collection_of(hinted.row)).collect();
        let words: Vec<f32> = hinted.iter().map(|hinted| hinted.words).collect();
        let mut alike: Vec<f32> = hinted.iter().map(|hinted| hinted.alike).collect();
        let weight = words_weight(self.knowledge.mean_words());
        let legs = [Leg { scores: &alike, weight: 1.0 }, Leg { scores: &words, weight }];
        let mut sums = joined(&legs, hinted.len());
        let read = self.read_again(&hinted, said, &mut sums, &mut alike)?;
        let prior: Vec<f32> = asked.guidance.map_or_else(Vec::new, |guidance| {
            self.collections.iter().map(|collection| guidance.prior(collection)).collect()
        });
        let scored = Scored { sums: &sums, alike: &alike, of: &of, collections: self.collections.len() };
        let answered = choose(&scored, &Guide { prior: &prior, only, may: None }, asked.most);
        Ok(Hop { hinted, read, answered })
    }

    /// Reads the best candidates again, window by window: the answer is often one sentence. Their likeness is that of the best
    /// window from then on.
    fn read_again(
        &self,
        hinted: &[Hinted],
        said: &Said,
        sums: &mut [f32],
        alike: &mut [f32],
    ) -> Result<BTreeMap<usize, IndexedPassage>, KnowledgeError> {
        let (mut read, mut found, mut packed) = (BTreeMap::new(), Vec::new(), Vec::new());
        let again = best(sums, READ_AGAIN);
        for place in &again {
            let passage = self.passage(hinted, *place)?;
            let text = passage.as_ref().map_or("", |indexed| &indexed.passage.text);
            let near = windows(text)
                .iter()
                .map(|window| similarity(&self.encoder.vector(window), &said.vector))
                .collect::<Vec<f32>>();
            found.push(near.into_iter().fold(0.0, f32::max));
            packed.push(Late::packed(&self.encoder.pieces(text, PIECES_MAX)));
            read.extend(passage.map(|passage| (*place, passage)));
        }
        let worths = joined(&[Leg { scores: &found, weight: WINDOW_WEIGHT }], found.len());
        // What was not read must not come before what was for that alone.
        let least = worths.iter().copied().fold(0.0, f32::min);
        for sum in sums.iter_mut() {
            *sum += least;
        }
        for (place, (near, worth)) in again.iter().zip(found.into_iter().zip(worths)) {
            if let (Some(alike), Some(sum)) = (alike.get_mut(*place), sums.get_mut(*place)) {
                *alike = near;
                *sum += worth - least;
            }
        }
        let late = Late::new(packed, LATE_SHARPNESS);
        let alike_late = late.alike(&said.pieces, &(0..again.len()).collect::<Vec<usize>>());
        raise(sums, &again, Reader(&|_| alike_late.clone()), LATE_WEIGHT);
        Ok(read)
    }

    fn passage(&self, hinted: &[Hinted], place: usize) -> Result<Option<IndexedPassage>, KnowledgeError> {
        self.knowledge.passage(hinted.get(place).map_or(u32::MAX, |hinted| hinted.row))
    }

    fn span_of(&self, row: u32) -> Option<&Span> {
        self.spans.get(self.spans.partition_point(|span| span.rows.end <= row))
    }

    fn collection_of(&self, row: u32) -> usize {
        self.span_of(row).map_or(usize::MAX, |span| span.collection)
    }

    /// The rows of the files that pass the filters, of some collections or of all; nothing where all rows do.
    fn within(&self, asked: &Asked<'_>, only: Option<&[usize]>) -> Option<Vec<Range<u32>>> {
        if asked.filters.is_empty() && only.is_none() {
            return None;
        }
        let is_in = |span: &&Span| {
            only.is_none_or(|only| only.contains(&span.collection))
                && self.knowledge.files().get(span.file).is_some_and(|file| self.passes(file, asked.filters))
        };
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for span in self.spans.iter().filter(is_in) {
            match ranges.last_mut().filter(|last| last.end == span.rows.start) {
                Some(last) => last.end = span.rows.end,
                None => ranges.push(span.rows.clone()),
            }
        }
        Some(ranges)
    }

    fn passes(&self, file: &IndexedFile, filters: &[Vec<Filter>]) -> bool {
        passes(filters, |key| match key {
            "collection" => vec![file.collection.clone(), self.name_of(&file.collection).to_owned()],
            "file" => vec![file.file.clone()],
            "format" => vec![file.format.as_str().to_owned()],
            key => {
                let says = self.metadata.get(&file.collection).and_then(|about| about.says.get(key));
                says.cloned().into_iter().collect()
            }
        })
    }

    /// What answers call a collection of the index.
    fn name_of<'n>(&'n self, collection: &'n str) -> &'n str {
        self.metadata.get(collection).map_or(collection, |about| about.name.as_str())
    }

    /// The names of the collections in the index, in order.
    pub fn collections(&self) -> &[String] {
        &self.collections
    }

    fn told(&self, indexed: IndexedPassage, confidence: Confidence) -> Told {
        let IndexedPassage { row, collection, file, passage, .. } = indexed;
        let rank = self.span_of(row).map_or(0, |span| row - span.rows.start + 1);
        let title = passage.heading.last().cloned().unwrap_or_else(|| file.clone());
        let collection = self.name_of(&collection).to_owned();
        Told {
            id: format!("{collection}/{file}#{rank}"),
            collection,
            confidence,
            title,
            text: passage.text,
            place: Some(Place { file, heading: passage.heading, lines: passage.lines }),
        }
    }
}

/// Where the passages of files stand, in the order of rows.
fn spans(knowledge: &Knowledge, collections: &[String]) -> Vec<Span> {
    let row = |number: &u64| u32::try_from(knowledge.numbers().binary_search(number).ok()?).ok();
    let span = |(place, file): (usize, &IndexedFile)| {
        let (start, count) = (row(&file.first)?, u32::try_from(file.passages).ok()?);
        let collection = collections.binary_search(&file.collection).ok()?;
        Some(Span { rows: start..start + count, collection, file: place })
    };
    // An empty file shares its first number with the next that has passages.
    let files = knowledge.files().iter().enumerate().filter(|(_, file)| file.passages > 0);
    let mut spans: Vec<Span> = files.filter_map(span).collect();
    spans.sort_by_key(|span| span.rows.start);
    spans
}
