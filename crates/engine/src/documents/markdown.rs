//! How is Markdown read? By its syntax tree, so that marks are left out and lines are kept.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::blocks::{Block, Kind};

/// Reads Markdown as GitHub and most generators of documentation do.
pub(super) fn read(text: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let lines = LineStarts::of(text);
    let mut reader = Reader::default();
    for (event, span) in Parser::new_ext(text, options).into_offset_iter() {
        reader.take(event, lines.at(span.start));
    }
    reader.close();
    reader.done
}

/// Where lines begin.
struct LineStarts {
    starts: Vec<usize>,
    /// How many lines there are.
    count: usize,
}

impl LineStarts {
    fn of(text: &str) -> LineStarts {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        LineStarts { starts, count: text.lines().count().max(1) }
    }

    /// The line of a byte, from 1. Cells that a table lacks are said to be behind its end, and so may be behind the text's.
    fn at(&self, byte: usize) -> usize {
        (1 + self.starts.partition_point(|start| *start <= byte)).min(self.count)
    }
}

#[derive(Default)]
struct Reader {
    done: Vec<Block>,
    open: Option<Block>,
    markup: Markup,
}

impl Reader {
    fn take(&mut self, event: Event<'_>, line: usize) {
        match event {
            Event::Start(tag) => self.start(&tag, line),
            Event::End(tag) => self.end(tag, line),
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(line, &text);
            }
            Event::SoftBreak | Event::HardBreak => self.text(line, "\n"),
            Event::Html(html) => {
                let text = self.markup.strip(&html);
                if !text.trim().is_empty() {
                    self.text(line, &text);
                }
            }
            Event::Rule => self.close(),
            Event::TaskListMarker(_) | Event::InlineHtml(_) | Event::FootnoteReference(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, line: usize) {
        match tag {
            Tag::Heading { level, .. } => self.begin(Kind::Heading(depth(*level))),
            Tag::Paragraph | Tag::FootnoteDefinition(_) => {
                // The first paragraph of a list's item goes on behind its mark.
                let mark = self.open.take_if(|open| open.kind == Kind::Item && open.is_empty());
                self.close();
                self.open = mark.or_else(|| Some(Block::new(Kind::Prose)));
            }
            Tag::Item => {
                self.begin(Kind::Item);
                self.text(line, "- ");
            }
            Tag::CodeBlock(_) | Tag::Table(_) | Tag::MetadataBlock(_) => self.begin(Kind::Whole),
            Tag::HtmlBlock => {
                self.markup = Markup::default();
                self.begin(Kind::Prose);
            }
            Tag::List(_) | Tag::BlockQuote(_) => self.close(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, line: usize) {
        match tag {
            TagEnd::TableCell => self.text(line, " | "),
            TagEnd::TableRow | TagEnd::TableHead => self.text(line, "\n"),
            TagEnd::MetadataBlock(_) => self.end_metadata(),
            TagEnd::Heading(_)
            | TagEnd::Paragraph
            | TagEnd::Item
            | TagEnd::CodeBlock
            | TagEnd::Table
            | TagEnd::HtmlBlock
            | TagEnd::List(_) => self.close(),
            _ => {}
        }
    }

    fn text(&mut self, line: usize, text: &str) {
        self.open.get_or_insert_with(|| Block::new(Kind::Prose)).push(line, text);
    }

    fn begin(&mut self, kind: Kind) {
        self.close();
        self.open = Some(Block::new(kind));
    }

    fn close(&mut self) {
        let Some(mut block) = self.open.take() else { return };
        block.text.truncate(block.text.trim_end().len());
        // An empty heading still ends the section before it.
        if !block.is_empty() || matches!(block.kind, Kind::Heading(_)) {
            self.done.push(block);
        }
    }

    /// Of the data before a document its title is part of what it says.
    fn end_metadata(&mut self) {
        let Some(block) = self.open.take() else { return };
        let title = block.text.lines().find_map(|line| line.strip_prefix("title:"));
        if let Some(title) = title.map(|title| title.trim().trim_matches(['"', '\''])) {
            let mut heading = Block::new(Kind::Title);
            heading.push(block.first_line(), title);
            self.done.push(heading);
        }
    }
}

fn depth(level: HeadingLevel) -> usize {
    level as usize
}

/// What stands between the tags of HTML that comes line by line.
#[derive(Default)]
struct Markup {
    /// What must come before text goes on.
    until: Option<&'static str>,
}

impl Markup {
    fn strip(&mut self, html: &str) -> String {
        let mut text = String::new();
        let mut rest = html;
        loop {
            if let Some(until) = self.until {
                let Some((_, behind)) = rest.split_once(until) else { break };
                self.until = None;
                rest = behind;
            }
            let Some((before, behind)) = rest.split_once('<') else {
                text.push_str(rest);
                break;
            };
            text.push_str(before);
            self.until = Some(if behind.starts_with("!--") { "-->" } else { ">" });
            rest = behind;
        }
        // The line ends inside a tag or a comment, and the text's line with it.
        if html.ends_with('\n') && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }
}
