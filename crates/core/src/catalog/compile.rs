//! How does a draft become something to decide by? Names resolved, expressions compiled, one lexicon built.

use std::collections::{BTreeMap, HashMap};

use super::draft::{Draft, FinderDraft, PatternDraft, Placed, RouteDraft, TargetDraft};
use super::id::RouteId;
use super::lexicon::{Lexicon, Use};
use super::nearest::nearest;
use super::pattern::{Extent, Matcher, Pattern, Role};
use super::place::Place;
use super::problem::{Code, Problem};
use super::{Catalog, Example, Finder, Keyword, Names, Registry, Route, TargetRule, TargetWord, Thresholds};
use crate::limits::MESSAGE_BYTES_MAX;
use crate::measure::{Confidence, Points};
use crate::message::{Folded, Reading};

/// The threshold of the framework document: below 0.40 nothing activates.
const BASE_DEFAULT: Points = Points::hundredths(40);
/// Where the framework document begins to speak of high confidence.
const HIGH_DEFAULT: Points = Points::hundredths(70);
/// How close counts as "similar" there.
const WINDOW_DEFAULT: Points = Points::hundredths(15);
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
    problems: &mut Vec<Problem>,
) -> Option<Catalog> {
    let mut compiling =
        Compiling { problems, terms: BTreeMap::new(), patterns: Vec::new(), target_words: Vec::new() };
    let registries = compiling.registries(draft.registries);
    let mut drafts = draft.routes;
    drafts.sort_by(|a, b| a.name.value.cmp(&b.name.value));
    compiling.refuse_duplicates(&drafts);
    let names = if draft.names.as_deref() == Some("force") { Names::Force } else { Names::Hint };
    let commands = commands(&drafts);
    let examples = examples(&drafts);
    let example_words_max = examples.keys().map(|bare| bare.split(' ').count()).max().unwrap_or_default();
    let routes: Vec<Route> = drafts
        .into_iter()
        .zip(0..)
        .map(|(route, id)| compiling.route(route, RouteId(id), &registries))
        .collect();
    compiling.require_routes(&routes);
    draft.trouble.iter().for_each(|word| compiling.term(&word.value, Use::Trouble));
    let lexicon = compiling.lexicon()?;
    let unprompted = (0..)
        .zip(&compiling.patterns)
        .filter(|(_, p)| p.matcher.literals.is_empty())
        .map(|(i, _)| i)
        .collect();
    let share =
        |written: Option<f64>, default: Points| Confidence::new(written.map_or(default, Points::from_share));
    Some(Catalog {
        name: draft.name.unwrap_or_else(|| default_name.to_owned()),
        description: draft.description.unwrap_or_default(),
        hash,
        names,
        thresholds: Thresholds {
            base: share(draft.base, BASE_DEFAULT),
            high: share(draft.high, HIGH_DEFAULT),
            window: share(draft.window, WINDOW_DEFAULT).points(),
        },
        clarify: draft.clarify.unwrap_or_else(|| CLARIFY_DEFAULT.to_owned()),
        abstain: draft.abstain.unwrap_or_else(|| ABSTAIN_DEFAULT.to_owned()),
        message_bytes_max: draft.message_bytes.unwrap_or(MESSAGE_BYTES_MAX),
        routes,
        patterns: compiling.patterns,
        unprompted,
        target_words: compiling.target_words,
        registries,
        commands,
        examples,
        example_words_max,
        lexicon,
    })
}

/// The catalog while it is compiled.
struct Compiling<'p> {
    problems: &'p mut Vec<Problem>,
    terms: BTreeMap<String, Vec<Use>>,
    patterns: Vec<Pattern>,
    target_words: Vec<TargetWord>,
}

impl Compiling<'_> {
    fn report(&mut self, code: Code, place: Place, message: String) -> Option<&mut Problem> {
        self.problems.push(Problem::new(code, place, message));
        self.problems.last_mut()
    }

    fn term(&mut self, text: &str, used: Use) {
        let uses = self.terms.entry(Folded::new(text).text().to_owned()).or_default();
        if !uses.contains(&used) {
            uses.push(used);
        }
    }

    fn lexicon(&mut self) -> Option<Lexicon> {
        let built = Lexicon::new(std::mem::take(&mut self.terms));
        let start = Place { line: 1, column: 1, ..Place::default() };
        built.map_err(|error| self.report(Code::TooLarge, start, error).is_some()).ok()
    }

    fn require_routes(&mut self, routes: &[Route]) {
        if routes.is_empty() {
            let start = Place { line: 1, column: 1, ..Place::default() };
            let problem = self.report(Code::NoRoutes, start, "the catalog has no routes".to_owned());
            if let Some(problem) = problem {
                problem.hint = Some("`waypost init` writes one to start from".to_owned());
            }
        }
    }

    fn registries(&mut self, drafts: Vec<(Placed<String>, Vec<Placed<String>>)>) -> Vec<Registry> {
        let compiled = drafts.into_iter().zip(0..).map(|((name, entries), registry)| {
            for (entry, index) in entries.iter().zip(0..) {
                self.term(&entry.value, Use::Entry(registry, index));
            }
            Registry { name: name.value, entries: entries.into_iter().map(|entry| entry.value).collect() }
        });
        compiled.collect()
    }

    /// Names, aliases and commands each mean one route.
    fn refuse_duplicates(&mut self, drafts: &[RouteDraft]) {
        let mut names = HashMap::new();
        let mut commands = HashMap::new();
        let mut in_file_order: Vec<&RouteDraft> = drafts.iter().collect();
        in_file_order.sort_by_key(|route| route.name.place);
        for route in in_file_order {
            for name in std::iter::once(&route.name).chain(&route.aliases) {
                self.refuse_second("name", name, &mut names);
            }
            for command in &route.commands {
                self.refuse_second("command", command, &mut commands);
            }
        }
    }

    fn refuse_second(&mut self, what: &str, given: &Placed<String>, seen: &mut HashMap<String, Place>) {
        let folded = Folded::new(&given.value).text().to_owned();
        let Some(first) = seen.insert(folded, given.place) else { return };
        let message = format!("the {what} `{}` is taken", given.value);
        if let Some(problem) = self.report(Code::DuplicateName, given.place, message) {
            problem.hint = Some(format!("first at line {}", first.line));
        }
    }

    fn route(&mut self, draft: RouteDraft, id: RouteId, registries: &[Registry]) -> Route {
        for name in std::iter::once(&draft.name).chain(&draft.aliases) {
            self.term(&name.value, Use::Name(id));
        }
        for (keyword, index) in draft.keywords.iter().zip(0..) {
            for form in keyword {
                self.term(&form.value, Use::Keyword(id, index));
            }
        }
        for pattern in draft.patterns {
            self.pattern(pattern, id);
        }
        let values = |placed: Vec<Placed<String>>| placed.into_iter().map(|placed| placed.value).collect();
        Route {
            name: draft.name.value.into(),
            description: draft.description.unwrap_or_default(),
            aliases: values(draft.aliases),
            commands: values(draft.commands),
            priority: draft.priority,
            keywords: draft.keywords.into_iter().map(|forms| Keyword { forms: values(forms) }).collect(),
            examples: values(draft.examples),
            target: draft.target.map(|target| self.target(target, id, registries)),
        }
    }

    fn pattern(&mut self, draft: PatternDraft, route: RouteId) {
        let length = i32::try_from(draft.source.value.chars().count()).unwrap_or(i32::MAX);
        let default = Points::hundredths(length.min(100)).min(PATTERN_WEIGHT_MAX);
        let weight = draft.weight.unwrap_or(default);
        self.matcher(&draft.source, Extent::Shortest)
            .map(|matcher| self.add_pattern(route, draft.source.value, Role::Evidence(weight), matcher));
    }

    fn matcher(&mut self, source: &Placed<String>, extent: Extent) -> Option<Matcher> {
        let compiled = Matcher::new(&source.value, extent);
        let refuse = |error: String| {
            self.report(Code::BadPattern, source.place, format!("bad pattern: {error}")).is_some()
        };
        compiled.map_err(refuse).ok()
    }

    fn add_pattern(&mut self, route: RouteId, source: String, role: Role, matcher: Matcher) -> usize {
        let index = self.patterns.len();
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        matcher.literals.iter().for_each(|literal| self.term_as_is(literal, Use::Wakes(number)));
        self.patterns.push(Pattern { route, source, role, matcher });
        index
    }

    /// A pattern's text is looked for as the pattern writes it: it is folded text already.
    fn term_as_is(&mut self, text: &str, used: Use) {
        self.terms.entry(text.to_owned()).or_default().push(used);
    }

    fn target(&mut self, draft: TargetDraft, route: RouteId, registries: &[Registry]) -> TargetRule {
        let find =
            draft.find.into_iter().filter_map(|finder| self.finder(finder, route, registries)).collect();
        let looks_like = draft.looks_like.and_then(|source| {
            let compiled = regex::Regex::new(&source.value).map_err(|_| super::pattern::parse(&source.value));
            match compiled {
                Ok(regex) => Some(regex),
                Err(parsed) => {
                    let error = parsed.err().unwrap_or_else(|| "it is too large".to_owned());
                    self.report(Code::BadPattern, source.place, format!("bad pattern: {error}"));
                    None
                }
            }
        });
        TargetRule { find, weight: draft.weight.unwrap_or(TARGET_WEIGHT_DEFAULT), looks_like }
    }

    fn finder(&mut self, draft: FinderDraft, route: RouteId, registries: &[Registry]) -> Option<Finder> {
        match draft {
            FinderDraft::Registry(name) => {
                let found = registries.iter().position(|registry| registry.name == name.value);
                if found.is_none() {
                    self.dangling_registry(&name, registries);
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
                    self.term(&word.value, Use::TargetWord(index));
                    self.target_words.push(TargetWord { word: word.value, target });
                }
                Some(Finder::Words(start..self.target_words.len()))
            }
        }
    }

    fn dangling_registry(&mut self, name: &Placed<String>, registries: &[Registry]) {
        let hint = match nearest(&name.value, registries.iter().map(|registry| registry.name.as_str())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "define it under `registries`".to_owned(),
        };
        let message = format!("there is no registry `{}`", name.value);
        if let Some(problem) = self.report(Code::DanglingReference, name.place, message) {
            problem.hint = Some(hint);
        }
    }
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
