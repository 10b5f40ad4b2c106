//! Which step comes next? How far flows are with what is settled, and what goes without saying.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{FlowTold, Values, form, takes};
use crate::arguments::{Form, Question, question_for};
use crate::catalog::{Catalog, Flow};
use crate::message::Fact;

/// A tool with its slots and the flow whose steps fill it.
pub(super) struct Work<'c> {
    catalog: &'c Catalog,
    facts: &'c BTreeMap<String, Fact>,
    place: usize,
    form: Form,
    /// The flow, where there is one.
    pub flow: Option<&'c Flow>,
}

impl<'c> Work<'c> {
    /// The work of a tool of the catalog.
    pub fn of(catalog: &'c Catalog, facts: &'c BTreeMap<String, Fact>, tool: &str) -> Option<Work<'c>> {
        let place = catalog.tool_place(tool)?;
        Some(Work { catalog, facts, place, form: form(catalog, tool)?, flow: catalog.flow_of_tool(place) })
    }

    /// What a slot holds where nobody says.
    pub fn default_of(&self, slot: &str) -> Option<Value> {
        let own = || self.form.slots.get(self.form.place(slot)?)?.default.clone();
        self.catalog.default_in(self.place, slot, self.facts).cloned().or_else(own)
    }

    /// What all slots hold where nobody says.
    pub fn defaults(&self) -> Values {
        let slots = self.form.slots.iter();
        slots.filter_map(|slot| Some((slot.name.clone(), self.default_of(&slot.name)?))).collect()
    }

    /// The first step that must be asked for: it is not done, has no default, and the tool needs it.
    ///
    /// A tool that wants one slot, whichever, is filled step by step, and needs them all.
    pub fn needed(&self, done: &Values) -> Option<&str> {
        self.first(|name| {
            let required =
                || self.form.place(name).and_then(|place| self.form.slots.get(place)?.required.then_some(()));
            !done.contains_key(name)
                && self.default_of(name).is_none()
                && (self.form.wants_one || required().is_some())
        })
    }

    /// The first step that is not done, though it might go without saying.
    pub fn undone(&self, done: &Values) -> Option<&str> {
        self.first(|name| !done.contains_key(name))
    }

    fn first(&self, wanted: impl Fn(&str) -> bool) -> Option<&str> {
        // A step that the session has a fact of its name for is done.
        let open = |name: &str| matches!(self.facts.get(name), None | Some(Fact::Unset)) && wanted(name);
        match self.flow {
            Some(flow) => flow.steps.iter().map(String::as_str).find(|step| open(step)),
            None => {
                let slots =
                    self.form.asking_order().into_iter().filter_map(|place| self.form.slots.get(place));
                slots.map(|slot| slot.name.as_str()).find(|slot| wanted(slot))
            }
        }
    }

    /// The question for a slot.
    pub fn question(&self, slot: &str) -> Option<Question> {
        let columns = self.catalog.columns().iter().map(|column| Value::String(column.name.clone()));
        question_for(&self.form, slot, &columns.collect::<Vec<_>>())
    }

    /// A question with those answers alone that its slot takes: a number that was out of range is none.
    pub fn answerable(&self, mut question: Question) -> Question {
        question.options.retain(|option| takes(&self.form, &question.slot, option));
        question
    }

    /// How far the flow is.
    pub fn told(&self, done: &Values, step: Option<&str>) -> Option<FlowTold> {
        let flow = self.flow?;
        Some(FlowTold {
            name: flow.name.clone(),
            done: flow.steps.iter().filter(|step| done.contains_key(*step)).cloned().collect(),
            step: step.map(str::to_owned),
            complete: step.is_none(),
            next: flow.next.clone().filter(|_| step.is_none()),
        })
    }
}
