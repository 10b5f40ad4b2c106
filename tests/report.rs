//! Does `waypost explain --report` give the report in every form, and say clearly where it cannot?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use support::{Run, waypost_in};
use tempfile::tempdir;

/// Two specialists told apart by words alone.
const CATALOG: &str = "
name: bench
scoring: factors
fallback: anyone
context:
  layers:
    - name: area
      labels:
        - {name: backend, description: The server, words: [database]}
        - {name: frontend, description: The page, words: [button]}
    - name: operation
      labels:
        - {name: debugging, description: Mending, words: [fix]}
        - {name: creation, description: Making, words: [create]}
    - name: complexity
      labels:
        - {name: simple, description: One file, words: [typo], score: 0.0, below: 0.3, tokens: 5000, minutes: 5}
        - {name: moderate, description: Several files, words: [module], score: 0.5, up_to: 0.7, tokens: 15000, minutes: 30}
        - {name: complex, description: All of it, words: [architecture], score: 1.0, tokens: 30000, minutes: 120}
routes:
  - {name: database-specialist, description: Queries, areas: [backend], operations: [debugging], keywords: [deadlock]}
  - {name: frontend-specialist, description: Pages, areas: [frontend], operations: [creation], keywords: [component]}
  - {name: anyone, description: Everything else}
";

/// Asks for what is around a message: its user and the machine.
const RULES: &str = "
thresholds:
  rules:
    - {id: newcomer, when: user.total_tasks_completed < 5, threshold: 0.75, priority: 9, direction: up, reason: New}
";

fn run(args: &[&str]) -> Run {
    let here = tempdir().unwrap();
    std::fs::write(here.path().join("bench.yaml"), CATALOG).unwrap();
    std::fs::write(here.path().join("rows.jsonl"), "{\"text\": \"hello\"}\n").unwrap();
    waypost_in(here.path(), args, b"", &[])
}

/// Runs with the catalog on one message, and looks for all of these in what comes out.
#[track_caller]
fn check(flags: &[&str], expected: &[&str]) {
    let mut args = vec!["explain", "--catalog", "./bench.yaml", "--report"];
    args.extend(flags);
    args.push("fix the deadlock in the database module");
    let run = run(&args);
    assert_eq!(run.code, 0, "{flags:?}: {}", run.err);
    for part in expected {
        assert!(run.out.contains(part), "{flags:?}: no {part:?} in\n{}", run.out);
    }
}

#[test]
fn every_form_and_language() {
    check(&[], &["Selected Agent: database-specialist\n", "├─ Pattern Matching: keyword deadlock +0.15"]);
    check(&["--lang", "en", "--format", "text"], &["Selected Agent: database-specialist\n"]);
    check(&["--lang", "vi"], &["Chọn Agent: database-specialist\n", "từ khóa deadlock +0.15"]);
    check(&["--format", "markdown"], &["# 🤖 Sub-Agent", "**Selected Agent**: `database-specialist`"]);
    check(&["--format", "markdown", "--lang", "vi"], &["**Đánh giá Rủi ro**"]);
    check(&["--color", "always"], &["\u{1b}[1mSelected Agent\u{1b}[0m: \u{1b}[36mdatabase-specialist"]);
    for json in [&["--json"][..], &["--format", "json"], &["--json", "--lang", "vi"]] {
        check(json, &["\"report\": {\n    \"agent\": \"database-specialist\"", "\"name\": \"bench\""]);
    }
    check(&["--json", "--lang", "vi"], &["\"lang\": \"vi\"", "\"what\": \"từ khóa deadlock\""]);
}

#[test]
fn a_name_that_is_a_hint_settles_nothing() {
    let asked = |catalog: &str, flag: &str| {
        let here = tempdir().unwrap();
        std::fs::write(here.path().join("bench.yaml"), catalog).unwrap();
        let text = "database-specialist, fix the deadlock in the database module";
        let run =
            waypost_in(here.path(), &["explain", "-c", "./bench.yaml", "--report", flag, text], b"", &[]);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let hinted: serde_json::Value = serde_json::from_str(&asked(CATALOG, "--json")).unwrap();
    assert_eq!(hinted["report"]["agent"], "database-specialist");
    assert_eq!(hinted["report"].get("forced_by"), None, "{}", hinted["report"]);
    assert!(!asked(CATALOG, "--lang=en").contains("which is certain"));
    let forced = format!("{CATALOG}names: force\n");
    let told: serde_json::Value = serde_json::from_str(&asked(&forced, "--json")).unwrap();
    assert_eq!(told["report"]["forced_by"], "name");
    assert!(asked(&forced, "--lang=en").contains("Called by its name, which is certain"));
}

#[test]
fn what_did_not_go_as_it_should_is_noted() {
    let here = tempdir().unwrap();
    std::fs::write(here.path().join("bench.yaml"), format!("{CATALOG}{RULES}")).unwrap();
    // What other tests taught a catalog of this name would be noted too.
    let cache = here.path().join("cache").display().to_string();
    let report = |flags: &[&str]| {
        let asked = ["explain", "-c", "./bench.yaml", "--report", "--user", "ann", "--data", "data"];
        let variables = [("XDG_CACHE_HOME", cache.as_str())];
        let run = waypost_in(here.path(), &[&asked, flags, &["fix the deadlock"]].concat(), b"", &variables);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    for (flags, notes) in [(&[][..], "Notes"), (&["--json"][..], "\"notes\"")] {
        let shown = report(flags);
        assert!(!shown.contains(notes), "{shown}");
    }
    std::fs::create_dir(here.path().join("data")).unwrap();
    std::fs::write(here.path().join("data/history.db"), vec![7; 9000]).unwrap();
    let check = |flags: &[&str], heading: &str| {
        let shown = report(flags);
        let note = shown.split_once(heading).unwrap_or_else(|| panic!("no {heading:?} in {shown}")).1;
        assert!(note.contains("history.db") && note.contains("move it away"), "{note}");
    };
    check(&[], "\nNotes\n  • ");
    check(&["--lang", "vi"], "\nGhi chú\n  • ");
    check(&["--format", "markdown"], "\n**Notes**\n\n- ");
    check(&["--json"], "\"notes\": [");
}

#[test]
fn how_much_of_the_machine_is_used_can_be_given() {
    let here = tempdir().unwrap();
    std::fs::write(here.path().join("bench.yaml"), format!("{CATALOG}{RULES}")).unwrap();
    let report = |resources: &str| {
        let asked =
            ["explain", "-c", "./bench.yaml", "--report", "--user", "ann", "--data", "data", "fix it"];
        waypost_in(here.path(), &asked, b"", &[("WAYPOST_RESOURCES", resources)])
    };
    let full = report(r#"{"disk": 0.97}"#);
    assert!(full.out.contains("disk is used to 97"), "{}{}", full.out, full.err);
    for bad in ["much", r#"{"disk": 97}"#] {
        let refused = report(bad);
        assert_eq!(refused.code, 2, "{}", refused.out);
        assert!(refused.err.contains("WAYPOST_RESOURCES"), "{}", refused.err);
    }
}

#[track_caller]
fn refused(args: &[&str], expected: &str) {
    let run = run(args);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
    assert!(run.err.contains(expected), "{args:?}: {}", run.err);
}

#[test]
fn what_cannot_be_reported_is_refused_with_a_reason() {
    let without = "the catalog triad does not score by factors, so there is no selection to report; use --catalog specialists";
    refused(&["explain", "--catalog", "triad", "--report", "hello"], without);
    refused(&["explain", "--report", "--batch", "rows.jsonl"], "cannot be used with");
    refused(&["explain", "--report", "--html", "-", "hello"], "cannot be used with");
    refused(&["explain", "--report", "--json", "--format", "text", "hello"], "cannot be used with");
    refused(&["explain", "--lang", "vi", "hello"], "--report");
    refused(&["explain", "--format", "markdown", "hello"], "--report");
    refused(&["explain", "--report", "--lang", "de", "hello"], "possible values: en, vi");
}
