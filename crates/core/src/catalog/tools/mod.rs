//! Which tools are there, and what is known of each?

mod row;
pub(super) mod format;
pub(super) mod draft;
pub(super) mod compile;
pub(super) mod lines;
pub(super) mod defaults;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use row::BadRow;

/// Deepest objects of a schema that are looked into: what lies deeper says little about what a tool is for.
const SCHEMA_DEPTH_MAX: usize = 6;
/// Most parameters of one tool that are looked at; a schema with more is a data format, not a call.
const PARAMETERS_MAX: usize = 512;

/// Whether tools are held to their safety tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Safety {
    /// A message with personal data is given only to tools that are tagged for it.
    Enforce,
    /// It is not looked at.
    #[default]
    Off,
}

/// A tool, as it can be found and called.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// What answers call it: its own id where it has one, else its name.
    pub id: String,
    /// Its name, as callers must write it.
    pub name: String,
    /// The server that offers it. Servers may offer tools of one name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Its name as people read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does.
    #[serde(default)]
    pub description: String,
    /// Which arguments it takes, as JSON Schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
    /// Messages it serves well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub success_examples: Vec<String>,
    /// Messages that look as if it served them and that it does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anti_patterns: Vec<String>,
    /// What it can stand in for: tools of one category are alternates of each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Kinds of data it may be given, such as `pii`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub safety_tags: Vec<String>,
    /// Whether it changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// Whether it may delete or overwrite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// Whether the same call again changes nothing more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// Whether it reaches beyond its own data, such as a search of the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
    /// What a call costs, in units of the catalog's choice; less is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_estimate: Option<f64>,
    /// How long a call takes, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avg_latency_ms: Option<f64>,
    /// Which share of its calls fails, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_rate: Option<f64>,
    /// Whether it is always offered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
}

/// A parameter of a tool, at any depth of its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter<'t> {
    /// Its name.
    pub name: &'t str,
    /// What it is for; empty where nobody says.
    pub description: &'t str,
    /// The values it may take, where they are few texts.
    pub values: Vec<&'t str>,
}

impl Tool {
    /// `server/name`, or the name alone where no server is known.
    pub fn full_name(&self) -> String {
        match &self.server {
            Some(server) => format!("{server}/{}", self.name),
            None => self.name.clone(),
        }
    }

    /// The parameters of its schema, outer ones before those within them.
    pub fn parameters(&self) -> Vec<Parameter<'_>> {
        let mut found = Vec::new();
        if let Some(schema) = &self.input_schema {
            walk(schema, 0, &mut found);
        }
        found
    }
}

fn walk<'t>(schema: &'t Value, depth: usize, found: &mut Vec<Parameter<'t>>) {
    if depth > SCHEMA_DEPTH_MAX {
        return;
    }
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if found.len() >= PARAMETERS_MAX {
            return;
        }
        let values = property.get("enum").and_then(Value::as_array).into_iter().flatten();
        found.push(Parameter {
            name,
            description: property.get("description").and_then(Value::as_str).unwrap_or_default(),
            values: values.filter_map(Value::as_str).collect(),
        });
        walk(property, depth + 1, found);
    }
    if let Some(items) = schema.get("items") {
        walk(items, depth + 1, found);
    }
    for join in ["anyOf", "oneOf", "allOf"] {
        for part in schema.get(join).and_then(Value::as_array).into_iter().flatten() {
            walk(part, depth + 1, found);
        }
    }
}

#[cfg(test)]
mod tests;
