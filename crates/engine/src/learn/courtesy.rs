//! Which part of a message says what is wanted? All but a greeting in front of it and thanks behind it.

use std::ops::Range;

/// What a message may begin with, and what may follow that.
const GREETINGS: &[&[&str]] = &[
    &["hello"],
    &["hi"],
    &["hey"],
    &["hiya"],
    &["howdy"],
    &["greetings"],
    &["good", "morning"],
    &["good", "afternoon"],
    &["good", "evening"],
    &["good", "day"],
];
const GREETED: &[&[&str]] =
    &[&["there"], &["team"], &["all"], &["everyone"], &["folks"], &["guys"], &["again"]];
/// What a message may end with, and what may follow that.
const THANKS: &[&[&str]] =
    &[&["thanks"], &["thank", "you"], &["thx"], &["tia"], &["cheers"], &["many", "thanks"]];
const THANKED: &[&[&str]] =
    &[&["a", "lot"], &["so", "much"], &["very", "much"], &["in", "advance"], &["again"], &["mate"]];
/// Words before which thanks are what the message is about ("how do I say thank you", "a card with thanks").
const ABOUT: &[&str] = &["a", "and", "for", "of", "or", "say", "saying", "send", "the", "to", "with", "your"];

/// What turns down what was offered or asked before.
const REFUSALS: &[&[&str]] = &[
    &["no"],
    &["nope"],
    &["nah"],
    &["not", "now"],
    &["not", "today"],
    &["not", "yet"],
    &["no", "need"],
    &["never", "mind"],
    &["nevermind"],
    &["forget", "it"],
    &["forget", "that"],
    &["leave", "it"],
    &["don't"],
    &["do", "not"],
];
/// What ends a conversation.
const FAREWELLS: &[&[&str]] =
    &[&["bye"], &["goodbye"], &["see", "you"], &["that's", "all"], &["that", "is", "all"], &["that's", "it"]];

/// Whether a message greets, thanks, refuses or takes its leave, and says nothing else: whatever was said before, it asks for nothing.
pub(crate) fn asks_nothing(text: &str) -> bool {
    let places = words_of(text);
    let word = |place: &Range<usize>| Some(text.get(place.clone())?.to_lowercase().replace('’', "'"));
    let words: Vec<String> = places.iter().filter_map(word).take(COURTESY_WORDS_MAX + 1).collect();
    if words.is_empty() || words.len() > COURTESY_WORDS_MAX {
        return false;
    }
    let mut rest = words.as_slice();
    while !rest.is_empty() {
        let kinds = [GREETINGS, GREETED, THANKS, THANKED, REFUSALS, FAREWELLS];
        let length = kinds.into_iter().map(|phrases| at_start(rest, phrases)).max().unwrap_or_default();
        let Some(after) = rest.get(length..).filter(|_| length > 0) else { return false };
        rest = after;
    }
    true
}

/// Longest message of nothing but courtesies, in words.
const COURTESY_WORDS_MAX: usize = 10;

/// Where in a text it is said what is wanted, if it greets or thanks besides.
pub(super) fn matter(text: &str) -> Option<Range<usize>> {
    let places = words_of(text);
    let words: Vec<String> =
        places.iter().filter_map(|place| Some(text.get(place.clone())?.to_lowercase())).collect();
    let mut greeted = at_start(&words, GREETINGS);
    if greeted > 0 {
        greeted += at_start(words.get(greeted..).unwrap_or_default(), GREETED);
    }
    let rest = words.get(..words.len() - at_end(&words, THANKED)).unwrap_or_default();
    let thanks = at_end(rest, THANKS);
    let left = rest.len() - thanks;
    let about = left.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|word| ABOUT.contains(&&**word));
    let left = if thanks == 0 || about { words.len() } else { left };
    let place = |word: usize| places.get(word).cloned().unwrap_or_default();
    let end = if left == words.len() { text.len() } else { place(left.saturating_sub(1)).end };
    (greeted < left && (greeted > 0 || left < words.len())).then(|| place(greeted).start..end)
}

/// Where the words of a text stand: letters and digits, and apostrophes between them.
fn words_of(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric() || matches!(c, '\'' | '’')) {
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(last) if last.end == at => last.end = end,
            _ => words.push(at..end),
        }
    }
    words
}

/// How many words at the start are one of these phrases.
fn at_start(words: &[String], phrases: &[&[&str]]) -> usize {
    let is = |phrase: &&&[&str]| {
        phrase.len() <= words.len() && phrase.iter().zip(words).all(|(one, word)| one == word)
    };
    phrases.iter().filter(is).map(|phrase| phrase.len()).max().unwrap_or_default()
}

/// How many words at the end are one of these phrases.
fn at_end(words: &[String], phrases: &[&[&str]]) -> usize {
    let is = |phrase: &&&[&str]| {
        phrase.len() <= words.len()
            && phrase.iter().rev().zip(words.iter().rev()).all(|(one, word)| one == word)
    };
    phrases.iter().filter(is).map(|phrase| phrase.len()).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courtesies_and_refusals_ask_for_nothing() {
        for text in [
            "Thank you!",
            "hello",
            "No, thanks a lot",
            "nope",
            "never mind",
            "Don’t.",
            "thanks, that's all, bye",
        ] {
            assert!(asks_nothing(text), "{text}");
        }
        for text in [
            "",
            "yes please",
            "ok",
            "no, the other one",
            "don't cancel",
            "thanks for the refund",
            "hello, cancel",
        ] {
            assert!(!asks_nothing(text), "{text}");
        }
    }

    #[test]
    fn greetings_and_thanks_are_left_out() {
        for (text, said) in [
            ("hello, I want to cancel", "I want to cancel"),
            ("Good morning team – where is my parcel? Thanks a lot!", "where is my parcel"),
            ("cancel my order cheers", "cancel my order"),
            ("Hey, what’s the price?", "what’s the price?"),
        ] {
            assert_eq!(matter(text).and_then(|matter| text.get(matter)), Some(said), "{text}");
        }
        let nothing_else = ["Hi there! thx", "hello", ""];
        let no_courtesy = ["how do I say thank you", "move it to the morning, please.", "say hello to Tom"];
        for text in nothing_else.into_iter().chain(no_courtesy) {
            assert_eq!(matter(text), None, "{text}");
        }
    }
}
