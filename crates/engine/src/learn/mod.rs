//! How does a router learn from examples?

mod lessons;
mod cache;
mod courtesy;
mod lock;
mod tier;
mod described;
mod full;
mod kinds;
mod recalled;
mod same;
mod pupil;
mod advice;

use std::collections::HashSet;
use std::sync::Arc;

use waypost_core::catalog::{Catalog, RouteId};
use waypost_core::fewshot::{PRECISION_DEFAULT, needed_for};
use waypost_core::head::{Judgement, Kept, fewest_for};
use waypost_core::measure::Confidence;
use waypost_core::message::Reading;
use waypost_core::signals::{self, Aside, Belief, Grounds, Meaning, confidence};

pub use advice::{Advice, Advisor, Alike, Few, Form, Misplaced, Suggestion};
pub use cache::Cache;
pub(crate) use courtesy::asks_nothing;
pub use lock::{Lock, LockError, Locked, LockedTier, Promised};

use crate::budget::{self, Budget};
use crate::cache::Recall;
use crate::encode::{EncodeError, Encoder};
pub(crate) use described::{Described, DescribedLogs, DescribedTexts};
use full::{Full, FullJudgement, Side};
pub(crate) use kinds::Kinds;
use lessons::Lessons;
pub(crate) use lessons::spoken;
pub(crate) use pupil::Pupil;
use tier::{Came, Tier, joined};

/// Examples told as most like a message: enough to see a pattern.
const NEAREST_TOLD: usize = 3;
/// Routes a trace tells the grounds of: the likeliest, and what it is held against.
const ROUTES_TOLD: usize = 2;

/// How far the climb may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// To the cheapest tier alone.
    Cheap,
    /// To what is decided on this machine.
    Local,
    /// To endpoints as well, which may take their time.
    Anywhere,
}

/// What a router has learned: a head a tier, cheapest first.
#[derive(Clone)]
pub(crate) struct Learned {
    tiers: Vec<Tier>,
    /// The model that was trained on many small catalogs, where it is asked.
    full: Option<Full>,
    /// How sure it must be, where a precision is wanted.
    full_needed: Confidence,
    routes: Vec<RouteId>,
}

/// A message and the turns before it, oldest first.
#[derive(Clone, Copy)]
pub(crate) struct Said<'s> {
    pub(crate) text: &'s str,
    pub(crate) reading: &'s Reading,
    pub(crate) earlier: &'s [&'s str],
}

/// Whether the full model takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The heads alone decide.
    Heads,
    /// The full model decides together with them.
    Full,
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
    vector: Vec<f32>,
    judged: Judgement,
    /// What else the full model found, where it was asked.
    full: Option<FullJudgement>,
}

impl Learned {
    /// Learns from a catalog's examples, names and descriptions, or takes what was kept from an earlier time. An encoder
    /// that fails is left out, and said so.
    pub(crate) fn of(
        catalog: &Catalog,
        encoders: &[Arc<dyn Encoder>],
        depth: Depth,
        cache: &Cache,
        lock: Option<&Lock>,
    ) -> Learning {
        let mut notes = Vec::new();
        let Some(lessons) = Lessons::of(catalog) else { return Learning { learned: None, notes } };
        let mut tiers: Vec<Tier> = Vec::new();
        // Each tier learns on a thread of its own, and from nothing the others do.
        let read = |depth: Depth| match depth {
            Depth::Heads => Ok(None),
            Depth::Full => Full::of(catalog, &lessons, cache),
        };
        let (learned, full) = std::thread::scope(|scope| {
            let learn = |encoder: &Arc<dyn Encoder>| Tier::of(&lessons, Arc::clone(encoder), cache);
            let learning: Vec<_> =
                encoders.iter().map(|encoder| scope.spawn(move || learn(encoder))).collect();
            let full = read(depth);
            (learning.into_iter().map(joined).collect::<Vec<Result<Came, EncodeError>>>(), full)
        });
        let full = match full {
            Ok(full) => full.map(|(full, cause)| {
                notes.extend(cause.map(|cause| not_kept(cache, &cause)));
                full
            }),
            Err(error) => {
                notes.push(format!("{error}; the full model is left out"));
                None
            }
        };
        for learned in learned {
            match learned {
                Ok(came) => {
                    notes.extend(came.not_kept.map(|cause| not_kept(cache, &cause)));
                    let by_likeness = came.tier.head.goes_by_likeness();
                    notes.extend(by_likeness.then(|| too_many(lessons.routes.len())));
                    notes.extend((came.tier.in_passing > 0).then(|| in_passing(came.tier.in_passing)));
                    tiers.push(came.tier);
                }
                Err(error) => notes.push(format!("{error}; it is left out")),
            }
        }
        let mut learned =
            Learned { tiers, full, full_needed: needed_for(PRECISION_DEFAULT), routes: lessons.routes };
        notes.extend(learned.be_sure(catalog, lock));
        let mut told = HashSet::new();
        notes.retain(|note| told.insert(note.clone()));
        Learning { learned: (!learned.tiers.is_empty()).then_some(learned), notes }
    }

    /// Sets how sure the heads must be: by the lock, where it was made for them and for the precision wanted, else by that
    /// precision.
    fn be_sure(&mut self, catalog: &Catalog, lock: Option<&Lock>) -> Vec<String> {
        let mut notes = Vec::new();
        let wanted = catalog.thresholds().target_precision.map(|target| target.points().share());
        let lock = match (lock, wanted) {
            (Some(lock), Some(wanted)) if (lock.target_precision - wanted).abs() > 1e-9 => {
                notes.push(other_target(lock.target_precision, wanted));
                None
            }
            (lock, _) => lock,
        };
        let target = lock.map(|lock| lock.target_precision).or(wanted).unwrap_or(PRECISION_DEFAULT);
        self.full_needed = needed_for(target).max(catalog.thresholds().base);
        for tier in &mut self.tiers {
            if let Some(lock) = lock {
                tier.needed = lock.needed(&tier.key, catalog, &self.routes).map(Arc::new);
                if tier.needed.is_some() {
                    continue;
                }
                notes.push(OTHER_EXAMPLES.to_owned());
            }
            if let Some(promises) = wanted.map(|target| tier.promises(target)) {
                // Where there is a full model its own threshold holds, and what a head could promise is hardly ever used.
                let broken = promises.pooled.kept == Kept::Not && self.full.is_none();
                notes.extend(broken.then(|| unpromised(promises.target)));
                tier.needed = Some(Arc::new(
                    promises.classes.iter().map(|class| lock::needed_for(class, catalog)).collect(),
                ));
            }
        }
        notes
    }

    /// Whether there is a tier beyond the cheapest.
    pub(crate) fn is_costly(&self) -> bool {
        self.tiers.len() > 1 || self.full.is_some()
    }

    /// The thresholds for a precision, from what heads said about examples they had not learned from. A head that stands in
    /// has nothing to say.
    pub(crate) fn fit(&self, catalog: &Catalog, target: f64) -> Lock {
        let whole = self.tiers.iter().filter(|tier| tier.in_passing == 0);
        let locked = |tier: &Tier| {
            LockedTier::of(tier.encoder.id(), &tier.key, catalog, &self.routes, &tier.promises(target))
        };
        Lock::of(catalog, target, whole.map(locked).collect())
    }

    /// What the heads are kept under, and how sure they must be: all that a decision depends on beside its situation and the
    /// catalog.
    pub(crate) fn known_by(&self) -> Vec<String> {
        let of = |tier: &Tier| {
            let passing = if tier.in_passing > 0 {
                format!(" and {} in passing", tier.in_passing)
            } else {
                String::new()
            };
            let needed = tier.needed.as_deref().map(|needed| lock::digest(needed)).unwrap_or_default();
            format!("{}{passing}{needed}", tier.key)
        };
        self.tiers.iter().map(of).chain(self.full.iter().map(|full| full.key.clone())).collect()
    }

    /// What is made of a message: the word of the first head that is sure, else of the last that can be asked; and of the full model
    /// together with it, unless the head is sure of the route that has an example of the same words.
    fn hear(
        &self,
        said: Said<'_>,
        reach: Reach,
        recall: Option<Recall<'_>>,
        budget: &Budget<'_>,
    ) -> (Option<Heard<'_>>, Option<EncodeError>) {
        let (mut heard, failed) = self.hear_heads(said, reach, recall, budget);
        let full = self.full.as_ref().filter(|_| reach != Reach::Cheap);
        if let (Some(full), Some(heard)) = (full, &mut heard)
            && !(heard.tier.is_sure(&heard.judged) && full.agrees(&heard.judged, said))
            && budget.allows(budget::Tier::FullModel)
        {
            let judged = recalled::hear_fully(full, heard.tier, said, &heard.judged, recall, budget);
            heard.judged = judged.judged.clone();
            heard.full = Some(judged);
        }
        (heard, failed)
    }

    /// What each head and the full model say by themselves, for learning how to weigh them.
    pub(crate) fn apart(&self, said: Said<'_>) -> Option<(Vec<Judgement>, [Vec<f32>; 3])> {
        let full = self.full.as_ref()?.logs(said);
        let heads = self.tiers.iter().filter(|tier| tier.encoder.is_local());
        let heads = heads.filter_map(|tier| Some(tier.hear(said.text, said.reading).ok()?.1)).collect();
        Some((heads, full))
    }

    fn hear_heads(
        &self,
        said: Said<'_>,
        reach: Reach,
        recall: Option<Recall<'_>>,
        budget: &Budget<'_>,
    ) -> (Option<Heard<'_>>, Option<EncodeError>) {
        let mut heard: Option<Heard<'_>> = None;
        let most = if reach == Reach::Cheap { 1 } else { self.tiers.len() };
        let reachable = |tier: &&Tier| reach == Reach::Anywhere || tier.encoder.is_local();
        for tier in self.tiers.iter().take(most).filter(reachable) {
            if !budget.allows(budget::Tier::of(&*tier.encoder)) {
                continue;
            }
            match recalled::hear(tier, said.text, said.reading, recall, budget) {
                Ok((vector, judged)) => {
                    let sure = tier.is_sure(&judged);
                    heard = Some(Heard { tier, vector, judged, full: None });
                    if sure {
                        break;
                    }
                }
                Err(error) => return (heard, Some(error)),
            }
        }
        (heard, None)
    }

    /// The meaning of a message, and what went wrong on the way. What costly tiers make of it is looked up where it may be.
    pub(crate) fn meaning(
        &self,
        said: Said<'_>,
        reach: Reach,
        recall: Option<Recall<'_>>,
        budget: &Budget<'_>,
    ) -> (Option<Meaning>, Option<String>) {
        let (heard, failed) = self.hear(said, reach, recall, budget);
        let note = failed.map(|error| format!("{error}; decided without it"));
        (heard.map(|heard| self.meaning_of(&heard)), note)
    }

    fn meaning_of(&self, heard: &Heard<'_>) -> Meaning {
        let Heard { tier, vector, judged, full } = heard;
        let class = |route: RouteId| self.routes.binary_search(&route).unwrap_or(usize::MAX);
        // How sure a head must be for a wanted precision says nothing about the two together.
        let needed = |route: RouteId| match full {
            Some(_) => Some(self.full_needed),
            None => tier.needed.as_ref()?.get(class(route)).copied(),
        };
        let surest = Meaning::surest(&self.routes, &judged.beliefs);
        let belief = |((route, belief), place): ((RouteId, f32), usize)| Belief {
            route,
            confidence: confidence(belief),
            needed: needed(route),
            // Only the surest route's examples are looked through: the others' would cost as much each.
            like: (place == 0)
                .then(|| tier.nearest(class(route), vector, 1).first().map(|(example, _)| *example))
                .flatten(),
        };
        let beliefs = surest.into_iter().zip(0..).map(belief).collect();
        let aside = |side: &Side| {
            let route = *self.routes.get(side.class)?;
            Some(Aside { route, confidence: confidence(side.belief), span: side.span.clone() })
        };
        let full = full.as_ref();
        Meaning {
            beliefs,
            fits: confidence(judged.fits),
            tier: tier.encoder.tier(),
            also: full.and_then(|full| aside(full.also.as_ref()?)),
            denied: full.and_then(|full| aside(full.denied.as_ref()?)),
            continues: full.and_then(|full| full.continues),
            depth: if full.is_some() { signals::Depth::Full } else { signals::Depth::Head },
        }
    }

    /// What the heads go by, for the routes they believe most.
    pub(crate) fn grounds(&self, said: Said<'_>, reach: Reach, budget: &Budget<'_>) -> Vec<Grounds> {
        let (Some(Heard { tier, vector, judged, .. }), _) = self.hear(said, reach, None, budget) else {
            return Vec::new();
        };
        let Said { text, reading, .. } = said;
        let features = tier.head.features(reading, vector);
        let surest = Meaning::surest(&self.routes, &judged.beliefs);
        let class = |route: RouteId| self.routes.binary_search(&route).unwrap_or(usize::MAX);
        let rival = |of: usize| {
            let others = judged.beliefs.iter().enumerate().filter(|(class, _)| *class != of);
            others.max_by(|a, b| a.1.total_cmp(b.1)).map(|(class, _)| class)
        };
        let grounds = |(route, _): &(RouteId, f32)| Grounds {
            route: *route,
            nearest: tier.nearest(class(*route), &features.vector, NEAREST_TOLD),
            voices: tier.voices(text, reading, &features, [Some(class(*route)), rival(class(*route))]),
        };
        surest.iter().take(ROUTES_TOLD).map(grounds).collect()
    }
}

const OTHER_EXAMPLES: &str = "the lock file beside the catalog was made for other examples; `waypost fit` chooses thresholds for these";

fn other_target(locked: f64, wanted: f64) -> String {
    format!(
        "the lock file was made for a precision of {locked}, and the catalog wants {wanted}; `waypost fit` makes it anew"
    )
}

fn unpromised(target: f64) -> String {
    let fewest = fewest_for(target);
    format!(
        "a precision of {target} cannot be promised: it takes {fewest} examples and more, nearly all of them judged right; what \
         was learned must be {target} sure instead"
    )
}

/// What is said where kinds of request cannot be read by what was learned.
pub(crate) fn by_words_alone(cause: &dyn std::fmt::Display) -> String {
    format!("{cause}; kinds of request are told by words alone")
}

fn not_kept(cache: &Cache, cause: &std::io::Error) -> String {
    let folder = cache.folder().map(|folder| folder.display().to_string()).unwrap_or_default();
    format!(
        "what was learned cannot be kept in {folder} ({cause}); it is kept in memory, and learned anew next time"
    )
}

fn too_many(routes: usize) -> String {
    format!(
        "{routes} routes are too many to be learned; they are told apart by how like their examples a message is"
    )
}

fn in_passing(count: usize) -> String {
    let examples = if count == 1 { "example was" } else { "examples were" };
    format!("{count} new {examples} learned in passing; `waypost fit` learns the catalog from the beginning")
}
