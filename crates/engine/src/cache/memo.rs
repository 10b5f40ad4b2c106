//! What was made of a text for one thing: a pool of tools, passages, a form. Kept as JSON.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use waypost_core::measure::Confidence;

use super::{Caches, Fresh, Key};

/// The layers, as one thing asks them.
#[derive(Clone, Debug)]
pub(crate) struct Memo {
    caches: Arc<Caches>,
    /// What everything asked follows from, beside the text.
    of: String,
}

impl Memo {
    /// The layers for a thing, by all that it is.
    pub(crate) fn new(caches: Arc<Caches>, of: &str) -> Memo {
        Memo { caches, of: checksum(of) }
    }

    /// What was asked about a text, kept or computed. `asked` names all that it follows from beside the thing and the text.
    pub(crate) fn fetch<T: Serialize + DeserializeOwned, E>(
        &self,
        (asked, text): (&str, &str),
        session: Option<&str>,
        sure: impl Fn(&T) -> Confidence,
        compute: impl Fn() -> Result<T, E>,
    ) -> Result<T, E> {
        let mut computed = None;
        let key = Key::of(&self.of, &self.caches.marked(asked), text);
        let bytes = self.caches.fetch(key, session, || {
            let made = compute()?;
            let value = serde_json::to_vec(&made).unwrap_or_default();
            let confidence = sure(&made);
            computed = Some(made);
            Ok::<_, E>(Fresh { value, confidence })
        })?;
        match computed.or_else(|| serde_json::from_slice(&bytes).ok()) {
            Some(made) => Ok(made),
            None => compute(),
        }
    }
}

/// A checksum of a text, short enough to be part of a key.
pub(crate) fn checksum(text: &str) -> String {
    Sha256::digest(text).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
