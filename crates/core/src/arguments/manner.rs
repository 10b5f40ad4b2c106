//! In which manner is it said? Choosing, referring to what was before, asking about the choices, torn between them, or about
//! something else altogether: told by its words, as learned on all sorts of subjects.
//!
//! Learned by `training/manners.py`, whose file holds how many messages each word and each pair of neighbours stood in, and how
//! much it speaks for each manner.

use std::sync::OnceLock;

use crate::head::exact;
use crate::head::grams::{SEED, fed};

use super::weights::real;

/// The file of weights that comes with the library.
const LEARNED: &[u8] = include_bytes!("manners.bin");
/// Most words of a message that are looked at: what comes behind them changes no manner.
const WORDS_MAX: usize = 256;

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
    static WEIGHTS: OnceLock<Weights> = OnceLock::new();
    let scores = WEIGHTS.get_or_init(|| Weights::read(LEARNED)).judge(text);
    let mut scores = scores;
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

/// What each word and pair of words says.
#[derive(Debug, Default)]
struct Weights {
    /// Their hashes, ascending.
    hashes: Vec<u32>,
    /// How rare each is.
    rarity: Vec<f32>,
    /// What each speaks for, in units of the scale.
    speaks: Vec<[i8; MANNERS.len()]>,
    scale: f32,
    /// What speaks for each manner before anything is said.
    constant: [f32; MANNERS.len()],
}

impl Weights {
    /// Reads the file; what is missing weighs nothing.
    fn read(bytes: &[u8]) -> Weights {
        let mut rest = bytes;
        let mut four = || {
            let (first, behind) = rest.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
            rest = behind;
            *first
        };
        let count = u32::from_le_bytes(four()) as usize;
        let messages = u32::from_le_bytes(four()) as usize;
        let scale = f32::from_le_bytes(four());
        let constant = std::array::from_fn(|_| f32::from_le_bytes(four()));
        let hashes = (0..count).map(|_| u32::from_le_bytes(four())).collect();
        let (held, speaks) = rest.split_at(rest.len().min(2 * count));
        let rarity =
            |held: &[u8; 2]| exact::ln(1.0 + real(messages) / f32::from(u16::from_le_bytes(*held).max(1)));
        Weights {
            hashes,
            rarity: held.as_chunks().0.iter().map(rarity).collect(),
            speaks: speaks
                .as_chunks::<{ MANNERS.len() }>()
                .0
                .iter()
                .map(|row| row.map(u8::cast_signed))
                .collect(),
            scale,
            constant,
        }
    }

    fn judge(&self, text: &str) -> [f32; MANNERS.len()] {
        let mut grams = grams(text);
        grams.sort_unstable();
        grams.dedup();
        let mut sums = [0.0; MANNERS.len()];
        let mut square = 0.0;
        for gram in grams {
            let Ok(place) = self.hashes.binary_search(&gram) else { continue };
            let (Some(rarity), Some(speaks)) = (self.rarity.get(place), self.speaks.get(place)) else {
                continue;
            };
            square += rarity * rarity;
            for (sum, weight) in sums.iter_mut().zip(speaks) {
                *sum += rarity * f32::from(*weight);
            }
        }
        let unit = self.scale / square.sqrt().max(f32::MIN_POSITIVE);
        let mut scores = self.constant;
        for (score, sum) in scores.iter_mut().zip(sums) {
            *score += unit * sum;
        }
        scores
    }
}

/// The words of a message and the pairs that follow each other with its two ends, hashed.
fn grams(text: &str) -> Vec<u32> {
    let words = words(text);
    let mut grams: Vec<u32> = words.iter().map(|word| folded(fed(SEED, word.as_bytes()))).collect();
    let ends = || ["<"].into_iter().chain(words.iter().map(String::as_str)).chain([">"]);
    let pair =
        |(one, other): (&str, &str)| folded(fed(fed(fed(SEED, one.as_bytes()), b" "), other.as_bytes()));
    grams.extend(ends().zip(ends().skip(1)).map(pair));
    grams
}

/// Words in small letters with what an apostrophe joins, any number as 0, and question marks.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut letters = text.chars().flat_map(char::to_lowercase).peekable();
    while let Some(letter) = letters.next() {
        if words.len() == WORDS_MAX {
            break;
        }
        if letter.is_ascii_digit() {
            while letters.next_if(char::is_ascii_digit).is_some() {}
            words.push("0".to_owned());
        } else if letter == '?' {
            words.push("?".to_owned());
        } else if letter.is_ascii_lowercase() {
            let mut word = String::from(letter);
            while let Some(next) = letters.next_if(char::is_ascii_lowercase) {
                word.push(next);
            }
            let mut ahead = letters.clone();
            let joined = ahead.next().is_some_and(|sign| matches!(sign, '\'' | '’'))
                && ahead.next().is_some_and(|next| next.is_ascii_lowercase());
            if joined {
                letters.next();
                word.push('\'');
                while let Some(next) = letters.next_if(char::is_ascii_lowercase) {
                    word.push(next);
                }
            }
            words.push(word);
        }
    }
    words
}

/// A hash, its halves folded.
fn folded(hash: u64) -> u32 {
    u32::try_from(((hash >> 32) ^ hash) & u64::from(u32::MAX)).unwrap_or_default()
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

    #[test]
    fn words_are_read_as_the_weights_were_learned() {
        assert_eq!(words("Don’t send 3,000 to A-1?"), ["don't", "send", "0", "0", "to", "a", "0", "?"]);
    }
}
