//! Is every way to break the context of a catalog, and what its routes are made for, told at the right line?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use waypost::Catalog;
use waypost::core::catalog::Source;
use waypost::core::catalog::context::ToldBy;
use waypost::core::catalog::{Problem, Scoring};

const RIGHT: &str = r"name: base
scoring: factors
routes_layer: specialist
fallback: helper
context:
  understands: {layer: language, label: english}
  products: [Kubernetes]
  layers:
    - name: language
      labels: [{name: english}, {name: other}]
    - name: area
      labels:
        - {name: frontend, words: [css, [component, components]], typical: [style], files: ['*.tsx']}
        - {name: backend, words: [api], examples: [the server is slow]}
    - {name: domain, labels: [{name: code}, {name: legal}]}
    - {name: operation, labels: [{name: creation, tools: [Write], outputs: [new files]}, {name: analysis}]}
    - name: sensitivity
      default: public
      always: 'yes'
      labels: [{name: pii, holds: personal}, {name: internal, holds: secret}, {name: public}]
    - name: complexity
      labels:
        - {name: simple, score: 0.1, below: 0.3, tokens: 5000, minutes: 5}
        - {name: complex, score: 0.9, sets: is_critical_task}
    - {name: specialist, labels: [{name: painter}, {name: helper}]}
  examples:
    - {text: paint the button, labels: {area: frontend, operation: creation, specialist: painter}}
    - {text: the server is slow, labels: {language: english}}
routes:
  - name: painter
    description: Paints what is to be seen.
    areas: [frontend]
    related: [backend]
    domains: [code]
    operations: [creation]
    complexity: [simple, complex]
    tools: [Write]
    servers: [magic]
  - name: helper
    description: Takes what nobody else takes.
";

fn edit(line: usize, text: &str) -> String {
    let lines = RIGHT.lines().zip(1..).map(|(old, number)| if number == line { text } else { old });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

fn problems(yaml: &str) -> (Option<Catalog>, Vec<Problem>) {
    let checked = Catalog::check(&[Source::new("broken.yaml", yaml)], "broken");
    (checked.catalog, checked.problems)
}

/// The line, what it is replaced by, the code expected there and what the message or its hint says.
#[track_caller]
fn check(line: usize, text: &str, code: &str, says: &str) {
    let (usable, problems) = problems(&edit(line, text));
    assert!(usable.is_none(), "accepted: {text}");
    let hit = problems.iter().find(|p| p.code.name() == code && p.place.line as usize == line);
    let hit = hit.unwrap_or_else(|| panic!("expected {code} at line {line} for {text:?}, got {problems:?}"));
    let told = format!("{} {}", hit.message, hit.hint.as_deref().unwrap_or_default());
    assert!(told.contains(says), "expected {says:?} in {told:?}");
}

#[test]
fn a_context_that_is_right_is_read_as_it_was_written() {
    let (catalog, problems) = problems(RIGHT);
    assert!(problems.is_empty(), "{problems:?}");
    let catalog = catalog.unwrap();
    let labels = catalog.context().unwrap();
    assert_eq!((catalog.scoring(), labels.sizes()), (Scoring::Factors, vec![2, 2, 2, 2, 3, 2, 2]));
    assert_eq!(catalog.fallback().map(|route| catalog.route_name(route)), Some("helper"));
    assert_eq!(catalog.routes_layer(), labels.layer("specialist"));
    // Layers with a labelled message are taught by it, the others go by words.
    let taught: Vec<&str> =
        labels.layers().iter().filter(|l| l.told_by == ToldBy::Lessons).map(|l| l.name.as_str()).collect();
    assert_eq!(taught, ["language", "area", "operation", "specialist"]);
    // One text is one lesson, whatever says it.
    let slow: Vec<_> = labels.examples().iter().filter(|e| e.text == "the server is slow").collect();
    assert_eq!(slow.len(), 1);
    assert_eq!((slow[0].labels[0], slow[0].labels[1]), (Some(0), Some(1)));
    let painter = catalog.routes().find(|(_, route)| &*route.name == "painter").unwrap().1;
    let made_for = &painter.expertise;
    assert_eq!(
        (&made_for.areas[..], &made_for.related[..], &made_for.bands[..]),
        (&[0][..], &[1][..], &[0, 1][..])
    );
    assert_eq!((made_for.label, &made_for.tools[..]), (Some(0), &["Write".to_owned()][..]));
}

#[test]
fn what_names_no_layer_or_label_is_told_with_the_nearest() {
    let dangling = "dangling_reference";
    check(6, "  understands: {layer: langage, label: english}", dangling, "did you mean `language`?");
    check(6, "  understands: {layer: language, label: englisch}", dangling, "did you mean `english`?");
    check(
        6,
        "  understands: {layer: nothing-like-it, label: english}",
        dangling,
        "no layer `nothing-like-it`",
    );
    check(18, "      default: pubic", dangling, "did you mean `public`?");
    check(18, "      default: moderate", dangling, "there is no label `moderate`");
    let row = |labels: &str| format!("    - {{text: paint it, labels: {{{labels}}}}}");
    check(27, &row("aera: frontend"), dangling, "did you mean `area`?");
    check(27, &row("area: frontent"), dangling, "did you mean `frontend`?");
    check(27, &row("area: creation"), dangling, "there is no label `creation`");
}

#[test]
fn what_names_no_route_or_layer_of_routes_is_told() {
    let dangling = "dangling_reference";
    check(3, "routes_layer: specialists", dangling, "did you mean `specialist`?");
    check(3, "routes_layer: zzz", dangling, "`context` has no layer `zzz`");
    check(4, "fallback: helpr", dangling, "did you mean `helper`?");
    check(4, "fallback: zzz", dangling, "there is no route `zzz`");
    let without =
        "routes_layer: specialist\nroutes: [{name: a, description: A, areas: [frontend], commands: [a]}]\n";
    let (usable, problems) = problems(without);
    let told: Vec<(u32, &str)> = problems.iter().map(|p| (p.place.line, p.code.name())).collect();
    assert!(usable.is_none());
    assert_eq!(told, [(1, dangling), (2, dangling)], "{problems:?}");
}

#[test]
fn what_a_route_is_made_for_must_be_labels() {
    let dangling = "dangling_reference";
    check(32, "    areas: [frontend, backendd]", dangling, "did you mean `backend`?");
    check(32, "    areas: [creation]", dangling, "the layer `area` of `context` has no label `creation`");
    check(33, "    related: [bakcend]", dangling, "did you mean `backend`?");
    check(34, "    domains: [coed]", dangling, "did you mean `code`?");
    check(35, "    operations: [creatoin]", dangling, "did you mean `creation`?");
    check(
        36,
        "    complexity: [medium]",
        dangling,
        "the layer `complexity` of `context` has no label `medium`",
    );
    check(32, "    areas: frontend", "wrong_type", "expected a list");
    check(37, "    tools: [1]", "wrong_type", "put it in quotes");
}

#[test]
fn what_is_given_twice_is_told() {
    check(
        10,
        "      labels: [{name: english}, {name: english}]",
        "duplicate_name",
        "the label `english` is given twice",
    );
    check(15, "    - {name: area, labels: [{name: a}]}", "duplicate_name", "the layer `area` is given twice");
}

#[test]
fn values_keep_their_kinds_and_bounds() {
    check(2, "scoring: factor", "bad_value", "did you mean `factors`?");
    check(10, "      labels: []", "bad_value", "at least 1");
    check(10, "      label: [{name: english}]", "unknown_key", "`labels`");
    check(9, "    - nmae: language", "unknown_key", "`name`");
    check(19, "      always: 'sometimes'", "bad_value", "expected one of yes, no");
    check(19, "      always: yes please", "bad_value", "expected one of yes, no");
    check(20, "      labels: [{name: pii, holds: persons}, {name: public}]", "bad_value", "personal");
    check(23, "        - {name: simple, score: 1.1}", "bad_value", "from 0 to 1");
    check(23, "        - {name: simple, score: 0, below: 2}", "bad_value", "from 0 to 1");
    check(23, "        - {name: simple, score: 0, tokens: 0}", "bad_value", "whole number from 1");
    check(23, "        - {name: simple, score: 0, minutes: 2.5}", "bad_value", "whole number from 1");
    check(13, "        - {name: frontend, words: ['']}", "bad_value", "is empty");
    check(13, "        - {name: frontend, words: [[]]}", "bad_value", "at least 1");
    check(27, "    - {text: paint it}", "missing_key", "needs the key `labels`");
    check(27, "    - {text: paint it, labels: {area: 3}}", "wrong_type", "expected text");
    check(6, "  understands: {layer: language}", "missing_key", "needs the key `label`");
}
