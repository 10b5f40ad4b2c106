//! Which numbers are cards, and which are telephones?

use std::ops::Range;

use super::checks::{digits_of, luhn};
use super::page::{Page, Shape};
use super::vocabulary::Traits;
use super::{EntityKind, Found};

/// Longest card number, in digits: what ISO 7812 allows.
const CARD_DIGITS_MAX: usize = 19;
/// Shortest card number, in digits: Maestro's.
const CARD_DIGITS_MIN: usize = 12;
/// Longest telephone number, in digits: what E.164 allows, and an international prefix.
const PHONE_DIGITS_MAX: usize = 16;
/// Shortest telephone number, in digits: a local one.
const PHONE_DIGITS_MIN: usize = 7;
/// Most groups a telephone number is written in: a country, an area and five pairs.
const PHONE_GROUPS_MAX: usize = 8;
/// How many words before a number its cue may stand: "my credit card number is".
const CUE_WORDS: usize = 6;

/// A row of groups of digits, as they stand in the text.
struct Row<'p, 't> {
    page: &'p Page<'t>,
    /// Words of the page.
    words: Range<usize>,
}

/// Finds cards and telephone numbers.
pub(super) fn notice(page: &Page<'_>, found: &mut Found) {
    let mut at = 0;
    while at < page.words.len() {
        if page.shape(at) != Some(Shape::Digits) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while page.shape(end) == Some(Shape::Digits) && joins(page.gap(end - 1)) {
            end += 1;
        }
        let row = Row { page, words: at..end };
        notice_cards(&row, found);
        notice_phone(&row, found);
        at = end;
    }
}

/// What may stand between the groups of one number.
fn joins(gap: &str) -> bool {
    matches!(
        gap,
        " " | "-" | "." | "/" | ") " | ")" | " (" | "-(" | ")-" | "\u{a0}" | " - " | "–" | "\u{2011}"
    )
}

impl Row<'_, '_> {
    fn lengths(&self) -> Vec<usize> {
        self.words.clone().map(|word| self.page.word(word).len()).collect()
    }

    fn is_cued(&self, traits: Traits) -> bool {
        self.page.cued(self.words.start, CUE_WORDS, traits) || self.page.cued_after(self.words.end, 2, traits)
    }
}

fn notice_cards(row: &Row<'_, '_>, found: &mut Found) {
    let mut first = row.words.start;
    while first < row.words.end {
        first = match card_at(row, first) {
            Some((last, confidence)) => {
                found.add(EntityKind::Card, row.page.range(first, last), confidence, "luhn and issuer");
                last + 1
            }
            None => first + 1,
        };
    }
}

/// The card that begins with a group: its last group and how sure it is.
fn card_at(row: &Row<'_, '_>, first: usize) -> Option<(usize, i32)> {
    let page = row.page;
    let mut length = 0;
    for last in first..row.words.end {
        length += page.word(last).len();
        if length > CARD_DIGITS_MAX || (last > first && !matches!(page.gap(last - 1), " " | "-")) {
            break;
        }
        if length < CARD_DIGITS_MIN || !is_card_layout(row, first, last) {
            continue;
        }
        let digits = digits_of(page.text.get(page.range(first, last)).unwrap_or_default());
        if let Some(confidence) = judge_card(row, &digits) {
            return Some((last, confidence));
        }
    }
    None
}

/// Cards are written in one piece, in fours, or as 4-6-5 and 4-6-4.
fn is_card_layout(row: &Row<'_, '_>, first: usize, last: usize) -> bool {
    let lengths: Vec<usize> = (first..=last).map(|word| row.page.word(word).len()).collect();
    match lengths.as_slice() {
        [_] | [4, 6, 4 | 5] => true,
        [fours @ .., end] => *end <= 4 && fours.iter().all(|length| *length == 4),
        [] => false,
    }
}

/// How sure it is that digits are a card's; nothing where they are not.
fn judge_card(row: &Row<'_, '_>, digits: &[u32]) -> Option<i32> {
    if !luhn(digits) {
        return None;
    }
    let cued = row.page.cued(row.words.start, CUE_WORDS, Traits::CUE_CARD);
    let other = row.page.cued(row.words.start, 3, Traits::CUE_ORDER);
    match (issuer(digits), cued, other) {
        (Some(_), true, false) => Some(98),
        // Issuers take up new ranges; what is called a card and checks is one.
        (None, true, false) if digits.len() >= 13 => Some(80),
        (Some(Issuer::Sure), false, false) => Some(90),
        (Some(Issuer::Sure), _, true) => Some(55),
        _ => None,
    }
}

/// How much a beginning and a length say.
enum Issuer {
    /// A narrow range of one issuer.
    Sure,
    /// Ranges so wide that any number may fall in them.
    Unsure,
}

fn issuer(digits: &[u32]) -> Option<Issuer> {
    let six = digits.iter().take(6).fold(0, |number, digit| number * 10 + digit);
    let (two, three, four) = (six / 10_000, six / 1_000, six / 100);
    match digits.len() {
        13 | 16 | 19 if two / 10 == 4 => Some(Issuer::Sure),
        15 if matches!(two, 34 | 37) => Some(Issuer::Sure),
        14..=19 if matches!(three, 300..=305) || matches!(two, 36 | 38 | 39) => Some(Issuer::Sure),
        15 if matches!(four, 1800 | 2131) => Some(Issuer::Sure),
        16 if matches!(two, 51..=55) || matches!(four, 2221..=2720 | 2200..=2204) => Some(Issuer::Sure),
        16..=19
            if matches!(four, 6011 | 3528..=3589) || matches!(three, 644..=649) || matches!(two, 62 | 65) =>
        {
            Some(Issuer::Sure)
        }
        12..=19 if matches!(two, 50 | 56..=69) => Some(Issuer::Unsure),
        _ => None,
    }
}

fn notice_phone(row: &Row<'_, '_>, found: &mut Found) {
    if judge_and_add(row, found) || row.words.len() < 2 {
        return;
    }
    // What stands before a number joined by hyphens, with a blank between, is another number.
    let page = row.page;
    let first =
        row.words.clone().rev().take_while(|word| *word == row.words.end - 1 || page.gap(*word) == "-");
    if let Some(first) = first.last().filter(|first| *first > row.words.start) {
        judge_and_add(&Row { page, words: first..row.words.end }, found);
    }
}

fn judge_and_add(row: &Row<'_, '_>, found: &mut Found) -> bool {
    let page = row.page;
    if row.words.len() > PHONE_GROUPS_MAX {
        return false;
    }
    let before = page.gap_before(row.words.start);
    let lead = before.chars().rev().take_while(|c| matches!(c, '+' | '(')).count();
    let start = page.start(row.words.start).saturating_sub(lead);
    let end = page.end(row.words.end - 1);
    let glued = page.gap(row.words.end - 1).starts_with(['/', ':', '%', '@', '_'])
        || before.ends_with(['#', '/', ':', '_', '@', '$', '€', '£', '=', '.']) && lead == 0 && before != ":";
    let lengths = row.lengths();
    let number = Number {
        row,
        lengths: &lengths,
        plus: before.contains('+') && lead > 0,
        paren: before.ends_with('('),
    };
    let Some(confidence) = number.judge().filter(|_| !glued || number.plus) else { return false };
    found.add(EntityKind::Phone, start..end, confidence, "telephone number");
    true
}

/// A row as a telephone number would be read.
struct Number<'r> {
    row: &'r Row<'r, 'r>,
    lengths: &'r [usize],
    plus: bool,
    paren: bool,
}

impl Number<'_> {
    /// How sure it is that this is a telephone number.
    fn judge(&self) -> Option<i32> {
        let digits: usize = self.lengths.iter().sum();
        if !(PHONE_DIGITS_MIN..=PHONE_DIGITS_MAX).contains(&digits) || self.is_other() {
            return None;
        }
        let cued = self.row.is_cued(Traits::CUE_PHONE);
        let other = self.row.page.cued(self.row.words.start, 3, Traits::CUE_ORDER | Traits::CUE_CARD);
        let shape = self.weigh_shape(digits);
        let sum = shape + if cued { 35 } else { 0 } - if other { 40 } else { 0 };
        (sum >= 50).then_some(sum.min(97))
    }

    /// How much it looks like one, in hundredths.
    fn weigh_shape(&self, digits: usize) -> i32 {
        let page = self.row.page;
        let first = page.word(self.row.words.start);
        let uniform =
            self.row.words.clone().skip(1).all(|word| page.gap(word - 1) == page.gap(self.row.words.start));
        match self.lengths {
            _ if self.plus && digits >= 8 => 90,
            // North America: 541-714-1388, (541) 714-1388, 1-541-714-1388, 001-541-714-1388.
            [3, 3, 4] | [1 | 3, 3, 3, 4] => 80,
            [_, _, ..] if self.paren && digits >= 8 => 65,
            [_, _, ..] if first.starts_with("00") && digits >= 10 => 75,
            // A trunk prefix and groups: 0490 75 40 81, 07700 063 966.
            [2..=5, _, ..] if first.starts_with('0') && (8..=12).contains(&digits) => 60,
            // Pairs, and pairs behind an area: 60-56-85-91.
            [2 | 3, 2, 2, 2] | [2, 2, 2, 2, 2] if uniform => 55,
            [3 | 4, 4] => 30,
            [_, _, ..] if digits >= 8 && self.lengths.iter().all(|length| (2..=4).contains(length)) => 40,
            [10] if !first.starts_with('1') => 25,
            [9..=12] if first.starts_with('0') => 40,
            [7..=12] => 20,
            [_, _] if digits <= 10 => 20,
            _ => 0,
        }
    }

    /// Whether the groups are a date, an address of a machine or a number with thousands apart.
    fn is_other(&self) -> bool {
        let page = self.row.page;
        let gap = page.gap(self.row.words.start);
        match self.lengths {
            [4, 2, 2, ..] | [2, 2, 4] | [1 | 2, 1 | 2, 4, ..] if !self.plus => {
                matches!(gap, "-" | "/" | ".")
            }
            // A social security number, an American postal code.
            [3, 2, 4] | [5, 4] if gap == "-" => true,
            [1..=3, rest @ ..] if gap == " " && rest.iter().all(|length| *length == 3) && rest.len() > 1 => {
                !self.paren && !self.plus && self.lengths.first() != Some(&3)
            }
            [_, _, _, _] if gap == "." && self.lengths.iter().all(|length| *length <= 3) => true,
            [_, _] if matches!(gap, "." | "/") => true,
            _ => false,
        }
    }
}
