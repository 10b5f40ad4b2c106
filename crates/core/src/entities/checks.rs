//! Does a number check? The sums that tell a real number from any number of its length.

/// The digits of a text, everything else left out.
pub(super) fn digits_of(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// Cards, Canadian SIN: every second digit from the right doubled, its digits added.
pub(super) fn luhn(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| if place % 2 == 1 { doubled(*digit) } else { *digit })
        .sum();
    sum.is_multiple_of(10)
}

/// IBAN: country and check digits moved to the end, letters as numbers from ten, modulo 97 is one.
pub(super) fn iban(compact: &str) -> bool {
    let (Some(head), Some(tail)) = (compact.get(..4), compact.get(4..)) else { return false };
    let rest = tail.chars().chain(head.chars()).try_fold(0u32, |rest, c| {
        let value = c.to_digit(36)?;
        Some(if value > 9 { (rest * 100 + value) % 97 } else { (rest * 10 + value) % 97 })
    });
    rest == Some(1)
}

/// The sum of digits, each times its weight.
fn weighed(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

/// Polish PESEL: eleven digits, the last a weighed sum of the others; the first six a day.
pub(super) fn pesel(digits: &[u32]) -> bool {
    let [.., m1, m2, d1, d2, _, _, _, _, last] = digits else { return false };
    let month = (m1 % 2) * 10 + m2;
    let day = d1 * 10 + d2;
    let sum = weighed(digits, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
    digits.len() == 11
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (10 - sum % 10) % 10 == *last
}

/// Dutch BSN: nine digits, the last of them counted minus once, divisible by eleven.
pub(super) fn bsn(digits: &[u32]) -> bool {
    let sum = weighed(digits, &[9, 8, 7, 6, 5, 4, 3, 2]);
    let last = digits.last().copied().unwrap_or_default();
    digits.len() == 9 && sum > 0 && sum >= last && (sum - last).is_multiple_of(11)
}

/// Brazilian CPF: eleven digits, not all alike, the last two sums modulo eleven.
pub(super) fn cpf(digits: &[u32]) -> bool {
    let check = |length: usize| {
        let head = digits.get(..length).unwrap_or_default();
        let sum: u32 = head.iter().rev().zip(2..).map(|(digit, weight)| digit * weight).sum();
        let rest = sum * 10 % 11 % 10;
        digits.get(length) == Some(&rest)
    };
    let alike = digits.iter().all(|digit| Some(digit) == digits.first());
    digits.len() == 11 && !alike && check(9) && check(10)
}

/// German tax id: eleven digits, not beginning with nought, ISO 7064 modulo 11,10.
pub(super) fn german_tax_id(digits: &[u32]) -> bool {
    let Some((last, head)) = digits.split_last() else { return false };
    let product = head.iter().fold(10, |product, digit| {
        let sum = (digit + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    digits.len() == 11 && head.first() != Some(&0) && (11 - product) % 10 == *last
}

/// French NIR: thirteen digits and the key that brings them to 97; sex and month must be possible.
pub(super) fn nir(digits: &[u32]) -> bool {
    let (Some(head), Some(key)) = (digits.get(..13), digits.get(13..15)) else { return false };
    let number = |digits: &[u32]| digits.iter().fold(0u64, |number, digit| number * 10 + u64::from(*digit));
    let month = digits.get(3..5).map_or(0, number);
    digits.len() == 15
        && matches!(head.first(), Some(1 | 2))
        && ((1..=12).contains(&month) || (20..=42).contains(&month))
        && 97 - number(head) % 97 == number(key)
}

/// How Verhoeff's scheme combines two digits: the group of the pentagon's turns and flips.
const fn turn(a: u32, b: u32) -> u32 {
    match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => 5 + (a + b - 5) % 5,
        (false, true) => 5 + (a - 5 + 5 - b) % 5,
        (false, false) => (a - 5 + 10 - b) % 5,
    }
}

/// How it shuffles a digit, once.
const fn shuffle(digit: u32) -> u32 {
    match digit {
        0 => 1,
        1 => 5,
        2 => 7,
        3 => 6,
        4 => 2,
        5 => 8,
        6 => 3,
        7 => 0,
        8 => 9,
        _ => 4,
    }
}

/// Indian Aadhaar: twelve digits, not beginning with nought or one, Verhoeff's check.
pub(super) fn aadhaar(digits: &[u32]) -> bool {
    let sum = digits.iter().rev().enumerate().fold(0, |sum, (place, digit)| {
        let shuffled = (0..place % 8).fold(*digit, |digit, _| shuffle(digit));
        turn(sum, shuffled)
    });
    digits.len() == 12 && !matches!(digits.first(), Some(0 | 1)) && sum == 0
}

/// The letters of Spanish DNI and NIE, by the number modulo 23.
const DNI_LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";

/// Spanish DNI and NIE: eight digits, or X, Y, Z and seven, and the letter that fits.
pub(super) fn dni(compact: &str) -> bool {
    let upper = compact.to_ascii_uppercase();
    let (Some(head), Some(letter)) = (upper.get(..8), upper.as_bytes().get(8).copied()) else { return false };
    let number = match head.split_at_checked(1) {
        Some(("X", rest)) => rest.parse::<u32>(),
        Some(("Y", rest)) => rest.parse().map(|number: u32| 10_000_000 + number),
        Some(("Z", rest)) => rest.parse().map(|number: u32| 20_000_000 + number),
        _ => head.parse(),
    };
    let digits_behind = head.bytes().skip(1).all(|byte| byte.is_ascii_digit());
    let fits =
        |number: u32| usize::try_from(number % 23).ok().and_then(|at| DNI_LETTERS.get(at)) == Some(&letter);
    upper.len() == 9 && digits_behind && number.is_ok_and(fits)
}

/// What a character in an odd place of a codice fiscale is worth: A and nought, B and one, and so on.
const CODICE_ODD: [u32; 26] =
    [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/// Italian codice fiscale: six letters, the date, the place, and a letter that checks them.
pub(super) fn codice_fiscale(compact: &str) -> bool {
    let upper = compact.to_ascii_uppercase();
    let shape = upper.len() == 16
        && upper.bytes().enumerate().all(|(place, byte)| match place {
            0..=5 | 8 | 11 | 15 => byte.is_ascii_uppercase(),
            // Digits may be replaced by letters where two people would have the same code.
            _ => byte.is_ascii_digit() || b"LMNPQRSTUV".contains(&byte),
        });
    let value =
        |byte: u8| u32::from(if byte.is_ascii_digit() { byte - b'0' } else { byte.wrapping_sub(b'A') });
    let sum: u32 = upper
        .bytes()
        .take(15)
        .enumerate()
        .map(|(place, byte)| match (place % 2, usize::try_from(value(byte))) {
            (0, Ok(at)) => CODICE_ODD.get(at).copied().unwrap_or_default(),
            _ => value(byte),
        })
        .sum();
    shape && upper.bytes().last().map(value) == Some(sum % 26)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(is_right: fn(&[u32]) -> bool, right: &str) {
        assert!(is_right(&digits_of(right)), "{right}");
        let mut wrong = digits_of(right);
        let last = wrong.last_mut().unwrap();
        *last = (*last + 1) % 10;
        assert!(!is_right(&wrong), "{right} with another last digit");
    }

    #[test]
    fn one_digit_off_does_not_check() {
        check(luhn, "4111 1111 1111 1111");
        check(luhn, "046 454 286");
        check(pesel, "44051401359");
        check(bsn, "111222333");
        check(cpf, "529.982.247-25");
        check(german_tax_id, "86095742719");
        check(nir, "2 55 08 14 168 025 38");
        check(aadhaar, "2341 2341 2346");
    }

    #[test]
    fn one_letter_off_does_not_check() {
        type Case = (fn(&str) -> bool, &'static str, &'static str);
        let cases: &[Case] = &[
            (iban, "GB82WEST12345698765432", "GB82WEST12345698765433"),
            (iban, "DE89370400440532013000", "DE88370400440532013000"),
            (dni, "12345678Z", "12345678A"),
            (dni, "X1234567L", "X1234567M"),
            (codice_fiscale, "RSSMRA85T10A562S", "RSSMRA85T10A562T"),
        ];
        for (is_right, right, wrong) in cases {
            assert!(is_right(right), "{right}");
            assert!(!is_right(wrong), "{wrong}");
        }
    }

    #[test]
    fn what_is_too_short_does_not_check() {
        for text in ["", "1", "é", "12345678é", "AB"] {
            let digits = digits_of(text);
            assert!(!pesel(&digits) && !bsn(&digits) && !cpf(&digits) && !nir(&digits) && !aadhaar(&digits));
            assert!(!german_tax_id(&digits) && !iban(text) && !dni(text) && !codice_fiscale(text));
        }
    }
}
