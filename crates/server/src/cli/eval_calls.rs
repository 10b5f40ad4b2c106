//! `waypost eval calls`: how well are calls filled over tools that nobody tuned to?

use anyhow::{Context, bail};
use serde_json::{Value, json};
use waypost::arguments::Interpreter;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::BuiltIn;
use waypost::eval::{CallTool, calls_report};

use super::definitions::EvalCallsFlags;
use super::eval_catalogs::write;
use super::output::Output;
use super::rows::read;
use super::{Ending, input, llm, progress};
use crate::report;

/// Runs the command.
pub fn run(asked: &EvalCallsFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let mut tools: Vec<CallTool> = Vec::new();
    for file in &asked.files {
        tools.extend(read::<CallTool>(file, |line| serde_json::from_str(line))?);
    }
    if tools.iter().all(|tool| tool.rows.is_empty()) {
        bail!("no messages in the given files");
    }
    // Tools come with their rows; of the catalog nothing counts.
    let interpreter = Interpreter::new(&input::router(Some("starter"))?, BuiltIn::shipped()?);
    let interpreter = llm::with_reader(interpreter, asked.reader.as_deref())?;
    let interpreter = match asked.max_wrong {
        Some(share) => interpreter.with_max_wrong(share),
        None => interpreter,
    };
    let bar = progress::bar(Some(tools.len() as u64), "judging tools");
    let mut predictions = Vec::new();
    for tool in &tools {
        let name = tool.tool.get("name").and_then(Value::as_str).unwrap_or_default();
        if let Some(slot) = tool.unknown_slot(&interpreter)? {
            bail!("the tool {name:?} has no slot {slot:?}; see the `values` of its rows");
        }
        predictions.extend(tool.judge(&interpreter, &asked.now).with_context(|| format!("tool {name:?}"))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(file) = &asked.predictions {
        write(file, &predictions).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let figures = calls_report(&predictions);
    if asked.json {
        output.json(&json!({ "version": CONTRACT_VERSION, "report": figures }))?;
    } else {
        output.text(&report::calls(&figures))?;
    }
    let missed = asked.min.filter(|least| figures.whole.value() < *least);
    output.remarks(
        missed.map(|least| format!("whole calls right: {:.4} (minimum {least})", figures.whole.value())),
    );
    Ok(if missed.is_some() { Ending::SomeBad } else { Ending::Good })
}
