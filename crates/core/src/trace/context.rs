//! What is told about the kind of request? The `context` of the JSON contract.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Account;
use crate::catalog::context::{Labels, Layer};
use crate::context::{Answered, Settled};
use crate::measure::{Confidence, Points};
use crate::message::Span;

/// What kind of request a message is; its text alone where the catalog does not ask.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, Value>")]
pub struct Context {
    /// The text, as written.
    pub text: String,
    /// How complex it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complexity: Option<ComplexityTold>,
    /// What it names, by place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entities: Option<Vec<EntityTold>>,
    /// How sure all this is, on the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// The label of every other layer, by the layer's name. A scale nothing is known of is one of them.
    #[serde(flatten)]
    pub layers: BTreeMap<String, LabelTold>,
}

/// A label, and how sure it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelTold {
    /// The label.
    pub label: String,
    /// How sure, from 0 to 1.
    pub confidence: Confidence,
    /// What settled it: keyword, learned, pattern, none.
    pub matched_by: String,
    /// Where the text that says so begins and ends, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<[usize; 2]>,
    /// Other labels that may be meant, the surest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherLabel>,
}

/// A label that may be meant too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherLabel {
    /// The label.
    pub label: String,
    /// How sure.
    pub confidence: Confidence,
}

/// How complex a request is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComplexityTold {
    /// From 0 to 1.
    pub score: Points,
    /// The band it falls into.
    pub band: String,
    /// How sure the band is.
    pub confidence: Confidence,
    /// How many tokens such a task is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
    /// How many minutes it is expected to take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u32>,
}

/// Something a message names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntityTold {
    /// As it is written.
    pub text: String,
    /// What it is.
    pub kind: String,
    /// Where it begins and ends, in characters.
    pub span: [usize; 2],
    /// How sure.
    pub confidence: Confidence,
}

impl TryFrom<BTreeMap<String, Value>> for Context {
    type Error = serde_json::Error;

    /// Reads what was told. `complexity` is a place on a scale where it has a score, else a label like any other.
    fn try_from(mut told: BTreeMap<String, Value>) -> Result<Context, serde_json::Error> {
        let scored = told.get("complexity").is_some_and(|told| told.get("score").is_some());
        let complexity = if scored { told.remove("complexity") } else { None };
        let mut take = |name: &str| told.remove(name).unwrap_or_default();
        Ok(Context {
            text: serde_json::from_value(take("text"))?,
            entities: serde_json::from_value(take("entities"))?,
            confidence: serde_json::from_value(take("confidence"))?,
            complexity: complexity.map(serde_json::from_value).transpose()?,
            layers: serde_json::from_value(Value::Object(told.into_iter().collect()))?,
        })
    }
}

/// What an account tells about the kind of request.
pub(super) fn told(account: &Account<'_>) -> Context {
    let text = &account.situation.message.text;
    let mut told = Context {
        text: text.clone(),
        complexity: None,
        entities: None,
        confidence: None,
        layers: BTreeMap::new(),
    };
    let Some((labels, context)) = account.catalog.context().zip(account.context.as_ref()) else {
        return told;
    };
    // A layer with bands is told as a score or not at all.
    let graded = labels.graded();
    let others =
        labels.layers().iter().zip(&context.layers).enumerate().filter(|(at, _)| Some(*at) != graded);
    told.layers =
        others.map(|(_, (layer, answered))| (layer.name.clone(), label(layer, answered, text))).collect();
    told.complexity = context.complexity.map(|complexity| ComplexityTold {
        score: complexity.score,
        band: name_of(labels, complexity.layer, complexity.band),
        confidence: complexity.confidence,
        tokens: complexity.budget.tokens,
        minutes: complexity.budget.minutes,
    });
    let entities = context.entities.iter().map(|entity| EntityTold {
        text: entity.span.of(text).to_owned(),
        kind: entity.kind.name().to_owned(),
        span: entity.span.in_chars(text),
        confidence: entity.confidence,
    });
    told.entities = Some(entities.collect());
    told.confidence = Some(context.confidence);
    told
}

fn name_of(labels: &Labels, layer: usize, label: usize) -> String {
    let named = labels.layers().get(layer).and_then(|layer| layer.labels.get(label));
    named.map_or_else(String::new, |label| label.name.clone())
}

fn label(layer: &Layer, answered: &Answered, text: &str) -> LabelTold {
    let chosen = answered.name(layer);
    let other = |(label, confidence): &(usize, Confidence)| {
        let name = &layer.labels.get(*label)?.name;
        (name != chosen).then(|| OtherLabel { label: name.clone(), confidence: *confidence })
    };
    let unread = answered.by == Settled::Nothing;
    LabelTold {
        label: chosen.to_owned(),
        confidence: answered.confidence,
        matched_by: answered.by.name().to_owned(),
        span: answered.span.map(|span: Span| span.in_chars(text)),
        others: if unread { Vec::new() } else { answered.scores.iter().filter_map(other).collect() },
    }
}
