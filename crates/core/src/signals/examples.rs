//! Is the message one the catalog lists word for word?

use super::{Look, MatchedBy, Signal, Signals, Worth};
use crate::catalog::Example;
use crate::measure::{Confidence, Points};
use crate::message::Span;

/// How sure a listed example is: short of a name or a command, and of rules that agree with each other.
const EXAMPLE_CONFIDENCE: Points = Points::hundredths(95);

/// Notices examples and counter-examples; punctuation and case aside, every word must be the same.
pub(super) fn notice<'c>(look: &Look<'_, 'c>, signals: &mut Signals<'c>) {
    let words = look.reading.words().len();
    if words == 0 || words > look.catalog.example_words_max() {
        return;
    }
    let whole = look.reading.original(Span::new(look.reading.body_start()..look.reading.text().len()));
    for example in look.catalog.listed(&look.reading.bare()) {
        let (route, worth, what) = match example {
            Example::Of(route) => (
                *route,
                Worth::Own { confidence: Confidence::new(EXAMPLE_CONFIDENCE), needed: None },
                "an example of the route, word for word",
            ),
            Example::NotOf(route, reason) => (*route, Worth::Exclude, reason.as_str()),
        };
        let kind = MatchedBy::Exact;
        signals.found.push(Signal { route, kind, worth, what, span: whole, beside: None, denied: None });
    }
}
