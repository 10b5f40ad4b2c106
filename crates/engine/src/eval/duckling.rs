//! Are the values found in short phrases those that were meant? Rows of phrase, dimension and value in the notation of
//! the set they come from: `(simple Kilometre 3)`, `(between Dollar (10, 20))`, `(DurationData 90 Minute)`.

use serde::Deserialize;
use waypost_core::mentions::{
    Amount, Civil, Date, DateOrder, Dimension, Grain, Mention, Setting, Time, Unit, Value, Zone,
};

/// How far two amounts may be apart, relative to the larger: what conversion costs, and no more.
const NEAR: f64 = 1e-6;

/// A phrase that names one value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Phrase {
    /// What is said.
    pub text: String,
    /// What sort of value it names: `Numeral`, `Duration`, `Time`.
    pub dim: String,
    /// The language, with the country behind it where that decides: `EN-GB`.
    pub lang: String,
    /// The part of the set it belongs to: one of them was said three days later.
    #[serde(default)]
    pub block: String,
    /// The value, in the notation of the set.
    pub value_raw: String,
}

impl Phrase {
    /// The country it was said in, as two letters.
    pub fn country(&self) -> Option<&str> {
        self.lang.split_once('-').map(|(_, country)| country)
    }

    /// When and where the set says that its phrases were said.
    pub fn setting(&self) -> Setting {
        /// Countries of the set that write the month first; without a country the set does as well.
        const MONTH_FIRST: [&str; 4] = ["US", "CA", "PH", "ZA"];
        /// Minutes by which the set's clock is ahead of UTC.
        const ZONE: Zone = Zone(-120);
        let month_first = self.country().is_none_or(|country| MONTH_FIRST.contains(&country));
        let day = if self.block == "diffCorpus" { 15 } else { 12 };
        Setting {
            now: Date::new(2013, 2, day).and_then(|date| Civil::new(date, 4, 30, 0)),
            zone: ZONE,
            order: Some(if month_first { DateOrder::MonthFirst } else { DateOrder::DayFirst }),
            country: self.country().map(str::to_owned),
        }
    }
}

/// The value that a phrase should be found to name.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// A plain number, or an amount of nothing that is named.
    Number(Amount),
    /// A place in an order.
    Ordinal(i64),
    /// An amount of a unit, which goes by the set's name for it.
    Measure(Amount, String),
    /// A sum of money, in a currency that goes by the set's name for it.
    Money(Amount, String),
    /// An address, as it is written by machines.
    Text(String),
    /// A point or a stretch of time.
    Time(WantedTime),
}

/// A point or a stretch of time that a phrase should be found to name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedTime {
    /// What begins there and is told so finely.
    Point(Civil, Grain),
    /// From the first to the second.
    Between(Civil, Civil, Grain),
    /// It and later.
    After(Civil, Grain),
    /// Earlier.
    Before(Civil, Grain),
}

/// What a row wants; nothing where its notation is not one that is known.
pub fn wanted(phrase: &Phrase) -> Option<Wanted> {
    let atoms = atoms(&phrase.value_raw);
    let (head, rest) = atoms.split_first()?;
    let text = || rest.iter().find_map(Atom::quoted).map(|text| Wanted::Text(text.to_owned()));
    match head.word()? {
        "NumeralValue" => Some(Wanted::Number(Amount::Exactly(rest.first()?.number()?))),
        "OrdinalData" => rest.first()?.word()?.parse().ok().map(Wanted::Ordinal),
        "DurationData" => {
            let unit = rest.get(1)?.word()?.to_owned();
            Some(Wanted::Measure(Amount::Exactly(rest.first()?.number()?), unit))
        }
        "EmailData" | "PhoneNumberValue" | "UrlData" | "CreditCardNumberValue" => text(),
        kind @ ("simple" | "above" | "under" | "between") => amount(&phrase.dim, kind, rest),
        kind if kind.starts_with("datetime") => time(kind, rest).map(Wanted::Time),
        _ => None,
    }
}

/// An amount of a unit or of money: `simple Kilometre 3`, `between Dollar (10, 20)`.
fn amount(dim: &str, kind: &str, rest: &[Atom<'_>]) -> Option<Wanted> {
    let unit = rest.first()?.word()?;
    let first = rest.get(1)?.number()?;
    let amount = match kind {
        "simple" => Amount::Exactly(first),
        "above" => Amount::AtLeast(first),
        "under" => Amount::AtMost(first),
        _ => Amount::Between(first, rest.get(2)?.number()?),
    };
    Some(match (dim, unit) {
        ("AmountOfMoney", _) => Wanted::Money(amount, unit.to_owned()),
        (_, "Unnamed") => Wanted::Number(amount),
        _ => Wanted::Measure(amount, unit.to_owned()),
    })
}

/// A time: `datetime (2013, 2, 12, 15, 0, 0) Hour`, `datetimeInterval ((…), (…)) Day`, `datetimeOpenInterval After …`.
fn time(kind: &str, rest: &[Atom<'_>]) -> Option<WantedTime> {
    let numbers: Vec<i64> = rest.iter().filter_map(|atom| atom.word()?.parse().ok()).collect();
    let moment = |numbers: &[i64]| match *numbers {
        [year, month, day, hour, minute, second] => {
            Civil::new(Date::new(year, month, day)?, hour, minute, second)
        }
        _ => None,
    };
    let mut moments = numbers.chunks(6).filter_map(moment);
    let first = moments.next()?;
    let grain = rest.iter().filter_map(Atom::word).find_map(grain)?;
    Some(match kind {
        "datetimeInterval" | "datetimeIntervalHoliday" => WantedTime::Between(first, moments.next()?, grain),
        "datetimeOpenInterval" if rest.iter().any(|atom| atom.word() == Some("Before")) => {
            WantedTime::Before(first, grain)
        }
        "datetimeOpenInterval" => WantedTime::After(first, grain),
        _ => WantedTime::Point(first, grain),
    })
}

fn grain(word: &str) -> Option<Grain> {
    Some(match word {
        "Second" => Grain::Second,
        "Minute" => Grain::Minute,
        "Hour" => Grain::Hour,
        "Day" => Grain::Day,
        "Week" => Grain::Week,
        "Month" => Grain::Month,
        "Quarter" => Grain::Quarter,
        "Year" => Grain::Year,
        _ => return None,
    })
}

/// Whether what was found in a phrase is what it wants: among the mentions of its sort the longest, since a phrase is
/// nothing but the value it names.
pub fn is_found(phrase: &Phrase, wanted: &Wanted, found: &[Mention]) -> bool {
    let of_sort = || found.iter().filter(|mention| is_of_sort(&phrase.dim, wanted, &mention.value));
    let length = |mention: &Mention| mention.span.end - mention.span.start;
    let longest = of_sort().map(length).max();
    let now = phrase.setting().now;
    of_sort()
        .filter(|mention| Some(length(mention)) == longest)
        .any(|mention| is_same(wanted, &mention.value, now))
}

/// Whether a mention is of a row's sort at all.
fn is_of_sort(dim: &str, wanted: &Wanted, value: &Value) -> bool {
    match (wanted, value) {
        (Wanted::Measure(..), Value::Measure(_, unit)) => match dim {
            "Distance" => unit.dimension == Dimension::Length,
            "Duration" => unit.dimension == Dimension::Duration,
            "Temperature" => unit.dimension == Dimension::Temperature,
            "Volume" => unit.dimension == Dimension::Volume,
            _ => matches!(unit.dimension, Dimension::Mass | Dimension::Volume),
        },
        (Wanted::Text(_), Value::Email(_)) => dim == "Email",
        (Wanted::Text(_), Value::Url(_)) => dim == "Url",
        (Wanted::Text(_), Value::Phone(_)) => dim == "PhoneNumber",
        // Where nothing is named that is counted, a bare number is all there can be.
        (Wanted::Money(_, unit), Value::Number(_)) => unit == "Unnamed",
        (Wanted::Number(_), Value::Number(_))
        | (Wanted::Ordinal(_), Value::Ordinal(_))
        | (Wanted::Money(..), Value::Money(..))
        | (Wanted::Time(_), Value::Time(_)) => true,
        _ => false,
    }
}

/// Whether a mention of the row's sort has its value.
fn is_same(wanted: &Wanted, value: &Value, now: Option<Civil>) -> bool {
    match (wanted, value) {
        (Wanted::Number(wanted) | Wanted::Money(wanted, _), Value::Number(found)) => {
            are_near(*wanted, *found)
        }
        (Wanted::Ordinal(wanted), Value::Ordinal(found)) => wanted == found,
        (Wanted::Money(wanted, unit), Value::Money(found, currency)) => {
            is_currency(unit, currency) && are_near(*wanted, *found)
        }
        (Wanted::Measure(wanted, unit), Value::Measure(found, own)) => {
            are_near_in(*wanted, unit, *found, own)
        }
        (Wanted::Text(wanted), Value::Email(found) | Value::Url(found) | Value::Phone(found)) => {
            wanted == found
        }
        (Wanted::Time(wanted), Value::Time(found)) => is_same_time(*wanted, found, now),
        _ => false,
    }
}

/// Whether a time is the one that is wanted, told as finely.
fn is_same_time(wanted: WantedTime, found: &Time, now: Option<Civil>) -> bool {
    let (from, to) = (found.from(), found.to());
    match wanted {
        WantedTime::Point(at, grain) => from == Some(at) && to.is_some() && found.grain == grain,
        WantedTime::Between(start, end, grain) => {
            // What is to be done by a time is a stretch from now on to the set, told to the second.
            if from.is_none() {
                return Some(start) == now && to == Some(end) && grain == Grain::Second;
            }
            // The set counts the last minute or hour in; people end with its beginning.
            let counted_in = || to.filter(|_| grain < Grain::Day).and_then(|to| to.plus(1, grain));
            from == Some(start) && found.grain == grain && (to == Some(end) || counted_in() == Some(end))
        }
        WantedTime::After(at, grain) => to.is_none() && found.start == at && found.grain == grain,
        WantedTime::Before(at, grain) => from.is_none() && found.start == at && found.grain == grain,
    }
}

/// Whether the set's name for a currency is ours: three letters are the same, words in small letters; `Unnamed` is
/// money that several currencies are called by.
fn is_currency(wanted: &str, found: &str) -> bool {
    let told = found.len() == 3 && found.chars().all(char::is_uppercase);
    if wanted == "Unnamed" { !told } else { wanted.eq_ignore_ascii_case(found) }
}

/// Whether two amounts are the same, the first in the unit that goes by the set's name.
fn are_near_in(wanted: Amount, name: &str, found: Amount, own: &'static Unit) -> bool {
    // The set's name for a length that may be miles or metres.
    let name = if name == "M" { own.name } else { name };
    let Some(unit) = Unit::named(name).filter(|unit| unit.convert(1.0, own).is_some()) else { return false };
    let scale = (unit.name == "degree") == (own.name == "degree");
    scale && are_near(wanted.map(|amount| unit.convert(amount, own).unwrap_or(f64::NAN)), found)
}

fn are_near(wanted: Amount, found: Amount) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= NEAR * a.abs().max(b.abs());
    match (wanted, found) {
        (Amount::Exactly(a), Amount::Exactly(b))
        | (Amount::AtLeast(a), Amount::AtLeast(b))
        | (Amount::AtMost(a), Amount::AtMost(b)) => near(a, b),
        (Amount::Between(from, to), Amount::Between(own_from, own_to)) => {
            near(from, own_from) && near(to, own_to)
        }
        _ => false,
    }
}

/// A word, a number or a quoted text of the notation; brackets and commas only part them.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Atom<'t> {
    Bare(&'t str),
    Quoted(&'t str),
}

impl<'t> Atom<'t> {
    fn word(&self) -> Option<&'t str> {
        match self {
            Atom::Bare(word) => Some(word),
            Atom::Quoted(_) => None,
        }
    }

    fn quoted(&self) -> Option<&'t str> {
        match self {
            Atom::Quoted(text) => Some(text),
            Atom::Bare(_) => None,
        }
    }

    fn number(&self) -> Option<f64> {
        self.word()?.parse().ok()
    }
}

fn atoms(raw: &str) -> Vec<Atom<'_>> {
    let mut atoms = Vec::new();
    for (nth, piece) in raw.split('"').enumerate() {
        if nth % 2 == 1 {
            atoms.push(Atom::Quoted(piece));
        } else {
            let bare = piece.split(|c: char| c.is_whitespace() || "(),$".contains(c));
            atoms.extend(bare.filter(|word| !word.is_empty()).map(Atom::Bare));
        }
    }
    atoms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    #[allow(clippy::needless_pass_by_value)] // a table reads better without borrows
    fn check(dim: &str, raw: &str, expected: Option<Wanted>) {
        let phrase = Phrase {
            text: String::new(),
            dim: dim.to_owned(),
            lang: "EN-NZ".to_owned(),
            block: String::new(),
            value_raw: raw.to_owned(),
        };
        assert_eq!(wanted(&phrase), expected, "{raw}");
        assert_eq!(phrase.country(), Some("NZ"));
    }

    #[test]
    fn the_notation_is_read() {
        check("Numeral", "(NumeralValue (-3.5e2))", Some(Wanted::Number(Amount::Exactly(-350.0))));
        check("Ordinal", "(OrdinalData 12)", Some(Wanted::Ordinal(12)));
        let money = |amount| Some(Wanted::Money(amount, "Dollar".to_owned()));
        check("AmountOfMoney", "(between Dollar (8, 9.5))", money(Amount::Between(8.0, 9.5)));
        check("AmountOfMoney", "(under Dollar 8)", money(Amount::AtMost(8.0)));
        let mass = Wanted::Measure(Amount::AtLeast(5.0), "Gram".to_owned());
        check("Quantity", "(above Gram 5 (Just \"flour\"))", Some(mass));
        check("Email", "(EmailData \"a.b@c.example\")", Some(Wanted::Text("a.b@c.example".to_owned())));
        check("Other", "(Nothing)", None);
    }

    #[test]
    fn times_are_read() {
        let moment =
            |day, hour, minute| Civil::new(Date::new(2020, 5, day).unwrap(), hour, minute, 0).unwrap();
        let check = |raw, expected| check("Time", raw, Some(Wanted::Time(expected)));
        let start = moment(6, 0, 0);
        check("(datetime (2020, 5, 6, 0, 0, 0) Day)", WantedTime::Point(start, Grain::Day));
        check(
            "(datetimeInterval ((2020, 5, 6, 0, 0, 0), (2020, 5, 8, 12, 30, 0)) Minute)",
            WantedTime::Between(start, moment(8, 12, 30), Grain::Minute),
        );
        check(
            "(datetimeOpenInterval Before (2020, 5, 6, 0, 0, 0) Day)",
            WantedTime::Before(start, Grain::Day),
        );
        check("(datetimeOpenInterval After (2020, 5, 6, 0, 0, 0) Day)", WantedTime::After(start, Grain::Day));
    }
}
