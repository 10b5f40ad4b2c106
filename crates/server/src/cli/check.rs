//! `waypost check`: is the catalog right?

use serde_json::{Value, json};
use waypost::core::catalog::Source;
use waypost::core::catalog::{Checked, Problem};
use waypost::core::trace::CONTRACT_VERSION;
use waypost::find_catalog;
use waypost::learn::Advice;

use super::Ending;
use super::definitions::CheckFlags;
use super::output::Output;
use super::suggest::{advice_on, beside};
use crate::report::tame_lines;

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &CheckFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let name = find_catalog(asked.checked.as_deref().or(catalog));
    let (checked, sources) = waypost::check(&name)?;
    // Problems are printed even if no advice can be given.
    let advice = checked.catalog.as_ref().map(advice_on).transpose();
    let advice = advice.unwrap_or_else(|error| {
        output.remark(&format!("{error:#}"));
        None
    });
    let advice = advice.flatten();
    if asked.json {
        output.json(&as_json(&checked, &sources, advice.as_ref()))?;
    } else {
        let advised = beside(advice.as_ref(), output);
        output.text(&(as_text(&name, &checked, &sources, output) + &advised))?;
    }
    Ok(match checked.catalog {
        None => Ending::Refused,
        Some(_) if asked.strict && !checked.problems.is_empty() => Ending::SomeBad,
        Some(_) => Ending::Good,
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
            tame_lines(&problem.show(sources)).replacen(severity, &label, 1) + "\n"
        })
        .collect();
    let errors = checked.problems.iter().filter(|problem| problem.code.is_error()).count();
    let warnings = checked.problems.len() - errors;
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let verdict = match &checked.catalog {
        Some(catalog) => {
            let hash = catalog.hash().get(..12).unwrap_or_default();
            let routes = counted(catalog.routes().len(), "route");
            let holds = match catalog.tools().len() {
                0 => routes,
                tools => format!("{routes}, {}", counted(tools, "tool")),
            };
            format!("{} {} ({holds}, hash {hash}…)", paint.good("ok"), catalog.name())
        }
        None => format!("{} {name} cannot be used", paint.bad("bad")),
    };
    let more =
        if checked.omitted > 0 { format!(", and {} more problems", checked.omitted) } else { String::new() };
    format!("{shown}{verdict}: {}, {}{more}\n", counted(errors, "error"), counted(warnings, "warning"))
}

fn as_json(checked: &Checked, sources: &[Source], advice: Option<&Advice>) -> Value {
    let problems: Vec<Value> =
        checked.problems.iter().map(|problem| problem_json(problem, sources)).collect();
    let catalog =
        checked.catalog.as_ref().map(|catalog| json!({ "name": catalog.name(), "hash": catalog.hash() }));
    let (ok, omitted) = (checked.catalog.is_some(), checked.omitted);
    json!({ "version": CONTRACT_VERSION, "catalog": catalog, "ok": ok, "problems": problems, "omitted": omitted, "advice": advice })
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
