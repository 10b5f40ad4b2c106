//! What would have changed the outcome? Answered by deciding again without one thing at a time.

use super::Account;
use crate::decision::{Decision, Lost, Outcome, decide};
use crate::measure::{Confidence, Points};
use crate::scores::weigh;
use crate::signals::Signal;

/// Most sentences given: the first few are what a person acts on.
const SENTENCES_MAX: usize = 6;
/// Longest text quoted in a sentence, in characters; the page above shows it whole.
const QUOTED_CHARS_MAX: usize = 60;

/// What would have changed the outcome, in a person's words.
pub(super) fn what_if(account: &Account<'_>) -> Vec<String> {
    let mut sentences = match account.decision.outcome {
        Outcome::Act => without_each_signal(account),
        Outcome::Clarify => without_trouble(account).into_iter().chain(what_was_missing(account)).collect(),
        Outcome::Abstain => what_was_missing(account),
    };
    sentences.extend(without_each_negation(account));
    sentences.extend(another_threshold(account));
    sentences.truncate(SENTENCES_MAX);
    sentences
}

/// What the decision would be with other signals.
fn decide_with<'c>(account: &Account<'c>, found: Vec<Signal<'c>>) -> Decision {
    let mut signals = account.signals.clone();
    signals.found = found;
    decide(account.catalog, &signals, &weigh(&signals.found))
}

fn without_each_signal(account: &Account<'_>) -> Vec<String> {
    let Some(winner) = account.decision.ranked.first() else { return Vec::new() };
    let found = &account.signals.found;
    let of_winner = found.iter().filter(|signal| signal.route == *winner && signal.denied.is_none());
    of_winner
        .filter_map(|gone| {
            let kept = found.iter().filter(|signal| *signal != gone).copied().collect();
            let after = decide_with(account, kept);
            let changed = after.ranked.first() != Some(winner) || after.outcome != Outcome::Act;
            changed.then(|| {
                format!("Without {} the answer would be {}.", quoted(account, gone), outcome(account, &after))
            })
        })
        .collect()
}

fn without_each_negation(account: &Account<'_>) -> Vec<String> {
    let mut cues: Vec<_> = account.signals.found.iter().filter_map(|signal| signal.denied).collect();
    cues.sort_unstable();
    cues.dedup();
    cues.into_iter()
        .filter_map(|cue| {
            let affirmed = account.signals.found.iter().map(|signal| match signal.denied {
                Some(denied) if denied == cue => Signal { denied: None, ..*signal },
                _ => *signal,
            });
            let after = decide_with(account, affirmed.collect());
            let changed = after.ranked.first() != account.decision.ranked.first();
            let cue = cue.of(&account.situation.message.text);
            changed.then(|| {
                format!("Without the negation “{cue}” the answer would be {}.", outcome(account, &after))
            })
        })
        .collect()
}

fn without_trouble(account: &Account<'_>) -> Option<String> {
    let text = &account.situation.message.text;
    let words: Vec<String> =
        account.signals.trouble.iter().map(|span| format!("“{}”", span.of(text))).collect();
    let words = words.get(..words.len().min(3))?.join(", ");
    Some(format!("Without {words} the message would be left alone."))
}

fn what_was_missing(account: &Account<'_>) -> Vec<String> {
    let near = account.decision.losers.iter().filter_map(|loser| {
        let name = account.catalog.route_name(loser.route);
        match &loser.lost {
            Lost::BelowThreshold(gap) => Some(format!("With {gap} more, {name} would be taken.")),
            Lost::KeywordsAlone => {
                Some(format!("{name} has keywords but no pattern, example or target for them to support."))
            }
            _ => None,
        }
    });
    near.collect()
}

/// The threshold at which the winner would have lost, or the best loser won.
fn another_threshold(account: &Account<'_>) -> Option<String> {
    let best = account.scores.iter().max_by_key(|score| score.confidence)?;
    let chosen =
        account.decision.ranked.first().and_then(|route| account.scores.iter().find(|s| s.route == *route));
    match chosen {
        Some(score) if score.force.is_some() => None,
        Some(score) => Some(format!(
            "A threshold above {} would not have taken {}.",
            score.confidence,
            account.catalog.route_name(score.route)
        )),
        None if best.confidence > Confidence::new(Points::ZERO) => Some(format!(
            "A threshold of {} would have taken {}.",
            best.confidence,
            account.catalog.route_name(best.route)
        )),
        None => None,
    }
}

fn outcome(account: &Account<'_>, decision: &Decision) -> String {
    match (decision.outcome, decision.ranked.first()) {
        (Outcome::Act, Some(route)) => account.catalog.route_name(*route).to_owned(),
        (Outcome::Clarify, _) => "a question back".to_owned(),
        _ => "to leave the message alone".to_owned(),
    }
}

fn quoted(account: &Account<'_>, signal: &Signal<'_>) -> String {
    let text = signal.span.of(&account.situation.message.text);
    let short: String = text.chars().take(QUOTED_CHARS_MAX).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("the {} “{short}{more}”", signal.kind.name())
}
