//! How fast is one decision? Prints percentiles over `triad` and `starter`; asserts nothing.
//!
//!     cargo bench --bench routing

use std::hint::black_box;
use std::time::{Duration, Instant};

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

fn main() {
    for catalog in ["triad", "starter"] {
        let started = Instant::now();
        let router = Router::from_catalog(catalog).unwrap_or_else(|error| fail(&error));
        let load = started.elapsed();
        let times = measure(&router);
        println!(
            "{catalog:<8} load {:>7.2} ms   route p50 {:>6.2} µs   p90 {:>6.2} µs   p99 {:>6.2} µs   {:>8.0} a second",
            load.as_secs_f64() * 1e3,
            percentile(&times, 50),
            percentile(&times, 90),
            percentile(&times, 99),
            times.len() as f64 / times.iter().sum::<Duration>().as_secs_f64(),
        );
    }
}

fn measure(router: &Router) -> Vec<Duration> {
    let messages: Vec<Message> = MESSAGES.iter().map(|text| Message::from(*text)).collect();
    let mut times = Vec::with_capacity(ROUNDS * messages.len());
    for _ in 0..ROUNDS {
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
    sorted.get(sorted.len() * percent / 100).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

fn fail(error: &waypost::Error) -> ! {
    println!("{error}");
    std::process::exit(2)
}
