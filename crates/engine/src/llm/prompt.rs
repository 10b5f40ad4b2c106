//! What is a language model asked, and what does it give back?

use std::fmt;
use std::time::Duration;

use serde_json::Value;
pub use waypost_core::catalog::ReplyMode;

/// Most characters of a prompt's name: what OpenAI takes for the name of a tool or schema.
const NAME_CHARS_MAX: usize = 64;
/// What a prompt is called whose name has no character that may be sent.
const NAME_DEFAULT: &str = "reply";

/// What is asked: a conversation, and the form that the reply must have.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// What the reply is called, for the endpoint and in notes: `arguments`, `judgement`.
    pub name: String,
    /// What was said so far, in order.
    pub turns: Vec<Turn>,
    /// The JSON Schema that the reply must fit. Endpoints that can are held to it; whether the reply fits is still for the
    /// caller to check.
    pub schema: Value,
    /// How long this one may take, where that is less than the settings say.
    pub within: Option<Duration>,
    /// Most tokens of this reply, where that is less than the settings say.
    pub max_tokens: Option<u32>,
}

/// What somebody says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who.
    pub speaker: Speaker,
    /// What.
    pub text: String,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// Whoever sets the task.
    System,
    /// The person.
    User,
    /// The model, earlier.
    Assistant,
}

impl Speaker {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Speaker::System => "system",
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
        }
    }
}

impl Prompt {
    /// A prompt without turns.
    pub fn new(name: impl Into<String>, schema: Value) -> Prompt {
        Prompt { name: name.into(), turns: Vec::new(), schema, within: None, max_tokens: None }
    }

    /// The same, with the task set.
    #[must_use]
    pub fn system(self, text: impl Into<String>) -> Prompt {
        self.turn(Speaker::System, text)
    }

    /// The same, with what the person says.
    #[must_use]
    pub fn user(self, text: impl Into<String>) -> Prompt {
        self.turn(Speaker::User, text)
    }

    /// The same, with what the model said.
    #[must_use]
    pub fn assistant(self, text: impl Into<String>) -> Prompt {
        self.turn(Speaker::Assistant, text)
    }

    /// The same, for which there is so much time.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Prompt {
        self.within = Some(time);
        self
    }

    fn turn(mut self, speaker: Speaker, text: impl Into<String>) -> Prompt {
        self.turns.push(Turn { speaker, text: text.into() });
        self
    }

    /// The name as endpoints take it: letters, digits, `_` and `-`.
    pub(super) fn sendable_name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let name: String = self.name.trim().chars().take(NAME_CHARS_MAX).map(plain).collect();
        if name.is_empty() { NAME_DEFAULT.to_owned() } else { name }
    }
}

/// What came back.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The JSON of the reply. It need not fit the schema.
    pub value: Value,
    /// What it took of tokens.
    pub usage: Usage,
    /// How its form was asked for.
    pub mode: ReplyMode,
    /// How often the endpoint was asked for it.
    pub requests: u32,
    /// How long it took, waiting included.
    pub elapsed: Duration,
}

/// Tokens that were used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Of the request.
    pub prompt: u64,
    /// Of the reply.
    pub completion: u64,
}

impl Usage {
    /// Both together.
    pub const fn total(self) -> u64 {
        self.prompt.saturating_add(self.completion)
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} + {} tokens", self.prompt, self.completion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sent_as_endpoints_take_them() {
        let check = |name: &str, expected: &str| {
            assert_eq!(Prompt::new(name, Value::Null).sendable_name(), expected);
        };
        check("arguments", "arguments");
        check("server/tool name.2", "server_tool_name_2");
        check("größe", "gr__e");
        check("  ", "reply");
        check(&"x".repeat(70), &"x".repeat(64));
    }
}
