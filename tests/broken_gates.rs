//! Are gates, flows, facts and columns read from a catalog, and is every way to break them told at the right line?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use waypost::core::catalog::Source;
use waypost::core::catalog::{Checked, Problem};
use waypost::core::gates::{self, Guarded};
use waypost::core::message::Fact;
use waypost::{Catalog, Message, Router};

const RIGHT: &str = r"name: base
facts: {ready: All is there., paid: The bill is paid., done: It was sent.}
gates:
  - name: requires_ready
    routes: [send]
    tools: [post]
    open_when: session.ready and not session.done
    reason: It must be ready first.
    way_on: {text: Pack it., route: pack, tool: post, step: to}
  - {name: requires_paid, routes: [send], open_when: session.paid, reason: Pay first., way_on: Pay it.}
flows:
  - {name: sending, route: send, tool: post, steps: [to, weight], sets: done, next: packing}
  - {name: packing, tool: post, steps: [weight]}
proceed: ['^go on$']
columns: {weight: [mass, heaviness], size: []}
routes:
  - {name: send, description: Send it., patterns: [{match: send it, weight: 0.3, if: not session.done}]}
  - {name: pack, description: Pack it., patterns: [pack it up]}
tools:
  - name: post
    input_schema:
      properties:
        to: {type: string}
        weight: {type: number, x-default-when: [{when: session.ready, value: 2}]}
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
    let is_it = |p: &&Problem| p.code.name() == code && p.place.line as usize == line;
    let hit = checked.problems.iter().find(is_it);
    let hit =
        hit.unwrap_or_else(|| panic!("expected {code} at {line} for {text:?}, got {:?}", checked.problems));
    let told = format!("{} {}", hit.message, hit.hint.as_deref().unwrap_or_default());
    assert!(told.contains(says), "expected {says:?} in {told:?}");
    assert_eq!(hit.place.column, column, "{text}");
    assert_eq!(checked.catalog.is_none(), hit.code.is_error(), "{text}");
}

#[test]
fn a_right_catalog_has_them_all() {
    let checked = check_catalog(RIGHT);
    assert!(checked.problems.is_empty(), "{:?}", checked.problems);
    let catalog = checked.catalog.unwrap();
    assert_eq!((catalog.gates().len(), catalog.flows().len(), catalog.facts().len()), (2, 2, 3));
    assert_eq!(catalog.columns()[0].aliases, ["mass", "heaviness"]);
    let ready = [("ready".to_owned(), Fact::Flag(true))].into();
    let told = gates::check(&catalog, Guarded::Route("send"), &ready);
    assert_eq!(told.iter().map(|gate| gate.allowed).collect::<Vec<_>>(), [true, false]);
    assert_eq!(told[1].way_on.as_ref().map(|way| way.text.as_str()), Some("Pay it."));
    let shut = gates::check(&catalog, Guarded::Tool("post"), &[].into());
    let way = shut[0].way_on.clone().unwrap();
    assert_eq!(
        (way.route.as_deref(), way.tool.as_deref(), way.step.as_deref()),
        (Some("pack"), Some("post"), Some("to"))
    );
}

#[test]
fn a_pattern_is_looked_for_where_its_condition_holds() {
    let router = Router::new(check_catalog(RIGHT).catalog.unwrap());
    let named = |done: bool| {
        let session = [("done".to_owned(), Fact::Flag(done))].into();
        router.route(&Message { session, ..Message::from("send it") }).unwrap().route
    };
    assert_eq!((named(false).as_deref(), named(true)), (Some("send"), None));
}

#[test]
fn broken_gates_give_the_right_place() {
    check(4, "  - nmae: requires_ready", 5, "missing_key", "needs the key `name`");
    let twice = "  - {name: requires_ready, routes: [send], open_when: session.paid, reason: R, way_on: W}";
    check(10, twice, 12, "duplicate_name", "first at line 4");
    check(5, "    routes: [sned]", 14, "dangling_reference", "did you mean `send`?");
    check(5, "    routes: [elsewhere]", 14, "dangling_reference", "under `routes`");
    check(6, "    tools: [pots]", 13, "dangling_reference", "did you mean `post`?");
    check(7, "    open_when: session.redy", 16, "dangling_reference", "did you mean `session.ready`?");
    check(7, "    open_when: session.elsewhere", 16, "dangling_reference", "under `facts`");
    check(7, "    open_when: user.reputation_score > 0.5", 16, "dangling_reference", "only those count here");
    check(7, "    open_when: environment.ready", 16, "dangling_reference", "did you mean `session.ready`?");
    check(7, "    open_when: session.ready and", 16, "bad_condition", "");
    check(7, "    open_wen: session.ready", 5, "unknown_key", "did you mean `open_when`?");
    check(8, "    reason: ''", 13, "bad_value", "is empty");
    check(9, "    way_on: {text: Pack it., route: pakc}", 37, "dangling_reference", "did you mean `pack`?");
    check(9, "    way_on: {text: Pack it., tool: pos}", 36, "dangling_reference", "did you mean `post`?");
    check(9, "    way_on: {text: Pack it., step: to}", 36, "bad_value", "name its tool");
    check(
        9,
        "    way_on: {text: P., tool: post, step: wieght}",
        42,
        "dangling_reference",
        "did you mean `weight`?",
    );
    check(9, "    way_on: {route: pack}", 13, "missing_key", "needs the key `text`");
    check(9, "    way_on: [x]", 13, "wrong_type", "");
}

#[test]
fn broken_flows_give_the_right_place() {
    check(
        12,
        "  - {name: sending, tool: post, steps: [weigth]}",
        41,
        "dangling_reference",
        "did you mean `weight`?",
    );
    check(
        12,
        "  - {name: sending, tool: post, steps: [colour]}",
        41,
        "dangling_reference",
        "takes to, weight",
    );
    check(12, "  - {name: sending, tool: post, steps: []}", 40, "bad_value", "at least 1");
    check(
        12,
        "  - {name: sending, tool: psot, steps: [to]}",
        27,
        "dangling_reference",
        "did you mean `post`?",
    );
    check(
        12,
        "  - {name: s, route: sent, tool: post, steps: [to]}",
        22,
        "dangling_reference",
        "did you mean `send`?",
    );
    check(
        12,
        "  - {name: s, tool: post, steps: [to], sets: dome}",
        46,
        "dangling_reference",
        "did you mean `done`?",
    );
    check(
        12,
        "  - {name: s, tool: post, steps: [to], next: pcking}",
        46,
        "dangling_reference",
        "did you mean `packing`?",
    );
    check(13, "  - {name: sending, tool: post, steps: [to]}", 12, "duplicate_name", "two flows");
}

#[test]
fn broken_columns_and_conditions_give_the_right_place() {
    check(14, "proceed: ['(go on']", 11, "bad_pattern", "unclosed group");
    check(
        15,
        "columns: {weight: [mass], size: [Mass]}",
        34,
        "duplicate_name",
        "already means another column",
    );
    check(15, "columns: {weight: mass}", 19, "wrong_type", "[item, item]");
    check(
        17,
        "  - {name: send, patterns: [{match: x, if: session.donne}]}",
        44,
        "dangling_reference",
        "did you mean `session.done`?",
    );
    check(
        24,
        "        weight: {type: number, x-default-when: [{when: session.redy, value: 2}]}",
        56,
        "dangling_reference",
        "did you mean `session.ready`?",
    );
    check(
        24,
        "        weight: {type: number, x-default-when: [{value: 2}]}",
        49,
        "bad_value",
        "needs `when` and `value`",
    );
}

#[test]
fn a_gate_that_guards_nothing_is_doubted() {
    check(
        10,
        "  - {name: requires_paid, open_when: session.paid, reason: Pay first., way_on: Pay it.}",
        12,
        "idle_gate",
        "guards nothing",
    );
    // Without a list of facts, any may be asked for.
    let any = "routes: [{name: a, description: A, examples: [x]}]\ngates: [{name: g, routes: [a], open_when: session.x, reason: R, way_on: W}]";
    assert!(check_catalog(any).problems.is_empty());
}
