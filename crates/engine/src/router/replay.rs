//! Does a recorded situation give the same decision again?

use waypost_core::trace::Trace;

use super::{Climb, Router, Selected};
use crate::Error;
use crate::budget::Budget;

/// A decision made again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The trace of the decision made now, under the id and time of the recorded one.
    pub trace: Trace,
    /// Whether it equals the recorded one, byte for byte.
    pub same: bool,
}

impl Router {
    /// Decides a recorded situation again.
    pub fn replay(&self, recorded: &Trace) -> Result<Replay, Error> {
        if recorded.answer.catalog.hash != self.catalog.hash() {
            let made_by = format!("{} {}", recorded.answer.catalog.name, recorded.answer.catalog.hash);
            let loaded = format!("{} {}", self.catalog.name(), self.catalog.hash());
            return Err(Error::AnotherCatalog { made_by, loaded });
        }
        let budget = Budget::recorded(&recorded.situation.skipped);
        let (mut account, failed) = self.account(recorded.situation.clone(), Climb::ToTell, &budget)?;
        let mut trace = self.told(&mut account, &failed.heads);
        trace.name(recorded.answer.id.clone());
        trace.answer.elapsed_us = recorded.answer.elapsed_us;
        // It may have been recorded with its tools and passages, or for its route alone.
        let mut same = is_same(&mut trace, recorded);
        if !same {
            self.select_in(&mut trace, Selected::ALL, &budget);
            trace.answer.elapsed_us = recorded.answer.elapsed_us;
            // What the recorded decision was asked to leave out is left out again.
            if recorded.answer.tools.is_empty() {
                trace.answer.tools.clear();
            }
            if recorded.answer.sources.is_empty() {
                trace.answer.sources.clear();
            }
            same = is_same(&mut trace, recorded);
        }
        Ok(Replay { trace, same })
    }
}

/// Whether a decision is the recorded one, byte for byte. What did not go as it should then is no part of it.
fn is_same(trace: &mut Trace, recorded: &Trace) -> bool {
    trace.answer.notes.clone_from(&recorded.answer.notes);
    let (now, then) = (serde_json::to_string(trace), serde_json::to_string(recorded));
    now.ok().zip(then.ok()).is_some_and(|(now, then)| now == then)
}
