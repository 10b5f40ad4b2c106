//! `waypost explain`: why that route?

use std::path::Path;

use anyhow::Context;

use super::definitions::{Asked, ExplainFlags};
use super::output::Output;
use super::{Ending, batch, input};
use crate::report;

/// Runs the command.
pub fn run(
    catalog: Option<&str>,
    asked: &Asked<ExplainFlags>,
    output: &mut Output,
) -> anyhow::Result<Ending> {
    let router = input::ready(catalog)?;
    if let Some(file) = &asked.batch {
        return batch::run(file, output, |message| router.trace(message));
    }
    let trace = match router.trace(&input::message(asked)?) {
        Ok(trace) => trace,
        Err(error) => {
            output.refuse(&error, &router, asked.json)?;
            return Ok(Ending::SomeBad);
        }
    };
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
