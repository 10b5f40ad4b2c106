//! Which places in an order are said? Third, 3rd, #3, twenty-fifth.

use super::figures;
use super::numbers::{self, Letters};
use super::tokens::Tokens;
use super::words::{self, Word, is_dash};
use super::{Mention, Value};

/// The place in an order that starts at a token, and the token behind it: 3rd, twenty-fifth, #3.
pub(super) fn at(tokens: &Tokens<'_>, i: usize) -> Option<(i64, usize)> {
    let lower = tokens.lower(i);
    if lower == "#" && figures::joins(tokens, i + 1) {
        return Some((tokens.lower(i + 1).parse().ok()?, i + 2));
    }
    if figures::is_figures(tokens, i) {
        let ends = tokens.is_joined(i + 1) && matches!(tokens.lower(i + 1), "st" | "nd" | "rd" | "th");
        return if ends { Some((lower.parse().ok()?, i + 2)) } else { None };
    }
    if let Some(place) = words::ordinal(lower) {
        return Some((place, i + 1));
    }
    if let Some((ten, rest)) = words::split_ten(lower) {
        let unit = words::ordinal(rest).filter(|unit| *unit < 10)?;
        return Some((whole_number(ten)? + unit, i + 1));
    }
    behind(tokens, i)
}

/// A place in an order whose last word alone says so: twenty-fifth, two hundred and first, two hundredth.
fn behind(tokens: &Tokens<'_>, i: usize) -> Option<(i64, usize)> {
    let Some(Word::Unit(_) | Word::Teen(_) | Word::Ten(_) | Word::Hundred | Word::Scale(_)) =
        words::word(tokens.lower(i))
    else {
        return None;
    };
    let read = numbers::whole(tokens, i, f64::INFINITY, Letters::Left).filter(|read| !read.part)?;
    let before = whole_number(read.value)?;
    let mut at = read.next;
    at += usize::from(is_dash(tokens.lower(at)) || (tokens.lower(at) == "and" && before % 100 == 0));
    let place = words::ordinal(tokens.lower(at))?;
    let fits = if place >= 100 {
        Some(before * place)
    } else {
        (before % 10 == 0 && before > 10).then(|| before + place)
    };
    // Twenty seconds are no place in an order, and fifty of them are more than the tenth.
    let room = if before % 100 == 0 { place < 100 } else { place < 10 };
    fits.filter(|_| place >= 100 || room).map(|place| (place, at + 1))
}

/// A whole number as one.
fn whole_number(value: f64) -> Option<i64> {
    /// Largest place in an order that anybody names: far below where floating point loses count.
    const PLACE_MAX: f64 = 1e12;
    #[expect(clippy::cast_possible_truncation, reason = "whole and bounded, as checked")]
    (value.fract() == 0.0 && value.abs() <= PLACE_MAX).then_some(value as i64)
}

/// Finds places in an order.
pub(super) fn find(tokens: &Tokens<'_>, found: &mut Vec<Mention>) {
    let mut i = 0;
    while i < tokens.len() {
        let Some((place, next)) = at(tokens, i) else {
            i += 1;
            continue;
        };
        // "30 second" and "a second" are time spans more often than not.
        let counted = i > 0 && tokens.lower(i) == "second" && {
            let before = tokens.lower(i - 1);
            matches!(before, "a" | "per")
                || figures::is_figures(tokens, i - 1)
                || words::word(before).is_some()
        };
        found.push(Mention { span: tokens.span(i, next), value: Value::Ordinal(place), latent: counted });
        i = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<i64>) {
        let tokens = Tokens::new(text);
        let found = at(&tokens, 0).filter(|(_, next)| *next == tokens.len());
        assert_eq!(found.map(|(place, _)| place), expected, "{text}");
    }

    #[test]
    fn places_in_an_order() {
        check("3rd", Some(3));
        check("#12", Some(12));
        check("twenty-second", Some(22));
        check("fiftyfirst", Some(51));
        check("two hundred and first", Some(201));
        check("three hundredth", Some(300));
        check("ten second", None);
        check("3 rd", None);
    }
}
