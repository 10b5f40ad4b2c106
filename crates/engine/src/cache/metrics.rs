//! How often is something found, where, and how fast?

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::Serialize;

/// Steps of time in each doubling: a percentile is told a quarter too high at most.
const STEPS_A_DOUBLING: usize = 4;
/// Doublings of a nanosecond that are told apart: four minutes; what takes longer counts as that.
const DOUBLINGS: usize = 38;
/// All the steps.
const STEPS: usize = STEPS_A_DOUBLING * DOUBLINGS;

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Process,
    Session,
    Store,
    Waited,
    Computed,
}

/// Times, counted in steps.
#[derive(Debug)]
struct Times([AtomicU64; STEPS]);

/// The times of everything that was asked for.
#[derive(Debug, Default)]
pub(super) struct Meters([Times; 5]);

/// How often something was found, where, and how fast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Metrics {
    /// How often something was asked for and had.
    pub lookups: u64,
    /// The share of it that a layer had.
    pub hit_rate: f64,
    /// What the layer in this process had.
    pub process: Figures,
    /// What the layer of the session had.
    pub session: Figures,
    /// What the store had.
    pub store: Figures,
    /// What somebody else was computing just then, and was waited for.
    pub waited: Figures,
    /// What had to be computed.
    pub computed: Figures,
}

/// How often, and how fast. The times are those of the whole question, layers asked in vain included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// How often.
    pub count: u64,
    /// Half of them took no longer, in microseconds.
    pub p50_us: f64,
    /// All but one in a hundred took no longer, in microseconds.
    pub p99_us: f64,
}

impl Meters {
    pub(super) fn count(&self, from: From, took: Duration) {
        if let Some(times) = self.0.get(from as usize) {
            times.count(took);
        }
    }

    pub(super) fn read(&self) -> Metrics {
        let of = |from: From| self.0.get(from as usize).map(Times::figures).unwrap_or_default();
        let (process, session, store) = (of(From::Process), of(From::Session), of(From::Store));
        let (waited, computed) = (of(From::Waited), of(From::Computed));
        let hits = process.count + session.count + store.count;
        let lookups = hits + waited.count + computed.count;
        Metrics { lookups, hit_rate: share(hits, lookups), process, session, store, waited, computed }
    }
}

impl Times {
    fn count(&self, took: Duration) {
        let step = step_of(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX));
        if let Some(counted) = self.0.get(step) {
            counted.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn figures(&self) -> Figures {
        let counts: Vec<u64> = self.0.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        let count: u64 = counts.iter().sum();
        let percentile = |percent: u64| {
            let wanted = (count * percent).div_ceil(100).max(1);
            let mut seen = 0;
            let step = counts.iter().position(|count| {
                seen += count;
                seen >= wanted
            });
            step.map(most_us).unwrap_or_default()
        };
        Figures { count, p50_us: percentile(50), p99_us: percentile(99) }
    }
}

impl Default for Times {
    fn default() -> Times {
        Times(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

/// The step a time falls into.
fn step_of(ns: u64) -> usize {
    let ns = ns.max(STEPS_A_DOUBLING as u64);
    // The two bits behind the first say which quarter of the doubling it is.
    let doubling = ns.ilog2() as usize - 2;
    let quarter = usize::try_from(ns >> doubling).unwrap_or_default() - STEPS_A_DOUBLING;
    (doubling * STEPS_A_DOUBLING + quarter).min(STEPS - 1)
}

/// The longest time of a step, in microseconds.
#[allow(clippy::cast_precision_loss)] // steps end far below 2^52 nanoseconds
fn most_us(step: usize) -> f64 {
    let (doubling, quarter) = (step / STEPS_A_DOUBLING, step % STEPS_A_DOUBLING);
    (((STEPS_A_DOUBLING + quarter + 1) as u64) << doubling) as f64 / 1000.0
}

#[allow(clippy::cast_precision_loss)] // counts of questions are far below 2^52
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_hold_their_times() {
        for ns in [0, 1, 4, 5, 7, 8, 9, 15, 16, 1_000, 123_456, 1_000_000, 10_000_000_000] {
            let most_ns = most_us(step_of(ns)) * 1000.0;
            #[allow(clippy::cast_precision_loss)]
            let ns = ns as f64;
            assert!(most_ns > ns && (most_ns <= ns * 1.25 || ns < 8.0), "{ns}: {most_ns}");
        }
        assert_eq!(step_of(u64::MAX), STEPS - 1);
        assert!((0..u64::from(u16::MAX)).is_sorted_by_key(step_of));
    }

    #[test]
    fn figures_say_how_often_and_how_fast() {
        let meters = Meters::default();
        assert_eq!(meters.read(), Metrics::default());
        for n in 1..=200 {
            meters.count(From::Process, Duration::from_micros(if n <= 196 { 1 } else { 1000 }));
        }
        meters.count(From::Computed, Duration::from_secs(3600));
        let read = meters.read();
        assert_eq!(
            (read.lookups, read.process.count, read.computed.count, read.session.count),
            (201, 200, 1, 0)
        );
        assert!((read.process.p50_us - 1.024).abs() < 1e-9, "{read:?}");
        assert!((read.process.p99_us - 1048.576).abs() < 1e-9, "{read:?}");
        assert!((read.hit_rate - 200.0 / 201.0).abs() < 1e-9);
    }
}
