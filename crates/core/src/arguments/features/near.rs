//! What names a slot near the words?

use std::ops::Range;

use super::{Feature, Reason, View};
use crate::arguments::form::{Form, Slot};
use crate::arguments::heard::Heard;
use crate::arguments::spelling::is_misspelt;
use crate::arguments::weights::real;

/// Words on each side that may name the slot of a value.
const NAME_WORDS_NEAR: usize = 4;
/// How much less a name says for each word between it and the value.
const FADING: f32 = 0.5;

/// How far each word of a message names each slot of a form.
pub(super) struct Near {
    /// Slot by slot, word by word: by its name, by its description, by likeness to its name.
    shares: Vec<Share>,
    words: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Share {
    name: f32,
    about: f32,
    like: f32,
}

impl Near {
    pub fn new(form: &Form, heard: &Heard<'_>) -> Near {
        let words = heard.len();
        let mut shares = vec![Share::default(); form.slots.len() * words];
        let mut room = Vec::new();
        for (at, word) in heard.words.iter().enumerate().filter(|(_, word)| !word.empty) {
            let lower = heard.tokens.lower(at);
            let named = |slot: &Slot| {
                slot.names
                    .iter()
                    .any(|name| name.has(word.term) || name.words.iter().any(|n| is_misspelt(lower, n)))
            };
            let told = |slot: &Slot| slot.about.has(word.term);
            // A word that several slots share says less for each of them.
            let share = |count: usize| 1.0 / real(count.max(1));
            let by_name = share(form.slots.iter().filter(|slot| named(slot)).count());
            let by_about = share(form.slots.iter().filter(|slot| told(slot)).count());
            heard.sum(&(at..at + 1), &mut room);
            for (place, slot) in form.slots.iter().enumerate() {
                let name = slot.names.first().map(|name| name.vector.as_slice()).unwrap_or_default();
                if let Some(share) = shares.get_mut(place * words + at) {
                    share.name = if named(slot) { by_name } else { 0.0 };
                    share.about = if told(slot) { by_about } else { 0.0 };
                    share.like = crate::arguments::meaning::dot(&room, name).max(0.0);
                }
            }
        }
        Near { shares, words }
    }

    fn share(&self, place: usize, at: usize) -> Share {
        self.shares.get(place * self.words + at).copied().filter(|_| at < self.words).unwrap_or_default()
    }

    /// How far a word names a slot.
    pub fn named(&self, place: usize, at: usize) -> f32 {
        self.share(place, at).name
    }

    /// How far the slot is named next to words, on either side.
    pub fn named_near(&self, view: &View<'_, '_>, place: usize, words: &Range<usize>) -> f32 {
        let left = self.side(view, place, near(view.heard, words, true));
        left.name.max(self.side(view, place, near(view.heard, words, false)).name)
    }

    pub fn look(&self, view: &View<'_, '_>, place: usize, words: &Range<usize>, reasons: &mut Vec<Reason>) {
        let left = self.side(view, place, near(view.heard, words, true));
        let right = self.side(view, place, near(view.heard, words, false));
        let within = words.clone().map(|at| self.share(place, at).name).fold(0.0, f32::max);
        let alone = words
            .clone()
            .all(|at| self.share(place, at).name > 0.0 || view.heard.word(at).is_none_or(|word| word.empty));
        let others_within = words.clone().map(|at| self.others(view, place, at).name).fold(0.0, f32::max);
        let found = [
            (Feature::NameRightBefore, left.right),
            (Feature::NameRightBehind, right.right),
            (Feature::NameBefore, left.name),
            (Feature::NameBehind, right.name),
            (Feature::AboutBefore, left.about),
            (Feature::AboutBehind, right.about),
            (Feature::LeftLike, left.like),
            (Feature::RightLike, right.like),
            (Feature::LeftLikeOthers, left.other_like),
            (Feature::NameWithin, within),
            (Feature::NameAlone, if alone && within > 0.0 { 1.0 } else { 0.0 }),
            (Feature::OtherNameBefore, left.other),
            (Feature::OtherNameBehind, right.other),
            (Feature::OtherNameWithin, others_within),
            (Feature::ToolWords, known(view.heard, words, |term| view.form.about.has(term))),
            (
                Feature::AboutWords,
                known(view.heard, words, |term| {
                    view.form.slots.get(place).is_some_and(|slot| slot.about.has(term))
                }),
            ),
        ];
        reasons.extend(
            found
                .into_iter()
                .filter(|(_, amount)| *amount > 0.0)
                .map(|(feature, amount)| feature.amount(amount)),
        );
    }

    fn side(&self, view: &View<'_, '_>, place: usize, near: impl Iterator<Item = usize>) -> Side {
        let mut side = Side::default();
        for (distance, at) in near.enumerate() {
            let fading = 1.0 / (1.0 + real(distance) * FADING);
            let (own, others) = (self.share(place, at), self.others(view, place, at));
            if distance == 0 {
                side.right = own.name;
            }
            side.name = side.name.max(own.name * fading);
            side.about = side.about.max(own.about * fading);
            side.like = side.like.max(own.like * fading);
            side.other = side.other.max(others.name * fading);
            side.other_like = side.other_like.max(others.like * fading);
        }
        side
    }

    /// How far a word names the other slots, where it does not name this one.
    fn others(&self, view: &View<'_, '_>, place: usize, at: usize) -> Share {
        let mut most = Share::default();
        for other in (0..view.form.slots.len()).filter(|other| *other != place) {
            let share = self.share(other, at);
            most.name = most.name.max(share.name);
            most.like = most.like.max(share.like);
        }
        if self.share(place, at).name > 0.0 {
            most.name = 0.0;
        }
        most
    }
}

/// What stands on one side of words.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    right: f32,
    name: f32,
    about: f32,
    like: f32,
    other: f32,
    other_like: f32,
}

/// The words next to others on one side, nearest first, up to the end of the sentence; words that say nothing are passed over.
fn near<'h>(heard: &'h Heard<'_>, words: &Range<usize>, left: bool) -> impl Iterator<Item = usize> + use<'h> {
    let (start, end) = if left { (0, words.start) } else { (words.end, heard.len()) };
    let places = (start..end).map(move |at| if left { end - 1 - (at - start) } else { at });
    places
        .take_while(|at| !matches!(heard.tokens.lower(*at), "." | ";" | "?" | "!"))
        .filter(|at| heard.word(*at).is_some_and(|word| !word.empty))
        .take(NAME_WORDS_NEAR)
}

/// The share of the words that say something of which this holds.
fn known(
    heard: &Heard<'_>,
    words: &Range<usize>,
    holds: impl Fn(crate::selection::terms::Term) -> bool,
) -> f32 {
    let said = heard.words.get(words.clone()).unwrap_or_default().iter().filter(|word| !word.empty);
    let (all, known) =
        said.fold((0, 0_usize), |(all, known), word| (all + 1, known + usize::from(holds(word.term))));
    if all == 0 { 0.0 } else { real(known) / real(all) }
}
