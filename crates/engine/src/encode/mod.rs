//! What does a text mean? Encoders turn it into a vector; the built-in one needs nothing but the library.

mod tokens;
mod weights;
mod product;
mod layers;
mod builtin;

pub use builtin::{BuiltIn, Deep};
pub use tokens::{TokenId, Vocabulary};
pub use weights::ModelError;

/// Turns texts into vectors of length one.
pub trait Encoder: Send + Sync {
    /// Which encoder, to the bit: heads trained on its vectors are kept under this.
    fn id(&self) -> &str;

    /// How long its vectors are.
    fn dimensions(&self) -> usize;

    /// The vectors of texts, in their order.
    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError>;
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
