//! Which numbers of units are said? 3 km, two and a half hours, 7 feet 10 inches, 20 %.

use super::bounds::{self, One};
use super::numbers::{self, Letters};
use super::starts::Starts;
use super::tokens::{Kind, Tokens};
use super::units::{self, DEGREE, Dimension, Unit};
use super::words::is_dash;
use super::{Mention, Value, figures, parts};

/// Which of the units is meant that are written alike: `m`, `'`, degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pick {
    /// The first, as a schema would mean it.
    First,
    /// The second.
    Second,
    /// The one that measures this.
    Of(Dimension),
}

/// A number of units.
#[derive(Clone, Copy, Debug)]
struct Simple {
    value: f64,
    unit: &'static Unit,
    next: usize,
    latent: bool,
}

/// Finds numbers of units, ranges and bounds among them.
pub(super) fn find(tokens: &Tokens<'_>, starts: &Starts, found: &mut Vec<Mention>) {
    let mut i = 0;
    while i < tokens.len() {
        if !starts.contains(i) {
            i += 1;
            continue;
        }
        let Some((first, next)) = bounded(tokens, i, Pick::First) else {
            i += 1;
            continue;
        };
        found.push(first);
        found.extend(bounded(tokens, i, Pick::Second).map(|(second, _)| second));
        i = next;
    }
}

/// The amount of units that starts at a token.
fn bounded(tokens: &Tokens<'_>, i: usize, pick: Pick) -> Option<(Mention, usize)> {
    let one = |at: usize| {
        if let Some(read) = compound(tokens, at, pick) {
            return Some(One {
                value: read.value,
                unit: Some(read.unit),
                next: read.next,
                latent: read.latent,
            });
        }
        let read = numbers::read(tokens, at, Letters::Multiply)?;
        Some(One { value: read.value, unit: None, next: read.next, latent: false })
    };
    let join = |from: &One<Option<&'static Unit>>, to: &One<Option<&'static Unit>>| {
        let unit = to.unit?;
        let start = from.unit.map_or(Some(from.value), |own| own.convert(from.value, unit))?;
        Some((start, to.value, to.unit))
    };
    let read = bounds::read(tokens, i, one, join)?;
    let unit = read.unit?;
    let value = match (unit.dimension, Unit::named("%")) {
        (Dimension::Share, Some(percent)) => {
            Value::Percent(read.amount.map(|amount| unit.convert(amount, percent).unwrap_or(amount)))
        }
        _ => Value::Measure(read.amount, unit),
    };
    Some((Mention { span: tokens.span(i, read.next), value, latent: read.latent }, read.next))
}

/// Several numbers of ever smaller units that make one: 2 hours 15 minutes, an hour and a half.
fn compound(tokens: &Tokens<'_>, i: usize, pick: Pick) -> Option<Simple> {
    let mut whole = simple(tokens, i, pick)?;
    if let Some((part, next)) = half_behind(tokens, whole.next) {
        return Some(Simple { value: whole.value + part, next, latent: false, ..whole });
    }
    if !adds_up(whole.unit.dimension) {
        return Some(whole);
    }
    loop {
        let at = past_joint(tokens, whole.next);
        let Some(more) = simple(tokens, at, Pick::Of(whole.unit.dimension))
            .filter(|more| more.unit.factor < whole.unit.factor)
            .or_else(|| smaller_unsaid(tokens, at, whole.unit))
        else {
            return Some(whole);
        };
        let Some(value) = whole.unit.convert(whole.value, more.unit) else { return Some(whole) };
        // Feet with inches behind them are nothing else.
        let sure = pick == Pick::First && more.unit.name == "inch";
        let latent = whole.latent && more.latent && !sure;
        whole = Simple { value: value + more.value, unit: more.unit, next: more.next, latent };
    }
}

/// Whether numbers of its units that stand side by side are one. Others are rather a list.
fn adds_up(dimension: Dimension) -> bool {
    use Dimension::{Angle, Duration, Length, Mass, Volume};
    matches!(dimension, Duration | Length | Mass | Volume | Angle)
}

/// Past what stands between two numbers of units that are one.
fn past_joint(tokens: &Tokens<'_>, i: usize) -> usize {
    let comma = i + usize::from(tokens.lower(i) == ",");
    comma + usize::from(tokens.lower(comma) == "and")
}

/// A half or a quarter of the unit before it: an hour *and a half*. Not where it has a unit of its own.
fn half_behind(tokens: &Tokens<'_>, i: usize) -> Option<(f64, usize)> {
    if tokens.lower(i) != "and" {
        return None;
    }
    let part = parts::at(tokens, i + 1)?;
    units::at(tokens, parts::past_article(tokens, part.next)).is_none().then_some((part.value, part.next))
}

/// A number whose unit goes without saying: the minutes of "1 hour fifteen", the inches of 5'10.
fn smaller_unsaid(tokens: &Tokens<'_>, i: usize, unit: &Unit) -> Option<Simple> {
    let (smaller, below) = match unit.name {
        "hour" => ("minute", 60.0),
        "foot" if tokens.is_joined(i) => ("inch", 12.0),
        _ => return None,
    };
    let read = numbers::read(tokens, i, Letters::Left)?;
    let whole = read.value.fract() == 0.0 && (0.0..below).contains(&read.value) && !read.latent;
    (whole && ends_phrase(tokens, read.next)).then_some(())?;
    Some(Simple { value: read.value, unit: units::of_word(smaller)?, next: read.next, latent: true })
}

/// Whether what stands at a token is no thing that the number before it could count.
pub(super) fn ends_phrase(tokens: &Tokens<'_>, i: usize) -> bool {
    let Some(token) = tokens.get(i) else { return true };
    match token.kind {
        Kind::Figures => false,
        Kind::Sign => {
            !matches!(token.lower.as_str(), "%" | "°" | "$" | "€" | "£" | "/" | ":")
                && !figures::joins(tokens, i + 1)
        }
        Kind::Word => matches!(
            token.lower.as_str(),
            "and"
                | "or"
                | "to"
                | "at"
                | "on"
                | "in"
                | "for"
                | "from"
                | "with"
                | "until"
                | "till"
                | "before"
                | "after"
                | "ago"
                | "later"
                | "earlier"
                | "please"
                | "is"
                | "was"
                | "by"
                | "if"
                | "but"
                | "so"
                | "as"
                | "long"
        ),
    }
}

/// A number and its unit.
fn simple(tokens: &Tokens<'_>, i: usize, pick: Pick) -> Option<Simple> {
    // "A quarter of an hour" is no quarter of a year.
    let of_unit = |part: numbers::Read| units::at(tokens, parts::past_article(tokens, part.next)).is_some();
    let is_part = parts::at(tokens, i).is_some_and(of_unit);
    if !is_part && matches!(tokens.lower(i), "a" | "an") && tokens.lower(i + 1).len() > 1 {
        let short = tokens.lower(i + 1).len() < 3;
        let at = i + 1 + usize::from(matches!(tokens.lower(i + 1), "whole" | "full"));
        if let Some(read) = counted(tokens, 1.0, at, pick).filter(|read| !(read.latent && short)) {
            // "Twice a day", "wait a second", "in a bar": one of them is rarely what counts.
            let loose = read.unit.dimension == Dimension::Duration || read.latent;
            return Some(Simple { latent: loose, ..read });
        }
    }
    let read = numbers::read(tokens, i, Letters::Multiply)?;
    let counts = |read: &numbers::Read| {
        below_zero(tokens, read.value, read.next)
            .or_else(|| counted(tokens, read.value, past_between(tokens, read), pick))
    };
    if let Some(found) = counts(&read) {
        return Some(found);
    }
    if read.letter {
        return numbers::read(tokens, i, Letters::Left).and_then(|read| counts(&read));
    }
    quarters(tokens, i, pick)
}

/// Quarters of a year, which are parts of a whole to the reader of numbers: 3 quarters.
fn quarters(tokens: &Tokens<'_>, i: usize, pick: Pick) -> Option<Simple> {
    matches!(tokens.lower(i + 1), "quarter" | "quarters").then_some(())?;
    let read = numbers::whole(tokens, i, f64::INFINITY, Letters::Left)?;
    counted(tokens, read.value, read.next, pick)
}

/// Degrees below zero, whose unit goes without saying: 2 below zero.
fn below_zero(tokens: &Tokens<'_>, value: f64, i: usize) -> Option<Simple> {
    let is = tokens.lower(i) == "below" && tokens.lower(i + 1) == "zero";
    let unit = is.then(|| units::of_word(DEGREE)).flatten()?;
    Some(Simple { value: -value, unit, next: i + 2, latent: false })
}

/// So many of the unit at a token.
fn counted(tokens: &Tokens<'_>, value: f64, i: usize, pick: Pick) -> Option<Simple> {
    let reading = units::read(tokens, i)?;
    let unit = match pick {
        Pick::First => reading.unit,
        Pick::Second => reading.other?,
        Pick::Of(dimension) => [Some(reading.unit), reading.other]
            .into_iter()
            .flatten()
            .find(|unit| unit.dimension == dimension)?,
    };
    let next = reading.next;
    let below = unit.dimension == Dimension::Temperature
        && tokens.lower(next) == "below"
        && tokens.lower(next + 1) == "zero";
    let (value, next) = if below { (-value, next + 2) } else { (value, next) };
    Some(Simple { value, unit, next, latent: reading.latent })
}

/// Past what may stand between a number and its unit: a hyphen, "more", "of an" behind a part.
fn past_between(tokens: &Tokens<'_>, read: &numbers::Read) -> usize {
    let i = read.next;
    if is_dash(tokens.lower(i)) && tokens.is_joined(i) && tokens.is_joined(i + 1) {
        return i + 1;
    }
    let word = matches!(
        tokens.lower(i),
        "more" | "extra" | "additional" | "further" | "other" | "fewer" | "less" | "full" | "whole"
    );
    if word {
        return i + 1;
    }
    if read.part { parts::past_article(tokens, i) } else { i }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: f64, unit: &str) {
        let tokens = Tokens::new(text);
        let found = compound(&tokens, 0, Pick::First).map(|read| (read.value, read.unit.name, read.next));
        let near = found.is_some_and(|(value, name, next)| {
            (value - expected).abs() < 1e-9 && name == unit && next == tokens.len()
        });
        assert!(near, "{text}: {found:?}");
    }

    #[test]
    fn numbers_and_their_units() {
        check("42 km", 42.0, "kilometre");
        check("2 weeks", 2.0, "week");
        check("a litre", 1.0, "litre");
        check("200k miles", 2e5, "mile");
        check("four more hours", 4.0, "hour");
        check("20-minute", 20.0, "minute");
        check("-40 degrees", -40.0, "degree");
        check("forty below zero", -40.0, "degree");
        check("19 °C", 19.0, "celsius");
        check("55 miles per hour", 55.0, "mile per hour");
        check("80 sq. ft", 80.0, "square foot");
        check("2 kilo-grams", 2.0, "kilogram");
        check("15 per cent", 15.0, "percent");
    }

    #[test]
    fn parts_of_units() {
        check("two and a half hours", 2.5, "hour");
        check("half an hour", 0.5, "hour");
        check("an hour and a half", 1.5, "hour");
        check("three quarters of a mile", 0.75, "mile");
        check("half-gallon", 0.5, "gallon");
        check("1/2 cup", 0.5, "cup");
    }

    #[test]
    fn smaller_units_add_up() {
        check("1 hour fifteen", 75.0, "minute");
        check("2h30", 150.0, "minute");
        check("2h30m", 150.0, "minute");
        check("3 years and 2 months", 38.0, "month");
        check("6 feet, 2 inches", 74.0, "inch");
        check("6'2\"", 74.0, "inch");
        check("1 kg 200 g", 1200.0, "gram");
    }
}
