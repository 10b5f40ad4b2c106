//! How long may a decision take, and which tiers no longer fit into that?

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::encode::Encoder;
use crate::ports::Clock;
use waypost_core::signals;

/// A part of deciding that takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    /// A head on the vectors of the built-in encoder.
    Head,
    /// A head on those of its layers.
    DeepHead,
    /// A head on the vectors of a sentence transformer in this process.
    Transformer,
    /// A head on vectors that another machine makes.
    Endpoint,
    /// The model that was trained on many catalogs.
    FullModel,
    /// The search for tools.
    Tools,
    /// The search for passages.
    Passages,
}

/// How many tiers there are.
const TIERS: usize = 7;
/// A new measurement counts one in so many, the constants being the first. A tier that is skipped comes back towards its constant by as much, so that
/// one that was slow for a while is tried again.
const MEASURED_PART: u64 = 8;

impl Tier {
    /// The tier of a head, by the encoder that it reads.
    pub(crate) fn of(encoder: &dyn Encoder) -> Tier {
        match (encoder.tier(), encoder.is_local(), encoder.is_costly()) {
            (_, false, _) => Tier::Endpoint,
            (signals::Tier::Transformer, true, _) => Tier::Transformer,
            (signals::Tier::BuiltIn, true, true) => Tier::DeepHead,
            (signals::Tier::BuiltIn, true, false) => Tier::Head,
        }
    }

    /// What notes and traces call it.
    const fn name(self) -> &'static str {
        match self {
            Tier::Head => "learned",
            Tier::DeepHead => "learned_deep",
            Tier::Transformer => "transformer",
            Tier::Endpoint => "endpoint",
            Tier::FullModel => "full_model",
            Tier::Tools => "tools",
            Tier::Passages => "passages",
        }
    }

    /// How long it is expected to take before it was measured in this process, in microseconds. Rather too long than too short: these are 99th
    /// percentiles on two cores (docs/performance.md), and a machine may be slower.
    const fn expected_us(self) -> u64 {
        match self {
            // 20 µs in the middle.
            Tier::Head => 1_000,
            // A third of a millisecond for its layers.
            Tier::DeepHead => 2_000,
            // Two milliseconds in the middle, and 9.9 at the 99th percentile.
            Tier::FullModel => 10_000,
            // Five milliseconds for 500 tools in the middle.
            Tier::Tools => 20_000,
            // Two hops over a large index.
            Tier::Passages => 30_000,
            // A small model reads 128 pieces of a word in so long.
            Tier::Transformer => 60_000,
            // Another machine, a way there and back, and a queue.
            Tier::Endpoint => 300_000,
        }
    }
}

/// How long tiers took so far in this process.
pub(crate) struct Pace([AtomicU64; TIERS]);

impl Default for Pace {
    fn default() -> Pace {
        use Tier::{DeepHead, Endpoint, FullModel, Head, Passages, Tools, Transformer};
        let tiers = [Head, DeepHead, Transformer, Endpoint, FullModel, Tools, Passages];
        Pace(tiers.map(|tier| AtomicU64::new(tier.expected_us())))
    }
}

impl Pace {
    fn of(&self, tier: Tier) -> Option<&AtomicU64> {
        self.0.get(tier as usize)
    }

    fn expected_us(&self, tier: Tier) -> u64 {
        self.of(tier).map_or(0, |expected| expected.load(Ordering::Relaxed))
    }

    fn took(&self, tier: Tier, took_us: u64) {
        let Some(expected) = self.of(tier) else { return };
        let before = expected.load(Ordering::Relaxed);
        // Two threads at once may lose one measurement.
        let after = (before * (MEASURED_PART - 1)).saturating_add(took_us) / MEASURED_PART;
        expected.store(after, Ordering::Relaxed);
    }

    /// A tier that is not asked is not measured either, so what made it slow may be over.
    fn skipped(&self, tier: Tier) {
        if let Some(expected) = self.of(tier) {
            let before = expected.load(Ordering::Relaxed);
            let above = before.saturating_sub(tier.expected_us());
            expected.store(before - above.div_ceil(MEASURED_PART), Ordering::Relaxed);
        }
    }
}

/// The time of one decision.
pub(crate) struct Budget<'b> {
    rule: Rule<'b>,
    skipped: RefCell<Vec<&'static str>>,
    notes: RefCell<Vec<String>>,
}

/// By what tiers are skipped.
enum Rule<'b> {
    /// By the clock.
    Timed { clock: &'b dyn Clock, pace: &'b Pace, started_ms: u64, limit_ms: u64, apart_ms: Cell<u64> },
    /// As a recorded decision skipped them.
    Recorded(Vec<String>),
    /// None is.
    Unlimited,
}

impl<'b> Budget<'b> {
    /// A budget that begins now.
    pub(crate) fn begin(clock: &'b dyn Clock, pace: &'b Pace, limit_ms: u64) -> Budget<'b> {
        let (started_ms, apart_ms) = (clock.now_ms(), Cell::new(0));
        Budget::by(Rule::Timed { clock, pace, started_ms, limit_ms, apart_ms })
    }

    /// The same tiers are skipped as then.
    pub(crate) fn recorded(skipped: &[String]) -> Budget<'b> {
        Budget::by(Rule::Recorded(skipped.to_vec()))
    }

    /// Nothing is skipped.
    pub(crate) fn unlimited() -> Budget<'b> {
        Budget::by(Rule::Unlimited)
    }

    fn by(rule: Rule<'b>) -> Budget<'b> {
        Budget { rule, skipped: RefCell::default(), notes: RefCell::default() }
    }

    /// Whether a tier may be asked. One that may not is named in [`Budget::skipped`].
    pub(crate) fn allows(&self, tier: Tier) -> bool {
        let name = tier.name();
        let allowed = match &self.rule {
            Rule::Unlimited => true,
            Rule::Recorded(skipped) => !skipped.iter().any(|skipped| skipped == name),
            Rule::Timed { clock, pace, started_ms, limit_ms, apart_ms } => {
                let spent_ms = clock.now_ms().saturating_sub(*started_ms).saturating_sub(apart_ms.get());
                let (left_ms, expected_us) = (limit_ms.saturating_sub(spent_ms), pace.expected_us(tier));
                let allowed = expected_us <= left_ms.saturating_mul(1_000);
                if !allowed {
                    pace.skipped(tier);
                    let expected_ms = expected_us.div_ceil(1_000);
                    self.notes.borrow_mut().push(format!(
                        "{name} was skipped: it takes about {expected_ms} ms, and {left_ms} of {limit_ms} ms (limits.latency_ms) are left"
                    ));
                }
                allowed
            }
        };
        if !allowed && !self.skipped.borrow().contains(&name) {
            self.skipped.borrow_mut().push(name);
        }
        allowed
    }

    /// Does what a tier does, and remembers how long it took.
    pub(crate) fn timed<T>(&self, tier: Tier, work: impl FnOnce() -> T) -> T {
        let Rule::Timed { clock, pace, .. } = &self.rule else { return work() };
        let before_ms = clock.now_ms();
        let done = work();
        pace.took(tier, clock.now_ms().saturating_sub(before_ms).saturating_mul(1_000));
        done
    }

    /// Does what is done once and no part of a decision's time, such as learning.
    pub(crate) fn apart<T>(&self, work: impl FnOnce() -> T) -> T {
        let Rule::Timed { clock, apart_ms, .. } = &self.rule else { return work() };
        let before_ms = clock.now_ms();
        let done = work();
        apart_ms.set(apart_ms.get().saturating_add(clock.now_ms().saturating_sub(before_ms)));
        done
    }

    /// The names of the tiers that were skipped, in the order they would have been asked.
    pub(crate) fn skipped(&self) -> Vec<String> {
        self.skipped.borrow().iter().map(|name| (*name).to_owned()).collect()
    }

    /// Why tiers were skipped; what was said is not said again.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        self.notes.take()
    }
}
