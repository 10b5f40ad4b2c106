//! How is a message heard? By the router, and by the interpreter of arguments.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use waypost_core::arguments::{By, Question, RUN_MIN};
use waypost_core::conversation::{Ask, Ears, Heard, Later, Move, Routed, Said};
use waypost_core::decision::Outcome as Decided;
use waypost_core::message::{Fact, Message, Turn};
use waypost_core::trace::PartOfMessage;

use super::Conversations;
use crate::arguments::{Answer, Refused, Request, SlotAnswer, ToolGiven};

/// Words and signs that may join two requests, the longest first.
const JOINTS: [&str; 14] = [
    " and then also ",
    ", then also ",
    " and after that ",
    " and afterwards ",
    " and then ",
    " and also ",
    ", also ",
    ", then ",
    ". also ",
    ". ",
    "; ",
    "? ",
    ", and ",
    " and ",
];
/// Places at which a message is cut in two to see whether its parts lead to two tools; each takes two decisions.
const CUTS_MAX: usize = 4;

/// The ways to cut a message in two where words join, those that say most clearly that something else follows first.
fn halves(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lower = text.to_ascii_lowercase();
    let places: Vec<(usize, usize)> = JOINTS
        .iter()
        .flat_map(|joint| lower.match_indices(joint).map(|(at, joint)| (at, joint.len())).collect::<Vec<_>>())
        .collect();
    let cut = move |(at, length): (usize, usize)| {
        let (first, second) = (text.get(..at)?.trim(), text.get(at + length..)?.trim());
        (!first.is_empty() && !second.is_empty()).then_some((first, second))
    };
    places.into_iter().filter_map(cut).take(CUTS_MAX)
}

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

    /// A message that asks for two things: the tools of what is said first, its part of the message, and what waits. Where words join
    /// two parts, they say where the second begins; otherwise the model does, which marks the words of one of them.
    fn parts(
        &self,
        text: &str,
        facts: &BTreeMap<String, Fact>,
        tools: Vec<String>,
        also: &[PartOfMessage],
    ) -> (Vec<String>, Option<String>, Vec<Later>) {
        for (first, second) in halves(text) {
            let Some(other) = self.tool_for(second, facts) else { continue };
            let one = self.tool_for(first, facts).or_else(|| tools.first().cloned());
            if let Some(one) = one.filter(|one| *one != other) {
                let later = Later { tool: other, text: second.to_owned(), ..Later::default() };
                return (vec![one], Some(first.to_owned()), vec![later]);
            }
        }
        let Some(own) = tools.first().cloned() else { return (tools, None, Vec::new()) };
        let later = |part: &PartOfMessage| {
            let tool = self.tools_of(&part.route).into_iter().next().filter(|tool| *tool != own)?;
            Some(Later { tool, text: part.text.clone()?, ..Later::default() })
        };
        let found: Vec<Later> = also.iter().filter_map(later).collect();
        let rest = found.iter().fold(text.to_owned(), |rest, later| rest.replacen(&later.text, "", 1));
        let first = Some(rest).filter(|rest| !found.is_empty() && !rest.trim().is_empty());
        (tools, first, found)
    }

    /// The tool of the route that a part of a message takes.
    fn tool_for(&self, part: &str, facts: &BTreeMap<String, Fact>) -> Option<String> {
        let message = Message { text: part.to_owned(), session: facts.clone(), ..Message::default() };
        let answer = self.conversations.router.route(&message).ok()?;
        let route = answer.route.filter(|_| answer.outcome != Decided::Abstain)?;
        self.tools_of(&route).into_iter().next()
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
        Routed { route: None, confidence, tools, message: answer.reason, question, ..Routed::default() }
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
        let ranked = answer.routes.first().map(|best| best.name.as_str());
        let best = ranked.or(answer.considered.first().map(|best| &*best.name));
        let guess = best.filter(|_| route.is_none() && answer.blocked.is_none());
        let guess = guess.map(|best| self.tools_of(best)).unwrap_or_default();
        let (tools, first, also) = self.parts(text, facts, tools, &answer.also);
        Routed { route, confidence, tools, message: answer.message, question, also, first, guess }
    }

    fn steer(&self, text: &str) -> Option<Move> {
        self.conversations.moves.of(text)
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
