//! What does a text mean, in microseconds? The encoder that comes with the library.
//!
//! A vector a piece of a word and a vector a hashed pair of neighbouring pieces, summed and brought to length one. The
//! sums are taken in the order of the text with plain multiplications and additions, so a text has the same vector, bit
//! for bit, on every machine.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use waypost_core::head::similarity;

use super::layers::Layers;
use super::tokens::{TokenId, Vocabulary};
use super::weights::{ModelError, Weights};
use super::{EncodeError, Encoder};

/// The model file that comes with the library; `models/README.md` tells where it comes from.
const SHIPPED_MODEL: &[u8] = include_bytes!("../../models/encoder.safetensors");

/// Most tokens of a text that are summed: a long page; what comes behind changes its meaning little.
const TOKENS_MAX: usize = 1024;
/// What hashes a pair of neighbours; the numbers of the training.
const PAIR_FACTORS: (u64, u64) = (1_000_003, 7_919);
/// The token of what is unknown, which a text without tokens gets.
const UNKNOWN: TokenId = 100;

/// The built-in encoder.
#[derive(Clone, Debug)]
pub struct BuiltIn {
    weights: Weights,
    vocabulary: Vocabulary,
    table: Rows,
    pairs: Rows,
    layers: Layers,
    /// How loud each piece is to the layers, and what its place adds.
    gain: Vec<f32>,
    place: Vec<f32>,
    deep_id: String,
}

/// Where rows of eight-bit weights stand, and the scale of each.
#[derive(Clone, Debug)]
struct Rows {
    /// Where the first begins in the file's data.
    start: usize,
    count: usize,
    scales: Vec<f32>,
}

impl BuiltIn {
    /// The encoder that comes with the library, read and verified the first time it is asked for.
    pub fn shipped() -> Result<Arc<BuiltIn>, ModelError> {
        static SHIPPED: OnceLock<Result<Arc<BuiltIn>, ModelError>> = OnceLock::new();
        SHIPPED.get_or_init(|| BuiltIn::read(SHIPPED_MODEL).map(Arc::new)).clone()
    }

    /// Reads a model file and verifies it.
    pub fn read(data: impl Into<Cow<'static, [u8]>>) -> Result<BuiltIn, ModelError> {
        let weights = Weights::read(data.into())?;
        let (lines, _) = weights.bytes("vocabulary", "U8")?;
        let lines = std::str::from_utf8(lines).map_err(|_| ModelError::NoTensor("vocabulary".to_owned()))?;
        let vocabulary =
            Vocabulary::read(lines).ok_or_else(|| ModelError::NoTensor("vocabulary".to_owned()))?;
        let (table, pairs) =
            (rows(&weights, "table", "table.scale")?, rows(&weights, "pairs", "pairs.scale")?);
        if vocabulary.count() > table.count {
            return Err(ModelError::NoTensor("table".to_owned()));
        }
        let layers = Layers::read(&weights, BuiltIn::DIMENSIONS)?;
        let layered = !layers.is_empty();
        let gain = if layered { weights.halves("gain")? } else { Vec::new() };
        let place = if layered { weights.floats("place")? } else { Vec::new() };
        let deep_id = format!("{} deep", weights.checksum());
        Ok(BuiltIn { weights, vocabulary, table, pairs, layers, gain, place, deep_id })
    }

    /// The pieces of words it knows.
    pub(super) const fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// How long its vectors are.
    pub const DIMENSIONS: usize = 256;

    /// The vector of one text: its pieces and pairs, summed.
    pub fn vector(&self, text: &str) -> Vec<f32> {
        let tokens = self.tokens(text);
        let mut sum = vec![0.0; BuiltIn::DIMENSIONS];
        for token in &tokens {
            self.add(&self.table, *token as usize, &mut sum);
        }
        self.add_pairs(&tokens, &mut sum);
        bring_to_length_one(&mut sum);
        sum
    }

    /// The vector of one text after the layers have looked at its pieces together; the plain one where the model has no
    /// layers. Closer to the teacher, and ten times the time.
    pub fn deep_vector(&self, text: &str) -> Vec<f32> {
        if self.layers.is_empty() {
            return self.vector(text);
        }
        let tokens = self.tokens_of_layers(text);
        self.together(&tokens, &self.states(&tokens))
    }

    /// The same, and beside it what its pieces mean in their places, one vector after the other: those of [`BuiltIn::pieces`]
    /// after the layers have looked at them.
    pub(crate) fn deep_pieces(&self, text: &str) -> (Vec<f32>, Vec<f32>) {
        if self.layers.is_empty() {
            return (self.vector(text), self.pieces(text, usize::MAX));
        }
        let tokens = self.tokens_of_layers(text);
        let mut states = self.states(&tokens);
        let vector = self.together(&tokens, &states);
        self.share_pairs(&tokens, &mut states);
        (vector, states)
    }

    /// What the first so many pieces of a text mean, one vector after the other: each with half of the pairs it stands in, so
    /// that they add up to what the text means.
    pub(crate) fn pieces(&self, text: &str, most: usize) -> Vec<f32> {
        let mut tokens = self.tokens(text);
        tokens.truncate(most);
        let mut pieces = vec![0.0; tokens.len() * BuiltIn::DIMENSIONS];
        for (token, piece) in tokens.iter().zip(pieces.chunks_exact_mut(BuiltIn::DIMENSIONS)) {
            self.add(&self.table, *token as usize, piece);
        }
        self.share_pairs(&tokens, &mut pieces);
        pieces
    }

    /// The tokens the layers can take in: they know so many places, and the pairs of what stands behind them would drown
    /// what they say.
    fn tokens_of_layers(&self, text: &str) -> Vec<TokenId> {
        let mut tokens = self.tokens(text);
        tokens.truncate(self.place.len() / BuiltIn::DIMENSIONS);
        tokens
    }

    /// What the layers make of tokens, one after the other.
    fn states(&self, tokens: &[TokenId]) -> Vec<f32> {
        let mut states = vec![0.0; tokens.len() * BuiltIn::DIMENSIONS];
        let places = self.place.chunks_exact(BuiltIn::DIMENSIONS);
        for ((token, place), state) in
            tokens.iter().zip(places).zip(states.chunks_exact_mut(BuiltIn::DIMENSIONS))
        {
            self.add(&self.table, *token as usize, state);
            let gain = self.gain.get(*token as usize).copied().unwrap_or(1.0);
            for (value, place) in state.iter_mut().zip(place) {
                *value = *value * gain + place;
            }
        }
        self.layers.apply(&mut states);
        states
    }

    /// States and pairs, summed and brought to length one.
    fn together(&self, tokens: &[TokenId], states: &[f32]) -> Vec<f32> {
        let mut sum = vec![0.0; BuiltIn::DIMENSIONS];
        for state in states.chunks_exact(BuiltIn::DIMENSIONS) {
            for (sum, value) in sum.iter_mut().zip(state) {
                *sum += value;
            }
        }
        self.add_pairs(tokens, &mut sum);
        bring_to_length_one(&mut sum);
        sum
    }

    /// Gives each of two neighbours half of their pair.
    fn share_pairs(&self, tokens: &[TokenId], pieces: &mut [f32]) {
        let mut pair = vec![0.0; BuiltIn::DIMENSIONS];
        for (at, neighbours) in tokens.windows(2).enumerate() {
            pair.fill(0.0);
            self.add_pairs(neighbours, &mut pair);
            let both = pieces.get_mut(at * BuiltIn::DIMENSIONS..).unwrap_or_default();
            for piece in both.chunks_exact_mut(BuiltIn::DIMENSIONS).take(2) {
                piece.iter_mut().zip(&pair).for_each(|(value, pair)| *value += 0.5 * pair);
            }
        }
    }

    fn tokens(&self, text: &str) -> Vec<TokenId> {
        let mut tokens = Vec::with_capacity(text.len() / 3 + 2);
        self.vocabulary.tokenize(text, &mut tokens);
        tokens.truncate(TOKENS_MAX);
        if tokens.is_empty() {
            tokens.push(UNKNOWN);
        }
        tokens
    }

    fn add_pairs(&self, tokens: &[TokenId], sum: &mut [f32]) {
        for (left, right) in tokens.iter().zip(tokens.iter().skip(1)) {
            let hash = u64::from(*left) * PAIR_FACTORS.0 + u64::from(*right) * PAIR_FACTORS.1;
            let row = hash % self.pairs.count.max(1) as u64;
            self.add(&self.pairs, usize::try_from(row).unwrap_or_default(), sum);
        }
    }

    fn add(&self, rows: &Rows, row: usize, sum: &mut [f32]) {
        let start = rows.start + row * BuiltIn::DIMENSIONS;
        let bytes = self.weights.data(start..start + BuiltIn::DIMENSIONS);
        let (Some(bytes), Some(scale)) = (bytes, rows.scales.get(row)) else {
            return;
        };
        for (sum, byte) in sum.iter_mut().zip(bytes) {
            *sum += scale * f32::from(byte.cast_signed());
        }
    }
}

impl Encoder for BuiltIn {
    fn id(&self) -> &str {
        self.weights.checksum()
    }

    fn dimensions(&self) -> usize {
        BuiltIn::DIMENSIONS
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

/// The built-in encoder with its layers: closer to its teacher, and some three hundred microseconds a message.
#[derive(Clone, Debug)]
pub struct Deep(pub Arc<BuiltIn>);

impl Encoder for Deep {
    fn id(&self) -> &str {
        &self.0.deep_id
    }

    fn dimensions(&self) -> usize {
        BuiltIn::DIMENSIONS
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        Ok(texts.iter().map(|text| self.0.deep_vector(text)).collect())
    }

    fn is_costly(&self) -> bool {
        true
    }
}

fn rows(weights: &Weights, name: &'static str, scale: &str) -> Result<Rows, ModelError> {
    let (_, shape) = weights.bytes(name, "I8")?;
    let count = match shape {
        [count, BuiltIn::DIMENSIONS] if *count > 0 => *count,
        _ => return Err(ModelError::NoTensor(name.to_owned())),
    };
    let scales = weights.floats(scale)?;
    if scales.len() == count {
        Ok(Rows { start: weights.start_of(name), count, scales })
    } else {
        Err(ModelError::NoTensor(scale.to_owned()))
    }
}

/// Brings a vector to length one.
pub(crate) fn bring_to_length_one(vector: &mut [f32]) {
    let length = similarity(vector, vector).sqrt();
    if length > 0.0 {
        for value in vector {
            *value /= length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// A model file of a few pieces, every row of the table its own direction.
    fn model() -> Vec<u8> {
        let vocabulary = (0..103).map(|n| if n == 100 { "[UNK]".to_owned() } else { format!("w{n}") });
        let vocabulary = vocabulary.collect::<Vec<_>>().join("\n");
        let table: Vec<u8> = (0..103 * 256).map(|at| if at % 256 == at / 256 { 100 } else { 0 }).collect();
        let scales =
            |count: usize| vec![0.01_f32; count].iter().flat_map(|s| s.to_le_bytes()).collect::<Vec<u8>>();
        let tensors: [(&str, &str, Vec<usize>, Vec<u8>); 5] = [
            ("table", "I8", vec![103, 256], table),
            ("table.scale", "F32", vec![103], scales(103)),
            ("pairs", "I8", vec![4, 256], vec![0; 4 * 256]),
            ("pairs.scale", "F32", vec![4], scales(4)),
            ("vocabulary", "U8", vec![vocabulary.len()], vocabulary.into_bytes()),
        ];
        let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
        for (name, dtype, shape, bytes) in tensors {
            let offsets = [data.len(), data.len() + bytes.len()];
            header.insert(
                name.to_owned(),
                serde_json::json!({ "dtype": dtype, "shape": shape, "data_offsets": offsets }),
            );
            data.extend(bytes);
        }
        let sha256: String = Sha256::digest(&data).iter().map(|byte| format!("{byte:02x}")).collect();
        header.insert(
            "__metadata__".to_owned(),
            serde_json::json!({ "format": "waypost-encoder-1", "sha256": sha256 }),
        );
        let header = serde_json::to_vec(&header).unwrap();
        [&(header.len() as u64).to_le_bytes()[..], &header, &data].concat()
    }

    #[test]
    fn a_text_is_the_sum_of_its_pieces_at_length_one() {
        let encoder = BuiltIn::read(model()).unwrap();
        let vector = encoder.vector("W3 w5");
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert!((vector[3] - half).abs() < 1e-6 && (vector[5] - half).abs() < 1e-6);
        assert_eq!(encoder.vector(""), encoder.vector("unheard"), "nothing known is unknown");
        assert_eq!(encoder.encode(&["w1", "w2"]).unwrap().len(), 2);
        assert_eq!(encoder.id().len(), 64);
    }

    #[test]
    fn the_shipped_encoder_knows_what_is_alike() {
        let shipped = BuiltIn::shipped().unwrap();
        let alike = |one: &[f32], two: &[f32]| one.iter().zip(two).map(|(a, b)| a * b).sum::<f32>();
        for vector in [BuiltIn::vector, BuiltIn::deep_vector] {
            let [asked, same, other] =
                ["where is my package", "my parcel has not arrived", "a recipe for apple pie"]
                    .map(|text| vector(&shipped, text));
            assert!(alike(&asked, &same) > alike(&asked, &other) + 0.2);
            assert!((alike(&asked, &asked) - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn vectors_are_the_same_to_the_bit_everywhere() {
        let shipped = BuiltIn::shipped().unwrap();
        let text = "Fix the internal parameter flow, naïve 数据 🙂";
        let bits = |vector: Vec<f32>| vector.iter().map(|value| u64::from(value.to_bits())).sum::<u64>();
        // The same numbers on every machine, whatever its registers.
        assert_eq!(
            (bits(shipped.vector(text)), bits(shipped.deep_vector(text))),
            (500_487_482_107, 498_034_655_074)
        );
    }

    #[test]
    fn a_file_that_is_cut_or_altered_is_refused() {
        let whole = model();
        for cut in [0, 4, 20, whole.len() / 2, whole.len() - 1] {
            assert!(BuiltIn::read(whole[..cut].to_vec()).is_err(), "cut at {cut}");
        }
        let mut altered = whole.clone();
        *altered.last_mut().unwrap() ^= 1;
        assert!(matches!(BuiltIn::read(altered), Err(ModelError::Damaged { .. })));
        assert!(matches!(BuiltIn::read(vec![0xff; 64]), Err(ModelError::Unreadable(_))));
        let other =
            String::from_utf8_lossy(&whole).replace("waypost-encoder-1", "waypost-encoder-9").into_bytes();
        assert!(BuiltIn::read(other).is_err());
    }
}
