//! `waypost explain`: why that route?

use std::path::Path;

use anyhow::{Context, bail};
use waypost::retrieve::Selected;
use waypost::{Catalog, Error, Message, Router, Trace};

use super::definitions::{Asked, ExplainFlags, Format};
use super::input::StoreUse;
use super::output::Output;
use super::{Ending, batch, input};
use crate::report::{self, selection};

/// Runs the command.
pub fn run(
    catalog: Option<&str>,
    asked: &Asked<ExplainFlags>,
    output: &mut Output,
) -> anyhow::Result<Ending> {
    let router = input::surrounded(
        input::cached(input::ready(catalog)?),
        asked.data.as_deref(),
        StoreUse::Look,
        input::handshakes(asked.handshake),
    )?;
    if let Some(file) = &asked.batch {
        return batch::run(file, output, |message| traced(&router, message));
    }
    let trace = match traced(&router, &input::message(asked, router.catalog())?) {
        Ok(trace) => trace,
        Err(error) => {
            output.refuse(&error, &router, asked.json)?;
            return Ok(Ending::Refused);
        }
    };
    if asked.flags.report {
        show_report(&trace, router.catalog(), asked, output)?;
        return Ok(Ending::Good);
    }
    match &asked.flags.html {
        Some(file) if file == Path::new("-") => output.text(&report::html(&trace))?,
        Some(file) => {
            std::fs::write(file, report::html(&trace))
                .with_context(|| format!("cannot write {}", file.display()))?;
            output.remark(&format!("wrote {}", file.display()));
        }
        None if asked.json => output.json(&trace)?,
        None => output.text(&report::text(&trace, output.paint()))?,
    }
    Ok(Ending::Good)
}

/// The whole account, with the tools and passages that go with the decision.
fn traced(router: &Router, message: &Message) -> Result<Trace, Error> {
    router.trace_complete(message, Selected::ALL)
}

/// Shows who was selected and why, in the language and form asked for.
fn show_report(
    trace: &Trace,
    catalog: &Catalog,
    asked: &Asked<ExplainFlags>,
    output: &mut Output,
) -> anyhow::Result<()> {
    let lang = asked.flags.lang.unwrap_or_default();
    let Some(report) = selection::selection(trace, catalog, lang) else {
        let name = catalog.name();
        bail!(
            "the catalog {name} does not score by factors, so there is no selection to report; use --catalog specialists"
        );
    };
    let asked_json = asked.json.then_some(Format::Json);
    match asked.flags.format.or(asked_json).unwrap_or(Format::Text) {
        Format::Text => output.text(&selection::text(&report, output.paint()))?,
        Format::Markdown => output.text(&selection::markdown(&report))?,
        Format::Json => output.json(&report)?,
    }
    Ok(())
}
