//! How is a document cut into passages? Along its headings, then its paragraphs, then its sentences.

use std::ops::Range;

use super::Passage;
use super::blocks::{Block, Kind};
use super::sentences;

/// How long a passage should be, in words. Long enough to answer a question without what stands around it, short enough
/// that its vector is about one thing and that ten of them are no burden to whoever reads them.
pub const WORDS_TARGET: usize = 180;
/// The longest a passage may be, in words: twice the target, so that most code blocks and tables stay whole.
pub const WORDS_MAX: usize = 2 * WORDS_TARGET;
/// How many sentences of its neighbour a passage repeats, so that what refers back is not lost.
pub const OVERLAP_SENTENCES: usize = 2;
/// And how many words that may be at the most: a quarter of a passage.
pub const OVERLAP_WORDS_MAX: usize = WORDS_TARGET / 4;

/// Below that a section says too little to stand alone, in words: one or two sentences.
const WORDS_TINY: usize = 30;
/// From that on a passage may end early, at the end of a paragraph.
const WORDS_EARLY: usize = WORDS_TARGET / 2;
/// A longer word counts as several, in bytes. Text without spaces has passages of bounded length that way.
const WORD_BYTES: usize = 16;
/// Longest title kept, in bytes; what is longer is no title.
const TITLE_BYTES_MAX: usize = 160;

/// Splits a document into passages, in its order.
pub(super) fn split(blocks: Vec<Block>) -> Vec<Passage> {
    join_tiny(sections(blocks)).iter().flat_map(Section::passages).collect()
}

/// What stands under one heading.
#[derive(Debug, Default)]
struct Section {
    path: Vec<String>,
    /// The line of its heading, where that is not part of the text.
    title_line: Option<usize>,
    /// Whether its heading is the title of the document.
    names_all: bool,
    text: String,
    lines: Vec<(usize, usize)>,
    units: Vec<Unit>,
    words: usize,
}

/// The smallest piece that passages are made of.
#[derive(Clone, Copy, Debug)]
struct Unit {
    /// The byte behind it.
    end: usize,
    words: usize,
    kind: UnitKind,
    /// Whether a paragraph ends with it.
    ends_paragraph: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnitKind {
    Sentence,
    /// One of several lines, or a part of one.
    Line,
    Whole,
}

fn sections(blocks: Vec<Block>) -> Vec<Section> {
    let mut done = Vec::new();
    let mut titles: Vec<(usize, String)> = Vec::new();
    let mut current = Section::default();
    for block in blocks {
        let level = match block.kind {
            Kind::Title => 1,
            Kind::Heading(level) | Kind::Definition(level) => level,
            Kind::Prose | Kind::Item | Kind::Whole => {
                current.add(&block);
                continue;
            }
        };
        titles.retain(|(above, _)| *above < level);
        let title = cut_title(block.text.split_whitespace().collect::<Vec<_>>().join(" "));
        if !title.is_empty() {
            titles.push((level, title));
        }
        let path = titles.iter().map(|(_, title)| title.clone()).collect();
        let title_line = (!matches!(block.kind, Kind::Definition(_))).then(|| block.first_line());
        let begun = Section { path, title_line, names_all: block.kind == Kind::Title, ..Section::default() };
        done.push(std::mem::replace(&mut current, begun));
    }
    done.push(current);
    done
}

fn cut_title(mut title: String) -> String {
    title.truncate(floor_boundary(&title, TITLE_BYTES_MAX));
    title
}

/// The last boundary between characters at or before a byte.
fn floor_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// Joins sections that say too little with the next one under the same parent. A heading with nothing under it goes, where
/// sections below it carry it on.
fn join_tiny(sections: Vec<Section>) -> Vec<Section> {
    let mut joined: Vec<Section> = Vec::with_capacity(sections.len());
    let mut rest = sections.into_iter().peekable();
    while let Some(mut section) = rest.next() {
        let carried_on = |next: &Section| {
            let below = next.path.len() > section.path.len() && next.path.starts_with(&section.path);
            section.names_all || below
        };
        if section.text.is_empty() && (section.path.is_empty() || rest.peek().is_some_and(carried_on)) {
            continue;
        }
        while let Some(next) = rest.next_if(|next| section.takes(next)) {
            section.join(&next);
        }
        joined.push(section);
    }
    joined
}

impl Section {
    fn add(&mut self, block: &Block) {
        if block.is_empty() {
            return;
        }
        let item = block.kind == Kind::Item;
        if !self.text.is_empty() {
            self.text.push_str(if item { "\n" } else { "\n\n" });
        }
        let start = self.text.len();
        self.text.push_str(&block.text);
        self.lines.extend(block.lines.iter().map(|(at, line)| (start + at, *line)));
        let before = self.units.len();
        if block.kind == Kind::Whole {
            self.add_whole(start, &block.text);
        } else {
            let mut from = 0;
            for end in sentences::ends(&block.text) {
                let sentence = block.text.get(std::mem::replace(&mut from, end)..end).unwrap_or_default();
                self.add_pieces(start + end - sentence.len(), sentence, UnitKind::Sentence);
            }
        }
        if let Some(last) = self.units.last_mut() {
            last.ends_paragraph = true;
        }
        self.words += self.units.iter().skip(before).map(|unit| unit.words).sum::<usize>();
    }

    /// Code and tables are one unit where they fit, else one a line.
    fn add_whole(&mut self, start: usize, text: &str) {
        let words = words(text);
        if words <= WORDS_MAX {
            let unit = Unit { end: start + text.len(), words, kind: UnitKind::Whole, ends_paragraph: true };
            return self.units.push(unit);
        }
        let mut from = start;
        for line in text.split_inclusive('\n') {
            if let Some(last) = self.units.last_mut().filter(|_| line.trim().is_empty()) {
                last.ends_paragraph = true;
            }
            self.add_pieces(from, line, UnitKind::Line);
            from += line.len();
        }
    }

    /// One unit, or several where it would be longer than a passage should be.
    fn add_pieces(&mut self, start: usize, text: &str, kind: UnitKind) {
        let (mut words, mut end) = (0, start);
        let mut push = |end: usize, words: usize| {
            if words > 0 {
                self.units.push(Unit { end, words, kind, ends_paragraph: false });
            }
        };
        for word in text.split_inclusive(char::is_whitespace) {
            let mut rest = word;
            loop {
                let most = floor_boundary(rest, (WORDS_TARGET - 1) * WORD_BYTES);
                let (part, behind) = rest.split_at_checked(most).unwrap_or((rest, ""));
                let weight = weight(part);
                if words + weight > WORDS_TARGET {
                    push(end, words);
                    words = 0;
                }
                words += weight;
                end += part.len();
                rest = behind;
                if rest.is_empty() {
                    break;
                }
            }
        }
        push(end, words);
    }

    /// Whether it takes in the next section.
    fn takes(&self, next: &Section) -> bool {
        let siblings = match (self.path.split_last(), next.path.split_last()) {
            (Some((_, parent)), Some((_, other))) => parent == other,
            _ => false,
        };
        siblings
            && self.words < WORDS_TINY
            && self.words + next.words + 2 * TITLE_BYTES_MAX / WORD_BYTES <= WORDS_TARGET
    }

    fn join(&mut self, next: &Section) {
        let title = next.path.last().cloned().unwrap_or_default();
        let own = self.path.last().cloned().unwrap_or_default();
        let mut whole = Section::default();
        for (section, title) in [(&*self, &own), (next, &title)] {
            whole.add_titled(section, title);
        }
        whole.path = std::mem::take(&mut self.path);
        if let Some(last) = whole.path.last_mut() {
            *last = cut_title(format!("{own}; {title}"));
        }
        *self = whole;
    }

    /// Takes the text of another section with its title, unless that is part of the text.
    fn add_titled(&mut self, other: &Section, title: &str) {
        if let Some(line) = other.title_line {
            let mut block = Block::new(Kind::Prose);
            block.push(line, title);
            self.add(&block);
        }
        self.add(&Block { kind: Kind::Whole, text: other.text.clone(), lines: other.lines.clone() });
    }

    fn passages(&self) -> Vec<Passage> {
        if let (true, Some(title)) = (self.text.is_empty(), self.path.last()) {
            let line = self.title_line.unwrap_or(1);
            return vec![Passage { text: title.clone(), heading: self.path.clone(), lines: (line, line) }];
        }
        let cuts = pack(&self.units);
        let mut previous: Option<Range<usize>> = None;
        let mut passages = Vec::with_capacity(cuts.len());
        for cut in cuts {
            let from = previous.as_ref().map_or(cut.start, |previous| self.overlap(previous, &cut));
            passages.extend(self.passage(from, cut.end));
            previous = Some(cut);
        }
        passages
    }

    /// Where a passage begins when it repeats the end of the one before it.
    fn overlap(&self, previous: &Range<usize>, cut: &Range<usize>) -> usize {
        let words = |range: Range<usize>| -> usize {
            self.units.get(range).unwrap_or_default().iter().map(|unit| unit.words).sum()
        };
        let fits = |from: &usize| {
            let sentence = self.units.get(*from).is_some_and(|unit| unit.kind == UnitKind::Sentence);
            let repeated = words(*from..cut.start);
            sentence && repeated <= OVERLAP_WORDS_MAX && repeated + words(cut.clone()) <= WORDS_MAX
        };
        // Never all of the passage before it: that one would say nothing of its own.
        let earliest = cut.start.saturating_sub(OVERLAP_SENTENCES).max(previous.start + 1);
        (earliest..cut.start).rev().take_while(fits).last().unwrap_or(cut.start)
    }

    fn passage(&self, from: usize, to: usize) -> Option<Passage> {
        let start = from.checked_sub(1).and_then(|before| self.units.get(before)).map_or(0, |unit| unit.end);
        let end = self.units.get(to.checked_sub(1)?)?.end;
        let raw = self.text.get(start..end)?.trim_end();
        let text = without_blank_lines(raw);
        let start = start + raw.len() - text.len();
        let lines = (self.line_at(start), self.line_at((start + text.len()).saturating_sub(1)));
        (!text.is_empty()).then(|| Passage { text: text.to_owned(), heading: self.path.clone(), lines })
    }

    fn line_at(&self, at: usize) -> usize {
        let behind = self.lines.partition_point(|(from, _)| *from <= at);
        self.lines.get(behind.saturating_sub(1)).map_or(1, |(_, line)| *line)
    }
}

/// Without blank lines before it; the first line keeps its indent, since it may be code.
fn without_blank_lines(text: &str) -> &str {
    let blank = text.len() - text.trim_start().len();
    let line = text.get(..blank).and_then(|blank| blank.rfind('\n')).map_or(0, |at| at + 1);
    text.get(line..).unwrap_or(text)
}

/// Which units make one passage each.
fn pack(units: &[Unit]) -> Vec<Range<usize>> {
    let words = |range: Range<usize>| -> usize {
        units.get(range).unwrap_or_default().iter().map(|unit| unit.words).sum()
    };
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let (mut start, mut held) = (0, 0);
    // The last end of a paragraph at which the passage could end.
    let mut paragraph = None;
    for (index, unit) in units.iter().enumerate() {
        loop {
            let fits = held + unit.words <= WORDS_TARGET
                || (unit.kind == UnitKind::Whole && held < WORDS_EARLY && held + unit.words <= WORDS_MAX);
            if held == 0 || fits {
                break;
            }
            let end = paragraph.take().unwrap_or(index);
            cuts.push(start..end);
            start = end;
            held = words(start..index);
        }
        held += unit.words;
        if unit.ends_paragraph && held >= WORDS_EARLY {
            paragraph = Some(index + 1);
        }
    }
    if start < units.len() {
        cuts.push(start..units.len());
    }
    join_tail(cuts, words)
}

/// A last passage that says too little is joined with the one before it, where that leaves room.
fn join_tail(mut cuts: Vec<Range<usize>>, words: impl Fn(Range<usize>) -> usize) -> Vec<Range<usize>> {
    if let [.., before, last] = cuts.as_mut_slice()
        && words(last.clone()) < WORDS_TINY
        && words(before.start..last.end) <= WORDS_MAX
    {
        before.end = last.end;
        cuts.pop();
    }
    cuts
}

/// How many words a text has, long ones counted as several.
pub(super) fn words(text: &str) -> usize {
    text.split_whitespace().map(weight).sum()
}

fn weight(word: &str) -> usize {
    let word = word.trim_end();
    if word.is_empty() { 0 } else { 1 + word.len() / WORD_BYTES }
}
