//! How do ways of finding agree? Each is brought to one scale over the whole pool, weighed, and added.

/// What meaning, read with the layers of the encoder, counts beside meaning read without; measured on odd lines of public sets.
pub const DEEP_WEIGHT: f32 = 0.6;
/// What being about what the whole pool is about counts: broad tools are asked for more often.
pub const CENTRAL_WEIGHT: f32 = 0.3;
/// What words count at most, where the texts to find them in are long.
const WORDS_MOST: f32 = 0.8;
/// So many words a text make words count half of that: in a dozen words the right one is often missing.
const WORDS_HALF: f32 = 35.0;

/// What each way of finding counts beside meaning, which counts one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// What words count.
    pub words: f32,
    /// What meaning counts, read with the layers of the encoder.
    pub deep: f32,
    /// What being about what the whole pool is about counts.
    pub central: f32,
}

impl Weights {
    /// The weights for a pool of which no more is known than how many words a text has on average.
    pub fn by_statistics(mean_words: f32) -> Weights {
        Weights { words: words_weight(mean_words), deep: DEEP_WEIGHT, central: CENTRAL_WEIGHT }
    }
}

/// One way of finding: what it says about every entry of a pool.
#[derive(Clone, Copy, Debug)]
pub struct Leg<'s> {
    /// What it says, an entry a number.
    pub scores: &'s [f32],
    /// What it counts.
    pub weight: f32,
}

/// What words count in a pool whose texts have so many of them on average.
pub fn words_weight(mean_words: f32) -> f32 {
    WORDS_MOST * mean_words / (mean_words + WORDS_HALF)
}

/// The sum of all legs, each brought to mean 0 and deviation 1. Sums are taken in the order of the entries: they are the same
/// on every machine.
pub fn joined(legs: &[Leg<'_>], entries: usize) -> Vec<f32> {
    let mut sums = vec![0.0; entries];
    for leg in legs {
        let (mean, deviation) = spread(leg.scores);
        if deviation <= f32::EPSILON {
            continue;
        }
        let scale = leg.weight / deviation;
        for (sum, score) in sums.iter_mut().zip(leg.scores) {
            *sum += (score - mean) * scale;
        }
    }
    sums
}

/// How far each of some entries has what the words of a message ask for, in their order: slower than a leg, so that only the best
/// are read so.
#[derive(Clone, Copy)]
pub struct Late<'s>(pub &'s dyn Fn(&[usize]) -> Vec<f32>);

impl std::fmt::Debug for Late<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Late")
    }
}

/// Reads these entries word by word, and raises each by how far it is above the least of them, so many deviations of the pool a
/// likeness of one. None falls, so none of the best gets behind an entry that was not read.
pub fn raise(sums: &mut [f32], entries: &[usize], late: Late<'_>, weight: f32) {
    let alike = (late.0)(entries);
    let least = alike.iter().copied().fold(f32::INFINITY, f32::min);
    for (entry, alike) in entries.iter().zip(alike) {
        if let Some(sum) = sums.get_mut(*entry) {
            *sum += weight * (alike - least);
        }
    }
}

/// Mean and deviation.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // counts and shares are far below what is lost
fn spread(scores: &[f32]) -> (f32, f32) {
    let count = scores.len().max(1) as f64;
    let mean = in_lanes(scores, |score| score) / count;
    let squares = in_lanes(scores, |score| (score - mean) * (score - mean));
    (mean as f32, (squares / count).sqrt() as f32)
}

/// A sum in eight lanes: the same on every machine, and no number waits for the one before it.
fn in_lanes(scores: &[f32], each: impl Fn(f64) -> f64) -> f64 {
    let mut lanes = [0.0_f64; 8];
    let (whole, rest) = scores.as_chunks::<8>();
    for chunk in whole.iter().map(<[f32; 8]>::as_slice).chain([rest]) {
        lanes.iter_mut().zip(chunk).for_each(|(lane, score)| *lane += each(f64::from(*score)));
    }
    lanes.iter().sum()
}

/// The best of all, or of those at these places, the best first; equals in their order.
pub fn best_among(scores: &[f32], among: Option<&[usize]>, most: usize) -> Vec<usize> {
    let Some(among) = among else { return best(scores, most) };
    let own: Vec<f32> = among.iter().map(|place| scores.get(*place).copied().unwrap_or_default()).collect();
    best(&own, most).into_iter().filter_map(|place| among.get(place).copied()).collect()
}

/// The places of the best, the best first; equals in their order.
pub fn best(scores: &[f32], most: usize) -> Vec<usize> {
    let better = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    // Twice as many as are wanted, cut to the best whenever they are full: nearly all entries are below the floor by then.
    let mut taken: Vec<(f32, usize)> = Vec::with_capacity(2 * most.min(scores.len()));
    let mut floor = None;
    for (place, score) in scores.iter().enumerate().filter(|_| most > 0) {
        if floor.is_some_and(|floor: f32| score.total_cmp(&floor).is_le()) {
            continue;
        }
        taken.push((*score, place));
        if taken.len() >= most.saturating_mul(2) {
            taken.select_nth_unstable_by(most - 1, better);
            taken.truncate(most);
            floor = taken.last().map(|(score, _)| *score);
        }
    }
    taken.sort_unstable_by(better);
    taken.truncate(most);
    taken.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legs_count_by_their_weight_whatever_their_scale() {
        let (small, large) = ([0.1, 0.2, 0.3], [300.0, 200.0, 100.0]);
        let leg = |scores: &'static [f32], weight| Leg { scores, weight };
        let sums = joined(&[leg(&[0.1, 0.2, 0.3], 1.0), leg(&[300.0, 200.0, 100.0], 0.5)], 3);
        assert_eq!(best(&sums, 3), [2, 1, 0]);
        assert_eq!(
            best(&joined(&[Leg { scores: &small, weight: 0.4 }, Leg { scores: &large, weight: 1.0 }], 3), 1),
            [0]
        );
        assert_eq!(joined(&[leg(&[5.0, 5.0], 1.0)], 2), [0.0, 0.0], "who says the same of all says nothing");
    }

    #[test]
    fn the_best_come_first_and_equals_in_order() {
        assert_eq!(best(&[1.0, 3.0, 3.0, 2.0], 3), [1, 2, 3]);
        assert_eq!(best(&[1.0], 5), [0]);
        assert_eq!(best(&[], 5), Vec::<usize>::new());
        assert_eq!(best(&[1.0, 2.0], 0), Vec::<usize>::new());
        let many: Vec<f32> = (0_u16..1000).map(|n| f32::from(n * 37 % 101)).collect();
        let mut sorted: Vec<usize> = (0..many.len()).collect();
        sorted.sort_by(|a, b| many[*b].total_cmp(&many[*a]));
        for most in [1, 2, 7, 16, 500, 1000, 2000] {
            assert_eq!(best(&many, most), sorted[..most.min(1000)], "{most}");
        }
    }

    #[test]
    fn the_best_are_read_again_and_none_falls() {
        let mut sums = [5.0, 4.5, 4.0, 3.0];
        let read = best_among(&sums, None, 3);
        raise(
            &mut sums,
            &read,
            Late(&|entries| entries.iter().map(|entry| [0.2, 0.6, 0.1, 9.0][*entry]).collect()),
            2.0,
        );
        assert_eq!(best(&sums, 4), [1, 0, 2, 3]);
        assert_eq!(sums[2..], [4.0, 3.0]);
        assert_eq!(best_among(&sums, Some(&[0, 3]), 3), [0, 3]);
        raise(&mut sums, &[], Late(&|_| Vec::new()), 2.0);
        assert_eq!(sums[2..], [4.0, 3.0]);
    }

    #[test]
    fn words_count_more_where_there_are_more() {
        assert!((words_weight(16.0) - 0.25).abs() < 0.01);
        assert!(words_weight(250.0) > 0.65 && words_weight(0.0) == 0.0);
    }
}
