//! What does one glance need? The answer in a few lines.

use std::fmt::Write as _;

use waypost::core::preflight::ModeUsed;
use waypost::{Answer, Outcome};

use super::Paint;
use super::page::{Headline, parts, question, target, texts_at};
use super::paint::tame;

/// Whether a decision can be found again by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is kept, and its outcome can be told.
    Yes,
    /// It is not.
    No,
}

/// The answer in a few lines.
pub fn summary(answer: &Answer, kept: Kept, paint: Paint) -> String {
    let mut shown = headline(&Headline::new(answer), paint) + "\n";
    let mut line = |label: &str, text: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(shown, "  {} {text}", paint.faint(&format!("{label:<8}")));
    };
    line("why", &tame(&answer.message));
    if let Some(target) = target(answer) {
        line("target", &tame(&target));
    }
    for also in answer.routes.iter().skip(1) {
        line("also", &format!("{} {}", also.name, also.confidence));
    }
    for (label, names) in
        [("tools", texts_at(&answer.tools, "name")), ("sources", texts_at(&answer.sources, "id"))]
    {
        if !names.is_empty() {
            line(label, &tame(&names.join(", ")));
        }
    }
    if let Some(call) = answer.tools.first().and_then(|tool| tool.get("call")) {
        let of = |key: &str| {
            call.get(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        };
        line(
            "call",
            &tame(
                &[of("outcome"), of("args"), of("reason")]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join("  "),
            ),
        );
    }
    for rejected in &answer.rejected_tools {
        line("rejected", &tame(&format!("{}: {}", rejected.name, rejected.rejected)));
    }
    if answer.caution == Some(true) {
        line("caution", &tame(answer.action.as_deref().unwrap_or_default()));
    }
    if let Some(mode) = &answer.mode {
        line("mode", &tame(&in_words(mode)));
    }
    for part in parts(answer) {
        line("message", &tame(&part));
    }
    if kept == Kept::Yes {
        line("kept", &answer.id);
    }
    for note in &answer.notes {
        line("note", &tame(note));
    }
    if let Some(blocked) = &answer.blocked {
        line("way on", &tame(&blocked.way_on));
    }
    if let Some((question, options)) = question(answer) {
        line("ask", &tame(question));
        for ((name, description), number) in options.into_iter().zip(1..) {
            line("", &format!("{number}. {}: {}", paint.strong(name), tame(description)));
        }
    }
    shown
}

/// An operating mode, with the quality gates it requires.
pub(super) fn in_words(mode: &ModeUsed) -> String {
    let gates: Vec<&str> = mode.quality_gates.iter().map(|gate| gate.name.as_str()).collect();
    if gates.is_empty() {
        mode.name.clone()
    } else {
        format!("{} (quality gates: {})", mode.name, gates.join(", "))
    }
}

/// The outcome, the route and how sure it is.
pub(super) fn headline(headline: &Headline<'_>, paint: Paint) -> String {
    let outcome = headline.outcome.name();
    match &headline.route {
        Some((name, confidence, how)) => {
            let outcome = match headline.outcome {
                Outcome::Act => paint.good(outcome),
                _ => paint.doubt(outcome),
            };
            format!("{outcome} {} {confidence} {}", paint.strong(name), paint.faint(how))
        }
        None if headline.outcome == Outcome::Act => paint.good(outcome),
        None => paint.doubt(outcome),
    }
}
