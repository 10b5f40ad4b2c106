//! Are the right tools found, and is it said when none serves?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::{waypost, waypost_in};

/// A few tools of everyday kinds, one of them on two servers.
fn tools() -> Vec<Value> {
    vec![
        json!({"name": "find_symbol", "server": "ide", "description": "Locates where a function or type is defined in the code",
            "parameters": {"type": "object", "properties": {"symbol": {"type": "string", "description": "Its name"}}}}),
        json!({"name": "send_mail", "description": "Sends an e-mail to somebody", "parameters": {"properties": {
            "recipient": {"description": "Who gets it"}, "subject": {}}}}),
        json!({"name": "current_weather", "server": "sky", "description": "Tells the weather of a place now",
            "anti_patterns": ["how has the climate changed over the last century"]}),
        json!({"name": "convert_currency", "description": "Converts an amount of money from one currency into another"}),
        json!({"name": "search", "server": "web", "description": "Searches the web"}),
        json!({"name": "search", "server": "files", "description": "Searches the contents of files on this machine"}),
        json!({"type": "function", "function": {"name": "book_table", "description": "Reserves a table in a restaurant"}}),
        json!({"id": "cal-1", "name": "createEvent", "description": "Puts an appointment into the calendar", "parameters": null}),
    ]
}

/// A file of tools of its own for each test.
fn file(name: &str, rows: &[Value]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, rows.iter().map(|row| format!("{row}\n")).collect::<String>()).unwrap();
    path
}

fn answers(file: &Path, rows: &[Value], flags: &[&str]) -> Vec<Value> {
    let args = [&["tools", "--tools", file.to_str().unwrap(), "--batch", "-"], flags].concat();
    let rows: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let run = waypost_in(env!("CARGO_TARGET_TMPDIR").as_ref(), &args, rows.as_bytes(), &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_right_tool_comes_first() {
    let file = file("tools-right.jsonl", &tools());
    let table = [
        ("find symbol main", "find_symbol", Some("ide")),
        ("where is parse_header defined?", "find_symbol", Some("ide")),
        ("write a message to Ann about the party", "send_mail", None),
        ("will I need an umbrella in Oslo today", "current_weather", Some("sky")),
        ("how many yen are 20 dollars", "convert_currency", None),
        ("look on the internet for it", "search", Some("web")),
        ("which files on this machine mention the contract", "search", Some("files")),
        ("dinner for four at eight in the trattoria", "book_table", None),
        ("put lunch with Bo on my agenda for Monday", "createEvent", None),
    ];
    let rows: Vec<Value> = table.iter().map(|(text, ..)| json!({"text": text})).collect();
    for ((text, name, server), answer) in table.iter().zip(answers(&file, &rows, &["-k", "3"])) {
        let first = &answer["tools"][0];
        assert_eq!(
            (first["name"].as_str(), first["server"].as_str()),
            (Some(*name), *server),
            "{text}: {answer}"
        );
        assert_eq!(answer["tools"].as_array().unwrap().len(), 3, "{text}");
        assert_eq!(answer["version"], 1);
        assert!(!first["reasons"].as_array().unwrap().is_empty(), "{text}: {answer}");
    }
}

#[test]
fn what_no_tool_serves_is_said_with_the_words_nobody_knows() {
    let file = file("tools-none.jsonl", &tools());
    let rows = [json!({"text": "zirconium flux capacitors"}), json!({"text": "send an e-mail to Bo"})];
    let answers = answers(&file, &rows, &["-k", "2"]);
    assert_eq!(answers[0]["fits"], false);
    assert_eq!(answers[0]["tools"].as_array().unwrap().len(), 2, "candidates are told all the same");
    assert!(answers[0]["unmatched"].as_array().unwrap().contains(&json!("zirconium")), "{}", answers[0]);
    assert_eq!((&answers[1]["fits"], &answers[1]["tools"][0]["id"]), (&json!(true), &json!("send_mail")));
}

#[test]
fn candidates_anti_patterns_names_and_pins_are_heeded() {
    let mut with_pin = tools();
    with_pin.push(json!({"name": "ask_human", "description": "Asks a person for help", "pinned": true}));
    let file = file("tools-heeded.jsonl", &with_pin);
    let rows = [
        json!({"text": "send an e-mail", "candidates": ["current_weather", "cal-1"]}),
        json!({"text": "how has the climate changed over the last hundred years"}),
        json!({"text": "use createEvent for the weather report"}),
    ];
    let answers = answers(&file, &rows, &["-k", "2"]);
    let ids = |answer: &Value| -> Vec<String> {
        answer["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert!(ids(&answers[0]).iter().all(|id| ["current_weather", "cal-1"].contains(&id.as_str())));
    assert_ne!(ids(&answers[1])[0], "current_weather");
    assert_eq!((&*ids(&answers[2])[0], ids(&answers[2]).last().unwrap().as_str()), ("cal-1", "ask_human"));
    assert_eq!(ids(&answers[2]).len(), 3, "who is pinned is beside the others, in nobody's place");
    assert!(ids(&answers[0]).len() == 2, "unless it may not be chosen");
}

#[test]
fn in_a_small_pool_being_first_is_no_reason() {
    let pool = [
        json!({"name": "send_mail", "description": "Sends an e-mail to somebody"}),
        json!({"name": "get_weather", "description": "Tells the weather of a city"}),
        json!({"name": "find_symbol", "description": "Locates a function in source code"}),
    ];
    let rows = [json!({"text": "zirconium flux capacitors"}), json!({"text": "what is the weather in Rome"})];
    let answers = answers(&file("tools-few.jsonl", &pool), &rows, &[]);
    assert_eq!((&answers[0]["fits"], &answers[1]["fits"]), (&json!(false), &json!(true)), "{answers:?}");
}

#[test]
fn what_a_catalog_and_failures_forbid_is_not_offered() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tools-forbidden");
    fs::create_dir_all(&folder).unwrap();
    let catalog = folder.join("strict.yaml");
    fs::write(&catalog, "safety: enforce\ntools: [{name: other}]\n").unwrap();
    let pool = file("tools-forbidden.jsonl", &tools());
    let (pool, catalog) = (pool.to_str().unwrap(), catalog.to_str().unwrap());
    let find = |args: &[&str]| -> Value {
        let run = waypost(&[&["tools", "--tools", pool, "--json"], args].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str(&run.out).unwrap()
    };
    let text = "send an e-mail to ann@example.com";
    assert_eq!(find(&[text])["tools"][0]["id"], "send_mail");
    let strict = find(&["--catalog", catalog, text]);
    assert_eq!(strict["tools"], json!([]), "a catalog that is named is heeded with --tools too: {strict}");
    assert_eq!(strict["removed"][0]["id"], "send_mail");
    let failed = find(&["--failed", "send_mail", text]);
    assert!(failed["tools"].as_array().unwrap().iter().all(|tool| tool["id"] != "send_mail"), "{failed}");
    let confidence = |answer: &Value| answer["tools"][0]["confidence"].clone();
    assert_eq!(confidence(&find(&["-k", "1", text])), confidence(&find(&["-k", "5", text])));
}

#[test]
fn bad_rows_and_files_are_told() {
    let bad = file("tools-bad.jsonl", &[json!({"name": "a"}), json!({"description": "nameless"})]);
    let run = waypost(&["tools", "--tools", bad.to_str().unwrap(), "hello"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("line 2") && run.err.contains("needs a name"), "{}", run.err);
    let empty = file("tools-empty.jsonl", &[]);
    assert!(waypost(&["tools", "--tools", empty.to_str().unwrap(), "hello"]).err.contains("has no tools"));
    let run = waypost(&["tools", "--catalog", "triad", "hello"]);
    assert!(run.code == 2 && run.err.contains("has no tools; write them under `tools`"), "{}", run.err);
}

#[test]
fn the_evaluation_counts_by_hand() {
    let pool = file("tools-eval.jsonl", &tools());
    let rows = file(
        "tools-eval-rows.jsonl",
        &[
            json!({"query": "send an e-mail to Bo", "relevant": ["send_mail"]}),
            json!({"query": "what is the weather in Rome", "relevant": ["current_weather"]}),
            json!({"query": "zirconium flux capacitors", "relevant": []}),
        ],
    );
    let run = waypost(&[
        "eval",
        "tools",
        "--tools",
        pool.to_str().unwrap(),
        "--test",
        rows.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let figures = &serde_json::from_str::<Value>(&run.out).unwrap()["figures"];
    assert_eq!((&figures["rows"], &figures["without"]), (&json!(2), &json!(1)));
    assert_eq!((&figures["ndcg_at_10"], &figures["no_fit_auroc"]), (&json!(1.0), &json!(1.0)));
    let odd = waypost(&[
        "eval",
        "tools",
        "--tools",
        pool.to_str().unwrap(),
        "--test",
        rows.to_str().unwrap(),
        "--rows",
        "even",
        "--min",
        "1.0",
    ]);
    assert_eq!(odd.code, 0, "{}", odd.err);
}

#[test]
fn safety_tags_and_the_search_tool_are_heeded() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tools-safety");
    fs::create_dir_all(&folder).unwrap();
    let yaml = "\
search_tool: look_up
safety: enforce
tools:
  - {name: send_mail, description: Sends an e-mail to somebody, safety_tags: [pii]}
  - {name: post_note, description: Posts a message on the public board}
  - {name: look_up, description: Searches the web}
";
    let catalog = folder.join("waypost.yaml");
    fs::write(&catalog, yaml).unwrap();
    let find = |text: &str| -> Value {
        let run = waypost(&["tools", "--catalog", catalog.to_str().unwrap(), "-k", "2", "--json", text]);
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str(&run.out).unwrap()
    };
    let ids = |answer: &Value| -> Vec<String> {
        answer["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let personal = find("post a message that ann@example.com has moved");
    assert_eq!(ids(&personal), ["send_mail"], "the search tool is not tagged either: {personal}");
    assert_eq!(personal["removed"][0]["id"], "post_note");
    assert!(personal["removed"][0]["reason"].as_str().unwrap().contains("pii"), "{personal}");
    let public = find("post a message on the board: lunch is ready");
    assert_eq!(ids(&public)[0], "post_note");
    assert!(public["removed"].is_null());
    let strange = find("zirconium flux capacitors");
    assert!(strange["fits"] == false && ids(&strange).contains(&"look_up".to_owned()), "{strange}");
}

#[test]
fn a_message_that_needs_several_tools_gets_them_all() {
    let file = file("tools-parts.jsonl", &tools());
    let text = "book a table for two at the trattoria, then send an e-mail to my friend Bo. Also tell me the weather in Rome now";
    let plain = json!({"text": "send an e-mail with the long report to Ann and to Bo"});
    let answers = answers(&file, &[json!({"text": text}), plain], &["-k", "3"]);
    let parts = answers[0]["parts"].as_array().unwrap();
    let wanted: Vec<&str> = parts.iter().map(|part| part["tool"].as_str().unwrap()).collect();
    assert_eq!(wanted, ["book_table", "send_mail", "current_weather"], "{}", answers[0]);
    assert_eq!(parts[0]["text"], "book a table for two at the trattoria");
    for tool in answers[0]["tools"].as_array().unwrap() {
        assert!(wanted.contains(&tool["id"].as_str().unwrap()), "{tool}");
        assert!(tool["reasons"][0].as_str().unwrap().starts_with("serves the part '"), "{tool}");
    }
    assert!(answers[1]["parts"].is_null(), "one task: {}", answers[1]);
    assert_eq!(answers[1]["tools"][0]["id"], "send_mail");
}

#[test]
fn near_equals_are_settled_by_time_cost_and_speed() {
    let about = "Translates a text into another language";
    let tool = |server: &str, cost: f64, ms: f64| json!({"name": "translate", "server": server, "description": about, "cost_estimate": cost, "avg_latency_ms": ms});
    let rows = [
        tool("a", 2.0, 900.0),
        tool("b", 3.0, 80.0),
        tool("c", 1.0, 700.0),
        json!({"name": "send_mail", "description": "Sends an e-mail to somebody", "cost_estimate": 0.0, "avg_latency_ms": 1}),
    ];
    let file = file("tools-ties.jsonl", &rows);
    let text = "translate this letter into French";
    let asked = [json!({"text": text}), json!({"text": text, "latency_budget_ms": 100})];
    let answers = answers(&file, &asked, &["-k", "4"]);
    let order = |answer: &Value| -> String {
        let tools = answer["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["server"].as_str().unwrap_or("mail")).collect::<Vec<_>>().join(" ")
    };
    let reasons = |answer: &Value, at: usize| answer["tools"][at]["reasons"].to_string();
    assert_eq!(order(&answers[0]), "c a b mail", "{}", answers[0]);
    assert!(reasons(&answers[0], 0).contains("before a/translate, which is as sure and costs more"));
    assert_eq!(order(&answers[1]), "b c a mail", "{}", answers[1]);
    assert!(reasons(&answers[1], 0).contains("takes more than the 100 ms it may"), "{}", answers[1]);
    assert!(reasons(&answers[1], 1).contains("takes 700 ms, more than the 100 ms it may"), "{}", answers[1]);
    let run = waypost(&["tools", "--tools", file.to_str().unwrap(), "--latency-budget", "soon", text]);
    assert!(run.code == 2 && run.err.contains("give milliseconds"), "{}", run.err);
}
