//! Which texts are worth a look? Every name, keyword, trouble word, registry entry and pattern's rarest
//! text, found in one pass over the message whatever the size of the catalog.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, MatchKind};

use super::id::RouteId;

/// What a text of the lexicon is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// The rarest text of a pattern, by the pattern's index; found anywhere, not only as a word. First, so
    /// that sorted uses begin with it.
    Wakes(u32),
    /// A name or alias of a route.
    Name(RouteId),
    /// A form of a keyword of a route, by the keyword's index.
    Keyword(RouteId, u32),
    /// A word of trouble.
    Trouble,
    /// An entry of a registry, by both indexes.
    Entry(u32, u32),
    /// A word that stands for a target, by the index among all such words.
    TargetWord(u32),
    /// A form of a word that speaks for a label, by the places of the layer, the label and the word.
    Label {
        /// The layer.
        layer: u16,
        /// The label.
        label: u16,
        /// The word.
        word: u32,
    },
    /// A word that speaks a little for a label.
    Typical {
        /// The layer.
        layer: u16,
        /// The label.
        label: u16,
    },
}

/// The texts of a catalog as one automaton.
#[derive(Clone, Debug)]
pub struct Lexicon {
    automaton: Option<AhoCorasick>,
    uses: Vec<Vec<Use>>,
}

impl Lexicon {
    /// Builds the automaton. Terms are folded texts.
    pub fn new(mut terms: BTreeMap<String, Vec<Use>>) -> Result<Lexicon, String> {
        for uses in terms.values_mut() {
            uses.sort_unstable();
        }
        let (texts, uses): (Vec<String>, Vec<Vec<Use>>) =
            terms.into_iter().filter(|(text, _)| !text.is_empty()).unzip();
        let built = AhoCorasick::builder().match_kind(MatchKind::Standard).build(&texts);
        let automaton = if texts.is_empty() { None } else { Some(built.map_err(|error| error.to_string())?) };
        Ok(Lexicon { automaton, uses })
    }

    /// Every place of every term in a folded text, overlapping ones too: uses, start, end.
    pub fn find<'l>(&'l self, text: &'l str) -> impl Iterator<Item = Found<'l>> {
        let places = self.automaton.iter().flat_map(move |automaton| automaton.find_overlapping_iter(text));
        places.filter_map(|place| {
            let term = place.pattern().as_usize();
            Some(Found { term, uses: self.uses.get(term)?, start: place.start(), end: place.end() })
        })
    }
}

/// A term found in a text.
#[derive(Clone, Copy, Debug)]
pub struct Found<'l> {
    /// Which term.
    pub term: usize,
    /// What it is there for.
    pub uses: &'l [Use],
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
}
