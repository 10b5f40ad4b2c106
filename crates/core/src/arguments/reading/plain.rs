//! Do plain values settle a call? Where every slot takes a number, a day, a time or one of a few values, and each word of the message is such a value, names its
//! slot or joins words, nothing is left for a trained reader to tell.

use super::super::form::{Choice, Form, Kind, Slot};
use super::super::interpretation::{Filled, Interpretation};
use super::super::{Asked, By};
use super::judge::decide_request;
use super::slots::letters;
use super::sure;
use super::values::{Hints, Source};
use crate::catalog::MAX_WRONG;
use crate::message::Span;

/// How sure a call is that plain values settle. Not fitted: no message of the sets that confidences are fitted on is so plain.
const PLAIN: f32 = 0.98;
/// Most bytes of such a message: a longer one says something else as well.
const BYTES_MAX: usize = 200;
/// Words that join values and say no more than that something is wanted.
const JOINS: [&str; 28] = [
    "a", "an", "and", "as", "at", "be", "by", "for", "give", "i", "i'd", "in", "is", "it", "make", "me",
    "need", "of", "on", "please", "put", "set", "the", "this", "to", "use", "want", "with",
];
/// Signs that join values.
const SIGNS: [char; 5] = [',', '.', '!', ':', ';'];
/// Most words of one of a slot's values.
const CHOICE_WORDS_MAX: usize = 4;

/// What a message says for the slots of a tool, if plain values settle it and nothing else is said.
pub fn interpret_plain(form: &Form, asked: &Asked<'_>) -> Option<Interpretation> {
    let takes_plain = !form.slots.is_empty() && form.slots.iter().all(takes_plain_values);
    if !takes_plain || asked.text.len() > BYTES_MAX || asked.settled.is_some() {
        return None;
    }
    let source = Source::new(asked.text, &asked.setting);
    let mut left = word_spans(asked.text);
    // "is it Friday" asks.
    if left.first().is_some_and(|first| first.of(asked.text).eq_ignore_ascii_case("is")) {
        return None;
    }
    let mut slots = said_values(&source, form, &mut left)?;
    for (place, choice, span) in named_choices(form, asked.text, &mut left)? {
        let (slot, value) = (form.slots.get(place)?.name.clone(), choice.value.clone());
        slots.push((
            place,
            Filled { slot, value, confidence: PLAIN, by: By::Exact, span: Some(span), doubt: None },
        ));
    }
    slots.sort_by_key(|(place, _)| *place);
    let twice = slots.windows(2).any(|pair| matches!(pair, [(one, _), (other, _)] if one == other));
    let filled = |place: usize| slots.iter().any(|(at, _)| *at == place);
    let open = |(place, slot): (usize, &Slot)| !filled(place) && (slot.required || slot.default.is_some());
    // What names a slot must name one that holds a value.
    let known = |span: &Span| {
        let word = span.of(asked.text).to_lowercase();
        let mut named =
            form.slots.iter().enumerate().filter(|(_, slot)| names(slot).any(|name| alike(name, &word)));
        JOINS.contains(&word.as_str())
            || named.next().is_some_and(|(place, _)| filled(place) && named.next().is_none())
    };
    if slots.is_empty() || twice || form.slots.iter().enumerate().any(open) || !left.iter().all(known) {
        return None;
    }
    if PLAIN < sure::needed(asked.max_wrong.unwrap_or(MAX_WRONG)) {
        return None;
    }
    Some(Interpretation { all_right: Some(PLAIN), ..decide_request(form, slots) })
}

fn takes_plain_values(slot: &Slot) -> bool {
    let is_plain = slot.closed && slot.kind != Kind::Flag || is_number(slot) || slot.kind.is_time();
    is_plain && slot.many.is_none() && slot.items.is_empty()
}

fn is_number(slot: &Slot) -> bool {
    matches!(slot.kind, Kind::Integer | Kind::Number) && !slot.closed
}

/// The words of a text.
pub(in crate::arguments) fn word_spans(text: &str) -> Vec<Span> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '\'';
    let mut out: Vec<Span> = Vec::new();
    for (at, letter) in text.char_indices().filter(|(_, letter)| is_part(*letter)) {
        let own = Span::new(at..at + letter.len_utf8());
        match out.last_mut() {
            Some(last) if last.end == own.start => last.end = own.end,
            _ => out.push(own),
        }
    }
    out
}

/// The words that name a slot.
fn names(slot: &Slot) -> impl Iterator<Item = &str> {
    slot.names.iter().flat_map(|name| name.text.split(' '))
}

/// Whether two words are the same but for case and a plural.
fn alike(one: &str, other: &str) -> bool {
    let plain = |word: &str| word.to_lowercase().trim_end_matches('s').to_owned();
    !one.is_empty() && plain(one) == plain(other)
}

/// Numbers, days and times, each with the one slot that it can be for: the only one of its kind, or the one that is named beside it.
fn said_values(source: &Source<'_>, form: &Form, left: &mut Vec<Span>) -> Option<Vec<(usize, Filled)>> {
    let hints = Hints { afternoon: 0.5, past: 0.0 };
    let spans = source.plain_values()?;
    let is_value = |at: usize| spans.iter().any(|(span, _)| span.range().contains(&at));
    let joins = |letter: char| {
        letter.is_alphanumeric() || letter.is_whitespace() || letter == '\'' || SIGNS.contains(&letter)
    };
    if source.text.char_indices().any(|(at, letter)| !joins(letter) && !is_value(at)) {
        return None;
    }
    // A unit counts for a slot that declares its own.
    let takes = |slot: &Slot, span: Span, measured: bool| {
        let fits = if measured {
            slot.unit_declared
        } else {
            slot.kind.is_time() && !slot.closed || is_number(slot)
        };
        fits && source.value(slot, span, hints).is_some()
    };
    let fits = |(span, measured): &(Span, bool)| {
        let places = form.slots.iter().enumerate().filter(|(_, slot)| takes(slot, *span, *measured));
        (*span, places.map(|(place, _)| place).collect())
    };
    let fitting: Vec<(Span, Vec<usize>)> = spans.iter().map(fits).collect();
    let placed = placed(source.text, form, &fitting)?;
    left.retain(|word| !spans.iter().any(|(span, _)| span.overlaps(*word)));
    let read = placed.into_iter().map(|(span, place)| {
        let slot = form.slots.get(place)?;
        let read = source.value(slot, span, hints)?;
        let (slot, span) = (slot.name.clone(), Some(span));
        Some((
            place,
            Filled { slot, value: read.value, confidence: PLAIN, by: read.by, span, doubt: read.doubt },
        ))
    });
    read.collect()
}

/// The slot of each value.
fn placed(text: &str, form: &Form, fitting: &[(Span, Vec<usize>)]) -> Option<Vec<(Span, usize)>> {
    let distinct = |placed: &Vec<(Span, usize)>| {
        placed
            .iter()
            .enumerate()
            .all(|(at, (_, place))| !placed.iter().skip(at + 1).any(|(_, other)| other == place))
    };
    let named = |beside: &dyn Fn(usize) -> Option<Span>| -> Option<Vec<(Span, usize)>> {
        let one = |(at, (span, places)): (usize, &(Span, Vec<usize>))| {
            let beside = beside(at)?.of(text);
            let beside: Vec<&str> = word_spans(beside).into_iter().map(|word| word.of(beside)).collect();
            let says = |place: &usize| {
                let own = form.slots.get(*place).into_iter().flat_map(names);
                own.into_iter().any(|name| beside.iter().any(|word| alike(name, word)))
            };
            if let [place] = places.as_slice() {
                return Some((*span, *place));
            }
            let mut said = places.iter().filter(|place| says(place));
            said.next().filter(|_| said.next().is_none()).map(|place| (*span, *place))
        };
        fitting.iter().enumerate().map(one).collect()
    };
    let end_before =
        |at: usize| at.checked_sub(1).and_then(|at| fitting.get(at)).map_or(0, |(span, _)| span.range().end);
    let start_behind = |at: usize| fitting.get(at + 1).map_or(text.len(), |(span, _)| span.range().start);
    let before = |at: usize| Some(Span::new(end_before(at)..fitting.get(at)?.0.range().start));
    let behind = |at: usize| Some(Span::new(fitting.get(at)?.0.range().end..start_behind(at)));
    named(&before).filter(distinct).or_else(|| named(&behind).filter(distinct))
}

/// Values of slots in their own words, none of which could be meant for another slot.
fn named_choices<'f>(
    form: &'f Form,
    text: &str,
    left: &mut Vec<Span>,
) -> Option<Vec<(usize, &'f Choice, Span)>> {
    let closed = || form.slots.iter().enumerate().filter(|(_, slot)| slot.closed);
    let mut out = Vec::new();
    let mut at = 0;
    while at < left.len() {
        let found = (1..=CHOICE_WORDS_MAX.min(left.len() - at)).rev().find_map(|count| {
            let span = left.get(at)?.joined(*left.get(at + count - 1)?);
            let said = letters(span.of(text));
            let of = |(place, slot): (usize, &'f Slot)| {
                let is_said = |choice: &&Choice| choice.words.iter().any(|word| letters(&word.text) == said);
                slot.choices.iter().filter(is_said).map(move |choice| (place, choice)).collect::<Vec<_>>()
            };
            let choices: Vec<(usize, &Choice)> = closed().flat_map(of).collect();
            (!choices.is_empty()).then_some((count, span, choices))
        });
        let Some((count, span, choices)) = found else {
            at += 1;
            continue;
        };
        let joins = JOINS.contains(&span.of(text).to_lowercase().as_str());
        let ([(place, choice)], false) = (choices.as_slice(), joins) else { return None };
        out.push((*place, *choice, span));
        left.drain(at..at + count);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Outcome;
    use crate::mentions::{Civil, Setting};
    use serde_json::{Value, json};

    fn said(properties: &Value, text: &str) -> Option<(Outcome, Value)> {
        let schema = json!({ "type": "object", "properties": properties });
        let form = Form::read("set_table", "", Some(&schema)).unwrap();
        let now = Civil::parse("2026-11-16T10:00:00").map(|(now, _)| now);
        let asked = Asked { setting: Setting { now, ..Setting::default() }, ..Asked::new(text) };
        interpret_plain(&form, &asked).map(|said| (said.outcome, Value::Object(said.args)))
    }

    #[test]
    fn plain_values_settle_a_call_and_nothing_else_does() {
        let table = json!({ "adults": { "type": "integer" }, "children": { "type": "integer" }, "day": { "type": "string", "format": "date" },
            "room": { "type": "string", "enum": ["terrace", "main_hall"] } });
        for (text, expected) in [
            (
                "2 adults and 3 children on friday",
                Some(json!({ "adults": 2, "children": 3, "day": "2026-11-20" })),
            ),
            (
                "adults 2, children 3, main hall please",
                Some(json!({ "adults": 2, "children": 3, "room": "main_hall" })),
            ),
            ("the day is 2027-04-03", Some(json!({ "day": "2027-04-03" }))),
            ("2 and 3 on friday", None),
            ("at least 2 adults on friday", None),
            ("2 to 4 adults on friday", None),
            ("2 adults, 40 dollars", None),
            ("2 adults, not the terrace", None),
            ("terrace or main hall for 2 adults", None),
            ("did you have 2 adults on friday?", None),
            ("is the day friday", None),
            ("2 adults until friday", None),
            ("my children and 2 adults", None),
            ("table 3 on friday", None),
            ("2+ adults on friday", None),
            ("2 adults for Ben on friday", None),
        ] {
            let got = said(&table, text);
            assert_eq!(got, expected.map(|args| (Outcome::Run, args)), "{text}");
        }
        let switch = json!({ "state": { "type": "string", "enum": ["on", "off"] }, "day": { "type": "string", "format": "date" } });
        assert_eq!(said(&switch, "on please"), None, "a word that joins is no value");
        let text = json!({ "note": { "type": "string" } });
        assert_eq!(said(&text, "note 3"), None, "texts are for the reader");
    }
}
