//! `waypost eval catalogs`: how good are decisions over catalogs that nobody tuned to?

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::{Context, bail};
use serde::Serialize;
use serde_json::json;
use waypost::eval::{self, CatalogsReport, SmallCatalog, SmallPrediction, SmallSetting};
use waypost::learn::Cache;

use super::definitions::EvalCatalogsFlags;
use super::output::Output;
use super::rows::read;
use super::{Ending, progress};
use crate::report;

/// Runs the command.
pub fn run(asked: &EvalCatalogsFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let mut catalogs: Vec<SmallCatalog> = Vec::new();
    for file in &asked.files {
        catalogs.extend(read::<SmallCatalog>(file, |line| serde_json::from_str(line))?);
    }
    if catalogs.iter().all(|catalog| catalog.messages.is_empty()) {
        bail!("there is no message to judge by");
    }
    let setting = SmallSetting { examples_max: asked.examples, target_precision: asked.target_precision };
    let predictions = judge(&catalogs, setting)?;
    if let Some(file) = &asked.predictions {
        write(file, &predictions).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let figures: CatalogsReport = eval::catalogs_report(&predictions);
    if asked.json {
        let version = waypost::core::trace::CONTRACT_VERSION;
        output.json(&json!({ "version": version, "report": figures }))?;
    } else {
        output.text(&report::catalogs(&figures))?;
    }
    let missed = asked.min.is_some_and(|least| figures.right < least);
    if missed {
        output.remark(&format!(
            "fewer decisions are right than the {} asked for",
            asked.min.unwrap_or_default()
        ));
    }
    Ok(if missed { Ending::SomeBad } else { Ending::Good })
}

fn judge(catalogs: &[SmallCatalog], setting: SmallSetting) -> anyhow::Result<Vec<SmallPrediction>> {
    let bar = progress::bar(Some(catalogs.len() as u64), "judging catalogs");
    let mut predictions = Vec::new();
    for catalog in catalogs {
        let router = catalog.router(setting, &Cache::none());
        let router = router.with_context(|| format!("the catalog {:?} cannot be used", catalog.catalog))?;
        predictions.extend(catalog.judge(&router)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(predictions)
}

/// Writes one JSON object per line.
pub(super) fn write(file: &std::path::Path, predictions: &[impl Serialize]) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    for prediction in predictions {
        serde_json::to_writer(&mut out, prediction)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
