//! Which tools does an OpenAPI document describe? One an operation.

mod refs;
mod operation;

use serde_json::Value;
use waypost_core::catalog::{Source, read_document};

use super::{ImportError, Imported, Owner};
use operation::tool;
use refs::References;

/// The methods of a path, in the order documents have them.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// Reads an OpenAPI 3 document, as JSON or YAML. Its tools are those of `server`, else of its title.
pub fn read(name: &str, text: &str, server: Option<&str>) -> Result<Imported, ImportError> {
    let bad = |why: String| ImportError::BadDocument { name: name.to_owned(), why };
    let document = parse(name, text)?;
    require_version(&document).map_err(bad)?;
    let Some(paths) = document.get("paths").and_then(Value::as_object) else {
        return Err(bad("it has no `paths`, so there is nothing to call".to_owned()));
    };
    let title = document.pointer("/info/title").and_then(Value::as_str).map(slug).unwrap_or_default();
    let server = server.map_or(title, str::to_owned);
    let mut references = References::new(&document);
    let mut rows = Vec::new();
    for (path, item) in paths {
        let item = references.follow(item);
        for method in METHODS {
            if let Some(operation) = item.get(method) {
                let place = format!("{} {path}", method.to_uppercase());
                let made = if operation.is_object() {
                    Ok(tool(path, method, &item, operation, &mut references))
                } else {
                    Err("an operation is an object".to_owned())
                };
                rows.push((place, made));
            }
        }
    }
    let owner = if server.is_empty() { Owner::Unsaid(None) } else { Owner::Always(&server) };
    let mut imported = Imported::gather(rows, owner);
    imported.notes.extend(references.notes());
    Ok(imported)
}

/// JSON is tried first, since some of it is beyond readers of YAML.
fn parse(name: &str, text: &str) -> Result<Value, ImportError> {
    if let Ok(document) = serde_json::from_str(text) {
        return Ok(document);
    }
    let source = Source::new(name, text);
    read_document(&source).map_err(|problems| {
        let told: Vec<String> =
            problems.iter().map(|problem| problem.show(std::slice::from_ref(&source))).collect();
        ImportError::BadDocument {
            name: name.to_owned(),
            why: format!("neither JSON nor YAML\n{}", told.join("\n")),
        }
    })
}

fn require_version(document: &Value) -> Result<(), String> {
    let version = document.get("openapi").map(|version| match version {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    match version {
        Some(version) if version == "3" || version.starts_with("3.") => Ok(()),
        Some(version) => Err(format!("it is OpenAPI {version}; only 3.x is read")),
        None if document.get("swagger").is_some() => {
            Err("it is Swagger 2; convert it to OpenAPI 3 first, for instance with swagger2openapi"
                .to_owned())
        }
        None => Err("it has no key `openapi`, so it is no OpenAPI document".to_owned()),
    }
}

/// A title as a name: `Pet Store API` is `pet-store-api`.
fn slug(title: &str) -> String {
    let lower = title.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests;
