//! What was meant by a value that is written loosely? Misspelt days and numbers, hours without their sign, counts by who comes along. Only for pieces that are
//! known to be a value: in a whole message such words are something else more often than not.

use super::slips::distance;
use super::time::Clock;
use super::words::NAMES;
use super::{Setting, Time, Value, find};

/// Words of days and times that a misspelt word may stand for.
const TIME_WORDS: [&str; 45] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "morning",
    "afternoon",
    "evening",
    "night",
    "noon",
    "midnight",
    "next",
    "last",
    "week",
    "month",
    "year",
    "half",
    "quarter",
    "past",
    "after",
    "before",
    "christmas",
    "easter",
    "weekend",
    "hour",
    "clock",
    "end",
    "until",
];
/// Words beside [`NAMES`] that stand in numbers.
const BESIDE_NAMES: [&str; 3] = ["dozen", "point", "half"];
/// Other words that sound like numbers, and abbreviations that sound like days.
const BY_EAR: [(&str, &str); 11] = [
    ("ate", "eight"),
    ("fore", "four"),
    ("too", "two"),
    ("tree", "three"),
    ("won", "one"),
    ("sicks", "six"),
    ("fife", "five"),
    ("2day", "today"),
    ("2moro", "tomorrow"),
    ("2morrow", "tomorrow"),
    ("2nite", "tonight"),
];
/// Of these, words that are common by themselves.
const AMBIGUOUS: [&str; 3] = ["ate", "too", "won"];
/// Words that stand in times and numbers and are none of them.
const JOINS: [&str; 34] = [
    "a", "about", "am", "an", "and", "at", "by", "first", "for", "from", "in", "least", "less", "may",
    "more", "most", "none", "of", "on", "or", "other", "over", "pm", "sat", "some", "sun", "than", "that",
    "the", "then", "this", "till", "to", "under",
];
/// Fewest letters of a word that may be misspelt.
const LETTERS_MIN: usize = 3;
/// From so many letters on two may be wrong, below that one.
const LETTERS_TWO_WRONG: usize = 6;
/// How many people "both" are, "me" is and "nobody" is, and how often is "twice".
const COUNTS: [(&str, f64); 22] = [
    ("no", 0.0),
    ("nobody", 0.0),
    ("none", 0.0),
    ("no one", 0.0),
    ("nothing", 0.0),
    ("nil", 0.0),
    ("free", 0.0),
    ("zero", 0.0),
    ("me", 1.0),
    ("just me", 1.0),
    ("only me", 1.0),
    ("myself", 1.0),
    ("alone", 1.0),
    ("single", 1.0),
    ("once", 1.0),
    ("a single", 1.0),
    ("double", 2.0),
    ("both", 2.0),
    ("twice", 2.0),
    ("a pair", 2.0),
    ("thrice", 3.0),
    ("triple", 3.0),
];

/// Words behind "no" that leave it open how many are meant.
const NO_COUNT: [&str; 10] =
    ["hurry", "idea", "less", "limit", "longer", "matter", "more", "preference", "problem", "rush"];

/// A piece with its misspelt number words put right, if nothing but a number is left. Words such as "too" and "won" count for numbers only beside others.
pub fn number_words(piece: &str) -> Option<String> {
    let known: Vec<&str> = NAMES.into_iter().chain(BESIDE_NAMES).collect();
    let respelt = respelt(piece, &known, true)?;
    let is_number = |word: &str| known.contains(&word) || word == "and" || word == "a";
    let is_word = AMBIGUOUS.contains(&piece.trim().to_lowercase().as_str());
    (!is_word && respelt.split([' ', '-']).all(is_number)).then_some(respelt)
}

/// How many a piece means that names no number: nobody, me, both, twice, "no fee".
pub fn count(piece: &str) -> Option<f64> {
    let lower = piece.trim().to_lowercase();
    let named = COUNTS.iter().find(|(name, _)| *name == lower).map(|(_, count)| *count);
    let none = |rest: &str| !rest.split(' ').any(|word| NO_COUNT.contains(&word));
    let nothing = || lower.strip_prefix("no ").or_else(|| lower.strip_prefix("without "));
    let of = |lead: &str, count: f64| lower.starts_with(lead).then_some(count);
    named
        .or_else(|| nothing().filter(|rest| none(rest)).map(|_| 0.0))
        .or_else(|| of("nobody ", 0.0))
        .or_else(|| of("both ", 2.0))
}

/// A piece with its misspelt days, months and numbers put right; nothing if there are none.
pub fn time_words(piece: &str) -> Option<String> {
    let known: Vec<&str> = TIME_WORDS.into_iter().chain(NAMES).collect();
    respelt(piece, &known, false)
}

fn respelt(piece: &str, known: &[&'static str], by_ear: bool) -> Option<String> {
    let mut out = String::with_capacity(piece.len());
    let mut changed = false;
    for word in piece.to_lowercase().split_inclusive([' ', ',', '-']) {
        let bare = word.trim_end_matches([' ', ',', '-']);
        let meant = meant(bare, known, by_ear);
        changed |= meant.is_some();
        out.push_str(meant.unwrap_or(bare));
        out.push_str(word.get(bare.len()..).unwrap_or_default());
    }
    changed.then_some(out)
}

/// The one word that was meant, if it is another.
fn meant(word: &str, known: &[&'static str], by_ear: bool) -> Option<&'static str> {
    let sounds = BY_EAR.iter().find(|(said, _)| *said == word && (by_ear || said.starts_with('2')));
    if let Some((_, meant)) = sounds {
        return Some(meant);
    }
    let letters = word.chars().count();
    let is_word = word.chars().all(char::is_alphabetic) && letters >= LETTERS_MIN;
    if !is_word
        || known.contains(&word)
        || JOINS.contains(&word)
        || !find(word, &Setting::default()).is_empty()
    {
        return None;
    }
    let most = if letters >= LETTERS_TWO_WRONG { 2 } else { 1 };
    let near = known.iter().filter(|name| name.chars().next() == word.chars().next());
    let mut near: Vec<(usize, &'static str)> = near.map(|name| (distance(word, name), *name)).collect();
    near.sort_unstable();
    match near.as_slice() {
        [(edits, one), (more, _), ..] if *edits <= most && edits < more => Some(one),
        [(edits, one)] if *edits <= most => Some(one),
        _ => None,
    }
}

/// The time of day that a piece tells as hours are jotted down: 8.30, 1930, 14h, 10 hour, half 5, 9.
pub fn clock(piece: &str, setting: &Setting) -> Option<Time> {
    let piece = piece.trim().trim_matches([',', '.']).to_lowercase();
    let figures = piece.bytes().filter(u8::is_ascii_digit).count();
    let plain = figures == piece.len();
    let bare = |suffixes: &[&str]| {
        let hour = suffixes.iter().find_map(|suffix| piece.strip_suffix(suffix)).map(str::trim)?;
        let is_hour = !hour.is_empty() && hour.len() <= 2 && hour.bytes().all(|byte| byte.is_ascii_digit());
        is_hour.then(|| format!("{hour}:00"))
    };
    let jotted = [
        piece
            .split_at_checked(2)
            .filter(|_| plain && figures == 4)
            .map(|(hour, minute)| format!("{hour}:{minute}")),
        (plain && figures < 3 && figures > 0 && piece.len() <= 2).then(|| hour(&piece)).flatten(),
        bare(&["hours", "hour", "hrs", "hr", "uhr", "h"]),
        piece.contains('.').then(|| piece.replace('.', ":")),
        piece.strip_prefix("half ").map(|hour| format!("half past {hour}")),
        Some(piece.clone()),
        Some(format!("at {piece}")),
    ];
    let whole = clock_in(&piece, setting).filter(|(_, is_whole)| *is_whole);
    let jotted = || jotted.into_iter().flatten().find_map(|text| clock_in(&text, setting));
    whole.or_else(jotted).map(|(time, _)| time)
}

/// A bare hour: of twelve if it may be, else of the whole day.
fn hour(figures: &str) -> Option<String> {
    match figures.parse::<u8>().ok()? {
        1..=12 => Some(format!("at {figures}")),
        0 | 13..=23 => Some(format!("{figures}:00")),
        _ => None,
    }
}

/// The time of day that a text tells, and whether it tells nothing else.
fn clock_in(text: &str, setting: &Setting) -> Option<(Time, bool)> {
    find(text, setting).into_iter().find_map(|mention| match mention.value {
        Value::Time(time) if time.said.clock >= Clock::Twelve => {
            Some((time, mention.span.range().len() == text.len()))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Civil;
    use super::*;

    #[test]
    fn misspelt_words_are_put_right() {
        for (said, meant) in [
            ("wensday", Some("wednesday")),
            ("wendsday 18h", Some("wednesday 18h")),
            ("therty november", Some("thirty november")),
            ("on satuday", Some("on saturday")),
            ("for friday", None),
            ("2moro", Some("tomorrow")),
            ("match", Some("march")),
            ("friday", None),
            ("the sun", None),
        ] {
            assert_eq!(time_words(said).as_deref(), meant, "{said}");
        }
        for (said, meant) in [
            ("houndred", Some("hundred")),
            ("sixty sevn", Some("sixty seven")),
            ("fore point too", Some("four point two")),
            ("tree", Some("three")),
            ("for 3", None),
            ("too", None),
            ("boxes", None),
        ] {
            assert_eq!(number_words(said).as_deref(), meant, "{said}");
        }
    }

    #[test]
    fn hours_are_jotted_down() {
        let now = Civil::parse("2026-11-16T10:00:00").map(|(now, _)| now);
        let setting = Setting { now, ..Setting::default() };
        for (said, meant) in [
            ("8.30", Some("20:30")),
            ("1930", Some("19:30")),
            ("14h", Some("14:00")),
            ("16 hour", Some("16:00")),
            ("22", Some("22:00")),
            ("99", None),
            ("quickly", None),
        ] {
            let told = clock(said, &setting).and_then(|time| time.clock());
            assert_eq!(told.as_deref(), meant, "{said}");
        }
        assert!(
            clock("half 5", &setting).is_some_and(|time| time.clock().is_some_and(|at| at.ends_with(":30")))
        );
    }
}
