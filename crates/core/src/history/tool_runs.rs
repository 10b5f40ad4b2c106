//! How did runs of a tool go? Measured latency and error rate, updated run by run.

use serde::{Deserialize, Serialize};

/// Fewest runs that say something: of four, one slow start would be a quarter.
pub const TOOL_RUNS_MIN: u64 = 5;
/// Runs that a figure remembers: the mean of the first hundred, then each new run counts one hundredth, so that a server that
/// became slow is seen within a few dozen runs.
const RUNS_REMEMBERED: u32 = 100;
/// Thousandths are shown: microseconds of latency, tenths of a percent of errors. Short numbers also read back to the same bits.
const SHOWN_PARTS: f64 = 1e3;

/// Sums over the runs of a tool, as a store keeps them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ToolRuns {
    /// How many runs were recorded.
    pub runs: u64,
    /// Which share of them failed, from 0 to 1.
    pub error_rate: f64,
    /// How many of them came with their time.
    pub timed: u64,
    /// How long those took, in milliseconds.
    pub avg_latency_ms: f64,
}

/// What is known of a tool by its runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolFigures {
    /// How many runs were recorded.
    pub runs: u64,
    /// Which share of the last runs failed, from 0 to 1.
    pub error_rate: f64,
    /// How long the last runs took on average, in milliseconds; unknown where too few came with their time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avg_latency_ms: Option<f64>,
}

impl ToolRuns {
    /// Takes one run into account.
    pub fn record(&mut self, success: bool, elapsed_ms: Option<u64>) {
        let failed = if success { 0.0 } else { 1.0 };
        (self.runs, self.error_rate) = updated(self.runs, self.error_rate, failed);
        if let Some(elapsed_ms) = elapsed_ms {
            // Exact below 2^53 milliseconds, which no run takes.
            #[allow(clippy::cast_precision_loss)]
            let elapsed_ms = elapsed_ms as f64;
            (self.timed, self.avg_latency_ms) = updated(self.timed, self.avg_latency_ms, elapsed_ms);
        }
    }

    /// What the runs say; nothing where they are too few.
    pub fn figures(&self) -> Option<ToolFigures> {
        let shown = |value: f64| (value * SHOWN_PARTS).round() / SHOWN_PARTS;
        (self.runs >= TOOL_RUNS_MIN).then(|| ToolFigures {
            runs: self.runs,
            error_rate: shown(self.error_rate),
            avg_latency_ms: (self.timed >= TOOL_RUNS_MIN).then(|| shown(self.avg_latency_ms)),
        })
    }
}

/// One value more, and the mean with it.
fn updated(count: u64, mean: f64, value: f64) -> (u64, f64) {
    let count = count.saturating_add(1);
    let weight = u32::try_from(count).unwrap_or(u32::MAX).min(RUNS_REMEMBERED);
    (count, mean + (value - mean) / f64::from(weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_follow_the_last_runs() {
        let mut runs = ToolRuns::default();
        for elapsed_ms in [100, 200, 300, 400] {
            runs.record(true, Some(elapsed_ms));
        }
        assert_eq!(runs.figures(), None, "four runs are too few");
        runs.record(false, None);
        let known = |runs: &ToolRuns| runs.figures().unwrap();
        let first = ToolFigures { runs: 5, error_rate: 0.2, avg_latency_ms: None };
        assert_eq!(known(&runs), first, "only four came with their time");
        runs.record(true, Some(500));
        assert_eq!(known(&runs).avg_latency_ms, Some(300.0));
        for _ in 0..500 {
            runs.record(true, Some(1000));
        }
        let last = known(&runs);
        assert!(last.avg_latency_ms > Some(950.0) && last.error_rate < 0.01, "{last:?}");
    }
}
