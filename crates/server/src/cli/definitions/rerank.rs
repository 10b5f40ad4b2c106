//! Which flags does re-ranking have?

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// The flags of every command that can re-rank what it finds.
#[derive(Debug, Args)]
#[command(next_help_heading = "Re-ranking")]
pub struct RerankFlags {
    /// Who reads the best again and orders them: a re-rank endpoint by its URL, such as http://localhost:8080 or
    /// https://api.cohere.com/v2; `transformer`, a sentence transformer in this process (needs a build with it); or `off`.
    /// Where it fails, the order of the search stands and a note says why
    #[arg(
        long,
        value_name = "URL|transformer|off",
        default_value = "off",
        env = "WAYPOST_RERANK",
        hide_env_values = true
    )]
    pub rerank: String,

    /// How the endpoint is asked; its answer is understood either way. Default: cohere with --rerank-model, else tei
    #[arg(long, value_enum, value_name = "SHAPE")]
    pub rerank_shape: Option<RerankShape>,

    /// The model that the endpoint is asked for; with `transformer`, the name or folder of the model. Default there: minilm
    #[arg(long, value_name = "NAME")]
    pub rerank_model: Option<String>,

    /// The environment variable that holds the key of the endpoint
    #[arg(long, value_name = "NAME")]
    pub rerank_key_env: Option<String>,

    /// The file that holds the key of the endpoint
    #[arg(long, value_name = "FILE", conflicts_with = "rerank_key_env")]
    pub rerank_key_file: Option<PathBuf>,

    /// How long the endpoint may take for a message, in milliseconds. Default: 3000
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub rerank_timeout_ms: Option<u64>,
}

/// How re-rank endpoints are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RerankShape {
    /// As text-embeddings-inference: {"query", "texts"}
    Tei,
    /// As Cohere, Jina and vLLM: {"model", "query", "documents", "top_n"}
    Cohere,
}
