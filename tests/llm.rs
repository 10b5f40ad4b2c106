//! Does a language model answer in a form that can be used, and is there always an end, whatever its endpoint does?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use support::chat_server::{ChatServer, Does, TOKENS};
use waypost::ports::llm::{ChatModel, FAILURES_MAX, LlmError, LlmSettings, Prompt, REST_MS, ReplyMode};
use waypost::ports::{Clock, LanguageModel};

/// A clock that goes when it is told to.
#[derive(Default)]
struct HandClock(AtomicU64);

impl HandClock {
    fn pass(&self, ms: u64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

fn settings(server: &ChatServer) -> LlmSettings {
    LlmSettings {
        model: Some("small".to_owned()),
        retries: 0,
        seed: Some(1),
        ..LlmSettings::new(server.url())
    }
}

fn model(server: &ChatServer) -> ChatModel {
    ChatModel::new(settings(server)).unwrap()
}

fn good() -> Value {
    json!({ "colour": "blue" })
}

fn prompt() -> Prompt {
    let schema = json!({ "type": "object", "properties": { "colour": { "enum": ["red", "blue"] } } });
    Prompt::new("paint", schema).system("Which colour is meant?").user("like the sky")
}

/// What a model whose endpoint does this tells, with the code of its error.
fn told(does: Does) -> (String, LlmError) {
    let server = ChatServer::scripted(vec![does]);
    let within = LlmSettings { timeout_ms: 5_000, ..settings(&server) };
    let error = ChatModel::new(within).unwrap().ask(&prompt()).unwrap_err();
    assert_eq!(server.asked().len(), 1, "what would come again is not asked again: {error}");
    (error.code().to_owned(), error)
}

#[test]
fn a_good_reply_is_had_in_every_mode() {
    for mode in ReplyMode::NAMES {
        let server = ChatServer::scripted(vec![Does::Replies(good())]);
        let first = LlmSettings { reply_mode: ReplyMode::named(mode).unwrap(), ..settings(&server) };
        let model = ChatModel::new(first).unwrap();
        let reply = model.ask(&prompt()).unwrap();
        assert_eq!((reply.value, reply.mode.name(), reply.requests), (good(), *mode, 1));
        assert_eq!((reply.usage.prompt, reply.usage.completion), TOKENS);
        assert_eq!(server.modes(), [*mode]);
        let asked = &server.asked()[0];
        assert_eq!((asked.path.as_str(), &asked.body["model"]), ("/v1/chat/completions", &json!("small")));
        assert_eq!((&asked.body["temperature"], &asked.body["max_tokens"]), (&json!(0.0), &json!(1024)));
        assert!(!asked.headers.iter().any(|header| header.starts_with("authorization")), "no key is needed");
    }
}

#[test]
fn what_an_endpoint_cannot_do_falls_back_and_is_remembered() {
    let server = ChatServer::scripted(vec![
        Does::refuses(400, "'response_format.type' must be 'json_object' or 'text'"),
        Does::refuses(400, "small does not support tools"),
        Does::Sends(422, String::new(), Vec::new()),
        Does::Says("Here it is:\n```json\n{\"colour\": \"blue\"}\n```".to_owned()),
        Does::Replies(good()),
    ]);
    let model = model(&server);
    let reply = model.ask(&prompt()).unwrap();
    assert_eq!((reply.value, reply.mode, reply.requests), (good(), ReplyMode::Prompt, 4));
    assert_eq!(server.modes(), ReplyMode::NAMES);
    let said = server.asked()[3].body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(
        said.starts_with("Which colour is meant?") && said.contains("\"enum\":[\"red\",\"blue\"]"),
        "{said}"
    );
    assert_eq!(model.ask(&prompt()).unwrap().mode, ReplyMode::Prompt);
    assert_eq!(server.asked().len(), 5, "it is not asked again what it cannot do");
}

#[test]
fn models_that_want_to_be_asked_otherwise_are() {
    let server = ChatServer::scripted(vec![
        Does::refuses(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        Does::refuses(400, "Unsupported value: 'temperature' does not support 0 with this model."),
        Does::Replies(good()),
    ]);
    let reply = model(&server).ask(&prompt()).unwrap();
    assert_eq!((reply.mode, reply.requests), (ReplyMode::JsonSchema, 3));
    let last = &server.asked()[2].body;
    assert_eq!(last["max_completion_tokens"], 1024);
    assert!(last.get("max_tokens").is_none() && last.get("temperature").is_none(), "{last}");
}

#[test]
fn an_endpoint_that_passes_over_the_form_is_asked_in_another() {
    let prose = || Does::Says("The sky is blue.".to_owned());
    let server = ChatServer::scripted(vec![prose(), prose(), Does::Replies(good())]);
    let model = model(&server);
    for _ in 0..2 {
        assert_eq!(model.ask(&prompt()).unwrap_err().code(), "llm_not_json");
    }
    assert_eq!(model.ask(&prompt()).unwrap().mode, ReplyMode::ToolCall);
}

#[test]
fn the_model_is_asked_for_where_none_is_named() {
    let nameless = |server: &ChatServer| LlmSettings { model: None, ..settings(server) };
    let server = ChatServer::serving(&["only"], vec![Does::Replies(good())]);
    let model = ChatModel::new(nameless(&server)).unwrap();
    for _ in 0..2 {
        model.ask(&prompt()).unwrap();
    }
    assert_eq!(server.asked_for_models(), 1, "it is asked once");
    assert_eq!(server.asked()[1].body["model"], "only");

    let several = ChatServer::serving(&["small", "large"], vec![Does::Replies(good())]);
    let error = ChatModel::new(nameless(&several)).unwrap().ask(&prompt()).unwrap_err();
    assert_eq!(error.code(), "llm_no_model");
    assert!(error.to_string().contains("`model` may be small, large"), "{error}");
    assert_eq!(several.asked().len(), 0);

    let none = ChatServer::serving(&[], vec![Does::Replies(good())]);
    ChatModel::new(nameless(&none)).unwrap().ask(&prompt()).unwrap();
    assert!(none.asked()[0].body.get("model").is_none());
}

#[test]
fn every_reply_that_cannot_be_used_has_its_own_code() {
    let body = |bytes: &[u8]| Does::Sends(200, String::new(), bytes.to_vec());
    let whole = json!({ "content": "{\"colour\": \"blue\"}" });
    for (does, code) in [
        (Does::Says("{\"colour\": ".to_owned()), "llm_not_json"),
        (Does::Says("The sky is blue.".to_owned()), "llm_not_json"),
        (Does::Says("{\"colour\": \"red\"} or {\"colour\": \"blue\"}".to_owned()), "llm_not_json"),
        (Does::Ends(whole, "length"), "llm_cut_off"),
        (Does::Ends(json!({ "refusal": "I will not." }), "stop"), "llm_declined"),
        (Does::Ends(json!({ "content": "" }), "content_filter"), "llm_declined"),
        (Does::Calls("delete_everything".to_owned(), json!({})), "llm_other_tool"),
        (body(br#"{"choices": []}"#), "llm_no_choices"),
        (body(b"<html>"), "llm_garbled"),
        (body(b"\"\xff\""), "llm_not_utf8"),
        (body(&vec![b' '; (4 << 20) + 1]), "llm_too_long"),
        (Does::refuses(401, "wrong key"), "llm_refused"),
        (Does::refuses(404, "model 'small' not found"), "llm_refused"),
        (Does::HangsUp, "llm_unreachable"),
    ] {
        let shown = format!("{does:?}").chars().take(100).collect::<String>();
        let (found, error) = told(does);
        assert_eq!(found, code, "{shown}: {error}");
    }
}

#[test]
fn a_value_outside_the_schema_is_for_the_caller_to_see() {
    let server = ChatServer::scripted(vec![Does::Replies(json!({ "colour": "mauve", "more": 1 }))]);
    assert_eq!(model(&server).ask(&prompt()).unwrap().value, json!({ "colour": "mauve", "more": 1 }));
}

#[test]
fn a_stall_ends_with_the_time() {
    let server = ChatServer::scripted(vec![Does::Stalls]);
    let model = ChatModel::new(LlmSettings { timeout_ms: 60, retries: 2, ..settings(&server) }).unwrap();
    let error = model.ask(&prompt()).unwrap_err();
    let expected = LlmError::TimedOut { url: server.url(), ms: 60 };
    assert_eq!(error, expected);
    assert!(server.asked().len() <= 1, "there is no time for another attempt");
    let hurried = model.ask(&prompt().within(Duration::from_millis(20))).unwrap_err();
    assert_eq!(hurried, LlmError::TimedOut { url: server.url(), ms: 20 });
}

#[test]
fn what_passes_is_tried_again_when_it_was_asked_for() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
    let dated = format!("Date: {date}\r\nRetry-After: {date}\r\n");
    for first in [Does::asks_to_wait(429, "0"), Does::Sends(503, dated, Vec::new()), Does::HangsUp] {
        let server = ChatServer::scripted(vec![first, Does::Replies(good())]);
        let model = ChatModel::new(LlmSettings { retries: 1, ..settings(&server) }).unwrap();
        let reply = model.ask(&prompt()).unwrap();
        assert_eq!((reply.value, reply.requests, server.asked().len()), (good(), 2, 2));
    }
    let server = ChatServer::scripted(vec![Does::asks_to_wait(429, "0")]);
    let model = ChatModel::new(LlmSettings { retries: 2, ..settings(&server) }).unwrap();
    let error = model.ask(&prompt()).unwrap_err();
    assert!(matches!(error, LlmError::Refused { status: 429, .. }), "{error}");
    assert_eq!(server.asked().len(), 3);
}

#[test]
fn an_endpoint_that_asks_for_a_long_rest_gets_it() {
    let server = ChatServer::scripted(vec![Does::asks_to_wait(429, "120"), Does::Replies(good())]);
    let clock = Arc::new(HandClock::default());
    let patient = LlmSettings { retries: 2, ..settings(&server) };
    let model = ChatModel::with_clock(patient, Arc::clone(&clock) as Arc<dyn Clock>).unwrap();
    assert_eq!(model.ask(&prompt()).unwrap_err().code(), "llm_refused", "nobody waits two minutes");
    assert_eq!(model.ask(&prompt()).unwrap_err(), LlmError::Resting { url: server.url(), ms: 120_000 });
    assert_eq!(server.asked().len(), 1);
    clock.pass(120_000);
    assert_eq!(model.ask(&prompt()).unwrap().value, good());
}

#[test]
fn the_breaker_opens_rests_and_tries_one() {
    let failures = usize::try_from(FAILURES_MAX).unwrap();
    let broken = || Does::refuses(500, "out of memory");
    let mut script = vec![broken(); failures + 1];
    script.push(Does::Replies(good()));
    let server = ChatServer::scripted(script);
    let clock = Arc::new(HandClock::default());
    let model = ChatModel::with_clock(settings(&server), Arc::clone(&clock) as Arc<dyn Clock>).unwrap();
    let ask = || model.ask(&prompt()).map(|reply| reply.value).map_err(|error| error.code().to_owned());
    for _ in 0..failures {
        assert_eq!(ask(), Err("llm_refused".to_owned()));
    }
    clock.pass(REST_MS - 1);
    assert_eq!(ask(), Err("llm_resting".to_owned()));
    assert_eq!(server.asked().len(), failures, "no connection is made while it rests");
    clock.pass(1);
    assert_eq!(ask(), Err("llm_refused".to_owned()), "half open: one is tried, and fails");
    assert_eq!(ask(), Err("llm_resting".to_owned()));
    clock.pass(REST_MS);
    assert_eq!(ask(), Ok(good()), "half open: one is tried, and closes it");
    assert_eq!((ask(), server.asked().len()), (Ok(good()), failures + 3));
}

#[test]
fn keys_go_to_the_endpoint_and_are_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    std::fs::write(&file, "s3cret\n").unwrap();
    let server = ChatServer::scripted(vec![Does::Replies(good()), Does::refuses(401, "wrong key s3cret!")]);
    let url = server.url().replace("http://", "http://me:passw0rd@");
    let keyed = LlmSettings { base_url: url, key_file: Some(file.clone()), ..settings(&server) };
    let model = ChatModel::new(keyed.clone()).unwrap();
    model.ask(&prompt()).unwrap();
    let headers = server.asked()[0].headers.join("\n");
    assert!(headers.contains("authorization: Bearer s3cret"), "{headers}");
    let refused = model.ask(&prompt()).unwrap_err();
    assert!(refused.to_string().contains("401: {\"error\":{\"message\":\"wrong key …!\"}}"), "{refused}");

    let without = |settings: LlmSettings| ChatModel::new(settings).unwrap_err();
    let unset = Some("WAYPOST_TEST_UNSET".to_owned());
    let no_variable = without(LlmSettings { key_env: unset, key_file: None, ..keyed.clone() });
    let no_file = without(LlmSettings { key_file: Some(folder.path().join("none")), ..keyed.clone() });
    std::fs::write(&file, "s3cret\u{7}").unwrap();
    let odd = without(keyed.clone());
    let no_url = without(LlmSettings { base_url: "me:passw0rd@host".to_owned(), ..keyed.clone() });
    for (error, code) in [
        (&no_variable, "llm_no_key"),
        (&no_file, "llm_no_key_file"),
        (&odd, "llm_unreachable"),
        (&no_url, "llm_unreachable"),
    ] {
        assert_eq!(error.code(), code, "{error}");
    }
    let shown = format!(
        "{model:?} {} {keyed:?} {refused} {refused:?} {no_variable:?} {no_file:?} {odd} {odd:?} {no_url:?}",
        model.id()
    );
    assert!(!shown.contains("s3cret") && !shown.contains("passw0rd"), "{shown}");
}

#[test]
fn a_budget_that_is_spent_asks_nothing() {
    let server = ChatServer::scripted(vec![Does::Replies(good())]);
    let clock = Arc::new(HandClock::default());
    let with = |settings| ChatModel::with_clock(settings, Arc::clone(&clock) as Arc<dyn Clock>).unwrap();
    let frugal = LlmSettings { max_tokens: 20, ..settings(&server) };
    let model = with(LlmSettings { tokens_in_all: Some(100), ..frugal.clone() });
    let asked = (0..20).take_while(|_| model.ask(&prompt()).is_ok()).count();
    assert_eq!(model.used().total(), 15 * u64::try_from(asked).unwrap());
    let error = model.ask(&prompt()).unwrap_err();
    assert!(
        error.code() == "llm_over_budget" && error.to_string().contains("of 100 are left in all"),
        "{error}"
    );
    assert_eq!((server.asked().len(), asked > 0), (asked, true));

    let model = with(LlmSettings { tokens_per_minute: Some(60), ..frugal });
    assert!(model.ask(&prompt()).is_ok());
    assert_eq!(model.ask(&prompt()).unwrap_err().code(), "llm_over_budget");
    clock.pass(60_000);
    assert!(model.ask(&prompt()).is_ok(), "a minute fills it up");
}

#[test]
fn no_more_are_asked_at_once_than_may_be() {
    let server = ChatServer::scripted(vec![Does::Waits(good())]);
    let model = ChatModel::new(LlmSettings { at_once: 2, ..settings(&server) }).unwrap();
    thread::scope(|scope| {
        let asking: Vec<_> = (0..6).map(|_| scope.spawn(|| model.ask(&prompt()))).collect();
        server.wait_until_open(2);
        let hurried = model.ask(&prompt().within(Duration::from_millis(20))).unwrap_err();
        assert_eq!(hurried, LlmError::Busy { url: server.url(), at_once: 2 });
        server.release();
        for asked in asking {
            assert_eq!(asked.join().unwrap().unwrap().value, good());
        }
    });
    assert_eq!((server.open_max(), server.asked().len()), (2, 6));
}
