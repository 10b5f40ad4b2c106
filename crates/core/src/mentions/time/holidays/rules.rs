//! On which day of a year does it fall?

use super::super::super::calendar::{Date, Grain};
use super::super::series::Stretch;
use super::moon;

/// How the day is found.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum Day {
    /// A month and a day.
    On(i64, i64),
    /// So many days after the so-manieth weekday of a month; from the end of the month where it is negative.
    Nth { place: i64, weekday: i64, month: i64, plus: i64 },
    /// The weekday on a day, or the first after it.
    OnOrAfter(i64, i64, i64),
    /// A day, or the nearest working day where it is on a weekend.
    Worked(i64, i64),
    /// A day, or the one before it on a Sunday.
    NoSunday(i64, i64),
    /// The Monday nearest to a day.
    NearMonday(i64, i64),
    /// The first working day from 15 April that is not kept free for the emancipation in the capital.
    Taxes,
    /// The last Saturday of March that is not the one before Easter.
    LateMarch,
    /// So many days after Easter.
    Easter(i64),
    /// So many days after the Easter of the eastern churches.
    Orthodox(i64),
    /// A day of a year of the moon.
    Moon(moon::Rule),
    /// Days that follow no rule: year, month, day.
    Dates(&'static [(i64, i64, i64)]),
}

/// A holiday: how its first day is found, and how many days it lasts.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Rule {
    day: Day,
    days: i64,
    /// From which minute of its day to which it is, where it is not all day.
    minutes: Option<(i64, i64)>,
}

pub(super) const MON: i64 = 0;
pub(super) const TUE: i64 = 1;
pub(super) const WED: i64 = 2;
pub(super) const THU: i64 = 3;
pub(super) const FRI: i64 = 4;
pub(super) const SAT: i64 = 5;
pub(super) const SUN: i64 = 6;

/// One day, found so.
pub(super) const fn day(day: Day) -> Rule {
    Rule { day, days: 1, minutes: None }
}

/// A month and a day.
pub(super) const fn on(month: i64, of_month: i64) -> Rule {
    day(Day::On(month, of_month))
}

/// The so-manieth weekday of a month.
pub(super) const fn nth(place: i64, weekday: i64, month: i64) -> Rule {
    near(place, weekday, month, 0)
}

/// So many days after the so-manieth weekday of a month.
pub(super) const fn near(place: i64, weekday: i64, month: i64, plus: i64) -> Rule {
    day(Day::Nth { place, weekday, month, plus })
}

/// So many days after Easter.
pub(super) const fn easter(plus: i64) -> Rule {
    day(Day::Easter(plus))
}

/// So many days after the Easter of the eastern churches.
pub(super) const fn orthodox(plus: i64) -> Rule {
    day(Day::Orthodox(plus))
}

impl Rule {
    /// The same for so many days.
    pub(super) const fn lasting(self, days: i64) -> Rule {
        Rule { days, ..self }
    }

    /// The same from one minute of the day to another.
    pub(super) const fn between(self, from: i64, to: i64) -> Rule {
        Rule { minutes: Some((from, to)), ..self }
    }

    /// When it is in a year.
    pub(in super::super) fn of_year(&self, year: i64) -> Option<Stretch> {
        let days = match &self.day {
            Day::Moon(rule) => rule.days(year).unwrap_or(self.days),
            _ => self.days,
        };
        let first = first_day(&self.day, year)?;
        let Some((from, to)) = self.minutes else { return Stretch::days(first, days) };
        let start = first.start().plus(from, Grain::Minute)?;
        Some(Stretch { start, end: start.plus(to - from, Grain::Minute)?, grain: Grain::Minute })
    }

    /// Whether it makes the weekend beside it longer.
    pub(super) fn has_long_weekend(&self) -> bool {
        self.days == 1
    }
}

fn first_day(day: &Day, year: i64) -> Option<Date> {
    match *day {
        Day::On(month, day) => Date::new(year, month, day),
        Day::Nth { place, weekday, month, plus } => nth_weekday(year, month, weekday, place)?.plus_days(plus),
        Day::OnOrAfter(weekday, month, day) => on_or_after(Date::new(year, month, day)?, weekday),
        Day::Worked(month, day) => worked(Date::new(year, month, day)?),
        Day::NoSunday(month, day) => {
            let date = Date::new(year, month, day)?;
            date.plus_days(-i64::from(date.weekday() == SUN))
        }
        Day::NearMonday(month, day) => on_or_after(Date::new(year, month, day)?.plus_days(-3)?, MON),
        Day::Taxes => {
            let free = worked(Date::new(year, 4, 16)?)?;
            let first = Date::new(year, 4, 15)?;
            (0..5).filter_map(|more| first.plus_days(more)).find(|date| date.weekday() < SAT && *date != free)
        }
        Day::LateMarch => {
            let last = nth_weekday(year, 3, SAT, -1)?;
            last.plus_days(if last.plus_days(1) == easter_of(year) { -7 } else { 0 })
        }
        Day::Easter(plus) => easter_of(year)?.plus_days(plus),
        Day::Orthodox(plus) => orthodox_easter_of(year)?.plus_days(plus),
        Day::Moon(ref rule) => rule.of_year(year),
        Day::Dates(dates) => {
            let (year, month, day) = *dates.iter().find(|date| date.0 == year)?;
            Date::new(year, month, day)
        }
    }
}

fn on_or_after(date: Date, weekday: i64) -> Option<Date> {
    date.plus_days((weekday - date.weekday()).rem_euclid(7))
}

/// The nearest working day.
fn worked(date: Date) -> Option<Date> {
    match date.weekday() {
        SAT => date.plus_days(-1),
        SUN => date.plus_days(1),
        _ => Some(date),
    }
}

fn nth_weekday(year: i64, month: i64, weekday: i64, place: i64) -> Option<Date> {
    let first = Date::new(year, month, 1)?;
    if place > 0 {
        return on_or_after(first, weekday)?.plus_days((place - 1) * 7);
    }
    let next = first.start().plus(1, Grain::Month)?.date;
    on_or_after(next.plus_days(-7)?, weekday)?.plus_days((place + 1) * 7)
}

/// Easter Sunday in the west: the Sunday after the first full moon of spring, as the church reckons it.
fn easter_of(year: i64) -> Option<Date> {
    let golden = year.rem_euclid(19);
    let century = year.div_euclid(100);
    let leap = century - century.div_euclid(4);
    let moon = (leap - (8 * century + 13).div_euclid(25) + 19 * golden + 15).rem_euclid(30);
    let full = moon - i64::from(moon > 28 || (moon == 28 && golden > 10));
    let march = Date::new(year, 3, 21)?.plus_days(full + 1)?;
    on_or_after(march, SUN)
}

/// Easter Sunday in the east, reckoned by the older calendar.
fn orthodox_easter_of(year: i64) -> Option<Date> {
    let moon = (19 * year.rem_euclid(19) + 15).rem_euclid(30);
    let weekday = (2 * year.rem_euclid(4) + 4 * year.rem_euclid(7) - moon + 34).rem_euclid(7);
    let sum = moon + weekday + 114;
    let late = year.div_euclid(100) - year.div_euclid(400) - 2;
    Date::new(year, sum / 31, sum % 31 + 1)?.plus_days(late)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: &Rule, days: &[&str]) {
        for expected in days {
            let year = expected.get(..4).unwrap().parse().unwrap();
            assert_eq!(rule.of_year(year).unwrap().start.date.to_string(), *expected);
        }
    }

    #[test]
    fn days_are_found_by_their_rules() {
        check(&easter(0), &["2008-03-23", "2011-04-24", "2013-03-31", "2024-03-31", "2038-04-25"]);
        check(&orthodox(0), &["2010-04-04", "2013-05-05", "2024-05-05"]);
        check(&nth(4, THU, 11), &["2024-11-28", "2025-11-27"]);
        check(&nth(-1, MON, 5), &["2024-05-27", "2025-05-26"]);
        check(&day(Day::Taxes), &["2012-04-17", "2019-04-15", "2022-04-18"]);
        check(&day(Day::NearMonday(6, 24)), &["2018-06-25", "2020-06-22"]);
    }
}
