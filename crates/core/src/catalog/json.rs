//! What does a value of a file say, as JSON?

use serde_json::{Map, Number, Value as Json};

use super::place::{Place, Source};
use super::problem::Problem;
use super::tree::{self, Node, Value};

/// Largest whole number that is one for sure where numbers have 53 bits.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// Reads a document that is YAML, or JSON, which is YAML too. Of a key given twice, the last value holds.
pub fn read_document(source: &Source) -> Result<Json, Vec<Problem>> {
    let (root, problems) = tree::read(source, 0);
    if problems.is_empty() { Ok(root.as_ref().map_or(Json::Null, from_node)) } else { Err(problems) }
}

/// A value as JSON; keys that are no texts are written as they would be.
pub(super) fn from_node(node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Flag(flag) => Json::Bool(*flag),
        Value::Number(number) => from_number(*number),
        Value::Text(text) => Json::String(text.clone()),
        Value::List(items) => Json::Array(items.iter().map(from_node).collect()),
        Value::Table(entries) => {
            let entries = entries.iter().map(|(key, value)| (as_key(key), from_node(value)));
            Json::Object(entries.collect::<Map<_, _>>())
        }
    }
}

fn as_key(node: &Node) -> String {
    node.text().map_or_else(|| from_node(node).to_string(), str::to_owned)
}

#[allow(clippy::cast_possible_truncation)] // whole, and far within the bounds
fn from_number(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() <= WHOLE_MAX {
        return Json::Number(Number::from(number as i64));
    }
    Number::from_f64(number).map_or(Json::Null, Json::Number)
}

/// A value of JSON as if it stood at a place.
pub(super) fn to_node(value: Json, place: Place) -> Node {
    let value = match value {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Flag(flag),
        Json::Number(number) => Value::Number(number.as_f64().unwrap_or_default()),
        Json::String(text) => Value::Text(text),
        Json::Array(items) => Value::List(items.into_iter().map(|item| to_node(item, place)).collect()),
        Json::Object(entries) => {
            let node = |(key, value)| (Node { place, value: Value::Text(key) }, to_node(value, place));
            Value::Table(entries.into_iter().map(node).collect())
        }
    };
    Node { place, value }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &Json) {
        let read = read_document(&Source::new("test.yaml", text)).unwrap();
        assert_eq!(&read, expected, "{text}");
        assert_eq!(&from_node(&to_node(read, Place::START)), expected, "there and back");
    }

    #[test]
    fn yaml_and_json_say_the_same() {
        check(
            "a: [1, -2.5, true, ~, 'x']\n200: {b: 1e3}",
            &json!({"a": [1, -2.5, true, null, "x"], "200": {"b": 1000}}),
        );
        check(r#"{"a": [1, 2.5], "b": {"c": "d"}}"#, &json!({"a": [1, 2.5], "b": {"c": "d"}}));
        check("", &Json::Null);
        check("openapi: 3.0.1\nbig: 1e300", &json!({"openapi": "3.0.1", "big": 1e300}));
    }

    #[test]
    fn what_is_neither_says_where() {
        let problems = read_document(&Source::new("test.yaml", "a: [1\nb: 2")).unwrap_err();
        assert_eq!(problems.len(), 1);
    }
}
