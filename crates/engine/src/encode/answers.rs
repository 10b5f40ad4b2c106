//! What does an embeddings endpoint say? The two ways to ask for vectors, and what comes back.

use serde::Deserialize;
use serde_json::{Value, json};

/// Longest text sent, in characters. Models read some 8,000 tokens at most, a token is seldom less than a character,
/// and services refuse what is longer; what comes behind changes the meaning little.
pub(super) const TEXT_CHARS_MAX: usize = 8_000;
/// What is sent for a text with nothing in it, which services refuse; it says as little.
const NOTHING: &str = ".";

/// How an endpoint is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Api {
    /// As OpenAI does, and most since: `POST {url}/embeddings`.
    OpenAi,
    /// As Hugging Face's text-embeddings-inference does: `POST {url}/embed`.
    Tei,
}

impl Api {
    /// Its name, in ids and catalogs.
    pub const fn name(self) -> &'static str {
        match self {
            Api::OpenAi => "openai",
            Api::Tei => "tei",
        }
    }

    /// What comes behind the endpoint's URL.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Api::OpenAi => "embeddings",
            Api::Tei => "embed",
        }
    }

    /// The question for the vectors of texts.
    pub(super) fn question(self, model: Option<&str>, texts: &[&str]) -> Value {
        let texts: Vec<&str> = texts.iter().map(|text| sendable(text)).collect();
        match (self, model) {
            (Api::OpenAi, Some(model)) => {
                json!({ "model": model, "input": texts, "encoding_format": "float" })
            }
            (Api::OpenAi, None) => json!({ "input": texts, "encoding_format": "float" }),
            (Api::Tei, _) => json!({ "inputs": texts, "truncate": true }),
        }
    }

    /// The vectors in an answer, in the order of the texts; else what is wrong with it.
    pub(super) fn vectors(self, answer: &[u8]) -> Result<Vec<Vec<f32>>, String> {
        match self {
            Api::OpenAi => in_order(read::<Data>(answer)?.data),
            Api::Tei => read(answer),
        }
    }
}

/// What of a text is sent.
fn sendable(text: &str) -> &str {
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None if text.trim().is_empty() => NOTHING,
        None => text,
    }
}

#[derive(Deserialize)]
struct Data {
    data: Vec<Embedding>,
}

#[derive(Deserialize)]
struct Embedding {
    index: usize,
    embedding: Vec<f32>,
}

fn read<'de, T: Deserialize<'de>>(answer: &'de [u8]) -> Result<T, String> {
    serde_json::from_slice(answer).map_err(|error| error.to_string())
}

fn in_order(mut data: Vec<Embedding>) -> Result<Vec<Vec<f32>>, String> {
    data.sort_by_key(|embedding| embedding.index);
    match data.iter().enumerate().find(|(place, embedding)| *place != embedding.index) {
        Some((place, _)) => Err(format!("there is not exactly one vector of index {place}")),
        None => Ok(data.into_iter().map(|embedding| embedding.embedding).collect()),
    }
}

/// Brings a vector to length one; else says why that cannot be done.
pub(super) fn bring_to_length_one(vector: &mut [f32]) -> Result<(), String> {
    if vector.iter().any(|value| !value.is_finite()) {
        return Err("a number is not finite".to_owned());
    }
    // In double precision, since squares of what comes from outside may be beyond the single one.
    let length = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err("a vector is empty or all zeros".to_owned());
    }
    for value in vector {
        #[expect(clippy::cast_possible_truncation, reason = "a share of the length is at most one")]
        let share = (f64::from(*value) / length) as f32;
        *value = share;
    }
    Ok(())
}
