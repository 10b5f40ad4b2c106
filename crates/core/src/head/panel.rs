//! How are several questions answered at once? One head over all their labels, asked once a text.

use std::ops::Range;

use sha2::{Digest, Sha256};

use super::stored::CHECKSUM;
use super::train::teach_layers;
use super::{Features, Head, LAYERED_BLOCK_WEIGHT, Lesson, Taught, Unreadable, exact, softmax};
use crate::message::Reading;

/// How far a word of the catalog is heeded, in logits, of what is tried: what is found lies between one and three.
const HEEDS: [f32; 9] = [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0];
/// What logits are divided by, of what is tried: from twice as sure to a third, and what is found lies well within.
const TEMPERATURES: [f32; 12] = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0];
/// The least a right label is taken to be believed while fitting: one message that is wholly wrong must not outweigh all.
const BELIEF_MIN: f32 = 1e-7;
/// Fewest labelled messages that both are fitted on.
const FITTED_ON_MIN: usize = 20;
/// Before anything is fitted a word counts this much.
const HEED_UNFITTED: f32 = 1.0;
/// What kept bytes begin with.
const MAGIC: &[u8; 16] = b"waypost-panel-2\n";

/// Several questions, each with labels of its own, answered by one head.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    head: Head,
    layers: Vec<Layer>,
}

/// One question.
#[derive(Clone, Debug, PartialEq)]
struct Layer {
    /// Its labels, among all.
    labels: Range<usize>,
    temperature: f32,
    heed: f32,
}

/// What a panel said about a message it had not learned from.
#[derive(Clone, Debug)]
pub struct Overheard {
    logits: Vec<f32>,
    /// How loudly words of the catalog speak for each label.
    words: Vec<f32>,
    /// The labels that are right, among all.
    classes: Vec<usize>,
}

impl Panel {
    /// Learns from lessons whose classes are labels counted through all layers.
    pub fn teach(lessons: &[Lesson<'_>], sizes: &[usize], dimensions: usize) -> Panel {
        let layers = layers_of(sizes);
        let head = teach_layers(lessons, &layers, dimensions);
        let layer = |labels| Layer { labels, temperature: 1.0, heed: HEED_UNFITTED };
        Panel { head, layers: layers.into_iter().map(layer).collect() }
    }

    /// What the head looks at in a text.
    pub fn features(&self, reading: &Reading, vector: Vec<f32>) -> Features {
        self.head.features(reading, vector)
    }

    /// How far each label is believed, one in all within each layer. `words` says how loudly words of the catalog speak
    /// for each label.
    pub fn judge(&self, features: &Features, words: &[f32]) -> Vec<f32> {
        let logits = self.head.logits(features);
        self.layers.iter().flat_map(|layer| layer.believe(&logits, words)).collect()
    }

    /// What the panel says about a message, to be calibrated by.
    pub fn overhear(&self, features: &Features, words: Vec<f32>, classes: &[usize]) -> Overheard {
        Overheard { logits: self.head.logits(features), words, classes: classes.to_vec() }
    }

    /// The same panel, its word and those of the catalog weighed by what panels like it said about messages they had not
    /// learned from.
    #[must_use]
    pub fn calibrated(mut self, overheard: &[Overheard]) -> Panel {
        for layer in &mut self.layers {
            let own = |said: &&Overheard| said.classes.iter().any(|class| layer.labels.contains(class));
            let heard: Vec<&Overheard> = overheard.iter().filter(own).collect();
            if heard.len() >= FITTED_ON_MIN {
                *layer = layer.fitted(&heard);
            }
        }
        self
    }

    /// The bytes to keep.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut layers = (self.layers.len() as u64).to_le_bytes().to_vec();
        for layer in &self.layers {
            layers.extend((layer.labels.len() as u64).to_le_bytes());
            layers.extend(layer.temperature.to_le_bytes());
            layers.extend(layer.heed.to_le_bytes());
        }
        let head = Taught { head: self.head.clone(), lessons: Vec::new() }.to_bytes();
        [&MAGIC[..], &Sha256::digest(&layers), &layers, &head].concat()
    }

    /// Reads kept bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Panel, Unreadable> {
        let rest = bytes.strip_prefix(&MAGIC[..]).ok_or(Unreadable::Foreign)?;
        let (checksum, rest) = rest.split_at_checked(CHECKSUM).ok_or(Unreadable::Damaged)?;
        let (layers, head) = read_layers(rest).ok_or(Unreadable::Damaged)?;
        // The head has a checksum of its own; this one is of the layers before it.
        let own = rest.strip_suffix(head).unwrap_or_default();
        if Sha256::digest(own)[..] != *checksum {
            return Err(Unreadable::Damaged);
        }
        let head = Head { block_weight: LAYERED_BLOCK_WEIGHT, ..Taught::from_bytes(head)?.head };
        let whole = layers.last().is_some_and(|last: &Layer| last.labels.end == head.outputs);
        if whole { Ok(Panel { head, layers }) } else { Err(Unreadable::Damaged) }
    }
}

impl Layer {
    fn believe(&self, logits: &[f32], words: &[f32]) -> Vec<f32> {
        let at = |list: &[f32], label: usize| list.get(label).copied().unwrap_or_default();
        let heard = |label: usize| at(logits, label) / self.temperature + self.heed * at(words, label);
        softmax(&self.labels.clone().map(heard).collect::<Vec<f32>>())
    }

    /// The temperature and the heed under which what was right is likeliest.
    fn fitted(&self, heard: &[&Overheard]) -> Layer {
        let surprise = |layer: &Layer| -> f32 {
            let each = heard.iter().map(|said| {
                let beliefs = layer.believe(&said.logits, &said.words);
                let right = said.classes.iter().find(|class| layer.labels.contains(class));
                let belief = right.and_then(|class| beliefs.get(class - layer.labels.start)).copied();
                exact::ln(1.0 / belief.unwrap_or_default().clamp(BELIEF_MIN, 1.0))
            });
            each.sum()
        };
        let tried = TEMPERATURES.iter().flat_map(|temperature| HEEDS.map(|heed| (*temperature, heed)));
        let layers = tried.map(|(temperature, heed)| Layer { temperature, heed, ..self.clone() });
        let best = layers.map(|layer| (surprise(&layer), layer)).min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or_else(|| self.clone(), |(_, layer)| layer)
    }
}

fn layers_of(sizes: &[usize]) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut next = |size: &usize| {
        let layer = start..start + size;
        start = layer.end;
        layer
    };
    sizes.iter().map(&mut next).collect()
}

fn read_layers(bytes: &[u8]) -> Option<(Vec<Layer>, &[u8])> {
    let (count, mut rest) = bytes.split_first_chunk::<8>()?;
    let (mut layers, mut start): (Vec<Layer>, usize) = (Vec::new(), 0);
    for _ in 0..u64::from_le_bytes(*count) {
        let (size, after) = rest.split_first_chunk::<8>()?;
        let (temperature, after) = after.split_first_chunk::<4>()?;
        let (heed, after) = after.split_first_chunk::<4>()?;
        let end = start.checked_add(usize::try_from(u64::from_le_bytes(*size)).ok()?)?;
        let (temperature, heed) = (f32::from_le_bytes(*temperature), f32::from_le_bytes(*heed));
        layers.push(Layer { labels: start..end, temperature, heed });
        (start, rest) = (end, after);
    }
    Some((layers, rest))
}

#[cfg(test)]
mod tests {
    use super::super::Role;
    use super::*;
    use proptest::prelude::*;

    /// Messages with their labels: parcel or money, then calm or urgent. Some lack one of the two.
    const TEXTS: &[(&str, &[usize])] = &[
        ("where is my parcel", &[0, 2]),
        ("track the parcel please", &[0, 2]),
        ("the parcel must arrive right now", &[0, 3]),
        ("my package is late, hurry", &[0, 3]),
        ("refund the invoice", &[1, 2]),
        ("the invoice is wrong", &[1]),
        ("give me my money back right now", &[1, 3]),
        ("hurry up", &[3]),
        ("take your time", &[2]),
    ];

    fn taught(texts: &[(&str, &[usize])]) -> Panel {
        let of = |(text, classes)| Lesson { text, vector: &[], classes, role: Role::Example };
        let lessons: Vec<Lesson<'_>> = texts.iter().copied().map(of).collect();
        // The third question is asked and never answered.
        Panel::teach(&lessons, &[2, 2, 3], 0)
    }

    fn judge(panel: &Panel, text: &str, words: &[f32]) -> Vec<f32> {
        panel.judge(&panel.features(&Reading::new(text), Vec::new()), words)
    }

    #[track_caller]
    fn check(panel: &Panel, text: &str, labels: [usize; 2]) {
        let beliefs = judge(panel, text, &[]);
        for label in labels {
            assert!(beliefs[label] > 0.5, "{text}: {label} of {beliefs:?}");
        }
    }

    #[test]
    fn each_layer_is_answered_for_itself() {
        let panel = taught(TEXTS);
        check(&panel, "where is the parcel", [0, 2]);
        check(&panel, "the parcel, right now, hurry", [0, 3]);
        check(&panel, "refund my invoice please", [1, 2]);
        check(&panel, "my money back right now, hurry", [1, 3]);
    }

    #[test]
    fn a_lesson_without_a_label_teaches_nothing_there() {
        // Nothing was said about the third layer: its labels stay equally likely, to the bit.
        let beliefs = judge(&taught(TEXTS), "where is my parcel", &[]);
        assert_eq!(beliefs[4..6], beliefs[5..7]);
        // Lessons of the second layer alone leave the first where it was.
        let panel = taught(&[("hurry up", &[3]), ("take your time", &[2])]);
        let beliefs = judge(&panel, "hurry up", &[]);
        assert!((beliefs[0] - beliefs[1]).abs() < f32::EPSILON && beliefs[3] > 0.5, "{beliefs:?}");
    }

    #[test]
    fn words_of_the_catalog_are_heeded_in_their_layer_alone() {
        let panel = taught(TEXTS);
        let (without, with) = (judge(&panel, "hm", &[]), judge(&panel, "hm", &[0.0, 2.0]));
        assert!(with[1] > without[1] && with[0] < without[0]);
        assert_eq!(with[2..], without[2..]);
    }

    #[test]
    fn a_panel_is_weighed_by_enough_messages_of_a_layer_or_not_at_all() {
        let panel = taught(TEXTS);
        let heard = |count: usize| -> Vec<Overheard> {
            let hear = |(text, classes): &(&str, &[usize])| {
                panel.overhear(&panel.features(&Reading::new(text), Vec::new()), Vec::new(), classes)
            };
            TEXTS.iter().cycle().filter(|(_, classes)| classes[0] < 2).take(count).map(hear).collect()
        };
        assert_eq!(panel.clone().calibrated(&heard(FITTED_ON_MIN - 1)), panel);
        let fitted = panel.clone().calibrated(&heard(FITTED_ON_MIN));
        assert_ne!(fitted.layers[0], panel.layers[0]);
        assert_eq!(fitted.layers[2], panel.layers[2]);
        // All it heard was right, so it is believed more.
        let parcel = |panel: &Panel| judge(panel, "where is my parcel", &[])[0];
        assert!(parcel(&fitted) > parcel(&panel));
    }

    #[test]
    fn the_same_lessons_give_the_same_panel_to_the_bit() {
        assert_eq!(taught(TEXTS).to_bytes(), taught(TEXTS).to_bytes());
    }

    #[test]
    fn a_panel_comes_back_as_it_was_kept_or_not_at_all() {
        let panel = taught(TEXTS);
        let bytes = panel.to_bytes();
        let back = Panel::from_bytes(&bytes).unwrap();
        assert_eq!(back, panel);
        assert_eq!(judge(&back, "where is my parcel", &[]), judge(&panel, "where is my parcel", &[]));
        for cut in [16, 20, 50, 60, bytes.len() / 2, bytes.len() - 1] {
            assert!(Panel::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        // Every byte of the layers, and some of the head.
        for at in (0..120).chain((120..bytes.len()).step_by(1009)) {
            let mut altered = bytes.clone();
            altered[at] ^= 1;
            assert!(Panel::from_bytes(&altered).is_err(), "{at}");
        }
        let head = Taught { head: panel.head, lessons: Vec::new() }.to_bytes();
        for foreign in [b"something else".to_vec(), head, Vec::new()] {
            assert_eq!(Panel::from_bytes(&foreign), Err(Unreadable::Foreign));
        }
    }

    proptest! {
        #[test]
        fn beliefs_of_a_layer_sum_to_one(text in ".{0,60}", words in prop::collection::vec(0.0f32..2.0, 0..9)) {
            let beliefs = judge(&taught(&TEXTS[..3]), &text, &words);
            for layer in [0..2, 2..4, 4..7] {
                let sum: f32 = beliefs[layer].iter().sum();
                prop_assert!((sum - 1.0).abs() < 1e-5, "{:?}", beliefs);
            }
        }
    }
}
