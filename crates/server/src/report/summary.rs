//! What does one glance need? The answer in a few lines.

use std::fmt::Write as _;

use waypost::{Answer, Outcome};

use super::Paint;
use super::paint::tame;

/// The answer in a few lines.
pub fn summary(answer: &Answer, paint: Paint) -> String {
    let mut shown = headline(answer, paint) + "\n";
    let mut line = |label: &str, text: &str| {
        let label = paint.faint(&format!("{label:<8}"));
        // Writing to a String cannot fail.
        let _ = writeln!(shown, "  {label} {text}");
    };
    line("why", &tame(&answer.message));
    if let Some(first) = answer.routes.first() {
        first.target.iter().for_each(|target| line("target", &tame(target)));
        first
            .target_unresolved
            .iter()
            .for_each(|target| line("target", &format!("{} (unknown)", tame(target))));
    }
    for also in answer.routes.iter().skip(1) {
        line("also", &format!("{} {}", also.name, also.confidence));
    }
    if let Some(clarification) = &answer.clarification {
        line("ask", &clarification.question);
        for (option, number) in clarification.options.iter().zip(1..) {
            line("", &format!("{number}. {}: {}", paint.strong(&option.name), option.description));
        }
    }
    shown
}

/// The outcome, the route and how sure it is.
pub(super) fn headline(answer: &Answer, paint: Paint) -> String {
    match (answer.outcome, answer.routes.first()) {
        (Outcome::Act, Some(first)) => {
            let how = first.matched_by.map(|by| format!(", matched by {}", by.name())).unwrap_or_default();
            let sure = paint.faint(&format!("({}{how})", first.band));
            format!("{} {} {} {sure}", paint.good("act"), paint.strong(&first.name), first.confidence)
        }
        (Outcome::Clarify, _) => paint.doubt("clarify"),
        _ => paint.doubt("abstain"),
    }
}
