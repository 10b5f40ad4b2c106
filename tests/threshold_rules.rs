//! Do the rules of `specialists` fire exactly where the document says?
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value
)]

use std::collections::BTreeMap;
use std::sync::OnceLock;

use proptest::prelude::*;
use serde_json::{Value, json};
use waypost::core::catalog::Source;
use waypost::core::catalog::Thresholds;
use waypost::core::history::Standing;
use waypost::core::measure::{Confidence, Points};
use waypost::core::message::Fact;
use waypost::core::resources::Resources;
use waypost::core::threshold::{Adjusted, Level, State, Task, adjust};
use waypost::{Catalog, Router};

fn thresholds() -> &'static Thresholds {
    static READ: OnceLock<Catalog> = OnceLock::new();
    let read = || {
        let shipped = Router::shipped("specialists").unwrap();
        Catalog::read(&[Source::new(shipped.name, shipped.yaml)], shipped.name).catalog.unwrap()
    };
    READ.get_or_init(read).thresholds()
}

fn adjusted(state: &Value) -> Adjusted {
    adjust(thresholds(), &State::read(state).unwrap().0)
}

/// The rule applied to a state, the threshold that gives, and the sign of every figure that follows.
#[track_caller]
fn check(state: &Value, rule: &str) {
    let expected = match rule {
        "" => (0.70, Level::Moderate),
        "critical_production" => (0.80, Level::Strict),
        "error_rate_high" | "resource_critical" | "new_user" => (0.75, Level::Strict),
        "task_urgency_high" => (0.62, Level::Lenient),
        "user_history_positive" => (0.65, Level::Lenient),
        "similar_past_success" => (0.60, Level::Lenient),
        other => panic!("{other}"),
    };
    let adjusted = adjusted(state);
    assert_eq!(adjusted.rule.as_deref().unwrap_or_default(), rule, "{state}");
    assert_eq!(adjusted.threshold, Confidence::new(Points::from_share(expected.0)), "{state}");
    assert_eq!(adjusted.level, expected.1, "{state}");
    assert_eq!(adjusted.delta, Points::from_share(expected.0) - Points::hundredths(70), "{state}");
}

#[track_caller]
fn check_user(user: Value, rule: &str) {
    check(&json!({ "user": user }), rule);
}

#[test]
fn error_rate_high_one_unit_either_side() {
    for (errors, rule) in [(0, ""), (2, ""), (3, "error_rate_high"), (4, "error_rate_high")] {
        check_user(json!({ "recent_error_count": errors }), rule);
        // However new, however good, however long ago: three errors always fire it.
        let rule = if errors < 3 { "new_user" } else { rule };
        check_user(json!({ "recent_error_count": errors, "total_tasks_completed": 4 }), rule);
        let best = json!({ "recent_error_count": errors, "total_tasks_completed": 1000, "reputation_score": 1, "recent_success_rate": 1, "similar_task_success_rate": 1 });
        check_user(best, if errors < 3 { "user_history_positive" } else { "error_rate_high" });
    }
    for (rate, rule) in [(0.0, "error_rate_high"), (0.499_999, "error_rate_high"), (0.5, ""), (0.500_001, "")]
    {
        check_user(json!({ "recent_success_rate": rate, "total_tasks_completed": 5 }), rule);
        check_user(json!({ "recent_success_rate": rate, "total_tasks_completed": 900 }), rule);
        check_user(json!({ "recent_success_rate": rate }), "");
    }
    // A rate needs three tasks behind it: a new user is new, not failing.
    for (tasks, rule) in [(0, "new_user"), (2, "new_user"), (3, "error_rate_high"), (4, "error_rate_high")] {
        check_user(json!({ "recent_success_rate": 0.499_999, "total_tasks_completed": tasks }), rule);
        check_user(json!({ "recent_success_rate": 0.5, "total_tasks_completed": tasks }), "new_user");
    }
}

#[test]
fn new_user_one_unit_either_side() {
    for (tasks, rule) in [(0, "new_user"), (1, "new_user"), (4, "new_user"), (5, ""), (6, "")] {
        check_user(json!({ "total_tasks_completed": tasks }), rule);
        check_user(json!({ "total_tasks_completed": tasks, "reputation_score": 0.5 }), rule);
    }
    for (reputation, rule) in [(0.0, "new_user"), (0.299_999, "new_user"), (0.3, ""), (0.300_001, "")] {
        check_user(json!({ "reputation_score": reputation }), rule);
        check_user(json!({ "reputation_score": reputation, "total_tasks_completed": 5 }), rule);
    }
    // Without history: no task, the reputation of nobody, no rate that means anything.
    for rate in [json!(null), json!(0.0), json!(1.0)] {
        let user = json!({ "total_tasks_completed": 0, "reputation_score": 0.5, "recent_success_rate": rate, "recent_error_count": 0 });
        check_user(user.clone(), "new_user");
        let names = |adjusted: Adjusted| adjusted.signals.into_iter().map(|s| s.name).collect::<Vec<_>>();
        assert_eq!(names(adjusted(&json!({ "user": user }))), ["new_unproven_user"]);
    }
}

#[test]
fn user_history_positive_one_unit_either_side() {
    let user = |reputation: f64, rate: f64, tasks: u64| json!({ "reputation_score": reputation, "recent_success_rate": rate, "total_tasks_completed": tasks });
    check_user(user(0.80, 0.85, 10), "user_history_positive");
    check_user(user(0.800_001, 0.850_001, 11), "user_history_positive");
    check_user(user(0.799_999, 0.85, 10), "");
    check_user(user(0.80, 0.849_999, 10), "");
    check_user(user(0.80, 0.85, 9), "");
    // Noise in the last digits decides nothing.
    check_user(user(0.1 + 0.7, 0.85, 10), "user_history_positive");
    check_user(user(0.799_999_9, 0.85, 10), "user_history_positive");
}

#[test]
fn similar_past_success_one_unit_either_side() {
    for (rate, rule) in [(0.799_999, ""), (0.80, "similar_past_success"), (0.800_001, "similar_past_success")]
    {
        check_user(json!({ "similar_task_success_rate": rate }), rule);
    }
}

#[test]
fn task_urgency_high_by_level_or_words() {
    for (task, rule) in [
        (json!({ "urgency_level": "high" }), "task_urgency_high"),
        (json!({ "urgency_level": "medium" }), ""),
        (json!({ "urgency_level": "low", "has_urgency_keywords": true }), "task_urgency_high"),
        (json!({ "has_urgency_keywords": true }), "task_urgency_high"),
        (json!({ "has_urgency_keywords": false }), ""),
    ] {
        check(&json!({ "task": task }), rule);
    }
}

#[test]
fn critical_production_needs_both() {
    for (production, critical, rule) in [
        (json!(true), json!(true), "critical_production"),
        (json!(true), json!(false), ""),
        (json!(false), json!(true), ""),
        (json!(true), json!(null), ""),
        (json!("true"), json!(true), ""),
    ] {
        check(&json!({ "environment": { "is_production": production, "is_critical_task": critical } }), rule);
    }
}

#[test]
fn resource_critical_includes_its_bound() {
    for (used, rule) in [
        (0.949_999, ""),
        (0.95, "resource_critical"),
        (0.950_001, "resource_critical"),
        (1.0, "resource_critical"),
    ] {
        check(&json!({ "resources": { "memory": used } }), rule);
        check(&json!({ "resources": { "cpu": used, "memory": 0.1 } }), rule);
        check(&json!({ "resources": { "disk": used } }), "");
    }
}

/// The signals that a state shows, in order.
#[track_caller]
fn check_signals(state: &Value, expected: &[&str]) {
    let names: Vec<String> = adjusted(state).signals.into_iter().map(|signal| signal.name).collect();
    assert_eq!(names, expected, "{state}");
}

#[test]
fn signals_of_machine_and_task_one_unit_either_side() {
    let resources = |memory: f64, cpu: f64| json!({ "resources": { "memory": memory, "cpu": cpu } });
    check_signals(&resources(0.599_999, 0.699_999), &["resource_healthy"]);
    check_signals(&resources(0.60, 0.699_999), &[]);
    check_signals(&resources(0.599_999, 0.70), &[]);
    check_signals(&resources(0.849_999, 0.899_999), &[]);
    check_signals(&resources(0.85, 0.1), &["low_resources"]);
    check_signals(&resources(0.1, 0.90), &["low_resources"]);
    check_signals(&resources(0.949_999, 0.1), &["low_resources"]);
    check_signals(&resources(0.95, 0.1), &["resource_critical", "low_resources"]);
    check_signals(&json!({ "resources": { "disk": 0.899_999 } }), &[]);
    check_signals(&json!({ "resources": { "disk": 0.90 } }), &["disk_pressure"]);
    let task = |complexity: f64| json!({ "task": { "complexity": complexity } });
    check_signals(&task(0.299_999), &["simple_task"]);
    check_signals(&task(0.30), &[]);
    check_signals(&task(0.70), &[]);
    check_signals(&task(0.700_001), &["complex_task"]);
    check_signals(&json!({}), &[]);
}

#[test]
fn every_pair_of_rules_is_settled() {
    // In the order in which they win, each with a state in which it fires.
    let rules = [
        (
            "critical_production",
            json!({ "environment": { "is_production": true, "is_critical_task": true } }),
        ),
        ("error_rate_high", json!({ "user": { "recent_error_count": 3 } })),
        ("resource_critical", json!({ "resources": { "cpu": 0.95 } })),
        ("new_user", json!({ "user": { "total_tasks_completed": 4 } })),
        ("task_urgency_high", json!({ "task": { "urgency_level": "high" } })),
        (
            "user_history_positive",
            json!({ "user": { "reputation_score": 0.8, "recent_success_rate": 0.85, "total_tasks_completed": 10 } }),
        ),
        ("similar_past_success", json!({ "user": { "similar_task_success_rate": 0.8 } })),
    ];
    for (index, (winner, state)) in rules.iter().enumerate() {
        check(state, winner);
        for (loser, other) in &rules[index + 1..] {
            // Nobody is new and proven.
            if (*winner, *loser) != ("new_user", "user_history_positive") {
                check(&both(state, other), winner);
            }
        }
    }
}

fn both(one: &Value, other: &Value) -> Value {
    let mut joined = one.clone();
    for (table, facts) in other.as_object().unwrap() {
        let into = joined.as_object_mut().unwrap().entry(table).or_insert(json!({}));
        into.as_object_mut().unwrap().extend(facts.as_object().unwrap().clone());
    }
    joined
}

fn anything() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        2 => Just(None),
        6 => (0.0..1.0f64).prop_map(Some),
        1 => any::<f64>().prop_map(Some),
        1 => prop_oneof![Just(f64::MAX), Just(f64::MIN), Just(-1.0), Just(1e300), Just(f64::INFINITY)].prop_map(Some),
    ]
}

fn any_count() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![1 => Just(None), 4 => (0u64..15).prop_map(Some), 1 => any::<u64>().prop_map(Some)]
}

fn any_fact() -> impl Strategy<Value = Fact> {
    prop_oneof![
        any::<bool>().prop_map(Fact::Flag),
        any::<f64>().prop_map(Fact::Number),
        Just(Fact::Unset),
        "[a-z]{0,6}".prop_map(Fact::Text),
    ]
}

prop_compose! {
    fn any_state()(
        shares in [anything(), anything(), anything(), anything(), anything(), anything(), anything()],
        counts in [any_count(), any_count()],
        urgency in proptest::option::of("low|medium|high|HIGH|"),
        words in proptest::option::of(any::<bool>()),
        facts in [any_fact(), any_fact()],
        confidence in anything(),
    ) -> State {
        let [reputation_score, recent_success_rate, similar_task_success_rate, complexity, memory, cpu, disk] = shares;
        let [total_tasks_completed, recent_error_count] = counts;
        let [is_production, is_critical_task] = facts;
        State {
            user: Standing { reputation_score, recent_success_rate, total_tasks_completed, recent_error_count, similar_task_success_rate },
            task: Task { urgency_level: urgency, complexity, has_urgency_keywords: words, ..Task::default() },
            resources: Resources { memory, cpu, disk },
            environment: BTreeMap::from([("is_production".to_owned(), is_production), ("is_critical_task".to_owned(), is_critical_task)]),
            base_confidence: confidence.map(|share| Confidence::new(Points::from_share(share))),
            ..State::default()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn no_state_leaves_the_bounds_and_the_level_agrees(state in any_state()) {
        let thresholds = thresholds();
        let adjusted = adjust(thresholds, &state);
        let value = adjusted.threshold.points();
        prop_assert!((Points::hundredths(60)..=Points::hundredths(80)).contains(&value), "{adjusted:?}");
        let level = match value {
            value if value >= Points::hundredths(75) => Level::Strict,
            value if value <= Points::hundredths(65) => Level::Lenient,
            _ => Level::Moderate,
        };
        prop_assert_eq!(adjusted.level, level);
        prop_assert_eq!(adjusted.original.points(), Points::hundredths(70));
        prop_assert_eq!(adjusted.delta, value - Points::hundredths(70));
        prop_assert_eq!(adjusted.rule.is_some(), adjusted.delta != Points::ZERO);
        prop_assert_eq!(adjusted.applied_rules.first(), adjusted.rule.as_ref());
        let failing = adjusted.signals.iter().any(|signal| signal.name == "high_error_rate");
        prop_assert!(!failing || value >= Points::hundredths(75), "errors are never outdone by leniency");
        prop_assert_eq!(&adjusted, &adjust(thresholds, &state));
    }
}
