//! How does a message become an answer? The pipeline, once.

mod kinds;
mod measured;
mod parts;
mod explained;
mod replay;
mod selection;
mod turns;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use waypost_core::catalog::{Catalog, Scoring, Tiers};
use waypost_core::message::{Message, Reading, Situation};
use waypost_core::preflight::Blocked;
use waypost_core::resources::Observed;
use waypost_core::scores::factors;
use waypost_core::signals::Signals;
use waypost_core::threshold::{self, State};
use waypost_core::trace::{Account, Answer};
use waypost_core::{decision, gates, scores, signals};

use crate::budget::{Budget, Pace};
use crate::cache::{Caches, Recall};
use crate::encode::Encoder;
use crate::learn::{Cache, Depth, Learned, Lock, Pupil, Reach, Said};
use crate::ports::{Clock, Machine, Store, elapsed_us, new_id};
use crate::store::{DecisionKept, StoreError};
use crate::surroundings::{Memory, Surroundings};
use crate::{Error, load};
use turns::earlier_turns;

pub use replay::Replay;
pub use selection::Selected;

/// A catalog at work. Cheap to clone and safe to share between threads.
#[derive(Clone)]
pub struct Router {
    catalog: Arc<Catalog>,
    around: Surroundings,
    pupil: Arc<Pupil>,
    caches: Option<Arc<Caches>>,
    /// How long tiers took so far.
    pace: Arc<Pace>,
    lock_file: Option<PathBuf>,
    /// The name or path that the catalog was read from: its documents lie beside it.
    origin: Option<Arc<str>>,
    shelves: Arc<selection::Shelves>,
}

/// When the heads are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Climb {
    /// Where the rules leave the matter open, as far as they may be.
    WhereOpen(Reach),
    /// Always, to tell what they would have said.
    ToTell,
}

/// What could not be had on the way to a decision, in the words of its notes.
struct Failed {
    /// Of the kinds of request.
    kinds: Option<String>,
    /// Of what the heads say.
    heads: Vec<String>,
    /// Of the operating mode.
    mode: Option<String>,
}

impl Failed {
    fn notes(self) -> impl Iterator<Item = String> {
        self.kinds.into_iter().chain(self.heads).chain(self.mode)
    }
}

impl Router {
    /// The catalog that is taken where nobody names one: a file of this name in the current folder.
    pub const CATALOG_FILE: &'static str = load::CATALOG_FILE;

    /// A router for a shipped catalog by its name (`triad`), or for your own by its path (`./waypost.yaml`). It learns from
    /// the catalog's examples the first time, and keeps what it learned in the user's cache folder for the next.
    pub fn from_catalog(catalog: &str) -> Result<Router, Error> {
        let router = Router::open(catalog, &Cache::of_user())?;
        router.get_ready();
        Ok(router)
    }

    /// A router for a catalog by its name or path, what it learns kept in a cache of your choice. It learns when a message
    /// first needs it, or on [`Router::get_ready`].
    pub fn open(catalog: &str, cache: &Cache) -> Result<Router, Error> {
        let origin = Some(Arc::from(catalog));
        let (catalog, lock_file) = load::read(catalog)?;
        let pupil = Pupil::of_catalog(cache.clone(), lock_file.as_deref());
        Ok(Router { lock_file, origin, pupil: Arc::new(pupil), ..Router::new(catalog) })
    }

    /// A router for a catalog already compiled, which goes by its rules alone.
    pub fn new(catalog: Catalog) -> Router {
        Router {
            catalog: Arc::new(catalog),
            around: Surroundings::new(),
            pupil: Arc::new(Pupil::untaught()),
            caches: None,
            pace: Arc::default(),
            lock_file: None,
            origin: None,
            shelves: Arc::default(),
        }
    }

    /// A router for a catalog already compiled, which learns with the encoders the catalog asks for, as [`Router::open`] does.
    pub fn learning_catalog(catalog: Catalog, cache: &Cache) -> Router {
        let router =
            Router { pupil: Arc::new(Pupil::of_catalog(cache.clone(), None)), ..Router::new(catalog) };
        router.get_ready();
        router
    }

    /// The same router, having learned from its catalog's examples by these encoders, cheapest first: where one is not
    /// sure, the next is asked too. An encoder that fails is left out, and [`Router::notes`] say so.
    #[must_use]
    pub fn learning(self, encoders: &[Arc<dyn Encoder>], cache: &Cache) -> Router {
        self.learning_to(encoders, Depth::Heads, cache)
    }

    /// Learns now, where it has not learned yet, so that no message has to wait for it.
    pub fn get_ready(&self) {
        self.pupil.learned(&self.catalog);
        self.pupil.kinds(&self.catalog);
    }

    /// Where the lock of the catalog is kept; nothing for a shipped one.
    pub fn lock_file(&self) -> Option<&Path> {
        self.lock_file.as_deref()
    }

    /// The thresholds for a precision, by what was learned; nothing where nothing was.
    pub fn fit(&self, target_precision: f64) -> Option<Lock> {
        Some(self.pupil.learned(&self.catalog)?.fit(&self.catalog, target_precision))
    }

    /// What did not go as it should when the router learned, and what was done instead.
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for note in self.pupil.notes() {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        notes
    }

    /// The same router with another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock + 'static) -> Router {
        self.around.clock = Arc::new(clock);
        self
    }

    /// The same router on a machine that tells how much of it is used.
    #[must_use]
    pub fn with_machine(mut self, machine: impl Machine + 'static) -> Router {
        self.around.machine = Arc::new(machine);
        self
    }

    /// The same router, knowing what was seen of what tasks need.
    #[must_use]
    pub fn with_observed(mut self, observed: Observed) -> Router {
        self.around.observed = observed;
        self
    }

    /// The same router, remembering users. Where the store cannot be had, it decides without and says so.
    #[must_use]
    pub fn with_store(mut self, store: Result<Arc<dyn Store>, StoreError>) -> Router {
        self.around.memory = match store {
            Ok(store) => Memory::Kept(store),
            Err(error) => Memory::Lost { code: error.code(), cause: error.to_string() },
        };
        self
    }

    /// Keeps a decision in the store, so that its outcome can be told by its id alone. Fails where there is no store.
    pub fn keep(&self, message: &Message, answer: &Answer) -> Result<(), StoreError> {
        let label = |layer: &str| answer.context.layers.get(layer).map(|told| told.label.clone());
        let sure = answer.routes.first().map_or(0.0, |route| route.confidence.points().share());
        self.around.keep(&DecisionKept {
            id: answer.id.clone(),
            tenant: message.tenant.clone(),
            user: message.user.clone(),
            route: answer.route.clone(),
            confidence: sure,
            area: label("area"),
            operation: label("operation"),
            complexity: answer.context.complexity.as_ref().map(|told| told.score.share()),
            threshold: answer.threshold.value.points().share(),
            at_ms: self.around.clock.now_ms(),
            threshold_base: Some(answer.threshold.base.points().share()),
            threshold_rule: answer.threshold.rule.clone(),
            gates: answer
                .mode
                .iter()
                .flat_map(|mode| &mode.quality_gates)
                .map(|gate| gate.name.clone())
                .collect(),
        })
    }

    /// The same router, looking up what costly tiers make of a message. It decides the same, sooner where messages repeat;
    /// what is explained or replayed is computed all the same.
    #[must_use]
    pub fn with_caches(mut self, caches: Arc<Caches>) -> Router {
        self.caches = Some(caches);
        self
    }

    /// Where it looks up what was computed before.
    pub(crate) fn caches(&self) -> Option<Arc<Caches>> {
        self.caches.clone()
    }

    /// The catalog it decides by.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Decides one message, on this machine alone: once it is ready it never waits for another.
    pub fn route(&self, message: &Message) -> Result<Answer, Error> {
        self.answer(message, Reach::Local, &self.budget())
    }

    /// Decides one message, and asks the endpoint the catalog names where what is on this machine is not sure. Waits for
    /// it; where that must not be, [`Router::route`] does without.
    pub fn climb(&self, message: &Message) -> Result<Answer, Error> {
        self.answer(message, Reach::Anywhere, &self.budget())
    }

    /// What forbids that any task begins that a message may ask for, whether or not a route is found for it.
    pub fn held(&self, message: &Message) -> Result<Option<Blocked>, Error> {
        let (situation, _) = self.around.situate(message);
        let climb = Climb::WhereOpen(Reach::Local);
        let (account, _) = self.account(situation, climb, &Budget::unlimited())?;
        Ok(account.blocked.map(|(_, blocked)| blocked))
    }

    /// The time a decision may take, which begins now.
    fn budget(&self) -> Budget<'_> {
        Budget::begin(&*self.around.clock, &self.pace, self.catalog.latency_ms())
    }

    fn answer(&self, message: &Message, reach: Reach, budget: &Budget<'_>) -> Result<Answer, Error> {
        let started = Instant::now();
        let (situation, unknown) = self.around.situate(message);
        let (account, failed) = self.account(situation, Climb::WhereOpen(reach), budget)?;
        let mut answer = account.answer();
        self.share_out(&account.situation, &mut answer);
        answer.id = new_id();
        let of_caches = self.caches.iter().flat_map(|caches| caches.notes());
        let notes = self.notes().into_iter().chain(unknown).chain(of_caches);
        let unread = self.unread(&answer.context);
        answer.notes = notes.chain(failed.notes()).chain(budget.take_notes()).chain(unread).collect();
        answer.elapsed_us = elapsed_us(started);
        Ok(answer)
    }

    /// The way of a situation through the rooms.
    fn account(
        &self,
        mut situation: Situation,
        climb: Climb,
        budget: &Budget<'_>,
    ) -> Result<(Account<'_>, Failed), Error> {
        let catalog: &Catalog = &self.catalog;
        let text = &situation.message.text;
        if text.len() > catalog.message_bytes_max() {
            return Err(Error::MessageTooLong { bytes: text.len(), most: catalog.message_bytes_max() });
        }
        let reading = Reading::new(text);
        budget.apart(|| self.pupil.kinds(catalog));
        let (context, kinds) = self.context(text, &reading, self.recall(climb, &situation));
        let mode = self.mark(&reading, &mut situation);
        let kind = catalog.context().zip(context.as_ref());
        let standing = situation.standing(kind);
        let state = State::of(&situation, standing, kind, catalog.precautions().bounds);
        let adjusted = threshold::adjust(catalog.thresholds(), &state);
        let mut signals = signals::notice(catalog, &situation, &reading);
        let heads = self.hear(&situation, &reading, climb, budget, &mut signals);
        if let Some(meaning) = context.as_ref().and_then(|context| self.told_apart(context)) {
            signals.hear(catalog, &reading, &meaning);
        }
        let scores = match catalog.scoring() {
            Scoring::Rules => scores::weigh(&signals.found, adjusted.threshold),
            Scoring::Factors => factors::weigh(catalog, &signals, context.as_ref(), &situation.observed),
        };
        let decision = decision::decide(catalog, &signals, &scores, adjusted.threshold);
        let gates = gates::of_decision(catalog, &decision, &situation.message.session);
        let account = Account {
            catalog,
            situation: Situation { skipped: budget.skipped(), ..situation },
            reading,
            context,
            standing,
            adjusted,
            preflight: None,
            blocked: None,
            signals,
            scores,
            decision,
            gates,
            grounds: Vec::new(),
        };
        Ok((account.looked_at(), Failed { kinds, heads, mode }))
    }

    /// Asks the heads, where they are to be asked. What is costly is left out while the machine runs short.
    fn hear<'c>(
        &'c self,
        situation: &Situation,
        reading: &Reading,
        climb: Climb,
        budget: &Budget<'_>,
        signals: &mut Signals<'c>,
    ) -> Vec<String> {
        let Some((learned, reach)) = budget.apart(|| self.asked(climb, reading, signals)) else {
            return Vec::new();
        };
        let cheap = runs_short(&self.catalog, situation) && learned.is_costly();
        let reach = if cheap { Reach::Cheap } else { reach };
        let (earlier, places) = earlier_turns(&self.catalog, &situation.message);
        let said = Said { text: &situation.message.text, reading, earlier: &earlier };
        let (mut meaning, failed) = learned.meaning(said, reach, self.recall(climb, situation), budget);
        if let Some(turn) = meaning.as_mut().and_then(|meaning| meaning.continues.as_mut()) {
            *turn = places.get(*turn).copied().unwrap_or_default();
        }
        if let Some(meaning) = &meaning {
            signals.hear(&self.catalog, reading, meaning);
        }
        let pressure = || situation.resources.pressure(&self.catalog.precautions().bounds);
        let skipped = cheap.then(|| format!("The costly tiers were left out: {}.", pressure().words()));
        failed.into_iter().chain(skipped).collect()
    }

    /// The heads, where they are to be asked. Where the rules leave nothing open their word would not count.
    fn asked(&self, climb: Climb, reading: &Reading, signals: &Signals<'_>) -> Option<(&Learned, Reach)> {
        if reading.words().is_empty() {
            return None;
        }
        let open = || scores::is_open(&signals.found, self.catalog.thresholds().base);
        match climb {
            Climb::WhereOpen(reach) if open() => Some((self.pupil.learned(&self.catalog)?, reach)),
            Climb::WhereOpen(_) => None,
            Climb::ToTell => Some((self.pupil.learned(&self.catalog)?, Reach::Anywhere)),
        }
    }

    /// What may be looked up rather than computed. Who wants to be told wants it computed.
    fn recall<'r>(&'r self, climb: Climb, situation: &'r Situation) -> Option<Recall<'r>> {
        let caches = self.caches.as_deref().filter(|_| climb != Climb::ToTell)?;
        let session = situation.message.session_id.as_deref();
        Some(Recall { caches, catalog_hash: self.catalog.hash(), session })
    }
}

/// Whether the machine runs so short that only the cheap tiers run.
fn runs_short(catalog: &Catalog, situation: &Situation) -> bool {
    let precautions = catalog.precautions();
    precautions.tiers(situation.resources.pressure(&precautions.bounds).zone) == Tiers::Cheap
}

impl std::fmt::Debug for Router {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Router").field("catalog", &self.catalog.name()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
