//! What does an adjusted threshold look like in a terminal?

use std::fmt::Write as _;

use waypost::core::measure::Points;
use waypost::core::threshold::{Adjusted, Level, Noticed, Selection};

use super::Paint;
use super::paint::tame;

/// The threshold in a few lines: what it is, why, who takes the task, and what was noticed.
pub fn adjusted(
    adjusted: &Adjusted,
    taken: Option<(Selection, Option<Points>)>,
    notes: &[String],
    paint: Paint,
) -> String {
    let level = match adjusted.level {
        Level::Moderate => paint.strong(adjusted.level.name()),
        Level::Strict | Level::Lenient => paint.doubt(adjusted.level.name()),
    };
    let mut shown = format!("{} {level}\n", paint.strong(&adjusted.threshold.to_string()));
    let mut line = |label: &str, text: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(shown, "  {} {text}", paint.faint(&format!("{label:<8}")));
    };
    line("why", &tame(&adjusted.reason));
    if let Some((selection, gap)) = taken {
        let short = |gap: Points| {
            format!(", {} short of the threshold; where that is wrong, review its rules", gap.share())
        };
        let gap = gap.map(short).unwrap_or_default();
        line("takes it", &format!("{}{gap}", selection.name()));
    }
    for (signal, label) in
        adjusted.signals.iter().zip(std::iter::once("noticed").chain(std::iter::repeat("")))
    {
        line(label, &noticed(signal, paint));
    }
    for note in notes {
        line("note", &tame(note));
    }
    shown
}

/// One signal: its name, what it would do, and why.
fn noticed(signal: &Noticed, paint: Paint) -> String {
    let to = signal.value.map(|value| format!(" to {value}")).unwrap_or_default();
    let recommends = format!("({}: {}{to})", signal.source.name(), signal.recommends.name());
    format!("{} {} {}", paint.accent(&tame(&signal.name)), paint.faint(&recommends), tame(&signal.reason))
}
