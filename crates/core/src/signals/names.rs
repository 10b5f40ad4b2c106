//! Was a route called by its name?

use super::{Force, Look, MatchedBy, Signal, Signals, Worth};
use crate::catalog::{Names, Use};

/// Notices names and aliases as whole words. A denied name is shown once, and only if no other one counts.
pub(super) fn notice<'c>(look: &Look<'_, 'c>, signals: &mut Signals<'c>) {
    let worth = match look.catalog.names() {
        Names::Force => Worth::Force(Force::Name),
        Names::Hint => Worth::Support,
    };
    for hit in &look.scan.hits {
        let Use::Name(route) = hit.used else { continue };
        let denied =
            hit.denied.or_else(|| look.reading.denied_as_subject(hit.span).map(|negation| negation.cue));
        let denied = denied.map(|cue| look.reading.original(cue));
        let known =
            signals.found.iter_mut().find(|signal| signal.route == route && signal.kind == MatchedBy::Name);
        let span = look.reading.original(hit.span);
        let what = look.catalog.route_name(route);
        let signal = Signal { route, kind: MatchedBy::Name, worth, what, span, beside: None, denied };
        match known {
            None => signals.found.push(signal),
            Some(known) if known.denied.is_some() && denied.is_none() => *known = signal,
            Some(_) => {}
        }
    }
}
