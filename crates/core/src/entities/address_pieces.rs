//! What do addresses consist of? Streets in several layouts, units, boxes and postal codes, each with its worth.

use super::page::{Page, Shape};
use super::vocabulary::Traits;

/// Most words of a street's name: "Calle de la Virgen de los Peligros" has six behind the first.
const NAME_WORDS_MAX: usize = 6;
/// Longest number of a house, in digits.
const HOUSE_DIGITS_MAX: usize = 5;

/// A piece of an address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// First word.
    pub(super) first: usize,
    /// Last word.
    pub(super) last: usize,
    /// What it is worth, in hundredths.
    pub(super) worth: i32,
}

/// Endings of streets written in one word, with a number behind: Hauptstraße 5, Koskikatu 25.
const COMPOUNDS: &[&str] = &[
    "straße", "strasse", "str", "gasse", "platz", "allee", "damm", "ufer", "straat", "laan", "gracht",
    "plein", "kade", "dijk", "steeg", "singel", "weg", "baan", "hof", "katu", "tie", "kuja", "polku",
    "kaari", "väylä", "gata", "gatan", "vägen", "gränd", "torg", "stigen", "vej", "gade", "allé", "stræde",
    "vænget", "vangen", "veien", "vegen", "veg", "vei", "gaten", "gate", "vegur", "braut", "stígur",
    "terrasse", "bakken", "svingen", "tanav", "tee", "utca", "ulica", "sokak", "hove", "hoek", "pad", "gada",
    "iela",
];

/// Endings that English words have as well.
const COMPOUNDS_UNSURE: &[&str] =
    &["tie", "gate", "tee", "pad", "hof", "str", "hove", "kade", "gada", "veg", "gade", "weg"];

/// Finds the pieces, in order of their first words.
pub(super) fn find(page: &Page<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for word in 0..page.words.len() {
        let traits = page.traits(word);
        let shape = page.shape(word);
        if traits.any(Traits::STREET_END | Traits::STREET_END_UNSURE) {
            pieces.extend(street_ending(page, word));
        }
        if traits.any(Traits::STREET_BEGIN) {
            pieces.extend(street_beginning(page, word));
        }
        if traits.any(Traits::UNIT) {
            pieces.extend(unit(page, word));
        }
        if traits.any(Traits::STATE) && shape == Some(Shape::Upper) || military(page, word) {
            pieces.extend(state_and_code(page, word));
        }
        match shape {
            Some(Shape::Capital | Shape::Upper) => {
                pieces.extend(compound(page, word));
                pieces.extend(named_number(page, word));
            }
            Some(Shape::Lower) if page.shape(word + 1) == Some(Shape::Digits) => {
                pieces.extend(compound(page, word))
            }
            Some(Shape::Mixed | Shape::Digits) => pieces.extend(postcode(page, word)),
            _ => {}
        }
    }
    pieces.sort_by_key(|piece| (piece.first, piece.last));
    pieces
}

/// Whether a word is a house's number: 12, 12a, 97.
fn is_house(page: &Page<'_>, word: usize) -> bool {
    let text = page.word(word);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (1..=HOUSE_DIGITS_MAX).contains(&digits) && text.len() <= digits + 1
}

/// Whether the gap behind a word is one that parts of a street's name have between them.
fn is_near(page: &Page<'_>, word: usize) -> bool {
    matches!(page.gap(word), " " | ". " | "-" | "'" | "’" | "." | ", " | " ," | "  ")
}

/// Whether a word may be part of a street's name.
fn is_name(page: &Page<'_>, word: usize) -> bool {
    let capital = page.shape(word).is_some_and(Shape::is_capital);
    capital || page.is(word, Traits::PARTICLE) || is_numbered(page.word(word))
}

/// 5th, 42nd: streets of cities that number them.
fn is_numbered(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && matches!(word.get(digits..), Some("st" | "nd" | "rd" | "th"))
}

/// 12 Main Street, Main Street, Victor Hugo u. 49.
fn street_ending(page: &Page<'_>, end: usize) -> Option<Piece> {
    let sure = page.is(end, Traits::STREET_END);
    let short = matches!(page.word(end), "st" | "str" | "rd" | "ave" | "ln" | "dr" | "u");
    let capital = short || page.shape(end).is_some_and(Shape::is_capital);
    let mut first = end;
    while first > 0
        && end - first < NAME_WORDS_MAX
        && is_near(page, first - 1)
        && page.gap(first - 1) != ", "
        && is_name(page, first - 1)
    {
        first -= 1;
    }
    let named = first < end && (first..end).any(|word| !page.is(word, Traits::PARTICLE | Traits::PLAIN));
    let house = |word: usize| is_house(page, word) && !is_numbered(page.word(word));
    if first > 0 && is_near(page, first - 1) && house(first - 1) && named && (sure || capital) {
        return Some(Piece { first: first - 1, last: end, worth: if sure { 75 } else { 62 } });
    }
    if is_near(page, end) && house(end + 1) && named && page.gap(end) != ", " && (sure || capital) {
        return Some(Piece { first, last: end + 1, worth: if sure { 70 } else { 55 } });
    }
    if named && capital {
        return Some(Piece { first, last: end, worth: if sure { 30 } else { 18 } });
    }
    lower_street(page, end, sure)
}

/// 12 main street, all in lower case: only where the ending is sure and the number stands close.
fn lower_street(page: &Page<'_>, end: usize, sure: bool) -> Option<Piece> {
    let from = end.saturating_sub(4);
    let number = (from..end.saturating_sub(1))
        .rev()
        .find(|word| is_house(page, *word) && page.shape(*word) == Some(Shape::Digits))?;
    let between = number + 1..end;
    let fits = sure
        && between.clone().all(|word| {
            !page.is(word, Traits::PLAIN | Traits::TIME_UNIT | Traits::MEASURE | Traits::CURRENCY)
                && page.gap(word - 1) == " "
        });
    fits.then_some(Piece { first: number, last: end, worth: 55 })
}

/// Rue de Virton 38, 31 rue de la Hulotais, ul. Cicha 86.
fn street_beginning(page: &Page<'_>, begin: usize) -> Option<Piece> {
    let mut last = begin;
    while last - begin < NAME_WORDS_MAX
        && is_near(page, last)
        && page.gap(last) != ", "
        && is_name(page, last + 1)
    {
        last += 1;
    }
    let named = (begin + 1..=last).any(|word| {
        page.shape(word).is_some_and(Shape::is_capital) && !page.is(word, Traits::PLAIN | Traits::NUMBERED)
    });
    if !named {
        return None;
    }
    let plain = page.is(begin, Traits::PLAIN) || page.word(begin).len() == 1;
    if is_near(page, last) && is_house(page, last + 1) {
        let before = usize::from(begin > 0 && is_near(page, begin - 1) && is_house(page, begin - 1));
        return Some(Piece { first: begin - before, last: last + 1, worth: if plain { 42 } else { 70 } });
    }
    let before = begin > 0 && matches!(page.gap(begin - 1), " " | ", ") && is_house(page, begin - 1);
    if before {
        return Some(Piece { first: begin - 1, last, worth: if plain { 42 } else { 70 } });
    }
    (!plain && page.word(begin).chars().count() > 2).then_some(Piece { first: begin, last, worth: 22 })
}

/// Hauptstraße 5.
fn compound(page: &Page<'_>, word: usize) -> Option<Piece> {
    let next = page.shape(word + 1)?;
    if !matches!(next, Shape::Digits | Shape::Mixed)
        || !is_house(page, word + 1)
        || !matches!(page.gap(word), " " | ". ")
    {
        return None;
    }
    let lower = page.word(word).to_lowercase();
    let ending = COMPOUNDS
        .iter()
        .filter(|ending| lower.len() >= ending.len() + 3 && lower.ends_with(**ending))
        .max_by_key(|ending| ending.len())?;
    let capital = page.shape(word).is_some_and(Shape::is_capital);
    let unsure = COMPOUNDS_UNSURE.contains(ending);
    let worth = match (unsure, capital) {
        (false, true) => 65,
        (true, true) => 38,
        (false, false) => 40,
        (true, false) => return None,
    };
    let before = usize::from(word > 0 && page.gap(word - 1) == " " && is_house(page, word - 1));
    Some(Piece { first: word - before, last: word + 1, worth: worth + if before == 1 { 10 } else { 0 } })
}

/// Apt. 864, Suite 510, P.O. Box 287, Unit 8505 Box 9220, PSC 6293.
fn unit(page: &Page<'_>, word: usize) -> Option<Piece> {
    let lower = page.word(word).to_ascii_lowercase();
    let number = matches!(page.gap(word), " " | ". " | " #" | "." | " no. ") && is_house(page, word + 1);
    if lower == "box" && number {
        let po = word >= 2
            && page.word(word - 1).eq_ignore_ascii_case("o")
            && page.word(word - 2).eq_ignore_ascii_case("p");
        let joined = word >= 1 && page.word(word - 1).eq_ignore_ascii_case("po");
        let office = word >= 1 && page.word(word - 1).eq_ignore_ascii_case("office");
        let after_unit = word >= 2 && page.is(word - 2, Traits::UNIT) && is_house(page, word - 1);
        let back = if joined { 1 } else { 2 };
        return (po || joined || office || after_unit).then_some(Piece {
            first: word.saturating_sub(back),
            last: word + 1,
            worth: 80,
        });
    }
    let sure = matches!(lower.as_str(), "apt" | "suite" | "ste" | "apartment" | "appt" | "apto" | "psc");
    let capital = page.shape(word).is_some_and(Shape::is_capital);
    number.then_some(Piece {
        first: word,
        last: word + 1,
        worth: match (sure, capital) {
            (true, true) => 40,
            (true, false) => 30,
            (false, true) => 20,
            (false, false) => 8,
        },
    })
}

fn military(page: &Page<'_>, word: usize) -> bool {
    matches!(page.word(word), "AA" | "AE" | "AP" | "aa" | "ae" | "ap")
        && word > 0
        && matches!(page.word(word - 1).to_ascii_uppercase().as_str(), "APO" | "FPO" | "DPO")
}

/// CO 80202, APO AP 04336.
fn state_and_code(page: &Page<'_>, word: usize) -> Option<Piece> {
    let code = page.word(word + 1);
    let fits =
        page.gap(word).trim().is_empty() && page.shape(word + 1) == Some(Shape::Digits) && code.len() == 5;
    if !fits {
        return None;
    }
    let military = military(page, word);
    let first = word - usize::from(military);
    Some(Piece { first, last: word + 1, worth: if military { 75 } else { 38 } })
}

/// Coronilla 3599, with a number before it or not; alone it is little.
fn named_number(page: &Page<'_>, first: usize) -> Option<Piece> {
    let begins = |word: usize| {
        is_name(page, word)
            && !page.is(
                word,
                Traits::NUMBERED
                    | Traits::MONTH
                    | Traits::MONTH_UNSURE
                    | Traits::WEEKDAY
                    | Traits::UNIT
                    | Traits::VERSIONED
                    | Traits::PLAIN,
            )
    };
    let follows = first > 0 && page.gap(first - 1) == " " && begins(first - 1);
    if !begins(first) || follows {
        return None;
    }
    let mut last = first;
    while last - first < 4 && matches!(page.gap(last), " " | "-" | ". ") && begins(last + 1) {
        last += 1;
    }
    if !matches!(page.gap(last), " " | ". ")
        || !is_house(page, last + 1)
        || page.gap(last + 1).starts_with(['%', ':', '/', '-'])
    {
        return None;
    }
    let before = first > 0 && page.gap(first - 1) == " " && is_house(page, first - 1);
    let ends = page.gap(last + 1).starts_with(['.', ',', '\n', '?']) || page.gap(last + 1).is_empty();
    let worth = if before { 45 } else { 20 } + if ends { 5 } else { 0 };
    Some(Piece { first: first - usize::from(before), last: last + 1, worth })
}

/// British, Canadian and Dutch codes, five digits and a city, and numbers behind a word for a postal code.
fn postcode(page: &Page<'_>, word: usize) -> Option<Piece> {
    let (text, next) = (page.word(word), page.word(word + 1));
    let shape = |text: &str| -> String {
        text.chars()
            .map(|c| {
                if c.is_ascii_digit() {
                    '9'
                } else if c.is_ascii_uppercase() {
                    'A'
                } else {
                    '?'
                }
            })
            .collect()
    };
    if page.shape(word) == Some(Shape::Mixed) && text.len() <= 4 && page.gap(word) == " " && next.len() == 3 {
        let worth = match (shape(text).as_str(), shape(next).as_str()) {
            ("A9" | "A99" | "AA9" | "AA99" | "A9A" | "AA9A", "9AA") | ("A9A", "9A9") => 55,
            _ => return None,
        };
        return Some(Piece { first: word, last: word + 1, worth });
    }
    let dutch = text.len() == 4
        && page.shape(word) == Some(Shape::Digits)
        && page.gap(word) == " "
        && shape(next) == "AA";
    if dutch
        && !text.starts_with('0')
        && !matches!(next, "AD" | "BC" | "AM" | "PM" | "US" | "MB" | "GB" | "KB" | "TB" | "MS" | "KM")
    {
        return Some(Piece { first: word, last: word + 1, worth: 25 });
    }
    let city = text.len() == 5 && page.gap(word) == " " && page.shape(word + 1) == Some(Shape::Capital);
    if city && page.shape(word) == Some(Shape::Digits) && !page.is(word + 1, Traits::PLAIN | Traits::NUMBERED)
    {
        return Some(Piece { first: word, last: word + 1, worth: 20 });
    }
    let code = (4..=5).contains(&text.len()) && page.shape(word) == Some(Shape::Digits);
    (code && page.cued(word, 4, Traits::CUE_POSTAL)).then_some(Piece { first: word, last: word, worth: 40 })
}
