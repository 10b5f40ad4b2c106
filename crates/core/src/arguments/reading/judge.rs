//! Is what the reader sees enough to run? Its pieces become values, and one question is asked where a value is missing, unsure or not to be run.

use std::cell::OnceCell;

use super::super::form::{Form, Slot};
use super::super::interpretation::{Filled, Interpretation, Outcome};
use super::super::question::Question;
use super::super::{ASK_MIN, Asked, By, RUN_MIN};
use super::asking::{confirm, confirm_first, question_for, reason};
use super::recalled::{self, Recalled};
use super::slots::{DOUBT_MIN, fill, worded};
use super::sure::{Evidence, Said};
use super::values::Source;
use super::{Piece, ReaderOutput, SEVERAL_MIN, SpeechAct};
use super::{calls, denied, objects, rivals, sure};
use crate::catalog::MAX_WRONG;
use crate::message::Span;

/// A value is taken to be said, or wanted, from here on: where it is likelier than not.
pub(super) const SAID_MIN: f32 = 0.5;
/// A slot that is less likely right than this is worth asking somebody else about: of those above one in fifty is wrong, of those below one in three
/// (the tools of `training/sure.py`).
const SURE_MIN: f32 = 0.9;
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
        && reading.act(SpeechAct::Request) + reading.act(SpeechAct::Correction) >= SAID_MIN
        && !denied::holds_value(form, asked.text, &slots);
    let runs = readable && all_right >= sure::needed(asked.max_wrong.unwrap_or(MAX_WRONG));
    let runs = runs || act(reading) == SpeechAct::Reference && recalled::is_sure(form, asked, &slots);
    let unsure = if readable || act(reading) == SpeechAct::Unrelated {
        unsure(form, reading, &slots, &evidence)
    } else {
        Vec::new()
    };
    let several = reading.several >= SEVERAL_MIN && act(reading) == SpeechAct::Request;
    // Whose answer is not sure enough, or asks something back, is asked again.
    let asks_back = act(reading) == SpeechAct::Question;
    let about = asked.about.and_then(|about| form.place(about));
    let again = about.and_then(|place| question_for(form, if asks_back { &[] } else { &slots }, place));
    let decided = decide(form, reading, slots, runs);
    let confirms = decided.clarification.as_ref().is_some_and(Question::confirms);
    let clarification = again.filter(|_| asks_back || confirms).or(decided.clarification);
    let decided = Interpretation { clarification, ..decided };
    let sources = Sources::new(asked, earlier);
    let calls = if several { calls::asked_for(form, &sources, reading, &decided.args) } else { Vec::new() };
    let decided = Interpretation { all_right: Some(all_right), unsure, ..decided };
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

/// The slots that a language model may read better. A question, a condition or a contradicting unit is not settled by any value.
fn unsure(
    form: &Form,
    reading: &ReaderOutput,
    slots: &[(usize, Filled)],
    evidence: &Evidence,
) -> Vec<String> {
    let doubtful = slots.iter().any(|(_, filled)| filled.doubt.is_some());
    let settled = act(reading) != SpeechAct::Request || reading.several >= SEVERAL_MIN || doubtful;
    // A request of which nothing is taken may hold words for any slot.
    if act(reading) == SpeechAct::Unrelated || slots.is_empty() && !settled {
        return form.slots.iter().map(|slot| slot.name.clone()).collect();
    }
    if settled {
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
        let (own, read) = if slot.items.is_empty() {
            let own = seen.next();
            (own, own.and_then(|seen| fill(&sources, slot, seen)))
        } else {
            (None, objects::listed(&sources, slot, seen.by_ref().take(slot.items.len())))
        };
        let known = Filled::settled(asked, slot);
        let known = known.or_else(|| recalled.as_ref()?.of(asked, place, slot));
        // What no piece of this message says does not change what is settled or remembered.
        let read = read.filter(|read| known.is_none() || read.span.is_some());
        // If no single piece names the choice, its span is the whole message.
        let whole = || sources.whole().filter(|_| slot.closed && own.is_some_and(|own| own.none >= SAID_MIN));
        let read = read.map(|read| {
            let span = read.span.or_else(whole).map(|span| worded(asked.text, span, &read.value));
            Filled { span, ..read }
        });
        let filled = read.or(known).or_else(|| Filled::default(slot));
        slots.extend(filled.map(|filled| (place, filled)));
    }
    ask_for_ends(form, &sources, &mut slots);
    let said = Said { text: asked.text, follows: !earlier.is_empty() };
    let evidence = sure::evidence(form, said, reading, &settled, &slots);
    (slots, evidence)
}

/// One end of a range is asked about if no other slot takes the other: "household size of 5 to 7".
fn ask_for_ends(form: &Form, sources: &Sources<'_>, slots: &mut [(usize, Filled)]) {
    let spans: Vec<Option<Span>> = slots.iter().map(|(_, filled)| filled.span).collect();
    for (at, (place, filled)) in slots.iter_mut().enumerate() {
        let is_end = form.slots.get(*place).is_none_or(|slot| slot.end.is_some() || slot.many.is_some());
        let Some(span) = filled.span.filter(|_| filled.by == By::Number && !is_end) else { continue };
        let source = sources.of(Piece { turn: None, span });
        let Some((range, ends)) = source.and_then(|source| source.range_around(span)) else { continue };
        let shared = spans
            .iter()
            .enumerate()
            .any(|(other, taken)| other != at && taken.is_some_and(|taken| taken.overlaps(range)));
        if !shared {
            filled.doubt.get_or_insert(ends);
        }
    }
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

    /// The message from its first letter to its last.
    fn whole(&self) -> Option<Span> {
        let text = self.asked.text;
        let start = text.len() - text.trim_start().len();
        (!text.trim().is_empty()).then(|| Span::new(start..text.trim_end().len()))
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

/// What the message most likely does.
fn act(reading: &ReaderOutput) -> SpeechAct {
    let likeliest = SpeechAct::ALL.into_iter().zip(reading.acts).max_by(|(_, a), (_, b)| a.total_cmp(b));
    match likeliest {
        None | Some((SpeechAct::Correction, _)) => SpeechAct::Request,
        Some((act, _)) => act,
    }
}

/// What follows if the message is a request and its slots hold these values, which are sure enough to run or not.
pub(in crate::arguments) fn decide_request(form: &Form, slots: Vec<(usize, Filled)>) -> Interpretation {
    let acts = SpeechAct::ALL.map(|act| if act == SpeechAct::Request { 1.0 } else { 0.0 });
    let reading = ReaderOutput { acts, ..ReaderOutput::default() };
    let runs = slots.iter().all(|(_, filled)| filled.confidence >= RUN_MIN);
    decide(form, &reading, slots, runs)
}

/// What follows from what each slot holds and from what the message does.
fn decide(form: &Form, reading: &ReaderOutput, slots: Vec<(usize, Filled)>, runs: bool) -> Interpretation {
    let act = act(reading);
    let said = slots.iter().filter(|(_, filled)| filled.is_said()).count();
    let weakest = slots
        .iter()
        .filter(|(_, filled)| filled.is_said())
        .min_by(|(_, left), (_, right)| left.confidence.total_cmp(&right.confidence));
    let open = |place: &usize| !slots.iter().any(|(filled, _)| filled == place);
    let required = |place: &usize| form.slots.get(*place).is_some_and(|slot| slot.required);
    let missing = form.asking_order().into_iter().find(|place| required(place) && open(place));
    let doubtful = slots.iter().find(|(_, filled)| filled.doubt.is_some());
    let unsure = weakest.filter(|(_, filled)| filled.confidence < if runs { ASK_MIN } else { RUN_MIN });
    // Where nothing is said, the first slot that is open is asked for.
    let first = (0..form.slots.len()).find(|place| said == 0 && open(place));
    let ask = doubtful.or(unsure).map(|(place, _)| *place).or(missing).or(first);
    let complete = said > 0 || form.slots.is_empty() || (0..form.slots.len()).all(|place| !open(&place));
    let outcome = match act {
        SpeechAct::Unrelated => Outcome::Rephrase,
        SpeechAct::Request | SpeechAct::Reference if ask.is_none() && runs && complete => Outcome::Run,
        _ => Outcome::Clarify,
    };
    let clarification = (outcome == Outcome::Clarify).then(|| match (act, ask) {
        (SpeechAct::Request | SpeechAct::Reference | SpeechAct::Question, Some(place))
            if act != SpeechAct::Question || said == 0 =>
        {
            question_for(form, &slots, place)
        }
        _ => Some(confirm(form, &slots, act, reading)),
    });
    let confidence = match outcome {
        Outcome::Rephrase => 0.0,
        Outcome::Run => weakest.map_or(1.0, |(_, filled)| filled.confidence),
        Outcome::Clarify => weakest.map_or(ASK_MIN, |(_, filled)| filled.confidence.min(RUN_MIN)),
    };
    let kept = slots.iter().filter(|(_, filled)| filled.doubt.is_none() && filled.confidence >= ASK_MIN);
    let args = form.call(kept.map(|(place, filled)| (*place, filled.value.clone())));
    Interpretation {
        outcome,
        args,
        confidence,
        all_right: None,
        unsure: Vec::new(),
        calls: Vec::new(),
        by: weakest.map(|(_, filled)| filled.by),
        reason: reason(form, act, &slots, missing),
        clarification: clarification.flatten(),
        warnings: slots.iter().filter_map(|(place, f)| f.warning(form.slots.get(*place)?)).collect(),
        slots: slots.into_iter().map(|(_, filled)| filled).filter(|filled| !filled.value.is_null()).collect(),
    }
}
