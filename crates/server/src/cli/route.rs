//! `waypost route`: which route does a message need?

use std::path::Path;

use anyhow::Context;
use waypost::{Answer, Error, Message, Router};

use super::definitions::{Asked, RouteFlags};
use super::output::Output;
use super::{Ending, batch, input, progress};
use crate::report;

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &Asked<RouteFlags>, output: &mut Output) -> anyhow::Result<Ending> {
    // One message that the rules decide does not wait for what was learned.
    let router = if asked.batch.is_some() { input::ready(catalog)? } else { input::router(catalog)? };
    if let Some(file) = &asked.batch {
        return batch::run(file, output, |message| router.climb(message));
    }
    let message = input::message(asked)?;
    let waiting = progress::waiting("learning from the examples");
    let answered = match &asked.flags.trace {
        Some(file) => traced(&router, &message, file)?,
        None => router.climb(&message),
    };
    waiting.finish_and_clear();
    let answer = match answered {
        Ok(answer) => answer,
        Err(error) => {
            output.refuse(&error, &router, asked.json)?;
            return Ok(Ending::SomeBad);
        }
    };
    if asked.json {
        output.json(&answer)?;
    } else {
        output.text(&report::summary(&answer, output.paint()))?;
    }
    Ok(Ending::Good)
}

/// Decides, and keeps the whole account in a file.
fn traced(router: &Router, message: &Message, file: &Path) -> anyhow::Result<Result<Answer, Error>> {
    let traced = router.trace(message);
    if let Ok(trace) = &traced {
        let json = serde_json::to_string_pretty(trace)? + "\n";
        std::fs::write(file, json).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(traced.map(|trace| trace.answer))
}
