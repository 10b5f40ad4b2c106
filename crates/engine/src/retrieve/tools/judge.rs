//! What does the trained model make of a message? It reads tools as it reads routes: their names, descriptions and examples.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use waypost_core::catalog::tools::Tool;
use waypost_core::fewshot::{RouteTexts, log_softmax};
use waypost_core::measure::Confidence;
use waypost_core::selection::judged::Judged as Logs;
use waypost_core::signals::confidence;

use crate::Error;
use crate::encode::{CatalogTexts, FewShot, Spelling};
use crate::learn::spoken;

/// Most texts that are read: names, names with descriptions, and examples. Each takes about a millisecond, once.
const TEXTS_MAX: usize = 1_200;

/// The trained model with the texts of a pool.
pub(super) struct Judge {
    model: Arc<FewShot>,
    texts: CatalogTexts,
    spelling: Spelling,
}

/// How likely each tool is what a message asks for, and what it asks for besides; as logarithms, that of no tool last.
#[derive(Serialize, Deserialize)]
pub(super) struct Judged {
    asked: Vec<f32>,
    also: Vec<f32>,
}

impl Judged {
    /// How sure it is of the likeliest tool.
    pub(super) fn sure(&self) -> Confidence {
        let tools = self.asked.split_last().map_or(&[][..], |(_, tools)| tools);
        confidence(tools.iter().copied().fold(f32::NEG_INFINITY, f32::max).exp())
    }

    pub(super) fn logs(&self) -> Logs<'_> {
        Logs { asked: &self.asked, also: &self.also }
    }

    pub(super) fn asked(&self, tool: usize) -> f32 {
        self.asked.get(tool).copied().unwrap_or(f32::NEG_INFINITY)
    }

    /// What is made of a tool, and of none.
    pub(super) fn told(&self, tool: usize) -> [f32; 4] {
        let at = |log: Option<&f32>| log.copied().unwrap_or_default();
        [at(self.asked.get(tool)), at(self.also.get(tool)), at(self.asked.last()), at(self.also.last())]
    }
}

impl Judge {
    /// Reads the texts of a pool; nothing where there are too many.
    pub(super) fn of(tools: &[Tool]) -> Result<Option<Judge>, Error> {
        // A name is what somebody in a hurry would say: it is read as an example.
        let examples = |tool: &Tool| 1 + tool.success_examples.len();
        if tools.iter().map(|tool| 1 + examples(tool)).sum::<usize>() > TEXTS_MAX {
            return Ok(None);
        }
        let routes = RouteTexts { examples: tools.iter().map(examples).collect() };
        let of_tool = |tool: &Tool| [spoken(&tool.name)].into_iter().chain(tool.success_examples.clone());
        let mut texts: Vec<String> = tools.iter().flat_map(of_tool).collect();
        texts.extend(tools.iter().map(|tool| format!("{}: {}", spoken(&tool.name), tool.description)));
        let model = FewShot::shipped()?;
        let read = model.read_texts(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let spelling = Spelling::of(texts.iter().map(String::as_str));
        Ok(Some(Judge { texts: CatalogTexts::new(routes, &read), model, spelling }))
    }

    /// What is made of a message after the turns before it.
    pub(super) fn hear(&self, text: &str, earlier: &[&str]) -> Judged {
        let reading = self.model.read_message(text, earlier, &self.spelling);
        let judged = self.model.scoring().judge(&self.texts.compare(&reading), self.texts.routes());
        let [asked, also] = [judged.asked, judged.also].map(log_softmax);
        Judged { asked, also }
    }
}
