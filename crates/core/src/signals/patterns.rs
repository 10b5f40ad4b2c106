//! Does the message say what a pattern looks for?

use std::borrow::Cow;

use super::{Look, MatchedBy, Signal, Signals, Worth};
use crate::catalog::{Matcher, Pattern, Role};
use crate::limits::{BORDER_RETRIES_MAX, NEGATED_RETRIES_MAX};
use crate::message::{Negation, Reading, Span, is_border, word_end};

/// Notices every pattern that matches, of those that are looked for in such a session. A match inside a negation that it does not itself express is
/// denied, unless the pattern matches again further on.
pub(super) fn notice<'c>(look: &Look<'_, 'c>, signals: &mut Signals<'c>) {
    let awake = look.scan.awake.iter().filter_map(|index| look.catalog.patterns().get(*index));
    for pattern in awake {
        let Role::Evidence(weight) = pattern.role else { continue };
        let session = &look.situation.message.session;
        if pattern.only_if.as_ref().is_some_and(|condition| !condition.holds_in(session)) {
            continue;
        }
        let Some(found) = search(pattern, look.reading) else { continue };
        if found.denied.is_none() {
            let expressed =
                look.reading.negations_near(found.span).filter(|negation| found.span.holds(negation.cue));
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

/// The first match that counts, or else the first there is. What a negation has denied is blanked out, and
/// the rest searched again.
fn search(pattern: &Pattern, reading: &Reading) -> Option<Match> {
    let mut text = Cow::Borrowed(reading.text());
    let mut first = None;
    for _ in 0..=NEGATED_RETRIES_MAX {
        let Some(span) = find(&pattern.matcher, &text, reading.body_start()) else { break };
        let Some(negation) = denial(pattern, reading, span) else {
            return Some(Match { span, denied: None });
        };
        first.get_or_insert(Match { span, denied: Some(negation.cue) });
        text = Cow::Owned(blank(&text, negation.scope));
    }
    first
}

/// The first match that does not begin inside a word, to the end of its last word.
fn find(matcher: &Matcher, text: &str, from: usize) -> Option<Span> {
    let mut from = from;
    for _ in 0..=BORDER_RETRIES_MAX {
        let found = matcher.regex.find_at(text, from)?;
        let begins_with_letter = found.as_str().starts_with(char::is_alphabetic);
        if !begins_with_letter || is_border(text, found.start()) {
            return Some(Span::new(found.start()..word_end(text, found.end())));
        }
        from = word_end(text, found.start()).max(from);
    }
    None
}

/// The text with a span of it made unreadable, every position kept.
fn blank(text: &str, span: Span) -> String {
    let (before, after) = (text.get(..span.start as usize), text.get(span.end as usize..));
    let blank = "\0".repeat((span.end - span.start) as usize);
    format!("{}{blank}{}", before.unwrap_or_default(), after.unwrap_or_default())
}

/// The negation that a match lies in without expressing it.
fn denial<'r>(pattern: &Pattern, reading: &'r Reading, span: Span) -> Option<&'r Negation> {
    reading.negations_near(span).find(|negation| {
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
