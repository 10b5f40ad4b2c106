//! How is it said? The words of a message in small letters, as the manners and stances were learned from them.

use std::ops::Range;

/// Most words of a message that are looked at: what comes behind them changes nothing.
const WORDS_MAX: usize = 256;

/// A word, a number or a sign of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// In small letters with what an apostrophe joins; any number is 0.
    pub word: String,
    /// Where it stands, in bytes.
    pub at: Range<usize>,
}

/// The words and signs of a message.
pub(super) fn said(text: &str) -> Vec<Said> {
    let mut words: Vec<Said> = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        if words.len() == WORDS_MAX {
            break;
        }
        let mut end = start + letter.len_utf8();
        let letter = small(letter);
        let mut word = String::from(letter);
        if letter.is_ascii_digit() {
            "0".clone_into(&mut word);
            while let Some((at, _)) = letters.next_if(|(_, next)| next.is_ascii_digit()) {
                end = at + 1;
            }
        } else if letter.is_ascii_lowercase() {
            spell(&mut letters, &mut word, &mut end);
            let mut ahead = letters.clone();
            let joined = ahead.next().is_some_and(|(_, sign)| matches!(sign, '\'' | '’'))
                && ahead.next().is_some_and(|(_, next)| small(next).is_ascii_lowercase());
            if joined {
                letters.next();
                word.push('\'');
                spell(&mut letters, &mut word, &mut end);
            }
        } else if !is_sign(letter) {
            continue;
        }
        words.push(Said { word, at: start..end });
    }
    words
}

/// The letters that follow.
fn spell(letters: &mut std::iter::Peekable<std::str::CharIndices<'_>>, word: &mut String, end: &mut usize) {
    while let Some((at, next)) = letters.next_if(|(_, next)| small(*next).is_ascii_lowercase()) {
        word.push(small(next));
        *end = at + next.len_utf8();
    }
}

/// A letter in its small form, where that is one letter.
fn small(letter: char) -> char {
    let mut small = letter.to_lowercase();
    match (small.next(), small.next()) {
        (Some(only), None) => only,
        _ => letter,
    }
}

/// The signs that say something of how it is said.
fn is_sign(letter: char) -> bool {
    matches!(letter, '?' | '!' | '.' | ',' | ';' | ':' | '—' | '–' | '(' | ')' | '/' | '…' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_the_weights_were_learned() {
        let check = |text: &str, expected: &[&str]| {
            let words: Vec<String> = said(text).into_iter().map(|said| said.word).collect();
            assert_eq!(words, expected, "{text}");
        };
        check("Don’t send 3,000 to A-1?", &["don't", "send", "0", ",", "0", "to", "a", "-", "0", "?"]);
        check("no… wait — \"yes\"", &["no", "…", "wait", "—", "yes"]);
        check("", &[]);
    }

    #[test]
    fn words_know_where_they_stand() {
        let text = "Don’t – 1,200";
        let check = |nth: usize, expected: &str| {
            let at = said(text).get(nth).map(|said| said.at.clone());
            assert_eq!(at.and_then(|at| text.get(at)), Some(expected));
        };
        check(0, "Don’t");
        check(1, "–");
        check(2, "1");
    }
}
