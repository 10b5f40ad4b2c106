//! How well does each text answer, by what an encoder says it means?

use std::sync::{Arc, Mutex};

use waypost_core::head::similarity;

use super::{Rerank, RerankError};
use crate::encode::{Encoder, TextCache};
use crate::locks;

/// Orders texts by how far they mean what the message means, to a finer encoder than the one that found them: a sentence
/// transformer. It remembers the vectors of the last few thousand texts.
pub struct ByMeaning {
    encoder: Arc<dyn Encoder>,
    known: Mutex<TextCache>,
}

impl ByMeaning {
    /// A re-ranker that goes by an encoder.
    pub fn new(encoder: Arc<dyn Encoder>) -> ByMeaning {
        ByMeaning { encoder, known: Mutex::new(TextCache::default()) }
    }

    /// The vector of a text, as it was the last time or made now.
    fn vector(&self, text: &str) -> Result<Arc<[f32]>, RerankError> {
        let key = TextCache::key(text);
        if let Some(known) = locks::open(&self.known).recall(&key) {
            return Ok(known);
        }
        let made: Arc<[f32]> = self.encoder.encode(&[text])?.into_iter().next().unwrap_or_default().into();
        locks::open(&self.known).keep(key, Arc::clone(&made));
        Ok(made)
    }
}

impl Rerank for ByMeaning {
    fn id(&self) -> &str {
        self.encoder.id()
    }

    fn scores(&self, message: &str, texts: &[&str]) -> Result<Vec<f32>, RerankError> {
        let asked = self.vector(message)?;
        texts.iter().map(|text| Ok(similarity(&asked, &self.vector(text)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::encode::EncodeError;

    /// One dimension a vowel, and a count of what was read.
    #[derive(Default)]
    struct Vowels(AtomicUsize);

    impl Encoder for Vowels {
        fn id(&self) -> &'static str {
            "vowels"
        }

        fn dimensions(&self) -> usize {
            3
        }

        fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
            self.0.fetch_add(texts.len(), Ordering::SeqCst);
            let one =
                |text: &&str| ['a', 'e', 'o'].map(|vowel| f32::from(u8::from(text.contains(vowel)))).to_vec();
            Ok(texts.iter().map(one).collect())
        }
    }

    #[test]
    fn texts_are_read_once_and_scored_by_meaning() {
        let encoder = Arc::new(Vowels::default());
        let by = ByMeaning::new(Arc::clone(&encoder) as Arc<dyn Encoder>);
        assert_eq!(by.scores("a", &["o", "a", "a"]).unwrap(), [0.0, 1.0, 1.0]);
        assert_eq!(encoder.0.load(Ordering::SeqCst), 2);
        assert_eq!((by.scores("e", &["o", "a"]).unwrap(), by.id()), (vec![0.0, 0.0], "vowels"));
        assert_eq!(encoder.0.load(Ordering::SeqCst), 3);
    }
}
