//! Which day is it, and which day is so many days, weeks or months from it?

use std::fmt;

use serde::{Serialize, Serializer};

use crate::history;

/// The furthest years that are reckoned with. Figures beyond them in a message are no years.
const YEARS: std::ops::RangeInclusive<i64> = -9999..=9999;
/// Seconds of a day; days with a leap second are not told apart.
const DAY_S: i64 = 86_400;
/// Days from 1970 that lie beyond those years, either way.
const DAYS_MAX: i64 = 12_000 * 366;

/// A day of the calendar we write by (Gregorian, also for the years before it was made).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: i16,
    month: u8,
    day: u8,
}

impl Date {
    /// The day, where there is such a one.
    pub fn new(year: i64, month: i64, day: i64) -> Option<Date> {
        if !YEARS.contains(&year)
            || !(1..=12).contains(&month)
            || !(1..=history::days_of(year, month)).contains(&day)
        {
            return None;
        }
        Some(Date { year: year.try_into().ok()?, month: month.try_into().ok()?, day: day.try_into().ok()? })
    }

    /// The same, with a day after the end of the month moved to that end.
    pub fn clipped(year: i64, month: i64, day: i64) -> Option<Date> {
        Date::new(year, month, day.min(history::days_of(year, month)))
    }

    /// The year.
    pub fn year(self) -> i64 {
        i64::from(self.year)
    }

    /// The month, from 1.
    pub fn month(self) -> i64 {
        i64::from(self.month)
    }

    /// The day of the month, from 1.
    pub fn day(self) -> i64 {
        i64::from(self.day)
    }

    /// The day of the week, from Monday, which is 0.
    pub fn weekday(self) -> i64 {
        // The first of January 1970 was a Thursday.
        (self.days() + 3).rem_euclid(7)
    }

    /// Days since the first of January 1970.
    pub fn days(self) -> i64 {
        history::days(self.year(), self.month(), self.day())
    }

    /// The day that is so many days after the first of January 1970.
    pub fn from_days(days: i64) -> Option<Date> {
        // Beyond any year that is reckoned with, and far from where sums overflow.
        let (year, month, day) = history::civil(Some(days).filter(|days| days.abs() < DAYS_MAX)?);
        Date::new(year, month, day)
    }

    /// So many days later, or earlier.
    pub fn plus_days(self, days: i64) -> Option<Date> {
        Date::from_days(self.days().checked_add(days)?)
    }

    /// So many months later, or earlier; a day that the month has not is its last.
    pub fn plus_months(self, months: i64) -> Option<Date> {
        let month = (self.year() * 12 + self.month() - 1).checked_add(months)?;
        Date::clipped(month.div_euclid(12), month.rem_euclid(12) + 1, self.day())
    }

    /// Its first second.
    pub fn start(self) -> Civil {
        Civil { date: self, second: 0 }
    }

    /// A day written as `2027-03-04`.
    pub fn parse(text: &str) -> Option<Date> {
        let (early, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let mut parts = text.split('-');
        let mut figures = |count: usize| parts.next().and_then(|part| whole(part, count));
        let (year, month, day) = (figures(4)?, figures(2)?, figures(2)?);
        parts.next().is_none().then_some(())?;
        Date::new(early * year, month, day)
    }
}

/// A whole number of so many figures.
fn whole(text: &str, figures: usize) -> Option<i64> {
    (text.len() == figures && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let early = if self.year < 0 { "-" } else { "" };
        write!(out, "{early}{:04}-{:02}-{:02}", self.year.unsigned_abs(), self.month, self.day)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// A day and a time of day, on some clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Civil {
    /// The day.
    pub date: Date,
    second: u32,
}

impl Civil {
    /// A time of a day, where there is such a one.
    pub fn new(date: Date, hour: i64, minute: i64, second: i64) -> Option<Civil> {
        if !(0..24).contains(&hour) || !(0..60).contains(&minute) || !(0..60).contains(&second) {
            return None;
        }
        Some(Civil { date, second: u32::try_from(hour * 3600 + minute * 60 + second).ok()? })
    }

    /// The hour, from 0 to 23.
    pub fn hour(self) -> i64 {
        i64::from(self.second / 3600)
    }

    /// The minute of the hour.
    pub fn minute(self) -> i64 {
        i64::from(self.second / 60 % 60)
    }

    /// The second of the minute.
    pub fn second(self) -> i64 {
        i64::from(self.second % 60)
    }

    /// Seconds since the day began.
    pub fn of_day(self) -> i64 {
        i64::from(self.second)
    }

    /// The time of day as `15:30`, with seconds where there are any.
    pub fn clock(self) -> String {
        let (hour, minute, second) = (self.hour(), self.minute(), self.second());
        if second == 0 {
            format!("{hour:02}:{minute:02}")
        } else {
            format!("{hour:02}:{minute:02}:{second:02}")
        }
    }

    /// So many seconds later, or earlier.
    pub fn plus_seconds(self, seconds: i64) -> Option<Civil> {
        let second = i64::from(self.second).checked_add(seconds)?;
        let date = self.date.plus_days(second.div_euclid(DAY_S))?;
        Some(Civil { date, second: u32::try_from(second.rem_euclid(DAY_S)).ok()? })
    }

    /// The same time of another day.
    #[must_use]
    pub fn on(self, date: Date) -> Civil {
        Civil { date, ..self }
    }

    /// So many units later, or earlier. A day that a month has not is its last.
    pub fn plus(self, count: i64, grain: Grain) -> Option<Civil> {
        match grain.months() {
            Some(months) => Some(Civil { date: self.date.plus_months(count.checked_mul(months)?)?, ..self }),
            None => self.plus_seconds(count.checked_mul(grain.seconds())?),
        }
    }

    /// The beginning of the unit that this time falls in. Weeks begin on Monday.
    #[must_use]
    pub fn floor(self, grain: Grain) -> Civil {
        let date = self.date;
        let day = match grain {
            Grain::Second | Grain::Minute | Grain::Hour => {
                let second = i64::from(self.second);
                let second = second - second % grain.seconds();
                return Civil { date, second: u32::try_from(second).unwrap_or(self.second) };
            }
            Grain::Day => Some(date),
            Grain::Week => date.plus_days(-date.weekday()),
            Grain::Month => Date::new(date.year(), date.month(), 1),
            Grain::Quarter => Date::new(date.year(), (date.month() - 1) / 3 * 3 + 1, 1),
            Grain::Year => Date::new(date.year(), 1, 1),
        };
        day.unwrap_or(date).start()
    }

    /// The same moment on the clock of another zone.
    pub fn between(self, from: Zone, to: Zone) -> Option<Civil> {
        self.plus_seconds((i64::from(to.0) - i64::from(from.0)) * 60)
    }

    /// A time written as `2027-03-04T15:30:00` or `2027-03-04 15:30`, and its zone where one is written.
    pub fn parse(text: &str) -> Option<(Civil, Option<Zone>)> {
        let (day, time) = text.split_once(['T', 't', ' ']).map_or((text, ""), |(day, time)| (day, time));
        let date = Date::parse(day)?;
        let (time, zone) = match time.find(['Z', 'z', '+', '-']) {
            Some(at) => (time.get(..at)?, Some(Zone::parse(time.get(at..)?)?)),
            None => (time, None),
        };
        if time.is_empty() {
            return Some((date.start(), zone));
        }
        let time = time.split_once('.').map_or(time, |(time, _)| time);
        let mut parts = time.split(':');
        let hour = whole(parts.next()?, 2)?;
        let minute = whole(parts.next()?, 2)?;
        let second = parts.next().map_or(Some(0), |part| whole(part, 2))?;
        parts.next().is_none().then_some(())?;
        Some((Civil::new(date, hour, minute, second)?, zone))
    }
}

impl fmt::Display for Civil {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}T{:02}:{:02}:{:02}", self.date, self.hour(), self.minute(), self.second())
    }
}

impl Serialize for Civil {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// How finely a time is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grain {
    /// To the second.
    Second,
    /// To the minute.
    Minute,
    /// To the hour.
    Hour,
    /// To the day.
    Day,
    /// To the week, from Monday.
    Week,
    /// To the month.
    Month,
    /// To the quarter of a year.
    Quarter,
    /// To the year.
    Year,
}

impl Grain {
    /// Its length in seconds where that is always the same; of the longer ones a rough one.
    pub fn seconds(self) -> i64 {
        match self {
            Grain::Second => 1,
            Grain::Minute => 60,
            Grain::Hour => 3600,
            Grain::Day => DAY_S,
            Grain::Week => 7 * DAY_S,
            Grain::Month => 30 * DAY_S,
            Grain::Quarter => 91 * DAY_S,
            Grain::Year => 365 * DAY_S,
        }
    }

    /// How many months it has, where it is made of months.
    pub fn months(self) -> Option<i64> {
        match self {
            Grain::Month => Some(1),
            Grain::Quarter => Some(3),
            Grain::Year => Some(12),
            _ => None,
        }
    }
}

/// Minutes by which a clock is ahead of UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Zone(pub i16);

impl Zone {
    /// A zone as times are written with it: `Z`, `+02:00`, `-0330`, `+1`.
    pub fn parse(text: &str) -> Option<Zone> {
        let minutes = match text {
            "Z" | "z" => 0,
            _ => {
                let (ahead, rest) = text
                    .strip_prefix('+')
                    .map(|rest| (1, rest))
                    .or(text.strip_prefix('-').map(|rest| (-1, rest)))?;
                let (hours, minutes) = match rest.len() {
                    1 | 2 => (rest, "00"),
                    _ => rest.split_once(':').or_else(|| rest.split_at_checked(2))?,
                };
                let (hours, minutes) = (whole(hours, hours.len())?, whole(minutes, 2)?);
                ahead * ((0..=14).contains(&hours) && minutes < 60).then_some(hours * 60 + minutes)?
            }
        };
        Some(Zone(minutes.try_into().ok()?))
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, minutes) = (if self.0 < 0 { '-' } else { '+' }, self.0.unsigned_abs());
        write!(out, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn civil(text: &str) -> Civil {
        Civil::parse(text).unwrap().0
    }

    #[track_caller]
    fn check(from: &str, count: i64, grain: Grain, expected: &str) {
        assert_eq!(
            civil(from).plus(count, grain).unwrap().to_string(),
            expected,
            "{from} + {count} {grain:?}"
        );
    }

    #[test]
    fn units_are_added_and_the_end_of_a_month_is_its_last_day() {
        check("2024-01-31T10:00", 1, Grain::Month, "2024-02-29T10:00:00");
        check("2024-02-29", 1, Grain::Year, "2025-02-28T00:00:00");
        check("2013-02-12T04:30", -3, Grain::Month, "2012-11-12T04:30:00");
        check("2013-02-12T23:30", 1, Grain::Hour, "2013-02-13T00:30:00");
        check("2013-12-30", 1, Grain::Week, "2014-01-06T00:00:00");
    }

    #[test]
    fn a_time_falls_into_its_units() {
        let now = civil("2013-02-14T04:30:21");
        let floors = [
            (Grain::Minute, "2013-02-14T04:30:00"),
            (Grain::Week, "2013-02-11T00:00:00"),
            (Grain::Quarter, "2013-01-01T00:00:00"),
        ];
        for (grain, expected) in floors {
            assert_eq!(now.floor(grain).to_string(), expected);
        }
    }

    #[test]
    fn iso_is_read_and_nothing_else() {
        assert_eq!(Civil::parse("2027-03-04T15:30:10Z"), Some((civil("2027-03-04T15:30:10"), Some(Zone(0)))));
        assert_eq!(Civil::parse("2027-03-04 15:30-02:30").unwrap().1, Some(Zone(-150)));
        for bad in
            ["2027-02-29", "2027-3-4", "27-03-04", "2027-03-04T25:00", "2027-03-04T10", "", "2027-03-04-05"]
        {
            assert_eq!(Civil::parse(bad), None, "{bad}");
        }
        assert_eq!(Zone(-150).to_string(), "-02:30");
    }

    proptest! {
        #[test]
        fn days_are_counted_there_and_back(days in -4_000_000_i64..2_900_000) {
            let date = Date::from_days(days).unwrap();
            prop_assert_eq!(date.days(), days);
            prop_assert_eq!(Date::parse(&date.to_string()), Some(date));
            prop_assert_eq!(date.plus_days(7).map(Date::weekday), Some(date.weekday()));
        }
    }
}
