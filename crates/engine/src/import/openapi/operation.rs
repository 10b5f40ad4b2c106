//! What is one operation as a tool? Its name, what it does, and one schema of everything it takes.

use serde_json::{Map, Value, json};

use super::refs::References;

/// Headers that OpenAPI describes elsewhere, and that nobody fills in for a call.
const NOT_PARAMETERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// An operation as the row of a tool.
pub fn tool(
    path: &str,
    method: &str,
    item: &Value,
    operation: &Value,
    references: &mut References<'_>,
) -> Value {
    let name =
        operation.get("operationId").and_then(Value::as_str).map(str::trim).filter(|id| !id.is_empty());
    let mut inputs = Inputs::default();
    for parameter in parameters(item, operation, references) {
        inputs.parameter(&parameter, references);
    }
    if let Some(body) = operation.get("requestBody") {
        let body = references.follow(body);
        inputs.body(&body, references);
    }
    let mut row = json!({
        "name": name.map_or_else(|| name_of(path, method), str::to_owned),
        "description": description(path, method, item, operation),
        "input_schema": inputs.schema(),
    });
    if let Some(row) = row.as_object_mut() {
        let tag = operation.pointer("/tags/0").filter(|tag| tag.is_string());
        row.extend(tag.map(|tag| ("category".to_owned(), tag.clone())));
        row.extend(hints(method).iter().map(|hint| ((*hint).to_owned(), json!(true))));
    }
    row
}

/// What a method promises of every operation, as HTTP defines it (RFC 9110, 9.2). Other methods promise nothing.
const fn hints(method: &str) -> &'static [&'static str] {
    match method.as_bytes() {
        b"get" | b"head" => &["read_only"],
        b"put" => &["idempotent"],
        b"delete" => &["idempotent", "destructive"],
        _ => &[],
    }
}

/// `GET /pets/{id}` is `get_pets_by_id`.
fn name_of(path: &str, method: &str) -> String {
    let mut words = vec![method.to_owned()];
    for part in path.split('/').filter(|part| !part.is_empty()) {
        if part.starts_with('{') {
            words.push("by".to_owned());
        }
        words.extend(
            part.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned),
        );
    }
    words.join("_")
}

/// The summary, then the description; the path where there is neither.
fn description(path: &str, method: &str, item: &Value, operation: &Value) -> String {
    let said = |key: &str| {
        let of = |value: &Value| value.get(key).and_then(Value::as_str).map(str::trim).map(str::to_owned);
        of(operation).or_else(|| of(item)).filter(|text| !text.is_empty())
    };
    match (said("summary"), said("description")) {
        (Some(summary), Some(more)) if more.starts_with(&summary) => more,
        (Some(summary), Some(more)) => format!("{summary}\n\n{more}"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => format!("{} {path}", method.to_uppercase()),
    }
}

/// The parameters of the path, and those of the operation, which stand for those of the path.
fn parameters(item: &Value, operation: &Value, references: &mut References<'_>) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for given in [item, operation].into_iter().filter_map(|of| of.get("parameters")?.as_array()).flatten() {
        let parameter = references.follow(given);
        let same = |other: &Value| {
            other.get("name") == parameter.get("name") && other.get("in") == parameter.get("in")
        };
        found.retain(|other| !same(other));
        found.push(parameter);
    }
    found
}

/// Everything an operation takes, in one object.
#[derive(Default)]
struct Inputs {
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl Inputs {
    fn parameter(&mut self, parameter: &Value, references: &mut References<'_>) {
        let text = |key: &str| parameter.get(key).and_then(Value::as_str).unwrap_or_default();
        let (name, place) = (text("name"), text("in"));
        let is_known = place == "header" && NOT_PARAMETERS.contains(&name.to_lowercase().as_str());
        if name.is_empty() || is_known {
            return;
        }
        let content = || parameter.get("content")?.as_object()?.values().next()?.get("schema");
        let schema = parameter.get("schema").or_else(content);
        let mut schema = schema.map_or(json!({}), |schema| references.schema(schema));
        if let (Some(object), Some(said)) = (schema.as_object_mut(), parameter.get("description")) {
            object.entry("description").or_insert_with(|| said.clone());
        }
        let required = place == "path" || parameter.get("required") == Some(&Value::Bool(true));
        self.put(name, place, schema, required);
    }

    /// The properties of a body that is an object; any other body whole, as `body`.
    fn body(&mut self, body: &Value, references: &mut References<'_>) {
        let Some(schema) = body.get("content").and_then(Value::as_object).and_then(schema_of) else { return };
        let needed = body.get("required") == Some(&Value::Bool(true));
        let mut schema = references.schema(schema);
        match properties_of(&schema).filter(|(properties, _)| !properties.is_empty()) {
            Some((properties, required)) => {
                for (name, property) in properties {
                    // What only answers hold is nothing to give.
                    if property.get("readOnly") != Some(&Value::Bool(true)) {
                        let required = needed && required.contains(&name);
                        self.put(&name, "body", property, required);
                    }
                }
            }
            None => {
                if let (Some(object), Some(said)) = (schema.as_object_mut(), body.get("description")) {
                    object.entry("description").or_insert_with(|| said.clone());
                }
                self.put("body", "request", schema, needed);
            }
        }
    }

    /// Puts a property under its name, or with its place before it where the name is taken.
    fn put(&mut self, name: &str, place: &str, schema: Value, required: bool) {
        let free = !self.properties.contains_key(name);
        let name = if free { name.to_owned() } else { format!("{place}_{name}") };
        if required && !self.required.contains(&name) {
            self.required.push(name.clone());
        }
        self.properties.insert(name, schema);
    }

    fn schema(self) -> Value {
        let mut schema = json!({ "type": "object", "properties": self.properties });
        if let (Some(object), false) = (schema.as_object_mut(), self.required.is_empty()) {
            object.insert("required".to_owned(), json!(self.required));
        }
        schema
    }
}

/// The schema of a body: as JSON where it can be, else as it comes.
fn schema_of(content: &Map<String, Value>) -> Option<&Value> {
    let rank = |kind: &str| {
        let bare = kind.split(';').next().unwrap_or_default().trim().to_lowercase();
        match bare.as_str() {
            "application/json" => 0,
            json if json.ends_with("+json") => 1,
            "*/*" | "application/*" => 2,
            "application/x-www-form-urlencoded" | "multipart/form-data" => 3,
            _ => 4,
        }
    };
    let best = content.iter().min_by_key(|(kind, _)| rank(kind))?;
    best.1.get("schema")
}

/// The properties of an object and which of them are required; those of all its parts, where it is `allOf` them.
fn properties_of(schema: &Value) -> Option<(Map<String, Value>, Vec<String>)> {
    // What may be one of several, or hold anything, has no list of properties that says it all.
    let is_open = |key: &str| schema.get(key).is_some_and(|value| !value.is_boolean());
    if !may_be_object(schema) || ["oneOf", "anyOf", "additionalProperties"].into_iter().any(is_open) {
        return None;
    }
    let mut properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let listed = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let mut required: Vec<String> = listed.filter_map(Value::as_str).map(str::to_owned).collect();
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        let (more, needed) = properties_of(part)?;
        properties.extend(more);
        required.extend(needed);
    }
    Some((properties, required))
}

fn may_be_object(schema: &Value) -> bool {
    match schema.get("type") {
        None => true,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        Some(kind) => kind == "object",
    }
}
