//! `waypost eval outcomes`: did sure decisions end better than unsure ones?

use serde_json::json;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::eval::judge_outcomes;
use waypost::store::Store;

use super::Ending;
use super::definitions::EvalOutcomesFlags;
use super::history::look;
use super::output::Output;
use crate::report;

/// Runs the command.
pub fn run(asked: &EvalOutcomesFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let figures = judge_outcomes(&look(&asked.kept)?.outcomes()?);
    if asked.json {
        output.json(&json!({ "version": CONTRACT_VERSION, "outcomes": figures }))?;
    } else {
        output.text(&report::outcome_figures(&figures, output.paint()))?;
    }
    // Where nothing can be said, nothing was reached either.
    let missed = asked.min.and_then(|least| match figures.correlation {
        None => Some(format!("there is no correlation to hold against the {least} asked for")),
        Some(correlation) if correlation < least => {
            Some(format!("the correlation is below the {least} asked for"))
        }
        Some(_) => None,
    });
    output.remarks(&missed);
    Ok(if missed.is_some() { Ending::SomeBad } else { Ending::Good })
}
