//! What is kept of conversations and of how choices went?

use serde::{Deserialize, Serialize};
use waypost_core::arguments::{By, Outcome};
use waypost_core::conversation::{Conversation, Verdict};

/// Which conversation a turn belongs to, and when it is taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct TurnOf<'a> {
    /// Whose user it is.
    pub tenant: Option<&'a str>,
    /// Who speaks, where that is known: forgetting a user forgets the conversation.
    pub user: Option<&'a str>,
    /// The conversation.
    pub session: &'a str,
    /// When, in milliseconds since 1970-01-01 UTC.
    pub now_ms: u64,
}

/// A conversation after a turn.
#[derive(Clone, Debug, Default)]
pub struct Turned {
    /// What is remembered now.
    pub conversation: Conversation,
    /// For how long, in milliseconds.
    pub keep_ms: u64,
    /// What the turn says of the call that was made before it.
    pub verdict: Option<Verdict>,
    /// How the turn was interpreted, where it was.
    pub choice: Option<ChoiceKept>,
}

/// How a turn was interpreted. What was said is no part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceKept {
    /// The tool, where there was one.
    pub tool: Option<String>,
    /// What followed.
    pub outcome: Outcome,
    /// How the weakest slot was found.
    pub matched_by: By,
    /// How sure the whole was, from 0 to 1.
    pub confidence: f64,
    /// How long it took, in microseconds.
    pub latency_us: f64,
}

/// How choices went, over all tools or one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChoiceCounts {
    /// Turns that were interpreted.
    pub turns: u64,
    /// Those that made a call.
    pub ran: u64,
    /// Those that asked back.
    pub clarified: u64,
    /// Those that were not understood.
    pub rephrased: u64,
    /// Calls that the next turn let stand.
    pub accepted: u64,
    /// Calls that the next turn took back.
    pub corrected: u64,
    /// Calls after which the next turn dropped the matter.
    pub abandoned: u64,
    /// The share of accepted ones among the calls that were followed by a turn.
    pub acceptance_rate: Option<f64>,
    /// The share of turns that asked back.
    pub clarify_rate: Option<f64>,
    /// The median of how long it took, in microseconds.
    pub latency_us_p50: Option<f64>,
    /// What all but one in a hundred stayed below.
    pub latency_us_p99: Option<f64>,
}

impl ChoiceCounts {
    /// The same with its rates.
    pub(super) fn with_rates(mut self) -> ChoiceCounts {
        self.acceptance_rate = share(self.accepted, self.accepted + self.corrected + self.abandoned);
        self.clarify_rate = share(self.clarified, self.turns);
        self
    }
}

#[allow(clippy::cast_precision_loss)] // counts stay below a million
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// How choices went, in all and by tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChoiceFigures {
    /// Over all tools.
    pub all: ChoiceCounts,
    /// By tool, in the order of their names; turns that found none stand under the empty name.
    pub tools: Vec<(String, ChoiceCounts)>,
    /// How often values were found which way, over turns that made a call.
    pub matched_by: Vec<(String, u64)>,
}
