//! Which flags does `waypost history` have?

use std::path::PathBuf;

use clap::{Args, Subcommand};
use waypost::core::history::read_instant;

/// What can be done with history.
#[derive(Debug, Subcommand)]
pub enum History {
    /// Show how a user stands: reputation, success by area and operation, the last tasks; without --user, who is known
    Show(ShowFlags),
    /// Tell how a task ended. A task counts once: told again, it changes nothing
    ///
    /// With a decision that is kept, the task's id, user, tenant, area, operation, complexity and confidence are the
    /// decision's where they are not given.
    Record(Box<RecordFlags>),
    /// Show how choices in conversations went: how many were let stand, how often was asked back, and how long it took
    Choices(ChoicesFlags),
    /// Delete everything that is known of a user or of a conversation, from the disk too
    Forget(ForgetFlags),
}

/// Where things are kept.
#[derive(Clone, Debug, Args)]
pub struct Kept {
    /// The folder things are kept in. Default: WAYPOST_HOME, else the user's folder for data
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// How long to wait for another process that holds the file, in milliseconds
    #[arg(long, value_name = "MS", default_value = "5000", value_parser = clap::value_parser!(u64).range(..=600_000))]
    pub wait_ms: u64,
}

/// The flags of `history show`.
#[derive(Debug, Args)]
pub struct ShowFlags {
    /// The user
    #[arg(long)]
    pub user: Option<String>,

    /// Whose user that is; without --user, whose users to show
    #[arg(long)]
    pub tenant: Option<String>,

    /// As of when: RFC 3339, or milliseconds since 1970. Default: now
    #[arg(long, value_name = "TIME", value_parser = read_instant)]
    pub at: Option<u64>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub kept: Kept,
}

/// The flags of `history record`.
#[derive(Debug, Args)]
pub struct RecordFlags {
    /// Tell every line of a file of JSON rows {"task_id", "user", "success", "tenant"?, "decision_id"?, "area"?,
    /// "operation"?, "complexity"?, "confidence_used"?, "execution_time_ms"?, "error_message"?, "at_ms"?}; `-` is
    /// standard input. One compact answer a line, in the same order, written once the outcome is kept; a bad row is
    /// answered in its place
    #[arg(long, value_name = "FILE", conflicts_with_all = ["user", "tenant", "task", "decision", "success", "failure", "area", "operation", "complexity", "confidence", "time_ms", "error", "at"])]
    pub batch: Option<PathBuf>,

    /// The user it was done for
    #[arg(long)]
    pub user: Option<String>,

    /// Whose user that is, where several organisations share one installation
    #[arg(long)]
    pub tenant: Option<String>,

    /// The task; the decision stands for it where it has no id of its own
    #[arg(long, value_name = "ID")]
    pub task: Option<String>,

    /// The decision that sent it where it was done: the id of the answer
    #[arg(long, value_name = "ID")]
    pub decision: Option<String>,

    /// It succeeded; this or --failure is never left out
    #[arg(long, conflicts_with = "failure")]
    pub success: bool,

    /// It failed
    #[arg(long)]
    pub failure: bool,

    /// A quality gate, and whether it was passed; may be repeated. A success counts only if all that the decision requires
    /// were passed
    #[arg(long = "gate", value_name = "NAME=true|false", value_parser = gate)]
    pub gates: Vec<(String, bool)>,

    /// The specialist that did it: the route that was taken. Default: that of the decision
    #[arg(long, value_name = "ROUTE")]
    pub specialist: Option<String>,

    /// Its area, such as backend
    #[arg(long)]
    pub area: Option<String>,

    /// Its operation, such as debugging
    #[arg(long)]
    pub operation: Option<String>,

    /// How complex it was, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub complexity: Option<f64>,

    /// The confidence it was sent with, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub confidence: Option<f64>,

    /// How long it took, in milliseconds
    #[arg(long, value_name = "MS")]
    pub time_ms: Option<u64>,

    /// Why it failed
    #[arg(long, value_name = "TEXT")]
    pub error: Option<String>,

    /// Why it failed in a word, such as timeout. Default: by the words of --error
    #[arg(long, value_name = "KIND")]
    pub error_kind: Option<String>,

    /// When it was completed: RFC 3339, or milliseconds since 1970; not more than a day ahead. Default: now
    #[arg(long, value_name = "TIME", value_parser = read_instant)]
    pub at: Option<u64>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub kept: Kept,
}

/// The flags of `history choices`.
#[derive(Debug, Args)]
pub struct ChoicesFlags {
    /// Whose conversations. Default: those of all tenants
    #[arg(long)]
    pub tenant: Option<String>,

    /// Since when: RFC 3339, or milliseconds since 1970. Default: since ever
    #[arg(long, value_name = "TIME", value_parser = read_instant)]
    pub since: Option<u64>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub kept: Kept,
}

/// The flags of `history forget`.
#[derive(Debug, Args)]
pub struct ForgetFlags {
    /// The user
    #[arg(long, required_unless_present = "session")]
    pub user: Option<String>,

    /// A conversation, in place of a user
    #[arg(long, value_name = "ID", conflicts_with = "user")]
    pub session: Option<String>,

    /// Whose user that is
    #[arg(long)]
    pub tenant: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub kept: Kept,
}

/// A quality gate as it is written.
fn gate(given: &str) -> Result<(String, bool), String> {
    let gate = given.split_once('=').and_then(|(name, passed)| Some((name.to_owned(), passed.parse().ok()?)));
    gate.ok_or_else(|| "expected NAME=true or NAME=false".to_owned())
}
