//! What does a piece of a message come to as the value of a slot? Numbers, days and times are found in it and written as the slot takes them.

use serde_json::Value;

use super::super::candidates::{fitted_number, out_of_range, written_duration, written_number, written_time};
use super::super::form::{End, Kind, Slot};
use super::super::{By, Doubt};
use crate::mentions::{self, Amount, Bound, Clock, Dimension, Mention, Setting, Time, Unit, Value as Found};
use crate::message::Span;

/// A text that pieces stand in, with the values it names.
pub(super) struct Source<'t> {
    pub text: &'t str,
    mentions: Vec<Mention>,
    setting: &'t Setting,
}

/// What a piece comes to.
pub(super) struct PieceValue {
    pub value: Value,
    pub by: By,
    pub doubt: Option<Doubt>,
}

/// What the reader sees besides where a time stands.
#[derive(Clone, Copy)]
pub(super) struct Hints {
    /// How likely it is after noon.
    pub afternoon: f32,
    /// How likely the day lies in the past.
    pub past: f32,
}

/// Longest piece in which a number, a time or an address is looked for, in bytes: nobody says one in more words, and a single token may be a megabyte long.
const VALUE_BYTES_MAX: usize = 512;
/// From here on one half of the day is taken as meant.
const HALF_MIN: f32 = 0.75;
/// From here on a day without a year is the latest such day.
const PAST_MIN: f32 = 0.5;

impl<'t> Source<'t> {
    pub fn new(text: &'t str, setting: &'t Setting) -> Source<'t> {
        Source { text, mentions: mentions::find(text, setting), setting }
    }

    /// What a piece is as a value of the slot; nothing if it holds none.
    pub fn value(&self, slot: &Slot, span: Span, hints: Hints) -> Option<PieceValue> {
        let is_short = span.range().len() <= VALUE_BYTES_MAX;
        match slot.weighed_as() {
            // A telephone number is taken as it is said.
            Kind::Text | Kind::Phone => self.words(slot, span),
            _ if !is_short => None,
            Kind::Integer | Kind::Number => self.number(slot, span),
            Kind::Date | Kind::Time | Kind::DateTime => self.time(slot, span, hints),
            Kind::Duration => self.duration(span),
            Kind::Email | Kind::Url => self.address(slot, span),
            Kind::Flag | Kind::Object => None,
        }
    }

    /// Where the text's numbers, days and times stand, and which of them have a unit, if it names nothing else: no range, no bound, and none that overlap.
    pub fn plain_values(&self) -> Option<Vec<(Span, bool)>> {
        let plain = |mention: &Mention| match &mention.value {
            Found::Number(Amount::Exactly(_)) => Some((mention.span, false)),
            Found::Measure(Amount::Exactly(_), _) => Some((mention.span, true)),
            Found::Time(time) if time.bound == Bound::At => Some((mention.span, false)),
            _ => None,
        };
        let said = self.mentions.iter().filter(|mention| !mention.latent).map(plain);
        let mut spans = said.collect::<Option<Vec<(Span, bool)>>>()?;
        spans.sort_by_key(|(span, _)| span.start);
        let apart =
            spans.windows(2).all(|pair| matches!(pair, [(one, _), (other, _)] if one.end <= other.start));
        apart.then_some(spans)
    }

    /// The mentions of a piece, best first: those the piece itself holds, then those of the text that it is part of.
    fn within(&self, span: Span) -> Vec<Mention> {
        let own = mentions::find(span.of(self.text), self.setting).into_iter().map(|mention| Mention {
            span: Span { start: mention.span.start + span.start, end: mention.span.end + span.start },
            ..mention
        });
        let around = self.mentions.iter().filter(|mention| mention.span.overlaps(span)).cloned();
        let mut all: Vec<Mention> = own.chain(around).collect();
        // A number that need not be one stands behind all that must be.
        all.sort_by_key(|mention| (mention.latent, u64::MAX - alike(mention.span, span)));
        all
    }

    fn number(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        if let Some(read) = self.with_unit(slot, span) {
            let value = if slot.is_amount() { Value::String(read.value.to_string()) } else { read.value };
            return Some(PieceValue { value, ..read });
        }
        let found = decimal_comma(span.of(self.text)).map(|number| (number, None)).or_else(|| {
            self.within(span).into_iter().find_map(|mention| {
                let number = end_of(amount(&mention.value)?, slot.end, &mention, span);
                fitted_number(slot, &mention.value, number, mention.span.of(self.text))
            })
        });
        let (number, doubt) = found?;
        let value = written_number(number)?;
        let value = if slot.is_amount() { Value::String(value.to_string()) } else { value };
        // That a bare number is in the slot's own unit is what the reader was trained on; it doubts a strange one itself.
        let doubt = doubt.filter(|doubt| !matches!(doubt, Doubt::Unit { .. }));
        Some(PieceValue { value, by: By::Number, doubt: doubt.or_else(|| out_of_range(slot, number)) })
    }

    /// The number that a piece says, whatever it counts.
    pub fn plain_number(&self, span: Span) -> Option<f64> {
        self.within(span).into_iter().find_map(|mention| amount(&mention.value)?.single())
    }

    /// A number whose unit or currency stands beside it: written in the slot's own unit, or asked about where that cannot be.
    fn with_unit(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        let holds = |mention: &&Mention| !mention.latent && mention.span.holds(span);
        let mention = self.mentions.iter().filter(holds).max_by_key(|mention| alike(mention.span, span))?;
        let said = mention.span.of(self.text);
        let number = end_of(amount(&mention.value)?, slot.end, mention, span);
        let bare =
            mentions::find(span.of(self.text), self.setting).into_iter().find_map(|own| match own.value {
                Found::Number(amount) => amount.single(),
                _ => None,
            });
        // "At a point 3 meters away": the piece says which number it is.
        if bare.is_some_and(|bare| (bare - number).abs() > f64::EPSILON * number.abs()) {
            return None;
        }
        let asked = || {
            let value = written_number(number)?;
            Some(PieceValue { value, by: By::Number, doubt: Some(Doubt::Unread(said.to_owned())) })
        };
        match &mention.value {
            Found::Measure(_, unit) => {
                // Degrees are those of the slot, whether they are of heat or of an angle.
                let written = said.trim_start_matches(|c: char| !c.is_alphabetic());
                let is_own = unit.name == "degree" || says(&slot.about.text, written);
                let wanted = slot.unit.filter(|wanted| !is_own || unit.dimension == wanted.dimension)?;
                let Some(number) = unit.convert(number, wanted) else {
                    return if is_own { None } else { asked() };
                };
                let value = written_number(number)?;
                let strange = !slot.unit_declared && !of_one_system(unit, wanted);
                let doubt = strange.then(|| Doubt::Unread(said.to_owned()));
                Some(PieceValue {
                    value,
                    by: By::Number,
                    doubt: doubt.or_else(|| out_of_range(slot, number)),
                })
            }
            Found::Money(_, currency) => {
                let names = slot.names.iter().map(|name| name.text.as_str());
                let takes: Vec<&str> = names.chain([slot.about.text.as_str()]).collect();
                mentions::contradicts_currency(currency, &takes.join(". ")).then(asked)?
            }
            _ => None,
        }
    }

    fn time(&self, slot: &Slot, span: Span, hints: Hints) -> Option<PieceValue> {
        let mut found = self.within(span).into_iter().filter_map(|mention| {
            let Found::Time(time) = mention.value else { return None };
            self.written(slot, &self.resolved(slot, &time, span, hints), mention.span.of(self.text), hints)
        });
        found.next().or_else(|| self.dotted(slot, span, hints)).or_else(|| self.ahead(slot, span, hints))
    }

    /// Completes a time. A day without a year is the latest such day if the message is about the past. A time of day for a slot that also takes the
    /// day is on the day named in the same piece, or else on the last day named before it: "Saturday from nine to four".
    fn resolved(&self, slot: &Slot, time: &Time, span: Span, hints: Hints) -> Time {
        let back = slot.looks_back || hints.past >= PAST_MIN;
        let told =
            |time: &Time| if back && !time.said.year { time.latest(self.setting) } else { time.clone() };
        let bare = !time.said.date && time.said.clock >= Clock::Twelve;
        if slot.kind != Kind::DateTime || !bare {
            return told(time);
        }
        let day = |mention: &Mention| match &mention.value {
            Found::Time(day) if day.said.date => Some(told(day)),
            _ => None,
        };
        let is_ahead = |mention: &&Mention| !mention.latent && mention.span.end <= span.start;
        let ahead = || self.mentions.iter().rev().filter(is_ahead).find_map(day);
        let day = self.within(span).iter().find_map(day).or_else(ahead);
        day.map_or_else(|| told(time), |day| time.on_day_of(&day))
    }

    /// A time as the slot takes it.
    fn written(&self, slot: &Slot, time: &Time, said: &str, hints: Hints) -> Option<PieceValue> {
        let ends =
            slot.kind == Kind::Date && said.split_whitespace().any(|word| word.eq_ignore_ascii_case("end"));
        let time = if ends { time.last_day() } else { time.clone() };
        let told = |time: &Time| written_time(slot, time, self.setting);
        let unsure = time.said.clock == Clock::Twelve && matches!(slot.kind, Kind::Time | Kind::DateTime);
        let (one, other) = if unsure {
            let (morning, afternoon) = (told(&time.in_half(false))?, told(&time.in_half(true))?);
            match hints.afternoon {
                likely if likely >= HALF_MIN => (afternoon, None),
                likely if likely <= 1.0 - HALF_MIN => (morning, None),
                _ => (morning, Some(afternoon)),
            }
        } else {
            let one = told(&time)?;
            let other = time.other.as_deref().and_then(told).filter(|other| *other != one);
            (one, other)
        };
        let doubt = other.map(|other| Doubt::Several(vec![one.clone(), other]));
        Some(PieceValue { value: one, by: By::Date, doubt })
    }

    /// A time of day with a point in it: 8.15.
    fn dotted(&self, slot: &Slot, span: Span, hints: Hints) -> Option<PieceValue> {
        let said = span.of(self.text);
        let colons = said.replace('.', ":");
        mentions::find(&colons, self.setting).into_iter().filter(|_| colons != said).find_map(|mention| {
            let Found::Time(time) = mention.value else { return None };
            self.written(slot, &self.resolved(slot, &time, span, hints), said, hints)
        })
    }

    /// A day given as a distance from today, ahead or back: "one week".
    fn ahead(&self, slot: &Slot, span: Span, hints: Hints) -> Option<PieceValue> {
        let sign = if hints.past >= PAST_MIN { -1.0 } else { 1.0 };
        let now = self.setting.now.filter(|_| slot.kind == Kind::Date)?;
        self.within(span).into_iter().find_map(|mention| {
            let Found::Measure(amount, unit) = mention.value else { return None };
            let days = amount.single().and_then(|amount| unit.convert(sign * amount, Unit::named("day")?))?;
            #[allow(clippy::cast_possible_truncation)] // whole days, checked right here
            let day =
                (days.fract() == 0.0 && days.abs() < DAYS_AHEAD_MAX).then(|| now.date.plus_days(days as i64));
            let value = Value::String(day.flatten()?.to_string());
            Some(PieceValue { value, by: By::Date, doubt: None })
        })
    }

    fn duration(&self, span: Span) -> Option<PieceValue> {
        self.within(span).into_iter().find_map(|mention| {
            let Found::Measure(amount, unit) = mention.value else { return None };
            let number = amount.single().filter(|_| unit.dimension == Dimension::Duration)?;
            let value = Value::String(written_duration(number, unit.name)?);
            Some(PieceValue { value, by: By::Date, doubt: None })
        })
    }

    fn address(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        self.within(span).into_iter().find_map(|mention| match (mention.value, slot.kind) {
            (Found::Email(text), Kind::Email) | (Found::Url(text), Kind::Url) => {
                Some(PieceValue { value: Value::String(text), by: By::Pattern, doubt: None })
            }
            _ => None,
        })
    }

    /// The words themselves, without the signs around them.
    fn words(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        let text = span
            .of(self.text)
            .trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '“' | '”'));
        let fits = slot.pattern.as_ref().is_none_or(|pattern| pattern.is_match(text));
        let doubt = (!fits).then(|| Doubt::Unread(text.to_owned()));
        (!text.is_empty()).then(|| PieceValue {
            value: Value::String(text.to_owned()),
            by: By::Learned,
            doubt,
        })
    }
}

/// Whether a text says these words, not as a part of others.
fn says(text: &str, words: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut found = text.match_indices(words).filter(|_| !words.is_empty());
    found.any(|(at, _)| {
        let (before, behind) = (text.get(..at), text.get(at + words.len()..));
        !is_part(before.and_then(|text| text.chars().next_back()))
            && !is_part(behind.and_then(|text| text.chars().next()))
    })
}

/// Whether one unit is a multiple of the other in tens or in two to the tenth, or both are of time: kilowatts and megawatts, hours and minutes. Pounds for
/// kilograms may be a slip, and are asked about unless the schema itself says which unit it takes.
fn of_one_system(unit: &Unit, wanted: &Unit) -> bool {
    let is_power = |factor: f64, base: f64| {
        let power = factor.log(base).round();
        power.is_finite() && (base.powf(power) / factor - 1.0).abs() < SAME_FACTOR
    };
    let factor = unit.convert(1.0, wanted).unwrap_or_default();
    unit.dimension == Dimension::Duration || is_power(factor, 10.0) || is_power(factor, 1024.0)
}

/// How far two factors may be apart, relative to one of them, and be the same.
const SAME_FACTOR: f64 = 1e-9;

/// How alike two spans are, in millionths: what they share of all they cover.
fn alike(one: Span, other: Span) -> u64 {
    let shared = u64::from(one.end.min(other.end).saturating_sub(one.start.max(other.start)));
    let whole = u64::from(one.joined(other).end - one.joined(other).start).max(1);
    1_000_000 * shared / whole
}

fn amount(value: &Found) -> Option<Amount> {
    match value {
        Found::Number(amount)
        | Found::Percent(amount)
        | Found::Measure(amount, _)
        | Found::Money(amount, _) => Some(*amount),
        #[allow(clippy::cast_precision_loss)] // places in an order are small
        Found::Ordinal(place) => Some(Amount::Exactly(*place as f64)),
        _ => None,
    }
}

/// The number of an amount that a slot takes: of a range the end it stands for, else the one that the piece covers.
fn end_of(amount: Amount, end: Option<End>, mention: &Mention, span: Span) -> f64 {
    match amount {
        Amount::Exactly(number) | Amount::AtLeast(number) | Amount::AtMost(number) => number,
        Amount::Between(from, to) => {
            let middle = mention.span.start.midpoint(mention.span.end);
            match end {
                Some(End::High) => to,
                None if span.start >= middle => to,
                Some(End::Low) | None => from,
            }
        }
    }
}

/// A number with a comma before its decimals, as most of Europe writes it: 28,7.
fn decimal_comma(text: &str) -> Option<f64> {
    let (whole, decimals) = text.trim().split_once(',')?;
    let figures = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let fits = figures(whole) && figures(decimals) && decimals.len() < THOUSAND_FIGURES;
    fits.then(|| format!("{whole}.{decimals}").parse().ok()).flatten()
}

/// Figures behind a comma that parts thousands.
const THOUSAND_FIGURES: usize = 3;
/// Largest distance of a day from today, in days: a hundred years.
const DAYS_AHEAD_MAX: f64 = 36_525.0;
