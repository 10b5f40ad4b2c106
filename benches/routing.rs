//! How fast is one decision, how fast the first one, and in how much memory? Prints figures; asserts nothing.
//!
//!     cargo bench --bench routing

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use waypost::core::message::{Reading, Situation};
use waypost::core::signals;
use waypost::encode::{BuiltIn, Encoder};
use waypost::learn::Cache;
use waypost::{Message, Router};

/// Messages of every kind: names, commands, patterns, negations, targets, vague ones, plain ones.
const MESSAGES: &[&str] = &[
    "Use surgical mode to fix this",
    "The statistics show wrong counts",
    "Fix the calculation logic in the action",
    "3675 proteins but should be 1172",
    "Parameters not flowing between steps",
    "The ${parameters.input_file} isn't being substituted in the pipeline",
    "Pipeline orchestration is broken",
    "Backward compatibility broken",
    "New parameter broke existing strategies",
    "API evolution breaking changes",
    "Fix the internal parameter flow",
    "The visualization shows 3675 proteins but should show 1172 unique ones",
    "Fix GENERATE_MAPPING_VISUALIZATIONS",
    "prot_arv_to_kg2c_v3.0 broken",
    "/biomapper-surgical EXPORT_DATASET",
    "Something is wrong with the action",
    "There are no compatibility problems in the new release, thank you",
    "Please load the metabolite file and export it as a table when you are done with it",
    "How do I run the pipeline on my own data?",
    "rapid prefix upload know",
];

/// Rounds over all messages: 200,000 decisions make the 99th percentile steady.
const ROUNDS: usize = 10_000;

/// The message the start is timed with.
const MESSAGE_TIMED: &str = "The ${parameters.input_file} isn't being substituted in the pipeline";

/// Starts of the binary that are timed.
const STARTS: usize = 60;

fn main() {
    println!("| what | figure |\n|---|---|");
    for catalog in ["triad", "starter"] {
        let started = Instant::now();
        let router = Router::from_catalog(catalog).unwrap_or_else(|error| fail(&error));
        let load = started.elapsed();
        let times = measure(&router, ROUNDS);
        let [p50, p90, p99] = [50, 90, 99].map(|percent| percentile(&times, percent) * 1e6);
        println!("| `{catalog}`, one message, p50 / p90 / p99 | {p50:.1} / {p90:.1} / {p99:.1} µs |");
        println!(
            "| `{catalog}`, getting ready: catalog, encoder, what was learned | {:.1} ms |",
            load.as_secs_f64() * 1e3
        );
    }
    large_catalog();
    kinds_of_request();
    threads();
    let starts = starts();
    let [p50, p90] = [50, 90].map(|percent| percentile(&starts, percent) * 1e3);
    println!("| from start of the binary to its first answer and exit, p50 / p90 | {p50:.1} / {p90:.1} ms |");
    match memory_kb() {
        Some(kb) => {
            println!("| peak memory of the binary after 10,000 answers | {:.1} MB |", f64::from(kb) / 1024.0)
        }
        None => println!("| peak memory of the binary | not known on this system |"),
    }
}

/// Routes of the large catalog; each has two patterns and two keywords of its own.
const ROUTES_MANY: usize = 1_000;

fn large_catalog() {
    let route = |n: usize| {
        format!(
            "  - {{name: r{n}, description: R, patterns: [al{n}pha.*be{n}ta, 'ga{n}mma.*broken'], keywords: [al{n}pha, de{n}lta]}}\n"
        )
    };
    let yaml = format!("routes:\n{}", (0..ROUTES_MANY).map(route).collect::<String>());
    let catalog =
        waypost::Catalog::read(&[waypost::core::catalog::Source::new("large.yaml", yaml)], "large").catalog;
    let Some(catalog) = catalog else { return };
    let times = measure(&Router::new(catalog), ROUNDS / 20);
    let p50 = percentile(&times, 50) * 1e6;
    println!("| {ROUTES_MANY} routes with {} patterns, one message, p50 | {p50:.1} µs |", 2 * ROUTES_MANY);
}

/// A catalog that decides nothing, so that what is measured is the rest.
const DECIDES_NOTHING: &str = "routes: [{name: none, patterns: [zzzz]}]\n";

/// What telling the kind of request adds to a decision: labels, entities, complexity.
fn kinds_of_request() {
    let Ok(shipped) = waypost::Router::shipped("context") else { return };
    let Some(start) = shipped.yaml.find("\ncontext:\n") else { return };
    let labels = shipped.yaml.get(start..).unwrap_or_default();
    let p50 = |yaml: String| {
        let catalog =
            waypost::Catalog::read(&[waypost::core::catalog::Source::new("kinds.yaml", yaml)], "kinds")
                .catalog?;
        let encoder: Arc<dyn Encoder> = BuiltIn::shipped().ok()?;
        let router = Router::new(catalog).learning(&[encoder], &Cache::of_user());
        Some(percentile(&measure(&router, ROUNDS / 10), 50) * 1e6)
    };
    if let Some((with, without)) =
        p50(format!("{DECIDES_NOTHING}{labels}")).zip(p50(DECIDES_NOTHING.to_owned()))
    {
        println!("| what telling the kind of request adds to a decision, p50 | {:.1} µs |", with - without);
    }
}

/// Pieces of work of some microseconds each, as many as a message has kinds of detectors.
const PIECES: usize = 5;

/// The same pieces of work one after another and on a thread each: reading a message and noticing its signals.
fn threads() {
    let Ok(router) = Router::open("triad", &Cache::none()) else { return };
    let work = |text: &&str| {
        let situation = Situation { message: Message::from(*text), ..Situation::default() };
        let reading = Reading::new(text);
        black_box(signals::notice(router.catalog(), &situation, &reading).found.len())
    };
    let pieces = MESSAGES.get(..PIECES).unwrap_or_default();
    let in_line = || {
        black_box(pieces.iter().map(work).sum::<usize>());
    };
    let on_threads = || {
        std::thread::scope(|scope| {
            let working: Vec<_> = pieces.iter().map(|text| scope.spawn(|| work(text))).collect();
            let found = working.into_iter().filter_map(|working| working.join().ok());
            black_box(found.sum::<usize>());
        });
    };
    let p50 = |work: &dyn Fn()| {
        let time = |_| {
            let started = Instant::now();
            work();
            started.elapsed()
        };
        let mut times: Vec<Duration> = (0..ROUNDS).map(time).collect();
        times.sort_unstable();
        percentile(&times, 50) * 1e6
    };
    println!(
        "| {PIECES} messages read and noticed one after another, on a thread each, p50 | {:.1}, {:.1} µs |",
        p50(&in_line),
        p50(&on_threads)
    );
}

/// How long the binary takes to answer one message, process and all.
fn starts() -> Vec<Duration> {
    let start = || {
        let started = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_waypost"));
        let status =
            command.args(["route", "--catalog", "triad", MESSAGE_TIMED]).stdout(Stdio::null()).status();
        status.ok().map(|_| started.elapsed())
    };
    let mut times: Vec<Duration> = (0..STARTS).filter_map(|_| start()).collect();
    times.sort_unstable();
    times
}

/// The most memory the binary has held after answering 10,000 rows, asked of the system while it still runs.
fn memory_kb() -> Option<u32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_waypost"));
    let batch = command.args(["route", "--catalog", "triad", "--batch", "-"]);
    let mut child = batch.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let (mut rows, answers) = (child.stdin.take()?, child.stdout.take()?);
    let mut answers = BufReader::new(answers).lines();
    for message in MESSAGES.iter().cycle().take(10_000) {
        writeln!(rows, "{}", serde_json::json!({ "text": message })).ok()?;
        answers.next()?.ok()?;
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    drop(rows);
    child.wait().ok()?;
    let peak = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    peak.split_whitespace().nth(1)?.parse().ok()
}

fn measure(router: &Router, rounds: usize) -> Vec<Duration> {
    let messages: Vec<Message> = MESSAGES.iter().map(|text| Message::from(*text)).collect();
    let mut times = Vec::with_capacity(rounds * messages.len());
    for _ in 0..rounds {
        for message in &messages {
            let started = Instant::now();
            let answer = router.route(black_box(message));
            times.push(started.elapsed());
            black_box(answer.is_ok());
        }
    }
    times.sort_unstable();
    times
}

fn percentile(sorted: &[Duration], percent: usize) -> f64 {
    sorted.get(sorted.len() * percent / 100).map_or(0.0, Duration::as_secs_f64)
}

fn fail(error: &waypost::Error) -> ! {
    println!("{error}");
    std::process::exit(2)
}
