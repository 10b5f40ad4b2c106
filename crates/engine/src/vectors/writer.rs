//! How does a large set of vectors come to be? Straight into its file, so that memory holds only the bits of the rows.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::Vectors;
use super::builder::fill_column;
use super::error::VectorsError;
use super::layout::{DIMENSIONS_MAX, HEADER_BYTES, Layout, ROWS_MAX};
use super::query::Whole;
use super::registers::BLOCK_ROWS;

/// How much of the numbers is copied at a time, in bytes.
const COPIED_AT_A_TIME: usize = 1 << 20;

/// A file of vectors that is being written. Numbers go to a file beside it and are put behind the bits at the end.
#[derive(Debug)]
pub(crate) struct Writer {
    path: PathBuf,
    beside: PathBuf,
    numbers: BufWriter<File>,
    dimensions: usize,
    scales: Vec<f32>,
    blocks: Vec<u8>,
}

impl Writer {
    /// A file of vectors of so many numbers each: a multiple of 64.
    pub(crate) fn create(path: &Path, dimensions: usize) -> io::Result<Writer> {
        if !Layout::fits(dimensions) {
            return Err(refused(VectorsError::BadDimensions { found: dimensions, most: DIMENSIONS_MAX }));
        }
        let beside = path.with_extension("numbers");
        let numbers =
            BufWriter::new(File::options().read(true).write(true).create(true).truncate(true).open(&beside)?);
        Ok(Writer {
            path: path.to_owned(),
            beside,
            numbers,
            dimensions,
            scales: Vec::new(),
            blocks: Vec::new(),
        })
    }

    /// Adds a vector, of which only the direction is kept.
    pub(crate) fn push(&mut self, vector: &[f32]) -> io::Result<()> {
        let row = self.scales.len();
        if vector.len() != self.dimensions {
            let (found, expected) = (vector.len(), self.dimensions);
            return Err(refused(VectorsError::WrongDimensions { row, found, expected }));
        }
        let whole = Whole::row(vector).ok_or_else(|| refused(VectorsError::NotFinite { row }))?;
        let numbers: Vec<i8> =
            whole.numbers.iter().map(|number| i8::try_from(*number).unwrap_or_default()).collect();
        self.take(whole.scale, &numbers)
    }

    /// Adds a row of another set as it is.
    pub(crate) fn copy(&mut self, from: &Vectors, row: usize) -> io::Result<()> {
        let (scale, numbers) =
            from.row(row).ok_or_else(|| io::Error::other(format!("there is no row {row} to keep")))?;
        self.take(scale, &numbers)
    }

    fn take(&mut self, scale: f32, numbers: &[i8]) -> io::Result<()> {
        let row = self.scales.len();
        if row >= ROWS_MAX {
            return Err(refused(VectorsError::TooMany { most: ROWS_MAX }));
        }
        let bytes: Vec<u8> = numbers.iter().map(|number| number.cast_unsigned()).collect();
        self.numbers.write_all(&bytes)?;
        self.scales.push(scale);
        let block_bytes = self.layout().block_bytes();
        let first = row / BLOCK_ROWS * block_bytes;
        if self.blocks.len() <= first {
            self.blocks.resize(first + block_bytes, 0);
        }
        fill_column(self.blocks.get_mut(first..).unwrap_or_default(), row % BLOCK_ROWS, numbers);
        Ok(())
    }

    const fn layout(&self) -> Layout {
        Layout { dimensions: self.dimensions, count: self.scales.len() }
    }

    /// Puts the file together. It is complete, if not yet on the disk.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let layout = self.layout();
        self.numbers.flush()?;
        let mut numbers = BufReader::new(self.numbers.get_ref().try_clone()?);
        numbers.rewind()?;
        let mut file = BufWriter::new(File::create(&self.path)?);
        file.write_all(&[0; HEADER_BYTES])?;
        let mut hash = Sha256::new();
        let mut put = |bytes: &[u8]| {
            hash.update(bytes);
            file.write_all(bytes)
        };
        put(&self.blocks)?;
        for scale in &self.scales {
            put(&scale.to_le_bytes())?;
        }
        put(&vec![0; layout.numbers().start - layout.scales().end])?;
        let mut piece = vec![0; COPIED_AT_A_TIME];
        loop {
            let count = numbers.read(&mut piece)?;
            if count == 0 {
                break;
            }
            put(piece.get(..count).unwrap_or_default())?;
        }
        let header = layout.header(hash.finalize().into());
        file.rewind()?;
        file.write_all(&header)?;
        file.flush()?;
        fs::remove_file(&self.beside)
    }
}

fn refused(error: VectorsError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}
