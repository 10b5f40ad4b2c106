//! What does a text mean? Encoders turn it into a vector; the built-in one needs nothing but the library.

mod tokens;
mod weights;
mod product;
mod layers;
mod builtin;
mod answers;
mod cache;
mod endpoint;
pub mod models;

pub use builtin::{BuiltIn, Deep};
pub use endpoint::{Api, Endpoint, EndpointSettings};
pub use tokens::{TokenId, Vocabulary};
pub use weights::ModelError;

use std::sync::Arc;

use waypost_core::catalog::{EncoderChoice, EndpointChoice};
use waypost_core::signals::Tier;

/// Turns texts into vectors of length one.
pub trait Encoder: Send + Sync {
    /// Which encoder, to the bit: heads trained on its vectors are kept under this.
    fn id(&self) -> &str;

    /// How long its vectors are.
    fn dimensions(&self) -> usize;

        
    /// What answers say a route was matched by, where this encoder read the message.
    fn tier(&self) -> Tier {
        Tier::BuiltIn
    }

    /// The vectors of texts, in their order.
    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError>;

    /// Whether it works on this machine alone. A local encoder never waits for another machine.
    fn is_local(&self) -> bool {
        true
    }
}

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

/// No vectors at all: a head that reads letters and words alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct LettersOnly;

impl Encoder for LettersOnly {
    fn id(&self) -> &'static str {
        "letters-only"
    }

    fn dimensions(&self) -> usize {
        0
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        Ok(vec![Vec::new(); texts.len()])
    }
}

/// The encoders a catalog asks for, cheapest first, and what is missing of them.
pub(crate) fn chosen(choice: &EncoderChoice) -> (Vec<Arc<dyn Encoder>>, Vec<String>) {
    let mut encoders: Vec<Arc<dyn Encoder>> = Vec::new();
    let mut notes = Vec::new();
    if *choice == EncoderChoice::None {
        return (vec![Arc::new(LettersOnly)], notes);
    }
    match BuiltIn::shipped() {
        Ok(builtin) => encoders.extend([Arc::clone(&builtin) as Arc<dyn Encoder>, Arc::new(Deep(builtin))]),
        Err(error) => {
            notes.push(format!("{error}; letters and words alone are read"));
            encoders.push(Arc::new(LettersOnly));
        }
    }
        let further = match choice {
        EncoderChoice::Endpoint(choice) => endpoint(choice).map_err(|error| error.to_string()),
        EncoderChoice::Transformer(model) => transformer(model),
        EncoderChoice::BuiltIn | EncoderChoice::None => return (encoders, notes),
    };
    match further {
        Ok(further) => encoders.push(further),
        Err(error) => notes.push(format!("{error}; the built-in encoder decides alone")),
    }
    (encoders, notes)
}

fn endpoint(choice: &EndpointChoice) -> Result<Arc<dyn Encoder>, EncodeError> {
    let api = if choice.speaks_tei { Api::Tei } else { Api::OpenAi };
    let mut settings = EndpointSettings::new(&choice.url, api);
    settings.model.clone_from(&choice.served);
    settings.key_env.clone_from(&choice.key_env);
    settings.timeout_ms = choice.timeout_ms.unwrap_or(settings.timeout_ms);
    Ok(Arc::new(Endpoint::connect(settings)?))
}

fn transformer(model: &str) -> Result<Arc<dyn Encoder>, String> {
    Err(format!("the model {model} needs a build with `--features transformer`"))
}
