//! Did sure decisions end better than unsure ones? Outcomes that were told in, figures out.

use serde::Serialize;

use super::metrics::{bin_of, share};
use crate::store::Outcome;

/// Fewest outcomes of which anything is said: with fewer, one task more could turn the sign of a correlation.
pub const OUTCOMES_MIN: usize = 10;
/// Where the bands begin: what no rule of the shipped catalogs takes, what only lenient ones do, what is enough by itself,
/// and what is high. They are the same for every catalog, so that installations can be held against each other.
const BAND_STARTS: [f64; 4] = [0.0, 0.60, 0.70, 0.85];
/// Bins of the calibration error, as in the figures of routes.
const BINS: usize = 10;

/// What came of the decisions whose outcomes were told. What cannot be said is nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OutcomesReport {
    /// How many there are.
    pub outcomes: usize,
    /// How many of them succeeded.
    pub succeeded: usize,
    /// The share; nothing without outcomes.
    pub success_rate: Option<f64>,
    /// The correlation of confidence with success, point-biserial: from -1 to 1, and 0 where they have nothing to do with
    /// each other.
    pub correlation: Option<f64>,
    /// The same of the ranks of confidences (Spearman's), which knows no difference but before and after.
    pub rank_correlation: Option<f64>,
    /// The mean square of how far confidence was from what happened, 1 or 0 (Brier's score); less is better.
    pub brier: Option<f64>,
    /// How far confidence is from the share that succeeded, on average over tenths.
    pub ece: Option<f64>,
    /// Success by band of confidence, from unsure to sure; those that are empty too.
    pub bands: Vec<Band>,
    /// Why there is no correlation, in a person's words.
    pub unsaid: Option<String>,
}

/// How decisions of one band of confidence ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Band {
    /// Where it begins, and where the next one does.
    pub range: [f64; 2],
    /// How many decisions.
    pub outcomes: usize,
    /// How many of them succeeded.
    pub succeeded: usize,
    /// The share; nothing where the band is empty.
    pub success_rate: Option<f64>,
    /// Their mean confidence; nothing where the band is empty.
    pub confidence: Option<f64>,
}

/// The figures of outcomes.
pub fn judge_outcomes(outcomes: &[Outcome]) -> OutcomesReport {
    let all = tally(outcomes, [0.0, 1.0]);
    let unsaid = unsaid(outcomes, &all);
    let enough = outcomes.len() >= OUTCOMES_MIN;
    let confidences: Vec<f64> = outcomes.iter().map(|outcome| outcome.confidence).collect();
    let happened: Vec<f64> = outcomes.iter().map(happened).collect();
    let correlation = |of: &[f64]| unsaid.is_none().then(|| pearson(of, &happened)).flatten();
    OutcomesReport {
        outcomes: all.outcomes,
        succeeded: all.succeeded,
        success_rate: all.success_rate,
        correlation: correlation(&confidences),
        // Two values have two ranks, and a correlation does not mind how far apart they lie: success stays as it is.
        rank_correlation: correlation(&ranks(&confidences)),
        brier: enough.then(|| brier(outcomes)),
        ece: enough.then(|| calibration_error(outcomes)),
        bands: bands(outcomes),
        unsaid,
    }
}

/// Why nothing can be said of how confidence and success go together.
fn unsaid(outcomes: &[Outcome], all: &Band) -> Option<String> {
    let first = outcomes.first().map(|outcome| outcome.confidence);
    if all.outcomes < OUTCOMES_MIN {
        Some(format!("{} outcomes were told, and fewer than {OUTCOMES_MIN} say nothing", all.outcomes))
    } else if all.succeeded == all.outcomes {
        Some("every task succeeded".to_owned())
    } else if all.succeeded == 0 {
        Some("every task failed".to_owned())
    } else if outcomes.iter().all(|outcome| Some(outcome.confidence) == first) {
        Some("every decision was equally sure".to_owned())
    } else {
        None
    }
}

fn happened(outcome: &Outcome) -> f64 {
    if outcome.success { 1.0 } else { 0.0 }
}

fn tally(outcomes: &[Outcome], range: [f64; 2]) -> Band {
    let succeeded = outcomes.iter().filter(|outcome| outcome.success).count();
    let confidences: Vec<f64> = outcomes.iter().map(|outcome| outcome.confidence).collect();
    let there = !outcomes.is_empty();
    Band {
        range,
        outcomes: outcomes.len(),
        succeeded,
        success_rate: there.then(|| share(succeeded, outcomes.len())),
        confidence: there.then(|| mean(&confidences)),
    }
}

fn bands(outcomes: &[Outcome]) -> Vec<Band> {
    let ends = BAND_STARTS.iter().skip(1).copied().chain([1.0]);
    let band = |(at, (start, end)): (usize, (f64, f64))| {
        // Whatever is beyond the outermost bounds counts in the outermost bands.
        let (first, last) = (at == 0, at + 1 == BAND_STARTS.len());
        let within =
            |outcome: &&Outcome| (first || outcome.confidence >= start) && (last || outcome.confidence < end);
        let of: Vec<Outcome> = outcomes.iter().filter(within).copied().collect();
        tally(&of, [start, end])
    };
    BAND_STARTS.into_iter().zip(ends).enumerate().map(band).collect()
}

fn brier(outcomes: &[Outcome]) -> f64 {
    let squares: Vec<f64> =
        outcomes.iter().map(|outcome| (outcome.confidence - happened(outcome)).powi(2)).collect();
    mean(&squares)
}

fn calibration_error(outcomes: &[Outcome]) -> f64 {
    let mut bins = [0.0; BINS];
    for outcome in outcomes {
        if let Some(off) = bins.get_mut(bin_of(outcome.confidence, BINS)) {
            *off += outcome.confidence - happened(outcome);
        }
    }
    bins.iter().map(|off: &f64| off.abs()).sum::<f64>() / count(outcomes.len())
}

/// Pearson's correlation; nothing where one of the two is always the same.
fn pearson(one: &[f64], other: &[f64]) -> Option<f64> {
    let (middle, other_middle) = (mean(one), mean(other));
    let (mut together, mut alone, mut other_alone) = (0.0, 0.0, 0.0);
    for (value, beside) in one.iter().zip(other) {
        let (off, other_off) = (value - middle, beside - other_middle);
        together += off * other_off;
        alone += off * off;
        other_alone += other_off * other_off;
    }
    let spread = (alone * other_alone).sqrt();
    // Rounding may carry a perfect one a little further.
    (spread > 0.0).then(|| (together / spread).clamp(-1.0, 1.0))
}

/// The ranks of values, from 1; those that are equal share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
    order.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|(_, a), (_, b)| a.total_cmp(b).is_eq()) {
        let rank = count(before) + f64::midpoint(1.0, count(equal.len()));
        for (at, _) in equal {
            if let Some(place) = ranks.get_mut(*at) {
                *place = rank;
            }
        }
        before += equal.len();
    }
    ranks
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / count(values.len()).max(1.0)
}

#[allow(clippy::cast_precision_loss)] // counts of outcomes are far below 2^52
fn count(values: usize) -> f64 {
    values as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(rows: &[(f64, bool)]) -> Vec<Outcome> {
        rows.iter()
            .map(|(confidence, success)| Outcome { confidence: *confidence, success: *success })
            .collect()
    }

    fn close(given: Option<f64>, expected: f64) -> bool {
        given.is_some_and(|given| (given - expected).abs() < 1e-9)
    }

    #[test]
    fn the_correlations_of_known_rows() {
        let check = |rows: &[(f64, bool)], correlation: f64, rank_correlation: f64| {
            let report = judge_outcomes(&told(rows));
            assert!(close(report.correlation, correlation), "{report:?}");
            assert!(close(report.rank_correlation, rank_correlation), "{report:?}");
            assert_eq!(report.unsaid, None);
        };
        // Five at 0.9 that succeed and five at 0.1 that fail: nothing but the one tells the other.
        let apart = [[(0.9, true); 5], [(0.1, false); 5]].concat();
        check(&apart, 1.0, 1.0);
        let against = [[(0.9, false); 5], [(0.1, true); 5]].concat();
        check(&against, -1.0, -1.0);
        // Half of each succeed, whatever the confidence.
        let neither = [[(0.8, true), (0.8, false)], [(0.4, true), (0.4, false)]].concat();
        check(&neither.repeat(3), 0.0, 0.0);
        // By hand: confidences 0.1 to 1.0, the upper five succeed but the lowest of them, and the highest of the lower.
        // Means 0.55 and 0.5; the sum of products is 1.15, the spreads are sqrt(0.825) and sqrt(2.5). Even steps have the
        // same ranks but for the scale.
        let steps: Vec<(f64, bool)> =
            (1..=10).map(|step| (f64::from(step) / 10.0, matches!(step, 5 | 7..=10))).collect();
        let expected = 1.15 / (0.825_f64 * 2.5).sqrt();
        check(&steps, expected, expected);
        // A rank knows no distance: the surest at 1.0 or at 0.91 is the surest.
        let stretched: Vec<(f64, bool)> =
            steps.iter().map(|(sure, success)| (sure.powi(3), *success)).collect();
        let report = judge_outcomes(&told(&stretched));
        assert!(
            close(report.rank_correlation, expected) && !close(report.correlation, expected),
            "{report:?}"
        );
    }

    #[test]
    fn equal_values_share_their_ranks() {
        let check = |values: &[f64], expected: &[f64]| assert_eq!(ranks(values), expected);
        check(&[], &[]);
        check(&[0.3, 0.1, 0.2], &[3.0, 1.0, 2.0]);
        check(&[0.5, 0.1, 0.5, 0.9], &[2.5, 1.0, 2.5, 4.0]);
        check(&[0.7, 0.7, 0.7], &[2.0, 2.0, 2.0]);
    }

    #[test]
    fn calibration_of_known_rows() {
        // Nine of ten at 0.9 succeed: as sure as they should be, and Brier's score is the variance that is left.
        let fair = [vec![(0.9, true); 9], vec![(0.9, false)]].concat();
        let report = judge_outcomes(&told(&fair));
        assert!(close(report.ece, 0.0) && close(report.brier, 0.09), "{report:?}");
        assert_eq!(report.unsaid.as_deref(), Some("every decision was equally sure"));
        // Five of ten at 0.9: off by 0.4.
        let bold = [vec![(0.9, true); 5], vec![(0.9, false); 5]].concat();
        let report = judge_outcomes(&told(&bold));
        assert!(close(report.ece, 0.4) && close(report.brier, 0.41), "{report:?}");
    }

    #[test]
    fn bands_begin_at_their_bounds() {
        let rows =
            [(0.0, false), (0.59, true), (0.6, false), (0.7, true), (0.84, false), (0.85, true), (1.0, true)];
        let report = judge_outcomes(&told(&rows));
        let bands: Vec<_> =
            report.bands.iter().map(|band| (band.range, band.outcomes, band.succeeded)).collect();
        let expected = [([0.0, 0.6], 2, 1), ([0.6, 0.7], 1, 0), ([0.7, 0.85], 2, 1), ([0.85, 1.0], 2, 2)];
        assert_eq!(bands, expected);
        let empty = judge_outcomes(&[]);
        assert_eq!((empty.bands.len(), empty.success_rate), (4, None));
        assert!(empty.bands.iter().all(|band| band.success_rate.is_none() && band.confidence.is_none()));
    }

    #[test]
    fn what_cannot_be_said_is_not() {
        let check = |rows: &[(f64, bool)], unsaid: &str, calibrated: bool| {
            let report = judge_outcomes(&told(rows));
            assert_eq!((report.correlation, report.rank_correlation), (None, None));
            assert_eq!((report.brier.is_some(), report.ece.is_some()), (calibrated, calibrated));
            assert!(report.unsaid.as_deref().is_some_and(|told| told.contains(unsaid)), "{report:?}");
        };
        check(&[], "0 outcomes were told", false);
        check(&[(0.9, true), (0.1, false)].repeat(4), "8 outcomes were told", false);
        check(&[(0.9, true), (0.1, true)].repeat(5), "every task succeeded", true);
        check(&[(0.9, false), (0.1, false)].repeat(5), "every task failed", true);
        check(&[(0.7, true), (0.7, false)].repeat(5), "every decision was equally sure", true);
    }
}
