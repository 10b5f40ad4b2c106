//! Which rule is applied, and is a state read as it was meant?

use serde_json::{Value as Json, json};

use super::*;
use crate::catalog::{Catalog, Source};

fn thresholds(yaml: &str) -> Thresholds {
    let yaml = format!("routes: [{{name: a, commands: [x]}}]\nthresholds:\n  base: 0.70\n{yaml}");
    let read = Catalog::read(&[Source::new("test.yaml", yaml.as_str())], "test");
    assert!(read.problems.is_empty(), "{yaml}: {:?}", read.problems);
    read.catalog.unwrap().thresholds().clone()
}

fn state(json: &Json) -> State {
    State::read(json).unwrap().0
}

/// Rules as `id threshold priority direction`, all of which fire: the first wins, whatever their order in the file.
#[track_caller]
fn check_order(rules: &[&str]) {
    let written: Vec<String> = rules
        .iter()
        .map(|rule| {
            let [id, threshold, priority, direction] = rule.split(' ').collect::<Vec<_>>()[..] else { panic!("{rule}") };
            format!("    - {{id: {id}, when: session.on, threshold: {threshold}, priority: {priority}, direction: {direction}, reason: R}}\n")
        })
        .collect();
    let on = state(&json!({ "session": { "on": true } }));
    for turn in 0..rules.len() {
        let mut turned = written.clone();
        turned.rotate_left(turn);
        for written in [turned.concat(), turned.iter().rev().cloned().collect()] {
            let adjusted = adjust(&thresholds(&format!("  rules:\n{written}")), &on);
            let first = rules[0].split(' ').next();
            assert_eq!(adjusted.rule.as_deref(), first, "{rules:?}");
            assert_eq!(adjusted.applied_rules, [first.unwrap()], "only the best is applied");
        }
    }
}

#[test]
fn ties_go_by_priority_then_up_then_the_higher_threshold_then_the_id() {
    check_order(&["z 0.60 11 down", "a 0.80 10 up", "b 0.90 10 up"]);
    check_order(&["z 0.71 5 up", "a 0.60 5 down", "b 0.69 5 down"]);
    check_order(&["z 0.80 5 up", "a 0.79 5 up", "b 0.71 5 up"]);
    check_order(&["z 0.69 5 down", "a 0.68 5 down", "b 0.60 5 down"]);
    check_order(&["a 0.75 5 up", "b 0.75 5 up", "c 0.75 5 up"]);
    check_order(&["z 0.70 5 up", "a 0.70 5 down"]);
    check_order(&["z 0.70 -1 up", "a 0.90 -2 up"]);
    check_order(&["a 0.800001 5 up", "b 0.80 5 up"]);
}

#[test]
fn levels_begin_at_their_bounds() {
    let level = |threshold: f64| {
        let rule = format!("  rules: [{{id: r, when: session.on, threshold: {threshold}, reason: R}}]\n");
        adjust(&thresholds(&rule), &state(&json!({ "session": { "on": true } }))).level.name()
    };
    for (threshold, expected) in [
        (0.0, "lenient"),
        (0.65, "lenient"),
        (0.650_001, "moderate"),
        (0.70, "moderate"),
        (0.749_999, "moderate"),
        (0.75, "strict"),
        (1.0, "strict"),
    ] {
        assert_eq!(level(threshold), expected, "{threshold}");
    }
    let without = |base: &str| {
        let yaml = format!("thresholds: {{base: {base}}}\nroutes: [{{name: a}}]");
        let read = Catalog::read(&[Source::new("test.yaml", yaml)], "test").catalog.unwrap();
        adjust(read.thresholds(), &State::default())
    };
    for base in ["0.1", "0.4", "0.9"] {
        let adjusted = without(base);
        assert_eq!((adjusted.level, adjusted.rule), (Level::Moderate, None), "no rules, no level: {base}");
        assert_eq!(adjusted.delta, Points::ZERO);
    }
}

#[test]
fn signals_are_told_and_move_nothing_by_themselves() {
    let yaml = "  signals:
    - {name: seen, source: resource, when: resources.zone = red, recommends: up, value: 0.75, reason: Red}
    - {name: unseen, source: user, when: user.recent_error_count > 0, recommends: neutral, reason: Errors}
  rules: [{id: both, when: signals.seen and signals.unseen, threshold: 0.8, reason: R}]\n";
    let thresholds = thresholds(yaml);
    let red = adjust(&thresholds, &state(&json!({ "resources": { "disk": 0.85 } })));
    let names: Vec<&str> = red.signals.iter().map(|signal| signal.name.as_str()).collect();
    assert_eq!((names, red.rule), (vec!["seen"], None));
    assert_eq!(red.reason, "No rule fires; the threshold stays at 0.70.");
    let both = json!({ "resources": { "disk": 0.85 }, "user": { "recent_error_count": 1 } });
    let both = adjust(&thresholds, &state(&both));
    assert_eq!(both.reason, "Threshold increased by 14% (0.70 → 0.80). Rule: both. Reason: R");
    assert_eq!(serde_json::to_value(&both).unwrap()["signals"][0]["value"], json!(0.75));
}

#[test]
fn the_zone_is_that_of_the_worst_resource() {
    let zone = |resources: Json| {
        let state = state(&json!({ "resources": resources }));
        match state.fact("resources.zone") {
            Some(Value::Text(zone)) => zone.into_owned(),
            other => format!("{other:?}"),
        }
    };
    for (disk, expected) in [
        (-3.0, "green"),
        (0.0, "green"),
        (0.599_999, "green"),
        (0.6, "yellow"),
        (0.749_999, "yellow"),
        (0.75, "orange"),
        (0.85, "red"),
        (0.949_999, "red"),
        (0.95, "critical"),
        (1e30, "critical"),
    ] {
        assert_eq!(zone(json!({ "disk": disk, "memory": null })), expected, "{disk}");
    }
    assert_eq!(zone(json!({ "memory": 0.1, "cpu": 0.8, "disk": 0.2 })), "orange");
    assert_eq!(zone(json!({})), "None");
}

#[test]
fn selection_is_high_enough_or_universal_with_its_gap() {
    let thresholds = thresholds("  high: 0.85\n");
    let threshold = Confidence::new(Points::hundredths(65));
    for (sure, expected) in [
        (1.0, "specialist_high None"),
        (0.85, "specialist_high None"),
        (0.849_999, "specialist None"),
        (0.65, "specialist None"),
        (0.649_999, "universal Some(0.000001)"),
        (0.0, "universal Some(0.650000)"),
    ] {
        let (selection, gap) = select(&thresholds, threshold, Confidence::new(Points::from_share(sure)));
        let gap = gap.map_or("None".to_owned(), |gap| format!("Some({gap:.6})"));
        assert_eq!(format!("{} {gap}", selection.name()), expected, "{sure}");
    }
}

#[test]
fn states_of_the_wrong_kind_are_refused_by_their_path() {
    for (given, expected) in [
        (
            json!([]),
            "the state is a list; expected an object with user, environment, task and base_confidence",
        ),
        (json!({ "user": 7 }), "`user` is 7; expected an object"),
        (
            json!({ "user": { "reputation_score": "0.8" } }),
            "`user.reputation_score` is a text; expected a number",
        ),
        (
            json!({ "user": { "recent_error_count": -1 } }),
            "`user.recent_error_count` is -1; expected a whole number, not negative",
        ),
        (
            json!({ "user": { "total_tasks_completed": 2.5 } }),
            "`user.total_tasks_completed` is 2.5; expected a whole number, not negative",
        ),
        (json!({ "task": { "urgency_level": 3 } }), "`task.urgency_level` is 3; expected a text"),
        (
            json!({ "task": { "has_urgency_keywords": "yes" } }),
            "`task.has_urgency_keywords` is a text; expected true or false",
        ),
        (
            json!({ "environment": { "a": [1] } }),
            "`environment.a` is a list; expected a text, a number, true, false or null",
        ),
        (
            json!({ "session": { "a": {} } }),
            "`session.a` is an object; expected a text, a number, true, false or null",
        ),
        (json!({ "resources": { "cpu": true } }), "`resources.cpu` is true; expected a number"),
        (json!({ "base_confidence": {} }), "`base_confidence` is an object; expected a number"),
    ] {
        assert_eq!(State::read(&given).unwrap_err().to_string(), expected);
    }
}

#[test]
fn what_is_missing_or_null_is_not_known_and_what_is_strange_is_told() {
    let nothing = json!({ "user": null, "task": { "complexity": null }, "environment": {}, "base_confidence": null, "id": 7 });
    assert_eq!(State::read(&nothing).unwrap(), (State::default(), Vec::new()));
    let (_, notes) = State::read(&json!({ "usr": {}, "resources": { "memory": 95 } })).unwrap();
    assert_eq!(
        notes,
        [
            "`usr` is not known and was passed over; did you mean `user`?",
            "`resources.memory` is 95, and a share lies between 0 and 1"
        ]
    );
    let (counted, _) = State::read(&json!({ "user": { "total_tasks_completed": 25.0 } })).unwrap();
    assert_eq!(counted.user.total_tasks_completed, Some(25));
    let strange = json!({ "user": { "reputation_scor": 1 }, "task": { "colour": "red" } });
    let (read, notes) = State::read(&strange).unwrap();
    assert_eq!(read, State::default());
    assert_eq!(
        notes,
        [
            "`user.reputation_scor` is not known and was passed over; did you mean `reputation_score`?",
            "`task.colour` is not known and was passed over; known are urgency_level, complexity, has_urgency_keywords, intent, domain, area, operation, sensitivity, band",
        ]
    );
}

#[test]
fn every_fact_of_a_state_is_found_by_its_name() {
    let full = state(&json!({
        "user": { "reputation_score": 0.1, "recent_success_rate": 0.2, "total_tasks_completed": 3, "recent_error_count": 4, "similar_task_success_rate": 0.5 },
        "task": { "urgency_level": "u", "complexity": 0.6, "has_urgency_keywords": true, "intent": "i", "domain": "d", "area": "a", "operation": "o", "sensitivity": "s", "band": "b" },
        "resources": { "memory": 0.1, "cpu": 0.2, "disk": 0.3 },
        "environment": { "stage": "x" },
        "session": { "n": 1 },
    }));
    for condition in [
        "user.reputation_score = 0.1 and user.recent_success_rate = 0.2 and user.total_tasks_completed = 3",
        "user.recent_error_count = 4 and user.similar_task_success_rate = 0.5",
        "task.urgency_level = u and task.complexity = 0.6 and task.has_urgency_keywords and task.intent = i",
        "task.domain = d and task.area = a and task.operation = o and task.sensitivity = s and task.band = b",
        "resources.memory = 0.1 and resources.cpu = 0.2 and resources.disk = 0.3 and resources.zone = green",
        "environment.stage = x and session.n = 1",
    ] {
        let rules = format!("  rules: [{{id: r, when: {condition:?}, threshold: 0.8, reason: R}}]\n");
        assert_eq!(adjust(&thresholds(&rules), &full).rule.as_deref(), Some("r"), "{condition}");
        assert_eq!(adjust(&thresholds(&rules), &State::default()).rule, None, "{condition}");
    }
}
