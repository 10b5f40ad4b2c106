//! **What was said?** The message as it came, and the reading of it that everything else works on.

mod span;
mod fold;
mod contractions;
mod words;
mod negation;
mod command;
mod situation;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use command::Command;
pub use fold::Folded;
pub use negation::Negation;
pub use situation::{Fact, Situation, Turn};
pub use span::Span;
pub use words::{is_border, is_whole, word_end};

/// What came in: a text, and what is known about who said it and where.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The text as it was written.
    pub text: String,
    /// Who said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Facts the session has established.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub session: BTreeMap<String, Fact>,
    /// Facts about where it runs: production, stage, locale.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, Fact>,
    /// Earlier turns, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Turn>,
}

impl<T: Into<String>> From<T> for Message {
    fn from(text: T) -> Message {
        Message { text: text.into(), ..Message::default() }
    }
}

/// A text read: folded, split into words, its command split off and its negations marked.
#[derive(Clone, Debug)]
pub struct Reading {
    folded: Folded,
    words: Vec<Span>,
    negations: Vec<Negation>,
    command: Option<Command>,
}

impl Reading {
    /// Reads a text.
    pub fn new(text: &str) -> Reading {
        let folded = Folded::new(text);
        let words = words::split(folded.text());
        let negations = negation::mark(folded.text(), &words, folded.line_ends());
        let command = command::split(folded.text());
        Reading { folded, words, negations, command }
    }

    /// The folded text, on which everything is matched.
    pub fn text(&self) -> &str {
        self.folded.text()
    }

    /// The words of the folded text, in order.
    pub fn words(&self) -> &[Span] {
        &self.words
    }

    /// The negations of the folded text, in order.
    pub fn negations(&self) -> &[Negation] {
        &self.negations
    }

    /// The command the message starts with, if any.
    pub fn command(&self) -> Option<&Command> {
        self.command.as_ref()
    }

    /// Where the message proper begins: behind the command.
    pub fn body_start(&self) -> usize {
        self.command.as_ref().map_or(0, |command| command.span.end as usize)
    }

    /// The span of the original text that a span of the folded text stands for.
    pub fn original(&self, folded: Span) -> Span {
        self.folded.original(folded)
    }

    /// The negation that denies this span, unless it is part of the span itself.
    pub fn denied(&self, span: Span) -> Option<&Negation> {
        self.negations.iter().find(|negation| negation.scope.overlaps(span) && !span.holds(negation.cue))
    }

    /// The bare words, joined by single spaces: equal for texts that differ in punctuation alone.
    pub fn bare(&self) -> String {
        let mut bare = String::with_capacity(self.text().len());
        for word in &self.words {
            if !bare.is_empty() {
                bare.push(' ');
            }
            bare.push_str(word.of(self.text()));
        }
        bare
    }
}
