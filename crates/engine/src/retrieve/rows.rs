//! How alike is a vector to each of many?

use crate::encode::BuiltIn;
use crate::vectors::{Builder, Vectors, VectorsError};

/// Vectors of the built-in encoder, in their order.
pub(crate) struct Rows(Vectors);

impl Rows {
    pub(crate) fn new(vectors: impl Iterator<Item = Vec<f32>>) -> Result<Rows, VectorsError> {
        let mut builder = Builder::new(BuiltIn::DIMENSIONS)?;
        for vector in vectors {
            builder.push(&vector)?;
        }
        Ok(Rows(builder.finish()))
    }

    /// How alike a vector is to each, in their order.
    pub(crate) fn similarities(&self, query: &[f32]) -> Vec<f32> {
        let mut alike = Vec::new();
        self.0.similarities(query, &mut alike);
        alike
    }
}
