//! Which flags do `waypost tools`, `waypost sources` and their evaluations have?

use std::path::PathBuf;

use clap::Args;
use waypost::retrieve::sources::Filter;

use super::RerankFlags;

/// The flags of `tools`.
#[derive(Debug, Args)]
pub struct ToolsFlags {
    /// The message. Without it, or as `-`, standard input is read
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,

    /// Answer every line of a file of JSON rows {"text", "candidates"? [ids], "session"?, "latency_budget_ms"?, "instead_of"?,
    /// "failed"? [tools]}; `-` is standard input. One compact answer a line, in the same order; a bad row is answered in its
    /// place
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "session", "instead_of", "failed"])]
    pub batch: Option<PathBuf>,

    /// The tools, one JSON object a line: {"name", "description"?, "parameters"? or "input_schema"?, "id"?, "server"?, …}.
    /// Default: the tools of the catalog
    #[arg(long, value_name = "FILE")]
    pub tools: Option<PathBuf>,

    /// How many tools are answered, whether they fit or not
    #[arg(short, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub k: u16,

    /// How long a call may take: of tools that are as good as equally sure, those whose `avg_latency_ms` is more come last. A
    /// clearly better tool stays first. Cheaper and faster ones come first among equals in any case
    #[arg(long, value_name = "MS", value_parser = budget)]
    pub latency_budget: Option<f64>,

    /// The conversation this is a turn of. Its set of tools grows only at the end, so that a provider's prompt cache keeps its
    /// prefix; the answer has it under `set`, with a fingerprint. Failures are remembered too
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,

    /// A tool that failed: the best other one of its category for this message is told, or of any category where none is left.
    /// By id, by name, or as server/name
    #[arg(long, value_name = "TOOL")]
    pub instead_of: Option<String>,

    /// A tool that failed before and is not to be tried again; may be repeated
    #[arg(long, value_name = "TOOL")]
    pub failed: Vec<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub rerank: RerankFlags,

    #[command(flatten)]
    pub kept: super::Kept,
}

/// A time in milliseconds.
fn budget(written: &str) -> Result<f64, String> {
    let read = written.parse::<f64>().ok().filter(|ms| ms.is_finite() && *ms >= 0.0);
    read.ok_or_else(|| "give milliseconds, such as 500".to_owned())
}

/// How rows are judged, and where that goes.
#[derive(Debug, Args)]
pub struct JudgedFlags {
    /// Which rows count: where every second one was used for tuning, the others are for figures
    #[arg(long, value_enum, default_value = "all", value_name = "ROWS")]
    pub rows: Rows,

    /// Write what was found for each row, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub predictions: Option<PathBuf>,

    /// Write the figures, their plots and the rows that went worst as one self-contained HTML page too
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Exit with 1 if nDCG@10 is below this
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub min: Option<f64>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub rerank: RerankFlags,
}

/// The flags of `eval tools`.
#[derive(Debug, Args)]
pub struct EvalToolsFlags {
    /// The tools, one JSON object a line. Without it those of the catalog
    #[arg(long, value_name = "FILE")]
    pub tools: Option<PathBuf>,

    /// Rows {"query" or "text", "relevant": [ids], "candidates"? [ids]}; nothing relevant says that no tool serves it
    #[arg(long, value_name = "FILE", required = true)]
    pub test: Vec<PathBuf>,

    /// Choose for each row among its candidates alone, where it has some
    #[arg(long)]
    pub candidates: bool,

    #[command(flatten)]
    pub judged: JudgedFlags,
}

/// Which rows count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Rows {
    /// All of them.
    All,
    /// The first, the third and so on.
    Odd,
    /// The second, the fourth and so on.
    Even,
}

impl Rows {
    /// Those of all rows that count.
    pub fn of<T>(self, all: Vec<T>) -> impl Iterator<Item = T> {
        let (first, step) = match self {
            Rows::All => (0, 1),
            Rows::Odd => (0, 2),
            Rows::Even => (1, 2),
        };
        all.into_iter().skip(first).step_by(step)
    }
}

/// The flags of `sources`.
#[derive(Debug, Args)]
pub struct SourcesFlags {
    /// The message. Without it, or as `-`, standard input is read
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,

    /// Answer every line of a file of JSON rows {"text", "history"?, "filter"? {key: value or list}}; `-` is standard input. One
    /// compact answer a line, in the same order; a bad row is answered in its place
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "history"])]
    pub batch: Option<PathBuf>,

    /// The passages, one JSON object a line: {"id", "collection"?, "title"?, "text"}; what else a row has can be filtered by. Without
    /// it and without --index, the documents that the catalog names under `sources` are searched
    #[arg(long, value_name = "FILE", conflicts_with = "index")]
    pub docs: Option<PathBuf>,

    /// An index that `waypost index` made
    #[arg(long, value_name = "DIR")]
    pub index: Option<PathBuf>,

    /// Only passages of which this is true, as KEY=VALUE: `collection`, `file`, `format`, or what a row or the catalog says of
    /// them; a `*` at the end of the value stands for anything. Several with one key are alternatives
    #[arg(long = "filter", value_name = "KEY=VALUE")]
    pub filters: Vec<Filter>,

    /// How many passages are answered, whether they fit or not
    #[arg(short, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub k: u16,

    /// An earlier turn of the conversation, oldest first; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub history: Vec<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub rerank: RerankFlags,
}

/// The flags of `eval sources`.
#[derive(Debug, Args)]
pub struct EvalSourcesFlags {
    /// The passages, one JSON object a line. Without it and without --index, the documents that the catalog names
    #[arg(long, value_name = "FILE", conflicts_with = "index")]
    pub docs: Option<PathBuf>,

    /// An index that `waypost index` made; ids are those that `waypost sources` answers
    #[arg(long, value_name = "DIR")]
    pub index: Option<PathBuf>,

    /// Rows {"query" or "text", "relevant": [ids], "collection"?, "history"?}
    #[arg(long, value_name = "FILE")]
    pub test: PathBuf,

    /// Leave the earlier turns of each row out
    #[arg(long)]
    pub no_history: bool,

    #[command(flatten)]
    pub judged: JudgedFlags,
}
