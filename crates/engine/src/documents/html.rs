//! How is a web page read? Token by token, without what is no part of its text; lines are those of its source.

use std::cell::RefCell;

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{Rawtext, Rcdata, ScriptData};
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use super::blocks::{Block, Kind};

/// Elements whose text is not the page's: programs, ways around the site, controls.
const SKIPPED: &[&str] = &[
    "script", "style", "nav", "template", "noscript", "svg", "button", "select", "iframe", "object",
    "canvas", "footer", "textarea", "math",
];
/// Elements that stand on lines of their own.
const BLOCKS: &[&str] = &[
    "p",
    "div",
    "section",
    "article",
    "main",
    "header",
    "aside",
    "ul",
    "ol",
    "dl",
    "dd",
    "dt",
    "blockquote",
    "figure",
    "figcaption",
    "details",
    "summary",
    "address",
    "fieldset",
    "form",
    "hr",
    "body",
    "html",
    "head",
];

/// Reads a web page.
pub(super) fn read(text: &str) -> Vec<Block> {
    let last_line = text.lines().count().max(1);
    let sink = Sink { page: RefCell::new(Page { last_line, ..Page::default() }) };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(text));
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    let mut page = tokenizer.sink.page.into_inner();
    page.close();
    page.done
}

struct Sink {
    page: RefCell<Page>,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        let mut page = self.page.borrow_mut();
        let line = usize::try_from(line).unwrap_or(usize::MAX).clamp(1, page.last_line.max(1));
        match token {
            Token::CharacterTokens(text) => page.text(line, &text),
            Token::TagToken(tag) => return page.tag(&tag, line),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

#[derive(Default)]
struct Page {
    done: Vec<Block>,
    open: Option<Block>,
    /// The element whose text is skipped, and how many of its kind are open.
    skipped: Option<(String, usize)>,
    /// How many elements are open that keep their spaces.
    preformatted: usize,
    /// How many tables are open.
    tables: usize,
    /// How many lines the file has.
    last_line: usize,
    /// The line the text has come to. The tokens tell theirs after they looked ahead, so that one may seem to begin before the last.
    reached: usize,
}

impl Page {
    /// Text that ends on a line of the source; it may have begun before that.
    fn text(&mut self, last_line: usize, text: &str) {
        if self.skipped.is_some() {
            return;
        }
        let first_line = last_line.saturating_sub(text.matches('\n').count()).max(self.reached).max(1);
        self.reached = last_line.max(first_line);
        if self.preformatted > 0 {
            let (text, most) = (text.replace('\r', ""), self.last_line.max(1));
            let block = self.open.get_or_insert_with(|| Block::new(Kind::Whole));
            for (below, part) in text.split('\n').enumerate() {
                if below > 0 {
                    block.text.push('\n');
                }
                block.push((first_line + below).min(most), part);
            }
            return;
        }
        for (below, part) in text.split('\n').enumerate() {
            if below > 0 {
                self.space();
            }
            self.words((first_line + below).min(self.last_line.max(1)), part);
        }
    }

    fn words(&mut self, line: usize, text: &str) {
        for (index, word) in text.split(char::is_whitespace).enumerate() {
            if index > 0 {
                self.space();
            }
            if !word.is_empty() {
                self.block().push(line, word);
            }
        }
    }

    /// One space, however many there are, and none before the first word.
    fn space(&mut self) {
        if let Some(open) = &mut self.open
            && !open.text.is_empty()
            && !open.text.ends_with(char::is_whitespace)
        {
            open.text.push(' ');
        }
    }

    fn block(&mut self) -> &mut Block {
        let kind = if self.tables > 0 { Kind::Whole } else { Kind::Prose };
        self.open.get_or_insert_with(|| Block::new(kind))
    }

    fn tag(&mut self, tag: &Tag, line: usize) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        match tag.kind {
            TagKind::StartTag => {
                let raw = match name {
                    "script" => Some(ScriptData),
                    "style" | "noscript" | "iframe" => Some(Rawtext),
                    "title" | "textarea" => Some(Rcdata),
                    _ => None,
                };
                self.start(name, tag.self_closing, line);
                raw.map_or(TokenSinkResult::Continue, TokenSinkResult::RawData)
            }
            TagKind::EndTag => {
                self.end(name, line);
                TokenSinkResult::Continue
            }
        }
    }

    fn start(&mut self, name: &str, closed: bool, line: usize) {
        if let Some((skipped, depth)) = &mut self.skipped {
            *depth += usize::from(skipped == name && !closed);
            return;
        }
        match name {
            _ if SKIPPED.contains(&name) => {
                self.skipped = (!closed).then(|| (name.to_owned(), 1));
            }
            "title" => self.begin(Kind::Title),
            "pre" => {
                self.begin(Kind::Whole);
                self.preformatted += 1;
            }
            "table" => {
                self.begin(Kind::Whole);
                self.tables += 1;
            }
            "br" => self.line_end(line),
            _ if self.tables > 0 => {}
            "li" => {
                self.begin(Kind::Item);
                self.block().push(line, "- ");
            }
            _ if heading(name).is_some() => self.begin(Kind::Heading(heading(name).unwrap_or(1))),
            _ if BLOCKS.contains(&name) => self.close_unless_item(),
            _ => {}
        }
    }

    fn end(&mut self, name: &str, line: usize) {
        if let Some((skipped, depth)) = &mut self.skipped {
            if skipped == name {
                *depth -= 1;
                if *depth == 0 {
                    self.skipped = None;
                }
            }
            return;
        }
        match name {
            "pre" => {
                self.preformatted = self.preformatted.saturating_sub(1);
                self.close();
            }
            "table" => {
                self.tables = self.tables.saturating_sub(1);
                self.close_unless_in_table();
            }
            "td" | "th" => {
                if let Some(open) = &mut self.open {
                    open.text.push_str(" | ");
                }
            }
            "tr" => self.line_end(line),
            "title" | "li" => self.close_unless_in_table(),
            _ if heading(name).is_some() || BLOCKS.contains(&name) => self.close_unless_in_table(),
            _ => {}
        }
    }

    fn line_end(&mut self, line: usize) {
        if let Some(open) = &mut self.open {
            open.push(line, "\n");
        }
    }

    fn begin(&mut self, kind: Kind) {
        self.close();
        self.open = Some(Block::new(kind));
    }

    /// The first block in an item of a list goes on behind its mark.
    fn close_unless_item(&mut self) {
        if self.open.as_ref().is_none_or(|open| open.kind != Kind::Item || !open.is_empty()) {
            self.close();
        }
    }

    fn close_unless_in_table(&mut self) {
        if self.tables == 0 {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(mut block) = self.open.take() else { return };
        block.text.truncate(block.text.trim_end().len());
        if !block.is_empty() {
            self.done.push(block);
        }
    }
}

/// The depth of `h1` to `h6`.
fn heading(name: &str) -> Option<usize> {
    let depth = name.strip_prefix('h')?.parse().ok()?;
    (1..=6).contains(&depth).then_some(depth)
}
