//! `waypost eval routes`: how good are the decisions?

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::ValueEnum;
use serde_json::json;
use waypost::Router;
use waypost::core::measure::{Confidence, Points};
use waypost::encode::{Api, BuiltIn, Deep, Encoder, Endpoint, EndpointSettings, LettersOnly};
use waypost::eval::{self, Comparison, Prediction, Row};
use waypost::learn::Cache;

use super::definitions::{EvalRoutesFlags, Tier};
use super::output::Output;
use super::rows::read;
use super::suggest::{advice_on, beside};
use super::{Ending, input, progress};
use crate::report;

/// Parts a catalog's own examples are dealt into when it is judged by itself.
const FOLDS: usize = 5;

/// Runs the command.
pub fn routes(catalog: Option<&str>, asked: &EvalRoutesFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let page = asked.html.as_deref().map(open_page).transpose()?;
    let teaching = || Teaching::new(asked);
    let outside = asked.oos.as_deref().map(read_texts).transpose()?.unwrap_or_default();
    let mut learned_ms = None;
    let (predictions, mut foreign) = match (&asked.train, &asked.test) {
        (None, Some(test)) => {
            let teaches = asked.encoder.is_some() || asked.tier.is_some() || asked.target_precision.is_some();
            if teaches {
                bail!("--encoder, --tier and --target-precision go with --train; a catalog says them itself");
            }
            let router = input::ready(catalog)?;
            output.remarks(router.notes());
            let rows = read_rows(test)?;
            output.remarks(unknown_labels(&router, &rows));
            judge(&router, &rows, &outside)?
        }
        (Some(train), Some(test)) => {
            let (rows, started) = (read_rows(train)?, Instant::now());
            let router = teaching()?.learn(&rows)?;
            learned_ms = Some(started.elapsed().as_secs_f64() * 1000.0);
            output.remarks(router.notes());
            let rows = read_rows(test)?;
            output.remarks(unknown_labels(&router, &rows));
            judge(&router, &rows, &outside)?
        }
        (_, None) => cross_validate(catalog, &outside, &teaching()?)?,
    };
    if let Some(file) = &asked.predictions {
        write_predictions(file, &predictions).with_context(|| format!("cannot write {}", file.display()))?;
    }
    // Rows without a label need no route: they are foreign, wherever they come from.
    let (inside, unrouted): (Vec<Prediction>, Vec<Prediction>) =
        predictions.iter().cloned().partition(|row| !row.label.is_empty());
    foreign.extend(unrouted);
    if predictions.is_empty() {
        bail!("there is no row to judge by");
    }
    let mut figures = eval::report(&predictions);
    figures.out_of_scope =
        (!foreign.is_empty() && !inside.is_empty()).then(|| eval::out_of_scope(&inside, &foreign));
    let comparison = asked.baseline.as_deref().map(|file| against(&predictions, file)).transpose()?;
    if let (Some(page), Some(file)) = (page, &asked.html) {
        let html = report::evaluation(&figures, comparison.as_ref(), &setting(catalog, asked));
        write_page(page, &html).with_context(|| format!("cannot write {}", file.display()))?;
        output.remark(&format!("wrote {}", file.display()));
    }
    // Rows to learn from are not a catalog.
    let advised = asked.train.is_none().then(|| advice_on(input::router(catalog)?.catalog()));
    let advice = advised.transpose()?.flatten();
    if asked.json {
        let version = waypost::core::trace::CONTRACT_VERSION;
        output.json(&json!({ "version": version, "report": figures, "comparison": comparison, "learned_ms": learned_ms, "advice": advice }))?;
    } else {
        let shown = report::figures(&figures, comparison.as_ref(), learned_ms, output.paint());
        output.text(&(shown + &beside(advice.as_ref(), output)))?;
    }
    let missed = asked.min.is_some_and(|least| figures.accuracy < least);
    if missed {
        output.remark(&format!("the accuracy is below the {} asked for", asked.min.unwrap_or_default()));
    }
    let worse = comparison.is_some_and(|comparison| comparison.regression);
    Ok(if missed || worse { Ending::SomeBad } else { Ending::Good })
}

/// Opens the file of the page before the long work, so that a wrong path is told at once. What it holds stays until
/// there is something to put in its place.
pub(super) fn open_page(file: &Path) -> anyhow::Result<File> {
    if file == Path::new("-") {
        bail!("--html needs a file: standard output is for the figures");
    }
    let opened = File::options().write(true).create(true).truncate(false).open(file);
    opened.with_context(|| format!("cannot write {}", file.display()))
}

/// Puts a page in place of what the file held.
pub(super) fn write_page(mut page: File, html: &str) -> std::io::Result<()> {
    // A pipe has no length to cut.
    if page.metadata()?.is_file() {
        page.set_len(0)?;
    }
    page.write_all(html.as_bytes())
}

/// What was measured with what, for somebody who has nothing but the page.
fn setting(given: Option<&str>, asked: &EvalRoutesFlags) -> Vec<(&'static str, String)> {
    let name = |file: &Path| file.display().to_string();
    let catalog = || format!("{}: each example by the others", waypost::find_catalog(given));
    let tier = asked.tier().to_possible_value().map(|tier| tier.get_name().to_owned());
    let encoder = asked.encoder.clone().unwrap_or_else(|| "built in".to_owned());
    let mut setting = match (&asked.train, &asked.test) {
        (Some(train), Some(test)) => vec![("learned from", name(train)), ("judged by", name(test))],
        (None, Some(test)) => vec![("catalog", waypost::find_catalog(given)), ("judged by", name(test))],
        _ => vec![("catalog", catalog())],
    };
    setting.extend(asked.oos.as_deref().map(|file| ("out of scope", name(file))));
    setting.extend(asked.baseline.as_deref().map(|file| ("baseline", name(file))));
    if asked.train.is_some() || asked.test.is_none() {
        setting.push(("encoder", format!("{encoder}, {}", tier.unwrap_or_default())));
    }
    setting.push(("waypost", env!("CARGO_PKG_VERSION").to_owned()));
    setting
}

/// Holds predictions against those of an earlier run.
fn against(predictions: &[Prediction], file: &Path) -> anyhow::Result<Comparison> {
    let baseline: Vec<Prediction> = read(file, |line| serde_json::from_str(line))?;
    let other = || format!("{} was made of other rows, or in another order", file.display());
    eval::compare(predictions, &baseline).with_context(other)
}

fn encoders(asked: Option<&str>, tier: Tier) -> anyhow::Result<Vec<Arc<dyn Encoder>>> {
    let builtin = match asked {
        None => BuiltIn::shipped()?,
        Some("none") => return Ok(vec![Arc::new(LettersOnly)]),
        Some(url) if url.starts_with("http://") || url.starts_with("https://") => {
            let (api, url) = url.strip_suffix("#tei").map_or((Api::OpenAi, url), |url| (Api::Tei, url));
            return Ok(vec![Arc::new(Endpoint::connect(EndpointSettings::new(url, api))?)]);
        }
        Some(model) if !Path::new(model).is_file() => {
            return Ok(vec![waypost::encode::transformer(model)?]);
        }
        Some(file) => {
            let file = Path::new(file);
            let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            Arc::new(BuiltIn::read(bytes).with_context(|| format!("cannot use {}", file.display()))?)
        }
    };
    let deep: Arc<dyn Encoder> = Arc::new(Deep(Arc::clone(&builtin)));
    Ok(match tier {
        Tier::Summed => vec![builtin],
        Tier::Deep => vec![deep],
        Tier::Climb | Tier::Full => vec![builtin, deep],
    })
}

/// How rows are learned from.
struct Teaching {
    encoders: Vec<Arc<dyn Encoder>>,
    tier: Tier,
    target: Option<Confidence>,
}

impl Teaching {
    fn new(asked: &EvalRoutesFlags) -> anyhow::Result<Teaching> {
        let target = asked.target_precision.map(|target| Confidence::new(Points::from_share(target)));
        let tier = asked.tier();
        Ok(Teaching { encoders: encoders(asked.encoder.as_deref(), tier)?, tier, target })
    }

    fn learn(&self, rows: &[Row]) -> anyhow::Result<Router> {
        let waiting = progress::waiting("learning from the examples");
        let catalog = eval::catalog_of("train", rows)?.with_target_precision(self.target);
        let router = Router::new(catalog);
        let router = match self.tier {
            Tier::Full => router.learning_fully(&self.encoders, &Cache::none()),
            Tier::Summed | Tier::Deep | Tier::Climb => router.learning(&self.encoders, &Cache::none()),
        };
        waiting.finish_and_clear();
        Ok(router)
    }
}

/// Labels that no route is called: their rows can only be wrong.
fn unknown_labels(router: &Router, rows: &[Row]) -> Option<String> {
    let known: HashSet<&str> = router.catalog().routes().map(|(_, route)| &*route.name).collect();
    let unknown: BTreeSet<&str> = rows
        .iter()
        .map(|row| row.label.as_str())
        .filter(|label| !label.is_empty() && !known.contains(label))
        .collect();
    let first = unknown.iter().next()?;
    Some(format!(
        "{} of the labels are no routes, such as {first:?}; their rows count as wrong",
        unknown.len()
    ))
}

fn judge(
    router: &Router,
    rows: &[Row],
    outside: &[Row],
) -> anyhow::Result<(Vec<Prediction>, Vec<Prediction>)> {
    Ok((predict(router, rows)?, predict(router, outside)?))
}

/// Every example of the catalog judged by a router that learned from the others, and foreign rows by one of those.
fn cross_validate(
    catalog: Option<&str>,
    outside: &[Row],
    teaching: &Teaching,
) -> anyhow::Result<(Vec<Prediction>, Vec<Prediction>)> {
    let rows = eval::rows_of(input::router(catalog)?.catalog());
    if rows.len() < 2 * FOLDS {
        bail!(
            "the catalog has {} examples, too few to judge it by; give rows with --train and --test",
            rows.len()
        );
    }
    let (mut inside, mut foreign) = (Vec::new(), Vec::new());
    for (taught, judged) in eval::folds(&rows, FOLDS) {
        let router = teaching.learn(&taught)?;
        inside.extend(predict(&router, &judged)?);
        if foreign.is_empty() {
            foreign = predict(&router, outside)?;
        }
    }
    Ok((inside, foreign))
}

fn predict(router: &Router, rows: &[Row]) -> anyhow::Result<Vec<Prediction>> {
    let bar = progress::bar(Some(rows.len() as u64), "judging");
    let mut predictions = Vec::with_capacity(rows.len());
    for row in rows {
        predictions.push(eval::predict(router, row)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(predictions)
}

fn read_rows(file: &Path) -> anyhow::Result<Vec<Row>> {
    read(file, |line| serde_json::from_str(line))
}

/// Rows that belong nowhere: a label, where they have one, means nothing.
fn read_texts(file: &Path) -> anyhow::Result<Vec<Row>> {
    let text = |line: &str| -> serde_json::Result<Row> {
        let message: waypost::Message = serde_json::from_str(line)?;
        Ok(Row { text: message.text, history: message.history, session: message.session, ..Row::default() })
    };
    read(file, text)
}

fn write_predictions(file: &Path, predictions: &[Prediction]) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    for prediction in predictions {
        serde_json::to_writer(&mut out, prediction)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
