//! What does a text mean? Encoders turn it into a vector; the built-in one needs nothing but the library.

mod error;
mod pieces;
mod tokens;
mod weights;
mod product;
mod layers;
mod stack;
mod dense;
mod builtin;
mod fewshot;
mod reader;
mod answers;
mod cache;
mod endpoint;
pub mod models;
#[cfg(feature = "transformer")]
mod transformer;
mod choice;

pub(crate) use builtin::bring_to_length_one;
pub use builtin::{BuiltIn, Deep};
pub(crate) use cache::Cache as TextCache;
pub(crate) use choice::chosen;
pub use choice::transformer;
pub use endpoint::{Api, Endpoint, EndpointSettings};
pub use error::EncodeError;
pub(crate) use fewshot::{CatalogTexts, FewShot, MessageReading, Spelling, TextReading};
pub(crate) use reader::{KeptTool, Reader};
pub use tokens::{TokenId, Vocabulary};
#[cfg(feature = "transformer")]
pub use transformer::Transformer;
pub use weights::ModelError;

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

    /// Whether a text takes it so long that looking up what came of it the last time is quicker. What comes of a text must
    /// then be the same each time. What waits for another machine always does.
    fn is_costly(&self) -> bool {
        !self.is_local()
    }

    /// Whether it works on this machine alone. A local encoder never waits for another machine.
    fn is_local(&self) -> bool {
        true
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
