//! Which flags does `waypost eval` have?

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Kept;

/// What can be measured.
#[derive(Debug, Subcommand)]
pub enum Evaluated {
    /// How well routes are told apart: the catalog by --test, its examples by --train and --test, or each example of the
    /// catalog by the others
    Routes(EvalRoutesFlags),
    /// How well decisions are made over many small catalogs, each with messages of its own: by kind of message, number of examples and
    /// number of routes
    Catalogs(EvalCatalogsFlags),
    /// How well kinds of request are told apart: the catalog by --test, or each of its labelled messages by the others
    Context(EvalContextFlags),
    /// How well tools are found: nDCG, recall, what nothing serves, and how long it takes
    Tools(super::EvalToolsFlags),
    /// How well passages are found: nDCG, recall, the right collection, and how long it takes
    Sources(super::EvalSourcesFlags),
    /// How well the arguments of tools are filled: wholly right, value by value, wrong runs, what follows, and how long it takes
    Args(super::EvalArgsFlags),
    /// How well calls are filled over many tools, each with messages of its own: whole calls, values by kind, empty slots, wrong runs
    Calls(EvalCallsFlags),
    /// Whether conversations end as intended: the calls they make, and what is open at the end
    Conversations(EvalConversationsFlags),
    /// Whether sure decisions ended better than unsure ones: those kept by `route --record` whose outcomes were told
    Outcomes(EvalOutcomesFlags),
}

/// The flags of `eval calls`.
#[derive(Debug, Args)]
pub struct EvalCallsFlags {
    /// Tools with their messages, one JSON object per line: {"tool": {"name", "description", "parameters"}, "rows": [{"text": "2 red ones",
    /// "act": "request", "values": {"count": {"value": 2}, "color": {"value": "red"}}}]}. `act` is request, question, hypothetical, past, reference or
    /// other. Also: "history": [earlier turns], "not": [{"why": "conditional"}] (or wrong_unit, out_of_bounds: must be asked about), "more": [values of
    /// further calls], "ask": true or false for a trap, which must not run. May be repeated
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// The time at which all messages are said, as ISO 8601
    #[arg(long, value_name = "TIME", default_value = waypost::eval::CALLS_NOW)]
    pub now: String,

    /// The share of all messages that may be run with a wrong argument, as `arguments.max_wrong` of a catalog. Default 0.01
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub max_wrong: Option<f64>,

    /// Another trained reader of arguments, as `training/reader.py` writes it
    #[arg(long, value_name = "FILE", env = "WAYPOST_READER")]
    pub reader: Option<PathBuf>,

    /// Write what was made of each message, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub predictions: Option<PathBuf>,

    /// Exit with 1 if the share of whole calls right is below SHARE
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub min: Option<f64>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags of `eval conversations`.
#[derive(Debug, Args)]
pub struct EvalConversationsFlags {
    /// Conversations over the catalog, one JSON object per line: {"turns": ["book a room", {"done": "pay", "facts": {"paid": true}}, {"failed": "pay"}],
    /// "calls": [{"tool", "args"}], "end": {"call": true} or {"ask": slot}, {"gate": name}, {"idle": true}, {"help": true}, {"says": words}, {"offer": tool}}.
    /// May be repeated
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// The time at which all messages are said, as ISO 8601
    #[arg(long, value_name = "TIME", default_value = waypost::eval::CALLS_NOW)]
    pub now: String,

    /// Write what was made of each conversation, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub predictions: Option<PathBuf>,

    /// Exit with 1 if the share of conversations that end as intended is below SHARE
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub min: Option<f64>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags of `eval context`.
#[derive(Debug, Args)]
pub struct EvalContextFlags {
    /// Rows {"text", "intent"?, "domain"?, … a label for each layer, "route"?, "entities"? [{"text", "kind"}]}; a key or
    /// label that the catalog does not have is an error
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,

    /// Write what was made of each row, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub predictions: Option<PathBuf>,

    /// Exit with 1 if the accuracy of any layer is below this, or none was judged
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub min: Option<f64>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags of `eval routes`.
#[derive(Debug, Args)]
pub struct EvalRoutesFlags {
    /// Rows {"text", "label"} to learn from
    #[arg(long, value_name = "FILE", requires = "test")]
    pub train: Option<PathBuf>,

    /// Rows {"text", "label", "history"?} to be judged by; an empty label or null says that the message needs no route. Without --train the
    /// catalog is judged as it is, with its rules
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,

    /// Rows {"text"} that belong to no route
    #[arg(long, value_name = "FILE")]
    pub oos: Option<PathBuf>,

    /// Write what was made of each row, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub predictions: Option<PathBuf>,

    /// What reads the messages in place of the built-in encoder: the name or folder of a sentence transformer, the URL of
    /// an embeddings endpoint (`#tei` at its end for that interface), a model file of our own; `none` reads letters and
    /// words alone
    #[arg(long, value_name = "MODEL|URL|FILE")]
    pub encoder: Option<String>,

    /// Which tier of the built-in encoder reads the messages. Default: full, as `route` asks it; with --encoder, summed
    #[arg(long, value_enum)]
    pub tier: Option<Tier>,

    /// Act on what was learned only where it is right so often, such as 0.98; what is then acted on is the coverage
    #[arg(long, value_name = "SHARE", value_parser = super::precision)]
    pub target_precision: Option<f64>,

    /// Predictions of an earlier run over the same rows; exit with 1 if this one is worse by more than chance
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write the figures and their plots as one self-contained HTML page too
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Exit with 1 if the accuracy is below this
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub min: Option<f64>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags of `eval catalogs`.
#[derive(Debug, Args)]
pub struct EvalCatalogsFlags {
    /// Files of catalogs, one per line: {"catalog", "routes": [{"name", "description", "examples"}], "messages": [{"text", "route" or
    /// null, "group", "also"?, "denied"?, "history"?, "continues"?}]}
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Use at most so many examples per route
    #[arg(long, value_name = "N")]
    pub examples: Option<usize>,

    /// Act only where decisions are right so often, such as 0.95 (`thresholds.target_precision` of every catalog)
    #[arg(long, value_name = "SHARE", value_parser = super::precision)]
    pub target_precision: Option<f64>,

    /// Write what was decided for each message, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub predictions: Option<PathBuf>,

    /// Exit with 1 if fewer decisions than this are right
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub min: Option<f64>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags of `eval outcomes`.
#[derive(Debug, Args)]
pub struct EvalOutcomesFlags {
    /// Exit with 1 if the correlation of confidence with success is below this, or there is none yet
    #[arg(long, value_name = "CORRELATION", allow_hyphen_values = true, value_parser = super::correlation)]
    pub min: Option<f64>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub kept: Kept,
}

impl EvalRoutesFlags {
    /// The tier that reads the messages: that which `route` asks, unless another is wanted or another encoder takes its place.
    pub fn tier(&self) -> Tier {
        self.tier.unwrap_or(if self.encoder.is_some() { Tier::Summed } else { Tier::Full })
    }
}

/// The tiers of the encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tier {
    /// Vectors of word pieces and pairs, summed: tens of microseconds
    Summed,
    /// Attention layers over the same vectors: hundreds of microseconds
    Deep,
    /// The first, and where it is not sure the second too
    Climb,
    /// Both, and the full model as `route` asks it: milliseconds
    Full,
}
