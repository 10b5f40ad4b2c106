//! Are tools read as others write them?

use serde_json::{Value, json};

use super::{Parameter, Tool};

#[track_caller]
fn read(row: &Value) -> Tool {
    Tool::from_row(row).unwrap()
}

#[test]
fn the_same_tool_is_read_from_every_shape() {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    let plain = Tool {
        id: "weather".into(),
        name: "weather".into(),
        description: "Tells the weather".into(),
        input_schema: Some(schema.clone()),
        ..Tool::default()
    };
    for row in [
        json!({"name": "weather", "description": "Tells the weather", "parameters": schema}),
        json!({"name": "weather", "description": "Tells the weather", "inputSchema": schema, "annotations": {}}),
        json!({"type": "function", "function": {"name": "weather", "description": "Tells the weather", "parameters": schema}}),
        json!({"name": "weather", "description": "Tells the weather", "input_schema": schema, "parameters": null}),
    ] {
        assert_eq!(read(&row), plain, "{row}");
    }
    let full = read(&json!({
        "id": "w1", "name": "weather", "server": "sky", "description": null, "parameters": null,
        "success_examples": ["rain today?"], "anti_patterns": "climate", "category": "lookup", "safety_tags": ["pii"],
        "cost_estimate": 0.5, "avg_latency_ms": 120, "pinned": true, "colour": "blue"
    }));
    assert_eq!((full.id.as_str(), full.server.as_deref()), ("w1", Some("sky")));
    assert_eq!(full.anti_patterns, ["climate"]);
    assert!(full.pinned && full.input_schema.is_none() && full.description.is_empty());
}

#[test]
fn what_is_no_tool_says_why() {
    let why = |row: Value| Tool::from_row(&row).unwrap_err().to_string();
    assert_eq!(why(json!([])), "a tool is an object with a name");
    assert_eq!(why(json!({"name": " "})), "a tool needs a name that is not empty");
    assert_eq!(why(json!({"description": "x"})), "a tool needs a name that is not empty");
}

#[test]
fn parameters_are_found_at_every_depth() {
    let tool = read(&json!({"name": "book", "parameters": {"properties": {
        "room": {"description": "Which room", "enum": ["red", "blue", 3]},
        "guests": {"type": "array", "items": {"properties": {"age": {"description": "In years"}}}},
        "when": {"anyOf": [{"properties": {"day": {}}}, {"type": "null"}]},
    }}}));
    let found = tool.parameters();
    let names: Vec<&str> = found.iter().map(|parameter| parameter.name).collect();
    assert_eq!(names, ["guests", "age", "room", "when", "day"]);
    let room = Parameter { name: "room", description: "Which room", values: vec!["red", "blue"] };
    assert_eq!(found[2], room);
    // However deep a schema goes, it ends.
    let deep = (0..100).fold(json!({}), |inner, _| json!({"properties": {"x": inner}}));
    assert!(read(&json!({"name": "deep", "parameters": deep})).parameters().len() < 10);
}
