//! What is the route to work on?

use super::scan::{Scan, scan};
use super::{Look, MatchedBy, Signal, Signals, Worth, keywords};
use crate::catalog::{Catalog, Finder, RouteId, TargetRule, Use};
use crate::limits::TURNS_SEARCHED_MAX;
use crate::message::{Reading, Situation, Span, Turn};

/// What a route is to work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The route that would work on it.
    pub route: RouteId,
    /// What it is.
    pub named: Named,
    /// Where the message says it; nowhere if it comes from the session.
    pub span: Option<Span>,
}

/// Whether what was named is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// Known, in the registry's spelling.
    Resolved(String),
    /// Named in the message, and unknown.
    Unresolved(String),
}

/// Notices targets, and takes a target beside a keyword of the route or a word of trouble for a pattern.
pub(super) fn notice<'c>(look: &Look<'_, 'c>, signals: &mut Signals<'c>) {
    for (route, rule) in look.catalog.target_rules() {
        let Some((value, span)) = resolve(look.catalog, rule, look.reading, look.scan) else { continue };
        let trouble = signals.trouble.iter().copied().find(|trouble| !trouble.overlaps(span));
        let beside = keywords::beside(look, route, span).or(trouble);
        let origin = look.reading.original(span);
        signals.targets.push(Target { route, named: Named::Resolved(value), span: Some(origin) });
        if let Some(beside) = beside {
            signals.found.push(Signal {
                route,
                kind: MatchedBy::Pattern,
                worth: Worth::Ground(rule.weight),
                what: "a target, beside a keyword or a word of trouble",
                span: origin,
                beside: Some(look.reading.original(beside)),
                denied: None,
            });
        }
    }
}

/// Where a target is still missing: what looks like one, what a command names, what the session holds.
pub(super) fn complete(look: &Look<'_, '_>, signals: &mut Signals<'_>) {
    for (route, rule) in look.catalog.target_rules() {
        let known = signals.targets.iter().any(|target| target.route == route);
        let ordered = signals.found.iter().any(|s| s.route == route && s.kind == MatchedBy::Command);
        let mentioned = signals.found.iter().any(|signal| signal.route == route);
        if known || !mentioned {
            continue;
        }
        let spelt_like =
            || spelt_like_one(rule, look).map(|(name, span)| (Named::Unresolved(name), Some(span)));
        let argument =
            || first_word(look).filter(|_| ordered).map(|(name, span)| (Named::Unresolved(name), Some(span)));
        let session = || {
            let open = ordered && first_word(look).is_none();
            let held = open.then(|| in_session(look.catalog, rule, look.situation)).flatten();
            held.map(|value| (Named::Resolved(value), None))
        };
        if let Some((named, span)) = spelt_like().or_else(argument).or_else(session) {
            signals.targets.push(Target { route, named, span });
        }
    }
}

/// The target a text names, by the first way that finds one; the span is of the folded text.
fn resolve(catalog: &Catalog, rule: &TargetRule, reading: &Reading, scan: &Scan) -> Option<(String, Span)> {
    rule.find.iter().find_map(|finder| match finder {
        Finder::Registry(registry) => in_registry(catalog, *registry, reading, scan),
        Finder::Pattern(pattern) => by_pattern(catalog, *pattern, reading, scan),
        Finder::Words(words) => scan.hits.iter().find_map(|hit| {
            let Use::TargetWord(index) = hit.used else { return None };
            let named = words.contains(&(index as usize)) && reading.denied(hit.span).is_none();
            let word = catalog.target_words().get(index as usize).filter(|_| named)?;
            Some((word.target.clone(), hit.span))
        }),
    })
}

/// The longest entry named; the first of equals.
fn in_registry(catalog: &Catalog, registry: usize, reading: &Reading, scan: &Scan) -> Option<(String, Span)> {
    let entries = &catalog.registries().get(registry)?.entries;
    let named = scan.hits.iter().filter_map(|hit| match hit.used {
        Use::Entry(of, entry) if of as usize == registry && reading.denied(hit.span).is_none() => {
            Some((entries.get(entry as usize)?, hit.span))
        }
        _ => None,
    });
    let longest = named.min_by_key(|(entry, span)| (std::cmp::Reverse(entry.len()), span.start))?;
    Some((longest.0.clone(), longest.1))
}

fn by_pattern(catalog: &Catalog, pattern: usize, reading: &Reading, scan: &Scan) -> Option<(String, Span)> {
    scan.awake.binary_search(&pattern).ok()?;
    let regex = &catalog.patterns().get(pattern)?.matcher.regex;
    let body = regex.find_iter(reading.text()).filter(|found| found.start() >= reading.body_start());
    let span = body.map(|found| Span::new(found.range())).find(|span| reading.denied(*span).is_none())?;
    Some((span.of(reading.text()).to_owned(), span))
}

/// Something spelt like a target, in the case it was written in.
fn spelt_like_one(rule: &TargetRule, look: &Look<'_, '_>) -> Option<(String, Span)> {
    let text = &look.situation.message.text;
    let body_start =
        look.reading.original(Span::new(look.reading.body_start()..look.reading.body_start())).start;
    let mut like =
        rule.looks_like.as_ref()?.find_iter(text).filter(|found| found.start() >= body_start as usize);
    like.next().map(|found| (found.as_str().to_owned(), Span::new(found.range())))
}

/// The first word behind a command, as written: its argument.
fn first_word(look: &Look<'_, '_>) -> Option<(String, Span)> {
    let body = look.reading.text().get(look.reading.body_start()..)?.trim_start();
    let word = body.split(' ').next().filter(|word| !word.is_empty())?;
    let start = look.reading.text().len() - body.len();
    let span = look.reading.original(Span::new(start..start + word.len()));
    Some((span.of(&look.situation.message.text).to_owned(), span))
}

/// A target among the session's facts, the fact `target` first, or else in the newest turn that names one.
fn in_session(catalog: &Catalog, rule: &TargetRule, situation: &Situation) -> Option<String> {
    let message = &situation.message;
    let named_so = message.session.get("target").into_iter();
    let facts = named_so.chain(message.session.values()).filter_map(|fact| fact.text());
    let turns = message.history.iter().rev().take(TURNS_SEARCHED_MAX).map(Turn::text);
    facts.chain(turns).find_map(|text| {
        let reading = Reading::new(text);
        let found = resolve(catalog, rule, &reading, &scan(catalog, &reading))?;
        Some(found.0)
    })
}
