//! `waypost models`: which models are here, and how do others get here?

use indicatif::ProgressBar;
use serde_json::{Value, json};
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::models::{self, Listed, Progress, Source};

use super::output::Output;
use super::{Ending, progress};
use crate::report::tame_lines;

/// Bytes of a megabyte, as disks are sold.
const MEGABYTE: u64 = 1_000_000;

/// Gets a model.
pub fn pull(name: &str, json: bool, output: &mut Output) -> anyhow::Result<Ending> {
    let mut shown: Option<(Source, ProgressBar)> = None;
    let mut show = |at: Progress| {
        if shown.as_ref().is_none_or(|(source, _)| *source != at.source) {
            let bar = progress::bar(Some(at.total), &format!("{name} {}", origin(Some(at.source))));
            if let Some((_, earlier)) = shown.replace((at.source, bar)) {
                earlier.finish_and_clear();
            }
        }
        if let Some((_, bar)) = &shown {
            bar.set_position(at.done);
        }
    };
    let pulled = models::pull(name, &models::folder()?, &mut show);
    let source = shown.map(|(source, bar)| {
        bar.finish_and_clear();
        source
    });
    let place = pulled?;
    if json {
        let source = source.map(Source::name);
        output
            .json(&json!({ "version": CONTRACT_VERSION, "name": name, "source": source, "folder": place }))?;
    } else {
        output.text(&tame_lines(&format!("{name} is in {}, {}\n", place.display(), origin(source))))?;
    }
    Ok(Ending::Good)
}

fn origin(source: Option<Source>) -> &'static str {
    match source {
        Some(Source::Hub) => "from the hub",
        Some(_) => "out of its Python package",
        None => "and was before",
    }
}

/// Shows the models that can be had.
pub fn list(json: bool, output: &mut Output) -> anyhow::Result<Ending> {
    let folder = models::folder()?;
    let listed = models::list();
    if json {
        let models: Vec<Value> = listed.iter().map(as_json).collect();
        output.json(&json!({ "version": CONTRACT_VERSION, "folder": folder, "models": models }))?;
    } else {
        let lines: String = listed.iter().map(as_line).collect();
        output.text(&tame_lines(&lines))?;
    }
    Ok(Ending::Good)
}

fn as_line(Listed { known, place }: &Listed) -> String {
    let where_it_is = match place {
        Some(place) => format!("in {}", place.display()),
        None => format!("not here; get it with: waypost models pull {}", known.name),
    };
    let megabytes = (known.bytes() + MEGABYTE / 2) / MEGABYTE;
    format!("{} ({}, {megabytes} MB): {where_it_is}\n", known.name, known.repository)
}

fn as_json(Listed { known, place }: &Listed) -> Value {
    json!({
        "name": known.name,
        "repository": known.repository,
        "revision": known.revision,
        "bytes": known.bytes(),
        "folder": place,
    })
}
