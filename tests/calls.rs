//! Does `waypost eval calls` judge calls over tools that come with their messages, and is a reader that cannot be used refused?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use serde_json::{Value, json};
use support::{Run, waypost_in};
use tempfile::tempdir;

/// A tool with two requests, of which one lacks what is required, something else, and a trap.
fn tool() -> Value {
    let properties = json!({
        "color": {"enum": ["red", "green", "blue"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 20},
        "day": {"type": "string", "format": "date"},
    });
    let row =
        |text: &str, values: Value, act: &str| json!({"text": text, "values": values, "act": act, "not": []});
    let mut trap =
        row("if it rains, take 40 red ones", json!({"color": {"value": "red", "said": "red"}}), "request");
    trap["ask"] = json!(true);
    json!({
        "tool": {"name": "order_balloons", "description": "Order balloons of a color",
            "parameters": {"properties": properties, "required": ["color", "count"]}},
        "rows": [
            row("7 red balloons", json!({"color": {"value": "red", "said": "red"}, "count": {"value": 7, "said": "7"}}), "request"),
            row("balloons please, 3 of them", json!({"count": {"value": 3, "said": "3"}}), "request"),
            row("what is the weather like", json!({}), "other"),
            trap,
        ],
    })
}

fn eval(lines: &str, flags: &[&str]) -> Run {
    let here = tempdir().unwrap();
    std::fs::write(here.path().join("calls.jsonl"), lines).unwrap();
    waypost_in(here.path(), &[&["eval", "calls", "calls.jsonl"], flags].concat(), b"", &[])
}

#[test]
fn calls_are_judged_by_kind_of_value() {
    let run = eval(&tool().to_string(), &["--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let report = &serde_json::from_str::<Value>(&run.out).unwrap()["report"];
    assert_eq!(report["rows"], 4);
    let of = |figure: &Value| (figure["right"].as_u64().unwrap(), figure["of"].as_u64().unwrap());
    assert_eq!(of(&report["whole"]), (2, 2), "{report}");
    assert_eq!(of(&report["by_kind"]["choice"]), (1, 1), "{report}");
    assert_eq!(of(&report["by_kind"]["number"]), (2, 2), "{report}");
    assert_eq!(of(&report["ran"]), (1, 1), "only one request has all it needs: {report}");
    assert_eq!(of(&report["wrong_runs"]), (0, 3), "traps are counted apart: {report}");
    assert_eq!(of(&report["traps_run"]), (0, 1), "40 is out of bounds: {report}");
    let page = eval(&tool().to_string(), &[]).out;
    for line in ["whole calls right", "number values right", "wrong runs", "traps that run"] {
        assert!(page.contains(line), "{page}");
    }
}

#[test]
fn missed_minimum_and_bad_lines_are_reported() {
    let mut wrong = tool();
    wrong["rows"][0]["values"]["color"]["value"] = json!("blue");
    let missed = eval(&wrong.to_string(), &["--min", "0.9"]);
    assert_eq!(missed.code, 1, "{}", missed.err);
    assert!(missed.err.contains("whole calls right: 0.5000 (minimum 0.9)"), "{}", missed.err);
    let mut misspelt = tool();
    misspelt["rows"][0]["values"] = json!({"colour": {"value": "red"}});
    let misspelt = misspelt.to_string();
    for (lines, told) in [
        (misspelt.as_str(), "no slot \"colour\""),
        ("", "no messages"),
        ("{\"tool\": {}}", "rows"),
        ("{", "calls.jsonl"),
    ] {
        let run = eval(lines, &[]);
        assert_eq!(run.code, 2, "{lines}");
        assert!(run.err.contains(told), "{lines}: {}", run.err);
    }
}

#[test]
fn what_is_no_reader_is_refused() {
    let here = tempdir().unwrap();
    std::fs::write(here.path().join("calls.jsonl"), tool().to_string()).unwrap();
    std::fs::write(here.path().join("reader"), "no model").unwrap();
    for (arguments, told) in [
        (&["eval", "calls", "calls.jsonl", "--reader", "none"][..], "cannot be read"),
        (&["eval", "calls", "calls.jsonl", "--reader", "reader"][..], "model file"),
        (
            &["args", "--catalog", "choices", "--tool", "run_tpr_step", "--reader", "none", "primary"][..],
            "none",
        ),
    ] {
        let run = waypost_in(here.path(), arguments, b"", &[]);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.out);
        assert!(run.err.contains("--reader") && run.err.contains(told), "{arguments:?}: {}", run.err);
    }
}
