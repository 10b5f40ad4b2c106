//! `waypost suggest`: which example should be added next?

use std::path::Path;

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::json;
use waypost::core::catalog::Catalog;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::learn::{Advice, Advisor, Cache};

use super::definitions::SuggestFlags;
use super::output::Output;
use super::{Ending, input, progress, rows};
use crate::report;

/// Lines of each kind of advice where it comes beside something else.
const BESIDE_LINES_MAX: usize = 5;

/// A row of a file of logged messages; what else it says does not matter here.
#[derive(Deserialize)]
struct Logged {
    text: String,
}

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &SuggestFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let router = input::router(catalog)?;
    let waiting = progress::waiting("reading the catalog");
    let advisor = Advisor::of(router.catalog(), &Cache::of_user())?;
    waiting.finish_and_clear();
    let Some(advisor) = advisor else {
        bail!(
            "there is nothing to suggest: the catalog has no examples and no descriptions, too many of them, or no encoder that reads them"
        );
    };
    match &asked.file {
        Some(file) => {
            let logged = read(file)?;
            let waiting = progress::waiting(&format!("reading {} messages", logged.len()));
            let suggestions = advisor.suggestions(&logged, asked.count);
            waiting.finish_and_clear();
            if asked.json {
                output.json(&json!({ "version": CONTRACT_VERSION, "messages": logged.len(), "suggestions": suggestions }))?;
            } else {
                output.text(&report::suggestions(&suggestions, logged.len(), output.paint()))?;
            }
        }
        None => {
            let waiting = progress::waiting("comparing each example with the others");
            let advice = advisor.advice();
            waiting.finish_and_clear();
            if asked.json {
                output.json(&json!({ "version": CONTRACT_VERSION, "advice": advice }))?;
            } else {
                output.text(&whole(&advice, asked.count, output))?;
            }
        }
    }
    Ok(Ending::Good)
}

/// What is missing, with a word where nothing is, and how to go on.
fn whole(advice: &Advice, lines_max: usize, output: &Output) -> String {
    let shown = report::advice(advice, lines_max, output.paint());
    let mut shown = if shown.is_empty() {
        "The routes are told apart well, each by five examples or more.\n".to_owned()
    } else {
        shown.trim_start().to_owned()
    };
    if advice.no_near_misses {
        shown += "\nNo message is taught that belongs to none of the routes. `not_examples` of a route take near misses.\n";
    }
    shown + "\nWith a file of logged messages, `waypost suggest FILE` says which of them to add.\n"
}

/// Messages of a log: one JSON object {"text"} a line, or plain lines.
fn read(file: &Path) -> anyhow::Result<Vec<String>> {
    let texts = rows::read(file, |line| {
        if line.trim_start().starts_with('{') {
            serde_json::from_str::<Logged>(line).map(|row| row.text)
        } else {
            Ok(line.to_owned())
        }
    })?;
    if texts.is_empty() {
        bail!("{} contains no messages", file.display());
    }
    Ok(texts)
}

/// What would make a catalog easier to decide by; nothing where nothing can be said of it.
pub(super) fn advice_on(catalog: &Catalog) -> anyhow::Result<Option<Advice>> {
    let waiting = progress::waiting("comparing each example with the others");
    let advisor = Advisor::of(catalog, &Cache::of_user()).context("the catalog cannot be judged")?;
    let advice = advisor.map(|advisor| advisor.advice());
    waiting.finish_and_clear();
    Ok(advice)
}

/// The same in a few lines, to stand below something else.
pub(super) fn beside(advice: Option<&Advice>, output: &Output) -> String {
    advice.map_or_else(String::new, |advice| report::advice(advice, BESIDE_LINES_MAX, output.paint()))
}
