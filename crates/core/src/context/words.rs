//! Which words of the catalog speak for which label?

use crate::catalog::Use;
use crate::catalog::context::{LabelId, Labels};
use crate::entities::{Entity, EntityKind};
use crate::message::{Reading, Span, is_whole};

/// What a word is worth that stands in many messages.
const TYPICAL: f32 = 0.3;
/// The most that words say for one label: the third repeats the first two.
const WORDS_MAX: f32 = 2.0;

/// How loudly words speak for each label, counted through all layers, and where the first of them stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// How loudly, label by label.
    pub loudness: Vec<f32>,
    /// Where, in the text as written.
    pub places: Vec<Option<Span>>,
}

impl Words {
    /// What the words and files of a message say.
    pub(super) fn of(labels: &Labels, text: &str, reading: &Reading, entities: &[Entity]) -> Words {
        let sizes = labels.sizes();
        let starts: Vec<usize> = sizes
            .iter()
            .scan(0, |next, size| {
                let start = *next;
                *next += size;
                Some(start)
            })
            .collect();
        let all: usize = sizes.iter().sum();
        let mut words = Words { loudness: vec![0.0; all], places: vec![None; all] };
        let place = |id: LabelId| starts.get(id.layer).map(|start| start + id.label);
        words.hear_terms(labels, reading, &place);
        words.see_files(labels, text, entities, &place);
        words
    }

    fn hear_terms(&mut self, labels: &Labels, reading: &Reading, place: &dyn Fn(LabelId) -> Option<usize>) {
        let Some(lexicon) = labels.lexicon() else { return };
        let mut counted: Vec<(usize, u32)> = Vec::new();
        for found in lexicon.find(reading.text()) {
            let span = Span::new(found.start..found.end);
            if !is_whole(reading.text(), span) || reading.denied(span).is_some() {
                continue;
            }
            for used in found.uses {
                let (layer, label, word, worth) = match *used {
                    Use::Label { layer, label, word } => (layer, label, word, 1.0),
                    Use::Typical { layer, label } => (layer, label, u32::MAX, TYPICAL),
                    _ => continue,
                };
                let Some(at) = place(LabelId { layer: layer.into(), label: label.into() }) else { continue };
                // Each word counts once, in whatever form.
                if !counted.contains(&(at, word)) {
                    counted.push((at, word));
                    self.add(at, worth, reading.original(span));
                }
            }
        }
    }

    fn see_files(
        &mut self,
        labels: &Labels,
        text: &str,
        entities: &[Entity],
        place: &dyn Fn(LabelId) -> Option<usize>,
    ) {
        for file in entities.iter().filter(|entity| entity.kind == EntityKind::File) {
            for (layer, own) in labels.layers().iter().enumerate() {
                for (label, named) in own.labels.iter().enumerate() {
                    let path = file.span.of(text);
                    let meant = named.files.iter().any(|glob| !glob.is_everything() && glob.matches(path));
                    if let Some(at) = place(LabelId { layer, label }).filter(|_| meant) {
                        self.add(at, 1.0, file.span);
                    }
                }
            }
        }
    }

    fn add(&mut self, at: usize, worth: f32, span: Span) {
        if let (Some(loudness), Some(place)) = (self.loudness.get_mut(at), self.places.get_mut(at)) {
            *loudness = (*loudness + worth).min(WORDS_MAX);
            place.get_or_insert(span);
        }
    }
}
