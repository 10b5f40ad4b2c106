//! How does a message become an answer? The pipeline, once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use uuid::Uuid;
use waypost_core::catalog::Catalog;
use waypost_core::message::{Message, Reading, Situation};
use waypost_core::trace::{Account, Answer, Trace};
use waypost_core::{decision, scores, signals};

use crate::encode::Encoder;
use crate::learn::Learned;
use crate::ports::{Clock, SystemClock};
use crate::{Error, load};

/// A catalog at work. Cheap to clone and safe to share between threads.
#[derive(Clone)]
pub struct Router {
    catalog: Arc<Catalog>,
    clock: Arc<dyn Clock>,
    learned: Option<Learned>,
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
        Ok(Router::new(load::read(catalog)?))
    }

    /// A router for a catalog already compiled.
    pub fn new(catalog: Catalog) -> Router {
        Router { catalog: Arc::new(catalog), clock: Arc::new(SystemClock), learned: None }
    }

    /// The same router, having learned from its catalog's examples by these encoders, cheapest first: where one is not
    /// sure, the next is asked too.
    pub fn learning(mut self, encoders: &[Arc<dyn Encoder>]) -> Result<Router, Error> {
        self.learned = Learned::teach(&self.catalog, encoders)?;
        Ok(self)
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
        answer.elapsed_us = elapsed_us(started);
        Ok(answer)
    }

    /// Decides one message and keeps the whole account.
    pub fn trace(&self, message: &Message) -> Result<Trace, Error> {
        let started = Instant::now();
        let situation = self.situate(message);
        let mut trace = self.account(situation)?.trace();
        trace.answer.id = Uuid::now_v7().to_string();
        trace.answer.elapsed_us = elapsed_us(started);
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
        let (now, then) = (serde_json::to_string(&trace), serde_json::to_string(recorded));
        let same = now.ok().zip(then.ok()).is_some_and(|(now, then)| now == then);
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
        let meaning = self.learned.as_ref().map(|learned| learned.meaning(text, &reading)).transpose()?;
        let signals = signals::notice(catalog, &situation, &reading, meaning.as_ref());
        let scores = scores::weigh(&signals.found);
        let decision = decision::decide(catalog, &signals, &scores);
        Ok(Account { catalog, situation, reading, signals, scores, decision })
    }
}

/// Microseconds since then, to the nanosecond.
fn elapsed_us(started: Instant) -> f64 {
    let nanoseconds = u32::try_from(started.elapsed().as_nanos()).unwrap_or(u32::MAX);
    f64::from(nanoseconds) / 1000.0
}

impl std::fmt::Debug for Router {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Router").field("catalog", &self.catalog.name()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Stopped;

    impl Clock for Stopped {
        fn now_ms(&self) -> u64 {
            1_700_000_000_000
        }
    }

    #[test]
    fn the_situation_is_filled_from_the_ports_and_kept() {
        let router = Router::from_catalog("triad").unwrap().with_clock(Stopped);
        let trace = router.trace(&Message::from("use surgical mode")).unwrap();
        assert_eq!(trace.situation.now_ms, 1_700_000_000_000);
        assert_eq!(trace.answer.route.as_deref(), Some("surgical"));
        assert!(router.replay(&trace).unwrap().same);
        let other = Router::from_catalog("starter").unwrap();
        assert_eq!(other.replay(&trace).unwrap_err().code(), "another_catalog");
    }

    #[test]
    fn a_message_beyond_the_limit_is_refused() {
        let router = Router::from_catalog("triad").unwrap();
        let long = Message::from("a".repeat(router.catalog().message_bytes_max() + 1));
        assert_eq!(router.route(&long).unwrap_err().code(), "message_too_long");
    }
}
