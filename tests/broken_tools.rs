//! Are tools read from a catalog, and is every way to break them told at the right line?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use serde_json::json;
use waypost::core::catalog::Source;
use waypost::core::catalog::tools::{Safety, Tool};
use waypost::core::catalog::{Checked, Problem};
use waypost::{Catalog, Message, Router};

const RIGHT: &str = r"name: base
search_tool: web/search
safety: enforce
tools:
  - name: search
    server: web
    description: Searches the web.
    pinned: true
  - name: search
    server: files
  - name: refund
    id: r1
    input_schema: {type: object, properties: {order: {type: integer, minimum: 1}}, required: [order]}
    success_examples: [give me my money back]
    anti_patterns: [where is my money]
    category: money
    safety_tags: [pii]
    cost_estimate: 0.25
    avg_latency_ms: 120
";

fn check_catalog(yaml: &str) -> Checked {
    Catalog::check(&[Source::new("broken.yaml", yaml)], "broken")
}

fn edit(line: usize, text: &str) -> String {
    let lines = RIGHT.lines().zip(1..).map(|(old, number)| if number == line { text } else { old });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// The line, what it is replaced by, the code expected there, the column, and what the message or its hint says.
#[track_caller]
fn check(line: usize, text: &str, column: u32, code: &str, says: &str) {
    let checked = check_catalog(&edit(line, text));
    assert!(checked.catalog.is_none(), "accepted: {text}");
    let is_it = |p: &&Problem| p.code.name() == code && p.place.line as usize == line;
    let hit = checked.problems.iter().find(is_it);
    let hit =
        hit.unwrap_or_else(|| panic!("expected {code} at {line} for {text:?}, got {:?}", checked.problems));
    let told = format!("{} {}", hit.message, hit.hint.as_deref().unwrap_or_default());
    assert!(told.contains(says), "expected {says:?} in {told:?}");
    assert_eq!(hit.place.column, column, "{text}");
}

#[test]
fn a_right_catalog_has_its_tools() {
    let checked = check_catalog(RIGHT);
    assert!(checked.problems.is_empty(), "{:?}", checked.problems);
    let catalog = checked.catalog.unwrap();
    let names: Vec<String> = catalog.tools().iter().map(Tool::full_name).collect();
    assert_eq!(names, ["refund", "files/search", "web/search"]);
    let refund = &catalog.tools()[0];
    assert_eq!((refund.id.as_str(), refund.category.as_deref()), ("r1", Some("money")));
    assert_eq!((refund.cost_estimate, refund.avg_latency_ms), (Some(0.25), Some(120.0)));
    let schema = json!({"type": "object", "properties": {"order": {"type": "integer", "minimum": 1}}, "required": ["order"]});
    assert_eq!(refund.input_schema, Some(schema));
    let search = catalog.search_tool().unwrap();
    assert_eq!((search.server.as_deref(), search.pinned, search.id.as_str()), (Some("web"), true, "search"));
    assert_eq!(catalog.safety(), Safety::Enforce);
    let plain = check_catalog("routes: [{name: a, description: A, examples: [x]}]").catalog.unwrap();
    assert_eq!((plain.safety(), plain.tools().len()), (Safety::Off, 0));
    assert!(plain.search_tool().is_none());
}

#[test]
fn broken_tools_give_the_right_place() {
    check(2, "search_tool: search", 14, "bad_value", "write which: `files/search`, `web/search`");
    check(2, "search_tool: refnd", 14, "dangling_reference", "did you mean `refund`?");
    check(2, "search_tool: web/serch", 14, "dangling_reference", "did you mean `web/search`?");
    check(2, "search_tool: elsewhere", 14, "dangling_reference", "under `tools`");
    check(2, "search_tool: [search]", 14, "wrong_type", "expected text");
    check(3, "safety: enforced", 9, "bad_value", "did you mean `enforce`?");
    check(3, "saftey: enforce", 1, "unknown_key", "did you mean `safety`?");
    check(3, "tools_files: [a.jsonl]", 15, "dangling_reference", "read from its path");
    check(3, "tools_files: a.jsonl", 14, "wrong_type", "[item, item]");
    check(9, "  - name: ''", 11, "bad_value", "is empty");
    check(9, "  - name: 7", 11, "wrong_type", "put it in quotes");
    check(9, "  - nmae: search", 5, "missing_key", "needs the key `name`");
    check(9, "  - nmae: search", 5, "unknown_key", "did you mean `name`?");
    check(8, "    pinned: 'yes'", 13, "wrong_type", "expected true or false");
    check(13, "    input_schema: object", 19, "wrong_type", "expected names, each with any value");
    check(13, "    input_schema: {type: object, type: array}", 34, "duplicate_key", "given twice");
    check(13, "    input_schema: {a: {b: [{c: 1, c: 2}]}}", 35, "duplicate_key", "given twice");
    check(13, "    input_schema: {properties: {1: {}}}", 33, "wrong_type", "put it in quotes");
    check(14, "    success_examples: [1]", 24, "wrong_type", "put it in quotes");
    check(15, "    anti_patterns: x", 20, "wrong_type", "[item, item]");
    check(17, "    safety_tags: ['']", 19, "bad_value", "is empty");
    check(18, "    cost_estimate: -1", 20, "bad_value", "from 0 to 1000000");
    check(18, "    cost_estimate: cheap", 20, "wrong_type", "a number");
    check(19, "    avg_latency_ms: -1", 21, "bad_value", "from 0 to 3600000");
}

#[test]
fn a_server_has_a_name_once() {
    for (tools, bad) in [
        ("[{name: a}, {name: b}]", false),
        ("[{name: a}, {name: a, server: s}, {name: a, server: t}]", false),
        ("[{name: a}, {name: a}]", true),
        ("[{name: a, server: s}, {name: b}, {name: a, server: s}]", true),
    ] {
        let checked = check_catalog(&format!("tools: {tools}"));
        assert_eq!(checked.catalog.is_none(), bad, "{tools}: {:?}", checked.problems);
        assert!(!bad || checked.problems[0].message.contains("is given twice"), "{:?}", checked.problems);
    }
    let one = Source::new("one.yaml", "tools: [{name: a}]");
    let more = Source::of_tools("more.jsonl", "\n{\"name\": \"a\"}\n");
    let clash = Catalog::read(&[one.clone(), more], "folder").problems;
    assert_eq!((clash[0].place.source, clash[0].place.line), (1, 2), "{clash:?}");
    let place = |row: &str| {
        let sources = [one.clone(), Source::of_tools("more.jsonl", row)];
        Catalog::read(&sources, "folder").problems[0].place.column
    };
    assert_eq!((place("{\"ab\": !}"), place("{\"üß\": !}")), (8, 8), "columns count characters");
    // What the files of tools say is part of what the catalog says.
    let hash = |row: &str| {
        let sources = [one.clone(), Source::of_tools("more.jsonl", row)];
        Catalog::read(&sources, "folder").catalog.unwrap().hash().to_owned()
    };
    assert_eq!(hash("{\"name\": \"b\"}"), hash("{\"name\":\"b\"}\n"));
    assert_ne!(hash("{\"name\": \"b\"}"), hash("{\"name\": \"c\"}"));
}

#[test]
fn tools_alone_are_a_catalog() {
    let router = Router::new(check_catalog(RIGHT).catalog.unwrap());
    let answer = router.route(&Message::from("give me my money back")).unwrap();
    assert_eq!(answer.route, None);
}
