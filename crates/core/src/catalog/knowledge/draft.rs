//! What does the author mean by the sources? As written, with their places.

use std::collections::BTreeMap;

use super::super::draft::{Placed, placed, texts};
use super::super::tree::{Node, Value};
use super::Collection;

/// What a catalog says of knowledge, as written.
#[derive(Clone, Debug, Default)]
pub struct KnowledgeDraft {
    pub collections: Vec<Placed<Collection>>,
    pub rules: Vec<RuleDraft>,
}

/// A rule as written.
#[derive(Clone, Debug, Default)]
pub struct RuleDraft {
    pub when: Vec<(Placed<String>, Placed<String>)>,
    pub sources: Vec<Placed<String>>,
    pub exclusive: bool,
}

impl KnowledgeDraft {
    /// Reads a checked tree.
    pub fn read(root: &Node) -> KnowledgeDraft {
        KnowledgeDraft {
            collections: root.list("sources").iter().filter_map(read_collection).collect(),
            rules: root.list("source_rules").iter().map(read_rule).collect(),
        }
    }
}

/// A collection; one without a name is reported already.
fn read_collection(node: &Node) -> Option<Placed<Collection>> {
    let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    let name = node.get("name").and_then(placed)?;
    let metadata: BTreeMap<String, String> =
        pairs(node.get("metadata")).into_iter().map(|(key, value)| (key.value, value.value)).collect();
    let collection = Collection {
        stored: text("collection").unwrap_or_else(|| name.value.clone()),
        name: name.value,
        description: text("description").unwrap_or_default(),
        files: texts(node.list("files")).into_iter().map(|file| file.value).collect(),
        metadata,
    };
    Some(Placed { value: collection, place: name.place })
}

fn read_rule(node: &Node) -> RuleDraft {
    RuleDraft {
        when: pairs(node.get("when")),
        sources: texts(node.list("sources")),
        exclusive: matches!(node.get("exclusive"), Some(Node { value: Value::Flag(true), .. })),
    }
}

fn pairs(node: Option<&Node>) -> Vec<(Placed<String>, Placed<String>)> {
    match node.map(|node| &node.value) {
        Some(Value::Table(entries)) => {
            entries.iter().filter_map(|(key, value)| Some((placed(key)?, placed(value)?))).collect()
        }
        _ => Vec::new(),
    }
}
