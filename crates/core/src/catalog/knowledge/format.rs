//! What may a catalog say of knowledge?

use super::super::shape::Presence::{Needed, Optional};
use super::super::shape::{Key, Shape, Table};

/// The keys of a catalog that say what can be read.
pub const SOURCES: Key = Key {
    name: "sources",
    shape: Shape::List(&Shape::Table(&SOURCE), 0),
    presence: Optional,
    says: "Collections of documents that `waypost sources` reads from. Large ones are better indexed with `waypost index` first.",
};
pub const SOURCE_RULES: Key = Key {
    name: "source_rules",
    shape: Shape::List(&Shape::Table(&RULE), 0),
    presence: Optional,
    says: "Which collections a kind of message needs. The first rule whose labels all hold counts; without one, all collections are read alike.",
};

/// One collection.
static SOURCE: Table = Table {
    title: "a source",
    one_of: &[],
    keys: &[
        Key { name: "name", shape: Shape::Name, presence: Needed, says: "What rules and answers call it." },
        Key {
            name: "collection",
            shape: Shape::Text,
            presence: Optional,
            says: "What it is called in an index. Default: its name.",
        },
        Key { name: "description", shape: Shape::Text, presence: Optional, says: "What is in it." },
        Key {
            name: "files",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Files and folders of documents, relative to the catalog; left out where an index has them.",
        },
        Key {
            name: "metadata",
            shape: Shape::Dictionary(&Shape::Text),
            presence: Optional,
            says: "What is true of all its passages, for `--filter KEY=VALUE`.",
        },
    ],
};

/// One rule.
static RULE: Table = Table {
    title: "a rule for sources",
    one_of: &[],
    keys: &[
        Key {
            name: "when",
            shape: Shape::Dictionary(&Shape::Text),
            presence: Needed,
            says: "Layers of the context, each with the label it must have: `{domain: code, intent: review}`.",
        },
        Key {
            name: "sources",
            shape: Shape::List(&Shape::Name, 1),
            presence: Needed,
            says: "Collections by their names, the most needed first.",
        },
        Key {
            name: "exclusive",
            shape: Shape::Flag,
            presence: Optional,
            says: "Whether no other collection is read, even where these are unsure. Default: false.",
        },
    ],
};
