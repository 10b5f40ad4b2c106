//! Does the message say what a pattern looks for?

use super::{Look, MatchedBy, Signal, Signals, Worth};
use crate::catalog::{Pattern, Role};
use crate::limits::NEGATED_RETRIES_MAX;
use crate::message::{Negation, Reading, Span, word_end};

/// Notices every pattern that matches. A match inside a negation that it does not itself express is
/// denied, unless the pattern matches again further on.
pub(super) fn notice<'c>(look: &Look<'_, 'c>, signals: &mut Signals<'c>) {
    let awake = look.scan.awake.iter().filter_map(|index| look.catalog.patterns().get(*index));
    for pattern in awake {
        let Role::Evidence(weight) = pattern.role else { continue };
        let Some(found) = search(pattern, look.reading) else { continue };
        if found.denied.is_none() {
            let expressed = look.reading.negations().iter().filter(|negation| found.span.holds(negation.cue));
            signals.spent.extend(expressed.map(|negation| (pattern.route, negation.cue)));
        }
        signals.found.push(Signal {
            route: pattern.route,
            kind: MatchedBy::Pattern,
            worth: Worth::Ground(weight),
            what: &pattern.source,
            span: look.reading.original(found.span),
            beside: None,
            denied: found.denied.map(|cue| look.reading.original(cue)),
        });
    }
}

/// A match in the folded text, and the cue that denies it.
#[derive(Clone, Copy)]
struct Match {
    span: Span,
    denied: Option<Span>,
}

/// The first match that counts, or else the first there is.
fn search(pattern: &Pattern, reading: &Reading) -> Option<Match> {
    let text = reading.text();
    let mut from = reading.body_start();
    let mut first = None;
    for _ in 0..=NEGATED_RETRIES_MAX {
        let Some(found) = pattern.matcher.regex.find_at(text, from) else { break };
        let span = Span::new(found.start()..word_end(text, found.end()));
        let Some(negation) = denial(pattern, reading, span) else {
            return Some(Match { span, denied: None });
        };
        first.get_or_insert(Match { span, denied: Some(negation.cue) });
        from = negation.scope.end as usize;
    }
    first
}

/// The negation that a match lies in without expressing it.
fn denial<'r>(pattern: &Pattern, reading: &'r Reading, span: Span) -> Option<&'r Negation> {
    reading.negations().iter().find(|negation| {
        let starts_denied = negation.scope.start <= span.start && span.start < negation.scope.end;
        let ends_denied = negation.scope.start < span.end && span.end <= negation.scope.end;
        starts_denied || (ends_denied && !expresses(pattern, reading.text(), span, negation.cue))
    })
}

/// Whether a match needs the negation inside it: without the cue it would not match.
fn expresses(pattern: &Pattern, text: &str, span: Span, cue: Span) -> bool {
    let before = Span { start: span.start, end: cue.start }.of(text);
    let after = Span { start: cue.end, end: span.end }.of(text);
    let blank = "x".repeat((cue.end - cue.start) as usize);
    !pattern.matcher.regex.is_match(&format!("{before}{blank}{after}"))
}
