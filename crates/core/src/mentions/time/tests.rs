//! How is a time shown in tests?

use super::super::find;
use super::*;

/// A Tuesday.
pub(super) const NOW: &str = "2027-03-02T09:15:00";

pub(super) fn setting(country: &str) -> Setting {
    Setting {
        now: Civil::parse(NOW).map(|(now, _)| now),
        zone: Zone(60),
        order: None,
        country: Some(country.to_owned()),
    }
}

/// `words: START grain` for one unit, `words: START/END grain` for a stretch, `~` before what need not be meant.
pub(super) fn show(text: &str, setting: &Setting) -> Vec<String> {
    let times = find(text, setting).into_iter().filter_map(|mention| match mention.value {
        Value::Time(time) => Some((mention.span, mention.latent, time)),
        _ => None,
    });
    times
        .map(|(span, latent, time)| {
            format!("{}{}: {}", if latent { "~" } else { "" }, span.of(text), told(&time))
        })
        .collect()
}

fn told(time: &Time) -> String {
    let short = |at: Civil| {
        let text = at.to_string();
        let text = text.strip_suffix(":00").unwrap_or(&text);
        text.strip_suffix("T00:00").unwrap_or(text).to_owned()
    };
    let one = time.start.floor(time.grain) == time.start && time.start.plus(1, time.grain) == Some(time.end);
    let stretch = if one { short(time.start) } else { format!("{}/{}", short(time.start), short(time.end)) };
    let bound = if time.bound == Bound::At { String::new() } else { format!(" {:?}", time.bound) };
    let other = time.other.as_ref().map_or(String::new(), |other| format!(" or {}", told(other)));
    let words = format!("{:?}{bound}", time.grain).to_lowercase();
    format!("{stretch} {words}{other}")
}

/// What is found in a text, said in America on a Tuesday morning.
#[track_caller]
pub(super) fn check(text: &str, expected: &[&str]) {
    assert_eq!(show(text, &setting("US")), expected, "{text}");
}
