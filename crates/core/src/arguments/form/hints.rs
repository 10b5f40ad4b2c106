//! What does a description say that the schema does not? Examples in quotation marks, the form of a date, a unit.

use super::{End, Form, Kind};
use crate::arguments::phrase;
use crate::mentions::{Dimension, Unit};

/// Most examples that are read from one description.
const VALUES_MAX: usize = 24;
/// Longest text that is an example, in words: what is longer is a sentence.
const VALUE_WORDS_MAX: usize = 5;

/// What a description says about the values of its slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// Examples of values.
    pub values: Vec<String>,
    /// How a date is to be written.
    pub date_format: Option<String>,
}

/// Reads a description.
pub(super) fn of(description: &str) -> Said {
    let date_format = date_format(description);
    let mut values = quoted(description);
    if values.is_empty() {
        values = listed(description);
    }
    values.retain(|value| !value.is_empty() && phrase::split(value).len() <= VALUE_WORDS_MAX);
    values.truncate(VALUES_MAX);
    Said { values, date_format }
}

/// What stands in quotation marks: `either 'men' or 'women'`.
fn quoted(description: &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    let mut rest = description;
    while let Some(at) = rest.find(['\'', '"', '`', '“', '‘']) {
        let (before, from) = rest.split_at(at);
        let Some(mark) = from.chars().next() else { break };
        let within = from.get(mark.len_utf8()..).unwrap_or_default();
        let closing = match mark {
            '“' => '”',
            '‘' => '’',
            same => same,
        };
        // An apostrophe within a word quotes nothing.
        let opens = !before.ends_with(char::is_alphanumeric);
        match within.find(closing).filter(|_| opens) {
            Some(end) => {
                let (value, after) = within.split_at(end);
                if !values.iter().any(|known| known == value) {
                    values.push(value.trim().to_owned());
                }
                rest = after.get(closing.len_utf8()..).unwrap_or_default();
            }
            None => rest = within,
        }
    }
    values
}

/// What is counted up as an example: `(e.g., Drama, Comedy, etc)`, `such as steep or moderate`.
fn listed(description: &str) -> Vec<String> {
    let lower = description.to_lowercase();
    let opening =
        ["e.g.,", "e.g.", "e.g ", "i.e.,", "i.e.", "such as", "for example", "can be either", "options are"];
    let begins = opening.iter().filter_map(|cue| lower.find(cue).map(|at| at + cue.len())).min();
    let Some(list) = begins.and_then(|at| description.get(at..)) else { return Vec::new() };
    let list = list.split([')', ';', '.', ':']).next().unwrap_or_default();
    let parts = list.split(',').flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and "));
    let parts = parts.map(|part| part.trim().trim_start_matches("or ").trim_start_matches("and ").trim());
    parts.filter(|part| !part.is_empty() && *part != "etc").map(str::to_owned).collect()
}

/// A date as a description spells it: `YYYY-MM-DD`, `mm/dd/yyyy`, `month-day-year`; a month as `YYYY-MM`.
fn date_format(description: &str) -> Option<String> {
    let parts = |word: &str| -> Option<String> {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let sign = word.chars().find(|c| !c.is_alphanumeric())?;
        let letters: Option<Vec<&str>> = word
            .split(sign)
            .map(|part| match part.to_lowercase().as_str() {
                "yyyy" | "yyy" | "year" => Some("YYYY"),
                "mm" | "month" => Some("MM"),
                "dd" | "day" => Some("DD"),
                _ => None,
            })
            .collect();
        let is_whole = |letters: &Vec<&str>| {
            letters.len() == 3 || letters.len() == 2 && letters.contains(&"YYYY") && letters.contains(&"MM")
        };
        letters.filter(is_whole).map(|letters| letters.join(&sign.to_string()))
    };
    description
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '\'' | '"' | ','))
        .find_map(parts)
}

/// The kind of value that a text slot takes, where its name says.
pub(super) fn kind(name: &str, description: &str) -> Option<Kind> {
    let words = phrase::split(name);
    let has = |word: &str| words.iter().any(|known| known == word);
    let last = words.last().map_or("", String::as_str);
    let spans =
        phrase::split(description).iter().any(|word| matches!(word.as_str(), "frame" | "period" | "zone"));
    match last {
        "datetime" | "timestamp" => Some(Kind::DateTime),
        "date" | "day" if has("time") => Some(Kind::DateTime),
        "date" => Some(Kind::Date),
        "time" if has("date") => Some(Kind::DateTime),
        "time" if !spans => Some(Kind::Time),
        "email" => Some(Kind::Email),
        "url" | "uri" | "link" => Some(Kind::Url),
        "phone" => Some(Kind::Phone),
        _ => None,
    }
}

/// The unit of a slot's numbers: `in kilometers`, `(minutes)`, `weight_kg`.
pub(super) fn unit(name: &str, description: &str, kind: Kind) -> Option<&'static Unit> {
    if !kind.is_number() {
        return None;
    }
    let words = phrase::split(description);
    let measured = |at: usize| {
        let word = words.get(at)?;
        let next = words.get(at + 1);
        // "degrees Celsius" is one unit, "square feet" another.
        let both = next.and_then(|next| Unit::named(&format!("{word} {next}")));
        both.or_else(|| Unit::named(word)).or_else(|| {
            matches!(word.as_str(), "degrees" | "degree").then(|| next.and_then(|next| Unit::named(next)))?
        })
    };
    let after_in =
        words.iter().enumerate().filter(|(_, word)| *word == "in").find_map(|(at, _)| measured(at + 1));
    after_in.or_else(|| {
        let named = phrase::split(name);
        let last = named.last()?;
        // `minutes_worked`, `days_ahead`.
        let first = named.first().filter(|first| named.len() > 1 && first.ends_with('s'));
        let lasts =
            first.and_then(|first| Unit::named(first)).filter(|unit| unit.dimension == Dimension::Duration);
        if lasts.is_some() {
            return lasts;
        }
        let alone = named.len() == 1;
        match last.as_str() {
            last if alone && UNITS_ALONE.contains(&last) => Unit::named(last),
            _ if alone && !(last.ends_with('s') && last.len() >= UNIT_ALONE_LETTERS_MIN) => None,
            // "min" may be a minimum; the form looks at the words before it.
            "nights" => Unit::named("days"),
            _ if named.len() > 1
                && matches!(
                    named.get(named.len() - 2).map(String::as_str),
                    Some("cubic" | "square" | "sq")
                ) =>
            {
                None
            }
            "s" => Unit::named("seconds"),
            // `duration_h`, and not `image_h`.
            "h" => {
                Unit::named("hours").filter(|_| named.iter().any(|word| DURATIONS.contains(&word.as_str())))
            }
            "sec" | "hr" | "pct" => Unit::named(if last == "pct" { "percent" } else { last }),
            last => {
                Unit::named(last).filter(|unit| unit.dimension != Dimension::Duration || last.ends_with('s'))
            }
        }
    })
}

/// Shortest unit that may be a slot's whole name: `days`, and not `ms`.
const UNIT_ALONE_LETTERS_MIN: usize = 4;
/// Shorter units that may be, since they are no words of their own: `kg`.
const UNITS_ALONE: [&str; 13] =
    ["cm", "gb", "ghz", "kb", "kg", "km", "kw", "kwh", "mb", "mhz", "ml", "mm", "tb"];

/// Words for how long something takes, before a `min` that is a minute and not a minimum.
const DURATIONS: [&str; 25] = [
    "after", "bake", "break", "buffer", "cook", "delay", "drive", "duration", "hold", "interval", "late",
    "length", "notice", "pause", "prep", "ramp", "rest", "runtime", "session", "snooze", "time", "timeout",
    "travel", "wait", "window",
];

/// `duration_min` is in minutes, `bedrooms_min` is not.
pub(super) fn minutes(form: &mut Form) {
    for slot in &mut form.slots {
        let words = slot.names.first().map(|name| name.words.as_slice()).unwrap_or_default();
        let [before @ .., last] = words else { continue };
        let lasts = before.iter().any(|word| DURATIONS.contains(&word.as_str()))
            || slot.about.words.iter().any(|word| word.starts_with("minute"));
        if last == "min" && lasts && slot.kind.is_number() && slot.unit.is_none() {
            (slot.unit, slot.end) = (Unit::named("minutes"), None);
        }
    }
}

/// Verbs of tools that keep what was.
const RECORDING: [&str; 2] = ["log", "record"];
/// Words of slots that tell of what is to come, also in such tools.
const COMING: [&str; 11] =
    ["by", "deadline", "due", "end", "expires", "follow", "next", "remind", "return", "to", "until"];
/// Participles that tell of what was: `received_on`, but not `needed_on` or `feed_time`.
const WAS: [&str; 22] = [
    "admitted",
    "arrived",
    "collected",
    "completed",
    "delivered",
    "diagnosed",
    "discharged",
    "discovered",
    "finished",
    "happened",
    "harvested",
    "hired",
    "inspected",
    "measured",
    "milked",
    "noticed",
    "observed",
    "occurred",
    "purchased",
    "received",
    "sampled",
    "visited",
];

/// Whether a slot tells since when, or when something was: `happened_at`, `received_on`.
pub(super) fn looks_back(name: &str, description: &str) -> bool {
    let (named, told) = (phrase::split(name), phrase::split(description));
    let was = |verb: &str| WAS.contains(&verb);
    let when = |word: &str| matches!(word, "on" | "at" | "date" | "time" | "day");
    let since = named.iter().chain(&told).any(|word| word == "since" || word == "onset");
    since || named.windows(2).any(|pair| matches!(pair, [verb, last] if was(verb) && when(last)))
}

/// The days of tools that record are days that were: `log_reading`, `diary.recordAttack`.
pub(super) fn recorded(form: &mut Form) {
    let own = form.tool.rsplit(['.', '/']).next().unwrap_or_default();
    let records = phrase::split(own).first().is_some_and(|verb| RECORDING.contains(&verb.as_str()));
    for slot in form.slots.iter_mut().filter(|slot| records && slot.kind.is_time()) {
        let words = slot.names.first().map(|name| name.words.as_slice()).unwrap_or_default();
        slot.looks_back |= !words.iter().any(|word| COMING.contains(&word.as_str()));
    }
}

/// Which end of a range a slot is by its name.
pub(super) fn end(name: &str) -> Option<End> {
    phrase::split(name).iter().find_map(|word| match word.as_str() {
        "min" | "minimum" | "least" | "low" | "lower" | "lowest" | "start" | "begin" | "from" | "after"
        | "earliest" => Some(End::Low),
        "max" | "maximum" | "most" | "high" | "upper" | "highest" | "end" | "to" | "until" | "before"
        | "latest" => Some(End::High),
        _ => None,
    })
}
