//! Can a reply be taken? One tool, its own arguments, values that hold to its schema, and how sure the model is.

use serde_json::{Map, Value};
use waypost_core::arguments::ASK_MIN;

use super::LlmFault;
use crate::arguments::known::Known;

/// Most characters that are told of what a model says.
const SAID_CHARS_MAX: usize = 160;
/// Most faults that are told of one reply.
const FAULTS_MAX: usize = 5;
/// The keys of a reply.
const KEYS: [&str; 4] = ["tool", "args", "confidence", "reason"];

/// What a model says, as far as it holds to what it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    pub args: Map<String, Value>,
    pub confidence: f32,
    pub reason: String,
}

/// Reads a reply for a tool.
pub(super) fn read(reply: &Value, known: &Known) -> Result<Said, LlmFault> {
    let Value::Object(reply) = reply else {
        return Err(fault("llm_bad_reply", "the reply is no JSON object".to_owned()));
    };
    if let Some(other) = reply.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(fault(
            "llm_unknown_field",
            format!("the reply has {:?}, which is not asked for", clip(other)),
        ));
    }
    match reply.get("tool").and_then(Value::as_str) {
        Some(tool) if tool == known.tool.name || tool == known.tool.full_name() => {}
        Some(tool) => {
            let message = format!("the reply is for {:?}, and {} is asked for", clip(tool), known.tool.name);
            return Err(fault("llm_other_tool", message));
        }
        None => return Err(fault("llm_bad_reply", "the reply names no `tool`".to_owned())),
    }
    let Some(Value::Object(args)) = reply.get("args") else {
        return Err(fault("llm_bad_reply", "the reply has no object `args`".to_owned()));
    };
    let args = told(args);
    check(&args, known)?;
    let reason = reply.get("reason").and_then(Value::as_str).unwrap_or_default();
    Ok(Said { args, confidence: sureness(reply.get("confidence"))?, reason: clip(reason) })
}

/// The arguments that say something: null, and what is empty, is how models leave one out.
fn told(args: &Map<String, Value>) -> Map<String, Value> {
    let kept = |value: &Value| match value {
        Value::Null => None,
        Value::Object(inner) => {
            let inner = told(inner);
            (!inner.is_empty()).then_some(Value::Object(inner))
        }
        Value::Array(items) if items.is_empty() => None,
        Value::String(text) if text.trim().is_empty() => None,
        other => Some(other.clone()),
    };
    args.iter().filter_map(|(name, value)| Some((name.clone(), kept(value)?))).collect()
}

fn check(args: &Map<String, Value>, known: &Known) -> Result<(), LlmFault> {
    if let Some(field) = known.tool.input_schema.as_ref().and_then(|schema| unknown(args, schema)) {
        let message = format!("{} has no argument {:?}", known.tool.name, clip(&field));
        return Err(fault("llm_unknown_field", message));
    }
    let faults: Vec<String> =
        known.faults_of_values(args).iter().take(FAULTS_MAX).map(|said| clip(said)).collect();
    if faults.is_empty() { Ok(()) } else { Err(fault("llm_bad_value", faults.join("; "))) }
}

/// A field that the schema does not name, whether or not it would let it pass.
fn unknown(args: &Map<String, Value>, schema: &Value) -> Option<String> {
    let named = schema.get("properties").and_then(Value::as_object);
    args.iter().find_map(|(name, value)| {
        let Some(property) = named.and_then(|named| named.get(name)) else { return Some(name.clone()) };
        // An object without properties of its own takes what comes.
        let inner = value.as_object().filter(|_| property.get("properties").is_some())?;
        unknown(inner, property).map(|field| format!("{name}.{field}"))
    })
}

/// How sure the model is. One that is not even sure enough to ask says nothing.
fn sureness(given: Option<&Value>) -> Result<f32, LlmFault> {
    let number = given.and_then(Value::as_f64).filter(|number| (0.0..=1.0).contains(number));
    let Some(number) = number else {
        return Err(fault("llm_bad_reply", "`confidence` is no number from 0 to 1".to_owned()));
    };
    #[allow(clippy::cast_possible_truncation)] // a share of one
    Ok(number as f32)
}

/// That a reply is too unsure to be heard.
pub(super) fn unsure(said: &Said) -> Option<LlmFault> {
    let message = || format!("the model is sure to {:.2} alone, and {ASK_MIN} is the least", said.confidence);
    (said.confidence < ASK_MIN).then(|| fault("llm_unsure", message()))
}

fn fault(code: &'static str, message: String) -> LlmFault {
    LlmFault { code, message }
}

/// What a model says, short enough to be told and without what a terminal would obey.
fn clip(text: &str) -> String {
    let plain = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut clipped: String = plain.clone().take(SAID_CHARS_MAX).collect();
    if plain.count() > SAID_CHARS_MAX {
        clipped.push('…');
    }
    clipped
}
