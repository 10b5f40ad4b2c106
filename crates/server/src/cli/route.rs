//! `waypost route`: which route does a message need?

use std::path::Path;

use anyhow::{Context, bail};
use waypost::{Answer, Error, Message, Router};

use super::definitions::{Asked, RouteFlags};
use super::input::StoreUse;
use super::output::Output;
use super::{Ending, batch, input};
use crate::report::{self, Kept};

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &Asked<RouteFlags>, output: &mut Output) -> anyhow::Result<Ending> {
    if asked.flags.trace.as_deref() == Some(Path::new("-")) {
        bail!(
            "--trace needs a file: standard output is for the answer; `waypost explain --json` prints the trace"
        );
    }
    // One message that the rules decide does not wait for what was learned.
    let router = if asked.batch.is_some() { input::ready(catalog)? } else { input::router(catalog)? };
    let use_of_store = if asked.flags.record { StoreUse::Record } else { StoreUse::Look };
    let router = input::surrounded(router, asked.data.as_deref(), use_of_store)?;
    let keep = |message: &Message, answer: &mut Answer| match use_of_store {
        StoreUse::Record => kept(&router, message, answer),
        StoreUse::Look => Kept::No,
    };
    if let Some(file) = &asked.batch {
        return batch::run(file, output, |message| {
            let mut answer = router.climb(message)?;
            keep(message, &mut answer);
            Ok(answer)
        });
    }
    let message = input::message(asked)?;
    let waiting = input::learning(&router);
    let answered = match &asked.flags.trace {
        Some(file) => traced(&router, &message, file)?,
        None => router.climb(&message),
    };
    waiting.finish_and_clear();
    let mut answer = match answered {
        Ok(answer) => answer,
        Err(error) => {
            output.refuse(&error, &router, asked.json)?;
            return Ok(Ending::Refused);
        }
    };
    let kept = keep(&message, &mut answer);
    if asked.json {
        output.json(&answer)?;
    } else {
        output.text(&report::summary(&answer, kept, output.paint()))?;
    }
    Ok(Ending::Good)
}

/// Keeps a decision. One that cannot be kept is answered all the same, and says so.
fn kept(router: &Router, message: &Message, answer: &mut Answer) -> Kept {
    match router.keep(message, answer) {
        Ok(()) => Kept::Yes,
        Err(cause) => {
            answer.notes.push(format!("{cause}; the decision is not kept"));
            Kept::No
        }
    }
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
