//! Does `waypost threshold` keep its contract?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;

use serde_json::{Value, json};
use support::{json, waypost, waypost_in};
use tempfile::tempdir;

/// The first scenario of the document: a trusted user and an urgent task.
const TRUSTED: &str = r#"{"user": {"reputation_score": 0.85, "recent_success_rate": 0.90, "total_tasks_completed": 25, "recent_error_count": 0}, "environment": {"is_production": false}, "task": {"urgency_level": "high", "complexity": 0.5, "domain": "frontend"}, "base_confidence": 0.68}"#;

/// The second: a new user and a critical task in production.
const NEW: &str = r#"{"user": {"reputation_score": 0.25, "recent_success_rate": 0.40, "total_tasks_completed": 2}, "environment": {"is_production": true, "is_critical_task": true}, "task": {"urgency_level": "medium", "complexity": 0.6, "domain": "backend"}, "base_confidence": 0.72}"#;

fn names(answer: &Value) -> Vec<&str> {
    answer["signals"].as_array().unwrap().iter().map(|signal| signal["name"].as_str().unwrap()).collect()
}

#[test]
fn the_scenarios_of_the_document() {
    let trusted = json(&["threshold", "--json", TRUSTED]);
    assert_eq!(trusted["threshold"], 0.62);
    assert_eq!(trusted["original"], 0.7);
    assert_eq!(trusted["delta"], -0.08);
    assert_eq!(trusted["rule"], "task_urgency_high");
    assert_eq!(trusted["applied_rules"], json!(["task_urgency_high"]));
    assert_eq!(trusted["level"], "lenient");
    assert_eq!(trusted["selection"], "specialist");
    assert_eq!(trusted["gap"], Value::Null);
    assert_eq!(names(&trusted), ["trusted_user", "urgent_task"]);
    assert_eq!(
        trusted["reason"],
        "Threshold decreased by 11% (0.70 → 0.62). Rule: task_urgency_high. Reason: High urgency task detected - prioritize speed over strictness"
    );
    let new = json(&["threshold", "--json", NEW]);
    assert_eq!(new["threshold"], 0.8);
    assert_eq!(new["delta"], 0.1);
    assert_eq!(new["rule"], "critical_production");
    assert_eq!(new["level"], "strict");
    assert_eq!(new["selection"], "universal");
    assert_eq!(new["gap"], 0.08);
    // The document also lists high_error_rate; here two tasks are too few for a rate, and the result is the same.
    assert_eq!(names(&new), ["new_unproven_user", "critical_production"]);
}

#[test]
fn the_example_of_the_document_word_for_word() {
    let calm = TRUSTED.replace("high", "low").replace("0.68", "0.9");
    let answer = json(&["threshold", "--json", &calm]);
    assert_eq!(
        answer["reason"],
        "Threshold decreased by 7% (0.70 → 0.65). Rule: user_history_positive. Reason: User has proven track record (≥80% reputation, ≥85% success, ≥10 tasks)"
    );
    assert_eq!(answer["selection"], "specialist_high");
    assert_eq!(answer["delta"], -0.05);
}

#[test]
fn every_field_of_the_contract_is_there() {
    let answer = json(&["threshold", "--json", "{}"]);
    let fields: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    for field in [
        "version",
        "id",
        "catalog",
        "threshold",
        "original",
        "delta",
        "rule",
        "applied_rules",
        "level",
        "selection",
        "gap",
        "reason",
        "signals",
    ] {
        assert!(fields.contains(&field), "{field} is missing");
    }
    assert_eq!(answer["version"], 1);
    assert_eq!(answer["catalog"]["name"], "specialists");
    assert_eq!(answer["id"].as_str().unwrap().chars().nth(14), Some('7'), "a UUIDv7");
    assert_eq!(answer["threshold"], 0.7);
    assert_eq!(answer["level"], "moderate");
    for empty in ["rule", "selection", "gap"] {
        assert_eq!(answer[empty], Value::Null, "{empty}");
    }
    assert_eq!(answer["applied_rules"], json!([]));
}

#[test]
fn a_person_reads_a_few_lines() {
    let shown = waypost(&["threshold", NEW]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    let expected = "\
0.80 strict
  why      Threshold increased by 14% (0.70 → 0.80). Rule: critical_production. Reason: Critical production environment - maximum validation required
  takes it universal, 0.08 short of the threshold; where that is wrong, review its rules
  noticed  new_unproven_user (user: up to 0.75) User is new or unproven (<5 tasks, or <30% reputation)
           critical_production (context: up to 0.80) A critical task in production
";
    assert_eq!(shown.out, expected);
    let misspelt = waypost(&["threshold", r#"{"user": {"reputation": 0.1, "\u001b[31m": 1}}"#]);
    assert!(misspelt.out.contains("`user.reputation` is not known"), "{}", misspelt.out);
    assert!(!misspelt.out.contains('\u{1b}'), "what came in is shown, never obeyed");
}

#[test]
fn states_come_from_standard_input_and_bad_ones_are_refused() {
    let here = tempdir().unwrap();
    for args in [&["threshold", "--json"][..], &["threshold", "--json", "-"]] {
        let piped = waypost_in(here.path(), args, TRUSTED.as_bytes(), &[]);
        assert_eq!(serde_json::from_str::<Value>(&piped.out).unwrap()["rule"], "task_urgency_high");
    }
    for (state, told) in [
        (r#"{"user": {"reputation_score": "high"}}"#, "`user.reputation_score` is a text; expected a number"),
        (r#"{"environment": true}"#, "`environment` is true; expected an object"),
        ("{\"user\"", "the state is not JSON"),
        ("[1]", "the state is a list"),
        ("", "the state is not JSON"),
    ] {
        let run = waypost(&["threshold", state]);
        assert_eq!(run.code, 2, "{state}");
        assert!(run.err.contains(told) && run.out.is_empty(), "{state}: {}", run.err);
    }
    assert_eq!(waypost(&["threshold", "{}", "--batch", "x"]).code, 2);
}

#[test]
fn batch_answers_every_line_in_its_place() {
    let here = tempdir().unwrap();
    let rows = [
        TRUSTED,
        r#"{"user": {"recent_error_count": -3}}"#,
        "not json",
        "",
        r#"{"user": 1"#,
        NEW,
        r#"{"user": {"total_tasks_completed": 0, "reputation_score": null}, "id": "kept out"}"#,
        "{}",
    ];
    fs::write(here.path().join("rows.jsonl"), rows.join("\n")).unwrap();
    for (file, input) in [("rows.jsonl", String::new()), ("-", rows.join("\n"))] {
        let run = waypost_in(here.path(), &["threshold", "--batch", file], input.as_bytes(), &[]);
        assert_eq!(run.code, 1, "some rows are bad: {}", run.err);
        let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), rows.len());
        for (line, rule) in [(0, "task_urgency_high"), (5, "critical_production"), (6, "new_user")] {
            assert_eq!(lines[line]["rule"], rule);
        }
        assert_eq!(lines[7]["rule"], Value::Null);
        let told = |line: usize| {
            assert_eq!(lines[line]["line"], line + 1);
            format!(
                "{}: {}",
                lines[line]["error"]["code"].as_str().unwrap(),
                lines[line]["error"]["message"].as_str().unwrap()
            )
        };
        assert_eq!(
            told(1),
            "bad_row: `user.recent_error_count` is -3; expected a whole number, not negative"
        );
        assert!(told(2).starts_with("bad_row: the row is no JSON object; expected a state"), "{}", told(2));
        assert!(told(3).starts_with("empty_row: the row is empty"), "{}", told(3));
        assert!(told(4).ends_with("at character 10"), "{}", told(4));
        assert!(run.err.is_empty(), "{}", run.err);
    }
    fs::write(here.path().join("rows.jsonl"), [TRUSTED, NEW].join("\n")).unwrap();
    assert_eq!(waypost_in(here.path(), &["threshold", "--batch", "rows.jsonl"], b"", &[]).code, 0);
}

#[test]
fn the_catalog_is_the_one_asked_for_else_the_one_here_with_rules() {
    let here = tempdir().unwrap();
    let write = |yaml: &str| fs::write(here.path().join("waypost.yaml"), yaml).unwrap();
    let catalog = |args: &[&str], variables: &[(&str, &str)]| {
        let run = waypost_in(here.path(), &[&["threshold", "--json", "{}"], args].concat(), b"", variables);
        assert_eq!(run.code, 0, "{}", run.err);
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(answer["rule"], Value::Null);
        answer["catalog"]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(catalog(&[], &[]), "specialists");
    write("routes: [{name: a, description: A}]");
    assert_eq!(catalog(&[], &[]), "specialists", "it has no rules");
    write(
        "routes: [{name: a, description: A}]\nthresholds: {rules: [{id: r, when: session.on, threshold: 0.6, reason: R}]}",
    );
    assert_eq!(catalog(&[], &[]), "waypost");
    assert_eq!(catalog(&[], &[("WAYPOST_CATALOG", "triad")]), "triad");
    assert_eq!(catalog(&["--catalog", "starter"], &[("WAYPOST_CATALOG", "triad")]), "starter");
    let own = waypost_in(here.path(), &["threshold", "--json", r#"{"session": {"on": true}}"#], b"", &[]);
    let own: Value = serde_json::from_str(&own.out).unwrap();
    assert_eq!((&own["threshold"], &own["rule"]), (&json!(0.6), &json!("r")));
    write("thresholds: {rules: [{id: r, when: sesion.on, threshold: 0.6, reason: R}]}");
    let bad = waypost_in(here.path(), &["threshold", "{}"], b"", &[]);
    assert_eq!(bad.code, 2);
    assert!(bad.err.contains("dangling_reference") && bad.err.contains("waypost.yaml:1:"), "{}", bad.err);
}
