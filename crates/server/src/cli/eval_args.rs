//! `waypost eval args`: how well are the arguments of tools filled?

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use serde::de::Error as _;
use serde_json::{Map, Value, json};
use waypost::arguments::Interpreter;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::BuiltIn;
use waypost::eval::{ArgsPrediction, ArgsReport, ArgsRow, ArgsSetting, args_report, judge_args};

use super::definitions::{EvalArgsFlags, Rows};
use super::eval::{open_page, write_page};
use super::output::Output;
use super::{Ending, input, llm, progress, rows};
use crate::report;

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &EvalArgsFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let page = asked.html.as_deref().map(|file| open_page(file).map(|page| (page, file))).transpose()?;
    let interpreter = Interpreter::new(&input::router(catalog)?, BuiltIn::shipped()?);
    let interpreter = llm::with_models(interpreter, &asked.llm, asked.reader.as_deref())?;
    let mut setting =
        ArgsSetting { now: asked.now.clone(), locale: asked.locale.clone(), ..ArgsSetting::default() };
    for file in &asked.tools {
        setting.tools.extend(tools(file)?);
    }
    let mut judged_by: Vec<ArgsRow> = Vec::new();
    for file in &asked.test {
        judged_by.extend(read(file, asked.rows, &setting)?);
    }
    let waiting = progress::waiting(&format!("answering {} rows…", judged_by.len()));
    let predictions = judge_args(&interpreter, &judged_by);
    waiting.finish_and_clear();
    let predictions = predictions?;
    let unread = judged_by.len() - predictions.len();
    output.remarks(
        (unread > 0)
            .then(|| format!("{unread} rows want values of a sort that is not known, and are left out")),
    );
    if let Some(file) = &asked.predictions {
        write(file, &predictions).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let figures = args_report(&predictions);
    if let Some((page, file)) = page {
        tell_page(page, file, &figures, asked)?;
        output.remark(&format!("wrote {}", file.display()));
    }
    if asked.json {
        let catalog = interpreter.catalog();
        output.json(&json!({
            "version": CONTRACT_VERSION, "catalog": {"name": catalog.name(), "hash": catalog.hash()}, "figures": figures,
        }))?;
    } else {
        output.text(&report::args_figures(&figures, output.paint()))?;
    }
    let missed = asked.min.filter(|least| figures.exact < *least);
    output.remarks(
        missed.map(|least| format!("{:.4} of the rows are wholly right, below {least}", figures.exact)),
    );
    Ok(if missed.is_some() { Ending::SomeBad } else { Ending::Good })
}

fn tell_page(page: File, file: &Path, figures: &ArgsReport, asked: &EvalArgsFlags) -> anyhow::Result<()> {
    let names: Vec<String> = asked.test.iter().map(|test| test.display().to_string()).collect();
    let of = match asked.rows {
        Rows::All => "",
        Rows::Odd => ", odd rows",
        Rows::Even => ", even rows",
    };
    let setting = [("judged by", names.join(", ") + of), ("waypost", env!("CARGO_PKG_VERSION").to_owned())];
    let html = report::args_page(figures, &setting);
    write_page(page, &html).with_context(|| format!("cannot write {}", file.display()))
}

/// The tools of a file, by name.
fn tools(file: &Path) -> anyhow::Result<Vec<(String, Map<String, Value>)>> {
    rows::read(file, |line| {
        let tool: Map<String, Value> = serde_json::from_str(line)?;
        let name = tool.get("name").and_then(Value::as_str).map(str::to_owned);
        Ok((name.ok_or_else(|| serde_json::Error::custom("a tool needs a name"))?, tool))
    })
}

/// The rows of a file that count.
fn read(file: &Path, which: Rows, setting: &ArgsSetting) -> anyhow::Result<Vec<ArgsRow>> {
    let all: Vec<ArgsRow> = rows::read(file, |line| ArgsRow::read(line, setting))?;
    let counted: Vec<ArgsRow> = which.of(all).collect();
    if counted.is_empty() {
        bail!("{} has no rows to judge by", file.display());
    }
    Ok(counted)
}

fn write(file: &Path, predictions: &[ArgsPrediction]) -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(File::create(file)?);
    for prediction in predictions {
        serde_json::to_writer(&mut out, prediction)?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}
