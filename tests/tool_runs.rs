//! Do recorded runs of tools show in answers, and does a recorded decision stay the same whatever runs come later?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use support::waypost_in;
use tempfile::{TempDir, tempdir};
use waypost::learn::Cache;
use waypost::store::{self, Settings, Sqlite, Store, StoreError};
use waypost::{Message, Router};

const CATALOG: &str = "
thresholds: {base: 0.3}
routes:
  - {name: talk, description: Translates., patterns: [translat], tools: [near/translate, far/translate]}
tools:
  - {name: translate, id: far-1, server: far, description: Translates a text., category: language, read_only: true, open_world: true, cost_estimate: 1, avg_latency_ms: 90}
  - {name: translate, id: near-1, server: near, description: Translates a text., category: language, cost_estimate: 1, error_rate: 0.5}
";
const TEXT: &str = "translate this text";

/// A folder with a catalog, and the router of a program that records runs there.
fn folder() -> (TempDir, Router) {
    let here = tempdir().unwrap();
    let catalog = here.path().join("waypost.yaml");
    fs::write(&catalog, CATALOG).unwrap();
    let file = store::path(Some(&here.path().join("data"))).unwrap();
    let kept: Arc<dyn Store> = Arc::new(Sqlite::open(&file, Settings::default()).unwrap());
    let router = Router::open(catalog.to_str().unwrap(), &Cache::none()).unwrap().with_store(Ok(kept));
    (here, router)
}

fn answer(here: &Path, args: &[&str]) -> Value {
    let run = waypost_in(here, args, b"", &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn measured_figures_replace_written_ones_from_five_runs_on() {
    let (here, router) = folder();
    let facts = |tool: &Value| {
        ["category", "read_only", "open_world", "cost_estimate", "avg_latency_ms", "error_rate"]
            .map(|field| tool.get(field).cloned().unwrap_or_default())
    };
    let near = |latency: Value, errors: f64| {
        (
            "near-1".to_owned(),
            [json!("language"), json!(null), json!(null), json!(1.0), latency, json!(errors)],
        )
    };
    let far = [json!("language"), json!(true), json!(true), json!(1.0), json!(90.0), json!(null)];
    let far = ("far-1".to_owned(), far);
    for (runs, order) in
        [(4, [far.clone(), near(json!(null), 0.5)]), (1, [near(json!(40.0), 0.2), far.clone()])]
    {
        for run in 0..runs {
            router.record_tool_run("near-1", run > 0 || runs == 1, Some(40)).unwrap();
        }
        let commands = [
            vec!["tools", "--json", "--data", "data", TEXT],
            vec!["route", "--json", "--data", "data", TEXT],
        ];
        for command in commands {
            let told = answer(here.path(), &command);
            let tools = told["tools"].as_array().unwrap();
            let found: Vec<(String, [Value; 6])> =
                tools.iter().map(|tool| (tool["id"].as_str().unwrap().to_owned(), facts(tool))).collect();
            assert_eq!(found, order, "{command:?} after {runs} more runs: {told}");
        }
    }
}

#[test]
fn a_recorded_decision_knows_what_was_measured_when_it_was_made() {
    let (here, router) = folder();
    for _ in 0..5 {
        router.record_tool_run("near/translate", true, Some(40)).unwrap();
    }
    let trace = here.path().join("trace.json");
    let args = ["route", "--json", "--data", "data", "--trace", trace.to_str().unwrap(), TEXT];
    assert_eq!(answer(here.path(), &args)["tools"][0]["avg_latency_ms"], json!(40.0));
    for _ in 0..500 {
        router.record_tool_run("near/translate", false, Some(900)).unwrap();
    }
    let replayed = waypost_in(here.path(), &["replay", "trace.json"], b"", &[]);
    assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
}

#[test]
fn runs_of_nothing_are_refused() {
    let (_here, router) = folder();
    let refused = |tool: &str, says: &str| match router.record_tool_run(tool, true, None) {
        Err(StoreError::BadOutcome { what }) => assert!(what.contains(says), "{what}"),
        other => panic!("{tool}: {other:?}"),
    };
    refused("near/translat", "there is no tool");
    refused("translate", "several tools");
    let without = Router::from_catalog("context").unwrap();
    let tool = without.catalog().tools()[0].full_name();
    assert!(matches!(without.record_tool_run(&tool, true, Some(1)), Err(StoreError::NoStore)));
    assert!(without.route(&Message::from("hello")).is_ok());
}
