//! What could fill each slot? Everything in the message that fits it, with what speaks for it.

mod amounts;
mod choices;
mod columns;
mod flags;
mod lists;
mod meant;
mod taught;
mod texts;
mod times;

pub(super) use amounts::{fitted_number, out_of_range, readings, written_number};
pub(super) use choices::matches;
pub(super) use flags::value as written_flag;
pub(super) use taught::{by_clause, ruled_out};
pub(super) use times::{written_duration, written_time};

use std::ops::Range;

use serde_json::Value;

use super::features::{Feature, Reason, View};
use super::form::{Choice, Form, Kind, Slot};
use super::weights::Weights;
use super::{Asked, By, Doubt};

/// Candidates of a slot that are kept: more would only slow the assignment.
const KEPT_MAX: usize = 8;

/// What likeness to a slot's own examples weighs, where the schema has some: a lead of a third settles what position leaves
/// open.
const EXAMPLES: f32 = 9.0;

/// What the examples make of a number by its surroundings weighs, and how much of what was learned on other forms still counts
/// beside it. Found on phrasings for `choices` with numbers that belong to nothing.
const SURROUNDINGS: f32 = 10.0;
const PLAIN_BESIDE: f32 = 0.4;

/// How sure a number must be that is meant and not said: any other number would be as wrong as none.
const MEANT_NUMBER_MIN: f32 = 0.85;

/// What speaks against a number that is far from those of the slot's examples, where nothing names the slot.
const UNUSUAL: f32 = 4.0;

/// Something in the message that could fill a slot.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Which slot, by its place in the form.
    pub slot: usize,
    /// What it comes to.
    pub value: Value,
    /// Where it stands.
    pub words: Range<usize>,
    /// What speaks for it: the larger, the better, and 0 where as much speaks against it.
    pub score: f32,
    /// How sure it is, apart from what else could fill the slot.
    pub confidence: f32,
    /// How it was found.
    pub by: By,
    /// Why it cannot be run as it is.
    pub doubt: Option<Doubt>,
}

impl Candidate {
    /// Whether two cannot both be taken: they stand in the same words. A day and a time of day may be said in one breath,
    /// and each fills a slot of its own.
    pub fn excludes(&self, other: &Candidate, form: &Form) -> bool {
        let kind = |candidate: &Candidate| form.slots.get(candidate.slot).map(|slot| slot.kind);
        let day_and_time = matches!(
            (kind(self), kind(other)),
            (Some(Kind::Date), Some(Kind::Time)) | (Some(Kind::Time), Some(Kind::Date))
        );
        let overlap = self.words.start < other.words.end && other.words.start < self.words.end;
        // Two things may be meant by one turn of phrase: its words are where they are felt most, and not all that tells.
        let meant = self.by == By::Meaning && other.by == By::Meaning && self.slot != other.slot;
        overlap && !meant && !(day_and_time && self.by == By::Date && other.by == By::Date)
    }
}

/// A slot, and the message that it is to be filled from.
#[derive(Clone, Copy)]
pub(super) struct Seat<'s> {
    pub view: &'s View<'s, 's>,
    pub asked: &'s Asked<'s>,
    /// Its place in the form.
    pub place: usize,
    pub slot: &'s Slot,
    /// The words that name a choice, each with the place of its slot.
    pub named: &'s [(usize, Range<usize>)],
}

impl Seat<'_> {
    /// Whether a word names a choice of another slot.
    fn is_elsewhere(&self, at: usize) -> bool {
        self.named.iter().any(|(place, words)| *place != self.place && words.contains(&at))
    }

    /// What the seat could hold by its meaning.
    fn meant(&self, value: &Value, words: Range<usize>, confidence: f32) -> Candidate {
        Candidate {
            slot: self.place,
            value: value.clone(),
            words,
            score: MEANT_SCORE * confidence,
            confidence,
            by: By::Meaning,
            doubt: None,
        }
    }
}

/// What speaks for a choice that is meant, at full confidence.
const MEANT_SCORE: f32 = 5.0;

/// What could fill the slots of a form.
pub(super) fn gather(view: &View<'_, '_>, asked: &Asked<'_>) -> Vec<Candidate> {
    let mut named = Vec::new();
    for (place, slot) in view.form.slots.iter().enumerate() {
        choices::find(&Seat { view, asked, place, slot, named: &[] }, &mut named);
    }
    let words: Vec<(usize, Range<usize>)> =
        named.iter().map(|candidate| (candidate.slot, candidate.words.clone())).collect();
    let mut found = Vec::new();
    for (place, slot) in view.form.slots.iter().enumerate() {
        let from = found.len();
        found.extend(named.iter().filter(|candidate| candidate.slot == place).cloned());
        of_slot(&Seat { view, asked, place, slot, named: &words }, &mut found, from);
        if slot.many.is_some() {
            let single: Vec<Candidate> =
                found.extract_if(from.., |candidate| !candidate.value.is_array()).collect();
            found.extend(lists::gathered(slot, single));
        }
    }
    found
}

fn of_slot(seat: &Seat<'_>, found: &mut Vec<Candidate>, from: usize) {
    let Seat { view, asked, place, slot, .. } = *seat;
    if slot.kind == Kind::Flag {
        return flags::find(view, asked, place, slot, found);
    }
    let chosen = found.len() > from;
    if slot.is_counted() {
        let is_number = |candidate: &mut Candidate| {
            slot.choices.iter().any(|c| c.value == candidate.value && c.number().is_some())
        };
        found.extract_if(from.., is_number).for_each(drop);
        return counted(view, place, slot, found);
    }
    if slot.closed || (slot.columns && asked.has_columns()) {
        if chosen && slot.many.is_none() {
            taught::beside_names(seat, found, from);
        } else {
            meant::find_all(seat, found);
        }
        return;
    }
    if let Some(pattern) = slot.pattern.as_ref().filter(|_| slot.kind == Kind::Text && slot.many.is_none()) {
        return texts::matching(view, place, slot, pattern, found);
    }
    let by = match slot.weighed_as() {
        Kind::Email | Kind::Url | Kind::Phone => return texts::addresses(view, place, slot, found),
        Kind::Integer | Kind::Number => By::Number,
        Kind::Date | Kind::Time | Kind::DateTime | Kind::Duration => By::Date,
        _ => By::Learned,
    };
    let from = found.len();
    weigh(view, slot, place, offers(view, slot, place), by, found);
    // A number may be meant without being said.
    if slot.kind.is_number() && found.iter().skip(from).all(|candidate| candidate.score < empty(slot)) {
        let meant = taught::find(seat, &(0..view.heard.len()));
        found.extend(meant.filter(|meant| meant.confidence >= MEANT_NUMBER_MIN));
    }
    if slot.is_amount() && slot.many.is_none() {
        for candidate in found.iter_mut().skip(from).filter(|candidate| candidate.by == By::Number) {
            candidate.value = Value::String(candidate.value.to_string());
        }
    }
}

/// Choices that are numbers: what could fill the slot as a number, as the choice writes it.
fn counted(view: &View<'_, '_>, place: usize, slot: &Slot, found: &mut Vec<Candidate>) {
    let from = found.len();
    weigh(view, slot, place, amounts::offers(view, place, slot), By::Number, found);
    let written = |value: &Value| {
        let number = value.as_f64()?;
        let same = |choice: &&Choice| choice.number() == Some(number);
        slot.choices.iter().find(same).map(|choice| choice.value.clone())
    };
    for candidate in found.iter_mut().skip(from) {
        match written(&candidate.value) {
            Some(value) => candidate.value = value,
            None => {
                let choices = slot.choices.iter().map(|choice| choice.value.clone()).collect();
                candidate.doubt = Some(Doubt::Several(choices));
            }
        }
    }
}

/// Keeps the candidates that hold out beside all the others.
pub(super) fn keep(candidates: &mut Vec<Candidate>, holds: impl Fn(&Candidate, &[Candidate]) -> bool) {
    let kept: Vec<bool> = candidates.iter().map(|candidate| holds(candidate, candidates)).collect();
    let mut kept = kept.into_iter();
    candidates.retain(|_| kept.next().unwrap_or(true));
}

/// Something that could fill a slot, before it is weighed.
pub(super) struct Offer {
    pub value: Value,
    pub words: Range<usize>,
    /// What speaks for it and against it.
    pub reasons: Vec<Reason>,
    pub doubt: Option<Doubt>,
}

impl Offer {
    /// Looks at words as the value of a slot; what is particular to the kind of value comes with it.
    fn new(view: &View<'_, '_>, place: usize, value: Value, words: Range<usize>, own: Vec<Reason>) -> Offer {
        let mut reasons = own;
        view.look(place, &words, &mut reasons);
        Offer { value, words, reasons, doubt: None }
    }
}

/// What of its kind could fill a slot, denied words left out.
pub(super) fn offers(view: &View<'_, '_>, slot: &Slot, place: usize) -> Vec<Offer> {
    if slot.many.is_some() {
        return lists::offers(view, place, slot);
    }
    single(view, slot, place)
}

/// What could stand in a slot, or in its list.
pub(super) fn single(view: &View<'_, '_>, slot: &Slot, place: usize) -> Vec<Offer> {
    match slot.weighed_as() {
        Kind::Integer | Kind::Number => amounts::offers(view, place, slot),
        Kind::Date | Kind::Time | Kind::DateTime | Kind::Duration => times::offers(view, place, slot),
        Kind::Text => texts::offers(view, place, slot),
        _ => Vec::new(),
    }
}

/// Weighs offers against each other and against leaving the slot empty.
fn weigh(
    view: &View<'_, '_>,
    slot: &Slot,
    place: usize,
    offers: Vec<Offer>,
    by: By,
    found: &mut Vec<Candidate>,
) {
    let weights = Weights::of(slot.weighed_as());
    let mut weighed: Vec<(f32, Offer)> = offers
        .into_iter()
        .filter(|offer| by != By::Number || view.may_speak_of(place, &offer.words))
        .map(|offer| {
            let number = offer.value.as_f64().filter(|_| slot.many.is_none());
            let frame = number.and_then(|number| view.taught.number(place, view.heard, &offer.words, number));
            let plain = weights.weigh(&offer.reasons);
            let unusual = view.is_unusual(place, &offer.value) && !view.names_slot(place);
            let unusual = if unusual { UNUSUAL } else { 0.0 };
            if let Some(frame) = frame {
                let plain = PLAIN_BESIDE * plain + (1.0 - PLAIN_BESIDE) * empty(slot);
                return (plain + SURROUNDINGS * frame - unusual, offer);
            }
            let examples = EXAMPLES * view.like_examples(place, &offer.words);
            (plain + examples - unusual, offer)
        })
        .collect();
    let all = weighed.iter().map(|(score, _)| score.exp()).sum::<f32>() + empty(slot).exp();
    weighed.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    weighed.truncate(KEPT_MAX);
    found.extend(weighed.into_iter().map(|(score, offer)| Candidate {
        slot: place,
        value: offer.value,
        words: offer.words,
        score,
        confidence: sureness(by, score.exp() / all.max(f32::MIN_POSITIVE)),
        by,
        doubt: offer.doubt,
    }));
}

/// The share from which something is likelier than everything else together.
const LIKELIER_THAN_NOT: f32 = 0.5;
/// Least confidence of a number or a time that is likelier than everything else together.
const VALUE_CONFIDENCE_MIN: f32 = 0.85;

/// How sure a candidate is by its share of the likelihood. A number that is likelier than not is sure: it is one, and it is said.
pub(super) fn sureness(by: By, share: f32) -> f32 {
    match by {
        By::Number | By::Date if share >= LIKELIER_THAN_NOT => {
            VALUE_CONFIDENCE_MIN + (1.0 - VALUE_CONFIDENCE_MIN) * (2.0 * share - 1.0)
        }
        _ => share,
    }
}

/// What speaks for leaving a slot empty.
pub(super) fn empty(slot: &Slot) -> f32 {
    let feature = if slot.required { Feature::NoneRequired } else { Feature::NoneOptional };
    Weights::of(slot.weighed_as()).weigh(&[feature.once()])
}
