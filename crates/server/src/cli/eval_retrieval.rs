//! `waypost eval tools` and `waypost eval sources`: how well is found what a message needs?

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::json;
use waypost::Error;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::eval::{Lookup, NeedRow, Ranking, RetrievalReport, rank_rows, retrieval_report};
use waypost::retrieve::tools::Asked;

use super::definitions::{EvalSourcesFlags, EvalToolsFlags, JudgedFlags, Rows};
use super::eval::{open_page, write_page};
use super::output::Output;
use super::rerank::Reranker;
use super::sources::{Read, Reading};
use super::{Ending, rows, tools};
use crate::report;

/// Tools or passages looked at for each row: what figures look at.
const DEPTH: usize = 10;

/// What is to be done with the figures.
struct Wanted<'a> {
    /// The page to write, opened before the long work, and what it says was measured with what.
    page: Option<(File, &'a Path)>,
    setting: Vec<(&'static str, String)>,
    /// Why rows were not re-ranked.
    notes: Vec<String>,
    judged: &'a JudgedFlags,
}

/// Runs `eval tools`.
pub fn tools(catalog: Option<&str>, asked: &EvalToolsFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let page =
        asked.judged.html.as_deref().map(|file| open_page(file).map(|page| (page, file))).transpose()?;
    let reranker = Reranker::chosen(&asked.judged.rerank)?;
    let mut notes = Vec::new();
    let toolbox = match &asked.tools {
        Some(file) => tools::open(file)?,
        None => tools::of_catalog(catalog)?.0,
    };
    let mut wanted: Vec<NeedRow> = Vec::new();
    for file in &asked.test {
        wanted.extend(read(file, asked.judged.rows)?);
    }
    let rankings = rank_rows(&wanted, |row| {
        let among = (asked.candidates && !row.candidates.is_empty()).then_some(row.candidates.as_slice());
        let asked = Asked { text: &row.text, most: DEPTH, among, ..Asked::default() };
        let (found, note) = reranker.tools(&toolbox, &asked);
        notes.extend(note);
        let confidence = found.tools.first().map_or(0.0, |best| best.confidence.points().share());
        let ids = found.tools.into_iter().map(|tool| tool.id).collect();
        Ok::<Lookup, Error>(Lookup { found: ids, confidence, fits: found.fits, collection: None })
    })?;
    let unknown = wanted.iter().flat_map(|row| &row.relevant);
    let known = |id: &&String| !toolbox.tools().iter().any(|tool| tool.id == **id);
    let unknown: Vec<&String> = unknown.filter(known).collect();
    output.remarks(unknown.first().map(|first| {
        format!("{} ids that rows need are of no tool, such as {first}; they count as missed", unknown.len())
    }));
    let tools = asked.tools.as_deref().unwrap_or(Path::new("the catalog"));
    let mut setting = setting("tools", tools, &asked.test, asked.judged.rows);
    setting.extend(asked.candidates.then(|| ("chosen from", "the candidates of each row".to_owned())));
    setting.extend(reranker.id().map(|id| ("re-ranked by", id)));
    let wanted = Wanted { page, setting, notes, judged: &asked.judged };
    tell("tools", toolbox.tools().len(), &rankings, wanted, output)
}

/// Runs `eval sources`.
pub fn sources(
    catalog: Option<&str>,
    asked: &EvalSourcesFlags,
    output: &mut Output,
) -> anyhow::Result<Ending> {
    let page =
        asked.judged.html.as_deref().map(|file| open_page(file).map(|page| (page, file))).transpose()?;
    let reranker = Reranker::chosen(&asked.judged.rerank)?;
    let mut notes = Vec::new();
    let reading = Reading::open(catalog, asked.docs.as_deref(), asked.index.as_deref(), output)?;
    let wanted = read(&asked.test, asked.judged.rows)?;
    let rankings = rank_rows(&wanted, |row| {
        let earlier = if asked.no_history { &[][..] } else { &row.history };
        let Read { found, reranked, notes: told, .. } =
            reading.find(&reranker, &row.text, earlier, DEPTH, &[])?;
        notes.extend(told.into_iter().filter(|_| !reranked));
        let confidence = found.passages.first().map_or(0.0, |best| best.confidence.points().share());
        let ids = found.passages.into_iter().map(|passage| passage.id).collect();
        let collection = found.collections.into_iter().next().map(|first| first.name);
        Ok::<Lookup, Error>(Lookup { found: ids, confidence, fits: found.fits, collection })
    })?;
    let passages = asked.docs.as_deref().or(asked.index.as_deref()).unwrap_or(Path::new("the catalog"));
    let mut setting = setting("passages", passages, std::slice::from_ref(&asked.test), asked.judged.rows);
    setting.extend(asked.no_history.then(|| ("earlier turns", "left out".to_owned())));
    setting.extend(reranker.id().map(|id| ("re-ranked by", id)));
    let wanted = Wanted { page, setting, notes, judged: &asked.judged };
    tell("passages", reading.count(), &rankings, wanted, output)
}

fn tell(
    what: &str,
    count: usize,
    rankings: &[Ranking],
    asked: Wanted<'_>,
    output: &mut Output,
) -> anyhow::Result<Ending> {
    if let Some(file) = &asked.judged.predictions {
        write(file, rankings).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let figures: RetrievalReport = retrieval_report(rankings);
    if let Some((page, file)) = asked.page {
        let counted = (what, count.to_string());
        let setting: Vec<(&str, String)> = std::iter::once(counted).chain(asked.setting).collect();
        let html = report::retrieval(&figures, what, &setting);
        write_page(page, &html).with_context(|| format!("cannot write {}", file.display()))?;
        output.remark(&format!("wrote {}", file.display()));
    }
    if asked.judged.json {
        output.json(&json!({ "version": CONTRACT_VERSION, what: count, "figures": figures,
            "not_reranked": asked.notes.len() }))?;
    } else {
        output.text(&report::retrieval_figures(&figures))?;
    }
    output.remarks(asked.notes.first().map(|first| format!("{} rows were {first}", asked.notes.len())));
    let missed = asked.judged.min.filter(|least| figures.ndcg_at_10 < *least);
    output.remarks(missed.map(|least| format!("nDCG@10 is {:.4}, below {least}", figures.ndcg_at_10)));
    Ok(if missed.is_some() { Ending::SomeBad } else { Ending::Good })
}

/// What was measured with what, for somebody who has nothing but the page.
fn setting(what: &'static str, file: &Path, tests: &[PathBuf], rows: Rows) -> Vec<(&'static str, String)> {
    let names: Vec<String> = tests.iter().map(|test| test.display().to_string()).collect();
    let of = match rows {
        Rows::All => "",
        Rows::Odd => ", odd rows",
        Rows::Even => ", even rows",
    };
    let from = if what == "tools" { "tools of" } else { "passages of" };
    vec![
        (from, file.display().to_string()),
        ("judged by", names.join(", ") + of),
        ("waypost", env!("CARGO_PKG_VERSION").to_owned()),
    ]
}

/// The rows of a file that count.
fn read(file: &Path, which: Rows) -> anyhow::Result<Vec<NeedRow>> {
    let all: Vec<NeedRow> = rows::read(file, |line| serde_json::from_str(line))?;
    let counted: Vec<NeedRow> = which.of(all).collect();
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
