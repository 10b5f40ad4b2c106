//! `waypost eval context`: how well are kinds of request told apart?

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use serde::de::Error as _;
use serde_json::{Value, json};
use waypost::Catalog;
use waypost::core::catalog::context::Labels;
use waypost::core::catalog::nearest;
use waypost::core::context::UNKNOWN;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::eval::{self, ContextPrediction, ContextReport, ContextRow};
use waypost::ports::observe;

use super::definitions::EvalContextFlags;
use super::output::Output;
use super::{Ending, input, rows};
use crate::report;

/// What a row has beside its labels.
const KEYS: [&str; 3] = ["text", "route", "entities"];

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &EvalContextFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let router = input::ready(catalog)?;
    // What is judged is the catalog, not the machine: whatever its routes need is there.
    let there = observe::everything_there(router.catalog());
    let router = router.with_observed(there);
    output.remarks(router.notes());
    let Some(labels) = router.catalog().context() else {
        bail!("the catalog {} tells no kinds of request apart; it has no `context`", router.catalog().name());
    };
    let (figures, predictions) = match &asked.test {
        Some(test) => {
            let rows: Vec<ContextRow> = rows::read(test, |line| row(labels, line))?;
            output.remarks(unknown_routes(router.catalog(), &rows));
            eval::judge_context(&router, &rows)?
        }
        None => eval::cross_judge_context(&router)?,
    };
    if let Some(file) = &asked.predictions {
        write(file, &predictions).with_context(|| format!("cannot write {}", file.display()))?;
    }
    if asked.json {
        let catalog = router.catalog();
        output.json(&json!({
            "version": CONTRACT_VERSION, "catalog": {"name": catalog.name(), "hash": catalog.hash()}, "context": figures,
        }))?;
    } else {
        output.text(&report::context_figures(&figures))?;
    }
    let missed = asked.min.and_then(|least| missed(&figures, least));
    output.remarks(&missed);
    Ok(if missed.is_some() { Ending::SomeBad } else { Ending::Good })
}

/// A row whose every label can be given. One that is misspelt would be judged by nothing, or never be right.
fn row(labels: &Labels, line: &str) -> serde_json::Result<ContextRow> {
    let row: ContextRow = serde_json::from_str(line)?;
    for (key, label) in &row.labels {
        check(labels, key, label).map_err(serde_json::Error::custom)?;
    }
    Ok(row)
}

fn check(labels: &Labels, key: &str, label: &Value) -> Result<(), String> {
    let meant = |near: Option<&str>, known: Vec<&str>| match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known are {}", known.join(", ")),
    };
    let layers = labels.layers();
    let Some(layer) = layers.iter().find(|layer| layer.name == key) else {
        let names = layers.iter().map(|layer| layer.name.as_str());
        let known: Vec<&str> = KEYS.into_iter().chain(names).collect();
        return Err(format!(
            "the catalog has no layer `{key}`; {}",
            meant(nearest(key, known.clone()), known)
        ));
    };
    let given = match label {
        Value::Null => return Ok(()),
        Value::String(given) => given.as_str(),
        other => return Err(format!("a label of `{key}` is a text, not {other}")),
    };
    let names = layer.labels.iter().map(|label| label.name.as_str());
    let known: Vec<&str> = names.chain([UNKNOWN]).collect();
    if known.contains(&given) {
        return Ok(());
    }
    Err(format!("`{key}` has no label `{given}`; {}", meant(nearest(given, known.clone()), known)))
}

/// Routes of rows that the catalog does not have: a file may be written for the labels of several catalogs.
fn unknown_routes(catalog: &Catalog, rows: &[ContextRow]) -> Option<String> {
    let known: BTreeSet<&str> = catalog.routes().map(|(_, route)| &*route.name).collect();
    let wanted = rows.iter().filter_map(|row| row.route.as_deref());
    let unknown: BTreeSet<&str> =
        wanted.filter(|route| !route.is_empty() && !known.contains(route)).collect();
    let first = unknown.iter().next()?;
    let name = catalog.name();
    Some(format!(
        "{} of the routes are not of the catalog {name}, such as {first:?}; they count as wrong",
        unknown.len()
    ))
}

fn write(file: &Path, predictions: &[ContextPrediction]) -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
    for prediction in predictions {
        serde_json::to_writer(&mut out, prediction)?;
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

/// What falls short of the accuracy asked for. Nothing judged is nothing reached.
fn missed(figures: &ContextReport, least: f64) -> Option<String> {
    let worst = figures.layers.iter().min_by(|one, other| one.accuracy.total_cmp(&other.accuracy));
    match worst {
        None => Some(format!("no row has a label of a layer, so nothing reaches the {least} asked for")),
        Some(layer) if layer.accuracy < least => {
            Some(format!("the accuracy of {} is below the {least} asked for", layer.name))
        }
        Some(_) => None,
    }
}
