//! Which passages answer a message? Collections first, then passages, by words and by meaning.

mod asked;
mod answer;
mod indexed;
mod documents;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use waypost_core::measure::Confidence;
use waypost_core::selection::hops::{Answered, Guide};
use waypost_core::selection::legs::Late as Reader;
use waypost_core::selection::shelf::{Alike, Entry, Shelf, turns_weighed};

pub use answer::{Citation, FoundCollection, FoundPassage, FoundSources, Place};
pub use asked::{Asked, Filter, Guidance};
pub(crate) use documents::Documents;
pub use documents::{metadata_of, paths_of};
pub use indexed::{About, Indexed, Metadata};

use answer::Told;
use asked::passes;

use crate::Error;
use crate::cache::{Caches, Memo};
use crate::encode::{BuiltIn, bring_to_length_one};
use crate::retrieve::{Late, Rows, add, centred, in_parallel, mean};
use crate::vectors::Packed;

/// Words of a window: what the layers of the encoder can take in at once.
const WINDOW_WORDS: usize = 40;
/// Words from one window to the next: what is cut by one stands whole in another.
const WINDOW_STEP: usize = 20;
/// How much of what all passages have in common is taken away from each.
const CENTRED: f32 = 0.5;
/// Most windows that are read with the layers of the encoder: half a millisecond each, once.
const DEEP_WINDOWS_MAX: usize = 20_000;

/// The power of nearness that a piece of a message counts by: passages are long, and something in them is a little near to anything.
/// Chosen on odd lines of a public set.
const SHARPNESS: i32 = 3;

/// A passage, as it comes in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Passage {
    /// What answers call it.
    pub id: String,
    /// The collection it belongs to.
    #[serde(default)]
    pub collection: String,
    /// What it is called.
    #[serde(default)]
    pub title: String,
    /// What it says.
    pub text: String,
    /// Where it stands in a file, if it is from one.
    #[serde(skip)]
    pub place: Option<Place>,
    /// What else is known of it, to choose by.
    #[serde(flatten)]
    pub metadata: BTreeMap<String, Value>,
}

impl Passage {
    /// What is known of it under a key.
    fn known(&self, key: &str) -> Option<String> {
        match (key, &self.place) {
            ("id", _) => Some(self.id.clone()),
            ("collection", _) => Some(self.collection.clone()),
            ("title", _) => Some(self.title.clone()),
            ("file", Some(place)) => Some(place.file.clone()),
            (key, _) => match self.metadata.get(key)? {
                Value::String(text) => Some(text.clone()),
                value => Some(value.to_string()),
            },
        }
    }
}

/// Passages that can be asked for, in memory or in an index.
pub enum Sources {
    /// In memory.
    Held(Library),
    /// In an index.
    Indexed(Indexed),
}

impl Sources {
    /// The passages for a message and the turns before it.
    pub fn find(&self, asked: &Asked<'_>) -> Result<FoundSources, Error> {
        match self {
            Sources::Held(library) => Ok(library.find(asked)),
            Sources::Indexed(indexed) => indexed.find(asked),
        }
    }

    /// The same sources, looking up which passages answered a message before.
    #[must_use]
    pub fn with_caches(self, caches: Option<Arc<Caches>>) -> Sources {
        match self {
            Sources::Held(library) => Sources::Held(library.with_caches(caches)),
            Sources::Indexed(indexed) => Sources::Indexed(indexed.with_caches(caches)),
        }
    }

    /// The names of the collections.
    pub fn collections(&self) -> &[String] {
        match self {
            Sources::Held(library) => library.shelf.collections(),
            Sources::Indexed(indexed) => indexed.collections(),
        }
    }

    /// How many passages there are.
    pub fn count(&self) -> usize {
        match self {
            Sources::Held(library) => library.passages().len(),
            Sources::Indexed(indexed) => indexed.count(),
        }
    }
}

/// Passages that can be found.
pub struct Library {
    passages: Vec<Passage>,
    shelf: Shelf,
    encoder: Arc<BuiltIn>,
    whole: Rows,
    windows: Rows,
    deep: Option<Deep>,
    /// Where the windows of each passage begin, and where the last ones end.
    starts: Vec<usize>,
    /// Where what was answered before is looked up.
    memo: Option<Memo>,
}

/// What was answered to a conversation, kept or computed.
fn recalled<E>(
    memo: &Memo,
    asked: &Asked<'_>,
    compute: impl Fn() -> Result<Answered, E>,
) -> Result<Answered, E> {
    let sure =
        |found: &Answered| found.passages.iter().map(|(_, sure)| *sure).max().unwrap_or(Confidence::NONE);
    memo.fetch((&asked.beside(), asked.text), asked.session, sure, compute)
}

/// Windows read with the layers of the encoder.
struct Deep {
    windows: Rows,
    /// The pieces of all windows of each passage.
    late: Late,
}

impl Library {
    /// Takes passages in and reads what they mean.
    pub fn new(passages: Vec<Passage>, encoder: Arc<BuiltIn>) -> Result<Library, Error> {
        let entries = passages.iter().map(|passage| Entry {
            collection: &passage.collection,
            title: &passage.title,
            text: &passage.text,
        });
        let shelf = Shelf::new(entries);
        let meanings = in_parallel(&passages, |passage| encoder.vector(&titled(passage)));
        let mean = mean(&meanings, BuiltIn::DIMENSIONS);
        let whole = Rows::new(centred(meanings, &mean, CENTRED))?;
        let mut cut: Vec<String> = Vec::new();
        let mut starts = vec![0];
        for passage in &passages {
            cut.extend(windows(&passage.text));
            starts.push(cut.len());
        }
        let windows = Rows::new(in_parallel(&cut, |window| encoder.vector(window)).into_iter())?;
        let deep =
            (cut.len() <= DEEP_WINDOWS_MAX).then(|| Deep::read(&cut, &starts, &encoder)).transpose()?;
        Ok(Library { passages, shelf, encoder, whole, windows, deep, starts, memo: None })
    }

    /// The same passages, looking up which answered a message before. They are found the same, sooner where messages repeat.
    #[must_use]
    pub fn with_caches(self, caches: Option<Arc<Caches>>) -> Library {
        let memo = caches.map(|caches| Memo::new(caches, &format!("passages {:?}", self.passages)));
        Library { memo, ..self }
    }

    /// The passages, in the order they were given.
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// The passages for a message and the turns before it.
    pub fn find(&self, asked: &Asked<'_>) -> FoundSources {
        let answered = match &self.memo {
            Some(memo) => recalled(memo, asked, || Ok::<_, Infallible>(self.rank(asked))),
            None => Ok(self.rank(asked)),
        };
        let Ok(answered) = answered;
        let name = |place: usize| self.shelf.collections().get(place).cloned().unwrap_or_default();
        let told = |(place, confidence): (usize, Confidence)| {
            let Passage { id, collection, title, text, place, .. } = self.passages.get(place)?.clone();
            Some(Told { id, collection, confidence, title, text, place })
        };
        let collections = answered.collections.into_iter().map(|(place, sure)| (name(place), sure));
        FoundSources::of(collections, answered.passages.into_iter().filter_map(told))
    }

    fn rank(&self, asked: &Asked<'_>) -> Answered {
        let Asked { text, earlier, most, guidance, filters, .. } = *asked;
        let said = meant(text, earlier, |text| self.encoder.vector(text));
        let whole = self.whole.similarities(&said);
        let window = self.best_windows(&self.windows.similarities(&said));
        let deep = self.deep.as_ref().map(|deep| {
            let (said, pieces) = self.read_deep(text, earlier);
            (self.best_windows(&deep.windows.similarities(&said)), &deep.late, pieces)
        });
        let read = deep.as_ref().map(|(_, late, pieces)| |passages: &[usize]| late.alike(pieces, passages));
        let late = read.as_ref().map(|read| Reader(read));
        let deep = deep.as_ref().map(|(alike, ..)| alike.as_slice());
        let alike = Alike { whole: &whole, window: &window, deep, late };
        let names = self.shelf.collections();
        let prior: Vec<f32> = guidance
            .map_or_else(Vec::new, |guidance| names.iter().map(|name| guidance.prior(name)).collect());
        let only = guidance.and_then(|guidance| guidance.only(names.iter().map(String::as_str)));
        let may: Option<Vec<bool>> = (!filters.is_empty()).then(|| {
            self.passages
                .iter()
                .map(|passage| passes(filters, |key| passage.known(key).into_iter().collect()))
                .collect()
        });
        let guide = Guide { prior: &prior, only: only.as_deref(), may: may.as_deref() };
        self.shelf.find(text, earlier, &alike, &guide, most)
    }

    /// A conversation read with the layers of the encoder: what it means, and its pieces, which count by their length and so
    /// less the older they are.
    fn read_deep(&self, text: &str, earlier: &[String]) -> (Vec<f32>, Vec<f32>) {
        let mut all = Vec::new();
        let said = meant(text, earlier, |text| {
            let (vector, pieces) = self.encoder.deep_pieces(text);
            all.push(pieces);
            vector
        });
        let weighed = turns_weighed(text, earlier)
            .into_iter()
            .zip(all)
            .flat_map(|((_, weight), pieces)| pieces.into_iter().map(move |value| weight * value));
        (said, weighed.collect())
    }

    /// The best window of each passage.
    fn best_windows(&self, alike: &[f32]) -> Vec<f32> {
        let best = |bounds: &[usize]| match bounds {
            [from, to] => alike.get(*from..*to).unwrap_or_default().iter().copied().fold(0.0, f32::max),
            _ => 0.0,
        };
        self.starts.windows(2).map(best).collect()
    }
}

impl Deep {
    /// Reads windows, which belong to passages as these bounds say.
    fn read(cut: &[String], starts: &[usize], encoder: &BuiltIn) -> Result<Deep, Error> {
        let bounds: Vec<&[usize]> = starts.windows(2).collect();
        // Pieces are large as they come, and are packed before the next passage is read.
        let read = in_parallel(&bounds, |bounds| {
            let own = match bounds {
                [from, to] => cut.get(*from..*to).unwrap_or_default(),
                _ => &[],
            };
            let (vectors, pieces): (Vec<Vec<f32>>, Vec<Vec<f32>>) =
                own.iter().map(|window| encoder.deep_pieces(window)).unzip();
            (vectors, Late::packed(&pieces.concat()))
        });
        let (vectors, packed): (Vec<Vec<Vec<f32>>>, Vec<Packed>) = read.into_iter().unzip();
        Ok(Deep { windows: Rows::new(vectors.into_iter().flatten())?, late: Late::new(packed, SHARPNESS) })
    }
}

/// What a conversation means: the message, and less the turns before it.
fn meant(text: &str, earlier: &[String], mut vector: impl FnMut(&str) -> Vec<f32>) -> Vec<f32> {
    let mut sum = vec![0.0; BuiltIn::DIMENSIONS];
    for (turn, weight) in turns_weighed(text, earlier) {
        add(&mut sum, &vector(turn), weight);
    }
    bring_to_length_one(&mut sum);
    sum
}

fn titled(passage: &Passage) -> String {
    match passage.title.trim() {
        "" => passage.text.clone(),
        title => format!("{}: {}", title.replace('_', " "), passage.text),
    }
}

/// A text in windows that overlap.
fn windows(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() <= WINDOW_WORDS {
        return vec![text.to_owned()];
    }
    let starts = (0..words.len() - WINDOW_WORDS + WINDOW_STEP).step_by(WINDOW_STEP);
    starts.filter_map(|from| Some(words.get(from..words.len().min(from + WINDOW_WORDS))?.join(" "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_all_words_and_overlap() {
        let check = |count: usize, expected: usize| {
            let words: Vec<String> = (0..count).map(|n| format!("w{n}")).collect();
            let windows = windows(&words.join(" "));
            assert_eq!(windows.len(), expected, "{count} words");
            for word in &words {
                assert!(windows.iter().any(|window| window.split(' ').any(|own| own == word)), "{word}");
            }
        };
        check(1, 1);
        check(40, 1);
        check(41, 2);
        check(60, 2);
        check(61, 3);
    }

    #[test]
    fn the_passage_that_answers_is_found() {
        let passage = |id: &str, collection: &str, text: &str| Passage {
            id: id.into(),
            collection: collection.into(),
            title: String::new(),
            text: text.into(),
            place: None,
            metadata: BTreeMap::new(),
        };
        let library = Library::new(
            vec![
                passage("owl", "birds", "Owls hunt mice in the dark."),
                passage("tram", "cities", "The tram to the harbour leaves every ten minutes."),
                passage("port", "cities", "Ships are loaded at the quay from dawn to dusk."),
            ],
            BuiltIn::shipped().unwrap(),
        )
        .unwrap();
        let ask =
            |text, earlier: &[String]| library.find(&Asked { text, earlier, most: 2, ..Asked::default() });
        let found = ask("how often does the streetcar go to the port", &[]);
        assert_eq!(found.passages[0].id, "tram");
        assert_eq!(found.collections[0].name, "cities");
        assert_eq!(ask("what do they eat", &["tell me about owls".into()]).passages[0].id, "owl");
    }
}
