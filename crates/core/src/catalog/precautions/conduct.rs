//! How is a task conducted? Safe mode, operating modes, markers, quality gates and caution, as written and as they are used.

use std::collections::BTreeMap;

use super::super::draft::{Placed, placed, texts};
use super::super::naming::{dangling, refuse_twice};
use super::super::place::Source;
use super::super::problem::Problem;
use super::super::shape::Presence::{Needed, Optional};
use super::super::shape::{Key, Shape, Table};
use super::super::tools::Tool;
use super::super::tree::{Node, Value};
use super::Flags;
use crate::message::Fact;

pub(super) const SAFE_MODE: Key = Key {
    name: "safe_mode",
    shape: Shape::Table(&SAFE),
    presence: Optional,
    says: "What may be chosen in safe mode, which the flag `--safe-mode` or a zone that activates it begins. Routes and tools by name, tools also by one of their `safety_tags`.",
};
pub(super) const CAUTION: Key = Key {
    name: "caution",
    shape: Shape::Table(&LEVELS),
    presence: Optional,
    says: "What follows from a confidence, where the catalog scores by factors.",
};
pub(super) const MODES: Key = Key {
    name: "modes",
    shape: Shape::List(&Shape::Table(&MODE), 1),
    presence: Optional,
    says: "Operating modes. The fact `mode` of the environment chooses one; without it, the first is used.",
};
pub(super) const MARKERS: Key = Key {
    name: "markers",
    shape: Shape::List(&Shape::Table(&MARKER), 0),
    presence: Optional,
    says: "Words and flags of a message that set a fact of the environment, unless the caller gives it.",
};
pub(super) const GATES: Key = Key {
    name: "quality_gates",
    shape: Shape::Dictionary(&Shape::Text),
    presence: Optional,
    says: "Checks that must hold before a task counts as complete, each with what it means. Modes require them by name.",
};

/// Safe mode.
static SAFE: Table = Table {
    title: "safe mode",
    one_of: &[],
    keys: &[
        list(
            "allow",
            "The only routes that may be chosen, if it lists a route; the only tools, if it lists a tool or a tag.",
        ),
        list("deny", "Routes and tools that may not be chosen. It outdoes `allow`."),
    ],
};

/// Levels of confidence.
static LEVELS: Table = Table {
    title: "levels of confidence",
    one_of: &[],
    keys: &[
        level("high", "From `thresholds.high`."),
        level("medium", "From the threshold."),
        level("low", "Below the threshold."),
    ],
};

/// One level.
static LEVEL: Table = Table {
    title: "a level of confidence",
    one_of: &[],
    keys: &[
        Key {
            name: "action",
            shape: Shape::Name,
            presence: Needed,
            says: "What to do, by a name of your choice.",
        },
        Key {
            name: "caution",
            shape: Shape::Flag,
            presence: Optional,
            says: "Whether to proceed with caution. Default: false.",
        },
        Key {
            name: "monitoring",
            shape: Shape::Flag,
            presence: Optional,
            says: "Whether to monitor the task. Default: false.",
        },
    ],
};

/// One mode.
static MODE: Table = Table {
    title: "an operating mode",
    one_of: &[],
    keys: &[
        Key { name: "name", shape: Shape::Name, presence: Needed, says: "Its name." },
        Key { name: "says", shape: Shape::Text, presence: Needed, says: "What it is for." },
        list("parallel", "What may run in parallel, by names of your choice."),
        list("flags", "Flags that it sets, unless they conflict with one that was given."),
        list("gates", "Quality gates that must be passed before a task counts as complete."),
    ],
};

/// One marker.
static MARKER: Table = Table {
    title: "a marker",
    one_of: &[],
    keys: &[
        Key {
            name: "words",
            shape: Shape::List(&Shape::Text, 1),
            presence: Needed,
            says: "Words, phrases or flags of which one must be in the message, whole and not denied.",
        },
        Key {
            name: "fact",
            shape: Shape::Name,
            presence: Needed,
            says: "The fact it sets; `mode` chooses an operating mode.",
        },
        Key {
            name: "value",
            shape: Shape::Name,
            presence: Optional,
            says: "What it sets the fact to. Default: true.",
        },
    ],
};

const fn list(name: &'static str, says: &'static str) -> Key {
    Key { name, shape: Shape::List(&Shape::Text, 0), presence: Optional, says }
}

const fn level(name: &'static str, says: &'static str) -> Key {
    Key { name, shape: Shape::Table(&LEVEL), presence: Optional, says }
}

/// How tasks are conducted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conduct {
    /// What may be chosen in safe mode.
    pub safe_mode: SafeMode,
    /// What follows from a high, a medium and a low confidence.
    pub caution: [Option<Caution>; 3],
    /// The operating modes; the first is the default.
    pub modes: Vec<Mode>,
    /// Words that set facts.
    pub markers: Vec<Marker>,
    /// Quality gates, and what each means.
    pub gates: BTreeMap<String, String>,
}

/// What may be chosen in safe mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SafeMode {
    allow_routes: Vec<String>,
    allow_tools: Vec<String>,
    deny: Vec<String>,
}

impl SafeMode {
    /// Whether it restricts anything.
    pub fn is_empty(&self) -> bool {
        *self == SafeMode::default()
    }

    /// Whether a route may be chosen.
    pub fn allows_route(&self, route: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|name| name == route);
        !is_in(&self.deny) && (self.allow_routes.is_empty() || is_in(&self.allow_routes))
    }

    /// Whether a tool may be chosen.
    pub fn allows_tool(&self, tool: &Tool) -> bool {
        let is_in = |names: &[String]| names.iter().any(|name| is_called(tool, name));
        !is_in(&self.deny) && (self.allow_tools.is_empty() || is_in(&self.allow_tools))
    }
}

/// Whether a name means a tool: its own, that with its server, or one of its tags.
fn is_called(tool: &Tool, name: &str) -> bool {
    tool.name == name || tool.full_name() == name || tool.safety_tags.iter().any(|tag| tag == name)
}

/// What follows from a confidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caution {
    /// What to do.
    pub action: String,
    /// Whether to proceed with caution.
    pub caution: bool,
    /// Whether to monitor the task.
    pub monitoring: bool,
}

/// An operating mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub says: String,
    /// What may run in parallel.
    pub parallel: Vec<String>,
    /// Flags that it sets.
    pub flags: Vec<String>,
    /// Quality gates that it requires.
    pub gates: Vec<String>,
}

/// Words of a message that set a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// The words, phrases and flags, in small letters.
    pub words: Vec<String>,
    /// The fact.
    pub fact: String,
    /// What it is set to.
    pub value: Fact,
}

/// The same, as written.
#[derive(Clone, Debug, Default)]
pub struct ConductDraft {
    allow: Vec<Placed<String>>,
    deny: Vec<Placed<String>>,
    caution: [Option<Caution>; 3],
    modes: Vec<ModeDraft>,
    markers: Vec<(Vec<Placed<String>>, Marker)>,
    gates: BTreeMap<String, String>,
}

#[derive(Clone, Debug)]
struct ModeDraft {
    name: Placed<String>,
    says: String,
    parallel: Vec<Placed<String>>,
    flags: Vec<Placed<String>>,
    gates: Vec<Placed<String>>,
}

/// Reads it from a checked `preflight`.
pub fn read(node: &Node) -> ConductDraft {
    let safe = |key: &str| node.get("safe_mode").map(|safe| texts(safe.list(key))).unwrap_or_default();
    let level = |name: &str| node.get("caution").and_then(|levels| read_level(levels.get(name)?));
    let gates = node.get("quality_gates").map_or(&[][..], Node::entries).iter();
    ConductDraft {
        allow: safe("allow"),
        deny: safe("deny"),
        caution: ["high", "medium", "low"].map(level),
        modes: node.list("modes").iter().filter_map(read_mode).collect(),
        markers: node.list("markers").iter().filter_map(read_marker).collect(),
        gates: gates
            .filter_map(|(name, says)| Some((name.text()?.to_owned(), says.text()?.to_owned())))
            .collect(),
    }
}

fn read_level(node: &Node) -> Option<Caution> {
    let flag = |key: &str| matches!(node.get(key), Some(Node { value: Value::Flag(true), .. }));
    let action = node.get("action")?.text()?.to_owned();
    Some(Caution { action, caution: flag("caution"), monitoring: flag("monitoring") })
}

fn read_mode(node: &Node) -> Option<ModeDraft> {
    let list = |key: &str| texts(node.list(key));
    Some(ModeDraft {
        name: node.get("name").and_then(placed)?,
        says: node.get("says")?.text()?.to_owned(),
        parallel: list("parallel"),
        flags: list("flags"),
        gates: list("gates"),
    })
}

fn read_marker(node: &Node) -> Option<(Vec<Placed<String>>, Marker)> {
    let words = texts(node.list("words"));
    let value = node.get("value").and_then(Node::text);
    let marker = Marker {
        words: words.iter().map(|word| word.value.to_lowercase()).collect(),
        fact: node.get("fact")?.text()?.to_owned(),
        value: value.map_or(Fact::Flag(true), |value| Fact::Text(value.to_owned())),
    };
    Some((words, marker))
}

/// What conduct may name.
#[derive(Clone, Copy)]
pub struct Named<'n> {
    /// The routes.
    pub routes: &'n [&'n str],
    /// The tools.
    pub tools: &'n [Tool],
    /// The flags.
    pub flags: &'n Flags,
    /// The files, to tell where a name was first.
    pub sources: &'n [Source],
}

/// Compiles conduct; what it names must be there.
pub fn compile(draft: ConductDraft, named: Named<'_>, problems: &mut Vec<Problem>) -> Conduct {
    let known: Vec<&str> = named.flags.known.keys().map(String::as_str).collect();
    let gates: Vec<&str> = draft.gates.keys().map(String::as_str).collect();
    let modes: Vec<&str> = draft.modes.iter().map(|mode| mode.name.value.as_str()).collect();
    refuse_twice("mode", draft.modes.iter().map(|mode| &mode.name), named.sources, problems);
    for mode in &draft.modes {
        require(&mode.flags, "flag", &known, "define it under `flags.known`", problems);
        require(&mode.gates, "quality gate", &gates, "define it under `preflight.quality_gates`", problems);
    }
    for (words, marker) in &draft.markers {
        let flags: Vec<Placed<String>> =
            words.iter().filter(|word| word.value.starts_with("--")).cloned().collect();
        require(&flags, "flag", &known, "define it under `flags.known`", problems);
        if let (true, Some(mode), Some(place)) =
            (marker.fact == MODE_FACT, marker.value.text(), words.first())
        {
            let mode = Placed { value: mode.to_owned(), place: place.place };
            require(&[mode], "mode", &modes, "define it under `preflight.modes`", problems);
        }
    }
    let safe_mode = safe_mode(&draft, named, problems);
    let mode = |mode: ModeDraft| Mode {
        name: mode.name.value,
        says: mode.says,
        parallel: values(mode.parallel),
        flags: values(mode.flags),
        gates: values(mode.gates),
    };
    Conduct {
        safe_mode,
        caution: draft.caution,
        modes: draft.modes.into_iter().map(mode).collect(),
        markers: draft.markers.into_iter().map(|(_, marker)| marker).collect(),
        gates: draft.gates,
    }
}

/// The fact that chooses the operating mode.
pub const MODE_FACT: &str = "mode";

fn safe_mode(draft: &ConductDraft, named: Named<'_>, problems: &mut Vec<Problem>) -> SafeMode {
    let is_route = |name: &str| named.routes.contains(&name);
    let is_tool = |name: &str| named.tools.iter().any(|tool| is_called(tool, name));
    for name in draft.allow.iter().chain(&draft.deny) {
        if !is_route(&name.value) && !is_tool(&name.value) {
            let names = named.routes.iter().copied().chain(named.tools.iter().map(|tool| tool.name.as_str()));
            problems.push(dangling(name, "route, tool or safety tag", names, ""));
        }
    }
    let allowed = |is: &dyn Fn(&str) -> bool| -> Vec<String> {
        draft.allow.iter().map(|name| name.value.clone()).filter(|name| is(name)).collect()
    };
    SafeMode {
        allow_routes: allowed(&is_route),
        allow_tools: allowed(&is_tool),
        deny: draft.deny.iter().map(|name| name.value.clone()).collect(),
    }
}

fn require(named: &[Placed<String>], what: &str, known: &[&str], hint: &str, problems: &mut Vec<Problem>) {
    let unknown = named.iter().filter(|name| !known.contains(&name.value.as_str()));
    problems.extend(unknown.map(|name| dangling(name, what, known.iter().copied(), hint)));
}

fn values(placed: Vec<Placed<String>>) -> Vec<String> {
    placed.into_iter().map(|text| text.value).collect()
}
