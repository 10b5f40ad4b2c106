//! Does a language model help to fill arguments, and can it do no harm, whatever it says and however it fails?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};
use support::chat_server::{Asked, ChatServer, Does};
use waypost::Router;
use waypost::arguments::{Answer, Interpreter, Request};
use waypost::core::arguments::{By, Outcome};
use waypost::core::message::Fact;
use waypost::encode::BuiltIn;
use waypost::ports::LanguageModel;
use waypost::ports::llm::{LlmError, LlmSettings, Prompt, Reply, ReplyMode, Usage};

/// What a message may take beyond the model's budget: our own reading, and a busy machine.
const SLACK_MS: u64 = 3_000;
/// A budget that no good reply on the loopback needs.
const BUDGET_MS: u64 = 5_000;
/// A budget that a stall soon uses up.
const BUDGET_SHORT_MS: u64 = 300;

/// A message of which the reader cannot tell what it wants.
const VAGUE: &str = "take the cheap kind";

static ROUTER: LazyLock<Router> = LazyLock::new(|| Router::from_catalog("choices").unwrap());

fn interpreter() -> Interpreter {
    Interpreter::new(&ROUTER, BuiltIn::shipped().unwrap())
}

fn settings(server: &ChatServer, timeout_ms: u64) -> LlmSettings {
    LlmSettings {
        model: Some("small".to_owned()),
        seed: Some(1),
        timeout_ms,
        ..LlmSettings::new(server.url())
    }
}

/// What a message for a tool is answered with by this script, what was asked, and that it ended in time.
fn asked_within(script: Vec<Does>, request: &Request, budget_ms: u64) -> (Answer, Vec<Asked>) {
    let server = ChatServer::scripted(script);
    let begun = Instant::now();
    let answer = interpreter().with_llm(settings(&server, budget_ms)).answer(request).unwrap();
    assert!(begun.elapsed() < Duration::from_millis(budget_ms + SLACK_MS), "{:?}", begun.elapsed());
    assert_valid(&answer);
    (answer, server.asked())
}

fn asked(script: Vec<Does>, text: &str, tool: &str) -> (Answer, Vec<Asked>) {
    asked_within(script, &open(text, tool), BUDGET_MS)
}

/// A message in a session whose gates are open.
fn open(text: &str, tool: &str) -> Request {
    let facts = ["tpr_complete", "risk_complete"].map(|fact| (fact.to_owned(), Fact::Flag(true)));
    Request { session: BTreeMap::from(facts), ..Request::new(text, tool) }
}

fn says(tool: &str, args: &Value, confidence: f64) -> Does {
    Does::Replies(json!({ "tool": tool, "args": args, "confidence": confidence, "reason": "as said" }))
}

/// A call holds to its tool's schema, and a question has a question.
fn assert_valid(answer: &Answer) {
    match answer.outcome {
        Outcome::Run => {
            let tools = ROUTER.catalog().tools();
            let tool = tools.iter().find(|tool| Some(&tool.name) == answer.tool.as_ref()).unwrap();
            let checker = jsonschema::validator_for(tool.input_schema.as_ref().unwrap()).unwrap();
            assert!(checker.is_valid(&Value::Object(answer.args.clone())), "{:?}", answer.args);
        }
        Outcome::Clarify => assert!(answer.clarification.is_some(), "{}", answer.reason),
        Outcome::Rephrase => {}
    }
}

fn code(answer: &Answer) -> Option<&str> {
    answer.llm.as_ref().unwrap().error.as_ref().map(|fault| fault.code)
}

#[test]
fn a_good_reply_fills_what_words_alone_do_not() {
    let reply = says("run_tpr_step", &json!({ "test_method": "microscopy", "age_group": null }), 0.9);
    let (answer, asked) = asked(vec![reply], VAGUE, "run_tpr_step");
    assert_eq!((answer.outcome, &answer.args["test_method"]), (Outcome::Run, &json!("microscopy")));
    let slot = answer.slots.get("test_method").unwrap();
    assert_eq!((slot.matched_by, slot.confidence, answer.matched_by), (By::Llm, 0.9, By::Llm));
    let llm = answer.llm.unwrap();
    assert_eq!((llm.used, llm.mode, llm.requests, llm.error), (true, Some("json_schema"), 1, None));
    assert!(answer.reason.ends_with("the language model: as said"), "{}", answer.reason);
    assert_eq!(asked.len(), 1);
}

#[test]
fn the_prompt_holds_one_tool_its_examples_and_what_is_known() {
    let mut request = open("wet places first", "analyze_data");
    request.memory.insert("chart".to_owned(), json!("pie"));
    request.options = vec![json!("rainfall"), json!("slope")];
    let reply = says("analyze_data", &json!({ "N": 10, "variable": "rainfall" }), 0.9);
    let (_, asked) = asked_within(vec![reply], &request, BUDGET_MS);
    let body = &asked[0].body;
    let task = body["messages"][0]["content"].as_str().unwrap();
    for told in ["Tool analyze_data", "\"variable\""] {
        assert!(task.contains(told), "{told} in {task}");
    }
    assert!(!task.contains("run_tpr_step") && !task.contains("x-examples"), "{task}");
    let scene: Value = serde_json::from_str(body["messages"][1]["content"].as_str().unwrap()).unwrap();
    assert_eq!((&scene["message"], &scene["memory"]["chart"]), (&json!("wet places first"), &json!("pie")));
    assert_eq!((&scene["session"]["tpr_complete"], &scene["options"][1]), (&json!(true), &json!("slope")));
    assert_eq!(scene["columns"]["rainfall"][0], json!("rain"));
    let form = &body["response_format"]["json_schema"];
    assert_eq!(
        (&form["strict"], &form["schema"]["properties"]["tool"]["enum"]),
        (&json!(true), &json!(["analyze_data"]))
    );
    assert!(task.len() < 4_000, "{} bytes", task.len());
}

#[test]
fn whatever_goes_wrong_our_own_answer_stands_and_says_why() {
    let wrong = |args: Value| says("run_tpr_step", &args, 0.9);
    let json = |reply: Value| Does::Replies(reply);
    for (script, expected, requests) in [
        (vec![Does::Says("{\"tool\": ".to_owned())], "llm_not_json", 2),
        (vec![Does::Says("Primary, I think.".to_owned())], "llm_not_json", 2),
        (vec![wrong(json!({ "facility_level": "quaternary" }))], "llm_bad_value", 2),
        (vec![wrong(json!({ "facility_level": 3 }))], "llm_bad_value", 2),
        (vec![wrong(json!({ "facility_level": "primary", "sudo": true }))], "llm_unknown_field", 2),
        (vec![says("delete_data", &json!({}), 0.9)], "llm_other_tool", 2),
        (vec![json(json!([{ "tool": "run_tpr_step" }, { "tool": "risk" }]))], "llm_bad_reply", 2),
        (
            vec![json(
                json!({ "tool": "run_tpr_step", "args": {}, "confidence": 1, "reason": "", "tools": ["risk"] }),
            )],
            "llm_unknown_field",
            2,
        ),
        (vec![Does::Calls("risk".to_owned(), json!({}))], "llm_other_tool", 1),
        (
            vec![json(json!({ "tool": "run_tpr_step", "args": {}, "confidence": 90, "reason": "" }))],
            "llm_bad_reply",
            2,
        ),
        (vec![wrong(json!({})), wrong(json!({}))], "", 1),
        (vec![says("run_tpr_step", &json!({ "facility_level": "all" }), 0.2)], "llm_unsure", 1),
        (vec![Does::Ends(json!({ "refusal": "I will not." }), "stop")], "llm_declined", 1),
        (vec![Does::refuses(401, "wrong key")], "llm_refused", 1),
        (vec![Does::HangsUp], "llm_unreachable", 1),
    ] {
        let shown = format!("{script:?}");
        let (answer, _) = asked(script, VAGUE, "run_tpr_step");
        assert_eq!(code(&answer).unwrap_or_default(), expected, "{shown}: {:?}", answer.llm);
        assert_eq!(answer.llm.as_ref().unwrap().requests, requests, "{shown}");
        assert!(answer.outcome != Outcome::Run && answer.args.is_empty(), "{shown}");
        if !expected.is_empty() {
            assert_eq!(answer.outcome, Outcome::Clarify, "as without a model: {shown}");
        }
        assert!(answer.reason.contains(expected), "{}", answer.reason);
    }
}

#[test]
fn a_stall_ends_with_the_budget() {
    let (answer, asked) = asked_within(vec![Does::Stalls], &open(VAGUE, "run_tpr_step"), BUDGET_SHORT_MS);
    assert_eq!((code(&answer), answer.outcome), (Some("llm_timed_out"), Outcome::Clarify));
    assert_eq!(asked.len(), 1);
    // Asking once more has what is left of the time and no more.
    let bad = says("run_tpr_step", &json!({ "facility_level": "no" }), 0.9);
    let (answer, asked) =
        asked_within(vec![bad, Does::Stalls], &open(VAGUE, "run_tpr_step"), BUDGET_SHORT_MS);
    assert_eq!((code(&answer), answer.outcome, asked.len()), (Some("llm_timed_out"), Outcome::Clarify, 2));
}

#[test]
fn what_passes_is_tried_again() {
    let good = || says("run_tpr_step", &json!({ "test_method": "rdt" }), 0.95);
    for first in [Does::asks_to_wait(429, "0"), Does::HangsUp] {
        let (answer, asked) = asked(vec![first, good()], VAGUE, "run_tpr_step");
        let llm = answer.llm.as_ref().unwrap();
        assert_eq!((llm.used, llm.requests, asked.len()), (true, 2, 2));
        assert_eq!((answer.outcome, &answer.args["test_method"]), (Outcome::Run, &json!("rdt")));
    }
}

#[test]
fn a_reply_is_repaired_once_with_what_was_wrong() {
    let bad = says("run_tpr_step", &json!({ "test_method": "lens" }), 0.9);
    let good = says("run_tpr_step", &json!({ "test_method": "microscopy" }), 0.9);
    let (answer, asked) = asked(vec![bad, good], VAGUE, "run_tpr_step");
    assert_eq!((answer.outcome, &answer.args["test_method"]), (Outcome::Run, &json!("microscopy")));
    let llm = answer.llm.as_ref().unwrap();
    assert_eq!((llm.used, llm.requests), (true, 2));
    let turns = asked[1].body["messages"].as_array().unwrap();
    assert_eq!((turns.len(), &turns[2]["role"]), (4, &json!("assistant")));
    let told = turns[3]["content"].as_str().unwrap();
    assert!(told.contains("lens") && told.contains("test_method"), "{told}");
}

#[test]
fn a_value_that_stands_nowhere_is_asked_about() {
    let check = |tool: &str, text: &str, args: Value, slot: &str| {
        let (answer, _) = asked(vec![says(tool, &args, 0.95)], text, tool);
        assert_eq!(answer.outcome, Outcome::Clarify, "{text}: {:?} {}", answer.args, answer.reason);
        assert_eq!(answer.clarification.unwrap().slot.as_deref(), Some(slot), "{text}");
    };
    // Numbers, columns and choices that the message has no words for.
    check("itn", "as many nets as last year", json!({ "total_nets": 150_000 }), "total_nets");
    check(
        "run_tpr_step",
        "anything but tertiary",
        json!({ "facility_level": "secondary" }),
        "facility_level",
    );
    check("run_tpr_step", "not the tertiary ones", json!({ "facility_level": "tertiary" }), "facility_level");
    check("analyze_data", "500 wards by rainfall", json!({ "N": 200, "variable": "rainfall" }), "N");
}

#[test]
fn what_is_remembered_or_seen_is_no_invention() {
    let mut request = open("the number from the other day", "itn");
    request.memory.insert("total_nets".to_owned(), json!(150_000));
    let (answer, _) =
        asked_within(vec![says("itn", &json!({ "total_nets": 150_000 }), 0.9)], &request, BUDGET_MS);
    assert_eq!((answer.outcome, &answer.args["total_nets"]), (Outcome::Run, &json!(150_000)));
    // What the reader is sure of is not asked about.
    let (answer, _) =
        asked(vec![says("itn", &json!({ "total_nets": 200_000 }), 0.5)], "make it 200k nets", "itn");
    let slot = answer.slots.get("total_nets").unwrap();
    assert_eq!((answer.outcome, slot.matched_by, slot.span), (Outcome::Run, By::Number, Some([8, 12])));
    // Half sure asks.
    let (answer, _) = asked(
        vec![says("run_tpr_step", &json!({ "test_method": "microscopy" }), 0.5)],
        VAGUE,
        "run_tpr_step",
    );
    assert_eq!((answer.outcome, answer.confidence), (Outcome::Clarify, 0.5));
}

#[test]
fn nobody_is_asked_in_vain() {
    // While a gate is closed, where the message only goes on, and where there is nothing to read.
    let server = ChatServer::scripted(vec![says("itn", &json!({ "total_nets": 200_000 }), 1.0)]);
    let with = interpreter().with_llm(settings(&server, BUDGET_MS));
    for request in [Request::new("200k nets", "itn"), open("go ahead", "risk"), open("  ", "itn")] {
        let answer = with.answer(&request).unwrap();
        let llm = answer.llm.unwrap();
        assert_eq!((llm.used, llm.requests, llm.error), (false, 0, None), "{}", request.text);
    }
    // A catalog without `llm` has nobody to ask.
    let answer = interpreter().answer(&open("200k nets", "itn")).unwrap();
    assert!(answer.llm.is_none() && !serde_json::to_string(&answer).unwrap().contains("\"llm\""));
    assert!(server.asked().is_empty() && server.asked_for_models() == 0);
}

/// A model that says what it was last told to.
#[derive(Default)]
struct Parrot(Mutex<Value>);

impl LanguageModel for Parrot {
    fn id(&self) -> &'static str {
        "parrot"
    }

    fn ask(&self, _: &Prompt) -> Result<Reply, LlmError> {
        let (usage, mode) = (Usage::default(), ReplyMode::Prompt);
        Ok(Reply { value: self.0.lock().unwrap().clone(), usage, mode, requests: 1, elapsed: Duration::ZERO })
    }
}

// What the examples of the catalog teach is learned once for all replies.
static PARROT: LazyLock<Arc<Parrot>> = LazyLock::new(Arc::default);
static ALONE: LazyLock<Interpreter> = LazyLock::new(interpreter);
static ADVISED: LazyLock<Interpreter> = LazyLock::new(|| {
    let model: Arc<Parrot> = Arc::clone(&PARROT);
    interpreter().with_language_model(model, Duration::from_secs(1))
});

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-1_000_000i64..1_000_000).prop_map(Value::from),
        (-1e9..1e9f64).prop_map(Value::from),
        prop::sample::select(vec![
            "primary",
            "all",
            "rdt",
            "composite",
            "pca",
            "rainfall",
            "bar",
            "",
            "rm -rf"
        ])
        .prop_map(Value::from),
        prop::collection::vec("[a-z]{0,8}", 0..3).prop_map(Value::from),
    ]
}

fn replies() -> impl Strategy<Value = Value> {
    let names =
        ["facility_level", "test_method", "total_nets", "urban_threshold", "method", "variable", "N", "gate"];
    let tools = ["run_tpr_step", "risk", "itn", "analyze_data", "open_gate"];
    let args = prop::collection::btree_map(prop::sample::select(names.to_vec()), values(), 0..5);
    let said = (prop::sample::select(tools.to_vec()), args, -0.5..1.5f64);
    prop_oneof![
        8 => said.prop_map(|(tool, args, sure)| json!({ "tool": tool, "args": args, "confidence": sure, "reason": "x" })),
        1 => values(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// No reply adds a tool, opens a gate or widens a range; and what runs holds to the schema.
    #[test]
    fn no_reply_does_harm(
        reply in replies(),
        tool in prop::sample::select(vec!["run_tpr_step", "risk", "itn", "analyze_data"]),
        text in prop::sample::select(vec!["go with primary", "200k nets", "top 300 by rainfall", "pca please", "skip all gates", ""]),
        done in any::<bool>(),
    ) {
        let facts = ["tpr_complete", "risk_complete"].map(|fact| (fact.to_owned(), Fact::Flag(done)));
        let request = Request { session: BTreeMap::from(facts), ..Request::new(text, tool) };
        let alone = ALONE.answer(&request).unwrap();
        *PARROT.0.lock().unwrap() = reply;
        let answer = ADVISED.answer(&request).unwrap();
        prop_assert_eq!(&answer.tool, &alone.tool);
        prop_assert_eq!(&answer.gates, &alone.gates);
        prop_assert!(answer.outcome != Outcome::Run || answer.gates.iter().all(|gate| gate.allowed));
        assert_valid(&answer);
        let known = |name: &String| alone.tool.as_deref().is_some_and(|tool| {
            let tools = ROUTER.catalog().tools();
            let schema = tools.iter().find(|own| own.name == tool).unwrap().input_schema.as_ref().unwrap();
            schema["properties"].get(name).is_some()
        });
        prop_assert!(answer.args.keys().all(known));
    }
}
