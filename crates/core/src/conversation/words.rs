//! Does a message speak of the conversation itself? To drop what is asked, to agree, to decline, or to take something back.
//!
//! The words here are those with which people steer a conversation, whatever it is about; none names a thing. All but a
//! correction must be the whole message: "cancel the order" names something to do.

use crate::message::{Reading, Span};
use crate::selection::terms::is_empty_word;

/// Words that say nothing by themselves around what is said.
const POLITE: [&str; 28] = [
    "ok", "okay", "i'll", "i'd", "i'm", "we'll", "that's", "take", "please", "thanks", "thank", "you",
    "then", "now", "well", "oh", "ah", "hm", "hmm", "just", "so", "and", "let's", "lets", "i", "it's",
    "actually", "wait",
];

const ABANDON: &[&[&str]] = &[
    &["never", "mind"],
    &["nevermind"],
    &["cancel"],
    &["cancel", "it"],
    &["cancel", "that"],
    &["cancel", "this"],
    &["forget", "it"],
    &["forget", "that"],
    &["forget", "about", "it"],
    &["drop", "it"],
    &["drop", "that"],
    &["leave", "it"],
    &["stop"],
    &["stop", "it"],
    &["stop", "this"],
    &["abort"],
    &["quit"],
    &["not", "any", "more"],
    &["not", "anymore"],
    &["don't", "bother"],
    &["do", "not", "bother"],
    &["skip", "it"],
    &["leave", "that"],
    &["scrap", "it"],
    &["scrap", "that"],
    &["strike", "that"],
    &["ignore", "that"],
    &["hold", "off"],
    &["kidding"],
    &["changed", "my", "mind"],
    &["on", "second", "thought", "no"],
    &["or", "rather", "not"],
    &["rather", "not"],
];

const AGREE: &[&[&str]] = &[
    &["yes"],
    &["yeah"],
    &["yep"],
    &["yup"],
    &["ok"],
    &["okay"],
    &["sure"],
    &["right"],
    &["correct"],
    &["exactly"],
    &["fine"],
    &["agreed"],
    &["of", "course"],
    &["sounds", "good"],
    &["that's", "right"],
    &["that", "is", "right"],
    &["do", "it"],
    &["do", "that"],
    &["yes", "do", "it"],
    &["yes", "do", "that"],
];

const HELP: &[&[&str]] = &[
    &["help"],
    &["help", "me"],
    &["what", "can", "you", "do"],
    &["what", "can", "i", "do"],
    &["what", "can", "i", "ask"],
];

const DECLINE: &[&[&str]] =
    &[&["no"], &["nope"], &["nah"], &["no", "thank", "you"], &["not", "now"], &["don't"]];

const THAT: &[&[&str]] = &[&["that", "one"], &["this", "one"]];

const OTHER: &[&[&str]] = &[
    &["the", "other", "one"],
    &["the", "other"],
    &["the", "other", "one", "after", "all"],
    &["the", "other", "one", "instead"],
];

/// Words by which something said before is taken back, or done again with a change.
const CORRECT: [&str; 22] = [
    "no",
    "not",
    "wait",
    "actually",
    "sorry",
    "oops",
    "meant",
    "mean",
    "instead",
    "rather",
    "only",
    "change",
    "switch",
    "correction",
    "make",
    "same",
    "again",
    "too",
    "another",
    "also",
    "once",
    "more",
];

/// What a whole message asks of the conversation itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Yes; go on.
    Agree,
    /// No, to what is offered.
    Decline,
    /// Drop what is open.
    Cancel,
    /// What can be asked for?
    Help,
    /// The last call again.
    Repeat,
    /// The other of two.
    Other,
    /// What was just explained or offered: "that one".
    That,
    /// Thanks, greetings and small talk.
    Chat,
}

/// The move that a message is by its words alone.
pub fn moves(reading: &Reading) -> Option<Move> {
    let known = [
        (THAT, Move::That),
        (ABANDON, Move::Cancel),
        (AGREE, Move::Agree),
        (DECLINE, Move::Decline),
        (HELP, Move::Help),
        (OTHER, Move::Other),
    ];
    let found = known.iter().find(|(phrases, _)| is_one_of(reading, phrases)).map(|(_, found)| *found);
    // "No, fine" and "sure?" do not agree.
    let said = words(reading);
    let refuses = said.first().is_some_and(|first| matches!(*first, "no" | "nope" | "nah"))
        || reading.text().contains('?');
    found.filter(|found| *found != Move::Agree || !refuses)
}

/// Whether a message drops what is asked.
pub fn abandons(reading: &Reading) -> bool {
    is_one_of(reading, ABANDON)
}

/// Where the last clause of a message stands if it takes back what stands before it: "feed hive 3, actually leave it".
pub fn taken_back(text: &str) -> Option<Span> {
    let end = text.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
    let before = text.get(..end)?;
    let start = before.rfind([',', ';', '.', '!', '?', '–', '—', '-', '\n'])?;
    let start = start + before.get(start..)?.chars().next()?.len_utf8();
    let clause = Reading::new(before.get(start..)?);
    (abandons(&clause) || declines(&clause)).then(|| Span::new(start..end))
}

/// Whether a clause of a message drops what is asked: "argh, it works again, forget it", "oh no, cancel, I'll stay at home".
pub fn drops(text: &str) -> bool {
    text.split([',', '.', ';', '!', '?']).any(|clause| abandons(&Reading::new(clause)))
}

/// Most words of a clause that only opens a message.
const OPENING_WORDS_MAX: usize = 3;

/// The rest of a message behind a first short clause that denies nothing: "one sec, …", "oh wait - …".
pub fn after_opening(text: &str) -> Option<&str> {
    let (opening, rest) = text.split_once([',', ':', '.', '-', '!', '…'])?;
    let opening = Reading::new(opening);
    let short = (1..=OPENING_WORDS_MAX).contains(&words(&opening).len());
    let denies = words(&opening).iter().any(|word| matches!(*word, "not" | "don't" | "never" | "without"));
    (short && !denies && !rest.trim().is_empty()).then_some(rest)
}

/// Whether a message adds to what was asked before: "and for tuesday?", "what about the wifi".
pub fn adds(reading: &Reading) -> bool {
    matches!(words(reading).as_slice(), ["and" | "but", ..] | ["what" | "how", "about", ..])
}

/// Whether a message is a question: "is large expensive", "2005?".
pub fn asks(reading: &Reading) -> bool {
    const ASKING: [&str; 14] = [
        "how", "what", "is", "are", "which", "when", "who", "whose", "where", "why", "does", "do", "did",
        "was",
    ];
    reading.text().trim_end().ends_with('?')
        || words(reading).first().is_some_and(|first| ASKING.contains(first))
}

/// Whether a message points back to what was spoken of: "could that be on thursday".
pub fn refers(reading: &Reading) -> bool {
    words(reading).iter().any(|word| matches!(*word, "that" | "it" | "them" | "those"))
}

/// Whether a message begins with agreement and takes nothing of it back: "yes, delete it", but not "ok but not yet" or "sure, how long does it take?".
pub fn begins_agreeing(text: &str) -> bool {
    let reading = Reading::new(text);
    !doubts(&reading) && words(&reading).first().is_some_and(|first| AGREE.contains(&[*first].as_slice()))
}

/// Whether a message holds something back: a question, a condition, a "but".
pub fn doubts(reading: &Reading) -> bool {
    const DOUBTS: [&str; 8] = ["but", "not", "no", "never", "later", "wait", "unless", "if"];
    reading.text().contains('?') || words(reading).iter().any(|word| DOUBTS.contains(word))
}

/// Whether a message declines and says no more.
pub fn declines(reading: &Reading) -> bool {
    is_one_of(reading, DECLINE)
}

/// Whether a message speaks of taking something back.
pub fn corrects(reading: &Reading) -> bool {
    words(reading).iter().any(|word| CORRECT.contains(word))
}

/// Whether a message asks for what is usual.
pub fn wants_defaults(reading: &Reading) -> bool {
    words(reading).iter().any(|word| matches!(*word, "default" | "defaults" | "standard"))
}

/// Whether a message is one of some phrases, with polite words around it, or a "no" before it: "no, cancel".
fn is_one_of(reading: &Reading, phrases: &[&[&str]]) -> bool {
    let all = words(reading);
    let around = |word: &&str| {
        POLITE.contains(word) || matches!(*word, "first" | "perfect" | "great" | "good" | "right")
    };
    let bare: Vec<&str> = all.iter().copied().filter(|word| !around(word)).collect();
    let after_no = bare
        .split_first()
        .filter(|(first, _)| matches!(**first, "no" | "nope" | "nah"))
        .map(|(_, rest)| rest);
    let said = [Some(all.as_slice()), Some(bare.as_slice()), after_no.filter(|rest| !rest.is_empty())];
    said.into_iter().flatten().any(|said| phrases.contains(&said))
}

/// The one word of a message that is no courtesy: "oh, 20 then" is 20.
pub(super) fn only_word(reading: &Reading) -> Option<&str> {
    let mut bare =
        words(reading).into_iter().filter(|word| !POLITE.contains(word) && !matches!(*word, "ok" | "okay"));
    bare.next().filter(|_| bare.next().is_none())
}

/// How many words of a message say something by themselves.
pub(super) fn telling_count(reading: &Reading) -> usize {
    telling(words(reading).into_iter())
}

/// How many of some words say something by themselves.
pub(super) fn telling<'w>(words: impl Iterator<Item = &'w str>) -> usize {
    words.filter(|word| !POLITE.contains(word) && !CORRECT.contains(word) && !is_empty_word(word)).count()
}

/// The words of a message, as they are written, without signs.
pub(super) fn words(reading: &Reading) -> Vec<&str> {
    let apostrophe = |letter: char| letter == '\'' || letter == '’';
    let split = reading.text().split(move |letter: char| !letter.is_alphanumeric() && !apostrophe(letter));
    split.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_open_and_drop() {
        assert_eq!(after_opening("hold on, how warm is it?").map(str::trim), Some("how warm is it?"));
        assert_eq!(after_opening("don't, cancel it"), None);
        assert_eq!(after_opening("the four of us would like, say, a room"), None);
        assert!(drops("argh, it works again, forget it") && drops("oh no, cancel, I'll stay at home"));
        assert!(!drops("cancel the order of Tuesday, please"));
        assert!(begins_agreeing("yes, delete it") && !begins_agreeing("ok but not yet"));
    }

    #[test]
    fn only_whole_messages_steer() {
        let check = |text: &str, expected: [bool; 3]| {
            let reading = Reading::new(text);
            let found =
                [Move::Cancel, Move::Agree, Move::Decline].map(|known| moves(&reading) == Some(known));
            assert_eq!(found, expected, "{text}");
        };
        check("never mind", [true, false, false]);
        check("actually leave it", [true, false, false]);
        check("Oh, never mind then.", [true, false, false]);
        check("cancel that please", [true, false, false]);
        check("cancel the order of Tuesday", [false, false, false]);
        check("Don't bother", [true, false, false]);
        check("yes!", [false, true, false]);
        check("OK, do it", [false, true, false]);
        check("yes please do it", [false, true, false]);
        check("yes, secondary", [false, false, false]);
        check("No, thank you", [false, false, true]);
        check("no, secondary", [false, false, false]);
        check("no, cancel", [true, false, false]);
        check("no, fine", [false, false, false]);
        check("sure?", [false, false, false]);
        check("", [false, false, false]);
    }

    #[test]
    fn a_last_clause_takes_back() {
        for (text, expected) in [
            ("feed hive 3 2 kg syrup, actually leave it", Some(" actually leave it")),
            ("book a room. Scrap that!", Some(" Scrap that")),
            ("book a room - just kidding", Some(" just kidding")),
            ("cancel that", None),
            ("book a room, and cancel the other", None),
            ("a room, please", None),
        ] {
            assert_eq!(taken_back(text).map(|span| span.of(text)), expected, "{text}");
        }
    }

    #[test]
    fn a_correction_may_say_more() {
        let check =
            |text: &str, expected: bool| assert_eq!(corrects(&Reading::new(text)), expected, "{text}");
        check("no, secondary", true);
        check("I meant the second one", true);
        check("make it 300k", true);
        check("secondary", false);
        assert!(wants_defaults(&Reading::new("with the defaults please")));
        assert!(!wants_defaults(&Reading::new("primary")));
    }
}
