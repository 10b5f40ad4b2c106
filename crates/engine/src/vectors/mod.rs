//! Which of many texts is a text near to? Their vectors, kept small and scanned in two stages.
//!
//! A row is kept as one bit a dimension and as eight bits a dimension. The bits of all rows are held against the query,
//! whose own numbers weigh them, and name candidates; eight-bit products of the candidates decide. A set is one piece of
//! memory or one mapped file, and the same bytes either way. All sums are of whole numbers, and equal similarities are
//! ordered by row: the same query finds the same rows with the same similarities, to the bit, on every machine.

mod error;
mod registers;
mod turn;
mod query;
mod best;
mod layout;
mod builder;
mod writer;
mod image;
mod signs;
#[cfg(test)]
mod tests;

pub(crate) use builder::Builder;
pub(crate) use error::VectorsError;
pub(crate) use signs::{Packed, Signs};
pub(crate) use writer::Writer;

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use best::Best;
use image::Image;
use layout::{HEADER_BYTES, Layout};
use query::Whole;
use registers::{BLOCK_ROWS, PAIR_BYTES, Registers, Work, Worths, on_widest};

/// Most rows that are all compared in eight bits: it takes some tens of microseconds, and bits would miss a few.
const ROWS_COMPARED_MAX: usize = 4_096;

/// Candidates for every row, where ten are wanted: among 1,000,000 texts they hold 99 of 100 of the rows that are truly nearest.
/// A quarter as many hold 98 and save half a millisecond.
pub(crate) const OVERSAMPLE: usize = 200;

/// A set of vectors.
#[derive(Debug)]
pub(crate) struct Vectors {
    image: Image,
    layout: Layout,
}

/// A row near to a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    /// Which row.
    pub(crate) row: u32,
    /// The cosine of the angle between them.
    pub(crate) similarity: f32,
}

impl Vectors {
    /// Maps a file into memory. Its header and size are checked here, and what is behind it by [`Vectors::verify`].
    pub(crate) fn open(path: &Path) -> Result<Vectors, VectorsError> {
        let (image, layout) = Image::open(path)?;
        Ok(Vectors { image, layout })
    }

    /// Reads everything and holds it against its checksum.
    pub(crate) fn verify(&self, path: &Path) -> Result<(), VectorsError> {
        let (header, behind) = self.image.bytes().split_at_checked(HEADER_BYTES).unwrap_or_default();
        if Layout::verify(header, behind) {
            Ok(())
        } else {
            Err(VectorsError::damaged(path, "its vectors are not those that were written"))
        }
    }

    /// Writes the set as [`Vectors::open`] reads it. A file is to be written beside the old one and put in its place: what is
    /// mapped must not change.
    pub(crate) fn write(&self, mut to: impl Write) -> io::Result<()> {
        to.write_all(self.image.bytes())
    }

    /// The scale and the numbers of a row.
    fn row(&self, row: usize) -> Option<(f32, Vec<i8>)> {
        let width = self.layout.dimensions;
        let scale = self.part(self.layout.scales()).as_chunks::<4>().0.get(row)?;
        let numbers = self.part(self.layout.numbers()).get(row * width..(row + 1) * width)?;
        Some((f32::from_le_bytes(*scale), numbers.iter().map(|byte| byte.cast_signed()).collect()))
    }

    /// How many numbers a vector has.
    pub(crate) const fn dimensions(&self) -> usize {
        self.layout.dimensions
    }

    /// How many rows there are.
    pub(crate) const fn len(&self) -> usize {
        self.layout.count
    }

    /// The rows nearest to a query, nearest first, out of `oversample` times as many candidates. A query of another length
    /// or with a number that is not finite is near to nothing.
    pub(crate) fn nearest(&self, query: &[f32], k: usize, oversample: usize) -> Vec<Near> {
        self.nearest_within(query, std::slice::from_ref(&(0..u32::MAX)), k, oversample)
    }

    /// The same among the rows of some ranges.
    pub(crate) fn nearest_within(
        &self,
        query: &[f32],
        ranges: &[Range<u32>],
        k: usize,
        oversample: usize,
    ) -> Vec<Near> {
        let Some(query) = self.query(query) else { return Vec::new() };
        let ranges = self.in_order(ranges);
        let count: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let k = k.min(count);
        let candidates = k.saturating_mul(oversample.max(1));
        if count <= ROWS_COMPARED_MAX.max(candidates) {
            return self.best_of(&query, ranges.into_iter().flatten(), k);
        }
        let worths = query.worths();
        let found = on_widest(Scan { vectors: self, worths: &worths, ranges: &ranges, candidates });
        let mut rows: Vec<u32> = found.into_iter().map(|(_, row)| row).collect();
        rows.sort_unstable();
        self.best_of(&query, rows.into_iter(), k)
    }

    /// The nearest of some rows. Those that are not there are passed over.
    pub(crate) fn nearest_among(&self, query: &[f32], rows: &[u32], k: usize) -> Vec<Near> {
        let Some(query) = self.query(query) else { return Vec::new() };
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows.dedup();
        self.best_of(&query, rows.into_iter(), k)
    }

    /// How near every row is, in the order of rows; nothing where the query is near to nothing.
    pub(crate) fn similarities(&self, query: &[f32], similarities: &mut Vec<f32>) {
        similarities.clear();
        let Some(query) = self.query(query) else { return };
        similarities.reserve(self.layout.count);
        let rows = 0..u32::try_from(self.layout.count).unwrap_or(u32::MAX);
        on_widest(Compare { vectors: self, query: &query, rows, take: |_, near| similarities.push(near) });
    }

    fn query(&self, query: &[f32]) -> Option<Whole> {
        if query.len() == self.layout.dimensions { Whole::query(query) } else { None }
    }

    /// The ranges in ascending order, without what is not there or in two of them.
    fn in_order(&self, ranges: &[Range<u32>]) -> Vec<Range<u32>> {
        let count = u32::try_from(self.layout.count).unwrap_or(u32::MAX);
        let mut ranges = ranges.to_vec();
        ranges.sort_unstable_by_key(|range| range.start);
        let mut seen = 0;
        for range in &mut ranges {
            *range = range.start.max(seen)..range.end.min(count);
            seen = seen.max(range.end);
        }
        ranges.retain(|range| !range.is_empty());
        ranges
    }

    fn best_of(&self, query: &Whole, rows: impl Iterator<Item = u32>, k: usize) -> Vec<Near> {
        let mut best = Best::new(k);
        let take = |row, similarity| best.offer(best::rank(similarity), row);
        on_widest(Compare { vectors: self, query, rows, take });
        let near = |(rank, row)| Near { row, similarity: best::similarity(rank) };
        best.into_sorted().into_iter().map(near).collect()
    }

    fn part(&self, part: Range<usize>) -> &[u8] {
        self.image.bytes().get(part).unwrap_or_default()
    }
}

/// The first stage: the rows whose bits are worth most to a query.
struct Scan<'v> {
    vectors: &'v Vectors,
    worths: &'v [Worths],
    /// In ascending order.
    ranges: &'v [Range<u32>],
    candidates: usize,
}

impl Work for Scan<'_> {
    type Output = Vec<(i32, u32)>;

    #[allow(clippy::inline_always)] // or it would not be compiled for the registers that were found
    #[inline(always)]
    fn run<R: Registers>(self, registers: &R) -> Vec<(i32, u32)> {
        let layout = self.vectors.layout;
        let blocks = self.vectors.part(layout.blocks());
        let mut best = Best::new(self.candidates);
        for range in self.ranges {
            let first = range.start as usize / BLOCK_ROWS;
            let last = (range.end as usize).div_ceil(BLOCK_ROWS);
            let blocks = blocks.get(first * layout.block_bytes()..last * layout.block_bytes());
            for (at, block) in (first..).zip(blocks.unwrap_or_default().chunks_exact(layout.block_bytes())) {
                let worths = registers.weigh(block.as_chunks::<PAIR_BYTES>().0, self.worths).map(i32::from);
                if worths.iter().fold(0, |most, worth| most.max(*worth)) > best.floor() {
                    offer(&mut best, &worths, at, range);
                }
            }
        }
        best.into_sorted()
    }
}

/// Offers the rows of a block that are in a range.
fn offer(best: &mut Best, worths: &[i32; BLOCK_ROWS], block: usize, range: &Range<u32>) {
    let first = u32::try_from(block * BLOCK_ROWS).unwrap_or(u32::MAX);
    for (row, worth) in (first..).zip(worths) {
        if range.contains(&row) {
            best.offer(*worth, row);
        }
    }
}

/// The second stage: the products of rows with a query.
struct Compare<'v, Rows, Take> {
    vectors: &'v Vectors,
    query: &'v Whole,
    rows: Rows,
    take: Take,
}

impl<Rows: Iterator<Item = u32>, Take: FnMut(u32, f32)> Work for Compare<'_, Rows, Take> {
    type Output = ();

    #[allow(clippy::inline_always)] // or it would not be compiled for the registers that were found
    #[allow(clippy::cast_precision_loss)] // a similarity is an estimate
    #[inline(always)]
    fn run<R: Registers>(mut self, registers: &R) {
        let layout = self.vectors.layout;
        let (numbers, scales) = (self.vectors.part(layout.numbers()), self.vectors.part(layout.scales()));
        let scales = scales.as_chunks::<4>().0;
        for row in self.rows {
            let at = row as usize;
            let numbers = numbers.get(at * layout.dimensions..(at + 1) * layout.dimensions);
            let (Some(numbers), Some(scale)) = (numbers, scales.get(at)) else { continue };
            let product = registers.product(numbers, &self.query.numbers) as f32;
            let similarity = product * (f32::from_le_bytes(*scale) * self.query.scale);
            // Only a damaged file has scales that are no numbers.
            (self.take)(row, if similarity.is_finite() { similarity } else { 0.0 });
        }
    }
}
