//! What reads the meaning of messages?

/// What reads the meaning of messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EncoderChoice {
    /// The one that comes with the library.
    #[default]
    BuiltIn,
    /// Nothing: letters and words alone.
    None,
    /// A sentence transformer in process, by its name or folder.
    Transformer(String),
    /// An embeddings endpoint.
    Endpoint(EndpointChoice),
}

impl EncoderChoice {
    /// The choice without what is costly.
    #[must_use]
    pub const fn cheapest(&self) -> EncoderChoice {
        match self {
            EncoderChoice::None => EncoderChoice::None,
            _ => EncoderChoice::BuiltIn,
        }
    }
}

/// An embeddings endpoint, as the catalog names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndpointChoice {
    /// The address before the path of its interface.
    pub url: String,
    /// Whether it speaks TEI rather than OpenAI's.
    pub speaks_tei: bool,
    /// The model asked for.
    pub served: Option<String>,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// How long an answer is waited for, in milliseconds.
    pub timeout_ms: Option<u64>,
}
