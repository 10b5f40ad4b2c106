//! How are the arguments of a tool shown to a person?

use std::fmt::Write;

use serde_json::Value;
use waypost::arguments::{Answer, LlmTold, Mentioned, SlotAnswer};
use waypost::core::arguments::Outcome;

use super::{Paint, tame};

/// What a message says for a tool: the outcome, the slots with where each was found, and the question.
pub fn args(answer: &Answer, text: &str, paint: Paint) -> String {
    let mut page = String::new();
    let outcome = match answer.outcome {
        Outcome::Run => paint.good("run"),
        Outcome::Clarify => paint.doubt("clarify"),
        Outcome::Rephrase => paint.bad("rephrase"),
    };
    let tool = answer.tool.as_deref().map_or_else(|| "no tool".to_owned(), tame);
    let _ = writeln!(page, "{outcome}  {}  {:.2}", paint.strong(&tool), answer.confidence);
    if !answer.reason.is_empty() {
        let _ = writeln!(page, "  {}", paint.faint(&tame(&answer.reason)));
    }
    slots(&mut page, answer, text, paint);
    for gate in answer.gates.iter().filter(|gate| !gate.allowed) {
        let _ = writeln!(page, "\n  {} {}: {}", paint.bad("closed"), tame(&gate.name), tame(&gate.reason));
    }
    if let Some(clarification) = &answer.clarification {
        let _ = writeln!(page, "\n{}", paint.strong(&tame(&clarification.question)));
        for (option, number) in clarification.options.iter().zip(1..) {
            let _ = writeln!(page, "  {number}. {}", tame(&shown(option)));
        }
    }
    for warning in &answer.warnings {
        let _ = writeln!(page, "\n  {} {}", paint.doubt("note"), tame(warning));
    }
    if let Some(llm) = &answer.llm {
        let _ = writeln!(page, "\n  {}", advised(llm, paint));
    }
    if answer.tools.len() > 1 {
        let told = |tool: &waypost::arguments::Considered| format!("{} {:.2}", tame(&tool.name), tool.share);
        let tools = answer.tools.iter().map(told).collect::<Vec<_>>().join(", ");
        let _ = writeln!(page, "\n  {}", paint.faint(&format!("considered: {tools}")));
    }
    page
}

/// What came of asking a language model.
fn advised(llm: &LlmTold, paint: Paint) -> String {
    let asked = format!("{} asked, {:.0} ms", llm.requests, llm.elapsed_ms);
    match (&llm.error, llm.used) {
        (Some(fault), _) => {
            let why = format!("language model not heard: {} ({}; {asked})", tame(&fault.message), fault.code);
            paint.doubt(&why)
        }
        (None, true) => {
            paint.faint(&format!("language model heard: {}, {asked}", llm.mode.unwrap_or("its reply")))
        }
        (None, false) => paint.faint("language model not asked"),
    }
}

/// Widest column, in characters: a longer value stands in a line of its own length. Formatting refuses widths beyond 16 bits.
const COLUMN_CHARS_MAX: usize = 60;

/// A line a slot: its name, its value, how sure, how it was found, and the words it was found in.
fn slots(page: &mut String, answer: &Answer, text: &str, paint: Paint) {
    let lines: Vec<[String; 4]> = answer.slots.0.iter().map(|(name, slot)| line(name, slot)).collect();
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count());
        cells.max().unwrap_or(0).min(COLUMN_CHARS_MAX)
    };
    let [names, values, _, ways] = [0, 1, 2, 3].map(width);
    if !lines.is_empty() {
        page.push('\n');
    }
    for ([name, value, sure, way], (_, slot)) in lines.iter().zip(&answer.slots.0) {
        let place = slot.span.map(|[start, end]| {
            let words: String = text.chars().skip(start).take(end.saturating_sub(start)).collect();
            format!("“{}” at {start}–{end}", tame(&words))
        });
        let place = paint.faint(&place.unwrap_or_default());
        let doubt = if slot.doubtful { paint.doubt("  asked about") } else { String::new() };
        let _ = writeln!(
            page,
            "{}{doubt}",
            format!("  {name:<names$}  {value:<values$}  {sure}  {way:<ways$}  {place}").trim_end()
        );
    }
}

fn line(name: &str, slot: &SlotAnswer) -> [String; 4] {
    let sure = format!("{:.2}", slot.confidence);
    [tame(name), tame(&shown(&slot.value)), sure, slot.matched_by.name().to_owned()]
}

/// The values that a message names, a line each.
pub fn mentions(found: &[Mentioned], paint: Paint) -> String {
    if found.is_empty() {
        return "The message names no value.\n".to_owned();
    }
    let width = found.iter().map(|mention| shown(&mention.value).chars().count()).max().unwrap_or(0);
    let width = width.min(COLUMN_CHARS_MAX);
    let line = |mention: &Mentioned| {
        let [start, end] = mention.span;
        let place = paint.faint(&format!("“{}” at {start}–{end}", tame(&mention.text)));
        let latent = if mention.latent { "  perhaps" } else { "" };
        format!("{:<8}  {:<width$}  {place}{latent}\n", mention.kind, tame(&shown(&mention.value)))
    };
    found.iter().map(line).collect()
}

/// A value as people read it.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
