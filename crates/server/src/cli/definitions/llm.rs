//! Which flags does a language model have?

use std::path::PathBuf;

use clap::Args;

/// The flags of every command that can ask a language model.
#[derive(Debug, Args)]
#[command(next_help_heading = "Language model")]
pub struct LlmFlags {
    /// The language model that is asked as well: the address of an OpenAI-compatible endpoint, such as
    /// http://localhost:11434/v1; or `off`. Default: the catalog's `llm`, if it has one. Where it fails, the answer without it
    /// stands and says why
    #[arg(long, value_name = "BASE_URL|off", env = "WAYPOST_LLM", hide_env_values = true)]
    pub llm: Option<String>,

    /// The model that the endpoint is asked for
    #[arg(long, visible_alias = "model", value_name = "NAME")]
    pub llm_model: Option<String>,

    /// The environment variable that holds the key of the endpoint
    #[arg(long, value_name = "NAME")]
    pub llm_key_env: Option<String>,

    /// The file that holds the key of the endpoint
    #[arg(long, value_name = "FILE", conflicts_with = "llm_key_env")]
    pub llm_key_file: Option<PathBuf>,

    /// How long the endpoint may take for a message in all, in milliseconds. Default: 10000
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub llm_timeout_ms: Option<u64>,
}
