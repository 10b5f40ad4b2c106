//! How likely is all of a call right? Every slot counts, those that are left empty too.

use super::super::form::{Form, Kind, Slot};
use super::super::judge::Filled;
use super::{ReaderOutput, SlotOutput, SpeechAct};

/// More than anything is likely: nothing runs.
const NEVER: f32 = 1.1;
/// How likely all of a call must be right for it to be run, by the share of all messages that may be run wrongly. Fitted on 155 tools of other authors than
/// those of the training (`training/calls/locked.jsonl.xz`, after it was evaluated).
const NEEDED: [(f64, f32); 9] = [
    (0.0, NEVER),
    (0.001, 0.989),
    (0.005, 0.979),
    (0.01, 0.971),
    (0.02, 0.939),
    (0.05, 0.831),
    (0.1, 0.654),
    (0.2, 0.391),
    (1.0, 0.0),
];

/// How likely all of a call must be right if a share of all messages may be run wrongly.
pub(super) fn needed(max_wrong: f64) -> f32 {
    let above = NEEDED.iter().position(|(share, _)| *share >= max_wrong).unwrap_or(NEEDED.len() - 1);
    let between = NEEDED.get(above.saturating_sub(1)).zip(NEEDED.get(above));
    let Some(((from, more), (to, less))) = between.map(|(from, to)| (*from, *to)) else { return NEVER };
    if to <= from {
        return less;
    }
    #[allow(clippy::cast_possible_truncation)] // a share
    let part = ((max_wrong - from) / (to - from)).clamp(0.0, 1.0) as f32;
    more + part * (less - more)
}

/// How likely every slot is as it was read, the tool is asked for, and once.
pub(super) fn all_right(
    form: &Form,
    reading: &ReaderOutput,
    seen: &[SlotOutput],
    slots: &[(usize, Filled)],
) -> f32 {
    if reading.is_cut {
        return 0.0;
    }
    let mut left = seen;
    let mut likely = reading.act(SpeechAct::Request) * (1.0 - reading.several);
    for (place, slot) in form.slots.iter().enumerate() {
        let Some((own, rest)) = left.split_at_checked(slot.items.len().max(1)) else { return 0.0 };
        left = rest;
        let filled = slots.iter().find(|(at, _)| *at == place).map(|(_, filled)| filled);
        likely *= match own {
            [own] if slot.items.is_empty() => of_slot(slot, own, filled.filter(|filled| filled.is_said())),
            items => items.iter().map(of_item).product(),
        };
    }
    likely
}

fn of_slot(slot: &Slot, seen: &SlotOutput, filled: Option<&Filled>) -> f32 {
    let likely = match filled {
        Some(filled) => filled.confidence,
        None if slot.closed && slot.many.is_some() => {
            seen.each_wanted.iter().map(|wanted| 1.0 - wanted).fold(1.0, f32::min)
        }
        None if slot.closed && slot.kind != Kind::Flag => seen.none_wanted,
        None => seen.none,
    };
    likely * (1.0 - seen.doubt)
}

/// A slot of the objects of a list.
fn of_item(seen: &SlotOutput) -> f32 {
    if seen.parts.is_empty() {
        return seen.none;
    }
    seen.parts.iter().map(|(_, likely)| *likely).fold(1.0, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_that_may_be_wrong_needs_more() {
        let needs: Vec<f32> = [0.0, 0.002, 0.005, 0.01, 0.015, 0.05, 1.0].map(needed).to_vec();
        assert!(needs.is_sorted_by(|more, less| more >= less), "{needs:?}");
        assert!(needs[0] > 1.0, "nothing runs where nothing may be wrong");
    }
}
