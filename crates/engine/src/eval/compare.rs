//! Did it get better or worse? Two runs over the same rows, row by row.
#![allow(clippy::cast_precision_loss)] // counts of rows are far below 2^52

use serde::{Deserialize, Serialize};

use super::Prediction;
use super::metrics::is_right;

/// How unlikely a difference must be, were there none, to be called one.
const SIGNIFICANT: f64 = 0.05;

/// One run held against an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The accuracy of the earlier run.
    pub baseline_accuracy: f64,
    /// Rows that are right now and were wrong.
    pub mended: usize,
    /// Rows that are wrong now and were right.
    pub broken: usize,
    /// How likely so uneven a split is by chance: the exact test of McNemar.
    pub p_value: f64,
    /// Whether it got worse by more than chance.
    pub regression: bool,
}

/// Holds predictions against those of an earlier run; nothing unless both judged the same rows in the same order.
pub fn compare(now: &[Prediction], baseline: &[Prediction]) -> Option<Comparison> {
    let same = |(a, b): (&Prediction, &Prediction)| a.text == b.text && a.label == b.label;
    if now.len() != baseline.len() || !now.iter().zip(baseline).all(same) {
        return None;
    }
    let pairs = || now.iter().zip(baseline).map(|(now, before)| (is_right(now), is_right(before)));
    let mended = pairs().filter(|pair| *pair == (true, false)).count();
    let broken = pairs().filter(|pair| *pair == (false, true)).count();
    let p_value = by_chance(mended.min(broken), mended + broken);
    Some(Comparison {
        baseline_accuracy: pairs().filter(|(_, before)| *before).count() as f64 / now.len().max(1) as f64,
        mended,
        broken,
        p_value,
        regression: broken > mended && p_value < SIGNIFICANT,
    })
}

/// How likely a fair coin splits so many throws at least this unevenly, either way.
fn by_chance(fewer: usize, throws: usize) -> f64 {
    let half = 0.5_f64.ln() * throws as f64;
    let mut choices = 0.0;
    let mut tail = 0.0;
    for heads in 0..=fewer {
        // ln of the ways to choose, built up one by one: factorials would overflow.
        if heads > 0 {
            choices += ((throws - heads + 1) as f64).ln() - (heads as f64).ln();
        }
        tail += (choices + half).exp();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use waypost_core::decision::Outcome;

    fn run(right: &[bool]) -> Vec<Prediction> {
        let row = |(at, right): (usize, &bool)| Prediction {
            text: at.to_string(),
            label: "a".to_owned(),
            predicted: if *right { "a" } else { "b" }.to_owned(),
            outcome: Outcome::Act,
            confidence: 0.9,
            fits: None,
            elapsed_us: 1.0,
        };
        right.iter().enumerate().map(row).collect()
    }

    #[test]
    fn a_regression_is_more_than_chance() {
        let before = run(&[true; 20]);
        let mut worse = [true; 20];
        worse[..3].fill(false);
        let slightly = compare(&run(&worse), &before).unwrap();
        assert_eq!((slightly.broken, slightly.mended, slightly.regression), (3, 0, false));
        assert!((slightly.p_value - 0.25).abs() < 1e-9);
        worse[..8].fill(false);
        let clearly = compare(&run(&worse), &before).unwrap();
        assert!(clearly.regression && clearly.p_value < 0.01);
        assert!(!compare(&before, &run(&worse)).unwrap().regression, "better is no regression");
        assert!(compare(&before, &run(&[true; 3])).is_none(), "other rows");
        assert!((compare(&before, &before).unwrap().p_value - 1.0).abs() < 1e-9);
    }
}
