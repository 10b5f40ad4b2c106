//! What do the tools' own examples say about how legs and confidence should count?

use super::ranked::{BEHIND_MOST, Curve, LEAD_MOST};
use crate::head::exact::sigmoid;

/// What words are tried to count, in parts of what they count by the statistics of the pool.
pub const WORDS_TRIED: [f32; 5] = [1.0, 0.0, 0.5, 2.0, 3.0];
/// How much better the mean reciprocal rank must be for another weight than that of the statistics to be taken: what so few
/// examples show by chance is not more.
const GAIN_MIN: f64 = 0.02;

/// Steps of the fit, and how far each goes: after so many nothing changes in the third digit.
const STEPS: usize = 600;
const STEP: f64 = 0.25;
/// How many samples what is known from elsewhere counts as: a curve of few examples stays near the one it starts from.
const KNOWN_SAMPLES: f64 = 2.0;

/// A tool that was found for an example, and whether it was the right one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// How alike the meanings are.
    pub alike: f32,
    /// How far it is ahead of the next, or behind the first, in deviations of the pool.
    pub ahead: f32,
    /// Whether the example is one of its own.
    pub right: bool,
}

/// Which of some weights found the examples' tools best, by the mean reciprocal rank of each; the first is that of the statistics
/// and is left only for a clear gain.
pub fn best_weight(tried: &[(f32, f64)]) -> Option<f32> {
    let (given, rank) = *tried.first()?;
    let mut best = (given, rank + GAIN_MIN);
    for (weight, rank) in tried.iter().skip(1) {
        if *rank > best.1 {
            best = (*weight, *rank);
        }
    }
    Some(best.0)
}

/// The curve that tells best how often samples were right, near the one that is known from elsewhere.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // a few hundred samples, and seven digits are enough
pub fn fit(samples: &[Sample], known: Curve) -> Curve {
    let start = [known.base, known.alike, known.lead, known.behind].map(f64::from);
    let mut curve = start;
    let features = |sample: &Sample| {
        let lead = sample.ahead.clamp(0.0, LEAD_MOST);
        let behind = sample.ahead.clamp(-BEHIND_MOST, 0.0);
        [1.0, sample.alike, lead, behind].map(f64::from)
    };
    let count = samples.len() as f64 + KNOWN_SAMPLES;
    for _ in 0..STEPS {
        let mut slope = [0.0_f64; 4];
        for (own, (now, start)) in slope.iter_mut().zip(curve.iter().zip(start)) {
            *own = KNOWN_SAMPLES * (now - start);
        }
        for sample in samples {
            let features = features(sample);
            let logit: f64 = curve.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
            let missed = f64::from(sigmoid(logit as f32)) - f64::from(u8::from(sample.right));
            slope.iter_mut().zip(features).for_each(|(slope, feature)| *slope += missed * feature);
        }
        curve.iter_mut().zip(slope).for_each(|(weight, slope)| *weight -= STEP * slope / count);
    }
    let [base, alike, lead, behind] = curve.map(|weight| weight as f32);
    // More likeness and a greater lead never speak against a tool, whatever a few examples say.
    Curve { base, alike: alike.max(0.0), lead: lead.max(0.0), behind: behind.max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_weight_needs_a_clear_gain() {
        assert_eq!(best_weight(&[(0.3, 0.70), (0.0, 0.71), (0.6, 0.69)]), Some(0.3));
        assert_eq!(best_weight(&[(0.3, 0.70), (0.0, 0.80), (0.6, 0.79)]), Some(0.0));
        assert_eq!(best_weight(&[]), None);
    }

    #[test]
    fn the_curve_follows_its_samples_and_stays_where_there_are_none() {
        let known = Curve::default();
        let unchanged = fit(&[], known);
        assert!((unchanged.base - known.base).abs() < 1e-4 && (unchanged.lead - known.lead).abs() < 1e-4);
        let sample = |right| Sample { alike: 0.4, ahead: 0.5, right };
        let told = |curve: Curve| sigmoid(curve.base + curve.alike * 0.4 + curve.lead * 0.5);
        let often: Vec<Sample> = (0..200).map(|at| sample(at % 10 != 0)).collect();
        let seldom: Vec<Sample> = (0..200).map(|at| sample(at % 10 == 0)).collect();
        assert!((told(fit(&often, known)) - 0.9).abs() < 0.06, "{}", told(fit(&often, known)));
        assert!((told(fit(&seldom, known)) - 0.1).abs() < 0.06, "{}", told(fit(&seldom, known)));
        assert_eq!(fit(&often, known), fit(&often, known));
    }
}
