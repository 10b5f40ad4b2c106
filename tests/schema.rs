//! Does the JSON Schema say what the checker says? Every shipped catalog is held against both.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use serde_json::{Value, json};
use waypost::core::catalog::Source;
use waypost::core::catalog::schema;
use waypost::{Catalog, SHIPPED};

fn valid(instance: &Value) -> bool {
    jsonschema::validator_for(&schema()).unwrap().is_valid(instance)
}

/// YAML read by another reader than ours.
fn read(yaml: &str) -> Value {
    serde_saphyr::from_str(yaml).unwrap()
}

#[test]
fn the_schema_is_one() {
    assert!(jsonschema::meta::is_valid(&schema()));
}

#[test]
fn every_shipped_catalog_is_valid_and_free_of_doubt() {
    for shipped in SHIPPED {
        let errors: Vec<String> = jsonschema::validator_for(&schema())
            .unwrap()
            .iter_errors(&read(shipped.yaml))
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", shipped.name);
        let checked = Catalog::check(&[Source::new(shipped.name, shipped.yaml)], shipped.name);
        assert!(checked.problems.is_empty(), "{}: {:#?}", shipped.name, checked.problems);
        assert_eq!(checked.catalog.unwrap().name(), shipped.name);
    }
}

#[test]
fn the_reference_in_the_documents_is_the_format() {
    let written = include_str!("../docs/catalog.md");
    let reference = waypost::core::catalog::reference();
    assert!(written.ends_with(&reference), "run: scripts/measure reference");
}

/// A rule of the threshold, without some of its keys.
fn rule(without: &[&str]) -> Value {
    let mut rule = json!({ "id": "r", "when": "session.on", "threshold": 0.5, "reason": "R" });
    rule.as_object_mut().unwrap().retain(|key, _| !without.contains(&key.as_str()));
    rule
}

#[test]
fn the_schema_and_the_checker_refuse_the_same() {
    let rows = [
        (json!({ "routes": [{ "name": "a" }] }), true),
        (json!({ "rotues": [] }), false),
        (json!({ "routes": [{ "description": "no name" }] }), false),
        (json!({ "routes": [{ "name": "a", "patterns": [{ "match": "x", "weight": 0.3 }, "y"] }] }), true),
        (json!({ "routes": [{ "name": "a", "patterns": [{ "match": "x", "weight": 0.8 }] }] }), false),
        (json!({ "routes": [{ "name": "a", "keywords": ["one", ["two", "twice"]] }] }), true),
        (json!({ "routes": [{ "name": "a", "keywords": [[]] }] }), false),
        (
            json!({ "routes": [{ "name": "a", "target": { "find": [{ "registry": "r", "pattern": "x" }] } }] }),
            false,
        ),
        (json!({ "names": "maybe", "routes": [{ "name": "a" }] }), false),
        (json!({ "thresholds": { "base": 1.5 }, "routes": [{ "name": "a" }] }), false),
        (json!({ "routes": [{ "name": "two words" }] }), false),
        (json!({ "routes": [{ "name": "a", "priority": 1.5 }] }), false),
        (
            json!({ "tools": [{ "name": "a/b", "pinned": true, "input_schema": { "x": [1, { "y": null }] } }] }),
            true,
        ),
        (json!({ "tools": [{ "name": "a", "input_schema": [] }] }), false),
        (json!({ "tools": [{ "name": "a", "pinned": "yes" }] }), false),
        (json!({ "tools": [{ "name": "a", "cost_estimate": -1 }] }), false),
        (json!({ "tools": [{ "description": "no name" }] }), false),
        (json!({ "tools": [{ "name": "a" }], "safety": "on" }), false),
        (json!({ "thresholds": { "rules": [rule(&[])] }, "routes": [{ "name": "a" }] }), true),
        (json!({ "thresholds": { "rules": [rule(&["reason"])] }, "routes": [{ "name": "a" }] }), false),
        (json!({ "thresholds": { "signals": [{ "name": "s" }] }, "routes": [{ "name": "a" }] }), false),
    ];
    for (instance, expected) in rows {
        assert_eq!(valid(&instance), expected, "schema on {instance}");
        // JSON is YAML, so the checker can read the same text.
        let checked = Catalog::read(&[Source::new("row.json", instance.to_string())], "row");
        assert_eq!(checked.catalog.is_some(), expected, "checker on {instance}: {:?}", checked.problems);
    }
}
