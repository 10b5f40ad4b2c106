//! How is a time shown in tests?

use proptest::prelude::*;

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

/// The one time in a text.
#[track_caller]
fn only(text: &str, setting: &Setting) -> Time {
    let mut found = find(text, setting).into_iter().filter_map(|mention| match mention.value {
        Value::Time(time) => Some(time),
        _ => None,
    });
    let time = found.next().expect(text);
    assert_eq!(found.next(), None, "{text}");
    time
}

#[test]
fn about_the_past_the_latest_such_day_is_meant() {
    let setting = setting("US");
    for (text, coming, latest) in [
        ("march 5", "2027-03-05", "2026-03-05"),
        ("friday", "2027-03-05", "2027-02-26"),
        ("easter", "2027-03-28", "2026-04-05"),
        ("5 may 2028", "2028-05-05", "2028-05-05"),
        ("tomorrow", "2027-03-03", "2027-03-03"),
        ("june", "2027-06-01", "2026-06-01"),
    ] {
        let time = only(text, &setting);
        assert_eq!(time.start.date.to_string(), coming, "{text}");
        assert_eq!(time.latest(&setting).start.date.to_string(), latest, "{text}");
    }
}

#[test]
fn what_was_said_is_kept() {
    let setting = setting("US");
    for (text, date, clock) in [
        ("at 3:30 pm", None, Some("15:30")),
        ("march 5", Some("2027-03-05"), None),
        ("friday at noon", Some("2027-03-05"), Some("12:00")),
        ("in the morning", None, None),
        ("in 2 hours", Some("2027-03-02"), Some("11:15")),
    ] {
        let time = only(text, &setting);
        assert_eq!(time.date().map(|date| date.to_string()).as_deref(), date, "{text}");
        assert_eq!(time.clock().as_deref(), clock, "{text}");
    }
    let twelve = ["at 7", "tomorrow at 7"].map(|text| only(text, &setting).said.clock);
    assert_eq!(twelve, [Clock::Twelve; 2]);
    let full = ["at 7 pm", "at 19:00", "at 7 in the evening"].map(|text| only(text, &setting).said.clock);
    assert_eq!(full, [Clock::Full; 3]);
    assert!(only("march 5 2028", &setting).said.year && !only("march 5", &setting).said.year);
}

#[test]
fn sides_have_their_ends() {
    let setting = setting("US");
    for (text, from, to) in [
        ("after friday", Some("2027-03-06T00:00:00"), None),
        ("since 2020", Some("2020-01-01T00:00:00"), None),
        ("until friday", None, Some("2027-03-06T00:00:00")),
        ("until 3 pm", None, Some("2027-03-02T15:00:00")),
        ("before friday", None, Some("2027-03-05T00:00:00")),
        ("by friday", None, Some("2027-03-06T00:00:00")),
    ] {
        let time = only(text, &setting);
        assert_eq!(time.from().map(|at| at.to_string()).as_deref(), from, "{text}");
        assert_eq!(time.to().map(|at| at.to_string()).as_deref(), to, "{text}");
    }
}

#[test]
fn without_a_clock_only_what_needs_none_is_found() {
    let setting = Setting::default();
    assert_eq!(only("2027-11-05 at 3 pm", &setting).start.to_string(), "2027-11-05T15:00:00");
    assert_eq!(only("at 3 pm", &setting).clock().as_deref(), Some("15:00"));
    for text in ["tomorrow", "march 5", "next week", "friday at noon"] {
        assert!(show(text, &setting).is_empty(), "{text}");
    }
}

proptest! {
    #[test]
    fn any_words_give_times_in_their_order(words in prop::collection::vec(word(), 0..12)) {
        let text = words.concat();
        let tokens = Tokens::new(&text);
        let mut found = Vec::new();
        super::find(&tokens, &setting("GB"), &mut found);
        let mut end = 0;
        for mention in &found {
            prop_assert!(mention.span.start >= end && mention.span.end > mention.span.start);
            prop_assert!(text.get(mention.span.range()).is_some());
            end = mention.span.end;
            let Value::Time(time) = &mention.value else { continue };
            prop_assert!(time.start <= time.end, "{} is {:?}", mention.span.of(&text), time);
        }
    }
}

fn word() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "the ",
        "first ",
        "monday ",
        "of ",
        "march ",
        "3",
        "/",
        ":",
        "30",
        " ",
        "pm ",
        "to ",
        "from ",
        "next ",
        "last ",
        "2 ",
        "weeks ",
        "ago ",
        "at ",
        "half ",
        "past ",
        "tomorrow ",
        "christmas ",
        "end ",
        "-",
        "2028 ",
        "in ",
        "by ",
        "tonight ",
        "before ",
        "closest ",
        "for ",
        "hour ",
        "gmt ",
        "é ",
        "diwali ",
        "31 ",
        "feb ",
        "quarter ",
        ", ",
    ];
    prop::sample::select(WORDS).prop_map(str::to_owned)
}
