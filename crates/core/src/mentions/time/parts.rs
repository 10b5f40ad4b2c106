//! Which part of the day, the week or the year: in the evening, this weekend, summer, the end of the month?

use super::super::calendar::Grain;
use super::lexicon::{Part, Word};
use super::piece::{Kind, Piece};
use super::scene::Scene;
use super::series::{Cycle, Edge, Series, Stretch};
use super::{phrase, turns};

/// Seconds of an hour.
const HOUR_S: i64 = 3600;

/// The first and the last day of spring, summer, autumn and winter. The day on which one ends and the next begins
/// belongs to both.
pub(super) const SEASONS: [((i64, i64), (i64, i64)); 4] =
    [((3, 20), (6, 21)), ((6, 21), (9, 23)), ((9, 23), (12, 21)), ((12, 21), (3, 20))];

/// From which hour to which a part of the day lasts; all of it, its beginning, and its end.
fn hours(part: Part, edge: Option<Edge>) -> (i64, i64) {
    match (part, edge) {
        (Part::Morning, Some(Edge::Beginning)) => (0, 9),
        (Part::Morning, Some(Edge::End)) => (10, 12),
        (Part::Morning, _) => (0, 12),
        (Part::Afternoon, Some(Edge::Beginning)) => (12, 15),
        (Part::Afternoon, Some(Edge::End)) => (16, 19),
        (Part::Afternoon, _) => (12, 19),
        (Part::Evening | Part::Night | Part::Tonight, Some(Edge::End)) => (21, 24),
        (Part::Dinner, _) | (Part::Evening | Part::Night | Part::Tonight, Some(Edge::Beginning)) => (18, 21),
        (Part::Evening | Part::Night | Part::Tonight, _) => (18, 24),
        (Part::Lunch, _) => (12, 14),
        (Part::Breakfast, _) => (6, 9),
    }
}

fn piece(part: Part, edge: Option<Edge>) -> Piece {
    let (from, to) = hours(part, edge);
    Piece::cycle(Kind::Hours, Cycle::Hours(from * HOUR_S, to * HOUR_S))
}

/// A part of the day with what is said before it: evening, in the early morning, this afternoon, last night, after
/// lunch.
pub(super) fn of_day(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    after_something(scene, at).or_else(|| hours_of_the_morning(scene, at)).or_else(|| {
        let said = scene.any(at, &["in", "during", "at"]);
        let next = scene.skip(scene.skip(at, &["in", "during", "at", "for"]), &["the"]);
        let (edge, next) = edge_word(scene, next).map_or((None, next), |(edge, next)| (Some(edge), next));
        let next = if edge.is_some() { scene.skip(scene.skip(next, &["in"]), &["the"]) } else { next };
        let turn = match scene.word(next) {
            Some(Word::Turn(turn)) => Some(turn),
            _ => None,
        };
        let place = next + usize::from(turn.is_some());
        let Some(Word::Part(part)) = scene.word(place) else { return None };
        let piece = match turn {
            Some(turn) => of_near_day(scene, part, edge, turn)?,
            None if part == Part::Tonight => of_near_day(scene, part, edge, 0)?,
            None => piece(part, edge).latent(!said),
        };
        Some((piece, place + 1))
    })
}

/// The part of today, or of the day before or after it.
fn of_near_day(scene: &Scene<'_>, part: Part, edge: Option<Edge>, days: i64) -> Option<Piece> {
    let day = Stretch::days(scene.now.date.plus_days(days)?, 1)?;
    piece(part, edge).merge(Piece::fixed(Kind::Day, day))
}

/// After lunch, after work, after school.
fn after_something(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let (from, to) = match (scene.tokens.lower(at), scene.tokens.lower(at + 1)) {
        ("after", "lunch") => (13, 17),
        ("after", "work") => (17, 21),
        ("after", "school") => (15, 21),
        _ => return None,
    };
    Some((Piece::cycle(Kind::Hours, Cycle::Hours(from * HOUR_S, to * HOUR_S)), at + 2))
}

/// In the early hours of the morning.
fn hours_of_the_morning(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let next = scene.skip(scene.skip(at, &["in"]), &["the"]);
    let next = scene.all(next, &["early", "hours", "of", "the", "morning"])?;
    Some((piece(Part::Morning, Some(Edge::Beginning)), next))
}

/// Early, late, mid.
fn edge_word(scene: &Scene<'_>, at: usize) -> Option<(Edge, usize)> {
    let edge = match scene.word(at)? {
        Word::Beginning => Edge::Beginning,
        Word::Middle => Edge::Middle,
        Word::End => Edge::End,
        _ => return None,
    };
    Some((edge, scene.hyphen(at + 1)))
}

/// The beginning, the middle or the end of something longer than a day: end of this month, early March, EOY.
pub(super) fn edge(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let next = scene.skip(scene.skip(at, &["at", "in"]), &["the"]);
    if let Some(piece) = short_edge(scene, next) {
        return Some((piece, next + 1));
    }
    let (edge, after) = edge_word(scene, next)?;
    let near = scene.any(next, &["early", "late", "mid"]);
    let of = scene.is(after, "of");
    if !near && !of {
        return None;
    }
    let inner = scene.skip(after + usize::from(of), &["around", "about"]);
    let (whole, next) = this_unit(scene, inner).or_else(|| phrase::chain(scene, inner))?;
    let coarse = matches!(whole.kind, Kind::Period | Kind::Day) && whole.grain() >= Some(Grain::Day);
    let month = whole.kind == Kind::Period && !near;
    if !coarse || !(near && whole.kind == Kind::Period || month || of) {
        return None;
    }
    Some((of_whole(whole, edge), next))
}

fn of_whole(whole: Piece, edge: Edge) -> Piece {
    let kind = if whole.grain() == Some(Grain::Day) { Kind::Hours } else { Kind::Period };
    Piece { series: whole.series.clone().edge(edge), kind, latent: false, ..whole }
}

/// "The month", "day", "year" after "end of": the one that is on.
fn this_unit(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let next = scene.skip(at, &["the"]);
    let (grain, 1) = scene.unit(next)? else { return None };
    (grain >= Grain::Day).then_some(())?;
    Some((Piece::fixed(kind_of(grain), Stretch::unit(scene.now, grain)?), next + 1))
}

pub(super) fn kind_of(grain: Grain) -> Kind {
    if grain > Grain::Day { Kind::Period } else { Kind::Day }
}

/// EOD, BOM and their like.
fn short_edge(scene: &Scene<'_>, at: usize) -> Option<Piece> {
    let (edge, grain) = match scene.tokens.lower(at) {
        "eod" => (Edge::End, Grain::Day),
        "eom" => (Edge::End, Grain::Month),
        "eoy" => (Edge::End, Grain::Year),
        "bom" => (Edge::Beginning, Grain::Month),
        "boy" if scene.tokens.get(at).is_some_and(|token| token.span.of(scene.tokens.text()) == "BOY") => {
            (Edge::Beginning, Grain::Year)
        }
        _ => return None,
    };
    Some(of_whole(Piece::fixed(kind_of(grain), Stretch::unit(scene.now, grain)?), edge))
}

/// A weekend or a season by its name alone.
pub(super) fn of_year(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    if let Some(next) = weekend(scene, at) {
        // "On weekends" is a habit.
        let habit = scene.tokens.lower(next - 1).ends_with('s');
        return Some((Piece::cycle(Kind::Period, Cycle::Weekend).latent(habit), next));
    }
    let Word::Season(season) = scene.word(at)? else { return None };
    let (from, to) = SEASONS.get(season)?;
    let latent = scene.any(at, &["fall", "spring"]);
    Some((Piece::cycle(Kind::Period, Cycle::Season(*from, *to)).latent(latent), at + 1))
}

/// The place after a word for the end of the week.
pub(super) fn weekend(scene: &Scene<'_>, at: usize) -> Option<usize> {
    if scene.word(at) == Some(Word::Weekend) {
        return Some(at + 1);
    }
    let split = scene.any(at, &["week", "wk"]) && scene.hyphen(at + 1) > at + 1;
    (split && scene.any(at + 2, &["end", "ends"])).then_some(at + 3)
}

/// The season that is on, or so many later: "next season".
pub(super) fn season(scene: &Scene<'_>, turn: i64) -> Option<Piece> {
    let on = |season: &((i64, i64), (i64, i64))| {
        Series::Cycle(Cycle::Season(season.0, season.1)).around(scene.now)
    };
    // On the day of the turn the new one is on.
    let current = SEASONS.iter().rposition(|season| on(season).is_some())?;
    let wanted = i64::try_from(current).ok()? + turn;
    let (from, to) = SEASONS.get(usize::try_from(wanted.rem_euclid(4)).ok()?)?;
    let series = Series::Cycle(Cycle::Season(*from, *to));
    let found = match turn {
        0 => series.around(scene.now)?,
        1.. => series.after(scene.now)?,
        _ => series.before(scene.now)?,
    };
    Some(Piece::new(Kind::Period, Series::Fixed(found)))
}

/// The time in the text that somebody calls "the night of", "the morning of".
pub(super) fn of_named(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let next = scene.skip(at, &["the"]);
    let Some(Word::Part(part)) = scene.word(next) else { return None };
    scene.is(next + 1, "of").then_some(())?;
    let (day, after) = turns::at(scene, next + 2).or_else(|| phrase::atom(scene, next + 2))?;
    Some((piece(part, None).merge(day)?, after))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn parts_of_the_day() {
        check("in the evening", &["in the evening: 2027-03-02T18:00/2027-03-03 hour"]);
        check("tomorrow morning", &["tomorrow morning: 2027-03-03/2027-03-03T12:00 hour"]);
        check("last night", &["last night: 2027-03-01T18:00/2027-03-02 hour"]);
        check("late tonight", &["late tonight: 2027-03-02T21:00/2027-03-03 hour"]);
        check("after lunch", &["after lunch: 2027-03-02T13:00/2027-03-02T17:00 hour"]);
        check("the morning of april 3", &["the morning of april 3: 2027-04-03/2027-04-03T12:00 hour"]);
        check("early in the morning", &["~early in the morning: 2027-03-03/2027-03-03T09:00 hour"]);
    }

    #[test]
    fn parts_of_longer_times() {
        check("end of this month", &["end of this month: 2027-03-21/2027-04-01 day"]);
        check("early april", &["early april: 2027-04-01/2027-04-11 day"]);
        check("mid-2028", &["mid-2028: 2028-05-01/2028-09-01 month"]);
        check("EOY", &["EOY: 2027-09-01/2028-01-01 month"]);
        check("the beginning of next week", &["the beginning of next week: 2027-03-08/2027-03-11 day"]);
        check("this summer", &["this summer: 2027-06-21/2027-09-24 day"]);
        check("next season", &["next season: 2027-03-20/2027-06-22 day"]);
    }
}
