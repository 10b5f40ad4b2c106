//! What does a row say is right? Rows of our own, calls with accepted values, turns of dialogues, and phrases of one value.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde::de::Error as _;
use serde_json::{Map, Value};
use waypost_core::arguments::Outcome;
use waypost_core::message::Turn;

use crate::arguments::{Request, ToolGiven};
use crate::eval::duckling::Phrase;

/// The time that rows without one are read against, so that an evaluation is the same on every day. Turns of dialogues are
/// read against the first of March 2019, when theirs take place.
const NOW: &str = "2027-03-01T12:00:00";
const NOW_OF_TURNS: &str = "2019-03-01T12:00:00";
/// Where calls and turns that do not say it are taken to be said: both sets write the month first.
const LOCALE_OF_SETS: &str = "en-US";

/// How a row is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgedAs {
    /// By what is taken with confidence, and by what follows: `{"text", "tool", "expected": {slot: value}, "outcome"}`.
    Own,
    /// By the whole call: `{"text", "tools": […], "expected": [{"name", "args": {slot: [accepted]}}]}`.
    Call,
    /// Slot by slot: `{"text", "prev_system", "tool", "expected": {slot: {"surface", "canonical"}}}`.
    Turn,
    /// By the one value it names: `{"text", "dim", "value_raw"}`.
    Phrase,
}

/// A message and what it says.
#[derive(Clone, Debug)]
pub struct ArgsRow {
    /// What is asked.
    pub request: Request,
    /// How it is judged.
    pub judged_as: JudgedAs,
    /// The tool that is right, where it is to be chosen.
    pub tool: Option<String>,
    /// The values that are right for each slot; an empty text says that it may be left out.
    pub expected: BTreeMap<String, Vec<Value>>,
    /// What should follow, where the row says.
    pub outcome: Option<Outcome>,
    /// The phrase, where it is one.
    pub phrase: Option<Phrase>,
}

/// What stands in a row beside what is asked.
#[derive(Deserialize)]
struct Right {
    #[serde(default)]
    expected: Value,
    #[serde(default)]
    outcome: Option<String>,
    #[serde(default)]
    prev_system: Option<String>,
}

/// What holds for rows that do not say it, and where their tools are described.
#[derive(Clone, Debug, Default)]
pub struct ArgsSetting {
    /// The time they are read against.
    pub now: Option<String>,
    /// Where they were said.
    pub locale: Option<String>,
    /// Tools by name, beside those of the catalog.
    pub tools: HashMap<String, Map<String, Value>>,
}

impl ArgsRow {
    /// Reads a row, whichever set it is of.
    pub fn read(line: &str, setting: &ArgsSetting) -> serde_json::Result<ArgsRow> {
        let row: Value = serde_json::from_str(line)?;
        let judged_as = match &row {
            row if row.get("dim").is_some() => JudgedAs::Phrase,
            row if row.get("expected").is_some_and(Value::is_array) => JudgedAs::Call,
            row if row.get("prev_system").is_some() => JudgedAs::Turn,
            _ => JudgedAs::Own,
        };
        let phrase = match judged_as {
            JudgedAs::Phrase => Some(serde_json::from_value(row.clone())?),
            _ => None,
        };
        let right: Right = serde_json::from_value(row.clone())?;
        let mut request: Request = serde_json::from_value(row)?;
        let (mut tool, mut expected) = (None, BTreeMap::new());
        match judged_as {
            JudgedAs::Own => expected = each(&right.expected, |value| vec![value.clone()]),
            JudgedAs::Turn => expected = each(&right.expected, accepted),
            JudgedAs::Call => {
                let call =
                    right.expected.get(0).ok_or_else(|| serde_json::Error::custom("no call is expected"))?;
                tool = call.get("name").and_then(Value::as_str).map(str::to_owned);
                let listed = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                expected = each(call.get("args").unwrap_or(&Value::Null), listed);
                if let [only] = request.tools.as_slice() {
                    request.tool = Some(only.clone());
                }
            }
            JudgedAs::Phrase => {}
        }
        request.history.extend(right.prev_system.filter(|said| !said.is_empty()).map(Turn::Text));
        setting.apply(&mut request, judged_as);
        let outcome = right.outcome.as_deref().map(outcome).transpose()?;
        Ok(ArgsRow { request, judged_as, tool, expected, outcome, phrase })
    }
}

impl ArgsSetting {
    fn apply(&self, request: &mut Request, judged_as: JudgedAs) {
        let (now, locale) = match judged_as {
            JudgedAs::Turn => (NOW_OF_TURNS, Some(LOCALE_OF_SETS)),
            JudgedAs::Call => (NOW, Some(LOCALE_OF_SETS)),
            JudgedAs::Own | JudgedAs::Phrase => (NOW, None),
        };
        request.now = request.now.take().or_else(|| self.now.clone()).or(Some(now.to_owned()));
        let stated = request.locale.take().or_else(|| self.locale.clone());
        request.locale = stated.or(locale.map(str::to_owned));
        if let Some(ToolGiven::Named(name)) = &request.tool
            && let Some(tool) = self.tools.get(name)
        {
            request.tool = Some(ToolGiven::Described(tool.clone()));
        }
    }
}

fn outcome(written: &str) -> serde_json::Result<Outcome> {
    match written {
        "run" => Ok(Outcome::Run),
        "clarify" => Ok(Outcome::Clarify),
        "rephrase" => Ok(Outcome::Rephrase),
        other => {
            Err(serde_json::Error::custom(format!("outcome is run, clarify or rephrase, not {other:?}")))
        }
    }
}

fn each(expected: &Value, of: impl Fn(&Value) -> Vec<Value>) -> BTreeMap<String, Vec<Value>> {
    let slots = expected.as_object().into_iter().flatten();
    slots.map(|(slot, value)| (slot.clone(), of(value))).collect()
}

/// What a turn says in its own words and in the set's; both are right.
fn accepted(value: &Value) -> Vec<Value> {
    let of = |key: &str| value.get(key).and_then(Value::as_array).into_iter().flatten().cloned();
    of("canonical").chain(of("surface")).collect()
}
