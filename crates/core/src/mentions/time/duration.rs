//! How long from now or from another time: in 2 hours, three months ago, a week from Friday?

use super::super::calendar::{Civil, Grain};
use super::lexicon::Word;
use super::parts::kind_of;
use super::phrase;
use super::piece::{Kind, Piece};
use super::scene::Scene;
use super::series::{Cycle, Series, Stretch};

/// A length of time as it was said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Duration {
    pub months: i64,
    pub seconds: i64,
    /// The finest unit that was named.
    pub unit: Grain,
    /// Whether a part of a unit was named: half an hour.
    pub broken: bool,
}

impl Duration {
    fn of(count: f64, grain: Grain, times: i64) -> Option<Duration> {
        // Longer spans lie beyond all years that are reckoned with.
        let bounded = (0.0..1e11).contains(&count);
        let broken = count.fract() != 0.0;
        let whole = |value: f64| {
            #[allow(clippy::cast_possible_truncation)] // bounded above
            bounded.then_some(value.round() as i64)
        };
        let times = f64::from(i32::try_from(times).ok()?);
        let (months, seconds) = match grain.months() {
            Some(months) => (whole(count * times * f64::from(i32::try_from(months).ok()?))?, 0),
            None => (0, whole(count * times * f64::from(i32::try_from(grain.seconds()).ok()?))?),
        };
        Some(Duration { months, seconds, unit: grain, broken })
    }

    fn with(self, other: Duration) -> Duration {
        Duration {
            months: self.months + other.months,
            seconds: self.seconds + other.seconds,
            unit: self.unit.min(other.unit),
            broken: self.broken || other.broken,
        }
    }

    /// So much after a time, or before it.
    pub fn from(self, at: Civil, sign: i64) -> Option<Civil> {
        at.plus(sign * self.months, Grain::Month)?.plus_seconds(sign * self.seconds)
    }

    /// How finely a time is told that lies so far away: one unit finer than it is counted in.
    fn grain(self) -> Grain {
        match self.unit {
            Grain::Hour if self.broken => Grain::Second,
            Grain::Second | Grain::Minute => Grain::Second,
            Grain::Hour => Grain::Minute,
            Grain::Day => Grain::Hour,
            Grain::Week | Grain::Month => Grain::Day,
            Grain::Quarter | Grain::Year => Grain::Month,
        }
    }
}

/// A length of time: 2 hours and 30 minutes, half an hour, an hour and a half, 30'.
pub(super) fn at(scene: &Scene<'_>, at: usize) -> Option<(Duration, usize)> {
    let (mut whole, mut next) = one(scene, at)?;
    for _ in 0..4 {
        let start = scene.skip(next, &["and", ","]);
        if let (true, Some(after)) = (scene.is(next, "and"), scene.all(start, &["a", "half"])) {
            whole = whole.with(Duration::of(0.5, whole.unit, 1)?);
            next = after;
            break;
        }
        match one(scene, start) {
            Some((more, after)) if more.unit < whole.unit => (whole, next) = (whole.with(more), after),
            _ => break,
        }
    }
    Some((whole, next))
}

fn one(scene: &Scene<'_>, at: usize) -> Option<(Duration, usize)> {
    if let Some(found) = part_of_unit(scene, at) {
        return Some(found);
    }
    let (mut count, mut next) = scene.count(at)?;
    if let Some((more, after)) = half_more(scene, next) {
        (count, next) = (count + more, after);
    }
    let next = scene.skip(scene.hyphen(next), &["more", "full", "whole"]);
    let (grain, times, next) = match scene.unit(next) {
        Some((grain, times)) => (grain, times, next + 1),
        None if scene.tokens.is_joined(next) && scene.any(next, &["'", "’", "′"]) => {
            (Grain::Minute, 1, next + 1)
        }
        None if scene.tokens.is_joined(next) && scene.any(next, &["\"", "″"]) => {
            (Grain::Second, 1, next + 1)
        }
        None => return None,
    };
    Some((Duration::of(count, grain, times)?, next))
}

/// "and a half" before the unit.
fn half_more(scene: &Scene<'_>, at: usize) -> Option<(f64, usize)> {
    Some((0.5, scene.all(at, &["and", "a", "half"])?))
}

/// Half an hour, a quarter of an hour, three-quarters of an hour, 3/4 h.
fn part_of_unit(scene: &Scene<'_>, at: usize) -> Option<(Duration, usize)> {
    let (share, next) = share(scene, at)?;
    let next = scene.skip(scene.skip(scene.skip(next, &["of"]), &["a", "an"]), &["-"]);
    let (grain, times) = scene.unit(next)?;
    Some((Duration::of(share, grain, times)?, next + 1))
}

fn share(scene: &Scene<'_>, at: usize) -> Option<(f64, usize)> {
    let start = scene.skip(at, &["a"]);
    if scene.is(start, "half") {
        return Some((0.5, start + 1));
    }
    if scene.is(start, "quarter") {
        let hour = matches!(scene.unit(start + 1), Some((Grain::Hour, _)));
        return (hour || scene.is(start + 1, "of")).then_some((0.25, start + 1));
    }
    if scene.is(at, "three") && scene.any(scene.hyphen(at + 1), &["quarter", "quarters"]) {
        return Some((0.75, scene.hyphen(at + 1) + 1));
    }
    match (scene.figures(at), scene.is(at + 1, "/"), scene.figures(at + 2)) {
        (Some((above @ 1..=3, 1)), true, Some((below @ (2 | 4), 1))) => {
            let number = |value: i64| i32::try_from(value).map(f64::from).ok();
            Some((number(above)? / number(below)?, at + 3))
        }
        _ => None,
    }
}

/// A time that is told by how far it is from now or from another one.
pub(super) fn from_now(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    weekdays(scene, at).or_else(|| ahead(scene, at)).or_else(|| behind(scene, at))
}

/// In two hours, in about a week, in 15.
fn ahead(scene: &Scene<'_>, place: usize) -> Option<(Piece, usize)> {
    scene.is(place, "in").then_some(())?;
    let start = scene.skip(place + 1, &["about", "around", "roughly", "another", "approximately"]);
    if let Some((span, next)) = at(scene, start) {
        let next = scene.skip(next, &["time"]);
        return Some((counted(scene, span, 1)?, next));
    }
    // Bare minutes, where no other word follows that they could be so many of.
    let (minutes @ 2..60, 1 | 2) = scene.figures(start)? else { return None };
    let last = scene.tokens.get(start + 1).is_none();
    let span = Duration::of(f64::from(i32::try_from(minutes).ok()?), Grain::Minute, 1)?;
    (last && scene.is_plain(start)).then(|| Some((counted(scene, span, 1)?.latent(true), start + 1)))?
}

/// A length of time after "after", which counts from now.
pub(super) fn ahead_of_now(scene: &Scene<'_>, place: usize) -> Option<(Piece, usize)> {
    let (span, next) = at(scene, place)?;
    Some((counted(scene, span, 1)?, next))
}

/// Three days ago, a week from now, 2 weeks from Friday, two days after Christmas.
fn behind(scene: &Scene<'_>, place: usize) -> Option<(Piece, usize)> {
    let (span, next) = at(scene, place).or_else(|| the_one(scene, place))?;
    match scene.tokens.lower(next) {
        "ago" | "back" | "earlier" => return Some((counted(scene, span, -1)?, next + 1)),
        "hence" | "later" => return Some((counted(scene, span, 1)?, next + 1)),
        _ => {}
    }
    if let Some(after) = scene.all(next, &["from", "now"]) {
        return Some((counted(scene, span, 1)?, after));
    }
    let sign = match scene.tokens.lower(next) {
        "from" | "after" | "following" => 1,
        "before" | "prior" => -1,
        _ => return None,
    };
    let next = scene.skip(next + 1, &["to"]);
    let (base, after) = phrase::chain(scene, next).filter(|(base, _)| !base.latent)?;
    let stretch = base.series.coming(scene.now)?;
    let grain = stretch.grain.min(span.unit);
    let found = Stretch::unit(span.from(stretch.start, sign)?, grain)?;
    let mut piece = Piece { said: base.said, ..Piece::fixed(kind_for(grain), found) };
    piece.said.date = true;
    Some((piece, after))
}

/// "The day" and "the week", before or after something.
fn the_one(scene: &Scene<'_>, place: usize) -> Option<(Duration, usize)> {
    let start = scene.skip(place, &["the"]);
    let (grain, times) = scene.unit(start).filter(|(grain, _)| *grain >= Grain::Day)?;
    let aside = scene.any(start + 1, &["before", "after", "following"]);
    aside.then(|| Some((Duration::of(1.0, grain, times)?, start + 1)))?
}

fn kind_for(grain: Grain) -> Kind {
    if grain < Grain::Day { Kind::Clock } else { kind_of(grain) }
}

fn counted(scene: &Scene<'_>, span: Duration, sign: i64) -> Option<Piece> {
    let found = Stretch::unit(span.from(scene.now, sign)?, span.grain())?;
    let mut piece = Piece::fixed(Kind::Period, found);
    piece.counted = Some(span.unit);
    if span.unit < Grain::Day {
        piece.said.clock = super::Clock::Full;
        piece.kinds = vec![Kind::Clock];
    }
    Some(piece)
}

/// Two Thursdays ago, three Fridays from now.
fn weekdays(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let (count, next) = scene.small(at)?;
    let Word::Weekday(day, _) = scene.word(next)? else { return None };
    let series = Series::Cycle(Cycle::Weekday(day));
    let (forth, after) = match scene.tokens.lower(next + 1) {
        "ago" | "back" => (false, next + 2),
        "hence" => (true, next + 2),
        _ => (true, scene.all(next + 1, &["from", "now"])?),
    };
    let today = scene.now.floor(Grain::Day);
    let mut found = if forth { series.after(scene.now)? } else { series.before(today)? };
    for _ in 1..count {
        found = if forth { series.after(found.end)? } else { series.before(found.start)? };
    }
    Some((Piece::fixed(Kind::Day, found), after))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn times_are_counted_from_now() {
        check("in 2 hours", &["in 2 hours: 2027-03-02T11:15 minute"]);
        check("in half an hour", &["in half an hour: 2027-03-02T09:45 second"]);
        check("in an hour and a half", &["in an hour and a half: 2027-03-02T10:45 second"]);
        check("three months ago", &["three months ago: 2026-12-02 day"]);
        check("45m ago", &["45m ago: 2027-03-02T08:30 second"]);
        check("two years hence", &["two years hence: 2029-03-01 month"]);
        check("in 2 weeks", &["in 2 weeks: 2027-03-16 day"]);
    }

    #[test]
    fn times_are_counted_from_others() {
        check("a week from friday", &["a week from friday: 2027-03-12 day"]);
        check("two days before christmas", &["two days before christmas: 2027-12-23 day"]);
        check("two fridays ago", &["two fridays ago: 2027-02-19 day"]);
        check("three days after april 3", &["three days after april 3: 2027-04-06 day"]);
    }

    #[test]
    fn a_length_alone_is_no_time() {
        check("for 10 days", &[]);
        check("wait 5 minutes", &[]);
        check("5 more days", &["~5: 2027-03-02T17:00 hour"]);
    }
}
