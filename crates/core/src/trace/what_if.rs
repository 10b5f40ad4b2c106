//! What would have changed the outcome? Answered by deciding again without one thing at a time.

use super::{Account, Judge};
use crate::catalog::{RouteId, Scoring};
use crate::decision::{Decision, Lost, Outcome, Why, decide};
use crate::measure::{Confidence, Points};
use crate::message::Span;
use crate::scores::factors;
use crate::scores::weigh;
use crate::signals::{Signal, Signals, speak_up};

/// Most sentences given: the first few are what a person acts on.
const SENTENCES_MAX: usize = 6;
/// Words that spoke to a head which are tried without.
const LOUDEST_MAX: usize = 3;
/// Longest text quoted in a sentence, in characters; the page above shows it whole.
const QUOTED_CHARS_MAX: usize = 60;

/// What would have changed the outcome, in a person's words.
pub(super) fn what_if(account: &Account<'_>, judge: &Judge<'_>) -> Vec<String> {
    let mut sentences = match (&account.decision.why, account.decision.outcome) {
        (Why::UnknownCommand(_), _) => return Vec::new(),
        (_, Outcome::Act | Outcome::Blocked | Outcome::Deferred) => without_each_text(account, judge),
        (_, Outcome::Clarify) => {
            without_trouble(account).into_iter().chain(what_was_missing(account)).collect()
        }
        (_, Outcome::Abstain) => what_was_missing(account),
    };
    sentences.splice(0..0, with_open_gates(account));
    sentences.extend(without_each_negation(account));
    sentences.extend(another_threshold(account));
    sentences.truncate(SENTENCES_MAX);
    sentences
}

/// What would be taken if the gates were open.
fn with_open_gates(account: &Account<'_>) -> Option<String> {
    let closed: Vec<&str> =
        account.gates.iter().filter(|gate| !gate.allowed).map(|gate| gate.name.as_str()).collect();
    let route = account.decision.ranked.first().filter(|_| !closed.is_empty())?;
    let gates = if closed.len() == 1 { "the gate" } else { "the gates" };
    let name = account.catalog.route_name(*route);
    Some(format!("With {gates} {} open, {name} would be taken.", closed.join(" and ")))
}

/// What the decision would be with other signals.
fn decide_with(account: &Account<'_>, signals: &Signals<'_>) -> Decision {
    let threshold = account.adjusted.threshold;
    let scores = match account.catalog.scoring() {
        Scoring::Rules => weigh(&signals.found, threshold),
        Scoring::Factors => {
            factors::weigh(account.catalog, signals, account.context.as_ref(), &account.situation.observed)
        }
    };
    decide(account.catalog, signals, &scores, threshold)
}

/// Each text that spoke for the route taken, and what would be decided if the message did not have it.
fn without_each_text(account: &Account<'_>, judge: &Judge<'_>) -> Vec<String> {
    let Some(winner) = account.decision.ranked.first() else { return Vec::new() };
    let rules = account.signals.found.iter().filter(|s| s.route == *winner && s.denied.is_none());
    let rules = rules.filter(|signal| !signal.kind.is_learned()).map(|signal| signal.span);
    let mut texts: Vec<Span> = Vec::new();
    for span in rules.chain(loudest(account, *winner)) {
        if !texts.contains(&span) {
            texts.push(span);
        }
    }
    let sentence = |gone: Span| {
        let after = decide_with(account, &without_text(account, gone, judge));
        let changed = after.ranked.first() != Some(winner) || after.outcome != Outcome::Act;
        changed.then(|| {
            format!("Without {} the answer would be {}.", quoted(account, gone), outcome(account, &after))
        })
    };
    texts.into_iter().filter_map(sentence).collect()
}

/// The words that spoke loudest for a route to the head.
fn loudest(account: &Account<'_>, route: RouteId) -> Vec<Span> {
    let voices = account.grounds.iter().filter(|grounds| grounds.route == route).flat_map(|g| &g.voices);
    let spoke = voices.filter(|voice| voice.amount > 0.0).filter_map(|voice| voice.span);
    spoke.take(LOUDEST_MAX).map(|span| account.reading.original(span)).collect()
}

/// The signals of the message without a text: whatever rests on it is gone, whichever route it spoke for, and a head
/// is asked about what is left.
fn without_text<'c>(account: &Account<'c>, gone: Span, judge: &Judge<'_>) -> Signals<'c> {
    let mut kept = account.signals.clone();
    let rests =
        |signal: &Signal<'_>| signal.span.overlaps(gone) || signal.beside.is_some_and(|b| b.overlaps(gone));
    kept.found.retain(|signal| !rests(signal));
    kept.trouble.retain(|trouble| !trouble.span.overlaps(gone));
    kept.found.retain(|signal| !signal.kind.is_learned());
    let text = &account.situation.message.text;
    let (before, after) = (text.get(..gone.range().start), text.get(gone.range().end..));
    let rest = format!("{} {}", before.unwrap_or_default(), after.unwrap_or_default());
    if let Some(meaning) = judge(&rest) {
        kept.found.extend(speak_up(account.catalog, &meaning, Span::default()));
        kept.found.sort_by_key(|signal| signal.route);
    }
    kept
}

fn without_each_negation(account: &Account<'_>) -> Vec<String> {
    let signals = &account.signals;
    let denied = signals.found.iter().filter_map(|signal| signal.denied);
    let mut cues: Vec<Span> =
        denied.chain(signals.trouble.iter().filter_map(|trouble| trouble.denied)).collect();
    cues.sort_unstable();
    cues.dedup();
    cues.truncate(SENTENCES_MAX);
    let sentence = |cue: Span| {
        let mut affirmed = signals.clone();
        affirmed.found.iter_mut().filter(|s| s.denied == Some(cue)).for_each(|signal| signal.denied = None);
        affirmed
            .trouble
            .iter_mut()
            .filter(|t| t.denied == Some(cue))
            .for_each(|trouble| trouble.denied = None);
        let after = decide_with(account, &affirmed);
        let changed = (after.outcome, after.ranked.first())
            != (account.decision.outcome, account.decision.ranked.first());
        let cue = quoted(account, cue);
        changed
            .then(|| format!("Without the negation {cue} the answer would be {}.", outcome(account, &after)))
    };
    cues.into_iter().filter_map(sentence).collect()
}

fn without_trouble(account: &Account<'_>) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    for trouble in account.signals.trouble.iter().filter(|trouble| trouble.denied.is_none()) {
        let word = quoted(account, trouble.span);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let named = words.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    let more = if words.len() > 3 { format!(" and {} more", words.len() - 3) } else { String::new() };
    (!words.is_empty()).then(|| format!("Without {named}{more} the message would be left alone."))
}

fn what_was_missing(account: &Account<'_>) -> Vec<String> {
    let near = account.decision.losers.iter().filter_map(|loser| {
        let name = account.catalog.route_name(loser.route);
        match &loser.lost {
            Lost::BelowThreshold(gap, _) => Some(format!("With {gap} more, {name} would be taken.")),
            Lost::KeywordsAlone => {
                Some(format!("{name} has keywords but no pattern, example or target for them to support."))
            }
            _ => None,
        }
    });
    near.collect()
}

/// The threshold at which the winner would have lost, or the surest loser would be a candidate.
fn another_threshold(account: &Account<'_>) -> Option<String> {
    let chosen =
        account.decision.ranked.first().and_then(|route| account.scores.iter().find(|s| s.route == *route));
    let name = |route| account.catalog.route_name(route);
    match chosen {
        Some(score) if score.force.is_some() => None,
        Some(score) => Some(format!(
            "A threshold above {} would not have taken {}.",
            score.confidence,
            name(score.route)
        )),
        None => {
            let worth_telling = Confidence::new(Points::hundredths(1));
            let best = account.decision.losers.first().filter(|loser| loser.confidence >= worth_telling)?;
            Some(format!("A threshold of {} would let {} through.", best.confidence, name(best.route)))
        }
    }
}

fn outcome(account: &Account<'_>, decision: &Decision) -> String {
    match (decision.outcome, decision.ranked.first()) {
        (Outcome::Act, Some(route)) => account.catalog.route_name(*route).to_owned(),
        (Outcome::Clarify, _) => "a question back".to_owned(),
        _ => "to leave the message alone".to_owned(),
    }
}

fn quoted(account: &Account<'_>, span: Span) -> String {
    let text = span.of(&account.situation.message.text);
    let short: String = text.chars().take(QUOTED_CHARS_MAX).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("“{short}{more}”")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, Source};
    use crate::message::{Message, Reading, Situation};
    use crate::{decision, scores, signals};

    const CATALOG: &str = r"
trouble: [wrong, broken]
routes:
  - {name: a, description: A, priority: 2, patterns: [{match: red.*sky, weight: 0.2}], keywords: [red]}
  - {name: b, description: B, patterns: [{match: sky, weight: 0.1}, {match: faint, weight: 0.05}]}
";

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let catalog = Catalog::read(&[Source::new("test.yaml", CATALOG)], "test").catalog.unwrap();
        let situation = Situation { message: Message::from(text), ..Situation::default() };
        let reading = Reading::new(text);
        let signals = signals::notice(&catalog, &situation, &reading);
        let scores = scores::weigh(&signals.found, catalog.thresholds().base);
        let decision = decision::decide(&catalog, &signals, &scores, catalog.thresholds().base);
        let grounds = Vec::new();
        let account = Account {
            catalog: &catalog,
            situation,
            reading,
            context: None,
            standing: crate::history::Standing::default(),
            adjusted: crate::threshold::adjust(catalog.thresholds(), &crate::threshold::State::default()),
            preflight: None,
            blocked: None,
            signals,
            scores,
            decision,
            gates: Vec::new(),
            grounds,
        };
        assert_eq!(what_if(&account, &|_| None), expected, "{text}");
    }

    #[test]
    fn a_text_that_is_gone_is_gone_for_every_route() {
        check(
            "red sky",
            &[
                "Without “red sky” the answer would be to leave the message alone.",
                "Without “red” the answer would be b.",
                "A threshold above 0.60 would not have taken a.",
            ],
        );
    }

    #[test]
    fn what_was_missing_is_told() {
        check("faint", &["With 0.05 more, b would be taken.", "A threshold of 0.35 would let b through."]);
        check("red", &["a has keywords but no pattern, example or target for them to support."]);
        check("no sky", &["Without the negation “no” the answer would be b."]);
        check("it is wrong, wrong", &["Without “wrong” the message would be left alone."]);
        check("nothing is wrong", &["Without the negation “nothing” the answer would be a question back."]);
        check("/what", &[]);
    }
}
