//! Does `waypost eval` measure what it says?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::waypost_in;
use tempfile::tempdir;

/// Ways to ask about three things; half of them teach, the other half judges.
const ASKED: &[(&str, &[&str])] = &[
    (
        "parcel",
        &[
            "where is my parcel",
            "track my parcel please",
            "when will the parcel arrive",
            "my parcel is late",
            "has the parcel been sent",
            "the parcel did not come",
            "parcel tracking number",
            "is the parcel on its way",
        ],
    ),
    (
        "refund",
        &[
            "i want a refund",
            "refund my money",
            "when do i get the refund",
            "the refund has not come",
            "can i have a refund for this",
            "money back please",
            "how long does a refund take",
            "ask for a refund",
        ],
    ),
    (
        "password",
        &[
            "i forgot my password",
            "reset the password",
            "my password does not work",
            "change my password",
            "the password is wrong",
            "cannot log in with my password",
            "new password please",
            "password reset link",
        ],
    ),
];

/// Learns from one half and judges by the other.
const JUDGED: [&str; 6] = ["eval", "routes", "--train", "train.jsonl", "--test", "test.jsonl"];

fn write(folder: &Path, name: &str, half: usize) {
    let rows = ASKED.iter().flat_map(|(label, texts)| {
        let own = texts.iter().enumerate().filter(move |(at, _)| at % 2 == half);
        own.map(move |(_, text)| json!({ "text": text, "label": label }).to_string())
    });
    fs::write(folder.join(name), rows.collect::<Vec<_>>().join("\n")).unwrap();
}

#[test]
fn routes_are_judged_by_rows_they_did_not_learn_from() {
    let here = tempdir().unwrap();
    write(here.path(), "train.jsonl", 0);
    write(here.path(), "test.jsonl", 1);
    fs::write(
        here.path().join("oos.jsonl"),
        "{\"text\": \"bake a cake\"}\n{\"text\": \"what a lovely day\"}\n",
    )
    .unwrap();
    let args = [&JUDGED[..], &["--oos", "oos.jsonl", "--predictions", "out.jsonl", "--json"]].concat();
    let run = waypost_in(here.path(), &args, b"", &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let report = &serde_json::from_str::<Value>(&run.out).unwrap()["report"];
    assert_eq!(report["rows"], 12);
    assert!(report["accuracy"].as_f64().unwrap() > 0.9, "{report}");
    assert_eq!(report["out_of_scope"]["rows"], 2);
    let predictions = fs::read_to_string(here.path().join("out.jsonl")).unwrap();
    let test = fs::read_to_string(here.path().join("test.jsonl")).unwrap();
    for (prediction, row) in predictions.lines().zip(test.lines()) {
        let (prediction, row): (Value, Value) =
            (serde_json::from_str(prediction).unwrap(), serde_json::from_str(row).unwrap());
        assert_eq!((&prediction["text"], &prediction["label"]), (&row["text"], &row["label"]), "in order");
        assert!(prediction["predicted"].is_string() && prediction["elapsed_us"].is_number());
    }
    assert_eq!(predictions.lines().count(), 12);
    let again = waypost_in(here.path(), &[&args[..6], &["--baseline", "out.jsonl"]].concat(), b"", &[]);
    assert!(again.code == 0 && again.out.contains("not worse"), "{}{}", again.out, again.err);
    let other = waypost_in(
        here.path(),
        &[&args[..4], &["--test", "train.jsonl", "--baseline", "out.jsonl"]].concat(),
        b"",
        &[],
    );
    assert!(other.code == 2 && other.err.contains("other rows"), "{}", other.err);
    fs::write(here.path().join("wrong.jsonl"), "{\"text\": \"where is my parcel\", \"label\": \"refund\"}\n")
        .unwrap();
    let least = |least: &str| {
        let judged = [&args[..4], &["--test", "wrong.jsonl", "--min", least]].concat();
        waypost_in(here.path(), &judged, b"", &[]).code
    };
    assert_eq!((least("0.5"), least("0"), least("1.01")), (1, 0, 2));
}

#[test]
fn the_same_rows_give_the_same_figures() {
    let here = tempdir().unwrap();
    write(here.path(), "train.jsonl", 0);
    write(here.path(), "test.jsonl", 1);
    let run = || {
        let args = [&JUDGED[..], &["--predictions", "out.jsonl"]].concat();
        assert_eq!(waypost_in(here.path(), &args, b"", &[]).code, 0);
        let rows = fs::read_to_string(here.path().join("out.jsonl")).unwrap();
        rows.lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["confidence"].to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn the_page_is_written_besides_and_obeys_nothing() {
    let here = tempdir().unwrap();
    write(here.path(), "train.jsonl", 0);
    write(here.path(), "test.jsonl", 1);
    let hostile = json!({ "text": "reset <script>alert(1)</script>\u{202e}", "label": "parcel\"><b>" });
    let rows = fs::read_to_string(here.path().join("test.jsonl")).unwrap();
    fs::write(here.path().join("test.jsonl"), format!("{rows}\n{hostile}\n")).unwrap();
    fs::write(here.path().join("oos.jsonl"), "{\"text\": \"bake a cake\"}\n").unwrap();
    // What an earlier run left is longer than a page, and nothing of it stays.
    fs::write(here.path().join("page.html"), "before".repeat(100_000)).unwrap();
    let shown = ["--oos", "oos.jsonl", "--predictions", "out.jsonl", "--html", "page.html", "--json"];
    let run = waypost_in(here.path(), &[&JUDGED[..], &shown].concat(), b"", &[]);
    assert!(run.code == 0 && run.err.contains("wrote page.html"), "{}", run.err);
    assert_eq!(serde_json::from_str::<Value>(&run.out).unwrap()["report"]["rows"], 13);
    let page = || fs::read_to_string(here.path().join("page.html")).unwrap();
    let html = page();
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n") && !html.contains("before<"));
    assert!(!html.contains("<script") && !html.contains("http") && !html.contains("\"><b>"), "{html}");
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;\u{fffd}"), "{html}");
    for drawn in ["reliability", "risk", "fits", "scope", "latency"] {
        assert!(html.contains(&format!("<desc id=\"{drawn}-desc\">")), "no {drawn}");
    }
    assert!(!html.contains("Against the baseline"));
    let again = ["--baseline", "out.jsonl", "--html", "page.html"];
    let run = waypost_in(here.path(), &[&JUDGED[..], &again].concat(), b"", &[]);
    assert!(run.code == 0 && run.out.contains("accuracy"), "{}", run.err);
    assert!(page().contains("Against the baseline") && !page().contains("Out of scope"));
}

#[test]
fn a_catalog_is_judged_by_its_own_examples() {
    let here = tempdir().unwrap();
    let routes: String = ASKED
        .iter()
        .map(|(label, texts)| {
            format!("  - {{name: {label}, description: About it, examples: [{}]}}\n", texts.join(", "))
        })
        .collect();
    fs::write(here.path().join("waypost.yaml"), format!("routes:\n{routes}")).unwrap();
    let run = waypost_in(here.path(), &["eval", "routes"], b"", &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("rows                         24"), "{}", run.out);
}

#[test]
fn bad_input_is_told_with_its_place() {
    let here = tempdir().unwrap();
    write(here.path(), "test.jsonl", 1);
    fs::write(here.path().join("bad.jsonl"), "{\"text\": \"a\", \"label\": \"x\"}\n{\"text\": 1}\n").unwrap();
    fs::write(here.path().join("model"), "not a model").unwrap();
    let twice = "{\"text\": \"a b\", \"label\": \"x\"}\n{\"text\": \"👍\", \"label\": \"y\"}\n";
    fs::write(here.path().join("wordless.jsonl"), twice).unwrap();
    let tell = |args: &[&str]| {
        let run = waypost_in(here.path(), &[&["eval", "routes"], args].concat(), b"", &[]);
        assert_eq!(run.code, 2, "{}", run.out);
        run.err
    };
    assert!(tell(&["--train", "bad.jsonl", "--test", "test.jsonl"]).contains("bad.jsonl, line 2"));
    assert!(tell(&["--train", "test.jsonl", "--test", "nowhere"]).contains("nowhere"));
    assert!(tell(&["--train", "test.jsonl"]).contains("--test"));
    let wordless = tell(&["--train", "wordless.jsonl", "--test", "test.jsonl"]);
    assert!(wordless.contains("has no word") && wordless.contains("rows:2"), "{wordless}");
    let told = tell(&["--train", "test.jsonl", "--test", "test.jsonl", "--encoder", "model"]);
    assert!(told.contains("model"), "{told}");
    fs::write(here.path().join("bare.yaml"), "routes: [{name: a, description: A, patterns: [x]}]").unwrap();
    assert!(tell(&["--catalog", "bare.yaml"]).contains("too few"));
    // Told before the rows are looked for, and so before anything is learned from them.
    let page = tell(&["--train", "missing", "--test", "missing", "--html", "nowhere/page.html"]);
    assert!(page.contains("cannot write nowhere/page.html") && !page.contains("missing"), "{page}");
    assert!(tell(&["--html", "."]).contains("cannot write ."));
    assert!(tell(&["--html", "-"]).contains("needs a file"));
}
