//! What is answered when knowledge is asked for?

use std::path::Path;

use serde::Serialize;
use waypost_core::measure::Confidence;

use crate::documents::Format;

/// How sure the best passage must be for the library to be said to answer the message: of what the curve of confidence was fitted on,
/// one in eighteen to one in three that is answered is below, and a third to two thirds of what nothing answers.
const FITS_FROM: f64 = 0.25;
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
    /// All it says.
    pub text: String,
}

/// Where a passage is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// What it is called.
    pub title: String,
    /// How it begins.
    pub quote: String,
    /// How it is cited, where it is from a file: `guide.md:10-24`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its file, headings and lines.
    #[serde(flatten)]
    pub place: Option<Place>,
}

/// Where a passage stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Its file.
    pub file: String,
    /// The headings it stands under, the outermost first.
    pub heading: Vec<String>,
    /// Its first and last line, counted from 1; of a PDF, its pages.
    pub lines: (usize, usize),
}

/// A passage that is answered, with all its text.
pub(super) struct Told {
    pub id: String,
    pub collection: String,
    pub confidence: Confidence,
    pub title: String,
    pub text: String,
    pub place: Option<Place>,
}

impl FoundSources {
    /// What was found, the best first.
    pub(super) fn of(
        collections: impl Iterator<Item = (String, Confidence)>,
        passages: impl Iterator<Item = Told>,
    ) -> FoundSources {
        let collection = |(name, confidence)| FoundCollection { name, confidence };
        let passages: Vec<FoundPassage> = passages.map(passage).collect();
        let fits = passages.first().is_some_and(|best| best.confidence.points().share() >= FITS_FROM);
        FoundSources { collections: collections.map(collection).collect(), passages, fits }
    }
}

fn passage(told: Told) -> FoundPassage {
    let Told { id, collection, confidence, title, text, place } = told;
    let source =
        place.as_ref().map(|place| Format::of(Path::new(&place.file)).cite(&place.file, place.lines));
    let citation = Citation { title, quote: quoted(&text), source, place };
    FoundPassage { id, collection, confidence, citation, text }
}

/// How a text begins, in one line.
fn quoted(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(QUOTED_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text,
    }
}
