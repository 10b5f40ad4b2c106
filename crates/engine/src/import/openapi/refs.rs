//! What do references stand for? `$ref` within the document, put in place; what cannot be is left open, and told.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Most references within each other that are put in place: what lies deeper says little about a call.
const DEPTH_MAX: usize = 12;
/// Most references in a row that lead to each other before it is a circle.
const CHAIN_MAX: usize = 16;
/// Most values of one operation's schema: stops documents whose references multiply.
const VALUES_MAX: usize = 20_000;
/// Keys of a schema whose values are data, in which nothing is a reference.
const DATA: [&str; 5] = ["default", "example", "examples", "enum", "const"];
/// Keys that only OpenAPI knows, and no caller needs.
const FOREIGN: [&str; 4] = ["nullable", "xml", "externalDocs", "discriminator"];

/// The references of a document.
pub struct References<'d> {
    document: &'d Value,
    values: usize,
    elsewhere: BTreeSet<String>,
    missing: BTreeSet<String>,
}

impl<'d> References<'d> {
    pub fn new(document: &'d Value) -> References<'d> {
        References { document, values: 0, elsewhere: BTreeSet::new(), missing: BTreeSet::new() }
    }

    /// What a value is, after the references that it leads to.
    pub fn follow(&mut self, value: &Value) -> Value {
        let mut current = value;
        for _ in 0..CHAIN_MAX {
            let Some(reference) = reference(current) else { return current.clone() };
            match self.find(reference) {
                Some(found) => current = found,
                None => break,
            }
        }
        Value::Object(Map::new())
    }

    /// A schema with its references put in place.
    pub fn schema(&mut self, schema: &Value) -> Value {
        self.values = 0;
        self.resolve(schema, &mut Vec::new())
    }

    fn resolve(&mut self, value: &Value, within: &mut Vec<String>) -> Value {
        self.values += 1;
        match value {
            Value::Object(object) => match reference(value) {
                Some(to) => self.put_in_place(to, object, within),
                None => self.resolve_object(object, within),
            },
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.resolve(item, within)).collect())
            }
            plain => plain.clone(),
        }
    }

    /// What stands beside a reference counts more than what it leads to.
    fn put_in_place(&mut self, to: &str, beside: &Map<String, Value>, within: &mut Vec<String>) -> Value {
        let circle = within.iter().any(|outer| outer == to);
        let beside: Map<String, Value> = beside
            .iter()
            .filter(|(key, _)| *key != "$ref")
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let mut found = Value::Object(Map::new());
        let far = within.len() >= DEPTH_MAX || self.values >= VALUES_MAX;
        if !circle
            && !far
            && let Some(target) = self.find(to)
        {
            within.push(to.to_owned());
            found = self.resolve(target, within);
            within.pop();
        }
        if let Value::Object(object) = &mut found {
            let beside = self.resolve_object(&beside, within);
            object.extend(beside.as_object().cloned().unwrap_or_default());
        }
        found
    }

    fn resolve_object(&mut self, object: &Map<String, Value>, within: &mut Vec<String>) -> Value {
        let mut resolved = Map::new();
        for (key, value) in object {
            // A property may be called anything, also what is foreign to schemas.
            let value = match key.as_str() {
                "properties" | "patternProperties" | "$defs" => self.resolve_named(value, within),
                name if DATA.contains(&name) => value.clone(),
                name if FOREIGN.contains(&name) => continue,
                _ => self.resolve(value, within),
            };
            resolved.insert(key.clone(), value);
        }
        if object.get("nullable") == Some(&Value::Bool(true)) {
            allow_null(&mut resolved);
        }
        Value::Object(resolved)
    }

    fn resolve_named(&mut self, value: &Value, within: &mut Vec<String>) -> Value {
        let Value::Object(schemas) = value else { return value.clone() };
        let resolved = schemas.iter().map(|(name, schema)| (name.clone(), self.resolve(schema, within)));
        Value::Object(resolved.collect())
    }

    fn find(&mut self, reference: &str) -> Option<&'d Value> {
        let Some(pointer) = reference.strip_prefix('#') else {
            self.elsewhere.insert(reference.to_owned());
            return None;
        };
        let found = self.document.pointer(&unescape(pointer));
        if found.is_none() {
            self.missing.insert(reference.to_owned());
        }
        found
    }

    /// What could not be put in place.
    pub fn notes(&self) -> Vec<String> {
        let named = |references: &BTreeSet<String>| references.iter().cloned().collect::<Vec<_>>().join(", ");
        let elsewhere = (!self.elsewhere.is_empty())
            .then(|| format!("references to other documents are left open: {}", named(&self.elsewhere)));
        let missing = (!self.missing.is_empty())
            .then(|| format!("references to nothing are left open: {}", named(&self.missing)));
        elsewhere.into_iter().chain(missing).collect()
    }
}

fn reference(value: &Value) -> Option<&str> {
    value.get("$ref").and_then(Value::as_str)
}

/// `nullable` of OpenAPI 3.0, as JSON Schema says it.
fn allow_null(schema: &mut Map<String, Value>) {
    if let Some(Value::String(kind)) = schema.get("type") {
        let kinds = serde_json::json!([kind, "null"]);
        schema.insert("type".to_owned(), kinds);
    }
}

/// Percent signs of an address undone, as far as pointers need it.
fn unescape(pointer: &str) -> String {
    pointer.replace("%7B", "{").replace("%7D", "}").replace("%20", " ").replace("%2F", "/")
}
