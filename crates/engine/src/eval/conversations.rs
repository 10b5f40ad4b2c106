//! Do conversations end as intended? Messages and reported outcomes in, the calls that were made and what is open at the end out.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use waypost_core::conversation::TurnKind;
use waypost_core::message::Fact;

use super::arguments::{JudgedAs, same};
use crate::conversation::{Clarification, Conversations, Message, Outcome, TurnAnswer, WouldRun};

/// A conversation with what should come of it.
#[derive(Clone, Debug, Deserialize)]
pub struct ConversationRow {
    /// What is said and reported, in order.
    pub turns: Vec<ConversationStep>,
    /// The complete calls, in order.
    pub calls: Vec<WouldRun>,
    /// What the last turn leads to.
    pub end: ConversationEnd,
}

/// A turn: a message, or the outcome of a tool that the host reports.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum ConversationStep {
    /// A message.
    Said(String),
    /// A tool did its work.
    Done {
        /// The tool.
        done: String,
        /// Facts that hold since.
        #[serde(default)]
        facts: BTreeMap<String, Fact>,
    },
    /// A tool failed.
    Failed {
        /// The tool.
        failed: String,
    },
}

/// What the last turn of a conversation leads to.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConversationEnd {
    /// A complete call.
    Call(bool),
    /// A question for a slot.
    Ask(String),
    /// A closed gate.
    Gate(String),
    /// Nothing is open.
    Idle(bool),
    /// What the assistant can do.
    Help(bool),
    /// An explanation that contains these words.
    Says(String),
    /// The offer to go on with a tool.
    Offer(String),
}

/// What came of a conversation.
#[derive(Clone, Debug, Serialize)]
pub struct ConversationPrediction {
    /// The messages and reports.
    pub turns: Vec<String>,
    /// The calls that were made.
    pub calls: Vec<WouldRun>,
    /// The calls that were wanted.
    pub wanted: Vec<WouldRun>,
    /// The end that was wanted.
    pub wanted_end: ConversationEnd,
    /// What each turn was answered with.
    pub answers: Vec<String>,
    /// How often a wanted call was asked about and had to be confirmed.
    pub confirmed: usize,
    /// Whether all calls are right, in order.
    pub calls_right: bool,
    /// Whether the end is right.
    pub end_right: bool,
}

impl ConversationPrediction {
    /// Whether the conversation ended as intended.
    pub fn right(&self) -> bool {
        self.calls_right && self.end_right
    }
}

impl ConversationRow {
    /// Holds the conversation, under a name of its own.
    pub fn judge(&self, talks: &Conversations, session: &str) -> Result<ConversationPrediction, String> {
        let (mut answers, mut calls, mut confirmed) = (Vec::new(), Vec::new(), 0);
        for step in &self.turns {
            let mut answer = step.take(talks, session)?;
            // Whoever is asked whether to make the very call that is wanted says yes.
            if self.calls.get(calls.len()).is_some_and(|wanted| asks_for(&answer, wanted, talks)) {
                answers.push(answer);
                answer = ConversationStep::Said("yes".to_owned()).take(talks, session)?;
                confirmed += 1;
            }
            calls.extend(answer.would_run.clone());
            answers.push(answer);
        }
        let end_right = answers.last().is_some_and(|last| self.end.is(last));
        Ok(ConversationPrediction {
            confirmed,
            turns: self.turns.iter().map(ConversationStep::words).collect(),
            calls_right: same_calls(&calls, &self.calls, talks),
            calls,
            wanted: self.calls.clone(),
            wanted_end: self.end.clone(),
            answers: answers.iter().map(summary).collect(),
            end_right,
        })
    }
}

impl ConversationStep {
    fn take(&self, talks: &Conversations, session: &str) -> Result<TurnAnswer, String> {
        let report = |tool: &str, success: bool, facts: BTreeMap<String, Fact>| {
            talks
                .report(&Outcome { session, tool, success, facts, ..Outcome::default() })
                .map_err(|error| error.to_string())
        };
        match self {
            ConversationStep::Said(text) => talks
                .turn(&Message { session, text, ..Message::default() })
                .map_err(|refused| refused.to_string()),
            ConversationStep::Done { done, facts } => report(done, true, facts.clone()),
            ConversationStep::Failed { failed } => report(failed, false, BTreeMap::new()),
        }
    }

    fn words(&self) -> String {
        match self {
            ConversationStep::Said(text) => text.clone(),
            ConversationStep::Done { done, .. } => format!("({done} succeeded)"),
            ConversationStep::Failed { failed } => format!("({failed} failed)"),
        }
    }
}

impl ConversationEnd {
    /// Whether an answer is this end.
    fn is(&self, last: &TurnAnswer) -> bool {
        let closed = last.gates.iter().find(|gate| !gate.allowed);
        let asked = last.clarification.as_ref();
        let called = last.would_run.is_some();
        match self {
            ConversationEnd::Call(_) => called,
            ConversationEnd::Ask(slot) => {
                !called && closed.is_none() && asked.is_some_and(|asked| asked.slot.as_ref() == Some(slot))
            }
            ConversationEnd::Gate(name) => !called && closed.is_some_and(|gate| gate.name == *name),
            ConversationEnd::Idle(_) => !called && asked.is_none() && closed.is_none(),
            ConversationEnd::Help(_) => {
                let lists = |text: &String| text.starts_with(waypost_core::conversation::OFFERED);
                last.turn == TurnKind::Explained && last.explanation.as_ref().is_some_and(lists)
            }
            ConversationEnd::Says(words) => last
                .explanation
                .as_ref()
                .is_some_and(|text| text.to_lowercase().contains(&words.to_lowercase())),
            ConversationEnd::Offer(tool) => {
                let offers = |asked: &Clarification| {
                    asked.options.iter().any(|chip| chip.label.contains(tool.as_str()))
                };
                let again = last.turn == TurnKind::Reported && last.tool.as_deref() == Some(tool.as_str());
                !called && asked.is_some_and(|asked| again || offers(asked))
            }
        }
    }
}

/// Whether the same tools are called with the same arguments, in order.
fn same_calls(made: &[WouldRun], wanted: &[WouldRun], talks: &Conversations) -> bool {
    let alike = |(one, other): (&WouldRun, &WouldRun)| {
        one.tool == other.tool && same_args(&one.args, &other.args, &defaults(talks, &one.tool))
    };
    made.len() == wanted.len() && made.iter().zip(wanted).all(alike)
}

/// What is left to a default may be written or not.
fn same_args(made: &Map<String, Value>, wanted: &Map<String, Value>, defaults: &Map<String, Value>) -> bool {
    let alike = |one: &Value, other: &Value| same(&on_the_minute(one), &on_the_minute(other), JudgedAs::Own);
    wanted
        .iter()
        .all(|(slot, value)| made.get(slot).or(defaults.get(slot)).is_some_and(|own| alike(own, value)))
        && made.iter().all(|(slot, value)| wanted.contains_key(slot) || defaults.get(slot) == Some(value))
}

/// A time of day without seconds that are none: 10:30:00 is 10:30.
fn on_the_minute(value: &Value) -> Value {
    let time = |text: &str| {
        let bare =
            text.strip_suffix(":00").filter(|bare| bare.len() == "10:30".len() && bare.contains(':'))?;
        Some(Value::String(bare.to_owned()))
    };
    value.as_str().and_then(time).unwrap_or_else(|| value.clone())
}

/// The defaults that a tool's schema declares.
fn defaults(talks: &Conversations, tool: &str) -> Map<String, Value> {
    let catalog = talks.catalog();
    let schema = catalog.tool_place(tool).and_then(|place| catalog.tools().get(place)?.input_schema.clone());
    let properties =
        schema.and_then(|schema| schema.get("properties")?.as_object().cloned()).unwrap_or_default();
    properties.into_iter().filter_map(|(slot, own)| Some((slot, own.get("default")?.clone()))).collect()
}

/// Whether an answer asks for a yes: to make the call that is wanted, or to take the one value that the wanted call has.
fn asks_for(answer: &TurnAnswer, wanted: &WouldRun, talks: &Conversations) -> bool {
    let of_wanted = answer.turn != TurnKind::Reported && answer.tool.as_deref() == Some(wanted.tool.as_str());
    let Some(asked) = answer.clarification.as_ref().filter(|_| of_wanted) else { return false };
    match (&asked.slot, asked.options.as_slice()) {
        (None, [yes, no]) if (yes.label.as_str(), no.label.as_str()) == ("yes", "no") => {
            same_args(&answer.args, &wanted.args, &defaults(talks, &wanted.tool))
        }
        (Some(slot), [only]) => {
            let is_it = |value| same(&on_the_minute(&only.value), &on_the_minute(value), JudgedAs::Own);
            wanted.args.get(slot).is_some_and(is_it)
        }
        _ => false,
    }
}

/// An answer in a line, for who reads what went wrong.
fn summary(answer: &TurnAnswer) -> String {
    let call = answer
        .would_run
        .as_ref()
        .map(|call| format!("call {} {}", call.tool, Value::Object(call.args.clone())));
    let gate = answer.gates.iter().find(|gate| !gate.allowed).map(|gate| format!("gate {}", gate.name));
    let asked = answer.clarification.as_ref().map(|asked| {
        let options: Vec<&str> = asked.options.iter().map(|chip| chip.label.as_str()).collect();
        format!("asks {:?} {} [{}]", asked.slot, asked.question, options.join(" | "))
    });
    let said = answer.explanation.as_ref().map(|text| format!("says {text}"));
    let reason = Some(format!("({})", answer.reason)).filter(|_| call.is_none());
    let kind = Some(format!("{:?}:", answer.turn).to_lowercase());
    [kind, call, gate, asked, said, reason].into_iter().flatten().collect::<Vec<_>>().join(" ")
}
