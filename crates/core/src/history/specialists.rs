//! How often does a specialist fail in an area, and with which kind of error?

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::measure::Points;

/// Fewest tasks of a specialist in an area that its failure rate is known by: as many as the design asks of a user's success rate.
pub const SPECIALIST_TASKS_MIN: u64 = 3;

/// The kind of an error of which nothing is known.
pub const ERROR_UNKNOWN: &str = "unknown";

/// Words of error messages and the kinds they stand for. The first that occurs counts, so the specific come first.
const ERROR_WORDS: [(&str, &str); 22] = [
    ("out of memory", "resources"),
    ("no space", "resources"),
    ("quota", "resources"),
    ("rate limit", "resources"),
    ("too many requests", "resources"),
    ("timed out", "timeout"),
    ("timeout", "timeout"),
    ("deadline", "timeout"),
    ("permission", "permission"),
    ("forbidden", "permission"),
    ("unauthorized", "permission"),
    ("denied", "permission"),
    ("not found", "not_found"),
    ("no such", "not_found"),
    ("connection", "network"),
    ("unreachable", "network"),
    ("network", "network"),
    ("conflict", "conflict"),
    ("assert", "test"),
    ("test", "test"),
    ("build", "build"),
    ("compil", "build"),
];

/// The kind of an error, by its message.
pub fn error_kind(message: &str) -> &'static str {
    let message = message.to_lowercase();
    ERROR_WORDS.iter().find(|(words, _)| message.contains(words)).map_or("other", |(_, kind)| kind)
}

/// How the tasks of a specialist in an area ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecialistRecord {
    /// The specialist.
    pub specialist: String,
    /// The area; empty if unknown.
    pub area: String,
    /// How many tasks were completed.
    pub total: u64,
    /// How many of them failed.
    pub failed: u64,
    /// The same by kind of error.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, u64>,
}

impl SpecialistRecord {
    /// The share of tasks that failed; unknown for fewer than [`SPECIALIST_TASKS_MIN`] tasks.
    pub fn failure_rate(&self) -> Option<f64> {
        (self.total >= SPECIALIST_TASKS_MIN)
            .then(|| super::standing::share(self.failed, self.total))
            .flatten()
    }

    /// The failure rate of a specialist in an area, among records of both.
    pub fn failed_in(records: &[SpecialistRecord], specialist: &str, area: &str) -> Option<Points> {
        let own = records.iter().find(|record| record.specialist == specialist && record.area == area)?;
        own.failure_rate().map(Points::from_share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_a_kind_by_their_words() {
        let check = |message: &str, kind: &str| assert_eq!(error_kind(message), kind, "{message}");
        check("the request Timed Out after 30 s", "timeout");
        check("EACCES: permission denied, open '/etc/hosts'", "permission");
        check("no space left on device", "resources");
        check("3 tests failed", "test");
        check("the build broke", "build");
        check("it went wrong", "other");
    }

    #[test]
    fn a_rate_needs_three_tasks() {
        let record = |total, failed| SpecialistRecord { total, failed, ..SpecialistRecord::default() };
        assert_eq!(record(2, 2).failure_rate(), None);
        assert_eq!(record(3, 0).failure_rate(), Some(0.0));
        assert_eq!(record(4, 1).failure_rate(), Some(0.25));
    }
}
