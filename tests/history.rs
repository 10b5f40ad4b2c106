//! Does the real binary keep the history of users, whatever happens to it?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use rusqlite::Connection;
use serde_json::{Value, json};
use support::{Run, waypost_in};
use tempfile::tempdir;
use waypost::core::history::{Completion, History};
use waypost::store::{DecisionKept, Settings, Sqlite, Store};

/// Runs `waypost history …` on the store of a folder.
fn history(folder: &Path, args: &[&str], input: &str) -> Run {
    let (what, rest) = args.split_first().unwrap();
    let args = [&["history", what, "--data", "data"], rest].concat();
    waypost_in(folder, &args, input.as_bytes(), &[])
}

fn answer(folder: &Path, args: &[&str]) -> Value {
    let run = history(folder, &[args, &["--json"]].concat(), "");
    assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn lines(run: &Run) -> Vec<Value> {
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn outcomes_move_the_reputation_and_count_once() {
    let here = tempdir().unwrap();
    let record = |task: &str, ended: &str, at: &str| {
        let place = ["--area", "backend", "--operation", "debugging", "--at", at];
        answer(here.path(), &[&["record", "--user", "ann", "--task", task, ended][..], &place].concat())
    };
    assert_eq!(record("t1", "--success", "2026-01-01T00:00:00Z")["recorded"], "new");
    assert_eq!(record("t2", "--failure", "1767225601000")["recorded"], "new");
    let again = record("t1", "--failure", "2026-01-05T00:00:00Z");
    assert_eq!(again["recorded"], "already_known");
    assert_eq!(again["version"], 1);
    assert_eq!(again["standing"]["total_tasks_completed"], 2);
    // Two similar tasks are too few for a rate.
    assert_eq!(again["standing"].get("similar_task_success_rate"), None);

    let show = |at: &str| answer(here.path(), &["show", "--user", "ann", "--at", at]);
    let shown = show("2026-01-01T00:00:01Z");
    assert_eq!(shown["standing"]["reputation_score"], 0.5);
    assert_eq!(shown["standing"]["recent_success_rate"], 0.5);
    assert_eq!(shown["standing"]["recent_error_count"], 1);
    assert_eq!(shown["recent"], json!([true, false]));
    assert_eq!(
        shown["areas"][0],
        json!({"area": "backend", "total": 2, "succeeded": 1, "success_rate": 0.5})
    );
    assert_eq!(shown["kinds"][0]["operation"], "debugging");
    assert_eq!(shown["last_tasks"][0]["task_id"], "t2");
    assert_eq!(show("2026-01-31T00:00:00Z")["standing"]["reputation_score"], 0.5);
    assert_eq!(show("2026-01-31T00:00:01Z")["standing"]["reputation_score"], 0.475);

    let users = answer(here.path(), &["show"]);
    assert_eq!(users["users"][0]["user"], "ann");
    assert_eq!(users["users"][0]["total"], 2);
    let text = history(here.path(), &["show", "--user", "ann"], "").out;
    assert!(text.starts_with("ann: reputation "), "{text}");
    assert!(text.contains("2026-01-01T00:00:01Z  failure  t2"), "{text}");
}

#[test]
fn looking_at_nothing_leaves_nothing_behind() {
    let here = tempdir().unwrap();
    let nobody = answer(here.path(), &["show", "--user", "ann"]);
    assert_eq!(nobody["standing"]["reputation_score"], 0.5);
    assert_eq!(nobody["standing"]["recent_success_rate"], Value::Null);
    assert_eq!(nobody["last_ms"], Value::Null);
    assert_eq!(answer(here.path(), &["show"])["users"], json!([]));
    assert_eq!(answer(here.path(), &["forget", "--user", "ann"])["forgotten"]["completions"], 0);
    assert!(!here.path().join("data").exists());
}

#[test]
fn a_task_of_one_user_is_not_told_for_another() {
    let here = tempdir().unwrap();
    let tell = |user: &str, ended: &str| {
        history(here.path(), &["record", "--user", user, "--task", "T-17", ended], "")
    };
    assert_eq!(tell("ann", "--success").code, 0);
    let other = tell("carl", "--failure");
    assert_eq!((other.code, other.out.as_str()), (2, ""));
    assert!(other.err.contains("T-17 was told for another user"), "{}", other.err);
    let again = tell("ann", "--failure");
    assert!(again.code == 0 && again.out.contains("T-17 was told before; nothing changed"), "{}", again.out);
    assert_eq!(answer(here.path(), &["show", "--user", "carl"])["total"], 0);
}

#[test]
fn a_decision_that_is_kept_says_under_which_id() {
    let here = tempdir().unwrap();
    let route = |flags: &[&str]| {
        let asked = ["route", "-c", "triad", "--user", "ann", "--data", "data", "use surgical mode"];
        waypost_in(here.path(), &[&asked, flags].concat(), b"", &[]).out
    };
    assert!(!route(&[]).contains("kept"), "only where it was asked for");
    let kept = route(&["--record"]);
    let id =
        kept.lines().find_map(|line| line.strip_prefix("  kept     ")).unwrap_or_else(|| panic!("{kept}"));
    let told = answer(here.path(), &["record", "--decision", id, "--success"]);
    assert_eq!((&told["task_id"], &told["user"]), (&json!(id), &json!("ann")));
    fs::write(here.path().join("data/history.db"), vec![7; 9000]).unwrap();
    let not_kept = route(&["--record"]);
    assert!(!not_kept.contains("  kept ") && not_kept.contains("the decision is not kept"), "{not_kept}");
}

#[test]
fn what_is_not_known_of_a_task_is_null() {
    let here = tempdir().unwrap();
    answer(here.path(), &["record", "--user", "ann", "--task", "t", "--success"]);
    let shown = answer(here.path(), &["show", "--user", "ann"]);
    for label in ["/areas/0/area", "/kinds/0/area", "/kinds/0/operation"] {
        assert_eq!(shown.pointer(label), Some(&Value::Null), "{label}: {shown}");
    }
}

#[test]
fn a_task_is_not_completed_in_the_future() {
    let here = tempdir().unwrap();
    let tell = |at: &str| {
        history(here.path(), &["record", "--user", "ann", "--task", "t", "--success", "--at", at], "")
    };
    let ahead = tell("2999-01-01T00:00:00Z");
    assert_eq!((ahead.code, ahead.out.as_str()), (2, ""));
    let told = "it was completed at 2999-01-01T00:00:00Z, and it is ";
    assert!(ahead.err.contains(told) && ahead.err.contains("expected a time in the past"), "{}", ahead.err);
    assert_eq!(tell("2026-01-01T00:00:00Z").code, 0);
}

#[test]
fn tenants_keep_their_users_apart() {
    let here = tempdir().unwrap();
    for (tenant, ended) in [("acme", "--success"), ("emca", "--failure")] {
        answer(here.path(), &["record", "--user", "ann", "--tenant", tenant, "--task", "t", ended]);
    }
    let reputation = |tenant: &str, args: &[&str]| {
        let args = [&["show", "--tenant", tenant], args].concat();
        answer(here.path(), &args)["standing"]["reputation_score"].clone()
    };
    for args in [&["--user", "ann"][..], &[]] {
        assert_eq!(reputation("acme", args), 1.0);
        assert_eq!(reputation("emca", args), 0.0);
    }
    let forgotten = history(here.path(), &["forget", "--user", "ann", "--tenant", "acme"], "");
    assert_eq!(forgotten.out, "forgot ann of acme: tasks deleted: 1, decisions deleted: 0\n");
    assert_eq!(reputation("acme", &["--user", "ann"]), 0.5);
    assert_eq!(reputation("emca", &["--user", "ann"]), 0.0);
    let text = history(here.path(), &["show", "--tenant", "emca"], "").out;
    assert!(text.contains("emca together: reputation 0.00, tasks: 1"), "{text}");
}

#[test]
fn a_decision_tells_what_the_outcome_leaves_out() {
    let here = tempdir().unwrap();
    let file = here.path().join("data/history.db");
    let store = Sqlite::open(&file, Settings::default()).unwrap();
    let kept = DecisionKept {
        id: "d1".to_owned(),
        tenant: Some("acme".to_owned()),
        user: Some("ann".to_owned()),
        confidence: 0.9,
        area: Some("backend".to_owned()),
        operation: Some("analysis".to_owned()),
        ..DecisionKept::default()
    };
    store.keep_decision(&kept).unwrap();
    let recorded = answer(here.path(), &["record", "--decision", "d1", "--success"]);
    assert_eq!(
        (&recorded["task_id"], &recorded["user"], &recorded["tenant"]),
        (&json!("d1"), &json!("ann"), &json!("acme"))
    );
    let task = &store.last_tasks(Some("acme"), "ann", 1).unwrap()[0];
    assert_eq!((task.area.as_deref(), task.confidence_used), (Some("backend"), Some(0.9)));
    assert_eq!(store.outcomes().unwrap().len(), 1);
    let unknown = history(here.path(), &["record", "--decision", "d2", "--success"], "");
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("it needs a user; the decision d2 is not kept here\n"), "{}", unknown.err);
    store.keep_decision(&DecisionKept { id: "d3".to_owned(), user: None, ..kept }).unwrap();
    let nobodys = history(here.path(), &["record", "--decision", "d3", "--success"], "");
    assert_eq!(nobodys.code, 2);
    assert!(nobodys.err.contains("the decision d3 was made for nobody in particular\n"), "{}", nobodys.err);
}

#[test]
fn batch_answers_every_line_in_its_place() {
    let here = tempdir().unwrap();
    let rows = [
        r#"{"task_id": "a", "user": "ann", "success": true, "at_ms": 5}"#,
        r#"{"task_id": "b", "user": "ann"}"#,
        "nonsense",
        r#"{"task": "c", "user": "ann", "success": false, "at": "2026-01-01T00:00:00Z", "error": "no\nspace"}"#,
        r#"{"task_id": "a", "user": "bob", "success": true}"#,
        r#"{"task_id": "d", "success": true}"#,
        r#"{"task_id": "e", "user": "ann", "success": true, "complexity": 7}"#,
        r#"{"task_id": "f", "user": "ann", "success": true, "at": "yesterday"}"#,
    ];
    let run = history(here.path(), &["record", "--batch", "-"], &rows.join("\n"));
    assert_eq!(run.code, 1, "{}", run.err);
    let answers = lines(&run);
    let codes: Vec<&str> = answers
        .iter()
        .map(|answer| answer["recorded"].as_str().or(answer["error"]["code"].as_str()).unwrap())
        .collect();
    let expected =
        ["new", "bad_row", "bad_row", "new", "bad_outcome", "bad_outcome", "bad_outcome", "bad_row"];
    assert_eq!(codes, expected);
    assert_eq!(answers[5]["line"], 6);
    assert!(answers[4]["error"]["message"].as_str().unwrap().ends_with("a was told for another user"));
    assert_eq!(answers[0]["version"], 1);
    fs::write(here.path().join("rows.jsonl"), rows[..1].join("\n")).unwrap();
    let from_file = history(here.path(), &["record", "--batch", "rows.jsonl"], "");
    assert_eq!((from_file.code, &lines(&from_file)[0]["recorded"]), (0, &json!("already_known")));
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let here = tempdir().unwrap();
    let row = |n: usize| {
        json!({"task_id": format!("t{n}"), "user": format!("u{}", n % 7), "success": !n.is_multiple_of(3), "at_ms": n})
            .to_string()
            + "\n"
    };
    let rows: Vec<String> = (0..2000).map(row).collect();
    let mut child = Command::new(env!("CARGO_BIN_EXE_waypost"))
        .args(["history", "record", "--batch", "-", "--data", "data"])
        .current_dir(here.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let fed = rows.concat();
    // The feeder ends with the pipe that the kill breaks.
    let feeder = std::thread::spawn(move || input.write_all(fed.as_bytes()).is_err());
    let mut acknowledged = BTreeSet::new();
    let mut answers = BufReader::new(output);
    let mut line = String::new();
    while answers.read_line(&mut line).unwrap() > 0 {
        // What the kill cut off in the middle was not acknowledged.
        if line.ends_with('\n') {
            let answer: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(answer["recorded"], "new");
            acknowledged.insert(answer["task_id"].as_str().unwrap().to_owned());
        }
        if acknowledged.len() == 150 {
            // SIGKILL: no chance to tidy up. Answers already in the pipe are still read.
            child.kill().unwrap();
        }
        line.clear();
    }
    assert!(!child.wait().unwrap().success());
    feeder.join().unwrap();
    assert!((150..2000).contains(&acknowledged.len()), "{}", acknowledged.len());

    let store = Sqlite::open(&here.path().join("data/history.db"), Settings::default()).unwrap();
    let mut found = BTreeSet::new();
    for known in store.users(None, 99).unwrap() {
        let mut tasks = store.last_tasks(None, &known.user, 9999).unwrap();
        tasks.reverse();
        assert_eq!(store.history(None, &known.user).unwrap(), replay(&tasks), "no half outcome");
        found.extend(tasks.into_iter().map(|task| task.task_id));
    }
    assert!(acknowledged.is_subset(&found));
    assert!(found.len() <= acknowledged.len() + 1, "at most one was kept and not yet told");
    drop(store);

    let again = history(here.path(), &["record", "--batch", "-"], &rows.concat());
    assert_eq!(again.code, 0);
    let known = lines(&again).iter().filter(|answer| answer["recorded"] == "already_known").count();
    assert_eq!(known, found.len());
    let totals = answer(here.path(), &["show"]);
    let total: u64 =
        totals["users"].as_array().unwrap().iter().map(|user| user["total"].as_u64().unwrap()).sum();
    assert_eq!(total, 2000);
}

fn replay(tasks: &[Completion]) -> History {
    let mut history = History::default();
    for task in tasks {
        history.record(task.success, task.area.as_deref(), task.operation.as_deref(), task.at_ms);
    }
    history
}

#[test]
fn trouble_with_the_file_is_told_with_what_to_do() {
    let check = |spoil: &dyn Fn(&Path), expected: &str| {
        let here = tempdir().unwrap();
        answer(here.path(), &["record", "--user", "ann", "--task", "t", "--success"]);
        spoil(&here.path().join("data/history.db"));
        for args in [&["show"][..], &["record", "--user", "ann", "--task", "u", "--success"]] {
            let run = history(here.path(), args, "");
            assert_eq!(run.code, 2, "{args:?} {}", run.out);
            assert!(run.err.contains(expected), "{}", run.err);
            assert!(!run.err.contains("panicked"), "{}", run.err);
        }
    };
    check(&|file| fs::write(file, vec![7; 9000]).unwrap(), "move it away to begin anew");
    let newer = |file: &Path| {
        Connection::open(file).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    };
    check(&newer, "has version 99 and this Waypost reads up to 5");
}

#[test]
fn a_held_file_is_told_after_the_wait() {
    let here = tempdir().unwrap();
    answer(here.path(), &["record", "--user", "ann", "--task", "t", "--success"]);
    let other = Connection::open(here.path().join("data/history.db")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let at_once = ["--wait-ms", "0"];
    let held = history(
        here.path(),
        &[&["record", "--user", "ann", "--task", "u", "--success"][..], &at_once].concat(),
        "",
    );
    assert_eq!(held.code, 2);
    assert!(held.err.contains("is held by another process, and was after 0 ms"), "{}", held.err);
    let row = r#"{"task_id": "u", "user": "ann", "success": true}"#;
    let batch = history(here.path(), &["record", "--batch", "-", "--wait-ms", "0"], row);
    assert_eq!((batch.code, &lines(&batch)[0]["error"]["code"]), (1, &json!("store_locked")));
    assert_eq!(answer(here.path(), &["show", "--user", "ann"])["total"], 1);
}

#[test]
fn the_folder_is_named_or_found() {
    let here = tempdir().unwrap();
    let home = here.path().join("home");
    let record = ["history", "record", "--user", "ann", "--task", "t", "--success"];
    let run = waypost_in(here.path(), &record, b"", &[("WAYPOST_HOME", home.to_str().unwrap())]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "recorded the success of t; ann has reputation 1.00, tasks: 1\n")
    );
    assert!(home.join("history.db").exists());
    for bad in [
        &["record", "--user", "ann", "--task", "t"][..],
        &["record", "--user", "ann", "--success"],
        &["record", "--user", "ann", "--task", "t", "--success", "--failure"],
        &["record", "--user", "ann", "--task", "t", "--success", "--at", "soon"],
        &["record", "--batch", "-", "--user", "ann"],
        &["record", "--task", "t", "--success"],
        &["record", "--user", "", "--task", "t", "--success"],
        &["forget"],
        &["forget", "--user", ""],
    ] {
        assert_eq!(history(here.path(), bad, "").code, 2, "{bad:?}");
    }
    let told = |args: &[&str]| history(here.path(), args, "").err;
    let how = told(&["record", "--user", "ann", "--task", "t"]);
    assert!(how.contains("Say --success or --failure"), "{how}");
    let which = told(&["record", "--user", "ann", "--success"]);
    assert!(which.contains("--task ID") && which.contains("--decision ID"), "{which}");
}

#[test]
fn an_empty_name_is_nobodys() {
    let here = tempdir().unwrap();
    answer(here.path(), &["record", "--user", "ann", "--task", "t", "--success"]);
    for asked in [
        &["show", "--user", ""][..],
        &["forget", "--user", ""],
        &["record", "--user", "", "--task", "u", "--success"],
        &["record", "--user", "", "--decision", "d", "--success"],
    ] {
        let run = history(here.path(), asked, "");
        assert_eq!(run.code, 2, "{asked:?}");
        assert!(run.err.contains("nobody has an empty name"), "{asked:?}: {}", run.err);
    }
}
