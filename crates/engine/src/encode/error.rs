//! Why is there no vector?

/// Why texts could not be turned into vectors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// Vectors came back in another length than promised.
    #[error("the encoder gave vectors of {found} numbers, and promised {promised}")]
    WrongDimensions {
        /// What came back.
        found: usize,
        /// What was promised.
        promised: usize,
    },
    /// There are more or fewer vectors than texts.
    #[error("the embeddings endpoint {url} gave {found} vectors for {asked} texts")]
    WrongCount {
        /// The endpoint.
        url: String,
        /// Texts that were asked about.
        asked: usize,
        /// Vectors that came back.
        found: usize,
    },
    /// The endpoint cannot be reached.
    #[error("the embeddings endpoint {url} cannot be reached: {cause}")]
    Unreachable {
        /// The endpoint.
        url: String,
        /// Why not.
        cause: String,
    },
    /// The endpoint does not answer in time.
    #[error("the embeddings endpoint {url} did not answer within {ms} ms; raise its time-out if it is slow")]
    TimedOut {
        /// The endpoint.
        url: String,
        /// How long was waited for an attempt.
        ms: u64,
    },
    /// The endpoint refuses.
    #[error("the embeddings endpoint {url} answers {status}{}{body}{}", colon(.body), advice(*.status))]
    Refused {
        /// The endpoint.
        url: String,
        /// The HTTP status.
        status: u16,
        /// The beginning of what it says.
        body: String,
    },
    /// The endpoint answers with something that is no vectors.
    #[error(
        "the embeddings endpoint {url} answers with no usable vectors: {what}; is its API the right one?"
    )]
    Garbled {
        /// The endpoint.
        url: String,
        /// What is wrong with it.
        what: String,
    },
    /// The variable that should hold the key of an endpoint does not.
    #[error("the environment variable {variable} holds no key for the embeddings endpoint {url}; set it")]
    NoKey {
        /// The endpoint.
        url: String,
        /// The variable.
        variable: String,
    },
    /// The model of the encoder is not here.
    #[error("there is no model {0}; `waypost models pull {0}` gets it")]
    NoModel(String),
    /// The build cannot run the model.
    #[error("this build has no sentence transformers, which {0} needs: build with `--features transformer`")]
    NotBuilt(String),
    /// The files of the model cannot be used.
    #[error(transparent)]
    Model(#[from] super::ModelError),
    /// The encoder could not compute them.
    #[error("the encoder failed: {0}")]
    Failed(String),
}

fn colon(body: &str) -> &'static str {
    if body.is_empty() { "" } else { ": " }
}

/// What a refusal usually means.
fn advice(status: u16) -> &'static str {
    match status {
        401 | 403 => "; is its key the right one?",
        404 | 405 => "; does its URL end where the API begins, as https://api.openai.com/v1 does?",
        413 | 422 => "; is its batch small enough?",
        _ => "",
    }
}
