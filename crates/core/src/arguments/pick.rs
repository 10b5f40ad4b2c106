//! Is one of the visible options picked? By its place ("the second one"), by its name alone, or with yes or no.

use std::ops::Range;

use serde_json::Value;

use super::form::{Choice, Form, Kind, Slot};
use super::interpretation::{Filled, Interpretation};
use super::reading::{decide_request, letters, word_spans};
use super::{Asked, By, written};
use crate::mentions::{self, Value as Found};
use crate::message::Span;

/// How sure a place in the visible options is. Not fitted: a place says which option is meant, and a careless speaker counts wrongly now and then.
const BY_PLACE: f32 = 0.9;
/// How sure a name is that is all there is of an answer, and how sure yes and no are.
const BY_NAME: f32 = 0.98;
/// The highest place in a list that anybody names.
const PLACES_MAX: usize = 64;
/// Most words of an answer that picks an option.
const WORDS_MAX: usize = 12;
/// Words around a pick that say no more than that something is picked.
const LIGHT: [&str; 61] = [
    "a", "above", "all", "an", "and", "be", "choice", "choose", "column", "do", "figure", "for", "from",
    "give", "go", "going", "here", "i", "i'd", "i'll", "in", "is", "it", "item", "just", "let's", "like",
    "list", "listed", "make", "me", "nr", "number", "of", "ok", "okay", "on", "one", "ones", "option",
    "options", "pick", "please", "pls", "select", "shown", "sure", "take", "thanks", "that", "the", "them",
    "there", "these", "those", "use", "value", "with", "you", "your", "yours",
];
/// Words that mean every one of the visible options.
const EVERY_ONE: [&str; 4] = ["all", "both", "each", "everything"];

/// What an answer picks, if it does no more than that.
pub fn interpret_pick(form: &Form, asked: &Asked<'_>) -> Option<Interpretation> {
    let words: Vec<(Span, String)> =
        word_spans(asked.text).into_iter().map(|span| (span, span.of(asked.text).to_lowercase())).collect();
    if words.is_empty() || words.len() > WORDS_MAX {
        return None;
    }
    let answer = Answer { form, asked, words: &words };
    let picked = answer.yes_or_no().or_else(|| answer.by_name()).or_else(|| answer.by_place());
    let (place, filled) = picked?;
    let mut slots = known(form, asked);
    slots.retain(|(at, _)| *at != place);
    slots.push((place, filled));
    slots.sort_by_key(|(at, _)| *at);
    Some(decide_request(form, slots))
}

/// What follows from what is settled, if nothing is said.
pub fn interpret_settled(form: &Form, asked: &Asked<'_>) -> Interpretation {
    decide_request(form, known(form, asked))
}

/// What each slot holds before anything is said.
fn known(form: &Form, asked: &Asked<'_>) -> Vec<(usize, Filled)> {
    let known = |slot: &Slot| Filled::settled(asked, slot).or_else(|| Filled::default(slot));
    form.slots.iter().enumerate().filter_map(|(at, slot)| Some((at, known(slot)?))).collect()
}

struct Answer<'a> {
    form: &'a Form,
    asked: &'a Asked<'a>,
    words: &'a [(Span, String)],
}

impl Answer<'_> {
    fn about(&self) -> Option<(usize, &Slot)> {
        let place = self.form.place(self.asked.about?)?;
        Some((place, self.form.slots.get(place)?))
    }

    fn filled(slot: &Slot, value: Value, span: Span, confidence: f32, by: By) -> Filled {
        Filled { span: Some(span), ..Filled::unspoken(slot, value, confidence, by) }
    }

    /// Yes or no, where a flag was asked for.
    fn yes_or_no(&self) -> Option<(usize, Filled)> {
        let (place, slot) = self.about().filter(|(_, slot)| slot.kind == Kind::Flag)?;
        let yes = |word: &str| match word {
            "yes" | "yeah" | "yep" | "yup" | "sure" | "true" | "ok" | "okay" | "definitely"
            | "absolutely" => Some(true),
            "no" | "nope" | "nah" | "false" | "never" => Some(false),
            _ => None,
        };
        let (span, first) = self.words.first()?;
        let said = yes(first)?;
        let rest = self.words.iter().skip(1);
        let is_all =
            rest.into_iter().all(|(_, word)| LIGHT.contains(&word.as_str()) || yes(word) == Some(said));
        is_all.then(|| (place, Self::filled(slot, written::flag(slot, said), *span, BY_NAME, By::Exact)))
    }

    /// A choice of the slot that was asked for, or else of the one slot that has it, named and nothing else said.
    fn by_name(&self) -> Option<(usize, Filled)> {
        let (place, slot) = self.slot_in_view()?;
        if let Some(filled) = self.named_in(slot, |choice| self.asked.shows(choice)) {
            return Some((place, filled));
        }
        let others = self.form.slots.iter().enumerate().filter(|(at, _)| *at != place);
        let mut named = others.filter_map(|(at, slot)| Some((at, self.named_in(slot, |_| true)?)));
        named.next().filter(|_| named.next().is_none())
    }

    fn named_in(&self, slot: &Slot, shows: impl Fn(&Choice) -> bool) -> Option<Filled> {
        let said = |words: &[(Span, String)]| {
            letters(&words.iter().map(|(_, word)| word.as_str()).collect::<String>())
        };
        // "No, secondary" takes back what was said before.
        let corrects = self.words.len() > 1 && self.words.first().is_some_and(|(_, word)| word == "no");
        let words = self.words.get(usize::from(corrects)..).unwrap_or_default();
        let heavy: Vec<(Span, String)> =
            words.iter().filter(|(_, word)| !LIGHT.contains(&word.as_str())).cloned().collect();
        let (whole, bare) = (said(words), said(&heavy));
        let named = |choice: &&Choice| {
            let is = |name: &str| !name.is_empty() && (name == whole || name == bare);
            choice.words.iter().any(|word| is(&letters(&word.text)))
        };
        let mut named = slot.choices.iter().filter(|choice| slot.closed && shows(choice)).filter(named);
        let choice = named.next().filter(|_| named.next().is_none())?;
        let is_own = choice.words.first().is_some_and(|own| [&whole, &bare].contains(&&letters(&own.text)));
        let value =
            if slot.many.is_some() { Value::Array(vec![choice.value.clone()]) } else { choice.value.clone() };
        let by = if is_own { By::Exact } else { By::Alias };
        Some(Self::filled(slot, value, self.span(), BY_NAME, by))
    }

    /// The options at the places that are named.
    fn by_place(&self) -> Option<(usize, Filled)> {
        let count = self.asked.options.len();
        let places =
            self.places().filter(|places| !places.is_empty() && places.iter().all(|at| *at < count))?;
        let (place, slot) = self.slot_in_view()?;
        let value = |at: &usize| Some(option_value(slot, self.asked.options.get(*at)?));
        let values: Vec<Value> = places.iter().map(value).collect::<Option<_>>()?;
        let value = match values.as_slice() {
            _ if slot.many.is_some() => Value::Array(values),
            [one] => one.clone(),
            _ => return None,
        };
        Some((place, Self::filled(slot, value, self.span(), BY_PLACE, By::Ordinal)))
    }

    /// The places in the list that the words name, from the first; nothing if the message says more than that.
    fn places(&self) -> Option<Vec<usize>> {
        let count = self.asked.options.len();
        let found = mentions::find(self.asked.text, &self.asked.setting);
        let lower = |at: usize| self.words.get(at).map_or("", |(_, word)| word.as_str());
        let mut places: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            let (span, word) = self.words.get(at)?;
            let counts =
                |mention: &&mentions::Mention| matches!(mention.value, Found::Ordinal(_) | Found::Number(_));
            let mention = found.iter().filter(counts).find(|mention| mention.span.overlaps(*span));
            let number = |at: usize| {
                let span = self.words.get(at)?.0;
                let mention = found.iter().filter(counts).find(|mention| mention.span.overlaps(span))?;
                match &mention.value {
                    Found::Number(amount) => amount.single().and_then(small),
                    _ => None,
                }
            };
            let before = if at == 0 { "" } else { lower(at - 1) };
            // "Three of them" counts, and "the third of them" names a place.
            if matches!(mention.map(|mention| &mention.value), Some(Found::Number(_)))
                && (lower(at + 1), lower(at + 2)) == ("of", "them")
            {
                return None;
            }
            let range: Range<usize> = match (word.as_str(), mention.map(|mention| &mention.value)) {
                // "The third one" counts nothing by its "one".
                ("one", _) if !matches!(before, "" | "number" | "option" | "choice" | "item") => 0..0,
                ("last" | "bottom" | "latter" | "final", _) => {
                    match number(at + 1).filter(|_| lower(at + 1) != "one") {
                        Some(few) => {
                            at += 1;
                            count.saturating_sub(few)..count
                        }
                        None => count.checked_sub(1)?..count,
                    }
                }
                ("first" | "top", _) if number(at + 1).is_some() && lower(at + 1) != "one" => {
                    at += 1;
                    0..number(at)?
                }
                ("top" | "former", _) => 0..1,
                ("middle", _) if count % 2 == 1 => count / 2..count / 2 + 1,
                (word, _) if EVERY_ONE.contains(&word) && self.takes_several() => 0..count,
                (_, Some(Found::Ordinal(place))) => nth(usize::try_from(*place).ok()?),
                (_, Some(Found::Number(amount))) => {
                    match amount.single().and_then(|number| self.showing(number)) {
                        Some(shown) => shown..shown + 1,
                        None => nth(amount.single().and_then(small)?),
                    }
                }
                (word, _) if LIGHT.contains(&word) || word == "no" => 0..0,
                _ => return None,
            };
            places.extend(range);
            at += 1;
        }
        places.sort_unstable();
        places.dedup();
        Some(places)
    }

    /// The place of the option that is this number: of 2 and 3, "2" means the first.
    fn showing(&self, number: f64) -> Option<usize> {
        let is_shown =
            |option: &String| option.parse::<f64>().is_ok_and(|shown| (shown - number).abs() < f64::EPSILON);
        self.asked.options.iter().position(is_shown)
    }

    fn takes_several(&self) -> bool {
        self.slot_in_view().is_some_and(|(_, slot)| slot.many.is_some())
    }

    fn span(&self) -> Span {
        let first = self.words.first().map_or(0, |(span, _)| span.start);
        Span { start: first, end: self.words.last().map_or(first, |(span, _)| span.end) }
    }

    /// The slot that the visible options are for: the one that was asked for, else the one that takes them.
    fn slot_in_view(&self) -> Option<(usize, &Slot)> {
        let option = self.asked.options.first();
        let takes = |slot: &Slot, option: &str| slot.choices.iter().any(|choice| is_called(choice, option));
        let by_option = || {
            let mut slots = self.form.slots.iter().enumerate();
            slots.find(|(_, slot)| option.is_some_and(|option| takes(slot, option)))
        };
        let tightest = || self.numbers_in_view();
        self.about().or_else(by_option).or_else(tightest)
    }

    /// Of the number slots that could hold all visible options, the one with the least room for others.
    fn numbers_in_view(&self) -> Option<(usize, &Slot)> {
        let shown: Vec<f64> =
            self.asked.options.iter().map(|option| option.parse().ok()).collect::<Option<_>>()?;
        let holds = |slot: &Slot, number: &f64| {
            slot.bounds.hold(*number)
                && slot.soft.hold(*number)
                && (slot.kind != Kind::Integer || number.fract() == 0.0)
        };
        let slots = self.form.slots.iter().enumerate();
        let open = slots.filter(|(_, slot)| slot.kind.is_number() && !slot.closed);
        let open =
            open.filter(|(_, slot)| !shown.is_empty() && shown.iter().all(|number| holds(slot, number)));
        let room = |slot: &Slot| slot.bounds.room().min(slot.soft.room());
        open.min_by(|(_, one), (_, other)| room(one).total_cmp(&room(other)))
    }
}

/// The value that an option shows.
fn option_value(slot: &Slot, option: &str) -> Value {
    let choice = slot.choices.iter().find(|choice| is_called(choice, option));
    let number = || slot.kind.is_number().then(|| serde_json::from_str(option).ok()).flatten();
    choice
        .map(|choice| choice.value.clone())
        .or_else(number)
        .unwrap_or_else(|| Value::String(option.to_owned()))
}

fn is_called(choice: &Choice, option: &str) -> bool {
    choice.words.iter().any(|phrase| phrase.text.eq_ignore_ascii_case(option))
}

/// A place as a range of one; empty below the first.
fn nth(place: usize) -> Range<usize> {
    place.saturating_sub(1)..place
}

/// A count of options, if a number is one.
fn small(number: f64) -> Option<usize> {
    (1..=PLACES_MAX).find(|place| {
        u32::try_from(*place).is_ok_and(|place| (f64::from(place) - number).abs() < f64::EPSILON)
    })
}
