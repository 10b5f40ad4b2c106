//! How does a message become an answer? The pipeline, once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use uuid::Uuid;
use waypost_core::catalog::Catalog;
use waypost_core::message::{Message, Reading, Situation};
use waypost_core::signals::Signals;
use waypost_core::trace::{Account, Answer, Trace};
use waypost_core::{decision, scores, signals};

use crate::encode::Encoder;
use crate::learn::{Cache, Learned, Lock, Pupil, Reach};
use crate::ports::{Clock, SystemClock};
use crate::{Error, load};

/// A catalog at work. Cheap to clone and safe to share between threads.
#[derive(Clone)]
pub struct Router {
    catalog: Arc<Catalog>,
    clock: Arc<dyn Clock>,
    pupil: Arc<Pupil>,
    lock_file: Option<PathBuf>,
}

/// When the heads are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Climb {
    /// Where the rules leave the matter open, as far as they may be.
    WhereOpen(Reach),
    /// Always, to tell what they would have said.
    ToTell,
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
        let (catalog, lock_file) = load::read(catalog)?;
        let pupil = Pupil::of_catalog(cache.clone(), lock_file.as_deref());
        Ok(Router { lock_file, pupil: Arc::new(pupil), ..Router::new(catalog) })
    }

    /// A router for a catalog already compiled, which goes by its rules alone.
    pub fn new(catalog: Catalog) -> Router {
        Router {
            catalog: Arc::new(catalog),
            clock: Arc::new(SystemClock),
            pupil: Arc::new(Pupil::untaught()),
            lock_file: None,
        }
    }

    /// The same router, having learned from its catalog's examples by these encoders, cheapest first: where one is not
    /// sure, the next is asked too. An encoder that fails is left out, and [`Router::notes`] say so.
    #[must_use]
    pub fn learning(mut self, encoders: &[Arc<dyn Encoder>], cache: &Cache) -> Router {
        self.pupil = Arc::new(Pupil::of_encoders(encoders, cache.clone()));
        self.get_ready();
        self
    }

    /// Learns now, where it has not learned yet, so that no message has to wait for it.
    pub fn get_ready(&self) {
        self.pupil.learned(&self.catalog);
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
    pub fn notes(&self) -> &[String] {
        self.pupil.notes()
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

    /// Decides one message, on this machine alone: once it is ready it never waits for another.
    pub fn route(&self, message: &Message) -> Result<Answer, Error> {
        self.answer(message, Reach::Local)
    }

    /// Decides one message, and asks the endpoint the catalog names where what is on this machine is not sure. Waits for
    /// it; where that must not be, [`Router::route`] does without.
    pub fn climb(&self, message: &Message) -> Result<Answer, Error> {
        self.answer(message, Reach::Anywhere)
    }

    fn answer(&self, message: &Message, reach: Reach) -> Result<Answer, Error> {
        let started = Instant::now();
        let (account, failed) = self.account(self.situate(message), Climb::WhereOpen(reach))?;
        let mut answer = account.answer();
        answer.id = Uuid::now_v7().to_string();
        answer.notes = self.notes().iter().cloned().chain(failed).collect();
        answer.elapsed_us = elapsed_us(started);
        Ok(answer)
    }

    /// Decides one message as [`Router::climb`] does, and keeps the whole account.
    pub fn trace(&self, message: &Message) -> Result<Trace, Error> {
        let started = Instant::now();
        let (mut account, failed) = self.account(self.situate(message), Climb::ToTell)?;
        let elapsed_us = elapsed_us(started);
        let mut trace = self.told(&mut account, failed.as_ref());
        trace.answer.id = Uuid::now_v7().to_string();
        trace.answer.notes = self.notes().iter().cloned().chain(failed).collect();
        trace.answer.elapsed_us = elapsed_us;
        Ok(trace)
    }

    /// Decides a recorded situation again.
    pub fn replay(&self, recorded: &Trace) -> Result<Replay, Error> {
        if recorded.answer.catalog.hash != self.catalog.hash() {
            let made_by = format!("{} {}", recorded.answer.catalog.name, recorded.answer.catalog.hash);
            let loaded = format!("{} {}", self.catalog.name(), self.catalog.hash());
            return Err(Error::AnotherCatalog { made_by, loaded });
        }
        let (mut account, failed) = self.account(recorded.situation.clone(), Climb::ToTell)?;
        let mut trace = self.told(&mut account, failed.as_ref());
        trace.answer.id.clone_from(&recorded.answer.id);
        trace.answer.notes.clone_from(&recorded.answer.notes);
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
    fn account(&self, situation: Situation, climb: Climb) -> Result<(Account<'_>, Option<String>), Error> {
        let catalog: &Catalog = &self.catalog;
        let text = &situation.message.text;
        if text.len() > catalog.message_bytes_max() {
            return Err(Error::MessageTooLong { bytes: text.len(), most: catalog.message_bytes_max() });
        }
        let reading = Reading::new(text);
        let mut signals = signals::notice(catalog, &situation, &reading);
        let mut failed = None;
        if let Some((learned, reach)) = self.asked(climb, &reading, &signals) {
            let (meaning, went_wrong) = learned.meaning(text, &reading, reach);
            if let Some(meaning) = &meaning {
                signals.hear(catalog, &reading, meaning);
            }
            failed = went_wrong;
        }
        let scores = scores::weigh(&signals.found, catalog.thresholds().base);
        let decision = decision::decide(catalog, &signals, &scores);
        let account = Account { catalog, situation, reading, signals, scores, decision, grounds: Vec::new() };
        Ok((account, failed))
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

    /// An account with all that a person wants to know of it. What failed once is not asked again.
    fn told(&self, account: &mut Account<'_>, failed: Option<&String>) -> Trace {
        let Some(learned) = self.pupil.learned(&self.catalog) else { return account.trace(&|_| None) };
        let reach = if failed.is_some() { Reach::Local } else { Reach::Anywhere };
        let text = &account.situation.message.text;
        if !account.reading.words().is_empty() {
            account.grounds = learned.grounds(text, &account.reading, reach);
        }
        let mut trace = account.trace(&|text| {
            let reading = Reading::new(text);
            if reading.words().is_empty() { None } else { learned.meaning(text, &reading, reach).0 }
        });
        trace.heads = learned.known_by();
        trace
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
        let router = Router::open("triad", &Cache::none()).unwrap().with_clock(Stopped);
        let trace = router.trace(&Message::from("use surgical mode")).unwrap();
        assert_eq!(trace.situation.now_ms, 1_700_000_000_000);
        assert_eq!(trace.answer.route.as_deref(), Some("surgical"));
        assert!(router.replay(&trace).unwrap().same);
        let other = Router::open("starter", &Cache::none()).unwrap();
        assert_eq!(other.replay(&trace).unwrap_err().code(), "another_catalog");
    }

    #[test]
    fn a_message_beyond_the_limit_is_refused() {
        let router = Router::open("triad", &Cache::none()).unwrap();
        let long = Message::from("a".repeat(router.catalog().message_bytes_max() + 1));
        assert_eq!(router.route(&long).unwrap_err().code(), "message_too_long");
    }
}
