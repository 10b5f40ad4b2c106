//! How much is spoken of? Money, shares and quantities with their units.

use super::page::{Page, Shape};
use super::vocabulary::{Traits, traits_of};
use super::{EntityKind, Found};

/// Signs of money, before or behind a number.
const SIGNS: &[char] = &['$', '€', '£', '¥', '₹', '₽', '₩', '₫', '₺', '₴', '฿'];

/// Finds amounts.
pub(super) fn notice(page: &Page<'_>, found: &mut Found) {
    let mut first = 0;
    while first < page.words.len() {
        let last = match page.shape(first) {
            Some(Shape::Digits) => last_group(page, first),
            Some(Shape::Mixed) => first,
            _ => {
                first += 1;
                continue;
            }
        };
        notice_number(page, first, last, found);
        first = last + 1;
    }
}

/// The last word of a number with thousands and decimals: 1,000.50.
fn last_group(page: &Page<'_>, first: usize) -> usize {
    let mut last = first;
    let is_three = |word: usize| page.shape(word) == Some(Shape::Digits) && page.word(word).len() == 3;
    if page.word(first).len() <= 3
        && page.gap(first) == " "
        && is_three(first + 1)
        && page.gap(first + 1) == " "
        && is_three(first + 2)
    {
        last = first + 2;
    }
    while matches!(page.gap(last), "," | ".")
        && matches!(page.shape(last + 1), Some(Shape::Digits | Shape::Mixed))
    {
        last += 1;
        if page.shape(last) == Some(Shape::Mixed) {
            break;
        }
    }
    last
}

fn notice_number(page: &Page<'_>, first: usize, last: usize, found: &mut Found) {
    let (start, end) = (page.start(first), page.end(last));
    let (before, after) = (page.gap_before(first), page.gap(last));
    let glued = (page.shape(last) == Some(Shape::Mixed)).then(|| unit_of(page.word(last)));
    let scaled =
        after == " " && matches!(page.word(last + 1), "million" | "billion" | "thousand" | "trillion");
    let unit = last + 1 + usize::from(scaled);
    if before.ends_with(SIGNS) && glued.is_none_or(is_scale) {
        let sign = before.chars().next_back().map_or(0, char::len_utf8);
        found.add(EntityKind::Amount, start - sign..page.end(unit - 1), 93, "money");
    } else if let Some(sign) = sign_length(after, SIGNS) {
        found.add(EntityKind::Amount, start..end + sign, 90, "money");
    } else if let Some(sign) = sign_length(after, &['%']) {
        found.add(EntityKind::Amount, start..end + sign, 93, "percent");
    } else if let Some(glued) = glued {
        let known = traits_of(glued).any(Traits::MEASURE | Traits::CURRENCY);
        if known && glued.len() < page.word(last).len() && !before.ends_with(['-', '.', '/', '_']) {
            found.add(EntityKind::Amount, start..end, 80, "quantity");
        }
    } else {
        notice_unit(page, first, unit, found);
    }
}

/// A number and the unit in the next word, or the currency in the one before.
fn notice_unit(page: &Page<'_>, first: usize, unit: usize, found: &mut Found) {
    let start = page.start(first);
    let joined = matches!(page.gap(unit - 1), " " | "-");
    if joined && page.is(unit, Traits::CURRENCY) {
        found.add(EntityKind::Amount, start..page.end(unit), 90, "money");
    } else if joined && page.is(unit, Traits::MEASURE | Traits::TIME_UNIT) && !is_single_letter(page, unit) {
        found.add(EntityKind::Amount, start..page.end(unit), 78, "quantity");
    } else if first > 0
        && page.is(first - 1, Traits::CURRENCY)
        && page.gap(first - 1) == " "
        && page.shape(first - 1) == Some(Shape::Upper)
    {
        found.add(EntityKind::Amount, page.start(first - 1)..page.end(unit - 1), 85, "money");
    }
}

/// The bytes up to the end of a sign that follows a number, with a blank before it or not.
fn sign_length(after: &str, signs: &[char]) -> Option<usize> {
    let blank = usize::from(after.starts_with(' '));
    let sign = after.get(blank..)?.chars().next().filter(|sign| signs.contains(sign))?;
    // "20 $30" is two amounts.
    let prefixed = blank == 1 && sign == '$';
    (!prefixed).then_some(blank + sign.len_utf8())
}

/// The letters behind the digits of one word.
fn unit_of(word: &str) -> &str {
    word.trim_start_matches(|c: char| c.is_ascii_digit())
}

fn is_scale(unit: &str) -> bool {
    matches!(unit.to_ascii_lowercase().as_str(), "k" | "m" | "b" | "bn" | "mm" | "mn")
}

/// "5 m" is a length; "option 5 a" is not: single letters count only behind a blank and before an end.
fn is_single_letter(page: &Page<'_>, word: usize) -> bool {
    page.word(word).len() == 1 && page.shape(word) != Some(Shape::Lower)
}
