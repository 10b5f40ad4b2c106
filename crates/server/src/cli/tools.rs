//! `waypost tools`: which tools serve a message?

use std::path::Path;

use anyhow::bail;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use waypost::core::catalog::tools::Tool;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::BuiltIn;
use waypost::ports::{elapsed_us, new_id};
use waypost::retrieve::tools::{Asked, Found, Toolbox};
use waypost::{Error, Router};

use super::batch::{self, Bad, Pace};
use super::definitions::ToolsFlags;
use super::output::Output;
use super::rerank::Reranker;
use super::{Ending, input, progress, rows};
use crate::report;

/// A message that asks for tools.
#[derive(Debug, Deserialize)]
struct Row {
    text: String,
    /// Tools that alone can be chosen, by id.
    #[serde(default)]
    candidates: Vec<String>,
}

/// What is answered for one message.
#[derive(Debug, Serialize)]
struct Answer {
    version: u32,
    id: String,
    #[serde(flatten)]
    found: Found,
    /// Who re-ranked it, where somebody did.
    #[serde(skip_serializing_if = "Option::is_none")]
    reranked_by: Option<String>,
    /// What did not go as it should.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    elapsed_us: f64,
}

/// What answers.
struct Searched {
    toolbox: Toolbox,
    /// Tells what kind of data a message holds.
    router: Option<Router>,
    reranker: Reranker,
    /// How many tools are wanted.
    most: usize,
}

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &ToolsFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let reranker = Reranker::chosen(&asked.rerank)?;
    let (toolbox, router) = match &asked.tools {
        Some(file) => (open(file)?, None),
        None => of_catalog(catalog).map(|(toolbox, router)| (toolbox, Some(router)))?,
    };
    let searched = Searched { toolbox, router, reranker, most: usize::from(asked.k) };
    if let Some(file) = &asked.batch {
        return batch::each(file, output, Pace::WhenWaiting, "one with `text`", |row| {
            let row: Row = serde_json::from_str(row).map_err(|error| Bad::unread(&error))?;
            searched.answer(&row).map_err(|error| Bad::new(error.code(), error.to_string()))
        });
    }
    let text = input::text(&asked.text)?;
    let answer = searched.answer(&Row { text, candidates: Vec::new() })?;
    if asked.json {
        output.json(&answer)?;
    } else {
        output.remarks(&answer.notes);
        output.text(&report::tools(&answer.found, output.paint()))?;
    }
    Ok(Ending::Good)
}

/// The tools of a file, ready to be found.
pub fn open(file: &Path) -> anyhow::Result<Toolbox> {
    let read = |line: &str| Tool::from_row(&serde_json::from_str(line)?).map_err(serde_json::Error::custom);
    let tools = rows::read(file, read)?;
    if tools.is_empty() {
        bail!("{} has no tools; give one JSON object a line, each with a name", file.display());
    }
    reading(tools.len(), || Toolbox::new(tools, BuiltIn::shipped()?))
}

/// The tools of a catalog, ready to be found, and the router that tells what kind of data a message holds.
fn of_catalog(catalog: Option<&str>) -> anyhow::Result<(Toolbox, Router)> {
    let router = input::router(catalog)?;
    let count = router.catalog().tools().len();
    if count == 0 {
        bail!(
            "the catalog {} has no tools; write them under `tools`, import them with `waypost import`, or give a file with --tools",
            router.catalog().name()
        );
    }
    let toolbox = reading(count, || Toolbox::of(router.catalog(), BuiltIn::shipped()?))?;
    Ok((toolbox, router))
}

fn reading(count: usize, read: impl FnOnce() -> Result<Toolbox, Error>) -> anyhow::Result<Toolbox> {
    let waiting = progress::waiting(&format!("reading {count} tools…"));
    let toolbox = read();
    waiting.finish_and_clear();
    Ok(toolbox?)
}

impl Searched {
    fn answer(&self, row: &Row) -> Result<Answer, Error> {
        let begun = std::time::Instant::now();
        let among = (!row.candidates.is_empty()).then_some(row.candidates.as_slice());
        let sensitivity =
            self.router.as_ref().map(|router| router.sensitivity(&row.text)).transpose()?.flatten();
        let asked = Asked { text: &row.text, most: self.most, among, sensitivity: sensitivity.as_deref() };
        let (found, note) = self.reranker.tools(&self.toolbox, &asked);
        let reranked_by = self.reranker.id().filter(|_| note.is_none());
        let (version, id, notes) = (CONTRACT_VERSION, new_id(), note.into_iter().collect());
        Ok(Answer { version, id, found, reranked_by, notes, elapsed_us: elapsed_us(begun) })
    }
}
