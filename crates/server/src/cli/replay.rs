//! `waypost replay`: would it be decided the same way again?

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use serde_json::Value;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::{Error, Router, SHIPPED, Trace};

use super::definitions::ReplayFlags;
use super::output::Output;
use super::{Ending, input};

/// Longest trace read, in bytes: a megabyte of message, told several times over, takes a tenth.
const TRACE_BYTES_MAX: u64 = 64 << 20;

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
    let differs = differing(&recorded, &replay.trace)?;
    if asked.json {
        output.json(&serde_json::json!({
            "version": CONTRACT_VERSION, "id": recorded.answer.id, "catalog": recorded.answer.catalog,
            "same": replay.same, "differs": differs, "recorded": recorded.answer, "replayed": replay.trace.answer,
        }))?;
    } else {
        let route = replay.trace.answer.route.as_deref().unwrap_or("no route");
        let verdict = match differs.join(", ") {
            _ if replay.same => "the same, byte for byte".to_owned(),
            fields => format!("not the same; these differ: {fields}"),
        };
        output.text(&format!("{} {route}: {verdict}\n", replay.trace.answer.outcome.name()))?;
    }
    Ok(if replay.same { Ending::Good } else { Ending::SomeBad })
}

/// The fields of the trace, and of its answer, that are not the same.
fn differing(recorded: &Trace, replayed: &Trace) -> anyhow::Result<Vec<String>> {
    let (then, now) = (serde_json::to_value(recorded)?, serde_json::to_value(replayed)?);
    let fields = |at: &str| -> Vec<String> {
        let (Some(Value::Object(then)), Some(Value::Object(now))) = (then.pointer(at), now.pointer(at))
        else {
            return Vec::new();
        };
        then.iter().filter(|(key, value)| now.get(*key) != Some(value)).map(|(key, _)| key.clone()).collect()
    };
    let outer = fields("").into_iter().filter(|field| field != "answer");
    Ok(fields("/answer").into_iter().map(|field| format!("answer.{field}")).chain(outer).collect())
}

fn read(file: &Path) -> anyhow::Result<Trace> {
    let mut text = String::new();
    let result = match file.to_str() {
        Some("-") => std::io::stdin().lock().take(TRACE_BYTES_MAX).read_to_string(&mut text),
        _ => std::fs::File::open(file)
            .and_then(|opened| opened.take(TRACE_BYTES_MAX).read_to_string(&mut text)),
    };
    result.with_context(|| format!("cannot read {}", file.display()))?;
    let hint = || format!("{} is not a trace; `waypost route --trace FILE` writes one", file.display());
    serde_json::from_str(&text).with_context(hint)
}
