//! `waypost index`: documents are read into an index, or the index follows what changed in them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use serde::Serialize;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::find_catalog;
use waypost::knowledge::{
    BuiltInRows, Collection, Progress, Reason, Skipped, SkippedFile, Updated, Wanted, update, walk,
};
use waypost::retrieve::sources::paths_of;

use super::definitions::IndexFlags;
use super::output::Output;
use super::{Ending, input, progress};
use crate::report::tame;

/// Most skipped files that are named to a person; `--json` names all.
const SKIPPED_SHOWN_MAX: usize = 20;

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &IndexFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let begun = Instant::now();
    let (collections, skipped) = gather(catalog, asked)?;
    let rows = BuiltInRows::shipped()?;
    let bar = progress::bar(Some(0), "passages");
    let mut show = |now: Progress| {
        bar.set_length(now.bytes_total);
        bar.set_position(now.bytes);
        let seconds = begun.elapsed().as_secs_f64();
        bar.set_message(format!("{} passages, {:.0} a second,", now.passages, rate(now.passages, seconds)));
    };
    let updated = update(&asked.out, &collections, &rows, &mut show);
    bar.finish_and_clear();
    let mut updated = updated?;
    updated.skipped.extend(skipped);
    updated.skipped.sort();
    let seconds = begun.elapsed().as_secs_f64();
    if asked.json {
        output.json(&as_json(&updated, &collections, seconds))?;
    } else {
        output.remarks(named(&updated.skipped));
        output.text(&as_text(&updated, &asked.out, seconds))?;
    }
    let broken = updated.skipped.iter().any(|file| file.skipped.reason == Reason::Broken);
    Ok(if broken { Ending::SomeBad } else { Ending::Good })
}

/// The collections that are asked for, and what their folders hold that cannot be taken.
fn gather(catalog: Option<&str>, asked: &IndexFlags) -> anyhow::Result<(Vec<Collection>, Vec<SkippedFile>)> {
    let wanted = Wanted::by(&asked.include, &asked.exclude)?.without(&asked.out);
    let mut roots: BTreeMap<String, Vec<(PathBuf, Option<String>)>> = BTreeMap::new();
    for given in &asked.paths {
        let (name, path) = named_path(given, asked.collection.as_deref())?;
        roots.entry(name).or_default().push((path.to_owned(), None));
    }
    if roots.is_empty() {
        for (name, called, path) in named_by(catalog)? {
            roots.entry(name).or_default().push((path, Some(called)));
        }
    }
    let (mut collections, mut skipped) = (Vec::new(), Vec::new());
    for (name, paths) in roots {
        let mut files = Vec::new();
        for (path, called) in &paths {
            let mut walked =
                walk(path, &wanted).with_context(|| format!("cannot read {}", path.display()))?;
            match called {
                // A file that the catalog names is called what it is called there, as when the catalog is read by itself.
                Some(called) if path.is_file() => {
                    walked.files.iter_mut().for_each(|found| called.clone_into(&mut found.name));
                }
                _ => {
                    let within = called.as_ref().map(|called| format!("{}/", called.trim_end_matches('/')));
                    if let Some(prefix) = within.or_else(|| prefix(path, paths.len())) {
                        walked.files.iter_mut().for_each(|found| found.name.insert_str(0, &prefix));
                        walked.skipped.iter_mut().for_each(|skipped| skipped.file.insert_str(0, &prefix));
                    }
                }
            }
            files.extend(walked.files);
            let told = |skipped: Skipped| SkippedFile { collection: name.clone(), skipped };
            skipped.extend(walked.skipped.into_iter().map(told));
        }
        collections.push(Collection { name, files });
    }
    Ok((collections, skipped))
}

/// The collections and paths of a catalog.
fn named_by(catalog: Option<&str>) -> anyhow::Result<Vec<(String, String, PathBuf)>> {
    let name = find_catalog(catalog);
    let router = input::router(catalog)?;
    let paths = paths_of(&name, router.catalog())?;
    if paths.is_empty() {
        bail!(
            "there is nothing to read: give a PATH, or a catalog of your own that names files under `sources` (the catalog {} has none beside it)",
            router.catalog().name()
        );
    }
    Ok(paths)
}

/// The collection and the path of an argument. A path may have a `=` in it, if it is there.
fn named_path<'g>(given: &'g str, collection: Option<&str>) -> anyhow::Result<(String, &'g Path)> {
    let named = given.split_once('=').filter(|_| !Path::new(given).exists());
    let (name, path) = match named {
        Some((name, path)) => (Some(name.to_owned()), Path::new(path)),
        None => (collection.map(str::to_owned), Path::new(given)),
    };
    let name = match name {
        Some(name) => name,
        None => folder_name(path)?,
    };
    if name.trim().is_empty() || name.contains(char::is_control) {
        bail!("`{}` names no collection; expected NAME=PATH", tame(given));
    }
    Ok((name, path))
}

/// The name of a folder, or of the one a file is in.
fn folder_name(path: &Path) -> anyhow::Result<String> {
    let whole = std::fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))?;
    let folder = if whole.is_dir() { Some(whole.as_path()) } else { whole.parent() };
    let name = folder.and_then(Path::file_name).and_then(|name| name.to_str());
    name.map(str::to_owned)
        .with_context(|| format!("{} has no name to call a collection by; write NAME=PATH", path.display()))
}

/// What tells the files of one folder from those of another in the same collection.
fn prefix(path: &Path, roots: usize) -> Option<String> {
    let whole = std::fs::canonicalize(path).ok().filter(|whole| roots > 1 && whole.is_dir())?;
    Some(format!("{}/", whole.file_name()?.to_str()?))
}

/// The skipped files, a line each.
fn named(skipped: &[SkippedFile]) -> Vec<String> {
    let line = |file: &SkippedFile| {
        let Skipped { file: name, detail, .. } = &file.skipped;
        format!("skipped {}/{}: {}", tame(&file.collection), tame(name), tame(detail))
    };
    let mut lines: Vec<String> = skipped.iter().take(SKIPPED_SHOWN_MAX).map(line).collect();
    if skipped.len() > SKIPPED_SHOWN_MAX {
        lines.push(format!("and {} more; --json names all", skipped.len() - SKIPPED_SHOWN_MAX));
    }
    lines
}

fn reasons(skipped: &[SkippedFile]) -> BTreeMap<Reason, usize> {
    let mut counts = BTreeMap::new();
    for file in skipped {
        *counts.entry(file.skipped.reason).or_default() += 1;
    }
    counts
}

fn as_text(updated: &Updated, out: &Path, seconds: f64) -> String {
    let counts = reasons(&updated.skipped);
    let counts: Vec<String> =
        counts.iter().map(|(reason, count)| format!("{count} {}", reason.as_str())).collect();
    let why = if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
    let state = if updated.changed { "generation" } else { "nothing changed; generation" };
    format!(
        "files     {} read, {} unchanged, {} removed, {} skipped{why}\n\
         passages  {} read, {} in the index\n\
         time      {seconds:.1} s, {:.0} passages a second\n\
         index     {}, {state} {}\n",
        updated.files_read,
        updated.files_unchanged,
        updated.files_removed,
        updated.skipped.len(),
        updated.passages_read,
        updated.passages,
        rate(updated.passages_read, seconds),
        tame(&out.display().to_string()),
        updated.generation.unwrap_or_default(),
    )
}

#[derive(Serialize)]
struct AsJson<'u> {
    version: u32,
    collections: Vec<&'u str>,
    #[serde(flatten)]
    updated: &'u Updated,
    skipped_by_reason: BTreeMap<Reason, usize>,
    elapsed_seconds: f64,
    passages_per_second: f64,
}

fn as_json<'u>(updated: &'u Updated, collections: &'u [Collection], seconds: f64) -> AsJson<'u> {
    AsJson {
        version: CONTRACT_VERSION,
        collections: collections.iter().map(|collection| collection.name.as_str()).collect(),
        updated,
        skipped_by_reason: reasons(&updated.skipped),
        elapsed_seconds: seconds,
        passages_per_second: rate(updated.passages_read, seconds),
    }
}

#[allow(clippy::cast_precision_loss)] // A rate for people: its first digits are exact.
fn rate(passages: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { passages as f64 / seconds } else { 0.0 }
}
