//! Which words does a text have, as far as finding goes? Folded to one form, with names taken apart.

use std::ops::Range;

use crate::head::grams::{SEED, fed};

/// A word in the one form that all its forms share. Two words may share a number; of a hundred thousand hardly two do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u64);

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word in the form that is looked for.
    pub term: Term,
    /// Where it stands in the text, in bytes.
    pub at: Range<usize>,
}

/// Longest word that is looked at, in bytes: beyond that it is data.
const WORD_BYTES_MAX: usize = 64;

/// Endings that are taken off a word, longest first, and the fewest letters that must be left. What is left need be no word:
/// it must only be the same for all forms.
const ENDINGS: [(&str, usize); 12] = [
    ("ations", 3),
    ("ation", 3),
    ("ings", 3),
    ("edly", 3),
    ("ing", 3),
    ("ies", 2),
    ("ers", 3),
    ("ed", 3),
    ("er", 3),
    ("es", 3),
    ("ly", 3),
    ("s", 2),
];

/// Words that stand in every text and say nothing about what it is for: articles, pronouns, auxiliaries, prepositions.
/// English function words are a closed class; a word of another language is simply looked for.
const EMPTY: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "he", "her", "him", "his", "how", "i", "if", "in", "into",
    "is", "it", "its", "me", "my", "of", "on", "or", "our", "over", "please", "she", "should", "so", "some",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "us",
    "was", "we", "were", "what", "when", "where", "which", "who", "will", "with", "would", "you", "your",
];

/// The words of a text, in order. A name such as `getUser_v2` gives the whole and its parts.
pub fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, letter.is_alphanumeric()) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                piece(text, from..at, &mut found);
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Words that are worth looking for: those that say something, each once, in order.
pub fn telling(text: &str) -> Vec<Word> {
    let mut found = words(text);
    let mut seen = std::collections::HashSet::new();
    found.retain(|word| {
        let written = text.get(word.at.clone()).unwrap_or_default();
        !is_empty_word(written) && seen.insert(word.term)
    });
    found
}

/// Whether a word says nothing by itself: an article, a pronoun, a preposition.
pub fn is_empty_word(word: &str) -> bool {
    word.len() <= 6 && EMPTY.binary_search(&word.to_lowercase().as_str()).is_ok()
}

/// A run of letters and digits: as it is, and in its parts where it has some.
fn piece(text: &str, at: Range<usize>, found: &mut Vec<Word>) {
    let Some(run) = text.get(at.clone()) else { return };
    if run.contains(is_ideograph) {
        let letters = run.char_indices().map(|(from, letter)| (at.start + from, letter));
        for (from, letter) in letters {
            push(text, from..from + letter.len_utf8(), found);
        }
        return;
    }
    push(text, at.clone(), found);
    let cuts: Vec<usize> = seams(run);
    if cuts.is_empty() {
        return;
    }
    let ends = cuts.iter().copied().chain([run.len()]);
    let mut from = 0;
    for to in ends {
        push(text, at.start + from..at.start + to, found);
        from = to;
    }
}

/// Scripts that write words without spaces between them: each letter is looked for by itself.
fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Where a name is sewn together: `getUser` before `U`, `HTTPServer` before `S`, `log4j` nowhere.
fn seams(run: &str) -> Vec<usize> {
    let letters: Vec<(usize, char)> = run.char_indices().collect();
    let is_seam = |window: &[(usize, char)]| match window {
        [(_, before), (at, here), after @ ..] => {
            let small_after = after.first().is_some_and(|(_, after)| after.is_lowercase());
            let rises = before.is_lowercase() && here.is_uppercase();
            let falls = before.is_uppercase() && here.is_uppercase() && small_after;
            (rises || falls).then_some(*at)
        }
        _ => None,
    };
    (0..letters.len()).filter_map(|at| is_seam(letters.get(at..letters.len().min(at + 3))?)).collect()
}

fn push(text: &str, at: Range<usize>, found: &mut Vec<Word>) {
    if at.len() > WORD_BYTES_MAX {
        return;
    }
    if let Some(written) = text.get(at.clone()) {
        found.push(Word { term: term(written), at });
    }
}

/// The form of a word that all its forms share.
pub fn term(word: &str) -> Term {
    let small = word.to_lowercase();
    let stem = stem(&small);
    // What was `ies` was `y`: queries and query.
    let restored = if small.ends_with("ies") && stem.len() + 3 == small.len() { "y" } else { "" };
    Term(fed(fed(SEED, stem.as_bytes()), restored.as_bytes()))
}

fn stem(word: &str) -> &str {
    let ending = |(ending, left): &(&str, usize)| {
        let stem = word.strip_suffix(ending)?;
        (stem.len() >= *left && !word.ends_with("ss")).then_some(stem)
    };
    let stem = ENDINGS.iter().find_map(ending).unwrap_or(word);
    // `image`, `images` and `imaging` meet without their `e`.
    match stem.strip_suffix('e') {
        Some(bare) if stem.len() > 4 => bare,
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_a_word_are_one() {
        let check = |forms: &[&str]| {
            for form in forms {
                assert_eq!(term(form), term(forms[0]), "{forms:?}");
            }
        };
        check(&["query", "queries", "Queries"]);
        check(&["image", "images", "imaging"]);
        check(&["convert", "converts", "converted", "converting", "CONVERTER"]);
        check(&["paper", "papers"]);
        assert_ne!(term("class"), term("clas"));
        assert_ne!(term("as"), term("a"));
    }

    #[test]
    fn names_are_taken_apart_and_kept_whole() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<&str> = words(text).iter().filter_map(|word| text.get(word.at.clone())).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("find_symbol", &["find", "symbol"]);
        check("getUserName", &["getUserName", "get", "User", "Name"]);
        check("HTTPServer", &["HTTPServer", "HTTP", "Server"]);
        check("log4j v2.1", &["log4j", "v2", "1"]);
        check("使用必应 Bing", &["使", "用", "必", "应", "Bing"]);
        check("", &[]);
        check("Äpfel, naïve", &["Äpfel", "naïve"]);
    }

    #[test]
    fn what_says_nothing_is_not_looked_for() {
        let text = "Can you please find the papers about papers and THE find_paper tool";
        let found: Vec<&str> = telling(text).iter().filter_map(|word| text.get(word.at.clone())).collect();
        assert_eq!(found, ["find", "papers", "tool"]);
        assert!(EMPTY.is_sorted());
    }
}
