//! Which sums of money are said? $5, 20 dollars 43, a grand, between 10 and 20 euros.

use super::bounds::{self, One};
use super::currencies::{self, Coin};
use super::numbers::{self, Letters};
use super::starts::Starts;
use super::tokens::{Kind, Tokens};
use super::words::is_dash;
use super::{Mention, Setting, Value, countries, figures, measures};

/// A sum as it was said.
#[derive(Clone, Copy, Debug)]
struct Sum {
    value: f64,
    coin: Coin,
    next: usize,
}

/// Finds sums of money, ranges and bounds among them.
pub(super) fn find(tokens: &Tokens<'_>, starts: &Starts, setting: &Setting, found: &mut Vec<Mention>) {
    let country = setting.country.as_deref();
    let mut i = 0;
    while i < tokens.len() {
        let near = (i..i + 3).any(|at| starts.contains(at));
        let sum = if near { bounded(tokens, i, country) } else { None };
        let Some((mention, next)) = sum.or_else(|| bare(tokens, i, country)) else {
            i += 1;
            continue;
        };
        found.push(mention);
        i = next;
    }
}

/// The sum, the range of sums or the bound that starts at a token.
fn bounded(tokens: &Tokens<'_>, i: usize, country: Option<&str>) -> Option<(Mention, usize)> {
    let one = |at: usize| {
        if let Some(sum) = compound(tokens, at) {
            let (name, worth) = countries::meant(sum.coin.name, country);
            let latent = sum.coin.latent;
            return Some(One { value: sum.value * worth, unit: Some(name), next: sum.next, latent });
        }
        let read = numbers::read(tokens, at, Letters::Multiply)?;
        Some(One { value: read.value, unit: None, next: read.next, latent: false })
    };
    let join = |from: &One<Option<&'static str>>, to: &One<Option<&'static str>>| match (from.unit, to.unit) {
        (Some(own), Some(other)) if own != other => None,
        (own, other) => Some((from.value, to.value, own.or(other))),
    };
    let read = bounds::read(tokens, i, one, join)?;
    let value = Value::Money(read.amount, read.unit?.to_owned());
    Some((Mention { span: tokens.span(i, read.next), value, latent: read.latent }, read.next))
}

/// A coin without a number, which need not be one: a dime, quarter.
fn bare(tokens: &Tokens<'_>, i: usize, country: Option<&str>) -> Option<(Mention, usize)> {
    let coin = currencies::bare(tokens.lower(i))?;
    let (name, _) = countries::meant(coin.name, country);
    let next = i + 1;
    let value = Value::Money(super::Amount::Exactly(coin.sum(1.0)), name.to_owned());
    Some((Mention { span: tokens.span(i, next), value, latent: true }, next))
}

/// A sum with the hundredths behind it: 20 dollars 43 cents, $20 43, 3 GBP and 1 pence.
fn compound(tokens: &Tokens<'_>, i: usize) -> Option<Sum> {
    let whole = simple(tokens, i)?;
    if whole.coin.name == "cent" || !whole.coin.is_whole() {
        return Some(Sum { value: whole.coin.sum(whole.value), ..whole });
    }
    let and = usize::from(tokens.lower(whole.next) == "and");
    let at = whole.next + and;
    let more = simple(tokens, at).filter(|more| {
        more.coin.name == "cent" || (more.coin.name == whole.coin.name && more.coin.hundredths == 1)
    });
    if let Some(more) = more {
        return Some(Sum { value: whole.value + more.value / 100.0, next: more.next, ..whole });
    }
    Some(match bare_hundredths(tokens, at) {
        Some((value, next)) if whole.value.fract() == 0.0 => {
            Sum { value: whole.value + value / 100.0, next, ..whole }
        }
        _ => whole,
    })
}

/// Two figures that are hundredths of the coin before them, since nothing follows that they could count.
fn bare_hundredths(tokens: &Tokens<'_>, i: usize) -> Option<(f64, usize)> {
    let read = numbers::read(tokens, i, Letters::Left).filter(|read| !read.latent && read.next == i + 1)?;
    let fits = (10.0..100.0).contains(&read.value) && measures::ends_phrase(tokens, read.next);
    fits.then_some((read.value, read.next))
}

/// A number and the coin before or behind it.
fn simple(tokens: &Tokens<'_>, i: usize) -> Option<Sum> {
    if let Some((coin, at)) = currencies::before(tokens, i) {
        let read = numbers::read(tokens, at, Letters::Multiply).filter(|read| !read.part)?;
        // What is told twice is told once: $5 USD.
        let (coin, next) = match currencies::before(tokens, read.next) {
            Some((again, next)) if is_word(tokens, read.next) && !figures::is_figures(tokens, next) => {
                (again, next)
            }
            _ => (coin, read.next),
        };
        return Some(Sum { value: read.value, coin: Coin { latent: false, ..coin }, next });
    }
    if matches!(tokens.lower(i), "a" | "an")
        && let Some((coin, next)) = currencies::at(tokens, i + 1)
        && is_word(tokens, i + 1)
        && !figures::is_figures(tokens, next)
    {
        let latent = coin.latent || !coin.is_whole() || tokens.lower(i + 1).len() < 3;
        return Some(Sum { value: 1.0, coin: Coin { latent, ..coin }, next });
    }
    let read = numbers::read(tokens, i, Letters::Multiply)?;
    // The coins of "four quarters" are counted, the parts of a whole are not.
    let read = if read.part { numbers::whole(tokens, i, f64::INFINITY, Letters::Multiply)? } else { read };
    let left = || numbers::read(tokens, i, Letters::Left).filter(|_| read.letter);
    counted(tokens, &read).or_else(|| counted(tokens, &left()?))
}

/// So many of the coin behind a number.
fn counted(tokens: &Tokens<'_>, read: &numbers::Read) -> Option<Sum> {
    let hyphen =
        is_dash(tokens.lower(read.next)) && tokens.is_joined(read.next) && tokens.is_joined(read.next + 1);
    let at = read.next + usize::from(hyphen);
    let (coin, next) = currencies::at(tokens, at)?;
    // Before a number the sign is its own: "give 2 $5 vouchers".
    let own = !is_word(tokens, at) && !tokens.is_joined(at) && numbers::at(tokens, next).is_some();
    (!own).then_some(Sum { value: read.value, coin, next })
}

fn is_word(tokens: &Tokens<'_>, i: usize) -> bool {
    tokens.get(i).is_some_and(|token| token.kind == Kind::Word)
}

#[cfg(test)]
mod tests {
    use super::super::Amount::{self, AtLeast, AtMost, Between, Exactly};
    use super::*;

    #[track_caller]
    fn check_in(country: Option<&str>, text: &str, amount: Amount, currency: &str) {
        let setting = Setting { country: country.map(str::to_owned), ..Setting::default() };
        let mut found = Vec::new();
        let tokens = Tokens::new(text);
        find(&tokens, &Starts::new(&tokens), &setting, &mut found);
        let values: Vec<&Value> = found.iter().map(|mention| &mention.value).collect();
        assert_eq!(values, [&Value::Money(amount, currency.to_owned())], "{text}");
    }

    #[track_caller]
    fn check(text: &str, amount: Amount, currency: &str) {
        check_in(None, text, amount, currency);
    }

    #[test]
    fn the_coin_stands_before_or_behind() {
        check("it costs $ 12.50 now", Exactly(12.5), "dollar");
        check("12k€", Exactly(12_000.0), "EUR");
        check("SEK 300", Exactly(300.0), "SEK");
        check("two million yen", Exactly(2e6), "JPY");
        check("$1.5m", Exactly(1.5e6), "dollar");
        check("a 20-dollar bill", Exactly(20.0), "dollar");
        check("$5 USD", Exactly(5.0), "USD");
        check("a US$3 coin", Exactly(3.0), "USD");
        check("a grand", Exactly(1000.0), "dollar");
    }

    #[test]
    fn hundredths_are_added() {
        check("7 pounds 20", Exactly(7.2), "pound");
        check("three dollars and five cents", Exactly(3.05), "dollar");
        check("80 cents", Exactly(80.0), "cent");
        check("pay 8 euros 20 times", Exactly(8.0), "EUR");
    }

    #[test]
    fn ranges_and_bounds() {
        check("between $5 and $9", Between(5.0, 9.0), "dollar");
        check("$5-9", Between(5.0, 9.0), "dollar");
        check("5 to 9 francs", Between(5.0, 9.0), "franc");
        check("under 15 euros", AtMost(15.0), "EUR");
        check("no less than $3", AtLeast(3.0), "dollar");
    }

    #[test]
    fn a_shared_word_is_that_of_the_country() {
        check_in(Some("CA"), "five bucks", Exactly(5.0), "CAD");
        check_in(Some("GB"), "2 grand", Exactly(2000.0), "GBP");
        check_in(Some("US"), "three nickels", Exactly(0.15), "USD");
    }
}
