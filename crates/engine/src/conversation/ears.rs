//! How is a message heard? By the router, and by the interpreter of arguments.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use waypost_core::arguments::{By, Question, RUN_MIN};
use waypost_core::conversation::{Ask, Ears, Heard, Routed, Said};
use waypost_core::decision::Outcome as Decided;
use waypost_core::message::{Fact, Message, Turn};

use super::Conversations;
use crate::arguments::{Answer, Refused, Request, SlotAnswer, ToolGiven};

/// The ears of one conversation.
pub(super) struct Hearing<'c> {
    pub conversations: &'c Conversations,
    pub session: &'c str,
}

impl Hearing<'_> {
    fn answer(&self, request: Request) -> Result<Answer, Refused> {
        let (now, locale) = (self.conversations.now.clone(), self.conversations.locale.clone());
        let session_id = Some(self.session.to_owned());
        self.conversations.interpreter.answer(&Request { now, locale, session_id, ..request })
    }

    /// The tools of a route, by name.
    fn tools_of(&self, name: &str) -> Vec<String> {
        let catalog = self.conversations.catalog();
        let route = catalog.routes().find(|(_, route)| *route.name == *name).map(|(_, route)| route);
        let tools = route.map(|route| route.expertise.tools.as_slice()).unwrap_or_default();
        tools.iter().filter(|tool| catalog.tool_place(tool).is_some()).cloned().collect()
    }

    /// Where no route has tools: the tool that is meant, by what tools are for.
    fn by_tools(&self, text: &str, facts: &BTreeMap<String, Fact>) -> Routed {
        let request = Request { text: text.to_owned(), session: facts.clone(), ..Request::default() };
        let answer = match self.answer(request) {
            Ok(answer) => answer,
            Err(refused) => return Routed { message: refused.to_string(), ..Routed::default() },
        };
        let several = answer.clarification.filter(|asked| asked.slot.is_none() && answer.tools.len() > 1);
        let names = |asked: crate::arguments::Clarification| {
            let names =
                asked.options.iter().filter_map(|option| option.as_str().map(str::to_owned)).collect();
            (asked.question, names)
        };
        let closed = answer.gates.iter().any(|gate| !gate.allowed);
        let question = several.filter(|_| !closed).map(names);
        let tools = answer.tool.into_iter().filter(|_| question.is_none()).collect();
        let confidence = answer.tools.first().map_or(0.0, |tool| tool.share);
        Routed { route: None, confidence, tools, message: answer.reason, question }
    }
}

impl Ears for Hearing<'_> {
    fn route(&self, text: &str, facts: &BTreeMap<String, Fact>) -> Routed {
        let catalog = self.conversations.catalog();
        if catalog.routes().all(|(_, route)| route.expertise.tools.is_empty()) {
            return self.by_tools(text, facts);
        }
        let message = Message {
            text: text.to_owned(),
            session: facts.clone(),
            session_id: Some(self.session.to_owned()),
            ..Message::default()
        };
        let answer = match self.conversations.router.route(&message) {
            Ok(answer) => answer,
            Err(error) => return Routed { message: error.to_string(), ..Routed::default() },
        };
        let route = answer.route.filter(|_| answer.outcome != Decided::Abstain);
        #[allow(clippy::cast_possible_truncation)] // from 0 to 1
        let confidence = answer.routes.first().map_or(0.0, |route| route.confidence.points().share() as f32);
        let asked = answer.clarification.filter(|_| route.is_none() && answer.outcome == Decided::Clarify);
        let question = asked.map(|asked| {
            let tools = asked.options.iter().flat_map(|option| self.tools_of(&option.name));
            (asked.question, tools.collect())
        });
        let tools = route.as_deref().map(|route| self.tools_of(route)).unwrap_or_default();
        Routed { route, confidence, tools, message: answer.message, question }
    }

    fn hear(&self, ask: &Ask<'_>) -> Heard {
        let request = Request {
            text: ask.text.to_owned(),
            tool: Some(ToolGiven::Named(ask.tool.to_owned())),
            options: ask.options.clone(),
            memory: ask.memory.clone(),
            session: ask.facts.clone(),
            history: ask.question.map(of_assistant).into_iter().collect(),
            about: ask.about.map(str::to_owned),
            settled: ask.settled.clone(),
            ..Request::default()
        };
        match self.answer(request) {
            Ok(answer) => heard(answer),
            Err(refused) => Heard { reason: refused.to_string(), ..Heard::default() },
        }
    }

    /// A list of things to pick from is a tool with one slot that takes nothing else.
    fn pick(&self, text: &str, labels: &[String]) -> Option<usize> {
        let schema = json!({
            "type": "object", "required": ["choice"],
            "properties": { "choice": { "type": "string", "enum": labels } },
        });
        let tool = Map::from_iter([
            ("name".to_owned(), json!("choose")),
            ("description".to_owned(), json!("Chooses one of a few.")),
            ("schema".to_owned(), schema),
        ]);
        let request = Request {
            text: text.to_owned(),
            tool: Some(ToolGiven::Described(tool)),
            options: labels.iter().cloned().map(Value::String).collect(),
            about: Some("choice".to_owned()),
            ..Request::default()
        };
        let answer = self.answer(request).ok()?;
        // What is offered is something to do: it is taken by its place or its name, and not because a message is a little
        // like it.
        let named = |by: By| matches!(by, By::Exact | By::Alias | By::Ordinal | By::Fuzzy);
        let sure =
            |slot: &&SlotAnswer| slot.confidence >= RUN_MIN && !slot.doubtful && named(slot.matched_by);
        let picked = answer.slots.get("choice").filter(sure)?;
        labels.iter().position(|label| picked.value == *label)
    }
}

/// What the interpreter answers, as a conversation hears it. What closed gates ask is asked by the conversation itself.
fn heard(answer: Answer) -> Heard {
    let question = answer.clarification.and_then(|asked| {
        let slot = asked.slot.clone().unwrap_or_default();
        let question = Question { slot, question: asked.question, options: asked.options };
        (asked.slot.is_some() || question.confirms()).then_some(question)
    });
    let said = |(slot, held): (String, SlotAnswer)| Said {
        slot,
        value: held.value,
        confidence: held.confidence,
        by: held.matched_by,
        span: held.span,
        doubtful: held.doubtful,
    };
    Heard {
        outcome: answer.outcome,
        args: answer.args,
        slots: answer.slots.0.into_iter().map(said).collect(),
        confidence: answer.confidence,
        by: Some(answer.matched_by),
        reason: answer.reason,
        question,
        warnings: answer.warnings,
    }
}

/// A turn of ours.
fn of_assistant(text: &str) -> Turn {
    Turn::Said { text: text.to_owned(), role: Some("assistant".to_owned()) }
}
