//! `waypost init`: how do I start?

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::Context;
use waypost::core::trace::CONTRACT_VERSION;

use super::Ending;
use super::definitions::InitFlags;
use super::output::Output;

/// Runs the command. A file that is there is left alone unless asked otherwise.
pub fn run(asked: &InitFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let shipped = waypost::Router::shipped(&asked.from)?;
    let folder = asked.file.parent().unwrap_or(Path::new(""));
    let documents = || shipped.documents.iter().map(|(path, text)| (folder.join(path), *text));
    // Nothing is written where something is in the way.
    if let Some((taken, _)) = documents().find(|(path, _)| !asked.force && path.exists()) {
        anyhow::bail!("{} is there already; --force writes over it", taken.display());
    }
    write(&asked.file, shipped.yaml, asked.force)?;
    for (path, text) in documents() {
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.with_context(|| format!("cannot make the folder of {}", path.display()))?;
        write(&path, text, asked.force)?;
    }
    let (path, count) = (asked.file.display(), shipped.documents.len());
    if asked.json {
        output.json(&serde_json::json!({
            "version": CONTRACT_VERSION, "file": asked.file, "from": asked.from,
            "documents": documents().map(|(path, _)| path).collect::<Vec<_>>(),
        }))?;
    } else {
        let beside = if count > 0 { format!(" and its {count} documents") } else { String::new() };
        output.text(&format!(
            "wrote {path}{beside} from {}; edit it, then: waypost check {path}\n",
            asked.from
        ))?;
    }
    Ok(Ending::Good)
}

fn write(file: &Path, text: &str, force: bool) -> anyhow::Result<()> {
    let path = file.display();
    let mut options = OpenOptions::new();
    options.write(true).truncate(true).create(force).create_new(!force);
    let mut file = options.open(file).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow::anyhow!("{path} is there already; --force writes over it"),
        _ => anyhow::Error::new(error).context(format!("cannot write {path}")),
    })?;
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write {path}"))
}
