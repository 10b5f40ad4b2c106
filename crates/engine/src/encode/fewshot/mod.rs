//! What does a message ask for, and what does it not want? The encoder that was trained on many small catalogs.
//!
//! One pass over a message gives three readings: what is asked, what is asked besides, and what is not wanted. Each is a weighted
//! mean of the token states, and the weights mark the words. Examples and descriptions are read the same way, once, when a
//! catalog is learned. `training/routes.py` makes the model; the numbers here are those of the training.

mod spelling;
mod compare;
mod marks;
mod scoring;

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use waypost_core::fewshot::{ACTS, READINGS, Scoring};

use self::marks::{continued_turn, marked};
use super::dense::{Dense, mean};
use super::layers::{Linear, softmax};
use super::stack::{Stack, WIDTH};
use super::tokens::{TokenId, Vocabulary};
use super::weights::{ModelError, Weights};
use super::{BuiltIn, bring_to_length_one};
pub(crate) use compare::{CatalogTexts, TextReading};
pub(crate) use spelling::{Spelling, is_form};

/// The model file that comes with the library; `models/README.md` tells where it comes from.
const SHIPPED_MODEL: &[u8] = include_bytes!("../../../models/routes.safetensors");

/// Length of a token's own vector, by which words are compared one by one.
const GRAIN: usize = 128;
/// Most tokens of a message that are read: the first [`MESSAGE_HEAD`] and the last of a longer one, since requests stand at either end.
const MESSAGE_TOKENS: usize = 96;
const MESSAGE_HEAD: usize = 32;
/// Most tokens of earlier turns that are read, the last ones.
const HISTORY_TOKENS: usize = 48;
/// Most tokens of an example or a description.
const TEXT_TOKENS: usize = 64;
/// Earlier turns that are read, the last ones.
const TURNS: usize = 4;
/// A token belongs to a second request or to a denial when its weight is above this.
const MARK_MIN: f32 = 2.0;
/// The tokens around a text.
const BEGIN: TokenId = 101;
const END: TokenId = 102;
/// Weights of tokens: three readings, and which turn is continued.
const POOLS: usize = READINGS + 1;

/// The encoder.
#[derive(Debug)]
pub(crate) struct FewShot {
    weights: Weights,
    vocabulary: Vocabulary,
    /// Where token vectors begin in the file, and the scale of each.
    tokens_start: usize,
    token_scales: Vec<f32>,
    places: Vec<f32>,
    types: Vec<f32>,
    stack: Stack,
    grain: Linear,
    pool: Dense,
    acts: Dense,
    scoring: Scoring,
}

/// What was read in a message.
#[derive(Clone, Debug)]
pub(crate) struct MessageReading {
    /// What is asked, asked besides, and not wanted.
    readings: [Reading; READINGS],
    /// What kind of message it is, in numbers of the training.
    acts: [f32; ACTS],
    /// A vector per token.
    grains: Vec<f32>,
    /// The words of a second request and of a denial, in bytes of the text.
    pub(crate) marks: [Option<Range<usize>>; 2],
    /// The earlier turn that is continued, counted from the first.
    pub(crate) continues: Option<usize>,
}

impl MessageReading {
    /// The vector of what is asked.
    pub(crate) fn into_vector(self) -> Vec<f32> {
        let [asked, ..] = self.readings;
        asked.vector
    }
}

#[derive(Clone, Debug)]
struct Reading {
    vector: Vec<f32>,
    /// How much each token counts; they add up to one.
    weights: Vec<f32>,
}

/// All that a reading of a message depends on.
#[derive(PartialEq)]
struct Words {
    model: String,
    tokens: Tokens,
    /// Where each word stands.
    places: Vec<Range<usize>>,
    /// How many turns there were before it.
    earlier: usize,
}

thread_local! {
    /// The message that was read last.
    static LAST_READ: RefCell<Option<(Words, MessageReading)>> = const { RefCell::new(None) };
}

/// Tokens on their way into the layers.
#[derive(Debug, Default, PartialEq)]
struct Tokens {
    ids: Vec<TokenId>,
    /// 1 for earlier turns.
    types: Vec<usize>,
    /// Which earlier turn, and which word of the text itself.
    turns: Vec<Option<usize>>,
    words: Vec<Option<usize>>,
}

impl FewShot {
    /// The encoder that comes with the library, read and verified the first time it is asked for.
    pub(crate) fn shipped() -> Result<Arc<FewShot>, ModelError> {
        static SHIPPED: OnceLock<Result<Arc<FewShot>, ModelError>> = OnceLock::new();
        SHIPPED.get_or_init(|| FewShot::read(SHIPPED_MODEL.into()).map(Arc::new)).clone()
    }

    /// Begins to read it on a thread of its own, beside whatever else a start needs.
    pub(crate) fn read_ahead() {
        // Without a thread it is read when it is needed.
        drop(std::thread::Builder::new().spawn(|| FewShot::shipped().is_ok()));
    }

    /// Reads a model file and verifies it.
    pub(crate) fn read(data: Cow<'static, [u8]>) -> Result<FewShot, ModelError> {
        let weights = Weights::read(data)?;
        let vocabulary = BuiltIn::shipped()?.vocabulary().clone();
        let token_scales = weights.floats("tokens.scale")?;
        let (_, shape) = weights.bytes("tokens", "I8")?;
        if *shape != [token_scales.len(), WIDTH] || vocabulary.count() > token_scales.len() {
            return Err(ModelError::NoTensor("tokens".to_owned()));
        }
        Ok(FewShot {
            tokens_start: weights.start_of("tokens"),
            token_scales,
            places: weights.floats("places")?,
            types: weights.floats("types")?,
            stack: Stack::read(&weights)?,
            grain: Linear::read(&weights, "grain")?,
            pool: Dense::read(&weights, "score.pool", POOLS, WIDTH)?,
            acts: Dense::read(&weights, "score.acts", ACTS, WIDTH)?,
            scoring: scoring::read(&weights)?,
            vocabulary,
            weights,
        })
    }

    /// Which model, to the bit.
    pub(crate) fn id(&self) -> &str {
        self.weights.checksum()
    }

    /// How its readings are scored.
    pub(crate) fn scoring(&self) -> &Scoring {
        &self.scoring
    }

    /// Reads an example or a description.
    pub(crate) fn read_text(&self, text: &str) -> TextReading {
        let mut tokens = Tokens::default();
        tokens.push(BEGIN, None);
        let mut ids = Vec::new();
        self.vocabulary.tokenize(text, &mut ids);
        for id in ids.into_iter().take(TEXT_TOKENS) {
            tokens.push(id, None);
        }
        tokens.push(END, None);
        let states = self.states(&tokens);
        let weights = softmax(self.pool.row(0, &states));
        TextReading { vector: mean(&states, &weights), grains: self.grains(&states) }
    }

    /// Reads a message after the turns before it, oldest first, with its slips put right.
    pub(crate) fn read_message(&self, text: &str, earlier: &[&str], spelling: &Spelling) -> MessageReading {
        let (tokens, places) = self.tokens_of(text, earlier, spelling);
        let asked = Words { model: self.id().to_owned(), tokens, places, earlier: earlier.len() };
        // Routes and tools are decided from the same message, one after the other.
        LAST_READ.with_borrow_mut(|last| match last {
            Some((words, reading)) if *words == asked => reading.clone(),
            _ => {
                let reading = self.reading(&asked);
                *last = Some((asked, reading.clone()));
                reading
            }
        })
    }

    fn reading(&self, words: &Words) -> MessageReading {
        let Words { tokens, places, earlier, .. } = words;
        let states = self.states(tokens);
        let pools: [Vec<f32>; POOLS] = std::array::from_fn(|at| self.pool.row(at, &states));
        let [asked, also, denied, continued] = &pools;
        let reading = |pool: &Vec<f32>| {
            let weights = softmax(pool.clone());
            Reading { vector: mean(&states, &weights), weights }
        };
        let readings = [reading(asked), reading(also), reading(denied)];
        let acts = std::array::from_fn(|at| self.acts.one(at, &readings[0].vector));
        MessageReading {
            acts,
            grains: self.grains(&states),
            marks: [also, denied].map(|pool| marked(pool, tokens, places)),
            continues: continued_turn(continued, tokens).map(|turn| turn + earlier.saturating_sub(TURNS)),
            readings,
        }
    }

    /// The tokens of a message and its earlier turns, and where each word of it stands.
    fn tokens_of(&self, text: &str, earlier: &[&str], spelling: &Spelling) -> (Tokens, Vec<Range<usize>>) {
        let mut history: Vec<(TokenId, usize)> = Vec::new();
        let first = earlier.len().saturating_sub(TURNS);
        for (turn, text) in earlier.iter().skip(first).enumerate() {
            let mut ids = Vec::new();
            self.vocabulary.tokenize(text, &mut ids);
            history.extend(ids.into_iter().chain([END]).map(|id| (id, turn)));
        }
        let history = history.get(history.len().saturating_sub(HISTORY_TOKENS)..).unwrap_or_default();
        let (mut own, mut places) = (Vec::new(), Vec::new());
        let words = words_of(text).count();
        for (word, place) in words_of(text).enumerate() {
            // A word is at least one token, so those in the middle of a long text are not read; their places are kept alone.
            if (MESSAGE_TOKENS..words.saturating_sub(MESSAGE_TOKENS)).contains(&word) {
                places.push(place);
                continue;
            }
            let mut ids = Vec::new();
            let said = text.get(place.clone()).unwrap_or_default();
            let letters = said.trim_matches(|c: char| !c.is_alphanumeric());
            match spelling.meant(letters, &self.vocabulary) {
                Some(meant) => self.vocabulary.tokenize(&said.replacen(letters, meant, 1), &mut ids),
                None => self.vocabulary.tokenize(said, &mut ids),
            }
            own.extend(ids.into_iter().map(|id| (id, word)));
            places.push(place);
        }
        if own.len() > MESSAGE_TOKENS {
            own.drain(MESSAGE_HEAD..own.len() - (MESSAGE_TOKENS - MESSAGE_HEAD));
        }
        let mut tokens = Tokens::default();
        tokens.push(BEGIN, None);
        for (id, turn) in history {
            tokens.push(*id, Some(*turn));
        }
        if !history.is_empty() {
            tokens.types.fill(1);
        }
        for (id, word) in own {
            tokens.push(id, None);
            if let Some(last) = tokens.words.last_mut() {
                *last = Some(word);
            }
        }
        tokens.push(END, None);
        (tokens, places)
    }

    /// What the layers make of tokens, one state after the other.
    fn states(&self, tokens: &Tokens) -> Vec<f32> {
        let kinds = tokens.types.iter().copied();
        self.stack.apply(&self.embed(&tokens.ids, kinds, &self.places, &self.types))
    }

    /// What goes into the layers: each token's own vector, with those of its place and of its type.
    pub(super) fn embed(
        &self,
        ids: &[TokenId],
        kinds: impl Iterator<Item = usize>,
        places: &[f32],
        types: &[f32],
    ) -> Vec<f32> {
        let mut states = Vec::with_capacity(ids.len() * WIDTH);
        for ((id, kind), place) in ids.iter().zip(kinds).zip(places.chunks_exact(WIDTH)) {
            let start = self.tokens_start + *id as usize * WIDTH;
            let bytes = self.weights.data(start..start + WIDTH).unwrap_or_default();
            let scale = self.token_scales.get(*id as usize).copied().unwrap_or_default();
            let kind = types.get(kind * WIDTH..(kind + 1) * WIDTH).unwrap_or_default();
            let sum = bytes.iter().zip(place).zip(kind);
            states.extend(
                sum.map(|((byte, place), kind)| scale * f32::from(byte.cast_signed()) + place + kind),
            );
        }
        states
    }

    /// The words it knows.
    pub(super) const fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// A vector of length one per token.
    fn grains(&self, states: &[f32]) -> Vec<f32> {
        let mut grains = self.grain.apply(states);
        grains.chunks_exact_mut(GRAIN).for_each(bring_to_length_one);
        grains
    }
}

impl Tokens {
    fn push(&mut self, id: TokenId, turn: Option<usize>) {
        self.ids.push(id);
        self.types.push(usize::from(turn.is_some()));
        self.turns.push(turn);
        self.words.push(None);
    }
}

/// Where words stand: what white space parts.
fn words_of(text: &str) -> impl Iterator<Item = Range<usize>> {
    let begin = text.as_ptr() as usize;
    text.split_whitespace().map(move |word| {
        let start = word.as_ptr() as usize - begin;
        start..start + word.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_the_same_to_the_bit_everywhere() {
        let model = FewShot::shipped().unwrap();
        let spelling = Spelling::default();
        let reading =
            model.read_message("please don't cancel it, just move it", &["cancel my booking"], &spelling);
        let bits = |values: &[f32]| values.iter().map(|value| u64::from(value.to_bits())).sum::<u64>();
        // The same numbers on every machine, whatever its registers.
        let [asked, also, denied] = &reading.readings;
        assert_eq!(
            [bits(&asked.vector), bits(&also.vector), bits(&denied.vector), bits(&reading.grains)],
            GOLDEN_BITS
        );
    }

    const GOLDEN_BITS: [u64; 4] = [808_874_413_316, 772_058_063_503, 780_653_980_805, 4_368_600_207_838];

    #[test]
    fn texts_come_back_as_they_were_kept() {
        let model = FewShot::shipped().unwrap();
        let read = model.read_texts(&["where is my parcel", "refund"]);
        let bytes = TextReading::to_bytes(&read);
        let back = TextReading::from_bytes(&bytes, 2).unwrap();
        assert_eq!(TextReading::to_bytes(&back), bytes);
        assert_eq!(back[0].vector, read[0].vector);
        assert!(TextReading::from_bytes(&bytes, 3).is_none());
        assert!(TextReading::from_bytes(&bytes[..bytes.len() - 1], 2).is_none());
    }

    #[test]
    fn long_messages_are_read_at_both_ends() {
        let model = FewShot::shipped().unwrap();
        let long = "word ".repeat(300);
        let earlier = ["one", "two", "three", "four", "five"];
        let (tokens, places) = model.tokens_of(&long, &earlier, &Spelling::default());
        assert_eq!(tokens.words.iter().flatten().count(), MESSAGE_TOKENS);
        assert_eq!(places.len(), 300);
        let last = tokens.words.iter().flatten().last();
        assert_eq!(last, Some(&299), "the end is read");
        assert_eq!(tokens.turns.iter().flatten().max(), Some(&(TURNS - 1)), "four turns at most");
    }

    #[test]
    fn the_longest_marked_stretch_is_reported() {
        let places = vec![0..2, 3..5, 6..8, 9..11, 12..14, 15..17];
        let tokens = Tokens { words: (0..6).map(Some).collect(), ..Tokens::default() };
        let check = |pool: [f32; 6], expected: Option<Range<usize>>| {
            assert_eq!(marked(&pool, &tokens, &places), expected)
        };
        check([0.0; 6], None);
        check([3.0, 0.0, 0.0, 3.0, 3.0, 0.0], Some(9..14));
        check([0.0, 3.0, 0.0, 3.0, 0.0, 0.0], Some(3..11));
    }
}
