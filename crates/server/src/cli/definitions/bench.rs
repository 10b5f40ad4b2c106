//! Which flags does `waypost bench` have?

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// The flags of `bench`.
#[derive(Debug, Args)]
pub struct BenchFlags {
    /// What is measured in place of plain decisions
    #[command(subcommand)]
    pub what: Option<Benched>,

    /// Rows {"text"} to decide. Default: the catalog's own examples and ordinary messages, else those
    /// that teach it kinds of request
    #[arg(long, value_name = "FILE")]
    pub messages: Option<PathBuf>,

    /// How long to measure, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub seconds: u64,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What can be measured besides.
#[derive(Debug, Subcommand)]
pub enum Benched {
    /// How often messages that repeat, as they do in traffic, are found in the caches, and how fast, layer by layer
    Cache(BenchCacheFlags),
    /// How searching for tools and passages grows with how many there are: time, memory, and what the quick scan misses
    #[command(after_help = RETRIEVAL_EXAMPLES)]
    Retrieval(BenchRetrievalFlags),
    /// How fast the arguments of a tool of six are filled, over messages from one word to a whole order
    Args(BenchArgsFlags),
}

const RETRIEVAL_EXAMPLES: &str = "\
Rows from all over the file are the questions, by their first twelve words. The others are the
tools, vectors and passages that are searched, as many as each size says. Recall holds the ten
nearest vectors of the scan against the ten nearest of all, in full precision.

Examples:
  scripts/texts > texts.jsonl
  waypost bench retrieval --texts texts.jsonl --svg growth.svg
  waypost bench retrieval --texts texts.jsonl --sizes 1000,100000 --what vectors,passages";

/// The flags of `bench retrieval`.
#[derive(Debug, Args)]
pub struct BenchRetrievalFlags {
    /// Rows {"title", "text"} to search: real text, as random text is easier. `scripts/texts` of the source gathers what a
    /// machine has
    #[arg(long, value_name = "FILE")]
    pub texts: PathBuf,

    /// How many are searched. What there are not enough rows for is measured with all there are
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1000,10000,100000,1000000", value_parser = clap::value_parser!(u32).range(1..))]
    pub sizes: Vec<u32>,

    /// What is measured
    #[arg(
        long,
        value_name = "WHAT,…",
        value_delimiter = ',',
        value_enum,
        default_value = "tools,vectors,passages"
    )]
    pub what: Vec<Searched>,

    /// How many questions are asked of each
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub questions: u32,

    /// Candidates that the scan of vectors takes for each one wanted: more miss less and take longer
    #[arg(long, value_name = "N", default_value_t = u16::try_from(waypost::retrieve::growth::Scans::OVERSAMPLE).unwrap_or(u16::MAX), value_parser = clap::value_parser!(u16).range(1..))]
    pub oversample: u16,

    /// Draw cost against size into a file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What can be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Searched {
    /// Tools, as `waypost tools` does: 100,000 at most
    Tools,
    /// Vectors alone: one bit a dimension, then eight, from a mapped file
    Vectors,
    /// An index of passages, as `waypost index` makes it, and how fast it is made
    Passages,
}

/// The flags of `bench cache`.
#[derive(Debug, Args)]
pub struct BenchCacheFlags {
    /// Rows {"text"} to repeat, the likeliest first. Default: the messages that `bench` takes, reworded
    #[arg(long, value_name = "FILE")]
    pub messages: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags of `bench args`.
#[derive(Debug, Args)]
pub struct BenchArgsFlags {
    /// How long to measure, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub seconds: u64,

    /// Answer every message so often instead, so that instructions can be counted: the work is the same in every run
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u16).range(1..))]
    pub rounds: Option<u16>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
