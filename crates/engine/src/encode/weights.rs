//! What is in a model file? Named tensors behind a JSON header, with a checksum.
//!
//! The layout is that of safetensors: eight bytes of header length, the header, the data. Ours also names its format
//! and the SHA-256 of its data, and is refused where either is not as it says.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
#[cfg(feature = "transformer")]
use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The format this reader knows.
const FORMAT: &str = "waypost-encoder-1";
/// Longest header, in bytes: ours has a few thousand.
pub(super) const HEADER_BYTES_MAX: usize = 1 << 20;

/// Why a model file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It ends before it should.
    #[error("the model file is cut short: {0}")]
    Truncated(&'static str),
    /// It is not a model file of ours.
    #[error("not a model file that this version reads: {0}")]
    Unreadable(String),
    /// Its data is not what its header says.
    #[error("the model file is damaged: its checksum is {found}, and should be {stated}")]
    Damaged {
        /// What the header says.
        stated: String,
        /// What the data gives.
        found: String,
    },
    /// A tensor is missing or of another shape.
    #[error("the model file has no fitting tensor `{0}`")]
    NoTensor(String),
    /// A tensor has another shape than the settings say.
    #[error("the tensor `{tensor}` is {found:?}, and should be {expected:?}")]
    WrongShape {
        /// Its name.
        tensor: String,
        /// Its shape.
        found: Vec<usize>,
        /// The shape the settings ask for.
        expected: Vec<usize>,
    },
    /// It is a model, and of a kind that this version cannot run.
    #[error("this version does not run such a model: {0}")]
    Unsupported(String),
    /// It is not there, or may not be read.
    #[error("cannot be read: {0}")]
    Unopened(String),
    /// One of the files of a model is at fault.
    #[error("{}: {problem}", file.display())]
    File {
        /// Which one.
        file: PathBuf,
        /// What is wrong with it.
        problem: Box<ModelError>,
    },
}

impl ModelError {
    /// The same, with the file it is about.
    #[cfg(feature = "transformer")]
    pub(super) fn of(self, file: &Path) -> ModelError {
        ModelError::File { file: file.to_owned(), problem: Box::new(self) }
    }
}

/// A model file, its checksum verified.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    data: Cow<'static, [u8]>,
    start: usize,
    tensors: BTreeMap<String, Tensor>,
    metadata: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

impl Weights {
    /// Reads a model file and verifies it.
    pub(super) fn read(data: Cow<'static, [u8]>) -> Result<Weights, ModelError> {
        let length = data.first_chunk::<8>().ok_or(ModelError::Truncated("no header"))?;
        let length =
            usize::try_from(u64::from_le_bytes(*length)).ok().filter(|length| *length <= HEADER_BYTES_MAX);
        let length = length.ok_or_else(|| ModelError::Unreadable("its header is too long".to_owned()))?;
        let start = 8 + length;
        let header = data.get(8..start).ok_or(ModelError::Truncated("the header is not whole"))?;
        let mut header: BTreeMap<String, serde_json::Value> =
            serde_json::from_slice(header).map_err(|error| ModelError::Unreadable(error.to_string()))?;
        let metadata = header.remove("__metadata__").unwrap_or_default();
        let metadata: BTreeMap<String, String> =
            serde_json::from_value(metadata).map_err(|error| ModelError::Unreadable(error.to_string()))?;
        if metadata.get("format").map(String::as_str) != Some(FORMAT) {
            return Err(ModelError::Unreadable(format!("its format is not {FORMAT}")));
        }
        let tensors = serde_json::from_value(serde_json::Value::Object(header.into_iter().collect()));
        let tensors = tensors.map_err(|error| ModelError::Unreadable(error.to_string()))?;
        let weights = Weights { data, start, tensors, metadata };
        weights.verify()?;
        Ok(weights)
    }

    fn verify(&self) -> Result<(), ModelError> {
        let end = self.tensors.values().map(|tensor| tensor.data_offsets[1]).max().unwrap_or_default();
        let data = self.data.get(self.start..).unwrap_or_default();
        if data.len() < end {
            return Err(ModelError::Truncated("data is missing"));
        }
        let found: String = Sha256::digest(data).iter().map(|byte| format!("{byte:02x}")).collect();
        let stated = self.checksum().to_owned();
        if found == stated { Ok(()) } else { Err(ModelError::Damaged { stated, found }) }
    }

    /// The SHA-256 of the data: the identity of the model.
    pub(super) fn checksum(&self) -> &str {
        self.metadata.get("sha256").map_or("", String::as_str)
    }

    /// What the header says besides.
    pub(super) fn note(&self, name: &str) -> &str {
        self.metadata.get(name).map_or("", String::as_str)
    }

    /// The bytes of a tensor of this type, and its shape.
    pub(super) fn bytes(&self, name: &str, dtype: &str) -> Result<(&[u8], &[usize]), ModelError> {
        let missing = || ModelError::NoTensor(name.to_owned());
        let tensor = self.tensors.get(name).filter(|tensor| tensor.dtype == dtype).ok_or_else(missing)?;
        let [from, to] = tensor.data_offsets;
        let bytes = self.data.get(self.start + from..self.start + to).ok_or_else(missing)?;
        let size: usize = tensor.shape.iter().product::<usize>() * width(dtype);
        if bytes.len() == size { Ok((bytes, &tensor.shape)) } else { Err(missing()) }
    }

    /// Where a tensor begins in the data of the file.
    pub(super) fn start_of(&self, name: &str) -> usize {
        self.tensors.get(name).map_or(0, |tensor| tensor.data_offsets[0])
    }

    /// A stretch of the data of the file.
    pub(super) fn data(&self, range: Range<usize>) -> Option<&[u8]> {
        self.data.get(self.start + range.start..self.start + range.end)
    }

    /// Whether there is a tensor of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// A tensor of half-precision numbers.
    pub(super) fn halves(&self, name: &str) -> Result<Vec<f32>, ModelError> {
        let (bytes, _) = self.bytes(name, "F16")?;
        Ok(bytes.as_chunks::<2>().0.iter().map(|two| half(u16::from_le_bytes(*two))).collect())
    }

    /// A tensor of numbers.
    pub(super) fn floats(&self, name: &str) -> Result<Vec<f32>, ModelError> {
        let (bytes, _) = self.bytes(name, "F32")?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect())
    }
}

/// Bytes a number of this type takes.
fn width(dtype: &str) -> usize {
    match dtype {
        "F32" => 4,
        "F16" => 2,
        _ => 1,
    }
}

/// A half-precision number, written out.
pub(super) fn half(bits: u16) -> f32 {
    let (sign, exponent, fraction) =
        (u32::from(bits >> 15), u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    match exponent {
        0 => {
            f32::from_bits(sign << 31)
                + if sign == 1 { -1.0 } else { 1.0 } * f32::from(bits & 0x3ff) / 16_777_216.0
        }
        31 => f32::NAN,
        _ => f32::from_bits(sign << 31 | (exponent + 112) << 23 | fraction << 13),
    }
}
