//! `waypost args`: with which values is a tool called?

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};
use waypost::arguments::{Answer, ColumnGiven, Interpreter, Request, ToolGiven};
use waypost::core::message::{Fact, Turn};
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::BuiltIn;
use waypost::ports::conversation::{Event, Events};

use super::batch::{self, Bad, Pace};
use super::definitions::ArgsFlags;
use super::input::StoreUse;
use super::output::Output;
use super::{Ending, chat, input, llm};
use crate::report;

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &ArgsFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let events = chat::events(&asked.events);
    let ending = answer(catalog, asked, events.as_ref(), output)?;
    if let Some(lost) = events.and_then(Events::finish) {
        output.remark(&lost);
    }
    Ok(ending)
}

fn answer(
    catalog: Option<&str>,
    asked: &ArgsFlags,
    events: Option<&Events>,
    output: &mut Output,
) -> anyhow::Result<Ending> {
    let router = input::cached(input::router(catalog)?);
    let router = input::surrounded(router, None, StoreUse::Look, input::handshakes(false))?;
    let interpreter = Interpreter::new(&router, BuiltIn::shipped()?);
    let interpreter = llm::with_models(interpreter, &asked.llm, asked.reader.as_deref())?;
    let tool = match (&asked.schema, &asked.tool) {
        (Some(file), _) => Some(ToolGiven::Described(tool_of(file)?)),
        (None, Some(name)) => Some(ToolGiven::Named(name.clone())),
        (None, None) => None,
    };
    if let Some(tool) = &tool {
        interpreter.get_ready(tool)?;
    }
    if let Some(file) = &asked.batch {
        return batch::each(file, output, Pace::WhenWaiting, "one with `text`", |row| {
            let row: Request = serde_json::from_str(row).map_err(|error| Bad::unread(&error))?;
            let among = !row.tools.is_empty();
            let request = Request {
                tool: row.tool.or_else(|| tool.clone().filter(|_| !among)),
                now: row.now.or_else(|| asked.now.clone()),
                locale: row.locale.or_else(|| asked.locale.clone()),
                ..row
            };
            let answered = interpreter.answer(&request);
            let answer = answered.map_err(|refused| Bad::new(refused.code(), refused.to_string()))?;
            tell(events, &interpreter, &request, &answer);
            Ok(answer)
        });
    }
    let request = request(asked, tool)?;
    if asked.mentions {
        let found = interpreter.mentions(&request)?;
        if asked.json {
            output.json(&json!({ "version": CONTRACT_VERSION, "mentions": found }))?;
        } else {
            output.text(&report::mentions(&found, output.paint()))?;
        }
        return Ok(Ending::Good);
    }
    let answer = interpreter.answer(&request)?;
    tell(events, &interpreter, &request, &answer);
    if asked.json {
        output.json(&answer)?;
    } else {
        output.text(&report::args(&answer, &request.text, output.paint()))?;
    }
    Ok(Ending::Good)
}

/// Tells what was answered, where somebody wants to be told.
fn tell(events: Option<&Events>, interpreter: &Interpreter, request: &Request, answer: &Answer) {
    if let Some(events) = events {
        let text = events.text(interpreter.catalog(), &request.text);
        events.tell(&Event::answered(request.session_id.as_deref(), answer, text));
    }
}

fn request(asked: &ArgsFlags, tool: Option<ToolGiven>) -> anyhow::Result<Request> {
    let memory = asked.memory.as_deref().map(|memory| object(memory, "--memory")).transpose()?;
    Ok(Request {
        text: input::text(&asked.text)?,
        tool,
        options: asked.options.iter().map(|option| Value::String(option.trim().to_owned())).collect(),
        memory: memory.unwrap_or_default().into_iter().collect(),
        session: session(&asked.session)?,
        environment: input::facts(&asked.environment)?,
        columns: asked.columns.as_deref().map(columns).transpose()?,
        now: asked.now.clone(),
        history: asked.history.iter().map(|turn| Turn::Text(turn.clone())).collect(),
        locale: asked.locale.clone(),
        about: asked.about.clone(),
        ..Request::default()
    })
}

fn object(written: &str, flag: &str) -> anyhow::Result<Map<String, Value>> {
    serde_json::from_str(written).with_context(|| format!("{flag} wants a JSON object, not {written:?}"))
}

/// Facts as JSON objects or as `key=value`.
fn session(written: &[String]) -> anyhow::Result<BTreeMap<String, Fact>> {
    let (objects, pairs): (Vec<&String>, Vec<&String>) =
        written.iter().partition(|written| written.trim_start().starts_with('{'));
    let mut facts = input::facts(pairs)?;
    for written in objects {
        let read: BTreeMap<String, Fact> = serde_json::from_str(written)
            .with_context(|| format!("--session wants facts as a JSON object, not {written:?}"))?;
        facts.extend(read);
    }
    Ok(facts)
}

/// Columns as a JSON list, or as names with commas between them.
fn columns(written: &str) -> anyhow::Result<Vec<ColumnGiven>> {
    if written.trim_start().starts_with('[') {
        return serde_json::from_str(written).with_context(|| format!("--columns cannot read {written:?}"));
    }
    let names = written.split(',').map(str::trim).filter(|name| !name.is_empty());
    Ok(names.map(|name| ColumnGiven::Named(name.to_owned())).collect())
}

/// A tool from a file: as rows describe it, or the schema of its arguments alone, which the file then gives its name to.
pub fn tool_of(file: &Path) -> anyhow::Result<Map<String, Value>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let read: Value =
        serde_json::from_str(&text).with_context(|| format!("{} is no JSON", file.display()))?;
    match read {
        Value::Object(tool) if tool.contains_key("name") || tool.contains_key("function") => Ok(tool),
        schema @ Value::Object(_) => {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Ok(Map::from_iter([("name".to_owned(), Value::String(name)), ("schema".to_owned(), schema)]))
        }
        _ => bail!("{} holds neither a tool nor a schema; both are JSON objects", file.display()),
    }
}
