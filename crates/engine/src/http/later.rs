//! When may it be asked again? What `Retry-After` says: seconds, or a date.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};
use waypost_core::history::read_instant;

/// The months as HTTP writes them.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The wait that an answer asks for. A date is held against the answer's own `Date`, so that two clocks that differ do no
/// harm; only where there is none, against the clock of this machine.
pub(super) fn asked(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok();
    let written = text(RETRY_AFTER)?.trim();
    if let Ok(seconds) = written.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let then = read_date(written)?;
    let now = text(DATE).and_then(|date| read_date(date.trim()));
    Some(then.saturating_sub(now.unwrap_or_else(here)))
}

/// The time since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that may still be sent.
fn read_date(written: &str) -> Option<Duration> {
    let (_, rest) = written.strip_suffix(" GMT")?.split_once(", ")?;
    let mut parts = rest.splitn(4, ' ');
    let (day, month, year, time) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let ms = read_instant(&format!("{year}-{month:02}-{day}T{time}Z")).ok()?;
    Some(Duration::from_millis(ms))
}

fn here() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(retry_after: &str, date: Option<&str>, expected: Option<u64>) {
        let date = date.map(|date| (DATE, date.parse().unwrap()));
        let headers = [(RETRY_AFTER, retry_after.parse().unwrap())].into_iter().chain(date).collect();
        assert_eq!(asked(&headers), expected.map(Duration::from_secs), "{retry_after}");
    }

    #[test]
    fn waits_are_seconds_or_dates() {
        let now = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        check("7", now, Some(7));
        check(" 0 ", None, Some(0));
        check("Sun, 06 Nov 1994 08:49:40 GMT", now, Some(3));
        check("Mon, 07 Nov 1994 08:49:37 GMT", now, Some(86_400));
        check("Sun, 06 Nov 1994 08:49:30 GMT", now, Some(0));
        check("Sun, 06 Nov 1994 08:49:30 GMT", None, Some(0));
        for odd in ["soon", "-1", "", "Sun, 06 Noe 1994 08:49:40 GMT", "Sun, 66 Nov 1994 08:49:40 GMT"] {
            check(odd, now, None);
        }
        assert_eq!(asked(&HeaderMap::new()), None);
    }
}
