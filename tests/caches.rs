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

/// A catalog with routes, tools and documents, and what is asked of each command: a stream in which everything comes twice.
const HOUSE: &str = "
limits: {latency_ms: 3600000}
thresholds: {base: 0.3}
context:
  layers:
    - name: intent
      labels: [{name: lend, words: [lend]}, {name: rest, words: [sleep]}]
  examples:
    - {text: lend me something for the lake, labels: {intent: lend}}
    - {text: we want to sleep early, labels: {intent: rest}}
sources:
  - {name: house, files: [house.md]}
  - {name: water, files: [water.md]}
routes:
  - {name: boats, description: Lends boats., examples: [I want to go out on the lake, lend me something that floats], tools: [lend_boat, count_boats]}
  - {name: rooms, description: Lets rooms., examples: [I need somewhere to sleep, a bed for the night]}
tools:
  - name: lend_boat
    description: Lends a boat to a guest.
    input_schema: {type: object, properties: {guest: {type: string, description: Name of the guest}, hours: {type: integer, description: For how many hours}}, required: [hours]}
  - {name: count_boats, description: Counts the boats that are left at the pier.}
  - {name: reserve_room, description: Reserves a room for a guest for some nights.}
";
const SAID: [&str; 5] = [
    "could we have a kayak for three hours for Ann",
    "a place where two of us can spend the night",
    "how many boats are left, and when must they be back",
    "what do you recommend for a rainy day",
    "three hours on the lake please",
];

/// The answers of a command to a stream, without what is different each time, and how many rows the store has afterwards.
fn stream(here: &std::path::Path, args: &[&str], cache: &str, store: &str) -> (Vec<Value>, i64) {
    let twice = SAID.iter().chain(&SAID);
    let rows: String = twice.map(|text| format!("{}\n", serde_json::json!({ "text": text }))).collect();
    let home = here.join(store);
    let variables = [("WAYPOST_CACHE", cache), ("WAYPOST_HOME", home.to_str().unwrap())];
    let args = [args, &["--batch", "-"]].concat();
    let run = support::waypost_in(here, &args, rows.as_bytes(), &variables);
    assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    let plain = |line: &str| {
        let mut answer: Value = serde_json::from_str(line).unwrap();
        for list in ["", "/tools/0/call"] {
            if let Some(Value::Object(fields)) = answer.pointer_mut(list) {
                fields.retain(|field, _| field != "id" && field != "elapsed_us");
            }
        }
        answer
    };
    let file = home.join("cache.db");
    let count = |connection: rusqlite::Connection| {
        connection.query_row("SELECT count(*) FROM kept_1", [], |row| row.get(0)).unwrap()
    };
    let rows = if file.exists() { count(rusqlite::Connection::open(file).unwrap()) } else { 0 };
    (run.out.lines().map(plain).collect(), rows)
}

#[test]
fn every_command_answers_the_same_from_the_caches_of_another_process() {
    let here = tempdir().unwrap();
    std::fs::write(here.path().join("waypost.yaml"), HOUSE).unwrap();
    let water = "# Boats\n\nBoats are back at the pier before sunset.\n\n# Kayaks\n\nA kayak is lent to swimmers only.\n";
    std::fs::write(here.path().join("water.md"), water).unwrap();
    std::fs::write(
        here.path().join("house.md"),
        "# Rooms\n\nA room is ready from three. On a rainy day there is a library.\n",
    )
    .unwrap();
    for args in [
        vec!["route"],
        vec!["route", "--args"],
        vec!["args", "--now", "2026-11-19T10:00:00"],
        vec!["args", "--tool", "lend_boat", "--now", "2026-11-19T10:00:00"],
        vec!["tools"],
        vec!["sources"],
    ] {
        let store = format!("store {}", args.join(" "));
        let (without, none) = stream(here.path(), &args, "off", &store);
        let (computed, kept) = stream(here.path(), &args, "", &store);
        let (recalled, still) = stream(here.path(), &args, "", &store);
        assert_eq!(none, 0, "{args:?}");
        assert!(kept >= 4, "{args:?}: {kept}");
        assert_eq!(kept, still, "{args:?}: the second process computed nothing anew");
        assert_eq!(without, computed, "{args:?}");
        assert_eq!(without, recalled, "{args:?}");
    }
}

#[test]
fn a_conversation_answers_the_same_from_the_caches_of_another_process() {
    let here = tempdir().unwrap();
    std::fs::write(here.path().join("waypost.yaml"), HOUSE).unwrap();
    std::fs::write(here.path().join("water.md"), "Boats.\n").unwrap();
    std::fs::write(here.path().join("house.md"), "Rooms.\n").unwrap();
    let home = here.path().join("home");
    let said = SAID.join("\n");
    let chat = |cache: &str| {
        let variables = [("WAYPOST_CACHE", cache), ("WAYPOST_HOME", home.to_str().unwrap())];
        let args = ["chat", "--json", "--now", "2026-11-19T10:00:00"];
        let run = support::waypost_in(here.path(), &args, said.as_bytes(), &variables);
        assert_eq!(run.code, 0, "{}", run.err);
        let turns = run.out.lines().map(|line| {
            let mut turn: Value = serde_json::from_str(line).unwrap();
            turn.as_object_mut()
                .unwrap()
                .retain(|field, _| !["id", "elapsed_us", "session_id"].contains(&&**field));
            turn
        });
        turns.collect::<Vec<_>>()
    };
    let without = chat("off");
    assert!(!without.is_empty() && !home.join("cache.db").exists());
    assert_eq!(without, chat(""));
    assert!(home.join("cache.db").exists());
    assert_eq!(without, chat(""));
}

#[test]
fn a_repetitive_stream_over_specialists_is_mostly_found() {
    let measured = json(&["bench", "cache", "--catalog", "specialists", "--json"]);
    assert_eq!(measured["differing"], 0);
    assert!(measured["asked"]["hit_rate"].as_f64().unwrap() > 0.7, "{}", measured["asked"]);
}
