//! Are there words that make a match surer?

use super::{Look, MatchedBy, Signal, Signals, Worth};
use crate::catalog::{RouteId, Use};
use crate::message::Span;

/// Notices each keyword once, whatever its form, and each place once, however many keywords name it. A keyword
/// inside a negation counts only where a pattern of the same route expresses that negation: in "parameters do
/// not flow", flow is what is missing. A denied keyword is shown if it counts nowhere else.
pub(super) fn notice<'c>(look: &Look<'_, 'c>, signals: &mut Signals<'c>) {
    let mut noticed: Vec<Noticed> = Vec::new();
    for hit in &look.scan.hits {
        let Use::Keyword(route, keyword) = hit.used else { continue };
        let denied = hit.denied.filter(|cue| !signals.spent.contains(&(route, *cue)));
        let here = Noticed { route, keyword, span: hit.span, denied };
        let named = signals.found.iter().any(|s| {
            s.route == route && s.kind == MatchedBy::Name && s.span == look.reading.original(hit.span)
        });
        match noticed
            .iter_mut()
            .find(|known| known.route == route && (known.keyword == keyword || known.span == hit.span))
        {
            Some(known) if known.denied.is_some() && denied.is_none() => *known = here,
            None if !named => noticed.push(here),
            _ => {}
        }
    }
    signals.found.extend(noticed.into_iter().map(|noticed| noticed.signal(look)));
}

/// A keyword at a place of the folded text.
struct Noticed {
    route: RouteId,
    keyword: u32,
    span: Span,
    denied: Option<Span>,
}

impl Noticed {
    fn signal<'c>(&self, look: &Look<'_, 'c>) -> Signal<'c> {
        let keyword =
            look.catalog.route(self.route).and_then(|route| route.keywords.get(self.keyword as usize));
        Signal {
            route: self.route,
            kind: MatchedBy::Keyword,
            worth: Worth::Support,
            what: keyword.and_then(|keyword| keyword.forms.first()).map_or("", String::as_str),
            span: look.reading.original(self.span),
            beside: None,
            denied: self.denied.map(|cue| look.reading.original(cue)),
        }
    }
}

/// The first place of a keyword of the route that is not denied and lies outside this span.
pub(super) fn beside(look: &Look<'_, '_>, route: RouteId, span: Span) -> Option<Span> {
    let of_route = |used: Use| matches!(used, Use::Keyword(of, _) if of == route);
    let hits = look.scan.hits.iter().filter(|hit| of_route(hit.used) && hit.denied.is_none());
    hits.map(|hit| hit.span).find(|hit| !hit.overlaps(span))
}
