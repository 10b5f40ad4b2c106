//! What does a number in figures come to? 3, 3.5, 1,000, .77, 3.2e5, 1/2, 200k.

use super::tokens::{Kind, Tokens};
use super::words;

/// How many figures a group of a large number has.
const GROUP: usize = 3;
/// How many figures the groups but the last have where lakhs and crores are counted: 12,00,000.
const SMALL_GROUP: usize = 2;
/// Longest run of figures that is a number: what is longer counts nothing and is a name.
const FIGURES_MAX: usize = 18;
/// Largest power of ten that is exact as a floating-point number; no quantity needs more.
const EXPONENT_MAX: i32 = 22;

/// Whether the token is a run of figures.
pub(super) fn is_figures(tokens: &Tokens<'_>, i: usize) -> bool {
    tokens.get(i).is_some_and(|token| token.kind == Kind::Figures)
}

/// Whether a run of figures stands there, right behind what is before it.
pub(super) fn joins(tokens: &Tokens<'_>, i: usize) -> bool {
    tokens.is_joined(i) && is_figures(tokens, i)
}

/// The number in figures that starts at a token, without its sign, and the token behind it.
pub(super) fn at(tokens: &Tokens<'_>, i: usize) -> Option<(f64, usize)> {
    let leading_point = tokens.lower(i) == "." && joins(tokens, i + 1);
    if leading_point && i > 0 && tokens.is_joined(i) && is_figures(tokens, i - 1) {
        return None;
    }
    if !leading_point && !is_figures(tokens, i) {
        return None;
    }
    let within = i > 1 && tokens.lower(i - 1) == "." && tokens.is_joined(i) && tokens.is_joined(i - 1);
    if within && is_figures(tokens, i - 2) {
        return None;
    }
    let mut number = Digits::default();
    let mut next = i;
    if !leading_point {
        number.take(tokens.lower(i))?;
        next = groups(tokens, i, &mut number)?;
    }
    if tokens.is_joined(next) || leading_point {
        next = decimals(tokens, next, &mut number)?;
        next = exponent(tokens, next, &mut number);
    }
    Some((number.value(), next))
}

/// Takes groups of three behind single spaces: 10 000, 1 500 000. The first group of a number neither begins with a zero
/// nor is one of several numbers counted up.
fn spaced_groups(tokens: &Tokens<'_>, i: usize, number: &mut Digits) -> Option<usize> {
    let apart = |at: usize| {
        let (before, here) = (tokens.get(at.checked_sub(1)?)?, tokens.get(at)?);
        let one_space = here.span.start == before.span.end + 1;
        (one_space && is_figures(tokens, at) && tokens.lower(at).len() == GROUP).then_some(())
    };
    let first = tokens.lower(i);
    if first.starts_with('0') || first.len() > GROUP || (i > 0 && is_figures(tokens, i - 1)) {
        return None;
    }
    let mut end = i + 1;
    while apart(end).is_some() {
        end += 1;
    }
    // A group that goes on with letters or a point is the beginning of something else.
    if end == i + 1 || is_figures(tokens, end) || (tokens.is_joined(end) && tokens.lower(end) != ".") {
        return None;
    }
    for at in i + 1..end {
        number.take(tokens.lower(at))?;
    }
    Some(end)
}

/// Takes the groups of a large number, each behind a comma: 1,000,000 or 10,00,000.
fn groups(tokens: &Tokens<'_>, i: usize, number: &mut Digits) -> Option<usize> {
    let group = |at: usize| {
        let is = tokens.lower(at) == "," && tokens.is_joined(at) && joins(tokens, at + 1);
        is.then(|| tokens.lower(at + 1).len())
    };
    if tokens.lower(i).len() > GROUP {
        return Some(i + 1);
    }
    if let Some(end) = spaced_groups(tokens, i, number) {
        return Some(end);
    }
    let mut end = i + 1;
    while group(end).is_some_and(|length| length == SMALL_GROUP || length == GROUP) {
        end += 2;
        if group(end - 2) == Some(GROUP) && group(end) != Some(GROUP) {
            break;
        }
    }
    // What ends in another group than one of three is a list: 1,20.
    if end == i + 1 || tokens.lower(end - 1).len() != GROUP {
        return Some(i + 1);
    }
    for at in (i + 2..end).step_by(2) {
        number.take(tokens.lower(at))?;
    }
    Some(end)
}

/// Takes a point and the figures behind it. What has two points is a version or a date, and no number.
fn decimals(tokens: &Tokens<'_>, i: usize, number: &mut Digits) -> Option<usize> {
    if tokens.lower(i) != "." || !joins(tokens, i + 1) {
        return Some(i);
    }
    if tokens.is_joined(i + 2) && tokens.lower(i + 2) == "." && joins(tokens, i + 3) {
        return None;
    }
    number.take(tokens.lower(i + 1))?;
    number.exponent -= i32::try_from(tokens.lower(i + 1).len()).ok()?;
    Some(i + 2)
}

/// Takes a power of ten: e5, e-3.
fn exponent(tokens: &Tokens<'_>, i: usize, number: &mut Digits) -> usize {
    if tokens.lower(i) != "e" || !tokens.is_joined(i) {
        return i;
    }
    let sign = tokens.lower(i + 1);
    let signed = tokens.is_joined(i + 1) && (sign == "+" || words::is_dash(sign));
    let at = if signed { i + 2 } else { i + 1 };
    match tokens.lower(at).parse::<i32>() {
        Ok(power) if joins(tokens, at) && power <= EXPONENT_MAX => {
            number.exponent += if words::is_dash(sign) { -power } else { power };
            at + 1
        }
        _ => i,
    }
}

/// The figures of a number, and the power of ten that they are multiplied with.
#[derive(Default)]
struct Digits {
    value: f64,
    length: usize,
    exponent: i32,
}

impl Digits {
    fn take(&mut self, figures: &str) -> Option<()> {
        self.length += figures.len();
        for figure in figures.bytes() {
            self.value = self.value * 10.0 + f64::from(figure.saturating_sub(b'0'));
        }
        (self.length <= FIGURES_MAX).then_some(())
    }

    /// A division by a power of ten gives the nearest number there is to what was written; a multiplication with
    /// its inverse would not.
    fn value(&self) -> f64 {
        let power = 10f64.powi(self.exponent.abs());
        if self.exponent < 0 { self.value / power } else { self.value * power }
    }
}

/// The part of a whole in figures behind a number: `/2` of `1/2`. Dates and chains of slashes are none.
pub(super) fn denominator(tokens: &Tokens<'_>, slash: usize) -> Option<(f64, usize)> {
    let is = tokens.lower(slash) == "/" && tokens.is_joined(slash) && joins(tokens, slash + 1);
    let after = slash + 2;
    let chained =
        tokens.is_joined(after) && matches!(tokens.lower(after), "/" | "-" | ".") && joins(tokens, after + 1);
    if !is || chained {
        return None;
    }
    let mut number = Digits::default();
    number.take(tokens.lower(slash + 1))?;
    (number.value > 0.0).then(|| (number.value(), after))
}

/// What a letter right behind figures multiplies them with, and whether it need not have been meant so: metres and
/// minutes are written `m`, grams `g`, litres `l`; millions and billions rather `M` and `B`.
pub(super) fn letter(written: &str) -> Option<(f64, bool)> {
    Some(match written {
        "k" | "K" => (1e3, false),
        "M" => (1e6, false),
        "B" => (1e9, false),
        "m" => (1e6, true),
        "b" | "g" | "G" => (1e9, true),
        "l" | "L" => (1e5, true),
        "kr" | "Kr" => (1e7, true),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(f64, usize)>) {
        assert_eq!(at(&Tokens::new(text), 0), expected, "{text}");
    }

    #[test]
    fn figures_are_joined_by_commas_points_and_powers() {
        check("42", Some((42.0, 1)));
        check("3.5", Some((3.5, 3)));
        check("3. 5", Some((3.0, 1)));
        check(".77", Some((0.77, 2)));
        check("1,000", Some((1000.0, 3)));
        check("1,000,000.25", Some((1_000_000.25, 7)));
        check("12,00,000", Some((1_200_000.0, 5)));
        check("3.2e5", Some((320_000.0, 5)));
        check("4e-2 m", Some((0.04, 4)));
        check("07", Some((7.0, 1)));
    }

    #[test]
    fn lists_and_versions_are_not_one_number() {
        check("1,2,3", Some((1.0, 1)));
        check("1,20", Some((1.0, 1)));
        check("2024,100", Some((2024.0, 1)));
        check("1.2.3", None);
        check("12345678901234567890", None);
        check("five", None);
    }
}
