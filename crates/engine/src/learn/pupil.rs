//! When does a router learn? When it is told to, or when a message first needs it.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use waypost_core::catalog::{Catalog, EncoderChoice};

use super::{Cache, Depth, Kinds, Learned, Learning, Lock, by_words_alone, not_kept};
use crate::encode::{self, Encoder};

/// What a router learns with, and what came of it.
pub(crate) struct Pupil {
    encoders: Encoders,
    depth: Depth,
    cache: Cache,
    lock: Option<Lock>,
    /// What did not go as it should before anything was learned.
    notes: Vec<String>,
    learning: OnceLock<Learning>,
    kinds: OnceLock<(Option<Kinds>, Vec<String>)>,
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
        let mut pupil = Pupil { depth: Depth::Full, ..Pupil::new(Encoders::OfCatalog, cache) };
        match lock_file.map(Lock::read).transpose() {
            Ok(lock) => pupil.lock = lock.flatten(),
            Err(error) => pupil.notes.push(error.to_string()),
        }
        pupil
    }

    /// One that learns with these encoders, and with the full model or not.
    pub(crate) fn of_encoders(encoders: &[Arc<dyn Encoder>], depth: Depth, cache: Cache) -> Pupil {
        Pupil { depth, ..Pupil::new(Encoders::These(encoders.to_vec()), cache) }
    }

    fn new(encoders: Encoders, cache: Cache) -> Pupil {
        Pupil {
            encoders,
            depth: Depth::Heads,
            cache,
            lock: None,
            notes: Vec::new(),
            learning: OnceLock::new(),
            kinds: OnceLock::new(),
        }
    }

    /// What was learned from the catalog, which is learned now if it was not before.
    pub(crate) fn learned(&self, catalog: &Catalog) -> Option<&Learned> {
        self.learning.get_or_init(|| self.learn(catalog)).learned.as_ref()
    }

    fn learn(&self, catalog: &Catalog) -> Learning {
        let nothing = || Learning { learned: None, notes: self.notes.clone() };
        // Where a catalog wants letters and words alone, nothing reads meanings.
        let depth = if *catalog.encoder() == EncoderChoice::None { Depth::Heads } else { self.depth };
        let (encoders, missing) = match &self.encoders {
            // A layer of the context tells the routes apart already.
            _ if catalog.routes_layer().is_some() => return nothing(),
            Encoders::None => return nothing(),
            Encoders::OfCatalog => {
                if depth == Depth::Full {
                    encode::FewShot::read_ahead();
                }
                encode::chosen(catalog.encoder())
            }
            Encoders::These(encoders) => (encoders.clone(), Vec::new()),
        };
        let mut learning = Learned::of(catalog, &encoders, depth, &self.cache, self.lock.as_ref());
        learning.notes.splice(0..0, self.notes.iter().cloned().chain(missing));
        learning
    }

    /// What was learned about kinds of request, which is learned now if it was not before.
    pub(crate) fn kinds(&self, catalog: &Catalog) -> Option<&Kinds> {
        self.kinds.get_or_init(|| self.learn_kinds(catalog)).0.as_ref()
    }

    /// The cheapest encoder of this machine reads kinds of request: every message is asked for them, and none may have to
    /// wait for another machine.
    fn learn_kinds(&self, catalog: &Catalog) -> (Option<Kinds>, Vec<String>) {
        let nothing = (None, Vec::new());
        let Some(labels) = catalog.context() else { return nothing };
        let encoders = match &self.encoders {
            Encoders::None => return nothing,
            Encoders::OfCatalog => encode::chosen(&catalog.encoder().cheapest()).0,
            Encoders::These(encoders) => encoders.clone(),
        };
        if encoders.is_empty() {
            return nothing;
        }
        let Some(encoder) = encoders.into_iter().find(|encoder| encoder.is_local()) else {
            return (None, vec![by_words_alone(&"no encoder is on this machine")]);
        };
        match Kinds::of(labels, encoder, &self.cache) {
            Ok((kinds, cause)) => {
                (Some(kinds), cause.map(|cause| not_kept(&self.cache, &cause)).into_iter().collect())
            }
            Err(error) => (None, vec![by_words_alone(&error)]),
        }
    }

    /// What did not go as it should when it learned.
    pub(crate) fn notes(&self) -> impl Iterator<Item = &String> {
        let learning = self.learning.get().map_or(&[][..], |learning| &learning.notes);
        let kinds = self.kinds.get().map_or(&[][..], |(_, notes)| notes);
        learning.iter().chain(kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{EncodeError, LettersOnly};
    use crate::load;

    /// Another machine, that is never asked.
    struct Elsewhere;

    impl Encoder for Elsewhere {
        fn id(&self) -> &'static str {
            "elsewhere"
        }

        fn dimensions(&self) -> usize {
            2
        }

        fn encode(&self, _: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
            panic!("kinds of request must not wait for another machine")
        }

        fn is_local(&self) -> bool {
            false
        }
    }

    #[test]
    fn kinds_are_read_on_this_machine_or_not_at_all() {
        let (catalog, _) = load::read("specialists").unwrap();
        let check = |encoders: &[Arc<dyn Encoder>], read: bool, notes: &[&str]| {
            let pupil = Pupil::of_encoders(encoders, Depth::Heads, Cache::none());
            assert_eq!(pupil.kinds(&catalog).is_some(), read);
            assert_eq!(pupil.notes().collect::<Vec<_>>(), notes);
        };
        check(&[], false, &[]);
        let alone = "no encoder is on this machine; kinds of request are told by words alone";
        check(&[Arc::new(Elsewhere)], false, &[alone]);
        check(&[Arc::new(Elsewhere), Arc::new(LettersOnly)], true, &[]);
    }

    #[test]
    fn a_lock_that_cannot_be_read_is_told_where_nothing_is_learned() {
        let folder = tempfile::tempdir().unwrap();
        let lock = folder.path().join("waypost.lock");
        std::fs::write(&lock, "no lock").unwrap();
        let (catalog, _) = load::read("specialists").unwrap();
        assert!(catalog.routes_layer().is_some());
        let pupil = Pupil::of_catalog(Cache::none(), Some(&lock));
        assert!(pupil.learned(&catalog).is_none());
        let notes: Vec<_> = pupil.notes().collect();
        assert!(matches!(&notes[..], [note] if note.contains("waypost.lock")), "{notes:?}");
    }
}
