//! What does a foreign row say about a tool? MCP servers, OpenAI's interface and hand-made lists write it differently.

use std::fmt;

use serde_json::Value;

use super::Tool;

/// A row that is no tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    why: &'static str,
}

impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)
    }
}

impl std::error::Error for BadRow {}

impl Tool {
    /// Reads a tool as others write them: `parameters`, `input_schema`, `inputSchema` or `schema`; the whole within `function` or not.
    /// The hints of MCP's `annotations` count where the row has no field of its own for them. Unknown keys are ignored, and null
    /// counts as absent.
    pub fn from_row(row: &Value) -> Result<Tool, BadRow> {
        let bad = |why| BadRow { why };
        let whole = row.as_object().ok_or_else(|| bad("a tool is an object with a name"))?;
        let inner = whole.get("function").filter(|function| function.is_object()).unwrap_or(row);
        let get = |key: &str| inner.get(key).or_else(|| row.get(key)).filter(|value| !value.is_null());
        let text = |key: &str| get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        let texts = |key: &str| -> Vec<String> {
            match get(key) {
                Some(Value::String(one)) => vec![one.clone()],
                Some(Value::Array(many)) => {
                    many.iter().filter_map(Value::as_str).map(str::to_owned).collect()
                }
                _ => Vec::new(),
            }
        };
        let number = |key: &str| get(key).and_then(Value::as_f64).filter(|number| number.is_finite());
        let annotations = get("annotations");
        let hint = |key: &str, hint: &str| {
            let listed = annotations.and_then(|hints| hints.get(hint));
            get(key).or(listed).and_then(Value::as_bool)
        };
        let title = annotations.and_then(|hints| hints.get("title")).and_then(Value::as_str);
        let name = text("name").ok_or_else(|| bad("a tool needs a name that is not empty"))?;
        let schema = ["input_schema", "inputSchema", "parameters", "schema"].into_iter().find_map(get);
        Ok(Tool {
            id: text("id").unwrap_or(name).to_owned(),
            name: name.to_owned(),
            server: text("server").map(str::to_owned),
            title: text("title").or(title).map(str::to_owned),
            description: text("description").unwrap_or_default().to_owned(),
            input_schema: schema.filter(|schema| schema.is_object()).cloned(),
            success_examples: texts("success_examples"),
            anti_patterns: texts("anti_patterns"),
            category: text("category").map(str::to_owned),
            safety_tags: texts("safety_tags"),
            read_only: hint("read_only", "readOnlyHint"),
            destructive: hint("destructive", "destructiveHint"),
            idempotent: hint("idempotent", "idempotentHint"),
            open_world: hint("open_world", "openWorldHint"),
            cost_estimate: number("cost_estimate"),
            avg_latency_ms: number("avg_latency_ms"),
            error_rate: number("error_rate"),
            pinned: get("pinned").and_then(Value::as_bool).unwrap_or_default(),
        })
    }
}
