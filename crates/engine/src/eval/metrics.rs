//! What do the figures say?
#![allow(clippy::cast_precision_loss)] // counts of rows are far below 2^52

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use waypost_core::decision::Outcome;

use super::Prediction;

/// Bins of the reliability diagram.
const BINS: usize = 15;
/// Points of the risk–coverage curve.
const COVERAGE_POINTS: usize = 20;
/// Pairs of routes told as most confused, and messages shown for each.
const CONFUSIONS_MAX: usize = 10;
const CONFUSED_TEXTS_MAX: usize = 3;
/// Bins of the histogram of fits: a twentieth of the scale each.
const FIT_BINS: usize = 20;
/// Steps of the curve of what is caught: 2.5 % each, so that the second one is where 95 % are kept.
const SCOPE_STEPS: usize = 40;

/// The figures of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Rows judged.
    pub rows: usize,
    /// The share that is right: the best-ranked route is the label, or a row that needs no route is not acted on.
    pub accuracy: f64,
    /// The mean over routes of the harmonic mean of precision and recall.
    pub macro_f1: f64,
    /// The share of rows acted on, and of those the share that is right.
    pub acted: f64,
    /// Of the rows acted on, the share that is right.
    pub acted_precision: f64,
    /// How far confidence is from the share that is right, on average.
    pub ece: f64,
    /// Confidence against the share that is right, bin by bin.
    pub reliability: Vec<Bin>,
    /// The share of errors when only the surest rows are answered.
    pub risk_coverage: Vec<CoveragePoint>,
    /// Figures of every route.
    pub routes: Vec<RouteFigures>,
    /// The pairs most often taken for each other.
    pub confusions: Vec<Confusion>,
    /// How messages that belong nowhere are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_of_scope: Option<OutOfScope>,
    /// How long a decision took.
    pub latency: Latency,
}

/// One bin of the reliability diagram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Where it begins and ends.
    pub range: [f64; 2],
    /// Rows in it.
    pub rows: usize,
    /// Their mean confidence.
    pub confidence: f64,
    /// The share that is right.
    pub accuracy: f64,
}

/// One point of the risk–coverage curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoveragePoint {
    /// The share of rows answered, surest first.
    pub coverage: f64,
    /// The share of those that is wrong.
    pub risk: f64,
}

/// Figures of one route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteFigures {
    /// The route.
    pub name: String,
    /// Rows that belong to it.
    pub rows: usize,
    /// Of those predicted, the share that is right.
    pub precision: f64,
    /// Of those that belong, the share found.
    pub recall: f64,
    /// The harmonic mean of the two.
    pub f1: f64,
}

/// Two routes taken for each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confusion {
    /// Where the rows belong.
    pub label: String,
    /// What they were taken for.
    pub predicted: String,
    /// How many.
    pub rows: usize,
    /// Some of them.
    pub texts: Vec<String>,
}

/// How messages that belong nowhere are told apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutOfScope {
    /// Rows that belong nowhere.
    pub rows: usize,
    /// How often such a row is doubted more than one that belongs.
    pub auroc: f64,
    /// The same by confidence alone.
    pub auroc_by_confidence: f64,
    /// The share of such rows caught while 95 % of those that belong are kept.
    pub caught_at_95: f64,
    /// The share of such rows not acted on, as thresholds are.
    #[serde(default)]
    pub left_alone: f64,
    /// The fit below which a row is set aside for that.
    #[serde(default)]
    pub cut: f64,
    /// How far rows of both kinds fit, bin by bin.
    #[serde(default)]
    pub fits: Vec<FitBin>,
    /// What is caught for what is set aside, from the lowest cut to the highest.
    #[serde(default)]
    pub curve: Vec<ScopePoint>,
}

/// One bin of the histogram of fits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitBin {
    /// Where it begins and ends.
    pub range: [f64; 2],
    /// Rows in it that belong to a route.
    pub inside: usize,
    /// Rows in it that belong nowhere.
    pub outside: usize,
}

/// One cut through the fits: what lies below it is set aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScopePoint {
    /// The share of rows that belong and are set aside all the same.
    pub set_aside: f64,
    /// The share of rows that belong nowhere and are caught.
    pub caught: f64,
}

/// How long a decision took, in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Half of them took less.
    pub p50_us: f64,
    /// Nine of ten took less.
    pub p90_us: f64,
    /// Ninety-nine of a hundred took less.
    pub p99_us: f64,
}

/// The figures of predictions. Rows without a label need no route: they are right where nothing is done about them, and
/// count in the accuracy alone.
pub fn report(rows: &[Prediction]) -> Report {
    let labelled: Vec<Prediction> = rows.iter().filter(|row| !row.label.is_empty()).cloned().collect();
    let predictions = labelled.as_slice();
    let acted: Vec<&Prediction> = predictions.iter().filter(|row| row.outcome == Outcome::Act).collect();
    let routes = route_figures(predictions);
    let bins = reliability(predictions.iter().map(|row| (row.confidence, is_right(row))));
    Report {
        rows: rows.len(),
        accuracy: share(rows.iter().filter(|row| is_right(row)).count(), rows.len()),
        macro_f1: mean(routes.iter().filter(|route| route.rows > 0).map(|route| route.f1)),
        acted: share(acted.len(), predictions.len()),
        acted_precision: share(acted.iter().filter(|row| is_right(row)).count(), acted.len()),
        ece: calibration_error(&bins),
        reliability: bins,
        risk_coverage: risk_coverage(predictions),
        routes,
        confusions: confusions(predictions),
        out_of_scope: None,
        latency: Latency::of(rows.iter().map(|row| row.elapsed_us).collect()),
    }
}

/// How well rows that belong nowhere are told from those that belong.
pub fn out_of_scope(inside: &[Prediction], outside: &[Prediction]) -> OutOfScope {
    let fit = |row: &Prediction| row.fits.unwrap_or(row.confidence);
    let fits = |rows: &[Prediction]| rows.iter().map(fit).collect::<Vec<f64>>();
    let confidences = |rows: &[Prediction]| rows.iter().map(|row| row.confidence).collect::<Vec<f64>>();
    let (kept, foreign) = (fits(inside), fits(outside));
    let mut sorted = kept.clone();
    sorted.sort_by(f64::total_cmp);
    let cut = sorted.get(sorted.len() / 20).copied().unwrap_or_default();
    OutOfScope {
        rows: outside.len(),
        auroc: auroc(&kept, &foreign),
        auroc_by_confidence: auroc(&confidences(inside), &confidences(outside)),
        caught_at_95: below(&foreign, cut),
        left_alone: share(outside.iter().filter(|row| row.outcome != Outcome::Act).count(), outside.len()),
        cut,
        fits: fit_bins(&kept, &foreign),
        curve: scope_curve(&sorted, &foreign),
    }
}

/// The share of values below a cut.
fn below(values: &[f64], cut: f64) -> f64 {
    share(values.iter().filter(|value| **value < cut).count(), values.len())
}

pub(super) fn fit_bins(inside: &[f64], outside: &[f64]) -> Vec<FitBin> {
    let count = |values: &[f64], bin: usize| values.iter().filter(|v| bin_of(**v, FIT_BINS) == bin).count();
    let bin = |at: usize| FitBin {
        range: range_of(at, FIT_BINS),
        inside: count(inside, at),
        outside: count(outside, at),
    };
    (0..FIT_BINS).map(bin).collect()
}

/// One cut a step through the fits of rows that belong, lowest first; the last one is above all of them.
fn scope_curve(sorted: &[f64], outside: &[f64]) -> Vec<ScopePoint> {
    let point = |step: usize| {
        let cut = sorted.get(sorted.len() * step / SCOPE_STEPS).copied().unwrap_or(f64::INFINITY);
        ScopePoint { set_aside: below(sorted, cut), caught: below(outside, cut) }
    };
    let mut points: Vec<ScopePoint> = (0..=SCOPE_STEPS).map(point).collect();
    points.dedup();
    points
}

/// Whether a row is right: its best-ranked route is its label or, where it needs none, nothing was done about it.
pub(super) fn is_right(row: &Prediction) -> bool {
    if row.label.is_empty() { row.outcome != Outcome::Act } else { row.predicted == row.label }
}

pub(super) fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count.max(1))
}

/// Which of so many bins a value between 0 and 1 falls into.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a confidence is within 0 and 1
pub(super) fn bin_of(value: f64, bins: usize) -> usize {
    ((value * bins as f64) as usize).min(bins - 1)
}

fn range_of(bin: usize, bins: usize) -> [f64; 2] {
    [bin as f64 / bins as f64, (bin + 1) as f64 / bins as f64]
}

/// How sure rows are and whether they are right, bin by bin.
pub(super) fn reliability(rows: impl Iterator<Item = (f64, bool)>) -> Vec<Bin> {
    let mut bins = vec![(0.0, 0, 0); BINS];
    for (confidence, is_right) in rows {
        if let Some((sum, right, count)) = bins.get_mut(bin_of(confidence, BINS)) {
            *sum += confidence;
            *right += usize::from(is_right);
            *count += 1;
        }
    }
    let bin = |(at, (sum, right, rows)): (usize, (f64, usize, usize))| Bin {
        range: range_of(at, BINS),
        rows,
        confidence: sum / rows.max(1) as f64,
        accuracy: share(right, rows),
    };
    bins.into_iter().enumerate().filter(|(_, (_, _, rows))| *rows > 0).map(bin).collect()
}

/// How far confidence is from the share that is right, on average over rows.
pub(super) fn calibration_error(bins: &[Bin]) -> f64 {
    let off = bins.iter().map(|bin| (bin.confidence - bin.accuracy).abs() * bin.rows as f64).sum::<f64>();
    off / bins.iter().map(|bin| bin.rows).sum::<usize>().max(1) as f64
}

fn risk_coverage(predictions: &[Prediction]) -> Vec<CoveragePoint> {
    let mut surest: Vec<&Prediction> = predictions.iter().collect();
    surest.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let point = |step: usize| {
        let answered = surest.get(..surest.len() * step / COVERAGE_POINTS).unwrap_or_default();
        let wrong = answered.iter().filter(|row| !is_right(row)).count();
        CoveragePoint { coverage: step as f64 / COVERAGE_POINTS as f64, risk: share(wrong, answered.len()) }
    };
    (1..=COVERAGE_POINTS).map(point).collect()
}

fn route_figures(predictions: &[Prediction]) -> Vec<RouteFigures> {
    let mut counts: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for row in predictions {
        counts.entry(&row.label).or_default().0 += 1;
        counts.entry(&row.predicted).or_default().1 += 1;
        if is_right(row) {
            counts.entry(&row.label).or_default().2 += 1;
        }
    }
    let figures = |(name, (rows, predicted, right)): (&str, (usize, usize, usize))| {
        let (precision, recall) = (share(right, predicted), share(right, rows));
        let f1 = if right == 0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) };
        RouteFigures { name: name.to_owned(), rows, precision, recall, f1 }
    };
    counts.into_iter().map(figures).collect()
}

fn confusions(predictions: &[Prediction]) -> Vec<Confusion> {
    let mut pairs: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for row in predictions.iter().filter(|row| !is_right(row)) {
        pairs.entry((&row.label, &row.predicted)).or_default().push(&row.text);
    }
    let mut confusions: Vec<Confusion> = pairs
        .into_iter()
        .map(|((label, predicted), texts)| Confusion {
            label: label.to_owned(),
            predicted: predicted.to_owned(),
            rows: texts.len(),
            texts: texts.into_iter().take(CONFUSED_TEXTS_MAX).map(str::to_owned).collect(),
        })
        .collect();
    confusions.sort_by_key(|confusion| std::cmp::Reverse(confusion.rows));
    confusions.truncate(CONFUSIONS_MAX);
    confusions
}

/// How often a value of the first kind is larger than one of the second; equal ones count half.
pub(super) fn auroc(larger: &[f64], smaller: &[f64]) -> f64 {
    let mut all: Vec<(f64, bool)> =
        larger.iter().map(|v| (*v, true)).chain(smaller.iter().map(|v| (*v, false))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut won) = (0usize, 0.0);
    for ties in all.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let ups = ties.iter().filter(|(_, up)| *up).count();
        let downs = ties.len() - ups;
        won += ups as f64 * (below as f64 + downs as f64 / 2.0);
        below += downs;
    }
    won / (larger.len().max(1) * smaller.len().max(1)) as f64
}

impl Latency {
    /// The percentiles of times in microseconds.
    pub(super) fn of(mut times: Vec<f64>) -> Latency {
        times.sort_by(f64::total_cmp);
        let percentile = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
        Latency { p50_us: percentile(50), p90_us: percentile(90), p99_us: percentile(99) }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // figures of a few rows are exact
mod tests {
    use super::*;

    fn row(label: &str, predicted: &str, confidence: f64) -> Prediction {
        let outcome = if confidence >= 0.5 { Outcome::Act } else { Outcome::Abstain };
        let (label, predicted) = (label.to_owned(), predicted.to_owned());
        Prediction {
            text: "t".to_owned(),
            label,
            predicted,
            outcome,
            confidence,
            fits: None,
            elapsed_us: 1.0,
        }
    }

    #[test]
    fn the_figures_of_four_rows() {
        let rows = [row("a", "a", 0.9), row("a", "b", 0.6), row("b", "b", 0.8), row("b", "b", 0.4)];
        let figures = report(&rows);
        assert_eq!((figures.rows, figures.accuracy, figures.acted), (4, 0.75, 0.75));
        assert!((figures.acted_precision - 2.0 / 3.0).abs() < 1e-9);
        // a: precision 1, recall 1/2; b: precision 2/3, recall 1.
        assert!((figures.macro_f1 - f64::midpoint(2.0 / 3.0, 0.8)).abs() < 1e-9);
        assert!((figures.ece - (0.1 + 0.6 + 0.2 + 0.6) / 4.0).abs() < 1e-9);
        assert_eq!(figures.confusions[0].rows, 1);
        let half = figures.risk_coverage.iter().find(|point| point.coverage == 0.5).unwrap();
        assert_eq!(half.risk, 0.0);
    }

    #[test]
    fn foreign_rows_are_told_apart() {
        let inside: Vec<Prediction> = (0..40).map(|n| row("a", "a", 0.5 + f64::from(n) / 100.0)).collect();
        let outside = [row("x", "a", 0.1), row("x", "a", 0.95)];
        let figures = out_of_scope(&inside, &outside);
        assert_eq!((figures.auroc, figures.caught_at_95), (0.5, 0.5));
        assert_eq!((figures.cut, &figures.curve[2].set_aside, &figures.curve[2].caught), (0.52, &0.05, &0.5));
        let ends = [&figures.curve[0], &figures.curve[SCOPE_STEPS]].map(|p| (p.set_aside, p.caught));
        assert_eq!(ends, [(0.0, 0.5), (1.0, 1.0)]);
        let counts = |of: fn(&FitBin) -> usize| figures.fits.iter().map(of).collect::<Vec<usize>>();
        assert_eq!(counts(|bin| bin.inside).iter().sum::<usize>(), 40);
        assert_eq!((counts(|bin| bin.outside)[2], counts(|bin| bin.outside)[19]), (1, 1));
        let nothing = out_of_scope(&[], &outside);
        assert_eq!((nothing.cut, nothing.caught_at_95), (0.0, 0.0));
        assert_eq!(auroc(&[1.0], &[1.0]), 0.5);
        assert_eq!(auroc(&[2.0, 3.0], &[1.0]), 1.0);
    }
}
