//! `waypost bench args`: how fast are the arguments of a tool filled?

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;
use waypost::arguments::{Interpreter, Request, ToolGiven};
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::BuiltIn;
use waypost::{Catalog, Router};

use super::Ending;
use super::definitions::BenchArgsFlags;
use super::output::Output;

/// Rounds before the clock counts: caches fill, pages are read.
const WARM_UP: usize = 3;
/// Most answers kept to take percentiles of.
const ANSWERS_MAX: usize = 10_000_000;
/// The time that messages are read against, so that every run does the same work.
const NOW: &str = "2027-03-01T12:00:00";

/// Messages for the tool, from bare answers to whole orders, with corrections, typing errors and what says nothing.
const MESSAGES: [&str; 24] = [
    "book a double room in Lisbon for two people from 3 May to 9 May",
    "three nights in Graz, single room, no breakfast",
    "Porto",
    "the cheapest you have, under 90 euros a night",
    "a suite in Bergen for 4 guests, max 250 a night, with breakfast please",
    "tomorrow for two weeks",
    "we are five",
    "double, no wait, twin",
    "arriving next friday",
    "something in Kraków for me and my wife, breakfast included, about 80 EUR",
    "duoble room pls",
    "a week in Trieste starting on the 12th of June, twin room, not more than 120 dollars",
    "make it six nights instead",
    "what is a twin room?",
    "not a single, anything else is fine",
    "for 3 people",
    "Valencia, 2027-07-14, 10 nights, double, 2 guests, 150",
    "without breakfast",
    "I would like to stay in Ghent from the second to the fifth of April with my two children",
    "how about one hundred and twenty a night at most?",
    "in the city of Tartu",
    "two guests, four nights, suite",
    "hello there",
    "please find us a quiet room with breakfast in Salzburg for the last weekend of March, four adults, up to 200 € a night",
];

/// What was measured.
#[derive(Debug, Serialize)]
struct Measured {
    version: u32,
    messages: usize,
    slots: usize,
    /// Answers measured, one after the other on one thread.
    answers: usize,
    p50_us: f64,
    p90_us: f64,
    p99_us: f64,
    worst_us: f64,
    per_second: f64,
}

/// Runs the command.
pub fn run(asked: &BenchArgsFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let catalog = Catalog::of_examples("bench", &[("book a room", "rooms")]).catalog;
    let catalog = catalog.ok_or_else(|| anyhow::anyhow!("the catalog of the measurement cannot be read"))?;
    let interpreter = Interpreter::new(&Router::new(catalog), BuiltIn::shipped()?);
    let tool = tool()?;
    let slots = interpreter.with_form(&tool, |form| form.slots.len())?;
    let requests: Vec<Request> = MESSAGES.iter().map(|text| request(text, &tool)).collect();
    for request in requests.iter().cycle().take(WARM_UP * requests.len()) {
        interpreter.answer(request)?;
    }
    let measured = measure(&interpreter, &requests, slots, asked)?;
    if asked.json {
        output.json(&measured)?;
    } else {
        output.text(&as_text(&measured))?;
    }
    Ok(Ending::Good)
}

fn request(text: &str, tool: &ToolGiven) -> Request {
    Request {
        text: text.to_owned(),
        tool: Some(tool.clone()),
        now: Some(NOW.to_owned()),
        locale: Some("en-GB".to_owned()),
        ..Request::default()
    }
}

/// A tool of six arguments: a text, a choice, a day, two numbers and a flag.
fn tool() -> serde_json::Result<ToolGiven> {
    serde_json::from_value(json!({
        "name": "book_room", "description": "Books a room in a hotel.",
        "schema": {
            "type": "object", "additionalProperties": false, "required": ["city", "arrival"],
            "properties": {
                "city": {"type": "string", "description": "The city of the hotel."},
                "arrival": {"type": "string", "format": "date", "description": "The day of arrival."},
                "nights": {"type": "integer", "minimum": 1, "maximum": 60, "default": 1, "description": "How many nights."},
                "room": {"type": "string", "enum": ["single", "double", "twin", "suite"], "description": "The kind of room.",
                    "x-aliases": {"twin": ["two beds"], "suite": ["apartment"]}},
                "price_max": {"type": "number", "minimum": 0, "description": "The most a night may cost, in euros.",
                    "x-aliases": ["a night", "budget"]},
                "breakfast": {"type": "boolean", "default": false, "description": "Whether breakfast is included."},
            },
        },
    }))
}

fn measure(
    interpreter: &Interpreter,
    requests: &[Request],
    slots: usize,
    asked: &BenchArgsFlags,
) -> anyhow::Result<Measured> {
    let (time, rounds) = (Duration::from_secs(asked.seconds), asked.rounds.map(usize::from));
    let (started, mut times) = (Instant::now(), Vec::new());
    for request in requests.iter().cycle() {
        // At least once round, so that short measurements see every message.
        let done = match rounds {
            Some(rounds) => times.len() >= rounds * requests.len(),
            None => times.len() >= requests.len() && started.elapsed() >= time,
        };
        if done || times.len() >= ANSWERS_MAX {
            break;
        }
        let begun = Instant::now();
        std::hint::black_box(interpreter.answer(request)?);
        times.push(begun.elapsed().as_secs_f64() * 1e6);
    }
    let all: f64 = times.iter().sum();
    times.sort_by(f64::total_cmp);
    let percentile = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    #[allow(clippy::cast_precision_loss)] // counts of answers are far below 2^52
    let per_second = times.len() as f64 / (all / 1e6).max(f64::MIN_POSITIVE);
    Ok(Measured {
        version: CONTRACT_VERSION,
        messages: requests.len(),
        slots,
        answers: times.len(),
        p50_us: percentile(50),
        p90_us: percentile(90),
        p99_us: percentile(99),
        worst_us: times.last().copied().unwrap_or_default(),
        per_second,
    })
}

fn as_text(measured: &Measured) -> String {
    let Measured { messages, slots, answers, p50_us, p90_us, p99_us, worst_us, per_second, .. } = measured;
    let rows = [
        ("answers", format!("{answers} of {messages} messages for {slots} arguments, one thread")),
        ("p50 / p90 / p99 / worst", format!("{p50_us:.1} / {p90_us:.1} / {p99_us:.1} / {worst_us:.1} µs")),
        ("a second", format!("{per_second:.0}")),
    ];
    rows.iter().map(|(label, value)| format!("  {label:<24} {value}\n")).collect()
}
