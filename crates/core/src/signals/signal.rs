//! What is a signal?

use serde::{Deserialize, Serialize};

use crate::catalog::RouteId;
use crate::measure::{Confidence, Points};
use crate::message::Span;

/// One thing noticed that bears on one route. Signals say what they are worth and nothing about what comes
/// of it, so a new kind of signal needs a new file here and no change to scores or decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal<'c> {
    /// The route it bears on.
    pub route: RouteId,
    /// How it was noticed.
    pub kind: MatchedBy,
    /// What it is worth.
    pub worth: Worth,
    /// The pattern, keyword or reason, as the catalog writes it.
    pub what: &'c str,
    /// The text that caused it, in the message as written.
    pub span: Span,
    /// A second text without which it would not count: the word of trouble beside a target.
    pub beside: Option<Span>,
    /// The negation that denies it; a denied signal is shown and does not count.
    pub denied: Option<Span>,
}

/// How something was noticed; the names of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MatchedBy {
    /// A slash command.
    Command,
    /// The name of the route.
    Name,
    /// A regular expression, or a target beside a word of trouble.
    Pattern,
    /// A keyword.
    Keyword,
    /// An example, word for word.
    Exact,
    /// What a head learned from the examples.
    Learned,
    /// The same, by a sentence transformer.
    Transformer,
    /// Nothing: it is what is taken where nothing else is.
    Always,
}

impl MatchedBy {
    /// Whether a head said it: the whole message is what it goes by.
    pub const fn is_learned(self) -> bool {
        matches!(self, MatchedBy::Learned | MatchedBy::Transformer)
    }

    /// The name of the JSON contract.
    pub const fn name(self) -> &'static str {
        match self {
            MatchedBy::Command => "command",
            MatchedBy::Name => "name",
            MatchedBy::Pattern => "pattern",
            MatchedBy::Keyword => "keyword",
            MatchedBy::Exact => "exact",
            MatchedBy::Learned => "learned",
            MatchedBy::Transformer => "transformer",
            MatchedBy::Always => "always",
        }
    }
}

/// What a signal is worth to its route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// It settles the matter: confidence 1.0, no threshold.
    Force(Force),
    /// It can activate the route: the base and this weight, if it is the strongest of its kind.
    Ground(Points),
    /// It makes grounds surer and activates nothing by itself.
    Support,
    /// A confidence of its own, measured elsewhere; the larger of it and the rules counts.
    Own {
        /// How sure.
        confidence: Confidence,
        /// How sure it must be, where that is not the catalog's base.
        needed: Option<Confidence>,
    },
    /// It rules the route out.
    Exclude,
}

/// What can settle a matter; a name yields to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Force {
    /// The message names the route.
    Name,
    /// The message orders the route.
    Command,
}
