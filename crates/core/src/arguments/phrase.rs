//! What is a name made of? Its words in the form that all their forms share.

use crate::selection::terms::{self, Term};

/// A few words that name something.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Phrase {
    /// As it is written.
    pub text: String,
    /// Its words, in order: `avg_household_size` has three.
    pub words: Vec<String>,
    /// The same in the form that all their forms share.
    pub terms: Vec<Term>,
}

impl Phrase {
    /// Reads a name or a few words.
    pub fn new(text: &str) -> Phrase {
        let words = split(text);
        let terms = words.iter().map(|word| term(word)).collect();
        Phrase { text: text.to_owned(), words, terms }
    }

    /// Whether one of its words is this one, in any of its forms.
    pub fn has(&self, term: Term) -> bool {
        self.terms.contains(&term)
    }
}

/// The form of a word that all its forms share; a small number in words is the same as in figures.
pub(super) fn term(word: &str) -> Term {
    const SMALL: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let single = word.strip_suffix('s').filter(|_| word != "sixs").unwrap_or(word);
    match SMALL.iter().position(|small| *small == word || *small == single) {
        Some(number) => terms::term(&number.to_string()),
        None => terms::term(word),
    }
}

/// The words of a name: split at what is no letter or figure, where small letters turn to capitals, and where
/// letters turn to figures.
pub fn split(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before: Option<char> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if !letter.is_alphanumeric() {
            before = None;
            continue;
        }
        let falls = letters.peek().is_some_and(|next| next.is_lowercase());
        let begins = match before {
            None => true,
            Some(last) => {
                (last.is_lowercase() && letter.is_uppercase())
                    || (last.is_uppercase() && letter.is_uppercase() && falls)
                    || last.is_numeric() != letter.is_numeric()
            }
        };
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
        before = Some(letter);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        let check = |text: &str, words: &[&str]| assert_eq!(split(text), words, "{text}");
        check("avg_household_size", &["avg", "household", "size"]);
        check("numOfPeople", &["num", "of", "people"]);
        check("HTTPServer", &["http", "server"]);
        check("side1", &["side", "1"]);
        check("u5", &["u", "5"]);
        check("all-ages, please", &["all", "ages", "please"]);
        check("", &[]);
    }
}
