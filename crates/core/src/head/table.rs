//! How are weights kept? In half the bytes: reading them is most of the time of a decision.

/// Rows are filled up to a multiple of this many cells, so that every row begins evenly.
const LANES: usize = 8;

/// Rows of weights, each the upper sixteen bits of a single-precision number.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Table {
    stride: usize,
    cells: Vec<u16>,
}

/// The width of rows that hold so many outputs.
pub(super) fn stride_of(outputs: usize) -> usize {
    outputs.next_multiple_of(LANES).max(LANES)
}

impl Table {
    /// The table of full weights, each rounded to the nearest that fits.
    pub(super) fn freeze(weights: &[f32], stride: usize) -> Table {
        Table { stride, cells: weights.iter().copied().map(rounded).collect() }
    }

    /// The table of cells already rounded.
    pub(super) fn of_cells(cells: Vec<u16>, stride: usize) -> Table {
        Table { stride, cells }
    }

    /// The weights in full, to learn on.
    pub(super) fn thaw(&self) -> Vec<f32> {
        self.cells.iter().copied().map(full).collect()
    }

    pub(super) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(super) const fn stride(&self) -> usize {
        self.stride
    }

    /// Adds so much of a row.
    #[inline(always)] // compiled for the registers of whoever calls
    #[allow(clippy::inline_always)]
    pub(super) fn add(&self, row: usize, amount: f32, sum: &mut [f32]) {
        let cells = self.cells.get(row * self.stride..(row + 1) * self.stride).unwrap_or_default();
        for (sum, cell) in sum.iter_mut().zip(cells) {
            *sum += amount * full(*cell);
        }
    }

    /// One weight.
    pub(super) fn at(&self, row: usize, output: usize) -> f32 {
        self.cells.get(row * self.stride + output).copied().map_or(0.0, full)
    }
}

/// The upper half of a number, rounded to the nearest, halves to even.
fn rounded(weight: f32) -> u16 {
    let bits = weight.to_bits();
    let up = 0x7fff + (bits >> 16 & 1);
    u16::try_from(bits.saturating_add(up) >> 16).unwrap_or(u16::MAX)
}

fn full(cell: u16) -> f32 {
    f32::from_bits(u32::from(cell) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_kept_within_a_part_in_256() {
        for weight in [0.0_f32, 1.0, -1.0, 0.123_456, -17.3, 1e-8, 3.4e4] {
            let kept = Table::freeze(&[weight; 8], 8).at(0, 3);
            assert!((kept - weight).abs() <= weight.abs() / 256.0, "{weight} is kept as {kept}");
        }
    }
}
