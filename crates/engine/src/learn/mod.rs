//! How does a router learn from examples?

mod lessons;
mod cache;
mod tier;

use std::sync::Arc;

use waypost_core::catalog::{Catalog, RouteId};
use waypost_core::head::{Features, Judgement, Promises};
use waypost_core::message::Reading;
use waypost_core::signals::{Belief, Grounds, Meaning, confidence};

pub use cache::Cache;

use crate::encode::{EncodeError, Encoder};
use lessons::Lessons;
use tier::Tier;

/// The least belief at which the first tier's word is enough; below it the next one is asked too.
const SURE_ENOUGH: f32 = 0.9;
/// Examples told as most like a message.
const NEAREST_TOLD: usize = 3;
/// Routes a trace tells the grounds of.
const ROUTES_TOLD: usize = 2;

/// How far the climb may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// To what is decided on this machine.
    Local,
    /// To endpoints as well, which may take their time.
    Anywhere,
}

/// What a router has learned: a head a tier, cheapest first.
#[derive(Clone)]
pub(crate) struct Learned {
    tiers: Vec<Tier>,
    routes: Vec<RouteId>,
}

/// What came of learning.
pub(crate) struct Learning {
    /// What was learned; nothing where there was nothing to learn from.
    pub(crate) learned: Option<Learned>,
    /// What did not go as it should.
    pub(crate) notes: Vec<String>,
}

/// What a message was heard as, by the tier that had the last word.
struct Heard<'l> {
    tier: &'l Tier,
    features: Features,
    judged: Judgement,
}

impl Learned {
    /// Learns from a catalog's examples, names and descriptions, or takes what was kept from an earlier time. An encoder
    /// that fails is left out, and said so.
    pub(crate) fn of(catalog: &Catalog, encoders: &[Arc<dyn Encoder>], cache: &Cache) -> Learning {
        let mut notes = Vec::new();
        let Some(lessons) = Lessons::of(catalog) else { return Learning { learned: None, notes } };
        let target = catalog.thresholds().target_precision.map(|target| target.points().share());
        let mut tiers: Vec<Tier> = Vec::new();
        for encoder in encoders {
            match Tier::of(&lessons, Arc::clone(encoder), cache) {
                Ok(came) => {
                    notes.extend(came.not_kept.map(|cause| not_kept(cache, &cause)));
                    notes.extend((came.tier.in_passing > 0).then(|| in_passing(came.tier.in_passing)));
                    tiers.push(came.tier.promising(target));
                }
                Err(error) => notes.push(format!("{error}; it is left out")),
            }
        }
        notes.dedup();
        let learned = (!tiers.is_empty()).then_some(Learned { tiers, routes: lessons.routes });
        Learning { learned, notes }
    }

    /// What the heads make of a message: the word of the first that is sure, else of the last that can be asked.
    fn hear(&self, text: &str, reading: &Reading, reach: Reach) -> (Option<Heard<'_>>, Option<EncodeError>) {
        let mut heard: Option<Heard<'_>> = None;
        for tier in self.tiers.iter().filter(|tier| reach == Reach::Anywhere || tier.encoder.is_local()) {
            match tier.features(text, reading) {
                Ok(features) => {
                    let judged = tier.head.judge(&features);
                    let sure = judged.beliefs.iter().any(|belief| *belief >= SURE_ENOUGH);
                    heard = Some(Heard { tier, features, judged });
                    if sure {
                        break;
                    }
                }
                Err(error) => return (heard, Some(error)),
            }
        }
        (heard, None)
    }

    /// The meaning of a message, and what went wrong on the way.
    pub(crate) fn meaning(
        &self,
        text: &str,
        reading: &Reading,
        reach: Reach,
    ) -> (Option<Meaning>, Option<String>) {
        let (heard, failed) = self.hear(text, reading, reach);
        let note = failed.map(|error| format!("{error}; decided without it"));
        (heard.map(|heard| self.meaning_of(&heard)), note)
    }

    fn meaning_of(&self, heard: &Heard<'_>) -> Meaning {
        let Heard { tier, features, judged } = heard;
        let class = |route: RouteId| self.routes.binary_search(&route).unwrap_or(usize::MAX);
        let needed = |route: RouteId| {
            let promise = tier.promises.as_ref()?.classes.get(class(route))?;
            Some(confidence(promise.threshold.min(1.0)))
        };
        let surest = Meaning::surest(&self.routes, &judged.beliefs);
        let belief = |((route, belief), place): ((RouteId, f32), usize)| Belief {
            route,
            confidence: confidence(belief),
            needed: needed(route),
            // Only the surest route's examples are looked through: the others' would cost as much each.
            like: (place == 0)
                .then(|| tier.nearest(class(route), &features.vector, 1).first().map(|(example, _)| *example))
                .flatten(),
        };
        let beliefs = surest.into_iter().zip(0..).map(belief).collect();
        Meaning { beliefs, fits: confidence(judged.fits), tier: tier.encoder.tier() }
    }

    /// What the heads go by, for the routes they believe most.
    pub(crate) fn grounds(&self, text: &str, reading: &Reading, reach: Reach) -> Vec<Grounds> {
        let (Some(Heard { tier, features, judged }), _) = self.hear(text, reading, reach) else {
            return Vec::new();
        };
        let surest = Meaning::surest(&self.routes, &judged.beliefs);
        let class = |route: RouteId| self.routes.binary_search(&route).unwrap_or(usize::MAX);
        let rival = |of: usize| {
            let others = judged.beliefs.iter().enumerate().filter(|(class, _)| *class != of);
            others.max_by(|a, b| a.1.total_cmp(b.1)).map(|(class, _)| class)
        };
        let grounds = |(route, _): &(RouteId, f32)| Grounds {
            route: *route,
            nearest: tier.nearest(class(*route), &features.vector, NEAREST_TOLD),
            voices: tier.head.voices(reading, &features, class(*route), rival(class(*route))),
        };
        surest.iter().take(ROUTES_TOLD).map(grounds).collect()
    }

    /// The thresholds promised by the tier asked last.
    pub(crate) fn promises(&self) -> Option<(&[RouteId], &Promises)> {
        Some((&self.routes, self.tiers.last()?.promises.as_deref()?))
    }
}

fn not_kept(cache: &Cache, cause: &std::io::Error) -> String {
    let folder = cache.folder().map(|folder| folder.display().to_string()).unwrap_or_default();
    format!(
        "what was learned cannot be kept in {folder} ({cause}); it is kept in memory, and learned anew next time"
    )
}

fn in_passing(count: usize) -> String {
    let examples = if count == 1 { "example was" } else { "examples were" };
    format!("{count} new {examples} learned in passing; `waypost fit` learns the catalog from the beginning")
}
