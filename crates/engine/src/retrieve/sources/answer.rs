//! What is answered when knowledge is asked for?

use serde::Serialize;
use waypost_core::measure::Confidence;

use super::Library;

/// How sure the best passage must be for the library to be said to answer the message.
const FITS_FROM: f64 = 0.2;
/// Most characters of a passage that are quoted.
const QUOTED_MAX: usize = 160;

/// Passages for a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundSources {
    /// Collections, the likeliest first.
    pub collections: Vec<FoundCollection>,
    /// Passages, the best first.
    pub passages: Vec<FoundPassage>,
    /// Whether any of them answers the message.
    pub fits: bool,
}

/// A collection for a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundCollection {
    /// Its name.
    pub name: String,
    /// How sure it is.
    pub confidence: Confidence,
}

/// A passage for a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundPassage {
    /// What it is called in answers.
    pub id: String,
    /// Its collection.
    pub collection: String,
    /// How sure it is.
    pub confidence: Confidence,
    /// Where it is from, for whoever quotes it.
    pub citation: Citation,
}

/// Where a passage is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// What it is called.
    pub title: String,
    /// How it begins.
    pub quote: String,
}

impl Library {
    /// The passages for a message and the turns before it, oldest first.
    pub fn find(&self, text: &str, earlier: &[String], most: usize) -> FoundSources {
        let answered = self.rank(text, earlier, most);
        let collection = |(place, confidence): &(usize, Confidence)| FoundCollection {
            name: self.shelf.collections().get(*place).cloned().unwrap_or_default(),
            confidence: *confidence,
        };
        let passage = |(place, confidence): &(usize, Confidence)| {
            let passage = self.passages.get(*place)?;
            Some(FoundPassage {
                id: passage.id.clone(),
                collection: passage.collection.clone(),
                confidence: *confidence,
                citation: Citation { title: passage.title.clone(), quote: quoted(&passage.text) },
            })
        };
        let passages: Vec<FoundPassage> = answered.passages.iter().filter_map(passage).collect();
        let fits = passages.first().is_some_and(|best| best.confidence.points().share() >= FITS_FROM);
        FoundSources { collections: answered.collections.iter().map(collection).collect(), passages, fits }
    }
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}
