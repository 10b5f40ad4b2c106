//! What is the route to work on?

use super::scan::{Scan, scan};
use super::{Look, MatchedBy, Signal, Signals, Worth, keywords};
use crate::catalog::{Catalog, Finder, RouteId, TargetRule, Use};
use crate::limits::{TARGETS_TRIED_MAX, TURN_BYTES_MAX, TURNS_SEARCHED_MAX};
use crate::message::{Fact, Reading, Span, Turn};

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

/// A text and what was made of it: the message, a command's argument, a fact or an earlier turn.
struct Text<'t> {
    written: &'t str,
    reading: &'t Reading,
    scan: &'t Scan,
}

/// A target found in a text: its name, its span in the folded text, and whether a plain word stood for it.
struct Resolved {
    name: String,
    span: Span,
    by_word: bool,
}

/// Notices targets, and takes a target beside a keyword of the route or a word of trouble for a pattern. A
/// plain word that stands for a target ("load") needs the word of trouble: beside a mere keyword it is the
/// ordinary request it looks like.
pub(super) fn notice<'c>(look: &Look<'_, 'c>, signals: &mut Signals<'c>) {
    let text = Text { written: &look.situation.message.text, reading: look.reading, scan: look.scan };
    for (route, rule) in look.catalog.target_rules() {
        let Some(found) = resolve(look.catalog, rule, &text) else { continue };
        let origin = look.reading.original(found.span);
        let trouble = signals.trouble.iter().filter(|trouble| trouble.denied.is_none());
        let trouble = trouble.map(|trouble| trouble.span).find(|trouble| !trouble.overlaps(found.span));
        let keyword = if found.by_word { None } else { keywords::beside(look, route, found.span) };
        signals.targets.push(Target { route, named: Named::Resolved(found.name), span: Some(origin) });
        if let Some(beside) = keyword.or(trouble) {
            signals.found.push(Signal {
                route,
                kind: MatchedBy::Pattern,
                worth: Worth::Ground(rule.weight),
                what: "target",
                span: origin,
                beside: Some(look.reading.original(beside)),
                denied: None,
            });
        }
    }
}

/// What else is known of targets, for routes that something speaks for: a command's argument comes before
/// anything found in the message; where nothing was found, what looks like a target, or what the session holds.
pub(super) fn complete(look: &Look<'_, '_>, signals: &mut Signals<'_>) {
    for (route, rule) in look.catalog.target_rules() {
        let ordered = signals.found.iter().any(|s| s.route == route && s.kind == MatchedBy::Command);
        let spoken_for = signals.found.iter().any(|s| s.route == route) || !signals.trouble.is_empty();
        let known = signals.targets.iter().any(|target| target.route == route);
        let target = match argument(look).filter(|_| ordered) {
            Some(argument) => {
                argument.resolve(look, rule).or_else(|| argument.unresolved().filter(|_| !known))
            }
            None if known || !spoken_for => None,
            None => spelt_like_one(rule, look).or_else(|| in_session(look, rule).filter(|_| ordered)),
        };
        if let Some((named, span)) = target {
            signals.targets.retain(|target| target.route != route);
            signals.targets.push(Target { route, named, span });
        }
    }
}

/// The target a text names, by the first way that finds one.
fn resolve(catalog: &Catalog, rule: &TargetRule, text: &Text<'_>) -> Option<Resolved> {
    rule.find.iter().find_map(|finder| match finder {
        Finder::Registry(registry) => in_registry(catalog, *registry, text),
        Finder::Pattern(pattern) => by_pattern(catalog, *pattern, text),
        Finder::Words(words) => by_word(catalog, words, text),
    })
}

/// The longest entry named; the first of equals.
fn in_registry(catalog: &Catalog, registry: usize, text: &Text<'_>) -> Option<Resolved> {
    let entries = &catalog.registries().get(registry)?.entries;
    let named = text.scan.hits.iter().filter_map(|hit| match hit.used {
        Use::Entry(of, entry) if of as usize == registry && hit.denied.is_none() => {
            Some((entries.get(entry as usize)?, hit.span))
        }
        _ => None,
    });
    let (name, span) = named.min_by_key(|(entry, span)| (std::cmp::Reverse(entry.len()), span.start))?;
    Some(Resolved { name: name.clone(), span, by_word: false })
}

/// The first match of a pattern, as it was written.
fn by_pattern(catalog: &Catalog, pattern: usize, text: &Text<'_>) -> Option<Resolved> {
    text.scan.awake.binary_search(&pattern).ok()?;
    let regex = &catalog.patterns().get(pattern)?.matcher.regex;
    let body =
        regex.find_iter(text.reading.text()).filter(|found| found.start() >= text.reading.body_start());
    let mut spans = body.take(TARGETS_TRIED_MAX).map(|found| Span::new(found.range()));
    let span = spans.find(|span| text.reading.denied(*span).is_none())?;
    let name = text.reading.original(span).of(text.written).to_owned();
    Some(Resolved { name, span, by_word: false })
}

fn by_word(catalog: &Catalog, words: &std::ops::Range<usize>, text: &Text<'_>) -> Option<Resolved> {
    text.scan.hits.iter().find_map(|hit| {
        let Use::TargetWord(index) = hit.used else { return None };
        let stands = words.contains(&(index as usize)) && hit.denied.is_none();
        let word = catalog.target_words().get(index as usize).filter(|_| stands)?;
        Some(Resolved { name: word.target.clone(), span: hit.span, by_word: true })
    })
}

/// What a target turned out to be, and where it stands in the message.
type Found = (Named, Option<Span>);

/// What stands behind a command: its option, or the first word of the message.
struct Argument<'t> {
    word: &'t str,
    span: Span,
    alone: bool,
}

fn argument<'l>(look: &Look<'l, '_>) -> Option<Argument<'l>> {
    let written = look.situation.message.text.as_str();
    let option = look.reading.command().and_then(|command| command.option.as_deref());
    let (start, length, alone) = match option {
        Some(option) => (look.reading.body_start() - option.len(), option.len(), true),
        None => {
            let body = look.reading.text().get(look.reading.body_start()..)?.trim_start();
            let length = body.split(' ').next().map(str::len).filter(|length| *length > 0)?;
            (look.reading.text().len() - body.len(), length, length == body.len())
        }
    };
    let span = look.reading.original(Span::new(start..start + length));
    Some(Argument { word: span.of(written), span, alone })
}

impl Argument<'_> {
    fn resolve(&self, look: &Look<'_, '_>, rule: &TargetRule) -> Option<Found> {
        let reading = Reading::new(self.word);
        let text = Text { written: self.word, reading: &reading, scan: &scan(look.catalog, &reading) };
        resolve(look.catalog, rule, &text).map(|found| (Named::Resolved(found.name), Some(self.span)))
    }

    /// A lone word is meant as the target, and so is one spelt as names are; "fix it" is a message.
    fn unresolved(&self) -> Option<Found> {
        let name_like = |c: char| matches!(c, '_' | '.' | '/') || c.is_ascii_digit() || c.is_uppercase();
        let meant = self.alone || self.word.chars().skip(1).any(name_like);
        meant.then(|| (Named::Unresolved(self.word.to_owned()), Some(self.span)))
    }
}

/// Something spelt like a target, in the case it was written in, that no registry knows.
fn spelt_like_one(rule: &TargetRule, look: &Look<'_, '_>) -> Option<Found> {
    let body_start =
        look.reading.original(Span::new(look.reading.body_start()..look.reading.body_start())).start;
    let like = rule.looks_like.as_ref()?.find_iter(&look.situation.message.text).take(TARGETS_TRIED_MAX);
    let entries = || look.catalog.registries().iter().flat_map(|registry| &registry.entries);
    let unknown = |name: &str| !entries().any(|entry| entry.eq_ignore_ascii_case(name));
    let mut unknown = like.filter(|found| found.start() >= body_start as usize && unknown(found.as_str()));
    unknown.next().map(|found| (Named::Unresolved(found.as_str().to_owned()), Some(Span::new(found.range()))))
}

/// A target among the session's facts, the fact `target` first, or else in the newest turn that names one.
fn in_session(look: &Look<'_, '_>, rule: &TargetRule) -> Option<Found> {
    let message = &look.situation.message;
    let facts = message.session.get("target").into_iter().chain(message.session.values());
    let turns = message.history.iter().rev().take(TURNS_SEARCHED_MAX).map(Turn::text);
    facts.filter_map(Fact::text).chain(turns).find_map(|written| {
        let written = beginning(written);
        let reading = Reading::new(written);
        let text = Text { written, reading: &reading, scan: &scan(look.catalog, &reading) };
        resolve(look.catalog, rule, &text).map(|found| (Named::Resolved(found.name), None))
    })
}

/// As much of a text as is searched.
fn beginning(text: &str) -> &str {
    let end = (0..=TURN_BYTES_MAX.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}
