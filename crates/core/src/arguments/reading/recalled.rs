//! What does a reference mean? The values that are remembered, of the slots it names or of all.

use super::super::form::{Form, Slot};
use super::super::interpretation::Filled;
use super::super::phrase::Phrase;
use super::super::{Asked, By, RUN_MIN};

/// How sure a remembered value is. Not fitted: the host keeps it, and the speaker asks for it.
const RECALLED: f32 = 0.9;

/// Names no slot `time`.
const LAST_TIME: &str = "last time";

/// Which slots a message refers to.
pub(super) struct Recalled {
    /// Those that it names; where it names none, all are meant: "the same address as before", "as before".
    named: Vec<usize>,
}

impl Recalled {
    pub fn by(form: &Form, asked: &Asked<'_>) -> Recalled {
        let said = Phrase::new(&asked.text.to_lowercase().replace(LAST_TIME, ""));
        let ends = |name: &Phrase| name.terms.last().is_some_and(|last| said.has(*last));
        let named = |slot: &Slot| asked.remembered(slot).is_some() && slot.names.iter().any(ends);
        let slots = form.slots.iter().enumerate();
        let named: Vec<usize> = slots.filter_map(|(place, slot)| named(slot).then_some(place)).collect();
        // Who is asked for one slot refers to that.
        let about = asked.about.and_then(|about| form.place(about)).filter(|_| named.is_empty());
        Recalled { named: named.into_iter().chain(about).collect() }
    }

    /// What is remembered of a slot, if it is meant.
    pub fn of(&self, asked: &Asked<'_>, place: usize, slot: &Slot) -> Option<Filled> {
        let meant = self.named.is_empty() || self.named.contains(&place);
        let value = asked.remembered(slot).filter(|_| meant)?.clone();
        Some(Filled {
            slot: slot.name.clone(),
            value,
            confidence: RECALLED,
            by: By::Memory,
            span: None,
            doubt: None,
        })
    }
}

/// Whether a reference means something that is remembered, and nothing else that is unsure: "same as before".
pub(super) fn is_sure(form: &Form, asked: &Asked<'_>, slots: &[(usize, Filled)]) -> bool {
    let remembered = |(place, filled): &(usize, Filled)| {
        let slot = form.slots.get(*place);
        let is_new =
            |slot: &&Slot| asked.remembered(slot).is_some() && Filled::settled(asked, slot).is_none();
        filled.by == By::Memory && slot.as_ref().is_some_and(is_new)
    };
    let sure = |(_, filled): &(usize, Filled)| filled.doubt.is_none() && filled.confidence >= RUN_MIN;
    slots.iter().any(remembered) && slots.iter().all(sure)
}
