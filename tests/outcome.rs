//! Do facts change by reported outcomes alone, and does what waited for them go on?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{Run, waypost_in};
use tempfile::tempdir;

fn run(folder: &Path, args: &[&str], lines: &[&str], variables: &[(&str, &str)]) -> Run {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    waypost_in(folder, args, input.as_bytes(), variables)
}

/// A shop with a gate whose fact no flow sets.
const SHOP: &str = "
name: shop
facts: { deposit_paid: The deposit is paid. }
routes:
  - { name: deposit, description: Pay the deposit., tools: [pay_deposit], examples: [pay the deposit, I want to pay my deposit] }
  - { name: rental, description: Rent a bike., tools: [rent_bike], examples: [rent a bike, I need a bike for tomorrow] }
tools:
  - name: pay_deposit
    description: Pays the deposit. It is given back at the end.
    input_schema:
      type: object
      required: [method]
      properties: { method: { type: string, enum: [card, cash] } }
  - name: rent_bike
    description: Rents a bike.
    input_schema:
      type: object
      required: [kind]
      properties: { kind: { type: string, enum: [road, cargo], description: 'Road: light and fast. Cargo: with a box for 80 kg.' } }
gates:
  - name: requires_deposit_paid
    routes: [rental]
    tools: [rent_bike]
    open_when: session.deposit_paid
    reason: The deposit comes first.
    way_on: { text: Pay the deposit., route: deposit, tool: pay_deposit }
";

fn shop(folder: &Path, lines: &[&str]) -> Vec<Value> {
    fs::write(folder.join("shop.yaml"), SHOP).unwrap();
    let args = ["chat", "--catalog", "./shop.yaml", "--json", "--data", "data", "--session", "s-9"];
    let run = run(folder, &args, lines, &[("WAYPOST_NOW", "2027-03-04T12:00:00Z")]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn outcome(folder: &Path, flags: &[&str]) -> Run {
    let args = ["outcome", "s-9", "--catalog", "./shop.yaml", "--data", "data", "--json"];
    run(folder, &[&args, flags].concat(), &[], &[("WAYPOST_NOW", "2027-03-04T12:00:00Z")])
}

#[test]
fn what_waits_behind_a_gate_goes_on_once_the_host_reports_success() {
    let here = tempdir().unwrap();
    let turns = shop(
        here.path(),
        &["rent a cargo bike", "help", "what does cargo mean?", "ok do that first", "cash"],
    );
    assert_eq!(turns[0]["gates"][0]["allowed"], false);
    assert_eq!(turns[1]["turn"], "explained");
    assert!(turns[1]["explanation"].as_str().unwrap().contains("Rent a bike."));
    assert!(turns[2]["explanation"].as_str().unwrap().contains("a box for 80 kg"), "{:#}", turns[2]);
    for turn in &turns[1..3] {
        assert_eq!(turn["clarification"], turns[0]["clarification"], "what was open stays open: {turn:#}");
    }
    assert_eq!(turns[4]["would_run"], json!({"tool": "pay_deposit", "args": {"method": "cash"}}));

    let failed = outcome(here.path(), &["--tool", "pay_deposit", "--failure"]);
    let failed: Value = serde_json::from_str(&failed.out).unwrap();
    assert_eq!((&failed["turn"], &failed["facts"]), (&json!("reported"), &json!({})));
    assert!(failed["clarification"]["question"].as_str().unwrap().contains("failed"));
    assert_eq!(shop(here.path(), &["yes, try again"])[0]["would_run"]["tool"], "pay_deposit");

    let done = outcome(here.path(), &["--tool", "pay_deposit", "--success", "--fact", "deposit_paid=true"]);
    let done: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(done["facts"], json!({"deposit_paid": true}));
    assert_eq!(done["clarification"]["options"][0]["label"], "go on with rent_bike");
    let turns = shop(here.path(), &["yes please"]);
    assert_eq!(turns[0]["would_run"], json!({"tool": "rent_bike", "args": {"kind": "cargo"}}));
}

#[test]
fn everything_can_be_dropped_at_a_closed_gate() {
    for said in ["no, cancel", "never mind", "forget it", "no thanks"] {
        let here = tempdir().unwrap();
        let turns = shop(here.path(), &["rent a cargo bike", said, "yes"]);
        assert_eq!(
            (&turns[1]["turn"], &turns[1]["clarification"]),
            (&json!("abandon"), &Value::Null),
            "{said}"
        );
        assert_eq!(turns[2]["would_run"], Value::Null, "{said}");
    }
}

#[test]
fn a_bad_report_says_what_to_do() {
    let here = tempdir().unwrap();
    fs::write(here.path().join("shop.yaml"), SHOP).unwrap();
    let check = |flags: &[&str], says: &str| {
        let run = outcome(here.path(), flags);
        assert_eq!(run.code, 2, "{flags:?}: {}", run.out);
        let both = format!("{}{}", run.out, run.err);
        assert!(both.contains(says), "{flags:?}: {both}");
    };
    check(&["--tool", "rent_car", "--success"], "has no tool");
    check(&["--tool", "rent_bike"], "--success");
    check(&["--tool", "rent_bike", "--success", "--failure"], "cannot be used with");
    check(&["--tool", "rent_bike", "--success", "--fact", "paid"], "paid");
}

#[test]
fn conversations_are_judged_by_their_calls_and_their_end() {
    let here = tempdir().unwrap();
    fs::write(here.path().join("shop.yaml"), SHOP).unwrap();
    let rows = [
        json!({"turns": ["pay the deposit", "card"], "calls": [{"tool": "pay_deposit", "args": {"method": "card"}}], "end": {"call": true}}),
        json!({"turns": ["rent a road bike"], "calls": [], "end": {"gate": "requires_deposit_paid"}}),
        json!({"turns": ["pay the deposit"], "calls": [], "end": {"call": true}}),
    ];
    let rows: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(here.path().join("rows.jsonl"), rows).unwrap();
    let args = ["eval", "conversations", "--catalog", "./shop.yaml", "rows.jsonl", "--json", "--min", "0.9"];
    let run = run(here.path(), &args, &[], &[]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["report"]["right"], json!({"right": 2, "of": 3}), "{report:#}");
}

#[test]
fn a_request_that_waited_meets_the_gate_of_its_route() {
    let here = tempdir().unwrap();
    let by_route = SHOP.replace("    tools: [rent_bike]\n    open_when", "    open_when");
    assert_ne!(by_route, SHOP);
    fs::write(here.path().join("shop.yaml"), by_route).unwrap();
    let args = ["chat", "--catalog", "./shop.yaml", "--json"];
    let lines = ["pay the deposit by card and rent a cargo bike", "yes", "yes please", "go ahead"];
    let run = run(here.path(), &args, &lines, &[]);
    for line in run.out.lines() {
        let turn: Value = serde_json::from_str(line).unwrap();
        assert_ne!(turn["would_run"]["tool"], "rent_bike", "{turn:#}");
    }
}

#[test]
fn doubts_and_refusals_accept_no_offer() {
    for doubt in ["ok but not yet", "sure, but how long does it take?", "no, fine", "sure?"] {
        let here = tempdir().unwrap();
        fs::write(here.path().join("shop.yaml"), SHOP).unwrap();
        let args = ["chat", "--catalog", "./shop.yaml", "--json", "--session", "d", "--data", "data"];
        run(here.path(), &args, &["rent a cargo bike", "yes", "cash"], &[]);
        let done = [
            "outcome",
            "d",
            "--catalog",
            "./shop.yaml",
            "--data",
            "data",
            "--tool",
            "pay_deposit",
            "--success",
            "--fact",
            "deposit_paid=true",
        ];
        assert_eq!(run(here.path(), &done, &[], &[]).code, 0);
        let turn: Value = serde_json::from_str(run(here.path(), &args, &[doubt], &[]).out.trim()).unwrap();
        assert_eq!(turn["would_run"], Value::Null, "{doubt}: {turn:#}");
    }
}

#[test]
fn a_fact_that_the_catalog_does_not_have_is_refused() {
    let here = tempdir().unwrap();
    fs::write(here.path().join("shop.yaml"), SHOP).unwrap();
    let refused =
        outcome(here.path(), &["--tool", "pay_deposit", "--success", "--fact", "deposit_payed=true"]);
    assert_eq!(refused.code, 2, "{}", refused.out);
    assert!(
        format!("{}{}", refused.out, refused.err).contains("the catalog has deposit_paid"),
        "{}{}",
        refused.out,
        refused.err
    );
}
