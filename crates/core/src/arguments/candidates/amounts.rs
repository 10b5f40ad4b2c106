//! Which numbers could fill a slot?

use std::ops::Range;

use serde_json::{Number, Value};

use super::Offer;
use crate::arguments::Doubt;
use crate::arguments::features::{Feature, Reason, View};
use crate::arguments::form::{End, Kind, Slot};
use crate::arguments::heard::Heard;
use crate::mentions::{Amount, Dimension, Grain, Mention, Unit, Value as Found};

/// Largest whole number that a call can hold exactly.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// Numbers, shares, amounts of money and of units.
pub(super) fn offers(view: &View<'_, '_>, place: usize, slot: &Slot) -> Vec<Offer> {
    let is_one = |mention: &Mention| {
        let words = view.heard.words_of(mention.span);
        words.end.checked_sub(1).is_some_and(|last| view.heard.tokens.lower(last) == "one")
            && words.len() <= 2
    };
    let others = view
        .heard
        .mentions
        .iter()
        .any(|mention| is_amount(&mention.value) && !mention.latent && !is_one(mention));
    // "Eight under one roof": beside another number, one counts only where the slot is named next to it.
    let pronoun = |mention: &Mention| {
        let next = view.heard.words_of(mention.span).end;
        let counts = view.heard.word(next).is_some_and(|word| !word.empty && !word.light);
        is_one(mention) && (mention.latent || !counts || (others && !view.names_word(place, next)))
    };
    let numbers: Vec<&Mention> = view
        .heard
        .mentions
        .iter()
        .filter(|mention| is_amount(&mention.value) && !pronoun(mention) && !is_of_time(view, mention))
        .filter(|mention| !is_vague(view, mention) && !is_too_much(view, mention))
        .collect();
    let lone = numbers.iter().filter(|mention| !mention.latent).count() == 1;
    let mut offers = Vec::new();
    let figures =
        |mention: &Mention| mention.span.of(view.heard.tokens.text()).contains(|c: char| c.is_ascii_digit());
    for mention in &numbers {
        let nth =
            numbers.iter().filter(|other| figures(other) && other.span.start < mention.span.start).count();
        for (amount, words) in parts(view.heard, mention, slot.end) {
            if belongs_elsewhere(view, slot, &mention.value)
                || (view.heard.denied(&words) && !is_bound(&mention.value))
            {
                continue;
            }
            let Some(fit) = fit(slot, &mention.value, amount, view.heard.text(&words)) else { continue };
            let Some(value) = written_number(fit.number) else { continue };
            let doubt = fit
                .doubt
                .or_else(|| of_another(view, place, &words))
                .or_else(|| out_of_range(slot, fit.number));
            let mut own = fit.reasons;
            own.extend(
                (!view.heard.text(&words).contains(|c: char| c.is_ascii_digit()))
                    .then_some(Feature::InWords.once()),
            );
            own.extend(mention.latent.then_some(Feature::Latent.once()));
            own.extend((lone && numeric_slots(view) == 1).then_some(Feature::OnlyOne.once()));
            own.extend((nth == nth_numeric(view, place)).then_some(Feature::SamePlace.once()));
            own.extend(doubt.is_some().then_some(Feature::OutOfRange.once()));
            offers.push(Offer { doubt, ..Offer::new(view, place, value, words, own) });
        }
    }
    offers
}

/// Whether a number says only that it is small: "nets are few this year".
fn is_vague(view: &View<'_, '_>, mention: &Mention) -> bool {
    let words = view.heard.words_of(mention.span);
    let vague = ["few", "couples", "pairs", "dozens", "hundreds", "thousands", "millions"];
    words.len() == 1 && vague.contains(&view.heard.tokens.lower(words.start))
}

/// Whether a number is said to be too much or too little: "thirty is too low".
fn is_too_much(view: &View<'_, '_>, mention: &Mention) -> bool {
    let words = view.heard.words_of(mention.span);
    let clause = view.heard.clause(&words);
    let too = (words.end..clause.end.min(words.end + TOO_WORDS_NEAR))
        .any(|at| view.heard.tokens.lower(at) == "too");
    too && view.heard.tokens.lower(clause.end.saturating_sub(1)) != "too"
}

/// Words between a number and the "too" that rejects it.
const TOO_WORDS_NEAR: usize = 4;

/// Whether a number is part of a day or a time of day: the 7 of "7 pm". A year is a number as well, and where no slot takes a time
/// "at 20" is no hour.
fn is_of_time(view: &View<'_, '_>, mention: &Mention) -> bool {
    let plain = matches!(mention.value, Found::Number(_) | Found::Ordinal(_));
    let number = view.heard.words_of(mention.span);
    let takes_times = view.form.slots.iter().any(|slot| slot.kind.is_time());
    let bare = |time: &Mention| {
        let words = view.heard.words_of(time.span);
        !takes_times && words.end == number.end && words.len() <= number.len() + 1
    };
    plain
        && view.heard.mentions.iter().any(|other| match &other.value {
            Found::Time(time) => {
                !other.latent
                    && time.grain <= Grain::Day
                    && other.span.holds(mention.span)
                    && !(matches!(mention.value, Found::Number(_)) && bare(other))
            }
            _ => false,
        })
}

fn is_amount(value: &Found) -> bool {
    matches!(
        value,
        Found::Number(_) | Found::Percent(_) | Found::Measure(..) | Found::Money(..) | Found::Ordinal(_)
    )
}

/// Slots of numbers, and which of them this is: numbers are mostly said in the order of the slots.
fn numeric_slots(view: &View<'_, '_>) -> usize {
    view.form.slots.iter().filter(|slot| slot.weighed_as().is_number()).count()
}

fn nth_numeric(view: &View<'_, '_>, place: usize) -> usize {
    view.form.slots.iter().take(place).filter(|slot| slot.weighed_as().is_number()).count()
}

/// A mention as the numbers it holds: a range is two of them, each with its own words. A slot that is one end of a range takes
/// that end alone.
fn parts(heard: &Heard<'_>, mention: &Mention, end: Option<End>) -> Vec<(f64, Range<usize>)> {
    let words = heard.words_of(mention.span);
    let amount = match &mention.value {
        Found::Number(amount)
        | Found::Percent(amount)
        | Found::Measure(amount, _)
        | Found::Money(amount, _) => *amount,
        #[allow(clippy::cast_precision_loss)] // places in an order are small
        Found::Ordinal(place) => Amount::Exactly(*place as f64),
        _ => return Vec::new(),
    };
    match amount {
        Amount::Exactly(number) | Amount::AtLeast(number) | Amount::AtMost(number) => vec![(number, words)],
        Amount::Between(from, to) => {
            let joint = |at: &usize| matches!(heard.tokens.lower(*at), "and" | "to" | "-" | "–" | "through");
            let middle = words.clone().skip(1).find(joint).unwrap_or(words.start + 1);
            let low = (from, words.start..middle);
            let high = (to, (middle + 1).min(words.end)..words.end);
            match end {
                Some(End::Low) => vec![low],
                Some(End::High) => vec![high],
                None => vec![low, high],
            }
        }
    }
}

/// The numbers of a message as a slot would take them, each with its words.
pub(in crate::arguments) fn readings<'h>(
    heard: &'h Heard<'_>,
    slot: &'h Slot,
) -> impl Iterator<Item = (f64, Range<usize>)> + use<'h> {
    let told = heard.mentions.iter().filter(|mention| is_amount(&mention.value) && !mention.latent);
    told.flat_map(move |mention| {
        let fits = move |(amount, words): (f64, Range<usize>)| {
            Some((fit(slot, &mention.value, amount, heard.text(&words))?.number, words))
        };
        parts(heard, mention, slot.end).into_iter().filter_map(fits)
    })
}

/// A number as a slot takes it, and why it cannot be run as it is.
pub(in crate::arguments) fn fitted_number(
    slot: &Slot,
    value: &Found,
    number: f64,
    written: &str,
) -> Option<(f64, Option<Doubt>)> {
    fit(slot, value, number, written).map(|fit| (fit.number, fit.doubt))
}

/// A number as a slot takes it.
struct Fit {
    number: f64,
    reasons: Vec<Reason>,
    doubt: Option<Doubt>,
}

/// Whether a number is a bound: "nothing over 75" denies what is beyond it, and not the number.
fn is_bound(value: &Found) -> bool {
    let (Found::Number(amount)
    | Found::Percent(amount)
    | Found::Measure(amount, _)
    | Found::Money(amount, _)) = value
    else {
        return false;
    };
    matches!(amount, Amount::AtLeast(_) | Amount::AtMost(_))
}

/// Whether a number has a unit that another slot counts in and this one does not: a percentage is no number of nets.
fn belongs_elsewhere(view: &View<'_, '_>, slot: &Slot, value: &Found) -> bool {
    let dimension = match value {
        Found::Percent(_) => Dimension::Share,
        Found::Measure(_, unit) => unit.dimension,
        _ => return false,
    };
    let counts = |slot: &Slot| slot.unit.is_some_and(|unit| unit.dimension == dimension);
    !counts(slot) && view.form.slots.iter().any(|other| counts(other) && other.unit_declared)
}

/// Words that make a number a change of another.
const CHANGES: [&str; 5] = ["more", "fewer", "less", "extra", "additional"];

/// Why a number is not the value itself: it is a change of it ("20 more nets"), or counts something else ("40 bales of nets").
fn of_another(view: &View<'_, '_>, place: usize, words: &Range<usize>) -> Option<Doubt> {
    let lower = |at: usize| view.heard.tokens.lower(at);
    let next = lower(words.end);
    if CHANGES.contains(&next) && lower(words.end + 1) != "than" {
        return Some(Doubt::Change);
    }
    let counted = view.heard.word(words.end).is_some_and(|word| !word.empty && !word.light);
    let of = lower(words.end + 1) == "of" && view.names_word(place, words.end + 2);
    (counted && of && !view.names_word(place, words.end)).then(|| Doubt::Counted(next.to_owned()))
}

fn fit(slot: &Slot, value: &Found, number: f64, written: &str) -> Option<Fit> {
    let fits = |number: f64, reasons: Vec<Reason>| Some(Fit { number, reasons, doubt: None });
    match value {
        Found::Percent(_) => fits(share(slot, number), vec![Feature::Percent.once()]),
        Found::Measure(_, unit) => measure(slot, unit, number),
        Found::Money(..) => match slot.unit {
            None => fits(number, vec![Feature::Money.once()]),
            Some(_) => None,
        },
        // "5th" may be a number, "first" never is one.
        Found::Ordinal(_) if written.contains(|c: char| c.is_ascii_digit()) => {
            fits(number, vec![Feature::Latent.once()])
        }
        Found::Ordinal(_) => None,
        // Half of it is fifty in a hundred, and so is 0.5: nobody says less than one in a hundred without its sign.
        Found::Number(_)
            if number > 0.0 && number < 1.0 && slot.unit.is_some_and(|unit| unit.name == "percent") =>
        {
            fits(number * 100.0, vec![Feature::Percent.once()])
        }
        _ => match slot.unit {
            // A time span needs its unit: five may be minutes or days.
            Some(unit) if unit.dimension == Dimension::Duration && slot.unit_declared => Some(Fit {
                number,
                reasons: vec![Feature::UnitBare.once()],
                doubt: Some(Doubt::Unit { unit: unit.name.to_owned() }),
            }),
            Some(_) => fits(number, vec![Feature::UnitBare.once()]),
            None => fits(number, Vec::new()),
        },
    }
}

fn measure(slot: &Slot, unit: &'static Unit, number: f64) -> Option<Fit> {
    match slot.unit {
        Some(wanted) => {
            let number = unit.convert(number, wanted)?;
            Some(Fit { number, reasons: vec![Feature::UnitFits.once()], doubt: None })
        }
        None => {
            let called = crate::selection::terms::term(unit.name);
            let named = slot.about.has(called) || slot.names.iter().any(|name| name.has(called));
            let feature = if named { Feature::UnitNamed } else { Feature::UnitStrange };
            Some(Fit { number, reasons: vec![feature.once()], doubt: None })
        }
    }
}

/// Hundredths as a slot takes them: as they are where it counts in percent or in whole numbers, else as a share of one.
fn share(slot: &Slot, percent: f64) -> f64 {
    let counted = slot.unit.is_some_and(|unit| unit.name == "percent")
        || slot.kind == Kind::Integer
        || slot.bounds.most.is_some_and(|most| most > 1.0)
        || says_percent(slot);
    if counted { percent } else { percent / 100.0 }
}

fn says_percent(slot: &Slot) -> bool {
    let words = slot.about.words.iter().chain(slot.names.iter().flat_map(|name| &name.words));
    if slot.about.words.iter().any(|word| word == "decimal" || word == "fraction") {
        return false;
    }
    slot.about.text.contains('%') || words.into_iter().any(|word| word.starts_with("percent"))
}

pub(in crate::arguments) fn out_of_range(slot: &Slot, number: f64) -> Option<Doubt> {
    let whole = slot.kind != Kind::Integer || number.fract() == 0.0;
    (!slot.bounds.hold(number) || !whole).then(|| Doubt::OutOfRange {
        number,
        bounds: slot.bounds.clone(),
        whole,
    })
}

/// A number as a call holds it: whole where the slot is whole, or where it has no fraction.
#[allow(clippy::cast_possible_truncation)] // bounded right before
pub(in crate::arguments) fn written_number(number: f64) -> Option<Value> {
    let number = tidy(number);
    if number.fract() == 0.0 && number.abs() < WHOLE_MAX {
        return Some(Value::from(number as i64));
    }
    Number::from_f64(number).map(Value::Number)
}

/// A number without the dust of arithmetic: a tenth of a cent is not 0.0010000000000000002.
fn tidy(number: f64) -> f64 {
    const KEPT: f64 = 1e9;
    let rounded = (number * KEPT).round() / KEPT;
    if (rounded - number).abs() <= number.abs() * 1e-12 { rounded } else { number }
}
