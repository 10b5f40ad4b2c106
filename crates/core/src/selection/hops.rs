//! Which collections answer a message, and then which passages of them?

use serde::{Deserialize, Serialize};

use super::legs::best;
use super::ranked::{Curve, sure_by};
use crate::head::exact::exp;
use crate::measure::{Confidence, Points};

/// How sure the first collection must be for others to be left out.
const COLLECTIONS_GATE: f64 = 0.7;
/// Collections that are read then.
const COLLECTIONS_READ: usize = 2;
/// How sharply the scores of collections are told apart, in deviations of the passages.
const COLLECTIONS_SHARPNESS: f32 = 1.0;
/// How sure a passage is, by how alike its best window is and how far it is ahead. Fitted on odd lines of a public set, in memory and in
/// an index, on questions for the documents of the catalog `context`, and on messages that none of these answers.
const CURVE: Curve = Curve { base: -3.75, alike: 5.32, lead: 0.68, behind: 0.52 };

/// What all legs say of passages.
#[derive(Clone, Copy, Debug)]
pub struct Scored<'s> {
    /// The sum of all legs, a passage each.
    pub sums: &'s [f32],
    /// How far the message and the best window of each passage mean the same.
    pub alike: &'s [f32],
    /// The collection of each passage.
    pub of: &'s [usize],
    /// How many collections there are.
    pub collections: usize,
}

/// What is known before a passage is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guide<'g> {
    /// What speaks for each collection, in deviations of the passages; empty where nothing does.
    pub prior: &'g [f32],
    /// Collections that alone are read, however sure they are; all where nobody says so.
    pub only: Option<&'g [usize]>,
    /// Passages that may be answered, a flag each; all where nobody says so.
    pub may: Option<&'g [bool]>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// Collections, the likeliest first, by their place.
    pub collections: Vec<(usize, Confidence)>,
    /// The collections that passages were taken from, where they were not taken from all.
    pub read: Option<Vec<usize>>,
    /// Passages, the best first, by their place.
    pub passages: Vec<(usize, Confidence)>,
}

/// The best passages, of the collections that are likely.
pub fn choose(scored: &Scored<'_>, guide: &Guide<'_>, most: usize) -> Answered {
    let collections = rank(scored, guide);
    let sure = collections.first().is_some_and(|(_, sure)| sure.points().share() >= COLLECTIONS_GATE);
    let read = match guide.only {
        Some(only) => Some(only.to_vec()),
        None if sure => Some(collections.iter().take(COLLECTIONS_READ).map(|(place, _)| *place).collect()),
        None => None,
    };
    let open = Guide { only: read.as_deref(), ..*guide }.open(scored.of);
    let own: Vec<f32> =
        open.iter().map(|passage| scored.sums.get(*passage).copied().unwrap_or_default()).collect();
    // The lead of the first is over the second, also where only one is wanted.
    let mut taken = best(&own, most.max(2));
    let score = |place: usize| own.get(place).copied().unwrap_or_default();
    let (first, second) =
        (taken.first().map_or(0.0, |at| score(*at)), taken.get(1).map_or(0.0, |at| score(*at)));
    taken.truncate(most);
    let passage = |at: usize| {
        let passage = open.get(at).copied()?;
        let ahead = if score(at) >= first { first - second } else { score(at) - first };
        let alike = scored.alike.get(passage).copied().unwrap_or_default();
        Some((passage, sure_by(&CURVE, alike, ahead)))
    };
    let passages = taken.into_iter().filter_map(passage).collect();
    Answered { collections, read, passages }
}

impl Guide<'_> {
    /// The places of the passages that may be answered, by their collections.
    pub fn open(&self, of: &[usize]) -> Vec<usize> {
        let is_open = |(passage, own): &(usize, &usize)| {
            may(self, *passage) && self.only.is_none_or(|only| only.contains(own))
        };
        of.iter().enumerate().filter(is_open).map(|(passage, _)| passage).collect()
    }
}

fn may(guide: &Guide<'_>, passage: usize) -> bool {
    guide.may.is_none_or(|may| may.get(passage).copied().unwrap_or_default())
}

/// Each collection by its best passage, and by what speaks for it beforehand.
fn rank(scored: &Scored<'_>, guide: &Guide<'_>) -> Vec<(usize, Confidence)> {
    let mut tops = vec![f32::NEG_INFINITY; scored.collections];
    for (passage, (collection, sum)) in scored.of.iter().zip(scored.sums).enumerate() {
        if let Some(top) = tops.get_mut(*collection).filter(|_| may(guide, passage)) {
            *top = top.max(*sum);
        }
    }
    for (top, prior) in tops.iter_mut().zip(guide.prior) {
        *top += prior;
    }
    let is_open = |place: &usize| guide.only.is_none_or(|only| only.contains(place));
    let worth = |place: usize| tops.get(place).copied().unwrap_or(f32::NEG_INFINITY);
    let open: Vec<usize> = best(&tops, tops.len())
        .into_iter()
        .filter(|place| is_open(place) && worth(*place).is_finite())
        .collect();
    let highest = open.first().map_or(0.0, |place| worth(*place));
    let odds = |place: usize| exp(COLLECTIONS_SHARPNESS * (worth(place) - highest));
    let all: f32 = open.iter().map(|place| odds(*place)).sum();
    let sure = |place: usize| Confidence::new(Points::from_share(f64::from(odds(place) / all)));
    open.into_iter().map(|place| (place, sure(place))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two passages of each of three collections.
    const OF: [usize; 6] = [0, 0, 1, 1, 2, 2];

    /// The collections in order, those read, and the passages.
    fn chosen(sums: &[f32; 6], guide: &Guide<'_>) -> (Vec<usize>, Option<Vec<usize>>, Vec<usize>) {
        let scored = Scored { sums, alike: &[0.0; 6], of: &OF, collections: 3 };
        let answered = choose(&scored, guide, 6);
        let places = |found: &[(usize, Confidence)]| found.iter().map(|(place, _)| *place).collect();
        (places(&answered.collections), answered.read, places(&answered.passages))
    }

    #[test]
    fn a_sure_collection_is_read_with_the_next_and_an_unsure_one_with_all() {
        let (collections, read, passages) = chosen(&[0.0, 5.0, 0.5, 1.0, 0.2, 0.0], &Guide::default());
        assert_eq!((collections, read), (vec![0, 1, 2], Some(vec![0, 1])));
        assert_eq!(passages, [1, 3, 2, 0]);
        let (_, read, passages) = chosen(&[0.0, 1.0, 0.9, 0.8, 0.7, 0.6], &Guide::default());
        assert_eq!((read, passages.len()), (None, 6));
    }

    #[test]
    fn how_sure_the_first_is_does_not_depend_on_how_many_are_wanted() {
        let scored =
            Scored { sums: &[3.0, 2.5, 1.0, 0.0, 0.0, 0.0], alike: &[0.6; 6], of: &OF, collections: 3 };
        let first = |most: usize| choose(&scored, &Guide::default(), most).passages.first().copied();
        assert_eq!(first(1), first(2));
        assert!(first(1).is_some() && first(0).is_none());
        assert_eq!(choose(&scored, &Guide::default(), usize::MAX).passages.len(), 4, "of the two likeliest");
    }

    #[test]
    fn what_is_known_beforehand_moves_closes_and_leaves_out() {
        let sums = [0.0, 1.0, 0.9, 0.8, 0.7, 0.6];
        let moved = Guide { prior: &[0.0, 0.0, 2.0], ..Guide::default() };
        assert_eq!(chosen(&sums, &moved).0, [2, 0, 1]);
        let closed = Guide { only: Some(&[2]), ..Guide::default() };
        assert_eq!(chosen(&sums, &closed), (vec![2], Some(vec![2]), vec![4, 5]));
        let left = Guide { may: Some(&[true, false, false, false, true, true]), ..Guide::default() };
        assert_eq!(chosen(&sums, &left), (vec![2, 0], None, vec![4, 5, 0]));
    }
}
