//! What does a conversation need to hear? The route of a message, what it says for a tool, and which of a few things it picks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Move, Values};
use crate::arguments::{By, Outcome, Question};
use crate::message::Fact;

/// How sure a plain value of an answer or a correction must be; below, it is asked about.
const FIRM_MIN: f32 = 0.3;

/// What hears messages for a conversation.
pub trait Ears {
    /// Which route a message takes.
    fn route(&self, text: &str, facts: &BTreeMap<String, Fact>) -> Routed;

    /// What a message says for a tool.
    fn hear(&self, ask: &Ask<'_>) -> Heard;

    /// What a whole message asks of the conversation itself, whatever its words.
    fn steer(&self, text: &str) -> Option<Move>;

    /// Which of a few things a message picks, by its place among them.
    fn pick(&self, text: &str, labels: &[String]) -> Option<usize>;
}

/// Which route a message takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routed {
    /// The route, where one is taken; it may be guarded by a gate that is closed.
    pub route: Option<String>,
    /// How sure that is.
    pub confidence: f32,
    /// The tools it has, by name.
    pub tools: Vec<String>,
    /// What to say where there is none.
    pub message: String,
    /// What to ask where there is none, and with what the answers name: routes that have tools.
    pub question: Option<(String, Vec<String>)>,
    /// What is asked besides: the tool, and the part of the message that asks for it.
    pub also: Vec<Later>,
    /// The message without what is asked besides, where something is.
    pub first: Option<String>,
    /// The tools of the route that is most likely where none is taken.
    pub guess: Vec<String>,
}

/// A second request of a message, which waits until the first is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Later {
    /// The tool it is for.
    pub tool: String,
    /// The part of the message that asks for it; empty where what it said is settled.
    pub text: String,
    /// What was settled before it had to wait.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    pub settled: Values,
}

/// A message, and what it is heard against.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// What was said.
    pub text: &'a str,
    /// The tool.
    pub tool: &'a str,
    /// The slot that was asked for last.
    pub about: Option<&'a str>,
    /// What was asked, in words.
    pub question: Option<&'a str>,
    /// What the speaker sees, in its order.
    pub options: Vec<Value>,
    /// What earlier turns settled.
    pub settled: &'a Values,
    /// The last values of the slots.
    pub memory: &'a Values,
    /// The facts of the session.
    pub facts: &'a BTreeMap<String, Fact>,
}

/// What a message says for a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// What follows.
    pub outcome: Outcome,
    /// The arguments.
    pub args: Map<String, Value>,
    /// What each slot holds, in the order of the schema.
    pub slots: Vec<Said>,
    /// How sure the whole is.
    pub confidence: f32,
    /// How the weakest slot was found.
    pub by: Option<By>,
    /// Why, in a few words.
    pub reason: String,
    /// What is to be asked.
    pub question: Option<Question>,
    /// What is unusual and yet allowed.
    pub warnings: Vec<String>,
}

/// What a slot holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The slot.
    pub slot: String,
    /// Its value.
    pub value: Value,
    /// How sure it is.
    pub confidence: f32,
    /// How it was found.
    pub by: By,
    /// Where it stands in the message, in characters.
    pub span: Option<[usize; 2]>,
    /// Whether it cannot be run as it is.
    pub doubtful: bool,
}

impl Heard {
    /// What the slots hold that is no default and no doubt.
    pub fn settled(&self) -> Values {
        self.held(crate::arguments::RUN_MIN)
    }

    /// What a question whether to run shows: what is at all likely.
    pub fn understood(&self) -> Values {
        self.held(crate::arguments::ASK_MIN)
    }

    /// What is said word for word, as a number or as a date, and not put in doubt: in an answer or a correction that holds, even
    /// where all of a message by itself would be too little to run on.
    pub fn firm(&self) -> Values {
        let firm = |said: &&Said| {
            let plain = matches!(said.by, By::Exact | By::Alias | By::Ordinal | By::Number | By::Date);
            plain && !said.doubtful && said.confidence >= FIRM_MIN
        };
        self.slots.iter().filter(firm).map(|said| (said.slot.clone(), said.value.clone())).collect()
    }

    fn held(&self, least: f32) -> Values {
        let told = self.slots.iter().filter(|said| said.by != By::Default && !said.doubtful);
        let told = told.filter(|said| said.confidence >= least);
        told.map(|said| (said.slot.clone(), said.value.clone())).collect()
    }

    /// What the message itself says, beside what was settled before.
    pub fn said<'h>(&'h self, before: &'h Values) -> impl Iterator<Item = &'h Said> {
        let is_new = |said: &&Said| said.by != By::Default && before.get(&said.slot) != Some(&said.value);
        self.slots.iter().filter(is_new)
    }

    /// Whether the message itself says a sure value for a slot.
    pub fn fills(&self, slot: &str, before: &Values) -> bool {
        self.said(before)
            .any(|said| said.slot == slot && !said.doubtful && said.confidence >= crate::arguments::RUN_MIN)
    }

    /// How much speaks for it, to choose among tools: what can be run comes before what must be asked.
    pub fn rank(&self) -> f32 {
        let outcome = match self.outcome {
            Outcome::Run => 2.0,
            Outcome::Clarify => 1.0,
            Outcome::Rephrase => 0.0,
        };
        outcome + self.confidence / 2.0
    }

    /// How much of a text the values that were found take, from 0 to 1.
    pub fn covers(&self, text: &str) -> f32 {
        let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).count();
        let of_span = |[from, to]: [usize; 2]| {
            text.chars()
                .skip(from)
                .take(to.saturating_sub(from))
                .filter(|letter| letter.is_alphanumeric())
                .count()
        };
        let found: usize = self.slots.iter().filter_map(|said| said.span).map(of_span).sum();
        #[allow(clippy::cast_precision_loss)] // messages are short of four million letters
        let share = found as f32 / letters(text).max(1) as f32;
        share.min(1.0)
    }
}
