//! Is a value said and denied? "Don't rent me a rope" names a rope that nobody wants, however sure the reader is of it.

use super::super::form::{Form, Kind};
use super::super::interpretation::Filled;
use crate::message::{Reading, Span};

/// Whether a value stands where the message denies something. Flags are said by denials ("no cutlery").
pub(super) fn holds_value(form: &Form, text: &str, slots: &[(usize, Filled)]) -> bool {
    let reading = Reading::new(text);
    let denied: Vec<Span> = reading
        .negations()
        .iter()
        .filter(|negation| !is_correction(text, reading.original(negation.cue)))
        .map(|negation| reading.original(negation.scope))
        .collect();
    let is_flag = |place: usize| form.slots.get(place).is_some_and(|slot| slot.kind == Kind::Flag);
    let is_denied = |span: Span| denied.iter().any(|scope| scope.overlaps(span));
    slots.iter().any(|(place, filled)| filled.span.is_some_and(|span| !is_flag(*place) && is_denied(span)))
}

/// "Tuesday, no, Wednesday": what follows is meant.
fn is_correction(text: &str, cue: Span) -> bool {
    text.get(cue.end as usize..).is_some_and(|rest| rest.trim_start().starts_with(','))
}
