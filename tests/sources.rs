//! Are the right passages found, in the right collection, and by what was said before?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use support::{waypost, waypost_in};

fn docs() -> Vec<Value> {
    let doc = |id: &str, collection: &str, title: &str, text: &str| json!({"id": id, "collection": collection, "title": title, "text": text});
    vec![
        doc(
            "leave",
            "handbook",
            "Holidays",
            "Everybody has thirty days of paid holiday a year. Ask your team lead two weeks ahead.",
        ),
        doc(
            "sick",
            "handbook",
            "Illness",
            "Call in sick before nine. From the third day on a doctor's note is needed.",
        ),
        doc(
            "deploy",
            "operations",
            "Deployments",
            "A release goes out on Tuesdays. Roll back with the previous image if error rates rise.",
        ),
        doc(
            "backup",
            "operations",
            "Backups",
            "Databases are copied every night and kept for thirty days. Restoring takes an hour.",
        ),
        doc("texas", "taxes", "Texas", "Texas has no income tax on wages; sales tax is 6.25 percent."),
        doc(
            "ohio",
            "taxes",
            "Ohio",
            "Ohio taxes income between 2.75 and 3.5 percent, and many cities add their own.",
        ),
    ]
}

fn file(name: &str, rows: &[Value]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, rows.iter().map(|row| format!("{row}\n")).collect::<String>()).unwrap();
    path
}

#[test]
fn passages_collections_and_earlier_turns() {
    let file = file("docs.jsonl", &docs());
    let table = [
        (json!({"text": "how many vacation days do I get"}), "leave", "handbook"),
        (json!({"text": "do I need a note from my physician"}), "sick", "handbook"),
        (json!({"text": "when do we ship a new version"}), "deploy", "operations"),
        (json!({"text": "how long does it take to restore the database"}), "backup", "operations"),
        (json!({"text": "what about Texas?", "history": ["how is income taxed in Ohio?"]}), "texas", "taxes"),
        (
            json!({"text": "and how is it there?", "history": ["is there an income tax in Ohio"]}),
            "ohio",
            "taxes",
        ),
    ];
    let rows: String = table.iter().map(|(row, ..)| format!("{row}\n")).collect();
    let args = ["sources", "--docs", file.to_str().unwrap(), "--batch", "-", "-k", "3"];
    let run = waypost_in(env!("CARGO_TARGET_TMPDIR").as_ref(), &args, rows.as_bytes(), &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    for ((row, passage, collection), line) in table.iter().zip(run.out.lines()) {
        let answer: Value = serde_json::from_str(line).unwrap();
        assert_eq!(answer["passages"][0]["id"], *passage, "{row}: {answer}");
        assert_eq!(answer["collections"][0]["name"], *collection, "{row}: {answer}");
        assert!(answer["passages"][0]["citation"]["quote"].as_str().unwrap().len() > 10);
        assert!(answer["fits"].is_boolean() && answer["version"] == 1);
    }
}

#[test]
fn bad_files_are_told_and_figures_count() {
    let bad = file("docs-bad.jsonl", &[json!({"id": "a"})]);
    let run = waypost(&["sources", "--docs", bad.to_str().unwrap(), "hello"]);
    assert!(run.code == 2 && run.err.contains("line 1") && run.err.contains("text"), "{}", run.err);
    let docs = file("docs-eval.jsonl", &docs());
    let rows = file(
        "docs-eval-rows.jsonl",
        &[
            json!({"query": "paid holidays", "relevant": ["leave"], "collection": "handbook"}),
            json!({"query": "what about Texas?", "history": ["income tax in Ohio"], "relevant": ["texas"], "collection": "taxes"}),
        ],
    );
    let (docs, rows) = (docs.to_str().unwrap(), rows.to_str().unwrap());
    let run = waypost(&["eval", "sources", "--docs", docs, "--test", rows, "--json", "--min", "0.9"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let figures = &serde_json::from_str::<Value>(&run.out).unwrap()["figures"];
    assert_eq!((&figures["collection_right"], &figures["recall_at_1"]), (&json!(1.0), &json!(1.0)));
}
