//! What is the whole account of a decision, with what the heads go by?

use std::time::Instant;

use waypost_core::message::{Message, Reading};
use waypost_core::trace::{Account, Trace};

use super::{Climb, Router, Selected, earlier_turns, runs_short};
use crate::Error;
use crate::budget::Budget;
use crate::learn::{Learned, Reach, Said};
use crate::ports::{elapsed_us, new_id};

impl Router {
    /// Decides one message as [`Router::climb`] does, and keeps the whole account.
    pub fn trace(&self, message: &Message) -> Result<Trace, Error> {
        self.traced(message, &self.budget())
    }

    /// The same, with the tools and passages that go with the decision.
    pub fn trace_complete(&self, message: &Message, selected: Selected) -> Result<Trace, Error> {
        let budget = self.budget();
        let mut trace = self.traced(message, &budget)?;
        self.select_in(&mut trace, selected, &budget);
        Ok(trace)
    }

    fn traced(&self, message: &Message, budget: &Budget<'_>) -> Result<Trace, Error> {
        let started = Instant::now();
        let (mut situation, mut unknown) = self.around.situate(message);
        let (figures, unmeasured) = self.tool_figures();
        situation.tool_figures = figures;
        unknown.extend(unmeasured);
        let (mut account, failed) = self.account(situation, Climb::ToTell, budget)?;
        let elapsed_us = elapsed_us(started);
        // Telling takes longer than deciding, and is no part of it.
        let mut trace = budget.apart(|| self.told(&mut account, &failed.heads));
        trace.name(new_id());
        let notes = self.notes().into_iter().chain(unknown).chain(failed.notes());
        trace.answer.notes =
            notes.chain(budget.take_notes()).chain(self.unread(&trace.answer.context)).collect();
        trace.answer.elapsed_us = elapsed_us;
        Ok(trace)
    }

    /// An account with all that a person wants to know of it. What failed once or was skipped is not asked again.
    pub(super) fn told(&self, account: &mut Account<'_>, failed: &[String]) -> Trace {
        let mut trace = match self.pupil.learned(&self.catalog) {
            Some(learned) => told_by(learned, account, failed),
            None => account.trace(&|_| None),
        };
        self.share_out(&account.situation, &mut trace.answer);
        trace.heads.extend(self.pupil.kinds(&self.catalog).map(|kinds| kinds.key.clone()));
        trace
    }
}

/// The same, with what the heads go by.
fn told_by(learned: &Learned, account: &mut Account<'_>, failed: &[String]) -> Trace {
    let reach = match failed {
        _ if runs_short(account.catalog, &account.situation) => Reach::Cheap,
        [] => Reach::Anywhere,
        _ => Reach::Local,
    };
    let budget = Budget::recorded(&account.situation.skipped);
    let message = account.situation.message.clone();
    let (earlier, _) = earlier_turns(account.catalog, &message);
    let said = Said { text: &message.text, reading: &account.reading, earlier: &earlier };
    if !account.reading.words().is_empty() {
        account.grounds = learned.grounds(said, reach, &budget);
    }
    let mut trace = account.trace(&|text| {
        let reading = Reading::new(text);
        let said = Said { text, reading: &reading, earlier: &earlier };
        if reading.words().is_empty() { None } else { learned.meaning(said, reach, None, &budget).0 }
    });
    trace.heads = learned.known_by();
    trace
}
