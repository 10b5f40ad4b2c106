//! How are words written, and where do they stand?

use std::ops::Range;

use super::{Feature, Reason};
use crate::arguments::heard::Heard;
use crate::mentions::Value;

pub(super) fn shape(heard: &Heard<'_>, words: &Range<usize>, reasons: &mut Vec<Reason>) {
    let said = heard.words.get(words.clone()).unwrap_or_default();
    let runs = words.clone().filter(|at| {
        said.get(at - words.start).is_some_and(|word| !word.sign)
            && (*at == words.start || !heard.is_within_run(*at))
    });
    reasons.push(match runs.count() {
        0 | 1 => Feature::One.once(),
        2 => Feature::Two.once(),
        3 => Feature::Three.once(),
        4 | 5 => Feature::Four.once(),
        _ => Feature::Long.once(),
    });
    let counted = said.iter().filter(|word| !word.empty);
    let capitals = counted.clone().filter(|word| word.capital).count();
    // A capital at the beginning of a message says nothing.
    let lone_first = words.start == 0 && words.len() == 1;
    if capitals > 0 && capitals == counted.count() && !lone_first {
        reasons.push(Feature::Capitals.once());
    } else if capitals > 0 {
        reasons.push(Feature::SomeCapitals.once());
    } else if heard.has_capitals {
        reasons.push(Feature::SmallAmongCapitals.once());
    }
    let capital =
        |at: Option<usize>| at.and_then(|at| heard.word(at)).is_some_and(|word| word.capital && !word.empty);
    if capitals > 0 && words.start > 1 && capital(words.start.checked_sub(1)) {
        reasons.push(Feature::CapitalBefore.once());
    }
    if capitals > 0 && capital(Some(words.end)) {
        reasons.push(Feature::CapitalBehind.once());
    }
    let text = heard.text(words);
    let has = |feature: Feature, is: bool| is.then_some(feature.once());
    reasons.extend(has(Feature::Figures, text.contains(|c: char| c.is_ascii_digit())));
    reasons.extend(has(Feature::Comma, text.contains(',')));
    reasons.extend(has(Feature::EmptyWithin, said.iter().any(|word| word.empty && !word.sign)));
    reasons.extend(has(Feature::Joined, text.contains(['_', '/', '@', '^', '=', '(', '*'])));
    let figures = text.contains(|c: char| c.is_ascii_digit());
    let letters = text.contains(char::is_alphabetic);
    reasons.extend(has(Feature::Code, figures && letters && !text.contains(' ')));
    mentions(heard, words, reasons);
}

/// Whether the words are a value that was found, or cut through one.
fn mentions(heard: &Heard<'_>, words: &Range<usize>, reasons: &mut Vec<Reason>) {
    let span = heard.span(words);
    for mention in heard.mentions.iter().filter(|mention| !mention.latent && mention.span.overlaps(span)) {
        let quoted = matches!(mention.value, Value::Quoted(_));
        let same = mention.span == span
            || (quoted && mention.span.start + 1 == span.start && mention.span.end - 1 == span.end);
        reasons.push(match (quoted, same, span.holds(mention.span)) {
            (true, true, _) => Feature::Quoted.once(),
            (true, ..) => Feature::WithinQuotes.once(),
            (false, true, _) => Feature::IsMention.once(),
            (false, false, true) => Feature::HoldsMention.once(),
            (false, false, false) => Feature::CutsMention.once(),
        });
    }
}

pub(super) fn position(heard: &Heard<'_>, words: &Range<usize>, reasons: &mut Vec<Reason>) {
    let before = words.start.checked_sub(1).and_then(|at| heard.word(at));
    reasons.push(match before {
        None => Feature::First.once(),
        Some(word) if word.sign => Feature::SignBefore.once(),
        Some(word) if word.empty => Feature::EmptyBefore.once(),
        Some(_) => Feature::ToldBefore.once(),
    });
    reasons.push(match heard.word(words.end) {
        None => Feature::Last.once(),
        Some(word) if word.sign && words.end + 1 == heard.len() => Feature::Last.once(),
        Some(word) if word.sign => Feature::SignBehind.once(),
        Some(word) if word.empty => Feature::EmptyBehind.once(),
        Some(_) => Feature::ToldBehind.once(),
    });
    // The first word that says something is mostly what is to be done: find, book, "I want to see".
    let first = heard.words.iter().position(|word| !word.empty);
    if first == Some(words.start) {
        reasons.push(Feature::VerbPlace.once());
    }
}
