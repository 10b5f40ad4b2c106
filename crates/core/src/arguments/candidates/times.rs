//! Which times could fill a slot?

use std::ops::Range;

use serde_json::Value;

use super::Offer;
use crate::arguments::Doubt;
use crate::arguments::features::{Feature, View};
use crate::arguments::form::{End, Kind, Slot};
use crate::mentions::{Dimension, Grain, Mention, Setting, Time, Value as Found};

/// Days, times of day, both together, and time spans.
pub(super) fn offers(view: &View<'_, '_>, place: usize, slot: &Slot) -> Vec<Offer> {
    if slot.kind == Kind::Duration {
        return spans(view, place);
    }
    let times: Vec<&Mention> =
        view.heard.mentions.iter().filter(|mention| matches!(mention.value, Found::Time(_))).collect();
    let lone = times.iter().filter(|mention| !mention.latent).count() == 1;
    let slots = view.form.slots.iter().filter(|slot| slot.kind.is_time()).count();
    let mut offers = Vec::new();
    for mention in times {
        let Found::Time(time) = &mention.value else { continue };
        for (time, words) in parts(view, time, mention, slot.end) {
            let time = if slot.looks_back && !time.said.year { time.latest(view.setting) } else { time };
            let Some(value) = written_time(slot, &time, view.setting).filter(|_| !view.heard.denied(&words))
            else {
                continue;
            };
            let doubt = time.other.as_deref().and_then(|other| {
                let other = written_time(slot, other, view.setting)?;
                (other != value).then(|| Doubt::Several(vec![value.clone(), other]))
            });
            let mut own = Vec::new();
            own.extend(mention.latent.then_some(Feature::Latent.once()));
            own.extend((lone && slots == 1).then_some(Feature::OnlyOne.once()));
            offers.push(Offer { doubt, ..Offer::new(view, place, value, words, own) });
        }
    }
    offers
}

/// A time as the points it holds: "from Monday to Friday" is two of them, each with its own words; what is one word is one time.
fn parts(view: &View<'_, '_>, time: &Time, mention: &Mention, end: Option<End>) -> Vec<(Time, Range<usize>)> {
    let words = view.heard.words_of(mention.span);
    let joint = |at: &usize| {
        matches!(view.heard.tokens.lower(*at), "to" | "and" | "until" | "till" | "through" | "-" | "–")
    };
    let ranges = time.start != time.end && Some(time.end) != time.start.plus(1, time.grain);
    let Some(middle) = words.clone().skip(1).find(joint).filter(|_| ranges) else {
        return vec![(time.clone(), words)];
    };
    let mut last = time.clone();
    // The end of a stretch is the first moment behind it: a stretch of days ends with the day before.
    last.start =
        if time.grain >= Grain::Day { time.end.plus(-1, time.grain).unwrap_or(time.end) } else { time.end };
    let (low, high) = ((time.clone(), words.start..middle), (last, middle + 1..words.end));
    match end {
        Some(End::Low) => vec![low],
        Some(End::High) => vec![high],
        None => vec![low, high],
    }
}

/// A time as the slot takes it.
pub(in crate::arguments) fn written_time(slot: &Slot, time: &Time, setting: &Setting) -> Option<Value> {
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

/// Time spans, as ISO 8601 writes them.
fn spans(view: &View<'_, '_>, place: usize) -> Vec<Offer> {
    let mut offers = Vec::new();
    for mention in &view.heard.mentions {
        let Found::Measure(amount, unit) = &mention.value else { continue };
        let words = view.heard.words_of(mention.span);
        let Some(number) = amount.single().filter(|_| unit.dimension == Dimension::Duration) else {
            continue;
        };
        let Some(text) = written_duration(number, unit.name).filter(|_| !view.heard.denied(&words)) else {
            continue;
        };
        let own = mention.latent.then_some(Feature::Latent.once()).into_iter().collect();
        offers.push(Offer::new(view, place, Value::String(text), words, own));
    }
    offers
}

/// `PT1H30M`, `P2W`, `P14M`: in its own unit, with a fraction carried to smaller ones.
pub(in crate::arguments) fn written_duration(number: f64, unit: &str) -> Option<String> {
    let (sign, of_day) = match unit {
        "year" => ('Y', false),
        "month" => ('M', false),
        "week" => ('W', false),
        "day" => ('D', false),
        "hour" => ('H', true),
        "minute" => ('M', true),
        "second" => ('S', true),
        _ => return None,
    };
    if number.fract() == 0.0 {
        return Some(format!("P{}{number}{sign}", if of_day { "T" } else { "" }));
    }
    let seconds = (number
        * match unit {
            "week" => 604_800.0,
            "day" => 86_400.0,
            "hour" => 3_600.0,
            "minute" => 60.0,
            "second" => 1.0,
            _ => return None,
        })
    .round();
    let (hours, minutes, rest) =
        ((seconds / 3600.0).floor(), (seconds / 60.0).floor() % 60.0, seconds % 60.0);
    let part = |count: f64, sign: char| if count > 0.0 { format!("{count}{sign}") } else { String::new() };
    Some(format!("PT{}{}{}", part(hours, 'H'), part(minutes, 'M'), part(rest, 'S')))
}
