//! Which tools does a list name? Lists for OpenAI's interface, and rows of JSON.

use serde_json::Value;

use super::{ImportError, Imported, Owner};

/// Reads a list of tools as OpenAI's interface takes it: the list itself, or a request with its `tools`.
pub fn openai(name: &str, text: &str, server: Option<&str>) -> Result<Imported, ImportError> {
    let read = parse(name, text)?;
    let list = list_in(&read, &["tools", "functions"]).ok_or_else(|| ImportError::BadDocument {
        name: name.to_owned(),
        why: "expected a list of tools, or an object with such a list under `tools`".to_owned(),
    })?;
    Ok(Imported::gather(items(list), Owner::Unsaid(server)))
}

/// Reads tools row by row, as hand-made lists and `waypost import` write them. A bad row is told and passed over.
pub fn jsonl(text: &str, server: Option<&str>) -> Imported {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let rows = lines.map(|(line, number): (&str, usize)| {
        (format!("line {number}"), serde_json::from_str(line).map_err(|error| not_json(&error)))
    });
    Imported::gather(rows, Owner::Unsaid(server))
}

/// A document that is JSON.
pub(super) fn parse(name: &str, text: &str) -> Result<Value, ImportError> {
    serde_json::from_str(text).map_err(|error| ImportError::BadDocument {
        name: name.to_owned(),
        why: format!("not valid JSON: {error}"),
    })
}

/// The list that a value is, or has under one of these keys.
pub(super) fn list_in<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v Vec<Value>> {
    value.as_array().or_else(|| keys.iter().find_map(|key| value.get(key)?.as_array()))
}

/// The items of a list with their places.
pub(super) fn items(list: &[Value]) -> impl Iterator<Item = (String, Result<Value, String>)> {
    list.iter().zip(1..).map(|(item, number): (&Value, usize)| (format!("tool {number}"), Ok(item.clone())))
}

/// What is wrong with a row, with its column: the row is the line.
pub(super) fn not_json(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let why = said.split(" at line ").next().unwrap_or_default();
    format!("not valid JSON: {why} (column {})", error.column())
}
