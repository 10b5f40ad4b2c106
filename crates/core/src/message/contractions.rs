//! Which words are two words written as one?
//!
//! English contractions are a closed class, so a table is the honest mechanism. Only forms that can mean
//! nothing else are written out: "its", "were" and a possessive 's stay as they are.

/// What a contraction is written out to: so many bytes of it kept, then a suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expansion {
    /// Bytes of the word that stay.
    pub(super) kept: usize,
    /// What follows them.
    pub(super) suffix: &'static str,
}

/// Whole words, with and without their apostrophe.
const WHOLE: &[(&str, &str)] = &[
    ("ain't", "is not"),
    ("aint", "is not"),
    ("can't", "can not"),
    ("cannot", "can not"),
    ("cant", "can not"),
    ("couldnt", "could not"),
    ("didnt", "did not"),
    ("doesnt", "does not"),
    ("dont", "do not"),
    ("hasnt", "has not"),
    ("havent", "have not"),
    ("isnt", "is not"),
    ("arent", "are not"),
    ("let's", "let us"),
    ("shan't", "shall not"),
    ("shouldnt", "should not"),
    ("wasnt", "was not"),
    ("werent", "were not"),
    ("won't", "will not"),
    ("wouldnt", "would not"),
];

/// Endings after any stem.
const ENDINGS: &[(&str, &str)] =
    &[("n't", " not"), ("'re", " are"), ("'ve", " have"), ("'ll", " will"), ("'m", " am"), ("'d", " would")];

/// Words after which 's is always "is": elsewhere it marks an owner.
const IS_AFTER: &[&str] = &[
    "he",
    "here",
    "how",
    "it",
    "she",
    "something",
    "that",
    "there",
    "this",
    "what",
    "when",
    "where",
    "who",
    "why",
];

/// Writes a folded word out, if it is a contraction.
pub(super) fn expand(word: &str) -> Option<Expansion> {
    if word.len() < 3 || !word.is_ascii() {
        return None;
    }
    let whole = WHOLE.iter().find(|(form, _)| *form == word);
    if let Some((_, written_out)) = whole {
        return Some(Expansion { kept: 0, suffix: written_out });
    }
    if !word.contains('\'') {
        return None;
    }
    if word.strip_suffix("'s").is_some_and(|stem| IS_AFTER.contains(&stem)) {
        return Some(Expansion { kept: word.len() - 2, suffix: " is" });
    }
    ENDINGS.iter().find_map(|(ending, suffix)| {
        let stem = word.strip_suffix(ending).filter(|stem| !stem.is_empty())?;
        Some(Expansion { kept: stem.len(), suffix })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expected: &str) {
        let written_out = match expand(word) {
            Some(Expansion { kept, suffix }) => word.get(..kept).unwrap().to_owned() + suffix,
            None => word.to_owned(),
        };
        assert_eq!(written_out, expected);
    }

    #[test]
    fn contractions_are_written_out_and_owners_are_not() {
        check("isn't", "is not");
        check("won't", "will not");
        check("doesnt", "does not");
        check("they're", "they are");
        check("what's", "what is");
        check("action's", "action's");
        check("its", "its");
        check("n't", "n't");
        check("'tis", "'tis");
    }
}
