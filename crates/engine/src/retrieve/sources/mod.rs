//! Which passages answer a message? Collections first, then passages, by words and by meaning.

mod asked;
mod answer;
mod indexed;
mod documents;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use waypost_core::measure::Confidence;
use waypost_core::selection::hops::{Answered, Guide};
use waypost_core::selection::shelf::{Alike, Entry, Shelf, turns_weighed};

pub use answer::{Citation, FoundCollection, FoundPassage, FoundSources, Place};
pub use asked::{Asked, Filter, Guidance};
pub(crate) use documents::Documents;
pub use documents::{metadata_of, paths_of};
pub use indexed::{Indexed, Metadata};

use answer::Told;
use asked::passes;

use crate::Error;
use crate::encode::{BuiltIn, bring_to_length_one};
use crate::retrieve::{Rows, add, centred, in_parallel, mean};

/// Words of a window: what the layers of the encoder can take in at once.
const WINDOW_WORDS: usize = 40;
/// Words from one window to the next: what is cut by one stands whole in another.
const WINDOW_STEP: usize = 20;
/// How much of what all passages have in common is taken away from each.
const CENTRED: f32 = 0.5;
/// Most windows that are read with the layers of the encoder: half a millisecond each, once.
const DEEP_WINDOWS_MAX: usize = 20_000;

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
    deep_windows: Option<Rows>,
    /// Where the windows of each passage begin, and where the last ones end.
    starts: Vec<usize>,
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
        let deep_windows = (cut.len() <= DEEP_WINDOWS_MAX)
            .then(|| Rows::new(in_parallel(&cut, |window| encoder.deep_vector(window)).into_iter()))
            .transpose()?;
        Ok(Library { passages, shelf, encoder, whole, windows, deep_windows, starts })
    }

    /// The passages, in the order they were given.
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// The passages for a message and the turns before it.
    pub fn find(&self, asked: &Asked<'_>) -> FoundSources {
        let answered = self.rank(asked);
        let name = |place: usize| self.shelf.collections().get(place).cloned().unwrap_or_default();
        let told = |(place, confidence): (usize, Confidence)| {
            let Passage { id, collection, title, text, place, .. } = self.passages.get(place)?.clone();
            Some(Told { id, collection, confidence, title, text, place })
        };
        let collections = answered.collections.into_iter().map(|(place, sure)| (name(place), sure));
        FoundSources::of(collections, answered.passages.into_iter().filter_map(told))
    }

    fn rank(&self, asked: &Asked<'_>) -> Answered {
        let Asked { text, earlier, most, guidance, filters } = *asked;
        let said = meant(text, earlier, |text| self.encoder.vector(text));
        let whole = self.whole.similarities(&said);
        let window = self.best_windows(&self.windows.similarities(&said));
        let deep = self.deep_windows.as_ref().map(|windows| {
            let said = meant(text, earlier, |text| self.encoder.deep_vector(text));
            self.best_windows(&windows.similarities(&said))
        });
        let alike = Alike { whole: &whole, window: &window, deep: deep.as_deref() };
        let names = self.shelf.collections();
        let prior: Vec<f32> = guidance
            .map_or_else(Vec::new, |guidance| names.iter().map(|name| guidance.prior(name)).collect());
        let only = guidance.and_then(|guidance| guidance.only(names.iter().map(String::as_str)));
        let may: Option<Vec<bool>> = (!filters.is_empty())
            .then(|| self.passages.iter().map(|passage| passes(filters, |key| passage.known(key))).collect());
        let guide = Guide { prior: &prior, only: only.as_deref(), may: may.as_deref() };
        self.shelf.find(text, earlier, &alike, &guide, most)
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

/// What a conversation means: the message, and less the turns before it.
fn meant(text: &str, earlier: &[String], vector: impl Fn(&str) -> Vec<f32>) -> Vec<f32> {
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
