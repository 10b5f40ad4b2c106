//! Do conversations with the real binary go where they should, and are they remembered no longer than they may be?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{Run, waypost_in};
use tempfile::tempdir;

/// A small catalog of our own.
const COFFEE: &str = "
name: coffee
routes: [{ name: brew, description: Brew coffee, commands: [brew], tools: [brew] }]
tools:
  - name: brew
    description: Brews coffee.
    input_schema:
      type: object
      required: [bean, cups]
      properties:
        bean: { type: string, enum: [arabica, robusta] }
        cups: { type: integer, minimum: 1, maximum: 12 }
";

fn run(folder: &Path, args: &[&str], lines: &[&str], variables: &[(&str, &str)]) -> Run {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    waypost_in(folder, args, input.as_bytes(), variables)
}

/// A conversation with the catalog `choices`, a JSON value a turn.
fn talk(folder: &Path, flags: &[&str], lines: &[&str]) -> Vec<Value> {
    talk_at(folder, flags, lines, "2027-03-04T12:00:00Z")
}

fn talk_at(folder: &Path, flags: &[&str], lines: &[&str], now: &str) -> Vec<Value> {
    let args = [&["chat", "--catalog", "choices", "--json", "--data", "data"], flags].concat();
    let run = run(folder, &args, lines, &[("WAYPOST_NOW", now)]);
    assert_eq!(run.code, 0, "{flags:?} {lines:?}: {}{}", run.out, run.err);
    let turns: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(turns.len(), lines.len(), "{}", run.out);
    turns
}

/// Holds turns against what is expected of each: how it was taken, what follows, and the slot that is asked for.
fn check(turns: &[Value], expected: &[(&str, &str, Value)]) {
    for (at, (turn, (kind, outcome, slot))) in turns.iter().zip(expected).enumerate() {
        let found = (turn["turn"].as_str(), turn["outcome"].as_str(), &turn["clarification"]["slot"]);
        assert_eq!(found, (Some(*kind), Some(*outcome), slot), "turn {}: {turn:#}", at + 1);
    }
    assert_eq!(turns.len(), expected.len());
}

#[test]
fn three_steps_are_filled_and_set_their_fact() {
    let here = tempdir().unwrap();
    let lines =
        ["calculate the TPR", "go with primary", "second one", "rapid tests please", "go ahead", "/done"];
    let turns = talk(here.path(), &[], &lines);
    check(
        &turns,
        &[
            ("new", "clarify", json!("facility_level")),
            ("answer", "run", json!("age_group")),
            ("answer", "run", json!("test_method")),
            ("answer", "run", Value::Null),
            ("proceed", "rephrase", Value::Null),
            ("reported", "rephrase", Value::Null),
        ],
    );
    let chips = &turns[0]["clarification"]["options"];
    assert_eq!(chips[1], json!({"label": "secondary", "value": "secondary"}));
    assert_eq!(turns[2]["matched_by"], "ordinal");
    let call = json!({"facility_level": "primary", "age_group": "o5", "test_method": "rdt"});
    assert_eq!(turns[3]["would_run"], json!({"tool": "run_tpr_step", "args": call}));
    // Facts change by reports alone.
    assert_eq!((&turns[3]["facts"], &turns[3]["awaits"]), (&json!({}), &json!(["run_tpr_step"])));
    assert_eq!(turns[5]["facts"], json!({"tpr_complete": true}));
    assert_eq!(turns[3]["flow"]["next"], "risk");
    assert_eq!(turns[3]["version"], 1);
}

#[test]
fn what_was_chosen_before_is_chosen_again_in_another_process() {
    let here = tempdir().unwrap();
    let session = ["--session", "s-1", "--user", "ann"];
    talk(here.path(), &session, &["go with primary", "the children", "microscopy"]);
    let lines = ["recalculate the TPR", "same as before", "the last one", "like last time"];
    let turns = talk(here.path(), &session, &lines);
    check(
        &turns,
        &[
            ("new", "clarify", json!("facility_level")),
            ("answer", "run", json!("age_group")),
            ("answer", "run", json!("test_method")),
            ("answer", "run", Value::Null),
        ],
    );
    let call = json!({"facility_level": "primary", "age_group": "all_ages", "test_method": "microscopy"});
    assert_eq!(turns[3]["would_run"]["args"], call);
}

#[test]
fn a_closed_gate_offers_its_way_on_and_taking_it_leads_back() {
    let here = tempdir().unwrap();
    let lines = [
        "make it 200k nets",
        "ignore that and plan the nets right now",
        "yes",
        "primary",
        "kids under five",
        "3",
        "/done",
        "the first one",
        "/done",
        "go ahead",
    ];
    let turns = talk(here.path(), &[], &lines);
    assert_eq!(turns[0]["gates"][0]["allowed"], false);
    assert_eq!(turns[0]["clarification"]["options"][0]["label"], "continue at step facility_level");
    for turn in &turns[..3] {
        assert_eq!((&turn["would_run"], &turn["outcome"]), (&Value::Null, &json!("clarify")), "{turn:#}");
    }
    assert_eq!(turns[2]["turn"], "way_on");
    assert_eq!(turns[6]["facts"], json!({"tpr_complete": true}));
    assert_eq!(turns[6]["clarification"]["options"][0]["label"], "finish risk with defaults");
    assert_eq!(turns[7]["would_run"], json!({"tool": "risk", "args": {"method": "composite"}}));
    assert_eq!(turns[7]["slots"]["method"]["matched_by"], "default");
    assert_eq!(turns[9]["would_run"]["tool"], "itn");
    assert_eq!(turns[9]["would_run"]["args"]["total_nets"], 200_000);
    assert_eq!(turns[9]["turn"], "proceed");
}

#[test]
fn going_on_takes_the_next_flow_with_its_defaults() {
    let here = tempdir().unwrap();
    let turns = talk(
        here.path(),
        &["--fact", "tpr_complete=true"],
        &["go ahead", "/done", "continue", "150,000 nets"],
    );
    check(
        &turns,
        &[
            ("proceed", "run", Value::Null),
            ("reported", "rephrase", Value::Null),
            ("proceed", "clarify", json!("total_nets")),
            ("answer", "run", Value::Null),
        ],
    );
    assert_eq!(turns[3]["would_run"]["args"]["total_nets"], 150_000);
}

#[test]
fn what_was_said_is_taken_back_dropped_or_left_for_something_else() {
    let here = tempdir().unwrap();
    let session = ["--session", "s-2", "--tenant", "acme", "--user", "ann"];
    let lines = [
        "calculate the TPR",
        "primary",
        "no, secondary",
        "what does pw mean?",
        "show a map of rainfall",
        "continue",
        "everyone",
        "never mind",
    ];
    let turns = talk(here.path(), &session, &lines);
    check(
        &turns,
        &[
            ("new", "clarify", json!("facility_level")),
            ("answer", "run", json!("age_group")),
            ("correction", "run", json!("age_group")),
            ("explained", "clarify", json!("age_group")),
            ("change", "run", Value::Null),
            ("proceed", "clarify", json!("age_group")),
            ("answer", "run", json!("test_method")),
            ("abandon", "rephrase", Value::Null),
        ],
    );
    assert_eq!(turns[2]["would_run"]["args"], json!({"facility_level": "secondary"}));
    let run = run(here.path(), &["history", "choices", "--data", "data", "--json"], &[], &[]);
    let figures: Value = serde_json::from_str(&run.out).unwrap();
    let counts = ["turns", "ran", "clarified", "accepted", "corrected", "abandoned"].map(|key| &figures[key]);
    assert_eq!(json!(counts), json!([6, 4, 2, 2, 1, 1]), "{figures:#}");
    assert_eq!(figures["acceptance_rate"], 0.5);
    assert_eq!(figures["tools"][1]["tool"], "run_tpr_step");
    assert!(figures["latency_us_p99"].as_f64() >= figures["latency_us_p50"].as_f64());
}

#[test]
fn a_conversation_is_over_after_its_time_and_when_it_is_forgotten() {
    let here = tempdir().unwrap();
    let session = ["--session", "s-3", "--user", "ann"];
    let begin = |now: &str| talk_at(here.path(), &session, &["go with tertiary"], now);
    begin("2027-03-04T12:00:00Z");
    let later = |now: &str| talk_at(here.path(), &session, &["the second one"], now)[0]["outcome"].clone();
    assert_eq!(later("2027-03-05T11:59:59Z"), "run");
    assert_ne!(later("2027-03-06T11:59:59Z"), "run");

    begin("2027-03-07T12:00:00Z");
    let forget = |whose: &[&str]| {
        let args = [&["history", "forget", "--data", "data", "--json"], whose].concat();
        let run = run(here.path(), &args, &[], &[]);
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str::<Value>(&run.out).unwrap()["forgotten"]["conversations"].clone()
    };
    assert_eq!(forget(&["--session", "s-3"]), 1);
    assert_eq!(forget(&["--session", "s-3"]), 0);
    let turns = talk_at(here.path(), &session, &["the second one"], "2027-03-07T12:00:01Z");
    assert_ne!(turns[0]["outcome"], "run");

    let turns =
        talk(here.path(), &session, &["go with tertiary", "/facts", "/forget", "/facts", "the second one"]);
    assert_eq!(turns[1]["progress"]["run_tpr_step"]["facility_level"], "tertiary");
    assert_eq!(turns[2]["forgotten"]["conversations"], 1);
    assert_eq!(turns[3], json!({"facts": {}, "values": {}, "progress": {}}));
    assert_ne!(turns[4]["outcome"], "run");

    assert_eq!(forget(&["--user", "ann"]), 1);
    let left = |file: &str| fs::read(here.path().join("data").join(file)).unwrap_or_default();
    for file in ["history.db", "history.db-wal"] {
        assert!(!left(file).windows(8).any(|bytes| bytes == b"tertiary"), "{file}");
    }
}

#[test]
fn events_tell_routes_choices_and_calls_and_never_fail_an_answer() {
    let here = tempdir().unwrap();
    let lines = ["calculate the TPR", "primary"];
    talk(here.path(), &["--session", "s-4", "--events", "events.jsonl"], &lines);
    talk(here.path(), &["--events", "events.jsonl", "--events-without-text"], &["go with primary"]);
    let written = fs::read_to_string(here.path().join("events.jsonl")).unwrap();
    let events: Vec<Value> = written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds[..2], ["router_event", "choice_event"]);
    assert_eq!((&events[0]["route"], &events[0]["session_id"]), (&json!("tpr"), &json!("s-4")));
    let choice = events.iter().rfind(|event| event["type"] == "choice_event" && event["session_id"] == "s-4");
    let choice = choice.unwrap();
    assert_eq!(choice["args"], json!({"facility_level": "primary"}));
    let told = ["tool", "matched_by", "user_text", "outcome"].map(|key| choice[key].clone());
    assert_eq!(json!(told), json!(["run_tpr_step", "exact", "primary", "run"]));
    let call = events.iter().find(|event| event["type"] == "tool_event").unwrap();
    assert_eq!(call["outcome"], "would_run");
    assert!(call["latency_ms"].as_f64().unwrap() >= 0.0);
    assert_eq!(events.iter().filter(|event| event["user_text"] == "go with primary").count(), 0);

    // A folder is no file: nothing is told, and everything is answered.
    let args = ["chat", "--catalog", "choices", "--json", "--events", "."];
    let run = run(here.path(), &args, &["go with primary"], &[]);
    assert_eq!((run.code, run.out.lines().count()), (0, 1));
    assert!(run.err.contains("events were lost"), "{}", run.err);
}

#[test]
fn args_tell_events_too() {
    let here = tempdir().unwrap();
    let args = ["args", "--catalog", "choices", "--tool", "run_tpr_step", "--json", "go with primary"];
    let run = run(here.path(), &args, &[], &[("WAYPOST_EVENTS", "e.jsonl")]);
    assert_eq!(run.code, 0, "{}", run.err);
    let event: Value =
        serde_json::from_str(fs::read_to_string(here.path().join("e.jsonl")).unwrap().trim()).unwrap();
    assert_eq!((&event["type"], &event["user_text"]), (&json!("choice_event"), &json!("go with primary")));
}

#[test]
fn what_is_switched_off_asks_to_rephrase_and_says_why() {
    let here = tempdir().unwrap();
    let off = |reason: &str, args: &[&str], variables: &[(&str, &str)]| {
        let run = run(here.path(), &[args, &["--json"]].concat(), &["two cups of robusta"], variables);
        assert_eq!(run.code, 0, "{}", run.err);
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(answer["outcome"], "rephrase", "{answer:#}");
        assert!(answer["reason"].as_str().unwrap().contains(reason), "{answer:#}");
    };
    let write =
        |name: &str, more: &str| fs::write(here.path().join(name), format!("{COFFEE}{more}\n")).unwrap();
    write("on.yaml", "");
    write("off.yaml", "choices: { interpreter: off }");
    write("none.yaml", "choices: { share: 0 }");
    let zero = [("WAYPOST_CHOICES", "0")];
    for command in ["chat", "args"] {
        off("WAYPOST_CHOICES=0", &[command, "--catalog", "on.yaml", "--tool", "brew"], &zero);
        off("interpreter: off", &[command, "--catalog", "off.yaml", "--tool", "brew"], &[]);
        off("share", &[command, "--catalog", "none.yaml", "--tool", "brew"], &[]);
    }
    let args = ["chat", "--catalog", "on.yaml", "--tool", "brew", "--json"];
    let on = run(here.path(), &args, &["two cups of robusta"], &[]);
    let answer: Value = serde_json::from_str(&on.out).unwrap();
    assert_eq!(answer["would_run"]["args"], json!({"bean": "robusta", "cups": 2}));
}

#[test]
fn a_person_sees_numbered_answers_and_the_call() {
    let here = tempdir().unwrap();
    fs::write(here.path().join("coffee.yaml"), COFFEE).unwrap();
    let args = ["chat", "--catalog", "coffee.yaml", "--tool", "brew"];
    let lines = ["arabica", "40 cups", "4", "/why", "/facts", "", "/quit", "robusta"];
    let run = run(here.path(), &args, &lines, &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.out.starts_with("bean = arabica (exact); cups is not said\nWhat is the cups?\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("must be between 1 and 12"), "{}", run.out);
    assert!(run.out.contains("would run  brew {\"bean\":\"arabica\",\"cups\":4}\n"), "{}", run.out);
    assert!(run.out.contains("taken as the answer to what was asked, tool brew\n"), "{}", run.out);
    assert!(run.out.ends_with("Nothing is known yet.\n"), "{}", run.out);
    let unknown = waypost_in(here.path(), &["chat", "--catalog", "coffee.yaml", "--tool", "brwe"], b"", &[]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("brew"), "{}", unknown.err);
}

/// A tool without examples of its own, which the trained reader fills.
const TABLES: &str = "
routes:
  - {name: book_table, description: Reserve a table, examples: [book a table, reserve a table for two], tools: [book_table]}
tools:
  - name: book_table
    description: Reserve a table
    input_schema:
      type: object
      required: [guests]
      properties:
        guests: {type: integer, minimum: 1, maximum: 12, description: Number of guests}
        area: {type: string, enum: [terrace, indoor, bar], description: Where to sit}
arguments: {max_wrong: 0}
";

#[test]
fn a_call_that_is_not_sure_enough_is_run_after_a_yes() {
    let here = tempdir().unwrap();
    fs::write(here.path().join("tables.yaml"), TABLES).unwrap();
    let args = ["chat", "--catalog", "tables.yaml", "--tool", "book_table"];
    let asked = "Should book_table run now with area = terrace, guests = 4?";
    for (answer, told) in [
        ("yes", "would run  book_table {\"area\":\"terrace\",\"guests\":4}\n"),
        ("1", "would run  book_table {\"area\":\"terrace\",\"guests\":4}\n"),
        ("no", "dropped the question\n"),
        ("2", "dropped the question\n"),
        ("no, 5 guests", "Should book_table run now with area = terrace, guests = 5?\n"),
        ("make it 5 guests", "Should book_table run now with area = terrace, guests = 5?\n"),
    ] {
        let run = run(here.path(), &args, &["book a table for 4 on the terrace", answer], &[]);
        assert!(run.out.contains(asked), "{answer}: {}{}", run.out, run.err);
        assert!(run.out.contains(told), "{answer}: {}", run.out);
    }
}
