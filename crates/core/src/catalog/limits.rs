//! How much does a catalog take, and hand on?

use super::draft::whole;
use super::shape::Presence::Optional;
use super::shape::{Key, Shape, Table};
use super::tree::Node;
use crate::limits::{CONTEXT_TOKENS_MAX, MESSAGE_BYTES_MAX};

/// The limits of a catalog.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The longest message, in bytes.
    pub message_bytes: usize,
    /// The most of the passages of a decision, in tokens.
    pub context_tokens: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { message_bytes: MESSAGE_BYTES_MAX, context_tokens: CONTEXT_TOKENS_MAX }
    }
}

impl Limits {
    /// The limits that a catalog sets, and the built-in ones for the rest.
    pub(super) fn of(node: Option<&Node>) -> Limits {
        let given = |key: &str| usize::try_from(whole(node?.get(key)?.number()?)).ok();
        let all = Limits::default();
        Limits {
            message_bytes: given("message_bytes").unwrap_or(all.message_bytes),
            context_tokens: given("context_tokens").unwrap_or(all.context_tokens),
        }
    }
}

/// Bounds a catalog may narrow.
pub(super) static LIMITS: Table = Table {
    title: "the limits",
    one_of: &[],
    keys: &[
        Key {
            name: "message_bytes",
            shape: Shape::Whole(1, 1_048_576),
            presence: Optional,
            says: "The longest message answered, in bytes. Default, and most: 1048576.",
        },
        Key {
            name: "context_tokens",
            shape: Shape::Whole(0, 1_000_000),
            presence: Optional,
            says: "How much of the passages a decision hands on, in tokens of about four characters. Whole passages only, the best first. Default 2000.",
        },
    ],
};
