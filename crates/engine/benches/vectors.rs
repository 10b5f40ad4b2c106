//! How fast are the nearest of many vectors found, and how many of them? Prints figures; asserts nothing.
//!
//!     cargo bench -p waypost --bench vectors -- [FILE]
//!
//! With a file the vectors are those of its lines, by the built-in encoder; where there are too few, of two lines joined.
//! Without one they are scattered around a thousand centres.

use std::fs;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use waypost::encode::BuiltIn;

// The module is the library's own affair, and measured as it stands.
#[allow(dead_code, unused_imports)]
#[path = "../src/vectors/mod.rs"]
mod vectors;

use vectors::{OVERSAMPLE, Vectors, Writer};

/// Sizes that are measured; 3,639 is how many tools a large collection of servers has.
const SIZES: &[usize] = &[1_000, 3_639, 10_000, 100_000, 1_000_000];
/// Queries asked of each.
const QUERIES: usize = 200;
/// Neighbours wanted.
const WANTED: usize = 10;
/// Candidates for every neighbour wanted.
const OVERSAMPLES: &[usize] = &[2, 5, 10, OVERSAMPLE, 40];
/// Times every query is asked.
const ROUNDS: usize = 5;
const DIMENSIONS: usize = 256;

fn main() {
    let file = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let source = Source::new(file.as_deref());
    let queries: Vec<Vec<f32>> = (0..QUERIES).map(|row| source.vector(row)).collect();
    println!("| rows | nearest | time, p10 / p50 / p90 | recall |\n|---|---|---|---|");
    let mut truth: Vec<Vec<(f32, u32)>> = vec![Vec::new(); QUERIES];
    let mut rows = QUERIES..;
    let mut known: Vec<Vec<f32>> = Vec::new();
    for size in SIZES {
        for row in rows.by_ref().take(size - known.len()) {
            let vector = source.vector(row);
            let number = u32::try_from(known.len()).unwrap_or(u32::MAX);
            for (query, truth) in queries.iter().zip(&mut truth) {
                learn(truth, product(query, &vector), number);
            }
            known.push(vector);
        }
        let Some(set) = build(&known) else { return println!("cannot be built") };
        report(&set, &queries, &truth);
    }
}

/// Writes a set to a file and maps that.
fn build(known: &[Vec<f32>]) -> Option<Vectors> {
    let folder = tempfile::tempdir().ok()?;
    let path = folder.path().join("vectors");
    let mut writer = Writer::create(&path, DIMENSIONS).ok()?;
    for vector in known {
        writer.push(vector).ok()?;
    }
    writer.finish().ok()?;
    // The mapping outlives the folder where files may be removed while they are open.
    Vectors::open(&path).ok()
}

fn report(set: &Vectors, queries: &[Vec<f32>], truth: &[Vec<(f32, u32)>]) {
    let mut similarities = Vec::new();
    let all = time(queries, |query| {
        set.similarities(query, &mut similarities);
        similarities.len()
    });
    println!("| {} | all | {} | |", set.len(), figures(&all));
    for oversample in OVERSAMPLES {
        let times = time(queries, |query| set.nearest(query, WANTED, *oversample).len());
        let found = queries.iter().zip(truth).map(|(query, truth)| {
            let found = set.nearest(query, WANTED, *oversample);
            found.iter().filter(|near| truth.iter().any(|(_, row)| *row == near.row)).count()
        });
        let found = u32::try_from(found.sum::<usize>()).unwrap_or_default();
        let wanted = u32::try_from(WANTED * QUERIES).unwrap_or(u32::MAX);
        let recall = f64::from(found) / f64::from(wanted);
        println!(
            "| {} | {WANTED} of {} | {} | {recall:.4} |",
            set.len(),
            WANTED * oversample,
            figures(&times)
        );
    }
}

fn figures(times: &[Duration]) -> String {
    let [p10, p50, p90] = [10, 50, 90].map(|percent| percentile(times, percent));
    format!("{p10:.0} / {p50:.0} / {p90:.0} µs")
}

fn time(queries: &[Vec<f32>], mut ask: impl FnMut(&[f32]) -> usize) -> Vec<Duration> {
    let mut once = |query: &Vec<f32>| {
        let started = Instant::now();
        black_box(ask(query));
        started.elapsed()
    };
    let mut times: Vec<Duration> = (0..ROUNDS).flat_map(|_| queries).map(&mut once).collect();
    times.sort_unstable();
    times
}

fn percentile(times: &[Duration], percent: usize) -> f64 {
    let at = times.len() * percent / 100;
    times.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

/// Keeps a row where it is among the nearest so far.
fn learn(truth: &mut Vec<(f32, u32)>, similarity: f32, row: u32) {
    if truth.len() < WANTED || truth.last().is_some_and(|(last, _)| similarity > *last) {
        let at = truth.partition_point(|(other, _)| *other >= similarity);
        truth.insert(at, (similarity, row));
        truth.truncate(WANTED);
    }
}

fn product(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 16];
    for (one, other) in one.as_chunks::<16>().0.iter().zip(other.as_chunks::<16>().0) {
        for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
            *sum += one * other;
        }
    }
    sums.iter().sum()
}

/// Where vectors come from.
enum Source {
    Lines(Arc<BuiltIn>, Vec<String>),
    Scattered,
}

impl Source {
    fn new(file: Option<&str>) -> Source {
        let text = file.and_then(|file| fs::read_to_string(file).ok());
        match text.zip(BuiltIn::shipped().ok()) {
            Some((text, encoder)) => Source::Lines(encoder, text.lines().map(str::to_owned).collect()),
            None => Source::Scattered,
        }
    }

    fn vector(&self, row: usize) -> Vec<f32> {
        match self {
            Source::Lines(encoder, lines) => {
                let line = |at: usize| lines.get(at % lines.len().max(1)).map(String::as_str);
                let first = line(row).unwrap_or_default();
                // A prime stride pairs each line with another one on every round through the file.
                let round = row / lines.len().max(1);
                let second = if round == 0 { None } else { line(row + round * 7_919) };
                encoder.vector(&[first, second.unwrap_or_default()].join(" "))
            }
            Source::Scattered => {
                let centre = scattered(row % 1_000);
                let own = scattered(row + 1_000);
                let sum: Vec<f32> = centre.iter().zip(own).map(|(centre, own)| centre + own).collect();
                let length = product(&sum, &sum).sqrt();
                sum.iter().map(|value| value / length).collect()
            }
        }
    }
}

/// Numbers that look random: the same for the same seed.
fn scattered(seed: usize) -> Vec<f32> {
    let mut state = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Four numbers of sixteen bits, summed: near enough to a bell.
        (0..4).map(|at| f32::from((state >> (16 * at) & 0xffff) as u16) / 65_536.0 - 0.5).sum::<f32>()
    };
    (0..DIMENSIONS).map(|_| next()).collect()
}
