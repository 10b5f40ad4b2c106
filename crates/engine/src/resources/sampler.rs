//! Who measures while others decide? A thread that leaves its latest figures in one atomic word.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use sysinfo::{MINIMUM_CPU_UPDATE_INTERVAL, System};
use waypost_core::measure::Points;
use waypost_core::resources::{Resource, Resources};

use super::sample;
use crate::ports::Machine;

/// How long the thread rests between samples: memory that fills faster than in two seconds is beyond any advice, and a
/// sample costs less than a thousandth of that.
const REST: Duration = Duration::from_secs(2);

/// Bits of one figure: a million and one values, and one for what is not known.
const FIGURE_BITS: u32 = 21;
/// The figure of what is not known; no share in millionths is as large.
const UNKNOWN: u64 = (1 << FIGURE_BITS) - 1;

/// Measures the machine while it lives, every two seconds on a thread of its own. Reading the latest sample is one atomic
/// load; before the first, all is unknown.
#[derive(Debug)]
pub struct Sampler {
    latest: Arc<AtomicU64>,
    /// Dropping it tells the thread to end.
    _alive: SyncSender<()>,
}

impl Sampler {
    /// Starts to measure; the disk is the one this folder is on.
    pub fn start(folder: &Path) -> std::io::Result<Sampler> {
        let folder = folder.to_owned();
        Sampler::start_with(move |rest| measure(&folder, rest))
    }

    /// Starts to measure by a function that publishes samples until its rest is over.
    fn start_with(measure: impl FnOnce(&Rest) + Send + 'static) -> std::io::Result<Sampler> {
        let latest = Arc::new(AtomicU64::new(pack(&Resources::default())));
        // Nothing is ever sent; the channel is there to be closed.
        let (alive, over) = sync_channel(0);
        let rest = Rest { latest: Arc::clone(&latest), over };
        thread::Builder::new().name("waypost-resources".to_owned()).spawn(move || measure(&rest))?;
        Ok(Sampler { latest, _alive: alive })
    }
}

impl Machine for Sampler {
    fn resources(&self) -> Resources {
        unpack(self.latest.load(Ordering::Relaxed))
    }
}

/// The thread's end of the sampler: where samples go, and where it hears that nobody wants more.
struct Rest {
    latest: Arc<AtomicU64>,
    over: Receiver<()>,
}

/// Whether there is more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    /// Measure again.
    GoOn,
    /// The sampler is gone.
    End,
}

impl Rest {
    /// Publishes a sample and rests, unless the sampler is gone.
    fn publish(&self, sample: &Resources, rest: Duration) -> Then {
        self.latest.store(pack(sample), Ordering::Relaxed);
        match self.over.recv_timeout(rest) {
            Err(RecvTimeoutError::Timeout) => Then::GoOn,
            Ok(()) | Err(RecvTimeoutError::Disconnected) => Then::End,
        }
    }
}

/// Measures until nobody wants more. The first sample judges processors by their load, so that there is one at once; all
/// others by how busy they were since the last.
fn measure(folder: &Path, rest: &Rest) {
    let mut system = System::new();
    system.refresh_cpu_usage();
    let mut cpu = sample::load(&system);
    let mut pause = MINIMUM_CPU_UPDATE_INTERVAL;
    loop {
        let sample = Resources { memory: sample::memory(&mut system), cpu, disk: sample::disk(folder) };
        if rest.publish(&sample, pause) == Then::End {
            return;
        }
        pause = REST;
        system.refresh_cpu_usage();
        cpu = Some(f64::from(system.global_cpu_usage()) / 100.0).filter(|_| !system.cpus().is_empty());
    }
}

/// A sample in one word, so that no reader sees half of one: three figures in millionths.
fn pack(sample: &Resources) -> u64 {
    let figure = |resource| {
        let used = sample.used(resource).map(|used| (used.share() * 1e6).round());
        used.map_or(UNKNOWN, whole)
    };
    Resource::ALL.into_iter().fold(0, |word, resource| word << FIGURE_BITS | figure(resource))
}

fn unpack(word: u64) -> Resources {
    let figure = |place: u32| {
        let figure = word >> (place * FIGURE_BITS) & UNKNOWN;
        (figure != UNKNOWN).then(|| share(figure))
    };
    Resources { memory: figure(2), cpu: figure(1), disk: figure(0) }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a rounded share in millionths
fn whole(millionths: f64) -> u64 {
    millionths as u64
}

#[allow(clippy::cast_precision_loss)] // at most a million
fn share(millionths: u64) -> f64 {
    Points::from_share(millionths as f64 / 1e6).share()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::mpsc::channel;

    #[test]
    fn before_the_first_sample_all_is_unknown_and_after_it_is_known() {
        let (go, wait) = channel::<()>();
        let (published, heard) = channel();
        let known = Resources { memory: Some(0.61), cpu: None, disk: Some(1.0) };
        let sampler = Sampler::start_with(move |rest| {
            wait.recv().unwrap();
            assert_eq!(rest.publish(&known, Duration::ZERO), Then::GoOn);
            published.send(()).unwrap();
            assert_eq!(rest.publish(&known, Duration::MAX), Then::End);
            published.send(()).unwrap();
        })
        .unwrap();
        assert_eq!(sampler.resources(), Resources::default());
        go.send(()).unwrap();
        heard.recv().unwrap();
        assert_eq!(sampler.resources(), known);
        // The thread ends with its sampler, in the middle of its rest.
        drop(sampler);
        heard.recv().unwrap();
    }

    #[test]
    fn a_started_sampler_measures_this_machine() {
        let folder = tempfile::tempdir().unwrap();
        let sampler = Sampler::start(folder.path()).unwrap();
        while sampler.resources().memory.is_none() {
            thread::yield_now();
        }
        assert!((0.0..=1.0).contains(&sampler.resources().memory.unwrap()));
    }

    proptest! {
        #[test]
        fn a_word_keeps_a_sample_to_the_millionth(
            memory in proptest::option::of(0u64..=1_000_000),
            cpu in proptest::option::of(0u64..=1_000_000),
            disk in proptest::option::of(0u64..=1_000_000),
        ) {
            let sample =
                Resources { memory: memory.map(share), cpu: cpu.map(share), disk: disk.map(share) };
            prop_assert_eq!(unpack(pack(&sample)), sample);
        }
    }
}
