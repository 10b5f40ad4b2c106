//! What does a text mean? Encoders turn it into a vector; the built-in one needs nothing but the library.

mod tokens;
mod weights;
mod product;
mod layers;
mod builtin;
pub mod models;

pub use builtin::{BuiltIn, Deep};
pub use tokens::{TokenId, Vocabulary};
pub use weights::ModelError;

use std::sync::Arc;

use waypost_core::catalog::EncoderChoice;
use waypost_core::signals::Tier;

/// Turns texts into vectors of length one.
pub trait Encoder: Send + Sync {
    /// Which encoder, to the bit: heads trained on its vectors are kept under this.
    fn id(&self) -> &str;

    /// How long its vectors are.
    fn dimensions(&self) -> usize;

        /// Whether it works on this machine: one that does never waits for another.
    fn is_local(&self) -> bool {
        true
    }

    /// What answers say a route was matched by, where this encoder read the message.
    fn tier(&self) -> Tier {
        Tier::BuiltIn
    }

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
    (encoders, notes)
}
