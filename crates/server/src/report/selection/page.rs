//! What does the report look like to a person? The same sections as text for a terminal and as Markdown.

use super::phrases::{self, decimals};
use super::sentence::{Piece, Sentence};
use super::{FactorShown, PartShown, Report, SelectionReport, ThresholdShown};
use crate::report::Paint;
use crate::report::paint::tame;
use crate::report::words::Words;

/// Characters that mean something in the middle of a line of Markdown, and are escaped where they come from outside.
const MARKDOWN: &str = "\\`*_[]<>|~&$";

/// The report as text, painted or not.
pub fn text(report: &SelectionReport<'_>, paint: Paint) -> String {
    let words = report.lang.words();
    let mut shown = format!("{}\n", paint.strong(words.headings.title));
    for section in sections(report, words) {
        shown += &format!("\n{}", paint.strong(section.heading));
        shown += &lines(&section, |sentence| show_text(sentence, paint), paint);
    }
    shown
}

/// The report as Markdown, in the document's shape.
pub fn markdown(report: &SelectionReport<'_>) -> String {
    let words = report.lang.words();
    let mut shown = format!("# 🤖 {}\n", words.headings.title);
    for section in sections(report, words) {
        shown += &format!("\n**{}**", section.heading);
        shown += &marked(&section);
    }
    shown
}

/// One section: a heading, and what stands under it.
struct Section {
    heading: &'static str,
    body: Body,
}

/// How a section is laid out.
enum Body {
    /// On the line of its heading, with more below it.
    Line(Sentence, Vec<Sentence>),
    /// Branches.
    Tree(Vec<Sentence>),
    /// In order.
    Numbered(Vec<Sentence>),
    /// In a list, each with more below it.
    Listed(Vec<(Sentence, Vec<Sentence>)>),
}

fn sections(whole: &SelectionReport<'_>, words: &'static Words) -> Vec<Section> {
    let report = &whole.report;
    let headings = &words.headings;
    let none = || Sentence::ours(headings.none);
    let plain =
        |sentences: Vec<Sentence>| Body::Listed(sentences.into_iter().map(|own| (own, vec![])).collect());
    let mut sections = vec![
        Section { heading: headings.agent, body: agent(report, words) },
        Section { heading: headings.confidence, body: Body::Line(confidence(report, words), Vec::new()) },
        Section {
            heading: headings.reasoning,
            body: Body::Tree(report.factors.iter().map(|own| factor(own, words)).collect()),
        },
        Section {
            heading: headings.decision_factors,
            body: Body::Numbered(report.decision_factors.iter().map(decision_factor).collect()),
        },
        Section { heading: headings.threshold, body: threshold(&report.threshold, words) },
        Section { heading: headings.alternatives, body: plain(alternatives(report, words)) },
    ];
    let activated: Vec<Sentence> = report
        .flags_activated
        .iter()
        .map(|set| Sentence::join([Sentence::name(set.flag), set.says.clone()], " — "))
        .collect();
    let activated = if activated.is_empty() { Body::Line(none(), Vec::new()) } else { plain(activated) };
    sections.push(Section { heading: headings.flags_activated, body: activated });
    let given = Sentence::join(report.flags_given.iter().map(|flag| Sentence::name(flag)), ", ");
    let given = if given.0.is_empty() { none() } else { given };
    sections.push(Section { heading: headings.flags_given, body: Body::Line(given, Vec::new()) });
    sections.push(Section { heading: headings.risk, body: Body::Listed(risks(report, words)) });
    for (heading, told) in
        [(headings.uncertainties, &report.uncertainties), (headings.suggestions, &report.suggestions)]
    {
        if !told.is_empty() {
            sections.push(Section { heading, body: plain(told.clone()) });
        }
    }
    sections.push(Section { heading: headings.budget, body: Body::Line(budget(report, words), Vec::new()) });
    if let Some(action) = report.action {
        sections.push(Section {
            heading: headings.action,
            body: Body::Line(Sentence::name(action), cautions(report, words)),
        });
    }
    if let Some(mode) = report.mode {
        let gates = mode
            .quality_gates
            .iter()
            .map(|gate| Sentence::join([Sentence::name(&gate.name), Sentence::told(&gate.says)], " — "));
        sections.push(Section {
            heading: headings.mode,
            body: Body::Line(Sentence::name(&mode.name), Vec::new()),
        });
        sections.push(Section { heading: headings.quality_gates, body: plain(gates.collect()) });
    }
    if !whole.notes.is_empty() {
        let notes = whole.notes.iter().map(|note| Sentence::told(note)).collect();
        sections.push(Section { heading: headings.notes, body: plain(notes) });
    }
    sections
}

fn agent(report: &Report<'_>, words: &Words) -> Body {
    let agent = report.agent.map_or_else(|| Sentence::ours(words.headings.none), Sentence::name);
    Body::Line(agent, vec![report.says.clone()])
}

fn confidence(report: &Report<'_>, words: &'static Words) -> Sentence {
    let level = phrases::level(report.confidence_level, words);
    let score = Sentence::ours(format!("{}% ({level})", report.confidence_percent));
    let other = report.candidate.filter(|candidate| report.agent != Some(candidate));
    let whose = other.map(|other| Sentence::fill(words.choice.nearest, &[Sentence::name(other)]));
    Sentence::join(std::iter::once(score).chain(whose), " ")
}

fn factor(factor: &FactorShown, words: &'static Words) -> Sentence {
    let part = |part: &PartShown| {
        Sentence::join([part.what.clone(), Sentence::ours(format!("{:+}", part.points))], " ")
    };
    let mut parts = Sentence::join(factor.parts.iter().map(part), ", ");
    if parts.0.is_empty() {
        parts = Sentence::ours(words.parts.nothing);
    }
    let score = format!(" → {}: {}", words.headings.score, decimals(factor.points));
    Sentence::join([Sentence::ours(format!("{}: ", factor.name)), parts, Sentence::ours(score)], "")
}

fn decision_factor(part: &PartShown) -> Sentence {
    Sentence::join([part.what.clone(), Sentence::ours(format!("{}%", part.percent))], " — ")
}

fn threshold(threshold: &ThresholdShown<'_>, words: &'static Words) -> Body {
    let level = phrases::strictness(threshold.level, words);
    let (from, to) = (decimals(threshold.original.points()), decimals(threshold.adjusted.points()));
    let line = Sentence::ours(format!("{from} → {to} ({:+}, {level})", threshold.delta));
    let signals = threshold.signals.iter().map(|signal| {
        let about = Sentence::fill(" ({0}) — ", std::slice::from_ref(&signal.about));
        let label = Sentence::ours(format!("{}: ", words.headings.signal));
        Sentence::join([label, Sentence::name(signal.name), about, Sentence::told(signal.reason)], "")
    });
    Body::Line(line, std::iter::once(threshold.reason.clone()).chain(signals).collect())
}

fn alternatives(report: &Report<'_>, words: &Words) -> Vec<Sentence> {
    let told = report.alternatives.iter().map(|other| {
        let sure = Sentence::ours(format!("{}%", other.confidence_percent));
        let sure = Sentence::fill(words.headings.alternative_confidence, &[sure]);
        let sure = Sentence::join([sure, other.rejected.clone()], " — ");
        Sentence::join([Sentence::name(other.agent), sure], ": ")
    });
    told.collect()
}

fn risks(report: &Report<'_>, words: &'static Words) -> Vec<(Sentence, Vec<Sentence>)> {
    let told = report.risks.iter().map(|risk| {
        let (kind, level) = (phrases::risk_kind(risk.kind, words), phrases::level(risk.level, words));
        let label = Sentence::ours(format!("{kind}: {level} ("));
        (Sentence::join([label, risk.says.clone(), Sentence::ours(")")], ""), Vec::new())
    });
    let parts = report.risk.parts.iter().map(|part| {
        let sum = format!(
            "{}: {} = {} × {}: ",
            phrases::risk_part(part.name, words),
            part.points,
            part.likelihood,
            part.weight
        );
        let grounds = Sentence::join(part.grounds.iter().map(|ground| ground.says.clone()), ", ");
        Sentence::join([Sentence::ours(sum), grounds], "")
    });
    let safe_mode = report.risk.safe_mode.then(|| Sentence::ours(words.risks.safe_mode));
    let total = Sentence::ours(format!("{}: {}", words.risks.total, report.risk.total));
    told.chain([(total, parts.chain(safe_mode).collect())]).collect()
}

fn budget(report: &Report<'_>, words: &Words) -> Sentence {
    let told = |template: &str, amount: Option<u32>| {
        amount.map(|amount| Sentence::fill(template, &[Sentence::ours(amount.to_string())]))
    };
    let tokens = told(words.advice.tokens, report.budget.tokens);
    let minutes = told(words.advice.minutes, report.budget.minutes);
    let told = Sentence::join(tokens.into_iter().chain(minutes), ", ");
    if told.0.is_empty() { Sentence::ours(words.degrees.unknown) } else { told }
}

/// Whether the task runs with caution, monitored, or in safe mode.
fn cautions(report: &Report<'_>, words: &Words) -> Vec<Sentence> {
    let told = [
        (report.caution == Some(true), words.headings.caution),
        (report.monitoring == Some(true), words.headings.monitoring),
        (report.safe_mode, words.headings.safe_mode),
    ];
    told.into_iter().filter(|(holds, _)| *holds).map(|(_, told)| Sentence::ours(told)).collect()
}

/// A section below its heading, for a terminal.
fn lines(section: &Section, show: impl Fn(&Sentence) -> String, paint: Paint) -> String {
    let below = |indent: &str, told: &[Sentence]| -> String {
        told.iter().map(|sentence| format!("{indent}{}\n", show(sentence))).collect()
    };
    match &section.body {
        Body::Line(line, more) => format!(": {}\n{}", show(line), below("  ", more)),
        Body::Tree(branches) => {
            let last = branches.len().saturating_sub(1);
            let fork = |at: usize| paint.faint(if at == last { "└─" } else { "├─" });
            let branch = |(at, own): (usize, &Sentence)| format!("  {} {}\n", fork(at), show(own));
            format!("\n{}", branches.iter().enumerate().map(branch).collect::<String>())
        }
        Body::Numbered(entries) => {
            let entry = |(own, number): (&Sentence, usize)| format!("  {number}. {}\n", show(own));
            format!("\n{}", entries.iter().zip(1..).map(entry).collect::<String>())
        }
        Body::Listed(entries) => {
            let entry = |(own, more): &(Sentence, Vec<Sentence>)| {
                format!("  • {}\n{}", show(own), below("      ", more))
            };
            format!("\n{}", entries.iter().map(entry).collect::<String>())
        }
    }
}

/// A section below its heading, as Markdown.
fn marked(section: &Section) -> String {
    let list = |mark: &str, told: &[Sentence]| -> String {
        told.iter().map(|sentence| format!("{mark} {}\n", show_markdown(sentence))).collect()
    };
    match &section.body {
        Body::Line(line, more) if more.is_empty() => format!(": {}\n", show_markdown(line)),
        Body::Line(line, more) => format!(": {}\n\n{}", show_markdown(line), list("-", more)),
        Body::Tree(branches) => format!("\n\n{}", list("-", branches)),
        Body::Numbered(entries) => {
            let entry = |(own, number): (&Sentence, usize)| format!("{number}. {}\n", show_markdown(own));
            format!("\n\n{}", entries.iter().zip(1..).map(entry).collect::<String>())
        }
        Body::Listed(entries) => {
            let entry = |(own, more): &(Sentence, Vec<Sentence>)| {
                format!("- {}\n{}", show_markdown(own), list("  -", more))
            };
            format!("\n\n{}", entries.iter().map(entry).collect::<String>())
        }
    }
}

fn show_text(sentence: &Sentence, paint: Paint) -> String {
    sentence.show(|piece| match piece {
        Piece::Ours(text) => text.clone(),
        Piece::Name(text) => paint.accent(&tame(text)),
        Piece::Told(text) => tame(text),
    })
}

fn show_markdown(sentence: &Sentence) -> String {
    sentence.show(|piece| match piece {
        Piece::Ours(text) => text.clone(),
        Piece::Name(text) => code(&tame(text)),
        Piece::Told(text) => escaped(&tame(text)),
    })
}

/// A name as code. A backtick would end it, so a name that has one is escaped instead.
fn code(name: &str) -> String {
    if name.contains('`') || name.trim().is_empty() { escaped(name) } else { format!("`{name}`") }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if MARKDOWN.contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
