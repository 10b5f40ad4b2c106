//! **Is it enough?** Act, ask back, or leave the message alone; and why each other route lost.

mod lost;

pub use lost::{Loser, Lost};

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::catalog::{Catalog, RouteId, Select};
use crate::measure::{Confidence, Points};
use crate::preflight::flags::Conflict;
use crate::scores::Score;
use crate::signals::{Force, Signals, UnknownCommand};

/// What is to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Take the route.
    Act,
    /// Ask the person which route is meant.
    Clarify,
    /// Leave the message alone.
    Abstain,
    /// Do not begin: the machine, a failed check or the like forbids it.
    Blocked,
    /// Do not begin now: it had better wait, or be looked at first.
    Deferred,
}

impl Outcome {
    /// The name of the JSON contract.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Act => "act",
            Outcome::Clarify => "clarify",
            Outcome::Abstain => "abstain",
            Outcome::Blocked => "blocked",
            Outcome::Deferred => "deferred",
        }
    }
}

/// What was decided, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What is to happen.
    pub outcome: Outcome,
    /// Why.
    pub why: Why,
    /// The route taken, then the others above the threshold, surest first; all are taken where the catalog takes many.
    pub ranked: Vec<RouteId>,
    /// Every route not taken, surest first, with the reason.
    pub losers: Vec<Loser>,
    /// The confidence that was asked of the route taken, else of the surest.
    pub threshold: Confidence,
}

/// Why a decision came out as it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A command ordered the route.
    Ordered,
    /// The message names the route.
    Named,
    /// It is the surest above the threshold, with nothing close to it.
    Surest,
    /// It has the highest priority among the routes about equally sure.
    Preferred,
    /// So many routes reach their thresholds, and the catalog takes many.
    Several(usize),
    /// Something is wrong, and the message does not say what.
    Trouble,
    /// The message names nothing, and the catalog asks then.
    NamesNothing,
    /// No other route is sure enough, and the catalog says what is taken then.
    Fallback,
    /// Two flags of the message exclude each other.
    Conflict(Conflict),
    /// This route is sure enough, and safe mode does not allow it.
    SafeMode(RouteId),
    /// Nothing speaks for any route.
    NothingFits,
    /// The command is not one of the catalog's.
    UnknownCommand(UnknownCommand),
}

/// Decides. Routes are ordered by name, so that the order of the catalog decides nothing.
pub fn decide(
    catalog: &Catalog,
    signals: &Signals<'_>,
    scores: &[Score<'_>],
    threshold: Confidence,
) -> Decision {
    let refused = signals.unknown_command.as_ref();
    let torn = signals.conflict.as_ref().filter(|_| refused.is_none());
    let enough = |score: &&Score<'_>| is_enough(catalog, score, threshold);
    let (mut candidates, barred): (Vec<&Score<'_>>, Vec<&Score<'_>>) =
        scores.iter().filter(enough).partition(|score| is_allowed(catalog, signals, score.route));
    if refused.is_some() || torn.is_some() || signals.vague {
        candidates.clear();
    }
    candidates.sort_by_key(|score| {
        (
            Reverse(score.force),
            Reverse(score.confidence),
            Reverse(score.belief),
            Reverse(priority(catalog, score)),
        )
    });
    let chosen = match catalog.select() {
        Select::One => choose(catalog, &candidates),
        Select::Many => candidates.first().copied(),
    };
    let first = chosen.map(|score| score.route);
    let others = candidates.iter().map(|score| score.route).filter(|route| Some(*route) != first);
    let fallback = catalog
        .fallback()
        .filter(|_| first.is_none() && refused.is_none() && torn.is_none() && !signals.vague)
        .filter(|route| is_allowed(catalog, signals, *route));
    let barred = barred.iter().max_by_key(|score| (score.force, score.confidence)).map(|score| score.route);
    let ranked = first.into_iter().chain(others).chain(fallback).collect();
    let (outcome, why) = match (chosen, refused, torn) {
        (_, Some(unknown), _) => (Outcome::Abstain, Why::UnknownCommand(unknown.clone())),
        (_, None, Some(pair)) => (Outcome::Clarify, Why::Conflict(pair.clone())),
        (Some(_), None, None) if catalog.select() == Select::Many && candidates.len() > 1 => {
            (Outcome::Act, Why::Several(candidates.len()))
        }
        (Some(score), None, None) => (Outcome::Act, why_chosen(catalog, score, &candidates)),
        (None, None, None) if signals.vague => (Outcome::Clarify, Why::NamesNothing),
        (None, None, None) if fallback.is_some() => (Outcome::Act, Why::Fallback),
        (None, None, None) if barred.is_some() => {
            (Outcome::Abstain, barred.map_or(Why::NothingFits, Why::SafeMode))
        }
        (None, None, None) if signals.is_troubled() => (Outcome::Clarify, Why::Trouble),
        (None, None, None) => (Outcome::Abstain, Why::NothingFits),
    };
    let taken = if catalog.select() == Select::Many { &candidates[..] } else { chosen.as_slice() };
    let unknown = refused.map(|_| Lost::UnknownCommand);
    let torn = torn.map(|_| Lost::ConflictingFlags);
    let refused = unknown.or(torn).or(signals.vague.then_some(Lost::NamesNothing));
    let is_allowed = |route| is_allowed(catalog, signals, route);
    let race = lost::Race { candidates: &candidates, refused, fallback, threshold, is_allowed: &is_allowed };
    let losers = lost::losers(catalog, scores, taken, &race);
    let surest = || scores.iter().max_by_key(|score| (score.confidence, Reverse(score.route)));
    let asked = chosen.or_else(surest);
    let threshold = asked.map_or(threshold, |score| threshold_of(catalog, score, threshold));
    Decision { outcome, why, ranked, losers, threshold }
}

/// Whether a route is sure enough to act on. Nothing is never enough, whatever the threshold.
fn is_enough(catalog: &Catalog, score: &Score<'_>, threshold: Confidence) -> bool {
    // What is taken where nothing else is does not compete.
    let competes = catalog.fallback() != Some(score.route);
    let enough = score.confidence >= threshold_of(catalog, score, threshold);
    let sure = competes && score.confidence > Confidence::NONE && enough;
    score.force.is_some() || sure
}

/// Whether a route may be chosen: in safe mode only what it allows.
fn is_allowed(catalog: &Catalog, signals: &Signals<'_>, route: RouteId) -> bool {
    let safe_mode = &catalog.precautions().conduct.safe_mode;
    !signals.safe_mode || safe_mode.allows_route(catalog.route_name(route))
}

/// How sure a route must be: what its evidence asks for, else the catalog's base.
fn threshold_of(catalog: &Catalog, score: &Score<'_>, threshold: Confidence) -> Confidence {
    let moved = threshold.points() - catalog.thresholds().base.points();
    score.needed.map_or(threshold, |needed| Confidence::new(needed.points() + moved))
}

/// Among the routes about as sure as the best, the one of highest priority.
fn choose<'s, 'c>(catalog: &Catalog, candidates: &[&'s Score<'c>]) -> Option<&'s Score<'c>> {
    let best = candidates.first()?;
    let about_as_sure = candidates.iter().filter(|score| rivals(catalog, best, score));
    // The first of equals is the surest: candidates come in that order, and `min_by_key` keeps the first.
    about_as_sure.min_by_key(|score| Reverse(priority(catalog, score))).copied()
}

/// Whether a candidate is about as sure as the best. What is forced is a rival only of what is forced alike.
fn rivals(catalog: &Catalog, best: &Score<'_>, other: &Score<'_>) -> bool {
    let gap: Points = best.confidence.points() - other.confidence.points();
    best.force == other.force && (best.force.is_some() || gap <= catalog.thresholds().window)
}

fn why_chosen(catalog: &Catalog, chosen: &Score<'_>, candidates: &[&Score<'_>]) -> Why {
    let contested = candidates
        .first()
        .is_some_and(|best| candidates.iter().filter(|c| rivals(catalog, best, c)).count() > 1);
    match chosen.force {
        Some(Force::Command) => Why::Ordered,
        Some(Force::Name) => Why::Named,
        None if contested => Why::Preferred,
        None => Why::Surest,
    }
}

fn priority(catalog: &Catalog, score: &Score<'_>) -> i32 {
    catalog.route(score.route).map_or(0, |route| route.priority)
}

#[cfg(test)]
mod given_scores;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Source;
    use crate::message::{Message, Reading, Situation};
    use crate::{scores, signals};

    /// Routes a, b and c that speak up for their letter with these weights; a comes before b before c.
    fn catalog(thresholds: &str, weights: [f64; 3]) -> Catalog {
        let route = |(name, weight): (&str, f64), priority: i32| {
            format!(
                "  - {{name: {name}, description: R, priority: {priority}, patterns: [{{match: {name}{name}, weight: {weight}}}], keywords: [key{name}]}}\n"
            )
        };
        let [a, b, c] = weights;
        let routes = route(("a", a), 3) + &route(("b", b), 2) + &route(("c", c), 1);
        let yaml = format!("thresholds: {{{thresholds}}}\ntrouble: [wrong]\nroutes:\n{routes}");
        Catalog::read(&[Source::new("test.yaml", yaml)], "test").catalog.unwrap()
    }

    /// The outcome, the ranking, and the code of each loser.
    #[track_caller]
    fn check(catalog: &Catalog, text: &str, expected: &str) {
        let situation = Situation { message: Message::from(text), ..Situation::default() };
        let signals = signals::notice(catalog, &situation, &Reading::new(text));
        let decision = decide(
            catalog,
            &signals,
            &scores::weigh(&signals.found, catalog.thresholds().base),
            catalog.thresholds().base,
        );
        let ranked: Vec<&str> = decision.ranked.iter().map(|route| catalog.route_name(*route)).collect();
        let losers =
            decision.losers.iter().map(|l| format!("{}:{}", catalog.route_name(l.route), l.lost.code()));
        let losers = losers.collect::<Vec<_>>().join(" ");
        assert_eq!(
            format!("{} {} / {losers}", decision.outcome.name(), ranked.join(" ")),
            expected,
            "{text}"
        );
    }

    #[test]
    fn the_threshold_itself_is_enough() {
        let exact = catalog("base: 0.40", [0.10, 0.09, 0.5]);
        check(&exact, "aa", "act a / b:nothing_matched c:nothing_matched");
        check(&exact, "bb", "abstain  / b:below_threshold a:nothing_matched c:nothing_matched");
        check(&exact, "bb is wrong", "clarify  / b:below_threshold a:nothing_matched c:nothing_matched");
    }

    #[test]
    fn the_window_includes_its_edge() {
        let edge = catalog("base: 0.40, window: 0.15", [0.25, 0.40, 0.55]);
        check(&edge, "aa bb", "act a b / b:outranked c:nothing_matched");
        check(&edge, "aa cc", "act c a / a:less_sure b:nothing_matched");
        let beyond = catalog("base: 0.40, window: 0.15", [0.24, 0.40, 0.55]);
        check(&beyond, "aa bb", "act b a / a:less_sure c:nothing_matched");
        // The window is measured from the surest, not from the one that wins inside it.
        check(&edge, "aa bb cc", "act b c a / c:outranked a:less_sure");
    }

    #[test]
    fn nothing_is_never_enough() {
        let zero = catalog("base: 0", [0.3, 0.3, 0.3]);
        check(&zero, "keya keyb", "abstain  / a:keywords_alone b:keywords_alone c:nothing_matched");
        check(&zero, "no aa", "abstain  / a:denied b:nothing_matched c:nothing_matched");
    }

    #[test]
    fn names_and_commands_overrule() {
        let yaml = "names: force\nroutes:\n  - {name: red, description: R, commands: [go]}\n  - {name: blue, description: B, priority: 9, patterns: [sky], not_examples: [blue sky today]}\n";
        let catalog = Catalog::read(&[Source::new("test.yaml", yaml)], "test").catalog.unwrap();
        check(&catalog, "red sky", "act red / blue:below_threshold");
        check(&catalog, "/go blue sky", "act red blue / blue:overruled");
        check(&catalog, "/stop", "abstain  / blue:unknown_command red:unknown_command");
    }
}
