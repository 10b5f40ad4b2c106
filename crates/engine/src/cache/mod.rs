//! What need not be computed twice? What is costly and pure, in three layers.
//!
//! The layer in the process is asked first, then that of the session, then the store; what none of them has is computed,
//! once however many ask for it, and kept in all of them. Only what follows from the text and the catalog belongs here:
//! nothing of the user, the facts of a session, history or resources, so that nothing has to be thrown away when those
//! change.
//!
//! ```
//! use waypost::Router;
//! use waypost::ports::cache::Caches;
//!
//! let caches = std::sync::Arc::new(Caches::in_process());
//! let router = Router::from_catalog("triad")?.with_caches(std::sync::Arc::clone(&caches));
//! router.route(&"could you have a look at the numbers in the report?".into())?;
//! router.route(&"could you have a look at the numbers in the report?".into())?;
//! assert_eq!(caches.metrics().computed.count, caches.metrics().process.count);
//! # Ok::<(), waypost::Error>(())
//! ```

mod key;
mod shelf;
mod layer;
mod sessions;
mod store;
mod lazy;
mod memo;
mod flights;
mod metrics;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use waypost_core::measure::Confidence;

pub use key::Key;
pub use metrics::{Figures, Metrics};
pub use shelf::{Kept, Shelf};
pub use store::{ShelfError, ShelfFile};

use crate::folders;
use crate::locks::open;
use crate::ports::{Clock, SystemClock};
use flights::{Flights, Lead, Part};
use layer::{Bounds, Layer};
use lazy::LazyFile;
pub(crate) use memo::{Memo, checksum};
use metrics::{From, Meters};
use sessions::Sessions;

/// What the process keeps: some thousand judgements of one or two KiB, for an hour.
const PROCESS_BOUNDS: Bounds = Bounds { entries: 4_096, bytes: 16 << 20, life_ms: 3_600_000 };
/// How long anything is kept anywhere, in milliseconds: a day.
const STORE_LIFE_MS: u64 = 24 * 3_600_000;
/// The most bytes worth keeping under one key: a vector of a thousand numbers and what is believed of three thousand
/// routes. What is larger is computed each time.
const VALUE_BYTES_MAX: usize = 16 << 10;
/// How often somebody waits for what others compute before they do it for themselves: where the first fails another is
/// to try, and where that fails too a queue of attempts, each waiting for its time-out, would help nobody.
const WAITS_MAX: usize = 2;

/// What is said where there is no folder for caches.
const NO_FOLDER: &str = "there is no folder to keep what was computed in; set WAYPOST_HOME or HOME, or it is computed anew by every process";

/// What was just computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// It, as bytes.
    pub value: Vec<u8>,
    /// How sure it is.
    pub confidence: Confidence,
}

/// The three layers. They are shared between threads, and between routers where several catalogs are at work.
pub struct Caches {
    process: Mutex<Layer>,
    sessions: Mutex<Sessions>,
    shelf: Option<Box<dyn Shelf>>,
    flights: Flights,
    meters: Meters,
    clock: Arc<dyn Clock>,
    notes: Vec<String>,
    /// Which program computes.
    program: String,
}

impl Caches {
    /// The layers of the process and of its sessions, which go when it ends.
    pub fn in_process() -> Caches {
        Caches {
            process: Mutex::new(Layer::new(PROCESS_BOUNDS)),
            sessions: Mutex::default(),
            shelf: None,
            flights: Flights::default(),
            meters: Meters::default(),
            clock: Arc::new(SystemClock),
            notes: Vec::new(),
            program: program(),
        }
    }

    /// All three layers, the store in the user's folder for caches, opened when it is first needed. A store that cannot be used is left out, and
    /// [`Caches::notes`] say so.
    pub fn of_user() -> Caches {
        Caches::in_folder(folders::cache().as_deref())
    }

    /// All three layers, the store in a folder, where there is one.
    fn in_folder(folder: Option<&Path>) -> Caches {
        match folder {
            Some(folder) => Caches::in_process().with_shelf(LazyFile::at(folder.join(store::FILE))),
            None => Caches { notes: vec![NO_FOLDER.to_owned()], ..Caches::in_process() },
        }
    }

    /// The same layers, with this store.
    #[must_use]
    pub fn with_shelf(self, shelf: impl Shelf + 'static) -> Caches {
        Caches { shelf: Some(Box::new(shelf)), ..self }
    }

    /// The same layers, with another clock.
    #[must_use]
    pub fn with_clock(self, clock: impl Clock + 'static) -> Caches {
        Caches { clock: Arc::new(clock), ..self }
    }

    /// A question with the program that answers it: another build may compute otherwise, and never reads what this one kept.
    fn marked(&self, asked: &str) -> String {
        format!("{asked} by {}", self.program)
    }

    /// What did not go as it should, and what is done instead.
    pub fn notes(&self) -> Vec<String> {
        let trouble = self.shelf.as_ref().and_then(|shelf| shelf.trouble());
        self.notes.iter().cloned().chain(trouble).collect()
    }

    /// How often something was found, where, and how fast.
    pub fn metrics(&self) -> Metrics {
        self.meters.read()
    }

    /// What is kept under a key, or else what is computed now. The computation must not ask for the same key.
    pub fn fetch<E>(
        &self,
        key: Key,
        session: Option<&str>,
        compute: impl FnOnce() -> Result<Fresh, E>,
    ) -> Result<Arc<[u8]>, E> {
        let started = Instant::now();
        let (kept, from) = self.find(key, session, compute)?;
        self.meters.count(from, started.elapsed());
        Ok(kept.value)
    }

    fn find<E>(
        &self,
        key: Key,
        session: Option<&str>,
        compute: impl FnOnce() -> Result<Fresh, E>,
    ) -> Result<(Kept, From), E> {
        for _ in 0..WAITS_MAX {
            if let Some(found) = self.near(key, session) {
                return Ok(found);
            }
            match self.flights.join(key) {
                Part::Lead(lead) => return self.lead(lead, key, session, compute),
                Part::Wait(flight) => {
                    if let Some(kept) = flight.wait() {
                        self.keep_near(key, session, &kept);
                        return Ok((kept, From::Waited));
                    }
                }
            }
        }
        Ok((self.keep(key, session, compute()?, None), From::Computed))
    }

    /// What this process has.
    fn near(&self, key: Key, session: Option<&str>) -> Option<(Kept, From)> {
        // The clock is read once a layer is held: what another has just put there is not from the future.
        let mut process = open(&self.process);
        let now_ms = self.clock.now_ms();
        let kept = process.get(&key, now_ms).filter(|kept| kept.is_fresh(now_ms, STORE_LIFE_MS));
        drop(process);
        if let Some(kept) = kept {
            return Some((kept, From::Process));
        }
        let mut sessions = open(&self.sessions);
        let now_ms = self.clock.now_ms();
        let kept =
            sessions.get(session?, &key, now_ms).filter(|kept| kept.is_fresh(now_ms, STORE_LIFE_MS))?;
        drop(sessions);
        open(&self.process).put(key, kept.clone(), now_ms);
        Some((kept, From::Session))
    }

    /// Asks the store, and computes what it does not have. Dropping the lead on the way lets another try.
    fn lead<E>(
        &self,
        lead: Lead<'_>,
        key: Key,
        session: Option<&str>,
        compute: impl FnOnce() -> Result<Fresh, E>,
    ) -> Result<(Kept, From), E> {
        // Another may have landed between the look into the layers and the lead.
        if let Some((kept, from)) = self.near(key, session) {
            lead.land(kept.clone());
            return Ok((kept, from));
        }
        let now_ms = self.clock.now_ms();
        let stored = self.shelf.as_ref().and_then(|shelf| shelf.get(&key, now_ms));
        if let Some(kept) = stored.filter(|kept| kept.is_fresh(now_ms, STORE_LIFE_MS)) {
            self.keep_near(key, session, &kept);
            lead.land(kept.clone());
            return Ok((kept, From::Store));
        }
        Ok((self.keep(key, session, compute()?, Some(lead)), From::Computed))
    }

    /// Keeps what was computed in every layer. Those who wait are not made to wait for the store.
    fn keep(&self, key: Key, session: Option<&str>, fresh: Fresh, lead: Option<Lead<'_>>) -> Kept {
        let now_ms = self.clock.now_ms();
        let kept = Kept { value: fresh.value.into(), confidence: fresh.confidence, made_ms: now_ms };
        self.keep_near(key, session, &kept);
        if let Some(lead) = lead {
            lead.land(kept.clone());
        }
        if let Some(shelf) = self.shelf.as_ref().filter(|_| kept.value.len() <= VALUE_BYTES_MAX) {
            shelf.put(&key, &kept, now_ms);
        }
        kept
    }

    fn keep_near(&self, key: Key, session: Option<&str>, kept: &Kept) {
        if kept.value.len() > VALUE_BYTES_MAX {
            return;
        }
        let now_ms = self.clock.now_ms();
        open(&self.process).put(key, kept.clone(), now_ms);
        if let Some(session) = session {
            open(&self.sessions).put(session, key, kept.clone(), now_ms);
        }
    }
}

/// The version, and the file of the program with its size and time.
fn program() -> String {
    let file = std::env::current_exe().and_then(std::fs::metadata).ok();
    let built = file.and_then(|file| Some((file.len(), file.modified().ok()?)));
    format!("{} {built:?}", env!("CARGO_PKG_VERSION"))
}

impl fmt::Debug for Caches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caches").field("metrics", &self.metrics()).finish_non_exhaustive()
    }
}

/// The layers as one message asks them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recall<'c> {
    pub(crate) caches: &'c Caches,
    pub(crate) catalog_hash: &'c str,
    pub(crate) session: Option<&'c str>,
}

impl Recall<'_> {
    /// What was asked about a text, kept or computed.
    pub(crate) fn fetch<E>(
        &self,
        asked: &str,
        text: &str,
        compute: impl FnOnce() -> Result<Fresh, E>,
    ) -> Result<Arc<[u8]>, E> {
        let key = Key::of(self.catalog_hash, &self.caches.marked(asked), text);
        self.caches.fetch(key, self.session, compute)
    }
}

#[cfg(test)]
mod tests;
