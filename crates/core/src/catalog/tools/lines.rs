//! What does a file of tools say? One JSON object a line, read as a catalog's list of tools.

use super::super::json;
use super::super::place::{Holds, Place, Source};
use super::super::problem::{Code, Problem};
use super::super::tree::{self, Node, Value};
use super::Tool;
use super::format::TOOLS_FILES;
use crate::limits::{CATALOG_FILE_BYTES_MAX, PROBLEMS_MAX};

/// Reads the tools of one source as the list that a catalog would have.
pub fn read(source: &Source, index: u16) -> (Node, Vec<Problem>) {
    let start = Place { source: index, ..Place::START };
    let (mut items, mut problems) = (Vec::new(), Vec::new());
    if source.text.len() > CATALOG_FILE_BYTES_MAX {
        let message =
            format!("the file has {} bytes; the most is {CATALOG_FILE_BYTES_MAX}", source.text.len());
        problems.push(Problem::new(Code::TooLarge, start, message).hint("split it into several files"));
        return (Node { place: start, value: Value::List(items) }, problems);
    }
    let lines = source.text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    for (line, number) in lines {
        match read_line(line, Place { line: number, ..start }) {
            Ok(item) => items.push(item),
            Err(problem) => problems.push(problem),
        }
        if problems.len() > PROBLEMS_MAX {
            break;
        }
    }
    (Node { place: start, value: Value::List(items) }, problems)
}

fn read_line(line: &str, place: Place) -> Result<Node, Problem> {
    let row: serde_json::Value = serde_json::from_str(line).map_err(|error| {
        // The reader counts bytes, and people count characters.
        let before = line.bytes().take(error.column().saturating_sub(1));
        let before = before.filter(|byte| !is_inside_character(*byte)).count();
        let column = u32::try_from(before + 1).unwrap_or(u32::MAX);
        let said = error.to_string();
        let why = said.split(" at line ").next().unwrap_or_default();
        Problem::new(Code::Syntax, Place { column, ..place }, format!("not valid JSON: {why}"))
            .hint("one tool a line, as a JSON object")
    })?;
    let bad = |why: String| Problem::new(Code::BadValue, place, why);
    let tool = Tool::from_row(&row).map_err(|error| bad(error.to_string()))?;
    let value = serde_json::to_value(tool).map_err(|error| bad(error.to_string()))?;
    Ok(json::to_node(value, place))
}

/// Whether a byte of UTF-8 continues the character before it.
const fn is_inside_character(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The files of tools that a source names, each with its place. What else is wrong with the source is told elsewhere.
pub fn named_in(source: &Source) -> Vec<(String, Place)> {
    // Few catalogs name any, and reading all of them twice would take as long again.
    if source.holds == Holds::Tools || !source.text.contains(TOOLS_FILES.name) {
        return Vec::new();
    }
    let (root, _) = tree::read(source, 0);
    let files = root.as_ref().map_or(&[][..], |root| root.list(TOOLS_FILES.name));
    files.iter().filter_map(|file| Some((file.text()?.to_owned(), file.place))).collect()
}
