//! When was it? Milliseconds since 1970 for machines, RFC 3339 for people.

/// The last instant that can be written, in milliseconds since 1970-01-01 UTC: the end of the year 9999. What is
/// beyond was counted in a finer unit.
pub const INSTANT_MS_MAX: u64 = 253_402_300_799_999;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const MINUTE_MS: i64 = 60 * 1000;
/// The years after which the calendar repeats, and their days.
const ERA_YEARS: i64 = 400;
const ERA_DAYS: i64 = 146_097;
/// Days from the first of March of the year 0, where eras begin, to 1970-01-01.
const EPOCH_DAYS: i64 = 719_468;

/// Reads milliseconds since 1970, or an instant of RFC 3339 such as `2026-03-01T09:30:00Z`.
pub fn read_instant(written: &str) -> Result<u64, String> {
    let expected = || {
        format!(
            "{written:?} is no time; expected one such as 2026-03-01T09:30:00Z, or milliseconds since 1970"
        )
    };
    let all_digits = !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_digit());
    let ms = if all_digits { written.parse().ok() } else { rfc3339(written) };
    match ms.ok_or_else(expected)? {
        ms if ms <= INSTANT_MS_MAX => Ok(ms),
        ms => Err(format!("{ms} is beyond the year 9999; expected milliseconds since 1970")),
    }
}

/// An instant as RFC 3339 in UTC, with milliseconds only where there are some.
pub fn show_instant(ms: u64) -> String {
    let ms = i64::try_from(ms.min(INSTANT_MS_MAX)).unwrap_or_default();
    let (year, month, day) = civil(ms.div_euclid(DAY_MS));
    let of_day = ms.rem_euclid(DAY_MS);
    let (hour, minute, second, rest) =
        (of_day / (60 * MINUTE_MS), of_day / MINUTE_MS % 60, of_day / 1000 % 60, of_day % 1000);
    let rest = if rest > 0 { format!(".{rest:03}") } else { String::new() };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{rest}Z")
}

fn rfc3339(written: &str) -> Option<u64> {
    let mut rest = written;
    let date = [digits(&mut rest, 4)?, sign(&mut rest, "-").and_then(|()| digits(&mut rest, 2))?];
    let day = sign(&mut rest, "-").and_then(|()| digits(&mut rest, 2))?;
    sign(&mut rest, "Tt ")?;
    let hour = digits(&mut rest, 2)?;
    let minute = sign(&mut rest, ":").and_then(|()| digits(&mut rest, 2))?;
    let second = sign(&mut rest, ":").and_then(|()| digits(&mut rest, 2))?;
    let fraction = if sign(&mut rest, ".").is_some() { fraction(&mut rest)? } else { 0 };
    let offset = offset(rest)?;
    let [year, month] = date;
    // A leap second is taken for the first of the next minute.
    let in_range = (1..=12).contains(&month) && hour < 24 && minute < 60 && second <= 60;
    if !in_range || !(1..=days_of(year, month)).contains(&day) {
        return None;
    }
    let of_day = (hour * 60 + minute) * MINUTE_MS + second * 1000 + fraction;
    u64::try_from(days(year, month, day) * DAY_MS + of_day - offset * MINUTE_MS).ok()
}

/// The next so many digits.
fn digits(rest: &mut &str, count: usize) -> Option<i64> {
    let (taken, after) = rest.split_at_checked(count)?;
    *rest = after;
    taken.bytes().all(|byte| byte.is_ascii_digit()).then(|| taken.parse().ok())?
}

/// The next character, if it is one of these.
fn sign(rest: &mut &str, allowed: &str) -> Option<()> {
    let first = rest.chars().next().filter(|c| allowed.contains(*c))?;
    *rest = rest.get(first.len_utf8()..)?;
    Some(())
}

/// The fraction of a second, in whole milliseconds.
fn fraction(rest: &mut &str) -> Option<i64> {
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let written = rest.strip_suffix(after).filter(|digits| !digits.is_empty())?;
    *rest = after;
    written.chars().chain("00".chars()).take(3).collect::<String>().parse().ok()
}

/// The offset from UTC, in minutes.
fn offset(rest: &str) -> Option<i64> {
    let (east, mut rest) = match rest.split_at_checked(1)? {
        ("Z" | "z", "") => return Some(0),
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let hours = digits(&mut rest, 2)?;
    let minutes = sign(&mut rest, ":").and_then(|()| digits(&mut rest, 2))?;
    (rest.is_empty() && hours < 24 && minutes < 60).then_some(east * (hours * 60 + minutes))
}

/// How many days a month has.
pub(crate) fn days_of(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01. Years are counted from March, so that the leap day is their last.
pub(crate) fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(ERA_YEARS), year.rem_euclid(ERA_YEARS));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH_DAYS
}

/// The year, month and day of days since 1970-01-01.
pub(crate) fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + EPOCH_DAYS;
    let (era, of_era) = (days.div_euclid(ERA_DAYS), days.rem_euclid(ERA_DAYS));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * ERA_YEARS + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_read_and_shown() {
        let check = |written: &str, ms: u64, shown: &str| {
            assert_eq!(read_instant(written), Ok(ms), "{written}");
            assert_eq!(show_instant(ms), shown, "{written}");
        };
        check("0", 0, "1970-01-01T00:00:00Z");
        check("1772357400000", 1_772_357_400_000, "2026-03-01T09:30:00Z");
        check("2026-03-01T09:30:00Z", 1_772_357_400_000, "2026-03-01T09:30:00Z");
        check("2026-03-01t09:30:00z", 1_772_357_400_000, "2026-03-01T09:30:00Z");
        check("2026-03-01 10:30:00+01:00", 1_772_357_400_000, "2026-03-01T09:30:00Z");
        check("2026-02-28T23:30:00.5-10:00", 1_772_357_400_500, "2026-03-01T09:30:00.500Z");
        check("2026-03-01T09:30:00.0079Z", 1_772_357_400_007, "2026-03-01T09:30:00.007Z");
        check("2024-02-29T00:00:00Z", 1_709_164_800_000, "2024-02-29T00:00:00Z");
        check("2000-02-29T23:59:60Z", 951_868_800_000, "2000-03-01T00:00:00Z");
        check("9999-12-31T23:59:59.999Z", INSTANT_MS_MAX, "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn what_is_no_instant_is_refused() {
        for written in [
            "",
            "now",
            "-1",
            "2026-03-01",
            "2026-03-01T09:30Z",
            "2026-03-01T09:30:00",
            "2026-13-01T09:30:00Z",
            "2026-02-29T09:30:00Z",
            "2100-02-29T09:30:00Z",
            "2026-03-00T09:30:00Z",
            "2026-03-01T24:00:00Z",
            "2026-03-01T09:30:00.Z",
            "2026-03-01T09:30:00+1:00",
            "2026-03-01T09:30:00Z ",
            "2026-03-01T09:30:é0Z",
            "1969-12-31T23:59:59Z",
            "253402300800000",
            "99999999999999999999999",
        ] {
            assert!(read_instant(written).is_err(), "{written}");
        }
    }

    #[test]
    fn every_day_is_read_as_it_is_shown() {
        for day in (0..=INSTANT_MS_MAX / 86_400_000).step_by(17) {
            let shown = show_instant(day * 86_400_000);
            assert_eq!(read_instant(&shown), Ok(day * 86_400_000), "{shown}");
        }
    }
}
