//! Is the report the one the document describes, in both languages and all forms?
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use super::*;
use crate::report::Paint;
use waypost::core::catalog::Source;
use waypost::core::message::Fact;
use waypost::core::resources::{Observed, Resources};
use waypost::ports::FixedMachine;
use waypost::{Message, Router};

/// A small catalog that scores by factors, by its rules alone, so that nothing it learns can move a figure.
const CATALOG: &str = "
name: workshop
scoring: factors
fallback: anyone
thresholds:
  base: 0.70
  high: 0.85
  least: 0.60
  most: 0.80
  strict: 0.75
  lenient: 0.65
  signals:
    - {name: urgent_task, source: context, when: task.urgency_level = high, recommends: down, value: 0.62, reason: The task is urgent}
    - {name: resource_healthy, source: resource, when: resources.memory < 0.60, recommends: down, value: 0.65, reason: Resources are healthy}
    - {name: disk_pressure, source: resource, when: resources.disk >= 0.90, recommends: neutral, reason: The disk is nearly full}
    - {name: critical_production, source: context, when: environment.is_production and environment.is_critical_task, recommends: up, value: 0.80, reason: A critical task in production}
  rules:
    - {id: critical_production, when: signals.critical_production, threshold: 0.80, priority: 10, direction: up, reason: Critical production environment - maximum validation required}
    - {id: task_urgency_high, when: signals.urgent_task, threshold: 0.62, priority: 9, direction: down, reason: High urgency task detected - prioritize speed over strictness}
resources:
  zones:
    yellow: {at: 0.60, suggest: [caching], say: Resources are getting scarce.}
    red: {at: 0.85, activate: [--uc], block: [heavy]}
flags:
  known: {--uc: Short answers., --seq: Step by step., --think: Longer., --no-mcp: No server.}
  conflicts: [[--no-mcp, --seq]]
  activate: {complex: [--think], debugging: [--seq]}
preflight: {heavy: [complex]}
risk: {complexity: 0.3, failure: 0.3, exhaustion: 0.2, cascade: 0.2, safe_mode: 0.5}
context:
  layers:
    - name: area
      labels:
        - {name: frontend, description: What people see, words: [css, button]}
        - {name: backend, description: What runs on the server, words: [database, endpoint]}
    - name: operation
      labels:
        - {name: debugging, description: Mending, words: [fix, crash], tools: [Grep]}
        - {name: creation, description: Making, words: [create, build], tools: [Write]}
    - name: urgency
      default: medium
      labels:
        - {name: high, description: It cannot wait, words: [urgent, asap]}
        - {name: medium, description: Nothing is said}
    - name: complexity
      labels:
        - {name: simple, description: One file, words: [typo], score: 0.0, below: 0.3, tokens: 5000, minutes: 5}
        - {name: moderate, description: Several files, words: [module], score: 0.5, up_to: 0.7, tokens: 15000, minutes: 30}
        - {name: complex, description: All of it, words: [architecture], score: 1.0, tokens: 30000, minutes: 120}
names: force
routes:
  - {name: database-specialist, description: Schemas and queries, areas: [backend], operations: [debugging, creation], complexity: [moderate, complex], tools: [Read, Edit], servers: [sequential-thinking], keywords: [deadlock, query]}
  - {name: frontend-specialist, description: Components, areas: [frontend], related: [backend], operations: [creation], complexity: [simple], tools: [Write], keywords: [component]}
  - {name: anyone, description: Everything else}
";

/// A message that the specialist takes, watched, by a threshold lowered for its urgency.
const TAKEN: &str = "Urgent: fix the deadlock in the database module --uc";
/// One that nobody is sure enough of.
const NOBODYS: &str = "create something nice, a whole architecture";

fn router(machine: Resources) -> Router {
    let compiled = Catalog::read(&[Source::new("workshop.yaml", CATALOG)], "workshop");
    let catalog = compiled.catalog.unwrap_or_else(|| panic!("{:#?}", compiled.problems));
    // The servers are not checked.
    let tools = ["Read", "Edit", "Write"].map(|tool| (tool.to_owned(), true)).into();
    let observed = Observed { tools, ..Observed::default() };
    Router::new(catalog).with_machine(FixedMachine(machine)).with_observed(observed)
}

fn calm() -> Resources {
    Resources { memory: Some(0.4), cpu: Some(0.2), disk: Some(0.92) }
}

/// The trace of a message, without what is its own each time.
fn trace(message: &Message, machine: Resources) -> (Router, Trace) {
    let router = router(machine);
    let mut trace = router.trace(message).unwrap();
    trace.name("(id)".to_owned());
    trace.answer.elapsed_us = 0.0;
    trace.answer.catalog.hash = "(hash)".to_owned();
    (router, trace)
}

fn shown(
    message: &str,
    machine: Resources,
    show: impl Fn(&SelectionReport<'_>) -> String,
    lang: Lang,
) -> String {
    let (router, trace) = trace(&Message::from(message), machine);
    show(&selection(&trace, router.catalog(), lang).unwrap())
}

fn as_text(report: &SelectionReport<'_>) -> String {
    text(report, Paint::Off)
}

fn as_json(report: &SelectionReport<'_>) -> String {
    serde_json::to_string_pretty(report).unwrap()
}

#[track_caller]
fn check(name: &str, shown: &str) {
    insta::with_settings!({
        snapshot_path => "../../../../../tests/snapshots", prepend_module_to_snapshot => false, omit_expression => true,
    }, {
        insta::assert_snapshot!(format!("selection__{name}"), shown);
    });
}

#[test]
fn the_report_as_text() {
    check("text_en", &shown(TAKEN, calm(), as_text, Lang::En));
    check("text_vi", &shown(TAKEN, calm(), as_text, Lang::Vi));
}

#[test]
fn the_report_as_markdown() {
    check("markdown_en", &shown(TAKEN, calm(), markdown, Lang::En));
}

#[test]
fn the_report_as_json() {
    check("json_en", &shown(TAKEN, calm(), as_json, Lang::En));
}

#[test]
fn the_universal_agent_takes_it_with_its_uncertainties() {
    let pressed = Resources { memory: Some(0.9), cpu: Some(0.5), disk: None };
    check("universal_en", &shown(NOBODYS, pressed, as_text, Lang::En));
    check("universal_vi", &shown(NOBODYS, pressed, as_text, Lang::Vi));
}

#[test]
fn keys_are_the_same_in_every_language() {
    fn keys(value: &serde_json::Value, at: &str, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(fields) => {
                for (key, inner) in fields {
                    found.push(format!("{at}.{key}"));
                    keys(inner, &format!("{at}.{key}"), found);
                }
            }
            serde_json::Value::Array(entries) => {
                for entry in entries {
                    keys(entry, &format!("{at}[]"), found);
                }
            }
            _ => {}
        }
    }
    let of = |lang: Lang| {
        let mut found = Vec::new();
        keys(&serde_json::from_str(&shown(TAKEN, calm(), as_json, lang)).unwrap(), "", &mut found);
        found
    };
    assert_eq!(of(Lang::En), of(Lang::Vi));
}

/// What is told of who was selected, in one line a language.
#[track_caller]
fn check_choice(text: &str, english: &str, vietnamese: &str) {
    for (lang, expected) in [(Lang::En, english), (Lang::Vi, vietnamese)] {
        let shown = shown(text, Resources::default(), as_text, lang);
        let lines: Vec<&str> = shown.lines().skip(2).take(4).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.join(" | "), expected, "{text}");
    }
}

#[test]
fn whoever_is_called_or_nobody_is_told_as_such() {
    check_choice(
        "database-specialist, have a look",
        "Selected Agent: database-specialist |   Called by its name, which is certain: the factors are shown and do not count. | Confidence Score: 100% (high)",
        "Chọn Agent: database-specialist |   Được gọi đích danh nên là chắc chắn: các yếu tố chỉ để tham khảo, không tính điểm. | Điểm Tin cậy: 100% (cao)",
    );
    check_choice(
        "fix the deadlock in the database --no-mcp --seq",
        "Selected Agent: none |   Nobody is chosen: the person is asked first. The flags --no-mcp and --seq exclude each other; give one of them. | Confidence Score: 70% (medium) of database-specialist, which comes nearest",
        "Chọn Agent: không có |   Chưa chọn agent nào: cần hỏi lại người dùng trước. Hai cờ --no-mcp và --seq loại trừ nhau; chỉ dùng một trong hai. | Điểm Tin cậy: 70% (trung bình) của database-specialist, chuyên gia gần đạt nhất",
    );
}

#[test]
fn what_came_from_outside_is_shown_and_never_obeyed() {
    let (router, mut trace) = trace(&Message::from(TAKEN), calm());
    let told = &mut trace.steps.as_mut().unwrap().step_6.detailed_reasoning_report;
    told.agent = Some("a`b\u{7}".to_owned());
    told.threshold.signals[0].reason = "<b>*x*</b>\u{1b}[31m".to_owned();
    let report = selection(&trace, router.catalog(), Lang::En).unwrap();
    let (text, markdown) = (text(&report, Paint::Off), markdown(&report));
    assert!(text.contains("Selected Agent: a`b␇\n") && text.contains("<b>*x*</b>␛[31m\n"), "{text}");
    let escaped = "\\<b\\>\\*x\\*\\</b\\>␛\\[31m\n";
    assert!(markdown.contains("**Selected Agent**: a\\`b␇\n") && markdown.contains(escaped), "{markdown}");
}

#[test]
fn the_trace_has_every_step_with_its_named_output() {
    let mut message = Message::from(TAKEN);
    message.environment.insert("is_production".to_owned(), Fact::Flag(true));
    message.environment.insert("is_critical_task".to_owned(), Fact::Flag(true));
    let (_, trace) = trace(&message, calm());
    check("steps", &serde_json::to_string_pretty(&trace.steps).unwrap());
    let steps = serde_json::to_value(&trace.steps).unwrap();
    for (step, output) in [
        ("step_1", "structured_request_object"),
        ("step_2", "domain_scores_array"),
        ("step_3", "complexity_assessment"),
        ("step_4", "base_confidence_score"),
        ("step_4_5", "threshold_adjustment_result"),
        ("step_5", "agent"),
        ("step_6", "detailed_reasoning_report"),
        ("step_7", "validation_passed_or_escalated"),
        ("step_8", "prompt_with_context"),
        ("step_9", "updated_user_reputation"),
    ] {
        assert!(steps[step].get(output).is_some(), "{step} has no {output}");
    }
}

#[test]
fn a_trace_that_was_kept_is_read_back_as_it_was() {
    for text in [TAKEN, NOBODYS, "database-specialist, a module", "fix the module --no-mcp --seq"] {
        let (_, trace) = trace(&Message::from(text), calm());
        let kept = serde_json::to_string(&trace).unwrap();
        assert_eq!(serde_json::from_str::<Trace>(&kept).unwrap(), trace, "{text}");
    }
}

#[test]
fn a_catalog_without_factors_has_no_report() {
    let yaml = "routes: [{name: a, description: A, patterns: [b]}]";
    let catalog = Catalog::read(&[Source::new("plain.yaml", yaml)], "plain").catalog.unwrap();
    let router = Router::new(catalog);
    let trace = router.trace(&Message::from("b")).unwrap();
    assert!(selection(&trace, router.catalog(), Lang::En).is_none());
}
