//! What is in a model's folder? Its settings, its vocabulary, and its weights by name.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::encode::tokens::{TokenId, Vocabulary};
use crate::encode::weights::{HEADER_BYTES_MAX, ModelError, half};

/// The files of a model, by the names they have on the Hugging Face hub.
const SETTINGS: &str = "config.json";
const VOCABULARY: &str = "vocab.txt";
const WEIGHTS: &str = "model.safetensors";
/// Longest settings and longest vocabulary, in bytes: a thousand, and a quarter of a million in English.
const TEXT_BYTES_MAX: u64 = 16 << 20;
/// What some models put before the names of their tensors.
const PREFIX: &str = "bert.";
/// Begins the names of the tensors that are kept; others are hashed and let go.
const KEPT: [&str; 2] = ["embeddings.", "encoder."];

/// What `config.json` says, as far as it decides.
#[derive(Debug, Deserialize)]
pub(super) struct Settings {
    model_type: String,
    pub(super) hidden_size: usize,
    pub(super) intermediate_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) max_position_embeddings: usize,
    pub(super) type_vocab_size: usize,
    pub(super) vocab_size: usize,
    pub(super) layer_norm_eps: f32,
    hidden_act: String,
    position_embedding_type: Option<String>,
}

impl Settings {
    /// Reads the settings of a model and refuses what the layers cannot run.
    pub(super) fn read(folder: &Path) -> Result<Settings, ModelError> {
        let file = folder.join(SETTINGS);
        let text = read_text(&file)?;
        let settings = serde_json::from_str::<Settings>(&text);
        let settings = settings.map_err(|error| ModelError::Unreadable(error.to_string()).of(&file))?;
        settings.check().map_err(|problem| problem.of(&file))?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), ModelError> {
        let places = self.position_embedding_type.as_deref().unwrap_or("absolute");
        let expected = [
            ("model_type", self.model_type.as_str(), "bert"),
            ("hidden_act", self.hidden_act.as_str(), "gelu"),
            ("position_embedding_type", places, "absolute"),
        ];
        if let Some((key, found, runs)) = expected.into_iter().find(|(_, found, runs)| found != runs) {
            return Err(ModelError::Unsupported(format!("its {key} is `{found}`, and only `{runs}` is run")));
        }
        if !self.layer_norm_eps.is_finite() || self.layer_norm_eps <= 0.0 {
            return Err(ModelError::Unsupported("its layer_norm_eps is not above nought".to_owned()));
        }
        let (hidden, heads) = (self.hidden_size, self.num_attention_heads);
        if hidden == 0 || heads == 0 || !hidden.is_multiple_of(heads) {
            return Err(ModelError::Unsupported(format!(
                "{hidden} numbers do not divide among {heads} heads"
            )));
        }
        Ok(())
    }
}

/// Reads the vocabulary of a model with so many word vectors.
pub(super) fn read_vocabulary(folder: &Path, words: usize) -> Result<Vocabulary, ModelError> {
    let file = folder.join(VOCABULARY);
    let lines = read_text(&file)?;
    let count = lines.lines().count();
    if count > words {
        let problem = format!("it has {count} pieces, and {SETTINGS} speaks of {words}");
        return Err(ModelError::Unreadable(problem).of(&file));
    }
    // Texts are read in lower case, as by an uncased model; pieces in upper case would never be found.
    if let Some(cased) = lines.lines().find(|piece| is_cased(piece)) {
        let problem = format!("its vocabulary tells upper from lower case, as in `{cased}`");
        return Err(ModelError::Unsupported(problem).of(&file));
    }
    let unknown = || ModelError::Unreadable("it has no `[UNK]`".to_owned()).of(&file);
    Vocabulary::read(&lines).ok_or_else(unknown)
}

/// The token that stands for itself under this name.
pub(super) fn special(folder: &Path, vocabulary: &Vocabulary, name: &str) -> Result<TokenId, ModelError> {
    let mut tokens = Vec::new();
    vocabulary.tokenize(name, &mut tokens);
    let missing = || ModelError::Unreadable(format!("it has no `{name}`")).of(&folder.join(VOCABULARY));
    tokens.first().copied().ok_or_else(missing)
}

fn is_cased(piece: &str) -> bool {
    !piece.starts_with('[') && piece.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn read_text(file: &Path) -> Result<String, ModelError> {
    let mut text = String::new();
    let read = File::open(file).and_then(|open| open.take(TEXT_BYTES_MAX).read_to_string(&mut text));
    match read {
        Ok(bytes) if bytes as u64 == TEXT_BYTES_MAX => {
            Err(ModelError::Unreadable(format!("it is longer than {TEXT_BYTES_MAX} bytes")).of(file))
        }
        Ok(_) => Ok(text),
        Err(error) => Err(ModelError::Unopened(error.to_string()).of(file)),
    }
}

/// A digest of small files of the folder.
pub(super) fn digest_of(folder: &Path, names: &[&str]) -> Result<String, ModelError> {
    let mut digest = Sha256::new();
    for name in names {
        digest.update(read_text(&folder.join(name))?);
    }
    Ok(digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

/// Shapes and numbers, by name.
type Named = BTreeMap<String, (Vec<usize>, Vec<f32>)>;

/// The tensors of a model in single precision, and the SHA-256 of their file.
#[derive(Debug)]
pub(super) struct Tensors {
    file: PathBuf,
    named: Named,
    pub(super) sha256: String,
}

#[derive(Debug, Deserialize)]
struct Place {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

impl Tensors {
    /// Reads the weights of a model once, from front to back, so that what is hashed is what is used.
    pub(super) fn read(folder: &Path) -> Result<Tensors, ModelError> {
        let file = folder.join(WEIGHTS);
        let read = read_weights(&file).map_err(|problem| problem.of(&file));
        read.map(|(named, sha256)| Tensors { file, named, sha256 })
    }

    /// Takes out a tensor of this shape.
    pub(super) fn take(&mut self, name: &str, expected: &[usize]) -> Result<Vec<f32>, ModelError> {
        let problem = match self.named.remove(name) {
            Some((shape, _)) if shape != expected => {
                ModelError::WrongShape { tensor: name.to_owned(), found: shape, expected: expected.to_vec() }
            }
            Some((_, values)) if values.iter().all(|value| value.is_finite()) => return Ok(values),
            Some(_) => ModelError::Unreadable(format!("the tensor `{name}` holds what is no number")),
            None => ModelError::NoTensor(name.to_owned()),
        };
        Err(problem.of(&self.file))
    }
}

fn read_weights(file: &Path) -> Result<(Named, String), ModelError> {
    let open = File::open(file).map_err(|error| ModelError::Unopened(error.to_string()))?;
    let bytes = open.metadata().map_err(|error| ModelError::Unopened(error.to_string()))?.len();
    let mut hashed = Hashed { reader: BufReader::new(open), hash: Sha256::new() };
    let mut length = [0; 8];
    hashed.fill(&mut length)?;
    let length =
        usize::try_from(u64::from_le_bytes(length)).ok().filter(|length| *length <= HEADER_BYTES_MAX);
    let length = length.ok_or_else(|| ModelError::Unreadable("its header is too long".to_owned()))?;
    let mut header = vec![0; length];
    hashed.fill(&mut header)?;
    let places = read_places(&header, bytes.saturating_sub(8 + length as u64))?;
    let mut named = Named::new();
    for (name, place) in places {
        let mut data = vec![0; place.data_offsets[1] - place.data_offsets[0]];
        hashed.fill(&mut data)?;
        let kept = KEPT.iter().any(|kept| name.starts_with(kept));
        if let Some(values) = read_numbers(&place, &data).filter(|_| kept) {
            named.insert(name, (place.shape, values));
        }
    }
    Ok((named, hashed.finish()))
}

/// Where the tensors are, in the order of the file; they must fill it without a gap.
fn read_places(header: &[u8], bytes: u64) -> Result<Vec<(String, Place)>, ModelError> {
    let unreadable = |error: serde_json::Error| ModelError::Unreadable(error.to_string());
    let mut header: BTreeMap<String, serde_json::Value> =
        serde_json::from_slice(header).map_err(unreadable)?;
    header.remove("__metadata__");
    let mut places = Vec::with_capacity(header.len());
    for (name, place) in header {
        let name = name.strip_prefix(PREFIX).unwrap_or(&name).to_owned();
        places.push((name, serde_json::from_value::<Place>(place).map_err(unreadable)?));
    }
    places.sort_by_key(|(_, place)| place.data_offsets);
    let mut end = 0;
    for (name, place) in &places {
        if place.data_offsets[0] != end || place.data_offsets[1] < end {
            return Err(ModelError::Unreadable(format!(
                "`{name}` does not begin where the one before it ends"
            )));
        }
        end = place.data_offsets[1];
    }
    match bytes.cmp(&(end as u64)) {
        std::cmp::Ordering::Less => Err(ModelError::Truncated("data is missing")),
        std::cmp::Ordering::Equal => Ok(places),
        std::cmp::Ordering::Greater => {
            Err(ModelError::Unreadable("there is more behind its last tensor".to_owned()))
        }
    }
}

/// The numbers of a tensor; nothing where they are of another type, or more or fewer than its shape says.
fn read_numbers(place: &Place, data: &[u8]) -> Option<Vec<f32>> {
    let two = || data.as_chunks::<2>().0.iter().map(|two| u16::from_le_bytes(*two));
    let (values, width): (Vec<f32>, usize) = match place.dtype.as_str() {
        "F32" => (data.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect(), 4),
        "F16" => (two().map(half).collect(), 2),
        "BF16" => (two().map(|bits| f32::from_bits(u32::from(bits) << 16)).collect(), 2),
        _ => return None,
    };
    let count = place.shape.iter().try_fold(width, |size, side| size.checked_mul(*side))?;
    (count == data.len()).then_some(values)
}

/// A reader that hashes what passes through it.
struct Hashed<R> {
    reader: R,
    hash: Sha256,
}

impl<R: Read> Hashed<R> {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), ModelError> {
        self.reader.read_exact(buffer).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => ModelError::Truncated("it ends too early"),
            _ => ModelError::Unopened(error.to_string()),
        })?;
        self.hash.update(&*buffer);
        Ok(())
    }

    fn finish(self) -> String {
        self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(dtype: &str, shape: &[usize], data: &[u8], expected: Option<&[f32]>) {
        let place = Place { dtype: dtype.to_owned(), shape: shape.to_vec(), data_offsets: [0, data.len()] };
        assert_eq!(read_numbers(&place, data).as_deref(), expected);
    }

    #[test]
    fn numbers_of_three_widths_are_read() {
        check("F32", &[1, 1], &1.5_f32.to_le_bytes(), Some(&[1.5]));
        check("F16", &[2], &[0x00, 0x3e, 0x00, 0xc0], Some(&[1.5, -2.0]));
        check("BF16", &[2], &[0xc0, 0x3f, 0x00, 0xc0], Some(&[1.5, -2.0]));
        check("F32", &[2], &1.5_f32.to_le_bytes(), None);
        check("F32", &[usize::MAX, 2], &[], None);
        check("I64", &[1], &[0; 8], None);
    }
}
