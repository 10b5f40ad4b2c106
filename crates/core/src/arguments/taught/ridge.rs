//! Which weights explain lessons best? A ridge regression, solved exactly.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use crate::arguments::meaning::dot;
use crate::arguments::weights::real;

/// What every text has in common, so that an output may be rare or frequent.
const CONSTANT: f32 = 1.0;

/// What is learned from: what a text means, its signs, and the outputs that are right for it.
pub(super) struct Lesson<K> {
    pub vector: Vec<f32>,
    pub signs: Vec<K>,
    pub right: Vec<usize>,
}

/// How lessons are weighed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weighing {
    /// What the signs of a text weigh beside its meaning, whose length is one.
    pub signs: f32,
    /// How far weights are held back, in squares of lengths.
    pub ridge: f32,
}

/// How much each direction of meaning and each sign speaks for each output.
#[derive(Clone, Debug)]
pub(super) struct Ridge<K> {
    /// The signs of the lessons, each with its place and how rare it is.
    rows: HashMap<K, (usize, f32)>,
    weighing: Weighing,
    dimensions: usize,
    outputs: usize,
    /// What speaks for each output: rows of the dimensions, of the constant, and of the signs.
    weights: Vec<f32>,
}

impl<K: Copy + Eq + Hash> Ridge<K> {
    /// Learns which of so many outputs texts ask for. Solving takes the number of lessons to the third power.
    pub fn of(lessons: &[Lesson<K>], outputs: usize, weighing: Weighing) -> Ridge<K> {
        let dimensions = lessons.first().map_or(0, |lesson| lesson.vector.len());
        let rows = rows_of(lessons);
        let mut ridge = Ridge { rows, weighing, dimensions, outputs, weights: Vec::new() };
        let texts: Vec<Text<'_>> =
            lessons.iter().map(|lesson| ridge.read(&lesson.vector, lesson.signs.iter().copied())).collect();
        // Element by element, so that wider registers change the time and not a bit.
        let factor = pulp::Arch::new().dispatch(Factoring { texts: &texts, ridge: weighing.ridge });
        let mut weights = vec![0.0; (dimensions + 1 + ridge.rows.len()) * outputs];
        for output in 0..outputs {
            let wanted = lessons.iter().map(|lesson| if lesson.right.contains(&output) { 1.0 } else { -1.0 });
            let shares = factor.solve(wanted.collect());
            for (text, share) in texts.iter().zip(shares) {
                for (row, amount) in text.parts() {
                    if let Some(weight) = weights.get_mut(row * outputs + output) {
                        *weight += amount * share;
                    }
                }
            }
        }
        ridge.weights = weights;
        ridge
    }

    /// What speaks for each output in a text with this meaning and these signs: about 1 where it is asked for and −1 where it is
    /// not.
    pub fn judge(&self, vector: &[f32], signs: impl Iterator<Item = K>) -> Vec<f32> {
        let mut scores = vec![0.0; self.outputs];
        let text = self.read(vector, signs);
        for (row, amount) in text.parts() {
            let weights = self.weights.chunks_exact(self.outputs.max(1)).nth(row).unwrap_or_default();
            for (score, weight) in scores.iter_mut().zip(weights) {
                *score += amount * weight;
            }
        }
        scores
    }

    fn read<'v>(&self, vector: &'v [f32], signs: impl Iterator<Item = K>) -> Text<'v> {
        let mut signs: Vec<(usize, f32)> = signs.filter_map(|sign| self.rows.get(&sign).copied()).collect();
        signs.sort_by_key(|(row, _)| *row);
        signs.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += later.1;
            }
            same
        });
        let length = signs.iter().map(|(_, rarity)| rarity * rarity).sum::<f32>().sqrt();
        let first = self.dimensions + 1;
        for (row, amount) in &mut signs {
            *row += first;
            *amount *= self.weighing.signs / length.max(f32::MIN_POSITIVE);
        }
        Text { vector, signs }
    }
}

/// A text as it is learned from and judged by.
struct Text<'v> {
    vector: &'v [f32],
    /// Places of signs and how much of each.
    signs: Vec<(usize, f32)>,
}

impl<'v> Text<'v> {
    /// The rows of the weights that it touches, and how much of each.
    fn parts(&self) -> impl Iterator<Item = (usize, f32)> + use<'_, 'v> {
        let constant = [(self.vector.len(), CONSTANT)];
        self.vector.iter().copied().enumerate().chain(constant).chain(self.signs.iter().copied())
    }

    /// How many of their signs two texts have in common, by how rare they are.
    fn signs_in_common(&self, other: &Text<'_>) -> f32 {
        let mut sum = 0.0;
        let mut others = other.signs.iter().peekable();
        for (row, amount) in &self.signs {
            while others.next_if(|(other, _)| other < row).is_some() {}
            if let Some((_, other)) = others.next_if(|(other, _)| other == row) {
                sum += amount * other;
            }
        }
        sum
    }
}

/// Each sign of the lessons with its place, and how rare it is.
fn rows_of<K: Copy + Eq + Hash>(lessons: &[Lesson<K>]) -> HashMap<K, (usize, f32)> {
    let mut having: HashMap<K, (usize, usize, usize)> = HashMap::new();
    for (nth, lesson) in lessons.iter().enumerate() {
        for sign in &lesson.signs {
            let next = having.len();
            let (_, last, held) = having.entry(*sign).or_insert((next, usize::MAX, 0));
            *held += usize::from(*last != nth);
            *last = nth;
        }
    }
    let rarity = |held: usize| crate::head::exact::ln(1.0 + real(lessons.len()) / real(held.max(1)));
    having.into_iter().map(|(sign, (row, _, held))| (sign, (row, rarity(held)))).collect()
}

/// What texts have in common, as the product of a triangle with itself: Cholesky's.
struct Factor {
    /// Row by row, each as long as there are texts; what stands behind a row's own place means nothing.
    cells: Vec<f32>,
    count: usize,
}

/// The work of finding a factor, as it is handed to what the processor can do.
struct Factoring<'t, 'v> {
    texts: &'t [Text<'v>],
    ridge: f32,
}

impl pulp::WithSimd for Factoring<'_, '_> {
    type Output = Factor;

    #[allow(clippy::inline_always)] // so that what the processor can do reaches it
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _simd: S) -> Factor {
        Factor::of(self.texts, self.ridge)
    }
}

/// Columns that are solved together, and columns that are worked on together: their rows stay in the nearest memory while all the
/// others pass by.
const SOLVED: usize = 64;
const SHEET: usize = 256;

impl Factor {
    #[allow(clippy::inline_always)] // into the dispatch on what the processor can do
    #[inline(always)]
    fn of(texts: &[Text<'_>], ridge: f32) -> Factor {
        let count = texts.len();
        let mut factor = Factor { cells: vec![0.0; count * count], count };
        let vectors: Vec<&[f32]> = texts.iter().map(|text| text.vector).collect();
        let long = vectors.first().map_or(0, |vector| vector.len());
        factor.add_products(0, &turned(&vectors, long), |row, place| {
            vectors.get(row).and_then(|vector| vector.get(place)).copied().unwrap_or(0.0)
        });
        for (row, (text, cells)) in texts.iter().zip(factor.cells.chunks_exact_mut(count.max(1))).enumerate()
        {
            for (cell, earlier) in cells.iter_mut().zip(texts).take(row + 1) {
                *cell += CONSTANT * CONSTANT + text.signs_in_common(earlier);
            }
            if let Some(own) = cells.get_mut(row) {
                *own += ridge;
            }
        }
        for first in (0..count).step_by(SOLVED) {
            let columns = first..(first + SOLVED).min(count);
            factor.solve_columns(&columns);
            factor.take_off(&columns);
        }
        factor
    }

    /// Solves some columns, from which all before them were taken off.
    #[allow(clippy::inline_always)] // into the dispatch on what the processor can do
    #[inline(always)]
    fn solve_columns(&mut self, columns: &Range<usize>) {
        let Factor { cells, count } = self;
        let count = *count;
        for row in columns.start..count {
            let (earlier, rest) = cells.split_at_mut(row * count);
            let Some(own) = rest.get_mut(columns.start..=row.min(columns.end - 1)) else { return };
            let solved = columns.start..row.min(columns.end);
            for (nth, column) in solved.enumerate() {
                let other = earlier.get(column * count + columns.start..=column * count + column);
                let Some((before, last)) = other.and_then(parted) else { continue };
                let explained = dot(own.get(..nth).unwrap_or_default(), before);
                if let Some(cell) = own.get_mut(nth) {
                    *cell = (*cell - explained) / last;
                }
            }
            if row < columns.end
                && let Some((cell, before)) = own.split_last_mut()
            {
                *cell = (*cell - dot(before, before)).max(f32::MIN_POSITIVE).sqrt();
            }
        }
    }

    /// Takes columns that are solved off all behind them.
    #[allow(clippy::inline_always)] // into the dispatch on what the processor can do
    #[inline(always)]
    fn take_off(&mut self, columns: &Range<usize>) {
        let count = self.count;
        let below = self.cells.chunks_exact(count.max(1)).skip(columns.end);
        let solved: Vec<Vec<f32>> =
            below.map(|row| row.get(columns.clone()).unwrap_or_default().to_vec()).collect();
        let rows: Vec<&[f32]> = solved.iter().map(Vec::as_slice).collect();
        let first = columns.end;
        self.add_products(first, &turned(&rows, columns.len()), |row, place| {
            solved.get(row - first).and_then(|row| row.get(place)).map_or(0.0, |value| -value)
        });
    }

    /// Adds to each cell from a place on the products of what its row and its column have: the columns' as sheets, the rows' by
    /// their place on them. Element by element, so that wider registers change the time and not a bit.
    #[allow(clippy::inline_always)] // into the dispatch on what the processor can do
    #[inline(always)]
    fn add_products(&mut self, from: usize, sheets: &[Vec<f32>], of_row: impl Fn(usize, usize) -> f32) {
        let count = self.count;
        for first in (from..count).step_by(SHEET) {
            for row in first..count {
                let end = (first + SHEET).min(row + 1);
                let Some(cells) = self.cells.get_mut(row * count + first..row * count + end) else { return };
                for (nth, sheets) in sheets.chunks_exact(AT_ONCE).enumerate() {
                    let part = |nth: usize| {
                        sheets
                            .get(nth)
                            .and_then(|sheet| sheet.get(first - from..end - from))
                            .unwrap_or_default()
                    };
                    let [a, b, c, d] = std::array::from_fn(part);
                    let [of_a, of_b, of_c, of_d] =
                        std::array::from_fn(|offset| of_row(row, nth * AT_ONCE + offset));
                    for ((((cell, a), b), c), d) in cells.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                        *cell += of_a * a + of_b * b + of_c * c + of_d * d;
                    }
                }
            }
        }
    }

    fn rows(&self) -> impl DoubleEndedIterator<Item = &[f32]> + ExactSizeIterator {
        let rows = self.cells.chunks_exact(self.count.max(1)).enumerate();
        rows.map(|(row, cells)| cells.get(..=row).unwrap_or_default())
    }

    /// How much of each text makes up what is wanted.
    fn solve(&self, wanted: Vec<f32>) -> Vec<f32> {
        let mut values = wanted;
        for (at, row) in self.rows().enumerate() {
            let Some((known, own)) = parted(row) else { continue };
            if let Some((before, [value, ..])) = values.split_at_mut_checked(at) {
                *value = (*value - dot(known, before)) / own;
            }
        }
        for (at, row) in self.rows().enumerate().rev() {
            let Some((known, own)) = parted(row) else { continue };
            if let Some((before, [value, ..])) = values.split_at_mut_checked(at) {
                *value /= own;
                for (earlier, known) in before.iter_mut().zip(known) {
                    *earlier -= *value * known;
                }
            }
        }
        values
    }
}

/// A row of the triangle: what stands before its end, and its end.
fn parted(row: &[f32]) -> Option<(&[f32], f32)> {
    row.split_last().map(|(own, before)| (before, *own))
}

/// Sheets that are added at once, so that a cell is fetched once for all of them.
const AT_ONCE: usize = 4;

/// Rows as columns: a sheet for each place in them, filled up with nothing to a multiple of those that are added at once.
fn turned(rows: &[&[f32]], long: usize) -> Vec<Vec<f32>> {
    let sheet = |place: usize| rows.iter().map(|row| row.get(place).copied().unwrap_or(0.0)).collect();
    (0..long.next_multiple_of(AT_ONCE)).map(sheet).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Vectors as the dispatch sees them: more of them than are solved or added at once.
    fn vectors() -> impl Strategy<Value = Vec<Vec<f32>>> {
        (1..7_usize, 1..150_usize).prop_flat_map(|(long, count)| {
            prop::collection::vec(prop::collection::vec(-1.0..1.0_f32, long), count)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn the_factor_solves_what_it_was_made_of(vectors in vectors(), wanted in -1.0..1.0_f32) {
            let ridge = 0.5;
            let texts: Vec<Text<'_>> =
                vectors.iter().map(|vector| Text { vector, signs: Vec::new() }).collect();
            let factor = pulp::Arch::new().dispatch(Factoring { texts: &texts, ridge });
            let shares = factor.solve(vec![wanted; texts.len()]);
            for (row, text) in texts.iter().enumerate() {
                let common = texts.iter().map(|other| dot(text.vector, other.vector) + CONSTANT * CONSTANT);
                let sum: f32 = common.zip(&shares).map(|(common, share)| common * share).sum();
                let sum = sum + ridge * shares.get(row).copied().unwrap_or(0.0);
                prop_assert!((sum - wanted).abs() < 1e-2, "{sum} for {wanted} in row {row}");
            }
        }
    }
}
