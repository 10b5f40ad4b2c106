//! The page people show each other, as text.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;
use waypost::Trace;
use waypost::core::measure::{Confidence, Points};
use waypost::core::trace::{Evidence, RouteEvidence};

use super::Paint;
use super::marks::Mark;
use super::page::{Page, points, quote};
use super::paint::{tame, tame_char};
use super::summary::headline;

/// Columns a line of the message uses: what fits beside another window.
const MESSAGE_COLUMNS: usize = 92;
/// Columns a bar of confidence uses.
const BAR_COLUMNS: i32 = 24;
/// Columns of the names of candidates, at most.
pub(super) const NAME_COLUMNS_MAX: usize = 32;
/// Lines of the message shown in all; of a longer one only those that mattered are.
const MESSAGE_LINES_MAX: usize = 24;

/// The whole page.
pub fn text(trace: &Trace, paint: Paint) -> String {
    let page = Page::new(trace);
    let mut shown = message(&page.message, paint);
    let _ = writeln!(shown, "\n{}\n  {}", headline(&page.headline, paint), tame(page.why));
    shown += &question(&page, paint);
    shown += &page.target.as_ref().map(|target| format!("  target: {}\n", tame(target))).unwrap_or_default();
    shown += &section("Gates", &lines(&page.gates), paint);
    shown += &section("Forbidden", &lines(&page.blocked), paint);
    shown += &section("Tools", &lines(&page.tools), paint);
    shown += &section("Passages", &lines(&page.sources), paint);
    shown += &section("Also in the message", &lines(&page.parts), paint);
    shown += &section("Kind of request", &lines(&page.context), paint);
    shown += &section("Candidates", &candidates(&page, paint), paint);
    shown +=
        &section("Reasons", &page.trees.iter().map(|route| tree(route, paint)).collect::<String>(), paint);
    shown += &section("Learned from examples", &lines(&page.learned), paint);
    shown += &section("Threshold and margin", &lines(&page.bounds), paint);
    shown += &section("What would have changed it", &lines(page.what_if), paint);
    shown += &section("Notes", &lines(page.notes), paint);
    shown
}

fn section(heading: &str, body: &str, paint: Paint) -> String {
    if body.is_empty() { String::new() } else { format!("\n{}\n{body}", paint.strong(heading)) }
}

fn lines(sentences: &[String]) -> String {
    sentences.iter().map(|sentence| format!("  {}\n", tame(sentence))).collect()
}

/// The message with the parts that mattered underlined: `^` for the route taken, `-` for others, `~` denied.
fn message(message: &[(char, Mark)], paint: Paint) -> String {
    let lines = wrap(message);
    let long = lines.len() > MESSAGE_LINES_MAX;
    let matters = |line: &&Line| !long || line.marks.iter().any(|mark| *mark != Mark::None);
    let kept: Vec<&Line> = lines.iter().filter(matters).take(MESSAGE_LINES_MAX).collect();
    let mut shown: String = kept.iter().map(|line| show_line(line, paint)).collect();
    if kept.len() < lines.len() {
        let more = format!("  … and {} more lines of this width\n", lines.len() - kept.len());
        shown += &paint.faint(&more);
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
fn wrap(message: &[(char, Mark)]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut line = Line::default();
    for (c, mark) in message {
        if *c == '\n' || line.marks.len() >= MESSAGE_COLUMNS {
            lines.push(std::mem::take(&mut line));
        }
        if matches!(c, '\n' | '\r') {
            continue;
        }
        let c = tame_char(*c);
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

fn question(page: &Page<'_>, paint: Paint) -> String {
    let Some((question, options)) = &page.question else { return String::new() };
    let mut shown = format!("  {}\n", tame(question));
    for ((name, description), number) in options.iter().zip(1..) {
        let _ = writeln!(shown, "    {number}. {}: {}", paint.strong(name), tame(description));
    }
    shown
}

fn candidates(page: &Page<'_>, paint: Paint) -> String {
    let width =
        page.candidates.iter().map(|candidate| candidate.name.chars().count()).max().unwrap_or_default();
    let width = width.min(NAME_COLUMNS_MAX);
    let mut shown = String::new();
    for candidate in &page.candidates {
        let bar = paint.accent(&bar(candidate.confidence, page.threshold));
        let verdict = if candidate.taken { paint.good(candidate.verdict) } else { tame(candidate.verdict) };
        let _ = writeln!(shown, "  {:<width$}  {bar} {}  {verdict}", candidate.name, candidate.confidence);
    }
    if page.more_candidates > 0 {
        shown += &paint.faint(&format!("  and {} more that nothing spoke for\n", page.more_candidates));
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

fn tree(route: &RouteEvidence, paint: Paint) -> String {
    let root = format!("  {}  {}\n", route.confidence, paint.strong(&route.name));
    root + &branches(&route.reasons, "  ", paint)
}

fn branches(reasons: &[Evidence], indent: &str, paint: Paint) -> String {
    let last = reasons.len().saturating_sub(1);
    let branch = |(at, reason): (usize, &Evidence)| {
        let (fork, below) = if at == last { ("└─", "   ") } else { ("├─", "│  ") };
        let quote =
            quote(reason).map(|quote| paint.accent(&format!("  {}", tame(&quote)))).unwrap_or_default();
        let line =
            format!("{indent}{} {}  {}{quote}\n", paint.faint(fork), points(reason), tame(&reason.what));
        line + &branches(&reason.parts, &format!("{indent}{}", paint.faint(below)), paint)
    };
    reasons.iter().enumerate().map(branch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_the_confidence_and_shows_the_threshold() {
        let confidence = |hundredths: i32| Confidence::new(Points::hundredths(hundredths));
        assert_eq!(bar(confidence(0), confidence(50)), "············┆···········");
        assert_eq!(bar(confidence(100), confidence(50)), "█".repeat(24));
        assert_eq!(bar(confidence(25), confidence(50)), "██████······┆···········");
    }

    #[test]
    fn lines_break_at_the_width_and_at_line_ends() {
        let message: Vec<(char, Mark)> =
            format!("{}\nx", "y".repeat(100)).chars().map(|c| (c, Mark::None)).collect();
        let lengths: Vec<usize> = wrap(&message).iter().map(|line| line.text.len()).collect();
        assert_eq!(lengths, [92, 8, 1]);
    }
}
