//! With which words does a message fill a tool's slots? A trained reader of tool and message together.
//!
//! A tool is read once and kept; a message is read beside it, so that it costs its own tokens and one mark per slot and value. In the last layers marks for the slots
//! and for the values they may take join the message; from their states follows what is said. `training/reader.py` makes the model; the
//! numbers here are those of the training.

mod gloss;
mod tool;
mod heads;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use waypost_core::arguments::{Form, Piece, ReaderOutput};
use waypost_core::message::Span;

use super::stack::{Joining, KeptText, Stack, WIDTH};
use super::tokens::{TokenId, Vocabulary};
use super::weights::{ModelError, Weights};
use super::{FewShot, Spelling};
use heads::Heads;

/// The model that comes with the library; `models/README.md` says how it was made.
const SHIPPED_MODEL: &[u8] = include_bytes!("../../../models/reader.safetensors");
/// Most tokens of a message that are read, the first ones.
const MESSAGE_TOKENS: usize = 256;
/// Most tokens of earlier turns that are read, the last ones.
const HISTORY_TOKENS: usize = 80;
/// Earlier turns that are read, the last ones.
const HISTORY_TURNS: usize = 4;
/// Most tokens of a tool.
const PLACES: usize = 512;
/// Fewest letters of an everyday word that is read with a slip.
const EVERYDAY_LETTERS_MIN: usize = 5;
/// Most letters of such a word: what is longer is no word, and each letter is tried in each place.
const EVERYDAY_LETTERS_MAX: usize = 24;
/// Words of the vocabulary are ordered by how common they are: those before this one are everyday words.
const EVERYDAY_IDS: TokenId = 12_000;
/// The tokens around a text.
const BEGIN: TokenId = 101;
const END: TokenId = 102;
/// Types of tokens: those of the message, of earlier turns, and of a tool.
const OF_MESSAGE: usize = 0;
const OF_HISTORY: usize = 1;
const OF_TOOL: usize = 2;
const TYPES: usize = 3;

/// The reader.
#[derive(Debug)]
pub(crate) struct Reader {
    words: Arc<FewShot>,
    places: Vec<f32>,
    types: Vec<f32>,
    stack: Stack,
    /// The layer from which on marks look at the message.
    live_from: usize,
    heads: Heads,
}

/// What is kept of a tool.
#[derive(Clone, Debug)]
pub(crate) struct KeptTool {
    text: KeptText,
    /// The states of the marks: slots first, then values.
    marks: Vec<f32>,
    /// How many slots were read.
    slots: usize,
    /// The slot of each value.
    values: Vec<usize>,
    /// Whether each slot takes several values.
    many: Vec<bool>,
    /// Whether slots of the tool found no room.
    is_cut: bool,
    /// The words of its slots and values, which slips of a message are read as.
    spelling: Spelling,
}

/// A message as tokens.
struct MessageTokens {
    ids: Vec<TokenId>,
    types: Vec<usize>,
    /// Where each token stands; those that mark an end stand nowhere.
    places: Vec<Option<Piece>>,
    /// Whether the message goes on behind the last token.
    is_cut: bool,
}

impl Reader {
    /// The reader that comes with the library, read and verified the first time it is asked for.
    pub(crate) fn shipped() -> Result<Arc<Reader>, ModelError> {
        static SHIPPED: OnceLock<Result<Arc<Reader>, ModelError>> = OnceLock::new();
        SHIPPED.get_or_init(|| Reader::read(SHIPPED_MODEL.into()).map(Arc::new)).clone()
    }

    /// Reads a model file and verifies it.
    pub(crate) fn open(file: &Path) -> Result<Reader, ModelError> {
        let data = std::fs::read(file).map_err(|error| ModelError::Unopened(error.to_string()));
        let of_file =
            |problem: ModelError| ModelError::File { file: file.to_owned(), problem: Box::new(problem) };
        data.and_then(|data| Reader::read(data.into())).map_err(of_file)
    }

    pub(crate) fn read(data: Cow<'static, [u8]>) -> Result<Reader, ModelError> {
        let weights = Weights::read(data)?;
        let words = FewShot::shipped()?;
        // It knows words by the vectors of the encoder that it was trained beside.
        if weights.note("source").strip_prefix("routes ") != Some(words.id()) {
            return Err(ModelError::Unsupported(
                "it was trained with another routing model; train it again with --start routes.safetensors"
                    .to_owned(),
            ));
        }
        let stack = Stack::read(&weights)?;
        let fitting =
            |fits: bool, name: &str| fits.then_some(()).ok_or_else(|| ModelError::NoTensor(name.to_owned()));
        let live = weights.floats("live")?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a number of layers
        let live = live.first().map_or(0, |live| *live as usize);
        fitting((1..=stack.depth()).contains(&live), "live")?;
        let (places, types) = (scaled(&weights, "places")?, weights.floats("types")?);
        fitting(places.len() == PLACES * WIDTH, "places")?;
        fitting(types.len() == TYPES * WIDTH, "types")?;
        Ok(Reader {
            live_from: stack.depth() - live,
            heads: Heads::read(&weights)?,
            words,
            places,
            types,
            stack,
        })
    }

    /// Reads a tool once. Of a schema that is too long the first slots are read.
    pub(crate) fn keep(&self, form: &Form) -> KeptTool {
        let tokens = tool::tokens(form, self.words.vocabulary());
        let kinds = std::iter::repeat(OF_TOOL);
        let text = self.words.embed(&tokens.ids, kinds, &self.places, &self.types);
        let (text, states) = self.stack.keep(&text, self.live_from);
        let pieces = tokens.slots.iter().chain(tokens.values.iter().map(|(_, piece)| piece));
        let marks = pieces.flat_map(|piece| mean(&states, piece)).collect();
        KeptTool {
            text,
            marks,
            slots: tokens.slots.len(),
            many: tokens.many,
            values: tokens.values.into_iter().map(|(slot, _)| slot).collect(),
            is_cut: tokens.is_cut,
            spelling: tool::spelling(form),
        }
    }

    /// Reads a message beside a tool, after the earlier turns of its speaker, oldest first.
    pub(crate) fn read_message(&self, tool: &KeptTool, text: &str, earlier: &[&str]) -> ReaderOutput {
        let message = self.message(text, earlier, &tool.spelling);
        let tokens = self.words.embed(&message.ids, message.types.iter().copied(), &self.places, &self.types);
        let joining = Joining { states: &tool.marks, layer: self.live_from };
        let states = self.stack.apply_beside(&tokens, &tool.text, joining);
        let (own, marks) = states.split_at(message.ids.len() * WIDTH);
        let read = self.heads.judge(tool, own, marks, &message.places);
        ReaderOutput { is_cut: message.is_cut || tool.is_cut, ..read }
    }

    fn message(&self, text: &str, earlier: &[&str], spelling: &Spelling) -> MessageTokens {
        let vocabulary = self.words.vocabulary();
        let placed = |turn: Option<usize>| {
            move |(id, place): (TokenId, Range<usize>)| (id, Some(Piece { turn, span: Span::new(place) }))
        };
        let mut history: Vec<(TokenId, Option<Piece>)> = Vec::new();
        for (turn, text) in earlier.iter().enumerate().skip(earlier.len().saturating_sub(HISTORY_TURNS)) {
            history.extend(vocabulary.tokenize_with_places(text).into_iter().map(placed(Some(turn))));
            history.push((END, None));
        }
        let history = history.split_off(history.len().saturating_sub(HISTORY_TOKENS));
        let before = history.len();
        let own = respelt(vocabulary.tokenize_with_places(text), text, spelling, vocabulary);
        let is_cut = own.len() > MESSAGE_TOKENS;
        let own = own.into_iter().take(MESSAGE_TOKENS).map(placed(None));
        let all = [(BEGIN, None)].into_iter().chain(history).chain(own).chain([(END, None)]);
        let (ids, places): (Vec<TokenId>, Vec<Option<Piece>>) = all.unzip();
        let kind = |at: usize| if (1..=before).contains(&at) { OF_HISTORY } else { OF_MESSAGE };
        MessageTokens { types: (0..ids.len()).map(kind).collect(), ids, places, is_cut }
    }
}

/// The tokens of a text where words that are one slip away from a word of the tool are read as that word. Each stands where the word as it is written does.
fn respelt(
    mut tokens: Vec<(TokenId, Range<usize>)>,
    text: &str,
    spelling: &Spelling,
    vocabulary: &Vocabulary,
) -> Vec<(TokenId, Range<usize>)> {
    let mut at = 0;
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let letters = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let place = at..at + letters.len();
        at += word.len();
        let meant = spelling.meant(letters, vocabulary).map(str::to_owned);
        let Some(meant) = meant.or_else(|| everyday_word(letters, vocabulary)) else { continue };
        let first = tokens.partition_point(|(_, own)| own.start < place.start);
        let count = tokens.iter().skip(first).take_while(|(_, own)| own.start < place.end).count();
        let mut ids = Vec::new();
        vocabulary.tokenize(&meant, &mut ids);
        tokens.splice(first..first + count, ids.into_iter().map(|id| (id, place.clone())));
    }
    tokens
}

/// The everyday word that is meant by one that nobody knows: two letters changed over, one left out or one doubled.
fn everyday_word(word: &str, vocabulary: &Vocabulary) -> Option<String> {
    let small = word.to_ascii_lowercase();
    if !(EVERYDAY_LETTERS_MIN..=EVERYDAY_LETTERS_MAX).contains(&small.len())
        || !small.bytes().all(|byte| byte.is_ascii_alphabetic())
        || is_name(word)
    {
        return None;
    }
    let known = |word: &str| vocabulary.place_of(word);
    if known(&small).is_some() || super::fewshot::is_form(&small, vocabulary) {
        return None;
    }
    let bytes = small.as_bytes();
    let mut candidates: Vec<Vec<u8>> = Vec::new();
    for at in 1..bytes.len() {
        if at + 1 < bytes.len() {
            let mut swapped = bytes.to_vec();
            swapped.swap(at, at + 1);
            candidates.push(swapped);
        }
        if bytes.get(at) == bytes.get(at - 1) {
            let mut single = bytes.to_vec();
            single.remove(at);
            candidates.push(single);
        }
    }
    for at in 1..=bytes.len() {
        for letter in b'a'..=b'z' {
            let mut longer = bytes.to_vec();
            longer.insert(at, letter);
            candidates.push(longer);
        }
    }
    let words = candidates.into_iter().filter_map(|bytes| String::from_utf8(bytes).ok());
    let near = words.filter_map(|word| known(&word).filter(|id| *id < EVERYDAY_IDS).map(|id| (id, word)));
    near.min_by_key(|(id, _)| *id).map(|(_, word)| word)
}

/// Whether a word is written as a name is.
fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// Rows of eight-bit numbers with a scale each, as real numbers.
fn scaled(weights: &Weights, name: &str) -> Result<Vec<f32>, ModelError> {
    let scales = weights.floats(&format!("{name}.scale"))?;
    let (bytes, _) = weights.bytes(name, "I8")?;
    let rows = bytes.chunks_exact(WIDTH).zip(&scales);
    Ok(rows
        .flat_map(|(row, scale)| row.iter().map(move |byte| scale * f32::from(byte.cast_signed())))
        .collect())
}

/// The mean of the states of a piece.
fn mean(states: &[f32], piece: &Range<usize>) -> Vec<f32> {
    let mut sum = vec![0.0; WIDTH];
    for state in states.chunks_exact(WIDTH).skip(piece.start).take(piece.len()) {
        for (sum, value) in sum.iter_mut().zip(state) {
            *sum += value;
        }
    }
    let count = super::layers::count(piece.len());
    for sum in &mut sum {
        *sum /= count;
    }
    sum
}
