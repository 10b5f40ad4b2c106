//! How does a draft become something to decide by? Names resolved, expressions compiled, one lexicon built.

use std::collections::{BTreeMap, HashMap};

use super::context::Labels;
use super::draft::{Draft, FinderDraft, PatternDraft, Placed, RouteDraft, TargetDraft};
use super::expertise;
use super::id::RouteId;
use super::lexicon::{Lexicon, Use};
use super::naming;
use super::naming::dangling;
use super::pattern::{Extent, Matcher, Pattern, Role};
use super::place::{Place, Source};
use super::precautions;
use super::problem::{Code, Problem};
use super::session::FactsDraft;
use super::{
    Catalog, Example, Finder, Keyword, Registry, Route, TargetRule, TargetWord, knowledge, llm, thresholds,
    tools,
};
use crate::measure::{EVIDENCE_MAX, FURTHER_GROUND, GROUND_BASE, Points, SUPPORT};
use crate::message::{Folded, Reading};

/// Patterns are worth a hundredth a character, up to this: 0.3 + 0.7 is certainty.
const PATTERN_WEIGHT_MAX: Points = Points::hundredths(70);
/// What a target is worth beside a word of trouble: 0.3 + 0.2 clears the threshold, and stays below a
/// pattern of average length.
const TARGET_WEIGHT_DEFAULT: Points = Points::hundredths(20);

const CLARIFY_DEFAULT: &str = "What would you like me to look at?";
const ABSTAIN_DEFAULT: &str = "No route is needed for this message.";

/// Compiles a draft. Problems are added; errors among them mean that the catalog must not be used.
pub fn compile(
    draft: Draft,
    default_name: &str,
    hash: String,
    sources: &[Source],
    problems: &mut Vec<Problem>,
) -> Option<Catalog> {
    let context = draft.context.as_ref().map(|context| super::context::compile(context, problems));
    let routes_layer = naming::layer(draft.routes_layer.as_ref(), context.as_ref(), problems);
    let sources_layer = naming::layer(draft.sources_layer.as_ref(), context.as_ref(), problems);
    let kinds = Kinds { labels: context.as_ref(), routes_layer };
    let thresholds = thresholds::compile(&draft, sources, problems);
    let toolbox = tools::compile::compile(draft.tools, sources, problems);
    let knowledge = knowledge::compile::compile(draft.knowledge, context.as_ref(), sources, problems);
    let facts = draft.guidance.facts.clone();
    let llm = draft.llm.map(|choice| llm::compile(choice, problems));
    let mut compiling = Compiling::new(sources, problems, kinds, &facts);
    let registries = compiling.registries(draft.registries);
    let mut drafts = draft.routes;
    drafts.sort_by(|a, b| a.name.value.cmp(&b.name.value));
    compiling.refuse_duplicates(&drafts);
    let (commands, examples) = (commands(&drafts), examples(&drafts));
    let names: Vec<&str> = drafts.iter().map(|route| route.name.value.as_str()).collect();
    let tools = &toolbox.tools;
    let precautions =
        precautions::compile::compile(draft.precautions, &names, tools, sources, compiling.problems);
    let guidance = draft.guidance.compile(&names, tools, sources, compiling.problems);
    let example_words_max = examples.keys().map(|bare| bare.split(' ').count()).max().unwrap_or_default();
    let compiled = drafts.into_iter().zip(0..);
    let routes: Vec<Route> =
        compiled.map(|(route, id)| compiling.route(route, RouteId(id), &registries)).collect();
    if toolbox.tools.is_empty() && knowledge.collections.is_empty() {
        compiling.require_routes(&routes);
    }
    draft.trouble.iter().for_each(|word| compiling.term(word, Use::Trouble));
    let fallback = draft.fallback.as_ref().and_then(|named| compiling.fallback(named, &routes));
    let (lexicon, unprompted) = (compiling.lexicon()?, compiling.unprompted());
    Some(Catalog {
        name: draft.name.unwrap_or_else(|| default_name.to_owned()),
        hash,
        names: draft.names,
        select: draft.select,
        encoder: draft.encoder,
        llm,
        ordinary: draft.ordinary.into_iter().map(|message| message.value).collect(),
        thresholds,
        vague: draft.vague,
        clarify: draft.clarify.unwrap_or_else(|| CLARIFY_DEFAULT.to_owned()),
        abstain: draft.abstain.unwrap_or_else(|| ABSTAIN_DEFAULT.to_owned()),
        limits: draft.limits,
        routes,
        patterns: compiling.patterns,
        unprompted,
        target_words: compiling.target_words,
        registries,
        commands,
        examples,
        example_words_max,
        lexicon,
        scoring: draft.scoring,
        routes_layer,
        sources_layer,
        fallback,
        context,
        precautions,
        toolbox,
        knowledge,
        guidance,
    })
}

/// What a route can say it is made for.
#[derive(Clone, Copy)]
struct Kinds<'k> {
    labels: Option<&'k Labels>,
    routes_layer: Option<usize>,
}

/// The catalog while it is compiled.
struct Compiling<'p> {
    kinds: Kinds<'p>,
    facts: &'p FactsDraft,
    sources: &'p [Source],
    problems: &'p mut Vec<Problem>,
    terms: BTreeMap<String, Vec<Use>>,
    patterns: Vec<Pattern>,
    target_words: Vec<TargetWord>,
}

impl<'p> Compiling<'p> {
    fn new(
        sources: &'p [Source],
        problems: &'p mut Vec<Problem>,
        kinds: Kinds<'p>,
        facts: &'p FactsDraft,
    ) -> Compiling<'p> {
        Compiling {
            kinds,
            facts,
            sources,
            problems,
            terms: BTreeMap::new(),
            patterns: Vec::new(),
            target_words: Vec::new(),
        }
    }

    fn term(&mut self, text: &Placed<String>, used: Use) {
        let folded = Folded::new(&text.value);
        if folded.text().is_empty() && !text.value.trim().is_empty() {
            let message = format!("{:?} has no letter or sign that could be found in a message", text.value);
            self.problems.push(Problem::new(Code::BadValue, text.place, message));
        }
        let uses = self.terms.entry(folded.text().to_owned()).or_default();
        if !uses.contains(&used) {
            uses.push(used);
        }
    }

    fn lexicon(&mut self) -> Option<Lexicon> {
        match Lexicon::new(std::mem::take(&mut self.terms)) {
            Ok(lexicon) => Some(lexicon),
            Err(error) => {
                self.problems.push(Problem::new(Code::TooLarge, Place::START, error));
                None
            }
        }
    }

    /// Patterns that no text of the lexicon wakes.
    fn unprompted(&self) -> Vec<usize> {
        let silent = self.patterns.iter().enumerate().filter(|(_, p)| p.matcher.literals.is_empty());
        silent.map(|(index, _)| index).collect()
    }

    fn require_routes(&mut self, routes: &[Route]) {
        // Where something else is wrong, the routes may be missing for that.
        if routes.is_empty() && self.problems.is_empty() {
            let problem = Problem::new(Code::NoRoutes, Place::START, "the catalog has no routes");
            self.problems.push(problem.hint("`waypost init` writes one to start from"));
        }
    }

    fn registries(&mut self, drafts: Vec<(Placed<String>, Vec<Placed<String>>)>) -> Vec<Registry> {
        let compiled = drafts.into_iter().zip(0..).map(|((name, entries), registry)| {
            for (entry, index) in entries.iter().zip(0..) {
                self.term(entry, Use::Entry(registry, index));
            }
            Registry { name: name.value, entries: entries.into_iter().map(|entry| entry.value).collect() }
        });
        compiled.collect()
    }

    /// Names, aliases and commands each mean one route.
    fn refuse_duplicates(&mut self, drafts: &[RouteDraft]) {
        let (mut names, mut commands) = (HashMap::new(), HashMap::new());
        let mut in_file_order: Vec<&RouteDraft> = drafts.iter().collect();
        in_file_order.sort_by_key(|route| route.name.place);
        for route in in_file_order {
            for name in
                std::iter::once(&route.name).chain(&route.aliases).filter(|name| !name.value.is_empty())
            {
                self.refuse_second("name", name, &mut names);
            }
            for command in &route.commands {
                self.refuse_second("command", command, &mut commands);
            }
        }
    }

    fn refuse_second(&mut self, what: &str, given: &Placed<String>, seen: &mut HashMap<String, Place>) {
        let folded = Folded::new(&given.value).text().to_owned();
        let first = *seen.entry(folded).or_insert(given.place);
        if first != given.place {
            let message = format!("the {what} `{}` is taken", given.value);
            let hint = format!("first {}", first.seen_from(given.place, self.sources));
            self.problems.push(Problem::new(Code::DuplicateName, given.place, message).hint(hint));
        }
    }

    /// Examples without a word would be equal to every message without one.
    fn require_words(&mut self, draft: &RouteDraft) {
        let not_examples = draft.not_examples.iter().map(|(text, _)| text);
        for example in draft.examples.iter().chain(not_examples) {
            if Reading::new(&example.value).words().is_empty() && !example.value.trim().is_empty() {
                let message = format!("the example {:?} has no word", example.value);
                self.problems.push(Problem::new(Code::BadValue, example.place, message));
            }
        }
    }

    fn route(&mut self, draft: RouteDraft, id: RouteId, registries: &[Registry]) -> Route {
        self.require_words(&draft);
        for name in std::iter::once(&draft.name).chain(&draft.aliases) {
            self.term(name, Use::Name(id));
        }
        for (keyword, index) in draft.keywords.iter().zip(0..) {
            for form in keyword {
                self.term(form, Use::Keyword(id, index));
            }
        }
        for pattern in draft.patterns {
            self.pattern(pattern, id);
        }
        let values = |placed: Vec<Placed<String>>| placed.into_iter().map(|placed| placed.value).collect();
        Route {
            name: draft.name.value.clone().into(),
            description: draft.description.unwrap_or_default(),
            commands: values(draft.commands),
            priority: draft.priority,
            keywords: draft.keywords.into_iter().map(|forms| Keyword { forms: values(forms) }).collect(),
            examples: values(draft.examples),
            not_examples: values(draft.not_examples.into_iter().map(|(text, _)| text).collect()),
            expertise: expertise::resolve(
                &draft.expertise,
                &draft.name.value,
                self.kinds.labels,
                self.kinds.routes_layer,
                self.problems,
            ),
            domain: draft.domain,
            intent: draft.intent,
            target: draft.target.map(|target| self.target(target, id, registries)),
        }
    }

    fn fallback(&mut self, named: &Placed<String>, routes: &[Route]) -> Option<RouteId> {
        let names = || routes.iter().map(|route| &*route.name);
        let found = names().position(|name| name == named.value);
        if found.is_none() {
            self.problems.push(dangling(named, "route", names(), ""));
        }
        found.and_then(|place| u32::try_from(place).ok()).map(RouteId)
    }

    fn pattern(&mut self, draft: PatternDraft, route: RouteId) {
        let weight = pattern_weight(&draft);
        let only_if = draft.only_if.and_then(|written| self.facts.condition(&written, self.problems));
        if let Some(matcher) = self.matcher(&draft.source, Extent::Shortest) {
            let index = self.add_pattern(route, draft.source.value, Role::Evidence(weight), matcher);
            self.patterns.get_mut(index).into_iter().for_each(|pattern| pattern.only_if.clone_from(&only_if));
        }
    }

    fn matcher(&mut self, source: &Placed<String>, extent: Extent) -> Option<Matcher> {
        match Matcher::new(&source.value, extent) {
            Ok(matcher) => Some(matcher),
            Err(error) => {
                self.problems.push(Problem::new(
                    Code::BadPattern,
                    source.place,
                    format!("bad pattern: {error}"),
                ));
                None
            }
        }
    }

    fn add_pattern(&mut self, route: RouteId, source: String, role: Role, matcher: Matcher) -> usize {
        let index = self.patterns.len();
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        matcher.literals.iter().for_each(|literal| self.term_as_is(literal, Use::Wakes(number)));
        self.patterns.push(Pattern { route, source, role, matcher, only_if: None });
        index
    }

    /// A pattern's text is looked for as the pattern writes it: it is folded text already.
    fn term_as_is(&mut self, text: &str, used: Use) {
        self.terms.entry(text.to_owned()).or_default().push(used);
    }

    fn target(&mut self, draft: TargetDraft, route: RouteId, registries: &[Registry]) -> TargetRule {
        let find =
            draft.find.into_iter().filter_map(|finder| self.finder(finder, route, registries)).collect();
        let looks_like = draft.looks_like.and_then(|source| self.matcher(&source, Extent::AsWritten));
        let weight = draft.weight.unwrap_or(TARGET_WEIGHT_DEFAULT);
        TargetRule { find, weight, looks_like: looks_like.map(|matcher| matcher.regex) }
    }

    fn finder(&mut self, draft: FinderDraft, route: RouteId, registries: &[Registry]) -> Option<Finder> {
        match draft {
            FinderDraft::Registry(name) => {
                let found = registries.iter().position(|registry| registry.name == name.value);
                if found.is_none() {
                    let names = registries.iter().map(|registry| registry.name.as_str());
                    self.problems.push(dangling(&name, "registry", names, "define it under `registries`"));
                }
                found.map(Finder::Registry)
            }
            FinderDraft::Pattern(source) => {
                let matcher = self.matcher(&source, Extent::Longest)?;
                Some(Finder::Pattern(self.add_pattern(route, source.value, Role::Target, matcher)))
            }
            FinderDraft::Words(words) => {
                let start = self.target_words.len();
                for (word, target) in words {
                    let index = u32::try_from(self.target_words.len()).unwrap_or(u32::MAX);
                    self.term(&word, Use::TargetWord(index));
                    self.target_words.push(TargetWord { target });
                }
                Some(Finder::Words(start..self.target_words.len()))
            }
        }
    }
}

/// The most that the rules of a route can reach by themselves; nothing where it has no ground to stand on.
pub(super) fn best_by_rules(route: &RouteDraft, trouble: bool) -> Option<Points> {
    let patterns = route.patterns.iter().map(pattern_weight);
    let can_find = trouble || !route.keywords.is_empty();
    let target =
        route.target.as_ref().filter(|_| can_find).map(|t| t.weight.unwrap_or(TARGET_WEIGHT_DEFAULT));
    let weights: Vec<Points> = patterns.chain(target).collect();
    let strongest = GROUND_BASE + *weights.iter().max()?;
    let further: Points = weights.iter().skip(1).map(|_| FURTHER_GROUND).sum();
    let supports: Points = route.keywords.iter().map(|_| SUPPORT).sum();
    Some((strongest + further + supports).min(EVIDENCE_MAX))
}

fn pattern_weight(draft: &PatternDraft) -> Points {
    let length = i32::try_from(draft.source.value.chars().count()).unwrap_or(i32::MAX);
    draft.weight.unwrap_or(Points::hundredths(length.min(100)).min(PATTERN_WEIGHT_MAX))
}

fn commands(drafts: &[RouteDraft]) -> BTreeMap<String, RouteId> {
    let folded = |command: &Placed<String>| Folded::new(&command.value).text().to_owned();
    let of_route = |(route, id): (&RouteDraft, u32)| {
        route.commands.iter().map(|command| (folded(command), RouteId(id))).collect::<Vec<_>>()
    };
    drafts.iter().zip(0..).flat_map(of_route).collect()
}

fn examples(drafts: &[RouteDraft]) -> HashMap<String, Vec<Example>> {
    let mut examples: HashMap<String, Vec<Example>> = HashMap::new();
    for (route, id) in drafts.iter().zip(0..) {
        let id = RouteId(id);
        for example in &route.examples {
            examples.entry(Reading::new(&example.value).bare()).or_default().push(Example::Of(id));
        }
        for (example, reason) in &route.not_examples {
            let reason = reason.clone().unwrap_or_else(|| "the catalog says so".to_owned());
            examples.entry(Reading::new(&example.value).bare()).or_default().push(Example::NotOf(id, reason));
        }
    }
    examples
}
