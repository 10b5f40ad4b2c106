//! Where in the catalog does it stand?

use std::fmt;

/// A file of the catalog, kept to quote from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path or name it was read from.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What it holds.
    pub holds: Holds,
}

/// What a file of a catalog holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holds {
    /// Keys of the catalog, as YAML.
    #[default]
    Keys,
    /// Tools, one JSON object a line.
    Tools,
}

impl Source {
    /// A source from its name and its text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into(), holds: Holds::Keys }
    }

    /// A source of tools, one JSON object a line.
    pub fn of_tools(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { holds: Holds::Tools, ..Source::new(name, text) }
    }

    /// One line of the text, counted from 1.
    pub fn line(&self, line: u32) -> &str {
        self.text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default()
    }
}

/// A position in one of the sources; lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Which source, by its order.
    pub source: u16,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// How many characters to underline; at least one is.
    pub length: u32,
}

impl Place {
    /// Where a catalog begins: the place of what is wrong with it as a whole.
    pub const START: Place = Place { source: 0, line: 1, column: 1, length: 1 };

    /// The place in a person's words, as seen from another: the file is named where it is not the same.
    pub fn seen_from(self, other: Place, sources: &[Source]) -> String {
        let file = sources.get(usize::from(self.source)).filter(|_| self.source != other.source);
        file.map_or_else(
            || format!("at line {}", self.line),
            |file| format!("in {}, line {}", file.name, self.line),
        )
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
