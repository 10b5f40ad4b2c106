//! Is what the reader sees enough to run? Its pieces become values, and one question is asked where a value is missing, unsure or not to be run.

use std::cell::OnceCell;

use serde_json::{Map, Value};

use super::super::candidates::written_flag;
use super::super::form::{Choice, Form, Kind, Slot};
use super::super::judge::{self, Filled, Interpretation, Outcome};
use super::super::question::{self, Doubt, Question};
use super::super::{ASK_MIN, Asked, By, RUN_MIN};
use super::recalled::Recalled;
use super::sure::{Evidence, Said};
use super::values::{Hints, Source};
use super::{Piece, ReaderOutput, SEVERAL_MIN, SlotOutput, SpeechAct};
use super::{calls, denied, objects, rivals, sure};
use crate::catalog::MAX_WRONG;

/// A value is taken to be said, or wanted, from here on: where it is likelier than not.
pub(super) const SAID_MIN: f32 = 0.5;
/// A slot is left empty from here on, and one of its values is taken if it is this part as likely as none of them: on tools of other authors the reader leaves
/// seven choices open for one that it makes up, and what is taken too easily is not run.
const NONE_MIN: f32 = 0.6;
const PART_OF_NONE: f32 = 0.05;
/// A slot that is less likely right than this is worth asking somebody else about: of those above one in fifty is wrong, of those below one in three
/// (the tools of `training/sure.py`).
const SURE_MIN: f32 = 0.9;
/// What is said cannot be run as it is from here on: if that is likelier than not.
const DOUBT_MIN: f32 = 0.5;

/// What a message says for the slots of a tool, by what the reader sees in it and in the speaker's earlier turns.
pub fn interpret_reading(
    form: &Form,
    asked: &Asked<'_>,
    reading: &ReaderOutput,
    earlier: &[&str],
) -> Interpretation {
    let (mut slots, evidence) = read(form, asked, reading, earlier);
    for told in &evidence.slots {
        let read = slots.iter_mut().find(|(place, filled)| *place == told.place && sure::is_read(filled));
        if let Some((_, filled)) = read {
            filled.confidence = told.right();
        }
    }
    let all_right = if reading.is_cut { 0.0 } else { evidence.all_right() };
    let readable = !reading.is_cut && reading.several < SEVERAL_MIN && reading.unmet < DOUBT_MIN;
    let readable = readable
        && reading.act(SpeechAct::Request) >= SAID_MIN
        && !denied::holds_value(form, asked.text, &slots);
    let runs = readable && all_right >= sure::needed(asked.max_wrong.unwrap_or(MAX_WRONG));
    let unsure = unsure(form, reading, &slots, &evidence);
    let several = reading.several >= SEVERAL_MIN && act(reading) == SpeechAct::Request;
    let decided = decide(form, asked, reading, slots, runs);
    let sources = Sources::new(asked, earlier);
    let calls = if several { calls::asked_for(form, &sources, reading, &decided.args) } else { Vec::new() };
    let decided = Interpretation { all_right: Some(all_right), unsure: Some(unsure), ..decided };
    match calls.first().cloned() {
        // Two values compete for one slot of a single call; in two calls they do not.
        Some(first) if decided.outcome == Outcome::Clarify => {
            let is_first = |filled: &Filled| {
                let slot = form.place(&filled.slot).and_then(|place| form.slots.get(place));
                slot.and_then(|slot| slot.value_in(&first)) == Some(&filled.value)
            };
            Interpretation {
                slots: decided.slots.into_iter().filter(is_first).collect(),
                clarification: Some(confirm_first(form, &calls)),
                args: first,
                calls,
                ..decided
            }
        }
        _ => decided,
    }
}

/// The slots that somebody else may tell better. What is asked, conditional or in a strange unit no value settles.
fn unsure(
    form: &Form,
    reading: &ReaderOutput,
    slots: &[(usize, Filled)],
    evidence: &Evidence,
) -> Vec<String> {
    let doubtful = slots.iter().any(|(_, filled)| filled.doubt.is_some());
    if act(reading) != SpeechAct::Request || reading.several >= SEVERAL_MIN || doubtful {
        return Vec::new();
    }
    let missing = |place: usize| !slots.iter().any(|(at, _)| *at == place);
    let open = |place: usize, slot: &Slot| slot.required && missing(place);
    let told = |place: usize| evidence.slots.iter().find(|told| told.place == place);
    let slots = form.slots.iter().enumerate().filter(|(place, slot)| {
        open(*place, slot) || told(*place).is_none_or(|told| told.right() < SURE_MIN)
    });
    slots.map(|(_, slot)| slot.name.clone()).collect()
}

/// What [`interpret_reading`] judges by how likely its values are right; `training/sure.py` learns from it.
pub fn reading_evidence(
    form: &Form,
    asked: &Asked<'_>,
    reading: &ReaderOutput,
    earlier: &[&str],
) -> Evidence {
    read(form, asked, reading, earlier).1
}

/// What each slot holds, as sure as the reader says, and what that is to be judged by.
fn read(
    form: &Form,
    asked: &Asked<'_>,
    reading: &ReaderOutput,
    earlier: &[&str],
) -> (Vec<(usize, Filled)>, Evidence) {
    let sources = Sources::new(asked, earlier);
    let mut slots: Vec<(usize, Filled)> = Vec::new();
    let settled = rivals::settled(form, reading.slots.clone());
    let mut seen = settled.iter();
    let recalled = (act(reading) == SpeechAct::Reference).then(|| Recalled::by(form, asked));
    for (place, slot) in form.slots.iter().enumerate() {
        let read = if slot.items.is_empty() {
            seen.next().and_then(|seen| fill(&sources, slot, seen))
        } else {
            objects::listed(&sources, slot, seen.by_ref().take(slot.items.len()))
        };
        let recalled = || recalled.as_ref()?.of(asked, place, slot);
        let filled =
            read.or_else(|| judge::settled(asked, slot)).or_else(recalled).or_else(|| judge::default(slot));
        slots.extend(filled.map(|filled| (place, filled)));
    }
    let said = Said { text: asked.text, follows: !earlier.is_empty() };
    let evidence = sure::evidence(form, said, reading, &settled, &slots);
    (slots, evidence)
}

/// The message and the earlier turns, each searched for values when a piece of it is first looked at.
pub(super) struct Sources<'t> {
    asked: &'t Asked<'t>,
    earlier: &'t [&'t str],
    message: OnceCell<Source<'t>>,
    turns: Vec<OnceCell<Source<'t>>>,
}

impl<'t> Sources<'t> {
    fn new(asked: &'t Asked<'t>, earlier: &'t [&'t str]) -> Sources<'t> {
        let turns = earlier.iter().map(|_| OnceCell::new()).collect();
        Sources { asked, earlier, message: OnceCell::new(), turns }
    }

    pub(super) fn of(&self, piece: Piece) -> Option<&Source<'t>> {
        let read = |text: &'t str| Source::new(text, &self.asked.setting);
        match piece.turn {
            None => Some(self.message.get_or_init(|| read(self.asked.text))),
            Some(turn) => {
                let text = self.earlier.get(turn)?;
                Some(self.turns.get(turn)?.get_or_init(|| read(text)))
            }
        }
    }
}

/// What a slot holds.
fn fill(sources: &Sources<'_>, slot: &Slot, seen: &SlotOutput) -> Option<Filled> {
    let said = seen.none < NONE_MIN;
    let filled = if slot.closed && slot.kind != Kind::Flag {
        let said = named(sources, slot, seen).map(|(value, sure)| (value, sure, By::Exact));
        let meant = || chosen(slot, seen).map(|(value, sure)| (value, sure, By::Learned));
        said.or_else(meant).map(|(value, sure, by)| filled(slot, seen, value, sure, by))
    } else if slot.many.is_some() {
        (said || !seen.parts.is_empty()).then(|| listed(sources, slot, seen)).flatten()
    } else if !said {
        None
    } else if slot.kind == Kind::Flag {
        let sure = (1.0 - seen.none) * seen.yes.max(1.0 - seen.yes);
        Some(filled(slot, seen, written_flag(slot, seen.yes >= SAID_MIN), sure, By::Learned))
    } else {
        single(sources, slot, seen)
    };
    if seen.doubt < DOUBT_MIN {
        return filled;
    }
    // What is conditional, in a strange unit or out of bounds is asked about, whether or not a value was found.
    let filled = filled.unwrap_or_else(|| self::filled(slot, seen, Value::Null, seen.doubt, By::None));
    let said = filled.value.as_str().unwrap_or_default().to_owned();
    Some(Filled { doubt: filled.doubt.or(Some(Doubt::Unread(said))), ..filled })
}

fn filled(slot: &Slot, seen: &SlotOutput, value: Value, confidence: f32, by: By) -> Filled {
    let first = seen.parts.first().or(seen.pieces.first()).filter(|_| seen.none < SAID_MIN);
    let span = first.and_then(|(piece, _)| piece.turn.is_none().then_some(piece.span));
    Filled { slot: slot.name.clone(), value, confidence, by, span, doubt: None }
}

/// The one value that is said. Pieces that differ in a word or two come to the same number or day: it is as sure as all of them together.
fn single(sources: &Sources<'_>, slot: &Slot, seen: &SlotOutput) -> Option<Filled> {
    let hints = Hints { afternoon: seen.afternoon, past: seen.yes };
    let (piece, likely) = seen.pieces.first()?;
    let source = sources.of(*piece)?;
    let Some(read) = source.value(slot, piece.span, hints) else {
        let said = piece.span.of(source.text).to_owned();
        let doubt = Some(Doubt::Unread(said));
        return Some(Filled { doubt, ..filled(slot, seen, Value::Null, *likely, By::None) });
    };
    let same = |(other, likely): &(Piece, f32)| {
        let value = sources.of(*other)?.value(slot, other.span, hints)?.value;
        (value == read.value).then_some(*likely)
    };
    let sure: f32 = seen.pieces.iter().filter_map(same).sum();
    Some(Filled { doubt: read.doubt, ..filled(slot, seen, read.value, sure.min(1.0), read.by) })
}

/// The value that is said in its own words, or as a number where the values are numbers: what stands there counts for more than what it is taken for.
fn named(sources: &Sources<'_>, slot: &Slot, seen: &SlotOutput) -> Option<(Value, f32)> {
    let (piece, likely) = seen.pieces.first().filter(|_| seen.none < SAID_MIN && slot.many.is_none())?;
    let source = sources.of(*piece)?;
    let said = letters(piece.span.of(source.text));
    if said.is_empty() {
        return None;
    }
    let number = slot.is_counted().then(|| source.plain_number(piece.span)).flatten();
    let is_said = |choice: &&Choice| {
        let words = choice.number().is_none() && choice.words.iter().any(|word| letters(&word.text) == said);
        words || number.is_some_and(|number| choice.number() == Some(number))
    };
    let mut said = slot.choices.iter().filter(is_said);
    let choice = said.next().filter(|_| said.next().is_none())?;
    Some((choice.value.clone(), *likely))
}

/// The letters and figures of a text, small, with the signs that tell codes apart: A+ is not A.
pub(super) fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '+' | '#' | '*'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Which of its values a slot takes, and how sure that is.
fn chosen(slot: &Slot, seen: &SlotOutput) -> Option<(Value, f32)> {
    let value = |at: usize| slot.choices.get(at).map(|choice| choice.value.clone());
    if slot.many.is_none() {
        let best =
            seen.choices.iter().copied().enumerate().max_by(|(_, left), (_, right)| left.total_cmp(right));
        let (at, likely) = best.filter(|(_, likely)| *likely > PART_OF_NONE * seen.none_wanted)?;
        return Some((value(at)?, likely));
    }
    let wanted: Vec<Value> = seen
        .each_wanted
        .iter()
        .enumerate()
        .filter(|(_, likely)| **likely >= SAID_MIN)
        .filter_map(|(at, _)| value(at))
        .collect();
    // A list is as sure as the value that it is least sure of, in or out.
    let sure = seen.each_wanted.iter().map(|likely| likely.max(1.0 - likely)).fold(1.0, f32::min);
    (!wanted.is_empty()).then_some((Value::Array(wanted), sure))
}

/// The values of a list, as sure as the least sure of them; a part that cannot be read is asked about.
fn listed(sources: &Sources<'_>, slot: &Slot, seen: &SlotOutput) -> Option<Filled> {
    let hints = Hints { afternoon: seen.afternoon, past: seen.yes };
    let parts = if seen.parts.is_empty() { seen.pieces.get(..1).unwrap_or_default() } else { &seen.parts };
    let (mut values, mut sure, mut doubt) = (Vec::new(), 1.0_f32, None);
    for (piece, likely) in parts {
        let Some(source) = sources.of(*piece) else { continue };
        sure = sure.min(*likely);
        match source.value(slot, piece.span, hints) {
            Some(read) => {
                doubt = doubt.or(read.doubt);
                values.push(read.value);
            }
            None => doubt = doubt.or_else(|| Some(Doubt::Unread(piece.span.of(source.text).to_owned()))),
        }
    }
    let nothing = values.is_empty() && doubt.is_none();
    (!nothing).then(|| Filled { doubt, ..filled(slot, seen, Value::Array(values), sure, By::Learned) })
}

/// What the message most likely does.
fn act(reading: &ReaderOutput) -> SpeechAct {
    let likeliest = SpeechAct::ALL.into_iter().zip(reading.acts).max_by(|(_, a), (_, b)| a.total_cmp(b));
    likeliest.map_or(SpeechAct::Request, |(act, _)| act)
}

/// What follows from what each slot holds and from what the message does.
pub(super) fn decide(
    form: &Form,
    asked: &Asked<'_>,
    reading: &ReaderOutput,
    slots: Vec<(usize, Filled)>,
    runs: bool,
) -> Interpretation {
    let act = act(reading);
    let said = slots.iter().filter(|(_, filled)| filled.is_said()).count();
    let weakest = slots
        .iter()
        .filter(|(_, filled)| filled.is_said())
        .min_by(|(_, left), (_, right)| left.confidence.total_cmp(&right.confidence));
    let open = |place: &usize| !slots.iter().any(|(filled, _)| filled == place);
    let required = |place: &usize| form.slots.get(*place).is_some_and(|slot| slot.required);
    let missing = (0..form.slots.len()).find(|place| required(place) && open(place));
    let doubtful = slots.iter().find(|(_, filled)| filled.doubt.is_some());
    let unsure = weakest.filter(|(_, filled)| filled.confidence < if runs { ASK_MIN } else { RUN_MIN });
    let ask = doubtful.or(unsure).map(|(place, _)| *place).or(missing);
    let outcome = match act {
        SpeechAct::Unrelated => Outcome::Rephrase,
        SpeechAct::Request if ask.is_none() && runs && (said > 0 || form.slots.is_empty()) => Outcome::Run,
        _ => Outcome::Clarify,
    };
    let clarification = (outcome == Outcome::Clarify).then(|| match (act, ask) {
        (SpeechAct::Request | SpeechAct::Reference, Some(place)) => question_for(form, asked, &slots, place),
        _ => Some(confirm(form, &slots, act, reading)),
    });
    let confidence = match outcome {
        Outcome::Rephrase => 0.0,
        Outcome::Run => weakest.map_or(1.0, |(_, filled)| filled.confidence).min(reading.act(act)),
        Outcome::Clarify => weakest.map_or(ASK_MIN, |(_, filled)| filled.confidence.min(RUN_MIN)),
    };
    let kept = slots.iter().filter(|(_, filled)| filled.doubt.is_none() && filled.confidence >= ASK_MIN);
    let args = form.call(kept.map(|(place, filled)| (*place, filled.value.clone())));
    Interpretation {
        outcome,
        args,
        confidence,
        all_right: None,
        unsure: None,
        calls: Vec::new(),
        by: weakest.map(|(_, filled)| filled.by),
        reason: reason(form, act, &slots, missing),
        clarification: clarification.flatten(),
        warnings: slots.iter().filter_map(|(place, f)| judge::warning(form.slots.get(*place)?, f)).collect(),
        slots: slots.into_iter().map(|(_, filled)| filled).filter(|filled| !filled.value.is_null()).collect(),
    }
}

fn question_for(form: &Form, asked: &Asked<'_>, slots: &[(usize, Filled)], place: usize) -> Option<Question> {
    let slot = form.slots.get(place)?;
    let filled = slots.iter().find(|(filled, _)| *filled == place).map(|(_, filled)| filled);
    let shown: Vec<Value> = asked.columns_of(slot).map(|choice| choice.value.clone()).collect();
    let guess = filled.map(|filled| &filled.value).filter(|value| !value.is_null());
    Some(question::ask(slot, filled.and_then(|filled| filled.doubt.as_ref()), guess, &shown))
}

/// Asks whether the tool is to be run at all, with what was understood.
fn confirm(form: &Form, slots: &[(usize, Filled)], act: SpeechAct, reading: &ReaderOutput) -> Question {
    let understood: Vec<String> = slots
        .iter()
        .filter(|(_, filled)| filled.is_said() && filled.doubt.is_none() && filled.confidence >= ASK_MIN)
        .map(|(_, filled)| written(&filled.slot, &filled.value))
        .collect();
    let with = if understood.is_empty() { String::new() } else { format!(" with {}", understood.join(", ")) };
    Question::confirm(match act {
        SpeechAct::Reference if !slots.iter().any(|(_, filled)| filled.by == By::Memory) => {
            format!("That refers to something that is not said. Should {} run now{with}?", form.tool)
        }
        _ if reading.several >= SEVERAL_MIN => {
            format!("That asks for several calls. Should {} run first{with}?", form.tool)
        }
        _ => format!("Should {} run now{with}?", form.tool),
    })
}

/// Shows all calls that are asked for, and asks whether the first is to be run.
fn confirm_first(form: &Form, calls: &[Map<String, Value>]) -> Question {
    let values = |call: &Map<String, Value>| -> String {
        call.iter().map(|(name, value)| written(name, value)).collect::<Vec<_>>().join(", ")
    };
    let all: Vec<String> = calls.iter().map(values).collect();
    Question::confirm(format!(
        "That asks for {} calls: {}. Should {} run now with the first of them?",
        calls.len(),
        all.join("; "),
        form.tool
    ))
}

fn written(name: &str, value: &Value) -> String {
    format!("{name} = {}", question::shown_as(value))
}

fn reason(form: &Form, act: SpeechAct, slots: &[(usize, Filled)], missing: Option<usize>) -> String {
    let does = match act {
        SpeechAct::Unrelated => return format!("the message is not about {}", form.tool),
        SpeechAct::Request => None,
        SpeechAct::Question => Some("the message asks a question"),
        SpeechAct::Hypothetical => Some("the message speaks of what could be done"),
        SpeechAct::Past => Some("the message tells what was done"),
        SpeechAct::Reference if slots.iter().any(|(_, filled)| filled.by == By::Memory) => {
            Some("the message refers to what was said before")
        }
        SpeechAct::Reference => Some("the message refers to something that it does not say"),
    };
    let said = slots
        .iter()
        .filter(|(_, filled)| filled.is_said() && !filled.value.is_null())
        .map(|(_, filled)| format!("{} ({})", written(&filled.slot, &filled.value), filled.by.name()));
    let missing =
        missing.and_then(|place| form.slots.get(place)).map(|slot| format!("{} is not said", slot.name));
    does.map(str::to_owned).into_iter().chain(said).chain(missing).collect::<Vec<_>>().join("; ")
}
