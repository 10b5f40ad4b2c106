//! Which values belong to one object? Those of a list of objects, or of several calls, put together by where they stand.

use serde_json::{Map, Value};

use super::super::form::Slot;
use super::super::interpretation::Filled;
use super::super::{By, Doubt};
use super::judge::Sources;
use super::values::Hints;
use super::{Piece, SlotOutput};

/// A value in a list of objects: which slot of the objects, where it stands, what it is and how sure that is.
struct Part {
    item: usize,
    piece: Piece,
    value: Value,
    sure: f32,
}

/// The objects of a list.
pub(super) fn listed<'s>(
    sources: &Sources<'_>,
    slot: &Slot,
    seen: impl Iterator<Item = &'s SlotOutput>,
) -> Option<Filled> {
    let read = slot.items.iter().zip(seen).map(|(slot, seen)| Read { slot, seen, pieces: &seen.parts });
    let Grouped { objects, sure, first, doubt } =
        grouped(sources, &read.collect::<Vec<_>>(), Alone::Nearest)?;
    Some(Filled {
        slot: slot.name.clone(),
        value: Value::Array(objects.into_iter().map(Value::Object).collect()),
        confidence: sure,
        by: By::Learned,
        span: first.turn.is_none().then_some(first.span),
        doubt,
    })
}

/// What is seen for a slot of the objects, and where its values stand.
pub(super) struct Read<'r> {
    pub slot: &'r Slot,
    pub seen: &'r SlotOutput,
    pub pieces: &'r [(Piece, f32)],
}

/// Whose value is one that is said once beside several objects?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Alone {
    /// The nearest object's.
    Nearest,
    /// That of all of them: "two desks, oak and pine, for Friday".
    All,
}

/// Values put together.
pub(super) struct Grouped {
    /// The objects, in the order of their leading values.
    pub objects: Vec<Map<String, Value>>,
    /// As the least sure of the values.
    pub sure: f32,
    /// The first of the pieces.
    pub first: Piece,
    /// The first reason to ask.
    pub doubt: Option<Doubt>,
}

/// The objects that values make up. Each value belongs to the object whose leading value is nearest; the slot with
/// the most values leads.
pub(super) fn grouped(sources: &Sources<'_>, read: &[Read<'_>], alone: Alone) -> Option<Grouped> {
    let (parts, mut doubt) = parts(sources, read);
    let mut counts = vec![0; read.len()];
    for part in &parts {
        if let Some(count) = counts.get_mut(part.item) {
            *count += 1;
        }
    }
    let count = |item: usize| counts.get(item).copied().unwrap_or_default();
    let leading = (0..read.len()).rev().max_by_key(|item| count(*item))?;
    let leaders: Vec<Piece> =
        parts.iter().filter(|part| part.item == leading).map(|part| part.piece).take(OBJECTS_MAX).collect();
    let mut objects = vec![Map::new(); leaders.len()];
    let mut said = vec![0; read.len()];
    for part in &parts {
        let Some(Read { slot: item, .. }) = read.get(part.item) else { continue };
        if alone == Alone::All && count(part.item) == 1 {
            for object in &mut objects {
                object.insert(item.name.clone(), part.value.clone());
            }
            continue;
        }
        let order = said.get_mut(part.item).map_or(0, |said| std::mem::replace(said, *said + 1));
        // As many values as objects are said in the same order.
        let in_order = count(part.item) == leaders.len();
        let place = if in_order { Some(order) } else { nearest(sources, &leaders, part.piece) };
        let object = place.and_then(|place| objects.get_mut(place));
        let taken = object.map(|object| object.insert(item.name.clone(), part.value.clone()));
        // A value that belongs to no object, or to one that has another already, is asked about.
        if !matches!(taken, Some(None)) {
            let said = sources.of(part.piece).map_or("", |source| part.piece.span.of(source.text));
            doubt.get_or_insert(Doubt::Unread(said.to_owned()));
        }
    }
    let sure = parts.iter().map(|part| part.sure).fold(1.0, f32::min);
    parts.first().map(|first| Grouped { objects, sure, first: first.piece, doubt })
}

/// Most objects of a list that a message gives.
const OBJECTS_MAX: usize = 64;

/// Everything that is said for the slots of the objects, and the first reason to ask.
fn parts(sources: &Sources<'_>, read: &[Read<'_>]) -> (Vec<Part>, Option<Doubt>) {
    let (mut parts, mut doubt) = (Vec::new(), None);
    for (item, Read { slot: own, seen, pieces }) in read.iter().enumerate() {
        let hints = Hints { afternoon: seen.afternoon, past: seen.yes };
        for (piece, sure) in *pieces {
            let Some(source) = sources.of(*piece) else { continue };
            let said = piece.span.of(source.text);
            let read = if own.closed {
                choice(own, seen, said).map(|(value, likely)| (value, sure.min(likely), None))
            } else {
                source.value(own, piece.span, hints).map(|read| (read.value, *sure, read.doubt))
            };
            match read {
                Some((value, sure, own_doubt)) => {
                    doubt = doubt.or(own_doubt);
                    parts.push(Part { item, piece: *piece, value, sure });
                }
                None => doubt = doubt.or_else(|| Some(Doubt::Unread(said.to_owned()))),
            }
        }
    }
    (parts, doubt)
}

/// Signs and words that part one object from the next.
const PARTING: [&str; 6] = [",", ";", "\n", " and ", " plus ", "&"];

/// The leading piece that is nearest to another of the same turn: first by what parts them, then by the letters between them.
fn nearest(sources: &Sources<'_>, leaders: &[Piece], piece: Piece) -> Option<usize> {
    let text = sources.of(piece)?.text;
    let gap = |other: &Piece| {
        let (first, last) =
            if other.span.start < piece.span.start { (other, &piece) } else { (&piece, other) };
        let between = text.get(first.span.end as usize..last.span.start as usize).unwrap_or_default();
        let parted = PARTING.iter().map(|sign| between.matches(sign).count()).sum::<usize>();
        (parted, between.len())
    };
    let same_turn = leaders.iter().enumerate().filter(|(_, leader)| leader.turn == piece.turn);
    same_turn.min_by_key(|(_, leader)| gap(leader)).map(|(place, _)| place)
}

/// The choice that a piece names, else the one that is likeliest wanted, and how likely it is.
fn choice(slot: &Slot, seen: &SlotOutput, said: &str) -> Option<(Value, f32)> {
    let said = said.to_lowercase();
    let names = |at: &usize| {
        let words = slot.choices.get(*at).into_iter().flat_map(|choice| &choice.words);
        words.into_iter().any(|word| said.contains(&word.words.join(" ")))
    };
    let likely = |at: &usize| seen.each_wanted.get(*at).copied().unwrap_or_default();
    let likelier = |one: &usize, other: &usize| likely(one).total_cmp(&likely(other));
    let all = || 0..seen.each_wanted.len().min(slot.choices.len());
    let at = all().filter(names).max_by(likelier).or_else(|| all().max_by(likelier))?;
    slot.choices.get(at).map(|choice| (choice.value.clone(), likely(&at)))
}
