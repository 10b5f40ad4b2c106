//! How well is personal data found? Reads labelled messages, one JSON object a line, and prints the figures.
//!
//!     cargo run --release --example entities -- FILE [missed|names|alarms]
//!
//! A line has a `text` (or `query`) and perhaps `entities`, each with a `label`. Without labels every text is
//! taken to hold no personal data, so that what is found is a false alarm. The second argument lists messages of
//! the odd lines, those of every third template left out: what is tuned on is seen, what is measured is not.

use std::process::ExitCode;
use std::time::Instant;

use serde_json::Value;
use waypost::core::entities::{EntityKind, Known, find, personal};

/// Labels of data that is personal by itself.
const STRICT: &[&str] = &[
    "CREDIT_CARD",
    "IBAN_CODE",
    "EMAIL_ADDRESS",
    "PHONE_NUMBER",
    "US_SSN",
    "US_DRIVER_LICENSE",
    "US_PASSPORT",
    "US_ITIN",
    "STREET_ADDRESS",
];

/// A message and what it holds.
struct Row {
    text: String,
    labels: Vec<String>,
    template: Option<i64>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(text) = arguments.first().and_then(|path| std::fs::read_to_string(path).ok()) else {
        println!("give the path of a file with one JSON object a line");
        return if arguments.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    };
    let rows: Vec<Row> = text.lines().filter_map(read).collect();
    let listed = arguments.get(1).map_or("", String::as_str);
    let part = |belongs: &dyn Fn(usize, &Row) -> bool| -> Vec<&Row> {
        rows.iter().enumerate().filter(|(at, row)| belongs(*at, row)).map(|(_, row)| row).collect()
    };
    report("all lines", &part(&|_, _| true));
    report("odd lines", &part(&|at, _| at % 2 == 0));
    report("even lines", &part(&|at, _| at % 2 == 1));
    report("every third template", &part(&|_, row| row.is_held_out()));
    for row in rows.iter().step_by(2).filter(|row| !row.is_held_out()) {
        list(row, listed);
    }
    time(&rows);
    ExitCode::SUCCESS
}

fn read(line: &str) -> Option<Row> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = value.get("text").or_else(|| value.get("query"))?.as_str()?.to_owned();
    let labels = value.get("entities").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let labels = labels.iter().filter_map(|entity| Some(entity.get("label")?.as_str()?.to_owned())).collect();
    Some(Row { text, labels, template: value.get("template_id").and_then(Value::as_i64) })
}

impl Row {
    fn is_held_out(&self) -> bool {
        self.template.is_some_and(|template| template % 3 == 0)
    }

    fn is_strict(&self) -> bool {
        self.labels.iter().any(|label| STRICT.contains(&label.as_str()))
    }

    fn has_person(&self) -> bool {
        self.labels.iter().any(|label| label == "PERSON")
    }

    /// Whether anything personal is noticed, a name that nothing ties to a person included.
    fn is_noticed(&self) -> bool {
        let found = find(&self.text, &Known::default());
        personal(&found).is_some() || found.iter().any(|entity| entity.kind == EntityKind::Person)
    }

    fn is_found(&self) -> bool {
        personal(&find(&self.text, &Known::default())).is_some()
    }
}

fn report(name: &str, rows: &[&Row]) {
    let share = |what: &str, holds: &dyn Fn(&Row) -> bool| {
        let all: Vec<&&Row> = rows.iter().filter(|row| holds(row)).collect();
        let found = all.iter().filter(|row| row.is_found()).count();
        if !all.is_empty() {
            #[allow(clippy::cast_precision_loss)] // counts of rows are small
            let percent = 100.0 * found as f64 / all.len() as f64;
            let noticed = all.iter().filter(|row| row.is_noticed()).count();
            println!(
                "{name}: {what}: found in {found} of {} ({percent:.1} %), with any name {noticed}",
                all.len()
            );
        }
    };
    share("numbers, e-mails and addresses", &Row::is_strict);
    share("those or a person", &|row| row.is_strict() || row.has_person());
    share("a person alone", &|row| !row.is_strict() && row.has_person());
    share("neither", &|row| !row.is_strict() && !row.has_person());
}

fn list(row: &Row, listed: &str) {
    let holds = row.is_strict() || row.has_person();
    let shown = match listed {
        "missed" => row.is_strict() && !row.is_found(),
        "names" => !row.is_strict() && row.has_person() && !row.is_found(),
        "alarms" => !holds && row.is_found(),
        _ => false,
    };
    if shown {
        println!("{:?}", row.text);
        for entity in find(&row.text, &Known::default()).iter().filter(|entity| entity.kind.is_personal()) {
            println!(
                "    {:?} {} {:?} ({})",
                entity.kind,
                entity.confidence,
                entity.span.of(&row.text),
                entity.rule
            );
        }
    }
}

/// Microseconds a text, each timed once after all were read once.
fn time(rows: &[Row]) {
    let known = Known::default();
    let mut times: Vec<u128> = rows
        .iter()
        .map(|row| {
            let start = Instant::now();
            std::hint::black_box(find(std::hint::black_box(&row.text), &known));
            start.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    println!("nanoseconds a text: p50 {}, p95 {}, p99 {}", at(50), at(95), at(99));
}
