//! **What is it worth?** One confidence a route, with the reasons it is the sum of.
//!
//! The rules are those of the framework document, read so that its own guarantees hold: the strongest
//! ground counts its base and its weight, each further ground and each support a little more, and nothing
//! reaches certainty but a name or a command. A confidence measured elsewhere stands beside the rules; the
//! larger of the two counts.

mod note;
mod reason;
pub mod factors;

pub use note::{FactorKind, Note};
pub use reason::{Reason, Step};

use crate::catalog::RouteId;
use crate::measure::{Confidence, EVIDENCE_MAX, FURTHER_GROUND, GROUND_BASE, Points, SUPPORT};
use crate::signals::{Force, MatchedBy, Signal, Worth};

/// How sure one route is, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score<'c> {
    /// The route.
    pub route: RouteId,
    /// How sure.
    pub confidence: Confidence,
    /// What settled it, if anything did.
    pub force: Option<Force>,
    /// The signal that weighed most; nothing where nothing counts.
    pub matched_by: Option<MatchedBy>,
    /// How sure it must be, where what counts asks for something else than the catalog's base.
    pub needed: Option<Confidence>,
    /// How like the route's own messages this one is, by what was learned; settles what is equally sure.
    pub belief: Confidence,
    /// Why: those that count add up to the confidence.
    pub reasons: Vec<Reason<'c>>,
}

/// Weighs signals that stand grouped by route, into one score for every route that has any. A head is heard only where
/// the rules leave the matter open: where they reach the threshold for any route, what it says is shown and does not count.
/// What a message denies in so many words, a head may not affirm: it is not heard for a route whose grounds are all denied.
pub fn weigh<'c>(found: &[Signal<'c>], threshold: Confidence) -> Vec<Score<'c>> {
    let open = is_open(found, threshold);
    let by_route = found.chunk_by(|a, b| a.route == b.route);
    let heads =
        |signals: &[Signal<'c>]| if open && !is_denied(signals) { Heads::Count } else { Heads::Shown };
    by_route.filter_map(|signals| weigh_route(signals, heads(signals))).collect()
}

/// Whether what heads say counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heads {
    Count,
    Shown,
}

/// Whether the rules leave the matter open.
pub fn is_open(found: &[Signal<'_>], threshold: Confidence) -> bool {
    let reaches = |signals: &[Signal<'_>]| {
        let ruled: Vec<Signal<'_>> =
            signals.iter().filter(|s| !s.kind.is_learned() && s.denied.is_none()).copied().collect();
        let total = sum(&weigh_counting(&ruled));
        total > Points::ZERO && total >= threshold.points()
    };
    !found.chunk_by(|a, b| a.route == b.route).any(reaches)
}

/// Whether a route has grounds and the message denies them all.
fn is_denied(signals: &[Signal<'_>]) -> bool {
    let mut grounds = signals.iter().filter(|signal| ground_of(signal).is_some()).peekable();
    grounds.peek().is_some() && grounds.all(|signal| signal.denied.is_some())
}

fn weigh_route<'c>(signals: &[Signal<'c>], heads: Heads) -> Option<Score<'c>> {
    let route = signals.first()?.route;
    let (counting, denied): (Vec<Signal<'c>>, Vec<Signal<'c>>) =
        signals.iter().partition(|s| s.denied.is_none());
    let (heard, ruled): (Vec<Signal<'c>>, Vec<Signal<'c>>) =
        counting.iter().partition(|signal| heads == Heads::Shown && signal.kind.is_learned());
    let mut reasons = weigh_counting(&ruled);
    reasons.extend(strongest_own(&heard).map(Reason::outdone));
    reasons.extend(denied.into_iter().map(|signal| Reason::silent(Step::Denied(signal))));
    let total = sum(&reasons);
    let force = ruled.iter().filter_map(force_of).max();
    let weightiest =
        reasons.iter().filter(|reason| reason.counted() > Points::ZERO).max_by_key(|reason| reason.points);
    let weightiest = weightiest.and_then(Reason::signal).filter(|_| total > Points::ZERO);
    let matched_by = weightiest.map(|signal| signal.kind);
    let needed = weightiest.and_then(|signal| match signal.worth {
        Worth::Own { needed, .. } => needed,
        _ => None,
    });
    let belief = Confidence::NONE;
    Some(Score { route, confidence: Confidence::new(total), force, matched_by, needed, belief, reasons })
}

fn force_of(signal: &Signal<'_>) -> Option<Force> {
    match signal.worth {
        Worth::Force(force) => Some(force),
        _ => None,
    }
}

/// What counts, and beside it what was outdone.
fn weigh_counting<'c>(signals: &[Signal<'c>]) -> Vec<Reason<'c>> {
    let evidence = weigh_evidence(signals);
    if let Some(forced) = signals.iter().filter(|s| force_of(s).is_some()).max_by_key(|s| force_of(s)) {
        let settled = Reason::leaf(Points::ONE, Step::Forced(*forced));
        return std::iter::once(settled).chain(evidence.into_iter().map(Reason::outdone)).collect();
    }
    let excluded = signals.iter().find(|signal| signal.worth == Worth::Exclude);
    let undone = excluded.map(|signal| Reason::leaf(-sum(&evidence), Step::Excluded(*signal)));
    evidence.into_iter().chain(undone).collect()
}

/// The rules and the confidence measured elsewhere: the larger counts.
fn weigh_evidence<'c>(signals: &[Signal<'c>]) -> Vec<Reason<'c>> {
    let rules = weigh_rules(signals);
    match strongest_own(signals) {
        Some(own) if own.points > sum(&rules) => {
            std::iter::once(own).chain(rules.into_iter().map(Reason::outdone)).collect()
        }
        own => rules.into_iter().chain(own.map(Reason::outdone)).collect(),
    }
}

fn sum(reasons: &[Reason<'_>]) -> Points {
    reasons.iter().map(Reason::counted).sum()
}

/// The strongest ground, further grounds, supports, and what goes beyond the most that rules reach.
fn weigh_rules<'c>(signals: &[Signal<'c>]) -> Vec<Reason<'c>> {
    let mut grounds: Vec<(Points, Signal<'c>)> =
        signals.iter().filter_map(|s| Some((ground_of(s)?, *s))).collect();
    grounds.sort_by_key(|(weight, signal)| (std::cmp::Reverse(*weight), signal.span, signal.what));
    let supports = signals.iter().filter(|signal| signal.worth == Worth::Support);
    let Some(((weight, strongest), further)) = grounds.split_first() else {
        return supports.map(|signal| Reason::silent(Step::Alone(*signal))).collect();
    };
    let mut reasons = vec![Reason::strongest(GROUND_BASE, *weight, *strongest)];
    reasons.extend(further.iter().map(|(_, signal)| Reason::leaf(FURTHER_GROUND, Step::Further(*signal))));
    reasons.extend(supports.map(|signal| Reason::leaf(SUPPORT, Step::Support(*signal))));
    let total = sum(&reasons);
    if total > EVIDENCE_MAX {
        reasons.push(Reason::leaf(EVIDENCE_MAX - total, Step::Capped));
    }
    reasons
}

fn ground_of(signal: &Signal<'_>) -> Option<Points> {
    match signal.worth {
        Worth::Ground(weight) => Some(weight),
        _ => None,
    }
}

fn strongest_own<'c>(signals: &[Signal<'c>]) -> Option<Reason<'c>> {
    let own = signals.iter().filter_map(|signal| match signal.worth {
        Worth::Own { confidence, .. } => Some((confidence, *signal)),
        _ => None,
    });
    let (confidence, signal) = own.max_by_key(|(confidence, _)| *confidence)?;
    Some(Reason::leaf(confidence.points().min(EVIDENCE_MAX), Step::Own(signal)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Span;
    use proptest::prelude::*;

    fn worths() -> impl Strategy<Value = Worth> {
        prop_oneof![
            Just(Worth::Force(Force::Name)),
            Just(Worth::Force(Force::Command)),
            (0..=70i32).prop_map(|weight| Worth::Ground(Points::hundredths(weight))),
            Just(Worth::Support),
            (0..=100i32).prop_map(|share| Worth::Own {
                confidence: Confidence::new(Points::hundredths(share)),
                needed: None,
            }),
            Just(Worth::Exclude),
        ]
    }

    fn found() -> impl Strategy<Value = Vec<Signal<'static>>> {
        let signal = (0..3u32, worths(), prop::option::weighted(0.2, Just(Span::default())));
        prop::collection::vec(signal, 0..12).prop_map(|signals| {
            let mut found: Vec<Signal<'static>> = signals
                .into_iter()
                .map(|(route, worth, denied)| Signal {
                    route: RouteId(route),
                    kind: MatchedBy::Pattern,
                    worth,
                    what: "",
                    span: Span::default(),
                    beside: None,
                    denied,
                })
                .collect();
            found.sort_by_key(|signal| signal.route);
            found
        })
    }

    fn adds_up(reason: &Reason<'_>) -> bool {
        let parts: Points = reason.parts.iter().map(Reason::counted).sum();
        (reason.parts.is_empty() || parts == reason.points) && reason.parts.iter().all(adds_up)
    }

    proptest! {
        #[test]
        fn reasons_add_up_to_the_confidence(found in found()) {
            for score in weigh(&found, Confidence::new(Points::hundredths(40))) {
                let total: Points = score.reasons.iter().map(Reason::counted).sum();
                prop_assert_eq!(score.confidence.points(), total);
                prop_assert!(score.reasons.iter().all(adds_up));
                prop_assert_eq!(score.confidence == Confidence::CERTAIN, score.force.is_some());
            }
        }

        #[test]
        fn keywords_alone_are_worth_nothing(count in 1..20usize) {
            let support = Signal {
                route: RouteId(0), kind: MatchedBy::Keyword, worth: Worth::Support, what: "", span: Span::default(),
                beside: None, denied: None,
            };
            let scores = weigh(&vec![support; count], Confidence::NONE);
            prop_assert_eq!(scores[0].confidence, Confidence::NONE);
        }
    }
}
