//! Where is the language model, and how much of it may be used?

use std::fmt;
use std::path::PathBuf;

use reqwest::Url;
use waypost_core::catalog::{LlmChoice, ReplyMode};

use crate::http::{KeyPlace, address, shown};

/// How long a reply may take by default, in milliseconds: a short reply of a small model on a processor, and a person still waits.
const TIMEOUT_MS_DEFAULT: u64 = 10_000;
/// Further attempts by default: two are enough for a hiccup, and what lasts longer is no hiccup.
const RETRIES_DEFAULT: u32 = 2;
/// Requests at once by default: what a server with one graphics card works on together.
const AT_ONCE_DEFAULT: u32 = 4;
/// Most tokens of a reply by default: arguments of a tool are a few hundred at most.
const MAX_TOKENS_DEFAULT: u32 = 1_024;
/// The path that all such servers serve, for addresses without one.
const PATH_DEFAULT: &str = "/v1";
/// Whose key is known by a name of its own, and that name.
const OPENAI: (&str, &str) = ("api.openai.com", "OPENAI_API_KEY");

/// Where a language model is, and how it is asked.
#[derive(Clone, PartialEq)]
pub struct LlmSettings {
    /// The address before `/chat/completions`. Without a path, `/v1` is meant.
    pub base_url: String,
    /// The model to ask for, where the endpoint serves several.
    pub model: Option<String>,
    /// The environment variable that holds the key; the key itself is kept out of settings, logs and traces.
    pub key_env: Option<String>,
    /// The file that holds the key, where no variable does.
    pub key_file: Option<PathBuf>,
    /// How long a reply may take in all, in milliseconds: waiting for a turn and further attempts included.
    pub timeout_ms: u64,
    /// Further attempts where one may help.
    pub retries: u32,
    /// Most requests at once; at least one.
    pub at_once: u32,
    /// Most tokens of a reply.
    pub max_tokens: u32,
    /// Most tokens a minute, of requests and replies together.
    pub tokens_per_minute: Option<u64>,
    /// Most tokens in the life of the client, of requests and replies together.
    pub tokens_in_all: Option<u64>,
    /// How freely the model chooses its words.
    pub temperature: f64,
    /// How the form of a reply is asked for first.
    pub reply_mode: ReplyMode,
    /// What waits between attempts are drawn from; without it every client draws its own.
    pub seed: Option<u64>,
}

impl LlmSettings {
    /// A language model without model name or key, with the usual bounds.
    pub fn new(base_url: impl Into<String>) -> LlmSettings {
        LlmSettings {
            base_url: base_url.into(),
            model: None,
            key_env: None,
            key_file: None,
            timeout_ms: TIMEOUT_MS_DEFAULT,
            retries: RETRIES_DEFAULT,
            at_once: AT_ONCE_DEFAULT,
            max_tokens: MAX_TOKENS_DEFAULT,
            tokens_per_minute: None,
            tokens_in_all: None,
            temperature: 0.0,
            reply_mode: ReplyMode::default(),
            seed: None,
        }
    }

    /// Where its key is kept. OpenAI's is where everybody keeps it, if nothing is said and nothing else given.
    pub(super) fn key_place(&self, url: &Url) -> KeyPlace<'_> {
        let named = self.key_env.is_some() || self.key_file.is_some();
        let usual =
            (!named && url.scheme() == "https" && url.host_str() == Some(OPENAI.0)).then_some(OPENAI.1);
        KeyPlace { variable: self.key_env.as_deref().or(usual), file: self.key_file.as_deref() }
    }
}

impl From<&LlmChoice> for LlmSettings {
    fn from(choice: &LlmChoice) -> LlmSettings {
        let usual = LlmSettings::new(&choice.base_url);
        LlmSettings {
            model: choice.model.clone(),
            key_env: choice.key_env.clone(),
            key_file: choice.key_file.as_ref().map(PathBuf::from),
            timeout_ms: choice.timeout_ms.unwrap_or(usual.timeout_ms),
            retries: choice.retries.unwrap_or(usual.retries),
            at_once: choice.at_once.unwrap_or(usual.at_once),
            max_tokens: choice.max_tokens.unwrap_or(usual.max_tokens),
            tokens_per_minute: choice.tokens_per_minute,
            tokens_in_all: choice.tokens_in_all,
            temperature: choice.temperature.unwrap_or(usual.temperature),
            reply_mode: choice.reply_mode.unwrap_or(usual.reply_mode),
            ..usual
        }
    }
}

/// Without a name, password or query that the address may hold.
impl fmt::Debug for LlmSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base_url = address(&self.base_url).map_or_else(|_| "…".to_owned(), |url| shown(&url));
        f.debug_struct("LlmSettings")
            .field("base_url", &base_url)
            .field("model", &self.model)
            .field("key_env", &self.key_env)
            .field("key_file", &self.key_file)
            .field("timeout_ms", &self.timeout_ms)
            .field("retries", &self.retries)
            .field("at_once", &self.at_once)
            .field("max_tokens", &self.max_tokens)
            .field("tokens_per_minute", &self.tokens_per_minute)
            .field("tokens_in_all", &self.tokens_in_all)
            .field("temperature", &self.temperature)
            .field("reply_mode", &self.reply_mode)
            .finish_non_exhaustive()
    }
}

/// The address where the API begins: what people copy may end too early or too late.
pub(super) fn base(mut url: Url) -> Url {
    let path = url.path().trim_end_matches('/').trim_end_matches("/chat/completions").to_owned();
    url.set_path(if path.is_empty() { PATH_DEFAULT } else { &path });
    url
}

/// An address below that.
pub(super) fn below(base: &Url, path: &[&str]) -> Url {
    let mut url = base.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_begin_where_the_api_does() {
        let check = |given: &str, expected: &str| {
            let base = base(Url::parse(given).unwrap());
            assert_eq!(below(&base, &["chat", "completions"]).as_str(), expected, "{given}");
        };
        check("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions");
        check("http://localhost:11434", "http://localhost:11434/v1/chat/completions");
        check("http://localhost:8000/v1/", "http://localhost:8000/v1/chat/completions");
        check("http://host/api/v3/chat/completions", "http://host/api/v3/chat/completions");
        check("http://host/v1?version=2", "http://host/v1/chat/completions?version=2");
    }

    #[test]
    fn the_usual_key_goes_to_its_owner_alone() {
        let check = |settings: &LlmSettings, variable: Option<&str>| {
            let url = Url::parse(&settings.base_url).unwrap();
            assert_eq!(settings.key_place(&url).variable, variable, "{settings:?}");
        };
        check(&LlmSettings::new("https://api.openai.com/v1"), Some("OPENAI_API_KEY"));
        check(&LlmSettings::new("http://api.openai.com/v1"), None);
        check(&LlmSettings::new("https://api.openai.com.example.org/v1"), None);
        check(&LlmSettings::new("http://localhost:11434/v1"), None);
        let own =
            LlmSettings { key_env: Some("MINE".to_owned()), ..LlmSettings::new("https://api.openai.com/v1") };
        check(&own, Some("MINE"));
        let file =
            LlmSettings { key_file: Some("key".into()), ..LlmSettings::new("https://api.openai.com/v1") };
        check(&file, None);
    }

    #[test]
    fn a_catalog_says_what_differs_from_the_usual() {
        let choice = LlmChoice { base_url: "http://x".to_owned(), retries: Some(0), ..LlmChoice::default() };
        let settings = LlmSettings::from(&choice);
        assert_eq!(settings, LlmSettings { retries: 0, ..LlmSettings::new("http://x") });
    }
}
