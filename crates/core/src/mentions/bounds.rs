//! Is a number a value, a bound or one end of a range?

use super::amount::Amount;
use super::figures;
use super::tokens::Tokens;
use super::words::{is_approximate, is_dash};

/// One number with what it counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct One<U> {
    /// The number.
    pub value: f64,
    /// What it counts.
    pub unit: U,
    /// The token behind both.
    pub next: usize,
    /// Whether it need not have been meant.
    pub latent: bool,
}

/// A number or a range of numbers with what they count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounded<U> {
    /// The number as it was meant.
    pub amount: Amount,
    /// What it counts.
    pub unit: U,
    /// The token behind all.
    pub next: usize,
    /// Whether it need not have been meant.
    pub latent: bool,
}

/// What makes an amount of a number.
type Kind = fn(f64) -> Amount;

/// What the words before a number say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    AtLeast,
    AtMost,
    Between,
    From,
}

/// Reads an amount that starts at a token. `one` reads a number with what it counts; `join` says what two of them
/// count together, if anything: in "3 to 5 km" the first has no unit.
pub(super) fn read<U: Copy>(
    tokens: &Tokens<'_>,
    i: usize,
    one: impl Fn(usize) -> Option<One<U>>,
    join: impl Fn(&One<U>, &One<U>) -> Option<(f64, f64, U)>,
) -> Option<Bounded<U>> {
    let range = |first: &One<U>, at: usize| {
        let second = one(past_approximate(tokens, at))?;
        let (from, to, unit) = join(first, &second).filter(|(from, to, _)| from < to)?;
        let latent = first.latent || second.latent;
        Some(Bounded { amount: Amount::Between(from, to), unit, next: second.next, latent })
    };
    let bound = |kind: Kind, found: One<U>, next: usize| Bounded {
        amount: kind(found.value),
        unit: found.unit,
        next,
        latent: found.latent,
    };
    let Some((lead, at)) = lead(tokens, i) else {
        let first = one(i)?;
        let joined = to(tokens, i, first.next)
            .and_then(|at| range(&first, at))
            .filter(|read| !is_chain(tokens, i, read.next));
        return Some(joined.unwrap_or_else(|| match behind(tokens, first.next) {
            Some((kind, next)) => bound(kind, first, next),
            None => bound(Amount::Exactly, first, first.next),
        }));
    };
    let first = one(past_approximate(tokens, at))?;
    match lead {
        Lead::AtLeast => Some(bound(Amount::AtLeast, first, first.next)),
        Lead::AtMost => Some(bound(Amount::AtMost, first, first.next)),
        Lead::Between | Lead::From => {
            let and = matches!(tokens.lower(first.next), "and" | "to") || is_dash(tokens.lower(first.next));
            and.then(|| range(&first, first.next + 1)).flatten()
        }
    }
}

fn past_approximate(tokens: &Tokens<'_>, i: usize) -> usize {
    i + usize::from(is_approximate(tokens.lower(i)))
}

/// Where the second number of a range stands that is said with "to" or a dash.
fn to(tokens: &Tokens<'_>, from: usize, i: usize) -> Option<usize> {
    let lower = tokens.lower(i);
    let joined = from > 0 && tokens.is_joined(from) && is_dash(tokens.lower(from - 1));
    (matches!(lower, "to" | "till") || (is_dash(lower) && !joined)).then_some(i + 1)
}

/// Whether what looks like a range goes on with a dash: a date or a telephone number.
fn is_chain(tokens: &Tokens<'_>, from: usize, next: usize) -> bool {
    let dash = |at: usize| is_dash(tokens.lower(at)) || matches!(tokens.lower(at), "/" | ":");
    (tokens.is_joined(next) && dash(next) && figures::joins(tokens, next + 1))
        || (from > 0 && tokens.is_joined(from) && dash(from - 1))
}

/// Whether a word says something of the number behind it.
pub(super) fn may_lead(lower: &str) -> bool {
    matches!(
        lower,
        "between"
            | "from"
            | "at"
            | "up"
            | "upwards"
            | "no"
            | "not"
            | "minimum"
            | "min"
            | "maximum"
            | "max"
            | "within"
            | ">"
            | "≥"
            | "<"
            | "≤"
            | "over"
            | "above"
            | "exceeding"
            | "beyond"
            | "under"
            | "below"
            | "beneath"
            | "more"
            | "greater"
            | "higher"
            | "larger"
            | "bigger"
            | "longer"
            | "older"
            | "later"
            | "less"
            | "fewer"
            | "lower"
            | "smaller"
            | "shorter"
            | "younger"
            | "cheaper"
    )
}

/// What the words at a token say of the number behind them, and where it stands.
fn lead(tokens: &Tokens<'_>, i: usize) -> Option<(Lead, usize)> {
    let second = tokens.lower(i + 1);
    match tokens.lower(i) {
        "between" => Some((Lead::Between, i + 1)),
        "from" => Some((Lead::From, i + 1)),
        "at" if second == "least" => Some((Lead::AtLeast, i + 2)),
        "at" if second == "most" => Some((Lead::AtMost, i + 2)),
        "up" if second == "to" => Some((Lead::AtMost, i + 2)),
        "upwards" if second == "of" => Some((Lead::AtLeast, i + 2)),
        "no" | "not" => compared(tokens, i + 1).map(|(lead, at)| (opposite(lead), at)),
        "a" if matches!(second, "minimum" | "maximum") && tokens.lower(i + 2) == "of" => lead(tokens, i + 1),
        // Behind a number it is the minute.
        "min" if i > 0 && figures::is_figures(tokens, i - 1) => None,
        "minimum" | "min" => Some((Lead::AtLeast, i + 1 + usize::from(second == "of"))),
        "maximum" | "max" => Some((Lead::AtMost, i + 1 + usize::from(second == "of"))),
        "within" => Some((Lead::AtMost, i + 1)),
        ">" | "≥" => Some((Lead::AtLeast, i + 1 + usize::from(second == "="))),
        "<" | "≤" => Some((Lead::AtMost, i + 1 + usize::from(second == "="))),
        _ => compared(tokens, i),
    }
}

/// A comparison: over, more than, less than.
fn compared(tokens: &Tokens<'_>, i: usize) -> Option<(Lead, usize)> {
    match tokens.lower(i) {
        "over" | "above" | "exceeding" | "beyond" => Some((Lead::AtLeast, i + 1)),
        "under" | "below" | "beneath" => Some((Lead::AtMost, i + 1)),
        "more" | "greater" | "higher" | "larger" | "bigger" | "longer" | "older" | "later"
            if tokens.lower(i + 1) == "than" =>
        {
            Some((Lead::AtLeast, i + 2))
        }
        "less" | "fewer" | "lower" | "smaller" | "shorter" | "younger" | "cheaper"
            if tokens.lower(i + 1) == "than" =>
        {
            Some((Lead::AtMost, i + 2))
        }
        _ => None,
    }
}

fn opposite(lead: Lead) -> Lead {
    match lead {
        Lead::AtLeast => Lead::AtMost,
        Lead::AtMost => Lead::AtLeast,
        other => other,
    }
}

/// What the words behind a number make of it: 3 or more, 5 at most, 18+.
fn behind(tokens: &Tokens<'_>, i: usize) -> Option<(Kind, usize)> {
    let kind = match (tokens.lower(i), tokens.lower(i + 1)) {
        ("or", "more" | "above" | "over" | "higher" | "greater" | "longer" | "older" | "larger")
        | ("and", "above" | "over" | "up" | "older")
        | ("at", "least") => Amount::AtLeast as Kind,
        ("or", "less" | "fewer" | "under" | "below" | "lower" | "shorter" | "younger" | "smaller")
        | ("and", "below" | "under" | "younger")
        | ("at", "most") => Amount::AtMost,
        _ => return behind_alone(tokens, i),
    };
    // "5 at least 3" would be two amounts: the words belong to what follows them where that is a number.
    let own = tokens.lower(i) == "at" && figures::is_figures(tokens, i + 2);
    (!own).then_some((kind, i + 2))
}

fn behind_alone(tokens: &Tokens<'_>, i: usize) -> Option<(Kind, usize)> {
    match tokens.lower(i) {
        "+" if tokens.is_joined(i) && !tokens.is_joined(i + 1) => Some((Amount::AtLeast, i + 1)),
        "minimum" => Some((Amount::AtLeast, i + 1)),
        "maximum" | "max" | "tops" => Some((Amount::AtMost, i + 1)),
        _ => None,
    }
}
