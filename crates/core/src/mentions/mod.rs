//! **Which values does it name?** Numbers, amounts, times, addresses and quoted words, each with its place and what it comes to.

mod tokens;
mod amount;
mod words;
mod figures;
mod bounds;
mod parts;
mod slips;
mod starts;
mod numbers;
mod ordinals;
mod unit_table;
mod units;
mod measures;
mod countries;
mod currencies;
mod money;
mod addresses;
mod phones;
mod quoted;
mod calendar;
mod time;
mod loose;
mod spelled;
#[cfg(test)]
mod tests;

pub use amount::Amount;
pub use calendar::{Civil, Date, Grain, Zone};
pub use loose::{clock, count, number_words, time_words};
pub use slips::distance;
pub use spelled::{code, day_of_weekday, end_of_period, figure_by_figure, names_day, part_of_whole};
pub use time::{Bound, Clock, Said, Time};
pub use tokens::{Kind as TokenKind, Token, Tokens};
pub use units::{Dimension, Unit};

use crate::message::Span;

/// In which order a day and a month are written where both are figures: 03/04.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// 03/04 is the third of April.
    DayFirst,
    /// 03/04 is the fourth of March.
    MonthFirst,
}

/// What a text is read against: where and when it was said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting {
    /// The time on the speaker's clock. Without it only times that name their day are found.
    pub now: Option<Civil>,
    /// Minutes by which that clock is ahead of UTC, where zones are named.
    pub zone: Zone,
    /// How days are written. Nobody knows where it is not said: 03/04 is then ambiguous.
    pub order: Option<DateOrder>,
    /// The country it was said in, as two letters (`US`): holidays and the money that is meant by a bare word.
    pub country: Option<String>,
}

/// A value that a text names.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Where it stands, in bytes of the text.
    pub span: Span,
    /// What it comes to.
    pub value: Value,
    /// Whether the text need not have meant it: a bare number that may be an hour, `may` that may be the month.
    pub latent: bool,
}

/// What a mention comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A plain number: 200k, half a million, at least 3.
    Number(Amount),
    /// A place in an order: second, 3rd, #3.
    Ordinal(i64),
    /// Hundredths of something: 20 %.
    Percent(Amount),
    /// A number of units: 3 km, 20 °C, two and a half hours.
    Measure(Amount, &'static Unit),
    /// Money, with the currency as three letters where it is told, or as it was called where several are called so
    /// (`dollar`, `pound`, `cent`).
    Money(Amount, String),
    /// A point or a stretch of time.
    Time(Time),
    /// An e-mail address, as it is written by machines.
    Email(String),
    /// An address of the web.
    Url(String),
    /// A telephone number: digits, with the country before them in brackets where it is told: `(+1) 6507018887`.
    Phone(String),
    /// A path or the name of a file.
    File(String),
    /// Words in quotation marks, without them.
    Quoted(String),
}

/// Whether an amount in one currency contradicts a text that names others: dollars where euros are taken.
pub fn contradicts_currency(currency: &str, text: &str) -> bool {
    let named = currencies::named(text);
    !named.is_empty() && !named.iter().any(|own| currencies::alike(own, currency))
}

/// Whether a text names a currency: "in US dollars".
pub fn names_currency(text: &str) -> bool {
    !currencies::named(text).is_empty()
}

/// The values that a text names, in the order in which they begin. Several may stand in one place (`second` is an
/// ordinal and a time span): which is meant, only what is asked for can tell.
pub fn find(text: &str, setting: &Setting) -> Vec<Mention> {
    let tokens = Tokens::new(text);
    let mut found = Vec::new();
    let starts = starts::Starts::new(&tokens);
    measures::find(&tokens, &starts, &mut found);
    money::find(&tokens, &starts, setting, &mut found);
    addresses::find(&tokens, &mut found);
    phones::find(&tokens, &mut found);
    // Behind those, since a number that belongs to one of them is no mention of its own.
    numbers::find(&tokens, &starts, &mut found);
    ordinals::find(&tokens, &mut found);
    time::find(&tokens, setting, &mut found);
    quoted::find(&tokens, &mut found);
    found.sort_by_key(|mention| (mention.span.start, std::cmp::Reverse(mention.span.end)));
    found
}
