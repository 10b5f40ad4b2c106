//! How does a message become an answer? The pipeline, once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use uuid::Uuid;
use waypost_core::catalog::Catalog;
use waypost_core::message::{Message, Reading, Situation};
use waypost_core::trace::{Account, Answer, Trace};
use waypost_core::{decision, scores, signals};

use crate::ports::{Clock, SystemClock};
use crate::{Error, load};

/// A catalog at work. Cheap to clone and safe to share between threads.
#[derive(Clone)]
pub struct Router {
    catalog: Arc<Catalog>,
    clock: Arc<dyn Clock>,
}

/// A decision made again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The trace of the decision made now, under the id and time of the recorded one.
    pub trace: Trace,
    /// Whether it equals the recorded one, byte for byte.
    pub same: bool,
}

impl Router {
    /// A router for a shipped catalog by its name (`triad`), or for your own by its path (`./waypost.yaml`).
    pub fn from_catalog(catalog: &str) -> Result<Router, Error> {
        let (checked, sources) = load::check(catalog)?;
        match checked.catalog {
            Some(catalog) => Ok(Router::new(catalog)),
            None => Err(Error::BadCatalog { problems: checked.problems, sources }),
        }
    }

    /// A router for a catalog already compiled.
    pub fn new(catalog: Catalog) -> Router {
        Router { catalog: Arc::new(catalog), clock: Arc::new(SystemClock) }
    }

    /// The same router with another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock + 'static) -> Router {
        self.clock = Arc::new(clock);
        self
    }

    /// The catalog it decides by.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Decides one message.
    pub fn route(&self, message: &Message) -> Result<Answer, Error> {
        let started = Instant::now();
        let situation = self.situate(message);
        let mut answer = self.account(situation)?.answer();
        answer.id = Uuid::now_v7().to_string();
        answer.elapsed_us = started.elapsed().as_secs_f64() * 1e6;
        Ok(answer)
    }

    /// Decides one message and keeps the whole account.
    pub fn trace(&self, message: &Message) -> Result<Trace, Error> {
        let started = Instant::now();
        let situation = self.situate(message);
        let mut trace = self.account(situation)?.trace();
        trace.answer.id = Uuid::now_v7().to_string();
        trace.answer.elapsed_us = started.elapsed().as_secs_f64() * 1e6;
        Ok(trace)
    }

    /// Decides a recorded situation again.
    pub fn replay(&self, recorded: &Trace) -> Result<Replay, Error> {
        if recorded.answer.catalog.hash != self.catalog.hash() {
            let made_by = format!("{} {}", recorded.answer.catalog.name, recorded.answer.catalog.hash);
            let loaded = format!("{} {}", self.catalog.name(), self.catalog.hash());
            return Err(Error::AnotherCatalog { made_by, loaded });
        }
        let mut trace = self.account(recorded.situation.clone())?.trace();
        trace.answer.id.clone_from(&recorded.answer.id);
        trace.answer.elapsed_us = recorded.answer.elapsed_us;
        let bytes = |trace: &Trace| serde_json::to_vec(trace).unwrap_or_default();
        let same = bytes(&trace) == bytes(recorded);
        Ok(Replay { trace, same })
    }

    /// Everything the decision may depend on, at this moment.
    fn situate(&self, message: &Message) -> Situation {
        Situation { message: message.clone(), resources: BTreeMap::new(), now_ms: self.clock.now_ms() }
    }

    /// The way of a situation through the rooms.
    fn account(&self, situation: Situation) -> Result<Account<'_>, Error> {
        let catalog: &Catalog = &self.catalog;
        let text = &situation.message.text;
        if text.len() > catalog.message_bytes_max() {
            return Err(Error::MessageTooLong { bytes: text.len(), most: catalog.message_bytes_max() });
        }
        let reading = Reading::new(text);
        let signals = signals::notice(catalog, &situation, &reading);
        let scores = scores::weigh(&signals.found);
        let decision = decision::decide(catalog, &signals, &scores);
        Ok(Account { catalog, situation, reading, signals, scores, decision })
    }
}

impl std::fmt::Debug for Router {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Router").field("catalog", &self.catalog.name()).finish_non_exhaustive()
    }
}
