//! Which passages answer a message? Collections first, then passages, by words and by meaning.

mod answer;

use std::sync::Arc;

use serde::Deserialize;
use waypost_core::selection::shelf::{
    Alike, Answered, EARLIER_FADES, EARLIER_MOST, EARLIER_WEIGHT, Entry, Shelf,
};

pub use answer::{FoundCollection, FoundPassage, FoundSources};

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

    /// The best passages for a message and the turns before it, oldest first, and their collections.
    pub fn rank(&self, text: &str, earlier: &[String], most: usize) -> Answered {
        let said = meant(text, earlier, |text| self.encoder.vector(text));
        let whole = self.whole.similarities(&said);
        let window = self.best_windows(&self.windows.similarities(&said));
        let deep = self.deep_windows.as_ref().map(|windows| {
            let said = meant(text, earlier, |text| self.encoder.deep_vector(text));
            self.best_windows(&windows.similarities(&said))
        });
        let alike = Alike { whole: &whole, window: &window, deep: deep.as_deref() };
        self.shelf.find(text, earlier, &alike, most)
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
    let mut sum = vector(text);
    let mut weight = EARLIER_WEIGHT;
    for turn in earlier.iter().rev().take(EARLIER_MOST) {
        add(&mut sum, &vector(turn), weight);
        weight *= EARLIER_FADES;
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
        let found = library.find("how often does the streetcar go to the port", &[], 2);
        assert_eq!(found.passages[0].id, "tram");
        assert_eq!(found.collections[0].name, "cities");
        assert_eq!(library.find("what do they eat", &["tell me about owls".into()], 1).passages[0].id, "owl");
    }
}
