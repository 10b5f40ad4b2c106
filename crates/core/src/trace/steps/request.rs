//! What was asked, taken apart: words, areas, complexity.

use serde::{Deserialize, Serialize};

use super::super::Account;
use crate::context::Settled;
use crate::measure::{Confidence, Points};
use crate::preflight::Preflight;

/// Tokens a task takes whatever it is: instructions, and the answer.
const TOKENS_BASE: f64 = 1_000.0;
/// Tokens a task takes that is as complex as can be. With it a task takes at most nine tenths of what the bands of the design grant (5,000, 15,000 and
/// 30,000 tokens), and the rest is left to the message: only long ones are too much.
const TOKENS_COMPLEX: f64 = 27_000.0;
/// Bytes of a token, about.
const BYTES_OF_A_TOKEN: usize = 4;

/// A request, taken apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Words of the message that routes or labels look out for.
    pub keywords: Vec<String>,
    /// What is to be done.
    pub operation: Option<String>,
    /// Which area it is, and by what that is seen.
    pub area: Option<String>,
    /// Words and files that say which area it is.
    pub domain_indicators: Vec<String>,
    /// How urgent it is.
    pub urgency: Option<String>,
    /// Flags the message gives.
    pub flags: Vec<String>,
}

/// How far an area is meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AreaScore {
    /// The area.
    pub area: String,
    /// How sure.
    pub score: Confidence,
}

/// How complex a request is, and what that takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Assessment {
    /// From 0 to 1; nothing where nobody knows.
    pub score: Option<Points>,
    /// simple, moderate or complex.
    pub band: Option<String>,
    /// Tokens it will take, by a guess.
    pub tokens_predicted: Option<u64>,
    /// Tokens it is given.
    pub token_budget: Option<u32>,
    /// Minutes it is expected to take.
    pub minutes: Option<u32>,
}

pub(super) fn parse(account: &Account<'_>, preflight: &Preflight) -> Request {
    let text = &account.situation.message.text;
    let kind = account.catalog.context().zip(account.context.as_ref());
    let label =
        |layer: &str| kind.and_then(|(labels, context)| context.label(labels, layer)).map(str::to_owned);
    let answers = || account.context.iter().flat_map(|context| &context.layers);
    let by_word =
        answers().filter(|answered| answered.by == Settled::Word).filter_map(|answered| answered.span);
    let by_route =
        account.signals.found.iter().filter(|s| s.denied.is_none() && !s.kind.is_learned()).map(|s| s.span);
    let mut spans: Vec<_> = by_word.chain(by_route).collect();
    spans.sort_unstable();
    spans.dedup();
    let area = kind.and_then(|(labels, context)| context.answered(labels, "area"));
    let indicated = area.filter(|answered| answered.by == Settled::Word).and_then(|answered| answered.span);
    Request {
        keywords: spans.into_iter().map(|span| span.of(text).to_owned()).collect(),
        operation: label("operation"),
        area: label("area"),
        domain_indicators: indicated.map(|span| span.of(text).to_owned()).into_iter().collect(),
        urgency: label("urgency"),
        flags: preflight.given.flags.iter().map(|given| given.flag.clone()).collect(),
    }
}

pub(super) fn areas(account: &Account<'_>) -> Vec<AreaScore> {
    let Some((labels, context)) = account.catalog.context().zip(account.context.as_ref()) else {
        return Vec::new();
    };
    let layer = labels.layer("area").and_then(|place| labels.layers().get(place));
    let answered = context.answered(labels, "area");
    let scores = answered.into_iter().flat_map(|answered| &answered.scores);
    let named = scores.filter_map(|(label, score)| {
        let area = layer?.labels.get(*label)?.name.clone();
        Some(AreaScore { area, score: *score })
    });
    named.collect()
}

pub(super) fn assess(account: &Account<'_>) -> Assessment {
    let kind = account.catalog.context().zip(account.context.as_ref());
    let Some((labels, complexity)) = kind.and_then(|(labels, context)| Some((labels, context.complexity?)))
    else {
        return Assessment::default();
    };
    let band = labels.layers().get(complexity.layer).and_then(|layer| layer.labels.get(complexity.band));
    Assessment {
        score: Some(complexity.score),
        band: band.map(|band| band.name.clone()),
        tokens_predicted: Some(tokens(account, complexity.score)),
        token_budget: complexity.budget.tokens,
        minutes: complexity.budget.minutes,
    }
}

/// Tokens a task will take, by a guess: the message itself, and more the more complex it is.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of a bounded number
pub(super) fn tokens(account: &Account<'_>, complexity: Points) -> u64 {
    let message = (account.situation.message.text.len() / BYTES_OF_A_TOKEN) as u64;
    let work = TOKENS_BASE + (TOKENS_COMPLEX - TOKENS_BASE) * complexity.share().clamp(0.0, 1.0).powi(2);
    message + work as u64
}
