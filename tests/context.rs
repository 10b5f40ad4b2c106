//! Is the kind of a request told as the contract says, and rightly?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::Path;

use serde_json::{Value, json as object};
use support::{json, waypost_in};

/// The layers of the contract that are a label with its confidence.
const LAYERS: [&str; 6] = ["intent", "domain", "area", "operation", "urgency", "sensitivity"];

/// The utterances of the document, the route of each, and the domain and intent it stands for.
const UTTERANCES: [(&str, &str, &str, &str); 11] = [
    ("write code", "code_implementation", "code", "generate"),
    ("implement", "code_implementation", "code", "generate"),
    ("create function", "code_implementation", "code", "generate"),
    ("build feature", "code_implementation", "code", "generate"),
    ("integrate api", "api_integration", "api", "integrate"),
    ("connect to", "api_integration", "api", "integrate"),
    ("use library", "api_integration", "api", "integrate"),
    ("api documentation", "api_integration", "api", "integrate"),
    ("design architecture", "architecture_design", "architecture", "design"),
    ("system design", "architecture_design", "architecture", "design"),
    ("choose pattern", "architecture_design", "architecture", "design"),
];

/// A file of held-out messages, wherever the binary runs.
fn heldout(file: &str) -> String {
    format!("{}/tests/heldout/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// The answers to rows on standard input, one a row.
fn batch(catalog: &str, rows: &str) -> Vec<Value> {
    let args = ["route", "--catalog", catalog, "--batch", "-"];
    let run = waypost_in(Path::new(env!("CARGO_TARGET_TMPDIR")), &args, rows.as_bytes(), &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn is_share(value: &Value) -> bool {
    value.as_f64().is_some_and(|share| (0.0..=1.0).contains(&share))
}

#[test]
fn the_context_keeps_its_contract() {
    let text = "🙂 send the invoice of v2.1.0 to ann@example.com by 2026-03-01, then deploy order-api";
    for catalog in ["context", "specialists"] {
        let context = json(&["route", "--json", "--catalog", catalog, text])["context"].clone();
        assert_eq!(context["text"], text, "{catalog}");
        assert!(is_share(&context["confidence"]), "{catalog}: {context}");
        for layer in LAYERS {
            assert!(context[layer]["label"].is_string(), "{catalog}, {layer}: {context}");
            assert!(is_share(&context[layer]["confidence"]), "{catalog}, {layer}: {context}");
        }
        let complexity = &context["complexity"];
        assert!(is_share(&complexity["score"]), "{catalog}: {complexity}");
        assert!(["simple", "moderate", "complex"].contains(&complexity["band"].as_str().unwrap()));
        let entities = context["entities"].as_array().unwrap();
        for entity in entities {
            let [from, to] =
                [0, 1].map(|end| usize::try_from(entity["span"][end].as_u64().unwrap()).unwrap());
            let marked: String = text.chars().skip(from).take(to - from).collect();
            assert_eq!(entity["text"], marked, "{catalog}: spans are in characters");
        }
        let named =
            |text: &str| entities.iter().find(|entity| entity["text"] == text).map(|entity| &entity["kind"]);
        for (text, kind) in [("ann@example.com", "email"), ("2026-03-01", "date")] {
            assert_eq!(named(text).and_then(Value::as_str), Some(kind), "{catalog}: {entities:?}");
        }
    }
}

#[test]
fn a_catalog_that_does_not_ask_tells_the_text_alone() {
    let context =
        json(&["route", "--json", "--catalog", "triad", "the statistics show wrong counts"])["context"]
            .clone();
    assert_eq!(context, serde_json::json!({"text": "the statistics show wrong counts"}));
}

#[test]
fn the_utterances_of_the_document_take_their_routes() {
    let row = |(text, ..): &(&str, &str, &str, &str)| serde_json::json!({ "text": text }).to_string();
    let rows: Vec<String> = UTTERANCES.iter().map(row).collect();
    let answers = batch("context", &rows.join("\n"));
    assert_eq!(answers.len(), UTTERANCES.len());
    for ((text, route, domain, intent), answer) in UTTERANCES.into_iter().zip(&answers) {
        assert_eq!((&answer["outcome"], &answer["route"]), (&"act".into(), &route.into()), "{text}");
        let taken = &answer["routes"][0];
        assert_eq!(
            (&taken["name"], &taken["domain"], &taken["intent"]),
            (&route.into(), &domain.into(), &intent.into())
        );
    }
}

#[test]
fn messages_held_out_are_told_apart() {
    let file = heldout("context.jsonl");
    let judged = json(&["eval", "context", "--catalog", "specialists", "--test", &file, "--json"]);
    let figures = &judged["context"];
    assert_eq!(figures["messages"], 150);
    let layers = figures["layers"].as_array().unwrap();
    let accuracy = |name: &str| {
        let layer = layers.iter().find(|layer| layer["name"] == name).unwrap();
        assert_eq!(layer["messages"], 150, "every row has a label for {name}");
        layer["accuracy"].as_f64().unwrap()
    };
    let mut missed = Vec::new();
    for layer in LAYERS {
        let least = if layer == "sensitivity" { 0.95 } else { 0.85 };
        if accuracy(layer) < least {
            missed.push(format!("{layer} {:.3} of {least}", accuracy(layer)));
        }
    }
    let routes = figures["routes"]["accuracy"].as_f64().unwrap();
    if routes < 0.85 {
        missed.push(format!("route {routes:.3} of 0.85"));
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn what_is_in_another_language_is_unknown() {
    let rows = std::fs::read_to_string(heldout("foreign.jsonl")).unwrap();
    let answers = batch("specialists", &rows);
    assert_eq!(answers.len(), rows.lines().count());
    let others = rows.lines().zip(answers).filter(|(row, _)| !row.contains(r#""language": "vi""#));
    for (_, answer) in others {
        let note = answer["notes"][0].as_str().unwrap();
        assert!(note.starts_with("The message is not english and is not read. Unknown: intent, "), "{note}");
        for layer in ["intent", "domain", "area", "operation", "urgency"] {
            assert_eq!(
                answer["context"][layer]["label"], "unknown",
                "{layer}: {}",
                answer["context"]["text"]
            );
        }
    }
}

#[test]
fn vietnamese_is_read_by_the_words_of_the_catalog_and_the_rest_is_unknown() {
    let check = |text: &str, expected: [&str; 4], unknown: &str| {
        let answer = &batch("context", &format!("{}\n", object!({ "text": text })))[0];
        let told = ["intent", "domain", "area", "operation"]
            .map(|layer| answer["context"][layer]["label"].as_str().unwrap());
        assert_eq!(
            (told, &answer["context"]["language"]["label"]),
            (expected, &object!("vietnamese")),
            "{text}"
        );
        let note = answer["notes"][0].as_str().unwrap();
        assert!(
            note.contains("only the words of the catalog are read") && note.contains(unknown),
            "{text}: {note}"
        );
    };
    check(
        "Sửa lỗi trang login React bị crash giúp tôi",
        ["debug", "code", "frontend", "debugging"],
        "Unknown: urgency,",
    );
    check(
        "Viết thêm unit test cho endpoint /users",
        ["generate", "code", "backend", "creation"],
        "Unknown: urgency,",
    );
    check(
        "Tích hợp Stripe API vào trang thanh toán",
        ["integrate", "api", "backend", "unknown"],
        "Unknown: operation,",
    );
    let small_talk = "Trời hôm nay đẹp quá, mình đi chơi nhé bạn";
    check(
        small_talk,
        ["unknown", "unknown", "unknown", "unknown"],
        "Unknown: intent, domain, area, operation,",
    );
    // Two words of the language are needed: a foreign word alone changes nothing.
    let answer = &batch(
        "context",
        &format!("{}\n", object!({ "text": "What does the button label \"của\" mean in English?" })),
    )[0];
    assert_eq!(answer["context"]["language"]["label"], "english");
}

/// A small catalog that tells areas apart by words.
const AREAS: &str = "
name: areas
context:
  layers:
    - name: area
      labels:
        - {name: backend, description: The server, words: [database]}
        - {name: frontend, description: The page, words: [button]}
routes:
  - {name: mend, description: Mend it, patterns: [fix]}
";

/// Judges rows by the small catalog: the exit code and what was said.
fn judged(rows: &str, min: &str) -> (i32, String) {
    let here = tempfile::tempdir().unwrap();
    std::fs::write(here.path().join("areas.yaml"), AREAS).unwrap();
    std::fs::write(here.path().join("rows.jsonl"), rows).unwrap();
    let args = ["eval", "context", "-c", "./areas.yaml", "--test", "rows.jsonl", "--min", min];
    let run = waypost_in(here.path(), &args, b"", &[]);
    (run.code, run.err)
}

#[test]
fn rows_that_nothing_can_be_judged_by_are_told() {
    let good = r#"{"text": "the database is gone", "area": "backend", "route": "", "entities": []}"#;
    let check = |rows: &str, min: &str, expected: i32, told: &str| {
        let (code, err) = judged(rows, min);
        assert_eq!(code, expected, "{rows}: {err}");
        assert!(err.contains(told), "{rows}: {err}");
    };
    check(good, "0.9", 0, "");
    check(&good.replace("backend", "unknown"), "0.9", 1, "the accuracy of area is below the 0.9 asked for");
    check(r#"{"text": "the database is gone", "area": null}"#, "0", 1, "no row has a label of a layer");
    check("", "0", 1, "no row has a label of a layer");
    let line = format!("{good}\n{}", good.replace("area", "aera"));
    check(&line, "0", 2, "rows.jsonl, line 2: the catalog has no layer `aera`; did you mean `area`?");
    check(&good.replace("area", "zzz"), "0", 2, "known are text, route, entities, area");
    check(
        &good.replace("\"backend", "\"bakend"),
        "0",
        2,
        "`area` has no label `bakend`; did you mean `backend`?",
    );
    check(&good.replace("\"backend\"", "7"), "0", 2, "a label of `area` is a text, not 7");
    check(&good.replace("\"\"", "\"mned\""), "0", 0, "such as \"mned\"; they count as wrong");
}

#[test]
fn development_tasks_are_told_apart_and_other_messages_left_alone() {
    let said = [
        ("Write a function that parses dates", Some("code_implementation")),
        ("Refactor the payment module", Some("code_implementation")),
        ("hook our shop up to the parcel service", Some("api_integration")),
        ("how should we split the monolith, draw me a target picture", Some("architecture_design")),
        ("the export hangs since yesterday, find out why", Some("debugging")),
        ("look over my pull request", Some("review")),
        ("unit tests for the tax table please", Some("testing")),
        ("write a readme for the importer", Some("documentation")),
        ("split this epic into stories for the next sprint", Some("agile_planning")),
        ("what is the difference between a mutex and a semaphore", Some("research")),
        ("happy birthday to you", None),
        ("wie spät ist es gerade in Lissabon, weißt du das?", None),
    ];
    let rows: Vec<String> =
        said.iter().map(|(text, _)| serde_json::json!({ "text": text }).to_string()).collect();
    for ((text, route), answer) in said.iter().zip(batch("context", &rows.join("\n"))) {
        assert_eq!(answer["route"].as_str(), *route, "{text}: {answer}");
    }
}
