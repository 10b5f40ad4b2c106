//! Which words are numbers, and of what sort?

use super::slips::is_slip;

/// What a word of a number does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Word {
    /// Zero to nine.
    Unit(f64),
    /// Ten to nineteen.
    Teen(f64),
    /// Twenty to ninety.
    Ten(f64),
    /// It multiplies what stands before it, up to the next such word: two *hundred* and five.
    Hundred,
    /// It multiplies all that stands before it: two hundred *thousand*.
    Scale(f64),
    /// A count of things that goes by a name and does not bind anybody: a *couple*, a *few*.
    Vague(f64),
}

/// What a word, in small letters, does in a number, with or without a slip of the hand.
pub(super) fn word(lower: &str) -> Option<Word> {
    plain(lower).or_else(|| plain(misspelt(lower)?))
}

/// The words that numbers are made of, small ones first.
pub(super) const NAMES: [&str; 31] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
    "million",
];
/// From here on they are long enough that few other words are a slip away.
const LONG_FROM: usize = 11;

/// The number word that was meant.
fn misspelt(lower: &str) -> Option<&'static str> {
    NAMES.into_iter().skip(LONG_FROM).find(|meant| is_slip(lower, meant))
}

fn plain(lower: &str) -> Option<Word> {
    Some(match lower {
        "zero" | "nought" | "naught" | "nil" => Word::Unit(0.0),
        "one" => Word::Unit(1.0),
        "two" => Word::Unit(2.0),
        "three" => Word::Unit(3.0),
        "four" => Word::Unit(4.0),
        "five" => Word::Unit(5.0),
        "six" => Word::Unit(6.0),
        "seven" => Word::Unit(7.0),
        "eight" => Word::Unit(8.0),
        "nine" => Word::Unit(9.0),
        "ten" => Word::Teen(10.0),
        "eleven" => Word::Teen(11.0),
        "twelve" => Word::Teen(12.0),
        "thirteen" => Word::Teen(13.0),
        "fourteen" => Word::Teen(14.0),
        "fifteen" => Word::Teen(15.0),
        "sixteen" => Word::Teen(16.0),
        "seventeen" => Word::Teen(17.0),
        "eighteen" => Word::Teen(18.0),
        "nineteen" => Word::Teen(19.0),
        "hundred" | "hundreds" => Word::Hundred,
        "thousand" | "thousands" => Word::Scale(1e3),
        "lakh" | "lakhs" | "lac" | "lacs" | "lkh" | "lkhs" => Word::Scale(1e5),
        "million" | "millions" | "mn" | "mln" => Word::Scale(1e6),
        "crore" | "crores" | "koti" | "cr" | "crs" => Word::Scale(1e7),
        "billion" | "billions" | "bn" | "bln" => Word::Scale(1e9),
        "trillion" | "trillions" | "tn" => Word::Scale(1e12),
        "dozen" | "dozens" => Word::Scale(DOZEN),
        "couple" | "couples" | "pair" | "pairs" => Word::Vague(2.0),
        "few" => Word::Vague(3.0),
        _ => Word::Ten(ten(lower)?),
    })
}

/// How many make a dozen: the one multiplier that nothing is added to.
pub(super) const DOZEN: f64 = 12.0;

/// Twenty to ninety.
fn ten(lower: &str) -> Option<f64> {
    Some(match lower {
        "twenty" => 20.0,
        "thirty" => 30.0,
        "forty" | "fourty" => 40.0,
        "fifty" => 50.0,
        "sixty" => 60.0,
        "seventy" => 70.0,
        "eighty" => 80.0,
        "ninety" => 90.0,
        _ => return None,
    })
}

/// A word of tens and units written as one: twentyone. What is left of it is looked up by `rest`.
pub(super) fn split_ten(lower: &str) -> Option<(f64, &str)> {
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let name = TENS.iter().find(|name| lower.starts_with(**name))?;
    Some((ten(name)?, lower.strip_prefix(*name)?)).filter(|(_, rest)| !rest.is_empty())
}

/// The place in an order that a word below a hundred names, tens and units apart: twenty-*fifth*.
pub(super) fn ordinal(lower: &str) -> Option<i64> {
    Some(match lower {
        "first" => 1,
        "second" => 2,
        "third" => 3,
        "fourth" => 4,
        "fifth" => 5,
        "sixth" => 6,
        "seventh" => 7,
        "eighth" => 8,
        "ninth" => 9,
        "tenth" => 10,
        "eleventh" => 11,
        "twelfth" => 12,
        "thirteenth" => 13,
        "fourteenth" => 14,
        "fifteenth" => 15,
        "sixteenth" => 16,
        "seventeenth" => 17,
        "eighteenth" => 18,
        "nineteenth" => 19,
        "twentieth" => 20,
        "thirtieth" => 30,
        "fortieth" => 40,
        "fiftieth" => 50,
        "sixtieth" => 60,
        "seventieth" => 70,
        "eightieth" => 80,
        "ninetieth" => 90,
        "hundredth" => 100,
        "thousandth" => 1000,
        _ => return None,
    })
}

/// A part of a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    /// Into how many parts the whole is cut.
    pub of: f64,
    /// Whether there are several: two *thirds*.
    pub plural: bool,
    /// Whether the word names a place in an order just as well: a third.
    pub ordinal: bool,
}

/// The part that a word names. `second` names none: it is a time span or a place in an order.
pub(super) fn part(lower: &str) -> Option<Part> {
    let of = match lower {
        "half" | "halves" => 2.0,
        "quarter" | "quarters" => 4.0,
        _ => return ordinal_part(lower),
    };
    Some(Part { of, plural: lower.ends_with('s'), ordinal: false })
}

fn ordinal_part(lower: &str) -> Option<Part> {
    let name = lower.strip_suffix('s').unwrap_or(lower);
    if !matches!(name.get(name.len().saturating_sub(2)..), Some("rd" | "th")) {
        return None;
    }
    let of = u32::try_from(ordinal(name)?).ok()?;
    Some(Part { of: f64::from(of), plural: name.len() < lower.len(), ordinal: true })
}

/// The signs that are a part of a whole by themselves.
pub(super) fn part_sign(sign: &str) -> Option<f64> {
    Some(match sign {
        "½" => 0.5,
        "⅓" => 1.0 / 3.0,
        "⅔" => 2.0 / 3.0,
        "¼" => 0.25,
        "¾" => 0.75,
        "⅛" => 0.125,
        _ => return None,
    })
}

/// A dash, whichever it is.
pub(super) fn is_dash(lower: &str) -> bool {
    matches!(lower, "-" | "–" | "—" | "‑" | "−")
}

/// Whether a word says only how sure the number behind it is.
pub(super) fn is_approximate(lower: &str) -> bool {
    matches!(
        lower,
        "about"
            | "around"
            | "approximately"
            | "approx"
            | "roughly"
            | "nearly"
            | "almost"
            | "exactly"
            | "precisely"
            | "only"
            | "just"
            | "~"
            | "≈"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lower: &str, expected: Option<(f64, bool)>) {
        assert_eq!(part(lower).map(|part| (part.of, part.plural)), expected, "{lower}");
    }

    #[test]
    fn slips_of_the_hand_are_read_and_other_words_left_alone() {
        let check = |said: &str, expected: Option<Word>| assert_eq!(word(said), expected, "{said}");
        check("thousnad", Some(Word::Scale(1e3)));
        check("hundrd", Some(Word::Hundred));
        check("twnety", Some(Word::Ten(20.0)));
        check("fifteeen", Some(Word::Teen(15.0)));
        for other in ["thirsty", "mighty", "nicety", "minion", "flirty", "plenty", "forts"] {
            check(other, None);
        }
    }

    #[test]
    fn parts_are_named_like_places_in_an_order_but_for_two_and_four() {
        check("half", Some((2.0, false)));
        check("thirds", Some((3.0, true)));
        check("tenth", Some((10.0, false)));
        check("hundredths", Some((100.0, true)));
        check("second", None);
        check("first", None);
        check("month", None);
    }

    #[test]
    fn tens_and_units_may_be_one_word() {
        assert_eq!(split_ten("twentyone"), Some((20.0, "one")));
        assert_eq!(split_ten("forty"), None);
        assert_eq!(word("seventy"), Some(Word::Ten(70.0)));
        assert_eq!(word("more"), None);
    }
}
