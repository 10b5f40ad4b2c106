//! What does the rule learn from that says how likely a reading is right? Prints what each reading is judged by, and whether it is right.
//!
//! ```text
//! cargo run --release --example sure_lessons -- training/calls/valid.jsonl [reader.safetensors] > lessons.jsonl
//! python3 training/sure.py lessons.jsonl
//! ```
#![allow(clippy::print_stdout)]

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::json;
use waypost::Router;
use waypost::arguments::Interpreter;
use waypost::encode::BuiltIn;
use waypost::eval::{CALLS_NOW, CallTool};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = arguments.first() else {
        println!("give a file of tools with what people say to them, such as training/calls/valid.jsonl");
        return Ok(());
    };
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    // Everything may run, so that it shows what would have come of it.
    let interpreter =
        Interpreter::new(&Router::from_catalog("starter")?, BuiltIn::shipped()?).with_max_wrong(1.0);
    let interpreter = match arguments.get(1) {
        Some(reader) => interpreter.with_reader(Path::new(reader))?,
        None => interpreter,
    };
    for line in text.lines() {
        let tool: CallTool = serde_json::from_str(line).with_context(|| format!("a bad line in {path}"))?;
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
