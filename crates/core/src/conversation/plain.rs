//! Which values does a short message name word for word? Choices by their own words, and a number where one slot takes it.

use serde_json::Value;

use super::conclude::confirming;
use super::turn::Talk;
use super::{Heard, Said, Values, form, takes, words};
use crate::arguments::form::{Choice, Slot};
use crate::arguments::{ASK_MIN, By, Outcome, Phrase, RUN_MIN};
use crate::mentions::{self, Setting};
use crate::message::Span;

/// Telling words up to which an answer is plain: a longer one may hold a condition, which is asked about.
const PLAIN_WORDS_MAX: usize = 5;
/// Telling words that may stand beside the value named: "oh come on, I have been a member for a month" is no answer.
const BESIDES_MAX: usize = 2;

impl Talk<'_> {
    /// What a short answer or correction comes to if its plain values hold. What was heard stays where something else is said, too.
    pub(super) fn settled_on(
        &self,
        tool: &str,
        about: Option<&str>,
        settled: &Values,
        heard: Heard,
    ) -> Heard {
        let changes =
            words::adds(&self.reading) || words::corrects(&self.reading) || words::refers(&self.reading);
        let asks = words::asks(&self.reading) && !changes;
        if asks || words::telling_count(&self.reading) > PLAIN_WORDS_MAX || heard.outcome == Outcome::Run {
            return heard;
        }
        let mut firm = heard.firm();
        for (slot, value) in self.plain_values(tool, about, settled) {
            // "There are two of us" gives its number to one slot.
            let taken = value.is_number() && firm.iter().any(|(own, known)| *own != slot && *known == value);
            if !taken {
                firm.entry(slot).or_insert(value);
            }
        }
        let held = heard.settled();
        let is_new = |(slot, value): (&String, &Value)| held.get(slot).or(settled.get(slot)) != Some(value);
        let asked = heard.question.as_ref().map(|question| question.slot.as_str());
        let is_asked = asked.is_some_and(|asked| asked.is_empty() || firm.contains_key(asked));
        let says = firm.iter().any(|(slot, value)| settled.get(slot) != Some(value));
        // A value that is likely and not plain is not dropped.
        let left = |said: &Said| said.span.is_some() && said.confidence >= ASK_MIN;
        let is_left = heard.said(settled).any(|said| !firm.contains_key(&said.slot) && left(said));
        if is_left || !(is_asked && says || firm.iter().any(is_new)) {
            return heard;
        }
        let mut all = settled.clone();
        all.extend(firm);
        let mut again = self.by_default(tool, &all, &Values::new());
        // Where nothing may be wrong, or what is done cannot be undone, it is asked about.
        let tool_of = |name: &str| self.catalog.tools().get(self.catalog.tool_place(name)?);
        let is_grave = tool_of(tool).is_some_and(|tool| tool.destructive == Some(true));
        if again.outcome == Outcome::Run && (is_grave || self.catalog.choices().max_wrong() <= 0.0) {
            return heard;
        }
        for said in &mut again.slots {
            if settled.get(&said.slot) == Some(&said.value) || said.by == By::Default {
                continue;
            }
            // It holds from here on.
            match heard.slots.iter().find(|own| own.slot == said.slot && own.value == said.value) {
                Some(own) => *said = Said { confidence: own.confidence.max(RUN_MIN), ..own.clone() },
                None => said.by = By::Exact,
            }
        }
        again
    }

    /// Asks for what is missing before what is said plainly and not quite sure: "a fault with my phone" has its device.
    pub(super) fn missing_first(&self, tool: &str, settled: &Values, heard: Heard) -> Heard {
        let again = self.settled_on(tool, None, settled, heard.clone());
        let asks = |heard: &Heard| heard.question.as_ref().map(|question| question.slot.clone());
        let open = |slot: &String| !again.slots.iter().any(|said| said.slot == *slot);
        let is_missing = again.outcome == Outcome::Clarify
            && asks(&again).is_some_and(|slot| !slot.is_empty() && open(&slot));
        let firm = heard.firm();
        let asks_plain = asks(&heard).is_some_and(|slot| firm.contains_key(&slot));
        if is_missing {
            again
        } else if asks_plain && again.outcome == Outcome::Run {
            // What is asked about was said in so many words: it is confirmed rather than asked for again.
            let question = confirming(tool, &again);
            Heard { outcome: Outcome::Clarify, question: Some(question), reason: heard.reason, ..again }
        } else {
            heard
        }
    }

    /// The values that a message names word for word.
    pub(super) fn plain_values(&self, tool: &str, about: Option<&str>, settled: &Values) -> Values {
        let Some(form) = form(self.catalog, tool) else { return Values::new() };
        let said = self.undenied();
        let mut found = Values::new();
        for slot in form.slots.iter().filter(|slot| slot.many.is_none()) {
            let mut named = slot.choices.iter().filter(|choice| names(&said, choice));
            let (Some(choice), None) = (named.next(), named.next()) else { continue };
            let is_asked = about == Some(slot.name.as_str());
            let mut others = form.slots.iter().filter(|other| other.name != slot.name && !is_asked);
            if !others.any(|other| other.choices.iter().any(|other| names(&said, other))) {
                found.insert(slot.name.clone(), choice.value.clone());
            }
        }
        if let Some(number) = self.only_number().filter(|number| self.is_counted(number)) {
            let numeric = |slot: &&Slot| slot.kind.is_number() && slot.many.is_none();
            let mut open = form.slots.iter().filter(numeric).filter(|slot| settled.contains_key(&slot.name));
            let of_settled = open.next().filter(|_| open.next().is_none());
            let asked = about.and_then(|about| form.slots.get(form.place(about)?)).filter(numeric);
            let only = || {
                let mut all = form.slots.iter().filter(numeric);
                all.next().filter(|_| all.next().is_none())
            };
            let only = || only().filter(|_| !about.is_some_and(|slot| self.is_free_text(tool, slot)));
            let slot = asked.or(of_settled.filter(|_| about.is_none())).or_else(only);
            if let Some(slot) = slot.filter(|slot| takes(&form, &slot.name, &number)) {
                found.insert(slot.name.clone(), number);
            }
        }
        found
    }

    /// The words of the message that are not denied: of "not monday, wednesday" the last. A "no" that answers what was asked denies nothing.
    fn undenied(&self) -> Vec<&str> {
        let text = self.reading.text();
        let refuses = |cue: Span| !matches!(cue.of(text), "no" | "nope" | "nah");
        let denied = |word: Span| {
            self.reading
                .negations_near(word)
                .any(|negation| negation.scope.holds(word) && refuses(negation.cue))
        };
        let words = self.reading.words().iter().filter(|word| !denied(**word));
        words.map(|word| word.of(text)).collect()
    }

    /// Whether a number is what a message is about: "six bags", but not "one moment, the doorbell".
    fn is_counted(&self, number: &Value) -> bool {
        let besides = words::telling_count(&self.reading);
        // "One" is said of whatever is mentioned.
        besides <= if number.as_i64() == Some(1) { 0 } else { 1 + BESIDES_MAX }
    }

    /// Whether a message says a number above one, a date or a time.
    pub(super) fn has_value(&self) -> bool {
        let tells = |value: &mentions::Value| match value {
            mentions::Value::Ordinal(_) => false,
            mentions::Value::Number(amount) => amount.single() != Some(1.0),
            _ => true,
        };
        let found = mentions::find(self.spoken.text, &Setting::default());
        found.iter().any(|mention| !mention.latent && tells(&mention.value))
    }

    /// The one number that a message says, where it says one and nothing else that has figures.
    fn only_number(&self) -> Option<Value> {
        let found = mentions::find(self.spoken.text, &Setting::default());
        let mut figures = found
            .iter()
            .filter(|mention| !mention.latent || matches!(mention.value, mentions::Value::Number(_)));
        let (Some(only), None) = (figures.next(), figures.next()) else { return None };
        let mentions::Value::Number(amount) = &only.value else { return None };
        // "-1" is not 1.
        let number = amount.single().filter(|_| !self.spoken.text.contains('-'))?;
        #[allow(clippy::cast_possible_truncation)] // it has no fraction and is in range
        Some(if number.fract() == 0.0 && number.abs() < 1e15 {
            Value::from(number as i64)
        } else {
            Value::from(number)
        })
    }
}

/// Whether the words of a choice stand in a message side by side, and little else.
fn names(said: &[&str], choice: &Choice) -> bool {
    let alike = |(one, other): (&&str, &String)| *one == other || one.strip_suffix('s') == Some(other);
    let is_there = |name: &Phrase| {
        let length = name.words.len();
        let stands = |window: &[&str]| window.iter().zip(&name.words).all(alike);
        length > 0
            && words::telling(said.iter().copied()) <= length + BESIDES_MAX
            && said.windows(length).any(stands)
    };
    choice.words.iter().any(is_there)
}
