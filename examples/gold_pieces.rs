//! How many values are written as a call wants them once the right piece of the message is known? Tools with marked messages in, every miss and the shares out.
//!
//! ```text
//! cargo run --release --example gold_pieces -- training/calls/valid.jsonl
//! ```
//!
//! It tests how numbers, days, times and texts are written, whatever the reader finds.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::fs;

use anyhow::Context;
use serde_json::Value;
use waypost::core::arguments::form::{Form, Kind, Slot};
use waypost::core::arguments::{Asked, Piece, ReaderOutput, SlotOutput, interpret_reading};
use waypost::core::mentions::{Civil, Setting};
use waypost::core::message::Span;
use waypost::eval::CALLS_NOW;

/// Bytes of a day as it is written: 2026-11-16.
const DAY_BYTES: usize = 10;

fn main() -> anyhow::Result<()> {
    let Some(path) = std::env::args().nth(1) else {
        println!("give a file of tools with marked messages, such as training/calls/valid.jsonl");
        return Ok(());
    };
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    let mut counts: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
    for line in text.lines() {
        let tool: Value = serde_json::from_str(line).with_context(|| format!("a bad line in {path}"))?;
        let about = tool.get("tool").unwrap_or(&Value::Null);
        let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let Ok(form) =
            Form::read(&words(&about["name"]), &words(&about["description"]), about.get("parameters"))
        else {
            continue;
        };
        for row in tool.get("rows").and_then(Value::as_array).into_iter().flatten() {
            for (place, (name, slot)) in form.read_slots().into_iter().enumerate() {
                let Some(said) = row["values"].get(&name) else { continue };
                let Some(kind) = kind(slot).filter(|_| slot.many.is_none() && !name.contains("[]")) else {
                    continue;
                };
                let Some(found) = written(&form, place, row, said) else { continue };
                let right = same(&found, &said["value"]);
                let count = counts.entry(kind).or_default();
                *count = (count.0 + usize::from(right), count.1 + 1);
                if !right {
                    println!(
                        "{kind}: {} {name}: {} is {}, written {found}",
                        form.tool, said["said"], said["value"]
                    );
                }
            }
        }
    }
    for (kind, (right, all)) in counts {
        #[allow(clippy::cast_precision_loss)] // thousands of rows
        let share = 100.0 * right as f64 / all.max(1) as f64;
        println!("{kind}: {share:.1} % of {all}");
    }
    Ok(())
}

fn kind(slot: &Slot) -> Option<&'static str> {
    match slot.kind {
        _ if slot.closed => None,
        Kind::Integer | Kind::Number => Some("number"),
        Kind::Date | Kind::Time | Kind::DateTime => Some("time"),
        Kind::Text => Some("text"),
        _ => None,
    }
}

/// What the slot comes to if the reader marks exactly the piece that is meant; nothing if the piece is not one.
fn written(form: &Form, place: usize, row: &Value, said: &Value) -> Option<Value> {
    let turn = said["turn"].as_u64().and_then(|turn| usize::try_from(turn).ok());
    let history: Vec<&str> =
        row["history"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let text = turn.map_or_else(|| row["text"].as_str(), |turn| history.get(turn).copied())?;
    let piece = said["said"].as_str()?;
    let letters = said["at"].get(0).and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
    let at = letters
        .and_then(|at| Some(text.char_indices().nth(at)?.0))
        .filter(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(piece)));
    let at = at.or_else(|| text.find(piece))?;
    let value = said["value"].as_str().unwrap_or_default();
    let hour = value.rsplit('T').next().and_then(|clock| clock.get(..2)?.parse::<u8>().ok());
    let is_day = value.get(4..5) == Some("-");
    let empty = || SlotOutput { none: 1.0, none_wanted: 1.0, ..SlotOutput::default() };
    let mut slots: Vec<SlotOutput> = form.read_slots().iter().map(|_| empty()).collect();
    *slots.get_mut(place)? = SlotOutput {
        pieces: vec![(Piece { turn, span: Span::new(at..at + piece.len()) }, 1.0)],
        yes: f32::from(u8::from(is_day && value.get(..DAY_BYTES) < CALLS_NOW.get(..DAY_BYTES))),
        afternoon: f32::from(u8::from(value.contains(':') && hour.is_some_and(|hour| hour >= 12))),
        ..SlotOutput::default()
    };
    let mut reading = ReaderOutput { slots, ..ReaderOutput::default() };
    reading.acts[0] = 1.0;
    let setting = Setting { now: Civil::parse(CALLS_NOW).map(|(now, _)| now), ..Setting::default() };
    let asked = Asked { setting, ..Asked::new(row["text"].as_str()?) };
    let read = interpret_reading(form, &asked, &reading, &history);
    let (name, _) = form.read_slots().into_iter().nth(place)?;
    Some(read.slots.into_iter().find(|filled| filled.slot == name).map_or(Value::Null, |filled| filled.value))
}

/// Whether two values are the same, as far as a call can tell.
fn same(found: &Value, wanted: &Value) -> bool {
    let plain = |text: &str| {
        let text = text.trim_end_matches("+00:00").trim_end_matches('Z').to_lowercase();
        let text = ["the ", "a ", "an "]
            .iter()
            .find_map(|article| text.strip_prefix(article))
            .map_or_else(|| text.clone(), str::to_owned);
        let clock = text.matches(':').count() > 1;
        text.strip_suffix(":00")
            .filter(|_| clock)
            .unwrap_or(&text)
            .chars()
            .filter(|c| c.is_alphanumeric())
            .collect::<String>()
    };
    match (found, wanted) {
        (Value::String(found), Value::String(wanted)) => plain(found) == plain(wanted),
        _ => found
            .as_f64()
            .zip(wanted.as_f64())
            .is_some_and(|(found, wanted)| (found - wanted).abs() < 1e-9 * wanted.abs().max(1.0)),
    }
}
