//! Where does what stand in a file of vectors? A header, then bits, scales and numbers, each at a multiple of 64 bytes.
//!
//! | from | what |
//! |---|---|
//! | 0 | `waypostv`, version, dimensions (four bytes each), rows, bytes of the file (eight each) |
//! | 32 | SHA-256 of everything behind the header |
//! | 64 | SHA-256 of the 64 bytes before it, then nothing up to 128 |
//! | 128 | a block for 32 rows: a byte for eight dimensions of each row, column by column |
//! | then | the scale of each row, four bytes |
//! | then | the numbers of each row, a byte a dimension |
//!
//! Within a column, rows 0 to 15 of a block are on the even bytes and 16 to 31 on the odd ones. Numbers of several
//! bytes have their lowest byte first.

use std::ops::Range;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::error::VectorsError;
use super::registers::BLOCK_ROWS;

/// What a file of vectors begins with.
const MAGIC: [u8; 8] = *b"waypostv";
/// The version this reader writes and reads.
const VERSION: u32 = 1;
/// Bytes of the header.
pub(super) const HEADER_BYTES: usize = 128;
/// What is 64 bytes apart never shares a cache line.
const ALIGNMENT: usize = 64;
/// Most dimensions: beyond any encoder there is, and few enough that a query's numbers keep eleven bits.
pub(super) const DIMENSIONS_MAX: usize = 8_192;
/// Most rows: they are counted in 32 bits, and no sum with one overflows.
pub(super) const ROWS_MAX: usize = 1 << 31;

/// The size of a set of vectors, from which all places follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) dimensions: usize,
    pub(super) count: usize,
}

impl Layout {
    /// Whether vectors of so many numbers can be kept.
    pub(super) const fn fits(dimensions: usize) -> bool {
        dimensions > 0 && dimensions.is_multiple_of(64) && dimensions <= DIMENSIONS_MAX
    }

    /// Bytes of a block: a bit a dimension of each of its rows.
    pub(super) const fn block_bytes(&self) -> usize {
        BLOCK_ROWS * (self.dimensions / 8)
    }

    pub(super) const fn blocks(&self) -> Range<usize> {
        HEADER_BYTES..HEADER_BYTES + self.count.div_ceil(BLOCK_ROWS) * self.block_bytes()
    }

    pub(super) const fn scales(&self) -> Range<usize> {
        let start = self.blocks().end;
        start..start + 4 * self.count
    }

    pub(super) const fn numbers(&self) -> Range<usize> {
        let start = self.scales().end.next_multiple_of(ALIGNMENT);
        start..start + self.count * self.dimensions
    }

    /// Bytes of the whole file.
    pub(super) const fn bytes(&self) -> usize {
        self.numbers().end
    }

    /// The header for blocks, scales and numbers with this hash.
    pub(super) fn header(&self, behind: [u8; 32]) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        let (first, second) = header.split_at_mut(HEADER_BYTES / 2);
        let words = MAGIC.into_iter().chain(VERSION.to_le_bytes());
        // Dimensions and rows are bounded by `DIMENSIONS_MAX` and `ROWS_MAX`.
        let words = words.chain(u32::try_from(self.dimensions).unwrap_or_default().to_le_bytes());
        let words = words.chain((self.count as u64).to_le_bytes());
        let words = words.chain((self.bytes() as u64).to_le_bytes());
        for (byte, word) in first.iter_mut().zip(words.chain(behind)) {
            *byte = word;
        }
        for (byte, sum) in second.iter_mut().zip(Sha256::digest(&*first)) {
            *byte = sum;
        }
        header
    }

    /// Reads the header of a file of so many bytes.
    pub(super) fn read(header: &[u8], file_bytes: u64, path: &Path) -> Result<Layout, VectorsError> {
        let short = |stated| VectorsError::Short { path: path.to_owned(), found: file_bytes, stated };
        if !header.starts_with(&MAGIC) && !MAGIC.starts_with(header) {
            return Err(VectorsError::Foreign { path: path.to_owned() });
        }
        let header = header.first_chunk::<HEADER_BYTES>().ok_or_else(|| short(HEADER_BYTES as u64))?;
        let version = u32::from_le_bytes(word(header, 8));
        if version > VERSION {
            return Err(VectorsError::Newer { path: path.to_owned(), found: version, known: VERSION });
        }
        let (first, second) = header.split_at(HEADER_BYTES / 2);
        if version != VERSION || !second.starts_with(&Sha256::digest(first)) {
            return Err(VectorsError::damaged(path, "its header is not what was written"));
        }
        let layout = Layout {
            dimensions: u32::from_le_bytes(word(header, 12)) as usize,
            count: usize::try_from(u64::from_le_bytes(word(header, 16))).unwrap_or(usize::MAX),
        };
        if !Layout::fits(layout.dimensions) || layout.count > ROWS_MAX {
            return Err(VectorsError::damaged(path, "no set of vectors has its size"));
        }
        let stated = layout.bytes() as u64;
        if stated != u64::from_le_bytes(word(header, 24)) {
            return Err(VectorsError::damaged(path, "its sizes contradict each other"));
        }
        match file_bytes {
            bytes if bytes < stated => Err(short(stated)),
            bytes if bytes > stated => Err(VectorsError::damaged(path, "it is longer than it was written")),
            _ => Ok(layout),
        }
    }

    /// Whether everything behind the header is as it was written.
    pub(super) fn verify(header: &[u8], behind: &[u8]) -> bool {
        header.get(32..64) == Some(&*Sha256::digest(behind))
    }
}

fn word<const BYTES: usize>(header: &[u8; HEADER_BYTES], at: usize) -> [u8; BYTES] {
    header.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; BYTES])
}
