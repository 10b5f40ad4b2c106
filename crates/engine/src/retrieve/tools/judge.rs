//! What does the trained model make of a message? It reads tools as it reads routes: their names, descriptions and examples.

use serde::{Deserialize, Serialize};
use waypost_core::catalog::tools::Tool;
use waypost_core::measure::Confidence;
use waypost_core::selection::judged::Judged as Logs;
use waypost_core::signals::confidence;

use crate::Error;
use crate::learn::{Described, DescribedLogs, DescribedTexts, spoken};

/// Most texts that are read: names, names with descriptions, and examples. Each takes about a millisecond, once.
const TEXTS_MAX: usize = 1_200;

/// The trained model with the texts of a pool.
pub(super) struct Judge(DescribedTexts);

/// How likely each tool is what a message asks for, and what it asks for besides; as logarithms, that of no tool last.
#[derive(Serialize, Deserialize)]
pub(super) struct Judged(DescribedLogs);

impl Judged {
    /// How sure it is of the likeliest tool.
    pub(super) fn sure(&self) -> Confidence {
        let tools = self.0.asked.split_last().map_or(&[][..], |(_, tools)| tools);
        confidence(tools.iter().copied().fold(f32::NEG_INFINITY, f32::max).exp())
    }

    pub(super) fn logs(&self) -> Logs<'_> {
        Logs { asked: &self.0.asked, also: &self.0.also }
    }

    pub(super) fn asked(&self, tool: usize) -> f32 {
        self.0.asked.get(tool).copied().unwrap_or(f32::NEG_INFINITY)
    }

    /// What is made of a tool, and of none.
    pub(super) fn told(&self, tool: usize) -> [f32; 4] {
        let at = |log: Option<&f32>| log.copied().unwrap_or_default();
        let DescribedLogs { asked, also } = &self.0;
        [at(asked.get(tool)), at(also.get(tool)), at(asked.last()), at(also.last())]
    }
}

impl Judge {
    /// Reads the texts of a pool; nothing where there are too many.
    pub(super) fn of(tools: &[Tool]) -> Result<Option<Judge>, Error> {
        // A name is what somebody in a hurry would say: it is read as an example.
        let described = |tool: &Tool| Described {
            examples: [spoken(&tool.name)].into_iter().chain(tool.success_examples.clone()).collect(),
            description: format!("{}: {}", spoken(&tool.name), tool.description),
        };
        let things: Vec<Described> = tools.iter().map(described).collect();
        if things.iter().map(|thing| 1 + thing.examples.len()).sum::<usize>() > TEXTS_MAX {
            return Ok(None);
        }
        Ok(Some(Judge(DescribedTexts::read(&things)?)))
    }

    /// What is made of a message after the turns before it.
    pub(super) fn hear(&self, text: &str, earlier: &[&str]) -> Judged {
        Judged(self.0.hear(text, earlier))
    }
}
