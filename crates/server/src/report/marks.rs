//! Which parts of the message mattered?

use waypost::core::signals::MatchedBy;
use waypost::core::trace::Evidence;
use waypost::{Outcome, Trace};

/// What a character of the message did; a later one covers an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// It was noticed, and is not what the route was taken for.
    Aside,
    /// It was denied, or denied something.
    Denied,
    /// It spoke for the route taken.
    Counted,
}

/// One mark a character of the message.
pub fn marks(trace: &Trace) -> Vec<Mark> {
    let mut marks = vec![Mark::None; trace.situation.message.text.chars().count()];
    for route in &trace.evidence {
        let taken = trace.answer.route.as_deref() == Some(&route.name);
        let spoke = if taken { Mark::Counted } else { Mark::Aside };
        for reason in &route.reasons {
            mark_reason(reason, spoke, &mut marks);
        }
    }
    let heard =
        trace.answer.routes.first().and_then(|route| route.matched_by).is_some_and(MatchedBy::is_learned);
    let taken =
        trace.learned.iter().filter(|from| heard && trace.answer.route.as_deref() == Some(&from.route));
    for spoke in taken.flat_map(|from| &from.spoke_for) {
        mark_span(spoke.span, Mark::Counted, &mut marks);
    }
    for trouble in &trace.trouble {
        let mark = match trouble.denied_by {
            Some(_) => Mark::Denied,
            None if trace.answer.outcome == Outcome::Clarify => Mark::Aside,
            None => Mark::None,
        };
        for span in [Some(trouble.span), trouble.denied_by].into_iter().flatten() {
            mark_span(span, mark, &mut marks);
        }
    }
    marks
}

fn mark_span([start, end]: [usize; 2], mark: Mark, marks: &mut [Mark]) {
    for cell in marks.iter_mut().take(end).skip(start) {
        *cell = (*cell).max(mark);
    }
}

fn mark_reason(reason: &Evidence, spoke: Mark, marks: &mut [Mark]) {
    let mark = match reason.denied_by {
        Some(_) => Mark::Denied,
        None if reason.counts => spoke,
        None => Mark::Aside,
    };
    // A head goes by the whole message; the words that spoke to it are marked instead.
    let span = reason.span.filter(|_| !reason.matched_by.is_some_and(MatchedBy::is_learned));
    for span in [span, reason.beside, reason.denied_by].into_iter().flatten() {
        mark_span(span, mark, marks);
    }
}
