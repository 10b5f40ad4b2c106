//! How is a conversation shown to a person?

use std::fmt::Write;

use serde_json::Value;
use waypost::Catalog;
use waypost::core::conversation::{Conversation, TurnKind};
use waypost::core::message::Fact;
use waypost::ports::conversation::TurnAnswer;

use super::{Paint, tame};

/// A turn: the call that would run, what is closed, what is unusual, and the question with its answers numbered.
pub fn turn(answer: &TurnAnswer, paint: Paint) -> String {
    let mut page = String::new();
    if let Some(call) = &answer.would_run {
        let args = Value::Object(call.args.clone()).to_string();
        let _ = writeln!(
            page,
            "{}  {} {}",
            paint.good("would run"),
            paint.strong(&tame(&call.tool)),
            tame(&args)
        );
    }
    if let Some(flow) = answer.flow.as_ref().filter(|flow| flow.complete) {
        let next = flow.next.as_deref().map(|next| format!("; next is {next}")).unwrap_or_default();
        let _ = writeln!(page, "  {}", paint.faint(&tame(&format!("{} is complete{next}", flow.name))));
    }
    if let Some(text) = &answer.explanation {
        let _ = writeln!(page, "{}", text.lines().map(tame).collect::<Vec<_>>().join("\n"));
    }
    for tool in answer.awaits.iter().filter(|_| answer.clarification.is_none()) {
        let _ = writeln!(
            page,
            "  {}",
            paint.faint(&tame(&format!("report the outcome of {tool}: /done or /failed")))
        );
    }
    for gate in answer.gates.iter().filter(|gate| !gate.allowed) {
        let _ = writeln!(page, "{}  {}: {}", paint.bad("closed"), tame(&gate.name), tame(&gate.reason));
    }
    for warning in &answer.warnings {
        let _ = writeln!(page, "{}  {}", paint.doubt("note"), tame(warning));
    }
    let nothing =
        answer.would_run.is_none() && answer.clarification.is_none() && answer.explanation.is_none();
    if matches!(answer.turn, TurnKind::Abandon | TurnKind::Chat | TurnKind::Reported) {
        let _ = writeln!(page, "{}", tame(&answer.reason));
    } else if nothing {
        let _ = writeln!(page, "{}  {}", paint.bad("rephrase"), tame(&answer.reason));
    }
    let closed = answer.gates.iter().any(|gate| !gate.allowed);
    if !nothing && answer.would_run.is_none() && !closed && !answer.reason.is_empty() {
        let _ = writeln!(page, "{}", paint.faint(&tame(&answer.reason)));
    }
    if let Some(asked) = &answer.clarification {
        let _ = writeln!(page, "{}", paint.strong(&tame(&asked.question)));
        for (option, number) in asked.options.iter().zip(1..) {
            let _ = writeln!(page, "  {number}. {}", tame(&option.label));
        }
    }
    page
}

/// How a message was understood.
pub fn why(answer: &TurnAnswer, paint: Paint) -> String {
    let route = answer.route.as_deref().map(|route| format!(", route {route}")).unwrap_or_default();
    let tool = answer.tool.as_deref().map(|tool| format!(", tool {tool}")).unwrap_or_default();
    let kind = match answer.turn {
        TurnKind::New => "something new",
        TurnKind::Answer => "the answer to what was asked",
        TurnKind::Proceed => "going on",
        TurnKind::WayOn => "the way on that was offered",
        TurnKind::Correction => "taking back what was said before",
        TurnKind::Change => "something else than what was asked",
        TurnKind::Abandon => "dropping the matter",
        TurnKind::Explained => "a question about a term or about what can be asked",
        TurnKind::Chat => "small talk",
        TurnKind::Reported => "the report of an outcome",
    };
    let mut page = format!("taken as {kind}{}\n", tame(&format!("{route}{tool}")));
    if !answer.reason.is_empty() {
        let _ = writeln!(page, "  {}", paint.faint(&tame(&answer.reason)));
    }
    for (slot, held) in &answer.slots.0 {
        let value = tame(&held.value.to_string());
        let _ =
            writeln!(page, "  {} = {value}  {:.2} {}", tame(slot), held.confidence, held.matched_by.name());
    }
    for gate in &answer.gates {
        let state = if gate.allowed { paint.good("open") } else { paint.bad("closed") };
        let _ = writeln!(page, "  gate {} {state}", tame(&gate.name));
    }
    page
}

/// What is known of a session.
pub fn known(state: &Conversation, catalog: &Catalog, paint: Paint) -> String {
    let mut page = String::new();
    for (name, fact) in &state.facts {
        let says = catalog.facts().get(name).map(|says| format!("  {says}")).unwrap_or_default();
        let fact = match fact {
            Fact::Unset => "unset".to_owned(),
            Fact::Flag(flag) => flag.to_string(),
            Fact::Number(number) => number.to_string(),
            Fact::Text(text) => text.clone(),
        };
        let _ =
            writeln!(page, "{} = {}{}", paint.strong(&tame(name)), tame(&fact), paint.faint(&tame(&says)));
    }
    for (tool, values) in &state.progress {
        let done: Vec<String> = values.iter().map(|(slot, value)| format!("{slot} = {value}")).collect();
        let _ = writeln!(page, "{} so far: {}", tame(tool), tame(&done.join(", ")));
    }
    if page.is_empty() { "Nothing is known yet.\n".to_owned() } else { page }
}
