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

/// What `waypost sources` answers in a folder.
fn ask(folder: &std::path::Path, args: &[&str]) -> Value {
    let run = waypost_in(folder, &[&["sources", "--json"], args].concat(), b"", &[]);
    assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn names(list: &Value, key: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|one| one[key].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_shipped_collections_are_read_by_the_kind_of_message() {
    let here = tempfile::tempdir().unwrap();
    let context = |text: &str| ask(here.path(), &["--catalog", "context", "-k", "60", text]);
    let joining = context("integrate the orders API into our shop");
    assert_eq!(names(&joining["collections"], "name"), ["framework_docs"], "the rule is exclusive");
    assert!(names(&joining["passages"], "collection").iter().all(|name| name == "framework_docs"));
    let rule = json!({"when": {"domain": "api", "intent": "integrate"}, "sources": ["framework_docs"], "exclusive": true});
    assert_eq!(joining["rule"], rule);
    let citation = &joining["passages"][0]["citation"];
    assert_eq!(citation["file"], "knowledge/api_documentation.md");
    assert_eq!(citation["heading"][0], "API documentation");
    let lines = citation["lines"].as_array().unwrap();
    assert_eq!(citation["source"], format!("knowledge/api_documentation.md:{}-{}", lines[0], lines[1]));
    let reviewing = context("review my code: are there secrets in it?");
    assert_eq!(
        names(&reviewing["collections"], "name")[..2]
            .iter()
            .cloned()
            .collect::<std::collections::BTreeSet<_>>(),
        ["coding_guidelines", "security"].map(str::to_owned).into()
    );
    let unmapped = context("which tests should we write");
    assert_eq!(unmapped["collections"].as_array().unwrap().len(), 6);
    assert_eq!(unmapped["collections"][0]["name"], "testing");
}

#[test]
fn documents_of_a_catalog_and_of_an_index_are_found_and_filtered() {
    let here = tempfile::tempdir().unwrap();
    let root = here.path();
    for (file, text) in [
        ("docs/a/kettle.md", "# Kettle\n\nBoil water in the kettle before nine.\n"),
        ("docs/a/notes.txt", "The kettle is cleaned on Fridays.\n"),
        ("docs/b/teapot.md", "# Teapot\n\n## Care\n\nRinse the teapot, never use soap.\n"),
    ] {
        fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        fs::write(root.join(file), text).unwrap();
    }
    let yaml = "\
sources:
  - {name: water, collection: a, files: [docs/a], metadata: {team: kitchen}}
  - {name: tea, collection: b, files: [docs/b/teapot.md]}
";
    fs::write(root.join("waypost.yaml"), yaml).unwrap();
    let found = ask(root, &["when is the kettle cleaned"]);
    assert_eq!(found["passages"][0]["id"], "water/docs/a/notes.txt#1");
    assert_eq!(found["passages"].as_array().unwrap().len(), 3, "all are read where none is sure");
    let only = ask(root, &["--filter", "format=markdown", "--filter", "team=kitchen", "kettle"]);
    assert_eq!(names(&only["passages"], "id"), ["water/docs/a/kettle.md#1"]);

    let run = waypost_in(root, &["index", "--out", "index"], b"", &[]);
    assert_eq!(run.code, 0, "the sources of the catalog: {}", run.err);
    let found = ask(root, &["--index", "index", "may I use soap on the teapot"]);
    let first = &found["passages"][0];
    assert_eq!((&first["id"], &first["collection"]), (&json!("tea/docs/b/teapot.md#1"), &json!("tea")));
    assert_eq!(first["citation"]["source"], "docs/b/teapot.md:5");
    assert_eq!(first["citation"]["heading"], json!(["Teapot", "Care"]));
    assert_eq!(first["text"], "Rinse the teapot, never use soap.");
    let filtered = ask(root, &["--index", "index", "--filter", "file=docs/a/note*", "kettle"]);
    assert_eq!(names(&filtered["passages"], "id"), ["water/docs/a/notes.txt#1"]);
    for name in ["collection=a", "collection=water"] {
        let named = ask(root, &["--index", "index", "--filter", name, "teapot"]);
        assert_eq!(names(&named["collections"], "name"), ["water"], "{name}");
    }
    let team = ask(root, &["--index", "index", "--filter", "team=kitchen", "teapot"]);
    assert_eq!(
        names(&team["collections"], "name"),
        ["water"],
        "the catalog says it of the index's collection"
    );
    let earlier =
        ask(root, &["--index", "index", "--history", "how do I care for the teapot", "why not soap?"]);
    assert_eq!(earlier["passages"][0]["id"], "tea/docs/b/teapot.md#1");
    let none = ask(root, &["--index", "index", "--filter", "collection=c", "kettle"]);
    assert_eq!((none["passages"].as_array().unwrap().len(), &none["fits"]), (0, &json!(false)));
    assert!(none["notes"][0].as_str().unwrap().contains("passes the filters"), "{none}");
    let rows = b"{\"text\": \"kettle\", \"filter\": {\"file\": [\"docs/a/kettle.md\", \"docs/b/*\"]}}\n{\"text\": 1}\n";
    let args = ["sources", "--index", "index", "--filter", "collection=water", "--batch", "-"];
    let run = waypost_in(root, &args, rows, &[]);
    assert_eq!(run.code, 1);
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        names(&lines[0]["passages"], "id"),
        ["water/docs/a/kettle.md#1"],
        "a row never widens the flags"
    );
    assert_eq!(lines[1]["line"], 2);
}

#[test]
fn empty_files_and_later_ones_keep_their_places_apart() {
    let here = tempfile::tempdir().unwrap();
    let root = here.path();
    let write = |file: &str, text: &str| {
        fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        fs::write(root.join(file), text).unwrap();
    };
    let index = || assert_eq!(waypost_in(root, &["index", "x=x", "y=y", "--out", "index"], b"", &[]).code, 0);
    write("x/a.md", "Trout live in rivers.\n");
    write("x/z.md", "");
    write("y/n.md", "");
    index();
    write("x/b.md", "Owls hunt at night.\n");
    write("y/c.md", "Trams run on rails.\n");
    index();
    for (text, id) in [("owls", "x/b.md#1"), ("trams", "y/c.md#1"), ("trout", "x/a.md#1")] {
        assert_eq!(ask(root, &["--index", "index", text])["passages"][0]["id"], id);
    }
}

#[test]
fn a_catalog_that_was_copied_brings_its_documents() {
    let here = tempfile::tempdir().unwrap();
    let init =
        |args: &[&str]| waypost_in(here.path(), &[&["init", "--from", "context"], args].concat(), b"", &[]);
    let run = init(&[]);
    assert!(run.code == 0 && run.out.contains("and its 6 documents"), "{}", run.err);
    let found = ask(here.path(), &["how many calls per second am I allowed to make on the API?"]);
    assert_eq!(found["passages"][0]["citation"]["file"], "knowledge/api_documentation.md");
    let again = init(&["other.yaml"]);
    assert!(again.code == 2 && again.err.contains("is there already"), "{}", again.err);
    assert!(!here.path().join("other.yaml").exists(), "nothing is written where something is in the way");
    assert_eq!(init(&["--force"]).code, 0);
}

#[test]
fn what_cannot_be_read_is_told() {
    let here = tempfile::tempdir().unwrap();
    let refused = |args: &[&str], said: &str| {
        let run = waypost_in(here.path(), &[&["sources"], args, &["text"]].concat(), b"", &[]);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.err.contains(said), "{said} in {}", run.err);
    };
    refused(&["--index", "nowhere"], "there is no index in nowhere");
    refused(&["--catalog", "triad"], "names no documents");
    refused(&["--filter", "format"], "KEY=VALUE");
    fs::write(here.path().join("waypost.yaml"), "sources: [{name: a, files: [gone.md]}]").unwrap();
    refused(&[], "gone.md");
    fs::write(here.path().join("waypost.yaml"), "sources: [{name: a}]").unwrap();
    refused(&[], "have no passages");
    fs::write(here.path().join("waypost.yaml"), "sources: [{name: a}, {name: a}]").unwrap();
    refused(&[], "given twice");
}
