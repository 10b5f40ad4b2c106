//! Why is there no reply?

use std::path::PathBuf;

use crate::http::{HttpError, NoAccess};

/// Why a language model gave nothing that can be used. None of these shows a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LlmError {
    /// The endpoint cannot be reached, or hung up.
    #[error("the language model at {url} cannot be reached: {cause}")]
    Unreachable {
        /// The endpoint.
        url: String,
        /// Why not.
        cause: String,
    },
    /// There was no reply in time.
    #[error("the language model at {url} did not reply within {ms} ms; raise `timeout_ms` if it is slow")]
    TimedOut {
        /// The endpoint.
        url: String,
        /// How long was waited in all.
        ms: u64,
    },
    /// The endpoint refuses to be asked.
    #[error("the language model at {url} answers {status}{}{said}{}", colon(.said), advice(*.status))]
    Refused {
        /// The endpoint.
        url: String,
        /// The HTTP status.
        status: u16,
        /// The beginning of what it says.
        said: String,
    },
    /// The endpoint failed often of late, or asked to be left alone, and is not asked now.
    #[error("the language model at {url} failed of late and is not asked again for {ms} ms")]
    Resting {
        /// The endpoint.
        url: String,
        /// For how long still.
        ms: u64,
    },
    /// As many requests as may be were under way all the time.
    #[error(
        "{at_once} requests to the language model at {url} are under way already; raise `at_once` if it can do more"
    )]
    Busy {
        /// The endpoint.
        url: String,
        /// Most at once.
        at_once: u32,
    },
    /// The tokens that may be used are used up.
    #[error(
        "asking the language model at {url} may take {needed} tokens, and {left} of {most} are left {span}"
    )]
    OverBudget {
        /// The endpoint.
        url: String,
        /// What asking may take.
        needed: u64,
        /// What is left.
        left: u64,
        /// The budget.
        most: u64,
        /// Of which time.
        span: BudgetSpan,
    },
    /// The reply is longer than any should be.
    #[error("the language model at {url} replies with more than {bytes} bytes")]
    TooLong {
        /// The endpoint.
        url: String,
        /// The most.
        bytes: u64,
    },
    /// The reply is no UTF-8.
    #[error("the language model at {url} replies with something that is no UTF-8")]
    NotUtf8 {
        /// The endpoint.
        url: String,
    },
    /// What came is no chat completion.
    #[error(
        "the language model at {url} replies with no chat completion: {what}; does its URL end where the API begins?"
    )]
    Garbled {
        /// The endpoint.
        url: String,
        /// What is wrong with it.
        what: String,
    },
    /// The reply has nothing in it.
    #[error("the language model at {url} replies without a choice")]
    NoChoices {
        /// The endpoint.
        url: String,
    },
    /// The reply ends before its end.
    #[error(
        "the reply of the language model at {url} was cut off at {max_tokens} tokens; raise `max_tokens`"
    )]
    CutOff {
        /// The endpoint.
        url: String,
        /// Most tokens of a reply.
        max_tokens: u32,
    },
    /// The model will not say it.
    #[error("the language model at {url} declines: {said}")]
    Declined {
        /// The endpoint.
        url: String,
        /// What it says to that.
        said: String,
    },
    /// The model calls a tool that it was not given.
    #[error("the language model at {url} calls the tool {tool:?}, which it was not given")]
    OtherTool {
        /// The endpoint.
        url: String,
        /// The tool.
        tool: String,
    },
    /// There is no JSON in the reply, or more than one.
    #[error("the language model at {url} replies with no usable JSON: {what}")]
    NotJson {
        /// The endpoint.
        url: String,
        /// What is wrong with it.
        what: String,
    },
    /// The endpoint serves several models, and none was named.
    #[error("the language model at {url} needs a name; `model` may be {served}")]
    NoModel {
        /// The endpoint.
        url: String,
        /// What it serves.
        served: String,
    },
    /// The variable that should hold the key does not.
    #[error("the environment variable {variable} holds no key for the language model at {url}; set it")]
    NoKey {
        /// The endpoint.
        url: String,
        /// The variable.
        variable: String,
    },
    /// The file that should hold the key does not.
    #[error("{} holds no key for the language model at {url}: {cause}", .file.display())]
    NoKeyFile {
        /// The endpoint.
        url: String,
        /// The file.
        file: PathBuf,
        /// Why not.
        cause: String,
    },
}

/// Which time a budget of tokens is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetSpan {
    /// A minute.
    Minute,
    /// The life of the client.
    Life,
}

impl std::fmt::Display for BudgetSpan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            BudgetSpan::Minute => "this minute",
            BudgetSpan::Life => "in all",
        })
    }
}

impl LlmError {
    /// Its stable name, for traces and metrics.
    pub const fn code(&self) -> &'static str {
        match self {
            LlmError::Unreachable { .. } => "llm_unreachable",
            LlmError::TimedOut { .. } => "llm_timed_out",
            LlmError::Refused { .. } => "llm_refused",
            LlmError::Resting { .. } => "llm_resting",
            LlmError::Busy { .. } => "llm_busy",
            LlmError::OverBudget { .. } => "llm_over_budget",
            LlmError::TooLong { .. } => "llm_too_long",
            LlmError::NotUtf8 { .. } => "llm_not_utf8",
            LlmError::Garbled { .. } => "llm_garbled",
            LlmError::NoChoices { .. } => "llm_no_choices",
            LlmError::CutOff { .. } => "llm_cut_off",
            LlmError::Declined { .. } => "llm_declined",
            LlmError::OtherTool { .. } => "llm_other_tool",
            LlmError::NotJson { .. } => "llm_not_json",
            LlmError::NoModel { .. } => "llm_no_model",
            LlmError::NoKey { .. } => "llm_no_key",
            LlmError::NoKeyFile { .. } => "llm_no_key_file",
        }
    }

    /// Why an endpoint at this place cannot be asked.
    pub(super) fn no_access(place: &str, why: NoAccess) -> LlmError {
        let (url, cause) = (place.to_owned(), why.cause().to_owned());
        match why {
            NoAccess::Address(shown) => LlmError::Unreachable { url: shown.unwrap_or(url), cause },
            NoAccess::Variable(variable) => LlmError::NoKey { url, variable },
            NoAccess::File(file, cause) => LlmError::NoKeyFile { url, file, cause },
            NoAccess::OddKey => LlmError::Unreachable { url, cause },
        }
    }

    /// What came of asking an endpoint, for which there was so much time in all.
    pub(super) fn of(url: &str, ms: u64, error: HttpError) -> LlmError {
        let url = url.to_owned();
        match error {
            HttpError::Unreachable(cause) => LlmError::Unreachable { url, cause },
            // What was left of the time says little; the whole of it is what can be changed.
            HttpError::TimedOut(_) => LlmError::TimedOut { url, ms },
            HttpError::Refused { status, excerpt, .. } => LlmError::Refused { url, status, said: excerpt },
            HttpError::TooLong(bytes) => LlmError::TooLong { url, bytes },
            error @ HttpError::NotKept(_) => LlmError::Garbled { url, what: error.to_string() },
        }
    }
}

fn colon(said: &str) -> &'static str {
    if said.is_empty() { "" } else { ": " }
}

/// What a refusal usually means.
fn advice(status: u16) -> &'static str {
    match status {
        401 | 403 => "; is its key the right one?",
        404 | 405 => {
            "; is `model` the right one, and does `base_url` end where the API begins, as https://api.openai.com/v1 does?"
        }
        413 => "; is the conversation too long?",
        429 => "; it is asked too often, or what it may be asked for is used up",
        _ => "",
    }
}
