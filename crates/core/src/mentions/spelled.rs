//! Which number, code or day is spelled out or said in parts? "Nine nine oh four two", "a fifth", "thurs 26", "month end".

/// A number that is said figure by figure: "nine nine oh four two", "double four three".
pub fn figure_by_figure(piece: &str) -> Option<f64> {
    let code = code(piece)?;
    code.bytes().all(|byte| byte.is_ascii_digit()).then(|| code.parse().ok()).flatten()
}

/// A code that is said letter by letter and figure by figure, as it is written: "c four oh oh seven" is C4007, "i dash zero nine" I-09.
pub fn code(piece: &str) -> Option<String> {
    let mut out = String::new();
    let (mut figures, mut others, mut times) = (0, 0, 1);
    for word in piece.to_lowercase().split(' ').filter(|word| !word.is_empty()) {
        let repeated = TIMES.iter().find(|(name, _)| *name == word).map(|(_, times)| *times);
        if let Some(repeated) = repeated {
            times = repeated;
            continue;
        }
        let sign = SIGNS.iter().find(|(name, _)| *name == word).map(|(_, sign)| *sign);
        let letter = word.chars().next().filter(|letter| word.len() == 1 && letter.is_ascii_alphanumeric());
        match (FIGURES.iter().position(|name| *name == word), sign.or(letter)) {
            (Some(figure), _) => {
                figures += times;
                out.extend(std::iter::repeat_n((b'0'..=b'9').nth(figure % 10).map(char::from)?, times));
            }
            (None, Some(one)) => {
                others += times;
                out.extend(std::iter::repeat_n(one.to_ascii_uppercase(), times));
            }
            (None, None) => return None,
        }
        times = 1;
    }
    let spelled =
        times == 1 && figures > 0 && (others > 0 && figures + others >= CODE_MIN || figures >= CODE_MIN);
    spelled.then_some(out)
}

/// Fewest letters and figures of a code that is spelled.
const CODE_MIN: usize = 3;
/// Figures by their names, zero in two ways.
const FIGURES: [&str; 11] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "oh"];
/// How often the next figure or letter stands there.
const TIMES: [(&str, usize); 2] = [("double", 2), ("triple", 3)];
/// Signs by their names.
const SIGNS: [(&str, char); 8] = [
    ("dash", '-'),
    ("hyphen", '-'),
    ("minus", '-'),
    ("dot", '.'),
    ("point", '.'),
    ("slash", '/'),
    ("underscore", '_'),
    ("hash", '#'),
];

/// What part of a whole a piece names: "a fifth", "two thirds", "three quarters", "all the way".
pub fn part_of_whole(piece: &str) -> Option<f64> {
    let lower = piece.trim().to_lowercase();
    let named = PARTS.iter().find(|(name, _)| *name == lower).map(|(_, part)| *part);
    named.or_else(|| {
        let words: Vec<&str> = lower.split([' ', '-']).collect();
        let (count, part) = match *words.as_slice() {
            [part] => ("a", part),
            [count, part] => (count, part),
            _ => return None,
        };
        let count =
            if matches!(count, "a" | "an") { 1 } else { FIGURES.iter().position(|name| *name == count)? };
        let part = DENOMINATORS.iter().position(|name| part.strip_suffix('s').unwrap_or(part) == *name)? + 2;
        #[allow(clippy::cast_precision_loss)] // small numbers
        (count > 0 && count < part).then(|| count as f64 / part as f64)
    })
}

/// The names of parts, from halves on.
const DENOMINATORS: [&str; 9] =
    ["half", "third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
/// Parts with names of their own.
const PARTS: [(&str, f64); 14] = [
    ("all", 1.0),
    ("all the way", 1.0),
    ("all the way up", 1.0),
    ("full", 1.0),
    ("fully", 1.0),
    ("full blast", 1.0),
    ("full power", 1.0),
    ("maximum", 1.0),
    ("max", 1.0),
    ("to the brim", 1.0),
    ("half way", 0.5),
    ("halfway", 0.5),
    ("three-quarters", 0.75),
    ("two-thirds", 2.0 / 3.0),
];

/// How a piece that names the end of a month or a year is usually said: "month end", "the last of the month".
pub fn end_of_period(piece: &str) -> Option<String> {
    let lower = piece.trim().to_lowercase();
    let bare = ["until ", "till ", "by ", "on ", "at "].iter().find_map(|lead| lower.strip_prefix(lead));
    let bare = bare.unwrap_or(&lower);
    let bare = bare.strip_prefix("the ").unwrap_or(bare);
    let period = |name: &str| match name {
        "month" | "quarter" | "year" => Some(format!("end of the {name}")),
        _ => None,
    };
    let jotted = bare.strip_suffix(" end").or_else(|| bare.strip_suffix("-end")).and_then(period);
    let last = || {
        bare.strip_prefix("last of the ").or_else(|| bare.strip_prefix("last day of the ")).and_then(period)
    };
    jotted.or_else(last).or_else(|| (bare != lower && bare.starts_with("end of")).then(|| bare.to_owned()))
}

/// A weekday with its day of the month as it is usually said: "thurs 26" is "thurs the 26th", "fri 27.11" "fri 27 november", "next Monday, the 23rd, at 10"
/// "monday the 23rd at 10". Where an hour may follow, a day needs its ending: "monday 9" is nine o'clock.
pub fn day_of_weekday(piece: &str, with_hour: bool) -> Option<String> {
    let lower = piece.trim().to_lowercase();
    let words: Vec<&str> = lower.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_weekday = |word: &&str| {
        word.len() >= WEEKDAY_LETTERS_MIN && WEEKDAYS.iter().any(|known| known.starts_with(*word))
    };
    let at = words.iter().position(is_weekday)?;
    let (before, rest) = words.split_at_checked(at)?;
    let (name, rest) = rest.split_first()?;
    let before = before.iter().take_while(|word| !WHICH_WEEK.contains(*word)).copied();
    let mut rest = rest.iter().copied().skip_while(|word| WHICH_WEEK.contains(word));
    let day = spelled_day(rest.next()?, with_hour)?;
    let said: Vec<&str> = before.chain([*name, day.as_str()]).chain(rest).collect();
    (with_hour || said.len() == 2).then(|| said.join(" "))
}

/// A day of the month as it is usually said, with its month if it has one.
fn spelled_day(word: &str, needs_ending: bool) -> Option<String> {
    let number = |figures: &str, most: usize| figures.parse().ok().filter(|n| (1..=most).contains(n));
    let word = word.trim_end_matches('.');
    if let Some((day, month)) = word.split_once('.').filter(|_| !needs_ending) {
        return Some(format!("{} {}", number(day, DAYS_MAX)?, MONTHS.get(number(month, MONTHS.len())? - 1)?));
    }
    let figures = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let day = number(figures, DAYS_MAX)?;
    let has_ending = word.strip_prefix(figures) == Some(ending(day));
    (has_ending || figures == word && !needs_ending).then(|| format!("the {day}{}", ending(day)))
}

/// Words around a weekday that a day of the month makes superfluous.
const WHICH_WEEK: [&str; 8] = ["the", "next", "this", "coming", "on", "week", "after", "following"];

/// Whether a word is the name of a month or a weekday.
pub fn names_day(word: &str) -> bool {
    let lower = word.to_lowercase();
    let bare = lower.trim_end_matches([',', '.']);
    MONTHS.contains(&bare) || WEEKDAYS.contains(&bare)
}

/// The ending of an ordinal in figures.
const fn ending(number: usize) -> &'static str {
    match (number % 10, number / 10) {
        (1, tens) if tens != 1 => "st",
        (2, tens) if tens != 1 => "nd",
        (3, tens) if tens != 1 => "rd",
        _ => "th",
    }
}

/// Fewest letters of the name of a weekday.
const WEEKDAY_LETTERS_MIN: usize = 3;
/// Days of the longest month.
const DAYS_MAX: usize = 31;
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
