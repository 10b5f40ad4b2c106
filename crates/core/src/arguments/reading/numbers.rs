//! Which number does a piece say, in the unit that its slot takes?

use serde_json::Value;

use super::super::form::{End, Kind, Slot};
use super::super::{By, Doubt, written};
use super::values::{PieceValue, Source, alike};
use crate::mentions::{self, Amount, Dimension, Mention, Setting, Unit, Value as Found};
use crate::message::Span;

impl Source<'_> {
    pub(super) fn number(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        let said = span.of(self.text);
        if let Some(number) = self.in_own_words(slot, span) {
            let doubt = written::out_of_range(slot, number);
            return Some(PieceValue { value: written::number(number)?, by: By::Number, doubt });
        }
        let decimal = decimal_comma(said);
        let with_unit = self
            .comma_with_unit(slot, span)
            .or_else(|| self.with_unit(slot, span).filter(|_| decimal.is_none()));
        if let Some(read) = with_unit {
            // "1.200 g" where the slot takes kilograms is rather 1,200 than 1.2.
            let shrinks = read.value.as_f64().is_some_and(|value| value.abs() < SHRUNK_MAX);
            let value = if slot.is_amount() { Value::String(read.value.to_string()) } else { read.value };
            let doubt = read.doubt.or_else(|| shrinks.then(|| point_before_three(slot, said)).flatten());
            return Some(PieceValue { value, doubt, ..read });
        }
        let found = decimal.or_else(|| millions(slot, said)).map(|number| (number, None)).or_else(|| {
            self.widened(span).into_iter().chain(self.within(span)).find_map(|mention| {
                let said = amount(&mention.value)?;
                let number = end_of(said, slot.end, &mention, span);
                let number =
                    written::number_in_unit(slot, &mention.value, number, mention.span.of(self.text))?;
                Some((number, range_of(said, slot, &mention, span)))
            })
        });
        let (number, doubt) = found?;
        let doubt = doubt
            .or_else(|| self.part_of_code(span))
            .or_else(|| several(said, self.setting).filter(|_| decimal.is_none()))
            .or_else(|| {
                point_before_three(slot, said).filter(|_| slot.kind == Kind::Number && slot.unit.is_none())
            })
            .or_else(|| {
                millions(slot, said).filter(|_| !counts_many(slot)).map(|_| Doubt::Unread(said.to_owned()))
            });
        let value = written::number(number)?;
        let value = if slot.is_amount() { Value::String(value.to_string()) } else { value };
        Some(PieceValue {
            value,
            by: By::Number,
            doubt: doubt.or_else(|| written::out_of_range(slot, number)),
        })
    }

    /// The number before a word that is the slot's own name, whatever else it may mean: "3 nm" for `visibility_nm`, "eighteen dozen" for `dozens`.
    fn in_own_words(&self, slot: &Slot, span: Span) -> Option<f64> {
        let stem = |word: &str| word.strip_suffix('s').unwrap_or(word).to_lowercase();
        let (piece, behind) = (span.of(self.text), self.text.get(span.end as usize..)?);
        let counted = |word: &str| {
            let word = stem(word.trim_matches(|c: char| !c.is_alphanumeric()));
            let is_unit = word == "dozen" || Unit::named(&word).is_some();
            is_unit && slot.names.first().is_some_and(|name| name.words.iter().any(|own| stem(own) == word))
        };
        let number = match piece.trim().rsplit_once(' ') {
            Some((number, last)) if counted(last) => number,
            _ => behind
                .strip_prefix(' ')?
                .split_whitespace()
                .next()
                .filter(|next| counted(next))
                .map(|_| piece)?,
        };
        // A sign or a point may mean more than one thing; a hyphen within "seventy-five" does not.
        let is_plain = !number.contains(['.', ',']) && !number.trim_start().starts_with('-');
        let is_plain = is_plain && !self.text.get(..span.start as usize)?.ends_with(['-', '.', ',']);
        let found = mentions::find(number, self.setting);
        let mut said = found.iter().filter(|mention| !mention.latent);
        match (said.next(), said.next()) {
            (Some(Mention { value: Found::Number(Amount::Exactly(count)), .. }), None) if is_plain => {
                Some(*count)
            }
            _ => None,
        }
    }

    /// A piece with its unit without what stands before it: "500 g" of "hive 3 500 g".
    fn by_itself(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        let piece = span.of(self.text);
        let behind = self.text.get(span.end as usize..)?.split_whitespace().next().unwrap_or_default();
        let has_unit = piece.contains(char::is_alphabetic);
        let alone = if has_unit { piece.to_owned() } else { format!("{piece} {behind}") };
        let is_shorter = alone.len() < self.text.len();
        is_shorter.then(|| Source::new(&alone, self.setting).with_unit(slot, Span::new(0..alone.len())))?
    }

    /// A number with a comma before its decimals and a unit, in the piece or behind it: "3,4 kg".
    fn comma_with_unit(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        let said = span.of(self.text);
        let (figures, unit) = match said.find(|c: char| c.is_alphabetic()) {
            Some(at) => said.split_at_checked(at)?,
            None => (said, self.text.get(span.end as usize..)?.split_whitespace().next()?),
        };
        let number = decimal_comma(figures).filter(|_| slot.unit.is_some())?;
        let written = format!("{number} {unit}");
        Source::new(&written, self.setting).with_unit(slot, Span::new(0..written.len()))
    }

    /// The range of which a piece is one end, and both ends.
    pub fn range_around(&self, span: Span) -> Option<(Span, Doubt)> {
        self.mentions.iter().filter(|mention| !mention.latent && mention.span.holds(span)).find_map(
            |mention| {
                let Some(Amount::Between(from, to)) = amount(&mention.value) else { return None };
                let ends = [from, to].into_iter().filter_map(written::number).collect();
                Some((mention.span, Doubt::Several(ends)))
            },
        )
    }

    /// The number that a piece in words is the beginning or the end of: "two" of "two dozen".
    fn widened(&self, span: Span) -> Option<Mention> {
        if span.of(self.text).bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let is_wider = |mention: &&Mention| {
            let number = matches!(mention.value, Found::Number(Amount::Exactly(_)));
            number && !mention.latent && mention.span.holds(span) && mention.span != span
        };
        self.mentions.iter().find(is_wider).cloned()
    }

    /// Why a number that is part of a code is asked about: of "1O7" neither 1 nor 7 is said.
    fn part_of_code(&self, span: Span) -> Option<Doubt> {
        let is_part = |c: char| c.is_alphanumeric();
        let (start, end) = (span.start as usize, span.end as usize);
        let before = self.text.get(..start)?.rsplit(|c| !is_part(c)).next()?;
        let behind = self.text.get(end..)?.split(|c| !is_part(c)).next()?;
        let code = format!("{before}{}{behind}", span.of(self.text));
        let letters_between = code
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .trim_end_matches(|c: char| c.is_ascii_digit());
        let figures = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_digit()) && text.ends_with(|c: char| c.is_ascii_digit())
        };
        let is_code = figures(&code)
            && !letters_between.is_empty()
            && letters_between.chars().all(char::is_alphabetic)
            && !matches!(letters_between, "x" | "X" | "h" | "e" | "m" | "cm" | "mm" | "km");
        is_code.then_some(Doubt::Unread(code))
    }

    /// The number that a piece says, whatever it counts.
    pub fn plain_number(&self, span: Span) -> Option<f64> {
        self.within(span).into_iter().find_map(|mention| amount(&mention.value)?.single())
    }

    /// A number with a unit or currency next to it, converted to the unit of the slot, or asked about if that is impossible.
    fn with_unit(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        // "1.2 m" may be metres and minutes: the slot tells which.
        let fits = |mention: &Mention| match (&mention.value, slot.unit) {
            (Found::Measure(_, unit), Some(wanted)) => unit.convert(1.0, wanted).is_some_and(is_near),
            _ => false,
        };
        // "500 g" need not be grams, but is where the slot takes kilograms.
        let holds = |mention: &&Mention| (!mention.latent || fits(mention)) && mention.span.holds(span);
        let mention = self
            .mentions
            .iter()
            .filter(holds)
            .max_by_key(|mention| (alike(mention.span, span), fits(mention)))?;
        let said = mention.span.of(self.text);
        let number = end_of(amount(&mention.value)?, slot.end, mention, span);
        let is_whole = mention.span == span;
        let piece = span.of(self.text);
        // A part of "an hour and ten" says nothing against all of it.
        let counts = |own: &Mention| !is_whole || own.span.of(piece).len() == piece.len() || number < 0.0;
        let bare =
            mentions::find(piece, self.setting).into_iter().filter(counts).find_map(|own| match own.value {
                Found::Number(amount) => amount.single(),
                _ => None,
            });
        // "-2 hours": the sign before the piece belongs to it, and is asked about.
        if bare.is_some_and(|bare| number < 0.0 && (bare + number).abs() < f64::EPSILON) {
            return Some(PieceValue {
                value: written::number(number)?,
                by: By::Number,
                doubt: Some(Doubt::Unread(said.to_owned())),
            });
        }
        // "At a point 3 meters away": the piece says which number it is.
        if bare.is_some_and(|bare| (bare - number).abs() > f64::EPSILON * number.abs()) {
            return self.by_itself(slot, span);
        }
        let asked = || {
            let value = written::number(number)?;
            Some(PieceValue { value, by: By::Number, doubt: Some(Doubt::Unread(said.to_owned())) })
        };
        match &mention.value {
            Found::Measure(_, unit) => {
                // Degrees are those of the slot, whether they are of heat or of an angle.
                let written = said.trim_start_matches(|c: char| !c.is_alphabetic());
                let is_own = says(&slot.about.text, written);
                if BARE_DEGREES.contains(&unit.name) {
                    let doubt = written::out_of_range(slot, number);
                    return Some(PieceValue { value: written::number(number)?, by: By::Number, doubt });
                }
                let wanted = slot.unit.filter(|wanted| !is_own || unit.dimension == wanted.dimension)?;
                let Some(number) = unit.convert(number, wanted) else {
                    return if is_own { None } else { asked() };
                };
                let value = written::number(number)?;
                let strange = !slot.unit_declared && !of_one_system(unit, wanted);
                let doubt = strange.then(|| Doubt::Unread(said.to_owned()));
                Some(PieceValue {
                    value,
                    by: By::Number,
                    doubt: doubt.or_else(|| written::out_of_range(slot, number)),
                })
            }
            Found::Money(_, currency) => {
                let names = slot.names.iter().map(|name| name.text.as_str());
                let takes: Vec<&str> = names.chain([slot.about.text.as_str()]).collect();
                mentions::contradicts_currency(currency, &takes.join(". ")).then(asked)?
            }
            _ => None,
        }
    }
}

/// Whether one unit may be said for the other where only a letter says it: grams for kilograms, and no minutes for months.
fn is_near(factor: f64) -> bool {
    (LETTER_FACTOR_MAX.recip()..=LETTER_FACTOR_MAX).contains(&factor.abs())
}

/// How many times larger one unit may be than the other: hours and seconds are 3,600 times apart.
const LETTER_FACTOR_MAX: f64 = 3_600.0;

/// Whether a text says these words, not as a part of others.
fn says(text: &str, words: &str) -> bool {
    let text = text.replace("e.g.", "");
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut found = text.match_indices(words).filter(|_| !words.is_empty());
    found.any(|(at, _)| {
        let (before, behind) = (text.get(..at), text.get(at + words.len()..));
        !is_part(before.and_then(|text| text.chars().next_back()))
            && !is_part(behind.and_then(|text| text.chars().next()))
    })
}

/// Whether one unit is a multiple of the other in tens or in two to the tenth, or both are of time: kilowatts and megawatts, hours and minutes. Pounds for
/// kilograms may be a slip, and are asked about unless the schema itself says which unit it takes.
fn of_one_system(unit: &Unit, wanted: &Unit) -> bool {
    let is_power = |factor: f64, base: f64| {
        let power = factor.log(base).round();
        power.is_finite() && (base.powf(power) / factor - 1.0).abs() < SAME_FACTOR
    };
    let factor = unit.convert(1.0, wanted).unwrap_or_default();
    unit.dimension == Dimension::Duration || is_power(factor, 10.0) || is_power(factor, 1024.0)
}

/// Degrees of which it is not said what they measure.
const BARE_DEGREES: [&str; 2] = ["degree", "degree of arc"];
/// How far two factors may be apart, relative to one of them, and be the same.
const SAME_FACTOR: f64 = 1e-9;

pub(super) fn amount(value: &Found) -> Option<Amount> {
    match value {
        Found::Number(amount)
        | Found::Percent(amount)
        | Found::Measure(amount, _)
        | Found::Money(amount, _) => Some(*amount),
        #[allow(clippy::cast_precision_loss)] // places in an order are small
        Found::Ordinal(place) => Some(Amount::Exactly(*place as f64)),
        _ => None,
    }
}

/// The number of an amount that a slot takes: of a range the end it stands for, else the one that the piece covers.
fn end_of(amount: Amount, end: Option<End>, mention: &Mention, span: Span) -> f64 {
    match amount {
        Amount::Exactly(number) | Amount::AtLeast(number) | Amount::AtMost(number) => number,
        Amount::Between(from, to) => {
            let middle = mention.span.start.midpoint(mention.span.end);
            match end {
                Some(End::High) => to,
                None if span.start >= middle => to,
                Some(End::Low) | None => from,
            }
        }
    }
}

/// Both ends of a range that is said for a slot that is no end of one.
fn range_of(amount: Amount, slot: &Slot, mention: &Mention, span: Span) -> Option<Doubt> {
    let Amount::Between(from, to) = amount else { return None };
    let whole = slot.end.is_none() && slot.many.is_none() && span.holds(mention.span);
    whole.then(|| Doubt::Several([from, to].into_iter().filter_map(written::number).collect()))
}

/// The numbers of a piece that says more than one: "fifteen ninety-nine", "half a day, four hours".
fn several(said: &str, setting: &Setting) -> Option<Doubt> {
    let mut apart: Vec<(Span, f64)> = Vec::new();
    for mention in mentions::find(said, setting).iter().filter(|mention| !mention.latent) {
        let is_place = matches!(mention.value, Found::Ordinal(_));
        let number = amount(&mention.value).and_then(Amount::single).filter(|_| !is_place);
        let Some(number) = number else { continue };
        if !apart.iter().any(|(span, _)| span.overlaps(mention.span)) {
            apart.push((mention.span, number));
        }
    }
    let differ = apart
        .windows(2)
        .any(|pair| matches!(pair, [(_, one), (_, other)] if (one - other).abs() > f64::EPSILON));
    differ.then(|| {
        Doubt::Several(apart.into_iter().filter_map(|(_, number)| written::number(number)).collect())
    })
}

/// Both readings of a number with a point before three figures: "3.400".
fn point_before_three(slot: &Slot, said: &str) -> Option<Doubt> {
    let figures = said.trim().trim_end_matches(|c: char| !c.is_ascii_digit());
    let (whole, rest) = figures.split_once('.')?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_open =
        is_number(whole) && is_number(rest) && rest.len() == THOUSAND_FIGURES && !whole.starts_with('0');
    let readings = [format!("{whole}.{rest}"), format!("{whole}{rest}")];
    let numbers: Vec<f64> = readings.iter().filter_map(|text| text.parse().ok()).collect();
    // A latitude of 52.520 is in bounds; 52,520 is not.
    let is_open = is_open && (slot.unit.is_some() || numbers.iter().all(|number| slot.bounds.hold(*number)));
    is_open.then(|| Doubt::Several(numbers.into_iter().filter_map(written::number).collect()))
}

/// A number that becomes smaller than this by its unit was rather said in thousands, in units of the slot.
const SHRUNK_MAX: f64 = 0.1;

/// Whether a slot counts money or people, of which there are millions.
fn counts_many(slot: &Slot) -> bool {
    const MANY: [&str; 19] = [
        "amount",
        "assets",
        "budget",
        "capital",
        "cost",
        "followers",
        "funding",
        "income",
        "inhabitants",
        "investment",
        "people",
        "population",
        "price",
        "profit",
        "revenue",
        "salary",
        "subscribers",
        "turnover",
        "users",
    ];
    let mut words = slot.names.iter().flat_map(|name| &name.words).chain(&slot.about.words);
    words.any(|word| MANY.contains(&word.as_str())) || mentions::names_currency(&slot.about.text)
}

/// Millions with their letter, where no length or time is counted: 2m, 6.5M.
fn millions(slot: &Slot, said: &str) -> Option<f64> {
    let figures = said.trim().strip_suffix(['m', 'M']).filter(|_| slot.unit.is_none())?;
    figures.parse::<f64>().ok().map(|millions| millions * MILLION)
}

const MILLION: f64 = 1_000_000.0;

/// A number with a comma before its decimals, as most of Europe writes it: 28,7, 7.204,65 and 1 249,00.
fn decimal_comma(text: &str) -> Option<f64> {
    let (whole, decimals) = text.trim().split_once(',')?;
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let figures = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let groups_of_three = whole.split(' ').skip(1).all(|group| group.len() == THOUSAND_FIGURES);
    let whole = whole.replace(['.', ' '], "");
    let fits = figures(&whole) && figures(decimals) && (decimals.len() < THOUSAND_FIGURES || whole == "0");
    let fits = fits && groups_of_three;
    fits.then(|| format!("{sign}{whole}.{decimals}").parse().ok()).flatten()
}

/// Figures behind a comma that parts thousands.
const THOUSAND_FIGURES: usize = 3;
