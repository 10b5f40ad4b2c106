//! In which units are things measured, and what does one come to in another?

use std::sync::LazyLock;

use serde::Serialize;

use super::tokens::{Kind, Tokens};
use super::unit_table::UNITS;
use super::words::is_dash;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Dimension {
    /// Time spans, in seconds.
    Duration,
    /// Lengths and distances, in metres.
    Length,
    /// Areas, in square metres.
    Area,
    /// Volumes, in litres.
    Volume,
    /// Masses, in grams.
    Mass,
    /// Temperatures, in kelvins.
    Temperature,
    /// Speeds, in metres per second.
    Speed,
    /// Amounts of data, in bytes.
    Data,
    /// Rates of data, in bits per second.
    DataRate,
    /// Angles, in degrees.
    Angle,
    /// Energies, in joules.
    Energy,
    /// Powers, in watts.
    Power,
    /// Pressures, in pascals.
    Pressure,
    /// Frequencies, in hertz.
    Frequency,
    /// Forces, in newtons.
    Force,
    /// Electric tensions, in volts.
    Voltage,
    /// Electric currents, in amperes.
    Current,
    /// Shares of a whole, which is one.
    Share,
}

/// A unit of measure.
#[derive(Debug, PartialEq, Serialize)]
pub struct Unit {
    /// Its name, in the singular.
    pub name: &'static str,
    /// What it measures.
    pub dimension: Dimension,
    /// What one of it is in the dimension's base unit.
    pub factor: f64,
    /// What is added to a number of it before it is multiplied: where its scale begins.
    pub offset: f64,
    /// How it is written, in small letters and the singular, its name among them.
    pub words: &'static [&'static str],
}

impl Unit {
    /// The unit that a schema names: `km`, `kilometers`, `minutes`, `%`, `km/h`, `square_meters`. Where a sign may be
    /// several (`m`), the metre rather than the minute.
    pub fn named(name: &str) -> Option<&'static Unit> {
        let spaced = name.trim().replace('_', " ");
        let tokens = Tokens::new(&spaced);
        let (unit, next) = at(&tokens, 0)?;
        (next == tokens.len()).then_some(unit)
    }

    /// A number of this unit in another; nothing where the two do not measure the same.
    pub fn convert(&self, amount: f64, to: &Unit) -> Option<f64> {
        if self == to {
            return Some(amount);
        }
        // Degrees of nobody's scale are those that are asked for.
        if self.dimension == Dimension::Temperature && (self.name == DEGREE || to.name == DEGREE) {
            return (to.dimension == Dimension::Temperature).then_some(amount);
        }
        if self.dimension != to.dimension {
            return None;
        }
        if let (Some(from), Some(to)) = (self.months(), to.months()) {
            return Some(amount * from / to);
        }
        Some((amount + self.offset) * self.factor / to.factor - to.offset)
    }

    /// How many months it has: years and months are counted in each other, whatever their days.
    fn months(&self) -> Option<f64> {
        Some(match self.name {
            "month" => 1.0,
            "quarter" => 3.0,
            "year" => 12.0,
            "decade" => 120.0,
            "century" => 1200.0,
            _ => return None,
        })
    }
}

/// The name of a degree of temperature whose scale is not said.
pub(super) const DEGREE: &str = "degree";

/// How a unit that is written somewhere is to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// The unit.
    pub unit: &'static Unit,
    /// Another unit that is written the same way: `m` is the metre and the minute.
    pub other: Option<&'static Unit>,
    /// The token behind it.
    pub next: usize,
    /// Whether it need not be a unit at all: `in`, `k`, a letter by itself.
    pub latent: bool,
}

/// The unit that is written at a token, and the token behind it.
pub(super) fn at(tokens: &Tokens<'_>, i: usize) -> Option<(&'static Unit, usize)> {
    read(tokens, i).map(|reading| (reading.unit, reading.next))
}

/// The unit that is written at a token.
pub(super) fn read(tokens: &Tokens<'_>, i: usize) -> Option<Reading> {
    let lower = tokens.lower(i);
    let sure = |(unit, next)| Reading { unit, other: None, next, latent: false };
    if tokens.get(i)?.kind == Kind::Sign {
        return sign(tokens, i);
    }
    if let Some(found) = several_words(tokens, i).or_else(|| dotted(tokens, i)) {
        return Some(sure(found));
    }
    let unit = of_word(lower).filter(|_| lower != "in" || is_inch(tokens, i))?;
    let next = i + 1;
    match unit.dimension {
        Dimension::Length => {
            if let Some(found) = powered(tokens, unit, next).or_else(|| per_time(tokens, unit, next)) {
                return Some(sure(found));
            }
        }
        Dimension::Power => {
            let hour = of_word(tokens.lower(next)).filter(|unit| unit.name == "hour");
            if let Some(found) = hour.and_then(|_| named_by(unit.name, " hour")) {
                return Some(sure((found, next + 1)));
            }
        }
        Dimension::Temperature if unit.name == DEGREE => return Some(degrees(tokens, next)),
        _ => {}
    }
    let other = if lower == "m" { by_name("minute") } else { None };
    Some(Reading { unit, other, next, latent: is_latent(tokens, i) })
}

/// Units written as signs: %, °C, feet and inches, minutes and seconds.
fn sign(tokens: &Tokens<'_>, i: usize) -> Option<Reading> {
    let doubled = tokens.is_joined(i + 1) && tokens.lower(i + 1) == tokens.lower(i);
    let (unit, other, next) = match tokens.lower(i) {
        "°" | "º" => return Some(degrees(tokens, i + 1)),
        "'" | "’" | "′" if doubled => ("inch", "second", i + 2),
        "'" | "’" | "′" => ("foot", "minute", i + 1),
        "\"" | "″" | "”" => ("inch", "second", i + 1),
        lower => {
            return Some(Reading { unit: of_word(lower)?, other: None, next: i + 1, latent: false });
        }
    };
    // Figures stand right before them; what stands further off is a quotation mark.
    let latent = true;
    tokens.is_joined(i).then_some(())?;
    Some(Reading { unit: by_name(unit)?, other: by_name(other), next, latent })
}

/// Degrees, with the scale behind them where it is said.
fn degrees(tokens: &Tokens<'_>, i: usize) -> Reading {
    let point = usize::from(tokens.lower(i) == "." && tokens.is_joined(i));
    let scale = of_word(tokens.lower(i + point)).filter(|unit| unit.dimension == Dimension::Temperature);
    match scale {
        Some(unit) if unit.name != DEGREE => {
            Reading { unit, other: None, next: i + point + 1, latent: false }
        }
        _ => Reading { unit: &UNSCALED, other: by_name("degree of arc"), next: i, latent: false },
    }
}

/// A degree of temperature whose scale is not said.
static UNSCALED: Unit =
    Unit { name: DEGREE, dimension: Dimension::Temperature, factor: 1.0, offset: 0.0, words: &[DEGREE] };

/// Units of several words: square metres, fluid ounces, per cent.
fn several_words(tokens: &Tokens<'_>, i: usize) -> Option<(&'static Unit, usize)> {
    let at = i + 1 + usize::from(tokens.lower(i + 1) == "." && tokens.is_joined(i + 1));
    let second = tokens.lower(at);
    match tokens.lower(i) {
        "square" | "sq" => Some((named_after("square ", of_word(second)?.name)?, at + 1)),
        "cubic" | "cu" => Some((named_after("cubic ", of_word(second)?.name)?, at + 1)),
        "fluid" | "fl" => Some((named_after("fluid ", of_word(second)?.name)?, at + 1)),
        "nautical" => Some((named_after("nautical ", of_word(second)?.name)?, at + 1)),
        "light" => Some((named_after("light ", of_word(second)?.name)?, at + 1)),
        "metric" if matches!(second, "ton" | "tons" | "tonne" | "tonnes") => {
            Some((by_name("tonne")?, at + 1))
        }
        prefix @ ("kilo" | "milli" | "centi" | "deci" | "hecto" | "micro" | "nano") => {
            let at = i + 1 + usize::from(is_dash(tokens.lower(i + 1)));
            let base = of_word(tokens.lower(at)).filter(|_| tokens.lower(at).len() > 2)?;
            Some((named_after(prefix, base.name)?, at + 1))
        }
        "per" if second == "cent" => Some((by_name("percent")?, at + 1)),
        _ => None,
    }
}

/// A sign written with points between its letters: k.g, m.p.h.
fn dotted(tokens: &Tokens<'_>, i: usize) -> Option<(&'static Unit, usize)> {
    /// Letters of the longest such sign.
    const LETTERS_MAX: usize = 4;
    let mut joined = [0u8; LETTERS_MAX];
    let (mut length, mut at, mut found) = (0, i, None);
    loop {
        let lower = tokens.lower(at);
        if lower.len() > 2 || (at > i && !tokens.is_joined(at)) {
            return found;
        }
        joined.get_mut(length..length + lower.len())?.copy_from_slice(lower.as_bytes());
        length += lower.len();
        if at > i {
            let sign = std::str::from_utf8(joined.get(..length)?).ok()?;
            found = of_word(sign).map(|unit| (unit, at + 1)).or(found);
        }
        if tokens.lower(at + 1) != "." || !tokens.is_joined(at + 1) || length == LETTERS_MAX {
            return found;
        }
        at += 2;
    }
}

/// The area or the volume of a length that is raised: m², ft^3, cm2.
fn powered(tokens: &Tokens<'_>, unit: &Unit, i: usize) -> Option<(&'static Unit, usize)> {
    if !tokens.is_joined(i) {
        return None;
    }
    let raised = usize::from(tokens.lower(i) == "^");
    let prefix = match tokens.lower(i + raised) {
        "2" | "²" => "square ",
        "3" | "³" => "cubic ",
        _ => return None,
    };
    Some((named_after(prefix, unit.name)?, i + raised + 1))
}

/// The speed of a length in a time: km/h, miles per hour, feet a second.
fn per_time(tokens: &Tokens<'_>, unit: &Unit, i: usize) -> Option<(&'static Unit, usize)> {
    if !matches!(tokens.lower(i), "/" | "per" | "an" | "a") {
        return None;
    }
    let time = of_word(tokens.lower(i + 1)).filter(|unit| unit.dimension == Dimension::Duration)?;
    let speed = UNITS.iter().find(|speed| {
        let rest = speed.name.strip_prefix(unit.name).and_then(|rest| rest.strip_prefix(" per "));
        speed.dimension == Dimension::Speed && rest == Some(time.name)
    })?;
    Some((speed, i + 2))
}

/// Whether what is written need not be a unit: `in` is a word, and a letter behind a space may be anything.
fn is_latent(tokens: &Tokens<'_>, i: usize) -> bool {
    let spaced = !tokens.is_joined(i);
    let capital = || tokens.get(i).is_some_and(|token| token.span.of(tokens.text()) != token.lower);
    match tokens.lower(i) {
        "c" | "f" => !capital(),
        // The fifth generation of networks is 5G.
        "g" if capital() => true,
        "m" | "k" | "t" | "d" | "n" | "v" | "w" | "j" | "quarter" | "quarters" | "pt" | "mo" | "ma" => true,
        "in" | "us" | "pa" | "bar" | "bars" | "stone" | "mi" | "kn" | "ha" => spaced,
        lower => spaced && lower.len() == 1,
    }
}

/// Whether `in` is the inch: where nothing follows that one can be in.
fn is_inch(tokens: &Tokens<'_>, i: usize) -> bool {
    let word = tokens.get(i + 1).is_some_and(|token| token.kind != Kind::Sign);
    let goes_on = matches!(
        tokens.lower(i + 1),
        "by" | "x" | "long" | "wide" | "tall" | "thick" | "deep" | "high" | "of" | "and" | "or" | "to"
    );
    tokens.is_joined(i) || !word || goes_on
}

/// The unit that a word names, in the singular or the plural.
pub(super) fn of_word(lower: &str) -> Option<&'static Unit> {
    static WORDS: LazyLock<Vec<(&'static str, &'static Unit)>> = LazyLock::new(|| {
        let mut words: Vec<_> =
            UNITS.iter().flat_map(|unit| unit.words.iter().map(move |word| (*word, unit))).collect();
        words.sort_unstable_by_key(|(word, _)| *word);
        words
    });
    let look_up = |word: &str| {
        let at = WORDS.binary_search_by(|(known, _)| (*known).cmp(word)).ok()?;
        WORDS.get(at).map(|(_, unit)| *unit)
    };
    let plural = || lower.strip_suffix('s').filter(|singular| singular.len() > 1).and_then(look_up);
    look_up(lower).or_else(plural)
}

fn by_name(name: &str) -> Option<&'static Unit> {
    UNITS.iter().find(|unit| unit.name == name)
}

/// The unit whose name is another's behind a word: square *metre*.
fn named_after(before: &str, name: &str) -> Option<&'static Unit> {
    UNITS.iter().find(|unit| unit.name.strip_prefix(before) == Some(name))
}

/// The unit whose name is another's before a word: *kilowatt* hour.
fn named_by(name: &str, after: &str) -> Option<&'static Unit> {
    UNITS.iter().find(|unit| unit.name.strip_suffix(after) == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(amount: f64, from: &str, to: &str, expected: Option<f64>) {
        let unit = |name: &str| Unit::named(name).unwrap_or_else(|| panic!("{name} is no unit"));
        let found = unit(from).convert(amount, unit(to));
        let near = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
            (found, expected) => found == expected,
        };
        assert!(near, "{amount} {from} in {to}: {found:?}, not {expected:?}");
    }

    #[test]
    fn what_measures_the_same_is_converted() {
        check(3.0, "km", "meters", Some(3000.0));
        check(26.0, "miles", "kilometers", Some(41.842_944));
        check(90.0, "minutes", "hours", Some(1.5));
        check(2.0, "years", "months", Some(24.0));
        check(451.0, "°F", "celsius", Some(232.777_777_777_777_8));
        check(0.0, "C", "kelvin", Some(273.15));
        check(36.0, "km/h", "meters_per_second", Some(10.0));
        check(2.0, "sq ft", "square_meters", Some(0.185_806_08));
        check(3.0, "m3", "liters", Some(3000.0));
        check(50.0, "percent", "%", Some(50.0));
        check(2.0, "kWh", "kilojoules", Some(7200.0));
        check(3.0, "km", "hours", None);
    }

    #[test]
    fn degrees_without_a_scale_are_those_asked_for() {
        check(20.0, "degrees", "celsius", Some(20.0));
        check(70.0, "degrees", "fahrenheit", Some(70.0));
        check(70.0, "degrees", "km", None);
    }

    #[test]
    fn a_word_names_one_unit() {
        let mut words: Vec<&str> = UNITS.iter().flat_map(|unit| unit.words).copied().collect();
        words.sort_unstable();
        let count = words.len();
        words.dedup();
        assert_eq!(words.len(), count);
        assert_eq!(Unit::named("no such thing"), None);
    }
}
