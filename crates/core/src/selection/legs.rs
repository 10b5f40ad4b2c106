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

/// Mean and deviation.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // counts and shares are far below what is lost
fn spread(scores: &[f32]) -> (f32, f32) {
    let count = scores.len().max(1) as f64;
    let mean = scores.iter().map(|score| f64::from(*score)).sum::<f64>() / count;
    let squares: f64 = scores.iter().map(|score| (f64::from(*score) - mean).powi(2)).sum();
    (mean as f32, (squares / count).sqrt() as f32)
}

/// The places of the best, the best first; equals in their order.
pub fn best(scores: &[f32], most: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    let worth = |place: &usize| scores.get(*place).copied().unwrap_or(f32::NEG_INFINITY);
    let better = |a: &usize, b: &usize| worth(b).total_cmp(&worth(a)).then(a.cmp(b));
    if most < places.len() && most > 0 {
        places.select_nth_unstable_by(most - 1, better);
        places.truncate(most);
    }
    places.truncate(most);
    places.sort_by(better);
    places
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
    }

    #[test]
    fn words_count_more_where_there_are_more() {
        assert!((words_weight(16.0) - 0.25).abs() < 0.01);
        assert!(words_weight(250.0) > 0.65 && words_weight(0.0) == 0.0);
    }
}
