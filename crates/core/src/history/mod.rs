//! **How did it go before?** What is known of a user's earlier tasks, and what that says about them now.

mod completion;
mod instant;
mod standing;
mod specialists;
mod tool_runs;

use serde::{Deserialize, Serialize};

pub use completion::Completion;
pub use instant::{INSTANT_MS_MAX, read_instant, show_instant};
pub(crate) use instant::{civil, days, days_of};
pub use specialists::{ERROR_UNKNOWN, SPECIALIST_TASKS_MIN, SpecialistRecord, error_kind};
pub use standing::{IDLE_DECAY, IDLE_MS, SIMILAR_TASKS_MIN, Standing, UNKNOWN_REPUTATION};
pub use tool_runs::{TOOL_RUNS_MIN, ToolFigures, ToolRuns};

/// How many tasks count as recent: few enough that a change is noticed within days, many enough that one failure moves the
/// rate by a tenth only (docs/history.md).
pub const RECENT_TASKS: usize = 10;

/// What a user's earlier tasks come to: counts only, so that the same history gives the same standing anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// How the last tasks went, oldest first: at most ten.
    #[serde(default)]
    pub recent: Vec<bool>,
    /// How many tasks were completed, with or without success.
    #[serde(default)]
    pub total: u64,
    /// How many of them succeeded.
    #[serde(default)]
    pub succeeded: u64,
    /// When the last one was completed, in milliseconds since 1970-01-01 UTC.
    #[serde(default)]
    pub last_ms: u64,
    /// The same counts for each kind of task, ordered by area and operation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Kind>,
}

/// How tasks of one area and operation went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// The area; empty where none was told.
    pub area: String,
    /// The operation; empty where none was told.
    pub operation: String,
    /// How many were completed.
    pub total: u64,
    /// How many of them succeeded.
    pub succeeded: u64,
}

impl History {
    /// Takes one completed task into account.
    ///
    /// Tasks are meant to come in the order of their times. One that comes late counts like any other in all sums, which
    /// know no order; among the recent ones it stands before the latest, since no times are kept to tell it from the
    /// others. A store keeps the times and places every task where it belongs, whenever it was told.
    pub fn record(&mut self, success: bool, area: Option<&str>, operation: Option<&str>, at_ms: u64) {
        let late = self.total > 0 && at_ms < self.last_ms;
        let place = if late { self.recent.len().saturating_sub(1) } else { self.recent.len() };
        self.recent.insert(place, success);
        let beyond = self.recent.len().saturating_sub(RECENT_TASKS);
        self.recent.drain(..beyond);
        self.last_ms = self.last_ms.max(at_ms);
        self.total = self.total.saturating_add(1);
        self.succeeded = self.succeeded.saturating_add(u64::from(success));
        self.count_kind(success, area.unwrap_or_default(), operation.unwrap_or_default());
    }

    fn count_kind(&mut self, success: bool, area: &str, operation: &str) {
        let at = self.kinds.partition_point(|kind| (&*kind.area, &*kind.operation) < (area, operation));
        let known = self.kinds.get_mut(at).filter(|kind| kind.area == area && kind.operation == operation);
        let succeeded = u64::from(success);
        if let Some(kind) = known {
            kind.total = kind.total.saturating_add(1);
            kind.succeeded = kind.succeeded.saturating_add(succeeded);
        } else {
            let (area, operation) = (area.to_owned(), operation.to_owned());
            self.kinds.insert(at, Kind { area, operation, total: 1, succeeded });
        }
    }

    /// The counts of each area, over all its operations, ordered by area. Their operation is empty.
    pub fn areas(&self) -> Vec<Kind> {
        let mut areas: Vec<Kind> = Vec::new();
        for kind in &self.kinds {
            match areas.last_mut() {
                Some(last) if last.area == kind.area => {
                    last.total = last.total.saturating_add(kind.total);
                    last.succeeded = last.succeeded.saturating_add(kind.succeeded);
                }
                _ => areas.push(Kind { operation: String::new(), ..kind.clone() }),
            }
        }
        areas
    }

    /// The share of tasks of one area that succeeded; nothing where there were none.
    pub fn area_success_rate(&self, area: &str) -> Option<f64> {
        self.areas().iter().find(|kind| kind.area == area).and_then(Kind::success_rate)
    }
}

impl Kind {
    /// The share that succeeded; nothing where there were none.
    pub fn success_rate(&self) -> Option<f64> {
        standing::share(self.succeeded, self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replay(tasks: &[(bool, &str, &str, u64)]) -> History {
        let mut history = History::default();
        for (success, area, operation, at_ms) in tasks {
            let told = Some(*area).zip(Some(*operation)).filter(|(area, _)| !area.is_empty());
            history.record(*success, told.map(|told| told.0), told.map(|told| told.1), *at_ms);
        }
        history
    }

    #[test]
    fn counts_and_the_last_ten_follow_the_tasks() {
        let check = |tasks: &[(bool, &str, &str, u64)], recent: &str, counts: (u64, u64, u64)| {
            let history = replay(tasks);
            let shown: String = history.recent.iter().map(|good| if *good { '+' } else { '-' }).collect();
            assert_eq!(shown, recent, "{tasks:?}");
            assert_eq!((history.total, history.succeeded, history.last_ms), counts, "{tasks:?}");
        };
        check(&[], "", (0, 0, 0));
        check(&[(true, "", "", 5)], "+", (1, 1, 5));
        check(&[(true, "", "", 5), (false, "", "", 6)], "+-", (2, 1, 6));
        check(&[(true, "", "", 5), (false, "", "", 5)], "+-", (2, 1, 5));
        // One that comes late stands before the latest.
        check(&[(true, "", "", 5), (false, "", "", 4)], "-+", (2, 1, 5));
        let eleven: Vec<_> = (0..11).map(|at| (at != 0, "", "", at)).collect();
        check(&eleven, "++++++++++", (11, 10, 10));
        let ten: Vec<_> = (0..10).map(|at| (at != 0, "", "", at)).collect();
        check(&ten, "-+++++++++", (10, 9, 9));
    }

    #[test]
    fn kinds_are_ordered_and_areas_are_their_sums() {
        let history = replay(&[
            (true, "frontend", "creation", 1),
            (false, "backend", "debugging", 2),
            (true, "backend", "analysis", 3),
            (true, "backend", "debugging", 4),
            (true, "", "", 5),
        ]);
        let show = |kinds: &[Kind]| {
            kinds
                .iter()
                .map(|kind| format!("{}/{} {}/{}", kind.area, kind.operation, kind.succeeded, kind.total))
                .collect::<Vec<_>>()
                .join(", ")
        };
        assert_eq!(
            show(&history.kinds),
            "/ 1/1, backend/analysis 1/1, backend/debugging 1/2, frontend/creation 1/1"
        );
        assert_eq!(show(&history.areas()), "/ 1/1, backend/ 2/3, frontend/ 1/1");
        assert_eq!(history.area_success_rate("backend"), Some(2.0 / 3.0));
        assert_eq!(history.area_success_rate("docs"), None);
    }
}
