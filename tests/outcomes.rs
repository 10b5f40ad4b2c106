//! Does `waypost eval outcomes` say how confidence and success go together, and nothing where it cannot?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::Path;

use serde_json::Value;
use support::{Run, waypost_in};
use tempfile::tempdir;
use waypost::core::history::Completion;
use waypost::store::{DecisionKept, Settings, Sqlite, Store};

/// Keeps decisions and tells how they ended.
fn tell(folder: &Path, outcomes: &[(f64, bool)]) {
    let store = Sqlite::open(&folder.join("data/history.db"), Settings::default()).unwrap();
    for (at, (confidence, success)) in outcomes.iter().enumerate() {
        let id = format!("d{at}");
        let kept = DecisionKept { id: id.clone(), confidence: *confidence, ..DecisionKept::default() };
        store.keep_decision(&kept).unwrap();
        let completion = Completion {
            task_id: id.clone(),
            user: "ann".to_owned(),
            decision_id: Some(id),
            success: *success,
            ..Completion::default()
        };
        store.record(&completion).unwrap();
    }
}

fn judge(folder: &Path, args: &[&str]) -> Run {
    waypost_in(folder, &[&["eval", "outcomes", "--data", "data"], args].concat(), b"", &[])
}

fn figures(folder: &Path) -> Value {
    let run = judge(folder, &["--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let judged: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(judged["version"], 1);
    judged["outcomes"].clone()
}

#[test]
fn sure_decisions_that_end_well_are_told() {
    let here = tempdir().unwrap();
    // Nine of ten at 0.9 succeed, and two of ten at 0.65.
    let part = |confidence: f64, good: usize| (0..10).map(move |at| (confidence, at < good));
    tell(here.path(), &part(0.9, 9).chain(part(0.65, 2)).collect::<Vec<_>>());
    let told = figures(here.path());
    assert_eq!((&told["outcomes"], &told["succeeded"]), (&20.into(), &11.into()));
    // Two values against two: 0.7 of difference, over the spread of 11 successes of 20.
    let expected = 0.35 / (0.55_f64 * 0.45).sqrt();
    for figure in ["correlation", "rank_correlation"] {
        assert!((told[figure].as_f64().unwrap() - expected).abs() < 1e-9, "{told}");
    }
    assert!((told["ece"].as_f64().unwrap() - 0.225).abs() < 1e-9, "{told}");
    let bands: Vec<_> = told["bands"].as_array().unwrap().iter().map(|band| &band["success_rate"]).collect();
    assert_eq!(bands, [&Value::Null, &0.2.into(), &Value::Null, &0.9.into()]);
    assert_eq!(told["unsaid"], Value::Null);

    let text = judge(here.path(), &[]).out;
    for shown in ["outcomes told                20", "r = 0.704", "0.85 to 1.00", "90.0 %"] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    assert_eq!(judge(here.path(), &["--min", "0.7"]).code, 0);
    assert_eq!(judge(here.path(), &["--min", "-0.5"]).code, 0);
    let missed = judge(here.path(), &["--min", "0.71"]);
    assert!(missed.code == 1 && missed.err.contains("below the 0.71 asked for"), "{}", missed.err);
    assert_eq!(judge(here.path(), &["--min", "2"]).code, 2);
}

#[test]
fn what_cannot_be_said_is_null() {
    let check = |outcomes: &[(f64, bool)], because: &str| {
        let here = tempdir().unwrap();
        if !outcomes.is_empty() {
            tell(here.path(), outcomes);
        }
        let told = figures(here.path());
        assert_eq!((&told["correlation"], &told["rank_correlation"]), (&Value::Null, &Value::Null));
        assert!(told["unsaid"].as_str().unwrap().contains(because), "{told}");
        let run = judge(here.path(), &["--min", "0.9"]);
        assert!(run.code == 1 && run.out.contains("nothing can be said"), "{}", run.out);
        assert!(run.err.contains("no correlation to hold against the 0.9 asked for"), "{}", run.err);
        assert_eq!(judge(here.path(), &[]).code, 0, "to look is no failure");
        assert_eq!(here.path().join("data").exists(), !outcomes.is_empty(), "looking leaves nothing behind");
    };
    check(&[], "0 outcomes");
    check(&[(0.9, true), (0.6, false)], "2 outcomes");
    check(&[(0.9, true), (0.6, true)].repeat(6), "every task succeeded");
    check(&[(0.8, true), (0.8, false)].repeat(6), "equally sure");
}
