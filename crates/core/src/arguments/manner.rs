//! In which manner is it said? Choosing, referring to what was before, asking about the choices, torn between them, or about
//! something else altogether: told by its words, as learned on all sorts of subjects.
//!
//! Learned by `training/manners.py`, whose file holds how many messages each word and each pair of neighbours stood in, and how
//! much it speaks for each manner.

use std::sync::OnceLock;

use super::learned::{Learned, hashed};
use super::said::{Said, said};

/// The file of weights that comes with the library.
const FILE: &[u8] = include_bytes!("manners.bin");

/// The manners that are told apart, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Gives values or picks an option.
    Choosing,
    /// Takes what was used, said or agreed before.
    Referring,
    /// Asks about an option, a setting or the method, and chooses none.
    Asking,
    /// Is torn between options.
    Torn,
    /// Has nothing to do with any tool.
    Elsewhere,
}

const MANNERS: [Manner; 5] =
    [Manner::Choosing, Manner::Referring, Manner::Asking, Manner::Torn, Manner::Elsewhere];

/// The likeliest manner of a message, and what speaks for it: about 1 where it is plain and −1 where it is not so. One sentence
/// that asks or wavers makes the whole message do so.
pub(super) fn of_message(text: &str) -> (Manner, f32) {
    let whole = of(text);
    let told = |sentence: &&str| sentence.split_whitespace().count() > 1;
    let ends = |at: char| matches!(at, '.' | '?' | '!' | ';');
    let sentences: Vec<(Manner, f32)> =
        text.split_inclusive(ends).filter(told).take(SENTENCES_MAX).map(of).collect();
    let sentences = || sentences.iter().copied();
    let wish = sentences().any(|(manner, score)| manner == Manner::Choosing && score > WISH_MIN);
    if wish && whole.0 == Manner::Asking && sentences().count() > 1 {
        return (Manner::Choosing, 0.0);
    }
    let sways = |manner: Manner| manner == Manner::Torn || (manner == Manner::Asking && !wish);
    let swayed = sentences().filter(|(manner, _)| sways(*manner));
    let most = swayed.max_by(|(_, left), (_, right)| left.total_cmp(right));
    most.filter(|(_, score)| whole.0 != Manner::Elsewhere && *score > whole.1).unwrap_or(whole)
}

/// Most sentences that are listened to one by one.
const SENTENCES_MAX: usize = 16;

/// How plainly a sentence must choose for the questions around it to be part of the wish: "How green is it? Put it on a map."
const WISH_MIN: f32 = 0.2;

/// The likeliest manner of a sentence.
fn of(text: &str) -> (Manner, f32) {
    static WEIGHTS: OnceLock<Learned<{ MANNERS.len() }>> = OnceLock::new();
    let mut scores = WEIGHTS.get_or_init(|| Learned::read(FILE)).judge(grams(text));
    if is_polite(text) {
        // "Can you do a line graph?" asks for it; "could you explain …" asks more plainly.
        let [choosing, _, asking, ..] = &mut scores;
        *asking -= POLITE;
        *choosing += POLITE;
    }
    let best = MANNERS.into_iter().zip(scores).max_by(|(_, left), (_, right)| left.total_cmp(right));
    best.unwrap_or((Manner::Choosing, 0.0))
}

/// What a polite opening takes from asking and gives to choosing.
const POLITE: f32 = 0.3;

/// Whether a sentence opens as polite requests do: "could you", "may I".
fn is_polite(text: &str) -> bool {
    let words = words(text);
    let second = words.get(1).map(String::as_str);
    matches!(words.first().map(String::as_str), Some("can" | "could" | "would" | "will" | "may" | "might"))
        && matches!(second, Some("you" | "we" | "i" | "u"))
}

/// The words of a message and the pairs that follow each other with its two ends, hashed.
fn grams(text: &str) -> Vec<u32> {
    let words = words(text);
    let mut grams: Vec<u32> = words.iter().map(|word| hashed(&[word])).collect();
    let ends = || ["<"].into_iter().chain(words.iter().map(String::as_str)).chain([">"]);
    grams.extend(ends().zip(ends().skip(1)).map(|(one, other)| hashed(&[one, " ", other])));
    grams
}

/// The words of a message; of its signs, the question marks.
fn words(text: &str) -> Vec<String> {
    let tells = |said: &Said| said.word == "?" || said.word.starts_with(|c: char| c.is_ascii_alphanumeric());
    said(text).into_iter().filter(tells).map(|said| said.word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manners_are_told_by_the_little_words() {
        let check = |text: &str, expected: Manner| assert_eq!(of(text).0, expected, "{text}: {:?}", of(text));
        check("send the parcel to Lagos by express", Manner::Choosing);
        check("may I have the large one, please", Manner::Choosing);
        check("keep the address that we agreed on last month", Manner::Referring);
        check("the budget from the previous quarter still holds", Manner::Referring);
        check("what does express mean?", Manner::Asking);
        check("how do you work out the delivery date?", Manner::Asking);
        check("I'm torn between the two sizes", Manner::Torn);
        check("not sure whether Monday or Tuesday", Manner::Torn);
    }
}
