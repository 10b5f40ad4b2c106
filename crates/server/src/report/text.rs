//! The page people show each other, as text.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;
use waypost::Trace;
use waypost::core::measure::{Confidence, Points};
use waypost::core::trace::{Evidence, RouteEvidence};

use super::Paint;
use super::marks::{Mark, marks};
use super::paint::{tame, tame_char};
use super::summary::headline;

/// Columns a page uses: what fits beside another window.
const PAGE_COLUMNS: usize = 96;
/// Columns a bar of confidence uses.
const BAR_COLUMNS: i32 = 24;
/// Candidates without any confidence that are named; the rest are counted.
const SILENT_CANDIDATES_MAX: usize = 6;
/// Longest text quoted beside a reason, in characters.
const QUOTED_CHARS_MAX: usize = 48;
/// Lines of the message shown in all; a longer one shows only the lines that mattered.
const MESSAGE_LINES_MAX: usize = 24;

/// The whole page.
pub fn text(trace: &Trace, paint: Paint) -> String {
    let mut page = String::new();
    page += &message(trace, paint);
    page += &format!("\n{}\n  {}\n", headline(&trace.answer, paint), tame(&trace.answer.message));
    page += &question(trace, paint);
    page += &targets(trace);
    page += &candidates(trace, paint);
    page += &reasons(trace, paint);
    page += &bounds(trace, paint);
    page += &what_if(trace, paint);
    page
}

fn heading(words: &str, paint: Paint) -> String {
    format!("\n{}\n", paint.strong(words))
}

/// The message with the parts that mattered underlined: `^` for the route taken, `-` for others, `~` denied.
fn message(trace: &Trace, paint: Paint) -> String {
    let lines = wrap(&trace.situation.message.text, &marks(trace));
    let long = lines.len() > MESSAGE_LINES_MAX;
    let matters = |line: &Line| line.marks.iter().any(|mark| *mark != Mark::None);
    let (mut shown, mut skipped, mut kept) = (String::new(), 0, 0);
    for line in &lines {
        if long && (!matters(line) || kept >= MESSAGE_LINES_MAX) {
            skipped += 1;
            continue;
        }
        kept += 1;
        shown += &show_line(line, paint);
    }
    if skipped > 0 {
        shown += &paint.faint(&format!("  … {skipped} more lines of this message\n"));
    }
    if lines.is_empty() { paint.faint("  (an empty message)\n") } else { shown }
}

/// One line of the message as it is printed, with the mark of each column.
#[derive(Default)]
struct Line {
    text: String,
    marks: Vec<Mark>,
}

/// Breaks a message into lines that fit the page.
fn wrap(text: &str, marks: &[Mark]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut line = Line::default();
    for (c, mark) in text.chars().zip(marks) {
        if c == '\n' || line.marks.len() >= PAGE_COLUMNS - 4 {
            lines.push(std::mem::take(&mut line));
        }
        if c == '\n' || c == '\r' {
            continue;
        }
        let c = tame_char(c);
        line.text.push(c);
        line.marks.extend(std::iter::repeat_n(*mark, c.width().unwrap_or(0)));
    }
    if !line.text.is_empty() {
        lines.push(line);
    }
    lines
}

fn show_line(line: &Line, paint: Paint) -> String {
    let mark = |mark: &Mark| match mark {
        Mark::None => ' ',
        Mark::Aside => '-',
        Mark::Denied => '~',
        Mark::Counted => '^',
    };
    let under: String = line.marks.iter().map(mark).collect();
    let under = under.trim_end();
    let underline = if under.is_empty() { String::new() } else { format!("  {}\n", paint.accent(under)) };
    format!("  {}\n{underline}", line.text)
}

fn question(trace: &Trace, paint: Paint) -> String {
    let Some(clarification) = &trace.answer.clarification else { return String::new() };
    let mut shown = format!("  {}\n", clarification.question);
    for (option, number) in clarification.options.iter().zip(1..) {
        let _ = writeln!(shown, "    {number}. {}: {}", paint.strong(&option.name), option.description);
    }
    shown
}

fn targets(trace: &Trace) -> String {
    let Some(first) = trace.answer.routes.first() else { return String::new() };
    let known = first.target.iter().map(|target| format!("  target: {}\n", tame(target)));
    let unknown =
        first.target_unresolved.iter().map(|target| format!("  target: {} (unknown)\n", tame(target)));
    known.chain(unknown).collect()
}

fn candidates(trace: &Trace, paint: Paint) -> String {
    let answer = &trace.answer;
    let mut shown = heading("Candidates", paint);
    let taken =
        answer.route.as_ref().and_then(|route| answer.routes.iter().find(|ranked| ranked.name == *route));
    let width =
        answer.considered.iter().map(|c| c.name.chars().count()).chain(taken.map(|t| t.name.chars().count()));
    let width = width.max().unwrap_or_default().min(32);
    let mut line = |name: &str, confidence: Confidence, verdict: &str| {
        let bar = bar(confidence, answer.threshold.value);
        let _ = writeln!(shown, "  {name:<width$}  {} {confidence}  {verdict}", paint.accent(&bar));
    };
    if let Some(taken) = taken {
        line(&taken.name, taken.confidence, &paint.good("taken"));
    }
    let (some, none): (Vec<_>, Vec<_>) =
        answer.considered.iter().partition(|c| c.confidence > Confidence::NONE);
    let spoken_of = |name: &str| trace.evidence.iter().any(|route| route.name == name);
    let (told, silent): (Vec<_>, Vec<_>) = none.into_iter().partition(|c| spoken_of(&c.name));
    for loser in some.into_iter().chain(told).chain(silent.iter().copied().take(SILENT_CANDIDATES_MAX)) {
        line(&loser.name, loser.confidence, &tame(&loser.rejected));
    }
    let rest = silent.len().saturating_sub(SILENT_CANDIDATES_MAX);
    if rest > 0 {
        shown += &paint.faint(&format!("  and {rest} more that nothing spoke for\n"));
    }
    shown
}

/// A bar of confidence, with a line where the threshold stands.
fn bar(confidence: Confidence, threshold: Confidence) -> String {
    let middle = |column: i32| Points::from_share(f64::from(2 * column + 1) / f64::from(2 * BAR_COLUMNS));
    let line = (0..BAR_COLUMNS).find(|column| middle(*column) >= threshold.points());
    let cell = |column: i32| match column {
        column if confidence.points() >= middle(column) => '█',
        column if Some(column) == line => '┆',
        _ => '·',
    };
    (0..BAR_COLUMNS).map(cell).collect()
}

fn reasons(trace: &Trace, paint: Paint) -> String {
    let first = trace.answer.route.as_deref();
    let (taken, others): (Vec<_>, Vec<_>) =
        trace.evidence.iter().partition(|route| Some(route.name.as_str()) == first);
    let trees: String = taken.into_iter().chain(others).map(|route| tree(route, paint)).collect();
    if trees.is_empty() { String::new() } else { heading("Reasons", paint) + &trees }
}

fn tree(route: &RouteEvidence, paint: Paint) -> String {
    let root = format!("  {}  {}\n", route.confidence, paint.strong(&route.name));
    root + &branches(&route.reasons, "  ", paint)
}

fn branches(reasons: &[Evidence], indent: &str, paint: Paint) -> String {
    let last = reasons.len().saturating_sub(1);
    let branch = |(at, reason): (usize, &Evidence)| {
        let (fork, below) = if at == last { ("└─", "   ") } else { ("├─", "│  ") };
        let points =
            if reason.counts { format!("{:+}", reason.points) } else { format!("({})", reason.points) };
        let quote = reason
            .text
            .as_deref()
            .map(|text| paint.accent(&format!("  “{}”", short(text))))
            .unwrap_or_default();
        let line = format!("{indent}{} {points}  {}{quote}\n", paint.faint(fork), tame(&reason.what));
        line + &branches(&reason.parts, &format!("{indent}{}", paint.faint(below)), paint)
    };
    reasons.iter().enumerate().map(branch).collect()
}

fn short(text: &str) -> String {
    let start: String = text.chars().take(QUOTED_CHARS_MAX).map(tame_char).collect();
    if text.chars().nth(QUOTED_CHARS_MAX).is_some() { start + "…" } else { start }
}

fn bounds(trace: &Trace, paint: Paint) -> String {
    let (threshold, margin) = (&trace.answer.threshold, &trace.answer.margin);
    let mut shown = heading("Threshold and margin", paint);
    let _ = writeln!(shown, "  threshold {}: {}", threshold.value, threshold.reason);
    let _ = match (&margin.value, &margin.runner_up) {
        (Some(value), Some(runner_up)) => {
            writeln!(
                shown,
                "  margin {value:+} over {runner_up}; within {} priority settles it",
                margin.window
            )
        }
        (Some(value), None) => writeln!(shown, "  margin {value:+}: no other route has any confidence"),
        (None, _) => writeln!(shown, "  no margin, as no route was taken"),
    };
    shown
}

fn what_if(trace: &Trace, paint: Paint) -> String {
    if trace.what_if.is_empty() {
        return String::new();
    }
    let sentences: String = trace.what_if.iter().map(|sentence| format!("  {}\n", tame(sentence))).collect();
    heading("What would have changed it", paint) + &sentences
}
