//! How does an editor know the format? The same description, as a JSON Schema.

use serde_json::{Map, Value, json};

use super::format::CATALOG;
use super::shape::{Presence, Shape, Table};

/// The JSON Schema (draft 2020-12) of a catalog file.
pub fn schema() -> Value {
    let mut schema = table(&CATALOG);
    if let Some(object) = schema.as_object_mut() {
        object.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        object.insert("title".to_owned(), json!("Waypost catalog"));
    }
    schema
}

fn table(table: &Table) -> Value {
    let described = table.keys.iter().map(|key| {
        let mut value = shape(&key.shape);
        if let Some(object) = value.as_object_mut() {
            object.insert("description".to_owned(), json!(key.says));
        }
        (key.name.to_owned(), value)
    });
    let properties: Map<String, Value> = described.collect();
    let needed: Vec<&str> =
        table.keys.iter().filter(|key| key.presence == Presence::Needed).map(|key| key.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if let Some(object) = schema.as_object_mut() {
        if !needed.is_empty() {
            object.insert("required".to_owned(), json!(needed));
        }
        if !table.one_of.is_empty() {
            let ways: Vec<Value> = table.one_of.iter().map(|key| json!({ "required": [key] })).collect();
            object.insert("oneOf".to_owned(), json!(ways));
        }
    }
    schema
}

fn shape(of: &Shape) -> Value {
    match of {
        Shape::Text => json!({ "type": "string", "pattern": "\\S" }),
        Shape::Name => json!({ "type": "string", "pattern": "^\\p{Alphabetic}[\\p{Alphabetic}\\p{N}_.-]*$" }),
        Shape::Regex => json!({ "type": "string", "minLength": 1 }),
        Shape::Whole(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Shape::Share(least, most) => {
            json!({ "type": "number", "minimum": f64::from(*least) / 100.0, "maximum": f64::from(*most) / 100.0 })
        }
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Any => json!({}),
        Shape::Choice(words) => json!({ "enum": words }),
        Shape::List(item, 0) => json!({ "type": "array", "items": shape(item) }),
        Shape::List(item, least) => json!({ "type": "array", "items": shape(item), "minItems": least }),
        Shape::Dictionary(item) => json!({ "type": "object", "additionalProperties": shape(item) }),
        Shape::Table(keys) => table(keys),
        Shape::Either(shapes) => json!({ "anyOf": shapes.iter().map(shape).collect::<Vec<_>>() }),
    }
}
