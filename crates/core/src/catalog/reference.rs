//! How does a person know the format? The same description, as a reference in Markdown.

use super::format::CATALOG;
use super::shape::{Presence, Shape, Table};

/// The reference of the catalog format: a section for every table, a row for every key.
pub fn reference() -> String {
    let mut sections = Vec::new();
    describe(&CATALOG, "", &mut sections);
    sections.join("\n")
}

fn describe(table: &'static Table, path: &str, sections: &mut Vec<String>) {
    let heading =
        if path.is_empty() { "The catalog".to_owned() } else { format!("`{path}`: {}", table.title) };
    let rows = table.keys.iter().map(|key| {
        let needed = if key.presence == Presence::Needed { " (needed)" } else { "" };
        format!("| `{}`{needed} | {} | {} |\n", key.name, key.shape.words(), key.says)
    });
    let rows: String = rows.collect();
    let choice = match table.one_of {
        [] => String::new(),
        keys => format!("\nExactly one of {} is given.\n", keys.join(", ")),
    };
    sections.push(format!("## {heading}\n\n| key | value | meaning |\n|---|---|---|\n{rows}{choice}"));
    for key in table.keys {
        let path = if path.is_empty() { key.name.to_owned() } else { format!("{path}.{}", key.name) };
        for inner in tables(&key.shape) {
            describe(inner, &path, sections);
        }
    }
}

/// The tables a value of this shape may hold.
fn tables(shape: &'static Shape) -> Vec<&'static Table> {
    match shape {
        Shape::Table(table) => vec![table],
        Shape::List(item, _) | Shape::Dictionary(item) => tables(item),
        Shape::Either(shapes) => shapes.iter().flat_map(tables).collect(),
        _ => Vec::new(),
    }
}
