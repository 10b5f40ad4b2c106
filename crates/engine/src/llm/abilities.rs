//! What can the endpoint do? Learned from what it refuses, and remembered.

use serde_json::Value;

use super::prompt::ReplyMode;

/// Replies in a row that have no JSON in a mode, before the next one is taken: an endpoint that holds models to a form never
/// gives one, one that passes over the form always does, and once may be an accident.
const UNFIT_MAX: u32 = 2;
/// Most words of a refusal that says nothing: "Bad Request", "Unprocessable Entity: invalid request".
const VAGUE_WORDS_MAX: usize = 5;

/// What an endpoint can do, as far as it is known; what is not is hoped for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Abilities {
    pub(super) mode: ReplyMode,
    pub(super) tokens_key: TokensKey,
    pub(super) takes_temperature: bool,
    unfit: u32,
}

/// How a model is told how long a reply may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokensKey {
    /// As most endpoints want it.
    MaxTokens,
    /// As OpenAI's models want it that think first.
    MaxCompletionTokens,
}

/// What is to be done about a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lesson {
    /// It can do this much, and is asked again so.
    Learned(Abilities),
    /// It may be able to do this much; it is asked again so, and remembered if that helps.
    Guessed(Abilities),
    /// It is about something else.
    Nothing,
}

impl Abilities {
    /// All that is hoped for, beginning with this mode.
    pub(super) const fn beginning_with(mode: ReplyMode) -> Abilities {
        Abilities { mode, tokens_key: TokensKey::MaxTokens, takes_temperature: true, unfit: 0 }
    }

    /// What a refusal of a question teaches.
    pub(super) fn learn(self, status: u16, said: &str) -> Lesson {
        if !matches!(status, 400 | 404 | 405 | 415 | 422 | 501) {
            return Lesson::Nothing;
        }
        let said = complaint(said).to_lowercase();
        let names = |words: &[&str]| words.iter().any(|word| said.contains(word));
        if self.tokens_key == TokensKey::MaxTokens && names(&["max_completion_tokens"]) {
            return Lesson::Learned(Abilities { tokens_key: TokensKey::MaxCompletionTokens, ..self });
        }
        if self.takes_temperature && names(&["temperature"]) {
            return Lesson::Learned(Abilities { takes_temperature: false, ..self });
        }
        let Some(next) = self.mode.next() else { return Lesson::Nothing };
        let next = Abilities { mode: next, unfit: 0, ..self };
        let own: &[&str] = match self.mode {
            ReplyMode::JsonSchema => &["response_format", "json_schema", "schema", "structured", "grammar"],
            ReplyMode::ToolCall => &["tool", "function"],
            ReplyMode::JsonObject => &["response_format", "json_object", "json mode"],
            ReplyMode::Prompt => &[],
        };
        match names(own) {
            true => Lesson::Learned(next),
            // A path that is not there is no matter of modes.
            false if status != 404 && said.split_whitespace().count() <= VAGUE_WORDS_MAX => {
                Lesson::Guessed(next)
            }
            false => Lesson::Nothing,
        }
    }

    /// What is left where this and another refusal taught something.
    pub(super) fn with(self, other: Abilities) -> Abilities {
        let tokens_key = match (self.tokens_key, other.tokens_key) {
            (TokensKey::MaxTokens, TokensKey::MaxTokens) => TokensKey::MaxTokens,
            _ => TokensKey::MaxCompletionTokens,
        };
        Abilities {
            mode: self.mode.max(other.mode),
            tokens_key,
            takes_temperature: self.takes_temperature && other.takes_temperature,
            unfit: if self.mode >= other.mode { self.unfit } else { 0 },
        }
    }

    /// Takes note of whether there was JSON in a reply.
    pub(super) fn note_reply(&mut self, mode: ReplyMode, has_json: bool) {
        if mode != self.mode {
            return;
        }
        self.unfit = if has_json { 0 } else { self.unfit + 1 };
        if let (UNFIT_MAX.., Some(next)) = (self.unfit, self.mode.next()) {
            *self = Abilities { mode: next, unfit: 0, ..*self };
        }
    }
}

/// What a refusal says to a person, without the rest of its JSON: some repeat the whole question there.
fn complaint(said: &str) -> String {
    let Ok(json) = serde_json::from_str::<Value>(said) else { return said.to_owned() };
    let error = json.get("error").unwrap_or(&json);
    let told = ["message", "param", "code", "detail"].iter().filter_map(|key| match error.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Array(details) => {
            // As FastAPI has it: where in the question, and what of it.
            let said = details.iter().map(|of| format!("{} {}", of["loc"], of["msg"]));
            Some(said.collect::<Vec<_>>().join(" "))
        }
        _ => None,
    });
    let told: Vec<String> = error.as_str().map(str::to_owned).into_iter().chain(told).collect();
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin() -> Abilities {
        Abilities::beginning_with(ReplyMode::JsonSchema)
    }

    #[track_caller]
    fn check(from: ReplyMode, status: u16, said: &str, expected: Option<(bool, ReplyMode)>) {
        let found = match Abilities::beginning_with(from).learn(status, said) {
            Lesson::Learned(abilities) => Some((true, abilities.mode)),
            Lesson::Guessed(abilities) => Some((false, abilities.mode)),
            Lesson::Nothing => None,
        };
        assert_eq!(found, expected, "{status} {said}");
    }

    #[test]
    fn refusals_that_name_the_form_teach_the_next() {
        use ReplyMode::{JsonObject, JsonSchema, Prompt, ToolCall};
        let learned = |mode| Some((true, mode));
        let of_openai =
            r#"{"error": {"message": "Invalid parameter", "param": "response_format", "code": null}}"#;
        check(JsonSchema, 400, of_openai, learned(ToolCall));
        check(JsonSchema, 400, "'json_schema' is not supported by this model", learned(ToolCall));
        let of_fastapi =
            r#"{"detail": [{"loc": ["body", "response_format", "type"], "msg": "unexpected value"}]}"#;
        check(JsonSchema, 422, of_fastapi, learned(ToolCall));
        check(
            ToolCall,
            400,
            r#"{"error": "registry.ollama.ai/x does not support tools"}"#,
            learned(JsonObject),
        );
        check(ToolCall, 501, "tool_choice is not implemented", learned(JsonObject));
        check(JsonObject, 400, "response_format must be text", learned(Prompt));
        check(Prompt, 400, "response_format", None);
        check(JsonSchema, 422, "", Some((false, ToolCall)));
        check(JsonSchema, 400, r#"{"error": {"message": "Bad Request"}}"#, Some((false, ToolCall)));
    }

    #[test]
    fn other_refusals_teach_nothing() {
        use ReplyMode::JsonSchema;
        let long = r#"{"error": {"message": "This model's maximum context length is 4096 tokens, and yours are 5000"}}"#;
        check(JsonSchema, 400, long, None);
        check(JsonSchema, 404, r#"{"error": {"message": "model 'x' not found"}}"#, None);
        check(JsonSchema, 404, "", None);
        check(JsonSchema, 401, "response_format", None);
        check(JsonSchema, 500, "response_format", None);
        let echo = r#"{"error": {"message": "the model that was asked for is not here, sorry", "request": {"response_format": 1}}}"#;
        check(JsonSchema, 400, echo, None);
    }

    #[test]
    fn models_that_think_first_are_asked_their_way() {
        let said = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        let Lesson::Learned(first) = begin().learn(400, said) else { panic!("nothing learned") };
        assert_eq!((first.mode, first.tokens_key), (ReplyMode::JsonSchema, TokensKey::MaxCompletionTokens));
        let said = "Unsupported value: 'temperature' does not support 0 with this model.";
        let Lesson::Learned(second) = first.learn(400, said) else { panic!("nothing learned") };
        assert!(!second.takes_temperature && second.tokens_key == TokensKey::MaxCompletionTokens);
        assert_eq!(second.learn(400, said), Lesson::Nothing, "what was learned is not learned again");
    }

    #[test]
    fn a_form_that_is_passed_over_is_given_up() {
        let mut abilities = begin();
        for (has_json, expected) in [
            (false, ReplyMode::JsonSchema),
            (true, ReplyMode::JsonSchema),
            (false, ReplyMode::JsonSchema),
            (false, ReplyMode::ToolCall),
        ] {
            abilities.note_reply(ReplyMode::JsonSchema, has_json);
            assert_eq!(abilities.mode, expected);
        }
        abilities.note_reply(ReplyMode::JsonSchema, false);
        abilities.note_reply(ReplyMode::JsonSchema, false);
        assert_eq!(abilities.mode, ReplyMode::ToolCall, "what comes late is of another mode");
    }
}
