//! Who computes what several ask for at once? The first; the others wait for it.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::{Kept, Key};
use crate::locks::open;

/// What is being computed.
#[derive(Debug, Default)]
pub(super) struct Flights(Mutex<HashMap<Key, Arc<Flight>>>);

/// One computation.
#[derive(Debug, Default)]
pub(super) struct Flight {
    state: Mutex<State>,
    over: Condvar,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Aloft,
    Landed(Kept),
    /// It failed or panicked; whoever waited may try.
    Lost,
}

/// How somebody takes part.
pub(super) enum Part<'f> {
    /// They compute.
    Lead(Lead<'f>),
    /// Somebody else does.
    Wait(Arc<Flight>),
}

/// The duty to compute. Dropped without having landed, by an error or a panic, it lets another try.
pub(super) struct Lead<'f> {
    flights: &'f Flights,
    key: Key,
    flight: Arc<Flight>,
}

impl Flights {
    /// Takes part in the computation of a key, which begins with the first who does.
    pub(super) fn join(&self, key: Key) -> Part<'_> {
        let mut flights = open(&self.0);
        if let Some(flight) = flights.get(&key) {
            return Part::Wait(Arc::clone(flight));
        }
        let flight = Arc::new(Flight::default());
        flights.insert(key, Arc::clone(&flight));
        Part::Lead(Lead { flights: self, key, flight })
    }
}

impl Flight {
    /// Waits for the end: what was computed, or nothing where that failed.
    pub(super) fn wait(&self) -> Option<Kept> {
        let mut state = open(&self.state);
        while matches!(*state, State::Aloft) {
            state = self.over.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        match &*state {
            State::Landed(kept) => Some(kept.clone()),
            State::Aloft | State::Lost => None,
        }
    }
}

impl Lead<'_> {
    /// Hands what was computed to all who wait.
    pub(super) fn land(self, kept: Kept) {
        *open(&self.flight.state) = State::Landed(kept);
    }
}

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        open(&self.flights.0).remove(&self.key);
        let mut state = open(&self.flight.state);
        if matches!(*state, State::Aloft) {
            *state = State::Lost;
        }
        drop(state);
        self.flight.over.notify_all();
    }
}
