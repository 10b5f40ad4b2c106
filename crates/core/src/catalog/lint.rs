//! What is allowed and yet surely not meant?

use std::collections::HashMap;

use regex_syntax::hir::{Hir, HirKind, Look};

use super::common_words::is_common;
use super::draft::{Draft, Placed, RouteDraft};
use super::pattern::{Extent, Matcher, parse, required};
use super::place::Place;
use super::problem::{Code, Problem};
use crate::message::{Folded, Reading};

/// Looks for what is allowed and yet surely not meant.
pub fn lint(draft: &Draft) -> Vec<Problem> {
    let forced = draft.names.as_deref() == Some("force");
    let mut problems = shared_examples(&draft.routes);
    for route in &draft.routes {
        problems.extend(route.patterns.iter().filter_map(|pattern| lint_pattern(&pattern.source)));
        problems.extend(unreachable(route, draft, forced));
        problems.extend(thin(route));
        if forced {
            let names = std::iter::once(&route.name).chain(&route.aliases);
            problems.extend(names.filter_map(common_name));
        }
    }
    problems
}

/// The same example under two routes teaches nothing but confusion.
fn shared_examples(routes: &[RouteDraft]) -> Vec<Problem> {
    let mut seen: HashMap<String, (&str, Place)> = HashMap::new();
    let mut problems = Vec::new();
    for route in routes {
        for example in &route.examples {
            let bare = Reading::new(&example.value).bare();
            match seen.get(&bare) {
                Some((first, place)) => {
                    let twice = if *first == route.name.value { "twice here" } else { "another route's too" };
                    let message = format!("the example {:?} is {twice}", example.value);
                    let hint = format!("also under `{first}`, line {}", place.line);
                    problems.push(Problem::new(Code::SharedExample, example.place, message).hint(hint));
                }
                None => drop(seen.insert(bare, (&route.name.value, example.place))),
            }
        }
    }
    problems
}

fn lint_pattern(source: &Placed<String>) -> Option<Problem> {
    let hir = parse(&source.value).ok()?;
    if let Some(why) = dead(&hir) {
        let message = "this pattern can match nothing".to_owned();
        return Some(Problem::new(Code::DeadPattern, source.place, message).hint(why));
    }
    let matcher = Matcher::new(&source.value, Extent::Shortest).ok()?;
    // Ordinary sentences of no common subject: what matches all of them matches everything.
    let everything = ["hello there", "please book a table for 2 at 7 pm", "ok", "write a poem about the sea"];
    everything.iter().all(|text| matcher.regex.is_match(text)).then(|| {
        let message = "this pattern matches every message".to_owned();
        Problem::new(Code::GreedyPattern, source.place, message).hint("ask for at least one word")
    })
}

/// Why an expression can match nothing, if so.
fn dead(hir: &Hir) -> Option<String> {
    if hir.properties().minimum_len().is_none() {
        return Some("it asks for a character that is none".to_owned());
    }
    let texts = required(hir).unwrap_or_default();
    let folded_away = |text: &String| {
        let lower = text.to_lowercase();
        let folded = Folded::new(&format!("x{lower}x"));
        folded.text() != format!("x{lower}x")
    };
    if !texts.is_empty() && texts.iter().all(folded_away) {
        let text = texts.first().cloned().unwrap_or_default();
        return Some(format!("messages are matched folded, and {text:?} never stands in folded text"));
    }
    misplaced_anchor(hir)
        .then(|| "its `^` or `$` stands where something must come before or after".to_owned())
}

/// `a^` and `$a`: an edge of the text in its middle.
fn misplaced_anchor(hir: &Hir) -> bool {
    let HirKind::Concat(parts) = hir.kind() else { return false };
    let is = |part: &Hir, look: Look| matches!(part.kind(), HirKind::Look(l) if *l == look);
    let solid = |part: &Hir| part.properties().minimum_len().is_some_and(|length| length > 0);
    let begins_late = parts.iter().skip_while(|part| !solid(part)).any(|part| is(part, Look::Start));
    let ends_early = parts.iter().rev().skip_while(|part| !solid(part)).any(|part| is(part, Look::End));
    begins_late || ends_early
}

/// A route that no message can reach: keywords alone never activate.
fn unreachable(route: &RouteDraft, draft: &Draft, forced: bool) -> Option<Problem> {
    let reachable = forced
        || !route.commands.is_empty()
        || !route.patterns.is_empty()
        || !route.examples.is_empty()
        || route.target.as_ref().is_some_and(|_| !draft.trouble.is_empty() || !route.keywords.is_empty());
    (!reachable).then(|| {
        let message = format!("no message can reach the route `{}`", route.name.value);
        let hint = "give it a pattern, an example or a command; keywords alone never activate";
        Problem::new(Code::UnreachableRoute, route.name.place, message).hint(hint)
    })
}

/// A route without a description cannot be offered to a person.
fn thin(route: &RouteDraft) -> Option<Problem> {
    route.description.is_none().then(|| {
        let message = format!("the route `{}` has no description", route.name.value);
        Problem::new(Code::ThinRoute, route.name.place, message)
            .hint("one sentence, shown when a person has to choose")
    })
}

fn common_name(name: &Placed<String>) -> Option<Problem> {
    is_common(Folded::new(&name.value).text()).then(|| {
        let message = format!("`{}` is a common word, and names are forced in this catalog", name.value);
        Problem::new(Code::CommonName, name.place, message)
            .hint("every message with this word will be routed here")
    })
}
