//! From when to when: between 3 and 5 pm, Feb 13-15, from Monday to Friday?

use super::Clock as ClockSaid;
use super::clock::{self, Face};
use super::duration;
use super::piece::{Kind, Piece};
use super::scene::Scene;
use super::series::{Cycle, Series, Stretch};
use super::{dates, phrase, zones};

/// The words that stand between the ends of a range.
const TO: &[&str] = &["to", "-", "–", "—", "until", "untill", "till", "til", "through", "thru"];

/// The place after the words that open a range, and whether there were any.
fn opened(scene: &Scene<'_>, at: usize) -> (usize, bool) {
    let start = scene.skip(at, &["in"]);
    if scene.is(start, "between") {
        return (start + 1, true);
    }
    match scene.tokens.lower(at) {
        "from" => (at + 1, true),
        _ => (at, false),
    }
}

/// The place after the word between both ends.
fn parted(scene: &Scene<'_>, at: usize, open: bool) -> Option<usize> {
    if scene.any(at, TO) {
        // "up to" and its like do not come here; "to" doubled by a hyphen does: "9 - until 11".
        return Some(scene.skip(at + 1, &["until", "till"]));
    }
    (open && scene.is(at, "and")).then_some(at + 1)
}

/// From one time of day to another.
pub(super) fn clocks(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let (start, open) = opened(scene, at);
    let start = scene.skip(start, &["at", "around", "about"]);
    let (first, next) = left_face(scene, start)?;
    let (zone, next) = zones::at(scene, next).map_or((None, next), |(zone, next)| (Some(zone), next));
    let next = parted(scene, next, open)?;
    let next = scene.skip(next, &["at", "around", "about"]);
    let (last, end) = clock::face(scene, next)?;
    let (other, end) = zones::at(scene, end).map_or((None, end), |(zone, end)| (Some(zone), end));
    let sure = first.sure || last.sure;
    let years = dates::year_at(scene, start).is_some();
    if !sure && (!open || years) {
        return None;
    }
    let (first, last) = same_half(first, last)?;
    let series = first.piece().series.to(last.piece().series);
    let mut piece = Piece::new(Kind::Clock, series).latent(!sure);
    piece.said.clock = if first.either { ClockSaid::Twelve } else { ClockSaid::Full };
    piece.zone = other.or(zone);
    Some((piece, end))
}

/// The first time of day; a number with a hyphen behind it is still one: "1-2:30".
fn left_face(scene: &Scene<'_>, at: usize) -> Option<(Face, usize)> {
    // "5 to 10" is a range here, though "5 to 10" on a clock is five minutes before ten.
    let hyphen = !scene.any(at + 1, &["to", "till"]);
    let hour = scene.figures(at).filter(|(hour, count)| *count < 3 && (*hour <= 12 || hyphen && *hour <= 24));
    if let (Some((hour, _)), true) = (hour, scene.any(at + 1, TO)) {
        let face = Face {
            hour,
            minute: 0,
            second: 0,
            grain: super::super::calendar::Grain::Hour,
            either: hour <= 12,
            sure: false,
        };
        return Some((face, at + 1));
    }
    clock::face(scene, at)
}

/// What tells the half of the day for one end tells it for the other: 3 to 5 pm, 9 am to 11.
fn same_half(first: Face, last: Face) -> Option<(Face, Face)> {
    match (first.either, last.either) {
        (true, false) => {
            let noon = last.hour >= 12;
            let same = first.of_half(noon)?;
            let fits = same.second_of_day() < last.second_of_day();
            Some((if fits { same } else { first.of_half(!noon)? }, last))
        }
        _ => Some((first, last)),
    }
}

/// From one day of a month to another: July 13 to 15, from the 13th to the 15th of July.
pub(super) fn days(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let (start, open) = opened(scene, at);
    month_first(scene, start, open).or_else(|| month_last(scene, start, open))
}

fn month_first(scene: &Scene<'_>, at: usize, open: bool) -> Option<(Piece, usize)> {
    let (first, next) =
        dates::month(scene, at).filter(|(piece, _)| piece.kind == Kind::Day && !piece.said.year)?;
    let next = parted(scene, next, open)?;
    let (day, end) = bare_day(scene, next)?;
    // "March 3 to 5 pm" and "March 3 - April 5" end otherwise.
    if dates::month(scene, next).is_some() || clock::half_of_day(scene, end).is_some() || scene.is(end, ":") {
        return None;
    }
    let last = Series::Cycle(Cycle::Day(day));
    Some(with_year(scene, Piece { series: first.series.clone().to(last), ..first }, end))
}

fn month_last(scene: &Scene<'_>, at: usize, open: bool) -> Option<(Piece, usize)> {
    let (day, next) = bare_day(scene, at)?;
    let next = parted(scene, next, open)?;
    let (last, end) = dates::month(scene, next).filter(|(piece, _)| piece.kind == Kind::Day)?;
    let Series::Within(_, months) = &last.series else { return None };
    let first = Series::Cycle(Cycle::Day(day)).within((**months).clone());
    let series = match last.series.clone() {
        // The year of the end is the year of the beginning.
        Series::Within(fine, year) if matches!(*year, Series::Fixed(_)) => {
            let Series::Within(_, month) = fine.as_ref() else { return None };
            Series::Cycle(Cycle::Day(day)).within((**month).clone().within(*year)).to(*fine)
        }
        series => first.to(series),
    };
    Some((Piece { series, latent: false, ..last }, end))
}

/// A day of a month, without the month.
fn bare_day(scene: &Scene<'_>, at: usize) -> Option<(i64, usize)> {
    let start = scene.skip(at, &["the"]);
    scene.place(start).or_else(|| scene.small(start)).filter(|(day, _)| (1..=31).contains(day))
}

fn with_year(scene: &Scene<'_>, piece: Piece, at: usize) -> (Piece, usize) {
    let start = scene.skip(at, &[",", "of"]);
    let Some((year, end)) = dates::year_at(scene, start) else { return (piece, at) };
    let first = super::super::calendar::Date::new(year, 1, 1).map(super::super::calendar::Date::start);
    let whole = first.and_then(|first| Stretch::unit(first, super::super::calendar::Grain::Year));
    match (whole, piece.series.clone()) {
        (Some(whole), Series::Range(first, last)) => {
            let series = first.within(Series::Fixed(whole)).to(*last);
            let mut with = Piece { series, fixed: true, ..piece };
            with.said.year = true;
            (with, end)
        }
        _ => (piece, at),
    }
}

/// From any time to any other, or for so long.
pub(super) fn whole(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    if let Some(found) = lasting_first(scene, at) {
        return Some(found);
    }
    let (start, open) = opened(scene, at);
    let (first, next) = phrase::chain(scene, start)?;
    if let Some(found) = lasting(scene, &first, next) {
        return Some(found);
    }
    let next = parted(scene, next, open)?;
    let (last, end) = phrase::chain(scene, next)?;
    let alike = first.kind == last.kind;
    let periods = alike && first.kind == Kind::Period && !(first.latent && last.latent);
    if (first.latent || last.latent) && !(open && alike || periods) {
        return None;
    }
    Some((between(scene, first, last), end))
}

fn between(scene: &Scene<'_>, mut first: Piece, last: Piece) -> Piece {
    let mut said = first.said;
    if last.fixed && !first.fixed && first.kind >= Kind::Weekday {
        // What tells the end tells the beginning as well: April to June 2028.
        let start = last.series.coming(scene.now).and_then(|end| first.series.before(end.start));
        first.series = start.map_or(first.series, Series::Fixed);
    }
    said.year |= last.said.year;
    let zone = first.zone.or(last.zone);
    let fixed = first.fixed && last.fixed;
    let series = first.series.to(last.series);
    Piece { said, fixed, zone, ..Piece::new(first.kind, series) }.latent(false)
}

/// 4 pm for 30 minutes, from December 18th for 10 days.
fn lasting(scene: &Scene<'_>, first: &Piece, at: usize) -> Option<(Piece, usize)> {
    scene.is(at, "for").then_some(())?;
    let (span, end) = duration::at(scene, at + 1)?;
    if first.latent {
        return None;
    }
    Some((for_so_long(scene, first, span)?, end))
}

/// For 30 minutes from 4 pm.
fn lasting_first(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    scene.is(at, "for").then_some(())?;
    let (span, next) = duration::at(scene, at + 1)?;
    let start = scene.skip(scene.skip(next, &["starting", "beginning"]), &["from", "at", "on"]);
    (start > next).then_some(())?;
    let next = start;
    let (first, end) = phrase::chain(scene, next).filter(|(first, _)| !first.latent)?;
    Some((for_so_long(scene, &first, span)?, end))
}

fn for_so_long(scene: &Scene<'_>, first: &Piece, span: duration::Duration) -> Option<Piece> {
    let on = first.series.coming(scene.now)?;
    let end = span.from(on.start, 1)?;
    let stretch = Stretch { start: on.start, end, grain: on.grain.min(span.unit) };
    (end > on.start).then(|| Piece {
        series: Series::Fixed(stretch),
        fixed: true,
        latent: false,
        ..first.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn times_of_day_from_and_to() {
        check("between 3 and 5 pm", &["between 3 and 5 pm: 2027-03-02T15:00/2027-03-02T17:00 hour"]);
        check("from 9:30 to 11", &["from 9:30 to 11: 2027-03-02T09:30/2027-03-02T11:00 minute"]);
        check("11-1pm", &["11-1pm: 2027-03-02T11:00/2027-03-02T13:00 hour"]);
        check("9:30-11:00 on friday", &["9:30-11:00 on friday: 2027-03-05T09:30/2027-03-05T11:00 minute"]);
        check(
            "tomorrow between 1 and 2:30pm",
            &["tomorrow between 1 and 2:30pm: 2027-03-03T13:00/2027-03-03T14:30 minute"],
        );
    }

    #[test]
    fn days_from_and_to() {
        check("april 3-5", &["april 3-5: 2027-04-03/2027-04-06 day"]);
        check(
            "from the 3rd to the 5th of april 2028",
            &["from the 3rd to the 5th of april 2028: 2028-04-03/2028-04-06 day"],
        );
        check("12 to 16 june", &["12 to 16 june: 2027-06-12/2027-06-17 day"]);
        check("from monday to friday", &["from monday to friday: 2027-03-08/2027-03-13 day"]);
        check("april to june 2028", &["april to june 2028: 2028-04-01/2028-07-01 month"]);
        check("2014-2016", &["~2014-2016: 2014-01-01/2017-01-01 year"]);
        check("march 30 - april 2", &["march 30 - april 2: 2027-03-30/2027-04-03 day"]);
        check("monday through wednesday", &["monday through wednesday: 2027-03-08/2027-03-11 day"]);
    }

    #[test]
    fn for_so_long() {
        check("4pm for 30 minutes", &["4pm for 30 minutes: 2027-03-02T16:00/2027-03-02T16:30 minute"]);
        check(
            "for 30 minutes from 4pm",
            &["for 30 minutes from 4pm: 2027-03-02T16:00/2027-03-02T16:30 minute"],
        );
    }

    #[test]
    fn numbers_from_and_to_are_none() {
        check("between 3 and 5 nets", &["~between 3 and 5: 2027-03-02T15:00/2027-03-02T17:00 hour"]);
        check("3 to 5 of them", &["~3 to 5: 2027-03-02T16:57 minute"]);
    }
}
