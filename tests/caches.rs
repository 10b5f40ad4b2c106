//! Do caches change nothing but the time?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::sync::Arc;

use serde_json::Value;
use support::{json, waypost};
use tempfile::tempdir;
use waypost::learn::Cache;
use waypost::ports::cache::{Caches, ShelfFile};
use waypost::{Answer, Message, Router};

/// An answer without what is different each time.
fn plain(answer: Answer) -> Value {
    serde_json::to_value(Answer { id: String::new(), elapsed_us: 0.0, ..answer }).unwrap()
}

fn messages(catalog: &str) -> Vec<Message> {
    let rows = std::fs::read_to_string(format!("tests/heldout/{catalog}.jsonl")).unwrap();
    let text = |row: &str| serde_json::from_str::<Value>(row).unwrap()["text"].as_str().unwrap().to_owned();
    let session_id = |turn: usize| (!turn.is_multiple_of(3)).then(|| format!("s{}", turn % 3));
    let message =
        |(turn, row): (usize, &str)| Message { session_id: session_id(turn), ..Message::from(text(row)) };
    rows.lines().enumerate().map(message).collect()
}

#[test]
fn decisions_are_the_same_from_every_layer() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("cache.db");
    let layers = || Arc::new(Caches::in_process().with_shelf(ShelfFile::open(&file).unwrap()));
    for catalog in ["triad", "starter"] {
        let router = Router::open(catalog, &Cache::none()).unwrap();
        let messages = messages(catalog);
        let decide = |router: &Router| {
            messages.iter().map(|message| plain(router.climb(message).unwrap())).collect::<Vec<_>>()
        };
        let expected = decide(&router);
        let (first, next) = (layers(), layers());
        let cached = router.clone().with_caches(Arc::clone(&first));
        // Computed, then found in the process, then found in the store by the next process.
        assert_eq!(decide(&cached), expected);
        let computed = first.metrics().computed.count;
        assert!(computed > 10 && first.metrics().store.count == 0, "{:?}", first.metrics());
        assert_eq!(decide(&cached), expected);
        assert_eq!(first.metrics().computed.count, computed);
        assert!(first.metrics().process.count >= computed, "{:?}", first.metrics());
        assert_eq!(decide(&router.clone().with_caches(Arc::clone(&next))), expected);
        assert_eq!((next.metrics().computed.count, next.metrics().store.count), (0, computed));
        assert!(first.notes().is_empty() && next.notes().is_empty());
        // Who asks why has it computed.
        let before = first.metrics().lookups;
        let trace = cached.trace(&messages[0]).unwrap();
        assert!(cached.replay(&trace).unwrap().same);
        assert_eq!(first.metrics().lookups, before);
    }
}

#[test]
fn the_caches_are_measured() {
    let measured = json(&["bench", "cache", "--catalog", "triad", "--json"]);
    assert_eq!(measured["differing"], 0);
    let asked = &measured["asked"];
    for layer in ["process", "session", "store", "computed"] {
        assert!(asked[layer]["count"].as_u64().unwrap() > 0, "{layer}: {asked}");
        assert!(asked[layer]["p99_us"].as_f64() >= asked[layer]["p50_us"].as_f64(), "{layer}: {asked}");
    }
    assert!(asked["hit_rate"].as_f64().unwrap() > 0.7, "{asked}");
    for flag in ["--seconds=1", "--json"] {
        let run = waypost(&["bench", flag, "cache"]);
        assert_eq!(run.code, 2, "{flag} belongs to the other: {}", run.out);
    }
}

#[test]
fn a_catalog_taught_by_labelled_messages_is_measured_by_them() {
    let here = tempfile::tempdir().unwrap();
    let catalog = "
name: areas
context:
  layers:
    - name: area
      labels:
        - {name: backend, description: The server, words: [database]}
        - {name: frontend, description: The page, words: [button]}
  examples:
    - {text: the database is slow today, labels: {area: backend}}
    - {text: this button is too small, labels: {area: frontend}}
routes:
  - {name: mend, description: Mend it, patterns: [slow]}
";
    std::fs::write(here.path().join("waypost.yaml"), catalog).unwrap();
    let run = support::waypost_in(here.path(), &["bench", "cache", "--json"], b"", &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let measured: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&measured["messages"], &measured["differing"]), (&6.into(), &0.into()));
}
