//! How does a JSON Schema become slots?

use std::fmt;

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use super::{Bounds, Choice, Form, Kind, Many, Slot, hints};
use crate::arguments::phrase::Phrase;
use crate::mentions::Unit;

/// Deepest objects within objects that are filled from a text: nobody says what lies deeper.
const DEPTH_MAX: usize = 4;
/// Most slots of one form; a schema with more is a data format, not a call.
const SLOTS_MAX: usize = 128;
/// Most values of a list where the schema sets no bound.
const MANY_MAX: usize = 64;

/// Why a schema is no form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadSchema {
    /// It is no object.
    NotAnObject {
        /// Whose schema.
        tool: String,
        /// What it is instead.
        found: &'static str,
    },
    /// A property is no schema.
    BadProperty {
        /// Whose schema.
        tool: String,
        /// Which property.
        property: String,
        /// What it is instead.
        found: &'static str,
    },
}

impl fmt::Display for BadSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadSchema::NotAnObject { tool, found } => {
                write!(f, "the schema of tool {tool:?} must be an object with `properties`, and is {found}")
            }
            BadSchema::BadProperty { tool, property, found } => {
                write!(f, "property {property:?} of tool {tool:?} must be an object, and is {found}")
            }
        }
    }
}

impl std::error::Error for BadSchema {}

pub(super) fn form(name: &str, description: &str, schema: Option<&Value>) -> Result<Form, BadSchema> {
    let mut form = Form {
        tool: name.to_owned(),
        description: description.to_owned(),
        about: Phrase::new(&format!("{name} {description}")),
        slots: Vec::new(),
        wants_one: false,
    };
    match schema {
        None | Some(Value::Null) => {}
        Some(Value::Object(object)) => {
            form.wants_one =
                object.get("minProperties").and_then(Value::as_u64).is_some_and(|least| least > 0);
            walk(&mut form, object, &[], true)?;
            hints::minutes(&mut form);
            hints::recorded(&mut form);
        }
        Some(other) => {
            return Err(BadSchema::NotAnObject { tool: name.to_owned(), found: kind_name(other) });
        }
    }
    Ok(form)
}

/// Adds the slots of an object's properties. What an optional object needs is needed only where it is begun, so its
/// slots are not required.
fn walk(
    form: &mut Form,
    object: &Map<String, Value>,
    path: &[String],
    needed: bool,
) -> Result<(), BadSchema> {
    let required: Vec<&str> = object
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, property) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if form.slots.len() >= SLOTS_MAX {
            break;
        }
        let Value::Object(property) = property else {
            return Err(BadSchema::BadProperty {
                tool: form.tool.clone(),
                property: name.clone(),
                found: kind_name(property),
            });
        };
        let mut path = path.to_vec();
        path.push(name.clone());
        let (property, nullable) = plain(property);
        let rank = required.iter().position(|known| known == name);
        let required = needed && rank.is_some();
        let inner = property.get("properties").and_then(Value::as_object);
        if inner.is_some_and(|inner| !inner.is_empty()) && path.len() < DEPTH_MAX {
            walk(form, property, &path, required)?;
        } else {
            let own = slot(name, path, property, required, nullable);
            form.slots.push(Slot { rank: rank.unwrap_or(usize::MAX), ..own });
        }
    }
    Ok(())
}

/// The schema behind `anyOf`, `oneOf` and `allOf`: the first that is not null says what is taken.
fn plain(property: &Map<String, Value>) -> (&Map<String, Value>, bool) {
    let said_null = types(property).any(|kind| kind == "null")
        || property.get("nullable").and_then(Value::as_bool).unwrap_or(false);
    for join in ["anyOf", "oneOf", "allOf"] {
        let Some(parts) = property.get(join).and_then(Value::as_array) else { continue };
        let objects = || parts.iter().filter_map(Value::as_object);
        let is_null = |part: &&Map<String, Value>| types(part).eq(["null"]);
        if let Some(part) = objects().find(|part| !is_null(part)) {
            let (within, null_within) = plain(part);
            return (within, said_null || null_within || objects().any(|part| is_null(&part)));
        }
    }
    (property, said_null)
}

/// The types a schema allows. Tools of the wild write them in the words of their own language, too.
fn types(property: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let (one, several) = match property.get("type") {
        Some(Value::String(one)) => (Some(one.as_str()), None),
        Some(Value::Array(several)) => (None, Some(several)),
        _ => (None, None),
    };
    one.into_iter().chain(several.into_iter().flatten().filter_map(Value::as_str))
}

fn slot(
    name: &str,
    path: Vec<String>,
    property: &Map<String, Value>,
    required: bool,
    nullable: bool,
) -> Slot {
    let outer = property;
    let listed = types(property).any(|kind| matches!(kind, "array" | "list" | "tuple"));
    let (property, many) = if listed {
        let items = property.get("items").and_then(Value::as_object).map_or(property, |items| plain(items).0);
        (items, Some(many_of(outer)))
    } else {
        (property, None)
    };
    let text = |key: &str| outer.get(key).or_else(|| property.get(key)).and_then(Value::as_str);
    let description = text("description").unwrap_or_default();
    let said = hints::of(description);
    let choices = choices(outer, property, &said);
    let closed = property.contains_key("enum") || property.contains_key("const");
    let kind = kind_of(name, description, property, &choices, closed);
    let declared = text("x-unit").and_then(Unit::named);
    let unit = declared.or_else(|| hints::unit(name, description, kind));
    let soft = outer.get("x-soft").and_then(Value::as_object).map(bounds).unwrap_or_default();
    let names = std::iter::once(name).chain(text("title")).chain(
        outer.get("x-aliases").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str),
    );
    Slot {
        name: path.join("."),
        names: names.map(Phrase::new).collect(),
        about: Phrase::new(description),
        kind,
        many,
        required,
        rank: usize::MAX,
        nullable,
        default: outer.get("default").filter(|default| !default.is_null()).cloned(),
        unit,
        unit_declared: declared.is_some(),
        shown: shown(outer),
        choices,
        closed,
        bounds: bounds(property),
        pattern: pattern(property),
        end: hints::end(name),
        soft,
        looks_back: hints::looks_back(name, description),
        format_declared: property.contains_key("format"),
        date_format: said.date_format,
        columns: outer.get("x-columns").and_then(Value::as_bool).unwrap_or(false),
        items: if many.is_some() { items(property) } else { Vec::new() },
        path,
    }
}

/// The slots of listed objects. What lies deeper in them is not filled from a text.
fn items(object: &Map<String, Value>) -> Vec<Slot> {
    let properties = object.get("properties").and_then(Value::as_object).into_iter().flatten();
    let item = |(name, property): (&String, &Value)| {
        let (property, nullable) = plain(property.as_object()?);
        let flat = property.get("properties").is_none();
        flat.then(|| slot(name, vec![name.clone()], property, false, nullable))
    };
    properties.filter_map(item).take(SLOTS_MAX).collect()
}

fn many_of(list: &Map<String, Value>) -> Many {
    let count =
        |key: &str| list.get(key).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
    Many {
        least: count("minItems").unwrap_or(0),
        most: count("maxItems").unwrap_or(MANY_MAX),
        unique: list.get("uniqueItems").and_then(Value::as_bool).unwrap_or(false),
    }
}

/// The values a slot may take: those of the schema with what it calls them besides, else what its description quotes.
fn choices(outer: &Map<String, Value>, property: &Map<String, Value>, said: &hints::Said) -> Vec<Choice> {
    let aliases = outer.get("x-aliases").or_else(|| property.get("x-aliases")).and_then(Value::as_object);
    let aliases_of = |value: &str| -> Vec<Phrase> {
        let listed = aliases.and_then(|aliases| aliases.get(value)).and_then(Value::as_array);
        listed.into_iter().flatten().filter_map(Value::as_str).map(Phrase::new).collect()
    };
    let constant = property.get("const").into_iter();
    let values = property.get("enum").and_then(Value::as_array).into_iter().flatten().chain(constant);
    let examples = outer.get("x-examples").or_else(|| property.get("x-examples"));
    let choice = |value: Value, written: &str| {
        let words = std::iter::once(Phrase::new(written)).chain(aliases_of(written)).collect();
        Choice {
            value,
            words,
            examples: examples.map(|given| examples_of(given, written)).unwrap_or_default(),
        }
    };
    let mut choices: Vec<Choice> = Vec::new();
    for value in values.filter(|value| !value.is_null()) {
        let written = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        choices.push(choice(value.clone(), &written));
    }
    if choices.is_empty() {
        // Values that only the aliases name are examples of what may be said, and no bound on it.
        choices.extend(
            aliases.into_iter().flat_map(Map::keys).map(|name| choice(Value::String(name.clone()), name)),
        );
    }
    if choices.is_empty() {
        choices.extend(said.values.iter().map(|value| choice(Value::String(value.clone()), value)));
    }
    choices
}

/// The columns that examples are given for: `x-columns: true` with `x-examples` by column.
fn shown(outer: &Map<String, Value>) -> Vec<Choice> {
    let takes = outer.get("x-columns").and_then(Value::as_bool).unwrap_or(false);
    let given = outer.get("x-examples").filter(|given| takes && given.is_object());
    let names = given.and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let choice = |name: &String| Choice {
        value: Value::String(name.clone()),
        words: vec![Phrase::new(name)],
        examples: given.map(|given| examples_of(given, name)).unwrap_or_default(),
    };
    names.map(choice).collect()
}

/// The examples of how people ask for a value: `{value: [texts]}`, or rows of `{text, value}`.
fn examples_of(given: &Value, value: &str) -> Vec<Phrase> {
    let is_value = |written: &Value| written.as_str() == Some(value) || *written == value;
    match given {
        Value::Object(by_value) => {
            let texts = by_value.get(value).and_then(Value::as_array).into_iter().flatten();
            texts.filter_map(Value::as_str).map(Phrase::new).collect()
        }
        Value::Array(rows) => {
            let of_value = rows.iter().filter(|row| row.get("value").is_some_and(is_value));
            of_value.filter_map(|row| row.get("text")?.as_str()).map(Phrase::new).collect()
        }
        _ => Vec::new(),
    }
}

fn kind_of(
    name: &str,
    description: &str,
    property: &Map<String, Value>,
    choices: &[Choice],
    closed: bool,
) -> Kind {
    let written = types(property).find(|kind| *kind != "null");
    let of_type = match written {
        Some("boolean" | "bool") => return Kind::Flag,
        Some("integer" | "int") => return Kind::Integer,
        Some("number" | "float" | "double") => return Kind::Number,
        Some("object" | "dict") => return Kind::Object,
        _ => Kind::Text,
    };
    if closed && says_yes_or_no(choices) {
        return Kind::Flag;
    }
    match property.get("format").and_then(Value::as_str) {
        Some("date") => Kind::Date,
        Some("time") => Kind::Time,
        Some("date-time") => Kind::DateTime,
        Some("duration") => Kind::Duration,
        Some("email" | "idn-email") => Kind::Email,
        Some("uri" | "url" | "iri" | "uri-reference") => Kind::Url,
        Some("phone" | "tel") => Kind::Phone,
        _ if closed => of_type,
        _ => hints::kind(name, description).unwrap_or(of_type),
    }
}

/// Whether the choices are the two words for yes and no.
fn says_yes_or_no(choices: &[Choice]) -> bool {
    let is = |choice: &Choice, word: &str| {
        choice.value.as_str().is_some_and(|value| value.eq_ignore_ascii_case(word))
    };
    match choices {
        [one, other] => {
            let pairs = [("true", "false"), ("yes", "no")];
            pairs.iter().any(|(yes, no)| (is(one, yes) && is(other, no)) || (is(one, no) && is(other, yes)))
        }
        _ => false,
    }
}

/// Most bytes that a schema's expression may take: far more than any form of an id needs.
const PATTERN_BYTES_MAX: usize = 1 << 20;

/// The expression that texts must match. One that is none of ours (with looks around) is left to whoever checks the call.
fn pattern(property: &Map<String, Value>) -> Option<Regex> {
    let written = property.get("pattern").and_then(Value::as_str)?;
    RegexBuilder::new(written).size_limit(PATTERN_BYTES_MAX).build().ok()
}

fn bounds(property: &Map<String, Value>) -> Bounds {
    let number = |key: &str| property.get(key).and_then(Value::as_f64);
    let count =
        |key: &str| property.get(key).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
    // Until draft 4 an exclusive bound was a flag beside the bound.
    let flag = |key: &str| property.get(key).and_then(Value::as_bool).unwrap_or(false);
    let (above, below) = (number("exclusiveMinimum"), number("exclusiveMaximum"));
    Bounds {
        least: above.or(number("minimum")),
        above: above.is_some() || flag("exclusiveMinimum"),
        most: below.or(number("maximum")),
        below: below.is_some() || flag("exclusiveMaximum"),
        step: number("multipleOf").filter(|step| *step > 0.0),
        letters_least: count("minLength"),
        letters_most: count("maxLength"),
    }
}

fn kind_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
