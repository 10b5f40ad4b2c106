//! What goes over the wire? A chat completion as OpenAI has it: the question in each mode, and what is read of the reply.

use serde::Deserialize;
use serde_json::{Value, json};

use super::abilities::{Abilities, TokensKey};
use super::found;
use super::prompt::{Prompt, ReplyMode, Speaker, Usage};

/// What is said to a model that is not held to the schema by its endpoint.
const IN_WORDS: &str =
    "Reply with one JSON value that fits the following JSON Schema, and with nothing else.";
/// What a tool is for that only takes the reply.
const TOOL_SAYS: &str = "Takes the reply. Call it once.";
/// Most characters that are told of what a model says instead of replying.
const SAID_CHARS_MAX: usize = 200;

/// What is the same for all questions.
#[derive(Clone, Debug)]
pub(super) struct Manner<'m> {
    pub(super) model: Option<&'m str>,
    pub(super) temperature: f64,
    pub(super) max_tokens: u32,
}

/// The question to an endpoint that can do so much.
pub(super) fn question(prompt: &Prompt, manner: &Manner<'_>, abilities: Abilities) -> Value {
    let mut question = json!({ "messages": messages(prompt, abilities.mode), "stream": false });
    let mut set = |key: &str, value: Value| {
        if let Some(question) = question.as_object_mut() {
            question.insert(key.to_owned(), value);
        }
    };
    if let Some(model) = manner.model {
        set("model", model.into());
    }
    if abilities.takes_temperature {
        set("temperature", manner.temperature.into());
    }
    match abilities.tokens_key {
        TokensKey::MaxTokens => set("max_tokens", manner.max_tokens.into()),
        TokensKey::MaxCompletionTokens => set("max_completion_tokens", manner.max_tokens.into()),
    }
    let (name, schema) = (prompt.sendable_name(), &prompt.schema);
    match abilities.mode {
        ReplyMode::JsonSchema => {
            let form = json!({ "name": name, "schema": schema, "strict": is_closed(schema) });
            set("response_format", json!({ "type": "json_schema", "json_schema": form }));
        }
        ReplyMode::ToolCall => {
            let function = json!({ "name": name, "description": TOOL_SAYS, "parameters": schema });
            set("tools", json!([{ "type": "function", "function": function }]));
            set("tool_choice", json!({ "type": "function", "function": { "name": name } }));
        }
        ReplyMode::JsonObject => set("response_format", json!({ "type": "json_object" })),
        ReplyMode::Prompt => {}
    }
    question
}

/// The conversation; where the endpoint does not hold the model to the schema, the first turn tells it. Several turns of the
/// system would be one too many for some models.
fn messages(prompt: &Prompt, mode: ReplyMode) -> Vec<Value> {
    let told = matches!(mode, ReplyMode::JsonObject | ReplyMode::Prompt);
    let schema = told.then(|| format!("{IN_WORDS}\n{}", prompt.schema));
    let mut turns: Vec<(Speaker, String)> =
        prompt.turns.iter().map(|turn| (turn.speaker, turn.text.clone())).collect();
    match (schema, turns.first_mut()) {
        (Some(schema), Some((Speaker::System, task))) => *task = format!("{task}\n\n{schema}"),
        (Some(schema), _) => turns.insert(0, (Speaker::System, schema)),
        (None, _) => {}
    }
    turns.into_iter().map(|(speaker, text)| json!({ "role": speaker.name(), "content": text })).collect()
}

/// Whether a schema leaves nothing open: every object names all its keys and needs them. Only then do endpoints promise to
/// hold a model to it, and refuse to where it is not so.
fn is_closed(schema: &Value) -> bool {
    let inner = match schema {
        // What may be anything is as open as can be.
        Value::Object(keys) => !keys.is_empty() && keys.values().all(is_closed),
        Value::Array(items) => items.iter().all(is_closed),
        _ => true,
    };
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return inner && schema.get("type") != Some(&Value::from("object"));
    };
    let required = schema.get("required").and_then(Value::as_array);
    let needs = |key: &String| required.is_some_and(|all| all.iter().any(|name| name == key.as_str()));
    inner && schema.get("additionalProperties") == Some(&Value::Bool(false)) && properties.keys().all(needs)
}

/// What a reply may be instead of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    Garbled(String),
    NoChoices,
    CutOff,
    Declined(String),
    OtherTool(String),
    NotJson(String),
}

#[derive(Deserialize)]
struct Completion {
    choices: Option<Vec<Choice>>,
    usage: Option<Counted>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    message: Option<Said>,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Said {
    content: Option<Value>,
    refusal: Option<String>,
    tool_calls: Option<Vec<Call>>,
}

#[derive(Deserialize)]
struct Call {
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    arguments: Value,
}

#[derive(Clone, Copy, Deserialize)]
struct Counted {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

/// What is read of a reply: the tokens it took, where they are counted, and the JSON.
pub(super) fn read(body: &str, name: &str) -> (Option<Usage>, Result<Value, Unfit>) {
    let completion: Completion = match serde_json::from_str(body) {
        Ok(completion) => completion,
        Err(error) => return (None, Err(Unfit::Garbled(error.to_string()))),
    };
    let usage = completion
        .usage
        .map(|counted| Usage { prompt: counted.prompt_tokens, completion: counted.completion_tokens });
    (usage, value(completion, name))
}

fn value(completion: Completion, name: &str) -> Result<Value, Unfit> {
    if let (None, Some(error)) = (&completion.choices, &completion.error) {
        return Err(Unfit::Garbled(beginning(&error.to_string())));
    }
    let first = completion.choices.and_then(|choices| choices.into_iter().next()).ok_or(Unfit::NoChoices)?;
    let said = first.message.unwrap_or_default();
    let text = said.content.as_ref().map(text).unwrap_or_default();
    if let Some(refusal) = said.refusal.filter(|refusal| !refusal.trim().is_empty()) {
        return Err(Unfit::Declined(beginning(&refusal)));
    }
    match first.finish_reason.as_deref() {
        Some("length") => return Err(Unfit::CutOff),
        Some("content_filter") => return Err(Unfit::Declined(beginning(&text))),
        _ => {}
    }
    let mut calls = said.tool_calls.unwrap_or_default().into_iter().map(|call| call.function).peekable();
    let other = calls.peek().map(|first| beginning(&first.name));
    match (calls.find(|call| call.name == name), other) {
        (Some(Function { arguments: Value::String(arguments), .. }), _) => found::json(&arguments),
        (Some(Function { arguments, .. }), _) => return Ok(arguments),
        (None, Some(other)) => return Err(Unfit::OtherTool(other)),
        (None, None) => found::json(&text),
    }
    .map_err(Unfit::NotJson)
}

/// The text of a message, which may come in parts.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        _ => String::new(),
    }
}

fn beginning(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(SAID_CHARS_MAX).collect()
}

#[derive(Deserialize)]
struct Models {
    data: Vec<Model>,
}

#[derive(Deserialize)]
struct Model {
    id: String,
}

/// The names of the models an endpoint says it serves.
pub(super) fn models(body: &[u8]) -> Option<Vec<String>> {
    let models: Models = serde_json::from_slice(body).ok()?;
    Some(models.data.into_iter().map(|model| model.id).collect())
}

#[cfg(test)]
mod tests;
