//! Which parts of a whole are said? Half, three quarters, a tenth of, two *and a half*, one *point five*.

use super::figures;
use super::numbers::{Read, below_hundred};
use super::tokens::Tokens;
use super::words::{self, Word};

/// A part of a whole, or several, that stands alone or before a word that it is a part of: half, half a million.
pub(super) fn fraction(tokens: &Tokens<'_>, i: usize) -> Option<Read> {
    let part = at(tokens, i)?;
    let whole = past_article(tokens, part.next);
    let scale = match words::word(tokens.lower(whole)) {
        Some(Word::Hundred) => 100.0,
        Some(Word::Scale(scale)) => scale,
        _ => return Some(part),
    };
    Some(Read::sure(part.value * scale, whole + 1))
}

/// A part of a whole, or several: half, a quarter, three quarters, a tenth of.
pub(super) fn at(tokens: &Tokens<'_>, i: usize) -> Option<Read> {
    if let Some(value) = words::part_sign(tokens.lower(i)) {
        return Some(Read { part: true, ..Read::sure(value, i + 1) });
    }
    let (count, at) = match tokens.lower(i) {
        "a" | "an" | "one" => (Some(1.0), i + 1),
        lower => match words::word(lower) {
            Some(Word::Unit(value) | Word::Teen(value)) => (Some(value), i + 1),
            _ if figures::is_figures(tokens, i) => (lower.parse().ok(), i + 1),
            _ => (None, i),
        },
    };
    let hyphen = count.is_some()
        && words::is_dash(tokens.lower(at))
        && tokens.is_joined(at)
        && tokens.is_joined(at + 1);
    let at = at + usize::from(hyphen);
    let part = words::part(tokens.lower(at))?;
    let several = count.is_some_and(|count| count > 1.0);
    let of = tokens.lower(at + 1) == "of";
    // "Three quarter" is said as well; "three fifth" is the third and the fifth of something.
    let agree = part.plural == several || (several && !part.ordinal);
    if !agree || (part.ordinal && count.is_none() && !of) {
        return None;
    }
    let value = count.unwrap_or(1.0) / part.of;
    let latent = if several { value >= 1.0 } else { !of };
    Some(Read { value, next: at + 1, latent, part: true, letter: false })
}

/// A part of a whole that is added to a number: two *and a half*, one *and three quarters*.
pub(super) fn added(tokens: &Tokens<'_>, read: Read) -> Read {
    if read.part || tokens.lower(read.next) != "and" {
        return read;
    }
    match at(tokens, read.next + 1) {
        Some(part) => Read { value: read.value + part.value, latent: false, ..part },
        None => read,
    }
}

/// Past what stands between a part and its whole: half *a* million, a quarter *of an* hour.
pub(super) fn past_article(tokens: &Tokens<'_>, i: usize) -> usize {
    let of = i + usize::from(tokens.lower(i) == "of");
    of + usize::from(matches!(tokens.lower(of), "a" | "an"))
}

/// Decimals in words: point three, point one four, point 77.
pub(super) fn decimals(tokens: &Tokens<'_>, i: usize) -> Option<(f64, usize)> {
    if tokens.lower(i) != "point" {
        return None;
    }
    let first = tokens.lower(i + 1);
    if figures::is_figures(tokens, i + 1) {
        let power = i32::try_from(first.len()).ok().filter(|power| *power <= DECIMALS_MAX)?;
        return Some((first.parse::<f64>().ok()? / 10f64.powi(power), i + 2));
    }
    if let Some(Word::Teen(_) | Word::Ten(_)) = words::word(first) {
        let read = below_hundred(tokens, i + 1)?;
        return Some((read.value / 100.0, read.next));
    }
    let (mut value, mut power, mut next) = (0.0, 1.0, i + 1);
    while let Some(Word::Unit(unit)) = words::word(tokens.lower(next)) {
        power *= 10.0;
        value = value * 10.0 + unit;
        next += 1;
    }
    (power > 1.0).then(|| (value / power, next))
}

/// Most decimals that are said behind "point": more is no number that anybody says.
const DECIMALS_MAX: i32 = 9;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(f64, usize)>) {
        let found = fraction(&Tokens::new(text), 0).map(|read| (read.value, read.next));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn parts_are_counted_by_their_number() {
        check("half", Some((0.5, 1)));
        check("three quarters", Some((0.75, 2)));
        check("one fifth", Some((0.2, 2)));
        check("tenth of it", Some((0.1, 1)));
        check("tenth", None);
        check("two tenth", None);
        check("half a dozen", Some((6.0, 3)));
        check("a quarter of a million", Some((250_000.0, 5)));
    }

    #[test]
    fn decimals_are_said_one_by_one_or_as_a_number() {
        let check = |text: &str, expected| assert_eq!(decimals(&Tokens::new(text), 0), expected, "{text}");
        check("point one four two", Some((0.142, 4)));
        check("point seventy five", Some((0.75, 3)));
        check("point 05", Some((0.05, 2)));
        check("point taken", None);
    }
}
