//! What is allowed and yet surely not meant?

use std::collections::{HashMap, HashSet};

use regex_syntax::hir::{Hir, HirKind, Look};

use super::common_words::is_common;
use super::compile::best_by_rules;
use super::draft::{Draft, FinderDraft, Placed, RouteDraft};
use super::gates::idle;
use super::pattern::{Extent, Matcher, parse};
use super::place::{Place, Source};
use super::problem::{Code, Problem};
use super::thresholds::{BASE_DEFAULT, HIGH_DEFAULT};
use super::{Names, Scoring};
use crate::measure::Points;
use crate::message::{Folded, Reading};

/// Fewest words of a description that a route can be found by.
const DESCRIPTION_WORDS_MIN: usize = 3;

/// Looks for what is allowed and yet surely not meant.
pub fn lint(draft: &Draft, sources: &[Source]) -> Vec<Problem> {
    let mut problems = shared_examples(draft, sources);
    problems.extend(odd_thresholds(draft));
    problems.extend(idle(&draft.guidance.gates));
    for route in &draft.routes {
        problems.extend(route.patterns.iter().filter_map(|pattern| lint_pattern(&pattern.source)));
        problems.extend(target_patterns(route).filter_map(dead_pattern));
        problems.extend(unreachable(route, draft));
        problems.extend(thin(route));
        if draft.names == Names::Force {
            let names = std::iter::once(&route.name).chain(&route.aliases);
            problems.extend(names.filter_map(common_name));
        }
    }
    problems
}

/// The same example under two routes, or for and against one, teaches nothing but confusion.
fn shared_examples(draft: &Draft, sources: &[Source]) -> Vec<Problem> {
    let mut seen: HashMap<String, (&str, Place)> = HashMap::new();
    let mut problems = Vec::new();
    let ordinary: HashSet<String> =
        draft.ordinary.iter().map(|message| Reading::new(&message.value).bare()).collect();
    for route in &draft.routes {
        let not_examples = route.not_examples.iter().map(|(text, _)| text);
        let own = not_examples.clone().map(|text| Reading::new(&text.value).bare()).collect::<Vec<_>>();
        for example in &route.examples {
            let bare = Reading::new(&example.value).bare();
            let shared = |hint: String| {
                let message = format!("the example {:?} stands twice", example.value);
                Problem::new(Code::SharedExample, example.place, message).hint(hint)
            };
            // What has no word is reported as such, and not as equal to all the others.
            if bare.is_empty() {
                continue;
            }
            if ordinary.contains(&bare) {
                problems.push(shared("also among the messages that need no route".to_owned()));
            }
            if own.contains(&bare) {
                problems.push(shared("also among the not_examples of this route".to_owned()));
            }
            match seen.get(&bare) {
                Some((first, place)) => {
                    problems.push(shared(format!(
                        "also under `{first}`, {}",
                        place.seen_from(example.place, sources)
                    )));
                }
                None => drop(seen.insert(bare, (&route.name.value, example.place))),
            }
        }
    }
    problems
}

fn odd_thresholds(draft: &Draft) -> Option<Problem> {
    let high = draft.high.unwrap_or(HIGH_DEFAULT.share());
    let (base, place) = draft.base?;
    (base > high).then(|| {
        let message = format!("to act takes {base}, more than the {high} called high");
        Problem::new(Code::OddThresholds, place, message).hint("every route that acts will be called high")
    })
}

fn target_patterns(route: &RouteDraft) -> impl Iterator<Item = &Placed<String>> {
    let finders = route.target.iter().flat_map(|target| &target.find);
    finders.filter_map(|finder| match finder {
        FinderDraft::Pattern(source) => Some(source),
        FinderDraft::Registry(_) | FinderDraft::Words(_) => None,
    })
}

fn lint_pattern(source: &Placed<String>) -> Option<Problem> {
    dead_pattern(source).or_else(|| greedy_pattern(source))
}

fn dead_pattern(source: &Placed<String>) -> Option<Problem> {
    let why = dead(&parse(&source.value).ok()?)?;
    Some(Problem::new(Code::DeadPattern, source.place, "this pattern can match nothing").hint(why))
}

fn greedy_pattern(source: &Placed<String>) -> Option<Problem> {
    let matcher = Matcher::new(&source.value, Extent::Shortest).ok()?;
    // Ordinary sentences of no common subject: what matches all of them matches everything.
    let everything = ["hello there", "please book a table for 2 at 7 pm", "ok", "write a poem about the sea"];
    everything.iter().all(|text| matcher.regex.is_match(text)).then(|| {
        let message = "this pattern matches every message";
        Problem::new(Code::GreedyPattern, source.place, message).hint("ask for at least one word")
    })
}

/// Why an expression can match nothing, if so.
fn dead(hir: &Hir) -> Option<String> {
    if hir.properties().minimum_len().is_none() {
        return Some("it asks for a character that is none".to_owned());
    }
    if misplaced_anchor(hir) {
        return Some("its `^` or `$` stands where something must come before or after".to_owned());
    }
    match hir.kind() {
        HirKind::Literal(literal) => folded_away(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Capture(capture) => dead(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => dead(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().find_map(dead),
        HirKind::Alternation(ways) => {
            let whys: Option<Vec<String>> = ways.iter().map(dead).collect();
            whys.and_then(|whys| whys.into_iter().next())
        }
        _ => None,
    }
}

/// Why a text never stands in a folded message, if so. Its last word may be the beginning of a longer one, so
/// there only what is folded whatever follows counts.
fn folded_away(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let folds = |word: &str| Folded::new(word).text() != word;
    let (earlier, last) = lower.rsplit_once(' ').unwrap_or(("", &lower));
    let word_gone =
        earlier.split(' ').any(folds) || ((last.contains('\'') || last == "cannot") && folds(last));
    let sign_gone = !Folded::new(&format!("x{lower}x")).text().contains(&lower) && !lower.contains('\'');
    (word_gone || sign_gone).then(|| {
        format!("messages are matched folded: {text:?} reads {:?} there", Folded::new(&lower).text())
    })
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

/// A route that no message can reach: keywords alone never activate, and rules may stay below the threshold.
fn unreachable(route: &RouteDraft, draft: &Draft) -> Option<Problem> {
    // A description of a few words is found by what it means; whoever lists keywords expects them to be found.
    let words = route.description.as_deref().unwrap_or_default().split_whitespace().count();
    let described = words >= DESCRIPTION_WORDS_MIN && route.keywords.is_empty();
    // Factors need neither pattern nor example: an area, a complexity and a keyword go a long way.
    let by_factors = draft.scoring == Scoring::Factors;
    let otherwise = by_factors
        || draft.names == Names::Force
        || !route.commands.is_empty()
        || !route.examples.is_empty()
        || described;
    let best = best_by_rules(route, !draft.trouble.is_empty());
    let base = draft.base.map_or(BASE_DEFAULT, |(base, _)| Points::from_share(base));
    let hint = match best {
        None => "give it a pattern, an example or a command; keywords alone never activate".to_owned(),
        Some(best) if best < base => format!("its rules reach {best} at most, the threshold is {base}"),
        Some(_) => return None,
    };
    (!otherwise).then(|| {
        let message = format!("no message can reach the route `{}`", route.name.value);
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

#[cfg(test)]
mod tests {
    use crate::catalog::{Catalog, Source};

    /// The doubts about a catalog, each as its code and line.
    #[track_caller]
    fn check(yaml: &str, expected: &str) {
        let checked = Catalog::check(&[Source::new("test.yaml", yaml)], "test");
        let seen: Vec<String> =
            checked.problems.iter().map(|p| format!("{}:{}", p.code.name(), p.place.line)).collect();
        assert_eq!(seen.join(" "), expected, "{yaml}");
    }

    #[track_caller]
    fn check_pattern(pattern: &str, expected: &str) {
        check(
            &format!("routes:\n  - {{name: a, description: A, commands: [x], patterns: [\"{pattern}\"]}}"),
            expected,
        );
    }

    #[test]
    fn patterns_that_match_nothing_or_everything() {
        for dead in [
            "isn't late",
            "cannot connect",
            "(isn't|don't) late",
            "parameters.*don't",
            "a^",
            "$a",
            "two  spaces",
            "a\\\\tb",
            "isn't.*configuration",
        ] {
            check_pattern(dead, "dead_pattern:2");
        }
        for greedy in [".*", ".?", "\\\\w+"] {
            check_pattern(greedy, "greedy_pattern:2");
        }
        for fine in ["isn.t", "can", "not.*work", "canteen", "API", "(isn't|is not) late", "^a", "a$"] {
            check_pattern(fine, "");
        }
    }

    #[test]
    fn routes_that_nothing_reaches() {
        check("routes: [{name: a, description: A, keywords: [x]}]", "unreachable_route:1");
        check(
            "thresholds: {base: 0.9, high: 0.95}\nroutes:\n  - {name: a, description: A, patterns: [{match: x, weight: 0.1}]}",
            "unreachable_route:3",
        );
        check("names: force\nroutes: [{name: alpha, description: A}]", "");
        check("routes: [{name: a, description: Give customers their money back.}]", "");
        check("routes: [{name: a, description: A, examples: [x]}]", "");
    }

    #[test]
    fn examples_names_and_thresholds() {
        check("routes:\n  - {name: a, description: A, examples: [Same, same!]}", "shared_example:2");
        check("routes:\n  - {name: a, description: A, examples: [x], not_examples: [X]}", "shared_example:2");
        check("ordinary: [x]\nroutes:\n  - {name: a, description: A, examples: [X]}", "shared_example:3");
        check("names: force\nroutes:\n  - {name: help, description: H}", "common_name:3");
        check("routes:\n  - {name: a, commands: [x]}", "thin_route:2");
        check(
            "thresholds:\n  base: 0.8\nroutes: [{name: a, description: A, commands: [x]}]",
            "odd_thresholds:2",
        );
    }
}
