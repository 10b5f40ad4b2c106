//! Is every operation a tool with one schema?

use serde_json::{Value, json};

use super::{read, slug};
use crate::import::Imported;

fn import(document: &Value) -> Imported {
    read("api.json", &document.to_string(), None).unwrap()
}

/// The schema of the one operation of a document.
#[track_caller]
fn check(operation: &Value, components: &Value, expected: &Value) {
    let document = json!({
        "openapi": "3.0.3", "info": {"title": "T"}, "components": components,
        "paths": {"/pets/{id}": {"parameters": [{"name": "id", "in": "path", "schema": {"type": "string"}}], "post": operation}},
    });
    let imported = import(&document);
    assert_eq!(imported.tools[0].input_schema.as_ref(), Some(expected), "{operation}");
}

fn takes(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

fn body(schema: &Value, required: bool) -> Value {
    json!({"requestBody": {"required": required, "content": {"text/plain": {}, "application/json": {"schema": schema}}}})
}

#[test]
fn names_and_words_come_from_the_operation() {
    let imported = import(&json!({
        "openapi": "3.1.0", "info": {"title": "Pet Store: API"},
        "paths": {
            "/pets/{id}": {"get": {"operationId": "getPet", "summary": "Gets a pet", "description": "Any pet."}, "delete": {}, "put": 7},
            "/pets": {"summary": "All pets", "get": {"summary": "Lists", "description": "Lists all."}, "post": {}},
        },
    }));
    let told: Vec<(&str, &str)> =
        imported.tools.iter().map(|tool| (tool.name.as_str(), tool.description.as_str())).collect();
    assert_eq!(
        told,
        [
            ("delete_pets_by_id", "DELETE /pets/{id}"),
            ("getPet", "Gets a pet\n\nAny pet."),
            ("get_pets", "Lists all."),
            ("post_pets", "All pets"),
        ]
    );
    assert!(imported.tools.iter().all(|tool| tool.server.as_deref() == Some("pet-store-api")));
    assert_eq!(imported.bad[0].place, "PUT /pets/{id}");
    assert_eq!(slug("  "), "");
}

#[test]
fn parameters_and_body_are_one_schema() {
    let id = json!({"type": "string"});
    check(&json!({}), &json!({}), &takes(&json!({"id": id}), &["id"]));
    check(
        &json!({"parameters": [
            {"name": "id", "in": "path", "schema": {"type": "integer"}, "description": "Which"},
            {"name": "id", "in": "query", "required": true, "schema": {"type": "string"}},
            {"name": "Authorization", "in": "header", "schema": {}},
            {"name": "X-Trace", "in": "header", "content": {"application/json": {"schema": {"type": "object"}}}},
            {"name": "who", "in": "cookie"},
        ]}),
        &json!({}),
        &takes(
            &json!({"id": {"type": "integer", "description": "Which"}, "query_id": id, "X-Trace": {"type": "object"}, "who": {}}),
            &["id", "query_id"],
        ),
    );
    let pet = json!({"type": "object", "required": ["name", "id"], "properties": {
        "name": {"type": "string", "nullable": true}, "id": {"type": "integer"}, "at": {"readOnly": true}}});
    let named = json!({"type": ["string", "null"]});
    let both = json!({"id": id, "body_id": {"type": "integer"}, "name": named});
    check(&body(&pet, true), &json!({}), &takes(&both, &["id", "body_id", "name"]));
    check(&body(&pet, false), &json!({}), &takes(&both, &["id"]));
    let components = json!({"schemas": {"Pet": {"allOf": [{"$ref": "#/components/schemas/Named"}, {"description": "A pet"}, {"required": ["name"], "description": "D"}]},
        "Named": {"properties": {"name": {"type": "string"}}}}});
    let name = json!({"id": id, "name": {"type": "string"}});
    check(
        &body(&json!({"$ref": "#/components/schemas/Pet"}), true),
        &components,
        &takes(&name, &["id", "name"]),
    );
    let list = json!({"type": "array", "items": {"type": "string"}});
    check(&body(&list, true), &json!({}), &takes(&json!({"id": id, "body": list}), &["id", "body"]));
    let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
    check(&body(&map, false), &json!({}), &takes(&json!({"id": id, "body": map}), &["id"]));
}

#[test]
fn references_end_wherever_they_lead() {
    let node = json!({"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}});
    let components = json!({"schemas": {"Node": node}, "parameters": {"P": {"name": "p", "in": "query"}}});
    let once = json!({"type": "object", "properties": {"next": {}}});
    let id = json!({"type": "string"});
    check(
        &json!({"parameters": [{"$ref": "#/components/parameters/P"}],
            "requestBody": {"content": {"application/vnd.x+json": {"schema": {"properties": {"node": {"$ref": "#/components/schemas/Node"}}}}}}}),
        &components,
        &takes(&json!({"id": id, "p": {}, "node": once}), &["id"]),
    );
    // References that double at every step would fill the memory.
    let doubling = |n: usize| json!({"properties": {"a": {"$ref": format!("#/components/schemas/S{n}")}, "b": {"$ref": format!("#/components/schemas/S{n}")}}});
    let schemas: serde_json::Map<String, Value> =
        (0..60).map(|n| (format!("S{n}"), doubling(n + 1))).collect();
    let imported = import(&json!({
        "openapi": "3.0.0", "components": {"schemas": schemas},
        "paths": {"/x": {"post": body(&json!({"$ref": "#/components/schemas/S0"}), true)},
            "/y": {"get": {"parameters": [{"name": "a", "in": "query", "schema": {"$ref": "other.yaml#/A"}}, {"$ref": "#/gone"}]}}},
    }));
    assert!(imported.tools[1].input_schema.as_ref().unwrap().to_string().len() < 2_000_000);
    let notes = imported.notes.join("; ");
    assert!(notes.contains("other.yaml#/A") && notes.contains("#/gone"), "{notes}");
}

#[test]
fn yaml_is_read_and_what_is_no_document_says_why() {
    let yaml = "openapi: 3.0.0\ninfo: {title: Y}\npaths:\n  /a:\n    get:\n      operationId: a\n      responses:\n        200: {}\n";
    assert_eq!(read("api.yaml", yaml, Some("mine")).unwrap().tools[0].full_name(), "mine/a");
    for (text, why) in [
        ("swagger: '2.0'", "Swagger 2"),
        ("openapi: 4.0.0", "only 3.x"),
        ("openapi: 3.1\n", "no `paths`"),
        ("[1]", "no key `openapi`"),
        ("a: [b", "api.yaml:"),
    ] {
        let told = read("api.yaml", text, None).unwrap_err().to_string();
        assert!(told.contains(why), "{told}");
    }
}
