//! `waypost completions` and `waypost man`: the command line, described by its own definitions.

use std::path::Path;

use anyhow::Context;
use clap_complete::Shell;

use super::Ending;
use super::definitions::command;
use super::output::Output;

/// Prints the completions of a shell.
pub fn completions(shell: Shell, output: &mut Output) -> anyhow::Result<Ending> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "waypost", &mut script);
    output.text(&String::from_utf8(script)?)?;
    Ok(Ending::Good)
}

/// Prints the manual page, or writes one page a command into a folder.
pub fn man(out: Option<&Path>, output: &mut Output) -> anyhow::Result<Ending> {
    match out {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            clap_mangen::generate_to(command(), folder)
                .with_context(|| format!("cannot write to {}", folder.display()))?;
            output.remark(&format!("wrote manual pages to {}", folder.display()));
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command()).render(&mut page)?;
            output.text(&String::from_utf8(page)?)?;
        }
    }
    Ok(Ending::Good)
}
