//! Which kinds of value does the format know?
//!
//! The catalog format is data: [`super::format`] describes every key once, and checking, the JSON Schema and
//! the documentation all come from that description.

/// A kind of value.
#[derive(Debug)]
pub enum Shape {
    /// Text that is not empty.
    Text,
    /// A name: a letter, then letters, digits, `_`, `-` or `.`.
    Name,
    /// A regular expression.
    Regex,
    /// A whole number within bounds, both included.
    Whole(i32, i32),
    /// A share within bounds in hundredths, both included.
    Share(i32, i32),
    /// True or false.
    Flag,
    /// Anything that JSON can say.
    Any,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// Values of one kind, in order; at least so many.
    List(&'static Shape, usize),
    /// Values of one kind under names of the author's choosing.
    Dictionary(&'static Shape),
    /// Keys the format defines.
    Table(&'static Table),
    /// Any of these; they differ in kind, so that the value itself says which is meant.
    Either(&'static [Shape]),
}

/// A table of the format: its keys, and what it is for.
#[derive(Debug)]
pub struct Table {
    /// What a person calls it.
    pub title: &'static str,
    /// The keys, in the order they are best written.
    pub keys: &'static [Key],
    /// Exactly one of these must be given; empty where there is no such choice.
    pub one_of: &'static [&'static str],
}

/// A key of a table.
#[derive(Debug)]
pub struct Key {
    /// How it is written.
    pub name: &'static str,
    /// Which values it takes.
    pub shape: Shape,
    /// Whether it must be there.
    pub presence: Presence,
    /// What it means: the user's documentation and the schema's.
    pub says: &'static str,
}

/// Whether a key must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The table is incomplete without it.
    Needed,
    /// It has a default or is simply not said.
    Optional,
}

impl Table {
    /// The key of this name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl Shape {
    /// The kind in a person's words.
    pub fn words(&self) -> String {
        match self {
            Shape::Text => "text".to_owned(),
            Shape::Name => "a name".to_owned(),
            Shape::Regex => "a regular expression".to_owned(),
            Shape::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Shape::Share(least, most) => {
                format!("a number from {} to {}", f64::from(*least) / 100.0, f64::from(*most) / 100.0)
            }
            Shape::Flag => "true or false".to_owned(),
            Shape::Any => "any value".to_owned(),
            Shape::Choice(words) => format!("one of {}", words.join(", ")),
            Shape::List(Shape::Text, _) => "a list of texts".to_owned(),
            Shape::List(Shape::Name, _) => "a list of names".to_owned(),
            Shape::List(item, _) => format!("a list; each item is {}", item.words()),
            Shape::Dictionary(item) => format!("names, each with {}", item.words()),
            Shape::Table(table) => format!("{} as a table of keys", table.title),
            Shape::Either(shapes) => shapes.iter().map(Shape::words).collect::<Vec<_>>().join(", or "),
        }
    }
}

/// Whether a text is a name as catalogs write them.
pub fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_alphabetic)
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}
