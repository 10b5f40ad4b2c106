//! `waypost schema`: what may a catalog say?

use super::Ending;
use super::output::Output;

/// Runs the command.
pub fn run(markdown: bool, output: &mut Output) -> anyhow::Result<Ending> {
    if markdown {
        output.text(&waypost::core::catalog::reference())?;
    } else {
        output.json(&waypost::core::catalog::schema())?;
    }
    Ok(Ending::Good)
}
