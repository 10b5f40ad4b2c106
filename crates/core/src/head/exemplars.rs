//! Which example is a text most like?

/// Most examples of a class looked through, spread evenly over them: so many differ enough to tell.
const LOOKED_THROUGH_MAX: usize = 256;
/// What one is in a byte and in two: vectors have length one, so no number is larger.
const ONE_BYTE: f32 = 127.0;
const ONE_SHORT: f32 = 16_383.0;

/// The vectors of the examples, a byte a number, in the order they were taught.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Exemplars {
    dimensions: usize,
    bytes: Vec<i8>,
    /// Where the examples of each class stand; the last are those of none.
    of_class: Vec<Vec<u32>>,
}

/// A text's vector, ready to be held against examples. Whole numbers add up to the same in any order.
pub(super) struct Asked(Vec<i16>);

impl Asked {
    #[allow(clippy::cast_possible_truncation)] // within the bounds of the type, as the vector has length one
    pub(super) fn new(vector: &[f32]) -> Asked {
        Asked(vector.iter().map(|value| nearest_whole(value * ONE_SHORT) as i16).collect())
    }
}

/// The nearest whole number of one within the bounds of two bytes, without a call.
#[allow(clippy::cast_possible_truncation)] // far within the bounds of the type
fn nearest_whole(value: f32) -> i32 {
    (value + 32_768.5) as i32 - 32_768
}

impl Exemplars {
    /// No vectors yet, of so many classes and those of none.
    pub(super) fn new(dimensions: usize, classes: usize) -> Exemplars {
        Exemplars { dimensions, bytes: Vec::new(), of_class: vec![Vec::new(); classes + 1] }
    }

    /// Adds an example of classes, or of none.
    #[allow(clippy::cast_possible_truncation)] // as above
    pub(super) fn push(&mut self, vector: &[f32], classes: &[usize]) {
        let place = u32::try_from(self.len()).unwrap_or(u32::MAX);
        self.bytes.extend(vector.iter().map(|value| nearest_whole(value * ONE_BYTE) as i8));
        let none = [self.of_class.len().saturating_sub(1)];
        for class in if classes.is_empty() { &none[..] } else { classes } {
            if let Some(own) = self.of_class.get_mut(*class) {
                own.push(place);
            }
        }
    }

    fn len(&self) -> usize {
        self.bytes.len().checked_div(self.dimensions).unwrap_or_default()
    }

    /// The examples of a class that are most like a text, nearest first: where each stands, and how alike from -1 to 1.
    pub(super) fn nearest(&self, class: usize, asked: &Asked, most: usize) -> Vec<(usize, f32)> {
        // Without vectors nothing is like anything.
        let own = self.of_class.get(class).filter(|_| self.dimensions > 0).map_or(&[][..], Vec::as_slice);
        let step = own.len().div_ceil(LOOKED_THROUGH_MAX).max(1);
        let like = |place: &u32| (*place as usize, self.similarity(*place as usize, asked));
        let mut nearest: Vec<(usize, f32)> = Vec::with_capacity(most + 1);
        for (place, alike) in own.iter().step_by(step).map(like) {
            let after = nearest.iter().position(|(_, known)| alike > *known).unwrap_or(nearest.len());
            if after < most {
                nearest.truncate(most.saturating_sub(1));
                nearest.insert(after.min(nearest.len()), (place, alike));
            }
        }
        nearest
    }

    fn similarity(&self, place: usize, asked: &Asked) -> f32 {
        let start = place * self.dimensions;
        let bytes = self.bytes.get(start..start + self.dimensions).unwrap_or_default();
        let product: i32 = bytes.iter().zip(&asked.0).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
        #[allow(clippy::cast_precision_loss)] // what is lost is far below what a byte loses
        let product = product as f32;
        product / (ONE_BYTE * ONE_SHORT)
    }

    pub(super) fn bytes(&self) -> &[i8] {
        &self.bytes
    }

    pub(super) fn of_class(&self) -> &[Vec<u32>] {
        &self.of_class
    }

    /// The exemplars as they were kept.
    pub(super) const fn kept(dimensions: usize, bytes: Vec<i8>, of_class: Vec<Vec<u32>>) -> Exemplars {
        Exemplars { dimensions, bytes, of_class }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first() {
        let mut exemplars = Exemplars::new(2, 1);
        exemplars.push(&[1.0, 0.0], &[0]);
        exemplars.push(&[0.6, 0.8], &[0]);
        exemplars.push(&[0.0, 1.0], &[]);
        let nearest = exemplars.nearest(0, &Asked::new(&[0.6, 0.8]), 2);
        assert_eq!(nearest.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [1, 0]);
        assert!((nearest[0].1 - 1.0).abs() < 0.01 && (nearest[1].1 - 0.6).abs() < 0.01);
        assert_eq!(exemplars.nearest(1, &Asked::new(&[0.0, 1.0]), 1)[0].0, 2);
        assert!(exemplars.nearest(9, &Asked::new(&[0.0, 1.0]), 1).is_empty());
    }
}
