//! Are there words that make a match surer?

use super::{Look, MatchedBy, Signal, Signals, Worth};
use crate::catalog::Use;
use crate::message::Span;

/// Notices each keyword once, whatever its form. A keyword inside a negation counts only where a pattern of
/// the same route expresses that negation: in "parameters do not flow", flow is what is missing.
pub(super) fn notice<'c>(look: &Look<'_, 'c>, signals: &mut Signals<'c>) {
    let mut counted = Vec::new();
    for hit in &look.scan.hits {
        let Use::Keyword(route, index) = hit.used else { continue };
        let denied = look.reading.denied(hit.span).is_some_and(|n| !signals.spent.contains(&(route, n.cue)));
        if denied || counted.contains(&(route, index)) {
            continue;
        }
        counted.push((route, index));
        signals.found.push(Signal {
            route,
            kind: MatchedBy::Keyword,
            worth: Worth::Support,
            what: name(look, hit.used),
            span: look.reading.original(hit.span),
            beside: None,
            denied: None,
        });
    }
}

/// The first place of a keyword of the route that is not denied and lies outside this span.
pub(super) fn beside(look: &Look<'_, '_>, route: crate::catalog::RouteId, span: Span) -> Option<Span> {
    let of_route = |used: Use| matches!(used, Use::Keyword(of, _) if of == route);
    let counts = |hit: Span| !hit.overlaps(span) && look.reading.denied(hit).is_none();
    look.scan.hits.iter().find(|hit| of_route(hit.used) && counts(hit.span)).map(|hit| hit.span)
}

fn name<'c>(look: &Look<'_, 'c>, used: Use) -> &'c str {
    let Use::Keyword(route, index) = used else { return "" };
    let keyword = look.catalog.route(route).and_then(|route| route.keywords.get(index as usize));
    keyword.and_then(|keyword| keyword.forms.first()).map_or("", String::as_str)
}
