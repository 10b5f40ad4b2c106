//! Are tiers that no longer fit into `limits.latency_ms` skipped and named, and does replay skip the same?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use support::waypost_in;
use tempfile::{TempDir, tempdir};
use waypost::learn::Cache;
use waypost::ports::Clock;
use waypost::{Message, Router};

/// A clock on which every look takes so many milliseconds.
struct Steps {
    now_ms: AtomicU64,
    step_ms: u64,
}

impl Clock for Steps {
    fn now_ms(&self) -> u64 {
        self.now_ms.fetch_add(self.step_ms, Ordering::Relaxed)
    }
}

/// A catalog whose heads are never sure of this message, so that every tier is asked.
const CATALOG: &str = "
thresholds: {base: 0.3}
routes:
  - {name: boats, description: Lends boats., patterns: [boat], examples: [I want to go out on the lake, lend me something that floats]}
  - {name: rooms, description: Lets rooms., examples: [I need somewhere to sleep, a bed for the night]}
tools:
  - {name: lend, description: Lends a boat to a guest.}
sources:
  - {name: water, files: [water.md]}
";
const OPEN: &str = "is there anything for my family on saturday";
const RULED: &str = "lend me a boat";

fn folder(limit: &str) -> TempDir {
    let here = tempdir().unwrap();
    fs::write(here.path().join("waypost.yaml"), format!("limits: {{{limit}}}{CATALOG}")).unwrap();
    fs::write(here.path().join("water.md"), "# Boats\n\nEvery guest of a boat wears a life vest.\n").unwrap();
    here
}

fn router(here: &Path, step_ms: u64) -> Router {
    let catalog = here.join("waypost.yaml");
    let clock = Steps { now_ms: AtomicU64::new(1_700_000_000_000), step_ms };
    Router::open(catalog.to_str().unwrap(), &Cache::none()).unwrap().with_clock(clock)
}

fn skipped(notes: &[String]) -> Vec<&str> {
    notes.iter().filter_map(|note| note.split_once(" was skipped: ")).map(|(name, _)| name).collect()
}

#[test]
fn tiers_that_do_not_fit_are_skipped_in_order_of_their_cost() {
    let check = |limit: &str, step_ms: u64, text: &str, expected: &[&str]| {
        let here = folder(limit);
        let router = router(here.path(), step_ms);
        let trace = router.trace_complete(&Message::from(text), waypost::retrieve::Selected::ALL).unwrap();
        assert_eq!(trace.situation.skipped, expected, "{limit} {step_ms}: {:?}", trace.answer.notes);
        assert_eq!(skipped(&trace.answer.notes), expected, "{limit} {step_ms}");
        // The recorded decision skips the same, whatever the clock says now.
        for other in [0, 1_000_000] {
            let with_other = self::router(here.path(), other);
            let replay = with_other.replay(&trace).unwrap();
            assert!(replay.same, "{limit} {step_ms} {other}");
        }
    };
    check("latency_ms: 2000", 0, OPEN, &[]);
    check("latency_ms: 0", 0, OPEN, &["learned", "learned_deep"]);
    check("latency_ms: 1", 0, OPEN, &["learned_deep", "full_model"]);
    check("latency_ms: 9", 0, OPEN, &["full_model"]);
    check("latency_ms: 0", 0, RULED, &["learned", "learned_deep", "tools", "passages"]);
    check("latency_ms: 25", 0, RULED, &["passages"]);
    // Every look at this clock takes 300 ms, so the first head is the last tier that fits.
    check("latency_ms: 2000", 300, OPEN, &["learned_deep", "full_model"]);
}

#[test]
fn what_took_long_before_is_skipped_next_time() {
    let here = folder("latency_ms: 750");
    let router = router(here.path(), 100);
    let skips =
        |_| router.route(&Message::from(OPEN)).map(|answer| skipped(&answer.notes).join(" ")).unwrap();
    let told: Vec<String> = (0..12).map(skips).collect();
    let again = self::router(here.path(), 100);
    let skips = |_| again.route(&Message::from(OPEN)).map(|answer| skipped(&answer.notes).join(" ")).unwrap();
    assert_eq!(told, (0..12).map(skips).collect::<Vec<_>>(), "the same clock gives the same decisions");
    let slow = told.iter().position(|skipped| skipped.len() > told[0].len()).unwrap();
    assert!(told[slow..].contains(&told[0]), "it is tried again: {told:?}");
}

#[test]
fn a_budget_of_nothing_leaves_the_rules() {
    let here = folder("latency_ms: 0");
    let answer = |text: &str| -> Value {
        let run = waypost_in(here.path(), &["route", "--json", "--trace", "trace.json", text], b"", &[]);
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str(&run.out).unwrap()
    };
    let ruled = answer(RULED);
    assert_eq!((&ruled["outcome"], &ruled["route"]), (&json!("act"), &json!("boats")));
    assert_eq!((&ruled["tools"], &ruled["sources"]), (&json!([]), &json!([])));
    let notes: Vec<String> = serde_json::from_value(ruled["notes"].clone()).unwrap();
    assert_eq!(skipped(&notes), ["learned", "learned_deep", "tools", "passages"]);
    assert!(notes[0].contains("0 of 0 ms (limits.latency_ms)"), "{notes:?}");
    let replayed = waypost_in(here.path(), &["replay", "trace.json"], b"", &[]);
    assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
    assert_eq!(answer("somewhere to sleep please")["outcome"], "abstain");
}

#[test]
fn a_closed_gate_is_looked_at_however_little_time_is_left() {
    let here = folder("latency_ms: 0");
    let gate = "facts: {signed: The contract is signed.}\ngates:\n  - {name: contract, tools: [lend], open_when: session.signed, reason: No contract., way_on: Sign it.}\n";
    let file = here.path().join("waypost.yaml");
    let catalog =
        fs::read_to_string(&file).unwrap().replace("patterns: [boat]", "patterns: [boat], tools: [lend]");
    fs::write(&file, format!("{catalog}{gate}")).unwrap();
    let run = waypost_in(here.path(), &["route", "--json", RULED], b"", &[]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["outcome"], "clarify", "{answer}");
}
