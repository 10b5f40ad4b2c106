//! Which numbers are said, in figures and in words?

use super::bounds::{self, One};
use super::figures;
use super::parts;
use super::starts::Starts;
use super::tokens::{Kind, Tokens};
use super::words::{self, DOZEN, Word, is_dash};
use super::{Mention, Value};

pub(super) use super::ordinals::at as ordinal_at;

/// A number that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Read {
    /// What it comes to.
    pub value: f64,
    /// The token behind it.
    pub next: usize,
    /// Whether it need not have been meant: a couple, a bare half, `one` in "this one".
    pub latent: bool,
    /// Whether it ends in a part of a whole, so that the whole may follow: half *an hour*.
    pub part: bool,
    /// Whether a letter multiplied it, which may be a unit as well: 200k.
    pub letter: bool,
}

impl Read {
    pub(super) fn sure(value: f64, next: usize) -> Read {
        Read { value, next, latent: false, part: false, letter: false }
    }
}

/// Whether a letter right behind figures is read as what they are multiplied with: 200k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    /// 3k is three thousand.
    Multiply,
    /// 3k is three of what is called k.
    Left,
}

/// The plain number that starts at a token, and the token behind it.
pub(super) fn at(tokens: &Tokens<'_>, i: usize) -> Option<(f64, usize)> {
    read(tokens, i, Letters::Multiply).map(|read| (read.value, read.next))
}

/// The number that starts at a token, with its sign.
pub(super) fn read(tokens: &Tokens<'_>, i: usize, letters: Letters) -> Option<Read> {
    let lower = tokens.lower(i);
    if is_dash(lower) {
        // Behind a word or a number it is a hyphen; before a space it may be one or open a point of a list.
        if tokens.is_joined(i) && !matches!(tokens.lower(i.wrapping_sub(1)), "(" | "[" | "$" | "€" | "£") {
            return None;
        }
        let read = positive(tokens, i + 1, letters)?;
        let spaced = !tokens.is_joined(i + 1);
        let plain = figures::is_figures(tokens, i + 1) || tokens.lower(i + 1) == ".";
        return ((!spaced || i == 0) && plain).then_some(Read { value: -read.value, latent: spaced, ..read });
    }
    if matches!(lower, "minus" | "negative") {
        return positive(tokens, i + 1, letters).map(|read| Read { value: -read.value, ..read });
    }
    positive(tokens, i, letters)
}

fn positive(tokens: &Tokens<'_>, i: usize, letters: Letters) -> Option<Read> {
    let read = parts::fraction(tokens, i).or_else(|| whole(tokens, i, f64::INFINITY, letters))?;
    Some(repeated(tokens, read))
}

/// A number below a bound: a group, what multiplies it, and what is left: two hundred thousand and five.
pub(super) fn whole(tokens: &Tokens<'_>, i: usize, below: f64, letters: Letters) -> Option<Read> {
    let mut read = group(tokens, i, letters)?;
    if below.is_infinite() {
        read = parts::added(tokens, read);
    }
    let mut scale = 1.0;
    while let Some(Word::Scale(by)) = words::word(tokens.lower(read.next)) {
        scale *= by;
        read.next += 1;
        read.latent = false;
        read.part = false;
    }
    read.value *= scale;
    if read.value >= below {
        return None;
    }
    if scale > DOZEN {
        // "A million and a half" is half a million more.
        let part = parts::added(tokens, Read { value: 0.0, ..read });
        if part.next > read.next {
            return Some(Read { value: read.value + part.value * scale, ..part });
        }
        let and = tokens.lower(read.next) == "and";
        let rest = read.next + usize::from(and);
        // "Two hundred thousand pairs" are counted in pairs; "2 million 5" is no number that anybody says.
        let counts = !matches!(words::word(tokens.lower(rest)), Some(Word::Vague(_)));
        let found = if counts { whole(tokens, rest, scale, Letters::Left) } else { None };
        let more = found.filter(|found| !figures::is_figures(tokens, rest) || found.next > rest + 1);
        if let Some(found) = more {
            read.value += found.value;
            read.next = found.next;
        }
    }
    Some(read)
}

/// What is said before a word that multiplies: figures, or words below a thousand, with decimals.
fn group(tokens: &Tokens<'_>, i: usize, letters: Letters) -> Option<Read> {
    if let Some((value, next)) = figures::at(tokens, i) {
        return Some(figure_group(tokens, i, Read::sure(value, next), letters));
    }
    let lower = tokens.lower(i);
    if lower == "point" {
        let (value, next) = parts::decimals(tokens, i)?;
        return Some(Read { latent: i > 0, ..Read::sure(value, next) });
    }
    let article = matches!(lower, "a" | "an");
    let at = i + usize::from(article);
    match words::word(tokens.lower(at)) {
        Some(Word::Vague(value)) => {
            let of = usize::from(tokens.lower(at + 1) == "of");
            let read = Read { latent: true, ..Read::sure(value, at + 1 + of) };
            Some(hundreds(tokens, read, false))
        }
        Some(Word::Hundred) => Some(hundreds(tokens, Read::sure(1.0, at), !article)),
        // The word itself is read by the caller.
        Some(Word::Scale(scale)) => {
            let of = scale <= DOZEN && tokens.lower(at + 1) == "of";
            let plural = tokens.lower(at).ends_with('s');
            Some(if of { Read::sure(scale, at + 2) } else { Read { latent: plural, ..Read::sure(1.0, at) } })
        }
        _ if article => None,
        _ => {
            let read = below_hundred(tokens, i)?;
            let read = and_decimals(tokens, read);
            Some(and_decimals(tokens, hundreds(tokens, read, false)))
        }
    }
}

/// With the decimals behind it: one *point five*.
fn and_decimals(tokens: &Tokens<'_>, read: Read) -> Read {
    match parts::decimals(tokens, read.next) {
        Some((part, next)) if read.value.fract() == 0.0 => Read::sure(read.value + part, next),
        _ => read,
    }
}

/// What may follow figures: a part (`1/2`, `2 1/2`), decimals in words (`1 point 5`), a letter (`200k`), a hundred.
fn figure_group(tokens: &Tokens<'_>, i: usize, read: Read, letters: Letters) -> Read {
    let next = read.next;
    if next == i + 1 {
        if let Some((part, next)) = figures::denominator(tokens, next) {
            // A date or a way of saying always: 03/04, 24/7.
            let latent = tokens.lower(i).starts_with('0') || read.value >= part;
            return Read { value: read.value / part, next, latent, part: true, letter: false };
        }
        let mixed = figures::is_figures(tokens, next)
            .then(|| figures::denominator(tokens, next + 1).zip(tokens.lower(next).parse::<f64>().ok()))
            .flatten()
            .filter(|((part, _), count)| count < part);
        if let Some(((part, next), count)) = mixed {
            return Read { value: read.value + count / part, next, part: true, ..read };
        }
        if let Some(part) = words::part_sign(tokens.lower(next)) {
            return Read { value: read.value + part, next: next + 1, part: true, ..read };
        }
    }
    if let Some((part, next)) = parts::decimals(tokens, next) {
        return Read::sure(read.value + part, next);
    }
    let spaced = !tokens.is_joined(next);
    if letters == Letters::Multiply
        && let Some(token) = tokens.get(next)
        && let Some((by, latent)) = figures::letter(token.span.of(tokens.text()))
        && (!spaced || matches!(tokens.lower(next), "k" | "l" | "kr"))
        && !goes_on(tokens, next + 1)
    {
        return Read { latent, letter: true, ..Read::sure(read.value * by, next + 1) };
    }
    hundreds(tokens, read, false)
}

/// Whether a unit goes on behind its letter: "k/h", "m²", "k.m". A full stop ends the sentence.
fn goes_on(tokens: &Tokens<'_>, at: usize) -> bool {
    let sign = tokens.lower(at);
    tokens.is_joined(at)
        && (matches!(sign, "/" | "²" | "³" | "^")
            || (sign == "." && tokens.is_joined(at + 1) && at + 1 < tokens.len()))
}

/// Tens and units, or a number that is said by its figures: twenty-one, one twenty two.
pub(super) fn below_hundred(tokens: &Tokens<'_>, i: usize) -> Option<Read> {
    let lower = tokens.lower(i);
    match words::word(lower) {
        Some(Word::Unit(value)) => {
            let tens = matches!(words::word(tokens.lower(i + 1)), Some(Word::Ten(_)) if value > 0.0);
            if let Some(rest) = tens.then(|| below_hundred(tokens, i + 1)).flatten() {
                return Some(Read { latent: true, ..Read::sure(value * 100.0 + rest.value, rest.next) });
            }
            Some(Read { latent: lower == "one" && is_pronoun(tokens, i), ..Read::sure(value, i + 1) })
        }
        Some(Word::Teen(value)) => Some(Read::sure(value, i + 1)),
        Some(Word::Ten(value)) => {
            let unit = i + 1 + usize::from(is_dash(tokens.lower(i + 1)) && tokens.is_joined(i + 2));
            match words::word(tokens.lower(unit)) {
                Some(Word::Unit(more)) if more > 0.0 => Some(Read::sure(value + more, unit + 1)),
                _ => Some(Read::sure(value, i + 1)),
            }
        }
        Some(_) => None,
        None => {
            let (ten, rest) = words::split_ten(lower)?;
            match words::word(rest)? {
                Word::Unit(more) => Some(Read::sure(ten + more, i + 1)),
                _ => None,
            }
        }
    }
}

/// Whether `one` stands for something that was named before: the second one, this one, one of them.
fn is_pronoun(tokens: &Tokens<'_>, i: usize) -> bool {
    let before = i.checked_sub(1).map_or("", |before| tokens.lower(before));
    let stands_in = matches!(
        before,
        "the"
            | "this"
            | "that"
            | "which"
            | "another"
            | "any"
            | "every"
            | "each"
            | "no"
            | "some"
            | "last"
            | "next"
            | "other"
            | "right"
            | "wrong"
            | "same"
    );
    stands_in || words::ordinal(before).is_some() || tokens.lower(i + 1) == "of"
}

/// A hundred behind a number, and what is below it: two hundred and five.
fn hundreds(tokens: &Tokens<'_>, read: Read, bare: bool) -> Read {
    if words::word(tokens.lower(read.next)) != Some(Word::Hundred) {
        return read;
    }
    let next = read.next + 1;
    let hundred = Read {
        latent: bare && tokens.lower(read.next).ends_with('s'),
        ..Read::sure(read.value * 100.0, next)
    };
    let and = usize::from(tokens.lower(next) == "and");
    match below_hundred(tokens, next + and) {
        // "Between one hundred and two hundred" names two numbers.
        Some(rest) if words::word(tokens.lower(rest.next)) != Some(Word::Hundred) && rest.value < 100.0 => {
            Read::sure(hundred.value + rest.value, rest.next)
        }
        _ => hundred,
    }
}

/// A number that is said again in brackets, as contracts do: 45 (forty five).
fn repeated(tokens: &Tokens<'_>, read: Read) -> Read {
    if tokens.lower(read.next) != "(" {
        return read;
    }
    match whole(tokens, read.next + 1, f64::INFINITY, Letters::Multiply) {
        Some(again) if (again.value - read.value).abs() < f64::EPSILON && tokens.lower(again.next) == ")" => {
            Read { next: again.next + 1, ..read }
        }
        _ => read,
    }
}

/// Finds numbers. A number that belongs to what was found already is no mention of its own.
pub(super) fn find(tokens: &Tokens<'_>, starts: &Starts, found: &mut Vec<Mention>) {
    let taken = found.len();
    let one = |at: usize| {
        let read = read(tokens, at, Letters::Multiply)?;
        Some(One { value: read.value, unit: (), next: read.next, latent: read.latent })
    };
    // "Quarter to five" is no range, nor is "this one to three".
    let join =
        |from: &One<()>, to: &One<()>| (!from.latent && !to.latent).then_some((from.value, to.value, ()));
    let mut i = 0;
    while i < tokens.len() {
        let read = if starts.contains(i) { bounds::read(tokens, i, one, join) } else { None };
        let Some(read) = read else {
            i += 1;
            continue;
        };
        let span = tokens.span(i, read.next);
        let belongs = found.iter().take(taken).any(|mention| !mention.latent && mention.span.holds(span));
        if !belongs && !is_ordinal(tokens, read.next) {
            let latent = read.latent || is_piece(tokens, i, read.next);
            found.push(Mention { span, value: Value::Number(read.amount), latent });
        }
        // A dash before a space may open a point of a list: what follows is then the number.
        let point = read.latent && is_dash(tokens.lower(i));
        i = if point { i + 1 } else { read.next };
    }
}

/// Whether what stands right behind a number makes it a place in an order.
fn is_ordinal(tokens: &Tokens<'_>, next: usize) -> bool {
    tokens.is_joined(next) && matches!(tokens.lower(next), "st" | "nd" | "rd" | "th")
}

/// Whether a number is a piece of something longer that is not one: a date, a clock, a version, the end of a name.
fn is_piece(tokens: &Tokens<'_>, from: usize, next: usize) -> bool {
    let sign = |at: usize| matches!(tokens.lower(at), "." | "/" | ":" | "-" | "_");
    let behind = from > 1
        && tokens.is_joined(from)
        && sign(from - 1)
        && tokens.is_joined(from - 1)
        && figures::is_figures(tokens, from - 2);
    let ahead = tokens.is_joined(next) && sign(next) && figures::joins(tokens, next + 1);
    let hyphened =
        from > 1 && tokens.is_joined(from) && is_dash(tokens.lower(from - 1)) && tokens.is_joined(from - 1);
    let named = hyphened
        || tokens.is_joined(from) && tokens.get(from - 1).is_some_and(|token| token.kind == Kind::Word);
    behind || ahead || named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: f64) {
        let tokens = Tokens::new(text);
        assert_eq!(at(&tokens, 0), Some((expected, tokens.len())), "{text}");
    }

    #[test]
    fn figures_and_words_multiply() {
        check("200k", 2e5);
        check("1.5 million", 1.5e6);
        check("two hundred thousand", 2e5);
        check("4 lakh", 4e5);
        check("a hundred", 100.0);
        check("two dozen", 24.0);
        check("a couple of hundred", 200.0);
        check("half a million", 5e5);
        check("a quarter of a million", 2.5e5);
        check("two and a half million", 2.5e6);
        check("a million and a half", 1.5e6);
    }

    #[test]
    fn words_add_up() {
        check("twenty-one", 21.0);
        check("ninetyseven", 97.0);
        check("three hundred and four", 304.0);
        check("six hundred twelve thousand forty-two", 612_042.0);
        check("two crore three lakh", 2.03e7);
        check("one forty five", 145.0);
        check("nine thousand and nine", 9009.0);
        check("sixty (60)", 60.0);
    }

    #[test]
    fn signs_parts_and_decimals() {
        check("-17", -17.0);
        check("minus four point two", -4.2);
        check("point 25", 0.25);
        check("six point zero five", 6.05);
        check("one hundred and two point five", 102.5);
        check("two-thirds", 2.0 / 3.0);
        check("3/4", 0.75);
        check("1 1/2", 1.5);
        check("2½", 2.5);
        check("three quarters", 0.75);
        check("a third", 1.0 / 3.0);
        check("four and one quarter", 4.25);
    }
}
