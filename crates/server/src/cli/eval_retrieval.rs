//! `waypost eval tools` and `waypost eval sources`: how well is found what a message needs?

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::json;
use waypost::Error;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::eval::{Lookup, NeedRow, Ranking, RetrievalReport, rank_rows, retrieval_report};
use waypost::retrieve::tools::Asked;

use super::definitions::{EvalSourcesFlags, EvalToolsFlags, Rows};
use super::output::Output;
use super::sources::Reading;
use super::{Ending, rows, tools};
use crate::report;

/// Tools or passages looked at for each row: what figures look at.
const DEPTH: usize = 10;

/// What is to be done with the figures.
struct Wanted<'a> {
    predictions: Option<&'a Path>,
    min: Option<f64>,
    json: bool,
}

/// Runs `eval tools`.
pub fn tools(asked: &EvalToolsFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let toolbox = tools::open(&asked.tools)?;
    let mut wanted: Vec<NeedRow> = Vec::new();
    for file in &asked.test {
        wanted.extend(read(file, asked.rows)?);
    }
    let rankings = rank_rows(&wanted, |row| {
        let among = (asked.candidates && !row.candidates.is_empty()).then_some(row.candidates.as_slice());
        let found = toolbox.find(&Asked { text: &row.text, most: DEPTH, among, sensitivity: None });
        let confidence = found.tools.first().map_or(0.0, |best| best.confidence.points().share());
        let ids = found.tools.into_iter().map(|tool| tool.id).collect();
        Ok::<Lookup, Error>(Lookup { found: ids, confidence, fits: found.fits, collection: None })
    })?;
    let asked = Wanted { predictions: asked.predictions.as_deref(), min: asked.min, json: asked.json };
    tell("tools", toolbox.tools().len(), &rankings, &asked, output)
}

/// Runs `eval sources`.
pub fn sources(
    catalog: Option<&str>,
    asked: &EvalSourcesFlags,
    output: &mut Output,
) -> anyhow::Result<Ending> {
    let reading = Reading::open(catalog, asked.docs.as_deref(), asked.index.as_deref(), output)?;
    let wanted = read(&asked.test, asked.rows)?;
    let rankings = rank_rows(&wanted, |row| {
        let earlier = if asked.no_history { &[][..] } else { &row.history };
        let found = reading.find(&row.text, earlier, DEPTH, &[])?;
        let confidence = found.passages.first().map_or(0.0, |best| best.confidence.points().share());
        let ids = found.passages.into_iter().map(|passage| passage.id).collect();
        let collection = found.collections.into_iter().next().map(|first| first.name);
        Ok::<Lookup, Error>(Lookup { found: ids, confidence, fits: found.fits, collection })
    })?;
    let asked = Wanted { predictions: asked.predictions.as_deref(), min: asked.min, json: asked.json };
    tell("passages", reading.count(), &rankings, &asked, output)
}

fn tell(
    what: &str,
    count: usize,
    rankings: &[Ranking],
    asked: &Wanted<'_>,
    output: &mut Output,
) -> anyhow::Result<Ending> {
    if let Some(file) = asked.predictions {
        write(file, rankings).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let figures: RetrievalReport = retrieval_report(rankings);
    if asked.json {
        output.json(&json!({ "version": CONTRACT_VERSION, what: count, "figures": figures }))?;
    } else {
        output.text(&report::retrieval_figures(&figures))?;
    }
    let missed = asked.min.filter(|least| figures.ndcg_at_10 < *least);
    output.remarks(missed.map(|least| format!("nDCG@10 is {:.4}, below {least}", figures.ndcg_at_10)));
    Ok(if missed.is_some() { Ending::SomeBad } else { Ending::Good })
}

/// The rows of a file that count.
fn read(file: &Path, which: Rows) -> anyhow::Result<Vec<NeedRow>> {
    let all: Vec<NeedRow> = rows::read(file, |line| serde_json::from_str(line))?;
    let (first, step) = match which {
        Rows::All => (0, 1),
        Rows::Odd => (0, 2),
        Rows::Even => (1, 2),
    };
    let counted: Vec<NeedRow> = all.into_iter().skip(first).step_by(step).collect();
    if counted.is_empty() {
        bail!("{} has no rows to judge by", file.display());
    }
    Ok(counted)
}

fn write(file: &Path, rankings: &[Ranking]) -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
    for ranking in rankings {
        serde_json::to_writer(&mut out, ranking)?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}
