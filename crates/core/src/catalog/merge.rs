//! How do several files make one catalog? Lists and dictionaries are joined; everything else is said once.

use std::collections::HashMap;

use super::check::check;
use super::format::CATALOG;
use super::place::{Holds, Place, Source};
use super::problem::{Code, Problem};
use super::shape::Shape;
use super::tools;
use super::tree::{self, Node, Value};

/// The shape of one catalog file.
static FILE: Shape = Shape::Table(&CATALOG);

/// Reads and checks every source, and joins them to one table.
pub fn read_all(sources: &[Source], problems: &mut Vec<Problem>) -> Node {
    let mut joined: Vec<(Node, Node)> = Vec::new();
    for (source, index) in sources.iter().zip(0..=u16::MAX) {
        if source.holds == Holds::Tools {
            let (list, bad) = tools::lines::read(source, index);
            problems.extend(bad);
            let key = Node { place: list.place, value: Value::Text(tools::format::TOOLS.name.to_owned()) };
            join(&mut joined, (key, list), sources, problems);
            continue;
        }
        let (node, syntax) = tree::read(source, index);
        problems.extend(syntax);
        let Some(node) = node.filter(|node| node.value != Value::Null) else { continue };
        problems.extend(check(&node, &FILE));
        let Value::Table(entries) = node.value else { continue };
        // Keys the format does not know have been reported already.
        let known =
            entries.into_iter().filter(|(key, _)| key.text().is_some_and(|key| CATALOG.key(key).is_some()));
        for entry in known {
            join(&mut joined, entry, sources, problems);
        }
    }
    Node { place: Place::START, value: Value::Table(joined) }
}

fn join(
    joined: &mut Vec<(Node, Node)>,
    entry: (Node, Node),
    sources: &[Source],
    problems: &mut Vec<Problem>,
) {
    let (key, value) = entry;
    let known = joined.iter_mut().find(|(name, _)| name.value == key.value);
    match (known, value.value) {
        (None, kind) => joined.push((key, Node { place: value.place, value: kind })),
        (Some((_, Node { value: Value::List(items), .. })), Value::List(more)) => items.extend(more),
        (Some((_, Node { value: Value::Table(entries), .. })), Value::Table(more)) => {
            join_tables(entries, more, sources, problems);
        }
        (Some((first, _)), _) => problems.extend(given_twice(&key, first, sources)),
    }
}

fn join_tables(
    entries: &mut Vec<(Node, Node)>,
    more: Vec<(Node, Node)>,
    sources: &[Source],
    problems: &mut Vec<Problem>,
) {
    let names = entries.iter().enumerate().filter_map(|(at, (name, _))| Some((name.text()?.to_owned(), at)));
    let known: HashMap<String, usize> = names.collect();
    for (name, value) in more {
        let first = name.text().and_then(|text| known.get(text)).and_then(|at| entries.get(*at));
        match first {
            Some((first, _)) => problems.extend(given_twice(&name, first, sources)),
            None => entries.push((name, value)),
        }
    }
}

/// A key given in two files; within one file the check has reported it already.
fn given_twice(key: &Node, first: &Node, sources: &[Source]) -> Option<Problem> {
    let message = format!("the key `{}` is given in two files", key.text().unwrap_or("?"));
    let hint = format!("first {}", first.place.seen_from(key.place, sources));
    (first.place.source != key.place.source)
        .then(|| Problem::new(Code::DuplicateKey, key.place, message).hint(hint))
}
