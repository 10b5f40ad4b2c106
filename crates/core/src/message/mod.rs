//! **What was said?** The message as it came, and the reading of it that everything else works on.

mod span;
mod fold;
mod contractions;
mod words;
mod negation;
mod command;
mod situation;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

pub use command::Command;
pub use fold::Folded;
pub use negation::Negation;
pub use situation::{Fact, Situation, Turn};
pub use span::Span;
pub use words::{is_border, is_whole, word_end};

use crate::limits::NEGATION_WORDS_MAX;

/// What came in: a text, and what is known about who said it and where.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The text as it was written.
    pub text: String,
    /// Who said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Whose user that is, where several organisations share one installation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Facts the session has established.
    #[serde(default, deserialize_with = "or_nothing", skip_serializing_if = "BTreeMap::is_empty")]
    pub session: BTreeMap<String, Fact>,
    /// Facts about where it runs: production, stage, locale.
    #[serde(default, deserialize_with = "or_nothing", skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, Fact>,
    /// Earlier turns, oldest first.
    #[serde(default, deserialize_with = "or_nothing", skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Turn>,
}

/// A `null` is as good as a field that is not there.
fn or_nothing<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
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
        self.negations_near(span).find(|negation| negation.scope.overlaps(span) && !span.holds(negation.cue))
    }

    /// The negations that may reach a span. They are in order and none reaches further than its bound, so a
    /// message full of them costs no more than one with a few.
    pub fn negations_near(&self, span: Span) -> impl Iterator<Item = &Negation> {
        let within = self.negations.partition_point(|negation| negation.cue.start < span.start);
        let first = within.saturating_sub(NEGATION_WORDS_MAX + 1);
        let near = self.negations.get(first..).unwrap_or_default();
        near.iter().take_while(move |negation| negation.cue.start < span.end)
    }

    /// The negation that denies this span or, where it is the subject of a verb, that verb.
    pub fn denied_as_subject(&self, span: Span) -> Option<&Negation> {
        let as_subject = |negation: &&Negation| negation.subject.is_some_and(|subject| subject.holds(span));
        let after = self.negations.partition_point(|negation| negation.cue.start < span.end);
        self.denied(span).or_else(|| self.negations.get(after).filter(as_subject))
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
