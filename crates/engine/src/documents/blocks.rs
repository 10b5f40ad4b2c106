//! What is a document made of? Headings, paragraphs, and what should stay whole, each with its lines.

/// What kind of block it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The title of the whole document, which its first heading stands for where there is one.
    Title,
    /// The title of what follows; 1 is the outermost.
    Heading(usize),
    /// A title that is also part of what follows, as the first line of a function is. Its text stands in the next block.
    Definition(usize),
    /// Sentences.
    Prose,
    /// Sentences that belong to a list.
    Item,
    /// Code or a table: lines that mean something together.
    Whole,
}

/// A block, and the line each part of its text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub kind: Kind,
    pub text: String,
    /// From which byte of the text on it is which line, in order.
    pub lines: Vec<(usize, usize)>,
}

impl Block {
    pub fn new(kind: Kind) -> Block {
        Block { kind, text: String::new(), lines: Vec::new() }
    }

    /// A block of lines that stand one below the other in the file, without what is blank at its ends.
    pub fn of_lines<'l>(kind: Kind, lines: impl IntoIterator<Item = (usize, &'l str)>) -> Block {
        let mut block = Block::new(kind);
        for (number, line) in lines {
            if block.text.is_empty() && line.trim().is_empty() {
                continue;
            }
            if !block.text.is_empty() {
                block.text.push('\n');
            }
            block.push(number, line.trim_end());
        }
        block.text.truncate(block.text.trim_end().len());
        block
    }

    /// Adds text that begins at a line of the file.
    pub fn push(&mut self, line: usize, text: &str) {
        for (below, part) in text.split('\n').enumerate() {
            if below > 0 {
                self.text.push('\n');
            }
            let number = line + below;
            if !part.is_empty() && self.lines.last().is_none_or(|(_, last)| *last != number) {
                self.lines.push((self.text.len(), number));
            }
            self.text.push_str(part);
        }
    }

    /// Whether it says anything: marks of lists and tables alone do not.
    pub fn is_empty(&self) -> bool {
        self.text.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '|'))
    }

    /// The line it begins on.
    pub fn first_line(&self) -> usize {
        self.lines.first().map_or(1, |(_, line)| *line)
    }
}

/// The lines of a text with their numbers, from 1.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}
