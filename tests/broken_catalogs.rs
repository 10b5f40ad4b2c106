//! Does every way to break a catalog give an error at the right line?
//!
//! One catalog that is right, and more than two hundred edits of it. Each edit replaces one line.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::collections::BTreeSet;

use waypost::Catalog;
use waypost::core::catalog::Problem;
use waypost::core::catalog::Source;

const RIGHT: &str = r"name: base
description: A catalog that is right.
names: force
thresholds:
  base: 0.4
  high: 0.7
  window: 0.15
trouble: [broken, wrong]
clarify: What is wrong?
abstain: Nothing to do.
limits:
  message_bytes: 1000
registries:
  actions: [EXPORT_DATASET, LOAD_DATASET]
routes:
  - name: alpha
    description: The first route.
    aliases: [alfa]
    commands: [go-alpha]
    priority: 10
    patterns:
      - alpha.*test
      - match: alpha.*trial
        weight: 0.3
    keywords: [one, [two, twice]]
    examples: [an alpha message]
    not_examples:
      - text: not an alpha message
        reason: it says so
    target:
      find:
        - registry: actions
        - pattern: '\w+_x'
        - words: {export: EXPORT_DATASET}
      weight: 0.2
      looks_like: '[A-Z]+_[A-Z]+'
  - name: beta
    description: The second route.
    patterns: [beta]
resources:
  zones:
    red: {at: 0.9, block: [heavy]}
flags: {known: {--uc: Short answers.}}
preflight: {heavy: [complex]}
risk: {complexity: 0.4, failure: 0.2}
";

/// One way to break it: a line, what it is replaced by, and the error expected there.
struct Break {
    line: usize,
    text: String,
    code: &'static str,
    hint: String,
}

fn broken(line: usize, text: impl Into<String>, code: &'static str, hint: &str) -> Break {
    Break { line, text: text.into(), code, hint: hint.to_owned() }
}

fn right_line(line: usize) -> &'static str {
    RIGHT.lines().nth(line - 1).unwrap()
}

fn edit(line: usize, text: &str) -> String {
    let lines = RIGHT.lines().zip(1..).map(|(old, number)| if number == line { text } else { old });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

fn problems(yaml: &str) -> (bool, Vec<Problem>) {
    let checked = Catalog::check(&[Source::new("broken.yaml", yaml)], "broken");
    (checked.catalog.is_some(), checked.problems)
}

#[track_caller]
fn check(case: &Break) {
    let yaml = edit(case.line, &case.text);
    let (usable, problems) = problems(&yaml);
    let shown: String =
        problems.iter().map(|p| p.show(&[Source::new("broken.yaml", yaml.as_str())])).collect();
    assert!(!usable, "accepted:\n{yaml}");
    // An edit of several lines breaks the last of them.
    let line = case.line + case.text.matches('\n').count();
    let hit = problems.iter().find(|p| p.code.name() == case.code && p.place.line as usize == line);
    let hit = hit.unwrap_or_else(|| {
        panic!("expected {} at line {line} for {:?}, got:\n{shown}", case.code, case.text)
    });
    let told = format!("{} {}", hit.message, hit.hint.as_deref().unwrap_or_default());
    assert!(told.contains(&case.hint), "expected {:?} in {told:?}", case.hint);
}

/// The key of a line, with what stands before and behind it.
fn split_key(line: &str) -> Option<(&str, &str, &str)> {
    let start = line.find(|c: char| c.is_alphabetic())?;
    let end = line.find(':')?;
    Some((&line[..start], &line[start..end], &line[end..]))
}

/// Lines whose key the format defines: all but the entry of the registry.
fn key_lines() -> impl Iterator<Item = usize> {
    (1..=RIGHT.lines().count()).filter(|line| *line != 14 && right_line(*line).contains(':'))
}

/// Every key misspelt three ways names the right one.
fn misspelt() -> Vec<Break> {
    let mut cases = Vec::new();
    for line in key_lines() {
        let (before, key, after) = split_key(right_line(line)).unwrap();
        let doubled = format!("{}{key}", &key[..1]);
        let cut = format!("{}{}", &key[..1], &key[2..]);
        let swapped = format!("{}{}{}", &key[1..2], &key[..1], &key[2..]);
        for wrong in [doubled, cut, swapped] {
            cases.push(broken(line, format!("{before}{wrong}{after}"), "unknown_key", &format!("`{key}`")));
        }
    }
    cases
}

/// Every value of a wrong kind says what was expected.
fn of_the_wrong_kind() -> Vec<Break> {
    let mut cases = Vec::new();
    for line in key_lines().filter(|line| !right_line(*line).ends_with(':')) {
        let (before, key, after) = split_key(right_line(line)).unwrap();
        let value = after.trim_start_matches([':', ' ']);
        let numeric = value.parse::<f64>().is_ok();
        let wrong: &[&str] = match value.chars().next().unwrap() {
            '[' => &["12", "just text", "{a: b}"],
            '{' => &["12", "just text", "[a, b]"],
            _ if numeric => &["some", "[1, 2]", "{a: b}", "true"],
            _ => &["12", "true", "[a, b]", "{a: b}", "null"],
        };
        for value in wrong {
            cases.push(broken(line, format!("{before}{key}: {value}"), "wrong_type", "expected"));
        }
    }
    cases
}

/// Every key given twice points at the second.
fn given_twice() -> Vec<Break> {
    let mut cases = Vec::new();
    for line in key_lines().filter(|line| !right_line(*line).ends_with(':')) {
        let text = right_line(line);
        let again = text.replacen("- ", "  ", 1);
        cases.push(broken(
            line,
            format!("{text}\n{again}"),
            "duplicate_key",
            &format!("first at line {line}"),
        ));
    }
    cases
}

fn by_hand() -> Vec<Break> {
    let mut cases = vec![
        broken(3, "names: forced", "bad_value", "did you mean `force`?"),
        broken(3, "names: sometimes", "bad_value", "expected one of force, hint"),
        broken(5, "  base: 1.2", "bad_value", "from 0 to 1"),
        broken(5, "  base: -0.1", "bad_value", "from 0 to 1"),
        broken(6, "  high: 70", "bad_value", "from 0 to 1"),
        broken(7, "  window: 2", "bad_value", "from 0 to 1"),
        broken(12, "  message_bytes: 0", "bad_value", "whole number from 1"),
        broken(12, "  message_bytes: 2000000", "bad_value", "whole number from 1"),
        broken(12, "  message_bytes: 10.5", "bad_value", "whole number from 1"),
        broken(20, "    priority: 1.5", "bad_value", "whole number"),
        broken(20, "    priority: 5000", "bad_value", "whole number"),
        broken(24, "        weight: 0.71", "bad_value", "from 0 to 0.7"),
        broken(24, "        weight: -1", "bad_value", "from 0 to 0.7"),
        broken(35, "      weight: 0.9", "bad_value", "from 0 to 0.7"),
        broken(1, "name: two words", "bad_value", "not a name"),
        broken(16, "  - name: ''", "bad_value", "not a name"),
        broken(16, "  - name: 9lives", "bad_value", "not a name"),
        broken(19, "    commands: [/go-alpha]", "bad_value", "without their slash"),
        broken(19, "    commands: [go alpha]", "bad_value", "not a name"),
        broken(9, "clarify: ''", "bad_value", "is empty"),
        broken(17, "    description: '  '", "bad_value", "is empty"),
        broken(22, "      - ''", "bad_value", "is empty"),
        broken(26, "    examples: ['']", "bad_value", "is empty"),
        broken(14, "  actions: []", "bad_value", "at least 1"),
        broken(14, "  actions: [1, 2]", "wrong_type", "put it in quotes"),
        broken(14, "  actions: EXPORT_DATASET", "wrong_type", "write it as"),
        broken(8, "trouble: [broken, 404]", "wrong_type", "put it in quotes"),
        broken(8, "trouble: [broken, [wrong]]", "wrong_type", "expected text"),
        broken(25, "    keywords: [one, []]", "bad_value", "at least 1"),
        broken(25, "    keywords: [one, {two: twice}]", "wrong_type", "or a list"),
        broken(25, "    keywords: [one, 2]", "wrong_type", "put it in quotes"),
        broken(34, "        - words: {export: 7}", "wrong_type", "expected text"),
        broken(
            34,
            "        - words: {export: EXPORT_DATASET, export: OTHER}",
            "duplicate_key",
            "given twice",
        ),
    ];
    cases.extend(bad_patterns());
    cases.extend(bad_names());
    cases.extend(missing());
    cases.extend(bad_precautions());
    cases
}

/// Zones out of order, flags that are none, servers nobody knows, weights that do not add up.
fn bad_precautions() -> Vec<Break> {
    vec![
        broken(42, "    red: {at: 0.96}", "bad_value", "critical begins at 0.95, and red not before 0.96"),
        broken(42, "    red: {at: 0.75}", "bad_value", "in rising order"),
        broken(42, "    red: {at: 85}", "bad_value", "from 0.01 to 1"),
        broken(42, "    red: {activate: [--ux]}", "dangling_reference", "did you mean `--uc`?"),
        broken(42, "    red: {suggest: [caching, --brief]}", "dangling_reference", "under `flags.known`"),
        broken(42, "    red: {tiers: cheep}", "bad_value", "did you mean `cheap`?"),
        broken(43, "flags: {known: {-uc: Short.}}", "bad_value", "a flag is two dashes"),
        broken(43, "flags: {known: {--UC: Short.}}", "bad_value", "a flag is two dashes"),
        broken(43, "flags: {known: {--uc: S.}, conflicts: [[--uc, --uc]]}", "bad_value", "two different"),
        broken(43, "flags: {known: {--uc: S.}, conflicts: [[--uc]]}", "bad_value", "at least 2"),
        broken(43, "flags: {known: {--uc: S.}, activate: {complex: [--c7]}}", "dangling_reference", "--c7"),
        broken(43, "flags: {}", "missing_key", "needs the key `known`"),
        broken(
            44,
            "preflight: {servers: [{name: s}]}",
            "missing_key",
            "exactly one of the keys url, command",
        ),
        broken(44, "preflight: {servers: [{name: s, url: u}, {name: s, url: u}]}", "duplicate_name", "twice"),
        broken(44, "preflight: {requires: {personas: {alpa: {}}}}", "dangling_reference", "`alpha`?"),
        broken(
            44,
            "preflight: {requires: {commands: {go: {servers: [s]}}}}",
            "dangling_reference",
            "server `s`",
        ),
        broken(44, "preflight: {requires: {commands: {go: {personas: [x]}}}}", "dangling_reference", "`x`"),
        broken(45, "risk: {complexity: 0.5}", "bad_value", "add up to 1.2"),
    ]
}

/// Regular expressions that do not compile, in each place one can stand.
fn bad_patterns() -> Vec<Break> {
    let wrong = [
        ("alpha.*(test", "unclosed group"),
        ("alpha)", "unopened group"),
        ("[a-", "unclosed character class"),
        ("*alpha", "missing expression"),
        ("alpha{2,1}", "invalid repetition"),
        (r"\q", "unrecognized escape"),
        ("(?=alpha)", "look-around"),
        (r"(a)\1", "backreference"),
        ("(?P<x", "capture group name"),
        ("[z-a]", "invalid character class range"),
        (r"\p{Nonsense}", "Unicode property"),
        (r"(\w{300}){300}", "more than"),
    ];
    let mut cases = Vec::new();
    for (pattern, hint) in wrong {
        cases.push(broken(22, format!("      - '{pattern}'"), "bad_pattern", hint));
        cases.push(broken(23, format!("      - match: '{pattern}'"), "bad_pattern", hint));
        cases.push(broken(33, format!("        - pattern: '{pattern}'"), "bad_pattern", hint));
    }
    cases.push(broken(36, "      looks_like: '[A-'", "bad_pattern", "unclosed character class"));
    cases
}

/// Names taken twice, and names of nothing.
fn bad_names() -> Vec<Break> {
    vec![
        broken(37, "  - name: alpha", "duplicate_name", "first at line 16"),
        broken(37, "  - name: Alpha", "duplicate_name", "first at line 16"),
        broken(37, "  - name: alfa", "duplicate_name", "first at line 18"),
        broken(18, "    aliases: [alpha]", "duplicate_name", "first at line 16"),
        broken(18, "    aliases: [alfa, alfa]", "duplicate_name", "first at line 18"),
        broken(19, "    commands: [go-alpha, go-alpha]", "duplicate_name", "first at line 19"),
        broken(39, "    patterns: [beta]\n    commands: [go-alpha]", "duplicate_name", "first at line 19"),
        broken(32, "        - registry: action", "dangling_reference", "did you mean `actions`?"),
        broken(32, "        - registry: elsewhere", "dangling_reference", "define it under `registries`"),
        broken(34, "        - registry: actoins", "dangling_reference", "did you mean `actions`?"),
    ]
}

/// Keys that must be there and are not.
fn missing() -> Vec<Break> {
    vec![
        broken(37, "  - priority: 1", "missing_key", "needs the key `name`"),
        broken(22, "      -", "wrong_type", "nothing"),
        broken(28, "      - reason: none given", "missing_key", "needs the key `text`"),
        broken(32, "        - {}", "missing_key", "exactly one of the keys"),
        broken(32, "        - {registry: actions, words: {a: b}}", "bad_value", "exactly one of the keys"),
        broken(30, "    target: {weight: 0.1}\n    targets:", "unknown_key", "did you mean `target`?"),
    ]
}

/// YAML that is none. Where the parser sees the trouble is its affair; that there is an error is ours.
fn not_yaml() -> Vec<(usize, &'static str)> {
    vec![
        (2, "description: \"never closed"),
        (8, "trouble: [broken, wrong"),
        (8, "trouble: broken, wrong]"),
        (14, "  actions: {a: b"),
        (16, "  - name: alpha: beta"),
        (17, "\tdescription: a tab"),
        (5, " base: 0.4"),
        (9, "clarify: 'it's wrong'"),
        (10, "abstain: *nowhere"),
        (10, "abstain: @reserved"),
        (10, "abstain: `reserved`"),
        (2, "%YAML 9.9"),
        (11, "}"),
        (39, "    patterns: [beta]\n---\nname: second"),
        (22, "      - ? : ["),
        (1, "- a list"),
    ]
}

#[test]
fn the_catalog_to_break_is_right() {
    let (usable, problems) = problems(RIGHT);
    assert!(usable && problems.is_empty(), "{problems:?}");
}

#[test]
fn two_hundred_broken_catalogs_give_the_right_line() {
    let cases: Vec<Break> =
        [misspelt(), of_the_wrong_kind(), given_twice(), by_hand()].into_iter().flatten().collect();
    let different: BTreeSet<(usize, &str)> =
        cases.iter().map(|case| (case.line, case.text.as_str())).collect();
    assert_eq!(different.len(), cases.len(), "every case breaks it differently");
    assert!(cases.len() >= 200, "{}", cases.len());
    cases.iter().for_each(check);
}

#[test]
fn what_is_not_yaml_is_refused_with_a_place() {
    for (line, text) in not_yaml() {
        let yaml = edit(line, text);
        let (usable, problems) = problems(&yaml);
        assert!(!usable, "accepted: {text}");
        let first = problems.iter().find(|problem| problem.code.is_error()).unwrap();
        assert!((1..=yaml.lines().count()).contains(&(first.place.line as usize)), "{text}: {first:?}");
    }
}

#[test]
fn all_errors_are_told_at_once() {
    let yaml = "nmae: x\nthresholds: {base: 7}\nroutes:\n  - name: a\n    patterns: ['(', '[']\n  - name: a\n  - nothing: 1\n";
    let (_, problems) = problems(yaml);
    let seen: Vec<(u32, &str)> =
        problems.iter().filter(|p| p.code.is_error()).map(|p| (p.place.line, p.code.name())).collect();
    let expected = [
        (1, "unknown_key"),
        (2, "bad_value"),
        (5, "bad_pattern"),
        (5, "bad_pattern"),
        (6, "duplicate_name"),
        (7, "missing_key"),
        (7, "unknown_key"),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_folder_is_one_catalog_and_says_things_once() {
    let one = Source::new("one.yaml", "name: x\nroutes: [{name: a, description: A, patterns: [aa]}]\n");
    let two = Source::new("two.yaml", "routes: [{name: b, description: B, patterns: [bb]}]\n");
    let joined = Catalog::read(&[one.clone(), two], "folder");
    assert_eq!(joined.catalog.unwrap().routes().len(), 2);
    let three = Source::new("three.yaml", "\nname: y\nroutes: [{name: a}]\n");
    let clash = Catalog::read(&[one, three], "folder");
    let seen: Vec<(u16, u32, &str)> = clash
        .problems
        .iter()
        .filter(|p| p.code.is_error())
        .map(|p| (p.place.source, p.place.line, p.code.name()))
        .collect();
    assert_eq!(seen, [(1, 2, "duplicate_key"), (1, 3, "duplicate_name")]);
}
