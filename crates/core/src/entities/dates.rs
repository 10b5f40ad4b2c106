//! When is spoken of? Absolute and relative dates and times, and days of birth.

use std::ops::RangeInclusive;

use super::page::{Page, Shape};
use super::vocabulary::Traits;
use super::{EntityKind, Found};

/// Years that a bare number may be.
const YEARS: RangeInclusive<u32> = 1900..=2099;
/// How many words before a date a word for birth may stand: "my date of birth is the".
const BIRTH_WORDS: usize = 6;

/// Finds dates and times.
pub(super) fn notice(page: &Page<'_>, found: &mut Found) {
    let mut first = 0;
    while first < page.words.len() {
        let Some((last, confidence, rule)) = judge(page, first) else {
            first += 1;
            continue;
        };
        let start = page.start(first);
        let (last, rule) = behind_time(page, last, rule);
        let dated = rule == ABSOLUTE && last > first + 1;
        let birth = dated && page.cued(first, BIRTH_WORDS, Traits::CUE_BIRTH);
        let kind = if birth { EntityKind::DateOfBirth } else { EntityKind::Date };
        found.add(kind, start..page.end(last), if birth { 80 } else { confidence }, rule);
        first = last + 1;
    }
}

const RELATIVE: &str = "relative date";
const ABSOLUTE: &str = "absolute date";
const CLOCK: &str = "time of day";

/// The date that begins with a word: its last word and how sure it is.
fn judge(page: &Page<'_>, first: usize) -> Option<(usize, i32, &'static str)> {
    match page.shape(first)? {
        Shape::Digits => judge_number(page, first),
        Shape::Mixed => judge_mixed(page, first),
        _ => judge_word(page, first),
    }
}

/// A time of day behind a date belongs to it: "2024-05-01 at 10:30:00".
fn behind_time<'r>(page: &Page<'_>, last: usize, rule: &'r str) -> (usize, &'r str) {
    let skip = usize::from(matches!(page.word(last + 1), "at" | "by" | "um" | "à"));
    let near = page.gap(last).trim().is_empty() || page.gap(last) == ", ";
    if rule == CLOCK || !near || page.gap(last).contains('\n') {
        return (last, rule);
    }
    judge_clock(page, last + 1 + skip).map_or((last, rule), |(end, ..)| (end, rule))
}

fn judge_number(page: &Page<'_>, first: usize) -> Option<(usize, i32, &'static str)> {
    judge_numeric(page, first)
        .or_else(|| judge_day_and_month(page, first))
        .or_else(|| judge_clock(page, first))
        .or_else(|| judge_span(page, first))
        .or_else(|| judge_year(page, first))
}

/// 2024-05-01, 5/12/2023, 01.05.2024.
fn judge_numeric(page: &Page<'_>, first: usize) -> Option<(usize, i32, &'static str)> {
    let (joint, other) = (page.gap(first), page.gap(first + 1));
    let lengths = [0, 1, 2].map(|at| page.word(first + at).len());
    let [a, b, c] = [0, 1, 2].map(|at| number(page, first + at));
    let (a, b) = (a?, b?);
    if !matches!(joint, "-" | "/" | "." | "–") || page.gap_before(first).ends_with(['-', '/', '.', '+']) {
        return None;
    }
    let Some(c) = c.filter(|_| other == joint) else {
        // 5/12: only behind a word for when.
        let fits =
            joint == "/" && is_day_and_month(a, b) && lengths.iter().take(2).all(|length| *length <= 2);
        let cued = first > 0
            && matches!(page.word(first - 1), "on" | "by" | "since" | "until" | "before" | "after" | "from");
        return (fits && cued).then_some((first + 1, 60, ABSOLUTE));
    };
    let closed =
        !matches!(page.gap(first + 2), "-" | "/" | ".") || page.shape(first + 3) != Some(Shape::Digits);
    let fits = match lengths {
        [4, 1..=2, 1..=2] => YEARS.contains(&a) && is_day_and_month(c, b),
        [1..=2, 1..=2, 4] => YEARS.contains(&c) && is_day_and_month(a, b),
        [1..=2, 1..=2, 2] => joint == "/" && is_day_and_month(a, b),
        _ => false,
    };
    (fits && closed).then_some((first + 2, 92, ABSOLUTE))
}

/// Whether two numbers are a day and a month, in either order.
const fn is_day_and_month(a: u32, b: u32) -> bool {
    (a >= 1 && a <= 31 && b >= 1 && b <= 12) || (b >= 1 && b <= 31 && a >= 1 && a <= 12)
}

/// 1 May 2024, 1 May.
fn judge_day_and_month(page: &Page<'_>, first: usize) -> Option<(usize, i32, &'static str)> {
    let day = number(page, first).or_else(|| ordinal(page.word(first)))?;
    let skip = usize::from(matches!(page.word(first + 1), "of" | "de"));
    let month = first + 1 + skip;
    let fits = page.is(month, Traits::MONTH | Traits::MONTH_UNSURE) && (1..=31).contains(&day);
    if !fits || !matches!(page.gap(first), " " | ". " | "-") {
        return None;
    }
    Some((with_year(page, month), 88, ABSOLUTE))
}

/// 10:30, 5 pm, 10:30:00.
fn judge_clock(page: &Page<'_>, first: usize) -> Option<(usize, i32, &'static str)> {
    let hour = number(page, first);
    let half = |at: usize| matches!(page.word(at).to_ascii_lowercase().as_str(), "am" | "pm");
    let dotted =
        |at: usize| page.gap(at) == "." && matches!(page.word(at), "a" | "p") && page.word(at + 1) == "m";
    if let Some(hour) = hour.filter(|hour| *hour < 24) {
        let minutes = page.gap(first) == ":"
            && page.word(first + 1).len() == 2
            && page.shape(first + 1) == Some(Shape::Digits);
        let seconds = minutes
            && page.gap(first + 1) == ":"
            && page.word(first + 2).len() == 2
            && page.shape(first + 2) == Some(Shape::Digits);
        let last = first + usize::from(minutes) + usize::from(seconds);
        if page.gap_before(first).ends_with(':') || (seconds && page.gap(last) == ":") {
            return None;
        }
        if half(last + 1) && page.gap(last) == " " && hour <= 12 {
            return Some((last + 1, 85, CLOCK));
        }
        if dotted(last + 1) && page.gap(last) == " " {
            return Some((last + 2, 80, CLOCK));
        }
        return minutes.then_some((last, 75, CLOCK));
    }
    None
}

/// "3 days ago", "2 weeks from now".
fn judge_span(page: &Page<'_>, first: usize) -> Option<(usize, i32, &'static str)> {
    let unit = page.is(first + 1, Traits::TIME_UNIT) && page.gap(first) == " ";
    let before = first > 0 && matches!(page.word(first - 1), "in" | "within" | "In" | "Within");
    let ago = page.word(first + 2) == "ago";
    let from_now = page.word(first + 2) == "from" && page.word(first + 3) == "now";
    let last = first + 1 + usize::from(ago) + 2 * usize::from(from_now);
    (unit && (before || ago || from_now)).then_some((last, 80, RELATIVE))
}

/// A bare year behind a word for when.
fn judge_year(page: &Page<'_>, first: usize) -> Option<(usize, i32, &'static str)> {
    let fits = page.word(first).len() == 4 && number(page, first).is_some_and(|year| YEARS.contains(&year));
    let alone =
        page.gap(first).starts_with([' ', ',', '.', '?', '!', ')', ';', '\n']) || page.gap(first).is_empty();
    let cued = first > 0
        && matches!(
            page.word(first - 1).to_ascii_lowercase().as_str(),
            "in" | "since"
                | "of"
                | "by"
                | "until"
                | "from"
                | "to"
                | "year"
                | "before"
                | "after"
                | "during"
                | "and"
        )
        && page.gap_before(first) == " ";
    (fits && cued && alone).then_some((first, 60, ABSOLUTE))
}

/// 5pm, 1st of May, Q3 2024, 2024-05-01T10:30.
fn judge_mixed(page: &Page<'_>, first: usize) -> Option<(usize, i32, &'static str)> {
    let lower = page.word(first).to_ascii_lowercase();
    if let Some(hour) = lower.strip_suffix("pm").or_else(|| lower.strip_suffix("am")) {
        return hour.parse::<u32>().is_ok_and(|hour| (1..=12).contains(&hour)).then_some((first, 85, CLOCK));
    }
    if matches!(lower.as_str(), "q1" | "q2" | "q3" | "q4") {
        let year = number(page, first + 1).filter(|year| YEARS.contains(year));
        return Some((first + usize::from(year.is_some()), 75, ABSOLUTE));
    }
    judge_day_and_month(page, first)
}

fn judge_word(page: &Page<'_>, first: usize) -> Option<(usize, i32, &'static str)> {
    let traits = page.traits(first);
    let capital = page.shape(first).is_some_and(Shape::is_capital);
    if traits.any(Traits::DAY) {
        let part = matches!(page.word(first + 1), "morning" | "afternoon" | "evening" | "night");
        return Some((first + usize::from(part), 85, RELATIVE));
    }
    if traits.any(Traits::WHICH_TIME) {
        return judge_which(page, first);
    }
    if traits.any(Traits::MONTH | Traits::MONTH_UNSURE) {
        return judge_month(page, first, traits.any(Traits::MONTH));
    }
    if traits.any(Traits::WEEKDAY) {
        let short = page.word(first).len() <= 3;
        return (!short || capital).then_some((first, if short { 55 } else { 80 }, RELATIVE));
    }
    let lower = page.word(first);
    let end_of = lower.eq_ignore_ascii_case("end") && page.word(first + 1) == "of";
    let unit = (first + 2..first + 4).find(|at| page.is(*at, Traits::TIME_UNIT));
    end_of.then_some(())?;
    unit.filter(|at| {
        *at == first + 2 || page.is(first + 2, Traits::WHICH_TIME) || matches!(page.word(first + 2), "the")
    })
    .map(|at| (at, 80, RELATIVE))
}

/// "next Friday", "this week", "last May".
fn judge_which(page: &Page<'_>, first: usize) -> Option<(usize, i32, &'static str)> {
    let next = first + 1;
    let fits = page.is(next, Traits::WEEKDAY | Traits::TIME_UNIT | Traits::MONTH | Traits::MONTH_UNSURE);
    let plural = page.word(next).ends_with('s') && page.is(next, Traits::TIME_UNIT);
    (fits && !plural && page.gap(first) == " ").then_some((next, 85, RELATIVE))
}

/// May 1, May 1st, 2024, May 2024; a month alone only where it is nothing else.
fn judge_month(page: &Page<'_>, first: usize, sure: bool) -> Option<(usize, i32, &'static str)> {
    let next = first + 1;
    let day = number(page, next)
        .or_else(|| ordinal(page.word(next)))
        .filter(|_| matches!(page.gap(first), " " | ". " | "-" | " the "));
    if day.is_some_and(|day| (1..=31).contains(&day)) {
        return Some((with_year(page, next), 88, ABSOLUTE));
    }
    let year = with_year(page, first);
    if year > first {
        return Some((year, 80, ABSOLUTE));
    }
    let long = page.word(first).chars().count() > 3;
    (sure && long).then_some((first, 65, ABSOLUTE))
}

/// The last word of a date, the year behind it included.
fn with_year(page: &Page<'_>, last: usize) -> usize {
    let near = matches!(page.gap(last), " " | ", " | "-" | "." | ". ");
    let skip = usize::from(page.word(last + 1) == "of");
    let year = last + 1 + skip;
    let fits = page.word(year).len() == 4 && number(page, year).is_some_and(|year| YEARS.contains(&year));
    if near && fits { year } else { last }
}

fn number(page: &Page<'_>, word: usize) -> Option<u32> {
    (page.shape(word)? == Shape::Digits).then(|| page.word(word).parse().ok())?
}

/// 1st, 22nd.
fn ordinal(word: &str) -> Option<u32> {
    let digits = word.strip_suffix("st").or_else(|| word.strip_suffix("nd"));
    let digits = digits.or_else(|| word.strip_suffix("rd")).or_else(|| word.strip_suffix("th"))?;
    digits.parse().ok()
}
