//! `waypost tools`: which tools serve a message?

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use waypost::core::catalog::tools::Tool;
use waypost::core::history::ToolFigures;
use waypost::core::message;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::BuiltIn;
use waypost::ports::{elapsed_us, new_id};
use waypost::retrieve::tools::{Alternate, Asked, Failures, Found, OfferedSet, Toolbox, Turn};
use waypost::store::{Sqlite, Store, StoreError};
use waypost::{Error, Router};

use super::batch::{self, Bad, Pace};
use super::definitions::{Kept, ToolsFlags};
use super::output::Output;
use super::rerank::Reranker;
use super::{Ending, history, input, progress, rows};
use crate::report;

/// A message that asks for tools.
#[derive(Debug, Default, Deserialize)]
struct Row {
    text: String,
    /// What was said before it, oldest first.
    #[serde(default)]
    history: Vec<message::Turn>,
    /// Tools that alone can be chosen, by id.
    #[serde(default)]
    candidates: Vec<String>,
    /// The conversation it is a turn of.
    #[serde(default)]
    session: Option<String>,
    /// How long a call may take.
    #[serde(default)]
    latency_budget_ms: Option<f64>,
    /// A tool that failed, and wants another.
    #[serde(default)]
    instead_of: Option<String>,
    /// Tools that failed before.
    #[serde(default)]
    failed: Vec<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    alternate: Option<Alternate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    set: Option<OfferedSet>,
    elapsed_us: f64,
}

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &ToolsFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let reranker = Reranker::chosen(&asked.rerank)?;
    let (toolbox, router) = match &asked.tools {
        // A catalog that is named holds its word on safety over tools from elsewhere too.
        Some(file) if catalog.is_some() => {
            let router = input::router(catalog)?;
            (open(file)?.under(router.catalog()), Some(router))
        }
        Some(file) => (open(file)?, None),
        None => of_catalog(catalog).map(|(toolbox, router)| (toolbox, Some(router)))?,
    };
    let caches = input::caches();
    let toolbox = toolbox.with_caches(caches.clone());
    let router = router.map(|router| input::looking_up(router, caches));
    let most = usize::from(asked.k);
    let kept = asked.kept.clone();
    let measured = history::look_if_any(&kept);
    let desk = Desk { toolbox, router, reranker, most, kept, store: OnceCell::new(), measured };
    if let Some(file) = &asked.batch {
        return batch::each(file, output, Pace::WhenWaiting, "one with `text`", |row| {
            let mut row: Row = serde_json::from_str(row).map_err(|error| Bad::unread(&error))?;
            row.latency_budget_ms = row.latency_budget_ms.or(asked.latency_budget);
            desk.answer(&row)
        });
    }
    let row = Row {
        history: Vec::new(),
        text: input::text(&asked.text)?,
        candidates: Vec::new(),
        session: asked.session.clone(),
        latency_budget_ms: asked.latency_budget,
        instead_of: asked.instead_of.clone(),
        failed: asked.failed.clone(),
    };
    let answer = desk.answer(&row).map_err(Bad::alone)?;
    if asked.json {
        output.json(&answer)?;
    } else {
        output.remarks(&answer.notes);
        let (alternate, set) = (answer.alternate.as_ref(), answer.set.as_ref());
        output.text(&report::tools(&answer.found, alternate, set, output.paint()))?;
    }
    Ok(Ending::Good)
}

/// What answers are made with.
struct Desk {
    toolbox: Toolbox,
    /// Tells what kind of data a message holds.
    router: Option<Router>,
    reranker: Reranker,
    /// How many tools are wanted.
    most: usize,
    kept: Kept,
    /// What conversations were offered; opened when the first of them is asked for.
    store: OnceCell<Sqlite>,
    /// Where measured latencies and error rates are, if anything is kept at all.
    measured: Option<Result<Sqlite, StoreError>>,
}

impl Desk {
    fn answer(&self, row: &Row) -> Result<Answer, Bad> {
        let begun = std::time::Instant::now();
        input::bounded(&row.text).map_err(|why| Bad::new("message_too_long", why))?;
        if row.latency_budget_ms.is_some_and(|ms| !ms.is_finite() || ms < 0.0) {
            return Err(Bad::new("bad_row", "`latency_budget_ms` is a time in milliseconds".to_owned()));
        }
        let among = (!row.candidates.is_empty()).then_some(row.candidates.as_slice());
        let sensitivity = self.router.as_ref().map(|router| router.sensitivity(&row.text)).transpose();
        let sensitivity = sensitivity.map_err(|error| Bad::new(error.code(), error.to_string()))?.flatten();
        let which = |name: &String| {
            self.toolbox.named(name).map_err(|error| Bad::new(error.code(), error.to_string()))
        };
        let instead_of = row.instead_of.as_ref().map(which).transpose()?;
        let failed = row.failed.iter().map(which).collect::<Result<Vec<usize>, Bad>>()?;
        let gone: Vec<usize> = failed.iter().copied().chain(instead_of).collect();
        let earlier: Vec<&str> = row.history.iter().map(message::Turn::text).collect();
        let (measured, unmeasured) = self.measured();
        let asked = Asked {
            measured: Some(&measured),
            text: &row.text,
            earlier: &earlier,
            failed: &gone,
            most: self.most,
            among,
            sensitivity: sensitivity.as_deref(),
            session: row.session.as_deref(),
            latency_budget_ms: row.latency_budget_ms,
        };
        let (found, note) = self.reranker.tools(&self.toolbox, &asked);
        let reranked_by = self.reranker.id().filter(|_| note.is_none());
        let failures = Failures { instead_of, failed };
        let (alternate, set) = match row.session.as_deref().filter(|session| !session.is_empty()) {
            Some(session) => {
                let turn = self.turn(session, &asked, &found, &failures);
                let Turn { alternate, set } =
                    turn.map_err(|error| Bad::new(error.code(), error.to_string()))?;
                (alternate, Some(set))
            }
            None => (self.toolbox.instead(&asked, &failures, &[]), None),
        };
        let (version, id, notes) = (CONTRACT_VERSION, new_id(), note.into_iter().chain(unmeasured).collect());
        Ok(Answer { version, id, found, reranked_by, notes, alternate, set, elapsed_us: elapsed_us(begun) })
    }

    /// What is measured of tools, or why that is not known.
    fn measured(&self) -> (BTreeMap<String, ToolFigures>, Option<String>) {
        let read = match &self.measured {
            None => return (BTreeMap::new(), None),
            Some(Ok(store)) => store.tool_figures().map_err(|error| error.to_string()),
            Some(Err(error)) => Err(error.to_string()),
        };
        read.map_or_else(
            |error| (BTreeMap::new(), Some(format!("{error}; tools are as the catalog says"))),
            |known| (known, None),
        )
    }

    fn turn(
        &self,
        session: &str,
        asked: &Asked<'_>,
        found: &Found,
        failures: &Failures,
    ) -> Result<Turn, StoreError> {
        let store = match self.store.get() {
            Some(store) => store,
            None => {
                let opened = history::open(&self.kept)?;
                self.store.get_or_init(|| opened)
            }
        };
        self.toolbox.turn(store, (None, session), asked, found, failures)
    }
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
pub fn of_catalog(catalog: Option<&str>) -> anyhow::Result<(Toolbox, Router)> {
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
