//! Which values does a tool take? Its JSON Schema as slots to be filled, read once.

mod hints;
mod read;

use regex::Regex;
use serde_json::{Map, Value};

use super::asked::Column;
use super::phrase::Phrase;
use crate::mentions::Unit;

pub use read::BadSchema;

/// A tool's arguments as slots.
#[derive(Clone, Debug)]
pub struct Form {
    /// The tool's name.
    pub tool: String,
    /// What it does, in its own words.
    pub description: String,
    /// The words of its name and of what it does.
    pub about: Phrase,
    /// What can be filled, in the order of the schema; those of objects within it as `outer.inner`.
    pub slots: Vec<Slot>,
    /// Whether one slot at least must be said, whichever: `minProperties`.
    pub wants_one: bool,
}

impl Form {
    /// Reads the form of a tool.
    pub fn read(name: &str, description: &str, schema: Option<&Value>) -> Result<Form, BadSchema> {
        read::form(name, description, schema)
    }

    /// The slots that a reader reads, in order: those of listed objects one by one, named as `lines[].sku`.
    pub fn read_slots(&self) -> Vec<(String, &Slot)> {
        let mut slots = Vec::new();
        for slot in &self.slots {
            if slot.items.is_empty() {
                slots.push((slot.name.clone(), slot));
            }
            slots.extend(slot.items.iter().map(|item| (format!("{}[].{}", slot.name, item.name), item)));
        }
        slots
    }

    /// The same where slots that take columns take one of these.
    #[must_use]
    pub fn with_columns(&self, columns: &[Column]) -> Form {
        let mut form = self.clone();
        for slot in form.slots.iter_mut().filter(|slot| slot.columns && !columns.is_empty()) {
            slot.closed = true;
            slot.choices = columns.iter().map(|column| column.0.clone()).collect();
            for choice in &mut slot.choices {
                let shown = slot.shown.iter().find(|shown| shown.value == choice.value);
                choice.examples = shown.map(|shown| shown.examples.clone()).unwrap_or_default();
            }
        }
        form
    }

    /// The places of the slots in the order in which what is missing is asked for: as the schema requires them, then the others.
    pub fn asking_order(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.slots.len()).collect();
        places.sort_by_key(|place| self.slots.get(*place).map_or(usize::MAX, |slot| slot.rank));
        places
    }

    /// The place of a slot by its name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.slots.iter().position(|slot| slot.name == name)
    }

    /// The arguments of a call, with the objects that the slots stand in.
    pub fn call(&self, values: impl IntoIterator<Item = (usize, Value)>) -> Map<String, Value> {
        let mut call = Map::new();
        for (place, value) in values {
            if let Some(slot) = self.slots.get(place) {
                put(&mut call, &slot.path, value);
            }
        }
        call
    }
}

fn put(object: &mut Map<String, Value>, path: &[String], value: Value) {
    match path {
        [] => {}
        [name] => {
            object.insert(name.clone(), value);
        }
        [outer, inner @ ..] => {
            let within = object.entry(outer.clone()).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(within) = within {
                put(within, inner, value);
            }
        }
    }
}

/// One value that a tool takes.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each says one thing of the schema, and all combine
pub struct Slot {
    /// Its name, as answers call it: `address.city` within an object.
    pub name: String,
    /// Where it stands in the call.
    pub path: Vec<String>,
    /// The words of its name, and those the schema calls it by besides.
    pub names: Vec<Phrase>,
    /// What it is for.
    pub about: Phrase,
    /// What kind of value it takes.
    pub kind: Kind,
    /// Whether it takes several of them.
    pub many: Option<Many>,
    /// Whether a call needs it.
    pub required: bool,
    /// Its place under `required`, in which what is missing is asked for.
    pub rank: usize,
    /// Whether it may be `null`.
    pub nullable: bool,
    /// What is taken where nobody says.
    pub default: Option<Value>,
    /// The unit its numbers are in.
    pub unit: Option<&'static Unit>,
    /// Whether the schema says so itself, and not its description alone.
    pub unit_declared: bool,
    /// Values it may take, or that its description gives as examples.
    pub choices: Vec<Choice>,
    /// Values that examples are given for where the schema lists none: columns that people ask for in other words.
    pub shown: Vec<Choice>,
    /// Whether it takes nothing but its choices.
    pub closed: bool,
    /// What its values must hold to.
    pub bounds: Bounds,
    /// The expression that its texts must match.
    pub pattern: Option<Regex>,
    /// Which end of a range it is, where its name says so.
    pub end: Option<End>,
    /// Beyond what a value is taken with a warning.
    pub soft: Bounds,
    /// Whether a day without a year is the latest such day: where something began.
    pub looks_back: bool,
    /// Whether the schema says its format itself, and not its name alone.
    pub format_declared: bool,
    /// How it wants a date to be written, where its description says (`MM-DD-YYYY`).
    pub date_format: Option<String>,
    /// Whether it takes the name of a column.
    pub columns: bool,
    /// The slots of the objects it lists, if it is a list of objects.
    pub items: Vec<Slot>,
}

/// Most choices of a slot that are read one by one, as in the training of the reader.
const READ_CHOICES_MAX: usize = 32;
/// Words for how much: a text slot whose name ends in one takes numbers.
const AMOUNTS: [&str; 8] = ["amount", "length", "rating", "price", "cost", "count", "size", "quantity"];

impl Slot {
    /// What a call holds for it.
    pub fn value_in<'c>(&self, call: &'c Map<String, Value>) -> Option<&'c Value> {
        let (first, inner) = self.path.split_first()?;
        inner.iter().try_fold(call.get(first)?, |value, name| value.get(name))
    }

    /// The choices that a reader judges one by one: those it is bound to, unless they are too many. Of more than that the words that are said tell which it is.
    pub fn read_choices(&self) -> &[Choice] {
        let few = self.closed && self.kind != Kind::Flag && self.choices.len() <= READ_CHOICES_MAX;
        if few { &self.choices } else { &[] }
    }

    /// Whether examples say how its choices are asked for.
    pub fn is_taught(&self) -> bool {
        self.read_choices().iter().any(|choice| !choice.examples.is_empty())
    }

    /// Whether its choices are numbers, such as `"1"`, `"2"`, `"3"`, with at most one for "any".
    pub fn is_counted(&self) -> bool {
        let numbers = self.choices.iter().filter(|choice| choice.number().is_some()).count();
        self.closed && numbers > 0 && numbers + 1 >= self.choices.len()
    }

    /// Whether it takes a number written as a text: its name ends in a word for how much.
    pub fn is_amount(&self) -> bool {
        let measured = |name: &Phrase| name.words.last().is_some_and(|word| AMOUNTS.contains(&word.as_str()));
        self.kind == Kind::Text && self.choices.is_empty() && self.names.first().is_some_and(measured)
    }

    /// The kind it is weighed as.
    pub(super) fn weighed_as(&self) -> Kind {
        if self.is_counted() || self.is_amount() { Kind::Number } else { self.kind }
    }
}

/// An end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where it begins: `min_price`, `start_date`.
    Low,
    /// Where it ends: `max_price`, `end_date`.
    High,
}

/// What kind of value a slot takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of its choices, or any text.
    Text,
    /// True or false.
    Flag,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// A day with a time of day.
    DateTime,
    /// A stretch of time, as ISO 8601.
    Duration,
    /// An e-mail address.
    Email,
    /// An address of the web.
    Url,
    /// A telephone number.
    Phone,
    /// An object, of which nothing is known.
    Object,
}

impl Kind {
    /// Whether it is a number.
    pub const fn is_number(self) -> bool {
        matches!(self, Kind::Integer | Kind::Number)
    }

    /// Whether it is a time.
    pub const fn is_time(self) -> bool {
        matches!(self, Kind::Date | Kind::Time | Kind::DateTime)
    }
}

/// How many values a list takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Many {
    /// The fewest.
    pub least: usize,
    /// The most.
    pub most: usize,
    /// Whether each may stand in it once.
    pub unique: bool,
}

/// A value a slot may take.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The value, as a call holds it.
    pub value: Value,
    /// What it is called: its own words first, then those the schema gives it.
    pub words: Vec<Phrase>,
    /// How people ask for it, by example.
    pub examples: Vec<Phrase>,
}

impl Choice {
    /// Its value as a number, where it is one.
    pub fn number(&self) -> Option<f64> {
        self.value.as_f64().or_else(|| self.value.as_str()?.trim().parse().ok())
    }
}

/// What a value must hold to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The least number.
    pub least: Option<f64>,
    /// Whether that number itself is too little.
    pub above: bool,
    /// The largest number.
    pub most: Option<f64>,
    /// Whether that number itself is too much.
    pub below: bool,
    /// What a number must be a multiple of.
    pub step: Option<f64>,
    /// The fewest letters of a text.
    pub letters_least: Option<usize>,
    /// The most letters of a text.
    pub letters_most: Option<usize>,
}

impl Bounds {
    /// How far apart its ends are.
    pub fn room(&self) -> f64 {
        self.least.zip(self.most).map_or(f64::INFINITY, |(least, most)| most - least)
    }

    /// Whether a number is within.
    pub fn hold(&self, number: f64) -> bool {
        let low = self.least.is_none_or(|least| if self.above { number > least } else { number >= least });
        let high = self.most.is_none_or(|most| if self.below { number < most } else { number <= most });
        // A step is told in decimals: three tenths are three times a tenth but for the last bit.
        let stepped = self.step.is_none_or(|step| {
            let steps = number / step;
            (steps - steps.round()).abs() < 1e-9
        });
        low && high && stepped
    }
}
