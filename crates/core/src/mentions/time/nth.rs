//! Which one of several: the first Monday of March, the last week of 2018, Q4, the Monday closest to a day?

use super::super::calendar::Grain;
use super::dates;
use super::lexicon::Word;
use super::piece::{Kind, Piece};
use super::scene::Scene;
use super::series::{Cycle, Series, Stretch};
use super::{holidays, parts, phrase};

/// One of several.
pub(super) fn at(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let start = scene.skip(at, &["the"]);
    quarter(scene, start)
        .or_else(|| closest(scene, start))
        .or_else(|| week_of(scene, start))
        .or_else(|| several_of_whole(scene, start))
        .or_else(|| of_whole(scene, start))
}

/// What is counted: days, weeks, Mondays, weekends, holidays.
fn unit(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    if let Some(next) = parts::weekend(scene, at) {
        return Some((Piece::cycle(Kind::Period, Cycle::Weekend), next));
    }
    match scene.word(at) {
        Some(Word::Weekday(day, _)) => Some((Piece::cycle(Kind::Day, Cycle::Weekday(day)), at + 1)),
        Some(Word::Unit(grain, 1)) if grain >= Grain::Hour => {
            Some((Piece::cycle(parts::kind_of(grain), Cycle::Every(grain)), at + 1))
        }
        _ => holidays::at(scene, at),
    }
}

/// First, third, last, second last, 5th last.
fn place(scene: &Scene<'_>, at: usize) -> Option<(i64, usize)> {
    if scene.is(at, "last") {
        return Some((-1, at + 1));
    }
    let (place, next) = scene.place(at)?;
    let from_end = scene.hyphen(next);
    Some(if scene.is(from_end, "last") { (-place, from_end + 1) } else { (place, next) })
}

/// The first Monday of March, last day in October 2015, the 2nd Sunday after Easter.
fn of_whole(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let (place, next) = place(scene, at)?;
    let (unit, next) = unit(scene, next)?;
    let (whole, end) = match scene.tokens.lower(next) {
        "of" | "in" => this_unit(scene, next + 1).or_else(|| phrase::chain(scene, next + 1))?,
        "after" | "before" if place > 0 => return counted_from(scene, place, &unit, next),
        _ => return None,
    };
    if whole.kind != Kind::Period {
        return None;
    }
    let series = unit.series.nth(place, whole.series);
    Some((Piece { series, fixed: whole.fixed, said: whole.said, latent: false, ..unit }, end))
}

/// The last two days of March, the first 5 weeks of next year.
fn several_of_whole(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let last = scene.is(at, "last");
    (last || scene.is(at, "first")).then_some(())?;
    let (count @ 2..100, next) = scene.small(at + 1)? else { return None };
    let (unit, next) = unit(scene, next)?;
    scene.any(next, &["of", "in"]).then_some(())?;
    let (whole, end) = this_unit(scene, next + 1).or_else(|| phrase::chain(scene, next + 1))?;
    (whole.kind == Kind::Period).then_some(())?;
    let (from, to) = if last { (-count, -1) } else { (1, count) };
    let series =
        unit.series.clone().nth(from, whole.series.clone()).to(unit.series.clone().nth(to, whole.series));
    Some((Piece { series, said: whole.said, fixed: whole.fixed, ..unit }, end))
}

fn counted_from(scene: &Scene<'_>, place: i64, unit: &Piece, at: usize) -> Option<(Piece, usize)> {
    let after = scene.is(at, "after");
    let (base, end) = phrase::chain(scene, at + 1).filter(|(base, _)| !base.latent)?;
    let base = base.series.coming(scene.now)?;
    let mut found = if after { unit.series.after(base.end)? } else { unit.series.before(base.start)? };
    for _ in 1..place {
        found = if after { unit.series.after(found.end)? } else { unit.series.before(found.start)? };
    }
    Some((Piece { series: Series::Fixed(found), fixed: true, latent: false, ..unit.clone() }, end))
}

/// "the month", "the year": the one that is on.
fn this_unit(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    scene.is(at, "the").then_some(())?;
    let (grain, 1) = scene.unit(at + 1)? else { return None };
    (grain > Grain::Day).then_some(())?;
    Some((Piece::fixed(Kind::Period, Stretch::unit(scene.now, grain)?), at + 2))
}

/// The week of October 7th.
fn week_of(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let next = scene.all(at, &["week", "of"])?;
    let (day, end) = phrase::chain(scene, next).filter(|(day, _)| day.kind == Kind::Day)?;
    let series = Series::Cycle(Cycle::Every(Grain::Week));
    let found = series.around(day.series.coming(scene.now)?.start)?;
    Some((Piece { said: day.said, ..Piece::fixed(Kind::Period, found) }, end))
}

/// The closest Monday to October 5th, the 2nd closest Christmas to today.
fn closest(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let (place, next) = scene.place(at).unwrap_or((1, at));
    scene.any(next, &["closest", "nearest"]).then_some(())?;
    let (unit, next) = unit(scene, next + 1)?;
    scene.is(next, "to").then_some(())?;
    let (base, end) = phrase::chain(scene, next + 1).filter(|(base, _)| !base.latent)?;
    let base = base.series.coming(scene.now)?.start;
    let days = |found: Stretch| (found.start.date.days() - base.date.days()).abs();
    let (mut before, mut after) = (unit.series.before(base), unit.series.after(base));
    let mut found = None;
    for _ in 0..place {
        let earlier = match (before, after) {
            (Some(one), Some(other)) => days(one) < days(other),
            (one, _) => one.is_some(),
        };
        found = if earlier { before } else { after };
        match (earlier, found?) {
            (true, one) => before = unit.series.before(one.start),
            (false, one) => after = unit.series.after(one.end),
        }
    }
    Some((Piece { series: Series::Fixed(found?), fixed: true, latent: false, ..unit }, end))
}

/// Third quarter, Q4 2018, 2018Q4, 18q4.
fn quarter(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    if let Some((year, count @ (2 | 4))) = scene.figures(at) {
        let start = scene.skip(at + 1, &["-"]);
        let (quarter, next) = short_quarter(scene, start)?;
        return in_year(quarter, dates::full_year(year, count)).map(|piece| (piece, next));
    }
    let (quarter, next) = short_quarter(scene, at).or_else(|| {
        let (place @ 1..=4, next) = scene.place(at)? else { return None };
        (scene.unit(next) == Some((Grain::Quarter, 1))).then_some((place, next + 1))
    })?;
    let start = scene.skip(next, &["of", "in", ",", "-"]);
    if let Some((year, end)) = dates::year_at(scene, start) {
        return in_year(quarter, year).map(|piece| (piece, end));
    }
    Some((this_year(scene, quarter)?, next))
}

/// Q and its figure.
fn short_quarter(scene: &Scene<'_>, at: usize) -> Option<(i64, usize)> {
    let (quarter @ 1..=4, 1) = scene.figures(at + 1)? else { return None };
    (scene.is(at, "q") && scene.tokens.is_joined(at + 1)).then_some((quarter, at + 2))
}

fn in_year(quarter: i64, year: i64) -> Option<Piece> {
    let start = super::super::calendar::Date::new(year, quarter * 3 - 2, 1)?.start();
    let mut piece = Piece::fixed(Kind::Period, Stretch::unit(start, Grain::Quarter)?);
    piece.said.year = true;
    Some(piece)
}

/// The quarter of the year that is on, where no other year is told after it.
fn this_year(scene: &Scene<'_>, quarter: i64) -> Option<Piece> {
    let year = Series::Fixed(Stretch::unit(scene.now, Grain::Year)?);
    let mut piece = Piece::cycle(Kind::Period, Cycle::Quarter(quarter));
    if !matches!(piece.series.after(scene.now), Some(found) if found.start.date.year() == scene.now.date.year())
    {
        piece.series = piece.series.within(year);
        piece.fixed = true;
    }
    Some(piece)
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn one_of_several() {
        check("first monday of may", &["first monday of may: 2027-05-03 day"]);
        check("the last day of this month", &["the last day of this month: 2027-03-31 day"]);
        check("the second last week of 2028", &["the second last week of 2028: 2028-12-18 week"]);
        check("second sunday after easter", &["second sunday after easter: 2027-04-11 day"]);
        check("last two days of may", &["last two days of may: 2027-05-30/2027-06-01 day"]);
        check("the week of april 7th", &["the week of april 7th: 2027-04-05 week"]);
        check("the closest monday to april 7th", &["the closest monday to april 7th: 2027-04-05 day"]);
    }

    #[test]
    fn quarters() {
        check("Q3 2028", &["Q3 2028: 2028-07-01 quarter"]);
        check("third quarter", &["third quarter: 2027-07-01 quarter"]);
        check("2028q1", &["2028q1: 2028-01-01 quarter"]);
    }
}
