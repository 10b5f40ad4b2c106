//! How does a router learn kinds of request? One panel over all layers of a catalog's labels.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use waypost_core::catalog::context::{Labelled, LabelledBy, Labels, ToldBy};
use waypost_core::context;
use waypost_core::head::{LEARNING_VERSION, Lesson, Overheard, Panel, Role};
use waypost_core::message::Reading;
use waypost_core::signals::confidence;

use super::cache::Cache;
use super::tier::{encode, joined};
use crate::cache::{Fresh, Recall};
use crate::encode::{EncodeError, Encoder};

/// Parts the messages are dealt into; each is judged by a panel that learned from the others.
const FOLDS: usize = 3;

/// What was learned about kinds of request.
pub(crate) struct Kinds {
    panel: Panel,
    encoder: Arc<dyn Encoder>,
    /// What the panel is kept under.
    pub(crate) key: String,
}

impl Kinds {
    /// Learns from a catalog's labelled messages and words, or takes what was kept from an earlier time; and why it could
    /// not be kept for the next.
    pub(crate) fn of(
        labels: &Labels,
        encoder: Arc<dyn Encoder>,
        cache: &Cache,
    ) -> Result<(Kinds, Option<std::io::Error>), EncodeError> {
        let key = key(labels, &*encoder);
        let kept = cache.read_bytes(&key).and_then(|bytes| Panel::from_bytes(&bytes).ok());
        if let Some(panel) = kept {
            return Ok((Kinds { panel, encoder, key }, None));
        }
        let taught = Taught::new(labels, &*encoder)?;
        let panel = taught.panel();
        let not_kept = cache.keep(&key, &panel.to_bytes()).err();
        Ok((Kinds { panel, encoder, key }, not_kept))
    }

    /// How far each label is believed of a message, layer after layer.
    pub(crate) fn beliefs(
        &self,
        text: &str,
        reading: &Reading,
        words: &[f32],
    ) -> Result<Vec<f32>, EncodeError> {
        let vector = self.encoder.encode(&[text])?.pop().unwrap_or_default();
        Ok(self.panel.judge(&self.panel.features(reading, vector), words))
    }
}

impl Kinds {
    /// The same, looked up where it may be.
    pub(crate) fn recalled(
        &self,
        text: &str,
        reading: &Reading,
        words: &[f32],
        recall: Option<Recall<'_>>,
    ) -> Result<Vec<f32>, EncodeError> {
        let Some(recall) = recall else { return self.beliefs(text, reading, words) };
        let bytes = recall.fetch(&format!("told by {}", self.key), text, || {
            let beliefs = self.beliefs(text, reading, words)?;
            let surest = beliefs.iter().copied().fold(0.0, f32::max);
            let value = beliefs.iter().flat_map(|belief| belief.to_le_bytes()).collect();
            Ok::<_, EncodeError>(Fresh { value, confidence: confidence(surest) })
        })?;
        match bytes.as_chunks::<4>() {
            (numbers, []) if numbers.len() == words.len() => {
                Ok(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
            }
            _ => self.beliefs(text, reading, words),
        }
    }

    /// What each message of a catalog's labels is taken for by a panel that did not learn from it: the beliefs of every
    /// layer, message after message.
    pub(crate) fn cross_judge(&self, labels: &Labels) -> Result<Vec<(Labelled, Vec<f32>)>, EncodeError> {
        let taught = Taught::new(labels, &*self.encoder)?;
        let mut judged = Vec::new();
        for fold in 0..FOLDS {
            // Weighed by the other parts alone, as if this one had never been.
            let others: Vec<Overheard> =
                (0..FOLDS).filter(|other| *other != fold).flat_map(|other| taught.overheard(other)).collect();
            let panel = taught.without(fold).calibrated(&others);
            for at in taught.part(fold) {
                let (Some(text), Some(vector)) = (labels.examples().get(at), taught.vectors.get(at)) else {
                    continue;
                };
                let reading = Reading::new(&text.text);
                let features = panel.features(&reading, vector.clone());
                judged.push((text.clone(), panel.judge(&features, &words(labels, &text.text, &reading))));
            }
        }
        Ok(judged)
    }
}

/// A catalog's labelled texts, ready to be learned from.
struct Taught<'l> {
    labels: &'l Labels,
    vectors: Vec<Vec<f32>>,
    /// The labels of each text, counted through all layers.
    classes: Vec<Vec<usize>>,
    dimensions: usize,
}

impl<'l> Taught<'l> {
    fn new(labels: &'l Labels, encoder: &dyn Encoder) -> Result<Taught<'l>, EncodeError> {
        let texts: Vec<&str> = labels.examples().iter().map(|example| example.text.as_str()).collect();
        let vectors = encode(encoder, &texts)?;
        let sizes = labels.sizes();
        let starts: Vec<usize> = (0..sizes.len()).map(|layer| sizes.iter().take(layer).sum()).collect();
        let classes = |example: &Labelled| {
            let own = example.labels.iter().zip(&starts).zip(labels.layers());
            let taught = own.filter(|(_, layer)| layer.told_by == ToldBy::Lessons);
            taught.filter_map(|((label, start), _)| Some(start + (*label)?)).collect()
        };
        let classes = labels.examples().iter().map(classes).collect();
        Ok(Taught { labels, vectors, classes, dimensions: encoder.dimensions() })
    }

    /// The panel of everything, weighed by what panels of the parts said.
    fn panel(&self) -> Panel {
        std::thread::scope(|scope| {
            let whole = scope.spawn(|| self.teach(|_| true));
            let parts: Vec<_> = (0..FOLDS).map(|fold| scope.spawn(move || self.overheard(fold))).collect();
            let overheard: Vec<Overheard> = parts.into_iter().flat_map(joined).collect();
            joined(whole).calibrated(&overheard)
        })
    }

    fn teach(&self, taken: impl Fn(usize) -> bool) -> Panel {
        let lessons: Vec<Lesson<'_>> =
            (0..self.vectors.len()).filter(|at| taken(*at)).filter_map(|at| self.lesson(at)).collect();
        Panel::teach(&lessons, &self.labels.sizes(), self.dimensions)
    }

    fn lesson(&self, at: usize) -> Option<Lesson<'_>> {
        let example = self.labels.examples().get(at)?;
        let role = match example.kind {
            LabelledBy::Message => Role::Example,
            LabelledBy::Word => Role::Hint,
        };
        Some(Lesson {
            text: &example.text,
            vector: self.vectors.get(at)?,
            classes: self.classes.get(at)?,
            role,
        })
    }

    /// The messages of one part. Words are only ever taught.
    fn part(&self, fold: usize) -> Vec<usize> {
        let messages = self.labels.examples().iter().enumerate();
        let messages = messages.filter(|(_, example)| example.kind == LabelledBy::Message).map(|(at, _)| at);
        messages.enumerate().filter(|(dealt, _)| dealt % FOLDS == fold).map(|(_, at)| at).collect()
    }

    /// A panel that did not learn from one part.
    fn without(&self, fold: usize) -> Panel {
        let part = self.part(fold);
        self.teach(|at| part.binary_search(&at).is_err())
    }

    /// What a panel that did not learn from one part says about it.
    fn overheard(&self, fold: usize) -> Vec<Overheard> {
        let panel = self.without(fold);
        let hear = |at: usize| {
            let (text, classes) = (&self.labels.examples().get(at)?.text, self.classes.get(at)?);
            let reading = Reading::new(text);
            let features = panel.features(&reading, self.vectors.get(at)?.clone());
            Some(panel.overhear(&features, words(self.labels, text, &reading), classes))
        };
        self.part(fold).into_iter().filter_map(hear).collect()
    }
}

/// How loudly words of the catalog speak for each label.
fn words(labels: &Labels, text: &str, reading: &Reading) -> Vec<f32> {
    context::glance(labels, text, reading).words.loudness
}

/// What a panel of these labels, on vectors of this encoder, is kept under.
fn key(labels: &Labels, encoder: &dyn Encoder) -> String {
    let mut digest = Sha256::new();
    digest.update(format!("{LEARNING_VERSION} {} {:?}", encoder.id(), labels.sizes()));
    for example in labels.examples() {
        digest.update((example.text.len() as u64).to_le_bytes());
        digest.update(&example.text);
        digest.update(format!("{:?} {:?}", example.kind, example.labels));
    }
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
