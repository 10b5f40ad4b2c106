//! Which calls does a message ask for, where it asks for several? What is said again and again makes calls of its own; what is said once belongs to all of them.

use serde_json::{Map, Value};

use super::super::form::{Form, Kind};
use super::judge::Sources;
use super::objects::{Alone, Read, grouped};
use super::{ReaderOutput, SlotOutput};

/// The arguments of each call, in the order they are asked for; nothing where the values do not tell the calls apart.
pub(super) fn asked_for(
    form: &Form,
    sources: &Sources<'_>,
    reading: &ReaderOutput,
) -> Vec<Map<String, Value>> {
    let mut seen = reading.slots.iter();
    let mut read: Vec<Read<'_>> = Vec::new();
    for slot in &form.slots {
        let own: Vec<&SlotOutput> = seen.by_ref().take(slot.items.len().max(1)).collect();
        let plain = slot.items.is_empty() && slot.many.is_none() && slot.kind != Kind::Flag;
        read.extend(own.first().filter(|_| plain).map(|seen| Read { slot, seen, pieces: &seen.repeats }));
    }
    let Some(told) = grouped(sources, &read, Alone::All).filter(|told| told.objects.len() > 1) else {
        return Vec::new();
    };
    let values = |object: Map<String, Value>| {
        form.call(object.into_iter().filter_map(|(name, value)| Some((form.place(&name)?, value))))
    };
    told.objects.into_iter().map(values).collect()
}
