//! What does the message mean, to a head that was taught by examples?

use super::{Look, MatchedBy, Signal, Signals, Worth};
use crate::catalog::RouteId;
use crate::head::Judgement;
use crate::measure::{Confidence, Points};
use crate::message::Span;

/// Routes a head speaks up for, at most: the surest carry the decision, the others only fill the page.
const ROUTES_MAX: usize = 5;
/// The least a head must believe to speak up; the surest route always does.
const BELIEF_MIN: f32 = 0.01;

/// What a head makes of a message: how much it believes each route.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meaning {
    /// Routes with how far they are believed, surest first.
    pub beliefs: Vec<(RouteId, f32)>,
    /// How likely the message belongs to any route; unknown where the head is not calibrated.
    pub fits: Option<Confidence>,
}

impl Meaning {
    /// The meaning out of what a head believes, a belief a route.
    pub fn new(routes: &[RouteId], judged: &Judgement) -> Meaning {
        let mut beliefs: Vec<(RouteId, f32)> =
            routes.iter().copied().zip(judged.beliefs.iter().copied()).collect();
        beliefs.sort_by(|(a, one), (b, two)| two.total_cmp(one).then(a.cmp(b)));
        let spoken = beliefs.iter().take(ROUTES_MAX).take_while(|(_, belief)| *belief >= BELIEF_MIN).count();
        beliefs.truncate(spoken.max(1));
        let fits = judged.fits.map(|fits| Confidence::new(Points::from_share(f64::from(fits))));
        Meaning { beliefs, fits }
    }
}

/// Notices what the head believes.
pub(super) fn notice<'c>(look: &Look<'_, 'c>, signals: &mut Signals<'c>) {
    signals.fits = look.meaning.and_then(|meaning| meaning.fits);
    let body = Span::new(look.reading.body_start()..look.reading.text().len());
    let span = look.reading.original(body);
    for (route, belief) in look.meaning.iter().flat_map(|meaning| &meaning.beliefs) {
        signals.found.push(Signal {
            route: *route,
            kind: MatchedBy::Learned,
            worth: Worth::Own(Confidence::new(Points::from_share(f64::from(*belief)))),
            what: "learned from the examples",
            span,
            beside: None,
            denied: None,
        });
    }
}
