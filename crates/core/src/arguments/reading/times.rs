//! Which day or time is a piece of a message? With its hour from the same piece or from beside it, on the side of today that is meant, and as the slot takes it.

use serde_json::Value;

use super::super::form::{Kind, Slot};
use super::super::{By, Doubt, written};
use super::values::{Hints, PieceValue, Source};
use crate::mentions::{self, Clock, DateOrder, Mention, Setting, Time, Unit, Value as Found};
use crate::message::Span;

/// From here on one half of the day is taken as meant.
const HALF_MIN: f32 = 0.75;
/// From here on a day without a year is the latest such day.
const PAST_MIN: f32 = 0.5;
/// A month as most tools write it.
const A_MONTH: &str = "2026-11";
/// Largest distance of a day from today, in days: a hundred years.
const DAYS_AHEAD_MAX: f64 = 36_525.0;

impl Source<'_> {
    pub(super) fn time(&self, slot: &Slot, span: Span, hints: Hints) -> Option<PieceValue> {
        let said = span.of(self.text);
        if slot.kind == Kind::Time
            && let Some(clock) = mentions::clock(said, self.setting)
        {
            return self.written(slot, &clock, said, hints);
        }
        // "Two", where a day and an hour are wanted.
        let hour = || mentions::clock(said, self.setting).filter(|_| slot.kind == Kind::DateTime);
        let is_bare = !said.contains(' ')
            && !mentions::find(said, self.setting)
                .iter()
                .any(|mention| matches!(mention.value, Found::Time(_)));
        if let Some(hour) = is_bare.then(hour).flatten() {
            return self.written(slot, &self.resolved(slot, &hour, span, hints), said, hints);
        }
        let mut found = self.within(span).into_iter().filter_map(|mention| {
            let Found::Time(time) = mention.value else { return None };
            let ahead = self.is_ahead(slot, &time, hints);
            let time = self.resolved(slot, &time, span, hints);
            if slot.kind == Kind::DateTime && time.said.clock < Clock::Twelve {
                return self.at_hour(slot, &time, mention.span, span, hints);
            }
            let told = self.written(slot, &time, mention.span.of(self.text), hints)?;
            let doubt = told.doubt.or_else(|| self.left_over(slot, mention.span, span));
            let open = || ahead.then(|| Doubt::Unread(said.to_owned()));
            Some(PieceValue { doubt: doubt.or_else(open), ..told })
        });
        found.next().or_else(|| self.dotted(slot, span, hints)).or_else(|| self.ahead(slot, span, hints))
    }

    /// Whether a day that reads as one of the past is nearer ahead: in May, "1 August" may be either.
    fn is_ahead(&self, slot: &Slot, time: &Time, hints: Hints) -> bool {
        let back = !slot.looks_back && hints.past >= PAST_MIN;
        back && time.said.date && !time.said.year && self.is_nearer(time, &time.latest(self.setting))
    }

    /// Figures and months of a day that were not read: of "next Sunday, the 22nd" the second part contradicts the first, and there is no 31st of June.
    fn left_over(&self, slot: &Slot, read: Span, span: Span) -> Option<Doubt> {
        let of_times = |mention: &&Mention| {
            let hour = matches!(&mention.value, Found::Time(time) if !time.said.date);
            mention.span == read || hour && !mention.latent
        };
        let read: Vec<Span> =
            self.mentions.iter().filter(of_times).map(|mention| mention.span).chain([read]).collect();
        let is_left = |at: usize| {
            let at = u32::try_from(at).ok().and_then(|at| span.start.checked_add(at));
            at.is_some_and(|at| !read.iter().any(|read| (read.start..read.end).contains(&at)))
        };
        let said = span.of(self.text);
        let figures = said.bytes().enumerate().any(|(at, byte)| byte.is_ascii_digit() && is_left(at));
        let words = said.split(' ').scan(0, |at, word| {
            let start = *at;
            *at += word.len() + 1;
            Some((start, word))
        });
        let named = words.into_iter().any(|(at, word)| mentions::names_day(word) && is_left(at));
        let left = named || figures && slot.kind == Kind::Date;
        left.then(|| Doubt::Unread(said.to_owned()))
    }

    /// A day with its hour from the same piece, or else from elsewhere in the text; without an hour it is asked for.
    fn at_hour(&self, slot: &Slot, day: &Time, of_day: Span, span: Span, hints: Hints) -> Option<PieceValue> {
        let said = span.of(self.text);
        let beside = [Span { start: of_day.end, ..span }, Span { end: of_day.start, ..span }];
        let beside = beside.into_iter().filter(|rest| rest.start < rest.end && span.holds(*rest));
        let jotted = |rest: Span| {
            let words = rest.of(self.text).trim_matches(|c: char| c.is_whitespace() || c == ',');
            let hour =
                ["at ", "from ", "around ", "about "].into_iter().find_map(|lead| words.strip_prefix(lead));
            mentions::clock(hour.unwrap_or(words), self.setting)
        };
        let elsewhere = || {
            let hours =
                self.mentions.iter().filter(|mention| !mention.latent && !mention.span.overlaps(span));
            let hours = hours.filter_map(|mention| match &mention.value {
                Found::Time(time) if !time.said.date && time.said.clock >= Clock::Twelve => Some((
                    mention.span.end.abs_diff(span.start).min(mention.span.start.abs_diff(span.end)),
                    time,
                )),
                _ => None,
            });
            hours.min_by_key(|(distance, _)| *distance).map(|(_, time)| time.clone())
        };
        match beside.into_iter().find_map(jotted).or_else(elsewhere) {
            Some(hour) => self.written(slot, &hour.on_day_of(day), said, hints),
            None => {
                let told = self.written(slot, day, said, hints)?;
                Some(PieceValue { doubt: Some(Doubt::Unread(said.to_owned())), ..told })
            }
        }
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
        let told = |time: &Time| written::time(slot, time, self.setting);
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
            let other = time.other.as_deref().filter(|other| told(other).is_some_and(|other| other != one));
            match other.map(|other| self.meant_of(slot, &time, other, hints)) {
                Some(Some(meant)) => (told(meant)?, None),
                Some(None) => (one, other.and_then(told)),
                None => (one, None),
            }
        };
        let doubt = other.map(|other| Doubt::Several(vec![one.clone(), other]));
        Some(PieceValue { value: one, by: By::Date, doubt })
    }

    /// Which of two readings of a day is meant, if one is over and the other ahead and the reader sees on which side it is: for a delivery, 5/12/2026 is in
    /// December if May is over.
    fn meant_of<'d>(&self, slot: &Slot, one: &'d Time, other: &'d Time, hints: Hints) -> Option<&'d Time> {
        let today = self.setting.now?.date;
        let (one_over, other_over) = (one.date()? < today, other.date()? < today);
        let back = match hints.past {
            _ if slot.looks_back => true,
            past if past >= HALF_MIN => true,
            past if past <= 1.0 - HALF_MIN => false,
            _ => return None,
        };
        (one_over != other_over).then_some(if one_over == back { one } else { other })
    }

    /// A time of day or a day with a point in it: 8.15, 24.11.
    fn dotted(&self, slot: &Slot, span: Span, hints: Hints) -> Option<PieceValue> {
        let said = span.of(self.text);
        let is_day = slot.kind == Kind::Date;
        let setting = Setting { order: Some(DateOrder::DayFirst), ..self.setting.clone() };
        let setting = if is_day { &setting } else { self.setting };
        let colons = said.trim_end_matches('.').replace('.', if is_day { "/" } else { ":" });
        mentions::find(&colons, setting).into_iter().filter(|_| colons != said).find_map(|mention| {
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

    /// A month as a slot takes it that takes months as a text: `2026-11` for "this month". One that is nearer if it is over may be either, and is asked about.
    pub(super) fn month(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        let takes_months = slot.pattern.as_ref().is_some_and(|pattern| {
            let others = [format!("{A_MONTH}-15"), "ABCD-EF".to_owned()];
            pattern.is_match(A_MONTH) && !others.iter().any(|other| pattern.is_match(other))
        });
        let format = slot.date_format.as_deref().filter(|format| !format.contains("DD"));
        let format = format.or(takes_months.then_some("YYYY-MM")).filter(|_| slot.kind == Kind::Text)?;
        self.within(span).into_iter().find_map(|mention| {
            let Found::Time(time) = mention.value else { return None };
            let latest = time.latest(self.setting);
            let (next, last) = (written::month(format, &time)?, written::month(format, &latest)?);
            let is_over = !time.said.year && next != last && self.is_nearer(&latest, &time);
            let (value, other) = if is_over { (last, next) } else { (next, last) };
            let doubt = is_over.then(|| Doubt::Several(vec![value.clone().into(), other.into()]));
            Some(PieceValue { value: Value::String(value), by: By::Date, doubt })
        })
    }

    /// Whether one day is nearer to today than another.
    fn is_nearer(&self, one: &Time, other: &Time) -> bool {
        let days = |time: &Time| Some((time.date()?.days() - self.setting.now?.date.days()).abs());
        days(one) < days(other)
    }
}
