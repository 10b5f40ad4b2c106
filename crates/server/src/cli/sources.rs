//! `waypost sources`: which passages answer a message?

use std::path::Path;

use anyhow::bail;
use serde::{Deserialize, Serialize};
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::BuiltIn;
use waypost::ports::{elapsed_us, new_id};
use waypost::retrieve::sources::{FoundSources, Library};

use super::batch::{self, Bad, Pace};
use super::definitions::SourcesFlags;
use super::output::Output;
use super::{Ending, input, progress, rows};
use crate::report;

/// A message that asks for knowledge.
#[derive(Debug, Deserialize)]
struct Row {
    text: String,
    /// Earlier turns, oldest first.
    #[serde(default)]
    history: Vec<String>,
}

/// What is answered for one message.
#[derive(Debug, Serialize)]
struct Answer {
    version: u32,
    id: String,
    #[serde(flatten)]
    found: FoundSources,
    elapsed_us: f64,
}

/// Runs the command.
pub fn run(asked: &SourcesFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let library = open(&asked.docs)?;
    let most = usize::from(asked.k);
    if let Some(file) = &asked.batch {
        return batch::each(file, output, Pace::WhenWaiting, "one with `text`", |row| {
            let row: Row = serde_json::from_str(row).map_err(|error| Bad::unread(&error))?;
            Ok(answer(&library, &row, most))
        });
    }
    let text = input::text(&asked.text)?;
    let answer = answer(&library, &Row { text, history: asked.history.clone() }, most);
    if asked.json {
        output.json(&answer)?;
    } else {
        output.text(&report::sources(&answer.found, output.paint()))?;
    }
    Ok(Ending::Good)
}

/// The passages of a file, ready to be found.
pub fn open(file: &Path) -> anyhow::Result<Library> {
    let passages = rows::read(file, |line| serde_json::from_str(line))?;
    if passages.is_empty() {
        bail!("{} has no passages; give one JSON object a line, each with an id and a text", file.display());
    }
    let waiting = progress::waiting(&format!("reading {} passages…", passages.len()));
    let library = Library::new(passages, BuiltIn::shipped()?)?;
    waiting.finish_and_clear();
    Ok(library)
}

fn answer(library: &Library, row: &Row, most: usize) -> Answer {
    let begun = std::time::Instant::now();
    let found = library.find(&row.text, &row.history, most);
    Answer { version: CONTRACT_VERSION, id: new_id(), found, elapsed_us: elapsed_us(begun) }
}
