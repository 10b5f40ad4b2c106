//! What does every command that decides messages take?

use std::path::PathBuf;

use clap::Args;

/// What every command that takes messages takes, and its own flags.
#[derive(Debug, Args)]
pub struct Asked<F: Args> {
    /// The message. Without it, or as `-`, standard input is read
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,

    /// Answer every line of a file of JSON rows {"text", "user"?, "session"?, "history"?, …}; `-` is standard
    /// input. One compact answer a line, in the same order; a bad row is answered in its place
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "user", "tenant", "session_id", "session", "environment", "history"])]
    pub batch: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Who says it
    #[arg(long)]
    pub user: Option<String>,

    /// Whose user that is, where several organisations share one installation
    #[arg(long)]
    pub tenant: Option<String>,

    /// The conversation it belongs to
    #[arg(long, value_name = "ID")]
    pub session_id: Option<String>,

    /// A fact of the session; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub session: Vec<String>,

    /// A fact about where this runs; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub environment: Vec<String>,

    /// An earlier turn of the conversation, oldest first; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub history: Vec<String>,

    /// The folder that history is kept in. Default: WAYPOST_HOME, else the user's folder for data
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Decide in safe mode, as `--safe-mode` in the message does: only what the catalog allows in it may be chosen
    #[arg(long, conflicts_with = "batch")]
    pub safe_mode: bool,

    /// Start the servers that the catalog names and greet each one first. Otherwise only servers at addresses that answer
    /// within 20 ms are checked
    #[arg(long)]
    pub handshake: bool,

    #[command(flatten)]
    pub flags: F,
}
