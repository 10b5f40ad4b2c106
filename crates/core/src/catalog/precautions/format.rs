//! What may a catalog say of zones, flags, checks and risk?

use super::super::shape::Presence::{Needed, Optional};
use super::super::shape::{Key, Shape, Table};
use super::conduct;

/// The machine's zones.
pub static RESOURCES: Table = Table {
    title: "the machine's resources",
    one_of: &[],
    keys: &[Key {
        name: "zones",
        shape: Shape::Table(&ZONES),
        presence: Optional,
        says: "What is done when memory, processors or disk run short. The most used of them decides; below yellow all is green.",
    }],
};

/// The zones beyond green.
static ZONES: Table = Table {
    title: "the zones",
    one_of: &[],
    keys: &[
        zone("yellow", "From 0.60 of the worst resource, unless `at` says otherwise."),
        zone("orange", "From 0.75. What yellow does is done too."),
        zone("red", "From 0.85. What yellow and orange do is done too."),
        zone("critical", "From 0.95. What the other zones do is done too."),
    ],
};

const fn zone(name: &'static str, says: &'static str) -> Key {
    Key { name, shape: Shape::Table(&ZONE), presence: Optional, says }
}

/// One zone.
static ZONE: Table = Table {
    title: "a zone",
    one_of: &[],
    keys: &[
        Key {
            name: "at",
            shape: Shape::Share(1, 100),
            presence: Optional,
            says: "Where the zone begins, as the used share of the worst resource; the value itself belongs to it.",
        },
        Key {
            name: "suggest",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "What is suggested: flags, or habits such as caching.",
        },
        Key {
            name: "activate",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Flags set without being asked for, unless they conflict with one that was given.",
        },
        Key {
            name: "defer",
            shape: Shape::List(&Shape::Name, 0),
            presence: Optional,
            says: "Work that waits: names of operations or complexity bands, `heavy` (what `preflight.heavy` lists) or `not-essential` (all but critical tasks and what `preflight.essential` lists).",
        },
        Key {
            name: "block",
            shape: Shape::List(&Shape::Name, 0),
            presence: Optional,
            says: "Work that does not run, written like `defer`. Essential work is never blocked as heavy.",
        },
        Key {
            name: "tiers",
            shape: Shape::Choice(&["all", "cheap"]),
            presence: Optional,
            says: "Which tiers of understanding run. Default: `all` in yellow and orange, `cheap` in red and critical.",
        },
        Key {
            name: "say",
            shape: Shape::Text,
            presence: Optional,
            says: "The sentence a person is told in this zone.",
        },
    ],
};

/// Flags.
pub static FLAGS: Table = Table {
    title: "the flags",
    one_of: &[],
    keys: &[
        Key {
            name: "known",
            shape: Shape::Dictionary(&Shape::Text),
            presence: Needed,
            says: "Every flag a message may carry, with its two dashes, and what it does. They are found outside of fenced code, as whole words that are not denied.",
        },
        Key {
            name: "conflicts",
            shape: Shape::List(&Shape::List(&Shape::Text, 2), 0),
            presence: Optional,
            says: "Pairs of flags that exclude each other, such as [--no-mcp, --seq]. A message with both is refused, the pair named.",
        },
        Key {
            name: "activate",
            shape: Shape::Dictionary(&Shape::List(&Shape::Text, 1)),
            presence: Optional,
            says: "Flags set without being asked for, by the operation or complexity band of the task.",
        },
    ],
};

/// Checks before work begins.
pub static PREFLIGHT: Table = Table {
    title: "the checks before work begins",
    one_of: &[],
    keys: &[
        Key {
            name: "heavy",
            shape: Shape::List(&Shape::Name, 0),
            presence: Optional,
            says: "Operations and complexity bands that take much of the machine.",
        },
        Key {
            name: "essential",
            shape: Shape::List(&Shape::Name, 0),
            presence: Optional,
            says: "Operations and complexity bands that run whatever the zone. Critical tasks always do.",
        },
        Key {
            name: "space_mb",
            shape: Shape::Whole(0, 1_000_000),
            presence: Optional,
            says: "The least free space where state is kept, in megabytes. Default 100.",
        },
        Key {
            name: "slow_ms",
            shape: Shape::Whole(1, 600_000),
            presence: Optional,
            says: "How long a server may take to be reached, in milliseconds. Default 1000.",
        },
        TOOLS,
        PROJECT,
        Key {
            name: "servers",
            shape: Shape::List(&Shape::Table(&SERVER), 0),
            presence: Optional,
            says: "Servers that routes and commands may require.",
        },
        Key {
            name: "requires",
            shape: Shape::Table(&REQUIRES),
            presence: Optional,
            says: "What single routes and commands require beyond that.",
        },
        conduct::SAFE_MODE,
        conduct::CAUTION,
        conduct::MODES,
        conduct::MARKERS,
        conduct::GATES,
    ],
};

const TOOLS: Key = Key {
    name: "tools",
    shape: Shape::List(&Shape::Text, 0),
    presence: Optional,
    says: "Programs that must be found on the path.",
};

const PROJECT: Key = Key {
    name: "project",
    shape: Shape::List(&Shape::Text, 0),
    presence: Optional,
    says: "Files and folders the project must have, relative to where it begins.",
};

const SERVERS: Key = Key {
    name: "servers",
    shape: Shape::List(&Shape::Name, 0),
    presence: Optional,
    says: "Servers that must be reached, by the names under `preflight.servers`.",
};

/// A server.
static SERVER: Table = Table {
    title: "a server",
    one_of: &["url", "command"],
    keys: &[
        Key { name: "name", shape: Shape::Name, presence: Needed, says: "What the server is called." },
        Key {
            name: "url",
            shape: Shape::Text,
            presence: Optional,
            says: "Its address, such as http://localhost:8080/mcp; online when it answers `initialize`.",
        },
        Key {
            name: "command",
            shape: Shape::Text,
            presence: Optional,
            says: "The program that is started to speak to it, with its arguments; online when it answers `initialize`, which is tried with `--handshake` only.",
        },
    ],
};

/// Who requires what.
static REQUIRES: Table = Table {
    title: "who requires what",
    one_of: &[],
    keys: &[
        Key {
            name: "personas",
            shape: Shape::Dictionary(&Shape::Table(&PERSONA)),
            presence: Optional,
            says: "Routes by name, each with what it requires.",
        },
        Key {
            name: "commands",
            shape: Shape::Dictionary(&Shape::Table(&COMMAND)),
            presence: Optional,
            says: "Commands without their slash, each with what it requires.",
        },
    ],
};

/// What a route requires.
static PERSONA: Table =
    Table { title: "what a route requires", one_of: &[], keys: &[TOOLS, PROJECT, SERVERS] };

/// What a command requires.
static COMMAND: Table = Table {
    title: "what a command requires",
    one_of: &[],
    keys: &[
        TOOLS,
        PROJECT,
        SERVERS,
        Key {
            name: "personas",
            shape: Shape::List(&Shape::Name, 0),
            presence: Optional,
            says: "The routes the command works with. Default: any.",
        },
    ],
};

/// Risk.
pub static RISK: Table = Table {
    title: "the risk",
    one_of: &[],
    keys: &[
        weight("complexity", "What the task's complexity weighs. The four weights add up to 1. Default 0.3."),
        weight("failure", "What the share of the user's recent tasks that failed weighs. Default 0.3."),
        weight("exhaustion", "What it weighs how far the worst resource is beyond green. Default 0.2."),
        weight("cascade", "What it weighs how far a failure would spread. Default 0.2."),
        weight(
            "safe_mode",
            "The risk above which safe mode is suggested; the value itself does not. Default 0.8.",
        ),
    ],
};

const fn weight(name: &'static str, says: &'static str) -> Key {
    Key { name, shape: Shape::Share(0, 100), presence: Optional, says }
}
