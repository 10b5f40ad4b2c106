//! Where was it said?

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A range of bytes in a text; which text, the field that holds it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span over a range. Texts are bounded far below 4 GiB, so positions fit.
    pub fn new(range: Range<usize>) -> Span {
        Span { start: position(range.start), end: position(range.end) }
    }

    /// The range to slice with.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text under the span; nothing where the span does not fit the text.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    /// Whether the two share a byte.
    pub const fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether the other lies within this one.
    pub const fn holds(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The span from the beginning of the first to the end of the last of the two.
    #[must_use]
    pub fn joined(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span counted in characters of the text, as most languages outside Rust count.
    pub fn in_chars(self, text: &str) -> [usize; 2] {
        let count = |end: u32| text.get(..end as usize).map_or(0, |before| before.chars().count());
        [count(self.start), count(self.end)]
    }
}

/// A position as a span keeps it.
pub(crate) fn position(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_counted_in_characters_for_the_outside() {
        let text = "é→fix it";
        let span = Span::new(5..8);
        assert_eq!(span.of(text), "fix");
        assert_eq!(span.in_chars(text), [2, 5]);
        assert_eq!(Span::new(1..900).of(text), "");
    }
}
