//! What does a piece of a message come to as the value of a slot? Numbers, days and times are found in it and written as the slot takes them.

use serde_json::Value;

use super::super::form::{Kind, Slot};
use super::super::{By, Doubt, written};
use super::numbers::amount;
use crate::mentions::{
    self, Amount, Bound, Clock, DateOrder, Dimension, Mention, Setting, Time, Unit, Value as Found,
};
use crate::message::Span;

/// A text that pieces stand in, with the values it names.
pub(in crate::arguments) struct Source<'t> {
    pub text: &'t str,
    pub(super) mentions: Vec<Mention>,
    pub(super) setting: &'t Setting,
}

/// What a piece comes to.
pub(in crate::arguments) struct PieceValue {
    pub value: Value,
    pub by: By,
    pub doubt: Option<Doubt>,
}

/// What the reader sees besides where a time stands.
#[derive(Clone, Copy)]
pub(in crate::arguments) struct Hints {
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

    /// What a piece is as a value of the slot, also if it is misspelt or jotted down; nothing if it holds none.
    pub fn value(&self, slot: &Slot, span: Span, hints: Hints) -> Option<PieceValue> {
        let said = span.of(self.text);
        let kind = slot.weighed_as();
        let respelt = match kind {
            _ if span.range().len() > VALUE_BYTES_MAX => None,
            Kind::Integer | Kind::Number => mentions::number_words(said),
            Kind::Date => mentions::end_of_period(said)
                .or_else(|| mentions::day_of_weekday(said))
                .or_else(|| mentions::time_words(said)),
            Kind::Time | Kind::DateTime => mentions::time_words(said),
            _ => None,
        };
        let respelt = respelt.and_then(|said| {
            Source::new(&said, self.setting).plain_value(slot, Span::new(0..said.len()), hints)
        });
        let by_words = || {
            let count = mentions::count(said).filter(|_| kind.is_number())?;
            counted(slot, count)
        };
        let spelled = || {
            let part = mentions::part_of_whole(said).filter(|_| written::counts_percent(slot));
            let whole = |share: f64| if slot.kind == Kind::Integer { share.round() } else { share };
            let number = part.map(|part| whole(part * HUNDRED));
            let number = number.or_else(|| mentions::figure_by_figure(said)).filter(|_| kind.is_number())?;
            counted(slot, number)
        };
        let is_short = span.range().len() <= VALUE_BYTES_MAX;
        let spelled = is_short.then(spelled).flatten();
        spelled.or(respelt).or_else(|| self.plain_value(slot, span, hints)).or_else(by_words)
    }

    /// What a piece is as a value of the slot as it is written.
    fn plain_value(&self, slot: &Slot, span: Span, hints: Hints) -> Option<PieceValue> {
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

    /// Every value of the slot that the text names, with its place.
    pub fn values(&self, slot: &Slot) -> Vec<(Span, PieceValue)> {
        let both = [0.0, 1.0].map(|half| Hints { afternoon: half, past: 0.0 });
        let read = |span: Span| {
            both.into_iter().filter_map(move |hints| Some((span, self.value(slot, span, hints)?)))
        };
        let spans = self.mentions.iter().map(|mention| mention.span);
        if slot.kind == Kind::Text { Vec::new() } else { spans.flat_map(read).collect() }
    }

    /// The numbers that the text names, whatever they count.
    pub fn numbers(&self) -> Vec<(Span, f64)> {
        let number = |mention: &Mention| Some((mention.span, amount(&mention.value)?.single()?));
        self.mentions.iter().filter_map(number).collect()
    }

    /// The mentions of a piece, best first: those the piece itself holds, then those of the text that it is part of.
    pub(super) fn within(&self, span: Span) -> Vec<Mention> {
        let own = mentions::find(span.of(self.text), self.setting).into_iter().map(|mention| Mention {
            span: Span { start: mention.span.start + span.start, end: mention.span.end + span.start },
            ..mention
        });
        let around = self.mentions.iter().filter(|mention| mention.span.overlaps(span)).cloned();
        let mut all: Vec<Mention> = own.chain(around).collect();
        // A number that need not be one stands behind all that must be; a day that is the whole piece is one: "wed".
        let is_day = |mention: &Mention| {
            mention.span == span && matches!(&mention.value, Found::Time(time) if time.said.date)
        };
        all.sort_by_key(|mention| (mention.latent && !is_day(mention), u64::MAX - alike(mention.span, span)));
        all
    }

    fn time(&self, slot: &Slot, span: Span, hints: Hints) -> Option<PieceValue> {
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
            let other = time.other.as_deref().and_then(told).filter(|other| *other != one);
            (one, other)
        };
        let doubt = other.map(|other| Doubt::Several(vec![one.clone(), other]));
        Some(PieceValue { value: one, by: By::Date, doubt })
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

    fn duration(&self, span: Span) -> Option<PieceValue> {
        self.within(span).into_iter().find_map(|mention| {
            let Found::Measure(amount, unit) = mention.value else { return None };
            let number = amount.single().filter(|_| unit.dimension == Dimension::Duration)?;
            let value = Value::String(written::duration(number, unit.name)?);
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

    /// A month as a slot takes it that takes months as a text: `2026-11` for "this month". One that is nearer if it is over may be either, and is asked about.
    fn month(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
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

    /// The words themselves, without the signs around them.
    fn words(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        let text = span
            .of(self.text)
            .trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '“' | '”'));
        if let Some(month) = self.month(slot, span) {
            return Some(month);
        }
        let text = without_name(slot, text);
        let code = mentions::code(text).filter(|code| slot.kind == Kind::Text && !is_few_figures(code));
        let text = code.as_deref().unwrap_or(text);
        let fits = slot.pattern.as_ref().is_none_or(|pattern| pattern.is_match(text));
        let doubt = (!fits).then(|| Doubt::Unread(text.to_owned()));
        (!text.is_empty()).then(|| PieceValue {
            value: Value::String(text.to_owned()),
            by: By::Learned,
            doubt,
        })
    }
}

/// A text without the small word before it that names its slot, misspelt or not: "Mail" of "schedlue Mail". Of 21 such texts on 539 tools of other authors none had the word in its value.
fn without_name<'t>(slot: &Slot, text: &'t str) -> &'t str {
    let Some((first, rest)) = text.split_once(' ') else { return text };
    let is_word = first.len() >= NAME_LETTERS_MIN && first.bytes().all(|byte| byte.is_ascii_lowercase());
    let of_name = |word: &String| {
        *word == first || word.len() > NAME_LETTERS_MIN && mentions::distance(first, word) == 1
    };
    let names = || {
        slot.names.iter().filter_map(|name| name.words.iter().rfind(|word| !LABELS.contains(&word.as_str())))
    };
    if is_word && names().any(of_name) { rest.trim_start() } else { text }
}

/// Fewest letters of a word that names a slot.
const NAME_LETTERS_MIN: usize = 3;
/// Words of names that say that a slot is a name or a number, and not of what.
const LABELS: [&str; 6] = ["code", "id", "name", "no", "number", "ref"];

/// A number as a slot takes it.
fn counted(slot: &Slot, number: f64) -> Option<PieceValue> {
    let value = written::number(number)?;
    let value = if slot.is_amount() { Value::String(value.to_string()) } else { value };
    Some(PieceValue { value, by: By::Number, doubt: written::out_of_range(slot, number) })
}

/// A month as most tools write it.
const A_MONTH: &str = "2026-11";
/// Whether a code is figures alone, and so few that they may be a name: "Four Four Two".
fn is_few_figures(code: &str) -> bool {
    code.len() < FIGURES_OF_CODE_MIN && code.bytes().all(|byte| byte.is_ascii_digit())
}

/// Fewest figures that are a code by themselves.
const FIGURES_OF_CODE_MIN: usize = 4;
/// How many hundredths are a whole.
const HUNDRED: f64 = 100.0;
/// Largest distance of a day from today, in days: a hundred years.
const DAYS_AHEAD_MAX: f64 = 36_525.0;

/// How alike two spans are, in millionths: what they share of all they cover.
pub(super) fn alike(one: Span, other: Span) -> u64 {
    let shared = u64::from(one.end.min(other.end).saturating_sub(one.start.max(other.start)));
    let whole = u64::from(one.joined(other).end - one.joined(other).start).max(1);
    1_000_000 * shared / whole
}
