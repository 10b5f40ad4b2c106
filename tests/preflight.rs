//! Does the real binary report only what it checked before a task begins?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::waypost_in;
use tempfile::{TempDir, tempdir};

/// Two specialists that differ in the band they are made for and in what they need.
const CATALOG: &str = "
name: shop
scoring: factors
fallback: anybody
thresholds: {base: 0.5, high: 0.85}
context:
  layers:
    - {name: area, labels: [{name: wood, words: [plank]}, {name: metal, words: [pipe]}]}
    - {name: operation, labels: [{name: creation, words: [build]}, {name: analysis, words: [explain]}]}
    - name: complexity
      default: simple
      labels: [{name: simple, score: 0.1, below: 0.3}, {name: moderate, score: 0.5, up_to: 0.7}, {name: complex, score: 0.9, words: [palace]}]
preflight:
  servers: [{name: plans, command: sh server.sh}, {name: gone, command: no-such-program}]
routes:
  - {name: carpenter, description: Works in wood., keywords: [plank], areas: [wood], operations: [creation], complexity: [simple, moderate], tools: [sh, drawing.txt], servers: [plans]}
  - {name: plumber, description: Works in metal., keywords: [pipe], areas: [metal], operations: [creation], complexity: [complex], tools: [no-such-tool], servers: [gone]}
  - {name: anybody, description: Takes the rest.}
";

/// A server that answers a greeting, and nothing else.
const SERVER: &str = r#"
read -r line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"plans"}}}'
"#;

fn shop(catalog: &str) -> TempDir {
    let here = tempdir().unwrap();
    for (name, text) in [("shop.yaml", catalog), ("server.sh", SERVER), ("drawing.txt", "")] {
        fs::write(here.path().join(name), text).unwrap();
    }
    here
}

/// The trace of a message.
fn explain(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Value {
    let args = [&["explain", "-c", "./shop.yaml", "--json", "--data", "data"], args].concat();
    let run = waypost_in(folder, &args, b"", variables);
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

/// The points of a factor of the best candidate, and what they are made of.
fn factor(trace: &Value, kind: &str) -> (Value, Vec<String>) {
    let factors = trace["steps"]["step_4"]["factors"].as_array().unwrap();
    let factor = factors.iter().find(|factor| factor["kind"] == kind).unwrap();
    let parts = factor["parts"].as_array().unwrap();
    let parts = parts.iter().map(|part| part["key"].as_str().unwrap().to_owned()).collect();
    (factor["points"].clone(), parts)
}

#[test]
fn only_what_was_looked_up_or_greeted_earns_points() {
    let here = shop(CATALOG);
    let readiness = |args: &[&str]| factor(&explain(here.path(), args, &[]), "resources");
    let keys = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    let (build, greeted) = (["build a plank"], ["--handshake", "build a plank"]);
    assert_eq!(readiness(&build), (json!(0.10), keys(["tools_all", "servers_unchecked"])));
    fs::remove_file(here.path().join("drawing.txt")).unwrap();
    assert_eq!(readiness(&build), (json!(0.05), keys(["tools_some", "servers_unchecked"])));
    assert_eq!(readiness(&greeted), (json!(0.08), keys(["tools_some", "servers_all"])));
    // A program that can be found and does not answer is no server.
    fs::write(here.path().join("server.sh"), "exit 1").unwrap();
    assert_eq!(readiness(&greeted), (json!(0.05), keys(["tools_some", "servers_offline"])));
    assert_eq!(readiness(&["build a pipe"]), (json!(0.0), keys(["tools_none", "servers_offline"])));
}

#[test]
fn complexity_fits_one_specialist_and_not_the_other() {
    let here = shop(CATALOG);
    let fit = |text: &str| factor(&explain(here.path(), &[text], &[]), "complexity").0;
    assert_eq!(fit("build a plank"), json!(0.20));
    assert_eq!(fit("build a plank palace"), json!(0.15));
    assert_eq!(fit("build a pipe"), json!(0.10));
    assert_eq!(fit("build a pipe palace"), json!(0.20));
}

#[test]
fn a_check_that_was_not_made_is_unknown() {
    let requires = "  requires: {personas: {carpenter: {servers: [plans]}}}\nroutes:";
    let here = shop(&CATALOG.replace("routes:\n", &format!("{requires}\n")));
    let check = |args: &[&str]| {
        let trace = explain(here.path(), args, &[]);
        let checks = trace["preflight"]["checks"].as_array().unwrap().clone();
        let check = checks.into_iter().find(|check| check["name"] == "servers").unwrap();
        (check["verdict"].as_str().unwrap().to_owned(), check["detail"].as_str().unwrap().to_owned())
    };
    let unknown = ("unknown".to_owned(), "plans not checked".to_owned());
    assert_eq!(check(&["build a plank"]), unknown);
    assert_eq!(check(&["--handshake", "build a plank"]).0, "pass");
}

#[cfg(unix)]
#[test]
fn a_short_run_measures_the_processors() {
    let here = shop(CATALOG);
    let load = fs::read_to_string("/proc/loadavg").is_ok();
    let given = explain(here.path(), &["build a plank"], &[("WAYPOST_RESOURCES", "{}")]);
    assert_eq!(given["situation"]["resources"], json!({}));
    let measured = explain(here.path(), &["build a plank"], &[("WAYPOST_RESOURCES", "")]);
    let cpu = measured["situation"]["resources"]["cpu"].as_f64();
    assert_eq!(cpu.is_some_and(|cpu| (0.0..=1.0).contains(&cpu)), load, "{measured}");
}
