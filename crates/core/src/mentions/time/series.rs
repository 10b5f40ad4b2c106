//! When does it come round: the first time after a moment, or the last one before it?

use super::super::calendar::{Civil, Date, Grain};
use super::holidays::{self, Rule};

/// How many turns of a cycle are looked through for one that has what is sought: the calendar of days and weeks
/// repeats after 28 years, and 40 leaves room for the leap day that 2100 has not.
const TURNS_MAX: i64 = 40;
/// Seconds of half a day, after which an hour said without morning or evening comes round again.
const HALF_DAY_S: i64 = 43_200;

/// Days for which a day that is over is still rather meant than one in years: half a year.
const NEAR_PAST_D: i64 = 183;

/// A stretch of time, the end not in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub start: Civil,
    pub end: Civil,
    pub grain: Grain,
}

impl Stretch {
    /// One unit from a time on, which is moved to the unit's beginning.
    pub fn unit(at: Civil, grain: Grain) -> Option<Stretch> {
        Stretch::units(at, 1, grain)
    }

    /// Some units from the beginning of the one that a time falls in.
    pub fn units(at: Civil, count: i64, grain: Grain) -> Option<Stretch> {
        let start = at.floor(grain);
        Some(Stretch { start, end: start.plus(count, grain)?, grain })
    }

    /// Whole days.
    pub fn days(start: Date, count: i64) -> Option<Stretch> {
        Some(Stretch { start: start.start(), end: start.plus_days(count)?.start(), grain: Grain::Day })
    }

    /// Where it ends for somebody who says "until" it: a time of day is a moment, a day is all of it.
    pub fn close(self) -> Civil {
        if self.grain < Grain::Day { self.start } else { self.end }
    }
}

/// What comes round by itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cycle {
    /// Every one of a unit.
    Every(Grain),
    /// A month, from 1.
    Month(i64),
    /// A quarter, from 1.
    Quarter(i64),
    /// A day of the month.
    Day(i64),
    /// A day of the week, Monday 0.
    Weekday(i64),
    /// From Friday evening to Sunday night.
    Weekend,
    /// Months and days of a year, both included.
    Season((i64, i64), (i64, i64)),
    /// A part of the day, in seconds of it.
    Hours(i64, i64),
    /// A time of day in seconds, told so finely; `either` where morning or evening was not said.
    Clock { second: i64, grain: Grain, either: bool },
    /// A day of the year that has a name.
    Holiday(&'static Rule),
    /// The weekend beside such a day.
    LongWeekend(&'static Rule),
}

impl Cycle {
    /// The one in the turn of the cycle that a time falls in, or so many turns later.
    fn turn(&self, base: Civil, turns: i64) -> Option<Stretch> {
        let year = base.date.year().checked_add(turns)?;
        match *self {
            Cycle::Every(grain) => Stretch::unit(base.floor(grain).plus(turns, grain)?, grain),
            Cycle::Month(month) => Stretch::unit(Date::new(year, month, 1)?.start(), Grain::Month),
            Cycle::Quarter(quarter) => {
                Stretch::unit(Date::new(year, quarter * 3 - 2, 1)?.start(), Grain::Quarter)
            }
            Cycle::Day(day) => {
                let month = base.floor(Grain::Month).date.plus_months(turns)?;
                Stretch::days(Date::new(month.year(), month.month(), day)?, 1)
            }
            Cycle::Weekday(day) => Stretch::days(monday(base, turns)?.plus_days(day)?, 1),
            Cycle::Weekend => {
                let start = Civil::new(monday(base, turns)?.plus_days(4)?, 18, 0, 0)?;
                Some(Stretch { start, end: start.plus(54, Grain::Hour)?, grain: Grain::Hour })
            }
            Cycle::Season(from, to) => {
                let last = Date::new(year + i64::from(to < from), to.0, to.1)?;
                let start = Date::new(year, from.0, from.1)?;
                Stretch::days(start, last.days() - start.days() + 1)
            }
            Cycle::Hours(from, to) => {
                let day = base.date.plus_days(turns)?.start();
                Some(Stretch {
                    start: day.plus_seconds(from)?,
                    end: day.plus_seconds(to)?,
                    grain: Grain::Hour,
                })
            }
            Cycle::Clock { second, grain, either: false } => {
                Stretch::unit(base.date.plus_days(turns)?.start().plus_seconds(second)?, grain)
            }
            Cycle::Clock { second, grain, either: true } => {
                let half = base.of_day() / HALF_DAY_S + turns;
                let start = base.date.start().plus_seconds(half * HALF_DAY_S + second % HALF_DAY_S)?;
                Stretch::unit(start, grain)
            }
            Cycle::Holiday(rule) => rule.of_year(year),
            Cycle::LongWeekend(rule) => holidays::long_weekend(rule.of_year(year)?),
        }
    }
}

fn monday(base: Civil, weeks: i64) -> Option<Date> {
    base.floor(Grain::Week).date.plus_days(weeks * 7)
}

/// Which part of a stretch is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    Beginning,
    Middle,
    End,
}

/// Stretches of time in their order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Series {
    /// Just one.
    Fixed(Stretch),
    /// What comes round.
    Cycle(Cycle),
    /// Those of the first that begin within one of the second.
    Within(Box<Series>, Box<Series>),
    /// The so-manieth of the first in each of the second; from its end where the number is negative.
    Nth(i64, Box<Series>, Box<Series>),
    /// A part of each.
    Edge(Edge, Box<Series>),
    /// From each of the first to the second that follows.
    Range(Box<Series>, Box<Series>),
}

impl Series {
    pub fn within(self, coarse: Series) -> Series {
        Series::Within(Box::new(self), Box::new(coarse))
    }

    pub fn nth(self, place: i64, coarse: Series) -> Series {
        Series::Nth(place, Box::new(self), Box::new(coarse))
    }

    pub fn to(self, end: Series) -> Series {
        Series::Range(Box::new(self), Box::new(end))
    }

    pub fn edge(self, edge: Edge) -> Series {
        Series::Edge(edge, Box::new(self))
    }

    /// The first that begins at a time or after it.
    pub fn after(&self, at: Civil) -> Option<Stretch> {
        match self {
            Series::Fixed(stretch) => (stretch.start >= at).then_some(*stretch),
            Series::Cycle(cycle) => {
                (0..=TURNS_MAX).filter_map(|turn| cycle.turn(at, turn)).find(|stretch| stretch.start >= at)
            }
            Series::Range(first, last) => range(first.after(at)?, last),
            Series::Within(_, coarse) | Series::Nth(_, _, coarse) | Series::Edge(_, coarse) => {
                let mut whole = coarse.around(at).or_else(|| coarse.after(at));
                for _ in 0..=TURNS_MAX {
                    let within = whole?;
                    if let Some(found) = self.first_in(within, at) {
                        return Some(found);
                    }
                    whole = coarse.after(within.end);
                }
                None
            }
        }
    }

    /// The last that begins before a time.
    pub fn before(&self, at: Civil) -> Option<Stretch> {
        match self {
            Series::Fixed(stretch) => (stretch.start < at).then_some(*stretch),
            Series::Cycle(cycle) => {
                (0..=TURNS_MAX).filter_map(|turn| cycle.turn(at, -turn)).find(|stretch| stretch.start < at)
            }
            Series::Range(first, last) => range(first.before(at)?, last),
            Series::Within(_, coarse) | Series::Nth(_, _, coarse) | Series::Edge(_, coarse) => {
                let mut whole = coarse.before(at);
                for _ in 0..=TURNS_MAX {
                    let within = whole?;
                    if let Some(found) = self.last_in(within, at) {
                        return Some(found);
                    }
                    whole = coarse.before(within.start);
                }
                None
            }
        }
    }

    /// The one that a time falls in.
    pub fn around(&self, at: Civil) -> Option<Stretch> {
        self.before(at.plus_seconds(1)?).filter(|stretch| stretch.end > at)
    }

    /// The one that is meant without more words: the one that is on, else the next, else the last. A time of day or
    /// a day of the week that is on now is never meant by its name.
    pub fn coming(&self, now: Civil) -> Option<Stretch> {
        let dated = |cycle: &Cycle| matches!(cycle, Cycle::Month(_) | Cycle::Day(_));
        if self.names(|cycle| matches!(cycle, Cycle::Weekday(_))) && self.names(dated) {
            return self.nearest(now);
        }
        let on = if self.is_instant() { None } else { self.around(now) };
        on.or_else(|| self.after(now)).or_else(|| self.before(now))
    }

    /// The one that somebody means who speaks of the past: the one that is on, else the last, else the next.
    pub fn latest(&self, now: Civil) -> Option<Stretch> {
        self.before(now.plus_seconds(1)?).or_else(|| self.after(now))
    }

    /// The one that is nearest: a day of a month that is said with its weekday may just be over, since next year it
    /// would be another weekday.
    fn nearest(&self, now: Civil) -> Option<Stretch> {
        let far = |found: &Stretch| (found.start.date.days() - now.date.days()).abs();
        let (before, after) = (self.before(now), self.after(now));
        match (&before, &after) {
            (Some(one), Some(other)) if far(one) < far(other).min(NEAR_PAST_D) => before,
            _ => after.or(before),
        }
    }

    /// Whether something of some sort is named in it.
    fn names(&self, sort: fn(&Cycle) -> bool) -> bool {
        match self {
            Series::Fixed(_) | Series::Nth(..) | Series::Edge(..) => false,
            Series::Cycle(cycle) => sort(cycle),
            Series::Within(one, other) | Series::Range(one, other) => one.names(sort) || other.names(sort),
        }
    }

    fn is_instant(&self) -> bool {
        match self {
            Series::Cycle(cycle) => matches!(cycle, Cycle::Weekday(_) | Cycle::Clock { .. }),
            Series::Within(fine, _) => fine.is_instant(),
            // Whoever says "from the 3rd to the 5th" means days to come, also on the 4th.
            Series::Range(fine, _) => fine.is_instant() || fine.names(|cycle| matches!(cycle, Cycle::Day(_))),
            _ => false,
        }
    }

    fn first_in(&self, whole: Stretch, at: Civil) -> Option<Stretch> {
        match self {
            Series::Within(fine, _) => {
                fine.after(whole.start.max(at)).filter(|found| found.start < whole.end)
            }
            _ => self.the_one_in(whole).filter(|found| found.start >= at),
        }
    }

    fn last_in(&self, whole: Stretch, at: Civil) -> Option<Stretch> {
        match self {
            Series::Within(fine, _) => {
                fine.before(whole.end.min(at)).filter(|found| found.start >= whole.start)
            }
            _ => self.the_one_in(whole).filter(|found| found.start < at),
        }
    }

    fn the_one_in(&self, whole: Stretch) -> Option<Stretch> {
        match self {
            Series::Nth(place, unit, _) => nth(*place, unit, whole),
            Series::Edge(edge, _) => edge_of(*edge, whole),
            _ => None,
        }
    }
}

fn range(first: Stretch, last: &Series) -> Option<Stretch> {
    let last = last.after(first.start)?;
    Some(Stretch { start: first.start, end: last.close(), grain: first.grain.min(last.grain) })
}

/// The so-manieth that lies wholly in a stretch.
fn nth(place: i64, unit: &Series, whole: Stretch) -> Option<Stretch> {
    let mut left = place.abs();
    let mut found = if place > 0 { unit.after(whole.start)? } else { unit.before(whole.end)? };
    // A year has 366 days at most, and so many of anything else at most.
    for _ in 0..=366 {
        if found.start < whole.start || (place > 0 && found.end > whole.end) {
            return None;
        }
        left -= i64::from(found.end <= whole.end);
        if left == 0 {
            return Some(found);
        }
        found = if place > 0 { unit.after(found.end)? } else { unit.before(found.start)? };
    }
    None
}

/// Where the beginning and the end of a unit are, for people: thirds of a month, the working days of a week, the
/// first and last months of a year.
fn edge_of(edge: Edge, whole: Stretch) -> Option<Stretch> {
    let (from, to, grain) = match (whole.grain, edge) {
        (Grain::Year, Edge::Beginning) => (0, Some(3), Grain::Month),
        (Grain::Year, Edge::Middle) => (4, Some(8), Grain::Month),
        (Grain::Year, Edge::End) => (8, None, Grain::Month),
        (Grain::Quarter, Edge::Beginning) => (0, Some(1), Grain::Month),
        (Grain::Quarter, Edge::Middle) => (1, Some(2), Grain::Month),
        (Grain::Quarter, Edge::End) => (2, None, Grain::Month),
        (Grain::Month, Edge::Beginning) => (0, Some(10), Grain::Day),
        (Grain::Month, Edge::Middle) => (10, Some(20), Grain::Day),
        (Grain::Month, Edge::End) => (20, None, Grain::Day),
        (Grain::Week, Edge::Beginning) => (0, Some(3), Grain::Day),
        (Grain::Week, Edge::Middle) => (2, Some(4), Grain::Day),
        (Grain::Week, Edge::End) => (4, None, Grain::Day),
        (Grain::Day, Edge::Beginning) => (6, Some(10), Grain::Hour),
        (Grain::Day, Edge::Middle) => (12, Some(16), Grain::Hour),
        (Grain::Day, Edge::End) => (17, None, Grain::Hour),
        _ => return None,
    };
    let end = to.map_or(Some(whole.end), |to| whole.start.plus(to, grain))?;
    Some(Stretch { start: whole.start.plus(from, grain)?, end, grain })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Civil {
        Civil::parse(text).unwrap().0
    }

    #[track_caller]
    fn check(series: &Series, now: &str, coming: &str, latest: &str) {
        let text = |found: Option<Stretch>| found.map(|found| found.start.to_string()).unwrap_or_default();
        assert_eq!(text(series.coming(day(now))), coming, "coming");
        assert_eq!(text(series.latest(day(now))), latest, "latest");
    }

    #[test]
    fn what_comes_round_is_found_before_and_after() {
        let weekday = |day| Series::Cycle(Cycle::Weekday(day));
        let month = |month| Series::Cycle(Cycle::Month(month));
        check(&weekday(1), "2013-02-12T04:30", "2013-02-19T00:00:00", "2013-02-12T00:00:00");
        let leap = Series::Cycle(Cycle::Day(29)).within(month(2));
        check(&leap, "2013-02-12T04:30", "2016-02-29T00:00:00", "2012-02-29T00:00:00");
        let friday = weekday(4).within(Series::Cycle(Cycle::Day(18)).within(month(7)));
        check(&friday, "2013-02-12T04:30", "2014-07-18T00:00:00", "2008-07-18T00:00:00");
        let fourth = weekday(3).nth(4, month(11));
        check(&fourth, "2013-02-12T04:30", "2013-11-28T00:00:00", "2012-11-22T00:00:00");
        let last = Series::Cycle(Cycle::Every(Grain::Week)).nth(-1, month(10));
        check(&last, "2018-02-12T04:30", "2018-10-22T00:00:00", "2017-10-23T00:00:00");
    }

    #[test]
    fn an_hour_said_alone_is_the_nearer_one() {
        let three = Series::Cycle(Cycle::Clock { second: 3 * 3600, grain: Grain::Hour, either: true });
        check(&three, "2013-02-12T04:30", "2013-02-12T15:00:00", "2013-02-12T03:00:00");
    }
}
