//! What does the file say, and where? YAML read into a tree whose every value knows its place.
//!
//! The only module that knows the YAML parser. Trouble with the YAML itself is reported like any other
//! problem of the catalog, and what was read before it is still checked.

use std::borrow::Cow;
use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span as Marked};

use super::place::{Place, Source};
use super::problem::{Code, Problem};
use crate::limits::{CATALOG_DEPTH_MAX, CATALOG_FILE_BYTES_MAX, CATALOG_VALUES_MAX};

/// A value of the file and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it begins.
    pub place: Place,
    /// What it says.
    pub value: Value,
}

/// What a node says.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing, or `null`.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A text; quoted or plain.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the order of the file.
    Table(Vec<(Node, Node)>),
}

impl Node {
    /// The text, where it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, where it is one.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The items of a list; none where it is no list.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The entries of a table; none where it is no table.
    pub fn entries(&self) -> &[(Node, Node)] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// The value under a key of a table; the first, where a faulty file has several.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
    }

    /// The items under a key of a table; none where there are none.
    pub fn list(&self, key: &str) -> &[Node] {
        self.get(key).map_or(&[], Node::items)
    }

    /// What kind of value it is, in a person's words.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Flag(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Table(_) => "a table of keys",
        }
    }
}

/// Reads one source. Returns what could be read and what is wrong with it.
pub fn read(source: &Source, index: u16) -> (Option<Node>, Vec<Problem>) {
    let start = Place { source: index, ..Place::START };
    if source.text.len() > CATALOG_FILE_BYTES_MAX {
        let message =
            format!("the file has {} bytes; the most is {CATALOG_FILE_BYTES_MAX}", source.text.len());
        return (
            None,
            vec![Problem::new(Code::TooLarge, start, message).hint("split it into a folder of files")],
        );
    }
    let mut reading = Reading { index, ..Reading::default() };
    for event in Parser::new_from_str(&source.text) {
        let step = match event {
            Ok((event, marked)) => reading.take(event, marked),
            Err(error) => Err(reading.syntax(&source.text, &error)),
        };
        if let Err(problem) = step {
            reading.problems.push(problem);
            break;
        }
    }
    reading.finish()
}

/// The tree while it grows: the open lists and tables, outermost first.
#[derive(Default)]
struct Reading {
    index: u16,
    open: Vec<Open>,
    root: Option<Node>,
    anchors: HashMap<usize, Node>,
    values: usize,
    problems: Vec<Problem>,
}

/// A list or table whose end has not come yet.
struct Open {
    node: Node,
    key: Option<Node>,
    anchor: usize,
}

impl Reading {
    fn take(&mut self, event: Event<'_>, marked: Marked) -> Result<(), Problem> {
        let place = self.place(marked);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let quoted = style != ScalarStyle::Plain || tag.is_some_and(|tag| tag.suffix == "str");
                self.put(Node { place, value: scalar(text, quoted) }, anchor)
            }
            Event::SequenceStart(anchor, _) => self.enter(Value::List(Vec::new()), place, anchor),
            Event::MappingStart(anchor, _) => self.enter(Value::Table(Vec::new()), place, anchor),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(open) => self.put(open.node, open.anchor),
                None => Ok(()),
            },
            Event::Alias(anchor) => self.repeat(anchor, place),
            Event::DocumentStart(_) if self.root.is_some() => {
                let message = "a second document begins here; a catalog file holds one";
                Err(Problem::new(Code::Syntax, place, message)
                    .hint("put it into a file of its own in the same folder"))
            }
            _ => Ok(()),
        }
    }

    fn place(&self, marked: Marked) -> Place {
        let (line, column) = (marked.start.line(), marked.start.col() + 1);
        let same_line = marked.end.line() == line;
        let length = if same_line { marked.end.col().saturating_sub(marked.start.col()).max(1) } else { 1 };
        Place { source: self.index, line: small(line), column: small(column), length: small(length) }
    }

    fn enter(&mut self, value: Value, place: Place, anchor: usize) -> Result<(), Problem> {
        if self.open.len() >= CATALOG_DEPTH_MAX {
            return Err(too_deep(place));
        }
        self.open.push(Open { node: Node { place, value }, key: None, anchor });
        Ok(())
    }

    fn repeat(&mut self, anchor: usize, place: Place) -> Result<(), Problem> {
        match self.anchors.get(&anchor) {
            Some(node) if self.open.len() + depth(node) > CATALOG_DEPTH_MAX => Err(too_deep(place)),
            Some(node) => {
                self.values += count(node);
                self.refuse_too_many(place)?;
                let repeated = node.clone();
                self.put(repeated, 0)
            }
            None => Err(Problem::new(Code::Syntax, place, "this alias stands inside the value it repeats")),
        }
    }

    /// Puts a whole value where it belongs: into the innermost open list or table, or at the root.
    fn put(&mut self, node: Node, anchor: usize) -> Result<(), Problem> {
        self.values += 1;
        self.refuse_too_many(node.place)?;
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        match self.open.last_mut() {
            Some(open) => open.put(node),
            None => self.root = Some(node),
        }
        Ok(())
    }

    fn refuse_too_many(&self, place: Place) -> Result<(), Problem> {
        let problem =
            || Problem::new(Code::TooLarge, place, format!("more than {CATALOG_VALUES_MAX} values"));
        if self.values > CATALOG_VALUES_MAX { Err(problem()) } else { Ok(()) }
    }

    fn syntax(&self, text: &str, error: &saphyr_parser::ScanError) -> Problem {
        let marker = error.marker();
        let lines = text.lines().count().max(1);
        // The parser notices an unclosed quote or bracket at the end of the file; point at its last line.
        let line = marker.line().clamp(1, lines);
        let place =
            Place { source: self.index, line: small(line), column: small(marker.col() + 1), length: 1 };
        let problem = Problem::new(Code::Syntax, place, format!("not valid YAML: {}", error.info()));
        match self.open.last() {
            Some(open) => {
                problem.hint(format!("inside the value that begins at line {}", open.node.place.line))
            }
            None => problem,
        }
    }

    fn finish(mut self) -> (Option<Node>, Vec<Problem>) {
        // Broken off half way: close what is open, so that what was read is still checked.
        while let Some(open) = self.open.pop() {
            match self.open.last_mut() {
                Some(outer) => outer.put(open.node),
                None => self.root = Some(open.node),
            }
        }
        (self.root, self.problems)
    }
}

impl Open {
    fn put(&mut self, node: Node) {
        match (&mut self.node.value, self.key.take()) {
            (Value::List(items), _) => items.push(node),
            (Value::Table(entries), Some(key)) => entries.push((key, node)),
            (_, None) => self.key = Some(node),
            (_, Some(_)) => {}
        }
    }
}

/// A scalar in YAML 1.2's core schema: plain words that look like a number, a flag or null are that.
fn scalar(text: Cow<'_, str>, quoted: bool) -> Value {
    if quoted {
        return Value::Text(text.into_owned());
    }
    match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Flag(true),
        "false" | "False" | "FALSE" => Value::Flag(false),
        plain => match number(plain) {
            Some(number) => Value::Number(number),
            None => Value::Text(text.into_owned()),
        },
    }
}

fn number(plain: &str) -> Option<f64> {
    let starts_right = plain.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    if !starts_right || plain.contains(['n', 'N', 'i', 'I']) {
        return None;
    }
    plain.parse().ok().filter(|number: &f64| number.is_finite())
}

fn too_deep(place: Place) -> Problem {
    Problem::new(Code::TooLarge, place, format!("nested deeper than {CATALOG_DEPTH_MAX} levels"))
}

/// How many levels a value has.
fn depth(node: &Node) -> usize {
    let inside = match &node.value {
        Value::List(items) => items.iter().map(depth).max(),
        Value::Table(entries) => entries.iter().map(|(key, value)| depth(key).max(depth(value))).max(),
        _ => None,
    };
    inside.unwrap_or_default() + 1
}

/// How many values a value holds, itself among them.
fn count(node: &Node) -> usize {
    let inside: usize = match &node.value {
        Value::List(items) => items.iter().map(count).sum(),
        Value::Table(entries) => entries.iter().map(|(key, value)| count(key) + count(value)).sum(),
        _ => 0,
    };
    inside + 1
}

fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let (node, problems) = read(&Source::new("test.yaml", text), 0);
        let shown = problems.iter().map(|p| format!("{} {}: {}", p.place, p.code.name(), p.message));
        let seen: Vec<String> = node.iter().map(show).chain(shown).collect();
        assert_eq!(seen.join("; "), expected);
    }

    fn show(node: &Node) -> String {
        match &node.value {
            Value::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
            Value::Table(entries) => {
                let entries = entries.iter().map(|(key, value)| format!("{}: {}", show(key), show(value)));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
            Value::Text(text) => format!("{text}@{}", node.place),
            Value::Number(number) => number.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::Null => "null".to_owned(),
        }
    }

    #[test]
    fn values_know_their_places() {
        check("a: 1\nb: [x, 'y']\n", "{a@1:1: 1, b@2:1: [x@2:5, y@2:8]}");
        check("- true\n- ~\n- 1.5\n- v1.5\n- '2'", "[true, null, 1.5, v1.5@4:3, 2@5:3]");
        check("a: &x {k: v}\nb: *x", "{a@1:1: {k@1:8: v@1:11}, b@2:1: {k@1:8: v@1:11}}");
        check("", "");
    }

    #[test]
    fn broken_yaml_says_where_and_keeps_what_came_before() {
        let (node, problems) = read(&Source::new("test.yaml", "name: x\nroutes: [a, b\nother: 1\n"), 0);
        assert_eq!(node.unwrap().get("name").and_then(Node::text), Some("x"));
        assert_eq!(problems.len(), 1);
    }

    #[test]
    fn hostile_files_are_refused() {
        check(
            &"[".repeat(100),
            &format!("{}{}; 1:65 too_large: nested deeper than 64 levels", "[".repeat(64), "]".repeat(64)),
        );
        let bomb = (1..12).fold("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned(), |text, n| {
            let before = format!("*a{}", n - 1);
            text + &format!("a{n}: &a{n} [{}]\n", vec![before; 10].join(", "))
        });
        let (_, problems) = read(&Source::new("bomb.yaml", bomb), 0);
        assert_eq!(problems[0].code, Code::TooLarge);
        let chain = (1..200)
            .fold("a0: &a0 [x]\n".to_owned(), |text, n| text + &format!("a{n}: &a{n} [*a{}]\n", n - 1));
        let (_, problems) = read(&Source::new("chain.yaml", chain), 0);
        assert_eq!(problems[0].code, Code::TooLarge);
    }
}
