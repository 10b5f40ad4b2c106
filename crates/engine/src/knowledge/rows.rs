//! Where do the vectors of passages come from, and where do they go? One row a passage, in the order of their numbers.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::encode::{BuiltIn, Encoder, ModelError};

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

/// Vectors of the built-in encoder. They are made and, as long as nothing reads them, not kept.
#[derive(Clone, Debug)]
pub struct BuiltInRows {
    encoder: Arc<BuiltIn>,
    id: String,
}

impl BuiltInRows {
    /// The encoder that comes with the library.
    pub fn shipped() -> Result<BuiltInRows, ModelError> {
        let encoder = BuiltIn::shipped()?;
        let id = format!("{} not kept", encoder.id());
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

    fn begin(&self, _generation: &Path, _kept: Option<&KeptRows<'_>>) -> io::Result<Box<dyn RowWriter>> {
        Ok(Box::new(NotKept))
    }
}

/// Rows that go nowhere.
struct NotKept;

impl RowWriter for NotKept {
    fn push(&mut self, _row: &[f32]) -> io::Result<()> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}
