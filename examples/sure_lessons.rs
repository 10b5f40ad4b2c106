//! What does the rule learn from that says how likely a reading is right? Prints what each reading is judged by, and whether it is right.
//!
//! ```text
//! cargo run --release --example sure_lessons -- training/calls/valid.jsonl [reader.safetensors] > lessons.jsonl
//! cargo run --release --example sure_lessons -- tests/heldout/args_dev.jsonl [reader.safetensors] >> lessons.jsonl
//! python3 training/sure.py lessons.jsonl
//! ```
//!
//! The second kind of file has messages for the tools of `choices`, whose values have examples.
#![allow(clippy::print_stdout)]

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};
use waypost::Router;
use waypost::arguments::Interpreter;
use waypost::core::arguments::{By, Form};
use waypost::encode::BuiltIn;
use waypost::eval::{ArgsRow, ArgsSetting, CALLS_NOW, CallTool};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = arguments.first() else {
        println!("give a file of tools with what people say to them, such as training/calls/valid.jsonl");
        return Ok(());
    };
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    // Everything may run, so that it shows what would have come of it.
    let interpreter =
        Interpreter::new(&Router::from_catalog("choices")?, BuiltIn::shipped()?).with_max_wrong(1.0);
    let interpreter = match arguments.get(1) {
        Some(reader) => interpreter.with_reader(Path::new(reader))?,
        None => interpreter,
    };
    for line in text.lines() {
        let given: Value = serde_json::from_str(line).with_context(|| format!("a bad line in {path}"))?;
        if given.get("rows").is_none() {
            lesson_of_row(&interpreter, line)?;
            continue;
        }
        let tool: CallTool =
            serde_json::from_value(given).with_context(|| format!("a bad line in {path}"))?;
        for (said, evidence) in tool.evidence(&interpreter, CALLS_NOW)? {
            let slots: Vec<_> = evidence
                .slots
                .iter()
                .filter_map(|slot| {
                    let right = said.slots.get(slot.place)?.right;
                    Some(json!({ "case": slot.case as usize, "facts": slot.facts, "right": right }))
                })
                .collect();
            let line = json!({ "tool": said.tool, "outcome": said.outcome, "wanted": said.wanted, "whole": said.whole, "facts": evidence.facts, "slots": slots });
            println!("{line}");
        }
    }
    Ok(())
}

/// A message for a tool of the catalog: `{"text", "tool", "expected": {slot: value}, "outcome"}`.
fn lesson_of_row(interpreter: &Interpreter, line: &str) -> anyhow::Result<()> {
    let row = ArgsRow::read(line, &ArgsSetting::default())?;
    let Some(given) = row.request.tool.clone() else { return Ok(()) };
    let form = interpreter.with_form(&given, Form::clone)?;
    let answer = interpreter.answer(&row.request)?;
    let Some(evidence) = interpreter.evidence(&row.request)? else { return Ok(()) };
    let right = |place: usize| {
        let name = form.slots.get(place).map_or("", |slot| slot.name.as_str());
        let held = answer.slots.get(name).filter(|held| held.matched_by != By::Default && !held.doubtful);
        match (held.map(|held| &held.value), row.expected.get(name)) {
            (None, None) => true,
            (Some(found), Some(accepted)) => accepted.iter().any(|value| is_same(value, found)),
            _ => false,
        }
    };
    let slots: Vec<_> = evidence
        .slots
        .iter()
        .map(|slot| json!({ "case": slot.case as usize, "facts": slot.facts, "right": right(slot.place) }))
        .collect();
    println!(
        "{}",
        json!({ "tool": answer.tool, "text": row.request.text, "wanted": "taught", "slots": slots })
    );
    Ok(())
}

fn is_same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| (one - other).abs() < 1e-9)
}
