//! This one, the next or the last: next week, last 2 months, this Friday, next Christmas?

use super::super::calendar::{Civil, Date, Grain};
use super::holidays;
use super::lexicon::Word;
use super::parts;
use super::phrase;
use super::piece::{Kind, Piece};
use super::scene::Scene;
use super::series::{Cycle, Series, Stretch};

/// Something with this, next or last before it, or "after next" behind it.
pub(super) fn at(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let start = scene.skip(at, &["the"]);
    if let Some((turn, next)) = turn(scene, start) {
        return thing(scene, turn, next)
            .or_else(|| units(scene, turn, next))
            .or_else(|| named(scene, turn, next));
    }
    counted_first(scene, start).or_else(|| after_next(scene, start))
}

/// Which one; of two such words the second counts: "this past week".
fn turn(scene: &Scene<'_>, at: usize) -> Option<(i64, usize)> {
    let Word::Turn(first) = scene.word(at)? else { return None };
    match scene.word(at + 1) {
        Some(Word::Turn(second)) => Some((second, at + 2)),
        _ => Some((first, at + 1)),
    }
}

/// One unit: this week, next quarter, last decade.
fn thing(scene: &Scene<'_>, turn: i64, at: usize) -> Option<(Piece, usize)> {
    if parts::weekend(scene, at).is_some() {
        return None;
    }
    if scene.any(at, &["season", "seasons"]) {
        return Some((parts::season(scene, turn)?, at + 1));
    }
    let (grain, times) = scene.unit(at)?;
    let piece = Piece::fixed(parts::kind_of(grain), nth_unit(scene.now, turn, grain, times)?);
    Some((piece.latent(grain < Grain::Hour), at + 1))
}

fn nth_unit(now: Civil, turn: i64, grain: Grain, times: i64) -> Option<Stretch> {
    if grain == Grain::Year && times > 1 {
        let first = now.date.year().div_euclid(times) * times + turn * times;
        return Stretch::units(Date::new(first, 1, 1)?.start(), times, grain);
    }
    Stretch::units(now.floor(grain).plus(turn * times, grain)?, times, grain)
}

/// Several units: last 2 weeks, the next few days. Of one that is not in the plural ("upcoming two week") the last.
fn units(scene: &Scene<'_>, turn: i64, at: usize) -> Option<(Piece, usize)> {
    let (count, next) = scene.count(at)?;
    let (grain, times) = scene.unit(next)?;
    let plural = !is_singular(scene, next);
    Some((several(scene, turn, count, grain, times, plural)?, next + 1))
}

fn is_singular(scene: &Scene<'_>, at: usize) -> bool {
    scene.any(at, &["second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade"])
}

fn several(
    scene: &Scene<'_>,
    turn: i64,
    count: f64,
    grain: Grain,
    times: i64,
    plural: bool,
) -> Option<Piece> {
    if turn == 0 || count.fract() != 0.0 || !(1.0..1e6).contains(&count) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)] // bounded above
    let count = count as i64 * times;
    let start = scene.now.floor(grain);
    let stretch = match (turn > 0, plural || count == 1) {
        (true, true) => Stretch::units(start.plus(1, grain)?, count, grain),
        (false, true) => Stretch::units(start.plus(-count, grain)?, count, grain),
        (forth, false) => Stretch::unit(start.plus(if forth { count } else { -count }, grain)?, grain),
    }?;
    let mut piece = Piece::fixed(parts::kind_of(grain), stretch);
    if grain < Grain::Day {
        piece.said.clock = super::Clock::Full;
    }
    Some(piece)
}

/// The number before it: two upcoming weeks.
fn counted_first(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let (count, next) = scene.small(at)?;
    let Word::Turn(turn) = scene.word(next)? else { return None };
    if scene.any(next, &["past", "this", "last"]) {
        return None;
    }
    let (grain, times) = scene.unit(next + 1)?;
    let plural = !is_singular(scene, next + 1);
    let count = f64::from(i32::try_from(count).ok()?);
    Some((several(scene, turn, count, grain, times, plural)?, next + 2))
}

/// A weekday, month, weekend, season or holiday.
fn named(scene: &Scene<'_>, turn: i64, at: usize) -> Option<(Piece, usize)> {
    if let Some((piece, next)) = holidays::at(scene, at) {
        let found = nearest(&piece.series, scene.now, turn)?;
        return Some((Piece { series: Series::Fixed(found), fixed: true, latent: false, ..piece }, next));
    }
    if let Some(next) = parts::weekend(scene, at) {
        let found = of_week(scene.now, turn, &Series::Cycle(Cycle::Weekend))?;
        return Some((Piece::fixed(Kind::Period, found), next));
    }
    let (kind, series) = match scene.word(at)? {
        Word::Weekday(day, _) => {
            let series = Series::Cycle(Cycle::Weekday(day));
            let near = scene.any(at - 1, &["coming", "upcoming", "following", "past", "previous"]);
            let found = match turn {
                1.. if near => series.after(scene.now)?,
                _ => of_week(scene.now, turn, &series)?,
            };
            return Some((Piece::fixed(Kind::Day, found), at + 1));
        }
        // "This may be" is no month.
        Word::Month(_, true) if !phrase::ends_here(scene, at + 1) || scene.is(at - 1, "current") => {
            return None;
        }
        Word::Month(month, _) => (Kind::Period, Series::Cycle(Cycle::Month(month))),
        Word::Season(season) => {
            let (from, to) = parts::SEASONS.get(season)?;
            (Kind::Period, Series::Cycle(Cycle::Season(*from, *to)))
        }
        _ => return None,
    };
    Some((Piece::fixed(kind, nearest(&series, scene.now, turn)?), at + 1))
}

/// Of something that comes once a week: this week's or the next that comes, the one of the week after, the last.
fn of_week(now: Civil, turn: i64, series: &Series) -> Option<Stretch> {
    let monday = now.floor(Grain::Week);
    match turn {
        0 => series.around(now).or_else(|| series.after(now.floor(Grain::Day))),
        1.. => series.after(monday.plus(turn, Grain::Week)?),
        _ => series.before(series.around(now).map_or(now.floor(Grain::Day), |on| on.start)),
    }
}

/// Of something that comes once a year: the one that is on or comes, the next, the last that is over.
fn nearest(series: &Series, now: Civil, turn: i64) -> Option<Stretch> {
    match turn {
        0 => series.coming(now),
        1.. => series.after(now),
        _ => series.before(series.around(now).map_or(now, |on| on.start)),
    }
}

/// Friday after next, the week after next, the year before last.
fn after_next(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    if let Some(end) = scene.all(at + 1, &["before", "last"]) {
        return before_last(scene, at).map(|piece| (piece, end));
    }
    let end = scene.all(at + 1, &["after", "next"])?;
    match scene.word(at)? {
        Word::Weekday(day, _) => {
            let series = Series::Cycle(Cycle::Weekday(day));
            let first = series.after(scene.now)?;
            Some((Piece::fixed(Kind::Day, series.after(first.end)?), end))
        }
        Word::Unit(grain, times) => {
            Some((Piece::fixed(parts::kind_of(grain), nth_unit(scene.now, 2, grain, times)?), end))
        }
        Word::Weekend => {
            Some((Piece::fixed(Kind::Period, of_week(scene.now, 2, &Series::Cycle(Cycle::Weekend))?), end))
        }
        _ => None,
    }
}

fn before_last(scene: &Scene<'_>, at: usize) -> Option<Piece> {
    match scene.word(at)? {
        Word::Weekday(day, _) => {
            let series = Series::Cycle(Cycle::Weekday(day));
            let last = series.before(scene.now.floor(Grain::Day))?;
            Some(Piece::fixed(Kind::Day, series.before(last.start)?))
        }
        Word::Unit(grain, times) => {
            Some(Piece::fixed(parts::kind_of(grain), nth_unit(scene.now, -2, grain, times)?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn this_the_next_and_the_last() {
        check("next week", &["next week: 2027-03-08 week"]);
        check("this friday", &["this friday: 2027-03-05 day"]);
        check("next friday", &["next friday: 2027-03-12 day"]);
        check("last friday", &["last friday: 2027-02-26 day"]);
        check("next april", &["next april: 2027-04-01 month"]);
        check("week after next", &["week after next: 2027-03-15 week"]);
        check("this decade", &["this decade: 2020-01-01/2030-01-01 year"]);
        check("next weekend", &["next weekend: 2027-03-12T18:00/2027-03-15 hour"]);
        check("this past weekend", &["this past weekend: 2027-02-26T18:00/2027-03-01 hour"]);
        check("the year before last", &["the year before last: 2025-01-01 year"]);
    }

    #[test]
    fn several_units() {
        check("last 2 minutes", &["last 2 minutes: 2027-03-02T09:13/2027-03-02T09:15 minute"]);
        check("the past three months", &["the past three months: 2026-12-01/2027-03-01 month"]);
        check("next few days", &["next few days: 2027-03-03/2027-03-06 day"]);
        check("two upcoming weeks", &["two upcoming weeks: 2027-03-08/2027-03-22 week"]);
    }
}
