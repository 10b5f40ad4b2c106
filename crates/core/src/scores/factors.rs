//! How sure is a route, by four factors? The points of the detection document, which are weighed already: they add up.

use super::{FactorKind, Note, Reason, Score, Step};
use crate::catalog::context::Labels;
use crate::catalog::{Catalog, Expertise, Route, RouteId};
use crate::context::{Context, Settled};
use crate::measure::{Confidence, Points};
use crate::resources::{Observed, Reach};
use crate::signals::{Force, MatchedBy, Signal, Signals, Worth};

/// A keyword or pattern of the route stands in the message.
const EXACT_KEYWORD: Points = Points::hundredths(15);
/// The message is strongly like the route's own.
const STRONG_LIKENESS: Points = Points::hundredths(10);
/// The message asks for an operation the route does.
const VERB_OPERATION: Points = Points::hundredths(10);
/// A word or a file says which area it is.
const DOMAIN_INDICATOR: Points = Points::hundredths(5);
/// The most that patterns come to.
const PATTERN_MAX: Points = Points::hundredths(40);

/// The area is the route's own, and so is the message.
const DOMAIN_PERFECT: Points = Points::hundredths(30);
/// The area is one of the route's own.
const DOMAIN_PARTIAL: Points = Points::hundredths(20);
/// The area is one the route knows a little of.
const DOMAIN_RELATED: Points = Points::hundredths(10);
/// Anybody might.
const DOMAIN_GENERIC: Points = Points::hundredths(5);

/// The band is one the route is made for.
const COMPLEXITY_EXACT: Points = Points::hundredths(20);
/// It is next to one.
const COMPLEXITY_ADJACENT: Points = Points::hundredths(15);
/// It is neither.
const COMPLEXITY_MINIMUM: Points = Points::hundredths(10);

/// Everything the route needs is there.
const TOOLS_ALL: Points = Points::hundredths(10);
/// More than half of it is.
const TOOLS_MOST: Points = Points::hundredths(7);
/// Something of it is.
const TOOLS_SOME: Points = Points::hundredths(5);
/// All servers answer.
const SERVERS_ALL: Points = Points::hundredths(3);
/// The most that resources come to.
const RESOURCES_MAX: Points = Points::hundredths(10);

/// The belief from which on a message is strongly like a route's own. Among twenty routes one in five is much; found on
/// messages left out, where more asked for sent too much to the fallback.
const STRONG_FROM: Points = Points::hundredths(20);
/// The belief from which on a message is so like a route's own that the area may be another; found likewise.
const TELLING_FROM: Points = Points::hundredths(30);

/// Weighs every route of the catalog by four factors.
pub fn weigh<'c>(
    catalog: &'c Catalog,
    signals: &Signals<'c>,
    context: Option<&Context>,
    observed: &Observed,
) -> Vec<Score<'c>> {
    let weighing =
        catalog.context().zip(context).map(|(labels, context)| Weighing { labels, context, observed });
    let Some(weighing) = weighing else { return super::weigh(&signals.found, catalog.thresholds().base) };
    catalog.routes().map(|(id, route)| weighing.route(catalog, id, route, signals)).collect()
}

struct Weighing<'w, 'c> {
    labels: &'c Labels,
    context: &'w Context,
    observed: &'w Observed,
}

impl<'c> Weighing<'_, 'c> {
    fn route(&self, catalog: &'c Catalog, id: RouteId, route: &'c Route, signals: &Signals<'c>) -> Score<'c> {
        let own: Vec<Signal<'c>> =
            signals.found.iter().filter(|signal| signal.route == id).copied().collect();
        let counting: Vec<Signal<'c>> =
            own.iter().filter(|signal| signal.denied.is_none()).copied().collect();
        let belief = self.belief(catalog, &route.expertise, &counting);
        let like = belief >= STRONG_FROM;
        let telling = belief >= TELLING_FROM;
        let pattern = self.pattern(&route.expertise, &counting, like);
        let keyword = pattern.parts.iter().find_map(Reason::signal).map(|signal| signal.kind);
        let mut reasons = vec![
            pattern,
            self.domain(&route.expertise, like, telling),
            self.complexity(&route.expertise),
            self.resources(&route.expertise),
        ];
        let forced = counting
            .iter()
            .filter_map(|signal| Some((super::force_of(signal)?, *signal)))
            .max_by_key(|f| f.0);
        if let Some((_, signal)) = forced {
            reasons = std::iter::once(Reason::leaf(Points::ONE, Step::Forced(signal)))
                .chain(reasons.into_iter().map(Reason::outdone))
                .collect();
        } else if let Some(signal) = counting.iter().find(|signal| signal.worth == Worth::Exclude) {
            reasons.push(Reason::leaf(-super::sum(&reasons), Step::Excluded(*signal)));
        }
        let denied = own.into_iter().filter(|signal| signal.denied.is_some());
        reasons.extend(denied.map(|signal| Reason::silent(Step::Denied(signal))));
        let matched_by = match forced {
            Some((Force::Command, _)) => MatchedBy::Command,
            Some((Force::Name, _)) => MatchedBy::Name,
            None if catalog.fallback() == Some(id) => MatchedBy::Always,
            None => keyword.unwrap_or(MatchedBy::Learned),
        };
        Score {
            route: id,
            confidence: Confidence::new(super::sum(&reasons)),
            force: forced.map(|(force, _)| force),
            matched_by: Some(matched_by),
            needed: None,
            belief: Confidence::new(belief),
            reasons,
        }
    }

    /// How like the route's own messages this one is: by the layer that tells routes apart, else by a head.
    fn belief(&self, catalog: &Catalog, made_for: &Expertise, signals: &[Signal<'c>]) -> Points {
        let told =
            catalog.routes_layer().and_then(|layer| self.context.layers.get(layer)).zip(made_for.label);
        let by_layer = told.and_then(|(answered, label)| {
            let scores = answered.scores.iter();
            Some(scores.copied().find(|(own, _)| *own == label)?.1.points())
        });
        let by_head = signals.iter().filter_map(|signal| match signal.worth {
            Worth::Own { confidence, .. } => Some(confidence.points()),
            _ => None,
        });
        by_layer.or_else(|| by_head.max()).unwrap_or(Points::ZERO)
    }

    /// The label a layer got, and what settled it.
    fn label(&self, layer: &str) -> Option<(usize, Settled, &'c str)> {
        let place = self.labels.layer(layer)?;
        let answered = self.context.layers.get(place)?;
        let label = answered.label?;
        Some((label, answered.by, self.labels.layers().get(place)?.labels.get(label)?.name.as_str()))
    }

    fn pattern(&self, made_for: &Expertise, signals: &[Signal<'c>], like: bool) -> Reason<'c> {
        let exact = signals.iter().find(|signal| matches!(signal.worth, Worth::Support | Worth::Ground(_)));
        let mut parts: Vec<Reason<'c>> =
            exact.map(|signal| Reason::leaf(EXACT_KEYWORD, Step::Support(*signal))).into_iter().collect();
        if like {
            parts.push(Reason::leaf(STRONG_LIKENESS, Step::Noted(Note::StronglyLike, "")));
        }
        if let Some((_, _, name)) =
            self.label("operation").filter(|(op, ..)| made_for.operations.contains(op))
        {
            parts.push(Reason::leaf(VERB_OPERATION, Step::Noted(Note::DoesOperation, name)));
        }
        let indicated =
            self.label("area").filter(|(area, by, _)| *by == Settled::Word && made_for.areas.contains(area));
        if let Some((_, _, name)) = indicated {
            parts.push(Reason::leaf(DOMAIN_INDICATOR, Step::Noted(Note::WordsOfArea, name)));
        }
        Reason::factor(FactorKind::Pattern, parts, PATTERN_MAX)
    }

    fn domain(&self, made_for: &Expertise, like: bool, telling: bool) -> Reason<'c> {
        let area = self.label("area");
        let domain = self.label("domain").filter(|(domain, ..)| made_for.domains.contains(domain));
        let own = area.filter(|(area, ..)| made_for.areas.contains(area)).or(domain);
        let related = area.filter(|(area, ..)| made_for.related.contains(area));
        let (points, what, name) = match (own, related) {
            (Some((_, _, name)), _) if like => (DOMAIN_PERFECT, Note::OwnField, name),
            (Some((_, _, name)), _) => (DOMAIN_PARTIAL, Note::OwnArea, name),
            (None, _) if telling => {
                (DOMAIN_PARTIAL, Note::OwnElsewhere, area.map_or("unknown", |(_, _, name)| name))
            }
            (None, Some((_, _, name))) => (DOMAIN_RELATED, Note::RelatedArea, name),
            (None, None) => area.map_or((DOMAIN_GENERIC, Note::AreaUnknown, ""), |(_, _, name)| {
                (DOMAIN_GENERIC, Note::NoArea, name)
            }),
        };
        Reason::factor(
            FactorKind::Domain,
            vec![Reason::leaf(points, Step::Noted(what, name))],
            DOMAIN_PERFECT,
        )
    }

    fn complexity(&self, made_for: &Expertise) -> Reason<'c> {
        let band = self.context.complexity.map(|complexity| (complexity.band, complexity.layer));
        let name = band.and_then(|(band, layer)| self.labels.layers().get(layer)?.labels.get(band));
        let near = |own: &usize| band.is_some_and(|(band, _)| own.abs_diff(band) == 1);
        let made = |band: usize| made_for.bands.is_empty() || made_for.bands.contains(&band);
        let (points, what) = match band {
            Some((band, _)) if made(band) => (COMPLEXITY_EXACT, Note::BandExact),
            Some(_) if made_for.bands.iter().any(near) => (COMPLEXITY_ADJACENT, Note::BandAdjacent),
            Some(_) => (COMPLEXITY_MINIMUM, Note::BandFar),
            None => (COMPLEXITY_MINIMUM, Note::BandUnknown),
        };
        let name = name.map_or("", |label| label.name.as_str());
        Reason::factor(
            FactorKind::Complexity,
            vec![Reason::leaf(points, Step::Noted(what, name))],
            COMPLEXITY_EXACT,
        )
    }

    /// What was looked up and found earns points. What was not looked up earns none, and is called not checked.
    fn resources(&self, made_for: &Expertise) -> Reason<'c> {
        let Observed { tools, servers, .. } = self.observed;
        let noted = |points, note| Reason::leaf(points, Step::Noted(note, ""));
        let ready = made_for.tools.iter().filter(|tool| tools.get(*tool) == Some(&true)).count();
        let are_unchecked = made_for.tools.iter().any(|tool| !tools.contains_key(tool));
        let mut parts = match ready {
            _ if made_for.tools.is_empty() => vec![noted(TOOLS_ALL, Note::ToolsNotNeeded)],
            all if all == made_for.tools.len() => vec![noted(TOOLS_ALL, Note::ToolsAll)],
            most if most * 2 > made_for.tools.len() => vec![noted(TOOLS_MOST, Note::ToolsMost)],
            0 if are_unchecked => Vec::new(),
            0 => vec![noted(Points::ZERO, Note::ToolsNone)],
            _ => vec![noted(TOOLS_SOME, Note::ToolsSome)],
        };
        parts.extend(are_unchecked.then(|| noted(Points::ZERO, Note::ToolsUnchecked)));
        let is_online = |server: &String| matches!(servers.get(server), Some(Reach::After(_)));
        parts.push(match &made_for.servers {
            none if none.is_empty() => noted(SERVERS_ALL, Note::ServersNotNeeded),
            all if all.iter().all(is_online) => noted(SERVERS_ALL, Note::ServersAll),
            some if some.iter().any(|server| !servers.contains_key(server)) => {
                noted(Points::ZERO, Note::ServersUnchecked)
            }
            _ => noted(Points::ZERO, Note::ServersOffline),
        });
        Reason::factor(FactorKind::Resources, parts, RESOURCES_MAX)
    }
}

#[cfg(test)]
mod tests;
