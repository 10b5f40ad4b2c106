//! What else does a message say? A second request, what is not wanted, and the turn it continues.

use serde::{Deserialize, Serialize};

use super::Account;
use crate::catalog::{RouteId, Select};
use crate::decision::{Lost, Outcome};
use crate::measure::Confidence;
use crate::message::Span;
use crate::signals::Aside;

/// A route that a part of the message is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartOfMessage {
    /// The route.
    pub route: String,
    /// How sure that is.
    pub confidence: Confidence,
    /// The words that say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where they stand in the message, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<[usize; 2]>,
}

/// The specialists that a message needs, each with its part of the message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Team {
    /// Who answers for the whole.
    pub lead: PartOfMessage,
    /// Who else has a part.
    pub assistants: Vec<PartOfMessage>,
}

/// An earlier turn that a message continues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Continued {
    /// Which turn of the history, counted from 0.
    pub turn: usize,
    /// What was said then.
    pub text: String,
}

/// The routes that are taken.
fn taken<'a>(account: &'a Account<'_>) -> &'a [RouteId] {
    let ranked = &account.decision.ranked;
    match (account.decision.outcome, account.catalog.select()) {
        (Outcome::Act, Select::Many) => ranked,
        (Outcome::Act, Select::One) => ranked.get(..1).unwrap_or_default(),
        _ => &[],
    }
}

/// The second request, unless it is for what is done anyway.
pub(super) fn also(account: &Account<'_>) -> Vec<PartOfMessage> {
    let also = account.signals.also.iter().filter(|also| !taken(account).contains(&also.route));
    also.map(|also| part_of(account, also)).collect()
}

/// What is not wanted: by what was learned, and by the negations that rules found. A route that is taken is wanted.
pub(super) fn denied(account: &Account<'_>) -> Vec<PartOfMessage> {
    let learned = account.signals.denied.iter().filter(|denied| !taken(account).contains(&denied.route));
    let mut parts: Vec<PartOfMessage> = learned.map(|denied| part_of(account, denied)).collect();
    for loser in account.decision.losers.iter().filter(|loser| loser.lost == Lost::Denied) {
        let name = account.catalog.route_name(loser.route);
        let text = &account.situation.message.text;
        let said = account
            .signals
            .found
            .iter()
            .find(|signal| signal.route == loser.route && signal.denied.is_some());
        let span = said.and_then(|signal| Some(signal.span.joined(signal.denied?)));
        if parts.iter().all(|part| part.route != name) {
            parts.push(PartOfMessage {
                route: name.to_owned(),
                confidence: Confidence::CERTAIN,
                text: span.map(|span| span.of(text).to_owned()),
                span: span.map(|span| span.in_chars(text)),
            });
        }
    }
    parts
}

fn part_of(account: &Account<'_>, aside: &Aside) -> PartOfMessage {
    let text = &account.situation.message.text;
    let span = aside.span.clone().map(Span::new);
    PartOfMessage {
        route: account.catalog.route_name(aside.route).to_owned(),
        confidence: aside.confidence,
        text: span.map(|span| span.of(text).to_owned()),
        span: span.map(|span| span.in_chars(text)),
    }
}

/// The earlier turn that the message continues.
pub(super) fn continued(account: &Account<'_>) -> Option<Continued> {
    let turn = account.signals.continues?;
    let text = account.situation.message.history.get(turn)?.text().to_owned();
    Some(Continued { turn, text })
}
