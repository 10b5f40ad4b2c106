//! Which words are bank accounts? IBANs, by country, length and check.

use super::checks;
use super::page::{Page, Shape};
use super::{EntityKind, Found};

/// Length of an IBAN, in characters, by country: the SWIFT registry.
const IBAN_LENGTHS: &[(usize, &str)] = &[
    (15, "NO"),
    (16, "BE"),
    (18, "DK FO FI GL NL SD"),
    (19, "MK SI"),
    (20, "AT BA EE KZ LT LU XK MN"),
    (21, "CH HR LI LV"),
    (22, "BG BH CR DE GB GE IE ME RS VA"),
    (23, "AE GI IL IQ TL OM SO"),
    (24, "AD CZ ES MD PK RO SA SE SK TN VG"),
    (25, "LY PT ST"),
    (26, "IS TR"),
    (27, "FR GR IT MC MR SM BI DJ"),
    (28, "AL AZ BY CY DO GT HU LB PL SV NI"),
    (29, "BR EG PS QA UA"),
    (30, "JO KW MU YE"),
    (31, "MT SC"),
    (32, "LC"),
    (33, "RU"),
];

/// Finds IBANs, in one piece or in groups.
pub(super) fn notice(page: &Page<'_>, found: &mut Found) {
    for first in 0..page.words.len() {
        let Some(wanted) = expected_length(page, first) else { continue };
        let mut compact = String::with_capacity(wanted);
        for last in first..page.words.len() {
            let word = page.word(last);
            if compact.len() + word.len() > wanted || !word.is_ascii() {
                break;
            }
            compact.push_str(word);
            if compact.len() == wanted {
                if checks::iban(&compact) {
                    found.add(EntityKind::Iban, page.range(first, last), 99, "iban check");
                }
                break;
            }
            if !matches!(page.gap(last), " " | "-" | "\u{a0}") {
                break;
            }
        }
    }
}

/// How long an IBAN that begins here is: two letters of a country and two digits.
fn expected_length(page: &Page<'_>, first: usize) -> Option<usize> {
    if page.shape(first) != Some(Shape::Mixed) {
        return None;
    }
    let word = page.word(first);
    let country = word.get(..2)?.to_ascii_uppercase();
    let check = word.get(2..4)?;
    let (length, _) =
        IBAN_LENGTHS.iter().find(|(_, countries)| countries.split(' ').any(|known| known == country))?;
    check.bytes().all(|byte| byte.is_ascii_digit()).then_some(*length)
}
