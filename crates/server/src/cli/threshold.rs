//! `waypost threshold`: how sure must a decision be, for this user, task and machine?

use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use serde_json::Value;
use waypost::core::measure::Points;
use waypost::core::threshold::{Adjusted, Selection, State, adjust, select};
use waypost::core::trace::{CONTRACT_VERSION, CatalogRef};
use waypost::learn::Cache;
use waypost::ports::new_id;
use waypost::{Catalog, Router};

use super::batch::{self, Bad, Pace};
use super::definitions::ThresholdFlags;
use super::output::Output;
use super::{Ending, input};
use crate::report;

/// The shipped catalog whose rules hold where nobody names another.
const CATALOG_DEFAULT: &str = "specialists";

/// What is answered for one state.
#[derive(Debug, Serialize)]
struct Answer {
    version: u32,
    id: String,
    catalog: CatalogRef,
    #[serde(flatten)]
    adjusted: Adjusted,
    /// Who takes the task; null where the state has no confidence.
    selection: Option<Selection>,
    /// How much confidence is missing for a specialist; null where nothing is.
    gap: Option<Points>,
    /// What was passed over in the state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &ThresholdFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let router = open(catalog)?;
    if let Some(file) = &asked.batch {
        return batch::each(file, output, Pace::WhenWaiting, "a state such as {\"user\": {…}}", |row| {
            let json = serde_json::from_str(row).map_err(|error| Bad::unread(&error))?;
            answer(router.catalog(), &json).map_err(|error| Bad::new("bad_row", error.to_string()))
        });
    }
    let text = match asked.state.as_deref() {
        None | Some("-") => input::standard_input(asked.state.is_none(), "state")?,
        Some(state) => state.to_owned(),
    };
    let json = serde_json::from_str(&text).context("the state is not JSON")?;
    let answer = answer(router.catalog(), &json)?;
    if asked.json {
        output.json(&answer)?;
    } else {
        let taken = answer.selection.map(|selection| (selection, answer.gap));
        output.text(&report::adjusted(&answer.adjusted, taken, &answer.notes, output.paint()))?;
    }
    Ok(Ending::Good)
}

/// The catalog asked for; else the one here, if it has rules; else the shipped one that does.
fn open(asked_for: Option<&str>) -> anyhow::Result<Router> {
    let cache = Cache::none();
    if let Some(name) = asked_for.filter(|name| !name.is_empty()) {
        return Ok(Router::open(name, &cache)?);
    }
    if Path::new(Router::CATALOG_FILE).is_file() {
        let router = Router::open(Router::CATALOG_FILE, &cache)?;
        if !router.catalog().thresholds().rules.is_empty() {
            return Ok(router);
        }
    }
    Ok(Router::open(CATALOG_DEFAULT, &cache)?)
}

fn answer(catalog: &Catalog, json: &Value) -> anyhow::Result<Answer> {
    let (mut state, notes) = State::read(json)?;
    state.zones = catalog.precautions().bounds;
    let thresholds = catalog.thresholds();
    let adjusted = adjust(thresholds, &state);
    let taken = state.base_confidence.map(|sure| select(thresholds, adjusted.threshold, sure));
    Ok(Answer {
        version: CONTRACT_VERSION,
        id: new_id(),
        catalog: CatalogRef { name: catalog.name().to_owned(), hash: catalog.hash().to_owned() },
        adjusted,
        selection: taken.map(|(selection, _)| selection),
        gap: taken.and_then(|(_, gap)| gap),
        notes,
    })
}
