//! Where do the vectors of passages come from, and where do they go? One row a passage, in the order of their numbers.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::encode::{BuiltIn, Encoder, ModelError};
use crate::vectors::{Vectors, Writer};

/// Makes the vectors of passages and keeps them beside the text index of a generation.
pub trait Rows: Sync {
    /// What makes them, to the bit, and how they are kept. An index with other rows is built anew.
    fn id(&self) -> &str;

    /// The vector of a text. Many threads ask at once.
    fn row(&self, text: &str) -> Vec<f32>;

    /// Begins the rows of a generation, in its folder, with those that are kept of the one before it. New passages have
    /// higher numbers than all before them, so their rows follow.
    fn begin(&self, generation: &Path, kept: Option<&KeptRows<'_>>) -> io::Result<Box<dyn RowWriter>>;
}

/// Rows that stay as they are.
#[derive(Clone, Copy, Debug)]
pub struct KeptRows<'a> {
    /// The folder of the generation they are in.
    pub generation: &'a Path,
    /// Which rows of it stay, counted from 0, in order.
    pub rows: &'a [usize],
}

/// Takes the rows of new passages.
pub trait RowWriter {
    /// Takes the next row.
    fn push(&mut self, row: &[f32]) -> io::Result<()>;

    /// Ends the rows. What was taken is complete, if not yet on the disk.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The file of the vectors in a generation.
pub(super) const VECTORS: &str = "vectors";

/// Vectors of the built-in encoder.
#[derive(Clone, Debug)]
pub struct BuiltInRows {
    encoder: Arc<BuiltIn>,
    id: String,
}

impl BuiltInRows {
    /// The encoder that comes with the library.
    pub fn shipped() -> Result<BuiltInRows, ModelError> {
        let encoder = BuiltIn::shipped()?;
        let id = format!("{} {VECTORS}", encoder.id());
        Ok(BuiltInRows { encoder, id })
    }
}

impl Rows for BuiltInRows {
    fn id(&self) -> &str {
        &self.id
    }

    fn row(&self, text: &str) -> Vec<f32> {
        self.encoder.vector(text)
    }

    fn begin(&self, generation: &Path, kept: Option<&KeptRows<'_>>) -> io::Result<Box<dyn RowWriter>> {
        let mut writer = Writer::create(&generation.join(VECTORS), BuiltIn::DIMENSIONS)?;
        if let Some(kept) = kept.filter(|kept| !kept.rows.is_empty()) {
            let path = kept.generation.join(VECTORS);
            let before = Vectors::open(&path).map_err(io::Error::other)?;
            // What rotted on the disk must not be carried on.
            before.verify(&path).map_err(io::Error::other)?;
            for row in kept.rows {
                writer.copy(&before, *row)?;
            }
        }
        Ok(Box::new(writer))
    }
}

impl RowWriter for Writer {
    fn push(&mut self, row: &[f32]) -> io::Result<()> {
        Writer::push(self, row)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Writer::finish(*self)
    }
}
