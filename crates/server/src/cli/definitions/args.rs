//! Which flags does `waypost args` have?

use std::path::PathBuf;

use clap::Args;

pub const EXAMPLES: &str = "\
The answer is one of three: `run` with arguments that hold to the tool's schema; `clarify` with one question and what can
be answered; `rephrase` where no word touches the tool. Each value says how it was found and where it stands. A value that
is not in the message, the options or the memory is a default of the schema, and says so.

Examples:
  waypost args --catalog choices --tool run_tpr_step \"go with primary\"
  waypost args --catalog choices --tool run_tpr_step --options primary,secondary,tertiary \"the second one\"
  waypost args --catalog choices --tool run_tpr_step --memory '{\"facility_level\": \"primary\"}' \"same as before\"
  waypost args --catalog choices --tool itn --session '{\"tpr_complete\": true, \"risk_complete\": true}' \"make it 200k nets\"
  waypost args --schema book_table.json --now 2027-03-04T12:00 --locale en-GB \"a table for four on Friday at eight\"
  waypost args --catalog choices \"map the rainfall\"          (the tool is chosen)
  waypost args --mentions \"two miles before 03/04/2027\"       (which values are found at all)
  waypost args --batch rows.jsonl > answers.jsonl

Exit codes: 0 all good, whatever the outcome; 1 some rows were bad; 2 the command line, the tool or the catalog is wrong.";

/// The flags of `args`.
#[derive(Debug, Args)]
pub struct ArgsFlags {
    /// The message. Without it, or as `-`, standard input is read
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,

    /// The tool whose arguments are wanted: a name, or server/name. Without it and without --schema the tool is chosen from
    /// the catalog's. With --batch: for rows that name none
    #[arg(long, value_name = "TOOL")]
    pub tool: Option<String>,

    /// A tool from a file: {"name", "description"?, "schema" or "parameters" or "input_schema"}, or the JSON Schema of its
    /// arguments alone
    #[arg(long, value_name = "FILE", conflicts_with = "tool")]
    pub schema: Option<PathBuf>,

    /// Answer every line of a file of JSON rows {"text", "tool"? name or {"name", "description", "schema"}, "options"? [..],
    /// "memory"? {slot: value}, "session"? {facts}, "columns"? [names or {"name", "aliases"}], "now"?, "history"?, "locale"?,
    /// "about"? slot}; `-` is standard input. One compact answer a line, in the same order; a bad row is answered in its place.
    /// A row without `now` is read against the clock, so that its answer is another tomorrow
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "options", "memory", "session", "environment", "columns", "history", "about"])]
    pub batch: Option<PathBuf>,

    /// The choices that the speaker sees, in their order: "the second one" means the second of them
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub options: Vec<String>,

    /// The last value of each slot, as a JSON object: "same as before" takes it
    #[arg(long, value_name = "JSON")]
    pub memory: Option<String>,

    /// A fact about where this runs; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub environment: Vec<String>,

    /// Facts of the session, which gates look at: a JSON object, or KEY=VALUE; may be repeated
    #[arg(long, value_name = "JSON|KEY=VALUE")]
    pub session: Vec<String>,

    /// The columns of the data: names with commas between them, or a JSON list of names or {"name", "aliases"}. Default: those
    /// of the catalog
    #[arg(long, value_name = "A,B,…|JSON")]
    pub columns: Option<String>,

    /// An earlier turn of the conversation, oldest first; the last is the question that the message answers
    #[arg(long, value_name = "TEXT")]
    pub history: Vec<String>,

    /// The slot that was asked for last
    #[arg(long, value_name = "SLOT")]
    pub about: Option<String>,

    /// The time on the speaker's clock, as ISO 8601: 2027-03-04T15:30, with a zone behind it where zones matter. Default: the
    /// time now, in UTC. With --batch: for rows that say none
    #[arg(long, value_name = "TIME", env = "WAYPOST_NOW")]
    pub now: Option<String>,

    /// Where the speaker is, such as en-US: 03/04 is in March there, and in April everywhere else. Without it such a day is
    /// asked about. With --batch: for rows that say none
    #[arg(long, value_name = "LOCALE")]
    pub locale: Option<String>,

    /// List every value that the message names instead: numbers, amounts, times, addresses, quotations
    #[arg(long, conflicts_with_all = ["batch", "tool", "schema"])]
    pub mentions: bool,

    #[command(flatten)]
    pub llm: super::LlmFlags,

    /// Another trained reader of arguments, as `training/reader.py` writes it.
    #[arg(long, value_name = "FILE", env = "WAYPOST_READER")]
    pub reader: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub events: super::EventFlags,
}

/// The flags of `eval args`.
#[derive(Debug, Args)]
pub struct EvalArgsFlags {
    /// Rows of one of four kinds: {"text", "tool", "expected": {slot: value}, "outcome", "options"?, "memory"?, …};
    /// {"text", "tools": [{"name", "parameters"}], "expected": [{"name", "args": {slot: [accepted]}}]};
    /// {"text", "prev_system", "tool", "expected": {slot: {"surface", "canonical"}}}; {"text", "dim", "value_raw"}
    #[arg(value_name = "FILE", required = true)]
    pub test: Vec<PathBuf>,

    /// Tools that rows name and the catalog does not have, one JSON object a line; may be repeated
    #[arg(long, value_name = "FILE")]
    pub tools: Vec<PathBuf>,

    /// Which rows count: where every second one was used for tuning, the others are for figures
    #[arg(long, alias = "lines", value_enum, default_value = "all", value_name = "ROWS")]
    pub rows: super::Rows,

    /// The time that rows without one are read against. Default: the same for every run
    #[arg(long, value_name = "TIME")]
    pub now: Option<String>,

    /// Where rows that do not say it were said, such as en-GB
    #[arg(long, value_name = "LOCALE")]
    pub locale: Option<String>,

    /// Write what was made of each row, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub predictions: Option<PathBuf>,

    /// Write the figures and every wrong run as one self-contained HTML page too
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Exit with 1 if fewer rows are wholly right
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub min: Option<f64>,

    #[command(flatten)]
    pub llm: super::LlmFlags,

    /// Another trained reader of arguments, as `training/reader.py` writes it.
    #[arg(long, value_name = "FILE", env = "WAYPOST_READER")]
    pub reader: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
