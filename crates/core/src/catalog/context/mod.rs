//! Which kinds of request does a catalog tell apart? Layers of labels, with the words and messages that teach them.

mod format;
mod compile;
mod glob;

pub use compile::compile;
pub use format::CONTEXT;
pub use glob::Glob;

use super::lexicon::Lexicon;
use crate::entities::Known;
use crate::measure::Points;

/// What is asked of every message, and what is known to tell by.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    layers: Vec<Layer>,
    understands: Option<LabelId>,
    by_words: Vec<usize>,
    known: Known,
    examples: Vec<Labelled>,
    lexicon: Option<Lexicon>,
}

/// A label, by its layer and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId {
    /// The place of the layer.
    pub layer: usize,
    /// The place of the label in it.
    pub label: usize,
}

/// One question asked of every message.
#[derive(Clone, Debug)]
pub struct Layer {
    /// What is asked.
    pub name: String,
    /// The labels, the preferred first.
    pub labels: Vec<Label>,
    /// The label where nothing speaks for any.
    pub default: Option<usize>,
    /// Whether messages that cannot be read are answered too.
    pub always: Always,
    /// What its labels are told by.
    pub told_by: ToldBy,
}

/// What the labels of a layer are told by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToldBy {
    /// Words, and what was learned from messages.
    #[default]
    Lessons,
    /// Words alone: no message teaches it.
    Words,
}

/// Whether messages that cannot be read are answered too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Always {
    /// By what they hold, and by words.
    Yes,
    /// Not at all.
    #[default]
    No,
}

/// One answer to the question of a layer.
#[derive(Clone, Debug, Default)]
pub struct Label {
    /// The label.
    pub name: String,
    /// What it means.
    pub description: String,
    /// Words that speak for it, the first form of each.
    pub words: Vec<String>,
    /// Files that speak for it.
    pub files: Vec<Glob>,
    /// What in a message settles it.
    pub holds: Option<Holds>,
    /// Where it stands on a scale from 0 to 1, and where its band ends.
    pub band: Option<Band>,
    /// The fact of the environment that holds with it.
    pub sets: Option<String>,
    /// What tasks of this label are given.
    pub budget: Budget,
    /// Tools they usually need.
    pub tools: Vec<String>,
    /// What comes of them.
    pub outputs: Vec<String>,
}

/// What in a message can settle a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Data about a person.
    Personal,
    /// A key, a password, a token.
    Secret,
}

/// A place on a scale, and where the band of it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The place.
    pub score: Points,
    /// Where the band ends.
    pub end: BandEnd,
}

/// Where a band ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BandEnd {
    /// Before this score.
    Below(Points),
    /// With this score.
    UpTo(Points),
    /// With the scale.
    Last,
}

/// What a task is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Tokens.
    pub tokens: Option<u32>,
    /// Minutes.
    pub minutes: Option<u32>,
}

/// A message with its labels: one a layer, where it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The message.
    pub text: String,
    /// The place of its label in each layer.
    pub labels: Vec<Option<usize>>,
    /// Whether it is a message, or a word that speaks for a label.
    pub kind: LabelledBy,
}

/// What a labelled text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelledBy {
    /// A message somebody might write.
    Message,
    /// A word or phrase of a label.
    Word,
}

impl Labels {
    /// The questions.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The place of a layer by its name.
    pub fn layer(&self, name: &str) -> Option<usize> {
        self.layers.iter().position(|layer| layer.name == name)
    }

    /// The first layer whose labels stand on a scale.
    pub fn graded(&self) -> Option<usize> {
        self.layers.iter().position(|layer| layer.labels.iter().all(|label| label.band.is_some()))
    }

    /// The label of messages that can be read.
    pub const fn understands(&self) -> Option<LabelId> {
        self.understands
    }

    /// The labels beside it whose messages are read by the catalog's words alone.
    pub fn by_words(&self) -> &[usize] {
        &self.by_words
    }

    /// Names that are told among the entities of a message.
    pub const fn known(&self) -> &Known {
        &self.known
    }

    /// Everything that teaches: messages, and words.
    pub fn examples(&self) -> &[Labelled] {
        &self.examples
    }

    /// The words that speak for labels.
    pub const fn lexicon(&self) -> Option<&Lexicon> {
        self.lexicon.as_ref()
    }

    /// How many labels each layer has.
    pub fn sizes(&self) -> Vec<usize> {
        self.layers.iter().map(|layer| layer.labels.len()).collect()
    }
}
