//! Which form must a reply have? The tool's schema, closed as endpoints want it to hold a model to it.

use serde_json::{Map, Value, json};

/// Keywords that endpoints understand; what is left out here is checked behind them all the same.
const KEPT: [&str; 10] = [
    "description",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
];
/// Formats that endpoints understand.
const FORMATS: [&str; 6] = ["date", "time", "date-time", "duration", "email", "uuid"];
/// Keywords that lead elsewhere or join schemas: what they say is left to the check.
const JOINS: [&str; 8] = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "$defs"];

/// A schema with these slots alone: `address.city` is a property of a property.
pub(super) fn of_slots(schema: &Value, slots: &[String]) -> Value {
    let mut kept = schema.clone();
    if let Some(properties) = kept.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, property| {
            let within =
                |slot: &String| slot.strip_prefix(name.as_str())?.strip_prefix('.').map(str::to_owned);
            let inner: Vec<String> = slots.iter().filter_map(within).collect();
            let whole = slots.contains(name);
            if !whole && !inner.is_empty() {
                *property = of_slots(property, &inner);
            }
            whole || !inner.is_empty()
        });
        let left: Vec<String> = properties.keys().cloned().collect();
        if let Some(required) = kept.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|name| name.as_str().is_some_and(|name| left.iter().any(|kept| kept == name)));
        }
    }
    kept
}

/// The form of a reply for a tool: `{tool, args, confidence, reason}`.
pub(super) fn of_reply(tool: &str, schema: Option<&Value>) -> Value {
    let args = schema.map_or_else(|| json!({ "type": "object" }), object);
    json!({
        "type": "object",
        "properties": {
            "tool": { "type": "string", "enum": [tool] },
            "args": args,
            "confidence": { "type": "number", "minimum": 0, "maximum": 1 },
            "reason": { "type": "string" },
        },
        "required": ["tool", "args", "confidence", "reason"],
        "additionalProperties": false,
    })
}

/// An object with all its properties needed, each of which may be null: what is not said.
fn object(schema: &Value) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object);
    let closed: Map<String, Value> =
        properties.into_iter().flatten().map(|(name, property)| (name.clone(), or_null(property))).collect();
    let required: Vec<&String> = closed.keys().collect();
    json!({ "type": "object", "properties": closed, "required": required, "additionalProperties": false })
}

fn or_null(property: &Value) -> Value {
    match plain(property) {
        Value::Object(open) if open.is_empty() => Value::Object(open),
        closed => json!({ "anyOf": [closed, { "type": "null" }] }),
    }
}

/// A schema in the few words that all endpoints know; what they would stumble over may be anything.
fn plain(schema: &Value) -> Value {
    let anything = json!({});
    let Some(given) = schema.as_object().filter(|given| !JOINS.iter().any(|join| given.contains_key(*join)))
    else {
        return anything;
    };
    let kind = match given.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        // A value or null: the null is added anyway.
        Some(Value::Array(kinds)) => {
            match kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null") {
                Some(kind) if kinds.len() <= 2 => kind,
                _ => return anything,
            }
        }
        None if given.contains_key("enum") || given.contains_key("const") => "",
        _ => return anything,
    };
    let mut closed: Map<String, Value> = match kind {
        "object" if given.contains_key("properties") => return object(schema),
        "array" => {
            let items = given.get("items").map_or_else(|| json!({}), plain);
            Map::from_iter([("type".to_owned(), kind.into()), ("items".to_owned(), items)])
        }
        "string" | "number" | "integer" | "boolean" => Map::from_iter([("type".to_owned(), kind.into())]),
        "" => Map::new(),
        _ => return anything,
    };
    let kept = KEPT.iter().filter_map(|key| Some(((*key).to_owned(), given.get(*key)?.clone())));
    // Until draft 4 an exclusive bound was a flag beside the bound.
    closed.extend(kept.filter(|(_, value)| !value.is_boolean()));
    let format =
        given.get("format").filter(|format| format.as_str().is_some_and(|format| FORMATS.contains(&format)));
    closed.extend(format.map(|format| ("format".to_owned(), format.clone())));
    Value::Object(closed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(property: &Value, expected: &Value) {
        let schema = json!({ "type": "object", "properties": { "a": property } });
        let form = of_reply("tool", Some(&schema));
        assert_eq!(form["properties"]["args"]["properties"]["a"], *expected);
        assert_eq!(form["properties"]["args"]["required"], json!(["a"]));
        assert_eq!(form["properties"]["tool"]["enum"], json!(["tool"]));
    }

    #[test]
    fn a_schema_is_narrowed_to_slots() {
        let schema = json!({ "type": "object", "required": ["a", "to"], "properties": {
            "a": { "type": "string" }, "b": { "type": "string" },
            "to": { "type": "object", "properties": { "city": { "type": "string" }, "zip": { "type": "string" } } } } });
        let narrowed = of_slots(&schema, &["b".to_owned(), "to.city".to_owned()]);
        let expected = json!({ "type": "object", "required": ["to"], "properties": {
            "b": { "type": "string" }, "to": { "type": "object", "properties": { "city": { "type": "string" } } } } });
        assert_eq!(narrowed, expected);
    }

    #[test]
    fn what_endpoints_know_is_kept_and_null_says_nothing() {
        let or_null = |closed: Value| json!({ "anyOf": [closed, { "type": "null" }] });
        check(
            &json!({ "type": "string", "enum": ["x"], "x-aliases": { "x": ["y"] }, "default": "x" }),
            &or_null(json!({ "type": "string", "enum": ["x"] })),
        );
        check(
            &json!({ "type": ["integer", "null"], "minimum": 1, "exclusiveMaximum": true }),
            &or_null(json!({ "type": "integer", "minimum": 1 })),
        );
        check(
            &json!({ "type": "array", "items": { "type": "string", "format": "date" }, "uniqueItems": true }),
            &or_null(json!({ "type": "array", "items": { "type": "string", "format": "date" } })),
        );
        check(&json!({ "$ref": "#/$defs/b" }), &json!({}));
        check(&json!({ "type": "dict" }), &json!({}));
        let inner = json!({ "type": "object", "properties": { "b": { "type": "boolean" } } });
        let closed = json!({
            "type": "object", "required": ["b"], "additionalProperties": false,
            "properties": { "b": { "anyOf": [{ "type": "boolean" }, { "type": "null" }] } }
        });
        check(&inner, &or_null(closed));
    }
}
