//! Why did the others lose?

use std::borrow::Cow;
use std::cmp::Reverse;

use crate::catalog::{Catalog, RouteId};
use crate::measure::{Confidence, Points};
use crate::scores::{Score, Step};
use crate::signals::Force;

use super::{is_enough, rivals, threshold_of};

/// A route that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loser {
    /// The route.
    pub route: RouteId,
    /// How sure it was.
    pub confidence: Confidence,
    /// Why it lost.
    pub lost: Lost,
}

/// Why a route was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Another one was ordered or named.
    Overruled(Force, RouteId),
    /// About as sure as the one taken, which has the higher priority or, at the same, is surer.
    Outranked(RouteId),
    /// Sure enough, and clearly less sure than the surest.
    LessSure(RouteId, Points),
    /// So much below its threshold.
    BelowThreshold(Points, Confidence),
    /// Keywords alone never activate.
    KeywordsAlone,
    /// All that spoke for it is denied.
    Denied,
    /// The message is listed as not belonging to it.
    Excluded(String),
    /// It is what is taken where nothing else is, and something was.
    NotNeeded,
    /// Nothing spoke for it.
    NothingMatched,
    /// The command is unknown, so nothing was considered.
    UnknownCommand,
    /// Two flags of the message exclude each other, so nothing is taken.
    ConflictingFlags,
    /// The message names nothing, and the person is asked.
    NamesNothing,
    /// Safe mode does not allow it.
    SafeMode,
}

impl Lost {
    /// The stable name of the reason.
    pub const fn code(&self) -> &'static str {
        match self {
            Lost::Overruled(..) => "overruled",
            Lost::Outranked(_) => "outranked",
            Lost::LessSure(..) => "less_sure",
            Lost::BelowThreshold(..) => "below_threshold",
            Lost::KeywordsAlone => "keywords_alone",
            Lost::Denied => "denied",
            Lost::Excluded(_) => "excluded",
            Lost::NotNeeded => "not_needed",
            Lost::NothingMatched => "nothing_matched",
            Lost::UnknownCommand => "unknown_command",
            Lost::ConflictingFlags => "conflicting_flags",
            Lost::NamesNothing => "names_nothing",
            Lost::SafeMode => "safe_mode",
        }
    }

    /// The reason in a person's words.
    pub fn words(&self, catalog: &Catalog) -> Cow<'static, str> {
        let name = |route: &RouteId| catalog.route_name(*route);
        let told = match self {
            Lost::Overruled(Force::Command, winner) => format!("{} was ordered by its command", name(winner)),
            Lost::Overruled(Force::Name, winner) => format!("{} was called by its name", name(winner)),
            Lost::Outranked(winner) => format!("about as sure as {}, which has priority", name(winner)),
            Lost::LessSure(winner, gap) => format!("{gap} less sure than {}", name(winner)),
            Lost::BelowThreshold(gap, threshold) => format!("{gap} below the threshold of {threshold}"),
            Lost::Excluded(reason) => format!("listed as not belonging here: {reason}"),
            Lost::KeywordsAlone => return "keywords alone never activate".into(),
            Lost::Denied => return "what matched is denied in the message".into(),
            Lost::NotNeeded => return "taken only where nothing else is sure enough".into(),
            Lost::NothingMatched => return "nothing matched".into(),
            Lost::UnknownCommand => return "the command is unknown".into(),
            Lost::ConflictingFlags => return "two flags of the message exclude each other".into(),
            Lost::NamesNothing => return "the message does not say what it is about".into(),
            Lost::SafeMode => return "not allowed in safe mode".into(),
        };
        told.into()
    }
}

/// Who was in it, and how sure one had to be.
pub(super) struct Race<'r, 's> {
    pub(super) candidates: &'r [&'s Score<'s>],
    /// Why nobody may win, where nobody may.
    pub(super) refused: Option<Lost>,
    /// What is taken because nothing else is.
    pub(super) fallback: Option<RouteId>,
    pub(super) threshold: Confidence,
    /// Whether safe mode, if it is on, allows a route.
    pub(super) is_allowed: &'r dyn Fn(RouteId) -> bool,
}

/// Every route but those taken, surest first, with the reason it lost.
pub(super) fn losers(
    catalog: &Catalog,
    scores: &[Score<'_>],
    taken: &[&Score<'_>],
    race: &Race<'_, '_>,
) -> Vec<Loser> {
    let mut scored = scores.iter().peekable();
    let mut losers: Vec<Loser> = Vec::with_capacity(catalog.routes().len());
    for (route, _) in catalog.routes() {
        let score = scored.next_if(|score| score.route == route);
        if race.fallback == Some(route) || taken.iter().any(|taken| taken.route == route) {
            continue;
        }
        let confidence = score.map_or(Confidence::NONE, |score| score.confidence);
        let lost = match (&race.refused, score) {
            (Some(refused), _) => refused.clone(),
            (None, _) if !(race.is_allowed)(route) => Lost::SafeMode,
            (None, None) if catalog.fallback() == Some(route) => Lost::NotNeeded,
            (None, None) => Lost::NothingMatched,
            (None, Some(score)) => reason(catalog, score, race, taken.first().copied()),
        };
        losers.push(Loser { route, confidence, lost });
    }
    losers.sort_by_key(|loser| Reverse(loser.confidence));
    losers
}

fn reason(catalog: &Catalog, score: &Score<'_>, race: &Race<'_, '_>, chosen: Option<&Score<'_>>) -> Lost {
    match (race.candidates.first(), chosen) {
        (Some(best), Some(winner)) if is_enough(catalog, score, race.threshold) => {
            beaten(catalog, score, best, winner)
        }
        _ if catalog.fallback() == Some(score.route) => Lost::NotNeeded,
        _ => too_weak(catalog, score, race.threshold),
    }
}

fn beaten(catalog: &Catalog, score: &Score<'_>, best: &Score<'_>, winner: &Score<'_>) -> Lost {
    match winner.force {
        Some(force) if score.force != Some(force) => Lost::Overruled(force, winner.route),
        _ if rivals(catalog, best, score) => Lost::Outranked(winner.route),
        _ => Lost::LessSure(best.route, best.confidence.points() - score.confidence.points()),
    }
}

fn too_weak(catalog: &Catalog, score: &Score<'_>, threshold: Confidence) -> Lost {
    let is = |test: fn(&Step<'_>) -> bool| score.reasons.iter().any(|reason| test(&reason.step));
    let excluded = score.reasons.iter().find_map(|reason| match reason.step {
        Step::Excluded(signal) => Some(signal.what.to_owned()),
        _ => None,
    });
    match excluded {
        Some(reason) => Lost::Excluded(reason),
        None if score.confidence > Confidence::NONE => {
            let threshold = threshold_of(catalog, score, threshold);
            Lost::BelowThreshold(threshold.points() - score.confidence.points(), threshold)
        }
        None if is(|step| matches!(step, Step::Denied(_))) => Lost::Denied,
        None if is(|step| matches!(step, Step::Alone(_))) => Lost::KeywordsAlone,
        None => Lost::NothingMatched,
    }
}
