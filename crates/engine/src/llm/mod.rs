//! What does a language model say? An endpoint that speaks OpenAI's chat completions, asked within bounds.
//!
//! A [`Prompt`] goes out and a [`Reply`] comes back, or an [`LlmError`] that says why not. The endpoint is asked for the surest
//! form it can do, and what it cannot is learned from what it refuses. Time, requests at once and tokens have their bounds; an
//! endpoint that keeps failing is left alone for a while. Whether the reply fits the schema is for the caller to check: nothing a
//! model says is believed here.

mod abilities;
mod attempts;
mod breaker;
mod chat;
mod error;
mod found;
mod prompt;
mod purse;
mod settings;
mod slots;
mod wire;

pub use breaker::{FAILURES_MAX, REST_MS, REST_MS_MAX};
pub use chat::ChatModel;
pub use error::{BudgetSpan, LlmError};
pub use prompt::{Prompt, Reply, ReplyMode, Speaker, Turn, Usage};
pub use settings::LlmSettings;
