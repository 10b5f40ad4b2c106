//! The flags that say what a decision carries beside its route.

use clap::Args;

/// What is selected beside the route.
#[derive(Debug, Args)]
pub struct SelectionFlags {
    /// Leave out what a decision carries beside the route: tools, sources, or both
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_enum)]
    pub without: Vec<Part>,
}

/// A part of a decision beside its route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// The tools
    Tools,
    /// The passages
    Sources,
}

impl SelectionFlags {
    /// What is selected.
    pub fn selected(&self) -> waypost::retrieve::Selected {
        let with = |part: Part| !self.without.contains(&part);
        waypost::retrieve::Selected { tools: with(Part::Tools), sources: with(Part::Sources) }
    }
}
