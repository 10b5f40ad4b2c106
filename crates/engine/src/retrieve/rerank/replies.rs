//! What does a re-rank endpoint say? The two ways to ask, and what comes back.

use serde::Deserialize;
use serde_json::{Value, json};

/// Longest text sent, in characters: re-rankers read some 512 tokens, and services refuse what is far longer.
const TEXT_CHARS_MAX: usize = 8_000;

/// How an endpoint is asked. Whichever way it is, its answer is understood in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// As Hugging Face's text-embeddings-inference is: `{"query", "texts"}`.
    Tei,
    /// As Cohere is, and Jina, vLLM and others since: `{"model", "query", "documents", "top_n"}`.
    Cohere,
}

impl Shape {
    /// Its name, in ids and flags.
    pub const fn name(self) -> &'static str {
        match self {
            Shape::Tei => "tei",
            Shape::Cohere => "cohere",
        }
    }

    /// Most texts in one request: what text-embeddings-inference takes unless it is told otherwise, and Cohere advises.
    pub(super) const fn batch(self) -> usize {
        match self {
            Shape::Tei => 32,
            Shape::Cohere => 1_000,
        }
    }

    /// The question for the scores of texts.
    pub(super) fn question(self, model: Option<&str>, message: &str, texts: &[&str]) -> Value {
        let texts: Vec<&str> = texts.iter().map(|text| sendable(text)).collect();
        let mut question = match self {
            Shape::Tei => json!({ "query": sendable(message), "texts": texts, "truncate": true }),
            Shape::Cohere => {
                json!({ "query": sendable(message), "documents": texts, "top_n": texts.len() })
            }
        };
        if let (Some(model), Some(fields)) = (model, question.as_object_mut()) {
            fields.insert("model".to_owned(), json!(model));
        }
        question
    }
}

/// What of a text is sent.
fn sendable(text: &str) -> &str {
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

/// An answer of either shape.
#[derive(Deserialize)]
#[serde(untagged)]
enum Reply {
    Bare(Vec<Scored>),
    Results { results: Vec<Scored> },
}

#[derive(Deserialize)]
struct Scored {
    index: usize,
    #[serde(alias = "relevance_score")]
    score: f32,
}

/// The scores in an answer, in the order of the texts; else what is wrong with it.
pub(super) fn scores(answer: &[u8], texts: usize) -> Result<Vec<f32>, String> {
    // First as JSON at all, since of an answer of neither shape serde says no more than that.
    let answer: Value = serde_json::from_slice(answer).map_err(|error| error.to_string())?;
    let reply = serde_json::from_value(answer)
        .map_err(|_| "neither a list of `index` and `score` nor `results` with `relevance_score`")?;
    let (Reply::Bare(scored) | Reply::Results { results: scored }) = reply;
    let mut scores: Vec<Option<f32>> = vec![None; texts];
    for Scored { index, score } in scored {
        let place = scores.get_mut(index).ok_or_else(|| format!("index {index} of {texts} texts"))?;
        if place.is_some() {
            return Err(format!("index {index} twice"));
        }
        if !score.is_finite() {
            return Err("a score is not finite".to_owned());
        }
        *place = Some(score);
    }
    let found = scores.iter().flatten().count();
    let whole: Option<Vec<f32>> = scores.into_iter().collect();
    whole.ok_or_else(|| format!("scores of {found} of {texts} texts"))
}
