//! Which label does each layer get?

use super::{Script, Words};
use crate::catalog::context::{Always, BandEnd, Budget, Holds, LabelId, Labels, Layer, ToldBy};
use crate::entities::{self, Entity};
use crate::measure::{Confidence, Points};
use crate::message::Span;

/// How far the language must be believed to be another one: what is told as another language is not read. Of 4,700 English
/// messages of other hands two are taken for foreign at this, and the same two at 0.6.
const FOREIGN_MIN: f32 = 0.5;
/// How loudly the words of a language are heard that tell it by themselves: two of them. With one the rest must be foreign, too.
const TELLING_WORDS: f32 = 2.0;
/// What makes a label go before one that the message's content settles: being likelier than not.
const LIKELIER_THAN_NOT: f32 = 0.5;
/// The least belief at which a label is told beside the one that is given.
const TOLD_MIN: f32 = 0.05;
/// What a layer is answered with where the message cannot be read, or nothing speaks for any label.
pub const UNKNOWN: &str = "unknown";
/// The most that words and lessons come to: certainty is for names and commands.
const SURE_MAX: f32 = 0.99;

/// How one layer was answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    /// The label; nothing where it is not known.
    pub label: Option<usize>,
    /// How sure.
    pub confidence: Confidence,
    /// What settled it.
    pub by: Settled,
    /// The text that says so, in the message as written, where one does.
    pub span: Option<Span>,
    /// Labels that are believed at all, the surest first.
    pub scores: Vec<(usize, Confidence)>,
}

/// What settles a label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Settled {
    /// Nothing: it is not known, or the layer's default.
    #[default]
    Nothing,
    /// A word of the catalog.
    Word,
    /// What was learned from the catalog's messages.
    Learned,
    /// What the message holds.
    Held,
}

impl Settled {
    /// The name of the JSON contract.
    pub const fn name(self) -> &'static str {
        match self {
            Settled::Nothing => "none",
            Settled::Word => "keyword",
            Settled::Learned => "learned",
            Settled::Held => "pattern",
        }
    }
}

/// Where a message stands on a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Complexity {
    /// The layer whose scale it is.
    pub layer: usize,
    /// Where.
    pub score: Points,
    /// The band it falls into, as a label of the layer.
    pub band: usize,
    /// How sure the band is.
    pub confidence: Confidence,
    /// What tasks of the band are given.
    pub budget: Budget,
}

impl Answered {
    /// The name of the label it got.
    pub fn name<'l>(&self, layer: &'l Layer) -> &'l str {
        let label = self.label.and_then(|label| layer.labels.get(label));
        label.map_or(UNKNOWN, |label| &label.name)
    }
}

/// The answers of all layers.
pub(super) fn answers(
    labels: &Labels,
    words: &Words,
    entities: &[Entity],
    script: Script,
    beliefs: Option<&[f32]>,
) -> Vec<Answered> {
    let understood = is_understood(labels, beliefs);
    let by_words_alone = read_by_words(labels, words, understood).filter(|_| script == Script::Latin);
    let readable = script == Script::Latin && understood && by_words_alone.is_none();
    let mut start = 0;
    let mut answers = Vec::with_capacity(labels.layers().len());
    for layer in labels.layers() {
        let own = start..start + layer.labels.len();
        start = own.end;
        let (loudness, places) = (
            words.loudness.get(own.clone()).unwrap_or_default(),
            words.places.get(own.clone()).unwrap_or_default(),
        );
        let believed = match beliefs.and_then(|beliefs| beliefs.get(own)) {
            _ if by_words_alone.is_some() => match by_words_alone.filter(|_| tells_language(labels, layer)) {
                Some(language) => {
                    layer.labels.iter().enumerate().map(|(at, _)| f32::from(at == language)).collect()
                }
                None => by_words(loudness),
            },
            Some(beliefs)
                if layer.told_by == ToldBy::Lessons && (readable || tells_language(labels, layer)) =>
            {
                match script {
                    Script::Latin => beliefs.to_vec(),
                    Script::Other => vec![0.0; layer.labels.len()],
                }
            }
            _ if readable || layer.always == Always::Yes => by_words(loudness),
            _ => vec![0.0; layer.labels.len()],
        };
        answers.push(answer(layer, believed, &Spoken { loudness, places, readable }, entities));
    }
    answers
}

/// The language of a message that is read by words alone.
fn read_by_words(labels: &Labels, words: &Words, understood: bool) -> Option<usize> {
    let start: usize = labels.sizes().iter().take(labels.understands()?.layer).sum();
    let heard = |label: &&usize| words.loudness.get(start + **label).copied().unwrap_or_default();
    let least = if understood { TELLING_WORDS } else { f32::EPSILON };
    labels.by_words().iter().find(|label| heard(label) >= least).copied()
}

/// Whether the message can be read, by the layer that tells.
fn is_understood(labels: &Labels, beliefs: Option<&[f32]>) -> bool {
    let Some((LabelId { layer, label }, beliefs)) = labels.understands().zip(beliefs) else { return true };
    let start: usize = labels.sizes().iter().take(layer).sum();
    beliefs.get(start + label).is_none_or(|belief| 1.0 - belief < FOREIGN_MIN)
}

fn tells_language(labels: &Labels, layer: &Layer) -> bool {
    labels
        .understands()
        .and_then(|id| labels.layers().get(id.layer))
        .is_some_and(|tells| tells.name == layer.name)
}

/// What words alone say: each label its share of what was heard. A word that speaks a little says little, also where it is
/// the only one.
fn by_words(loudness: &[f32]) -> Vec<f32> {
    let sum: f32 = loudness.iter().sum::<f32>().max(1.0);
    loudness.iter().map(|heard| heard / sum).collect()
}

/// What the words of a message say about one layer.
struct Spoken<'w> {
    loudness: &'w [f32],
    places: &'w [Option<Span>],
    readable: bool,
}

fn answer(layer: &Layer, mut beliefs: Vec<f32>, spoken: &Spoken<'_>, entities: &[Entity]) -> Answered {
    let Spoken { loudness, places, readable } = *spoken;
    let answers = readable || layer.always == Always::Yes;
    let held = held(layer, &beliefs, entities).filter(|_| answers);
    if let Some((label, confidence, _)) = held {
        settle(&mut beliefs, label, share(confidence));
    }
    let mut ranked: Vec<(usize, f32)> = beliefs.iter().copied().enumerate().collect();
    // A stable sort: of labels equally likely the earlier is given.
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let scores = ranked.iter().filter(|(_, belief)| *belief >= TOLD_MIN);
    let scores: Vec<(usize, Confidence)> = scores.map(|(label, belief)| (*label, sure(*belief))).collect();
    let Some((label, belief)) = ranked.first().copied().filter(|(_, belief)| *belief > 0.0) else {
        return Answered { label: layer.default.filter(|_| readable), ..Answered::default() };
    };
    let spoken = loudness.get(label).is_some_and(|heard| *heard > 0.0);
    let (by, span) = match held {
        Some((own, _, span)) if own == label => (Settled::Held, Some(span)),
        _ if spoken => (Settled::Word, places.get(label).copied().flatten()),
        _ => (Settled::Learned, None),
    };
    Answered { label: Some(label), confidence: sure(belief), by, span, scores }
}

/// The label that what the message holds settles, unless an earlier one is likelier than not.
fn held(layer: &Layer, beliefs: &[f32], entities: &[Entity]) -> Option<(usize, Confidence, Span)> {
    for (at, label) in layer.labels.iter().enumerate() {
        let found = match label.holds {
            Some(Holds::Personal) => entities::personal(entities),
            Some(Holds::Secret) => {
                let secrets = entities.iter().filter(|entity| entity.kind.is_secret());
                secrets.max_by_key(|entity| entity.confidence)
            }
            None => None,
        };
        if let Some(Entity { confidence, span, .. }) = found {
            let before = beliefs.iter().take(at).any(|belief| *belief > LIKELIER_THAN_NOT);
            return (!before).then_some((at, *confidence, *span));
        }
    }
    None
}

/// Gives a label so much belief; the others share the rest as before.
fn settle(beliefs: &mut [f32], label: usize, belief: f32) {
    let others: f32 =
        beliefs.iter().enumerate().filter(|(at, _)| *at != label).map(|(_, belief)| belief).sum();
    let own = beliefs.get(label).copied().unwrap_or_default().max(belief);
    for (at, other) in beliefs.iter_mut().enumerate() {
        *other = match at == label {
            true => own,
            false if others > 0.0 => *other / others * (1.0 - own),
            false => 0.0,
        };
    }
}

#[allow(clippy::cast_possible_truncation)] // a share keeps its six digits
fn share(confidence: Confidence) -> f32 {
    confidence.points().share() as f32
}

fn sure(belief: f32) -> Confidence {
    Confidence::new(Points::from_share(f64::from(belief.min(SURE_MAX))))
}

/// Where the message stands on the first scale of the catalog.
pub(super) fn complexity(labels: &Labels, answers: &[Answered]) -> Option<Complexity> {
    let at = labels.graded()?;
    let (layer, answered) = (labels.layers().get(at)?, answers.get(at)?);
    let given = layer.labels.get(answered.label?)?.band?.score;
    let all: Points = answered.scores.iter().map(|(_, confidence)| confidence.points()).sum();
    let weighed = answered.scores.iter().filter_map(|(label, confidence)| {
        Some(layer.labels.get(*label)?.band?.score.share() * confidence.points().share())
    });
    // Where no label is believed enough to be told, the one given stands for itself.
    let score = match weighed.sum::<f64>() / all.share() {
        mean if mean.is_finite() => Points::from_share(mean),
        _ => given,
    };
    let band = band_of(layer, score)?;
    let believed = answered.scores.iter().find(|(label, _)| *label == band);
    let confidence = believed.map_or(Confidence::NONE, |(_, confidence)| *confidence);
    Some(Complexity { layer: at, score, band, confidence, budget: layer.labels.get(band)?.budget })
}

/// The band a score falls into: the first that does not end before it.
fn band_of(layer: &Layer, score: Points) -> Option<usize> {
    layer.labels.iter().position(|label| match label.band.map(|band| band.end) {
        Some(BandEnd::Below(end)) => score < end,
        Some(BandEnd::UpTo(end)) => score <= end,
        Some(BandEnd::Last) | None => true,
    })
}
