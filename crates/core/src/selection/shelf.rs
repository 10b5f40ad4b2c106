//! Which passages answer a message, and which collections are they in?

use super::legs::{Leg, best, joined, words_weight};
use super::lexical::{Field, Lexical};
use super::ranked::sure_by;
use super::terms::{Term, telling, words};
use crate::head::exact::exp;
use crate::measure::{Confidence, Points};

/// Texts of a passage that words are found in: title and text.
const FIELDS: [Field; 2] = [Field { weight: 1.0, by_length: 0.3 }, Field { weight: 1.0, by_length: 0.75 }];
/// What the best window of a passage counts beside the whole: the answer is often one sentence.
const WINDOW_WEIGHT: f32 = 0.25;
/// What the best window counts, read with the layers of the encoder.
const DEEP_WINDOW_WEIGHT: f32 = 0.8;
/// What the words of an earlier turn count beside those of the message, and how much less each one before it does. Measured on
/// odd lines of a public set of conversations.
pub const EARLIER_WEIGHT: f32 = 0.3;
/// How fast earlier turns fade.
pub const EARLIER_FADES: f32 = 0.6;
/// Earlier turns that count at all.
pub const EARLIER_MOST: usize = 3;
/// How sure the first collection must be for others to be left out.
pub const COLLECTIONS_GATE: f64 = 0.7;
/// Collections that are read then.
pub const COLLECTIONS_READ: usize = 2;
/// How sharply the scores of collections are told apart, in deviations of the passages.
const COLLECTIONS_SHARPNESS: f32 = 1.0;

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
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    /// Collections, the likeliest first, by their place.
    pub collections: Vec<(usize, Confidence)>,
    /// Passages, the best first, by their place.
    pub passages: Vec<(usize, Confidence)>,
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

    /// The collection of a passage.
    pub fn collection_of(&self, passage: usize) -> Option<&str> {
        self.collections.get(*self.of.get(passage)?).map(String::as_str)
    }

    /// What the words of a conversation are worth to each passage: the message's, and less those of the turns before it,
    /// oldest first.
    fn heard(&self, text: &str, earlier: &[String]) -> Vec<f32> {
        let (mut room, mut sums) = (Vec::new(), vec![0.0; self.of.len()]);
        let turns = earlier.iter().rev().take(EARLIER_MOST).map(String::as_str);
        let mut weight = 1.0;
        for turn in std::iter::once(text).chain(turns) {
            let terms: Vec<Term> = telling(turn).into_iter().map(|word| word.term).collect();
            for (passage, worth) in self.lexical.hear(terms.into_iter(), &mut room).entries {
                if let Some(sum) = sums.get_mut(passage as usize) {
                    *sum += weight * worth;
                }
            }
            weight = if weight >= 1.0 { EARLIER_WEIGHT } else { weight * EARLIER_FADES };
        }
        sums
    }

    /// The best passages for a message and the turns before it, and their collections.
    pub fn find(&self, text: &str, earlier: &[String], alike: &Alike<'_>, most: usize) -> Answered {
        let heard = self.heard(text, earlier);
        let words = Leg { scores: &heard, weight: words_weight(self.mean_words) };
        let whole = Leg { scores: alike.whole, weight: 1.0 };
        let window = Leg { scores: alike.window, weight: WINDOW_WEIGHT };
        let deep = alike.deep.map(|scores| Leg { scores, weight: DEEP_WINDOW_WEIGHT });
        let legs: Vec<Leg<'_>> = [whole, words, window].into_iter().chain(deep).collect();
        let sums = joined(&legs, self.of.len());
        let collections = self.rank_collections(&sums);
        let sure = collections.first().is_some_and(|(_, sure)| sure.points().share() >= COLLECTIONS_GATE);
        let read: Vec<usize> =
            collections.iter().take(COLLECTIONS_READ).map(|(collection, _)| *collection).collect();
        let open: Vec<usize> = (0..self.of.len())
            .filter(|passage| !sure || self.of.get(*passage).is_some_and(|own| read.contains(own)))
            .collect();
        let own: Vec<f32> =
            open.iter().map(|passage| sums.get(*passage).copied().unwrap_or_default()).collect();
        let taken = best(&own, most);
        let score = |place: usize| own.get(place).copied().unwrap_or_default();
        let (first, second) =
            (taken.first().map_or(0.0, |at| score(*at)), taken.get(1).map_or(0.0, |at| score(*at)));
        let passage = |at: usize| {
            let passage = open.get(at).copied()?;
            let ahead = if score(at) >= first { first - second } else { score(at) - first };
            let alike = alike.window.get(passage).copied().unwrap_or_default();
            Some((passage, sure_by(alike, ahead)))
        };
        Answered { collections, passages: taken.into_iter().filter_map(passage).collect() }
    }

    /// Each collection by its best passage.
    fn rank_collections(&self, sums: &[f32]) -> Vec<(usize, Confidence)> {
        let mut tops = vec![f32::NEG_INFINITY; self.collections.len()];
        for (collection, sum) in self.of.iter().zip(sums) {
            if let Some(top) = tops.get_mut(*collection) {
                *top = top.max(*sum);
            }
        }
        let highest = tops.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let odds: Vec<f32> = tops.iter().map(|top| exp(COLLECTIONS_SHARPNESS * (top - highest))).collect();
        let all: f32 = odds.iter().sum();
        let sure = |place: &usize| {
            let odds = odds.get(*place).copied().unwrap_or_default();
            Confidence::new(Points::from_share(f64::from(odds / all)))
        };
        best(&tops, tops.len()).into_iter().map(|place| (place, sure(&place))).collect()
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
        let alike = Alike { whole: &silent, window: &silent, deep: None };
        let answered = shelf.find(text, &earlier, &alike, most);
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
        let alike = Alike { whole: &silent, window: &silent, deep: None };
        let sums: f64 = shelf()
            .find("owls", &[], &alike, 1)
            .collections
            .iter()
            .map(|(_, sure)| sure.points().share())
            .sum();
        assert!((sums - 1.0).abs() < 1e-4);
    }
}
