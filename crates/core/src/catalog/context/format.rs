//! What may a catalog say about kinds of request? The keys of `context`.

use super::super::shape::Presence::{Needed, Optional};
use super::super::shape::{Key, Shape, Table};

/// What kinds of request are told apart.
pub static CONTEXT: Table = Table {
    title: "the context of messages",
    one_of: &[],
    keys: &[
        Key {
            name: "layers",
            shape: Shape::List(&Shape::Table(&LAYER), 1),
            presence: Needed,
            says: "Questions asked of every message, such as intent, domain or urgency; each is answered by one of its labels.",
        },
        Key {
            name: "understands",
            shape: Shape::Table(&UNDERSTANDS),
            presence: Optional,
            says: "Which messages can be read at all: where a message gets another label of this layer, the others are answered with `unknown` rather than with a guess.",
        },
        Key {
            name: "products",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Names of products and technologies that are told among the entities of a message, in their own spelling.",
        },
        Key {
            name: "columns",
            shape: Shape::List(&Shape::Name, 0),
            presence: Optional,
            says: "Layers, in the order in which `examples` name their labels where they name them in one line.",
        },
        Key {
            name: "examples",
            shape: Shape::List(&Shape::Table(&LABELLED), 0),
            presence: Optional,
            says: "Messages with their labels; what is like them gets the same. A message need not be labelled in every layer.",
        },
    ],
};

/// One question asked of every message.
static LAYER: Table = Table {
    title: "a layer",
    one_of: &[],
    keys: &[
        Key {
            name: "name",
            shape: Shape::Name,
            presence: Needed,
            says: "What is asked. `intent`, `domain`, `area`, `operation`, `urgency`, `sensitivity` and `complexity` are told in answers under these names.",
        },
        Key {
            name: "default",
            shape: Shape::Name,
            presence: Optional,
            says: "The label given where nothing speaks for any. Without it that is `unknown`.",
        },
        Key {
            name: "always",
            shape: Shape::Choice(&["yes", "no"]),
            presence: Optional,
            says: "Whether messages that cannot be read are answered too, by what they hold and by words alone. Default: `no`.",
        },
        Key {
            name: "labels",
            shape: Shape::List(&Shape::Table(&LABEL), 1),
            presence: Needed,
            says: "The answers there are. Where two are equally likely, the earlier is given.",
        },
    ],
};

/// One answer to the question of a layer.
static LABEL: Table = Table {
    title: "a label",
    one_of: &[],
    keys: &[
        Key { name: "name", shape: Shape::Name, presence: Needed, says: "The label; unique in its layer." },
        Key {
            name: "description",
            shape: Shape::Text,
            presence: Optional,
            says: "What it means, for the people who read it.",
        },
        Key {
            name: "words",
            shape: Shape::List(&Shape::Either(&[Shape::Text, Shape::List(&Shape::Text, 1)]), 0),
            presence: Optional,
            says: "Words and phrases that speak for it. How much is weighed on the examples. Several forms of one word are written as a list and count once.",
        },
        Key {
            name: "typical",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Words that often stand in such messages and in others too: they speak for it a little.",
        },
        Key {
            name: "files",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Files that speak for it, such as `*.tsx`, `docs/*` or `Dockerfile`.",
        },
        Key {
            name: "holds",
            shape: Shape::Choice(&["personal", "secret"]),
            presence: Optional,
            says: "The label is given where the message holds personal data, or a secret such as a key; labels before it go first where they are likelier than not.",
        },
        Key {
            name: "examples",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Messages that get the label.",
        },
        Key {
            name: "score",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "Where the label stands on a scale from 0 to 1; a layer whose labels all have one is told as a score and the band it falls into.",
        },
        Key {
            name: "below",
            shape: Shape::Share(0, 101),
            presence: Optional,
            says: "The band of the label ends before this score.",
        },
        Key {
            name: "up_to",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "The band of the label ends with this score.",
        },
        Key {
            name: "sets",
            shape: Shape::Name,
            presence: Optional,
            says: "A fact of the environment that holds where the label is given and the caller does not say otherwise, such as `is_production`.",
        },
        Key {
            name: "tokens",
            shape: Shape::Whole(1, 10_000_000),
            presence: Optional,
            says: "How many tokens a task of this label is given.",
        },
        Key {
            name: "minutes",
            shape: Shape::Whole(1, 100_000),
            presence: Optional,
            says: "How long a task of this label is expected to take.",
        },
        Key {
            name: "tools",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Tools that tasks of this label usually need; they go into the hand-over.",
        },
        Key {
            name: "outputs",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "What comes of tasks of this label.",
        },
    ],
};

/// Which messages can be read.
static UNDERSTANDS: Table = Table {
    title: "what can be read",
    one_of: &[],
    keys: &[
        Key { name: "layer", shape: Shape::Name, presence: Needed, says: "The layer that tells." },
        Key { name: "label", shape: Shape::Name, presence: Needed, says: "Its label for what can be read." },
        Key {
            name: "by_words",
            shape: Shape::List(&Shape::Name, 0),
            presence: Optional,
            says: "Its labels for what is read by the words of the catalog alone: a message that holds two words of such a label gets it, and `unknown` in every layer of which it holds no word.",
        },
    ],
};

/// A message with its labels.
static LABELLED: Table = Table {
    title: "a labelled message",
    one_of: &[],
    keys: &[
        Key { name: "text", shape: Shape::Text, presence: Needed, says: "The message." },
        Key {
            name: "labels",
            shape: Shape::Either(&[Shape::Dictionary(&Shape::Text), Shape::Text]),
            presence: Needed,
            says: "Layers, each with the label the message gets there; or the labels alone in one line, in the order of `columns`, `-` where there is none.",
        },
    ],
};
