//! Which calls does a message ask for, if it asks for several? A value that is said once belongs to all of them.

use serde_json::{Map, Value};

use super::super::ASK_MIN;
use super::super::form::{Form, Kind, Slot};
use super::judge::Sources;
use super::objects::{Alone, Grouped, Read, grouped};
use super::{ReaderOutput, SlotOutput};

/// The arguments of each call, in the order they are asked for; nothing if it is not clear which value belongs to which call. What is read once for all calls, such as
/// flags and lists, is taken from `common`.
pub(super) fn asked_for(
    form: &Form,
    sources: &Sources<'_>,
    reading: &ReaderOutput,
    common: &Map<String, Value>,
) -> Vec<Map<String, Value>> {
    let mut seen = reading.slots.iter();
    let mut read: Vec<Read<'_>> = Vec::new();
    for slot in &form.slots {
        let own: Vec<&SlotOutput> = seen.by_ref().take(slot.items.len().max(1)).collect();
        let plain = slot.items.is_empty() && slot.many.is_none() && slot.kind != Kind::Flag;
        read.extend(own.first().filter(|_| plain).map(|seen| Read { slot, seen, pieces: &seen.repeats }));
    }
    let sure = |told: &Grouped| told.objects.len() > 1 && told.doubt.is_none() && told.sure >= ASK_MIN;
    let Some(told) = grouped(sources, &read, Alone::All).filter(sure) else { return Vec::new() };
    let is_repeated =
        |slot: &Slot| read.iter().any(|one| one.slot.name == slot.name && !one.pieces.is_empty());
    let of_slot = |object: &Map<String, Value>, slot: &Slot| {
        let own = object.get(&slot.name).cloned();
        own.or_else(|| slot.value_in(common).filter(|_| !is_repeated(slot)).cloned())
    };
    let call = |object: &Map<String, Value>| -> Vec<(usize, Value)> {
        let slots = form.slots.iter().enumerate();
        slots.filter_map(|(place, slot)| Some((place, of_slot(object, slot)?))).collect()
    };
    let calls: Vec<Map<String, Value>> = told.objects.iter().map(|object| form.call(call(object))).collect();
    if are_apart(form, &calls) { calls } else { Vec::new() }
}

/// Whether each call has what it needs, and no two are the same.
fn are_apart(form: &Form, calls: &[Map<String, Value>]) -> bool {
    let has = |call: &Map<String, Value>, slot: &Slot| !slot.required || slot.value_in(call).is_some();
    let whole = calls.iter().all(|call| form.slots.iter().all(|slot| has(call, slot)));
    whole && calls.iter().enumerate().all(|(at, call)| !calls.iter().take(at).any(|other| other == call))
}
