//! How does a call write a value? Numbers in the unit of their slot, days and times in its format, flags in its words.

use serde_json::{Number, Value};

use super::form::{Kind, Slot};
use super::question::Doubt;
use crate::mentions::{Grain, Setting, Time, Unit, Value as Found, names_currency};

/// Largest whole number that a call can hold exactly.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// Yes or no, in the words of the schema if it has some.
pub(super) fn flag(slot: &Slot, yes: bool) -> Value {
    let word =
        |value: &Value| value.as_str().map(|word| matches!(word.to_lowercase().as_str(), "true" | "yes"));
    let written = slot.choices.iter().find(|choice| word(&choice.value) == Some(yes));
    written.map_or(Value::Bool(yes), |choice| choice.value.clone())
}

/// A time as the slot takes it.
pub(super) fn time(slot: &Slot, time: &Time, setting: &Setting) -> Option<Value> {
    let text = match slot.kind {
        Kind::Date => date(slot, time)?,
        Kind::Time if slot.format_declared => format!("{}:00", time.clock()?),
        Kind::Time => time.clock()?,
        _ if slot.date_format.is_some() => date(slot, time)?,
        _ => {
            let zone = setting.now.filter(|_| slot.format_declared).map(|_| setting.zone.to_string());
            format!("{}{}", time.start, zone.unwrap_or_default())
        }
    };
    Some(Value::String(text))
}

/// A day in the form that the slot's description asks for, else as ISO 8601.
fn date(slot: &Slot, time: &Time) -> Option<String> {
    let date = time.date().filter(|_| time.grain <= Grain::Day)?;
    Some(match &slot.date_format {
        None => date.to_string(),
        Some(format) => format
            .replace("YYYY", &format!("{:04}", date.year()))
            .replace("MM", &format!("{:02}", date.month()))
            .replace("DD", &format!("{:02}", date.day())),
    })
}

/// A month in a format of years and months.
pub(super) fn month(format: &str, time: &Time) -> Option<String> {
    let date = time.date().filter(|_| time.grain <= Grain::Month)?;
    Some(
        format.replace("YYYY", &format!("{:04}", date.year())).replace("MM", &format!("{:02}", date.month())),
    )
}

/// `PT1H30M`, `P2W`, `P14M`: in its own unit, with a fraction carried to smaller ones.
pub(super) fn duration(number: f64, unit: &str) -> Option<String> {
    let (sign, of_day, seconds) = match unit {
        "year" => ('Y', false, None),
        "month" => ('M', false, None),
        "week" => ('W', false, Some(604_800.0)),
        "day" => ('D', false, Some(86_400.0)),
        "hour" => ('H', true, Some(3_600.0)),
        "minute" => ('M', true, Some(60.0)),
        "second" => ('S', true, Some(1.0)),
        _ => return None,
    };
    if number.fract() == 0.0 {
        return Some(format!("P{}{number}{sign}", if of_day { "T" } else { "" }));
    }
    let seconds = (number * seconds?).round();
    let (hours, minutes, rest) =
        ((seconds / 3600.0).floor(), (seconds / 60.0).floor() % 60.0, seconds % 60.0);
    let part = |count: f64, sign: char| if count > 0.0 { format!("{count}{sign}") } else { String::new() };
    Some(format!("PT{}{}{}", part(hours, 'H'), part(minutes, 'M'), part(rest, 'S')))
}

/// A number that is said, in the unit of the slot; nothing if its unit cannot be that.
pub(super) fn number_in_unit(slot: &Slot, value: &Found, number: f64, written: &str) -> Option<f64> {
    match value {
        Found::Percent(_) => Some(share(slot, number)),
        Found::Measure(_, unit) => converted(slot, unit, number),
        Found::Money(_, currency) if takes_cents(slot) && currency != "cent" => Some(number * CENTS),
        Found::Money(..) => (slot.unit.is_none() || names_currency(&slot.about.text)).then_some(number),
        Found::Number(_) if takes_cents(slot) && number.fract() != 0.0 => Some(number * CENTS),
        // Half of it is fifty in a hundred; 0.5 is what it says.
        Found::Number(_) if number > 0.0 && number < 1.0 && counts_percent(slot) && !has_figures(written) => {
            Some(number * 100.0)
        }
        _ => Some(number),
    }
}

/// How many cents are one euro, dollar or pound.
const CENTS: f64 = 100.0;

/// Whether a slot takes money in cents: `amount_cents`.
pub(super) fn takes_cents(slot: &Slot) -> bool {
    let words = slot.names.iter().flat_map(|name| &name.words).chain(&slot.about.words);
    words.into_iter().any(|word| matches!(word.as_str(), "cents" | "cent" | "pence"))
}

fn has_figures(written: &str) -> bool {
    written.bytes().any(|byte| byte.is_ascii_digit())
}

pub(super) fn counts_percent(slot: &Slot) -> bool {
    slot.unit.is_some_and(|unit| unit.name == "percent") || says_percent(slot)
}

fn converted(slot: &Slot, unit: &'static Unit, number: f64) -> Option<f64> {
    match slot.unit {
        Some(wanted) => unit.convert(number, wanted),
        None => Some(number),
    }
}

/// Hundredths as a slot takes them: as they are if it counts in percent or in whole numbers, else as a share of one.
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

/// Why a slot does not take a number.
pub(super) fn out_of_range(slot: &Slot, number: f64) -> Option<Doubt> {
    let whole = slot.kind != Kind::Integer || number.fract() == 0.0;
    (!slot.bounds.hold(number) || !whole).then(|| Doubt::OutOfRange {
        number,
        bounds: slot.bounds.clone(),
        whole,
    })
}

/// A number as a call holds it: whole if it has no fraction.
#[allow(clippy::cast_possible_truncation)] // bounded right before
pub(super) fn number(number: f64) -> Option<Value> {
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
