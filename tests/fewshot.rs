//! Does a catalog of a few examples decide what people really say? Through the real binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;

use serde_json::{Value, json};
use support::waypost_in;

const DESK: &str = "
routes:
  - name: cancel_booking
    description: The guest wants to call off a booking.
    examples: [cancel my booking, call off the reservation]
  - name: change_date
    description: The guest wants to move a booking to another day.
    examples: [move my booking, change the date]
  - name: ask_price
    description: The guest asks what a room costs.
    examples: [how much is a room, room rates]
";

fn route(row: &Value) -> Value {
    route_by(DESK, row)
}

fn route_by(catalog: &str, row: &Value) -> Value {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("waypost.yaml"), catalog).unwrap();
    fs::write(folder.path().join("rows.jsonl"), format!("{row}\n")).unwrap();
    let run = waypost_in(folder.path(), &["route", "--batch", "rows.jsonl"], b"", &[]);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err))
}

#[test]
fn a_denial_is_reported_and_not_acted_on() {
    let answer = route(&json!({ "text": "please do not cancel my booking" }));
    assert_ne!(answer["route"], "cancel_booking", "{answer:#}");
    assert_eq!(answer["denied"][0]["route"], "cancel_booking", "{answer:#}");
    let answer = route(&json!({ "text": "don't cancel it, just move my booking to friday" }));
    assert_eq!(answer["route"], "change_date", "{answer:#}");
    assert_eq!(answer["denied"][0]["route"], "cancel_booking", "{answer:#}");
}

#[test]
fn a_few_ordinary_messages_do_not_drown_a_denial() {
    let desk = format!("ordinary: [hello, thanks a lot]\n{DESK}");
    for text in ["please do not cancel my booking", "no need to move my booking", "don't call it off"] {
        let answer = route_by(&desk, &json!({ "text": text }));
        assert_eq!(answer["outcome"], "abstain", "{answer:#}");
    }
    assert_eq!(route_by(&desk, &json!({ "text": "call off my stay" }))["route"], "cancel_booking");
}

#[test]
fn the_reason_tells_how_near_a_route_was() {
    let strict = format!("thresholds: {{base: 0.995}}\n{DESK}");
    let fallback = format!("fallback: ask_price\n{DESK}");
    let rows = [
        (&strict, "two nights in may, prices", "No route is sure enough: ask_price at"),
        (&strict, "what is the capital of peru", "No route is needed for this message."),
        (&fallback, "what are your room rates", "reaches the threshold of"),
        (&fallback, "what is the capital of peru", "ask_price is taken."),
    ];
    for (catalog, text, reason) in rows {
        let answer = route_by(catalog, &json!({ "text": text }));
        assert!(answer["message"].as_str().unwrap().contains(reason), "{answer:#}");
    }
}

#[test]
fn a_question_of_the_assistant_is_answered() {
    let turn = |role: &str, text: &str| json!({ "role": role, "text": text });
    let offered =
        [turn("user", "is my booking still there"), turn("assistant", "Shall I cancel your booking?")];
    let answer = route(&json!({ "text": "yes please", "history": offered }));
    assert_eq!(answer["route"], "cancel_booking", "{answer:#}");
    let told = [turn("assistant", "You can cancel your booking until noon.")];
    let answer = route(&json!({ "text": "yes please", "history": told }));
    assert_eq!(answer["outcome"], "abstain", "{answer:#}");
}

#[test]
fn thanks_and_refusals_repeat_nothing_that_was_asked_before() {
    let desk = format!("ordinary: [how are you]\n{DESK}");
    let before = json!(["cancel my booking", {"role": "assistant", "text": "Shall I cancel it?"}]);
    for text in ["thank you", "hello", "no", "no thanks", "never mind", "How are you?"] {
        let answer = route_by(&desk, &json!({ "text": text, "history": before }));
        assert_eq!(answer["outcome"], "abstain", "{answer:#}");
    }
    let answer = route_by(&desk, &json!({ "text": "yes", "history": before }));
    assert_eq!(answer["route"], "cancel_booking", "{answer:#}");
}

#[test]
fn a_second_request_is_reported_with_its_words() {
    let text = "cancel my booking for friday. also how much is a room in may?";
    let answer = route(&json!({ "text": text }));
    assert_eq!(answer["route"], "cancel_booking", "{answer:#}");
    let also = &answer["also"][0];
    assert_eq!(also["route"], "ask_price", "{answer:#}");
    let said = also["text"].as_str().unwrap();
    assert!(text.contains(said) && said.contains("how much"), "{said}");
}

#[test]
fn earlier_turns_count_and_are_named() {
    let answer = route(&json!({ "text": "and for two nights?", "history": ["how much is a double room"] }));
    assert_eq!(answer["route"], "ask_price", "{answer:#}");
    assert_eq!(answer["continues"], json!({ "turn": 0, "text": "how much is a double room" }), "{answer:#}");
}

#[test]
fn rows_are_judged_with_their_earlier_turns() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        json!({ "text": "and for two nights?", "label": "ask_price", "history": ["how much is a double room"] }),
        json!({ "text": "what is the capital of peru", "label": null }),
    ];
    fs::write(folder.path().join("waypost.yaml"), DESK).unwrap();
    fs::write(folder.path().join("rows.jsonl"), rows.map(|row| format!("{row}\n")).concat()).unwrap();
    let run = waypost_in(folder.path(), &["eval", "routes", "--test", "rows.jsonl", "--min", "1"], b"", &[]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("acted on, and then right     100.00 %, 100.00 %"), "{}", run.out);
}

#[test]
fn small_catalogs_are_judged_by_their_messages() {
    let folder = tempfile::tempdir().unwrap();
    let routes = json!([
        { "name": "cancel", "description": "Call off a booking.", "examples": ["cancel my booking"] },
        { "name": "price", "description": "What a room costs.", "examples": ["how much is a room"] }
    ]);
    let messages = json!([
        { "text": "money for one night", "route": "price", "group": "plain" },
        { "text": "what is the price of a room", "route": "price", "group": "plain" },
        { "text": "two nights in may, what would we pay", "route": "price", "group": "indirect" },
        { "text": "what is the capital of peru", "route": null, "group": "far_oos" }
    ]);
    let line = json!({ "catalog": "inn", "domain": "an inn", "routes": routes, "messages": messages });
    fs::write(folder.path().join("catalogs.jsonl"), format!("{line}\n")).unwrap();
    let eval = |flags: &[&str]| {
        let args = [&["eval", "catalogs", "catalogs.jsonl", "--json"], flags].concat();
        let run = waypost_in(folder.path(), &args, b"", &[]);
        let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        (run.code, report["report"].clone())
    };
    let (code, report) = eval(&["--min", "0.9"]);
    assert_eq!((code, &report["messages"]), (0, &json!(4)), "{report:#}");
    assert_eq!(report["by_group"]["plain"], json!({ "right": 2, "of": 2 }), "{report:#}");
    let coverage = |report: &Value| report["coverage"].as_f64().unwrap();
    let (_, strict) = eval(&["--target-precision", "0.99"]);
    assert!(coverage(&strict) < coverage(&report), "{strict:#}");
    let empty = waypost_in(folder.path(), &["eval", "catalogs", "nowhere.jsonl"], b"", &[]);
    assert_eq!(empty.code, 2, "{}", empty.err);
}
