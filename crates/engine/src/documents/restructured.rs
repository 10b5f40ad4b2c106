//! How is reStructuredText read? Headings by their underlines, literal blocks whole, directives by what they hold.

use super::blocks::{Block, Kind, numbered};

/// Directives that hold code.
const CODE: &[&str] = &[
    "code",
    "code-block",
    "sourcecode",
    "parsed-literal",
    "doctest",
    "testcode",
    "testoutput",
    "ipython",
    "prompt",
    "math",
    "productionlist",
];
/// Directives that hold nothing to read.
const SKIPPED: &[&str] = &[
    "toctree",
    "image",
    "raw",
    "include",
    "literalinclude",
    "index",
    "contents",
    "meta",
    "highlight",
    "default-role",
    "role",
    "currentmodule",
    "tabularcolumns",
    "sectnum",
    "plot",
    "graphviz",
    "only",
    "ifconfig",
];
/// Shortest line under a title that is longer than it, in characters; shorter ones are text, as docutils has it.
const SHORT_UNDERLINE: usize = 4;

/// Reads reStructuredText.
pub(super) fn read(text: &str) -> Vec<Block> {
    let lines: Vec<(usize, &str)> = numbered(text).collect();
    let mut reader = Reader { lines: &lines, at: 0, styles: Vec::new(), done: Vec::new() };
    while reader.at < lines.len() {
        reader.step();
    }
    reader.done
}

struct Reader<'t> {
    lines: &'t [(usize, &'t str)],
    at: usize,
    /// The characters that underline titles, and whether they stand above too, the outermost first.
    styles: Vec<(char, bool)>,
    done: Vec<Block>,
}

impl<'t> Reader<'t> {
    fn line(&self, at: usize) -> &'t str {
        self.lines.get(at).map_or("", |(_, line)| line)
    }

    fn step(&mut self) {
        let line = self.line(self.at);
        if line.trim().is_empty() {
            self.at += 1;
        } else if let Some((style, title, length)) = self.title() {
            self.heading(style, title, length);
        } else if adornment(line).is_some() {
            self.at += 1;
        } else if line.trim() == ".." || line.trim_start().starts_with(".. ") {
            self.explicit();
        } else if is_table(line) {
            self.table();
        } else {
            self.paragraph();
        }
    }

    /// The style, the line and the length in lines of a title that begins here.
    fn title(&self) -> Option<((char, bool), usize, usize)> {
        let (line, next, third) = (self.line(self.at), self.line(self.at + 1), self.line(self.at + 2));
        let width = |title: &str| title.trim().chars().count();
        if let Some((mark, over)) = adornment(line) {
            let closed = adornment(third).is_some_and(|(below, _)| below == mark);
            let titled = !next.trim().is_empty() && adornment(next).is_none() && width(next) <= over;
            return (closed && titled).then_some(((mark, true), self.at + 1, 3));
        }
        let (mark, under) = adornment(next)?;
        let long_enough = under >= width(line) || under >= SHORT_UNDERLINE;
        (long_enough && !line.starts_with([' ', '\t'])).then_some(((mark, false), self.at, 2))
    }

    fn heading(&mut self, style: (char, bool), title: usize, length: usize) {
        let level = self.styles.iter().position(|known| *known == style).unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        let mut block = Block::new(Kind::Heading(level + 1));
        block.push(title + 1, &inline(self.line(title).trim()));
        self.done.push(block);
        self.at += length;
    }

    /// What begins with two dots: a directive, a note, a target or a comment.
    fn explicit(&mut self) {
        let line = self.line(self.at);
        let indent = indent(line);
        let rest = line.trim_start().trim_start_matches("..").trim_start();
        if rest.starts_with(['_', '|']) {
            return self.skip_deeper(indent);
        }
        if let Some((_, text)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            self.prose_line(text);
            return;
        }
        let Some((name, argument)) = rest.split_once("::").filter(|(name, _)| is_name(name)) else {
            return self.skip_deeper(indent);
        };
        if SKIPPED.contains(&name) {
            return self.skip_deeper(indent);
        }
        if CODE.contains(&name) {
            self.at += 1;
            self.skip_options();
            return self.literal(indent);
        }
        // Of any other directive its argument and what it holds are text like the rest.
        self.prose_line(argument);
        self.skip_options();
    }

    fn prose_line(&mut self, text: &str) {
        self.at += 1;
        if !text.trim().is_empty() {
            let mut block = Block::new(Kind::Prose);
            block.push(self.at, &inline(text.trim()));
            self.done.push(block);
        }
    }

    fn skip_deeper(&mut self, above: usize) {
        self.at += 1;
        let deeper = self.deeper(above);
        self.at += deeper;
    }

    fn skip_options(&mut self) {
        while self.line(self.at).trim_start().strip_prefix(':').is_some_and(|rest| rest.contains(':')) {
            self.at += 1;
        }
    }

    /// How many lines from here on are blank or deeper than an indent.
    fn deeper(&self, above: usize) -> usize {
        let rest = self.lines.get(self.at..).unwrap_or_default();
        rest.iter().take_while(|(_, line)| line.trim().is_empty() || indent(line) > above).count()
    }

    fn literal(&mut self, above: usize) {
        let held = self.deeper(above);
        let lines = self.lines.get(self.at..self.at + held).unwrap_or_default();
        let margin =
            lines.iter().filter(|(_, line)| !line.trim().is_empty()).map(|(_, line)| indent(line)).min();
        let margin = margin.unwrap_or_default();
        let dedented = lines.iter().map(|(number, line)| (*number, line.get(margin..).unwrap_or_default()));
        let block = Block::of_lines(Kind::Whole, dedented);
        if !block.text.is_empty() {
            self.done.push(block);
        }
        self.at += held;
    }

    fn table(&mut self) {
        let rest = self.lines.get(self.at..).unwrap_or_default();
        let held = rest.iter().take_while(|(_, line)| !line.trim().is_empty()).count();
        let rows = rest.iter().take(held).filter(|(_, line)| line.chars().any(char::is_alphanumeric));
        let block = Block::of_lines(Kind::Whole, rows.copied());
        if !block.text.is_empty() {
            self.done.push(block);
        }
        self.at += held;
    }

    fn paragraph(&mut self) {
        let above = indent(self.line(self.at));
        let mut block = Block::new(Kind::Prose);
        let mut literal = false;
        while self.at < self.lines.len() {
            let line = self.line(self.at);
            let text = line.trim();
            if text.is_empty() || (!block.text.is_empty() && text.starts_with(".. ")) {
                break;
            }
            if is_item(text) {
                let item = Block::new(Kind::Item);
                self.keep(std::mem::replace(&mut block, item));
            }
            if !block.text.is_empty() {
                block.text.push('\n');
            }
            self.at += 1;
            literal = text.ends_with("::");
            let text = if text == "::" {
                ""
            } else if literal {
                text.strip_suffix(':').unwrap_or(text)
            } else {
                text
            };
            block.push(self.at, &inline(text));
        }
        self.keep(block);
        if literal {
            self.literal(above);
        }
    }

    fn keep(&mut self, block: Block) {
        if !block.is_empty() {
            self.done.push(block);
        }
    }
}

/// The character and the length of a line that is nothing but one mark of punctuation, again and again.
fn adornment(line: &str) -> Option<(char, usize)> {
    let line = line.trim_end();
    let mark = line.chars().next().filter(char::is_ascii_punctuation)?;
    let length = line.len();
    // Two dots and two colons have meanings of their own.
    (line.bytes().all(|byte| u32::from(byte) == u32::from(mark))
        && length >= 2
        && line != ".."
        && line != "::")
        .then_some((mark, length))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '+'))
}

fn is_table(line: &str) -> bool {
    let line = line.trim();
    let simple = line.contains(' ') && line.starts_with("==") && line.chars().all(|c| matches!(c, '=' | ' '));
    simple || line.starts_with("+-") || line.starts_with("+=")
}

fn is_item(text: &str) -> bool {
    let mark = text.split(' ').next().unwrap_or_default();
    let number = mark.trim_end_matches(['.', ')']);
    let numbered =
        number.len() < mark.len() && (number == "#" || number.bytes().all(|byte| byte.is_ascii_digit()));
    matches!(mark, "-" | "*" | "+" | "•") || (numbered && !number.is_empty())
}

/// A line without the marks of roles, links and literals.
fn inline(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('`') {
        clean.push_str(before);
        let marks = if behind.starts_with('`') { "``" } else { "`" };
        let inside = behind.strip_prefix('`').unwrap_or(behind);
        let Some((inner, after)) = inside.split_once(marks) else {
            clean.push('`');
            rest = behind;
            continue;
        };
        if marks == "``" {
            clean.push_str(inner);
            rest = after;
            continue;
        }
        clean.truncate(without_role(&clean));
        let named = inner.split_once(" <").filter(|_| inner.ends_with('>')).map_or(inner, |(name, _)| name);
        clean.push_str(named.trim_start_matches(['~', '!']));
        rest = after.trim_start_matches('_');
    }
    clean.push_str(rest);
    clean
}

/// How long a text is without the role at its end, as in `see :ref:`.
fn without_role(text: &str) -> usize {
    let Some(inner) = text.strip_suffix(':') else { return text.len() };
    let name = inner.len()
        - inner.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, ':' | '-' | '_')).len();
    if name > 1 && inner.get(inner.len() - name..).is_some_and(|role| role.starts_with(':')) {
        inner.len() - name
    } else {
        text.len()
    }
}
