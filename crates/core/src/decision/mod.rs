//! **Is it enough?** Act, ask back, or leave the message alone; and why each other route lost.

mod lost;

pub use lost::{Loser, Lost};

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::catalog::{Catalog, RouteId};
use crate::measure::{Confidence, Points};
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
}

impl Outcome {
    /// The name of the JSON contract.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Act => "act",
            Outcome::Clarify => "clarify",
            Outcome::Abstain => "abstain",
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
    /// The route taken, then the others above the threshold, surest first.
    pub ranked: Vec<RouteId>,
    /// Every route not taken, surest first, with the reason.
    pub losers: Vec<Loser>,
    /// The confidence that was asked for.
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
    /// Something is wrong, and the message does not say what.
    Vague,
    /// Nothing speaks for any route.
    NothingFits,
    /// The command is not one of the catalog's.
    UnknownCommand(UnknownCommand),
}

/// Decides. Routes are ordered by name, so that the order of the catalog decides nothing.
pub fn decide(catalog: &Catalog, signals: &Signals<'_>, scores: &[Score<'_>]) -> Decision {
    let threshold = catalog.thresholds().base;
    let refused = signals.unknown_command.as_ref();
    let enough = |score: &&Score<'_>| score.force.is_some() || score.confidence >= threshold;
    let mut candidates: Vec<&Score<'_>> = scores.iter().filter(enough).collect();
    if refused.is_some() {
        candidates.clear();
    }
    candidates.sort_by_key(|score| {
        (Reverse(score.force), Reverse(score.confidence), Reverse(priority(catalog, score)))
    });
    let chosen = choose(catalog, &candidates);
    let first = chosen.map(|score| score.route);
    let others = candidates.iter().map(|score| score.route).filter(|route| Some(*route) != first);
    let ranked = first.into_iter().chain(others).collect();
    let (outcome, why) = match (chosen, refused) {
        (_, Some(unknown)) => (Outcome::Abstain, Why::UnknownCommand(unknown.clone())),
        (Some(score), None) => (Outcome::Act, why_chosen(catalog, score, &candidates)),
        (None, None) if !signals.trouble.is_empty() => (Outcome::Clarify, Why::Vague),
        (None, None) => (Outcome::Abstain, Why::NothingFits),
    };
    let losers = lost::losers(catalog, scores, chosen, refused.is_some());
    Decision { outcome, why, ranked, losers, threshold }
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
    let contested = candidates.iter().filter(|other| rivals(catalog, chosen, other)).count() > 1
        || candidates.first().is_some_and(|best| best.route != chosen.route);
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
