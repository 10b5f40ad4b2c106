//! How far is a user trusted? Reputation and success rates, by the formula in docs/history.md.

use serde::{Deserialize, Serialize};

use super::{History, Kind, RECENT_TASKS};
use crate::measure::Points;

/// What the success of recent tasks weighs in a reputation, in tenths: more than twice what all weigh, since how somebody
/// works now says more about the next task than how they began.
const RECENT_TENTHS: u64 = 7;
/// What the success of all tasks weighs: the rest, which keeps one bad week from undoing a year.
const OVERALL_TENTHS: u64 = 3;
/// The reputation of somebody without tasks: neither trusted nor distrusted.
pub const UNKNOWN_REPUTATION: f64 = 0.5;
/// What is left of a reputation after each idle time.
pub const IDLE_DECAY: f64 = 0.95;
/// The idle time, in milliseconds: thirty days, each of which must be whole.
pub const IDLE_MS: u64 = 30 * 24 * 60 * 60 * 1000;
/// Fewest tasks of the same area and operation that a success rate is known by: one or two successes are luck, and the rate
/// lowers the threshold.
pub const SIMILAR_TASKS_MIN: u64 = 3;
/// Most idle times counted: after so many (eighty years) a reputation is nothing in whole millionths anyway.
const IDLE_TIMES_MAX: u64 = 1000;

/// What a history says about a user now; the `user` of `waypost threshold`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// How far the user is trusted, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reputation_score: Option<f64>,
    /// The share of the last tasks that succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recent_success_rate: Option<f64>,
    /// How many tasks were completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_tasks_completed: Option<u64>,
    /// How many of the last tasks failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recent_error_count: Option<u64>,
    /// The share of tasks of the same area and operation that succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similar_task_success_rate: Option<f64>,
}

impl History {
    /// What the history says about its user at a time, faced with a task of an area and operation.
    ///
    /// Similar tasks are those of the same area and the same operation; where one of the two is not known, none is.
    /// A share of no tasks is not known, and that of similar tasks is known from three on. Idle time takes from the reputation alone: shares are what they were.
    pub fn standing(&self, area: Option<&str>, operation: Option<&str>, now_ms: u64) -> Standing {
        let recent = self.recent.get(self.recent.len().saturating_sub(RECENT_TASKS)..).unwrap_or_default();
        let good = count(recent.iter().filter(|success| **success));
        let (tasks, similar) = (count(recent), area.zip(operation));
        let of_kind = |(area, operation): (&str, &str)| {
            let of_kind = |kind: &&Kind| kind.area == area && kind.operation == operation;
            self.kinds.iter().find(of_kind).filter(|kind| kind.total >= SIMILAR_TASKS_MIN)?.success_rate()
        };
        Standing {
            reputation_score: Some(self.reputation(good, tasks, now_ms)),
            recent_success_rate: share(good, tasks),
            total_tasks_completed: Some(self.total),
            recent_error_count: Some(tasks - good),
            similar_task_success_rate: similar.and_then(of_kind),
        }
    }

    /// Seven tenths of the recent success and three of all, less what idle time took. It decays towards nothing, not
    /// towards the unknown: who fails and stays away is trusted no more for it.
    fn reputation(&self, good: u64, tasks: u64, now_ms: u64) -> f64 {
        if self.total == 0 {
            return UNKNOWN_REPUTATION;
        }
        // A history that somebody wrote by hand may have no recent tasks; all of them then stand for those.
        let (good, tasks) = if tasks == 0 { (self.succeeded, self.total) } else { (good, tasks) };
        // One division of whole numbers: 8 of 10 and 80 of 100 are 0.8 to the bit, and reach a bound of 0.8.
        let product = |factors: [u64; 3]| {
            factors.iter().fold(1u128, |product, factor| product.saturating_mul(u128::from(*factor)))
        };
        let recent = product([RECENT_TENTHS, good, self.total]);
        let overall = product([OVERALL_TENTHS, self.succeeded.min(self.total), tasks]);
        let whole = product([RECENT_TENTHS + OVERALL_TENTHS, tasks, self.total]);
        let parts = recent.saturating_add(overall).min(whole);
        decay(ratio(parts, whole), now_ms.saturating_sub(self.last_ms))
    }
}

/// What idle time leaves of a reputation, in whole millionths. What lies ahead of now was not idle.
fn decay(reputation: f64, idle_ms: u64) -> f64 {
    let times = (idle_ms / IDLE_MS).min(IDLE_TIMES_MAX);
    if times == 0 {
        return reputation;
    }
    // Multiplied one by one: powers differ in their last bit from one processor to the next.
    let left = (0..times).fold(reputation, |left, _| left * IDLE_DECAY);
    Points::from_share(left).share()
}

/// A share of a whole; nothing where there is no whole.
pub(super) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| ratio(u128::from(part.min(whole)), u128::from(whole)))
}

#[allow(clippy::cast_precision_loss)] // counts of tasks stay far below 2^53; beyond it the last bit is nobody's concern
fn ratio(part: u128, whole: u128) -> f64 {
    part as f64 / whole as f64
}

fn count<T>(items: impl IntoIterator<Item = T>) -> u64 {
    items.into_iter().map(|_| 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A history whose recent tasks are `+` and `-`.
    fn history(recent: &str, succeeded: u64, total: u64) -> History {
        let recent = recent.chars().map(|mark| mark == '+').collect();
        History { recent, total, succeeded, last_ms: 1_000, kinds: Vec::new() }
    }

    #[test]
    fn a_reputation_is_seven_parts_recent_and_three_parts_overall() {
        let check = |recent: &str, succeeded: u64, total: u64, expected: f64| {
            let standing = history(recent, succeeded, total).standing(None, None, 1_000);
            assert_eq!(standing.reputation_score, Some(expected), "{recent} {succeeded}/{total}");
        };
        check("", 0, 0, 0.5);
        check("+", 1, 1, 1.0);
        check("-", 0, 1, 0.0);
        check("+-", 1, 2, 0.5);
        check("++++++++--", 8, 10, 0.8);
        check("++++++++--", 80, 100, 0.8);
        check("++++++++--", 79, 100, 0.797);
        check("++++++++--", 81, 100, 0.803);
        check("+++++++++-", 17, 20, 0.885);
        check("+++-------", 3, 10, 0.3);
        check("+++-------", 30, 100, 0.3);
        check("+++-------", 29, 100, 0.297);
        check("----------", 90, 100, 0.27);
        check("++++++++++", 10, 100, 0.73);
        // What does not add up is held within its bounds.
        check("++++++++++", 200, 100, 1.0);
        check("-++++++++++", 10, 11, (7.0 * 110.0 + 3.0 * 100.0) / 1100.0);
        check("", 3, 4, 0.75);
    }

    #[test]
    fn a_reputation_decays_for_every_thirty_whole_idle_days() {
        let check = |idle_ms: u64, recent: &str, expected: f64| {
            let count = recent.len() as u64;
            let good = recent.matches('+').count() as u64;
            let standing = history(recent, good, count).standing(None, None, 1_000 + idle_ms);
            assert_eq!(standing.reputation_score, Some(expected), "{idle_ms} {recent}");
        };
        check(0, "++++", 1.0);
        check(IDLE_MS - 1, "++++", 1.0);
        check(IDLE_MS, "++++", 0.95);
        check(2 * IDLE_MS - 1, "++++", 0.95);
        check(2 * IDLE_MS, "++++", 0.9025);
        check(12 * IDLE_MS, "++++", 0.54036);
        check(IDLE_MS, "++--", 0.475);
        check(IDLE_MS, "----", 0.0);
        check(u64::MAX - 1_000, "++++", 0.0);
        // Nobody without tasks was ever idle.
        check(IDLE_MS, "", 0.5);
        // Shares do not decay, and a last task that lies ahead is no idle time.
        let standing = history("+-", 1, 2).standing(None, None, 1_000 + 3 * IDLE_MS);
        assert_eq!((standing.recent_success_rate, standing.recent_error_count), (Some(0.5), Some(1)));
        assert_eq!(history("+", 1, 1).standing(None, None, 0).reputation_score, Some(1.0));
    }

    #[test]
    fn the_recent_ten_are_counted_alone() {
        let check = |recent: &str, rate: Option<f64>, errors: u64| {
            let standing = history(recent, 5, 100).standing(None, None, 1_000);
            assert_eq!(
                (standing.recent_success_rate, standing.recent_error_count),
                (rate, Some(errors)),
                "{recent}"
            );
            assert_eq!(standing.total_tasks_completed, Some(100));
        };
        check("", None, 0);
        check("-", Some(0.0), 1);
        check("+", Some(1.0), 0);
        check("+++++++---", Some(0.7), 3);
        check("++++++++--", Some(0.8), 2);
        check("---++++++++++", Some(1.0), 0);
    }

    #[test]
    fn similar_is_the_same_area_and_operation() {
        let kind = |area: &str, operation: &str, succeeded, total| Kind {
            area: area.to_owned(),
            operation: operation.to_owned(),
            total,
            succeeded,
        };
        let kinds = vec![
            kind("", "", 1, 1),
            kind("backend", "", 0, 1),
            kind("backend", "debugging", 3, 4),
            kind("frontend", "debugging", 0, 3),
            kind("frontend", "analysis", 2, 2),
        ];
        let history = History { kinds, ..history("+", 1, 1) };
        let check = |area: Option<&str>, operation: Option<&str>, expected: Option<f64>| {
            let standing = history.standing(area, operation, 1_000);
            assert_eq!(standing.similar_task_success_rate, expected, "{area:?} {operation:?}");
        };
        check(Some("backend"), Some("debugging"), Some(0.75));
        check(Some("frontend"), Some("debugging"), Some(0.0));
        check(Some("frontend"), Some("creation"), None);
        check(Some("frontend"), Some("analysis"), None);
        check(Some("backend"), None, None);
        check(None, Some("debugging"), None);
        check(None, None, None);
    }
}
