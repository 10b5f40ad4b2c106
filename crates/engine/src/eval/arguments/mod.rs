//! How well are the arguments of tools filled? Rows with what is right in, what was made of each out.

mod rows;
mod same;
mod report;

use serde::Serialize;
use serde_json::Value;
use waypost_core::arguments::form::{Form, Kind};
use waypost_core::arguments::{By, Outcome, RUN_MIN};
use waypost_core::mentions;

use crate::arguments::{Answer, Interpreter, Refused, SlotAnswer, ToolGiven};
use crate::ports::elapsed_us;

pub use report::{ArgsReport, KindFigures, OutcomeCount, args_report};
pub use rows::{ArgsRow, ArgsSetting, JudgedAs};

use super::duckling;
pub(super) use same::same;

/// What was made of a row.
#[derive(Clone, Debug, Serialize)]
pub struct ArgsPrediction {
    /// The message.
    pub text: String,
    /// The tool that is right, or that was given.
    pub tool: Option<String>,
    /// The tool that was answered.
    pub answered: Option<String>,
    /// What should have followed, where the row says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<Outcome>,
    /// What followed from the message, gates aside; nothing for phrases, which call nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// How it went.
    pub verdict: Verdict,
    /// How sure the whole was.
    pub confidence: f32,
    /// Slot by slot: those that were wanted, and those that were taken.
    pub slots: Vec<SlotJudged>,
    /// How long it took, in microseconds.
    pub elapsed_us: f64,
}

/// How a row went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Everything is as it should be.
    Right,
    /// Something is not known, and it would be asked for.
    Asked,
    /// A wrong value was taken for sure.
    WrongRun,
    /// What was found is not what was wanted; nothing was run.
    Missed,
}

/// How a slot went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlotJudged {
    /// The slot.
    pub slot: String,
    /// What sort of value it takes.
    pub kind: &'static str,
    /// What is right; empty where nothing was said for it.
    pub accepted: Vec<Value>,
    /// What was taken.
    pub found: Option<Value>,
    /// How sure that was.
    pub confidence: f32,
    /// Whether it is right.
    pub right: bool,
}

impl SlotJudged {
    /// Whether a value was taken that is wrong.
    pub fn is_wrong(&self) -> bool {
        self.found.is_some() && !self.right
    }

    /// Whether a value was to be found.
    pub fn is_wanted(&self) -> bool {
        !self.accepted.is_empty() && !self.accepted.iter().any(|value| value == "")
    }
}

/// Answers every row, one after the other, up to the first that cannot be.
pub fn judge_args(interpreter: &Interpreter, rows: &[ArgsRow]) -> Result<Vec<ArgsPrediction>, Refused> {
    rows.iter().filter_map(|row| judge(interpreter, row).transpose()).collect()
}

/// What is made of a row; nothing where its notation is not one that is known.
fn judge(interpreter: &Interpreter, row: &ArgsRow) -> Result<Option<ArgsPrediction>, Refused> {
    if let Some(phrase) = &row.phrase {
        return Ok(judge_phrase(phrase));
    }
    let answer = interpreter.answer(&row.request)?;
    let given = given(row);
    let slots = match &given {
        Some(given) => interpreter.with_form(given, |form| judge_slots(row, &answer, Some(form)))?,
        None => judge_slots(row, &answer, None),
    };
    let tool = row.tool.clone().or_else(|| given.as_ref().map(name_of));
    let is_tool = row.tool.is_none() || row.tool == answer.tool;
    let verdict = match row.judged_as {
        JudgedAs::Own => own(row, &answer, &slots),
        JudgedAs::Call => call(is_tool, &answer, &slots),
        _ => turn(&slots),
    };
    Ok(Some(ArgsPrediction {
        text: row.request.text.clone(),
        tool,
        answered: answer.tool,
        wanted: row.outcome.or((row.judged_as == JudgedAs::Call).then_some(Outcome::Run)),
        outcome: Some(answer.heard),
        verdict,
        confidence: answer.confidence,
        slots,
        elapsed_us: answer.elapsed_us,
    }))
}

/// The tool that is right.
fn given(row: &ArgsRow) -> Option<ToolGiven> {
    let expected = || row.request.tools.iter().find(|given| Some(name_of(given)) == row.tool).cloned();
    row.request.tool.clone().or_else(expected)
}

fn name_of(given: &ToolGiven) -> String {
    match given {
        ToolGiven::Named(name) => name.clone(),
        ToolGiven::Described(row) => row.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
    }
}

/// The slots that were wanted and those that were taken. Rows of our own look at what is sure alone.
fn judge_slots(row: &ArgsRow, answer: &Answer, form: Option<&Form>) -> Vec<SlotJudged> {
    let sure = |slot: &SlotAnswer| !slot.doubtful && slot.confidence >= RUN_MIN;
    let held =
        |slot: &str| answer.slots.get(slot).filter(|held| row.judged_as != JudgedAs::Own || sure(held));
    let taken = |slot: &str| match row.judged_as {
        JudgedAs::Own => held(slot).map(|held| &held.value),
        _ => answer.args.get(slot),
    };
    // A set does not expect what nobody said; neither is it wrong.
    let counted = row.expected.iter().filter(|(_, right)| !right.iter().any(|value| value == "dontcare"));
    let wanted = counted.map(|(slot, right)| {
        let by_default = held(slot).is_some_and(|held| held.matched_by == By::Default);
        let is_one = |found: &Value| right.iter().any(|accepted| same(found, accepted, row.judged_as));
        // A wrong default is taken only where it would be run.
        let passed_over = row.judged_as == JudgedAs::Own && by_default && answer.heard != Outcome::Run;
        let found = taken(slot).filter(|found| !passed_over || is_one(found)).cloned();
        let is_right = match &found {
            Some(found) => is_one(found),
            None => right.iter().any(|accepted| accepted == ""),
        };
        let confidence = held(slot).map_or(0.0, |held| held.confidence);
        let kind = kind_of(form, slot, right);
        SlotJudged { slot: slot.clone(), kind, accepted: right.clone(), found, confidence, right: is_right }
    });
    let is_extra = |(name, slot): &&(String, SlotAnswer)| {
        let known =
            row.expected.keys().any(|wanted| name == wanted || name.starts_with(&format!("{wanted}.")));
        let told = row.judged_as != JudgedAs::Own || sure(slot);
        // A call with a default that nobody expects is another call; elsewhere a default says nothing.
        let counts = row.judged_as == JudgedAs::Call || slot.matched_by != By::Default;
        !known && told && counts && !slot.doubtful
    };
    let extra = answer.slots.0.iter().filter(is_extra).map(|(name, slot)| SlotJudged {
        slot: name.clone(),
        kind: kind_of(form, name, &[]),
        accepted: Vec::new(),
        found: Some(slot.value.clone()),
        confidence: slot.confidence,
        right: false,
    });
    wanted.chain(extra).collect()
}

/// What sort of value a slot takes, as figures tell them apart.
fn kind_of(form: Option<&Form>, slot: &str, right: &[Value]) -> &'static str {
    let slot = form.and_then(|form| form.slots.iter().find(|own| own.name == slot));
    let number =
        |value: &Value| value.is_number() || value.as_str().is_some_and(|text| text.parse::<f64>().is_ok());
    match slot {
        None => "object",
        Some(slot) if slot.many.is_some() => "list",
        Some(slot) if slot.kind == Kind::Flag => "flag",
        Some(slot) if slot.closed => "categorical",
        Some(slot) if slot.kind.is_number() || right.first().is_some_and(number) => "number",
        Some(slot) if slot.kind.is_time() || slot.kind == Kind::Duration => "time",
        Some(slot) if slot.kind == Kind::Object => "object",
        Some(_) => "text",
    }
}

/// A row of our own: what is sure is what was said, and nothing else is.
fn own(row: &ArgsRow, answer: &Answer, slots: &[SlotJudged]) -> Verdict {
    let wrong = slots.iter().any(SlotJudged::is_wrong);
    let right = slots.iter().all(|slot| slot.right);
    let outcome_right = match row.outcome {
        None | Some(Outcome::Run) => true,
        Some(outcome) => outcome == answer.heard,
    };
    match (right && outcome_right, wrong) {
        (true, _) => Verdict::Right,
        (false, true) => Verdict::WrongRun,
        (false, false) if row.outcome.is_none_or(|outcome| outcome == Outcome::Run) => Verdict::Asked,
        (false, false) => Verdict::Missed,
    }
}

/// A call: wholly right or not, and if not, whether it was run.
fn call(is_tool: bool, answer: &Answer, slots: &[SlotJudged]) -> Verdict {
    match (is_tool && slots.iter().all(|slot| slot.right), answer.heard) {
        (true, _) => Verdict::Right,
        (false, Outcome::Run) => Verdict::WrongRun,
        (false, _) => Verdict::Asked,
    }
}

/// A turn: what it says is found, and nothing else for sure.
fn turn(slots: &[SlotJudged]) -> Verdict {
    let sure = |slot: &&SlotJudged| slot.is_wrong() && slot.confidence >= RUN_MIN;
    if slots.iter().find(sure).is_some() {
        return Verdict::WrongRun;
    }
    let wanted = slots.iter().filter(|slot| slot.is_wanted()).all(|slot| slot.right);
    if wanted { Verdict::Right } else { Verdict::Asked }
}

fn judge_phrase(phrase: &duckling::Phrase) -> Option<ArgsPrediction> {
    let wanted = duckling::wanted(phrase)?;
    let setting = phrase.setting();
    let begun = std::time::Instant::now();
    let found = mentions::find(&phrase.text, &setting);
    let elapsed_us = elapsed_us(begun);
    let right = duckling::is_found(phrase, &wanted, &found);
    let slot = SlotJudged {
        slot: phrase.dim.clone(),
        kind: "phrase",
        accepted: vec![Value::String(phrase.value_raw.clone())],
        found: right.then(|| Value::String(phrase.value_raw.clone())),
        confidence: if right { 1.0 } else { 0.0 },
        right,
    };
    Some(ArgsPrediction {
        text: phrase.text.clone(),
        tool: None,
        answered: None,
        wanted: None,
        outcome: None,
        verdict: if right { Verdict::Right } else { Verdict::Missed },
        confidence: slot.confidence,
        slots: vec![slot],
        elapsed_us,
    })
}
