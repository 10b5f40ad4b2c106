//! How does a set of vectors come to be? Row by row in eight bits, and their signs at the end.

use sha2::{Digest, Sha256};

use super::error::VectorsError;
use super::layout::{DIMENSIONS_MAX, HEADER_BYTES, Layout, ROWS_MAX};
use super::query::Whole;
use super::registers::{BLOCK_ROWS, place};
use super::{Image, Vectors};

/// A set of vectors that is being built.
#[derive(Debug)]
pub(crate) struct Builder {
    dimensions: usize,
    scales: Vec<f32>,
    numbers: Vec<i8>,
}

impl Builder {
    /// A set of vectors of so many numbers each: a multiple of 64.
    pub(crate) fn new(dimensions: usize) -> Result<Builder, VectorsError> {
        if !Layout::fits(dimensions) {
            return Err(VectorsError::BadDimensions { found: dimensions, most: DIMENSIONS_MAX });
        }
        Ok(Builder { dimensions, scales: Vec::new(), numbers: Vec::new() })
    }

    /// Adds a vector, of which only the direction is kept, and tells its row.
    pub(crate) fn push(&mut self, vector: &[f32]) -> Result<u32, VectorsError> {
        let row = self.scales.len();
        if vector.len() != self.dimensions {
            let (found, expected) = (vector.len(), self.dimensions);
            return Err(VectorsError::WrongDimensions { row, found, expected });
        }
        let Some(number) = u32::try_from(row).ok().filter(|_| row < ROWS_MAX) else {
            return Err(VectorsError::TooMany { most: ROWS_MAX });
        };
        let whole = Whole::row(vector).ok_or(VectorsError::NotFinite { row })?;
        self.scales.push(whole.scale);
        self.numbers.extend(whole.numbers.iter().map(|number| i8::try_from(*number).unwrap_or_default()));
        Ok(number)
    }

    /// The set, in memory.
    pub(crate) fn finish(self) -> Vectors {
        let layout = Layout { dimensions: self.dimensions, count: self.scales.len() };
        let mut image = Image::of(layout.bytes());
        let bytes = image.bytes_mut();
        if let Some(blocks) = bytes.get_mut(layout.blocks()) {
            self.fill_blocks(layout, blocks);
        }
        let scales = bytes.get_mut(layout.scales()).unwrap_or_default();
        for (to, scale) in scales.as_chunks_mut().0.iter_mut().zip(&self.scales) {
            *to = scale.to_le_bytes();
        }
        let numbers = bytes.get_mut(layout.numbers()).unwrap_or_default();
        for (to, number) in numbers.iter_mut().zip(&self.numbers) {
            *to = number.cast_unsigned();
        }
        if let Some((header, behind)) = bytes.split_first_chunk_mut::<HEADER_BYTES>() {
            *header = layout.header(Sha256::digest(&*behind).into());
        }
        Vectors { image, layout }
    }

    fn fill_blocks(&self, layout: Layout, blocks: &mut [u8]) {
        let rows_of_block = self.numbers.chunks(BLOCK_ROWS * self.dimensions);
        for (block, rows) in blocks.chunks_exact_mut(layout.block_bytes()).zip(rows_of_block) {
            for (at, row) in rows.chunks_exact(self.dimensions).enumerate() {
                fill_column(block, at, row);
            }
        }
    }
}

/// Sets the bits of a row in its block: one where the number is not negative.
pub(super) fn fill_column(block: &mut [u8], row: usize, numbers: &[i8]) {
    let column = block.iter_mut().skip(place(row)).step_by(BLOCK_ROWS);
    for (byte, numbers) in column.zip(numbers.as_chunks::<8>().0) {
        *byte = (0..).zip(numbers).map(|(bit, number)| u8::from(*number >= 0) << bit).sum();
    }
}
