//! `waypost check`: is the catalog right?

use serde_json::{Value, json};
use waypost::{Checked, Problem, Source, find_catalog};

use super::Ending;
use super::definitions::CheckFlags;
use super::output::Output;

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &CheckFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let name = find_catalog(asked.checked.as_deref().or(catalog));
    let (checked, sources) = waypost::check(&name)?;
    let errors = checked.problems.iter().filter(|problem| problem.code.is_error()).count();
    let warnings = checked.problems.len() - errors;
    if asked.json {
        output.json(&as_json(&checked, &sources))?;
    } else {
        output.text(&as_text(&name, &checked, &sources, output))?;
    }
    Ok(match (errors, warnings) {
        (0, 0) => Ending::Good,
        (0, _) if !asked.strict => Ending::Good,
        (0, _) => Ending::SomeBad,
        _ => Ending::Refused,
    })
}

fn as_text(name: &str, checked: &Checked, sources: &[Source], output: &Output) -> String {
    let paint = output.paint();
    let shown: String = checked
        .problems
        .iter()
        .map(|problem| {
            let severity = problem.severity();
            let label = if problem.code.is_error() { paint.bad(severity) } else { paint.doubt(severity) };
            problem.show(sources).replacen(severity, &label, 1) + "\n"
        })
        .collect();
    let errors = checked.problems.iter().filter(|problem| problem.code.is_error()).count();
    let warnings = checked.problems.len() - errors;
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let verdict = match &checked.catalog {
        Some(catalog) => {
            let hash = catalog.hash().get(..12).unwrap_or_default();
            format!(
                "{} {} ({}, hash {hash}…)",
                paint.good("ok"),
                catalog.name(),
                counted(catalog.routes().len(), "route")
            )
        }
        None => format!("{} {name} cannot be used", paint.bad("bad")),
    };
    format!("{shown}{verdict}: {}, {}\n", counted(errors, "error"), counted(warnings, "warning"))
}

fn as_json(checked: &Checked, sources: &[Source]) -> Value {
    let problems: Vec<Value> =
        checked.problems.iter().map(|problem| problem_json(problem, sources)).collect();
    let catalog =
        checked.catalog.as_ref().map(|catalog| json!({ "name": catalog.name(), "hash": catalog.hash() }));
    json!({ "version": 1, "catalog": catalog, "ok": checked.catalog.is_some(), "problems": problems })
}

fn problem_json(problem: &Problem, sources: &[Source]) -> Value {
    let source = sources.get(usize::from(problem.place.source));
    json!({
        "severity": problem.severity(),
        "code": problem.code.name(),
        "message": problem.message,
        "hint": problem.hint,
        "file": source.map(|source| &source.name),
        "line": problem.place.line,
        "column": problem.place.column,
        "snippet": source.map(|source| source.line(problem.place.line)),
    })
}
