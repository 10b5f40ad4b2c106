//! Which flags does `waypost explain` have?

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::report::selection::Lang;

/// The flags of `explain`.
#[derive(Debug, Args)]
pub struct ExplainFlags {
    /// Write the page as self-contained HTML
    #[arg(long, value_name = "FILE", conflicts_with_all = ["batch", "json"])]
    pub html: Option<PathBuf>,

    /// Show the report of a selection instead: who takes it, the four factors, the threshold, alternatives, flags and
    /// risks. Needs a catalog that scores by factors, such as specialists; takes one message, not a --batch
    #[arg(long, conflicts_with_all = ["batch", "html"])]
    pub report: bool,

    /// The language of the report. Default: en
    #[arg(long, value_enum, requires = "report")]
    pub lang: Option<Lang>,

    /// The form of the report. Default: text
    #[arg(long, value_enum, requires = "report", conflicts_with = "json")]
    pub format: Option<Format>,
}

/// The forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a terminal
    Text,
    /// For a page, a ticket, a chat
    Markdown,
    /// For programs; the keys are English in every language
    Json,
}
