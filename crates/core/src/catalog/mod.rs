//! **What can be chosen?** The catalog: read, checked, compiled once, then immutable, with a hash of what
//! it says.
//!
//! A catalog passes four hands. `tree` reads YAML into values that know their places; `check` holds
//! them against the `format`; `draft` gives them types; `compile` resolves names, compiles
//! expressions and builds the lexicon. Each reports all it finds, so an author sees every problem at once.

mod place;
mod problem;
mod nearest;
mod naming;
mod tree;
mod json;
mod shape;
mod precautions;
mod format;
mod check;
mod draft;
mod id;
mod pattern;
mod condition;
mod thresholds;
mod lexicon;
pub mod context;
pub mod tools;
pub mod knowledge;
mod session;
mod gates;
mod flows;
mod columns;
mod choices;
mod guidance;
mod expertise;
mod encoder;
mod limits;
mod llm;
mod vague;
mod route;
mod compile;
mod merge;
mod lint;
mod common_words;
mod schema;
mod reference;
mod hash;

use std::collections::{BTreeMap, HashMap};

pub use choices::{Choices, MAX_WRONG, Off};
pub use columns::Column;
pub use condition::{Amount, Condition, Fault, Scope, Value};
pub use encoder::{EncoderChoice, EndpointChoice};
pub use expertise::Expertise;
pub use flows::Flow;
pub use gates::{Gate, WayOn};
pub use id::RouteId;
pub use json::read_document;
pub use lexicon::{Found, Lexicon, Use};
pub use llm::{LlmChoice, ReplyMode};
pub use nearest::nearest;
pub use pattern::{Matcher, Pattern, Role};
pub use place::{Holds, Place, Source};
pub use precautions::{
    Caution, Conduct, Contact, Flags, MODE_FACT, Marker, Mode, Needs, Precautions, Requirement, RiskWeights,
    SafeMode, Tiers, Work, ZoneRule,
};
pub use problem::{Code, Problem};
pub use reference::reference;
pub use route::{Example, Finder, Keyword, Registry, Route, TargetRule, TargetWord};
pub use schema::schema;
pub use thresholds::{Direction, Recommends, SignalSource, ThresholdRule, ThresholdSignal, Thresholds};
pub use vague::Vague;

pub use crate::head::Select;

use crate::limits::PROBLEMS_MAX;
use crate::measure::Confidence;
use limits::Limits;

/// What can be chosen, ready to decide by.
#[derive(Clone, Debug)]
pub struct Catalog {
    name: String,
    hash: String,
    names: Names,
    select: Select,
    encoder: EncoderChoice,
    llm: Option<LlmChoice>,
    ordinary: Vec<String>,
    thresholds: Thresholds,
    vague: Vague,
    clarify: String,
    abstain: String,
    limits: Limits,
    routes: Vec<Route>,
    patterns: Vec<Pattern>,
    unprompted: Vec<usize>,
    target_words: Vec<TargetWord>,
    registries: Vec<Registry>,
    commands: BTreeMap<String, RouteId>,
    examples: HashMap<String, Vec<Example>>,
    example_words_max: usize,
    lexicon: Lexicon,
    scoring: Scoring,
    routes_layer: Option<usize>,
    sources_layer: Option<usize>,
    fallback: Option<RouteId>,
    context: Option<context::Labels>,
    precautions: Precautions,
    toolbox: tools::compile::Toolbox,
    knowledge: knowledge::Knowledge,
    guidance: guidance::Guidance,
}

/// How sure a route is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scoring {
    /// By its patterns, keywords and examples.
    #[default]
    Rules,
    /// By four factors that add up.
    Factors,
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

    /// The language model that is asked, where the catalog names one.
    pub const fn llm(&self) -> Option<&LlmChoice> {
        self.llm.as_ref()
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

    /// What comes of a request that names nothing.
    pub const fn vague(&self) -> Vague {
        self.vague
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
        self.limits.message_bytes
    }

    /// How much of the passages a decision hands on, in tokens.
    pub const fn context_tokens_max(&self) -> usize {
        self.limits.context_tokens
    }

    /// How long a decision may take, in milliseconds.
    pub const fn latency_ms(&self) -> u64 {
        self.limits.latency_ms
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

    /// Which kinds of request it tells apart; nothing where it does not ask.
    pub const fn context(&self) -> Option<&context::Labels> {
        self.context.as_ref()
    }

    /// How sure a route is.
    pub const fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// The layer of the context whose labels are names of sources.
    pub const fn sources_layer(&self) -> Option<usize> {
        self.sources_layer
    }

    /// The layer of the context whose labels are routes.
    pub const fn routes_layer(&self) -> Option<usize> {
        self.routes_layer
    }

    /// The route taken where no other is sure enough.
    pub const fn fallback(&self) -> Option<RouteId> {
        self.fallback
    }

    /// What is to be looked at before anything is done.
    pub const fn precautions(&self) -> &Precautions {
        &self.precautions
    }

    /// What can be called, ordered by server and name.
    pub fn tools(&self) -> &[tools::Tool] {
        &self.toolbox.tools
    }

    /// The tool that searches for anything.
    pub fn search_tool(&self) -> Option<&tools::Tool> {
        self.toolbox.search_tool.and_then(|index| self.toolbox.tools.get(index))
    }

    /// Whether tools are held to their safety tags.
    pub const fn safety(&self) -> tools::Safety {
        self.toolbox.safety
    }

    /// What can be read, and which kinds of message need it.
    pub const fn knowledge(&self) -> &knowledge::Knowledge {
        &self.knowledge
    }

    /// The files of tools that a source names, each with its place: to be read and given to the catalog beside it.
    pub fn tools_files(source: &Source) -> Vec<(String, Place)> {
        tools::lines::named_in(source)
    }

    /// The texts worth a look.
    pub const fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }
}
