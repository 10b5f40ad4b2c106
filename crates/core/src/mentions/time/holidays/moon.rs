//! Which day is it by the moon?

use super::super::super::calendar::Date;
use super::sky;

/// The years for which sun and moon are reckoned well enough.
const YEARS: std::ops::RangeInclusive<i64> = 1600..=2400;
/// Hours by which the clocks of India and China are ahead of Greenwich.
const INDIA_H: f64 = 5.5;
const CHINA_H: f64 = 8.0;
/// The hour of sunset in Mecca, on the clock of Greenwich: a new moon before it opens the month that evening.
const MECCA_SUNSET_H: f64 = 15.0;

/// A day of a year of the moon, or of the stars.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum Rule {
    /// So many days after the Jewish new year.
    JewishNewYear(i64),
    /// So many days after Passover.
    Passover(i64),
    /// So many days after Passover, moved by some days where that is such a weekday.
    Moved(i64, &'static [(i64, i64)]),
    /// The 25th of Kislev.
    Hanukkah,
    /// The 15th of Shevat.
    Trees,
    /// A month of the Muslim year and its day.
    Islamic(i64, i64),
    /// The month of fasting.
    Ramadan,
    /// The last Friday of it.
    LastFriday,
    /// The month of the Hindu year (Chaitra 1), the thirtieth of its moon (1 to 30) and the hour of the day at which
    /// that must be on, and so many days later.
    Hindu(u8, u8, f64, i64),
    /// So many days after the sun enters a sign of the stars in such a month.
    Sign(f64, i64, i64),
    /// The day of the Chinese month in which the sun comes to a longitude, near such a month of ours.
    Chinese(f64, i64, i64),
    /// The new year of the Parsis, who have no leap years.
    Parsi,
}

impl Rule {
    /// When it is in a year.
    pub(super) fn of_year(&self, year: i64) -> Option<Date> {
        YEARS.contains(&year).then_some(())?;
        match *self {
            Rule::JewishNewYear(plus) => jewish(jewish_new_year(year) + plus),
            Rule::Passover(plus) => jewish(jewish_new_year(year) - 163 + plus),
            Rule::Moved(plus, moves) => {
                let day = Date::from_days(jewish_new_year(year) - 163 + plus)?;
                let by = moves.iter().find(|(weekday, _)| *weekday == day.weekday()).map_or(0, |(_, by)| *by);
                jewish(day.days() + by)
            }
            Rule::Hanukkah => {
                let long = i64::from(year_length(year) % 10 == 5);
                jewish(jewish_new_year(year) + 83 + long)
            }
            Rule::Trees => {
                let length = year_length(year - 1) % 10;
                jewish(jewish_new_year(year - 1) + 131 + i64::from(length == 5) + i64::from(length > 3))
            }
            Rule::Islamic(month, day) => islamic(year, month, day),
            Rule::Ramadan => islamic(year, 9, 1),
            Rule::LastFriday => {
                let last = islamic(year, 10, 1)?.plus_days(-1)?;
                last.plus_days(-(last.weekday() - 4).rem_euclid(7))
            }
            Rule::Hindu(month, part, hour, plus) => hindu(year, month, part, hour)?.plus_days(plus),
            Rule::Sign(degrees, month, plus) => {
                let near = sky::moment(Date::new(year, month, 14)?);
                let entry = sky::sun_reaches(degrees, near, sky::sun_among_stars);
                // What happens after sunset belongs to the next day.
                Date::from_days(sky::day_of(entry, INDIA_H + 6.0))?.plus_days(plus)
            }
            Rule::Chinese(degrees, month, day) => chinese(year, degrees, month)?.plus_days(day - 1),
            Rule::Parsi => Date::new(2018, 8, 17)?.plus_days((year - 2018) * 365),
        }
    }
}

impl Rule {
    /// How many days it lasts in a year, where the moon says so.
    pub(super) fn days(&self, year: i64) -> Option<i64> {
        match self {
            Rule::Ramadan => {
                let first = islamic(year, 9, 1)?;
                let end =
                    islamic(year, 10, 1).filter(|end| *end > first).or_else(|| islamic(year + 1, 10, 1))?;
                Some(end.days() - first.days())
            }
            _ => None,
        }
    }
}

/// The civil day on whose evening a Jewish day begins.
fn jewish(day: i64) -> Option<Date> {
    Date::from_days(day - 1)
}

/// The first day of the Jewish year that begins in a year of ours, in days since 1970.
fn jewish_new_year(year: i64) -> i64 {
    let year = year + 3761;
    let (before, at, after) = (moons_until(year - 1), moons_until(year), moons_until(year + 1));
    // Two rules keep the years before and after from being too short or too long.
    let delay = if after - at == 356 { 2 } else { i64::from(at - before == 382) };
    at + delay - 2_092_590
}

/// Days from the Jewish epoch to the moon that opens a year, moved away from three days of the week.
fn moons_until(year: i64) -> i64 {
    let months = (235 * year - 234).div_euclid(19);
    let parts = 12_084 + 13_753 * months;
    let day = 29 * months + parts.div_euclid(25_920);
    day + i64::from((3 * (day + 1)).rem_euclid(7) < 3)
}

/// Days of the Jewish year that begins in a year of ours: 353 to 355, or thirty more.
fn year_length(year: i64) -> i64 {
    jewish_new_year(year + 1) - jewish_new_year(year)
}

/// The first such day of the Muslim calendar that falls into a year of ours.
fn islamic(year: i64, month: i64, day: i64) -> Option<Date> {
    let near = (year - 622) * 33 / 32;
    (near - 1..=near + 2).find_map(|turn| {
        let date = islamic_month(turn, month)?.plus_days(day - 1)?;
        (date.year() == year).then_some(date)
    })
}

/// The first day of a Muslim month, by the moon as it is reckoned for Mecca.
fn islamic_month(year: i64, month: i64) -> Option<Date> {
    // Thirty years have 10631 days; the moon then says which day it is.
    let days = (year - 1) * 10_631 / 30 + (month - 1) * 59 / 2 - 492_148;
    let moon = sky::new_moon_near(sky::moment(Date::from_days(days)?) - 1.5);
    Date::from_days(sky::day_of(moon, -MECCA_SUNSET_H) + 2)
}

/// The day of the Hindu calendar that falls into a year of ours.
fn hindu(year: i64, month: u8, part: u8, hour: f64) -> Option<Date> {
    // The last months of the Hindu year lie in the next year of ours; of two such days the first is taken.
    [year - 1, year].into_iter().find_map(|turn| {
        let date = hindu_day(hindu_month(turn, month)?, part, hour)?;
        (date.year() == year).then_some(date)
    })
}

/// The new moon that opens a month: the last one while the sun is in the sign that names it.
fn hindu_month(year: i64, month: u8) -> Option<f64> {
    let sign = f64::from((month + 10) % 12) * 30.0;
    let signs_after_april = f64::from((month + 11) % 13) - 1.0;
    let entry = sky::moment(Date::new(year, 4, 14)?) + signs_after_april * 30.437;
    let mut found = None;
    let mut moon = sky::new_moon_after(entry - 4.0);
    for _ in 0..3 {
        if (sky::sun_among_stars(moon) - sign).rem_euclid(360.0) < 30.0 {
            found = Some(moon);
        }
        moon = sky::new_moon_after(moon + 1.0);
    }
    found
}

/// The first day on which a part of the moon's month is on at an hour; the one before where it is never on then.
fn hindu_day(moon: f64, part: u8, hour: f64) -> Option<Date> {
    let sought = f64::from(part) - 1.0;
    // A thirtieth is never shorter than this part of a day, so that no day is missed.
    let first = sky::day_of(moon + sought * 0.89, INDIA_H) - 1;
    for day in first..first + 9 {
        let at = sky::moment(Date::from_days(day)?) + (hour - INDIA_H) / 24.0;
        let now = (sky::phase(at) / 12.0).floor();
        if at > moon && now >= sought {
            let exact = now < sought + 1.0;
            return Date::from_days(if exact { day } else { day - 1 });
        }
    }
    None
}

/// The first day of the Chinese month in which the sun comes to a longitude.
fn chinese(year: i64, degrees: f64, month: i64) -> Option<Date> {
    let near = sky::moment(Date::new(year, month, 20)?);
    let last = sky::day_of(sky::sun_reaches(degrees, near, sky::sun), CHINA_H);
    let mut moon = sky::new_moon_after(sky::moment(Date::from_days(last - 32)?));
    let mut found = None;
    while sky::day_of(moon, CHINA_H) <= last {
        found = Some(sky::day_of(moon, CHINA_H));
        moon = sky::new_moon_after(moon + 1.0);
    }
    Date::from_days(found?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: &Rule, days: &[&str]) {
        for expected in days {
            let year = expected.get(..4).unwrap().parse().unwrap();
            let found = rule.of_year(year).map(|date| date.to_string());
            assert_eq!(found.as_deref(), Some(*expected), "{rule:?}");
        }
    }

    #[test]
    fn jewish_days_begin_the_evening_before() {
        check(&Rule::JewishNewYear(0), &["2016-10-02", "2023-09-15", "2025-09-22"]);
        check(&Rule::Passover(0), &["2022-04-15", "2024-04-22"]);
        check(&Rule::Hanukkah, &["2021-11-28", "2024-12-25"]);
        check(&Rule::Trees, &["2022-01-16", "2024-01-24"]);
    }

    #[test]
    fn muslim_months_follow_the_moon() {
        check(&Rule::Islamic(9, 1), &["2022-04-02", "2023-03-23", "2024-03-11"]);
        check(&Rule::Islamic(1, 1), &["2021-08-09", "2023-07-19"]);
    }

    #[test]
    fn hindu_and_chinese_days_follow_moon_and_sun() {
        check(&Rule::Hindu(7, 30, 18.0, 0), &["2021-11-04", "2022-10-24", "2023-11-12"]);
        check(&Rule::Hindu(12, 15, 18.0, 1), &["2022-03-18", "2024-03-25"]);
        check(&Rule::Sign(270.0, 1, 0), &["2021-01-14", "2024-01-15"]);
        check(&Rule::Chinese(330.0, 2, 1), &["2021-02-12", "2023-01-22", "2026-02-17"]);
        check(&Rule::Chinese(180.0, 9, 15), &["2021-09-21", "2023-09-29"]);
    }
}
