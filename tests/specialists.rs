//! Does the whole product go by what is around a message: its user's history, where it runs, its flags and the machine?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;
use serde_json::{Value, json};
use support::{Run, waypost_in};
use tempfile::tempdir;
use waypost::core::catalog::Tiers;
use waypost::core::preflight::Permission;
use waypost::core::resources::Resources;
use waypost::learn::Cache;
use waypost::ports::FixedMachine;
use waypost::ports::cache::Caches;
use waypost::{Message, Router};

/// A message that is neither urgent nor critical nor complex.
const CALM: &str = "rename the column cust to customer";

/// Runs `waypost route --catalog specialists --json --data data …` in a folder.
fn ask(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Run {
    let args = [&["route", "--catalog", "specialists", "--json", "--data", "data"], args].concat();
    waypost_in(folder, &args, b"", variables)
}

/// The answer, having been given.
fn route(folder: &Path, args: &[&str]) -> Value {
    answered(&ask(folder, args, &[]))
}

fn answered(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

/// The rule that moved the threshold, and where to.
fn moved(answer: &Value) -> (Option<&str>, f64) {
    (answer["threshold"]["rule"].as_str(), answer["threshold"]["value"].as_f64().unwrap())
}

fn notes(answer: &Value) -> String {
    answer["notes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn failures_are_remembered_until_they_are_forgotten() {
    let here = tempdir().unwrap();
    let tell = |args: &[&str]| {
        let run = waypost_in(here.path(), &[args, &["--data", "data", "--json"]].concat(), b"", &[]);
        assert_eq!(run.code, 0, "{args:?}: {}", run.err);
        serde_json::from_str::<Value>(&run.out).unwrap()
    };
    for (failures, text) in ["add a tooltip to the pricing table", "write unit tests for the parser", CALM]
        .into_iter()
        .enumerate()
    {
        let kept = route(here.path(), &["--user", "ann", "--record", text]);
        assert_eq!(moved(&kept), (Some("new_user"), 0.75), "{text}");
        let id = kept["id"].as_str().unwrap();
        for recorded in ["new", "already_known"] {
            let told = tell(&["history", "record", "--decision", id, "--failure"]);
            assert_eq!((&told["recorded"], &told["user"]), (&json!(recorded), &json!("ann")));
            assert_eq!(told["standing"]["total_tasks_completed"], failures + 1);
        }
    }
    let of = |args: &[&str]| {
        let answer = route(here.path(), &[args, &[CALM]].concat());
        (answer["threshold"]["rule"].clone(), answer["threshold"]["value"].clone())
    };
    assert_eq!(of(&["--user", "ann"]), (json!("error_rate_high"), json!(0.75)));
    assert_eq!(of(&["--user", "bob"]), (json!("new_user"), json!(0.75)));
    assert_eq!(of(&["--user", "ann", "--tenant", "acme"]), (json!("new_user"), json!(0.75)));
    assert_eq!(of(&[]), (Value::Null, json!(0.7)));
    let judged = tell(&["eval", "outcomes"]);
    assert_eq!((&judged["outcomes"]["outcomes"], &judged["outcomes"]["succeeded"]), (&json!(3), &json!(0)));
    let forgotten = tell(&["history", "forget", "--user", "ann"]);
    let counts = json!({"completions": 3, "decisions": 3, "conversations": 0, "choices": 0});
    assert_eq!(forgotten["forgotten"], counts);
    assert_eq!(of(&["--user", "ann"]), (json!("new_user"), json!(0.75)));
    assert_eq!(tell(&["eval", "outcomes"])["outcomes"]["outcomes"], 0);
}

#[test]
fn a_decision_leaves_nothing_behind_unless_it_is_kept() {
    let here = tempdir().unwrap();
    route(here.path(), &["--user", "ann", CALM]);
    assert!(!here.path().join("data").exists());
    route(here.path(), &["--user", "ann", "--record", CALM]);
    assert!(here.path().join("data/history.db").exists());
}

/// Three failures of ann, so that a decision that knows them is known by its rule.
fn failing(folder: &Path) {
    for task in ["t1", "t2", "t3"] {
        let record = ["history", "record", "--data", "data", "--user", "ann", "--task", task, "--failure"];
        assert_eq!(waypost_in(folder, &record, b"", &[]).code, 0);
    }
    assert_eq!(moved(&route(folder, &["--user", "ann", CALM])).0, Some("error_rate_high"));
    // An empty name is nobody's, and not that of all users together.
    assert_eq!(moved(&route(folder, &["--user", "", CALM])).0, None);
}

#[test]
fn a_damaged_history_is_told_and_done_without() {
    let here = tempdir().unwrap();
    failing(here.path());
    let file = here.path().join("data/history.db");
    fs::remove_dir_all(here.path().join("data")).unwrap();
    fs::create_dir(here.path().join("data")).unwrap();
    fs::write(&file, vec![7; 9000]).unwrap();
    let answer = route(here.path(), &["--user", "ann", CALM]);
    assert_eq!(moved(&answer), (None, 0.7));
    assert_eq!(answer["outcome"], "act");
    let told = notes(&answer);
    assert!(told.contains("data/history.db is damaged"), "{told}");
    assert!(told.contains("decided without the user's history"), "{told}");
    // Who does not say who asks has no history to miss.
    assert_eq!(notes(&route(here.path(), &[CALM])), "");
    assert_eq!(fs::read(&file).unwrap(), vec![7; 9000], "whoever mends it finds it as it was");
}

#[test]
fn a_history_that_is_held_is_read_or_done_without() {
    let here = tempdir().unwrap();
    failing(here.path());
    let file = here.path().join("data/history.db");
    // Who writes does not keep others from reading.
    let writer = Connection::open(&file).unwrap();
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let read = route(here.path(), &["--user", "ann", CALM]);
    assert_eq!((moved(&read), notes(&read)), ((Some("error_rate_high"), 0.75), String::new()));
    drop(writer);
    // Who has it alone does.
    let owner = Connection::open(&file).unwrap();
    owner.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
    let answer = route(here.path(), &["--user", "ann", CALM]);
    assert_eq!((moved(&answer), &answer["outcome"]), ((None, 0.7), &json!("act")));
    let told = notes(&answer);
    assert!(told.contains("is held by another process"), "{told}");
    assert!(told.contains("decided without the user's history"), "{told}");
    drop(owner);
    assert_eq!(moved(&route(here.path(), &["--user", "ann", CALM])).0, Some("error_rate_high"));
}

#[test]
fn where_it_runs_and_what_it_says_move_the_threshold() {
    let here = tempdir().unwrap();
    let check = |args: &[&str], stage: Option<&str>, text: &str, expected: (Option<&str>, f64)| {
        let variables: Vec<(&str, &str)> = stage.into_iter().map(|stage| ("WAYPOST_ENV", stage)).collect();
        let answer = answered(&ask(here.path(), &[args, &[text]].concat(), &variables));
        assert_eq!(moved(&answer), expected, "{args:?} {stage:?} {text}");
    };
    let none = (None, 0.7);
    let critical = (Some("critical_production"), 0.8);
    let urgent = (Some("task_urgency_high"), 0.62);
    let said = ["--environment", "is_production=true", "--environment", "is_critical_task=true"];
    let grave = "this is mission-critical: rename the column cust to customer";
    check(&said, None, CALM, critical);
    check(&said[..2], None, CALM, none);
    check(&said[..2], None, grave, critical);
    check(&[], Some("production"), grave, critical);
    check(&[], Some("production"), CALM, none);
    // What is said with the message counts before the variable.
    check(&["--environment", "is_production=false"], Some("production"), grave, urgent);
    check(&[], Some("staging"), grave, urgent);
    check(&[], None, CALM, none);
    check(&[], None, "urgent: rename the column cust to customer right now", urgent);
    // Production outdoes urgency.
    check(&said, None, "urgent: rename the column cust to customer right now", critical);
}

#[test]
fn flags_that_exclude_each_other_are_asked_back() {
    let here = tempdir().unwrap();
    let check = |text: &str, pair: [&str; 2]| {
        let answer = route(here.path(), &[text]);
        assert_eq!((&answer["outcome"], &answer["route"]), (&json!("clarify"), &Value::Null), "{text}");
        assert_eq!(answer["routes"], json!([]), "{text}");
        let options = answer["clarification"]["options"].as_array().unwrap();
        let names: Vec<&str> = options.iter().map(|option| option["name"].as_str().unwrap()).collect();
        assert_eq!(names, pair, "{text}");
        assert!(options.iter().all(|option| option["description"].as_str().unwrap().len() > 5));
        for flag in pair {
            assert!(answer["clarification"]["question"].as_str().unwrap().contains(flag), "{answer}");
            assert!(answer["message"].as_str().unwrap().contains(flag), "{answer}");
        }
    };
    check("rename the column cust to customer --no-mcp but think it through --seq", ["--no-mcp", "--seq"]);
    check("rename the column cust to customer --verbose --uc", ["--uc", "--verbose"]);
    let fine = route(here.path(), &["rename the column cust to customer --no-mcp --uc"]);
    assert_eq!((&fine["outcome"], &fine["clarification"]), (&json!("act"), &Value::Null));
}

#[test]
fn a_request_that_names_nothing_is_asked_back() {
    let here = tempdir().unwrap();
    for vague in ["fix it", "Please help!", "it doesn't work, sort this out"] {
        let answer = route(here.path(), &[vague]);
        assert_eq!(
            (&answer["outcome"], &answer["routes"]),
            (&json!("clarify"), &json!([])),
            "{vague}: {answer}"
        );
        let asked = &answer["clarification"];
        assert!(asked["question"].as_str().unwrap().starts_with("What is it about?"), "{asked}");
        assert_eq!(asked["options"].as_array().unwrap().len(), 5, "{asked}");
    }
    let report = waypost_in(here.path(), &["explain", "-c", "specialists", "--report", "fix it"], b"", &[]);
    assert!(report.out.contains("— the message does not say what it is about"), "{}", report.out);
    // One word that tells what it is about is enough, and so is what was said before.
    for told in ["fix the deadlock", "polish it", "make it faster"] {
        assert_eq!(route(here.path(), &[told])["outcome"], "act", "{told}");
    }
    let row = r#"{"text": "fix it", "history": ["the login page of the shop is blank since noon"]}"#;
    let told = waypost_in(here.path(), &["route", "-c", "specialists", "--batch", "-"], row.as_bytes(), &[]);
    assert!(told.out.contains(r#""outcome":"act""#), "{} {}", told.out, told.err);
}

/// What tests of the binary learned is kept where these find it.
fn open(catalog: &str) -> Router {
    Router::open(catalog, &Cache::at(concat!(env!("CARGO_TARGET_TMPDIR"), "/cache/waypost/heads"))).unwrap()
}

fn using(memory: f64) -> FixedMachine {
    FixedMachine(Resources { memory: Some(memory), cpu: Some(0.3), disk: Some(0.4) })
}

#[test]
fn a_machine_that_runs_short_asks_for_more_and_does_less() {
    let router = open("specialists");
    let heavy = "Design the complete architecture of a multi-tenant billing platform: tenants, metering, invoices, \
                 payments, dunning, tax, audit, migration from the monolith, high availability over three regions";
    let trace = |memory: f64, text: &str| {
        router.clone().with_machine(using(memory)).trace(&Message::from(text)).unwrap()
    };
    let short = trace(0.96, heavy);
    assert_eq!(short.answer.threshold.rule.as_deref(), Some("resource_critical"));
    assert!((short.answer.threshold.value.points().share() - 0.75).abs() < 1e-9);
    let actions = short.preflight.clone().unwrap().actions;
    assert_eq!((actions.permission, actions.tiers), (Permission::Blocked, Tiers::Cheap));
    assert_eq!(actions.because.as_deref(), Some("blocked from zone red on: it is heavy work"));
    let flags: Vec<&str> = short.answer.flags.iter().map(|set| set.flag.as_str()).collect();
    assert!(flags.contains(&"--safe-mode") && flags.contains(&"--uc"), "{flags:?}");
    assert!(router.replay(&short).unwrap().same, "the machine is part of the situation");

    let calm = trace(0.5, heavy);
    assert_eq!(calm.answer.threshold.rule, None);
    let actions = calm.preflight.unwrap().actions;
    assert_eq!((actions.permission, actions.because, actions.tiers), (Permission::Granted, None, Tiers::All));
    assert!(!calm.answer.flags.iter().any(|set| set.by.starts_with("zone")), "{:?}", calm.answer.flags);
    assert!(calm.answer.notes.is_empty(), "{:?}", calm.answer.notes);

    // What is broken is mended whatever the machine is like; what is light waits only in the worst of zones.
    let permission = |memory: f64, text: &str| trace(memory, text).preflight.unwrap().actions.permission;
    assert_eq!(
        permission(0.96, "the login endpoint crashes with a null pointer, debug it"),
        Permission::Granted
    );
    assert_eq!(permission(0.96, CALM), Permission::Blocked);
    assert_eq!(permission(0.86, CALM), Permission::Deferred);
    assert_eq!(permission(0.86, heavy), Permission::Blocked);
}

#[test]
fn costly_tiers_are_left_out_while_the_machine_runs_short() {
    let rows = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/heldout/triad.jsonl")).unwrap();
    let text = |row: &str| serde_json::from_str::<Value>(row).unwrap()["text"].as_str().unwrap().to_owned();
    let messages: Vec<Message> = rows.lines().map(|row| Message::from(text(row))).collect();
    let router = open("triad");
    // What a costly tier makes of a message goes through the caches, so they know how often one was asked.
    let asked = |memory: f64| {
        let caches = Arc::new(Caches::in_process());
        let router = router.clone().with_machine(using(memory)).with_caches(Arc::clone(&caches));
        let answers: Vec<_> = messages.iter().map(|message| router.climb(message).unwrap()).collect();
        let left_out = |note: &&String| note.starts_with("The costly tiers were left out: ");
        let told = answers.iter().filter(|answer| answer.notes.iter().any(|note| left_out(&note))).count();
        (caches.metrics().lookups, told)
    };
    let (lookups, told) = asked(0.96);
    assert!(lookups == 0 && told > 50, "{lookups} looked up, {told} told");
    let (lookups, told) = asked(0.5);
    assert!(lookups > 10 && told == 0, "{lookups} looked up, {told} told");
}

#[test]
fn failures_of_a_specialist_in_an_area_are_counted_and_raise_the_risk() {
    let here = tempdir().unwrap();
    let tell = |args: &[&str]| {
        let run = waypost_in(here.path(), &[args, &["--data", "data", "--json"]].concat(), b"", &[]);
        assert_eq!(run.code, 0, "{args:?}: {}", run.err);
        serde_json::from_str::<Value>(&run.out).unwrap()
    };
    let record = |task: &str, more: &[&str]| {
        let base = ["history", "record", "--task", task, "--user", "ann", "--area", "backend"];
        tell(&[&base[..], &["--specialist", "database-specialist"], more].concat())
    };
    let failure = |text: &str| {
        let trace = tell(&["explain", "--catalog", "specialists", text]);
        let ground = &trace["preflight"]["risk"]["parts"][1]["grounds"][0];
        (ground["points"].clone(), ground["cause"].clone())
    };
    record("t1", &["--failure", "--error-kind", "lock"]);
    record("t2", &["--failure", "--error", "the query timed out"]);
    // Two tasks are too few to go by.
    assert_eq!(failure(CALM), (json!(0.5), json!("failed_unknown")));
    record("t3", &["--success"]);
    record("t4", &["--failure"]);
    assert_eq!(failure(CALM), (json!(0.75), json!({"specialist_failed": 0.75})));
    // Another specialist has done nothing yet.
    assert_eq!(failure("add a tooltip to the pricing table").0, json!(0.5));
    let expected = json!([{
        "specialist": "database-specialist", "area": "backend", "total": 4, "failed": 3, "failure_rate": 0.75,
        "errors": {"lock": 1, "timeout": 1, "unknown": 1},
    }]);
    assert_eq!(tell(&["history", "show", "--user", "ann"])["specialists"], expected);
    assert_eq!(tell(&["history", "show"])["specialists"], expected);
    let page = waypost_in(here.path(), &["history", "show", "--user", "ann", "--data", "data"], b"", &[]).out;
    assert!(
        page.contains("database-specialist  backend  4      3       75 %  lock 1, timeout 1, unknown 1"),
        "{page}"
    );
    tell(&["history", "forget", "--user", "ann"]);
    assert_eq!(tell(&["history", "show"])["specialists"], json!([]));
    assert_eq!(failure(CALM).0, json!(0.5));
}

#[test]
fn a_kept_decision_keeps_the_rule_that_moved_its_threshold() {
    let here = tempdir().unwrap();
    let id = route(here.path(), &["--user", "ann", "--record", CALM])["id"].clone();
    route(here.path(), &["--record", CALM]);
    for whose in [&["--user", "ann"][..], &[]] {
        let args = [&["history", "show", "--data", "data", "--json"], whose].concat();
        let shown = answered(&waypost_in(here.path(), &args, b"", &[]));
        let adjusted = shown["adjustments"].as_array().unwrap();
        assert_eq!(adjusted.len(), 1, "{shown}");
        let told = |key: &str| adjusted[0][key].clone();
        assert_eq!((told("decision_id"), told("user")), (id.clone(), json!("ann")));
        assert_eq!(
            (told("base"), told("adjusted"), told("rule")),
            (json!(0.7), json!(0.75), json!("new_user"))
        );
    }
}

#[test]
fn similar_tasks_count_from_three_on() {
    let here = tempdir().unwrap();
    let rule = |tasks: usize| {
        // Enough other tasks, half of them failures, that no other rule lowers the threshold.
        let record = |task: &str, more: &[&str]| {
            let base = ["history", "record", "--data", "data", "--user", "ann", "--task", task];
            assert_eq!(waypost_in(here.path(), &[&base[..], more].concat(), b"", &[]).code, 0);
        };
        for other in 0..5 {
            record(&format!("other-{other}"), &[if other < 2 { "--failure" } else { "--success" }]);
        }
        let calm = route(here.path(), &[CALM])["context"].clone();
        let [area, operation] =
            ["area", "operation"].map(|layer| calm[layer]["label"].as_str().unwrap().to_owned());
        for own in 0..tasks {
            let kind = ["--success", "--area", &area, "--operation", &operation];
            record(&format!("own-{own}"), &kind);
        }
        route(here.path(), &["--user", "ann", CALM])["threshold"]["rule"].clone()
    };
    assert_eq!(rule(2), Value::Null);
    assert_eq!(rule(3), json!("similar_past_success"));
}
