//! Is every mode asked in its way, and every reply read for what it is?

use super::*;

fn prompt(schema: Value) -> Prompt {
    Prompt::new("paint", schema).system("Which colour?").user("like the sky")
}

fn asked(mode: ReplyMode, schema: &Value) -> Value {
    let manner = Manner { model: Some("m"), temperature: 0.0, max_tokens: 9 };
    question(&prompt(schema.clone()), &manner, Abilities::beginning_with(mode))
}

#[test]
fn each_mode_is_asked_in_its_way() {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let by_schema = asked(ReplyMode::JsonSchema, &schema);
    assert_eq!(
        by_schema,
        json!({
            "messages": [
                { "role": "system", "content": "Which colour?" },
                { "role": "user", "content": "like the sky" }
            ],
            "stream": false, "model": "m", "temperature": 0.0, "max_tokens": 9,
            "response_format": {
                "type": "json_schema",
                "json_schema": { "name": "paint", "schema": schema, "strict": false }
            }
        })
    );
    let by_tool = asked(ReplyMode::ToolCall, &schema);
    assert_eq!(by_tool["tools"][0]["function"]["parameters"], schema);
    assert_eq!(by_tool["tool_choice"]["function"]["name"], "paint");
    assert_eq!((&by_tool["response_format"], &by_tool["messages"]), (&Value::Null, &by_schema["messages"]));
    let told = format!("Which colour?\n\n{IN_WORDS}\n{schema}");
    let by_object = asked(ReplyMode::JsonObject, &schema);
    assert_eq!(by_object["response_format"], json!({ "type": "json_object" }));
    assert_eq!(by_object["messages"][0]["content"], told.as_str());
    let by_words = asked(ReplyMode::Prompt, &schema);
    assert_eq!((&by_words["response_format"], &by_words["tools"]), (&Value::Null, &Value::Null));
    assert_eq!(by_words["messages"], by_object["messages"]);
}

#[test]
fn a_conversation_without_a_task_gets_one() {
    let manner = Manner { model: None, temperature: 0.5, max_tokens: 9 };
    let prompt = Prompt::new("x", json!({})).user("hello").assistant("hm").user("go on");
    let question = question(&prompt, &manner, Abilities::beginning_with(ReplyMode::Prompt));
    let roles: Vec<&str> =
        question["messages"].as_array().unwrap().iter().filter_map(|m| m["role"].as_str()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert_eq!((&question["model"], &question["temperature"]), (&Value::Null, &json!(0.5)));
}

#[test]
fn strictness_is_promised_only_for_what_is_closed() {
    let check = |schema: Value, closed: bool| assert_eq!(is_closed(&schema), closed, "{schema}");
    let text = || json!({ "type": "string" });
    let object = |required: Value, more: Value, inner: Value| json!({ "type": "object", "properties": { "a": inner }, "required": required, "additionalProperties": more });
    check(object(json!(["a"]), json!(false), text()), true);
    check(object(json!([]), json!(false), text()), false);
    check(object(json!(["a"]), json!(true), text()), false);
    check(object(json!(["a"]), json!(false), object(json!([]), json!(false), text())), false);
    check(object(json!(["a"]), json!(false), json!({ "type": "object" })), false);
    check(object(json!(["a"]), json!(false), json!({})), false);
    check(object(json!(["a"]), json!(false), json!({ "type": "array", "items": text() })), true);
    check(text(), true);
}

fn choice(message: &Value, finish: &str) -> String {
    let choices = json!([{ "message": message, "finish_reason": finish }]);
    json!({ "choices": choices, "usage": { "prompt_tokens": 3, "completion_tokens": 4 } }).to_string()
}

#[test]
fn replies_are_read_for_what_they_are() {
    let one = || Ok(json!({ "a": 1 }));
    let check = |message: Value, finish: &str, expected: Result<Value, Unfit>| {
        let (usage, value) = read(&choice(&message, finish), "paint");
        assert_eq!((usage.map(Usage::total), value), (Some(7), expected), "{message}");
    };
    let call = |name: &str, arguments: Value| json!({ "function": { "name": name, "arguments": arguments } });
    let calls = |calls: &[Value]| json!({ "content": null, "tool_calls": calls });
    check(json!({ "content": "{\"a\": 1}" }), "stop", one());
    check(json!({ "content": [{ "type": "text", "text": "{\"a\"" }, { "text": ": 1}" }] }), "stop", one());
    check(calls(&[call("paint", json!("{\"a\": 1}"))]), "tool_calls", one());
    check(calls(&[call("paint", json!({ "a": 1 }))]), "tool_calls", one());
    check(calls(&[call("rm", json!("{}")), call("paint", json!("{\"a\": 1}"))]), "tool_calls", one());
    check(calls(&[call("rm", json!("{}"))]), "tool_calls", Err(Unfit::OtherTool("rm".to_owned())));
    check(json!({ "content": "{\"a\": 1}", "tool_calls": [] }), "stop", one());
    check(json!({ "content": "{\"a\": 1}" }), "length", Err(Unfit::CutOff));
    check(json!({ "content": "" }), "content_filter", Err(Unfit::Declined(String::new())));
    check(json!({ "refusal": "I will not." }), "stop", Err(Unfit::Declined("I will not.".to_owned())));
    check(json!({ "content": "{\"a\": 1}", "refusal": null }), "stop", one());
    check(json!({ "content": null }), "stop", Err(Unfit::NotJson("it is empty".to_owned())));
}

#[test]
fn what_is_no_completion_is_told() {
    assert_eq!(read(r#"{"choices": []}"#, "x"), (None, Err(Unfit::NoChoices)));
    assert_eq!(read("{}", "x"), (None, Err(Unfit::NoChoices)));
    for garbled in ["<html>", "", "[]", r#"{"choices": 3}"#, r#"{"error": {"message": "out of memory"}}"#] {
        assert!(matches!(read(garbled, "x"), (None, Err(Unfit::Garbled(_)))), "{garbled}");
    }
    assert_eq!(models(br#"{"data": [{"id": "a"}, {"id": "b"}]}"#).unwrap(), ["a", "b"]);
    assert_eq!(models(b"no"), None);
}
