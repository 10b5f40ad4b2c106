//! What does a language model make of the message? Its reading is compared with our own and checked against the words of the message.
//!
//! A claim fills slots and nothing else: what a slot takes, what is asked and what may run is judged exactly as for our own
//! reading. A value that stands nowhere is never run; one that contradicts a word said exactly is asked about.

mod ground;

use serde_json::{Map, Value};

use super::form::{Form, Slot};
use super::interpretation::{Filled, Interpretation};
use super::reading::decide_request;
use super::{Asked, By, Doubt, RUN_MIN};
use ground::{Ground, Grounds, Traced, same};

/// How sure a value is at most that stands nowhere: too little to run, enough to be offered in a question.
const NOWHERE_MAX: f32 = 0.6;

/// What a language model says the arguments are.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'c> {
    /// The arguments, valid one by one; what is not said is left out.
    pub args: &'c Map<String, Value>,
    /// How sure of them it is.
    pub confidence: f32,
    /// The slots it was asked about.
    pub of: &'c [String],
}

/// What a message says for the slots of a tool, if a language model has read it as well.
///
/// If both agree on a slot the surer one counts. If they differ the claim does, unless our own reading is exact: then it
/// is asked. What the claim leaves out stays as we have it, except guesses at what need not be said; what it was not asked about stays as it is.
pub fn consider(form: &Form, asked: &Asked<'_>, own: &Interpretation, claim: &Claim<'_>) -> Interpretation {
    let ground = Ground::new(form, asked);
    let own_of = |slot: &Slot| own.slots.iter().find(|filled| filled.slot == slot.name);
    let slots = || form.slots.iter().enumerate();
    let is_asked = |slot: &Slot| claim.of.contains(&slot.name);
    let mut traced: Vec<(usize, Traced)> = slots()
        .filter(|(_, slot)| is_asked(slot))
        .filter_map(|(place, slot)| Some((place, ground.trace(slot, said(claim.args, slot)?))))
        .collect();
    let new = |place: usize, value: &Value| {
        // Agreeing with what we only guess bears nothing out.
        let own = form.slots.get(place).and_then(own_of).filter(|own| own.confidence >= RUN_MIN);
        own.is_none_or(|own| !same(&own.value, value))
    };
    ground.hold_paraphrases(&mut traced, own, new);
    let mut filled = Vec::new();
    for (place, slot) in slots() {
        let claimed = traced.iter().find(|(at, _)| *at == place).map(|(_, traced)| traced);
        let held = match claimed {
            Some(traced) => Some(joined(slot, own_of(slot), traced, claim.confidence)),
            None if !is_asked(slot) => own_of(slot).cloned(),
            None => own_of(slot).cloned().and_then(|own| left_out(slot, own)),
        };
        filled.extend(held.map(|held| (place, held)));
    }
    decide_request(form, filled)
}

/// What a claim says for a slot. Nothing, and what is empty, says nothing.
fn said<'c>(args: &'c Map<String, Value>, slot: &Slot) -> Option<&'c Value> {
    let (first, rest) = slot.path.split_first()?;
    let value = rest.iter().try_fold(args.get(first)?, |value, name| value.get(name))?;
    let empty = match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty() && !slot.closed,
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    (!empty).then_some(value)
}

/// A slot that both may fill.
fn joined(slot: &Slot, own: Option<&Filled>, traced: &Traced, confidence: f32) -> Filled {
    let most = if traced.grounds == Grounds::Nowhere { NOWHERE_MAX } else { 1.0 };
    let confidence = confidence.clamp(0.0, 1.0).min(most);
    let claimed = Filled {
        slot: slot.name.clone(),
        value: traced.value.clone(),
        confidence,
        by: By::Llm,
        span: traced.span,
        doubt: traced.doubt.clone(),
    };
    let Some(own) = own else { return claimed };
    let is_said = traced.grounds == Grounds::Said;
    // What we are in doubt about is settled by words of the message, and by nobody's guess.
    if own.doubt.is_some() && !is_said {
        return own.clone();
    }
    if same(&own.value, &claimed.value) {
        // Which of several that are named is meant is for a reader to say; a number that may be two is not.
        let is_choice = slot.closed && matches!(own.doubt, Some(Doubt::Several(_)));
        let surer = confidence > own.confidence && own.by != By::Default;
        if !surer && !is_choice {
            return own.clone();
        }
        let doubt = own.doubt.clone().filter(|_| !is_choice);
        return Filled { value: own.value.clone(), span: own.span.or(claimed.span), doubt, ..claimed };
    }
    let in_words = own.by == By::Exact && own.span.is_some() && own.doubt.is_none();
    if in_words {
        let doubt = Some(Doubt::Several(vec![own.value.clone(), claimed.value.clone()]));
        return Filled { doubt, ..own.clone() };
    }
    claimed
}

/// A slot that the claim leaves out. What stands there in so many words stays; what is only meant, as we think, is asked about
/// where we are sure, and given up where we guess at what need not be said.
fn left_out(slot: &Slot, own: Filled) -> Option<Filled> {
    let thought = own.by == By::Learned && own.doubt.is_none();
    match own.confidence >= RUN_MIN || slot.required {
        _ if !thought => Some(own),
        true => Some(Filled { confidence: own.confidence.min(NOWHERE_MAX), ..own }),
        false => Filled::default(slot),
    }
}
