//! Which question is asked, and why? What was understood is offered with it.

use serde_json::{Map, Value};

use super::super::form::Form;
use super::super::interpretation::Filled;
use super::super::question::{self, Question};
use super::super::{ASK_MIN, By};
use super::{ReaderOutput, SEVERAL_MIN, SpeechAct};

/// The question for one slot, with what was understood of it.
pub(super) fn question_for(form: &Form, slots: &[(usize, Filled)], place: usize) -> Option<Question> {
    let slot = form.slots.get(place)?;
    let filled = slots.iter().find(|(filled, _)| *filled == place).map(|(_, filled)| filled);
    let guess = filled.map(|filled| &filled.value).filter(|value| !value.is_null());
    Some(question::ask(slot, filled.and_then(|filled| filled.doubt.as_ref()), guess, &[]))
}

/// Asks whether the tool is to be run at all, with what was understood.
pub(super) fn confirm(
    form: &Form,
    slots: &[(usize, Filled)],
    act: SpeechAct,
    reading: &ReaderOutput,
) -> Question {
    let understood: Vec<String> = slots
        .iter()
        .filter(|(_, filled)| filled.is_said() && filled.doubt.is_none() && filled.confidence >= ASK_MIN)
        .map(|(_, filled)| told(&filled.slot, &filled.value))
        .collect();
    let with = if understood.is_empty() { String::new() } else { format!(" with {}", understood.join(", ")) };
    Question::confirm(match act {
        SpeechAct::Reference if !slots.iter().any(|(_, filled)| filled.by == By::Memory) => {
            format!("That refers to something that is not said. Should {} run now{with}?", form.tool)
        }
        _ if reading.several >= SEVERAL_MIN => {
            format!("That asks for several calls. Should {} run first{with}?", form.tool)
        }
        _ => format!("Should {} run now{with}?", form.tool),
    })
}

/// Shows all calls that are asked for, and asks whether the first is to be run.
pub(super) fn confirm_first(form: &Form, calls: &[Map<String, Value>]) -> Question {
    let values = |call: &Map<String, Value>| -> String {
        call.iter().map(|(name, value)| told(name, value)).collect::<Vec<_>>().join(", ")
    };
    let all: Vec<String> = calls.iter().map(values).collect();
    Question::confirm(format!(
        "That asks for {} calls: {}. Should {} run now with the first of them?",
        calls.len(),
        all.join("; "),
        form.tool
    ))
}

fn told(name: &str, value: &Value) -> String {
    format!("{name} = {}", question::shown_as(value))
}

/// What was understood, in a few words.
pub(super) fn reason(
    form: &Form,
    act: SpeechAct,
    slots: &[(usize, Filled)],
    missing: Option<usize>,
) -> String {
    let does = match act {
        SpeechAct::Unrelated => return format!("the message is not about {}", form.tool),
        SpeechAct::Request | SpeechAct::Correction => None,
        SpeechAct::Refusal => Some("the message says that it is not to be done"),
        SpeechAct::Question => Some("the message asks a question"),
        SpeechAct::Hypothetical => Some("the message speaks of what could be done"),
        SpeechAct::Past => Some("the message tells what was done"),
        SpeechAct::Reference if slots.iter().any(|(_, filled)| filled.by == By::Memory) => {
            Some("the message refers to what was said before")
        }
        SpeechAct::Reference => Some("the message refers to something that it does not say"),
    };
    let said = slots
        .iter()
        .filter(|(_, filled)| filled.is_said() && !filled.value.is_null())
        .map(|(_, filled)| format!("{} ({})", told(&filled.slot, &filled.value), filled.by.name()));
    let missing =
        missing.and_then(|place| form.slots.get(place)).map(|slot| format!("{} is not said", slot.name));
    does.map(str::to_owned).into_iter().chain(said).chain(missing).collect::<Vec<_>>().join("; ")
}
