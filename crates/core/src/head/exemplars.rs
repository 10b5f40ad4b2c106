//! Which example is a text most like?

/// The vectors of the examples, a byte a number, in the order they were taught.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exemplars {
    dimensions: usize,
    bytes: Vec<i8>,
}

/// What one is in a byte: vectors have length one, so no number is larger.
const ONE: f32 = 127.0;

impl Exemplars {
    /// The vectors of examples.
    pub fn of<'v>(vectors: impl IntoIterator<Item = &'v [f32]>, dimensions: usize) -> Exemplars {
        let mut exemplars = Exemplars { dimensions, bytes: Vec::new() };
        for vector in vectors {
            exemplars.push(vector);
        }
        exemplars
    }

    /// The exemplars of bytes already rounded.
    pub(super) fn of_bytes(bytes: Vec<i8>, dimensions: usize) -> Exemplars {
        Exemplars { dimensions, bytes }
    }

    pub(super) fn bytes(&self) -> &[i8] {
        &self.bytes
    }

    /// How long the vectors are.
    pub const fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bytes.len().checked_div(self.dimensions).unwrap_or_default()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an example.
    #[allow(clippy::cast_possible_truncation)] // within ±127, as the vector has length one
    pub fn push(&mut self, vector: &[f32]) {
        self.bytes.extend(vector.iter().map(|value| (value * ONE).round().clamp(-ONE, ONE) as i8));
    }

    /// How alike a text and an example are, from -1 to 1.
    pub fn similarity(&self, example: usize, vector: &[f32]) -> f32 {
        let start = example * self.dimensions;
        let bytes = self.bytes.get(start..start + self.dimensions).unwrap_or_default();
        let mut lanes = [0.0_f32; 8];
        for (eight, values) in bytes.chunks(8).zip(vector.chunks(8)) {
            for ((lane, byte), value) in lanes.iter_mut().zip(eight).zip(values) {
                *lane += f32::from(*byte) * value;
            }
        }
        lanes.iter().sum::<f32>() / ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_itself_is_most_like() {
        let exemplars = Exemplars::of([&[0.6_f32, 0.8][..], &[1.0, 0.0]], 2);
        assert_eq!(exemplars.len(), 2);
        assert!(exemplars.similarity(0, &[0.6, 0.8]) > 0.99 && exemplars.similarity(1, &[0.0, 1.0]) < 0.01);
        assert!(Exemplars::default().is_empty());
    }
}
