//! Does the message say no more than to go on?

use super::{Look, MatchedBy, Signal, Signals, Worth};
use crate::measure::Points;
use crate::message::Span;

/// What it adds to the base: with 0.3 it stands well above the usual threshold, and below a pattern that names more.
const PROCEED_WEIGHT: Points = Points::hundredths(30);

/// Notices a message that says to go on: it means the route of the first flow that the session has not completed. One that
/// is negated ("do not go ahead") means nothing.
pub(super) fn notice<'c>(look: &Look<'_, 'c>, signals: &mut Signals<'c>) {
    let Some(what) = look.catalog.proceed(look.reading) else { return };
    let flow = look.catalog.pending_flow(&look.situation.message.session);
    let Some(route) = flow.and_then(|flow| flow.route) else { return };
    let body = Span::new(look.reading.body_start()..look.reading.text().len());
    signals.found.push(Signal {
        route,
        kind: MatchedBy::Pattern,
        worth: Worth::Ground(PROCEED_WEIGHT),
        what,
        span: look.reading.original(body),
        beside: None,
        denied: look.reading.negations().first().map(|negation| look.reading.original(negation.cue)),
    });
}
