//! `waypost bench cache`: how often is what was asked before found, and how fast?

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Context;
use serde::Serialize;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::eval;
use waypost::ports::Clock;
use waypost::ports::cache::{Caches, Figures, Metrics, ShelfFile};
use waypost::{Answer, Message, Router};

use super::definitions::BenchCacheFlags;
use super::output::Output;
use super::{Ending, bench, input, progress};

/// Decisions of the stream: each message of a catalog comes often enough for the hit rate to be steady.
const DECISIONS: usize = 10_000;
/// Hours the stream takes by its own clock: long enough for the layers of one and two hours to expire.
const HOURS: u64 = 6;
/// Conversations the messages belong to.
const SESSIONS: u64 = 20;
/// Most different messages of the stream, so that in the mean each comes four times; a catalog taught by thousands of labelled messages would otherwise
/// give a stream of messages that hardly repeat.
const MESSAGES_MAX: usize = 2_500;
/// Where the random numbers of the stream begin; any number does, as long as it stays.
const SEED: u64 = 20_261_115;
/// Ways the catalog's own messages are said. Word for word they would be known by rule, and no tier would be asked.
const REWORDED: &[(&str, &str)] = &[("please ", ""), ("", ", thanks"), ("hello, ", "")];

/// What was measured.
#[derive(Debug, Serialize)]
struct Measured {
    version: u32,
    catalog: String,
    routes: usize,
    /// Different messages, and decisions over them.
    messages: usize,
    decisions: usize,
    sessions: u64,
    hours: u64,
    /// What costly tiers were asked, by where the answer was found.
    asked: Metrics,
    /// Whole decisions.
    without_cache: Times,
    with_cache: Times,
    /// Decisions that were not the same with the cache as without; must be none.
    differing: usize,
}

/// How long decisions took, in microseconds.
#[derive(Debug, Serialize)]
#[allow(clippy::struct_field_names)] // figures in JSON carry their unit
struct Times {
    mean_us: f64,
    p50_us: f64,
    p90_us: f64,
    p99_us: f64,
}

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &BenchCacheFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let router = input::ready(catalog)?;
    output.remarks(router.notes());
    let messages = bench::messages(asked.messages.as_deref(), || reworded(&router))?;
    let folder = Folder::make()?;
    let measured = measure(router, &messages, &folder.0.join("cache.db"))?;
    if asked.json {
        output.json(&measured)?
    } else {
        output.text(&as_text(&measured))?
    }
    Ok(if measured.differing == 0 { Ending::Good } else { Ending::SomeBad })
}

/// The catalog's messages as somebody else would say them, in an order that has nothing to do with their routes.
fn reworded(router: &Router) -> Vec<Message> {
    let messages = eval::messages_of(router.catalog());
    let said = messages.iter().flat_map(|message| {
        REWORDED.iter().map(|(before, after)| Message::from(format!("{before}{}{after}", message.text)))
    });
    let mut random = Random(SEED);
    let mut said: Vec<(u64, Message)> = said.map(|message| (random.next(), message)).collect();
    said.sort_by_key(|(place, _)| *place);
    said.into_iter().map(|(_, message)| message).take(MESSAGES_MAX).collect()
}

fn measure(router: Router, messages: &[Message], file: &Path) -> anyhow::Result<Measured> {
    let stream = stream(messages);
    let clock = Stepped::default();
    let caches = Caches::in_process().with_shelf(ShelfFile::open(file)?).with_clock(clock.clone());
    let caches = Arc::new(caches);
    let (without, plain) = decide(&router, &stream, &clock, "deciding without the cache")?;
    let router = router.with_caches(Arc::clone(&caches));
    let (with, cached) = decide(&router, &stream, &clock, "deciding with it")?;
    Ok(Measured {
        version: CONTRACT_VERSION,
        catalog: router.catalog().name().to_owned(),
        routes: router.catalog().routes().len(),
        messages: messages.len(),
        decisions: stream.len(),
        sessions: SESSIONS,
        hours: HOURS,
        asked: caches.metrics(),
        without_cache: without,
        with_cache: with,
        differing: plain.iter().zip(&cached).filter(|(plain, cached)| plain != cached).count(),
    })
}

/// Messages as they come in traffic: the second comes half as often as the first, the third a third as often, and so on.
fn stream(messages: &[Message]) -> Vec<Message> {
    let mut reached = 0.0;
    let rank = |place: u32| {
        reached += 1.0 / f64::from(place);
        reached
    };
    let ranks: Vec<f64> = (1..).take(messages.len()).map(rank).collect();
    let all = ranks.last().copied().unwrap_or_default();
    let mut random = Random(SEED);
    let draw = |_| {
        let wanted = random.share() * all;
        let message = messages.get(ranks.partition_point(|reached| *reached <= wanted))?;
        let session_id = Some(format!("session {}", random.next() % SESSIONS));
        Some(Message { session_id, ..message.clone() })
    };
    (0..DECISIONS).filter_map(draw).collect()
}

/// Decides the stream, and tells how long that took and what was decided.
fn decide(
    router: &Router,
    stream: &[Message],
    clock: &Stepped,
    doing: &'static str,
) -> anyhow::Result<(Times, Vec<Decided>)> {
    let bar = progress::bar(Some(stream.len() as u64), doing);
    let step_ms = HOURS * 3_600_000 / DECISIONS as u64;
    let (mut times, mut answers) = (Vec::with_capacity(stream.len()), Vec::with_capacity(stream.len()));
    for (message, turn) in stream.iter().zip(1..) {
        clock.0.store(turn * step_ms, Ordering::Relaxed);
        let started = Instant::now();
        let answer = router.climb(message)?;
        times.push(started.elapsed().as_secs_f64() * 1e6);
        answers.push(decided(answer));
        bar.set_position(turn);
    }
    bar.finish_and_clear();
    Ok((Times::of(times), answers))
}

/// A decision, without what is different each time.
type Decided = String;

fn decided(answer: Answer) -> Decided {
    let plain = Answer { id: String::new(), elapsed_us: 0.0, ..answer };
    serde_json::to_string(&plain).unwrap_or_default()
}

impl Times {
    fn of(mut times: Vec<f64>) -> Times {
        times.sort_by(f64::total_cmp);
        let percentile = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
        #[allow(clippy::cast_precision_loss)] // counts of decisions are far below 2^52
        let mean_us = times.iter().sum::<f64>() / times.len().max(1) as f64;
        Times { mean_us, p50_us: percentile(50), p90_us: percentile(90), p99_us: percentile(99) }
    }
}

fn as_text(measured: &Measured) -> String {
    let Measured { routes, messages, decisions, sessions, hours, asked, differing, .. } = measured;
    let rate = asked.hit_rate * 100.0;
    let layer = |figures: &Figures| {
        let Figures { count, p50_us, p99_us } = figures;
        format!("{count:>7}   p50 / p99 {p50_us:.1} / {p99_us:.1} µs")
    };
    let times = |times: &Times| {
        let Times { mean_us, p50_us, p90_us, p99_us } = times;
        format!("mean {mean_us:.1}, p50 / p90 / p99 {p50_us:.1} / {p90_us:.1} / {p99_us:.1} µs")
    };
    let rows = [
        ("catalog", format!("{}, {routes} routes", measured.catalog)),
        ("decisions", format!("{decisions} of {messages} messages, {sessions} sessions, {hours} hours")),
        ("costly tiers were asked", format!("{} times; {rate:.1} % were found", asked.lookups)),
        ("  found in the process", layer(&asked.process)),
        ("  in the session", layer(&asked.session)),
        ("  in the store", layer(&asked.store)),
        ("  computed", layer(&asked.computed)),
        ("decisions without cache", times(&measured.without_cache)),
        ("decisions with it", times(&measured.with_cache)),
        ("decided otherwise", differing.to_string()),
    ];
    rows.iter().map(|(label, value)| format!("  {label:<24} {value}\n")).collect()
}

/// A clock that the stream steps on.
#[derive(Clone, Default)]
struct Stepped(Arc<AtomicU64>);

impl Clock for Stepped {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Random numbers that are the same each time (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to below 1.
    fn share(&mut self) -> f64 {
        let upper = u32::try_from(self.next() >> 32).unwrap_or_default();
        f64::from(upper) / (f64::from(u32::MAX) + 1.0)
    }
}

/// A folder for the store that is measured, so that the user's own is neither read nor written.
struct Folder(PathBuf);

impl Folder {
    fn make() -> anyhow::Result<Folder> {
        let folder = std::env::temp_dir().join(format!("waypost-bench-{}", std::process::id()));
        std::fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Folder(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
