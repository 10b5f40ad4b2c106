//! `waypost init`: how do I start?

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};

use anyhow::Context;
use waypost::core::trace::CONTRACT_VERSION;

use super::Ending;
use super::definitions::InitFlags;
use super::output::Output;

/// Runs the command. A file that is there is left alone unless asked otherwise.
pub fn run(asked: &InitFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let yaml = waypost::shipped(&asked.from)?.yaml;
    let path = asked.file.display();
    let mut options = OpenOptions::new();
    options.write(true).truncate(true).create(asked.force).create_new(!asked.force);
    let mut file = options.open(&asked.file).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow::anyhow!("{path} is there already; --force writes over it"),
        _ => anyhow::Error::new(error).context(format!("cannot write {path}")),
    })?;
    file.write_all(yaml.as_bytes()).with_context(|| format!("cannot write {path}"))?;
    if asked.json {
        output.json(
            &serde_json::json!({ "version": CONTRACT_VERSION, "file": asked.file, "from": asked.from }),
        )?;
    } else {
        output.text(&format!("wrote {path} from {}; edit it, then: waypost check {path}\n", asked.from))?;
    }
    Ok(Ending::Good)
}
