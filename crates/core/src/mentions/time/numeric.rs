//! Which day, in figures: 2027-03-04, 03/04/2027, 15/2, 31.10.74?

use super::super::DateOrder;
use super::super::calendar::{Date, Grain};
use super::dates;
use super::piece::{Kind, Piece};
use super::scene::Scene;
use super::series::{Cycle, Series, Stretch};

/// Three numbers or two, and what stands between them.
struct Figures<'a> {
    parts: Vec<(i64, usize)>,
    sign: &'a str,
    spaced: bool,
    next: usize,
}

/// A day in figures.
pub(super) fn at(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let figures = cut(scene, at)?;
    let (sign, next) = (figures.sign, figures.next);
    let piece = match *figures.parts.as_slice() {
        [(year, 4), (month, 1 | 2), (day, 1 | 2)] => sure(Date::new(year, month, day)?)?,
        // Three numbers side by side are a date only where the last is a whole year.
        [(first, 1 | 2), (second, 1 | 2), (year, count @ (2 | 4))] if !sign.is_empty() || count == 4 => {
            let year = dates::full_year(year, count);
            let read = |month: i64, day: i64| sure(Date::new(year, month, day)?);
            // Where nobody says how days are written, points stand where the day comes first.
            let dotted = sign == "." && scene.setting.order.is_none();
            dotted.then(|| read(second, first)).flatten().or_else(|| by_order(scene, first, second, read))?
        }
        [(year, 4), (month @ 1..=12, 2)] if sign == "-" || sign == "/" => month_of(year, month)?,
        [(month @ 1..=12, 1 | 2), (year @ 1000..3000, 4)] if sign == "-" || sign == "/" => {
            month_of(year, month)?
        }
        [(first @ 1900..2100, 4), (last @ 1900..2100, 4)] if sign == "-" || sign == "–" => {
            years(first, last)?
        }
        [(first, 1 | 2), (second, 1 | 2)] if sign == "-" || sign == "/" => {
            let other = (first, second) == (24, 7) || is_fraction(scene, first, second, next);
            let certain = sign == "/" && (first > 12 || second > 12) && !figures.spaced;
            (!other).then(|| by_order(scene, first, second, yearless))??.latent(!certain)
        }
        // 24.12. with a point behind it is a day as much of Europe writes it; at the end of a sentence it may be a number.
        [(day, 1 | 2), (month @ 1..=12, 1 | 2)]
            if sign == "." && scene.is(next, ".") && scene.tokens.is_joined(next) =>
        {
            let ends = scene.tokens.len() == next + 1;
            return Some((yearless(month, day)?.latent(ends), next + 1));
        }
        _ => return None,
    };
    Some((piece, next))
}

/// Numbers with the same sign between them.
fn cut<'a>(scene: &Scene<'a>, at: usize) -> Option<Figures<'a>> {
    let first = scene.figures(at)?;
    let sign = match scene.tokens.lower(at + 1) {
        sign @ ("/" | "-" | "." | "–") => sign,
        _ if scene.is_figures(at + 1) => "",
        _ => return None,
    };
    let step = 1 + usize::from(!sign.is_empty());
    let spaced = scene.tokens.get(at + 1).is_some_and(|token| token.spaced);
    let mut parts = vec![first];
    let mut next = at + 1;
    while parts.len() < 3 && (sign.is_empty() || scene.is(next, sign)) {
        let Some(part) = scene.figures(next + step - 1) else { break };
        let even = scene.tokens.is_joined(next + step - 1) != spaced;
        if !even && !sign.is_empty() {
            break;
        }
        parts.push(part);
        next += step;
    }
    // A number that goes on (1.2.3.4, 10-12:30, 15/2km) is no date.
    let more = scene.tokens.is_joined(next)
        && (scene.any(next, &["/", ":", "%"])
            || (!sign.is_empty()
                && scene.is(next, sign)
                && scene.tokens.is_joined(next + 1)
                && !scene.is(next, ".")));
    let word = scene.tokens.is_joined(next) && scene.tokens.lower(next).starts_with(char::is_alphabetic);
    let whole = !more && (!word || scene.is(next, "t"));
    (parts.len() > 1 && whole).then_some(Figures { parts, sign, spaced, next })
}

fn sure(date: Date) -> Option<Piece> {
    let mut piece = Piece::fixed(Kind::Day, Stretch::days(date, 1)?);
    piece.said.year = true;
    Some(piece)
}

fn month_of(year: i64, month: i64) -> Option<Piece> {
    let mut piece =
        Piece::fixed(Kind::Period, Stretch::unit(Date::new(year, month, 1)?.start(), Grain::Month)?);
    piece.said.year = true;
    Some(piece)
}

/// From one year to another, which need not be meant.
fn years(first: i64, last: i64) -> Option<Piece> {
    let start = Date::new(first, 1, 1)?.start();
    let mut piece =
        Piece::fixed(Kind::Period, Stretch::units(start, last - first + 1, Grain::Year)?).latent(true);
    piece.said.year = true;
    (last > first).then_some(piece)
}

fn yearless(month: i64, day: i64) -> Option<Piece> {
    Date::new(2000, month, day)?;
    Some(Piece::new(Kind::Day, Series::Cycle(Cycle::Day(day)).within(Series::Cycle(Cycle::Month(month)))))
}

/// Reads two numbers as the setting orders them; both ways where it does not say and both are possible.
fn by_order(
    scene: &Scene<'_>,
    first: i64,
    second: i64,
    read: impl Fn(i64, i64) -> Option<Piece>,
) -> Option<Piece> {
    let month_first = read(first, second);
    let day_first = read(second, first);
    match (scene.setting.order, month_first, day_first) {
        (Some(DateOrder::MonthFirst), Some(piece), _) | (Some(DateOrder::DayFirst), _, Some(piece)) => {
            Some(piece)
        }
        (None, Some(piece), Some(other)) if first != second => {
            Some(Piece { other: Some(other.series), ..piece })
        }
        (_, one, other) => one.or(other),
    }
}

/// Half an hour and its like are written so too: 1/2 h, 3/4 cup.
fn is_fraction(scene: &Scene<'_>, above: i64, below: i64, next: usize) -> bool {
    let part = above < below && matches!(below, 2..=5 | 8 | 10);
    part && (scene.unit(next).is_some() || scene.any(next, &["of", "cup", "cups", "an"]))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn days_are_written_in_figures() {
        check("2027-11-05", &["2027-11-05: 2027-11-05 day"]);
        check("on 2027-11-05T15:30:00+02:00", &["on 2027-11-05T15:30:00+02:00: 2027-11-05T14:30 second"]);
        check("at=2027-11-05 18:20;", &["2027-11-05 18:20: 2027-11-05T18:20 minute"]);
        check("2.11.2027", &["2.11.2027: 2027-11-02 day"]);
        check("25/4 works", &["25/4: 2027-04-25 day"]);
        check("31.10.27", &["31.10.27: 2027-10-31 day"]);
        check("11/2027", &["11/2027: 2027-11-01 month"]);
        check("10 11 2027", &["10 11 2027: 2027-10-11 day or 2027-11-10 day"]);
    }

    #[test]
    fn both_readings_are_kept_where_nobody_says_which() {
        check("03/04/2027", &["03/04/2027: 2027-03-04 day or 2027-04-03 day"]);
        check("3/4", &["~3/4: 2027-03-04 day or 2027-04-03 day"]);
    }

    #[test]
    fn other_numbers_are_none() {
        check("score 3-4 at half time", &["~3-4: 2027-03-04 day or 2027-04-03 day"]);
        check("open 24/7", &[]);
        check("1/2 of it", &[]);
        check("version 1.2.3.4", &[]);
        check("10.5.4 and 3.5", &[]);
        check("away 24.12. at 9", &["24.12. at 9: 2027-12-24T09:00 hour"]);
        check("call 555-1234", &["~555: 2027-03-02T17:55 minute"]);
    }
}
