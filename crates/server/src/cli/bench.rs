//! `waypost bench`: how fast, and in how much memory?

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use serde::Serialize;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::eval;
use waypost::{Message, Router};

use super::definitions::BenchFlags;
use super::output::Output;
use super::rows::read;
use super::{Ending, input, progress};

/// Decisions before the clock counts: caches fill, pages are read.
const WARM_UP: usize = 200;
/// Most decisions kept to take percentiles of: a minute of the quickest.
const DECISIONS_MAX: usize = 10_000_000;

/// What was measured.
#[derive(Debug, Serialize)]
struct Measured {
    version: u32,
    catalog: String,
    routes: usize,
    messages: usize,
    /// Decisions measured, one after the other on one thread.
    decisions: usize,
    /// From the name of the catalog to a router that can decide, learning or reading what was learned included.
    ready_ms: f64,
    p50_us: f64,
    p90_us: f64,
    p99_us: f64,
    worst_us: f64,
    per_second: f64,
    /// Memory of the process now and at most, where the system tells.
    memory_mib: Option<f64>,
    memory_most_mib: Option<f64>,
}

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &BenchFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let started = Instant::now();
    let router = input::ready(catalog)?;
    let ready_ms = started.elapsed().as_secs_f64() * 1000.0;
    output.remarks(router.notes());
    let messages = messages(asked.messages.as_deref(), || eval::messages_of(router.catalog()))?;
    let measured = measure(&router, &messages, Duration::from_secs(asked.seconds), ready_ms)?;
    if asked.json {
        output.json(&measured)?
    } else {
        output.text(&as_text(&measured))?
    }
    Ok(Ending::Good)
}

/// The messages of a file, else those of the catalog.
pub(super) fn messages(
    file: Option<&Path>,
    of_catalog: impl FnOnce() -> Vec<Message>,
) -> anyhow::Result<Vec<Message>> {
    let messages = match file {
        Some(file) => read(file, |line| serde_json::from_str(line))?,
        None => of_catalog(),
    };
    match (messages.is_empty(), file) {
        (false, _) => Ok(messages),
        (true, Some(file)) => bail!("there is no message in {}", file.display()),
        (true, None) => bail!("the catalog has no messages of its own; give rows with --messages FILE"),
    }
}

fn measure(router: &Router, messages: &[Message], time: Duration, ready_ms: f64) -> anyhow::Result<Measured> {
    for message in messages.iter().cycle().take(WARM_UP) {
        router.route(message)?;
    }
    let bar = progress::bar(Some(time.as_millis().try_into().unwrap_or(u64::MAX)), "deciding");
    let (started, mut times) = (Instant::now(), Vec::new());
    // At least once round, so that short measurements see every message.
    for message in messages.iter().cycle() {
        let done = times.len() >= messages.len() && started.elapsed() >= time;
        if done || times.len() >= DECISIONS_MAX {
            break;
        }
        let asked = Instant::now();
        std::hint::black_box(router.route(message)?);
        times.push(asked.elapsed().as_secs_f64() * 1e6);
        bar.set_position(started.elapsed().as_millis().try_into().unwrap_or(u64::MAX));
    }
    bar.finish_and_clear();
    let all: f64 = times.iter().sum();
    times.sort_by(f64::total_cmp);
    let percentile = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    #[allow(clippy::cast_precision_loss)] // counts of decisions are far below 2^52
    let per_second = times.len() as f64 / (all / 1e6).max(f64::MIN_POSITIVE);
    Ok(Measured {
        version: CONTRACT_VERSION,
        catalog: router.catalog().name().to_owned(),
        routes: router.catalog().routes().len(),
        messages: messages.len(),
        decisions: times.len(),
        ready_ms,
        p50_us: percentile(50),
        p90_us: percentile(90),
        p99_us: percentile(99),
        worst_us: times.last().copied().unwrap_or_default(),
        per_second,
        memory_mib: memory("VmRSS:"),
        memory_most_mib: memory("VmHWM:"),
    })
}

fn as_text(measured: &Measured) -> String {
    let Measured {
        routes, messages, decisions, ready_ms, p50_us, p90_us, p99_us, worst_us, per_second, ..
    } = measured;
    let memory = |mib: Option<f64>| mib.map_or_else(|| "unknown".to_owned(), |mib| format!("{mib:.1} MiB"));
    let rows = [
        ("catalog", format!("{}, {routes} routes", measured.catalog)),
        ("ready after", format!("{ready_ms:.1} ms")),
        ("decisions", format!("{decisions} of {messages} messages, one thread")),
        ("p50 / p90 / p99 / worst", format!("{p50_us:.1} / {p90_us:.1} / {p99_us:.1} / {worst_us:.1} µs")),
        ("a second", format!("{per_second:.0}")),
        (
            "memory now, at most",
            format!("{}, {}", memory(measured.memory_mib), memory(measured.memory_most_mib)),
        ),
    ];
    rows.iter().map(|(label, value)| format!("  {label:<24} {value}\n")).collect()
}

/// What the system tells about this process, in MiB; Linux only.
pub(super) fn memory(what: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib: f64 =
        status.lines().find_map(|line| line.strip_prefix(what))?.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024.0)
}
