//! How do several files make one catalog? Lists and dictionaries are joined; everything else is said once.

use super::check::check;
use super::format::CATALOG;
use super::place::{Place, Source};
use super::problem::{Code, Problem};
use super::shape::Shape;
use super::tree::{self, Node, Value};

/// The shape of one catalog file.
static FILE: Shape = Shape::Table(&CATALOG);

/// Reads and checks every source, and joins them to one table.
pub fn read_all(sources: &[Source], problems: &mut Vec<Problem>) -> Node {
    let mut joined: Vec<(Node, Node)> = Vec::new();
    for (source, index) in sources.iter().zip(0..) {
        let (node, syntax) = tree::read(source, index);
        problems.extend(syntax);
        let Some(node) = node.filter(|node| node.value != Value::Null) else { continue };
        problems.extend(check(&node, &FILE));
        if let Value::Table(entries) = node.value {
            for entry in entries {
                join(&mut joined, entry, sources, problems);
            }
        }
    }
    Node { place: Place { line: 1, column: 1, ..Place::default() }, value: Value::Table(joined) }
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
        (Some((first, Node { value: Value::Table(entries), .. })), Value::Table(more)) => {
            let twice =
                more.iter().find(|(name, _)| entries.iter().any(|(known, _)| known.value == name.value));
            if let Some((name, _)) = twice.filter(|(name, _)| name.place.source != first.place.source) {
                problems.push(given_twice(name, first, sources));
            }
            entries.extend(more);
        }
        // Within one file the check has reported the second one already.
        (Some((first, _)), _) if first.place.source == key.place.source => {}
        (Some((first, _)), _) => problems.push(given_twice(&key, first, sources)),
    }
}

fn given_twice(key: &Node, first: &Node, sources: &[Source]) -> Problem {
    let message = format!("the key `{}` is given in two files", key.text().unwrap_or("?"));
    let file = sources.get(usize::from(first.place.source)).map_or("another file", |source| &source.name);
    Problem::new(Code::DuplicateKey, key.place, message)
        .hint(format!("also in {file}, line {}", first.place.line))
}
