//! Does a message go the nine steps to a specialist, at the threshold its user, machine and task ask for?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use serde_json::{Value, json};
use waypost::core::catalog::Source;
use waypost::core::history::Completion;
use waypost::core::message::Fact;
use waypost::core::resources::{Observed, Reach, Resources};
use waypost::ports::{Clock, FixedMachine, Store};
use waypost::store::Sqlite;
use waypost::{Catalog, Message, Router, Trace};

/// Told by words alone: nothing has to be learned, and every point is known beforehand.
const CATALOG: &str = r"
scoring: factors
fallback: universal
thresholds:
  base: 0.70
  high: 0.85
  least: 0.60
  most: 0.80
  rules:
    - {id: critical_production, when: environment.is_production and environment.is_critical_task, threshold: 0.80, priority: 10, reason: Critical production}
    - {id: error_rate_high, when: user.recent_error_count >= 3, threshold: 0.75, priority: 10, reason: Errors}
    - {id: task_urgency_high, when: task.urgency_level = high, threshold: 0.62, priority: 9, reason: Urgent}
    - {id: new_user, when: user.total_tasks_completed < 5, threshold: 0.75, priority: 9, reason: New}
    - {id: user_history_positive, when: user.reputation_score >= 0.80 and user.total_tasks_completed >= 10, threshold: 0.65, priority: 8, reason: Trusted}
flags: {known: {--seq: Thinks in steps., --no-mcp: Asks no server., --uc: Answers briefly.}, conflicts: [[--no-mcp, --seq]]}
context:
  layers:
    - {name: area, labels: [{name: frontend, words: [component]}, {name: backend, words: [endpoint]}]}
    - {name: operation, labels: [{name: creation, words: [create], tools: [Write]}, {name: analysis, words: [explain]}]}
    - {name: urgency, default: medium, labels: [{name: high, words: [urgent]}, {name: medium}]}
    - name: complexity
      default: moderate
      labels:
        - {name: simple, score: 0.1, below: 0.3, words: [tiny], tokens: 5000, minutes: 5}
        - {name: moderate, score: 0.5, up_to: 0.7, tokens: 15000, minutes: 30}
        - {name: complex, score: 0.9, words: [platform], tokens: 30000, minutes: 60}
routes:
  - {name: painter, description: Paints., keywords: [css], areas: [frontend], operations: [analysis], tools: [brush, paint, ladder, lamp]}
  - {name: plumber, description: Plumbs., keywords: [api], areas: [backend], operations: [creation], complexity: [simple], tools: [pipe, pump, tape], servers: [magic]}
  - {name: universal, description: Takes the rest.}
";

const NOW_MS: u64 = 1_700_000_000_000;
const TRUSTED: &str = "ann";
const NEW: &str = "ben";

struct Stopped;

impl Clock for Stopped {
    fn now_ms(&self) -> u64 {
        NOW_MS
    }
}

fn catalog(yaml: &str) -> Catalog {
    let read = Catalog::read(&[Source::new("test.yaml", yaml)], "test");
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    read.catalog.unwrap()
}

/// Two users: one with 25 tasks of which nine in ten went well, one with two.
fn router() -> Router {
    let store = Sqlite::in_memory().unwrap();
    let tasks = (0..25).map(|n| (TRUSTED, n, n % 10 != 3)).chain((0..2).map(|n| (NEW, n, n == 0)));
    for (user, n, success) in tasks {
        let told = Completion {
            task_id: format!("{user}-{n}"),
            user: user.to_owned(),
            success,
            at_ms: NOW_MS - 1_000 + n,
            ..Completion::default()
        };
        store.record(&told).unwrap();
    }
    let observed = Observed {
        tools: [
            ("brush", true),
            ("paint", true),
            ("ladder", false),
            ("lamp", false),
            ("pipe", true),
            ("pump", true),
            ("tape", false),
        ]
        .map(|(name, there)| (name.to_owned(), there))
        .into(),
        servers: [("magic".to_owned(), Reach::Failed("refused".to_owned()))].into(),
        ..Observed::default()
    };
    let machine = FixedMachine(Resources { memory: Some(0.5), cpu: Some(0.2), disk: Some(0.8) });
    let router = Router::new(catalog(CATALOG)).with_clock(Stopped).with_machine(machine);
    router.with_store(Ok(Arc::new(store))).with_observed(observed)
}

fn message(text: &str, user: &str, critical: bool) -> Message {
    let facts = ["is_production", "is_critical_task"];
    let environment = facts.map(|fact| (fact.to_owned(), Fact::Flag(critical))).into();
    Message { user: Some(user.to_owned()), environment, ..Message::from(text) }
}

/// 0.15 for its keyword and 0.05 for a word of its area, 0.20 for the area, 0.20 for any complexity, 0.08 for half of its
/// tools and all of its servers, which are none.
const AT_68: &str = "css of the component, urgent";
/// 0.15, 0.05 and 0.10 for the operation, 0.20, 0.15 for a band next to its own, 0.07 for most tools and no server.
const AT_72: &str = "create an api endpoint";

/// Who takes it, how sure the best specialist is, the threshold and the rule behind it.
#[track_caller]
fn check(message: &Message, expected: &str) {
    let trace = router().trace(message).unwrap();
    let steps = serde_json::to_value(trace.steps.as_deref().unwrap()).unwrap();
    let step = &steps["step_5"];
    let rule = step["applied_rules"][0].as_str().unwrap_or("none");
    let told = format!(
        "{} {} {} {rule} {}",
        trace.answer.route.as_deref().unwrap_or("nobody"),
        steps["step_4"]["base_confidence_score"],
        step["adjusted_threshold"],
        step["selection"].as_str().unwrap()
    );
    assert_eq!(told, expected, "{}: {steps:#}", message.text);
    let selection = serde_json::to_value(trace.answer.selection.unwrap()).unwrap();
    assert_eq!((&selection["selection"], &selection["gap"]), (&step["selection"], &step["gap"]));
}

#[test]
fn the_scenarios_of_the_document_end_as_it_says() {
    check(&message(AT_68, TRUSTED, false), "painter 0.68 0.62 task_urgency_high specialist");
    check(&message(AT_72, NEW, true), "universal 0.72 0.8 critical_production universal");
}

#[test]
fn the_same_sureness_on_the_other_side_of_the_threshold() {
    let calm = "css of the component";
    check(&Message::from(calm), "universal 0.68 0.7 none universal");
    check(&message(calm, TRUSTED, false), "painter 0.68 0.65 user_history_positive specialist");
    check(&message(calm, NEW, false), "universal 0.68 0.75 new_user universal");
    check(&message(calm, "nobody-yet", false), "universal 0.68 0.75 new_user universal");
    check(&message(AT_68, NEW, true), "universal 0.68 0.8 critical_production universal");
    check(&Message::from(AT_72), "plumber 0.72 0.7 none specialist");
    check(&message(AT_72, TRUSTED, true), "universal 0.72 0.8 critical_production universal");
    check(
        &message("create a tiny api endpoint", TRUSTED, true),
        "universal 0.77 0.8 critical_production universal",
    );
}

#[test]
fn a_fallback_tells_its_gap_and_its_uncertainties() {
    let trace = router().trace(&message(AT_72, NEW, true)).unwrap();
    let steps = serde_json::to_value(trace.steps.unwrap()).unwrap();
    assert_eq!(steps["step_5"]["gap"], json!(0.08));
    assert_eq!(steps["step_4"]["candidate"], json!("plumber"));
    let report = &steps["step_6"]["detailed_reasoning_report"];
    assert_eq!(report["uncertainties"][0], json!("plumber comes nearest at 0.72 and falls 0.08 short."));
    let suggestions = report["suggestions"].to_string();
    assert!(
        suggestions.contains("Review the threshold: the best specialist falls 0.08 short"),
        "{suggestions}"
    );
    let considered: Vec<(&str, &str)> =
        trace.answer.considered.iter().map(|lost| (&*lost.name, &*lost.code)).collect();
    assert_eq!(considered, [("plumber", "below_threshold"), ("painter", "below_threshold")]);
}

#[test]
fn flags_that_exclude_each_other_are_asked_about_by_name() {
    let trace = router().trace(&message(&format!("{AT_68} --seq --no-mcp"), TRUSTED, false)).unwrap();
    let answer = &trace.answer;
    assert_eq!((answer.outcome.name(), &answer.route, &answer.selection), ("clarify", &None, &None));
    let asked = answer.clarification.as_ref().unwrap();
    assert_eq!(asked.question, "--no-mcp and --seq exclude each other. Which one do you mean?");
    let options: Vec<_> = asked.options.iter().map(|o| (o.name.as_str(), o.description.as_str())).collect();
    assert_eq!(options, [("--no-mcp", "Asks no server."), ("--seq", "Thinks in steps.")]);
    assert!(answer.considered.iter().all(|lost| lost.code == "conflicting_flags"), "{:?}", answer.considered);
    // Nobody lacks anything: no points would help.
    assert!(trace.what_if.iter().all(|told| !told.contains("more,")), "{:?}", trace.what_if);
}

#[test]
fn every_step_leaves_the_output_the_document_names() {
    let trace = router().trace(&message("create a component, urgent --uc", TRUSTED, false)).unwrap();
    let id = trace.answer.id.clone();
    let steps = serde_json::to_value(trace.steps.unwrap()).unwrap();
    for (step, outputs) in [
        ("step_1", &["structured_request_object"][..]),
        ("step_2", &["domain_scores_array"]),
        ("step_3", &["complexity_assessment"]),
        ("step_4", &["base_confidence_score", "candidate", "factors"]),
        ("step_4_5", &["threshold_adjustment_result"]),
        (
            "step_5",
            &[
                "original_threshold",
                "adjusted_threshold",
                "adjustment_delta",
                "applied_rules",
                "user_reputation",
            ],
        ),
        ("step_6", &["detailed_reasoning_report"]),
        ("step_7", &["validation_passed_or_escalated"]),
        (
            "step_8",
            &["subagent_type", "prompt_with_context", "resource_allocation", "threshold_adjustment_metadata"],
        ),
        (
            "step_9",
            &[
                "task_id",
                "user",
                "success",
                "area",
                "operation",
                "complexity",
                "confidence_used",
                "execution_time_ms",
                "error_message",
                "updated_user_reputation",
            ],
        ),
    ] {
        for output in outputs {
            assert!(steps[step].get(output).is_some(), "{step} lacks {output}: {steps:#}");
        }
    }
    assert_eq!(steps.as_object().unwrap().len(), 10);
    let request = &steps["step_1"]["structured_request_object"];
    assert_eq!(request["keywords"], json!(["create", "component", "urgent"]));
    assert_eq!((&request["operation"], &request["flags"]), (&json!("creation"), &json!(["--uc"])));
    assert_eq!(steps["step_2"]["domain_scores_array"][0], json!({"area": "frontend", "score": 0.99}));
    let assessed = &steps["step_3"]["complexity_assessment"];
    assert_eq!(
        (&assessed["score"], &assessed["band"], &assessed["token_budget"]),
        (&json!(0.5), &json!("moderate"), &json!(15_000))
    );
    let factors: f64 =
        steps["step_4"]["factors"].as_array().unwrap().iter().map(|f| f["points"].as_f64().unwrap()).sum();
    assert!((factors - steps["step_4"]["base_confidence_score"].as_f64().unwrap()).abs() < 1e-9);
    let given = &steps["step_8"]["resource_allocation"];
    assert_eq!(
        (&given["minutes"], &given["zone"], &given["flags"]),
        (&json!(30), &json!("orange"), &json!(["--uc"]))
    );
    assert_eq!((&steps["step_9"]["task_id"], &steps["step_9"]["area"]), (&json!(id), &json!("frontend")));
}

#[test]
fn catalogs_that_score_by_rules_have_no_steps() {
    let rules = CATALOG.replace("scoring: factors\n", "");
    let trace = Router::new(catalog(&rules)).trace(&Message::from(AT_72)).unwrap();
    assert!(trace.steps.is_none() && trace.answer.selection.is_none());
    assert!(serde_json::to_value(&trace).unwrap().get("steps").is_none());
    // Their fallback is taken all the same, though nothing spoke for it.
    let taken: Vec<&str> = trace.answer.routes.iter().map(|route| route.name.as_str()).collect();
    assert_eq!((trace.answer.route.as_deref(), taken), (Some("universal"), vec!["universal"]));
}

#[test]
fn a_kept_trace_is_decided_again_byte_for_byte() {
    let router = router();
    for message in [
        message(AT_68, TRUSTED, false),
        message(AT_72, NEW, true),
        message("--seq --no-mcp", NEW, false),
        message("", TRUSTED, false),
        Message::from("это не прочитать, css"),
    ] {
        let trace = router.trace(&message).unwrap();
        assert_eq!(trace.situation.history.is_some(), message.user.is_some());
        assert_eq!(trace.situation.resources.disk, Some(0.8));
        let kept: Trace = serde_json::from_str(&serde_json::to_string(&trace).unwrap()).unwrap();
        assert_eq!(kept, trace);
        // Another day, another machine, nothing remembered: the situation says it all.
        let elsewhere = Router::new(catalog(CATALOG));
        let replay = elsewhere.replay(&kept).unwrap();
        assert!(
            replay.same,
            "{}: {:#}",
            message.text,
            serde_json::to_value(&replay.trace).unwrap_or(Value::Null)
        );
    }
}
