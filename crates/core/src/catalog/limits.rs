//! How much does a catalog take, and hand on?

use super::draft::whole;
use super::shape::Presence::Optional;
use super::shape::{Key, Shape, Table};
use super::tree::Node;
use crate::limits::{CONTEXT_TOKENS_MAX, LATENCY_MS, MESSAGE_BYTES_MAX};

/// The limits of a catalog.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The longest message, in bytes.
    pub message_bytes: usize,
    /// The most of the passages of a decision, in tokens.
    pub context_tokens: usize,
    /// How long a decision may take, in milliseconds.
    pub latency_ms: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            message_bytes: MESSAGE_BYTES_MAX,
            context_tokens: CONTEXT_TOKENS_MAX,
            latency_ms: LATENCY_MS,
        }
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
            latency_ms: given("latency_ms").and_then(|ms| u64::try_from(ms).ok()).unwrap_or(all.latency_ms),
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
        Key {
            name: "latency_ms",
            shape: Shape::Whole(0, 3_600_000),
            presence: Optional,
            says: "How long a decision may take, in milliseconds. A tier that would take longer than what is left is skipped: the heads, the full model, a transformer or endpoint, the searches for tools and passages. `notes` names it. Rules are always asked. Default 2000.",
        },
    ],
};
