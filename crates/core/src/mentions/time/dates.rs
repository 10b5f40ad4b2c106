//! Which day or month, in words: today, Friday, March 3, the 3rd of March 2027, the 6th?

use super::super::calendar::{Date, Grain};
use super::lexicon::Word;
use super::phrase;
use super::piece::{Kind, Piece};
use super::scene::Scene;
use super::series::{Cycle, Series, Stretch};
use crate::history::days_of;

/// Two figures of a year below this are in this century, the others in the last one.
const CENTURY_TURN: i64 = 50;

/// Today, tomorrow, the day after tomorrow, now.
pub(super) fn near(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    if let Some(next) = now(scene, at) {
        let latent = scene.any(at, &["now", "currently"]);
        let moment = Stretch::unit(scene.now, Grain::Second)?;
        return Some((Piece::fixed(Kind::Clock, moment).latent(latent), next));
    }
    let start = scene.skip(at, &["the"]);
    let (days, next) = match (scene.tokens.lower(start), scene.tokens.lower(start + 1)) {
        ("day", "after") => (1, start + 2),
        ("day", "before") => (-1, start + 2),
        _ => (0, at),
    };
    let Word::Day(from) = scene.word(next)? else { return None };
    if days * from < 0 {
        return None;
    }
    Some((Piece::fixed(Kind::Day, Stretch::days(scene.now.date.plus_days(days + from)?, 1)?), next + 1))
}

fn now(scene: &Scene<'_>, at: usize) -> Option<usize> {
    match scene.tokens.lower(at) {
        "now" | "immediately" | "currently" => Some(at + 1),
        "right" | "just" => scene.is(at + 1, "now").then_some(at + 2),
        "at" => {
            let next = scene.skip(at + 1, &["the", "this"]);
            (next > at + 1 && scene.is(next, "moment")).then_some(next + 1)
        }
        _ => None,
    }
}

/// A week after the next such day: "Saturday week", "a week on Saturday".
pub(super) fn week_on(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let named = |at: usize| match scene.word(at)? {
        Word::Weekday(day, _) => Some(day),
        _ => None,
    };
    let (day, next) = match named(at) {
        Some(day) => (day, scene.is(at + 1, "week").then_some(at + 2)?),
        None => {
            let week = scene.skip(at, &["a", "one"]);
            let on = scene.is(week, "week") && scene.any(week + 1, &["on", "from"]);
            let day = scene.skip(on.then_some(week + 2)?, &["this", "coming"]);
            (named(day)?, day + 1)
        }
    };
    // Said on a Monday, "Monday week" is a week from today.
    let today = scene.now.date.start();
    let coming = Series::Cycle(Cycle::Weekday(day)).after(today.plus_seconds(-1)?)?;
    Some((Piece::fixed(Kind::Day, Stretch::days(coming.start.date.plus_days(WEEK_DAYS)?, 1)?), next))
}

/// Days of a week.
const WEEK_DAYS: i64 = 7;

/// A day of the week by its name.
pub(super) fn weekday(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let Word::Weekday(day, rare) = scene.word(at)? else { return None };
    let short = scene.tokens.lower(at).len() <= 5 && !scene.tokens.lower(at).ends_with("day");
    let next = at + 1 + usize::from(short && is_stop(scene, at + 1));
    Some((Piece::cycle(Kind::Weekday, Cycle::Weekday(day)).latent(rare), next))
}

/// A stop after a short form: "mon.".
fn is_stop(scene: &Scene<'_>, at: usize) -> bool {
    scene.is(at, ".") && scene.tokens.is_joined(at)
}

/// The month at a place, whether the word is more often another one, and the place after it.
fn month_name(scene: &Scene<'_>, at: usize) -> Option<(i64, bool, usize)> {
    let Word::Month(month, rare) = scene.word(at)? else { return None };
    let short = scene.tokens.lower(at).len() <= 4;
    Some((month, rare, at + 1 + usize::from(short && is_stop(scene, at + 1))))
}

/// A month, with a day before or after it and a year after it where they are told.
pub(super) fn month(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    day_first(scene, at).or_else(|| {
        let (month, rare, next) = month_name(scene, at)?;
        match day_after(scene, next).filter(|(day, _)| *day <= days_of(2000, month)) {
            Some((day, next)) => Some(with_year(scene, day_of(month, day), next, "")),
            None => {
                let piece = Piece::cycle(Kind::Period, Cycle::Month(month)).latent(rare);
                Some(with_long_year(scene, piece, next))
            }
        }
    })
}

/// The third of March, 3 March, 14april, 31-Oct, the ides of March.
fn day_first(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let start = scene.skip(at, &["the"]);
    if scene.is(start, "ides") && scene.is(start + 1, "of") {
        let (month, _, next) = month_name(scene, start + 2)?;
        let day = if matches!(month, 3 | 5 | 7 | 10) { 15 } else { 13 };
        return Some(with_year(scene, day_of(month, day), next, ""));
    }
    let (day, next) = scene.place(start).or_else(|| scene.small(start))?;
    let next = if scene.is(next, "day") { next + 1 } else { next };
    let sign = scene.tokens.lower(next);
    let next = scene.skip(scene.skip(next, &["of", "in", "-", "/"]), &["the"]);
    let (month, _, next) = month_name(scene, next)?;
    if !(1..=days_of(2000, month)).contains(&day) {
        return None;
    }
    Some(with_year(scene, day_of(month, day), next, sign))
}

/// The day that follows the name of a month: 3, 3rd, the third.
fn day_after(scene: &Scene<'_>, at: usize) -> Option<(i64, usize)> {
    let start = scene.skip(scene.skip(at, &["-", "/", ","]), &["the"]);
    let found = scene.place(start).or_else(|| {
        let (day, next) = scene.small(start)?;
        let time = scene.is(next, ":") || super::clock::half_of_day(scene, next).is_some();
        let joined =
            scene.tokens.is_joined(next) && !scene.any(next, &[",", ".", "-", "–", "/", ")", "?", "!", ";"]);
        (!time && !joined && (start == at || scene.any(at, &["the", "-", "/"]))).then_some((day, next))
    });
    found.filter(|(day, _)| (1..=31).contains(day))
}

fn day_of(month: i64, day: i64) -> Piece {
    Piece::new(Kind::Day, Series::Cycle(Cycle::Day(day)).within(Series::Cycle(Cycle::Month(month))))
}

/// Adds the year that stands there, of two figures or four, after the sign that stands between day and month.
fn with_year(scene: &Scene<'_>, piece: Piece, at: usize, sign: &str) -> (Piece, usize) {
    let short = short_year(scene, at, sign).map(|(year, next)| (in_year(piece.clone(), year), next));
    let (with, next) = with_long_year(scene, piece, at);
    if next > at {
        (with, next)
    } else if let Some((Some(with), next)) = short {
        (with, next)
    } else {
        (with, at)
    }
}

/// '15, or 15 where no time of day can be meant.
fn short_year(scene: &Scene<'_>, at: usize, sign: &str) -> Option<(i64, usize)> {
    let start = if matches!(sign, "-" | "/") { scene.skip(at, &[sign]) } else { at };
    let start = scene.skip(start, &["'", "’"]);
    let (year, 2) = scene.figures(start)? else { return None };
    let time = super::clock::half_of_day(scene, start + 1).is_some() || scene.unit(start + 1).is_some();
    (scene.is_plain(start) && !time).then_some((full_year(year, 2), start + 1))
}

/// Adds the year that stands there, of four figures: "March of 2015", "march 2015".
fn with_long_year(scene: &Scene<'_>, piece: Piece, at: usize) -> (Piece, usize) {
    let start = scene.skip(at, &[",", "of", "in", "-", "/"]);
    let found = year_at(scene, start).and_then(|(year, next)| Some((in_year(piece.clone(), year)?, next)));
    found.unwrap_or((piece, at))
}

fn in_year(piece: Piece, year: i64) -> Option<Piece> {
    piece.merge(year_piece(year)?)
}

fn year_piece(year: i64) -> Option<Piece> {
    let mut piece = Piece::fixed(Kind::Period, Stretch::unit(Date::new(year, 1, 1)?.start(), Grain::Year)?);
    piece.said.year = true;
    Some(piece)
}

/// A year of four figures from 1000 to 2999 that is no time of day, or one in words.
pub(super) fn year_at(scene: &Scene<'_>, at: usize) -> Option<(i64, usize)> {
    if !scene.is_figures(at) {
        return year_in_words(scene, at);
    }
    let (year @ 1000..3000, 4) = scene.figures(at)? else { return None };
    let time = super::clock::half_of_day(scene, at + 1).is_some();
    (scene.is_plain(at) && !time).then_some((year, at + 1))
}

/// Nineteen ninety-nine, twenty twenty-seven, two thousand ten.
fn year_in_words(scene: &Scene<'_>, at: usize) -> Option<(i64, usize)> {
    let Some(Word::Count(first)) = scene.word(at) else { return None };
    if let (19 | 20, Some((rest @ 10..100, next))) = (first, scene.small(scene.hyphen(at + 1))) {
        return (!scene.is_figures(next - 1)).then_some((first * 100 + rest, next));
    }
    (first == 2 && scene.is(at + 1, "thousand")).then_some(())?;
    let (value, next) = super::super::numbers::at(scene.tokens, at)?;
    #[allow(clippy::cast_possible_truncation)] // bounded
    (2000.0..2100.0).contains(&value).then_some((value as i64, next))
}

/// A year as it is written with so many figures.
pub(super) fn full_year(year: i64, figures: usize) -> i64 {
    match figures {
        2 if year < CENTURY_TURN => 2000 + year,
        2 => 1900 + year,
        _ => year,
    }
}

/// A year alone: 2014, in 2014, 2014 BC, the 80s.
pub(super) fn year(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    if let Some(found) = decade(scene, at) {
        return Some(found);
    }
    let start = scene.skip(at, &["in"]);
    let named = scene.skip(start, &["the"]);
    let start = if scene.is(named, "year") { scene.skip(named + 1, &["of"]) } else { start };
    if let Some((year, next)) = year_in_words(scene, start) {
        return Some((year_piece(year)?.latent(start == at), next));
    }
    let (figures, count) = scene.figures(start)?;
    if let Some((early, next)) = era(scene, start + 1) {
        return Some((year_piece(if early { -figures } else { figures })?, next));
    }
    if count != 4 {
        return None;
    }
    let (year, next) = year_at(scene, start)?;
    // Other numbers are rather times of day (1030), or numbers.
    let plausible = (1900..2100).contains(&year);
    (plausible || start > at).then_some(())?;
    Some((year_piece(year)?.latent(start == at || !plausible), next))
}

/// AD, BC and their like; `true` before Christ.
fn era(scene: &Scene<'_>, at: usize) -> Option<(bool, usize)> {
    let dotted = scene.is(at + 1, ".") && scene.is(at + 3, ".");
    match (scene.tokens.lower(at), scene.tokens.lower(at + 2)) {
        ("bc" | "bce", _) => Some((true, at + 1)),
        ("ad" | "ce", _) => Some((false, at + 1)),
        ("b", "c") if dotted => Some((true, at + 4)),
        ("a", "d") if dotted => Some((false, at + 4)),
        _ => None,
    }
}

/// The 80s, the 1990s.
fn decade(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let start = scene.skip(scene.skip(at, &["in"]), &["the"]);
    let (year, count) = scene.figures(start)?;
    let plural = scene.tokens.is_joined(start + 1) && scene.is(start + 1, "s");
    if !plural || year % 10 != 0 || !matches!(count, 2 | 4) || (count == 2 && start == at) {
        return None;
    }
    let first = Date::new(if count == 2 && year > 20 { 1900 + year } else { full_year(year, count) }, 1, 1)?;
    let mut piece = Piece::fixed(Kind::Period, Stretch::units(first.start(), 10, Grain::Year)?);
    piece.said.year = true;
    Some((piece, start + 2))
}

/// A day of the month alone: the 6th, on the 6th, 20 of next month.
pub(super) fn day(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let on = scene.skip(at, &["on"]);
    let start = scene.skip(on, &["the"]);
    let (day, next, figures) = match scene.place(start) {
        Some((day, next)) => (day, next, scene.is_figures(start)),
        None => {
            let (day, next) = scene.small(start)?;
            let turn = scene.skip(next + 1, &["the"]);
            let of_month = scene.is(next, "of") && matches!(scene.word(turn), Some(Word::Turn(_)));
            (of_month && scene.unit(turn + 1) == Some((Grain::Month, 1))).then_some((day, next, true))?
        }
    };
    (1..=31).contains(&day).then_some(())?;
    // "20th day of next month".
    let next = if scene.is(next, "day") && scene.any(next + 1, &["of", "in"]) { next + 1 } else { next };
    // "The 2nd option" and "to the 6th power" are no days.
    let alone = figures && (scene.is(next, "of") || start > at && phrase::ends_here(scene, next));
    if let Some(end) = scene.all(next, &["of", "the", "month"]) {
        let month = Series::Fixed(Stretch::unit(scene.now, Grain::Month)?);
        return Some((Piece::new(Kind::Day, Series::Cycle(Cycle::Day(day)).within(month)), end));
    }
    Some((Piece::cycle(Kind::Day, Cycle::Day(day)).latent(!alone), next))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn days_and_months_are_named() {
        check("let us meet tomorrow", &["tomorrow: 2027-03-03 day"]);
        check(
            "the day after tomorrow, not yesterday",
            &["the day after tomorrow: 2027-03-04 day", "yesterday: 2027-03-01 day"],
        );
        check("right now", &["right now: 2027-03-02T09:15 second"]);
        check("call on friday", &["on friday: 2027-03-05 day"]);
        check("are you free Tue. or thurs?", &["Tue.: 2027-03-09 day", "thurs: 2027-03-04 day"]);
        check("3rd of April 2027", &["3rd of April 2027: 2027-04-03 day"]);
        check("april 3, 2028 is fine", &["april 3, 2028: 2028-04-03 day"]);
        check("the twenty-first of june", &["the twenty-first of june: 2027-06-21 day"]);
        check("Dec 24th '29", &["Dec 24th '29: 2029-12-24 day"]);
        check("14june", &["14june: 2027-06-14 day"]);
        check("the 6th", &["the 6th: 2027-03-06 day"]);
        check("on the 20th of this month", &["on the 20th of this month: 2027-03-20 day"]);
        check("monday, march 8", &["monday, march 8: 2027-03-08 day"]);
    }

    #[test]
    fn years_are_named() {
        check("in 1999", &["in 1999: 1999-01-01 year"]);
        check("back in the 80s", &["in the 80s: 1980-01-01/1990-01-01 year"]);
        check("the year 44 BC", &["the year 44 BC: -0044-01-01 year"]);
    }

    #[test]
    fn words_that_are_more_often_others_need_not_be_meant() {
        check(
            "I may march on sunday",
            &["~may: 2027-05-01 month", "~march: 2027-03-01 month", "on sunday: 2027-03-07 day"],
        );
        check("the sun is out", &["~sun: 2027-03-07 day"]);
        check("top 10 of 2000 wards", &["~10: 2027-03-02T10:00 hour", "~2000: 2000-01-01 year"]);
        check("the second one", &["~the second: 2027-03-02 day", "~one: 2027-03-02T13:00 hour"]);
        check("use the 2nd option", &["~the 2nd: 2027-03-02 day"]);
        check("the 3rd one", &["~the 3rd: 2027-03-03 day", "~one: 2027-03-02T13:00 hour"]);
        check("this may be it", &["~may: 2027-05-01 month"]);
    }
}
