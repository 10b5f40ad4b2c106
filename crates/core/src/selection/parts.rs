//! Which tasks does a message hold? It is cut where sentences end and where words join one thing to another.

use crate::message::{Reading, Span};

use super::terms::telling;

/// Fewest telling words of a part: with less it is no task of its own but a word more of its neighbour. Measured on odd lines of
/// public sets: with two, messages that need one tool lose.
const TELLING_MIN: usize = 3;
/// Most parts that are looked at: a message with more is a text to work on, not a list of tasks.
const PARTS_MAX: usize = 6;

/// Words that join one thing to another. A closed class, like all that is looked at here.
const JOINING: &[&str] = &["additionally", "also", "and", "plus", "then"];
/// The same in two words; "as well as" has one more.
const JOINING_PAIRS: &[(&str, &str)] = &[("along", "with"), ("as", "well")];

/// The parts of a message that may each be a task, in order; none where it is of one piece. What is denied is no task.
pub fn parts(text: &str) -> Vec<&str> {
    let reading = Reading::new(text);
    let mut found: Vec<Span> = Vec::new();
    for sentence in sentences(text, &reading) {
        let pieces = pieces(&reading, &sentence);
        let mut whole: Option<Span> = None;
        for piece in pieces {
            whole = Some(match whole {
                None => piece,
                Some(before) if tells(text, &reading, before) && tells(text, &reading, piece) => {
                    found.push(before);
                    piece
                }
                Some(before) => Span { start: before.start, end: piece.end },
            });
        }
        match (whole, found.last_mut()) {
            (Some(last), _) if tells(text, &reading, last) => found.push(last),
            (Some(rest), Some(before)) => before.end = rest.end,
            _ => {}
        }
    }
    if found.len() < 2 {
        return Vec::new();
    }
    found.retain(|part| !is_denied(&reading, *part));
    found.truncate(PARTS_MAX);
    found.into_iter().map(|part| reading.original(part).of(text)).collect()
}

/// The words of each sentence, as places among the words of the message.
fn sentences(text: &str, reading: &Reading) -> Vec<Vec<usize>> {
    let mut sentences: Vec<Vec<usize>> = Vec::new();
    let mut end = 0;
    for (at, word) in reading.words().iter().enumerate() {
        let here = reading.original(*word);
        let gap = text.get(end as usize..here.start as usize).unwrap_or_default();
        end = here.end;
        match sentences.last_mut() {
            Some(sentence) if !ends_sentence(gap) => sentence.push(at),
            _ => sentences.push(vec![at]),
        }
    }
    sentences
}

/// Whether a sentence ends between two words. A full stop inside a name (`v3.0`) has no space after it.
fn ends_sentence(gap: &str) -> bool {
    gap.contains([';', '!', '?', '\n', '。']) || (gap.contains('.') && gap.contains(char::is_whitespace))
}

/// The stretches of a sentence between words that join.
fn pieces(reading: &Reading, sentence: &[usize]) -> Vec<Span> {
    let word = |at: usize| reading.words().get(at).map_or("", |span| span.of(reading.text()));
    let mut pieces: Vec<Span> = Vec::new();
    let mut open = false;
    let mut skipped_to = 0;
    for at in sentence.iter().copied() {
        let pair = JOINING_PAIRS.contains(&(word(at), word(at + 1)));
        if pair || JOINING.contains(&word(at)) {
            let length = 1 + usize::from(pair) + usize::from(pair && word(at + 2) == "as");
            skipped_to = skipped_to.max(at + length);
            open = false;
        }
        let Some(span) = reading.words().get(at).filter(|_| at >= skipped_to) else { continue };
        match pieces.last_mut().filter(|_| open) {
            Some(piece) => piece.end = span.end,
            None => pieces.push(*span),
        }
        open = true;
    }
    pieces
}

fn tells(text: &str, reading: &Reading, part: Span) -> bool {
    telling(reading.original(part).of(text)).len() >= TELLING_MIN
}

/// Whether most of a part is said not to be wanted.
fn is_denied(reading: &Reading, part: Span) -> bool {
    let words = reading.words().iter().filter(|word| part.holds(**word));
    let denied = |word: &Span| reading.negations_near(*word).any(|negation| negation.scope.holds(*word));
    let (denied, spoken) =
        words.fold((0, 0), |(denied_words, all), word| (denied_words + usize::from(denied(word)), all + 1));
    denied * 2 >= spoken
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(parts(text), expected, "{text}");
    }

    #[test]
    fn sentences_and_what_is_joined_are_parts() {
        check(
            "What's the weather like in Tokyo today? Which hotels offer lower rates?",
            &["What's the weather like in Tokyo today", "Which hotels offer lower rates"],
        );
        check(
            "show the stock price of Apple and find recent news about the company.",
            &["show the stock price of Apple", "find recent news about the company"],
        );
        check(
            "translate this long letter into French, then send it by mail to Ann Miller",
            &["translate this long letter into French", "send it by mail to Ann Miller"],
        );
        check(
            "a playlist of popular songs as well as news about their artists today",
            &["a playlist of popular songs", "news about their artists today"],
        );
    }

    #[test]
    fn what_is_of_one_piece_stays_whole() {
        check("", &[]);
        check("find a flight to Rome", &[]);
        check("bread and butter", &[]);
        check("the area and perimeter of a triangle", &[]);
        check("Hello! Find a flight to Rome on Monday, please. Thanks!", &[]);
        check("open v3.0 of the long report on whales", &[]);
    }

    #[test]
    fn what_is_denied_is_no_task() {
        check(
            "book a table at the trattoria tonight. Do not send any mail to the guests. Print the long menu twice",
            &["book a table at the trattoria tonight", "Print the long menu twice"],
        );
    }

    #[test]
    fn a_text_is_no_list_of_tasks() {
        let text = "Send the monthly report to Ann. ".repeat(40);
        assert_eq!(parts(&text).len(), PARTS_MAX);
    }

    proptest! {
        /// Parts stand in the message, in order, without touching each other.
        #[test]
        fn parts_are_stretches_of_the_message(text in "([a-zé]{1,7}[ ,.?\n]{1,2}|and |also |as well as |no ){0,40}") {
            let mut from = 0;
            for part in parts(&text) {
                let at = text.get(from..).and_then(|rest| rest.find(part)).expect("in order");
                prop_assert!(!part.is_empty());
                from += at + part.len();
            }
        }
    }
}
