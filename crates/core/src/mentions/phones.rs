//! Which telephone numbers are named?

use super::figures;
use super::tokens::{Kind, Tokens};
use super::words::is_dash;
use super::{Mention, Value};

/// Fewest figures of a telephone number, without its country: a town's own numbers have six.
const FIGURES_MIN: usize = 6;
/// Fewest figures of one that only dashes or points mark: what is shorter is a score, a time or a range.
const MARKED_FIGURES_MIN: usize = 7;
/// Most figures of a telephone number: what the numbering plan of the world allows.
const FIGURES_MAX: usize = 15;

/// A telephone number that was read.
#[derive(Default)]
struct Phone {
    country: String,
    figures: String,
    extension: String,
    /// How many figures stand together, run by run.
    groups: Vec<usize>,
    /// Whether brackets, dashes or points hold the runs together.
    marked: bool,
    /// Whether all that holds them is points, as in the address of a machine.
    points: bool,
}

/// Finds telephone numbers.
pub(super) fn find(tokens: &Tokens<'_>, found: &mut Vec<Mention>) {
    let mut i = 0;
    while i < tokens.len() {
        let Some((phone, next)) = read(tokens, i) else {
            // Within a run of figures nothing new begins.
            i += 1;
            continue;
        };
        let latent = phone.country.is_empty() && phone.extension.is_empty() && !phone.marked;
        found.push(Mention { span: tokens.span(i, next), value: Value::Phone(phone.write()), latent });
        i = next;
    }
}

fn read(tokens: &Tokens<'_>, i: usize) -> Option<(Phone, usize)> {
    let starts = matches!(tokens.lower(i), "(" | "+") || figures::is_figures(tokens, i);
    let behind = i > 0 && tokens.is_joined(i) && is_held(tokens, i - 1);
    if !starts || behind {
        return None;
    }
    let mut phone = Phone { points: true, ..Phone::default() };
    let at = country(tokens, i, &mut phone);
    let next = runs(tokens, at, &mut phone)?;
    let next = extension(tokens, next, &mut phone);
    phone.fits().then_some((phone, next))
}

/// Whether what stands there holds figures together, so that a number does not begin behind it.
fn is_held(tokens: &Tokens<'_>, i: usize) -> bool {
    tokens.get(i).is_some_and(|token| token.kind == Kind::Word)
        || matches!(tokens.lower(i), "." | "," | "/" | ":" | "-" | "#" | "$" | "€" | "£")
}

/// Takes the code of a country, in brackets or not: (+1), +33.
fn country(tokens: &Tokens<'_>, i: usize, phone: &mut Phone) -> usize {
    let bracket = usize::from(tokens.lower(i) == "(");
    let at = i + bracket;
    if tokens.lower(at) != "+" || !figures::joins(tokens, at + 1) {
        return i;
    }
    let figures = tokens.lower(at + 1);
    let length = if figures.len() > CODE_MAX { code_length(figures) } else { figures.len() };
    let (code, rest) = figures.split_at_checked(length).unwrap_or((figures, ""));
    phone.country.push_str(code);
    phone.take(rest);
    at + 2 + usize::from(bracket == 1 && tokens.lower(at + 2) == ")")
}

/// Figures of the longest code of a country.
const CODE_MAX: usize = 3;

/// How many figures the code of a country has that no space parts from the number: the first figures tell.
fn code_length(figures: &str) -> usize {
    const TWO: &str = "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98";
    match figures.get(..2) {
        Some(first) if first.starts_with(['1', '7']) => 1,
        Some(first) if TWO.split(' ').any(|code| code == first) => 2,
        _ => CODE_MAX,
    }
}

/// Takes runs of figures with what may stand between them.
fn runs(tokens: &Tokens<'_>, i: usize, phone: &mut Phone) -> Option<usize> {
    let mut at = i;
    let mut next = (!phone.figures.is_empty()).then_some(i);
    loop {
        if figures::is_figures(tokens, at) {
            phone.take(tokens.lower(at));
            next = Some(at + 1);
            at += 1;
        } else if let Some(past) = joint(tokens, at, phone) {
            at = past;
        } else {
            return next;
        }
        if phone.figures.len() > FIGURES_MAX {
            return None;
        }
    }
}

/// Most marks between two runs: `) - (`.
const MARKS_MAX: usize = 3;

/// Past a mark that may stand between runs of figures, where figures follow.
fn joint(tokens: &Tokens<'_>, i: usize, phone: &mut Phone) -> Option<usize> {
    let mut at = i;
    let mut marked = false;
    let mut points = false;
    while at < i + MARKS_MAX {
        match tokens.lower(at) {
            "(" | ")" => marked = true,
            "." if tokens.is_joined(at) => points = true,
            lower if is_dash(lower) => marked |= tokens.is_joined(at) || !phone.figures.is_empty(),
            _ => break,
        }
        at += 1;
    }
    if at == i || !figures::is_figures(tokens, at) || (points && !tokens.is_joined(at)) {
        return None;
    }
    phone.marked |= marked || points;
    phone.points &= points && !marked;
    Some(at)
}

/// Takes the extension: ext 897.
fn extension(tokens: &Tokens<'_>, i: usize, phone: &mut Phone) -> usize {
    if !matches!(tokens.lower(i), "ext" | "x" | "extension") {
        return i;
    }
    let at = i + 1 + usize::from(tokens.lower(i + 1) == ".");
    if !figures::is_figures(tokens, at) {
        return i;
    }
    phone.extension.push_str(tokens.lower(at));
    at + 1
}

impl Phone {
    fn take(&mut self, figures: &str) {
        if !figures.is_empty() {
            self.figures.push_str(figures);
            self.groups.push(figures.len());
        }
    }

    /// Whether it may be one: of the right length, and no date, address of a machine or list of small numbers.
    fn fits(&self) -> bool {
        let length = self.figures.len();
        if !(FIGURES_MIN..=FIGURES_MAX).contains(&length) {
            return false;
        }
        if !self.country.is_empty() || !self.extension.is_empty() {
            return true;
        }
        let date = matches!(self.groups.as_slice(), [4, 1..=2, 1..=2] | [1..=2, 1..=2, 2 | 4]);
        let machine = self.points && matches!(self.groups.as_slice(), [_, _] | [1..=3, 1..=3, 1..=3, 1..=3]);
        let years = self.groups.as_slice() == [4, 4];
        length >= MARKED_FIGURES_MIN && !date && !years && !machine
    }

    fn write(&self) -> String {
        let Phone { country, figures, extension, .. } = self;
        let country = if country.is_empty() { String::new() } else { format!("(+{country}) ") };
        let extension = if extension.is_empty() { String::new() } else { format!(" ext {extension}") };
        format!("{country}{figures}{extension}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, bool)>) {
        let mut found = Vec::new();
        find(&Tokens::new(text), &mut found);
        let values: Vec<(Value, bool)> =
            found.into_iter().map(|mention| (mention.value, mention.latent)).collect();
        let expected: Vec<(Value, bool)> =
            expected.into_iter().map(|(phone, latent)| (Value::Phone(phone.to_owned()), latent)).collect();
        assert_eq!(values, expected, "{text}");
    }

    #[test]
    fn numbers_are_grouped_in_many_ways() {
        check("call (+44) 20-7946-0018 now", Some(("(+44) 2079460018", false)));
        check("+442079460018", Some(("(+44) 2079460018", false)));
        check("(212) 555-0147 ext. 12", Some(("2125550147 ext 12", false)));
        check("212.555.0147", Some(("2125550147", false)));
        check("0301234567", Some(("0301234567", true)));
    }

    #[test]
    fn dates_ranges_and_machines_are_none() {
        check("2027-03-04", None);
        check("2019-2023", None);
        check("10.31.1974", None);
        check("192.168.10.20", None);
        check("3.5 and 1,000,000", None);
        check("4111111111111111", None);
    }
}
