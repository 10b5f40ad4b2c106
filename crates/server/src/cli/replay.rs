//! `waypost replay`: would it be decided the same way again?

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use waypost::{Error, Router, SHIPPED, Trace};

use super::definitions::ReplayFlags;
use super::output::Output;
use super::{Ending, input};

/// Runs the command. Without `--catalog` a trace of a shipped catalog is replayed by that one.
pub fn run(catalog: Option<&str>, asked: &ReplayFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let recorded = read(&asked.file)?;
    let made_by = &recorded.answer.catalog.name;
    let shipped = SHIPPED.iter().map(|shipped| shipped.name).find(|name| name == made_by);
    let router: Router = input::router(catalog.or(shipped))?;
    let replay = match router.replay(&recorded) {
        Ok(replay) => replay,
        Err(error @ Error::AnotherCatalog { .. }) => {
            return Err(anyhow::Error::new(error)
                .context("the trace cannot be replayed; give its catalog with --catalog"));
        }
        Err(error) => return Err(error.into()),
    };
    if asked.json {
        output.json(&serde_json::json!({
            "version": 1, "id": recorded.answer.id, "catalog": recorded.answer.catalog, "same": replay.same,
            "recorded": recorded.answer, "replayed": replay.trace.answer,
        }))?;
    } else {
        let route = replay.trace.answer.route.as_deref().unwrap_or("no route");
        let verdict = if replay.same { "the same, byte for byte" } else { "not the same" };
        output.text(&format!("{} {route}: {verdict}\n", replay.trace.answer.outcome.name()))?;
    }
    Ok(if replay.same { Ending::Good } else { Ending::SomeBad })
}

fn read(file: &Path) -> anyhow::Result<Trace> {
    let mut text = String::new();
    let result = match file.to_str() {
        Some("-") => std::io::stdin().lock().read_to_string(&mut text),
        _ => std::fs::File::open(file).and_then(|mut opened| opened.read_to_string(&mut text)),
    };
    result.with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not a trace", file.display()))
}
