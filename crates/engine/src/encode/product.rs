//! How is a matrix of whole numbers multiplied fast? By the widest registers at hand; the sums are exact, so the
//! result is the same whichever they are.
//!
//! Rows are packed twice sixteen together and four inputs deep, so that one instruction multiplies four inputs of a token with four
//! weights of sixteen rows and adds them up; nothing has to be summed across a register until the end, and all weights are read in one stream. Where the processor has tiles, they are
//! packed for those.
#![allow(clippy::inline_always)] // or the code would not be compiled for the registers that the caller has found

#[cfg(target_arch = "x86_64")]
mod tiles;
#[cfg(target_arch = "x86_64")]
mod vnni;
#[cfg(target_arch = "x86_64")]
mod wide;

#[cfg(target_arch = "x86_64")]
use wide::Wide;

/// Rows of a register.
const ROWS: usize = 16;
/// Inputs packed together.
const DEPTH: usize = 4;
/// Numbers of a register: four inputs of each row.
const PACK: usize = DEPTH * ROWS;
/// What is read together: two registers.
type Pack = [[i8; PACK]; 2];
/// A matrix packed for multiplication.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    packed: Packed,
    inputs: usize,
    rows: usize,
}

/// Weights stay in eight bits, since reading them from memory is half of the time for a short text.
#[derive(Clone, Debug)]
enum Packed {
    Fours(Fours),
    #[cfg(target_arch = "x86_64")]
    Tiles(tiles::Tiles, Vec<tiles::Tile>),
}

/// A matrix packed for registers.
#[derive(Clone, Debug)]
struct Fours {
    packs: Vec<Pack>,
    /// The sum of each row's weights: registers that take inputs without a sign add 128 to each, and take 128 times the sum away again.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    row_sums: Vec<i32>,
}

impl Matrix {
    /// Packs a matrix, given row by row; nothing unless its sides divide evenly.
    pub(super) fn new(weights: &[u8], rows: usize, inputs: usize) -> Option<Matrix> {
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = tiles::Tiles::try_new()
            && fits(weights, rows, inputs, tiles::INPUTS)
        {
            let packed = Packed::Tiles(wide, tiles::Tiles::pack(weights, rows, inputs));
            return Some(Matrix { packed, inputs, rows });
        }
        Matrix::in_fours(weights, rows, inputs)
    }

    /// The same, packed for registers.
    fn in_fours(weights: &[u8], rows: usize, inputs: usize) -> Option<Matrix> {
        if !fits(weights, rows, inputs, DEPTH) {
            return None;
        }
        let mut packs = Vec::with_capacity(weights.len() / (2 * PACK));
        for rows in weights.chunks_exact(2 * ROWS * inputs) {
            for input in (0..inputs).step_by(DEPTH) {
                let mut pack: Pack = [[0; PACK]; 2];
                let places = pack.as_flattened_mut().as_chunks_mut::<DEPTH>().0;
                for (pack, row) in places.iter_mut().zip(rows.chunks_exact(inputs)) {
                    let weights = row.get(input..).and_then(|row| row.first_chunk::<DEPTH>());
                    *pack = weights.copied().unwrap_or_default().map(u8::cast_signed);
                }
                packs.push(pack);
            }
        }
        let sum = |row: &[u8]| row.iter().map(|weight| i32::from(weight.cast_signed())).sum();
        let row_sums = weights.chunks_exact(inputs).map(sum).collect();
        Some(Matrix { packed: Packed::Fours(Fours { packs, row_sums }), inputs, rows })
    }

    /// How many rows there are.
    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    /// How many numbers a row, and so a token, has.
    pub(super) const fn inputs(&self) -> usize {
        self.inputs
    }

    /// The product of every row with every token, token by token.
    pub(super) fn times(&self, tokens: &[i8]) -> Vec<i32> {
        let fours = match &self.packed {
            Packed::Fours(fours) => fours,
            #[cfg(target_arch = "x86_64")]
            Packed::Tiles(wide, tiles) => return wide.multiply(tiles, self.rows, self.inputs, tokens),
        };
        let task = Task { packs: &fours.packs, rows: self.rows, inputs: self.inputs, tokens };
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(wide) = vnni::Vnni::try_new() {
                return wide.multiply(&task, &fours.row_sums);
            }
            if let Some(wide) = pulp::x86::V4::try_new() {
                return wide.vectorize(Wide(wide, task));
            }
            if let Some(wide) = pulp::x86::V3::try_new() {
                return wide.vectorize(Wide(wide, task));
            }
        }
        multiply::<_, 4, 2, 1>(&Plain, &task)
    }
}

/// Whether a matrix has sides that divide evenly.
fn fits(weights: &[u8], rows: usize, inputs: usize, step: usize) -> bool {
    let even = rows > 0 && inputs > 0 && rows.is_multiple_of(2 * ROWS) && inputs.is_multiple_of(step);
    even && weights.len() == rows * inputs
}

/// What is to be multiplied.
struct Task<'t> {
    packs: &'t [Pack],
    rows: usize,
    inputs: usize,
    tokens: &'t [i8],
}

/// Registers that multiply a pack with four inputs and add up.
trait Registers {
    type Sums: Copy;
    type Weights: Copy;
    /// Four inputs, as these registers take them.
    type Inputs: Copy + Default;
    fn zero(&self) -> Self::Sums;
    fn widen(&self, pack: &[i8; PACK]) -> Self::Weights;
    fn inputs(four: [i8; DEPTH]) -> Self::Inputs;
    fn add(&self, sums: Self::Sums, weights: Self::Weights, inputs: Self::Inputs) -> Self::Sums;
    fn read(&self, sums: Self::Sums) -> [i32; ROWS];
}

/// Multiplies `T` tokens at once, and those that are left together as `B` or `C`, whichever is enough.
#[inline(always)]
fn multiply<R: Registers, const T: usize, const B: usize, const C: usize>(
    registers: &R,
    task: &Task<'_>,
) -> Vec<i32> {
    let count = task.tokens.len() / task.inputs;
    let mut products = vec![0; task.rows * count];
    let left = count % T;
    let whole = if left > B { count } else { count - left };
    let wide: Vec<Vec<[R::Inputs; T]>> =
        (0..whole).step_by(T).map(|first| side_by_side::<R, T>(task, first)).collect();
    let (some, few) = match left {
        _ if whole == count => (None, None),
        left if left > C => (Some(side_by_side::<R, B>(task, whole)), None),
        _ => (None, Some(side_by_side::<R, C>(task, whole))),
    };
    for (double, packs) in task.packs.chunks_exact(task.inputs / DEPTH).enumerate() {
        let mut keep = |token: usize, sums: [R::Sums; 2]| {
            let start = token * task.rows + double * 2 * ROWS;
            if let Some(products) = products.get_mut(start..start + 2 * ROWS) {
                products.copy_from_slice(sums.map(|sums| registers.read(sums)).as_flattened());
            }
        };
        for (at, block) in wide.iter().enumerate() {
            let sums = along(registers, packs, block);
            sums.into_iter().zip(at * T..).for_each(|(sums, token)| keep(token, sums));
        }
        if let Some(block) = &some {
            let sums = along(registers, packs, block);
            sums.into_iter().zip(whole..).for_each(|(sums, token)| keep(token, sums));
        }
        if let Some(block) = &few {
            let sums = along(registers, packs, block);
            sums.into_iter().zip(whole..).for_each(|(sums, token)| keep(token, sums));
        }
    }
    products
}

/// A few tokens from the first on, their inputs side by side. A token beyond the last is nothing.
fn side_by_side<R: Registers, const T: usize>(task: &Task<'_>, first: usize) -> Vec<[R::Inputs; T]> {
    let mut block = vec![[R::Inputs::default(); T]; task.inputs / DEPTH];
    for (at, token) in task.tokens.chunks_exact(task.inputs).skip(first).take(T).enumerate() {
        for (inputs, four) in block.iter_mut().zip(token.as_chunks::<DEPTH>().0) {
            if let Some(place) = inputs.get_mut(at) {
                *place = R::inputs(*four);
            }
        }
    }
    block
}

/// The sums of two packs' rows with a few tokens, along the whole depth.
#[inline(always)]
fn along<R: Registers, const T: usize>(
    registers: &R,
    packs: &[Pack],
    tokens: &[[R::Inputs; T]],
) -> [[R::Sums; 2]; T] {
    let mut sums = [[registers.zero(); 2]; T];
    for ([one, two], inputs) in packs.iter().zip(tokens) {
        let (one, two) = (registers.widen(one), registers.widen(two));
        for (sums, inputs) in sums.iter_mut().zip(inputs) {
            let [first, second] = sums;
            *first = registers.add(*first, one, *inputs);
            *second = registers.add(*second, two, *inputs);
        }
    }
    sums
}

/// Registers every machine has.
struct Plain;

impl Registers for Plain {
    type Sums = [i32; ROWS];
    type Weights = [i8; PACK];
    type Inputs = [i8; DEPTH];

    fn zero(&self) -> [i32; ROWS] {
        [0; ROWS]
    }

    fn widen(&self, pack: &[i8; PACK]) -> [i8; PACK] {
        *pack
    }

    fn inputs(four: [i8; DEPTH]) -> [i8; DEPTH] {
        four
    }

    fn add(&self, mut sums: [i32; ROWS], weights: [i8; PACK], inputs: [i8; DEPTH]) -> [i32; ROWS] {
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<DEPTH>().0) {
            for (weight, input) in weights.iter().zip(inputs) {
                *sum += i32::from(*weight) * i32::from(input);
            }
        }
        sums
    }

    fn read(&self, sums: [i32; ROWS]) -> [i32; ROWS] {
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, all that eight bits hold but −128.
    fn numbers(count: usize) -> Vec<i8> {
        let mut state = 0x2545_f491_u32;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            i8::try_from(i64::from(state % 255) - 127).unwrap()
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn every_width_gives_the_plain_products() {
        for (rows, tokens, inputs) in
            [(32, 1, 64), (64, 5, 96), (96, 4, 256), (32, 9, 768), (32, 19, 1536), (64, 33, 128)]
        {
            let (r, t) = (numbers(rows * inputs), numbers(tokens * inputs));
            let expected: Vec<i32> = t
                .chunks(inputs)
                .flat_map(|token| r.chunks(inputs).map(move |row| (row, token)))
                .map(|(row, token)| row.iter().zip(token).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum())
                .collect();
            let bytes: Vec<u8> = r.iter().map(|weight| weight.cast_unsigned()).collect();
            assert_eq!(Matrix::new(&bytes, rows, inputs).unwrap().times(&t), expected);
            let matrix = Matrix::in_fours(&bytes, rows, inputs).unwrap();
            assert_eq!(matrix.times(&t), expected);
            #[allow(irrefutable_let_patterns)] // elsewhere there are no tiles
            let Packed::Fours(fours) = &matrix.packed else { panic!("in fours") };
            let task = Task { packs: &fours.packs, rows, inputs, tokens: &t };
            assert_eq!(multiply::<_, 4, 2, 1>(&Plain, &task), expected);
            #[cfg(target_arch = "x86_64")]
            {
                if let Some(wide) = pulp::x86::V4::try_new() {
                    assert_eq!(wide.vectorize(Wide(wide, Task { packs: &fours.packs, ..task })), expected);
                }
                if let Some(wide) = pulp::x86::V3::try_new() {
                    assert_eq!(wide.vectorize(Wide(wide, task)), expected);
                }
            }
        }
    }

    #[test]
    fn sides_that_do_not_divide_are_refused() {
        assert!(Matrix::new(&[0; 30 * 4], 30, 4).is_none());
        assert!(Matrix::new(&[0; 10], 32, 4).is_none());
    }
}
