//! `waypost schema`: what may a catalog say?

use super::Ending;
use super::output::Output;

/// Runs the command.
pub fn run(output: &mut Output) -> anyhow::Result<Ending> {
    output.json(&waypost::schema())?;
    Ok(Ending::Good)
}
