//! What did the head go by? The examples a message is most like, and the words that spoke.

use serde::{Deserialize, Serialize};

use super::Account;
use crate::head::Voice;
use crate::measure::Points;
use crate::signals::Grounds;

/// Words told on either side: the loudest say what there is to say.
const WORDS_MAX: usize = 5;
/// The least a word says to be told, in the head's own unit, in which one is a change of odds by the factor e.
const AMOUNT_MIN: f32 = 0.05;

/// What a head went by, for one route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedFrom {
    /// The route.
    pub route: String,
    /// Its examples that are most like the message.
    pub nearest: Vec<Like>,
    /// What the meaning of the whole said, in the same unit as the words.
    pub meaning: Points,
    /// Words that spoke for it rather than for the next likely route, loudest first.
    pub spoke_for: Vec<Spoke>,
    /// Words that spoke against it.
    pub spoke_against: Vec<Spoke>,
}

/// An example like the message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Like {
    /// The example.
    pub text: String,
    /// How alike the two are, from -1 to 1.
    pub similarity: Points,
}

/// A word that spoke.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spoke {
    /// The word or the two words, as written.
    pub text: String,
    /// Where they stand, in characters.
    pub span: [usize; 2],
    /// How loud: one is a change of odds by the factor e.
    pub amount: Points,
}

/// What the head went by, for each route it gave grounds for.
pub(super) fn learned(account: &Account<'_>) -> Vec<LearnedFrom> {
    account.grounds.iter().map(|grounds| of_route(account, grounds)).collect()
}

fn of_route(account: &Account<'_>, grounds: &Grounds) -> LearnedFrom {
    let route = account.catalog.route(grounds.route);
    let like = |(example, similarity): &(usize, f32)| {
        let text = route?.examples.get(*example)?.clone();
        Some(Like { text, similarity: points(*similarity) })
    };
    let meaning = grounds.voices.iter().find(|voice| voice.span.is_none()).map_or(0.0, |voice| voice.amount);
    LearnedFrom {
        route: account.catalog.route_name(grounds.route).to_owned(),
        nearest: grounds.nearest.iter().filter_map(like).collect(),
        meaning: points(meaning),
        spoke_for: spoke(account, grounds.voices.iter().filter(|voice| voice.amount >= AMOUNT_MIN)),
        spoke_against: spoke(account, grounds.voices.iter().filter(|voice| voice.amount <= -AMOUNT_MIN)),
    }
}

fn spoke<'v>(account: &Account<'_>, voices: impl Iterator<Item = &'v Voice>) -> Vec<Spoke> {
    let text = &account.situation.message.text;
    let told = voices.filter_map(|voice| {
        let span = account.reading.original(voice.span?);
        Some(Spoke {
            text: span.of(text).to_owned(),
            span: span.in_chars(text),
            amount: points(voice.amount),
        })
    });
    told.take(WORDS_MAX).collect()
}

fn points(amount: f32) -> Points {
    Points::from_share(f64::from(amount))
}
