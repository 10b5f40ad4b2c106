//! **What kind of request is it?** Labels in layers (intent, domain, urgency and whatever else the catalog asks), how
//! complex it is, and what it names.
//!
//! Each layer is answered for itself: words of the catalog and what was learned from its messages are weighed together,
//! what a message holds (personal data, a secret) settles a label by itself, and a message that cannot be read gets
//! "unknown" rather than a guess.

mod words;
mod answer;
mod standing;

pub use answer::{Answered, Complexity, Settled, UNKNOWN};
pub use words::Words;

use crate::catalog::context::Labels;
use crate::entities::{self, Entity};
use crate::measure::{Confidence, Points};
use crate::message::Reading;

/// What kind of request a message is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// The answer of each layer, in the catalog's order.
    pub layers: Vec<Answered>,
    /// Where it stands on the scale of the first layer that has one.
    pub complexity: Option<Complexity>,
    /// What it names, by place.
    pub entities: Vec<Entity>,
    /// How sure all this is, on the whole.
    pub confidence: Confidence,
}

/// What can be seen in a message without having learned anything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glance {
    /// What it names.
    pub entities: Vec<Entity>,
    /// Which words of the catalog stand in it.
    pub words: Words,
    /// Whether its letters are those of the languages that can be learned here.
    pub script: Script,
}

/// Which letters a message is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Script {
    /// Latin ones, or none at all.
    #[default]
    Latin,
    /// Others, a third of the letters or more.
    Other,
}

/// Latin letters that a message needs for each of another script to be read: a foreign name is no foreign message.
const LATIN_PER_OTHER_MIN: usize = 2;

/// Looks a message over.
pub fn glance(labels: &Labels, text: &str, reading: &Reading) -> Glance {
    let entities = entities::find(text, labels.known());
    let words = Words::of(labels, text, reading, &entities);
    Glance { entities, words, script: script_of(text) }
}

/// Answers every layer, from what was seen and what was learned: how far each label is believed, layer after layer.
pub fn tell(labels: &Labels, glance: Glance, beliefs: Option<&[f32]>) -> Context {
    let Glance { entities, words, script } = glance;
    let layers = answer::answers(labels, &words, &entities, script, beliefs);
    let complexity = answer::complexity(labels, &layers);
    let told = layers.iter().filter(|layer| layer.by != Settled::Nothing);
    let asked: Vec<Points> = told.map(|layer| layer.confidence.points()).collect();
    let confidence = mean(&asked);
    Context { layers, complexity, entities, confidence }
}

impl Context {
    /// The label a layer got, by the layer's name; nothing where it got none, or there is no such layer.
    pub fn label<'l>(&self, labels: &'l Labels, layer: &str) -> Option<&'l str> {
        let place = labels.layer(layer)?;
        let label = self.layers.get(place)?.label?;
        labels.layers().get(place)?.labels.get(label).map(|label| label.name.as_str())
    }

    /// Facts of the environment that hold with the labels given.
    pub fn facts<'l>(&'l self, labels: &'l Labels) -> impl Iterator<Item = &'l str> {
        let given = labels.layers().iter().zip(&self.layers);
        given.filter_map(|(layer, answered)| layer.labels.get(answered.label?)?.sets.as_deref())
    }

    /// How a layer was answered, by the layer's name.
    pub fn answered(&self, labels: &Labels, layer: &str) -> Option<&Answered> {
        self.layers.get(labels.layer(layer)?)
    }
}

fn mean(points: &[Points]) -> Confidence {
    let count = u32::try_from(points.len()).unwrap_or(u32::MAX).max(1);
    let sum: Points = points.iter().copied().sum();
    Confidence::new(Points::from_share(sum.share() / f64::from(count)))
}

fn script_of(text: &str) -> Script {
    let (mut latin, mut other) = (0_usize, 0_usize);
    for letter in text.chars().filter(|c| c.is_alphabetic()) {
        // The Latin blocks end before the Greek one, and go on in Latin Extended Additional.
        let is_latin = letter < '\u{370}' || ('\u{1e00}'..='\u{1eff}').contains(&letter);
        *(if is_latin { &mut latin } else { &mut other }) += 1;
    }
    if other * LATIN_PER_OTHER_MIN > latin { Script::Other } else { Script::Latin }
}

#[cfg(test)]
mod tests;
