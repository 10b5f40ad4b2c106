//! `waypost import`: how do tools come in?

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::{Value, json};
use waypost::core::trace::CONTRACT_VERSION;
use waypost::ports::import::{self, Change, ImportError, Imported, McpServer, Merged, ToolsFile};

use super::definitions::{Import, ImportFlags, McpFlags};
use super::output::Output;
use super::{Ending, progress};
use crate::report::tame_lines;

/// Longest file imported, in bytes: the documents of the largest services have a tenth.
const FILE_BYTES_MAX: u64 = 128 << 20;
/// Most changes told one by one; the others are counted.
const CHANGES_SHOWN_MAX: usize = 20;

/// Runs the command. Why nothing came in is told in the way that was asked for.
pub fn run(what: &Import, output: &mut Output) -> anyhow::Result<Ending> {
    let flags = match what {
        Import::Mcp(asked) => &asked.flags,
        Import::Openai(asked) | Import::Openapi(asked) | Import::Jsonl(asked) => &asked.flags,
    };
    match bring_in(what, flags, output) {
        Err(error) if flags.json => {
            let Some(known) = error.downcast_ref::<ImportError>() else { return Err(error) };
            let told = json!({ "code": known.code(), "message": known.to_string() });
            output.json(&json!({ "version": CONTRACT_VERSION, "error": told }))?;
            Ok(Ending::Refused)
        }
        ended => ended,
    }
}

fn bring_in(what: &Import, flags: &ImportFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let server = flags.server.as_deref();
    let imported = match what {
        Import::Mcp(asked) => mcp(asked)?,
        Import::Openai(asked) => {
            let (name, text) = read(&asked.file)?;
            import::openai(&name, &text, server)?
        }
        Import::Openapi(asked) => {
            let (name, text) = read(&asked.file)?;
            import::openapi(&name, &text, server)?
        }
        Import::Jsonl(asked) => {
            let (_, text) = read(&asked.file)?;
            import::jsonl(&text, server)
        }
    };
    let merged = ToolsFile::read(&flags.out)?.merge(&imported);
    let written = if flags.dry_run { false } else { merged.write()? };
    let told = Told { imported: &imported, merged: &merged, flags, written };
    if flags.json {
        output.json(&told.as_json())?;
    } else {
        output.text(&tame_lines(&told.as_text()))?;
        output.remarks(told.remarks());
    }
    Ok(if imported.bad.is_empty() { Ending::Good } else { Ending::SomeBad })
}

fn mcp(asked: &McpFlags) -> anyhow::Result<Imported> {
    let server = asked.flags.server.as_deref();
    if let Some(file) = &asked.file {
        let (name, text) = read(file)?;
        return Ok(import::dump(&name, &text, server)?);
    }
    let place = match (&asked.url, asked.program.split_first()) {
        (Some(url), _) => McpServer::Url {
            url: url.clone(),
            headers: asked.header.iter().map(|header| split_header(header)).collect::<anyhow::Result<_>>()?,
            bearer: asked.bearer_env.as_deref().map(key_in).transpose()?,
        },
        (None, Some((command, args))) => McpServer::Program { command: command.clone(), args: args.to_vec() },
        (None, None) => bail!("there is no server; name one with -- COMMAND ARGS, --url URL or --file FILE"),
    };
    let waiting = progress::waiting("asking the server for its tools");
    let imported = import::ask(&place, server, Duration::from_secs(asked.timeout));
    waiting.finish_and_clear();
    Ok(imported?)
}

fn split_header(header: &str) -> anyhow::Result<(String, String)> {
    let Some((name, value)) = header.split_once(':') else {
        bail!("a header is written --header 'K: V'; one has no colon");
    };
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn key_in(variable: &str) -> anyhow::Result<String> {
    match std::env::var(variable) {
        Ok(key) if !key.trim().is_empty() => Ok(key),
        _ => bail!(
            "the environment variable {variable} holds no key; set it, or name another with --bearer-env"
        ),
    }
}

/// A file's name and its text.
fn read(file: &Path) -> anyhow::Result<(String, String)> {
    let standard = file == Path::new("-");
    let name = if standard { "standard input".to_owned() } else { file.display().to_string() };
    let mut bytes = Vec::new();
    let most = FILE_BYTES_MAX + 1;
    let result = if standard {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|opened| opened.take(most).read_to_end(&mut bytes))
    };
    result.with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        bail!("{name} has more than {FILE_BYTES_MAX} bytes, which is the most");
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{name} is not UTF-8"))?;
    let text = text.strip_prefix('\u{FEFF}').map(str::to_owned).unwrap_or(text);
    Ok((name, text))
}

/// What is told of an import.
struct Told<'i> {
    imported: &'i Imported,
    merged: &'i Merged,
    flags: &'i ImportFlags,
    written: bool,
}

impl Told<'_> {
    fn as_text(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for changed in self.merged.changes.iter().take(CHANGES_SHOWN_MAX) {
            let fields = if changed.fields.is_empty() {
                String::new()
            } else {
                format!(" ({})", changed.fields.join(", "))
            };
            let mark = match changed.change {
                Change::Added => '+',
                Change::Changed => '~',
                Change::Removed => '-',
            };
            lines.push(format!("{mark} {}{fields}", changed.name));
        }
        let more = self.merged.changes.len().saturating_sub(CHANGES_SHOWN_MAX);
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        let count = |change| self.merged.count(change);
        let ending = match (self.written, self.flags.dry_run) {
            (true, _) => "",
            (false, true) => "; nothing is written",
            (false, false) => "; the file is as it was",
        };
        lines.push(format!(
            "{}: {} added, {} changed, {} unchanged, {} removed{ending}",
            self.flags.out.display(),
            count(Change::Added),
            count(Change::Changed),
            self.merged.unchanged,
            count(Change::Removed),
        ));
        lines.join("\n") + "\n"
    }

    /// What went wrong, and what else there is to know.
    fn remarks(&self) -> Vec<String> {
        let bad = self.imported.bad.iter().map(|bad| format!("left out: {}: {}", bad.place, bad.why));
        let spared = (self.merged.spared > 0).then(|| {
            format!(
                "{} tools did not come and are kept: a tool that was left out may be one of them",
                self.merged.spared
            )
        });
        self.imported.notes.iter().cloned().chain(bad).chain(spared).collect()
    }

    fn as_json(&self) -> Value {
        let count = |change| self.merged.count(change);
        let changes: Vec<Value> = self
            .merged
            .changes
            .iter()
            .map(|changed| {
                json!({ "tool": changed.name, "change": changed.change.name(), "fields": changed.fields })
            })
            .collect();
        let bad: Vec<Value> =
            self.imported.bad.iter().map(|bad| json!({ "place": bad.place, "message": bad.why })).collect();
        json!({
            "version": CONTRACT_VERSION,
            "file": self.flags.out,
            "server": self.imported.server,
            "added": count(Change::Added),
            "changed": count(Change::Changed),
            "unchanged": self.merged.unchanged,
            "removed": count(Change::Removed),
            "kept": self.merged.spared,
            "tools": self.merged.tools,
            "written": self.written,
            "dry_run": self.flags.dry_run,
            "changes": changes,
            "bad": bad,
            "notes": self.imported.notes,
        })
    }
}
