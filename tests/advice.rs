//! Does Waypost say what would make a catalog better? Through the real binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::waypost_in;

const DESK: &str = "
routes:
  - name: cancel_order
    description: The customer wants to call off an order that is not delivered yet.
    examples: [cancel my order, stop the order, call off my purchase, i no longer want what i ordered, undo my order, when do you open on sundays]
  - name: track_order
    description: The customer asks where an order is or when it arrives.
    examples: [where is my order, track my parcel, when does it arrive, delivery status, has it shipped]
  - name: follow_order
    description: The customer asks where an order is or when it will arrive.
    examples: [where is the order, track the parcel, when will it arrive, status of the delivery, did it ship]
  - name: opening_hours
    description: The customer asks when the shop is open.
    examples: [opening hours]
";

fn told(folder: &Path, arguments: &[&str]) -> Value {
    fs::write(folder.join("waypost.yaml"), DESK).unwrap();
    let run = waypost_in(folder, arguments, b"", &[]);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err))
}

fn names(of: &Value, key: &str) -> Vec<String> {
    of.as_array().unwrap().iter().map(|item| item[key].as_str().unwrap().to_owned()).collect()
}

#[test]
fn check_and_suggest_name_twins_misplaced_examples_and_thin_routes() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [["check", "--json"], ["suggest", "--json"]] {
        let advice = &told(folder.path(), &arguments)["advice"];
        let twins = &advice["alike"][0];
        assert_eq!([&twins["one"], &twins["two"]], ["follow_order", "track_order"], "{advice:#}");
        // Examples that two similar routes take from each other are reported once, as similar routes.
        assert_eq!(names(&advice["misplaced"], "example"), ["when do you open on sundays"], "{advice:#}");
        assert_eq!(names(&advice["few"], "route"), ["opening_hours"], "{advice:#}");
        assert_eq!(advice["few"][0]["wanted"], 4, "{advice:#}");
        assert_eq!(advice["no_near_misses"], true, "{advice:#}");
    }
}

#[test]
fn logged_messages_that_are_in_doubt_are_suggested_once() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        json!({ "text": "cancel my order" }),
        json!({ "text": "something about my order" }),
        json!({ "text": "Something about my  order" }),
        json!({ "text": "do you sell gift cards" }),
        json!({ "text": "what is the capital of peru" }),
    ];
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(folder.path().join("log.jsonl"), lines + "a plain line: opening hours\n").unwrap();
    let told = told(folder.path(), &["suggest", "log.jsonl", "--json", "--count", "5"]);
    assert_eq!(told["messages"], 6, "{told:#}");
    let texts = names(&told["suggestions"], "text");
    let times = |said: &str| texts.iter().filter(|text| *text == said).count();
    assert_eq!(times("something about my order"), 1, "in doubt, and said twice: {told:#}");
    for settled in ["cancel my order", "what is the capital of peru", "do you sell gift cards"] {
        assert_eq!(
            times(settled),
            0,
            "an example, something else, and what the catalog calls foreign: {told:#}"
        );
    }
    for suggestion in told["suggestions"].as_array().unwrap() {
        assert!(suggestion["belief"].as_f64().unwrap() < 0.9, "{suggestion}");
    }
}

#[test]
fn a_log_without_messages_is_an_error_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("waypost.yaml"), DESK).unwrap();
    fs::write(folder.path().join("log.jsonl"), "\n").unwrap();
    let run = waypost_in(folder.path(), &["suggest", "log.jsonl"], b"", &[]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("contains no messages"), "{}", run.err);
}
