//! Who has the words? BM25 over fields, as one list of postings a word.

use std::collections::HashMap;

use super::terms::{Term, words};
use crate::head::exact::ln_double;

/// How soon a word that is repeated stops counting more; the usual value.
const SATURATION: f64 = 1.2;

/// A field of what can be found: how much a word in it counts, and how far a long text is held against it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// What a word counts here.
    pub weight: f64,
    /// From 0, where length does not matter, to 1, where a text twice as long needs its words twice as often.
    pub by_length: f64,
}

/// Who has which words.
#[derive(Clone, Debug, Default)]
pub struct Lexical {
    terms: HashMap<Term, u32>,
    /// Where the postings of each term begin, and where the last ones end.
    starts: Vec<u32>,
    postings: Vec<Posting>,
    /// The first field of each posting that has the word.
    fields: Vec<u8>,
    /// What a word nobody has would be worth.
    rarest: f64,
    entries: usize,
}

/// An entry that has a word.
#[derive(Clone, Copy, Debug)]
struct Posting {
    entry: u32,
    worth: f32,
}

/// What the words of a text are worth to the entries.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// Entries that have any of the words, each once, with what they are worth together.
    pub entries: Vec<(u32, f32)>,
    /// What an entry with all the words could be worth.
    pub most: f32,
}

impl Lexical {
    /// Takes in the entries: the texts of each, a text a field.
    pub fn new<'t, Texts>(fields: &[Field], entries: impl Iterator<Item = Texts>) -> Lexical
    where
        Texts: AsRef<[&'t str]>,
    {
        let mut draft = Draft { fields: fields.len(), ..Draft::default() };
        for texts in entries {
            draft.take_in(texts.as_ref());
        }
        draft.finish(fields)
    }

    /// How many entries there are.
    pub const fn len(&self) -> usize {
        self.entries
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// What a word is worth at most, to whoever has it.
    pub fn rarity(&self, term: Term) -> f64 {
        let posted = self.terms.get(&term).map_or(0, |place| self.postings_at(*place).len());
        rarity(posted, self.entries)
    }

    /// What a word would be worth that nobody has.
    pub const fn rarity_of_nobody(&self) -> f64 {
        self.rarest
    }

    /// The first field of an entry that has a word, if one has.
    pub fn field_of(&self, entry: u32, term: Term) -> Option<usize> {
        let range = self.range_at(*self.terms.get(&term)?);
        let at =
            self.postings.get(range.clone())?.binary_search_by_key(&entry, |posting| posting.entry).ok()?;
        self.fields.get(range.start + at).map(|field| usize::from(*field))
    }

    fn range_at(&self, place: u32) -> std::ops::Range<usize> {
        let bound = |at: u32| self.starts.get(at as usize).map_or(0, |start| *start as usize);
        bound(place)..bound(place + 1)
    }

    fn postings_at(&self, place: u32) -> &[Posting] {
        self.postings.get(self.range_at(place)).unwrap_or_default()
    }

    /// What these words are worth to everybody who has one of them. `sums` is room to work in: one number an entry, all zero
    /// before and after.
    #[allow(clippy::cast_possible_truncation)] // a worth keeps its seven digits
    pub fn hear(&self, terms: impl Iterator<Item = Term>, sums: &mut Vec<f32>) -> Heard {
        sums.resize(self.entries, 0.0);
        let mut heard = Heard::default();
        let mut touched: Vec<u32> = Vec::new();
        for term in terms {
            let Some(place) = self.terms.get(&term) else {
                heard.most += self.rarest as f32;
                continue;
            };
            let postings = self.postings_at(*place);
            heard.most += rarity(postings.len(), self.entries) as f32;
            for Posting { entry, worth } in postings {
                if let Some(sum) = sums.get_mut(*entry as usize) {
                    if *sum == 0.0 {
                        touched.push(*entry);
                    }
                    *sum += worth;
                }
            }
        }
        let taken = touched.into_iter().map(|entry| {
            let sum = sums.get_mut(entry as usize).map(std::mem::take).unwrap_or_default();
            (entry, sum)
        });
        heard.entries = taken.collect();
        heard
    }
}

/// How much a word tells that so many of all have.
#[allow(clippy::cast_precision_loss)] // counts are far below what a double holds
fn rarity(having: usize, all: usize) -> f64 {
    let (having, all) = (having as f64, all as f64);
    ln_double(1.0 + (all - having + 0.5) / (having + 0.5))
}

/// The words as they come in.
#[derive(Default)]
struct Draft {
    fields: usize,
    terms: HashMap<Term, u32>,
    /// Term, entry, field; one for each time the word stands there.
    seen: Vec<(u32, u32, u32)>,
    /// Words of each field of each entry.
    lengths: Vec<u32>,
    entries: u32,
}

impl Draft {
    fn take_in(&mut self, texts: &[&str]) {
        for (field, text) in (0_u32..).zip(texts.iter().take(self.fields)) {
            let words = words(text);
            self.lengths.push(u32::try_from(words.len()).unwrap_or(u32::MAX));
            for word in words {
                let next = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
                let term = *self.terms.entry(word.term).or_insert(next);
                self.seen.push((term, self.entries, field));
            }
        }
        self.lengths.resize((self.entries as usize + 1) * self.fields, 0);
        self.entries += 1;
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // counts are far below what a double holds
    fn finish(mut self, fields: &[Field]) -> Lexical {
        let entries = self.entries as usize;
        let mean = |field: usize| {
            let lengths = self.lengths.iter().skip(field).step_by(self.fields.max(1));
            (lengths.map(|length| f64::from(*length)).sum::<f64>() / entries.max(1) as f64).max(1e-9)
        };
        let means: Vec<f64> = (0..self.fields).map(mean).collect();
        let one = |entry: u32, field: u32| {
            let (Some(own), Some(mean)) = (fields.get(field as usize), means.get(field as usize)) else {
                return 0.0;
            };
            let length =
                self.lengths.get(entry as usize * self.fields + field as usize).copied().unwrap_or_default();
            own.weight / (1.0 - own.by_length + own.by_length * f64::from(length) / mean)
        };
        self.seen.sort_unstable();
        let mut starts = vec![0_u32; self.terms.len() + 1];
        let (mut postings, mut first_fields) = (Vec::new(), Vec::new());
        for of_term in self.seen.chunk_by(|a, b| a.0 == b.0) {
            let having = of_term.chunk_by(|a, b| a.1 == b.1).count();
            let rarity = rarity(having, entries);
            for of_entry in of_term.chunk_by(|a, b| a.1 == b.1) {
                let often: f64 = of_entry.iter().map(|(_, entry, field)| one(*entry, *field)).sum();
                let worth = (rarity * often / (often + SATURATION)) as f32;
                let Some((_, entry, field)) = of_entry.first() else { continue };
                postings.push(Posting { entry: *entry, worth });
                first_fields.push(u8::try_from(*field).unwrap_or(u8::MAX));
            }
            if let Some(end) = of_term.first().and_then(|(term, ..)| starts.get_mut(*term as usize + 1)) {
                *end = u32::try_from(postings.len()).unwrap_or(u32::MAX);
            }
        }
        let rarest = rarity(0, entries);
        Lexical { terms: self.terms, starts, postings, fields: first_fields, rarest, entries }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::terms::telling;

    const PLAIN: [Field; 2] = [Field { weight: 2.0, by_length: 0.3 }, Field { weight: 1.0, by_length: 0.6 }];

    fn ranked(texts: &[[&str; 2]], query: &str) -> Vec<u32> {
        let lexical = Lexical::new(&PLAIN, texts.iter());
        let mut sums = Vec::new();
        let mut heard = lexical.hear(telling(query).into_iter().map(|word| word.term), &mut sums);
        assert!(sums.iter().all(|sum| *sum == 0.0));
        assert!(heard.entries.iter().all(|(_, worth)| *worth <= heard.most));
        heard.entries.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        heard.entries.into_iter().map(|(entry, _)| entry).collect()
    }

    #[test]
    fn rare_words_names_and_short_texts_count_more() {
        let tools = [
            ["send_mail", "Sends a message to somebody"],
            ["read_file", "Reads a file from the disk of this machine, whatever its name may be"],
            ["weather", "Tells whether a message of rain is out"],
        ];
        assert_eq!(ranked(&tools, "send a message"), [0, 2]);
        assert_eq!(ranked(&tools, "which file"), [1]);
        assert_eq!(ranked(&tools, "submarine"), Vec::<u32>::new());
        assert_eq!(ranked(&[], "anything"), Vec::<u32>::new());
    }

    #[test]
    fn a_word_that_everybody_has_tells_nearly_nothing() {
        let tools = [["a tool", "alpha"], ["b tool", "beta"], ["c tool", "gamma"]];
        let lexical = Lexical::new(&PLAIN, tools.iter());
        let term = |word: &str| telling(word)[0].term;
        assert!(lexical.rarity(term("tool")) < 0.2 && lexical.rarity(term("alpha")) > 0.9);
        assert_eq!((lexical.field_of(0, term("alpha")), lexical.field_of(1, term("alpha"))), (Some(1), None));
        assert_eq!(lexical.field_of(2, term("tool")), Some(0));
    }
}
