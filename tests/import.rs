//! Do tools come in through the real binary: from programs that speak MCP, from files, and into a file that people edit?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{Run, waypost_in};
use tempfile::{TempDir, tempdir};

/// A server that answers as it should: two pages of tools, and a question of its own between them.
const GOOD: &str = r#"
say() { printf '%s\n' "$1"; }
while read -r line; do
    case "$line" in
    *'"method":"initialize"'*)
        echo 'a word to whoever reads the log' >&2
        say '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"desk","version":"1"}}}' ;;
    *'notifications/initialized'*) initialized=yes ;;
    *'"cursor":"p2"'*)
        say '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
        say '{"jsonrpc":"2.0","id":"own","method":"ping"}'
        read -r pong
        case "$pong" in *'"id":"own"'*'"result":{}'*) ;; *) exit 7 ;; esac
        say '{"jsonrpc":"2.0","id":"more","method":"roots/list"}'
        read -r refusal
        case "$refusal" in *'-32601'*) ;; *) exit 8 ;; esac
        say '{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"book","title":"Books a room"}]}}' ;;
    *'"method":"tools/list"'*)
        [ "$initialized" = yes ] || exit 9
        say '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"find","description":"Finds rooms","inputSchema":{"type":"object","properties":{"day":{"type":"string"}}}}],"nextCursor":"p2"}}' ;;
    esac
done
"#;

/// A folder with a server in it.
fn folder(script: &str) -> TempDir {
    let here = tempdir().unwrap();
    fs::write(here.path().join("server.sh"), script).unwrap();
    here
}

fn mcp(here: &Path, flags: &[&str]) -> Run {
    let args = [&["import", "mcp"], flags, &["--", "sh", "server.sh"]].concat();
    waypost_in(here, &args, b"", &[])
}

fn rows(here: &Path) -> Vec<Value> {
    let text = fs::read_to_string(here.join("tools.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_program_is_asked_for_all_its_tools() {
    let here = folder(GOOD);
    let run = mcp(here.path(), &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        run.out,
        "+ desk/book\n+ desk/find\ntools.jsonl: 2 added, 0 changed, 0 unchanged, 0 removed\n"
    );
    let schema = json!({"type": "object", "properties": {"day": {"type": "string"}}});
    let text = fs::read_to_string(here.path().join("tools.jsonl")).unwrap();
    assert_eq!(
        text.lines().map(without_listed).collect::<Vec<_>>(),
        [
            json!({"id": "book", "name": "book", "server": "desk", "title": "Books a room", "description": "Books a room", "category": "desk"}),
            json!({"id": "find", "name": "find", "server": "desk", "description": "Finds rooms", "category": "desk", "input_schema": schema}),
        ]
    );
    let named = mcp(here.path(), &["--server", "mine", "--json"]);
    let told: Value = serde_json::from_str(&named.out).unwrap();
    assert_eq!(
        (&told["version"], &told["server"], &told["added"], &told["tools"]),
        (&json!(1), &json!("mine"), &json!(2), &json!(4))
    );
    // What was imported is a catalog's.
    fs::write(here.path().join("waypost.yaml"), "search_tool: mine/find\ntools_files: [tools.jsonl]\n")
        .unwrap();
    let checked = waypost_in(here.path(), &["check"], b"", &[]);
    assert!(checked.out.contains("0 routes, 4 tools"), "{}{}", checked.out, checked.err);
}

#[test]
fn a_program_that_fails_says_how() {
    let hello = r#"read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; read -r told; read -r asked;"#;
    let after = |rest: &str| format!("{hello} {rest}");
    for (script, code, says) in [
        ("echo 'no key set' >&2; exit 3".to_owned(), "ended_early", "no key set"),
        ("echo 'no key set' >&2; exit 3".to_owned(), "ended_early", "exit status: 3"),
        ("echo Listening on 8080; read -r line".to_owned(), "not_json", "Listening on 8080"),
        (
            "while :; do echo '{\"method\":\"notifications/message\"}'; done".to_owned(),
            "timed_out",
            "within 1 s",
        ),
        ("read -r a; read -r b; read -r c".to_owned(), "timed_out", "did not answer initialize within 1 s"),
        (after("exit 0"), "ended_early", "before it answered tools/list"),
        (
            after(r#"echo '{"id":2,"error":{"code":-32601,"message":"what?"}}'; read -r a"#),
            "refused",
            "no tools to offer: what?",
        ),
        (after(r#"echo '{"id":2,"error":{"code":-1,"message":"busy"}}'; read -r a"#), "refused", "busy (-1)"),
        (
            after(r#"echo '{"id":null,"error":{"code":-32700,"message":"eh"}}'; read -r a"#),
            "refused",
            "eh (-32700)",
        ),
        (after(r#"echo '{"id":2,"result":{}}'; read -r a"#), "bad_answer", "no list `tools`"),
        (after(r#"echo '{"id":2}'; read -r a"#), "bad_answer", "neither a result nor an error"),
        (
            after(
                r#"echo '{"id":2,"result":{"tools":[],"nextCursor":"x"}}'; read -r a; echo '{"id":3,"result":{"tools":[],"nextCursor":"x"}}'; read -r a"#,
            ),
            "bad_answer",
            "a second time",
        ),
    ] {
        let here = folder(&script);
        let run = mcp(here.path(), &["--json", "--timeout", "1"]);
        assert_eq!(run.code, 2, "{script}: {}", run.out);
        let told: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(told["error"]["code"], code, "{script}: {told}");
        assert!(told["error"]["message"].as_str().unwrap().contains(says), "{script}: {told}");
        assert!(!here.path().join("tools.jsonl").exists());
    }
    let here = tempdir().unwrap();
    let run = waypost_in(here.path(), &["import", "mcp", "--", "no-such-server"], b"", &[]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("there is no program `no-such-server`"), "{}", run.err);
}

#[test]
fn the_way_to_a_server_is_one() {
    let here = tempdir().unwrap();
    for args in [
        &["import", "mcp"][..],
        &["import", "mcp", "--url", "http://x", "--file", "f"],
        &["import", "mcp", "--header", "a: b", "--", "sh"],
        &["import"],
    ] {
        assert_eq!(waypost_in(here.path(), args, b"", &[]).code, 2, "{args:?}");
    }
    for (args, says) in [
        (&["import", "mcp", "--url", "ftp://x"][..], "no address"),
        (&["import", "mcp", "--url", "http://x", "--header", "secret"], "no colon"),
        (
            &["import", "mcp", "--url", "http://x", "--bearer-env", "NOT_SET_ANYWHERE"],
            "NOT_SET_ANYWHERE holds no key",
        ),
        (&["import", "openai", "nowhere.json"], "cannot read nowhere.json"),
    ] {
        let run = waypost_in(here.path(), args, b"", &[]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains(says) && !run.err.contains("secret"), "{}", run.err);
    }
}

#[track_caller]
fn import(here: &Path, kind: &str, text: &str, flags: &[&str]) -> Run {
    fs::write(here.join("given"), text).unwrap();
    let file: &[&str] = if kind == "mcp" { &["--file", "given"] } else { &["given"] };
    waypost_in(here, &[&["import", kind], file, flags].concat(), b"", &[])
}

#[test]
fn lists_are_read_as_others_write_them() {
    let tool = r#"{"name": "find", "description": "Finds", "inputSchema": {"type": "object"}}"#;
    let function = r#"{"type": "function", "function": {"name": "find", "description": "Finds", "parameters": {"type": "object"}}}"#;
    let row = json!({"id": "find", "name": "find", "server": "s", "description": "Finds", "category": "s", "input_schema": {"type": "object"}});
    for (kind, text) in [
        ("mcp", format!(r#"{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": [{tool}]}}}}"#)),
        ("mcp", format!(r#"{{"tools": [{tool}]}}"#)),
        ("mcp", format!("[{tool}]")),
        ("openai", format!("[{function}]")),
        ("openai", format!(r#"{{"model": "m", "tools": [{function}]}}"#)),
        ("jsonl", format!("\n{tool}\n")),
        ("openapi", "openapi: 3.0.0\npaths: {/find: {get: {operationId: find, summary: Finds}}}".to_owned()),
    ] {
        let here = tempdir().unwrap();
        let run = import(here.path(), kind, &text, &["--server", "s"]);
        assert_eq!(run.code, 0, "{kind} {text}: {}", run.err);
        let mut found = rows(here.path());
        found[0]["input_schema"].as_object_mut().unwrap().remove("properties");
        found[0].as_object_mut().unwrap().retain(|field, _| field != "listed" && field != "read_only");
        assert_eq!(found, std::slice::from_ref(&row), "{kind} {text}");
    }
    let here = tempdir().unwrap();
    for (kind, text, says) in [
        ("mcp", "{}", "answers to tools/list"),
        ("mcp", "{", "not valid JSON"),
        ("openai", "{\"tools\": 1}", "under `tools`"),
        ("openapi", "swagger: '2.0'", "Swagger 2"),
    ] {
        let run = import(here.path(), kind, text, &[]);
        assert_eq!(run.code, 2, "{kind} {text}");
        assert!(run.err.contains(says) && run.err.contains("given"), "{}", run.err);
    }
    let piped = waypost_in(here.path(), &["import", "jsonl", "-"], tool.as_bytes(), &[]);
    assert_eq!(piped.code, 0, "{}", piped.err);
}

#[test]
fn bad_rows_are_told_and_left_out() {
    let here = tempdir().unwrap();
    let before = "{\"name\": \"old\"}\n";
    fs::write(here.path().join("tools.jsonl"), before).unwrap();
    let text = "{\"name\": \"a\"}\n\n{\"name\": 1}\n{oops\n{\"name\": \"a\", \"description\": \"Again\"}\n";
    let run = import(here.path(), "jsonl", text, &[]);
    assert_eq!(run.code, 1);
    for said in [
        "line 3: a tool needs a name",
        "line 4: not valid JSON",
        "`a` comes twice",
        "line 5",
        "1 tools did not come",
    ] {
        assert!(run.err.contains(said), "{said}: {}", run.err);
    }
    let found = rows(here.path());
    assert_eq!((found.len(), &found[0]["description"]), (2, &json!("Again")), "what did not come is kept");
    // A file that cannot be read is not written over.
    fs::write(here.path().join("tools.jsonl"), "{\"name\": \"a\"}\nmy notes\n").unwrap();
    let run = import(here.path(), "jsonl", "{\"name\": \"b\"}", &[]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("tools.jsonl, line 2"), "{}", run.err);
    assert!(fs::read_to_string(here.path().join("tools.jsonl")).unwrap().contains("my notes"));
}

#[test]
fn a_second_import_changes_only_what_changed() {
    let here = tempdir().unwrap();
    let file = here.path().join("tools.jsonl");
    let by_hand = [
        r#"{"name": "stays",  "server": "s", "description": "As it was", "category": "c", "pinned": true, "owner": "me"}"#,
        r#"{"id": "m1", "name": "moves", "server": "s", "description": "Before", "success_examples": ["move it"], "anti_patterns": ["no"], "category": "c", "safety_tags": ["pii"], "cost_estimate": 2, "avg_latency_ms": 5, "pinned": true, "owner": "me"}"#,
        r#"{"name": "goes", "server": "s"}"#,
        r#"{"name": "stays", "server": "other"}"#,
        r#"{"name": "alone"}"#,
    ];
    fs::write(&file, by_hand.join("\n")).unwrap();
    let came = r#"[{"name": "stays", "description": "As it was"}, {"name": "moves", "description": "After", "category": "d"}, {"name": "new"}]"#;
    let dry = import(here.path(), "mcp", came, &["--server", "s", "--dry-run"]);
    assert!(dry.out.contains("; nothing is written"), "{}", dry.out);
    assert_eq!(fs::read_to_string(&file).unwrap(), by_hand.join("\n"));
    let run = import(here.path(), "mcp", came, &["--server", "s"]);
    assert_eq!(
        run.out,
        "- s/goes\n~ s/moves (description)\n+ s/new\ntools.jsonl: 1 added, 1 changed, 1 unchanged, 1 removed\n",
        "{}",
        run.err
    );
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!([lines[0], lines[1], lines[4]], [by_hand[4], by_hand[3], by_hand[0]], "to the byte, in order");
    assert_eq!(
        without_listed(lines[2]),
        json!({"id": "m1", "name": "moves", "server": "s", "description": "After", "success_examples": ["move it"],
            "anti_patterns": ["no"], "category": "c", "safety_tags": ["pii"], "cost_estimate": 2.0, "avg_latency_ms": 5.0,
            "pinned": true, "owner": "me"})
    );
    let kept = fs::metadata(&file).unwrap().modified().unwrap();
    let again = import(here.path(), "mcp", came, &["--server", "s", "--json"]);
    let told: Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!((&told["unchanged"], &told["written"]), (&json!(3), &json!(false)));
    assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), kept);
    assert_eq!(fs::read_dir(here.path()).unwrap().count(), 2, "nothing is left beside it");
}

/// A row without the record of what was listed.
fn without_listed(line: &str) -> Value {
    let mut row: Value = serde_json::from_str(line).unwrap();
    row.as_object_mut().unwrap().remove("listed");
    row
}

#[test]
fn hints_become_fields_and_categories_are_derived() {
    let here = tempdir().unwrap();
    let listing = json!([
        {"name": "delete_entries", "annotations": {"title": "Delete entries", "readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false}},
        {"name": "search", "annotations": {"readOnlyHint": true}},
    ]);
    assert_eq!(import(here.path(), "mcp", &listing.to_string(), &["--server", "s"]).code, 0);
    let text = fs::read_to_string(here.path().join("tools.jsonl")).unwrap();
    let found: Vec<Value> = text.lines().map(without_listed).collect();
    assert_eq!(
        found,
        [
            json!({"id": "delete_entries", "name": "delete_entries", "server": "s", "title": "Delete entries", "description": "Delete entries",
                "category": "entry", "read_only": false, "destructive": true, "idempotent": true, "open_world": false}),
            json!({"id": "search", "name": "search", "server": "s", "description": "", "category": "s", "read_only": true}),
        ]
    );
    let paths =
        "openapi: 3.0.0\npaths: {/pets: {get: {tags: [pets]}, head: {}, put: {}, post: {}, delete: {}}}";
    let here = tempdir().unwrap();
    assert_eq!(import(here.path(), "openapi", paths, &["--server", "s"]).code, 0);
    let hints = ["read_only", "idempotent", "destructive", "category"];
    let of = |row: &Value| hints.map(|hint| row[hint].as_bool().map_or(row[hint].clone(), Value::Bool));
    let found: Vec<(String, [Value; 4])> =
        rows(here.path()).iter().map(|row| (row["name"].as_str().unwrap().to_owned(), of(row))).collect();
    let expected = [
        ("delete_pets", [json!(null), json!(true), json!(true), json!("pet")]),
        ("get_pets", [json!(true), json!(null), json!(null), json!("pets")]),
        ("head_pets", [json!(true), json!(null), json!(null), json!("s")]),
        ("post_pets", [json!(null), json!(null), json!(null), json!("pet")]),
        ("put_pets", [json!(null), json!(true), json!(null), json!("pet")]),
    ];
    assert_eq!(found, expected.map(|(name, told)| (name.to_owned(), told)));
}

#[test]
fn what_was_written_by_hand_wins_over_what_is_listed_again() {
    let here = tempdir().unwrap();
    let list = |description: &str, hints: Value| {
        json!([{"name": "close_issue", "description": description, "annotations": hints}]).to_string()
    };
    let edit = |from: &str, to: &str| {
        let file = here.path().join("tools.jsonl");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{from}: {text}");
        fs::write(file, text.replace(from, to)).unwrap();
    };
    let again = |text: String| import(here.path(), "mcp", &text, &["--server", "s"]).out;
    let check = |key: &str, value: Value| assert_eq!(rows(here.path())[0][key], value, "{key}");
    again(list("Closes.", json!({"destructiveHint": true, "idempotentHint": true})));
    // Nothing was touched, so all of it follows the server.
    let told = again(list("Closes an issue.", json!({"destructiveHint": false})));
    assert!(told.starts_with("~ s/close_issue (description, destructive, idempotent)\n"), "{told}");
    check("destructive", json!(false));
    check("idempotent", Value::Null);
    edit("\"destructive\":false", "\"destructive\":true,\"cost_estimate\":2.0");
    edit("\"category\":\"issue\"", "\"category\":\"tracker\"");
    edit("Closes an issue.", "Ends an issue.");
    let told = again(list("Closes it.", json!({"destructiveHint": false, "readOnlyHint": false})));
    assert!(told.starts_with("~ s/close_issue (read_only)\n"), "{told}");
    check("destructive", json!(true));
    check("category", json!("tracker"));
    check("description", json!("Ends an issue."));
    check("cost_estimate", json!(2.0));
    let told = again(list("Closes it.", json!({"destructiveHint": false, "readOnlyHint": true})));
    assert!(told.starts_with("~ s/close_issue (read_only)\n"), "what was listed still follows: {told}");
}
