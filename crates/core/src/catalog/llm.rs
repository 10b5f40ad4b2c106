//! Which language model may be asked, and how much of it? What a catalog says under `llm`.

use super::draft::{Placed, whole};
use super::problem::{Code, Problem};
use super::shape::Presence::{Needed, Optional};
use super::shape::{Key, Shape, Table};
use super::tree::Node;

/// The key of a catalog that names a language model.
pub(super) const LLM: Key = Key {
    name: "llm",
    shape: Shape::Table(&ENDPOINT),
    presence: Optional,
    says: "A language model behind an OpenAI-compatible endpoint. Without it none is asked, and everything still works.",
};

/// Longest time a reply may be waited for, in milliseconds: ten minutes, as for other machines.
const TIMEOUT_MS_MAX: i32 = 600_000;
/// Most further attempts that can be asked for: what fails eleven times fails.
const RETRIES_MAX: i32 = 10;
/// Most requests at once that can be asked for: as many connections as one process may well hold to one machine.
const AT_ONCE_MAX: i32 = 256;
/// Most tokens a reply that can be asked for: beyond what any model writes at once today.
const TOKENS_A_REPLY_MAX: i32 = 131_072;
/// Most tokens of a budget.
const TOKENS_MAX: i32 = 1_000_000_000;

/// An endpoint.
static ENDPOINT: Table = Table {
    title: "a language model",
    one_of: &[],
    keys: &[
        Key {
            name: "base_url",
            shape: Shape::Text,
            presence: Needed,
            says: "The address before `/chat/completions`: `https://api.openai.com/v1`, `http://localhost:11434/v1` (Ollama), `http://localhost:8000/v1` (vLLM), `http://localhost:8080/v1` (llama.cpp). Without a path, `/v1` is meant.",
        },
        Key {
            name: "model",
            shape: Shape::Text,
            presence: Optional,
            says: "The model asked for. It may be left out where the endpoint serves one alone.",
        },
        Key {
            name: "key_env",
            shape: Shape::Text,
            presence: Optional,
            says: "The environment variable that holds the key. Default: `OPENAI_API_KEY` for api.openai.com, none for others. The key itself never stands in a catalog.",
        },
        Key {
            name: "key_file",
            shape: Shape::Text,
            presence: Optional,
            says: "The file that holds the key, where no variable is named; relative to the working folder.",
        },
        Key {
            name: "timeout_ms",
            shape: Shape::Whole(1, TIMEOUT_MS_MAX),
            presence: Optional,
            says: "How long a reply is waited for in all, further attempts included, in milliseconds. Default 10000.",
        },
        Key {
            name: "retries",
            shape: Shape::Whole(0, RETRIES_MAX),
            presence: Optional,
            says: "Further attempts where the endpoint is busy (429), fails (5xx) or hangs up, within the time. Default 2.",
        },
        Key {
            name: "at_once",
            shape: Shape::Whole(1, AT_ONCE_MAX),
            presence: Optional,
            says: "Most requests at once; further ones wait within their time. Default 4.",
        },
        Key {
            name: "max_tokens",
            shape: Shape::Whole(1, TOKENS_A_REPLY_MAX),
            presence: Optional,
            says: "Most tokens of a reply. Default 1024.",
        },
        Key {
            name: "tokens_per_minute",
            shape: Shape::Whole(1, TOKENS_MAX),
            presence: Optional,
            says: "Most tokens a minute, of requests and replies together; what would be beyond is not asked. Default: no bound.",
        },
        Key {
            name: "tokens_in_all",
            shape: Shape::Whole(1, TOKENS_MAX),
            presence: Optional,
            says: "Most tokens in the life of the process, of requests and replies together. Default: no bound.",
        },
        Key {
            name: "temperature",
            shape: Shape::Share(0, 200),
            presence: Optional,
            says: "How freely the model chooses its words. Default 0: the likeliest.",
        },
        Key {
            name: "reply_mode",
            shape: Shape::Choice(ReplyMode::NAMES),
            presence: Optional,
            says: "How the form of a reply is asked for first; what the endpoint cannot do falls back to the next. Default: `json_schema`.",
        },
    ],
};

/// How a reply of a given form is asked for, the surest way first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReplyMode {
    /// `response_format` with the JSON Schema: the endpoint holds the model to it.
    #[default]
    JsonSchema,
    /// A tool that must be called, whose parameters are the schema.
    ToolCall,
    /// `response_format` for JSON of any kind; the schema is told in words.
    JsonObject,
    /// Words alone.
    Prompt,
}

impl ReplyMode {
    /// The names of all, the surest way first.
    pub const NAMES: &'static [&'static str] = &["json_schema", "tool_call", "json_object", "prompt"];

    /// Its name in catalogs and traces.
    pub const fn name(self) -> &'static str {
        match self {
            ReplyMode::JsonSchema => "json_schema",
            ReplyMode::ToolCall => "tool_call",
            ReplyMode::JsonObject => "json_object",
            ReplyMode::Prompt => "prompt",
        }
    }

    /// The mode of a name.
    pub fn named(name: &str) -> Option<ReplyMode> {
        let all = [ReplyMode::JsonSchema, ReplyMode::ToolCall, ReplyMode::JsonObject, ReplyMode::Prompt];
        all.into_iter().find(|mode| mode.name() == name)
    }

    /// The next one to try where an endpoint cannot do this.
    pub const fn next(self) -> Option<ReplyMode> {
        match self {
            ReplyMode::JsonSchema => Some(ReplyMode::ToolCall),
            ReplyMode::ToolCall => Some(ReplyMode::JsonObject),
            ReplyMode::JsonObject => Some(ReplyMode::Prompt),
            ReplyMode::Prompt => None,
        }
    }
}

/// A language model, as the catalog names it. What it leaves out has its default where it is used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LlmChoice {
    /// The address before `/chat/completions`.
    pub base_url: String,
    /// The model asked for.
    pub model: Option<String>,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// The file that holds the key.
    pub key_file: Option<String>,
    /// How long a reply is waited for in all, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Further attempts.
    pub retries: Option<u32>,
    /// Most requests at once.
    pub at_once: Option<u32>,
    /// Most tokens of a reply.
    pub max_tokens: Option<u32>,
    /// Most tokens a minute.
    pub tokens_per_minute: Option<u64>,
    /// Most tokens in all.
    pub tokens_in_all: Option<u64>,
    /// How freely the model chooses its words.
    pub temperature: Option<f64>,
    /// How the form of a reply is asked for first.
    pub reply_mode: Option<ReplyMode>,
}

/// Reads a checked table; one without an address is reported already.
pub(super) fn read(node: &Node) -> Option<Placed<LlmChoice>> {
    let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    let number = |key: &str| node.get(key).and_then(Node::number);
    let count = |key: &str| number(key).and_then(|number| u32::try_from(whole(number)).ok());
    let base_url = node.get("base_url")?;
    let value = LlmChoice {
        base_url: base_url.text()?.to_owned(),
        model: text("model"),
        key_env: text("key_env"),
        key_file: text("key_file"),
        timeout_ms: count("timeout_ms").map(u64::from),
        retries: count("retries"),
        at_once: count("at_once"),
        max_tokens: count("max_tokens"),
        tokens_per_minute: count("tokens_per_minute").map(u64::from),
        tokens_in_all: count("tokens_in_all").map(u64::from),
        temperature: number("temperature"),
        reply_mode: text("reply_mode").as_deref().and_then(ReplyMode::named),
    };
    Some(Placed { value, place: base_url.place })
}

/// Holds the address against what it may be: of the web, and without a password.
pub(super) fn compile(draft: Placed<LlmChoice>, problems: &mut Vec<Problem>) -> LlmChoice {
    let Placed { value, place } = draft;
    let rest = value.base_url.strip_prefix("http://").or_else(|| value.base_url.strip_prefix("https://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    if host.contains('@') {
        let message = "a secret never stands in a catalog, as a name or password in `base_url` would";
        let hint = "name the environment variable that holds a key with `key_env`";
        // Only the beginning is quoted, which holds none.
        let place = super::Place { length: 4, ..place };
        problems.push(Problem::new(Code::Secret, place, message).hint(hint));
    } else if host.is_empty() {
        let message = "`base_url` is no address that begins with http:// or https://";
        let hint = "expected one such as http://localhost:11434/v1";
        problems.push(Problem::new(Code::BadValue, place, message).hint(hint));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, Source};

    fn read(llm: &str) -> (Option<LlmChoice>, String) {
        let sources = [Source::new("test.yaml", format!("routes: [{{name: a}}]\nllm:\n  {llm}\n"))];
        let checked = Catalog::read(&sources, "test");
        let shown = checked.problems.iter().map(|problem| problem.show(&sources)).collect();
        (checked.catalog.and_then(|catalog| catalog.llm().cloned()), shown)
    }

    #[test]
    fn what_is_left_out_stays_open() {
        let (own, _) = read("{base_url: 'http://localhost:11434/v1'}");
        let base_url = "http://localhost:11434/v1".to_owned();
        assert_eq!(own, Some(LlmChoice { base_url, ..LlmChoice::default() }));
        let all = "{base_url: 'https://api.openai.com', model: m, key_env: K, key_file: f, timeout_ms: 900, retries: 0, \
                   at_once: 2, max_tokens: 64, tokens_per_minute: 1000, tokens_in_all: 5000, temperature: 0.5, \
                   reply_mode: tool_call}";
        let (own, problems) = read(all);
        let own = own.unwrap_or_else(|| panic!("{problems}"));
        assert_eq!((own.key_file.as_deref(), own.timeout_ms, own.retries), (Some("f"), Some(900), Some(0)));
        assert_eq!((own.tokens_in_all, own.temperature), (Some(5000), Some(0.5)));
        assert_eq!(own.reply_mode, Some(ReplyMode::ToolCall));
    }

    #[test]
    fn what_it_may_not_say_is_told() {
        let check = |llm: &str, said: &[&str]| {
            let (own, told) = read(llm);
            assert_eq!(own, None, "{llm}");
            for said in said {
                assert!(told.contains(said), "{said} in {told}");
            }
            assert!(!told.contains("s3cret"), "{told}");
        };
        check("{base_url: 'http://x', key: s3cret}", &["error[secret]", "3:26", "…key…", "`key_env`"]);
        check("{base_url: 'http://x', api_key: s3cret}", &["error[secret]", "`key_env`"]);
        check("{base_url: 'http://me:s3cret@x/v1'}", &["error[secret]", "password in `base_url`"]);
        check("{base_url: 'localhost:11434'}", &["error[bad_value]", "http://localhost:11434/v1"]);
        check("{model: m}", &["error[missing_key]", "base_url"]);
        check("{base_url: 'http://x', modle: m}", &["error[unknown_key]", "did you mean `model`?"]);
        check("{base_url: 'http://x', temperature: 3}", &["error[bad_value]", "from 0 to 2"]);
        check("{base_url: 'http://x', reply_mode: yaml}", &["error[bad_value]", "json_object"]);
    }

    #[test]
    fn modes_are_named_and_follow_each_other() {
        let mut mode = Some(ReplyMode::default());
        for name in ReplyMode::NAMES {
            assert_eq!(mode.map(ReplyMode::name), Some(*name));
            assert_eq!(ReplyMode::named(name), mode);
            mode = mode.and_then(ReplyMode::next);
        }
        assert_eq!(mode, None);
    }
}
