//! When does a router learn? When it is told to, or when a message first needs it.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use waypost_core::catalog::Catalog;

use super::{Cache, Learned, Learning, Lock};
use crate::encode::{self, Encoder};

/// What a router learns with, and what came of it.
pub(crate) struct Pupil {
    encoders: Encoders,
    cache: Cache,
    lock: Option<Lock>,
    /// What did not go as it should before anything was learned.
    notes: Vec<String>,
    learning: OnceLock<Learning>,
}

/// Whose vectors are learned from.
enum Encoders {
    /// Nobody's: nothing is learned.
    None,
    /// Those the catalog asks for.
    OfCatalog,
    /// These, cheapest first.
    These(Vec<Arc<dyn Encoder>>),
}

impl Pupil {
    /// One that never learns.
    pub(crate) fn untaught() -> Pupil {
        Pupil::new(Encoders::None, Cache::none())
    }

    /// One that learns with the encoders the catalog asks for, and is as sure as its lock says.
    pub(crate) fn of_catalog(cache: Cache, lock_file: Option<&Path>) -> Pupil {
        let mut pupil = Pupil::new(Encoders::OfCatalog, cache);
        match lock_file.map(Lock::read).transpose() {
            Ok(lock) => pupil.lock = lock.flatten(),
            Err(error) => pupil.notes.push(error.to_string()),
        }
        pupil
    }

    /// One that learns with these encoders.
    pub(crate) fn of_encoders(encoders: &[Arc<dyn Encoder>], cache: Cache) -> Pupil {
        Pupil::new(Encoders::These(encoders.to_vec()), cache)
    }

    fn new(encoders: Encoders, cache: Cache) -> Pupil {
        Pupil { encoders, cache, lock: None, notes: Vec::new(), learning: OnceLock::new() }
    }

    /// What was learned from the catalog, which is learned now if it was not before.
    pub(crate) fn learned(&self, catalog: &Catalog) -> Option<&Learned> {
        self.learning.get_or_init(|| self.learn(catalog)).learned.as_ref()
    }

    fn learn(&self, catalog: &Catalog) -> Learning {
        let (encoders, missing) = match &self.encoders {
            Encoders::None => return Learning { learned: None, notes: Vec::new() },
            Encoders::OfCatalog => encode::chosen(catalog.encoder()),
            Encoders::These(encoders) => (encoders.clone(), Vec::new()),
        };
        let mut learning = Learned::of(catalog, &encoders, &self.cache, self.lock.as_ref());
        learning.notes.splice(0..0, self.notes.iter().cloned().chain(missing));
        learning
    }

    /// What did not go as it should when it learned.
    pub(crate) fn notes(&self) -> &[String] {
        self.learning.get().map_or(&[], |learning| &learning.notes)
    }
}
