//! How well is found what a message needs? Rows with what is right in, figures out.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::metrics::{Bin, FitBin, Latency, auroc, calibration_error, fit_bins, reliability};

/// Places of a ranking that figures look at.
const DEPTH: usize = 10;
/// Rows that went worst and are shown: enough to see what goes wrong, few enough to be read.
const WORST_MAX: usize = 25;

/// A message and what it needs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct NeedRow {
    /// The message.
    #[serde(alias = "query")]
    pub text: String,
    /// What it needs, by id; empty where nothing serves it.
    #[serde(default)]
    pub relevant: Vec<String>,
    /// What alone can be chosen from, where not everything can.
    #[serde(default)]
    pub candidates: Vec<String>,
    /// Earlier turns of the conversation, oldest first.
    #[serde(default)]
    pub history: Vec<String>,
    /// The collection it is found in.
    #[serde(default)]
    pub collection: Option<String>,
}

/// What a lookup gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lookup {
    /// What was found, by id, the best first.
    pub found: Vec<String>,
    /// How sure the best is.
    pub confidence: f64,
    /// Whether anything was said to serve the message.
    pub fits: bool,
    /// The collection that came first, where there are some.
    pub collection: Option<String>,
}

/// What was found for a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranking {
    /// The message.
    pub text: String,
    /// What it needs.
    pub relevant: Vec<String>,
    /// What was found, the best first.
    pub found: Vec<String>,
    /// How sure the best is.
    pub confidence: f64,
    /// Whether anything was said to serve it.
    pub fits: bool,
    /// Whether the right collection came first, where the row names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection_right: Option<bool>,
    /// How long it took, in microseconds.
    pub elapsed_us: f64,
}

/// Figures of a ranking of tools or passages.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RetrievalReport {
    /// Rows that need something.
    pub rows: usize,
    /// Rows that nothing serves.
    pub without: usize,
    /// The share of what is needed that is among the first so many.
    pub recall_at_1: f64,
    /// Among the first three.
    pub recall_at_3: f64,
    /// Among the first five.
    pub recall_at_5: f64,
    /// Among the first ten.
    pub recall_at_10: f64,
    /// The same among the first one, two and so on to ten.
    pub recall_by_depth: Vec<f64>,
    /// The share of the first five that is needed, at most as many as are.
    pub precision_at_5: f64,
    /// How high what is needed stands among the first ten, from 0 to 1.
    pub ndcg_at_10: f64,
    /// One over the place of the first that is needed.
    pub mrr: f64,
    /// How well rows that nothing serves are told from the others by how sure the best is: 1 is always, 0.5 is chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_fit_auroc: Option<f64>,
    /// The share of rows whose collection came first, where rows name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection_right: Option<f64>,
    /// The share of rows that are rightly said to be served or not.
    pub fits_right: f64,
    /// How far the confidence of the best is from how often it is needed, on average.
    pub ece: f64,
    /// Confidence of the best against the share of rows that need it, bin by bin.
    pub reliability: Vec<Bin>,
    /// How sure the best is where rows need something and where nothing serves them, bin by bin; empty without the latter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fits: Vec<FitBin>,
    /// The rows that went worst, those that were surest first.
    pub worst: Vec<Missed>,
    /// How long it took.
    pub latency: Latency,
}

/// A row that was not answered as it should have been.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Missed {
    /// The message.
    pub text: String,
    /// What it needs; nothing where nothing serves it.
    pub relevant: Vec<String>,
    /// What was found first.
    pub found: Vec<String>,
    /// Where the first that is needed stands, counted from one; nothing where it was not found.
    pub place: Option<usize>,
    /// How sure the best is.
    pub confidence: f64,
}

/// Looks up every row, one after the other, up to the first that cannot be.
pub fn rank_rows<E>(
    rows: &[NeedRow],
    mut find: impl FnMut(&NeedRow) -> Result<Lookup, E>,
) -> Result<Vec<Ranking>, E> {
    let look = |row: &NeedRow| {
        let begun = Instant::now();
        let Lookup { found, confidence, fits, collection } = find(row)?;
        let elapsed_us = begun.elapsed().as_secs_f64() * 1e6;
        Ok(Ranking {
            text: row.text.clone(),
            relevant: row.relevant.clone(),
            found,
            confidence,
            fits,
            collection_right: collection.zip(row.collection.as_ref()).map(|(first, right)| first == *right),
            elapsed_us,
        })
    };
    rows.iter().map(look).collect()
}

/// The figures of rankings.
#[allow(clippy::cast_precision_loss)] // so many rows there are not
pub fn retrieval_report(rankings: &[Ranking]) -> RetrievalReport {
    let (needing, without): (Vec<&Ranking>, Vec<&Ranking>) =
        rankings.iter().partition(|ranking| !ranking.relevant.is_empty());
    let mean = |of: &dyn Fn(&Ranking) -> f64| {
        needing.iter().map(|ranking| of(ranking)).sum::<f64>() / needing.len().max(1) as f64
    };
    let precision = |ranking: &Ranking| {
        let depth = ranking.relevant.len().min(5);
        let right = ranking.found.iter().take(5).filter(|id| ranking.relevant.contains(id)).count();
        right as f64 / depth as f64
    };
    let placed: Vec<bool> = rankings.iter().filter_map(|ranking| ranking.collection_right).collect();
    let right = rankings.iter().filter(|ranking| ranking.fits != ranking.relevant.is_empty()).count();
    let served: Vec<f64> = needing.iter().map(|ranking| ranking.confidence).collect();
    let unserved: Vec<f64> = without.iter().map(|ranking| ranking.confidence).collect();
    let bins =
        reliability(rankings.iter().map(|ranking| (ranking.confidence, first_place(ranking) == Some(1))));
    RetrievalReport {
        rows: needing.len(),
        without: without.len(),
        recall_at_1: mean(&|ranking| recall(ranking, 1)),
        recall_at_3: mean(&|ranking| recall(ranking, 3)),
        recall_at_5: mean(&|ranking| recall(ranking, 5)),
        recall_at_10: mean(&|ranking| recall(ranking, DEPTH)),
        recall_by_depth: (1..=DEPTH).map(|depth| mean(&|ranking| recall(ranking, depth))).collect(),
        precision_at_5: mean(&precision),
        ndcg_at_10: mean(&ndcg),
        mrr: mean(&|ranking| first_place(ranking).map_or(0.0, |place| 1.0 / place as f64)),
        no_fit_auroc: (!unserved.is_empty() && !served.is_empty()).then(|| auroc(&served, &unserved)),
        collection_right: (!placed.is_empty())
            .then(|| placed.iter().filter(|right| **right).count() as f64 / placed.len() as f64),
        fits_right: right as f64 / rankings.len().max(1) as f64,
        ece: calibration_error(&bins),
        reliability: bins,
        fits: if unserved.is_empty() { Vec::new() } else { fit_bins(&served, &unserved) },
        worst: worst(rankings),
        latency: Latency::of(rankings.iter().map(|ranking| ranking.elapsed_us).collect()),
    }
}

/// The share of what is needed that is among the first so many.
#[allow(clippy::cast_precision_loss)] // places up to ten
fn recall(ranking: &Ranking, depth: usize) -> f64 {
    let found = ranking.relevant.iter().filter(|id| ranking.found.iter().take(depth).any(|own| own == *id));
    found.count() as f64 / ranking.relevant.len() as f64
}

/// Where the first that is needed stands, counted from one.
fn first_place(ranking: &Ranking) -> Option<usize> {
    let at = ranking.found.iter().position(|id| ranking.relevant.contains(id));
    at.map(|at| at + 1)
}

/// The rows that went worst: what is needed stands low or is not there, or something is said to serve what nothing serves.
fn worst(rankings: &[Ranking]) -> Vec<Missed> {
    let wrong = |ranking: &Ranking| {
        if ranking.relevant.is_empty() { f64::from(u8::from(ranking.fits)) } else { 1.0 - ndcg(ranking) }
    };
    let mut rows: Vec<(f64, &Ranking)> = rankings.iter().map(|ranking| (wrong(ranking), ranking)).collect();
    rows.retain(|(wrong, _)| *wrong > 0.0);
    rows.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(other.confidence.total_cmp(&one.confidence)));
    let missed = |(_, ranking): (f64, &Ranking)| Missed {
        text: ranking.text.clone(),
        relevant: ranking.relevant.clone(),
        found: ranking.found.iter().take(3).cloned().collect(),
        place: first_place(ranking),
        confidence: ranking.confidence,
    };
    rows.into_iter().take(WORST_MAX).map(missed).collect()
}

/// What stands high counts more: the sum of one over the logarithm of each place, of the most there could be.
#[allow(clippy::cast_precision_loss)] // places up to ten
fn ndcg(ranking: &Ranking) -> f64 {
    let worth = |place: usize| 1.0 / ((place + 2) as f64).log2();
    let mut seen: Vec<&String> = Vec::new();
    let mut sum = 0.0;
    for (place, id) in ranking.found.iter().take(DEPTH).enumerate() {
        if ranking.relevant.contains(id) && !seen.contains(&id) {
            seen.push(id);
            sum += worth(place);
        }
    }
    let mut needed: Vec<&String> = ranking.relevant.iter().collect();
    needed.sort();
    needed.dedup();
    sum / (0..needed.len().min(DEPTH)).map(worth).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(relevant: &[&str], found: &[&str], confidence: f64) -> Ranking {
        let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        Ranking {
            text: String::new(),
            relevant: owned(relevant),
            found: owned(found),
            confidence,
            fits: confidence > 0.5,
            collection_right: None,
            elapsed_us: 1.0,
        }
    }

    #[test]
    fn figures_by_hand() {
        let rows = [
            ranking(&["a"], &["a", "b"], 0.9),
            ranking(&["a", "c"], &["b", "a", "c"], 0.8),
            ranking(&[], &["b"], 0.85),
        ];
        let report = retrieval_report(&rows);
        assert_eq!((report.rows, report.without), (2, 1));
        assert!((report.recall_at_1 - 0.5).abs() < 1e-9 && (report.recall_at_5 - 1.0).abs() < 1e-9);
        assert!((report.recall_at_3 - 1.0).abs() < 1e-9);
        assert_eq!(report.recall_by_depth.get(..3), Some(&[0.5, 0.75, 1.0][..]));
        assert!((report.mrr - 0.75).abs() < 1e-9);
        let second = (1.0 / 3_f64.log2() + 0.5) / (1.0 + 1.0 / 3_f64.log2());
        assert!((report.ndcg_at_10 - f64::midpoint(1.0, second)).abs() < 1e-9);
        assert_eq!(report.no_fit_auroc, Some(0.5));
        assert!((report.fits_right - 2.0 / 3.0).abs() < 1e-9);
        // The first of three rows is right; 0.9, 0.8 and 0.85 sure, the last two in one bin.
        assert!((report.ece - (0.1 + 0.8 + 0.85) / 3.0).abs() < 1e-9, "{}", report.ece);
        assert_eq!(report.fits.iter().map(|bin| bin.outside).sum::<usize>(), 1);
    }

    #[test]
    fn the_worst_rows_come_with_what_was_found_and_wanted() {
        let rows = [
            ranking(&["a"], &["a"], 0.9),
            ranking(&["a"], &["b", "a"], 0.9),
            ranking(&["a"], &["b", "c"], 0.3),
            ranking(&[], &["b"], 0.6),
            ranking(&[], &["b"], 0.1),
        ];
        let worst = retrieval_report(&rows).worst;
        let told: Vec<(f64, Option<usize>)> = worst.iter().map(|row| (row.confidence, row.place)).collect();
        assert_eq!(told, [(0.6, None), (0.3, None), (0.9, Some(2))]);
        assert_eq!((worst[1].relevant.as_slice(), worst[1].found.len()), (&["a".to_owned()][..], 2));
        assert_eq!(retrieval_report(&[]).worst, []);
    }
}
