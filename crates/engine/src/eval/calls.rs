//! How well are calls filled over tools that nobody tuned to? Tools with what people say to them in, figures out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use waypost_core::arguments::form::{Form, Kind, Slot};
use waypost_core::arguments::{By, Evidence, Outcome};
use waypost_core::message::Turn;

use super::arguments::{JudgedAs, same};
use crate::arguments::{Answer, Interpreter, Refused, Request, ToolGiven};

/// The time at which the rows of `training/calls` are said.
pub const CALLS_NOW: &str = "2026-11-16T10:00:00";

/// A tool with what people say to it; `training/calls/README.md` describes the format.
#[derive(Clone, Debug, Deserialize)]
pub struct CallTool {
    /// Name, description and parameters.
    pub tool: Map<String, Value>,
    /// The messages.
    pub rows: Vec<CallRow>,
}

/// A message with what it says.
#[derive(Clone, Debug, Deserialize)]
pub struct CallRow {
    /// The message.
    pub text: String,
    /// The values by slot.
    pub values: BTreeMap<String, CallValue>,
    /// What the message does.
    pub act: CallAct,
    /// What looks like a value and is none.
    #[serde(default, rename = "not")]
    pub rejected: Vec<RejectedValue>,
    /// Earlier turns of the speaker.
    #[serde(default)]
    pub history: Vec<String>,
    /// Further calls that the message asks for.
    #[serde(default)]
    pub more: Vec<BTreeMap<String, CallValue>>,
    /// Set for a trap: whether to ask (`true`) or to leave it alone (`false`). A trap must not run.
    #[serde(default)]
    pub ask: Option<bool>,
}

/// A value that a message says.
#[derive(Clone, Debug, Deserialize)]
pub struct CallValue {
    /// As a call holds it.
    pub value: Value,
}

/// Something that looks like a value of a slot.
#[derive(Clone, Debug, Deserialize)]
pub struct RejectedValue {
    /// The slot that it would be taken for; `?` if there is none.
    #[serde(default)]
    pub slot: String,
    /// Why it is none.
    pub why: String,
}

/// What a message does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallAct {
    /// Asks for the tool to be run.
    Request,
    /// Asks about something.
    Question,
    /// Speaks of what would be.
    Hypothetical,
    /// Tells what was done.
    Past,
    /// Means something that it does not say.
    Reference,
    /// Has nothing to do with the tool.
    Other,
    /// Says that it is not to be done.
    Refusal,
}

/// Reasons for which what was said has to be asked about before a call runs, unless the message says the slot's value beside it: "400 Fahrenheit, so use 200 Celsius".
const TO_BE_ASKED: [&str; 6] =
    ["conditional", "wrong_unit", "out_of_bounds", "competing", "vague", "no_slot"];

/// What was made of a row.
#[derive(Clone, Debug, Serialize)]
pub struct CallPrediction {
    /// The tool.
    pub tool: String,
    /// The message.
    pub text: String,
    /// What followed.
    pub outcome: Outcome,
    /// How sure the whole was.
    pub confidence: f32,
    /// How likely all of it was right, where the reader said so.
    pub all_right: Option<f32>,
    /// What should have followed.
    pub wanted: CallWanted,
    /// Whether every value is right and no other is taken; of all calls, where several are asked for.
    pub whole: bool,
    /// How many calls are asked for.
    pub calls: usize,
    /// Slot by slot: the kind, what was wanted, what was taken, how sure, and whether that is right.
    pub slots: Vec<CallSlot>,
    /// How long it took, in microseconds.
    pub elapsed_us: f64,
}

/// What should follow from a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallWanted {
    /// A call: it asks for the tool and says all that is needed.
    Run,
    /// A question: it asks for the tool, and something is missing or not to be run as it is.
    Ask,
    /// No call: it does not ask for the tool.
    Nothing,
    /// No call: it is a trap.
    Trap,
}

/// How a slot went.
#[derive(Clone, Debug, Serialize)]
pub struct CallSlot {
    /// Its name.
    pub slot: String,
    /// Text, choice, number, time, flag or list.
    pub kind: &'static str,
    /// What was said; nothing where the slot stays empty.
    pub wanted: Option<Value>,
    /// What was taken.
    pub found: Option<Value>,
    /// How sure that was.
    pub confidence: f32,
    /// Whether that is right.
    pub right: bool,
}

/// The kind of what is said in lists of objects.
const NESTED: &str = "list of objects";

impl CallTool {
    /// The first value of a row for a slot that the tool does not have.
    pub fn unknown_slot(&self, interpreter: &Interpreter) -> Result<Option<String>, Refused> {
        let given = ToolGiven::Described(self.tool.clone());
        interpreter.with_form(&given, |form| {
            let known = |name: &String| {
                let listed = name.split_once('[').and_then(|(list, _)| form.place(list));
                form.place(name).or(listed).is_some()
            };
            let mut names = self.rows.iter().flat_map(|row| row.values.keys());
            names.find(|name| !known(name)).cloned()
        })
    }

    /// Answers every message.
    pub fn judge(&self, interpreter: &Interpreter, now: &str) -> Result<Vec<CallPrediction>, Refused> {
        let given = ToolGiven::Described(self.tool.clone());
        let form = interpreter.with_form(&given, Form::clone)?;
        let judge =
            |row: &CallRow| Ok(predicted(&form, row, &interpreter.answer(&row.request(&given, now))?));
        self.rows.iter().map(judge).collect()
    }

    /// What each message's reading is judged by, beside what came of it.
    pub fn evidence(
        &self,
        interpreter: &Interpreter,
        now: &str,
    ) -> Result<Vec<(CallPrediction, Evidence)>, Refused> {
        let given = ToolGiven::Described(self.tool.clone());
        let mut told = Vec::with_capacity(self.rows.len());
        for (row, prediction) in self.rows.iter().zip(self.judge(interpreter, now)?) {
            let evidence = interpreter.evidence(&row.request(&given, now))?;
            told.extend(evidence.map(|evidence| (prediction, evidence)));
        }
        Ok(told)
    }
}

impl CallRow {
    fn request(&self, given: &ToolGiven, now: &str) -> Request {
        Request {
            text: self.text.clone(),
            tool: Some(given.clone()),
            history: self.history.iter().map(|turn| Turn::Text(turn.clone())).collect(),
            now: Some(now.to_owned()),
            ..Request::default()
        }
    }
}

fn predicted(form: &Form, row: &CallRow, answer: &Answer) -> CallPrediction {
    let slots = judged(form, row, answer);
    CallPrediction {
        tool: form.tool.clone(),
        text: row.text.clone(),
        outcome: answer.heard,
        confidence: answer.confidence,
        all_right: answer.all_right,
        wanted: wanted(form, row),
        whole: if row.more.is_empty() {
            slots.iter().all(|slot| slot.right)
        } else {
            all_calls_right(form, row, answer)
        },
        calls: 1 + row.more.len(),
        slots,
        elapsed_us: answer.elapsed_us,
    }
}

/// Whether the answer has the calls that are wanted, in their order.
fn all_calls_right(form: &Form, row: &CallRow, answer: &Answer) -> bool {
    let wanted: Vec<&BTreeMap<String, CallValue>> = std::iter::once(&row.values).chain(&row.more).collect();
    let right = |(told, wanted): (&Map<String, Value>, &&BTreeMap<String, CallValue>)| {
        form.slots
            .iter()
            .all(|slot| is_right(slot, slot.value_in(told), wanted.get(&slot.name).map(|said| &said.value)))
    };
    wanted.len() == answer.calls.len() && answer.calls.iter().zip(&wanted).all(right)
}

/// Whether what was taken for a slot is what was wanted.
fn is_right(slot: &Slot, found: Option<&Value>, wanted: Option<&Value>) -> bool {
    match (wanted, found) {
        (None, None) => true,
        (Some(wanted), Some(found)) => {
            let is_text = slot.kind == Kind::Text && !slot.closed;
            same(found, wanted, JudgedAs::Own)
                || slot.kind.is_time() && same_time(found, wanted)
                || is_text && same(&without_article(found), &without_article(wanted), JudgedAs::Own)
        }
        _ => false,
    }
}

fn wanted(form: &Form, row: &CallRow) -> CallWanted {
    let said = |slot: &Slot| {
        let listed = format!("{}[", slot.name);
        row.values.contains_key(&slot.name) || row.values.keys().any(|name| name.starts_with(&listed))
    };
    let complete = form.slots.iter().all(|slot| !slot.required || slot.default.is_some() || said(slot));
    let to_be_asked = row.rejected.iter().any(|rejected| {
        TO_BE_ASKED.contains(&rejected.why.as_str()) && !row.values.contains_key(&rejected.slot)
    });
    match row.act {
        _ if row.ask.is_some() => CallWanted::Trap,
        CallAct::Request if complete && !to_be_asked && row.more.is_empty() && !row.values.is_empty() => {
            CallWanted::Run
        }
        CallAct::Request => CallWanted::Ask,
        _ => CallWanted::Nothing,
    }
}

/// Every slot of the form, and what a message says for slots that the form does not have.
fn judged(form: &Form, row: &CallRow, answer: &Answer) -> Vec<CallSlot> {
    let of_form = form.slots.iter().map(|slot| {
        let held =
            answer.slots.get(&slot.name).filter(|held| held.matched_by != By::Default && !held.doubtful);
        let wanted = row.values.get(&slot.name).map(|said| said.value.clone());
        let found = held.map(|held| held.value.clone());
        let right = is_right(slot, found.as_ref(), wanted.as_ref());
        let confidence = held.map_or(0.0, |held| held.confidence);
        CallSlot { slot: slot.name.clone(), kind: kind(slot), wanted, found, confidence, right }
    });
    let beyond = row.values.iter().filter(|(name, _)| form.place(name).is_none()).map(|(name, said)| {
        let found = within(answer, name);
        let right = match item_of(form, name) {
            Some(item) => is_right(item, found.as_ref(), Some(&said.value)),
            None => false,
        };
        let (slot, wanted) = (name.clone(), Some(said.value.clone()));
        CallSlot { slot, kind: NESTED, wanted, confidence: answer.confidence, right, found }
    });
    of_form.map(|slot| counted(row, slot)).chain(beyond).collect()
}

/// What is said in listed objects is judged value by value; the list itself by how many objects and values it has.
fn counted(row: &CallRow, slot: CallSlot) -> CallSlot {
    let said = |at: usize| row.values.keys().any(|name| name.starts_with(&format!("{}[{at}]", slot.slot)));
    if !said(0) {
        return slot;
    }
    let objects = slot.found.as_ref().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let values = objects.iter().filter_map(Value::as_object).map(Map::len).sum::<usize>();
    let wanted = row.values.keys().filter(|name| name.starts_with(&format!("{}[", slot.slot))).count();
    let right = values == wanted && objects.len() == (0..=wanted).take_while(|at| said(*at)).count();
    CallSlot { kind: NESTED, wanted: Some(Value::Null), right, ..slot }
}

/// What an answer holds for a slot of a listed object: `lines[0].sku`.
fn within(answer: &Answer, name: &str) -> Option<Value> {
    let (list, rest) = name.split_once('[')?;
    let (place, inner) = rest.split_once("].")?;
    let held = answer.slots.get(list).filter(|held| !held.doubtful)?;
    held.value.get(place.parse::<usize>().ok()?)?.get(inner).cloned()
}

/// The slot of listed objects that a name such as `lines[0].sku` means.
fn item_of<'f>(form: &'f Form, name: &str) -> Option<&'f Slot> {
    let (list, rest) = name.split_once('[')?;
    let (_, inner) = rest.split_once("].")?;
    let list = form.slots.iter().find(|slot| slot.name == list)?;
    list.items.iter().find(|item| item.name == inner)
}

/// A text without the article before it, and the texts of a list: annotators count it in or not, and the baselines were measured without.
fn without_article(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            let lower = text.to_lowercase();
            let article = ["the ", "a ", "an "].into_iter().find(|article| lower.starts_with(article));
            Value::String(lower.get(article.map_or(0, str::len)..).unwrap_or_default().to_owned())
        }
        Value::Array(texts) => Value::Array(texts.iter().map(without_article).collect()),
        other => other.clone(),
    }
}

/// Whether two texts tell the same time, or two lists the same times: seconds and the zone may be left out.
fn same_time(found: &Value, wanted: &Value) -> bool {
    if let (Value::Array(found), Value::Array(wanted)) = (found, wanted) {
        return found.len() == wanted.len()
            && found.iter().zip(wanted).all(|(found, wanted)| same_time(found, wanted));
    }
    let plain = |value: &Value| {
        let text = value.as_str()?;
        let text = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00")).unwrap_or(text);
        let clock = text.split_once('T').map_or(text, |(_, clock)| clock);
        let seconds = clock.split(':').count() > 2;
        Some(text.strip_suffix(":00").filter(|_| seconds).unwrap_or(text).to_owned())
    };
    plain(found).is_some_and(|found| Some(found) == plain(wanted))
}

fn kind(slot: &Slot) -> &'static str {
    match slot.kind {
        _ if slot.many.is_some() => "list",
        _ if slot.closed => "choice",
        Kind::Flag => "flag",
        Kind::Integer | Kind::Number => "number",
        Kind::Date | Kind::Time | Kind::DateTime | Kind::Duration => "time",
        _ => "text",
    }
}
