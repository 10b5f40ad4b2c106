//! Does a message speak of the conversation itself? To drop what is asked, to agree, to decline, or to take something back.
//!
//! The words here are those with which people steer a conversation, whatever it is about; none names a thing. All but a
//! correction must be the whole message: "cancel the order" names something to do.

use crate::message::{Reading, Span};

/// Words that say nothing by themselves around what is said.
const POLITE: [&str; 20] = [
    "please", "thanks", "thank", "you", "then", "now", "well", "oh", "ah", "hm", "hmm", "just", "so", "and",
    "let's", "lets", "i", "it's", "actually", "wait",
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

const DECLINE: &[&[&str]] =
    &[&["no"], &["nope"], &["nah"], &["no", "thank", "you"], &["not", "now"], &["don't"]];

/// Words by which something said before is taken back.
const CORRECT: [&str; 14] = [
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
    "change",
    "switch",
    "correction",
    "make",
];

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

/// Whether a message agrees and says no more.
pub fn agrees(reading: &Reading) -> bool {
    is_one_of(reading, AGREE)
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

fn is_one_of(reading: &Reading, phrases: &[&[&str]]) -> bool {
    let all = words(reading);
    let bare: Vec<&str> = all.iter().copied().filter(|word| !POLITE.contains(word)).collect();
    phrases.iter().any(|phrase| *phrase == all.as_slice() || *phrase == bare.as_slice())
}

fn words(reading: &Reading) -> Vec<&str> {
    let apostrophe = |letter: char| letter == '\'' || letter == '’';
    let split = reading.text().split(move |letter: char| !letter.is_alphanumeric() && !apostrophe(letter));
    split.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_messages_steer() {
        let check = |text: &str, expected: [bool; 3]| {
            let reading = Reading::new(text);
            let found = [abandons(&reading), agrees(&reading), declines(&reading)];
            assert_eq!(found, expected, "{text}");
        };
        check("never mind", [true, false, false]);
        check("actually leave it", [true, false, false]);
        check("Oh, never mind then.", [true, false, false]);
        check("cancel that please", [true, false, false]);
        check("cancel the order of Tuesday", [false, false, false]);
        check("Don't bother", [true, false, false]);
        check("yes!", [false, true, false]);
        check("OK, do it", [false, false, false]);
        check("yes please do it", [false, true, false]);
        check("yes, secondary", [false, false, false]);
        check("No, thank you", [false, false, true]);
        check("no, secondary", [false, false, false]);
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
