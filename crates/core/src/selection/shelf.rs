//! Which passages answer a message, and which collections are they in?

use super::hops::{Answered, Guide, Scored, choose};
use super::legs::{Late, Leg, best_among, joined, raise, words_weight};
use super::lexical::{Field, Lexical};
use super::terms::{Term, telling, words};

/// Texts of a passage that words are found in: title and text.
const FIELDS: [Field; 2] = [Field { weight: 1.0, by_length: 0.3 }, Field { weight: 1.0, by_length: 0.75 }];
/// What the best window of a passage counts beside the whole: the answer is often one sentence.
pub const WINDOW_WEIGHT: f32 = 0.25;
/// What the best window counts, read with the layers of the encoder.
const DEEP_WINDOW_WEIGHT: f32 = 0.8;
/// What having what each word asks for counts, in deviations of the passages a likeness of one. Chosen on odd lines
/// of a public set.
const LATE_WEIGHT: f32 = 10.0;
/// Passages that are read word by word: what figures look at, and as many again.
const LATE_READ: usize = 20;
/// What the words of an earlier turn count beside those of the message, and how much less each one before it does. Measured on
/// odd lines of a public set of conversations.
const EARLIER_WEIGHT: f32 = 0.3;
/// How fast earlier turns fade.
const EARLIER_FADES: f32 = 0.6;
/// Earlier turns that count at all.
const EARLIER_MOST: usize = 3;

/// Passages that can be found.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    lexical: Lexical,
    /// The collection of each passage.
    of: Vec<usize>,
    collections: Vec<String>,
    mean_words: f32,
}

/// A passage as it is taken in.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'t> {
    /// The collection it belongs to.
    pub collection: &'t str,
    /// What it is called.
    pub title: &'t str,
    /// What it says.
    pub text: &'t str,
}

/// How far a message and each passage mean the same.
#[derive(Clone, Copy, Debug)]
pub struct Alike<'s> {
    /// The whole passage.
    pub whole: &'s [f32],
    /// Its best window.
    pub window: &'s [f32],
    /// Its best window by the layers of the encoder, where they were asked.
    pub deep: Option<&'s [f32]>,
    /// Reads the best word by word, where that is wanted.
    pub late: Option<Late<'s>>,
}

/// The message and the turns before it, the latest first, with what each counts. The turns come oldest first.
pub fn turns_weighed<'t>(text: &'t str, earlier: &'t [String]) -> Vec<(&'t str, f32)> {
    let mut weight = EARLIER_WEIGHT;
    let turns = earlier.iter().rev().take(EARLIER_MOST).map(|turn| {
        let own = weight;
        weight *= EARLIER_FADES;
        (turn.as_str(), own)
    });
    std::iter::once((text, 1.0)).chain(turns).collect()
}

impl Shelf {
    /// Takes passages in.
    #[allow(clippy::cast_precision_loss)] // counts of words are small
    pub fn new<'t>(entries: impl Iterator<Item = Entry<'t>> + Clone) -> Shelf {
        let lexical = Lexical::new(&FIELDS, entries.clone().map(|entry| [entry.title, entry.text]));
        let mut shelf = Shelf { lexical, ..Shelf::default() };
        let mut count = 0;
        for entry in entries {
            count += words(entry.title).len() + words(entry.text).len();
            let known = shelf.collections.iter().position(|name| name == entry.collection);
            let place = known.unwrap_or_else(|| {
                shelf.collections.push(entry.collection.to_owned());
                shelf.collections.len() - 1
            });
            shelf.of.push(place);
        }
        shelf.mean_words = count as f32 / shelf.of.len().max(1) as f32;
        shelf
    }

    /// The names of the collections.
    pub fn collections(&self) -> &[String] {
        &self.collections
    }

    /// What the words of a conversation are worth to each passage: the message's, and less those of the turns before it,
    /// oldest first.
    fn heard(&self, text: &str, earlier: &[String]) -> Vec<f32> {
        let (mut room, mut sums) = (Vec::new(), vec![0.0; self.of.len()]);
        for (turn, weight) in turns_weighed(text, earlier) {
            let terms: Vec<Term> = telling(turn).into_iter().map(|word| word.term).collect();
            for (passage, worth) in self.lexical.hear(terms.into_iter(), &mut room).entries {
                if let Some(sum) = sums.get_mut(passage as usize) {
                    *sum += weight * worth;
                }
            }
        }
        sums
    }

    /// The best passages for a message and the turns before it, and their collections.
    pub fn find(
        &self,
        text: &str,
        earlier: &[String],
        alike: &Alike<'_>,
        guide: &Guide<'_>,
        most: usize,
    ) -> Answered {
        let heard = self.heard(text, earlier);
        let words = Leg { scores: &heard, weight: words_weight(self.mean_words) };
        let whole = Leg { scores: alike.whole, weight: 1.0 };
        let window = Leg { scores: alike.window, weight: WINDOW_WEIGHT };
        let deep = alike.deep.map(|scores| Leg { scores, weight: DEEP_WINDOW_WEIGHT });
        let legs: Vec<Leg<'_>> = [whole, words, window].into_iter().chain(deep).collect();
        let mut sums = joined(&legs, self.of.len());
        if let Some(late) = alike.late {
            let read = best_among(&sums, Some(&guide.open(&self.of)), LATE_READ);
            raise(&mut sums, &read, late, LATE_WEIGHT);
        }
        let scored =
            Scored { sums: &sums, alike: alike.window, of: &self.of, collections: self.collections.len() };
        choose(&scored, guide, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [(&str, &str, &str); 4] = [
        ("birds", "Owls", "Owls hunt mice at night and sleep by day."),
        ("birds", "Geese", "Geese fly south in autumn in the shape of a wedge."),
        ("cities", "Lisbon", "Lisbon lies at the mouth of the river Tagus."),
        ("cities", "Porto", "Porto gave its name to a wine."),
    ];

    fn shelf() -> Shelf {
        Shelf::new(TEXTS.iter().map(|(collection, title, text)| Entry { collection, title, text }))
    }

    fn found(text: &str, earlier: &[&str], most: usize) -> (Vec<String>, Vec<usize>) {
        let shelf = shelf();
        let earlier: Vec<String> = earlier.iter().map(|turn| (*turn).to_owned()).collect();
        let silent = [0.0; 4];
        let alike = Alike { whole: &silent, window: &silent, deep: None, late: None };
        let answered = shelf.find(text, &earlier, &alike, &Guide::default(), most);
        let names =
            answered.collections.iter().map(|(place, _)| shelf.collections()[*place].clone()).collect();
        (names, answered.passages.iter().map(|(passage, _)| *passage).collect())
    }

    #[test]
    fn collections_and_passages_are_found_by_their_words() {
        let (collections, passages) = found("which river is it", &[], 1);
        assert_eq!((collections[0].as_str(), passages), ("cities", vec![2]));
        let (collections, passages) = found("do owls sleep", &[], 4);
        assert_eq!((collections[0].as_str(), passages[0]), ("birds", 0));
        assert!(found("anything", &[], 0).1.is_empty());
    }

    #[test]
    fn a_message_that_leans_on_earlier_turns_is_understood_by_them() {
        assert_eq!(found("and its wine?", &["tell me about Lisbon"], 1).1, [3]);
        assert_eq!(found("where does it lie?", &["tell me about Porto", "and about Lisbon"], 1).1, [2]);
        assert_eq!(found("why?", &["when do geese fly"], 1).1, [1]);
    }

    #[test]
    fn confidences_of_collections_add_up() {
        let silent = [0.0; 4];
        let alike = Alike { whole: &silent, window: &silent, deep: None, late: None };
        let sums: f64 = shelf()
            .find("owls", &[], &alike, &Guide::default(), 1)
            .collections
            .iter()
            .map(|(_, sure)| sure.points().share())
            .sum();
        assert!((sums - 1.0).abs() < 1e-4);
    }
}
