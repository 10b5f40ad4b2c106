//! **What can be chosen?** The catalog: read, checked, compiled once, then immutable, with a hash of what
//! it says.
//!
//! A catalog passes four hands. `tree` reads YAML into values that know their places; `check` holds
//! them against the `format`; `draft` gives them types; `compile` resolves names, compiles
//! expressions and builds the lexicon. Each reports all it finds, so an author sees every problem at once.

mod place;
mod problem;
mod nearest;
mod tree;
mod shape;
mod format;
mod check;
mod draft;
mod id;
mod pattern;
mod lexicon;
mod compile;
mod merge;
mod lint;
mod common_words;
mod schema;
mod reference;
mod hash;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use regex::Regex;

pub use id::RouteId;
pub use lexicon::{Found, Lexicon, Use};
pub use nearest::nearest;
pub use pattern::{Matcher, Pattern, Role};
pub use place::{Place, Source};
pub use problem::{Code, Problem};
pub use reference::reference;
pub use schema::schema;

pub use crate::head::Select;

use crate::limits::PROBLEMS_MAX;
use crate::measure::{Confidence, Points};

/// What can be chosen, ready to decide by.
#[derive(Clone, Debug)]
pub struct Catalog {
    name: String,
    hash: String,
    names: Names,
    select: Select,
    encoder: EncoderChoice,
    ordinary: Vec<String>,
    thresholds: Thresholds,
    clarify: String,
    abstain: String,
    message_bytes_max: usize,
    routes: Vec<Route>,
    patterns: Vec<Pattern>,
    unprompted: Vec<usize>,
    target_words: Vec<TargetWord>,
    registries: Vec<Registry>,
    commands: BTreeMap<String, RouteId>,
    examples: HashMap<String, Vec<Example>>,
    example_words_max: usize,
    lexicon: Lexicon,
}

/// What the name of a route in a message means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// The route is taken.
    Force,
    /// One keyword more.
    #[default]
    Hint,
}

/// How sure a decision must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// The least confidence to act on.
    pub base: Confidence,
    /// The least confidence called high.
    pub high: Confidence,
    /// How far below the best still counts as equally sure.
    pub window: Points,
    /// How often a route taken by what was learned must be right.
    pub target_precision: Option<Confidence>,
}

/// What reads the meaning of messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EncoderChoice {
    /// The one that comes with the library.
    #[default]
    BuiltIn,
    /// Nothing: letters and words alone.
    None,
    /// A sentence transformer in process, by its name or folder.
    Transformer(String),
    /// An embeddings endpoint.
    Endpoint(EndpointChoice),
}

/// An embeddings endpoint, as the catalog names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndpointChoice {
    /// The address before the path of its interface.
    pub url: String,
    /// Whether it speaks TEI rather than OpenAI's.
    pub speaks_tei: bool,
    /// The model asked for.
    pub served: Option<String>,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// How long an answer is waited for, in milliseconds.
    pub timeout_ms: Option<u64>,
}

/// Something a message can be routed to.
#[derive(Clone, Debug)]
pub struct Route {
    /// Its unique name, shared with every answer that mentions it.
    pub name: Arc<str>,
    /// What it is for.
    pub description: String,
    /// Commands that force it.
    pub commands: Vec<String>,
    /// Who wins among equals: the higher.
    pub priority: i32,
    /// Words that make a match surer.
    pub keywords: Vec<Keyword>,
    /// Messages that belong to it.
    pub examples: Vec<String>,
    /// Messages that look as if they did.
    pub not_examples: Vec<String>,
    /// How it finds what it is to work on.
    pub target: Option<TargetRule>,
}

/// A keyword in all its forms; it counts once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyword {
    /// The forms, the first of which names it.
    pub forms: Vec<String>,
}

/// A message the catalog lists word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Example {
    /// It belongs to the route.
    Of(RouteId),
    /// It does not, for this reason.
    NotOf(RouteId, String),
}

/// How a route finds its target.
#[derive(Clone, Debug)]
pub struct TargetRule {
    /// Ways to find it, in order.
    pub find: Vec<Finder>,
    /// What it adds to the base beside a keyword or a word of trouble.
    pub weight: Points,
    /// How one is spelt, known or not.
    pub looks_like: Option<Regex>,
}

/// One way to find a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finder {
    /// The longest entry of a registry.
    Registry(usize),
    /// The first match of a pattern.
    Pattern(usize),
    /// A word that stands for it: a range of the catalog's target words.
    Words(Range<usize>),
}

/// A word that stands for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetWord {
    /// What it stands for.
    pub target: String,
}

/// Known things to look targets up in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registry {
    /// What targets call it.
    pub name: String,
    /// Its entries in their official spelling.
    pub entries: Vec<String>,
}

/// A catalog read: usable or not, and everything that is wrong with it.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The catalog, unless there is an error among the problems.
    pub catalog: Option<Catalog>,
    /// Errors and lints, in the order of the files.
    pub problems: Vec<Problem>,
    /// How many more there are than are told.
    pub omitted: usize,
}

/// The way of the sources through the four hands.
fn compile_all(sources: &[Source], default_name: &str) -> (Option<Catalog>, draft::Draft, Vec<Problem>) {
    let mut problems = Vec::new();
    let root = merge::read_all(sources, &mut problems);
    let draft = draft::Draft::read(&root);
    let compiled = compile::compile(draft.clone(), default_name, hash::hash(&root), sources, &mut problems);
    (compiled, draft, problems)
}

impl Checked {
    /// Errors come before lints where there are more problems than anybody reads.
    fn new(compiled: Option<Catalog>, errors: Vec<Problem>, lints: Vec<Problem>) -> Checked {
        let usable = errors.is_empty();
        let mut problems = errors;
        problems.sort_by_key(|problem| (problem.place, problem.code));
        problems.extend(lints);
        let omitted = problems.len().saturating_sub(PROBLEMS_MAX);
        problems.truncate(PROBLEMS_MAX);
        problems.sort_by_key(|problem| (problem.place, problem.code));
        Checked { catalog: compiled.filter(|_| usable), problems, omitted }
    }
}

impl Catalog {
    /// Reads and compiles a catalog. Several sources are one catalog: their lists are joined.
    pub fn read(sources: &[Source], default_name: &str) -> Checked {
        let (compiled, _, problems) = compile_all(sources, default_name);
        Checked::new(compiled, problems, Vec::new())
    }

    /// Reads and compiles a catalog, and looks for what is allowed and yet surely not meant.
    pub fn check(sources: &[Source], default_name: &str) -> Checked {
        let (compiled, draft, problems) = compile_all(sources, default_name);
        // In a file that could not be read to its end, what is missing may only be missing there.
        let whole = !problems.iter().any(|problem| matches!(problem.code, Code::Syntax | Code::TooLarge));
        let lints = if whole { lint::lint(&draft, sources) } else { Vec::new() };
        Checked::new(compiled, problems, lints)
    }

    /// A catalog of routes that are taught by examples alone: texts, each with its route; those without one need none.
    /// Places count the examples.
    pub fn of_examples(name: &str, examples: &[(&str, &str)]) -> Checked {
        let mut problems = Vec::new();
        let draft = draft::Draft::of_examples(examples);
        let hash = hash::hash_texts(examples.iter().flat_map(|(text, route)| [*route, *text]));
        let compiled = compile::compile(draft, name, hash, &[], &mut problems);
        Checked::new(compiled, problems, Vec::new())
    }

    /// The same catalog, which wants what was learned to be right so often.
    #[must_use]
    pub fn with_target_precision(mut self, target: Option<Confidence>) -> Catalog {
        self.thresholds.target_precision = target.or(self.thresholds.target_precision);
        self
    }

    /// How many routes a message may take.
    pub const fn select(&self) -> Select {
        self.select
    }

    /// What reads the meaning of messages.
    pub const fn encoder(&self) -> &EncoderChoice {
        &self.encoder
    }

    /// Messages that need no route.
    pub fn ordinary(&self) -> &[String] {
        &self.ordinary
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The hash of what it says.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// What the name of a route in a message means.
    pub const fn names(&self) -> Names {
        self.names
    }

    /// How sure a decision must be.
    pub const fn thresholds(&self) -> &Thresholds {
        &self.thresholds
    }

    /// The question that asks a vague message back.
    pub fn clarify(&self) -> &str {
        &self.clarify
    }

    /// The message given when no route is needed.
    pub fn abstain(&self) -> &str {
        &self.abstain
    }

    /// The longest message answered, in bytes.
    pub const fn message_bytes_max(&self) -> usize {
        self.message_bytes_max
    }

    /// Every route with its id, ordered by name.
    pub fn routes(&self) -> impl ExactSizeIterator<Item = (RouteId, &Route)> {
        self.routes
            .iter()
            .enumerate()
            .map(|(index, route)| (RouteId(u32::try_from(index).unwrap_or(u32::MAX)), route))
    }

    /// One route. Ids come from this catalog, so it is there.
    pub fn route(&self, id: RouteId) -> Option<&Route> {
        self.routes.get(id.index())
    }

    /// The name of a route.
    pub fn route_name(&self, id: RouteId) -> &str {
        self.route(id).map_or("", |route| &route.name)
    }

    /// The patterns of all routes.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Patterns, by index, that no text of the lexicon wakes: they are tried on every message.
    pub fn unprompted(&self) -> &[usize] {
        &self.unprompted
    }

    /// The registries.
    pub fn registries(&self) -> &[Registry] {
        &self.registries
    }

    /// The words that stand for targets.
    pub fn target_words(&self) -> &[TargetWord] {
        &self.target_words
    }

    /// The route a command forces. Commands are folded.
    pub fn command(&self, name: &str) -> Option<RouteId> {
        self.commands.get(name).copied()
    }

    /// Every command, folded, in order.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.commands.keys().map(String::as_str)
    }

    /// What the catalog lists under exactly these bare words.
    pub fn listed(&self, bare: &str) -> &[Example] {
        self.examples.get(bare).map_or(&[], Vec::as_slice)
    }

    /// How many words the longest listed example has; a longer message is none.
    pub const fn example_words_max(&self) -> usize {
        self.example_words_max
    }

    /// The routes that work on something, and how they find it.
    pub fn target_rules(&self) -> impl Iterator<Item = (RouteId, &TargetRule)> {
        self.routes().filter_map(|(id, route)| Some((id, route.target.as_ref()?)))
    }

    /// The texts worth a look.
    pub const fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }
}
