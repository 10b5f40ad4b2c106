//! How is source code read? By blocks between blank lines, under the definitions they belong to.

use super::blocks::{Block, Kind, numbered};

/// Words that may stand before what defines something.
const MODIFIERS: &[&str] = &[
    "pub",
    "async",
    "unsafe",
    "export",
    "default",
    "public",
    "private",
    "protected",
    "internal",
    "static",
    "final",
    "abstract",
    "virtual",
    "override",
    "inline",
    "extern",
    "declare",
    "sealed",
    "partial",
    "open",
    "data",
    "const",
];
/// Words that define something.
const DEFINERS: &[&str] = &[
    "fn",
    "def",
    "class",
    "struct",
    "enum",
    "trait",
    "impl",
    "mod",
    "func",
    "function",
    "interface",
    "type",
    "union",
    "module",
    "namespace",
    "object",
    "protocol",
    "extension",
    "message",
    "service",
    "macro_rules!",
    "sub",
    "defmodule",
    "defp",
    "record",
    "contract",
    "procedure",
    "create",
];
/// Words before a parenthesis that call or steer and define nothing.
const STEERING: &[&str] = &[
    "if", "for", "while", "switch", "match", "return", "else", "catch", "do", "with", "assert", "print",
    "import",
];
/// What lines begin with that belong to the definition below them.
const ABOVE: &[&str] = &["//", "#", "/*", "*", "@", "--", ";", "\"\"\"", "'''"];
/// Deepest definition that begins a section, in columns: methods do, functions inside functions do not.
const INDENT_MAX: usize = 8;
/// Longest line that can define something, in bytes; longer ones are data.
const DEFINITION_BYTES_MAX: usize = 400;

/// Reads source code, or any text that people indent.
pub(super) fn read(text: &str) -> Vec<Block> {
    let lines: Vec<(usize, &str)> = numbered(text).collect();
    let mut blocks = Vec::new();
    let mut from = 0;
    for (index, (number, line)) in lines.iter().enumerate() {
        let Some(title) = definition(line) else { continue };
        let before = lines.get(from..index).unwrap_or_default();
        let above = before.iter().rev().take_while(|(_, line)| belongs_below(line)).count();
        between_blank_lines(before.get(..before.len() - above).unwrap_or_default(), &mut blocks);
        from = index - above;
        let mut heading = Block::new(Kind::Definition(1 + columns(line)));
        heading.push(*number, title);
        blocks.push(heading);
    }
    between_blank_lines(lines.get(from..).unwrap_or_default(), &mut blocks);
    blocks
}

fn between_blank_lines(lines: &[(usize, &str)], blocks: &mut Vec<Block>) {
    let parts = lines.split(|(_, line)| line.trim().is_empty()).filter(|part| !part.is_empty());
    blocks.extend(parts.map(|part| Block::of_lines(Kind::Whole, part.iter().copied())));
}

fn belongs_below(line: &str) -> bool {
    let line = line.trim_start();
    ABOVE.iter().any(|mark| line.starts_with(mark))
}

/// How far a line is indented; a tab counts for four.
fn columns(line: &str) -> usize {
    line.chars().map_while(|c| if c == ' ' { Some(1) } else { (c == '\t').then_some(4) }).sum()
}

/// What a line defines, without what opens its body.
fn definition(line: &str) -> Option<&str> {
    if line.len() > DEFINITION_BYTES_MAX || columns(line) > INDENT_MAX {
        return None;
    }
    let title = line.trim().trim_end_matches(['{', ':', '(', ' ']);
    let mut words = title.split_whitespace().peekable();
    let mut modified = false;
    // `pub(crate)` modifies as `pub` does.
    while words.next_if(|word| MODIFIERS.contains(&word.split('(').next().unwrap_or(word))).is_some() {
        modified = true;
    }
    let first = words.next()?;
    let named = words
        .peek()
        .is_some_and(|name| name.starts_with(|c: char| c.is_alphanumeric() || "_<($\"'`".contains(c)));
    let word = first.split(['(', '<']).next().unwrap_or(first);
    let keyword = DEFINERS.iter().any(|definer| definer.eq_ignore_ascii_case(word)) && named;
    // `static int main(void) {`: a type, a name and parameters, and a body to follow.
    let has_body = line.trim_end().ends_with(['{', ')']);
    let typed = (modified || columns(line) == 0) && has_body && title.contains('(') && named;
    let typed = typed
        && !STEERING.contains(&word)
        && word.starts_with(|c: char| c.is_alphabetic())
        && !title.contains(" = ");
    (keyword || (typed && word.len() == first.len())).then_some(title)
}
