//! Do held-out conversations over catalogs of other authors end as intended? Through the real binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::Path;

use serde_json::Value;
use support::waypost_in;

/// The catalogs of the last two authors, whose conversations were evaluated once, when everything was done.
const LAST: [&str; 10] = [
    "backup", "butcher", "carwash", "drones", "festival", "garden", "hospital", "housing", "payroll",
    "sailing",
];
/// How many of their 150 conversations end as intended, at least: 88 %.
const RIGHT_MIN: u64 = 132;

fn report(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/heldout/conversations");
    let (rows, catalog) = (format!("{name}.jsonl"), format!("./{name}.yaml"));
    let run =
        waypost_in(&folder, &["eval", "conversations", &rows, "--catalog", &catalog, "--json"], b"", &[]);
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{name}: {}", run.err));
    report["report"].clone()
}

#[test]
fn most_conversations_end_as_intended() {
    let reports: Vec<Value> = LAST.iter().map(|name| report(name)).collect();
    let sum = |what: &str| reports.iter().map(|report| report["right"][what].as_u64().unwrap()).sum::<u64>();
    assert!(sum("of") == 150 && sum("right") >= RIGHT_MIN, "{} of {}", sum("right"), sum("of"));
}
