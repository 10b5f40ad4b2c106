//! `waypost route`: which route does a message need?

use std::path::Path;

use anyhow::Context;
use waypost::{Message, Router, Trace};

use super::definitions::{Asked, RouteFlags};
use super::output::Output;
use super::{Ending, batch, input};
use crate::report;

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &Asked<RouteFlags>, output: &mut Output) -> anyhow::Result<Ending> {
    let router = input::router(catalog)?;
    if let Some(file) = &asked.batch {
        return batch::run(file, output, |message| router.route(message));
    }
    let message = input::message(asked)?;
    let answered = match &asked.flags.trace {
        Some(file) => traced(&router, &message, file)?,
        None => router.route(&message),
    };
    let answer = match answered {
        Ok(answer) => answer,
        Err(error) => return refuse(&error, asked.json, output),
    };
    if asked.json {
        output.json(&answer)?;
    } else {
        output.text(&report::summary(&answer, output.paint()))?;
    }
    Ok(Ending::Good)
}

/// Says that a message cannot be answered, in the way that was asked for.
pub fn refuse(error: &waypost::Error, json: bool, output: &mut Output) -> anyhow::Result<Ending> {
    if json {
        let message = error.to_string();
        output.json(
            &serde_json::json!({ "version": 1, "error": { "code": error.code(), "message": message } }),
        )?;
    } else {
        output.complain(&anyhow::anyhow!(error.to_string()));
    }
    Ok(Ending::SomeBad)
}

fn traced(
    router: &Router,
    message: &Message,
    file: &Path,
) -> anyhow::Result<Result<waypost::Answer, waypost::Error>> {
    let trace: Trace = match router.trace(message) {
        Ok(trace) => trace,
        Err(error) => return Ok(Err(error)),
    };
    let json = serde_json::to_string_pretty(&trace)? + "\n";
    std::fs::write(file, json).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(Ok(trace.answer))
}
