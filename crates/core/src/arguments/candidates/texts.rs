//! Which words could be the text a slot asks for?

use std::ops::Range;

use regex::Regex;
use serde_json::Value;

use super::{Candidate, Offer};
use crate::arguments::By;
use crate::arguments::features::View;
use crate::arguments::form::{Kind, Slot};
use crate::mentions::Value as Found;

/// Longest text that is not quoted, in words and signs.
const RUN_WORDS_MAX: usize = 9;
/// How sure an address is that was found as one.
const ADDRESS: f32 = 0.97;
/// How sure one of several texts is that all match the slot's expression: it is asked about.
const ONE_OF_SEVERAL: f32 = 0.6;
/// What speaks for an address in a slot of its kind.
const ADDRESS_SCORE: f32 = 6.0;

/// Runs of words.
pub(super) fn offers(view: &View<'_, '_>, place: usize, slot: &Slot) -> Vec<Offer> {
    let fitting = runs(view).filter(|words| fits(slot, view.heard.text(words)) && !view.heard.denied(words));
    fitting
        .map(|words| {
            let value = Value::String(owner(view, &words).to_owned());
            Offer::new(view, place, value, words, Vec::new())
        })
        .collect()
}

/// The text of a run; of an owner before what is owned, without the ending that says so: "Germany's team".
fn owner<'t>(view: &View<'_, 't>, words: &Range<usize>) -> &'t str {
    let text = view.heard.text(words);
    let owns = view.heard.word(words.end).is_some_and(|word| !word.empty);
    let bare = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s"));
    bare.filter(|_| owns).unwrap_or(text)
}

/// What stands in quotation marks, and runs of words that begin and end with one that says something.
pub(super) fn runs<'v>(view: &'v View<'_, '_>) -> impl Iterator<Item = Range<usize>> + use<'v> {
    let heard = view.heard;
    let quoted = heard.mentions.iter().filter(|mention| matches!(mention.value, Found::Quoted(_)));
    let quoted = quoted.map(|mention| {
        let words = heard.words_of(mention.span);
        words.start + 1..words.end.saturating_sub(1).max(words.start + 1)
    });
    // Addresses, amounts and times are whole, also where they begin or end with a sign.
    let found =
        heard.mentions.iter().filter(|mention| !mention.latent && !matches!(mention.value, Found::Quoted(_)));
    let found = found.map(|mention| heard.words_of(mention.span));
    let within = move |at: usize| heard.is_within_run(at);
    let opens = move |at: usize| {
        !within(at)
            && heard.word(at).is_some_and(|word| !word.sign && (!word.empty || (word.capital && at > 0)))
    };
    let from = move |start: usize| {
        let end = (start..heard.len()).find(|at| ends_run(view, *at)).unwrap_or(heard.len());
        let end = end.min(start + RUN_WORDS_MAX);
        (start + 1..=end)
            .map(move |end| start..end)
            .filter(move |words| !within(words.end) && closes(view, words.end - 1))
    };
    quoted
        .filter(|words| !words.is_empty())
        .chain(found)
        .chain((0..heard.len()).filter(move |at| opens(*at)).flat_map(from))
}

/// Whether a run cannot go on past a sign: the end of a sentence, a bracket, a quotation mark.
fn ends_run(view: &View<'_, '_>, at: usize) -> bool {
    let heard = view.heard;
    let joined = heard.tokens.is_joined(at) && heard.tokens.is_joined(at + 1);
    match heard.tokens.lower(at) {
        "." | "?" | "!" | ":" => !joined && !abbreviates(view, at),
        ";" | "\"" | "“" | "”" | "[" | "]" | "{" | "}" => true,
        _ => false,
    }
}

/// Whether a full stop belongs to the word before it: "D.C.", "Inc.".
fn abbreviates(view: &View<'_, '_>, at: usize) -> bool {
    let heard = view.heard;
    let Some(before) = at.checked_sub(1).and_then(|before| heard.word(before)) else { return false };
    let length = heard.tokens.lower(at - 1).len();
    heard.tokens.lower(at) == "."
        && before.capital
        && length <= 4
        && heard.tokens.is_joined(at)
        && at + 1 < heard.len()
}

/// Whether a run can end with this word.
fn closes(view: &View<'_, '_>, at: usize) -> bool {
    let heard = view.heard;
    heard.word(at).is_some_and(|word| !word.empty)
        || (heard.tokens.lower(at) == "." && abbreviates(view, at))
        || {
            let sign = heard.tokens.lower(at);
            matches!(sign, "+" | "#" | ")" | "%") && heard.tokens.is_joined(at)
        }
}

/// Texts that match the expression of the slot: as sure as an address, unless several do.
pub(super) fn matching(
    view: &View<'_, '_>,
    place: usize,
    slot: &Slot,
    pattern: &Regex,
    found: &mut Vec<Candidate>,
) {
    let is_match = |words: &Range<usize>| {
        let text = view.heard.text(words);
        fits(slot, text) && pattern.is_match(text) && !view.heard.denied(words)
    };
    let matches: Vec<Range<usize>> = runs(view).filter(is_match).collect();
    // An expression without ends matches every run that holds its match: the shortest says it.
    let holds = |outer: &Range<usize>, inner: &Range<usize>| {
        outer != inner && outer.start <= inner.start && inner.end <= outer.end
    };
    let mut shortest: Vec<Range<usize>> =
        matches.iter().filter(|words| !matches.iter().any(|other| holds(words, other))).cloned().collect();
    shortest.dedup();
    let confidence = if shortest.len() == 1 { ADDRESS } else { ONE_OF_SEVERAL };
    found.extend(shortest.into_iter().map(|words| Candidate {
        slot: place,
        value: Value::String(view.heard.text(&words).to_owned()),
        score: ADDRESS_SCORE + view.named_near(place, &words),
        words,
        confidence,
        by: By::Pattern,
        doubt: None,
    }));
}

/// Whether a text is of the length the slot takes.
fn fits(slot: &Slot, text: &str) -> bool {
    let letters = text.chars().count();
    slot.bounds.letters_least.is_none_or(|least| letters >= least)
        && slot.bounds.letters_most.is_none_or(|most| letters <= most)
}

/// Addresses of e-mail and the web, and telephone numbers.
pub(super) fn addresses(view: &View<'_, '_>, place: usize, slot: &Slot, found: &mut Vec<Candidate>) {
    for mention in &view.heard.mentions {
        let ((Found::Email(text), Kind::Email)
        | (Found::Url(text), Kind::Url)
        | (Found::Phone(text), Kind::Phone)) = (&mention.value, slot.kind)
        else {
            continue;
        };
        let words = view.heard.words_of(mention.span);
        found.push(Candidate {
            slot: place,
            value: Value::String(text.clone()),
            score: ADDRESS_SCORE + view.named_near(place, &words),
            words,
            confidence: ADDRESS,
            by: By::Pattern,
            doubt: None,
        });
    }
}
