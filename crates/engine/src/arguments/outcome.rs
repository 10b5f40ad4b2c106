//! What follows from what was heard? A call that holds to its schema and its gates, or a question.

use serde_json::Value;
use waypost_core::arguments::{ASK_MIN, By, Filled, Interpretation, Outcome, Question, RUN_MIN};
use waypost_core::conversation::taken_back;
use waypost_core::gates;
use waypost_core::message::{Reading, Span, is_whole};

use super::choose::{Choice, Contender};
use super::known::Known;
use super::{Answer, Clarification, Considered, Heard, Interpreter, Request, SlotAnswer, Slots};

/// How likely the best of several tools must be among them to be taken without a question: as sure as a value must be.
const TOOL_MIN: f32 = RUN_MIN;

impl Interpreter {
    /// What a message comes to that says no more than to go on: the call where nothing is missing, else its pending step.
    pub(super) fn going_on(&self, request: &Request, known: &Known, said: Interpretation) -> Interpretation {
        let flow = known.place.and_then(|place| self.catalog().flow_of_tool(place));
        let pending = flow.and_then(|flow| flow.pending(&request.session));
        let nothing = said.outcome != Outcome::Run && !said.slots.iter().any(Filled::is_said);
        let Some(pending) = pending.filter(|_| nothing) else { return said };
        if self.catalog().proceed(&Reading::new(&request.text)).is_none() {
            return said;
        }
        let slot = known.form.slots.iter().find(|slot| slot.path.first().is_some_and(|own| own == pending));
        match slot.filter(|_| known.fault(&said.args).is_some()) {
            Some(slot) => Interpretation {
                outcome: Outcome::Clarify,
                confidence: ASK_MIN,
                clarification: Some(Question::of(slot)),
                reason: format!("the message goes on, and {pending} comes next"),
                ..said
            },
            None => Interpretation {
                outcome: Outcome::Run,
                confidence: 1.0,
                by: Some(By::Default),
                reason: "the message goes on, and the defaults are taken".to_owned(),
                ..said
            },
        }
    }

    /// The answer for a tool: what was heard, held against its schema and its gates.
    pub(super) fn told(&self, request: &Request, known: &Known, heard: Heard) -> Answer {
        let Heard { before, said } = heard;
        let (said, llm) = self.advised(request, known, &before, said);
        let (mut outcome, mut reason) = (said.outcome, why(&said));
        let mut clarification = said.clarification.map(Clarification::from);
        if let Some(Clarification { slot: Some(slot), options, .. }) = &mut clarification {
            options.retain(|option| known.accepts(slot, option));
        }
        if outcome == Outcome::Run
            && let Some((slot, fault)) = known.fault(&said.args)
        {
            (outcome, clarification) = (Outcome::Clarify, Some(asked_again(slot, &fault)));
            reason = format!("the call is not valid: {fault}");
        }
        if outcome == Outcome::Run && is_taken_back(&request.text, &said.slots) {
            let question = Question::confirm(format!("Should {} run now?", known.form.tool));
            (outcome, clarification) = (Outcome::Clarify, Some(question.into()));
            reason = format!("the message takes back what it asks for; {reason}");
        }
        if outcome == Outcome::Run && leaves_out(&request.text, &said.slots) {
            let question = Question::confirm(format!("Should {} run now?", known.form.tool));
            (outcome, clarification) = (Outcome::Clarify, Some(question.into()));
            reason = format!("the message excludes something that no argument holds; {reason}");
        }
        let mut calls = said.calls;
        if let Some((slot, fault)) = calls.iter().find_map(|call| known.fault(call)) {
            clarification = Some(asked_again(slot, &fault));
            reason = format!("one of {} calls is not valid: {fault}", calls.len());
            calls.clear();
        }
        let without_gates = outcome;
        let gates = self.gates(known, request);
        if let Some(closed) = gates::closed(&before).or(gates::closed(&gates)) {
            (outcome, clarification) = (Outcome::Clarify, Some(Clarification::way_on(closed)));
            reason = format!("{} {reason}", closed.reason);
        }
        let slots = said.slots.iter().map(|slot| (slot.slot.clone(), SlotAnswer::of(slot, &request.text)));
        Answer {
            outcome,
            heard: without_gates,
            tool: Some(known.tool.full_name()),
            args: said.args,
            reason,
            confidence: said.confidence,
            all_right: said.all_right,
            matched_by: said.by.unwrap_or(By::None),
            slots: Slots(slots.collect()),
            calls,
            clarification,
            gates,
            warnings: said.warnings.into_iter().chain(known.unchecked()).collect(),
            llm,
            ..self.blank()
        }
    }

    /// The answer where the tool was to be chosen.
    pub(super) fn chosen(&self, request: &Request, choice: Choice) -> Answer {
        let Choice { contenders, fits, without_tool } = choice;
        let tools: Vec<Considered> = contenders.iter().map(|contender| contender.told.clone()).collect();
        let mut contenders = contenders.into_iter();
        let reason = match (&without_tool, fits) {
            (Some(route), _) => format!("the message goes to {route}, which has no tool"),
            (None, _) => "no tool serves this message".to_owned(),
        };
        let Some(Contender { known, heard, told }) = contenders.next().filter(|_| fits) else {
            return Answer { reason, tools, ..self.blank() };
        };
        let mut answer = self.told(request, &known, heard);
        answer.confidence = answer.confidence.min(told.share);
        if told.share < TOOL_MIN
            && gates::closed(&answer.gates).is_none()
            && answer.outcome != Outcome::Rephrase
        {
            (answer.outcome, answer.heard) = (Outcome::Clarify, Outcome::Clarify);
            answer.reason =
                format!("{} is not much likelier than another tool; {}", told.name, answer.reason);
            answer.confidence = answer.confidence.max(ASK_MIN);
            answer.clarification = Some(which_of(&tools));
        }
        Answer { tools, ..answer }
    }
}

/// Whether the end of a message takes back what it asks for, and says no value itself.
fn is_taken_back(text: &str, slots: &[Filled]) -> bool {
    let says =
        |clause: Span| slots.iter().any(|filled| filled.span.is_some_and(|span| span.overlaps(clause)));
    taken_back(text).is_some_and(|clause| !says(clause))
}

/// Words before what is not wanted. They are few and fixed, like other function words.
const EXCEPTING: [&str; 7] =
    ["except", "excepting", "excluding", "apart from", "all but", "everything but", "anything but"];

/// Whether a message excludes something in words that belong to no value. Running the call would ignore them.
fn leaves_out(text: &str, slots: &[Filled]) -> bool {
    let small = text.to_ascii_lowercase();
    let is_open = |span: Span| !slots.iter().any(|filled| filled.span.is_some_and(|own| own.overlaps(span)));
    EXCEPTING.iter().flat_map(|word| small.match_indices(word)).any(|(at, word)| {
        let span = Span::new(at..at + word.len());
        is_whole(text, span) && is_open(span)
    })
}

/// Why, in a few words, also where nothing was said.
fn why(said: &Interpretation) -> String {
    match (&said.clarification, said.reason.as_str()) {
        (Some(question), "") => format!("{} is not said", question.slot),
        (None, "") => "nothing is said, and the defaults are taken".to_owned(),
        (_, reason) => reason.to_owned(),
    }
}

/// The question where a call does not hold to its schema.
fn asked_again(slot: Option<String>, fault: &str) -> Clarification {
    let question = match &slot {
        Some(slot) => format!("That is no value for {slot}: {fault}. Which value is it?"),
        None => format!("Something is not as it should be: {fault}. What is it?"),
    };
    Clarification { slot, question, options: Vec::new() }
}

/// The question where several tools may be meant.
fn which_of(tools: &[Considered]) -> Clarification {
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    let question = format!("Which of these do you mean: {}?", names.join(", "));
    Clarification { slot: None, question, options: names.into_iter().map(Value::from).collect() }
}
