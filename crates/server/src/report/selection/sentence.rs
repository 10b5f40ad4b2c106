//! What is ours in a sentence, and what came from outside? Each kind of page shows the second in its own way.

use serde::{Serialize, Serializer};

/// One run of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Our own words and figures.
    Ours(String),
    /// A name from outside: an agent, a rule, a flag, a word of the message.
    Name(String),
    /// A sentence from outside, such as the reason a catalog gives for a rule.
    Told(String),
}

/// A sentence; in JSON it is one string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence(pub Vec<Piece>);

impl Sentence {
    /// Words of ours, or a figure.
    pub fn ours(words: impl Into<String>) -> Sentence {
        Sentence(vec![Piece::Ours(words.into())])
    }

    /// A name from outside.
    pub fn name(name: &str) -> Sentence {
        Sentence(vec![Piece::Name(name.to_owned())])
    }

    /// A sentence from outside.
    pub fn told(told: &str) -> Sentence {
        Sentence(vec![Piece::Told(told.to_owned())])
    }

    /// A template with its places filled: `{1}` is the second.
    pub fn fill(template: &str, places: &[Sentence]) -> Sentence {
        let mut filled = Sentence::default();
        let mut rest = template;
        while let Some((before, place, after)) = next_place(rest) {
            filled.push(before);
            filled.0.extend(places.get(place).into_iter().flat_map(|sentence| sentence.0.clone()));
            rest = after;
        }
        filled.push(rest);
        filled
    }

    /// Several as one, with this between them.
    pub fn join(sentences: impl IntoIterator<Item = Sentence>, between: &str) -> Sentence {
        let mut joined = Sentence::default();
        for sentence in sentences {
            if !joined.0.is_empty() {
                joined.push(between);
            }
            joined.0.extend(sentence.0);
        }
        joined
    }

    /// The sentence, each of its pieces shown by a function.
    pub fn show(&self, piece: impl Fn(&Piece) -> String) -> String {
        self.0.iter().map(piece).collect()
    }

    fn push(&mut self, words: &str) {
        if !words.is_empty() {
            self.0.push(Piece::Ours(words.to_owned()));
        }
    }
}

impl Serialize for Sentence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.show(|piece| match piece {
            Piece::Ours(text) | Piece::Name(text) | Piece::Told(text) => text.clone(),
        }))
    }
}

/// What comes before the next place, which one it is, and what comes after it.
fn next_place(template: &str) -> Option<(&str, usize, &str)> {
    let (before, rest) = template.split_once('{')?;
    let (place, after) = rest.split_once('}')?;
    Some((before, place.parse().ok()?, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, expected: &str) {
        let places = [Sentence::name("{1}"), Sentence::ours("0.05")];
        let filled = serde_json::to_value(Sentence::fill(template, &places)).unwrap();
        assert_eq!(filled, expected);
    }

    #[test]
    fn places_are_filled_in_any_order_and_what_fills_them_is_left_alone() {
        check("{1} less sure than {0}", "0.05 less sure than {1}");
        check("{0}{1}", "{1}0.05");
        check("nothing to fill", "nothing to fill");
        check("{7} is nobody", " is nobody");
    }
}
