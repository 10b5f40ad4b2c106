//! `waypost route`: which route does a message need?

use std::path::Path;

use anyhow::{Context, bail};
use serde_json::Value;
use waypost::arguments::{Interpreter, Request, ToolGiven};
use waypost::encode::BuiltIn;
use waypost::retrieve::Selected;
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
    let (data, shake) = (asked.data.as_deref(), input::handshakes(asked.handshake));
    let router = input::surrounded(input::cached(router), data, use_of_store, shake)?;
    let keep = |message: &Message, answer: &mut Answer| match use_of_store {
        StoreUse::Record => kept(&router, message, answer),
        StoreUse::Look => Kept::No,
    };
    let selected = asked.flags.selection.selected();
    let interpreter =
        asked.flags.args.then(|| Ok::<_, anyhow::Error>(Interpreter::new(&router, BuiltIn::shipped()?)));
    let interpreter = interpreter.transpose()?;
    let fill = |message: &Message, answer: &mut Answer| {
        if let Some(interpreter) = &interpreter {
            fill_first(interpreter, message, answer);
        }
    };
    if let Some(file) = &asked.batch {
        return batch::run(file, output, |message| {
            let mut answer = router.complete(message, selected)?;
            fill(message, &mut answer);
            keep(message, &mut answer);
            Ok(answer)
        });
    }
    let message = input::message(asked, router.catalog())?;
    let waiting = input::learning(&router);
    let answered = match &asked.flags.trace {
        Some(file) => traced(&router, &message, selected, file)?,
        None => router.complete(&message, selected),
    };
    waiting.finish_and_clear();
    let mut answer = match answered {
        Ok(answer) => answer,
        Err(error) => {
            output.refuse(&error, &router, asked.json)?;
            return Ok(Ending::Refused);
        }
    };
    fill(&message, &mut answer);
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
fn traced(
    router: &Router,
    message: &Message,
    selected: Selected,
    file: &Path,
) -> anyhow::Result<Result<Answer, Error>> {
    let traced = router.trace_complete(message, selected);
    if let Ok(trace) = &traced {
        let json = serde_json::to_string_pretty(trace)? + "\n";
        std::fs::write(file, json).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(traced.map(|trace| trace.answer))
}

/// Fills the arguments of the first tool of a decision, as `call`.
fn fill_first(interpreter: &Interpreter, message: &Message, answer: &mut Answer) {
    let Some(Value::Object(tool)) = answer.tools.first_mut() else { return };
    let text = |key: &str| tool.get(key).and_then(Value::as_str);
    let Some(name) = text("name") else { return };
    let name = text("server").map_or_else(|| name.to_owned(), |server| format!("{server}/{name}"));
    let request = Request {
        text: message.text.clone(),
        tool: Some(ToolGiven::Named(name)),
        session: message.session.clone(),
        environment: message.environment.clone(),
        session_id: message.session_id.clone(),
        history: message.history.clone(),
        ..Request::default()
    };
    let answered = interpreter.answer(&request).map_err(|refused| refused.to_string());
    match answered.and_then(|call| serde_json::to_value(call).map_err(|error| error.to_string())) {
        Ok(Value::Object(mut call)) => {
            call.retain(|key, _| CALL.contains(&key.as_str()));
            tool.insert("call".to_owned(), Value::Object(call));
        }
        Ok(_) => {}
        Err(error) => answer.notes.push(format!("no arguments: {error}")),
    }
}

/// What a decision tells of a call: the answer of `waypost args` without what the decision says itself.
const CALL: [&str; 9] =
    ["outcome", "args", "reason", "confidence", "matched_by", "slots", "calls", "clarification", "warnings"];
