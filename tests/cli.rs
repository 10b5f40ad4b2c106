//! Does the real binary keep its contract?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;

use serde_json::Value;
use support::{json, waypost, waypost_in};
use tempfile::tempdir;

#[test]
fn route_answers_in_json_with_every_field_of_the_contract() {
    let answer = json(&["route", "--catalog", "triad", "--json", "Fix EXPORT_DATASET"]);
    for field in [
        "version",
        "id",
        "catalog",
        "outcome",
        "route",
        "routes",
        "considered",
        "threshold",
        "context",
        "tools",
        "sources",
        "gates",
        "clarification",
        "elapsed_us",
    ] {
        assert!(answer.get(field).is_some(), "{field} is missing");
    }
    assert_eq!(answer["version"], 1);
    assert_eq!(answer["catalog"]["name"], "triad");
    assert_eq!(answer["catalog"]["hash"].as_str().unwrap().len(), 64);
    assert_eq!(answer["id"].as_str().unwrap().chars().nth(14), Some('7'), "a UUIDv7");
    assert_eq!(answer["routes"][0]["target"], "EXPORT_DATASET");
    assert_eq!(answer["routes"][0]["matched_by"], "pattern");
    for field in ["base", "value", "delta", "rule", "level", "reason"] {
        assert!(answer["threshold"].get(field).is_some(), "threshold.{field} is missing");
    }
    for loser in answer["considered"].as_array().unwrap() {
        assert!(!loser["rejected"].as_str().unwrap().is_empty());
    }
}

#[test]
fn the_message_comes_from_words_or_from_standard_input() {
    let here = tempdir().unwrap();
    let spoken = waypost(&["route", "-c", "triad", "use", "surgical", "mode"]);
    assert!(spoken.out.starts_with("act surgical 1.00"), "{}", spoken.out);
    for args in [&["route", "-c", "triad"][..], &["route", "-c", "triad", "-"]] {
        let piped = waypost_in(here.path(), args, b"use surgical mode\n", &[]);
        assert!(piped.out.starts_with("act surgical 1.00"), "{}{}", piped.out, piped.err);
    }
    let bad = waypost_in(here.path(), &["route"], b"\xff\xfe", &[]);
    assert_eq!(bad.code, 2);
    assert!(bad.err.contains("not UTF-8"), "{}", bad.err);
}

#[test]
fn batch_answers_every_line_in_its_place() {
    let here = tempdir().unwrap();
    let rows = [
        r#"{"text": "use surgical mode", "user": "u1", "extra": 1}"#,
        r#"{"text": 7}"#,
        "not json",
        "",
        r#"{"text": "\ud800 lone"}"#,
        r#"{"text": "", "session": {"a": [1]}}"#,
        r#"{"text": "hello", "session": {"done": true, "n": 1.5, "who": "x", "no": null}, "history": ["a", {"role": "user", "content": "b"}]}"#,
    ];
    fs::write(here.path().join("rows.jsonl"), rows.join("\n")).unwrap();
    for (args, input) in [
        (["route", "--catalog", "triad", "--batch", "rows.jsonl"], String::new()),
        (["route", "--catalog", "triad", "--batch", "-"], rows.join("\n") + "\n"),
    ] {
        let run = waypost_in(here.path(), &args, input.as_bytes(), &[]);
        assert_eq!(run.code, 1, "some rows are bad: {}", run.err);
        let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), rows.len());
        assert_eq!(lines[0]["route"], "surgical");
        for (bad, number) in lines[1..6].iter().zip(2..) {
            assert_eq!(bad["line"], number);
            assert!(!bad["error"]["message"].as_str().unwrap().is_empty());
            assert!(bad["error"]["code"].is_string());
        }
        assert_eq!(lines[6]["outcome"], "abstain");
        assert!(run.err.is_empty(), "progress is for terminals only: {}", run.err);
    }
    let traces = waypost_in(here.path(), &["explain", "--batch", "-"], br#"{"text": "hi"}"#, &[]);
    assert_eq!(serde_json::from_str::<Value>(&traces.out).unwrap()["answer"]["outcome"], "abstain");
    let missing = waypost(&["route", "--batch", "no-such-file"]);
    assert_eq!(missing.code, 2);
}

#[test]
fn strange_texts_get_a_clear_answer() {
    let here = tempdir().unwrap();
    let mebibyte = "a ".repeat(1 << 19);
    for text in
        ["", " \t\n", "\u{0}\u{7}\u{1b}[31m", "مرحبا بالعالم", "👩‍💻🙂", "e\u{301}\u{301}\u{301}", &mebibyte]
    {
        for command in ["route", "explain"] {
            let run = waypost_in(here.path(), &[command, "-c", "triad"], text.as_bytes(), &[]);
            assert_eq!(run.code, 0, "{}", run.err);
            assert!(run.out.contains("abstain"));
            assert!(!run.out.contains('\u{1b}'), "what came in is shown, never obeyed");
        }
    }
    let run = waypost_in(here.path(), &["route", "--json"], "a".repeat((1 << 20) + 1).as_bytes(), &[]);
    assert_eq!(run.code, 2);
    assert_eq!(serde_json::from_str::<Value>(&run.out).unwrap()["error"]["code"], "message_too_long");
    for (input, told) in
        [("a".repeat(3 << 20).into_bytes(), "more than 1048576 bytes"), (vec![0xff], "not UTF-8")]
    {
        for command in ["route", "explain"] {
            let run = waypost_in(here.path(), &[command], &input, &[]);
            assert_eq!(run.code, 2, "one message that cannot be read is a wrong command line");
            assert!(run.err.contains(told), "{}", run.err);
        }
    }
}

#[test]
fn times_are_told_to_the_nanosecond() {
    for _ in 0..5 {
        let told = waypost(&["route", "-c", "triad", "--json", "use surgical mode"]).out;
        let time = told.split("\"elapsed_us\": ").nth(1).unwrap().split([',', '\n']).next().unwrap();
        let decimals = time.split_once('.').unwrap().1;
        assert!(decimals.len() <= 3, "{time}");
    }
}

#[test]
fn help_shows_the_catalog_where_it_matters() {
    let help = |args: &[&str]| {
        let run = waypost(&[args, &["--help"]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for args in [&[][..], &["route"], &["eval", "context"], &["check"]] {
        let help = help(args);
        assert!(help.contains("(starter, triad, choices, specialists, context)"), "{args:?}: {help}");
        assert!(help.contains("else starter"), "{args:?}: {help}");
    }
    let threshold = help(&["threshold"]);
    assert!(threshold.contains("if it has rules, else specialists") && !threshold.contains("else starter"));
    for args in
        [&["completions"][..], &["man"], &["history", "show"], &["models", "list"], &["eval", "outcomes"]]
    {
        assert!(!help(args).contains("--catalog"), "{args:?}");
    }
    // Where it is not shown it is taken all the same, so that an alias can always give it.
    for args in [&["-c", "triad", "schema"][..], &["schema", "-c", "triad"]] {
        assert_eq!(waypost(args).code, 0, "{args:?}");
    }
    assert_eq!(json(&["-c", "triad", "route", "--json", "hello"])["catalog"]["name"], "triad");
    let state = r#"{"user": {"total_tasks_completed": 2}}"#;
    for args in [["-c", "specialists", "threshold"], ["threshold", "-c", "specialists"]] {
        assert_eq!(json(&[&args[..], &["--json", state]].concat())["catalog"]["name"], "specialists");
    }
}

#[test]
fn the_catalog_is_found_in_its_order() {
    let here = tempdir().unwrap();
    let name = |args: &[&str], variables: &[(&str, &str)]| {
        let mut all = vec!["route", "--json", "hello"];
        all.extend(args);
        let run = waypost_in(here.path(), &all, b"", variables);
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str::<Value>(&run.out).unwrap()["catalog"]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(name(&[], &[]), "starter");
    let yaml = "routes: [{name: x, description: X, patterns: [xx]}]\n";
    fs::write(here.path().join("waypost.yaml"), yaml).unwrap();
    fs::create_dir(here.path().join("folder")).unwrap();
    fs::write(here.path().join("folder/a.yaml"), yaml).unwrap();
    fs::write(here.path().join("folder/b.yml"), yaml.replace('x', "y")).unwrap();
    assert_eq!(name(&[], &[]), "waypost");
    assert_eq!(name(&[], &[("WAYPOST_CATALOG", "triad")]), "triad");
    assert_eq!(name(&["--catalog", "./folder"], &[("WAYPOST_CATALOG", "triad")]), "folder");
    let unknown = waypost(&["route", "--catalog", "triaad", "hi"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean `triad`?"), "{}", unknown.err);
    let missing = waypost(&["route", "--catalog", "./nowhere.yaml", "hi"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("nowhere.yaml"), "{}", missing.err);
}

#[test]
fn check_tells_errors_doubts_and_exit_codes() {
    let here = tempdir().unwrap();
    let write = |yaml: &str| fs::write(here.path().join("waypost.yaml"), yaml).unwrap();
    let check = |args: &[&str]| waypost_in(here.path(), &[&["check"], args].concat(), b"", &[]);
    write(
        "names: force\nroutes:\n  - {name: help, description: H, examples: [same]}\n  - {name: other, examples: [Same!], patterns: ['.*', 'isn''t it']}\n",
    );
    let doubts = check(&[]);
    assert_eq!(doubts.code, 0, "{}{}", doubts.out, doubts.err);
    for code in ["common_name", "shared_example", "greedy_pattern", "dead_pattern", "thin_route"] {
        assert!(doubts.out.contains(&format!("warning[{code}]")), "{code} in:\n{}", doubts.out);
    }
    assert_eq!(check(&["--strict"]).code, 1);
    write("routes:\n  - {name: lonely, description: L, keywords: [word]}\n");
    assert!(check(&[]).out.contains("warning[unreachable_route]"));
    write("routs:\n  - name: x\n");
    let errors = check(&[]);
    assert_eq!(errors.code, 2);
    assert!(
        errors.out.contains("waypost.yaml:1:1") && errors.out.contains("did you mean `routes`?"),
        "{}",
        errors.out
    );
    let listed: Value = serde_json::from_str(&check(&["--json"]).out).unwrap();
    assert_eq!(listed["problems"][0]["line"], 1);
    assert_eq!(listed["problems"][0]["snippet"], "routs:");
    let routed = waypost_in(here.path(), &["route", "hi"], b"", &[]);
    assert_eq!(routed.code, 2);
    assert!(routed.err.contains("did you mean `routes`?"), "{}", routed.err);
}

#[test]
fn init_writes_a_catalog_that_checks_and_never_over_another() {
    let here = tempdir().unwrap();
    let run = |args: &[&str]| waypost_in(here.path(), args, b"", &[]);
    assert_eq!(run(&["init"]).code, 0);
    assert_eq!(run(&["check", "--strict"]).code, 0);
    let again = run(&["init"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("--force"), "{}", again.err);
    assert_eq!(run(&["init", "--force", "--from", "triad"]).code, 0);
    assert_eq!(
        run(&["route", "use surgical mode"]).out.lines().next(),
        Some("act surgical 1.00 (high, matched by name)")
    );
    assert_eq!(run(&["init", "--from", "nothing", "other.yaml"]).code, 2);
    assert!(!here.path().join("other.yaml").exists());
}

#[test]
fn a_trace_is_replayed_to_the_same_bytes() {
    let here = tempdir().unwrap();
    let run = |args: &[&str]| waypost_in(here.path(), args, b"", &[]);
    let message = "/biomapper-surgical";
    let recorded =
        run(&["route", "-c", "triad", "--session", "action=FILTER_DATASET", "--trace", "t.json", message]);
    assert_eq!(recorded.code, 0, "{}", recorded.err);
    assert!(recorded.out.contains("FILTER_DATASET"), "{}", recorded.out);
    let to_output = run(&["route", "-c", "triad", "--trace", "-", message]);
    assert_eq!((to_output.code, to_output.out.as_str()), (2, ""));
    assert!(to_output.err.contains("--trace needs a file"), "{}", to_output.err);
    let same = run(&["replay", "t.json"]);
    assert_eq!((same.code, same.out.as_str()), (0, "act surgical: the same, byte for byte\n"));
    let text = fs::read_to_string(here.path().join("t.json")).unwrap();
    fs::write(here.path().join("t.json"), text.replace("\"confidence\": 1.0", "\"confidence\": 0.5"))
        .unwrap();
    assert_eq!(run(&["replay", "t.json"]).code, 1);
    let other = run(&["replay", "t.json", "--catalog", "starter"]);
    assert_eq!(other.code, 2);
    assert!(other.err.contains("--catalog"), "{}", other.err);
}

#[test]
fn colours_respect_pipes_and_no_color() {
    let painted = |args: &[&str], variables: &[(&str, &str)]| {
        let here = tempdir().unwrap();
        waypost_in(here.path(), args, b"", variables).out.contains('\u{1b}')
    };
    assert!(!painted(&["explain", "hi"], &[]), "a pipe is not painted");
    assert!(painted(&["explain", "hi", "--color", "always"], &[]));
    assert!(!painted(&["explain", "hi", "--color", "never"], &[]));
    assert!(!painted(&["explain", "hi", "--color", "auto"], &[("NO_COLOR", "1")]));
}

#[test]
fn completions_and_manual_pages_come_from_the_definitions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = waypost(&["completions", shell]);
        assert!(run.code == 0 && run.out.contains("explain"), "{shell}");
    }
    assert!(waypost(&["man"]).out.contains(".TH waypost"));
    let here = tempdir().unwrap();
    assert_eq!(waypost_in(here.path(), &["man", "--out", "man"], b"", &[]).code, 0);
    assert!(here.path().join("man/waypost-explain.1").exists());
}

#[test]
fn mistakes_on_the_command_line_are_refused_with_two() {
    for args in [
        &["rote", "hi"][..],
        &[],
        &["route", "--btach", "x"],
        &["route", "hi", "--batch", "x"],
        &["route", "--session", "x", "hi"],
    ] {
        let run = waypost(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(!run.err.is_empty(), "{args:?}");
    }
    assert_eq!(waypost(&["--help"]).code, 0);
    assert_eq!(waypost(&["--version"]).code, 0);
}

#[test]
fn schema_prints_json() {
    let schema: Value = serde_json::from_str(&waypost(&["schema"]).out).unwrap();
    assert_eq!(schema["title"], "Waypost catalog");
}
