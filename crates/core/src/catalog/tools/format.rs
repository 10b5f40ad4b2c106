//! What may a catalog say of tools?

use super::super::shape::Presence::{Needed, Optional};
use super::super::shape::{Key, Shape, Table};

/// Most that a call may be said to cost, in hundredths of the catalog's unit: a million is beyond any comparison.
const COST_MAX: i32 = 100_000_000;
/// Longest that a call may be said to take, in hundredths of a millisecond: an hour, and nobody waits longer.
const LATENCY_MAX: i32 = 360_000_000;

/// The keys of a catalog that say what can be called.
pub const TOOLS: Key = Key {
    name: "tools",
    shape: Shape::List(&Shape::Table(&TOOL), 0),
    presence: Optional,
    says: "What can be called. `waypost import` brings tools in from MCP servers, OpenAPI documents and lists.",
};
pub const TOOLS_FILES: Key = Key {
    name: "tools_files",
    shape: Shape::List(&Shape::Text, 0),
    presence: Optional,
    says: "Files of further tools, one JSON object a line, as `waypost import` writes them. Paths are relative to the file that names them.",
};
pub const SEARCH_TOOL: Key = Key {
    name: "search_tool",
    shape: Shape::Text,
    presence: Optional,
    says: "The tool that searches for anything, by its name, or as `server/name` where two share one. It is offered beside the others.",
};
pub const SAFETY: Key = Key {
    name: "safety",
    shape: Shape::Choice(&["enforce", "off"]),
    presence: Optional,
    says: "Whether tools are held to their `safety_tags`. `enforce`: a message with personal data is given only to tools tagged for it. `off` (the default): it is not looked at.",
};

/// One tool.
static TOOL: Table = Table {
    title: "a tool",
    one_of: &[],
    keys: &[
        Key {
            name: "name",
            shape: Shape::Text,
            presence: Needed,
            says: "Its name, as callers must write it; unique on its server.",
        },
        Key {
            name: "id",
            shape: Shape::Text,
            presence: Optional,
            says: "What answers call it. Default: its name.",
        },
        Key {
            name: "server",
            shape: Shape::Text,
            presence: Optional,
            says: "The server that offers it. Servers may offer tools of one name.",
        },
        Key { name: "title", shape: Shape::Text, presence: Optional, says: "Its name as people read it." },
        Key { name: "description", shape: Shape::Text, presence: Optional, says: "What it does." },
        Key {
            name: "input_schema",
            shape: Shape::Dictionary(&Shape::Any),
            presence: Optional,
            says: "Which arguments it takes, as JSON Schema.",
        },
        Key {
            name: "success_examples",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Messages it serves well.",
        },
        Key {
            name: "anti_patterns",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Messages that look as if it served them and that it does not.",
        },
        Key {
            name: "category",
            shape: Shape::Text,
            presence: Optional,
            says: "What it can stand in for: tools of one category are alternates of each other.",
        },
        Key {
            name: "safety_tags",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Kinds of data it may be given, such as `pii`.",
        },
        Key {
            name: "read_only",
            shape: Shape::Flag,
            presence: Optional,
            says: "Whether it changes nothing. Default: unknown.",
        },
        Key {
            name: "destructive",
            shape: Shape::Flag,
            presence: Optional,
            says: "Whether it may delete or overwrite. Default: unknown.",
        },
        Key {
            name: "idempotent",
            shape: Shape::Flag,
            presence: Optional,
            says: "Whether the same call again changes nothing more. Default: unknown.",
        },
        Key {
            name: "open_world",
            shape: Shape::Flag,
            presence: Optional,
            says: "Whether it reaches beyond its own data, such as a search of the web. Default: unknown.",
        },
        Key {
            name: "cost_estimate",
            shape: Shape::Share(0, COST_MAX),
            presence: Optional,
            says: "What a call costs, in units of your choice; less is better.",
        },
        Key {
            name: "avg_latency_ms",
            shape: Shape::Share(0, LATENCY_MAX),
            presence: Optional,
            says: "How long a call takes, in milliseconds. Measured values replace it once 5 runs are recorded.",
        },
        Key {
            name: "error_rate",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "Which share of its calls fails, from 0 to 1. Measured values replace it once 5 runs are recorded.",
        },
        Key {
            name: "pinned",
            shape: Shape::Flag,
            presence: Optional,
            says: "Whether it is always offered. Default: false.",
        },
    ],
};
