//! Do two slots claim the same words? A piece of a message is the value of one slot: the surer one keeps it, and the other looks elsewhere.

use super::super::form::{Form, Kind, Slot};
use super::{Piece, SlotOutput};

/// What is seen for each slot, once no piece is claimed twice.
pub(super) fn settled(form: &Form, mut seen: Vec<SlotOutput>) -> Vec<SlotOutput> {
    // The slots of objects in a list take several pieces each.
    let read = form
        .slots
        .iter()
        .flat_map(|slot| std::iter::repeat_n(takes_one_piece(slot), slot.items.len().max(1)));
    let mut open: Vec<usize> = read.enumerate().filter_map(|(at, one)| one.then_some(at)).collect();
    // Each round the surest of those that are left keeps its piece.
    while let Some((place, winner)) = surest(&seen, &open) {
        open.remove(place);
        let Some(kept) = claim(&seen, winner).map(|(piece, _)| piece) else { continue };
        for at in &open {
            if let Some(loser) = seen.get_mut(*at) {
                look_elsewhere(loser, kept);
            }
        }
    }
    seen
}

fn takes_one_piece(slot: &Slot) -> bool {
    !slot.closed && slot.many.is_none() && slot.items.is_empty() && slot.kind != Kind::Flag
}

/// The likeliest piece of a slot, if one is likelier than none.
fn claim(seen: &[SlotOutput], at: usize) -> Option<(Piece, f32)> {
    let slot = seen.get(at)?;
    slot.pieces.first().copied().filter(|_| slot.none < super::judge::SAID_MIN)
}

fn surest(seen: &[SlotOutput], open: &[usize]) -> Option<(usize, usize)> {
    let claims = open.iter().enumerate().filter_map(|(place, at)| Some((place, *at, claim(seen, *at)?.1)));
    claims.max_by(|one, other| one.2.total_cmp(&other.2)).map(|(place, at, _)| (place, at))
}

/// Without the pieces that overlap one that is taken, the rest is as likely as it is among what remains.
fn look_elsewhere(slot: &mut SlotOutput, taken: Piece) {
    let overlaps = |piece: &Piece| piece.turn == taken.turn && piece.span.overlaps(taken.span);
    let lost: f32 = slot.pieces.iter().filter(|(piece, _)| overlaps(piece)).map(|(_, likely)| likely).sum();
    if lost == 0.0 {
        return;
    }
    slot.pieces.retain(|(piece, _)| !overlaps(piece));
    // What was kept of the pieces is nearly all there is, and never less than what is left of them.
    let kept: f32 = slot.none + slot.pieces.iter().map(|(_, likely)| likely).sum::<f32>();
    let left = (1.0 - lost).max(kept).max(f32::MIN_POSITIVE);
    slot.none = if kept == 0.0 { 1.0 } else { slot.none / left };
    for (_, likely) in &mut slot.pieces {
        *likely /= left;
    }
}
