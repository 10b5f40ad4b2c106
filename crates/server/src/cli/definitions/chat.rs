//! Which flags does `waypost chat` have, and which do events have anywhere?

use std::path::PathBuf;

use clap::Args;

pub const EXAMPLES: &str = "\
A message a line. A question is answered by the next message alone: by its number, its name, in your own words, or with
\"the second one\", \"same as before\", \"go ahead\", \"never mind\". Tools are not called: a call that is complete is shown,
and remembered; what comes after it opens once its success is reported, by /done here or by `waypost outcome`. \"help\" lists
what can be asked for, and \"what does TERM mean?\" explains it; what was open stays open.

  /facts   what is known of the session      /why     how the last message was understood
  /done    the last call succeeded           /failed  the last call failed
  /forget  forget the conversation           /quit    end

Examples:
  waypost chat --catalog choices
  waypost chat --catalog choices --session ann-7 --user ann
  printf 'calculate the TPR\\nprimary\\nthe second one\\n' | waypost chat --catalog choices --json

Exit codes: 0 all good; 1 some messages could not be answered; 2 the command line or the catalog is wrong.";

pub const OUTCOME_EXAMPLES: &str = "\
A success sets the fact that the tool's flow establishes, once the flow is complete, and the facts given with --fact; what waited for them
is offered. A failure changes no fact and offers to run the call again.

Examples:
  waypost outcome ann-7 --catalog choices --tool run_tpr_step --success
  waypost outcome ann-7 --catalog shop.yaml --tool pay --success --fact paid=true
  waypost outcome ann-7 --catalog shop.yaml --tool pay --failure --json";

/// The flags of `outcome`.
#[derive(Debug, Args)]
pub struct OutcomeFlags {
    /// The conversation
    #[arg(value_name = "SESSION")]
    pub session: String,

    /// The tool that ran
    #[arg(long, value_name = "TOOL")]
    pub tool: String,

    /// It succeeded
    #[arg(long, required_unless_present = "failure", conflicts_with = "failure")]
    pub success: bool,

    /// It failed
    #[arg(long)]
    pub failure: bool,

    /// A fact that holds since; may be repeated
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "failure")]
    pub fact: Vec<String>,

    /// Who speaks in the conversation
    #[arg(long)]
    pub user: Option<String>,

    /// Whose user that is, where several organisations share one installation
    #[arg(long)]
    pub tenant: Option<String>,

    /// When it is reported, as ISO 8601. Default: the time now
    #[arg(long, value_name = "TIME", env = "WAYPOST_NOW")]
    pub now: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub kept: super::Kept,
}

/// The flags of `chat`.
#[derive(Debug, Args)]
pub struct ChatFlags {
    /// The conversation, remembered under this name until its time is over. Without it, until the end of the program
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,

    /// Who speaks: forgetting the user forgets the conversation
    #[arg(long)]
    pub user: Option<String>,

    /// Whose user that is, where several organisations share one installation
    #[arg(long)]
    pub tenant: Option<String>,

    /// The tool that every message is for: a name, or server/name. Without it the tool is chosen
    #[arg(long, value_name = "TOOL")]
    pub tool: Option<String>,

    /// A fact of the session, which gates look at; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub fact: Vec<String>,

    /// The time on the speaker's clock, as ISO 8601, for everything that looks at one. Default: the time now
    #[arg(long, value_name = "TIME", env = "WAYPOST_NOW")]
    pub now: Option<String>,

    /// Where the speaker is, such as en-US
    #[arg(long, value_name = "LOCALE")]
    pub locale: Option<String>,

    /// Print JSON, a line a turn
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub events: EventFlags,

    #[command(flatten)]
    pub llm: super::LlmFlags,

    /// Another trained reader of arguments, as `training/reader.py` writes it.
    #[arg(long, value_name = "FILE", env = "WAYPOST_READER")]
    pub reader: Option<PathBuf>,

    #[command(flatten)]
    pub kept: super::Kept,
}

/// Where events go.
#[derive(Clone, Debug, Args)]
pub struct EventFlags {
    /// Write what happened to the end of a file, a JSON object a line: choice_event, router_event, tool_event
    #[arg(long, value_name = "FILE", env = "WAYPOST_EVENTS")]
    pub events: Option<PathBuf>,

    /// Leave what the user wrote out of events, whatever the catalog says under `events`
    #[arg(long)]
    pub events_without_text: bool,
}
