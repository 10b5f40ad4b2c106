//! What do the weights of slots learn from? Prints, for every slot of every row, what could fill it and which of that does.
//!
//! ```text
//! cargo run --release --example slot_lessons -- training/slots.jsonl [SETS] > lessons.jsonl
//! python3 training/slots.py lessons.jsonl crates/core/src/arguments/slots.bin
//! ```
//!
//! `SETS` is a folder with public sets: of `bfcl` the odd lines are read, of `snips` the train part.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};
use waypost::core::arguments::form::{Kind, Slot};
use waypost::core::arguments::{Asked, Form, Lesson, Ready, lessons};
use waypost::core::mentions::{Civil, DateOrder, Setting};
use waypost::encode::BuiltIn;

/// Every so many rows of snips are read: its thirteen thousand are of seven tools.
const SNIPS_STEP: usize = 6;
/// The day on which all rows are said to be said.
const NOW: &str = "2023-10-01T12:00:00";

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let Some(own) = arguments.next() else {
        println!(
            "give a file of rows, such as training/slots.jsonl, and a folder with public sets if there is one"
        );
        return Ok(());
    };
    let encoder = BuiltIn::shipped()?;
    for (number, row) in rows(Path::new(&own))?.iter().enumerate() {
        let tool = row.get("tool").context("a row has a `tool`")?;
        tell("own", number, tool, row, row.get("expected"), &encoder)?;
    }
    if let Some(sets) = arguments.next() {
        let sets = Path::new(&sets);
        bfcl(sets, &encoder)?;
        snips(sets, &encoder)?;
    }
    Ok(())
}

fn rows(path: &Path) -> anyhow::Result<Vec<Value>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.lines().map(|line| serde_json::from_str(line).context("a line is no JSON")).collect()
}

/// The odd lines of bfcl, whose slots have several accepted values.
fn bfcl(sets: &Path, encoder: &BuiltIn) -> anyhow::Result<()> {
    for file in ["simple_python", "multiple"] {
        for (number, row) in rows(&sets.join(format!("bfcl/{file}.jsonl")))?.iter().enumerate().step_by(2) {
            let Some(expected) = row.pointer("/expected/0") else { continue };
            let tools = row["tools"].as_array().into_iter().flatten();
            let Some(tool) = tools.into_iter().find(|tool| tool["name"] == expected["name"]) else {
                continue;
            };
            tell("bfcl", number, tool, row, expected.get("args"), encoder)?;
        }
    }
    Ok(())
}

/// Rows of snips, as calls of the tools that `training/snips_tools.json` describes.
fn snips(sets: &Path, encoder: &BuiltIn) -> anyhow::Result<()> {
    let tools: BTreeMap<String, Value> =
        serde_json::from_str(&fs::read_to_string("training/snips_tools.json")?)?;
    for (number, row) in rows(&sets.join("snips/train.jsonl"))?.iter().enumerate().step_by(SNIPS_STEP) {
        let Some(tool) = row["label"].as_str().and_then(|label| tools.get(label)) else { continue };
        let slots = row["slots"].as_array().into_iter().flatten();
        let expected: serde_json::Map<String, Value> = slots
            .filter_map(|slot| Some((slot["slot"].as_str()?.to_owned(), slot["value"].clone())))
            .collect();
        let described =
            json!({ "name": row["label"], "description": tool["description"], "parameters": tool });
        tell("snips", number, &described, row, Some(&Value::Object(expected)), encoder)?;
    }
    Ok(())
}

/// Prints the lessons of one row.
fn tell(
    set: &str,
    number: usize,
    tool: &Value,
    row: &Value,
    expected: Option<&Value>,
    encoder: &BuiltIn,
) -> anyhow::Result<()> {
    let name = tool["name"].as_str().unwrap_or("tool");
    let form = Form::read(name, tool["description"].as_str().unwrap_or_default(), tool.get("parameters"))?;
    let ready = Ready::new(form, encoder);
    let text = row["text"].as_str().context("a row has a `text`")?;
    let mut asked = Asked::new(text);
    asked.setting = Setting {
        now: Civil::parse(NOW).map(|(now, _)| now),
        order: Some(DateOrder::MonthFirst),
        country: Some("US".to_owned()),
        ..Setting::default()
    };
    asked.question = row["question"].as_str();
    for (slot, offered) in ready.form.slots.iter().zip(lessons(&ready, &asked, encoder)) {
        let Some(kind) = group(slot).filter(|_| slot.path.len() == 1) else { continue };
        let wanted = expected.and_then(|expected| expected.get(&slot.name));
        let accepted = accepted(set, wanted);
        let right: Vec<usize> = (0..offered.len())
            .filter(|at| offered.get(*at).is_some_and(|lesson| fits(&accepted, lesson, text)))
            .collect();
        let optional = wanted.is_none() || accepted.iter().any(|value| value == "");
        if right.is_empty() && !optional {
            continue;
        }
        let reasons: Vec<&Vec<(usize, f32)>> = offered.iter().map(|lesson| &lesson.reasons).collect();
        let lesson = json!({
            "set": set, "row": number, "kind": kind, "required": slot.required, "right": right, "offered": reasons,
        });
        println!("{lesson}");
    }
    Ok(())
}

/// Which weights a slot is weighed with; nothing where it only has choices.
fn group(slot: &Slot) -> Option<&'static str> {
    match slot.kind {
        _ if slot.is_counted() => Some("number"),
        _ if slot.closed => None,
        Kind::Integer | Kind::Number => Some("number"),
        Kind::Date | Kind::Time | Kind::DateTime | Kind::Duration => Some("time"),
        Kind::Text => Some("text"),
        _ => None,
    }
}

/// The values that count: bfcl lists several, the others have one.
fn accepted(set: &str, wanted: Option<&Value>) -> Vec<Value> {
    match wanted {
        Some(Value::Array(values)) if set == "bfcl" => values.clone(),
        Some(value) => vec![value.clone()],
        None => Vec::new(),
    }
}

/// Whether an offer is one of them: the same value, or the same words of the message.
fn fits(accepted: &[Value], lesson: &Lesson, text: &str) -> bool {
    let said = bare(lesson.span.of(text));
    accepted
        .iter()
        .filter(|value| *value != "")
        .any(|value| same(&lesson.value, value) || value.as_str().is_some_and(|value| bare(value) == said))
}

fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::String(left), Value::String(right)) => bare(left) == bare(right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        _ => left == right || (left.as_f64().is_some() && left.as_f64() == right.as_f64()),
    }
}

/// A text without what writers differ in.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !" ,./-_*^'\"".contains(*c)).flat_map(char::to_lowercase).collect()
}
