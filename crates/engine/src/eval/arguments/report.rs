//! What do many rows come to?

use std::collections::BTreeMap;

use serde::Serialize;
use waypost_core::arguments::{Outcome, RUN_MIN};

use super::{ArgsPrediction, SlotJudged, Verdict};
use crate::eval::metrics::Latency;

/// Rows that went wrong and are listed beside the wrong runs, which are listed all: enough to see what goes wrong, few enough
/// to be read.
const MISSED_MAX: usize = 50;

/// How well arguments are filled.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ArgsReport {
    /// Rows that were judged.
    pub rows: usize,
    /// Rows that are wholly right, and their share.
    pub right: usize,
    /// The share of rows that are wholly right.
    pub exact: f64,
    /// The share of rows with an answer in them that would be asked about.
    pub clarified: f64,
    /// How often a wrong value was taken for sure.
    pub wrong_runs: usize,
    /// The share of those.
    pub wrong_run_share: f64,
    /// Rows that ended in a run, and how many of them are right.
    pub ran: usize,
    /// Of those, wholly right.
    pub ran_right: usize,
    /// Rows where the tool was to be chosen and is right, of how many.
    pub tools_right: usize,
    /// Rows where a tool is known to be right.
    pub tools: usize,
    /// Rows that should not run, and how many of them are right.
    pub to_ask: usize,
    /// Of those, right.
    pub to_ask_right: usize,
    /// The share of values taken that are right.
    pub precision: f64,
    /// The share of values wanted that were found.
    pub recall: f64,
    /// The same for each kind of value.
    pub kinds: Vec<KindFigures>,
    /// The same for each slot of each tool, or each sort of phrase.
    pub slots: Vec<KindFigures>,
    /// What should have followed and what did, where rows say.
    pub outcomes: Vec<OutcomeCount>,
    /// Every wrong run.
    pub wrong: Vec<ArgsPrediction>,
    /// Some of the other rows that are not right.
    pub missed: Vec<ArgsPrediction>,
    /// How long a row took.
    pub latency: Latency,
}

/// How well one kind of value is found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct KindFigures {
    /// The kind, or the slot.
    pub name: String,
    /// How often it was said.
    pub wanted: usize,
    /// How often it was then found.
    pub right: usize,
    /// How often another value was taken in its place.
    pub wrong: usize,
    /// How often one was taken where none was said.
    pub extra: usize,
    /// Of what is wrong or extra, what was taken for sure.
    pub wrong_sure: usize,
    /// The share of values taken that are right.
    pub precision: f64,
    /// The share of values wanted that were found.
    pub recall: f64,
}

/// How often one outcome stood for another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutcomeCount {
    /// What should have followed.
    pub wanted: Outcome,
    /// What did.
    pub found: Outcome,
    /// How often.
    pub rows: usize,
}

/// The figures of predictions.
pub fn args_report(rows: &[ArgsPrediction]) -> ArgsReport {
    let count = |is: &dyn Fn(&&ArgsPrediction) -> bool| rows.iter().filter(is).count();
    let is = |verdict: Verdict| move |row: &&ArgsPrediction| row.verdict == verdict;
    let is_to_run = |row: &&ArgsPrediction| row.wanted.is_none_or(|wanted| wanted == Outcome::Run);
    let to_run = count(&is_to_run);
    let asked = count(&|row| row.verdict == Verdict::Asked && is_to_run(row));
    let (right, wrong_runs) = (count(&is(Verdict::Right)), count(&is(Verdict::WrongRun)));
    let to_choose: Vec<&ArgsPrediction> =
        rows.iter().filter(|row| row.outcome.is_some() && row.tool.is_some()).collect();
    let all = figures(String::new(), rows.iter().flat_map(|row| &row.slots));
    let others = rows.iter().filter(|row| matches!(row.verdict, Verdict::Asked | Verdict::Missed));
    ArgsReport {
        rows: rows.len(),
        right,
        exact: share(right, rows.len()),
        clarified: share(asked, to_run),
        wrong_runs,
        wrong_run_share: share(wrong_runs, rows.len()),
        ran: count(&|row| row.outcome == Some(Outcome::Run)),
        ran_right: count(&|row| row.outcome == Some(Outcome::Run) && row.verdict == Verdict::Right),
        tools_right: to_choose.iter().filter(|row| row.tool == row.answered).count(),
        tools: to_choose.len(),
        to_ask: rows.len() - to_run,
        to_ask_right: count(&|row| !is_to_run(row) && row.verdict == Verdict::Right),
        precision: all.precision,
        recall: all.recall,
        kinds: by(rows, |_, slot| slot.kind.to_owned()),
        slots: by(rows, |row, slot| match &row.tool {
            Some(tool) => format!("{tool}.{}", slot.slot),
            None => slot.slot.clone(),
        }),
        outcomes: outcomes(rows),
        wrong: rows.iter().filter(is(Verdict::WrongRun)).cloned().collect(),
        missed: others.take(MISSED_MAX).cloned().collect(),
        latency: Latency::of(rows.iter().map(|row| row.elapsed_us).collect()),
    }
}

fn by(rows: &[ArgsPrediction], name: impl Fn(&ArgsPrediction, &SlotJudged) -> String) -> Vec<KindFigures> {
    let mut sorted: BTreeMap<String, Vec<&SlotJudged>> = BTreeMap::new();
    for row in rows {
        for slot in &row.slots {
            sorted.entry(name(row, slot)).or_default().push(slot);
        }
    }
    sorted.into_iter().map(|(name, slots)| figures(name, slots)).collect()
}

fn figures<'s>(name: String, slots: impl IntoIterator<Item = &'s SlotJudged>) -> KindFigures {
    let mut figures = KindFigures { name, ..KindFigures::default() };
    let mut taken_right = 0;
    for slot in slots {
        let wrong = slot.is_wrong();
        figures.wanted += usize::from(slot.is_wanted());
        figures.right += usize::from(slot.is_wanted() && slot.right);
        figures.wrong += usize::from(wrong && !slot.accepted.is_empty());
        figures.extra += usize::from(wrong && slot.accepted.is_empty());
        figures.wrong_sure += usize::from(wrong && slot.confidence >= RUN_MIN);
        taken_right += usize::from(slot.right && slot.found.is_some());
    }
    figures.precision = share(taken_right, taken_right + figures.wrong + figures.extra);
    figures.recall = share(figures.right, figures.wanted);
    figures
}

fn outcomes(rows: &[ArgsPrediction]) -> Vec<OutcomeCount> {
    let all = [Outcome::Run, Outcome::Clarify, Outcome::Rephrase];
    let pairs = all.iter().flat_map(|wanted| all.iter().map(move |found| (*wanted, *found)));
    let counted = pairs.map(|(wanted, found)| {
        let is_it = |row: &&ArgsPrediction| row.wanted == Some(wanted) && row.outcome == Some(found);
        OutcomeCount { wanted, found, rows: rows.iter().filter(is_it).count() }
    });
    counted.filter(|count| count.rows > 0).collect()
}

#[allow(clippy::cast_precision_loss)] // counts of rows are far below 2^52
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
