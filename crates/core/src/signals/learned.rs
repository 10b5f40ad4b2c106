//! What does the message mean, to a head that was taught by examples?

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{MatchedBy, Signal, Signals, Worth};
use crate::catalog::{Catalog, Route, RouteId};
use crate::context::Context;
use crate::head::Voice;
use crate::measure::{Confidence, Points};
use crate::message::{Reading, Span};

/// Routes a head speaks up for, at most: the surest carry the decision, the others only fill the page.
const ROUTES_MAX: usize = 5;
/// The least a head must believe to speak up; the surest route always does.
const BELIEF_MIN: f32 = 0.01;

/// What a head makes of a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meaning {
    /// What it believes of routes, surest first.
    pub beliefs: Vec<Belief>,
    /// How likely the message belongs to any route.
    pub fits: Confidence,
    /// What reads the meaning.
    pub tier: Tier,
    /// A second request in the message.
    pub also: Option<Aside>,
    /// What the message does not want.
    pub denied: Option<Aside>,
    /// The earlier turn that it continues, counted from the first.
    pub continues: Option<usize>,
    /// What had the last word.
    pub depth: Depth,
}

/// What had the last word on what was learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Depth {
    /// A head that learned the catalog's examples.
    #[default]
    Head,
    /// The model that was trained on many catalogs, together with it.
    Full,
}

/// A route that a part of a message is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Aside {
    /// The route.
    pub route: RouteId,
    /// How sure that is.
    pub confidence: Confidence,
    /// Where it is said, in bytes of the message; unknown where no words stand out.
    pub span: Option<Range<usize>>,
}

/// What a head believes of one route.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// The route.
    pub route: RouteId,
    /// How sure it is.
    pub confidence: Confidence,
    /// How sure it must be, where that is not the catalog's base.
    pub needed: Option<Confidence>,
    /// The example of the route that is most like the message.
    pub like: Option<usize>,
}

/// What a belief goes by.
#[derive(Clone, Debug, PartialEq)]
pub struct Grounds {
    /// The route.
    pub route: RouteId,
    /// Its examples that are most like the message, and how much from -1 to 1.
    pub nearest: Vec<(usize, f32)>,
    /// What each word of the message said for it rather than for the next likely route, loudest first.
    pub voices: Vec<Voice>,
}

/// What reads the meaning of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tier {
    /// The built-in encoder.
    #[default]
    BuiltIn,
    /// A sentence transformer, here or behind an endpoint.
    Transformer,
}

impl Meaning {
    /// The routes worth speaking up for, out of what is believed of each, surest first.
    pub fn surest(routes: &[RouteId], beliefs: &[f32]) -> Vec<(RouteId, f32)> {
        let mut surest: Vec<(RouteId, f32)> = routes.iter().copied().zip(beliefs.iter().copied()).collect();
        let by_belief =
            |(a, one): &(RouteId, f32), (b, two): &(RouteId, f32)| two.total_cmp(one).then(a.cmp(b));
        if surest.len() > ROUTES_MAX {
            surest.select_nth_unstable_by(ROUTES_MAX, by_belief);
            surest.truncate(ROUTES_MAX);
        }
        surest.sort_by(by_belief);
        let spoken = surest.iter().take_while(|(_, belief)| *belief >= BELIEF_MIN).count();
        surest.truncate(spoken.max(1));
        surest
    }

    /// What the layer of the context that tells routes apart makes of a message; nothing where no layer does, or where it
    /// cannot tell. What it believes of labels that are no routes speaks against all of them.
    pub fn of_layer(catalog: &Catalog, context: &Context) -> Option<Meaning> {
        let told = &context.layers.get(catalog.routes_layer()?)?.scores;
        let of = |(id, route): (RouteId, &Route)| {
            let label = route.expertise.label?;
            told.iter().find(|(own, _)| *own == label).map(|(_, belief)| (id, *belief))
        };
        let mut believed: Vec<(RouteId, Confidence)> = catalog.routes().filter_map(of).collect();
        believed.sort_by_key(|(route, belief)| (std::cmp::Reverse(*belief), *route));
        believed.truncate(ROUTES_MAX);
        let fits = believed.iter().map(|(_, belief)| belief.points()).sum();
        let belief = |(route, confidence)| Belief { route, confidence, needed: None, like: None };
        let beliefs: Vec<Belief> = believed.into_iter().map(belief).collect();
        let fits = Confidence::new(fits);
        (!beliefs.is_empty()).then(|| Meaning { beliefs, fits, ..Meaning::default() })
    }
}

impl<'c> Signals<'c> {
    /// Adds what a head makes of the message.
    pub fn hear(&mut self, catalog: &'c Catalog, reading: &Reading, meaning: &Meaning) {
        self.fits = Some(meaning.fits);
        self.also.clone_from(&meaning.also);
        self.denied.clone_from(&meaning.denied);
        self.continues = meaning.continues;
        self.read_by = Some(meaning.depth);
        let body = Span::new(reading.body_start()..reading.text().len());
        self.found.extend(speak_up(catalog, meaning, reading.original(body)));
        self.found.sort_by_key(|signal| signal.route);
    }
}

/// What a head believes, as signals over a text.
pub(crate) fn speak_up<'c>(catalog: &'c Catalog, meaning: &Meaning, span: Span) -> Vec<Signal<'c>> {
    let kind = match meaning.tier {
        Tier::BuiltIn => MatchedBy::Learned,
        Tier::Transformer => MatchedBy::Transformer,
    };
    let signal = |belief: &Belief| {
        let route = catalog.route(belief.route);
        let examples = route.map_or(&[][..], |route| &route.examples);
        let like = belief.like.and_then(|like| examples.get(like));
        let described = || route.map(|route| &route.description).filter(|_| examples.is_empty());
        Signal {
            route: belief.route,
            kind,
            worth: Worth::Own { confidence: belief.confidence, needed: belief.needed },
            what: like.or_else(described).map_or("", String::as_str),
            span,
            beside: None,
            denied: None,
        }
    };
    meaning.beliefs.iter().map(signal).collect()
}

/// How sure a belief is, in our units.
pub fn confidence(belief: f32) -> Confidence {
    Confidence::new(Points::from_share(f64::from(belief)))
}
