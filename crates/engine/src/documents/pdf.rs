//! How is the text of a PDF read? Page by page; its lines are pages.

use std::panic::catch_unwind;

use lopdf::Document;

use super::Unread;
use super::blocks::{Block, Kind};

/// Most of a page that is unpacked, in bytes: a dense page has some ten thousand, and a small file can claim any number.
const PAGE_BYTES_MAX: usize = 8 << 20;

/// Reads the text of a PDF. A page that cannot be read is left out; of a scan there is nothing to read.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Block>, Unread> {
    // Damaged files have many ways to be damaged, and the reader of PDFs is not ours: it must not take us down.
    let pages = catch_unwind(|| pages(bytes)).unwrap_or_else(|_| Err("the reader gave up on it".to_owned()));
    let pages = pages.map_err(|cause| Unread::Damaged { cause })?;
    let blocks: Vec<Block> = pages.iter().flat_map(|(number, text)| paragraphs(*number, text)).collect();
    if blocks.is_empty() {
        return Err(Unread::NoText);
    }
    Ok(blocks)
}

fn pages(bytes: &[u8]) -> Result<Vec<(usize, String)>, String> {
    let document = Document::load_mem(bytes).map_err(|error| error.to_string())?;
    let numbers = document.get_pages().into_keys();
    let read = numbers.filter_map(|number| {
        let text = document.extract_text_with_limit(&[number], PAGE_BYTES_MAX).ok()?;
        Some((usize::try_from(number).ok()?, text))
    });
    Ok(read.collect())
}

fn paragraphs(page: usize, text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    let of_page = |lines: &[&str]| Block::of_lines(Kind::Prose, lines.iter().map(|line| (page, *line)));
    lines.split(|line| line.trim().is_empty()).map(of_page).filter(|block| !block.is_empty()).collect()
}
