//! How is plain text read? Paragraphs stand between blank lines.

use super::blocks::{Block, Kind, numbered};

/// Reads plain text.
pub(super) fn read(text: &str) -> Vec<Block> {
    let lines: Vec<(usize, &str)> = numbered(text).collect();
    lines
        .split(|(_, line)| line.trim().is_empty())
        .filter(|paragraph| !paragraph.is_empty())
        .map(|paragraph| Block::of_lines(Kind::Prose, paragraph.iter().copied()))
        .collect()
}
