//! Do safe mode, caution, operating modes, markers and quality gates of a catalog change what the real binary does?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{Run, waypost_in};
use tempfile::{TempDir, tempdir};
use waypost::Catalog;
use waypost::core::catalog::Source;

#[test]
fn what_conduct_names_must_be_there() {
    let check = |preflight: &str, message: &str| {
        let yaml = format!(
            "flags: {{known: {{--uc: Short.}}}}\npreflight: {preflight}\nroutes: [{{name: alpha, description: A, patterns: [a]}}]\n"
        );
        let read = Catalog::read(&[Source::new("test.yaml", yaml)], "test");
        let told: Vec<String> = read.problems.iter().map(|problem| problem.message.clone()).collect();
        assert!(told.iter().any(|told| told.contains(message)), "{preflight}: {told:?}");
    };
    check("{safe_mode: {deny: [alpa]}}", "there is no route, tool or safety tag `alpa`");
    check("{modes: [{name: m, says: M., flags: [--seq]}]}", "there is no flag `--seq`");
    check("{modes: [{name: m, says: M., gates: [g]}]}", "there is no quality gate `g`");
    check("{modes: [{name: m, says: M.}, {name: m, says: M.}]}", "there are two modes `m`");
    check("{markers: [{words: [--seq], fact: f}]}", "there is no flag `--seq`");
    check(
        "{modes: [{name: m, says: M.}], markers: [{words: [w], fact: mode, value: n}]}",
        "there is no mode `n`",
    );
    check("{caution: {medium: {caution: true}}}", "needs the key `action`");
}

const RENAME: &str = "rename the column cust to customer";
const REVIEW: &str = "review the diff of this pull request";

fn run(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Run {
    waypost_in(folder, &[args, &["--data", "data", "--json"]].concat(), b"", variables)
}

fn told(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn route(folder: &Path, args: &[&str]) -> Value {
    told(&run(folder, &[&["route", "-c", "specialists"], args].concat(), &[]))
}

/// Why a route or a tool was not taken.
fn code<'a>(rejected: &'a Value, name: &str) -> &'a Value {
    &rejected.as_array().unwrap().iter().find(|lost| lost["name"] == name).unwrap()["code"]
}

#[test]
fn safe_mode_takes_only_what_it_allows() {
    let here = tempdir().unwrap();
    let free = route(here.path(), &[RENAME]);
    assert_eq!((&free["route"], free.get("safe_mode")), (&json!("database-specialist"), None));
    for asked in [&["--safe-mode", RENAME][..], &["rename the column cust to customer --safe-mode"]] {
        let safe = route(here.path(), asked);
        assert_eq!(
            (&safe["route"], &safe["safe_mode"]),
            (&json!("universal-agent"), &json!(true)),
            "{asked:?}"
        );
        assert_eq!(code(&safe["considered"], "database-specialist"), "safe_mode", "{asked:?}");
        assert!(
            safe["message"].as_str().unwrap().starts_with("Safe mode does not allow database-specialist"),
            "{safe}"
        );
        assert_eq!(safe["selection"]["selection"], "universal");
    }
    let allowed = route(here.path(), &["--safe-mode", REVIEW]);
    assert_eq!((&allowed["route"], &allowed["safe_mode"]), (&json!("code-reviewer"), &json!(true)));
    // A flag that is denied asks for nothing.
    assert_eq!(
        route(here.path(), &["rename the column cust to customer, without --safe-mode"]).get("safe_mode"),
        None
    );
}

#[test]
fn a_zone_begins_safe_mode() {
    let here = tempdir().unwrap();
    let at = |memory: &str| {
        let used = format!("{{\"memory\": {memory}}}");
        let mend = "the slow query deadlocks the orders table, debug it";
        told(&run(here.path(), &["route", "-c", "specialists", mend], &[("WAYPOST_RESOURCES", &used)]))
    };
    assert_eq!(at("0.94").get("safe_mode"), None);
    let critical = at("0.96");
    assert_eq!(critical["safe_mode"], true);
    assert_eq!(code(&critical["considered"], "database-specialist"), "safe_mode");
}

/// Tools of which one destroys.
const TOOLS: &str = "
name: files
flags: {known: {--safe-mode: Changes nothing.}}
preflight: {safe_mode: {deny: [destructive]}}
tools:
  - {name: list_files, description: Lists the files of a folder., success_examples: [list the files in the folder, which files are in the folder]}
  - {name: delete_files, description: Deletes all files of a folder., safety_tags: [destructive], success_examples: [delete the files in the folder, remove all files of the folder]}
";

fn files(catalog: &str) -> TempDir {
    let here = tempdir().unwrap();
    fs::write(here.path().join("files.yaml"), catalog).unwrap();
    here
}

#[test]
fn safe_mode_rejects_tools_by_their_tags() {
    let here = files(TOOLS);
    let tools = |args: &[&str]| {
        let answer = told(&run(here.path(), &[&["route", "-c", "./files.yaml"], args].concat(), &[]));
        let names = |key: &str| -> Vec<String> {
            let listed = answer.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
            listed.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
        };
        (names("tools").contains(&"delete_files".to_owned()), names("rejected_tools"))
    };
    assert_eq!(tools(&["delete the files in the folder"]), (true, vec![]));
    assert_eq!(
        tools(&["--safe-mode", "delete the files in the folder"]),
        (false, vec!["delete_files".to_owned()])
    );
    // Nor does the tool run when its arguments are filled.
    let filled = |text: &str| {
        let args = ["args", "-c", "./files.yaml", "--tool", "delete_files", "--json", text];
        told(&waypost_in(here.path(), &args, b"", &[]))
    };
    assert_eq!(filled("delete the files in the folder")["outcome"], "run");
    assert_eq!(
        filled("delete the files in the folder --safe-mode")["clarification"]["question"],
        "Safe mode does not allow delete_files. Try again outside of safe mode."
    );
}

#[test]
fn safe_mode_without_anything_left_abstains() {
    let catalog = "
flags: {known: {--safe-mode: Changes nothing.}}
preflight: {safe_mode: {deny: [wipe]}}
routes: [{name: wipe, description: Wipes the disk., commands: [wipe], patterns: [{match: wipe, weight: 0.6}]}]
";
    let here = files(catalog);
    // A command is no way past it.
    for text in ["wipe it", "/wipe it"] {
        let answer = told(&run(here.path(), &["route", "-c", "./files.yaml", "--safe-mode", text], &[]));
        assert_eq!((&answer["outcome"], &answer["route"]), (&json!("abstain"), &Value::Null), "{text}");
        assert_eq!(answer["message"], "Safe mode does not allow wipe.", "{text}");
    }
    // A catalog that knows no safe mode says so.
    let unknown = run(here.path(), &["route", "-c", "triad", "--safe-mode", "wipe it"], &[]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("the catalog triad has no flag --safe-mode"), "{}", unknown.err);
}

#[test]
fn medium_confidence_asks_for_caution_and_monitoring() {
    let here = tempdir().unwrap();
    let conduct = |text: &str| {
        let answer = route(here.path(), &[text]);
        let selection = answer["selection"]["selection"].as_str().unwrap().to_owned();
        (selection, answer["action"].clone(), answer["caution"].clone(), answer["monitoring"].clone())
    };
    assert_eq!(
        conduct("add a tooltip to the pricing table"),
        ("specialist_high".to_owned(), json!("proceed_with_selected_specialist"), json!(false), json!(false))
    );
    assert_eq!(
        conduct(RENAME),
        (
            "specialist".to_owned(),
            json!("proceed_with_caution_flag_and_monitoring"),
            json!(true),
            json!(true)
        )
    );
    assert_eq!(
        conduct("what shall we have for lunch today?"),
        (
            "universal".to_owned(),
            json!("use_universal_agent_with_uncertainty_disclosure"),
            json!(true),
            json!(false)
        )
    );
    let report = waypost_in(here.path(), &["explain", "-c", "specialists", "--report", RENAME], b"", &[]).out;
    for line in [
        "Action: proceed_with_caution_flag_and_monitoring",
        "Proceed with caution.",
        "Operating Mode: standard",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
}

#[test]
fn facts_and_markers_choose_the_mode() {
    let here = tempdir().unwrap();
    let mode = |args: &[&str]| {
        let answer = route(here.path(), args);
        let think = answer["flags"].as_array().into_iter().flatten().any(|set| set["by"] == "mode research");
        (answer["mode"]["name"].as_str().unwrap().to_owned(), think)
    };
    let standard = || ("standard".to_owned(), false);
    let research = || ("research".to_owned(), true);
    assert_eq!(mode(&[RENAME]), standard());
    assert_eq!(mode(&["--environment", "mode=research", RENAME]), research());
    assert_eq!(mode(&["rename the column cust to customer --research"]), research());
    assert_eq!(mode(&["in research mode: rename the column cust to customer"]), research());
    assert_eq!(mode(&["not in research mode: rename the column"]), standard());
    // What the caller says counts before the message.
    assert_eq!(mode(&["--environment", "mode=standard", "rename the column --research"]), standard());
    let unknown = route(here.path(), &["--environment", "mode=wild", RENAME]);
    assert_eq!(unknown["mode"]["name"], "standard");
    assert_eq!(unknown["notes"], json!(["there is no operating mode wild; the mode is standard"]));
    let parallel = route(here.path(), &["--environment", "mode=full-de-restriction", RENAME])["mode"].clone();
    assert_eq!(parallel["parallel"].as_array().unwrap().len(), 4);
    // Another marker sets a fact that moves the threshold.
    let critical =
        ["--environment", "is_critical_task=true", "rename the column cust to customer on production"];
    assert_eq!(route(here.path(), &critical)["threshold"]["rule"], "critical_production");
}

#[test]
fn a_success_counts_once_its_quality_gates_are_passed() {
    let here = tempdir().unwrap();
    let answer = route(here.path(), &["--user", "ann", "--record", "--environment", "mode=research", RENAME]);
    let gates: Vec<&str> = answer["mode"]["quality_gates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|gate| gate["name"].as_str().unwrap())
        .collect();
    assert_eq!(gates, ["result_checked", "sources_named"]);
    let id = answer["id"].as_str().unwrap();
    let record =
        |more: &[&str]| run(here.path(), &[&["history", "record", "--decision", id], more].concat(), &[]);
    let refused = record(&["--success", "--gate", "result_checked=true", "--gate", "sources_named=false"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains(
            "the quality gates sources_named are not passed; report --gate sources_named=true, or --failure"
        ),
        "{}",
        refused.err
    );
    let shown = told(&run(here.path(), &["history", "show", "--user", "ann"], &[]));
    assert_eq!(shown["total"], 0);
    let passed = record(&["--success", "--gate", "result_checked=true", "--gate", "sources_named=true"]);
    assert_eq!(told(&passed)["recorded"], "new");
    // A failure needs none, and neither does a row without a decision.
    assert_eq!(record(&["--failure"]).code, 0);
    assert_eq!(
        run(here.path(), &["history", "record", "--task", "t", "--user", "ann", "--success"], &[]).code,
        0
    );
}
