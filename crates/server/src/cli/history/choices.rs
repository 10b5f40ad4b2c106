//! `waypost history choices`: how did choices go?

use serde_json::{Map, Value, json};
use waypost::core::trace::CONTRACT_VERSION;
use waypost::store::{ChoiceCounts, ChoiceFigures, Store};

use super::super::definitions::ChoicesFlags;
use super::show::table;
use super::{Ending, Output, look};
use crate::report::{Paint, tame};

/// Runs the command.
pub fn run(asked: &ChoicesFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let tenant = asked.tenant.as_deref();
    let figures = look(&asked.kept)?.choices(tenant, asked.since.unwrap_or_default())?;
    if asked.json {
        output.json(&as_json(tenant, &figures))?;
    } else {
        output.text(&as_text(&figures, output.paint()))?;
    }
    Ok(Ending::Good)
}

fn as_json(tenant: Option<&str>, figures: &ChoiceFigures) -> Value {
    let tool = |(tool, counts): &(String, ChoiceCounts)| {
        let mut row =
            Map::from_iter([("tool".to_owned(), json!(Some(tool).filter(|tool| !tool.is_empty())))]);
        row.extend(fields(counts));
        Value::Object(row)
    };
    let mut all = Map::from_iter([
        ("version".to_owned(), json!(CONTRACT_VERSION)),
        ("tenant".to_owned(), json!(tenant)),
    ]);
    all.extend(fields(&figures.all));
    all.insert("tools".to_owned(), figures.tools.iter().map(tool).collect());
    let ways = figures.matched_by.iter().map(|(way, count)| (way.clone(), json!(count)));
    all.insert("matched_by".to_owned(), Value::Object(ways.collect()));
    Value::Object(all)
}

fn fields(counts: &ChoiceCounts) -> Map<String, Value> {
    match json!(counts) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn as_text(figures: &ChoiceFigures, paint: Paint) -> String {
    if figures.all.turns == 0 {
        return "no choices are known; `waypost chat --session ID` keeps them\n".to_owned();
    }
    let line = |name: &str, counts: &ChoiceCounts| {
        let share = |share: Option<f64>| {
            share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", share * 100.0))
        };
        let time = |us: Option<f64>| us.map_or_else(|| "-".to_owned(), |us| format!("{:.2} ms", us / 1000.0));
        [
            name.to_owned(),
            counts.turns.to_string(),
            counts.ran.to_string(),
            share(counts.acceptance_rate),
            share(counts.clarify_rate),
            time(counts.latency_us_p50),
            time(counts.latency_us_p99),
        ]
    };
    let named = |tool: &str| if tool.is_empty() { "no tool".to_owned() } else { tame(tool) };
    let mut rows: Vec<_> = figures.tools.iter().map(|(tool, counts)| line(&named(tool), counts)).collect();
    rows.push(line("all", &figures.all));
    let headings = ["tool", "turns", "calls", "accepted", "clarified", "p50", "p99"];
    let ways: Vec<String> = figures.matched_by.iter().map(|(way, count)| format!("{way} {count}")).collect();
    table(headings, &rows, paint) + &paint.faint(&format!("calls by: {}", ways.join(", "))) + "\n"
}
