//! Which words are a name with typing errors?

use std::ops::Range;

use super::heard::Heard;
use super::phrase::Phrase;
use crate::catalog::distance;

/// Shortest word in which an error is looked for, in letters: most short words are one letter from another.
const LETTERS_MIN: usize = 5;
/// Shortest word with two errors, in letters.
const TWO_ERRORS_LETTERS_MIN: usize = 8;
/// How sure a word is with one error and with two.
const SURE: [f32; 3] = [0.95, 0.85, 0.72];

/// Where a phrase stands with errors, and how sure that is: each word with few enough of them.
pub(super) fn alike(heard: &Heard<'_>, phrase: &Phrase) -> Vec<(Range<usize>, f32)> {
    let count = phrase.words.len();
    let at = |from: usize| {
        let words = from..from + count;
        let mut sure: f32 = 1.0;
        for (at, word) in words.clone().zip(&phrase.words) {
            let said = heard.word(at).filter(|word| !word.sign).map(|_| heard.tokens.lower(at))?;
            let errors = if said == word { 0 } else { errors(said, word)? };
            sure = sure.min(SURE.get(errors).copied().unwrap_or(0.0));
        }
        Some((words, sure))
    };
    if count == 0 {
        return Vec::new();
    }
    (0..heard.len().saturating_sub(count - 1)).filter_map(at).collect()
}

/// Whether a word is another with few enough errors.
pub(super) fn is_misspelt(said: &str, meant: &str) -> bool {
    said.len() >= LETTERS_MIN
        && said.as_bytes().first() == meant.as_bytes().first()
        && errors(said, meant).is_some()
}

/// How many typing errors lie between a word and what it should be, where they are few for its length. The first letter is
/// hardly ever wrong.
pub(super) fn errors(said: &str, meant: &str) -> Option<usize> {
    let (written, right) = (said.chars().count(), meant.chars().count());
    // A letter that was left out makes a short word shorter still: "undr".
    let letters = if written + 1 == right && said.starts_with(meant.get(..2).unwrap_or("#")) {
        right
    } else {
        right.min(written)
    };
    let most = match letters {
        0..LETTERS_MIN => return None,
        LETTERS_MIN..TWO_ERRORS_LETTERS_MIN => 1,
        _ => 2,
    };
    let first = said.chars().next() == meant.chars().next();
    if written.abs_diff(right) > most {
        return None;
    }
    let errors = distance(said, meant);
    (errors <= most && (first || letters > LETTERS_MIN + 1)).then_some(errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_errors_for_the_length_of_a_word() {
        let check = |said: &str, meant: &str, expected: Option<usize>| {
            assert_eq!(errors(said, meant), expected, "{said} for {meant}");
        };
        check("prmary", "primary", Some(1));
        check("secondry", "secondary", Some(1));
        check("tetriary", "tertiary", Some(1));
        check("microscpoy", "microscopy", Some(1));
        check("micoscpy", "microscopy", Some(2));
        check("undr", "under", Some(1));
        check("pca", "pcb", None);
        check("both", "bath", None);
        check("tertiary", "primary", None);
    }
}
