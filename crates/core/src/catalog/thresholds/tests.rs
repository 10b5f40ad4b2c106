//! Are rules and signals held against the bounds, the facts and each other?

use crate::catalog::{Catalog, Code, Source};

/// A catalog with rules that is right; each case replaces one of its lines.
const RIGHT: &str = "\
routes: [{name: a, description: A route for anything., commands: [x]}]
thresholds:
  base: 0.70
  high: 0.85
  least: 0.60
  most: 0.80
  strict: 0.75
  lenient: 0.65
  signals:
    - name: errors
      source: user
      when: user.recent_error_count >= 3
      recommends: up
      value: 0.75
      reason: Errors.
    - name: calm
      source: context
      when: not environment.busy
      recommends: neutral
      reason: Calm.
  rules:
    - id: failing
      when: signals.errors and not signals.calm
      threshold: 0.75
      priority: 10
      direction: up
      reason: It fails.
    - id: proven
      when: user.reputation_score >= 0.8
      threshold: 0.6
      reason: It works.
";

/// What is wrong once a line is replaced: code and line of each error, and words that are told.
#[track_caller]
fn check(line: usize, text: &str, expected: &str, told: &str) {
    let lines = RIGHT.lines().zip(1..).map(|(old, number)| if number == line { text } else { old });
    let yaml = lines.collect::<Vec<_>>().join("\n");
    let checked = Catalog::check(&[Source::new("test.yaml", yaml.as_str())], "test");
    let seen: Vec<String> =
        checked.problems.iter().map(|p| format!("{}:{}", p.code.name(), p.place.line)).collect();
    assert_eq!(seen.join(" "), expected, "{text}: {:?}", checked.problems);
    assert_eq!(checked.catalog.is_some(), expected.is_empty(), "{text}");
    let said: String = checked
        .problems
        .iter()
        .map(|problem| format!("{} {} ", problem.message, problem.hint.as_deref().unwrap_or_default()))
        .collect();
    assert!(said.contains(told), "{told:?} in {said:?}");
}

#[test]
fn bounds_hold_the_base_and_every_threshold() {
    check(1, RIGHT.lines().next().unwrap(), "", "");
    check(3, "  base: 0.80", "bad_value:26", "write `down`");
    check(3, "  base: 0.81", "bad_value:3 bad_value:26", "the base of 0.81 is not within 0.60 and 0.80");
    check(3, "  base: 0.60", "", "");
    check(3, "  base: 0.599999", "bad_value:3", "not within 0.60 and 0.80");
    check(3, "", "bad_value:5", "the base of 0.40 is not within");
    check(5, "  least: 0.81", "bad_value:5", "more than the most, 0.80");
    check(7, "  strict: 0.65", "bad_value:8", "lenient lies below strict");
    check(8, "  lenient: 0.749999", "", "");
    check(
        14,
        "      value: 0.9",
        "bad_value:14",
        "the signal's threshold of 0.90 is not within 0.60 and 0.80",
    );
    check(24, "      threshold: 0.800001", "bad_value:24", "see `least` and `most`");
    check(24, "      threshold: 0.80", "", "");
    check(24, "      threshold: 1.1", "bad_value:24 bad_value:24", "from 0 to 1");
    check(26, "      direction: down", "bad_value:26", "above the base of 0.70 write `up`");
    check(26, "      direction: sideways", "bad_value:26", "expected one of up, down");
    check(30, "      threshold: 0.59", "bad_value:30", "the rule's threshold of 0.59");
}

#[test]
fn conditions_names_and_keys_are_checked_when_the_catalog_loads() {
    check(
        12,
        "      when: user.recent_eror_count >= 3",
        "dangling_reference:12",
        "`user.recent_error_count`?",
    );
    check(12, "      when: user.recent_error_count => 3", "bad_condition:12", "at character 26");
    check(12, "      when: ''", "bad_value:12", "is empty");
    check(12, "      when: 3", "wrong_type:12", "put it in quotes");
    check(12, "      when: signals.calm", "dangling_reference:12", "a signal cannot ask for a signal");
    check(23, "      when: signals.erors", "dangling_reference:23", "did you mean `errors`?");
    check(
        23,
        "      when: usr.a or usr.b",
        "dangling_reference:23 dangling_reference:23",
        "there is no fact `usr.b`",
    );
    check(
        16,
        "    - name: errors",
        "duplicate_name:16 dangling_reference:23",
        "there are two signals `errors` first at line 10",
    );
    check(28, "    - id: failing", "duplicate_name:28", "there are two rules `failing` first at line 22");
    check(22, "    - name: failing", "missing_key:22 unknown_key:22", "needs the key `id`");
    check(25, "      priorty: 10", "unknown_key:25", "did you mean `priority`?");
    check(11, "      source: users", "bad_value:11", "did you mean `user`?");
    check(31, "", "missing_key:28", "needs the key `reason`");
}

#[test]
fn faults_of_conditions_are_errors() {
    assert!(Code::BadCondition.is_error());
    assert_eq!(Code::BadCondition.name(), "bad_condition");
}

#[test]
fn rules_stand_in_the_order_in_which_they_win() {
    let catalog = Catalog::read(&[Source::new("test.yaml", RIGHT)], "test").catalog.unwrap();
    let ids: Vec<&str> = catalog.thresholds().rules.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, ["failing", "proven"]);
    let proven = &catalog.thresholds().rules[1];
    assert_eq!(proven.when.source(), "user.reputation_score >= 0.8");
    assert_eq!(proven.direction, super::Direction::Down, "what its threshold is");
}
