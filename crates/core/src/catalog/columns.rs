//! Which columns may the data have, and what do people call them?

use std::collections::HashMap;

use super::draft::{Placed, placed, texts};
use super::place::{Place, Source};
use super::problem::{Code, Problem};
use super::shape::Presence::Optional;
use super::shape::{Key, Shape};
use super::tree::Node;
use crate::message::Folded;

/// The key of a catalog that lists columns.
pub const COLUMNS: Key = Key {
    name: "columns",
    shape: Shape::Dictionary(&Shape::List(&Shape::Text, 0)),
    presence: Optional,
    says: "Columns of the data by their canonical names, each with a few other words for it. Arguments marked `x-columns: true` in a tool's schema take these names; a row of `waypost args` that brings columns of its own puts them in their place.",
};

/// A column of the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its canonical name, which arguments are given.
    pub name: String,
    /// Other words for it.
    pub aliases: Vec<String>,
}

/// A column as written.
pub type ColumnDraft = (Placed<String>, Vec<Placed<String>>);

/// Reads columns from a checked catalog.
pub fn read(root: &Node) -> Vec<ColumnDraft> {
    let entries = root.get("columns").map(Node::entries).unwrap_or_default();
    entries.iter().filter_map(|(name, aliases)| Some((placed(name)?, texts(aliases.items())))).collect()
}

/// Compiles columns in the order they are written. A word means one column.
pub fn compile(drafts: Vec<ColumnDraft>, sources: &[Source], problems: &mut Vec<Problem>) -> Vec<Column> {
    let mut seen: HashMap<String, (usize, Place)> = HashMap::new();
    for (column, (name, aliases)) in drafts.iter().enumerate() {
        for word in std::iter::once(name).chain(aliases) {
            let folded = Folded::new(&word.value.replace('_', " ")).text().to_owned();
            let (first, place) = *seen.entry(folded).or_insert((column, word.place));
            if first != column {
                let message = format!("`{}` already means another column", word.value);
                let hint = format!("first {}", place.seen_from(word.place, sources));
                problems.push(Problem::new(Code::DuplicateName, word.place, message).hint(hint));
            }
        }
    }
    let values = |words: Vec<Placed<String>>| words.into_iter().map(|word| word.value).collect();
    drafts.into_iter().map(|(name, aliases)| Column { name: name.value, aliases: values(aliases) }).collect()
}
