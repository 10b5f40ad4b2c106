//! What does the engine need of the world? Each need is a trait, so that tests and hosts can stand in.

use std::collections::BTreeMap;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use uuid::Uuid;
use waypost_core::resources::Resources;

pub use crate::resources::{Sampler, observe, sample_now};
use waypost_core::conversation::Conversation;
use waypost_core::history::{Completion, History, SpecialistRecord, ToolFigures};
use waypost_core::selection::offered::Offered;

use crate::llm::{LlmError, Prompt, Reply};
use crate::store::{
    Adjustment, ChoiceFigures, DecisionKept, Forgotten, KnownUser, Outcome, Recorded, StoreError, TurnOf,
    Turned,
};

/// What is remembered between messages. Calls wait for the disk; all of them may be made from many threads at once.
///
/// A user is known within a tenant. No tenant and an empty one are the same; a user without a name is nobody, of whom
/// nothing is known.
pub trait Store: Send + Sync {
    /// How earlier tasks of a user went; an empty history where nothing is known. Tasks count by their times, in whatever
    /// order they were recorded.
    fn history(&self, tenant: Option<&str>, user: &str) -> Result<History, StoreError>;

    /// The same for all users of a tenant together.
    fn history_of_tenant(&self, tenant: Option<&str>) -> Result<History, StoreError>;

    /// The users of a tenant of whom something is known, or of all tenants; who came last is first.
    fn users(&self, tenant: Option<&str>, most: usize) -> Result<Vec<KnownUser>, StoreError>;

    /// The last tasks of a user, the latest first.
    fn last_tasks(
        &self,
        tenant: Option<&str>,
        user: &str,
        most: usize,
    ) -> Result<Vec<Completion>, StoreError>;

    /// Keeps the outcome of a task, once: what is told of the same task again changes nothing. When this returns, the
    /// outcome survives a crash of the process and of the machine.
    fn record(&self, completion: &Completion) -> Result<Recorded, StoreError>;

    /// Deletes everything that is known of a user, so that it cannot be read from the disk's files either.
    fn forget(&self, tenant: Option<&str>, user: &str) -> Result<Forgotten, StoreError>;

    /// Keeps a decision for the outcome that may follow. One that is known by its id stays as it is.
    fn keep_decision(&self, decision: &DecisionKept) -> Result<(), StoreError>;

    /// The decision of an id, if it is still kept.
    fn decision(&self, id: &str) -> Result<Option<DecisionKept>, StoreError>;

    /// How tasks of specialists ended in each area, for a user, or for all users of the tenant together.
    fn specialists(
        &self,
        tenant: Option<&str>,
        user: Option<&str>,
    ) -> Result<Vec<SpecialistRecord>, StoreError>;

    /// The last thresholds that a rule decided, of a user or of all users of the tenant; the latest first.
    fn adjustments(
        &self,
        tenant: Option<&str>,
        user: Option<&str>,
        most: usize,
    ) -> Result<Vec<Adjustment>, StoreError>;

    /// How decisions ended whose tasks were told, in the order of the decisions.
    fn outcomes(&self) -> Result<Vec<Outcome>, StoreError>;

    /// A turn of a conversation that is offered tools: takes what it was offered before and keeps what `turn` makes of it. No
    /// other turn comes between; where `turn` is called and this fails, nothing was kept.
    fn offer(
        &self,
        tenant: Option<&str>,
        session: &str,
        turn: &mut dyn FnMut(Offered) -> Offered,
    ) -> Result<(), StoreError>;

    /// What is remembered of a conversation at a time; an empty one where it is new, or its time is over.
    fn conversation(&self, of: &TurnOf<'_>) -> Result<Conversation, StoreError>;

    /// A turn of a conversation: takes what is remembered and keeps what `turn` makes of it, in one piece with what it says of
    /// the call before it. Where another turn comes between, `turn` is called again with what that one left.
    fn converse(
        &self,
        of: &TurnOf<'_>,
        turn: &mut dyn FnMut(Conversation) -> Turned,
    ) -> Result<(), StoreError>;

    /// Deletes everything that is known of a conversation, so that it cannot be read from the disk's files either.
    fn forget_session(&self, tenant: Option<&str>, session: &str) -> Result<Forgotten, StoreError>;

    /// Takes a run of a tool into account: whether it succeeded and, where that is known, how long it took. A tool is named by
    /// `server/name`, or by its name where it has no server.
    fn record_tool_run(&self, tool: &str, success: bool, elapsed_ms: Option<u64>) -> Result<(), StoreError>;

    /// What is known of tools by their runs, under the same names; only of those with enough runs.
    fn tool_figures(&self) -> Result<BTreeMap<String, ToolFigures>, StoreError>;

    /// How choices of a tenant went since a time, or of all tenants.
    fn choices(&self, tenant: Option<&str>, since_ms: u64) -> Result<ChoiceFigures, StoreError>;
}

/// Where what is costly and pure is kept: three layers, the third on a [`cache::Shelf`] of the host's choice.
pub mod cache {
    pub use crate::cache::{Caches, Figures, Fresh, Kept, Key, Metrics, Shelf, ShelfError, ShelfFile};
}

/// How tools come in: each source gives what it offers, and a file of tools takes up what changed.
pub mod import {
    pub use crate::import::{
        BadTool, Change, Changed, ImportError, Imported, McpServer, Merged, ToolsFile, ask, dump, jsonl,
        openai, openapi,
    };
}

/// Answers in a form of the caller's choice. Calls wait for the reply; all of them may be made from many threads at once.
pub trait LanguageModel: Send + Sync {
    /// What it is called in traces.
    fn id(&self) -> &str;

    /// What it replies, as JSON, within the prompt's time and its own. It need not fit the schema: whoever asks checks that.
    fn ask(&self, prompt: &Prompt) -> Result<Reply, LlmError>;
}

/// How a language model is asked, and one behind an endpoint.
pub mod llm {
    pub use crate::llm::{
        BudgetSpan, ChatModel, FAILURES_MAX, LlmError, LlmSettings, Prompt, REST_MS, REST_MS_MAX, Reply,
        ReplyMode, Speaker, Turn, Usage,
    };
}

/// Conversations from turn to turn, and the events they leave.
pub mod conversation {
    pub use crate::conversation::{
        Clarification, Conversations, Event, Events, Message, Outcome, TurnAnswer, UserText, WouldRun,
    };
}

/// How several parts of the world are asked at once.
pub mod workers {
    pub use crate::workers::{
        AT_ONCE_MAX, Attempt, Ended, Found, Gathered, Patience, Way, Worker, run, run_blocking,
    };
}

/// Microseconds since then, to the nanosecond.
pub fn elapsed_us(started: Instant) -> f64 {
    // Whole nanoseconds, so that the product's last bits are not told as digits.
    (started.elapsed().as_secs_f64() * 1e9).round() / 1e3
}

/// What time it is.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970-01-01 UTC.
    fn now_ms(&self) -> u64;
}

/// The machine's own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

/// A new id, unlike any other; later ones sort behind earlier ones.
pub fn new_id() -> String {
    Uuid::now_v7().to_string()
}

/// How much of the machine is used.
pub trait Machine: Send + Sync {
    /// What is known at this moment. Must not block: a decision waits for it.
    fn resources(&self) -> Resources;
}

/// A machine that is always the same; the default knows nothing of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FixedMachine(pub Resources);

impl Machine for FixedMachine {
    fn resources(&self) -> Resources {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waypost_core::resources::ZoneBounds;

    #[test]
    fn a_machine_of_somebodys_choice_stands_in() {
        let check = |machine: &dyn Machine, words: &str| {
            assert_eq!(machine.resources().pressure(&ZoneBounds::default()).words(), words);
        };
        let full = Resources { memory: Some(0.2), cpu: None, disk: Some(0.97) };
        check(&FixedMachine(full), "critical: disk is used to 97 %");
        check(&FixedMachine::default(), "green: nothing is known of the machine");
    }
}
