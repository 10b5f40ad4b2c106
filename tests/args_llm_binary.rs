//! Does `waypost args` ask the language model that it should, in time, and never show its key?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::chat_server::{ChatServer, Does};
use support::{Run, waypost_in};

/// What a run may take beyond the model's budget: starting up, our own reading, and a busy machine.
const SLACK_MS: u64 = 3_000;
/// A budget that a stall soon uses up.
const BUDGET_SHORT_MS: u64 = 300;

fn says(tool: &str, args: &Value, confidence: f64) -> Does {
    Does::Replies(json!({ "tool": tool, "args": args, "confidence": confidence, "reason": "as said" }))
}

/// A folder with a catalog of one tool and a language model.
fn catalog(folder: &Path, llm: &str) -> PathBuf {
    let file = folder.join("catalog.yaml");
    let yaml = format!(
        "name: paint\nroutes: [{{name: paint, description: Paint a wall.}}]\n{llm}\n\
         tools:\n  - name: paint\n    description: Paints a wall.\n    input_schema:\n      type: object\n      \
         required: [colour]\n      properties:\n        colour: {{type: string, enum: [red, blue], description: The colour of the wall.}}\n"
    );
    std::fs::write(&file, yaml).unwrap();
    file
}

fn binary(folder: &Path, catalog: &Path, more: &[&str], variables: &[(&str, &str)]) -> Run {
    let catalog = catalog.display().to_string();
    let args = [&["args", "--catalog", &catalog, "--tool", "paint"][..], more].concat();
    waypost_in(folder, &args, b"", variables)
}

#[test]
fn the_binary_asks_the_catalogs_model_and_never_prints_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let blue = || says("paint", &json!({ "colour": "blue" }), 0.9);
    let server = ChatServer::scripted(vec![blue(), blue(), Does::refuses(401, "wrong key s3cret!")]);
    let file = catalog(folder.path(), &format!("llm: {{base_url: '{}', key_env: PAINT_KEY}}", server.url()));
    let key = [("PAINT_KEY", "s3cret")];
    let run = binary(folder.path(), &file, &["--json", "paint the wall as you like"], &key);
    let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    assert_eq!((&answer["outcome"], &answer["args"]["colour"]), (&json!("run"), &json!("blue")));
    assert_eq!((&answer["llm"]["used"], &answer["matched_by"]), (&json!(true), &json!("llm")));
    let page = binary(folder.path(), &file, &["paint the wall as you like"], &key);
    assert!(page.out.contains("language model heard"), "{}", page.out);
    let refused = binary(folder.path(), &file, &["--json", "paint the wall as you like"], &key);
    let answer: Value = serde_json::from_str(&refused.out).unwrap();
    assert_eq!(
        (&answer["llm"]["used"], &answer["llm"]["error"]["code"]),
        (&json!(false), &json!("llm_refused"))
    );
    // What needs no second opinion is not asked about.
    let plain = binary(folder.path(), &file, &["--json", "red"], &key);
    let answer: Value = serde_json::from_str(&plain.out).unwrap();
    assert_eq!((&answer["outcome"], &answer["llm"]["requests"]), (&json!("run"), &json!(0)));
    for run in [&run, &page, &refused] {
        assert!(!run.out.contains("s3cret") && !run.err.contains("s3cret"), "{}{}", run.out, run.err);
    }
    assert!(server.asked()[0].headers.iter().any(|header| header == "authorization: Bearer s3cret"));
    // Without the variable there is no key, and so no request.
    let keyless = binary(folder.path(), &file, &["--json", "paint the wall as you like"], &[]);
    let answer: Value = serde_json::from_str(&keyless.out).unwrap();
    assert_eq!((keyless.code, &answer["llm"]["error"]["code"]), (0, &json!("llm_no_key")));
    assert_eq!((&answer["llm"]["requests"], server.asked().len()), (&json!(0), 3));
}

#[test]
fn the_binary_takes_a_model_by_flag_or_none_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let server = ChatServer::scripted(vec![says("paint", &json!({ "colour": "blue" }), 0.9)]);
    let url = server.url();
    let bare = catalog(folder.path(), "");
    let sky = "paint the wall as you like";
    let flags = ["--json", "--llm", &url, "--model", "small", "--llm-timeout-ms", "5000", sky];
    let run = binary(folder.path(), &bare, &flags, &[]);
    let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    assert_eq!((&answer["outcome"], &answer["llm"]["used"]), (&json!("run"), &json!(true)));
    let without = binary(folder.path(), &bare, &["--json", sky], &[]);
    assert!(!without.out.contains("\"llm\"") && server.asked().len() == 1, "{}", without.out);
    let wrong = binary(folder.path(), &bare, &["--llm", "localhost", sky], &[]);
    assert!(wrong.code == 2 && wrong.err.contains("http://"), "{}", wrong.err);
    let lone = binary(folder.path(), &bare, &["--model", "small", sky], &[]);
    assert!(lone.code == 2 && lone.err.contains("--llm BASE_URL"), "{}", lone.err);
    let named = catalog(folder.path(), &format!("llm: {{base_url: '{url}'}}"));
    let off = binary(folder.path(), &named, &["--json", "--llm", "off", sky], &[]);
    assert!(!off.out.contains("\"llm\"") && server.asked().len() == 1, "{}", off.out);
}

#[test]
fn the_binary_ends_in_time_where_the_model_stalls() {
    let folder = tempfile::tempdir().unwrap();
    let server = ChatServer::scripted(vec![Does::Stalls]);
    let llm = format!("llm: {{base_url: '{}', model: small, timeout_ms: {BUDGET_SHORT_MS}}}", server.url());
    let file = catalog(folder.path(), &llm);
    let begun = Instant::now();
    let run = binary(folder.path(), &file, &["--json", "paint the wall as you like"], &[]);
    assert!(begun.elapsed() < Duration::from_millis(BUDGET_SHORT_MS + SLACK_MS), "{:?}", begun.elapsed());
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&answer["llm"]["error"]["code"], &answer["tool"]),
        (&json!("llm_timed_out"), &json!("paint"))
    );
}
