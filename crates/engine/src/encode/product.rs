//! How is a matrix of whole numbers multiplied fast? By the widest registers at hand; the sums are exact, so the
//! result is the same whichever they are.
//!
//! Rows are packed sixteen together and two inputs deep, so that one instruction multiplies two inputs of a token with two
//! weights of sixteen rows and adds them up; nothing has to be summed across a register. Where the processor has tiles, they are
//! packed for those.
#![allow(clippy::inline_always)] // or the code would not be compiled for the registers that the caller has found

#[cfg(target_arch = "x86_64")]
mod tiles;
#[cfg(target_arch = "x86_64")]
mod vnni;

/// Rows packed together.
const ROWS: usize = 16;
/// Numbers of a pack: two inputs of each row.
const PACK: usize = 2 * ROWS;
/// Tokens multiplied at once: their sums, of two packs, fit sixteen registers.
const TOKENS: usize = 4;
/// The same where there are thirty-two registers, twice as wide.
#[cfg(target_arch = "x86_64")]
const TOKENS_WIDE: usize = 8;

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
    Pairs(Vec<[i8; PACK]>),
    #[cfg(target_arch = "x86_64")]
    Tiles(tiles::Tiles, Vec<tiles::Tile>),
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
        Matrix::in_pairs(weights, rows, inputs)
    }

    /// The same, packed for registers.
    fn in_pairs(weights: &[u8], rows: usize, inputs: usize) -> Option<Matrix> {
        if !fits(weights, rows, inputs, 2) {
            return None;
        }
        let mut packs = Vec::with_capacity(weights.len() / PACK);
        for rows in weights.chunks_exact(ROWS * inputs) {
            for input in (0..inputs).step_by(2) {
                let mut pack = [0; PACK];
                for (pack, row) in pack.as_chunks_mut::<2>().0.iter_mut().zip(rows.chunks_exact(inputs)) {
                    let weights = row.get(input..).and_then(|row| row.first_chunk::<2>());
                    *pack = weights.copied().unwrap_or_default().map(u8::cast_signed);
                }
                packs.push(pack);
            }
        }
        Some(Matrix { packed: Packed::Pairs(packs), inputs, rows })
    }

    /// How many rows there are.
    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    /// How many numbers a row, and so a token, has.
    pub(super) const fn inputs(&self) -> usize {
        self.inputs
    }

    /// The product of every row with every token, token by token. Numbers of tokens have twelve bits.
    pub(super) fn times(&self, tokens: &[i16]) -> Vec<i32> {
        let packs = match &self.packed {
            Packed::Pairs(packs) => packs,
            #[cfg(target_arch = "x86_64")]
            Packed::Tiles(wide, tiles) => return wide.multiply(tiles, self.rows, self.inputs, tokens),
        };
        let task = Task { packs, rows: self.rows, inputs: self.inputs, tokens };
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(wide) = vnni::Vnni::try_new() {
                return wide.multiply(&task);
            }
            if let Some(wide) = pulp::x86::V4::try_new() {
                return wide.vectorize(Wide(wide, task));
            }
            if let Some(wide) = pulp::x86::V3::try_new() {
                return wide.vectorize(Wide(wide, task));
            }
        }
        multiply::<_, TOKENS, { TOKENS / 2 }>(&Plain, &task)
    }
}

/// Whether a matrix has sides that divide evenly.
fn fits(weights: &[u8], rows: usize, inputs: usize, step: usize) -> bool {
    let even = rows > 0 && inputs > 0 && rows.is_multiple_of(2 * ROWS) && inputs.is_multiple_of(step);
    even && weights.len() == rows * inputs
}

/// Two inputs in one number, as the registers take them.
fn pair(first: i16, second: i16) -> i32 {
    i32::from(first) & 0xffff | i32::from(second) << 16
}

/// What is to be multiplied.
struct Task<'t> {
    packs: &'t [[i8; PACK]],
    rows: usize,
    inputs: usize,
    tokens: &'t [i16],
}

/// Registers that multiply a pack with a pair and add up.
trait Registers {
    type Sums: Copy;
    type Weights: Copy;
    fn zero(&self) -> Self::Sums;
    fn widen(&self, pack: &[i8; PACK]) -> Self::Weights;
    fn add(&self, sums: Self::Sums, weights: Self::Weights, pair: i32) -> Self::Sums;
    fn read(&self, sums: Self::Sums) -> [i32; ROWS];
}

/// Multiplies so many tokens at once, and half as many where no more are left.
#[inline(always)]
fn multiply<R: Registers, const T: usize, const HALF: usize>(registers: &R, task: &Task<'_>) -> Vec<i32> {
    let (rows, depth) = (task.rows, task.inputs / 2);
    let count = task.tokens.len() / task.inputs;
    let mut products = vec![0; rows * count];
    let whole = count - if count % T > HALF { 0 } else { count % T };
    let blocks: Vec<Vec<[i32; T]>> = (0..whole).step_by(T).map(|first| side_by_side(task, first)).collect();
    let rest: Vec<[i32; HALF]> = if whole < count { side_by_side(task, whole) } else { Vec::new() };
    for (double, packs) in task.packs.chunks_exact(2 * depth).enumerate() {
        let packs = packs.split_at(depth);
        let mut keep = |token: usize, sums: [R::Sums; 2]| {
            let start = token * rows + double * 2 * ROWS;
            if let Some(products) = products.get_mut(start..start + 2 * ROWS) {
                products.copy_from_slice(sums.map(|sums| registers.read(sums)).as_flattened());
            }
        };
        for (at, block) in blocks.iter().enumerate() {
            along(registers, packs, block)
                .into_iter()
                .zip(at * T..)
                .for_each(|(sums, token)| keep(token, sums));
        }
        if !rest.is_empty() {
            along(registers, packs, &rest)
                .into_iter()
                .zip(whole..)
                .for_each(|(sums, token)| keep(token, sums));
        }
    }
    products
}

/// A few tokens from the first on, their pairs side by side. A token beyond the last is nothing.
fn side_by_side<const T: usize>(task: &Task<'_>, first: usize) -> Vec<[i32; T]> {
    let depth = task.inputs / 2;
    let mut block = vec![[0; T]; depth];
    for (at, token) in task.tokens.chunks_exact(task.inputs).skip(first).take(T).enumerate() {
        for (pairs, [first, second]) in block.iter_mut().zip(token.as_chunks::<2>().0) {
            if let Some(place) = pairs.get_mut(at) {
                *place = pair(*first, *second);
            }
        }
    }
    block
}

/// The sums of two packs' rows with a few tokens, along the whole depth.
#[inline(always)]
fn along<R: Registers, const T: usize>(
    registers: &R,
    (one, two): (&[[i8; PACK]], &[[i8; PACK]]),
    tokens: &[[i32; T]],
) -> [[R::Sums; 2]; T] {
    let mut sums = [[registers.zero(); 2]; T];
    for ((one, two), pairs) in one.iter().zip(two).zip(tokens) {
        let (one, two) = (registers.widen(one), registers.widen(two));
        for (sums, pair) in sums.iter_mut().zip(pairs) {
            let [first, second] = sums;
            *first = registers.add(*first, one, *pair);
            *second = registers.add(*second, two, *pair);
        }
    }
    sums
}

/// Registers every machine has.
struct Plain;

impl Registers for Plain {
    type Sums = [i32; ROWS];
    type Weights = [i8; PACK];

    fn zero(&self) -> [i32; ROWS] {
        [0; ROWS]
    }

    fn widen(&self, pack: &[i8; PACK]) -> [i8; PACK] {
        *pack
    }

    #[allow(clippy::cast_possible_truncation)] // the lower half is one number, the upper half the other
    fn add(&self, mut sums: [i32; ROWS], weights: [i8; PACK], pair: i32) -> [i32; ROWS] {
        let (first, second) = (i32::from(pair as i16), pair >> 16);
        for (sum, [one, two]) in sums.iter_mut().zip(weights.as_chunks::<2>().0) {
            *sum += i32::from(*one) * first + i32::from(*two) * second;
        }
        sums
    }

    fn read(&self, sums: [i32; ROWS]) -> [i32; ROWS] {
        sums
    }
}

/// A task on the registers of one kind of processor.
#[cfg(target_arch = "x86_64")]
struct Wide<'t, S>(S, Task<'t>);

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::{__m128i, __m256i, __m512i};

    use pulp::NullaryFnOnce;
    use pulp::x86::{V3, V4};

    use super::{PACK, ROWS, Registers, TOKENS, TOKENS_WIDE, Wide, multiply};

    impl NullaryFnOnce for Wide<'_, V3> {
        type Output = Vec<i32>;

        #[inline(always)]
        fn call(self) -> Vec<i32> {
            multiply::<_, TOKENS, { TOKENS / 2 }>(&self.0, &self.1)
        }
    }

    impl NullaryFnOnce for Wide<'_, V4> {
        type Output = Vec<i32>;

        #[inline(always)]
        fn call(self) -> Vec<i32> {
            multiply::<_, TOKENS_WIDE, { TOKENS_WIDE / 2 }>(&self.0, &self.1)
        }
    }

    impl Registers for V3 {
        type Sums = [__m256i; 2];
        type Weights = [__m256i; 2];

        #[inline(always)]
        fn zero(&self) -> [__m256i; 2] {
            [self.avx._mm256_setzero_si256(); 2]
        }

        #[inline(always)]
        fn widen(&self, pack: &[i8; PACK]) -> [__m256i; 2] {
            let halves: [__m128i; 2] = pulp::cast(*pack);
            halves.map(|half| self.avx2._mm256_cvtepi8_epi16(half))
        }

        #[inline(always)]
        fn add(&self, sums: [__m256i; 2], weights: [__m256i; 2], pair: i32) -> [__m256i; 2] {
            let pair = self.avx._mm256_set1_epi32(pair);
            let [low, high] = weights.map(|half| self.avx2._mm256_madd_epi16(half, pair));
            let [sum_low, sum_high] = sums;
            [self.avx2._mm256_add_epi32(sum_low, low), self.avx2._mm256_add_epi32(sum_high, high)]
        }

        #[inline(always)]
        fn read(&self, sums: [__m256i; 2]) -> [i32; ROWS] {
            pulp::cast(sums)
        }
    }

    impl Registers for V4 {
        type Sums = __m512i;
        type Weights = __m512i;

        #[inline(always)]
        fn zero(&self) -> __m512i {
            self.avx512f._mm512_setzero_si512()
        }

        #[inline(always)]
        fn widen(&self, pack: &[i8; PACK]) -> __m512i {
            self.avx512bw._mm512_cvtepi8_epi16(pulp::cast(*pack))
        }

        #[inline(always)]
        fn add(&self, sums: __m512i, weights: __m512i, pair: i32) -> __m512i {
            let product = self.avx512bw._mm512_madd_epi16(weights, self.avx512f._mm512_set1_epi32(pair));
            self.avx512f._mm512_add_epi32(sums, product)
        }

        #[inline(always)]
        fn read(&self, sums: __m512i) -> [i32; ROWS] {
            pulp::cast(sums)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, within ±limit.
    fn numbers(count: usize, limit: i16) -> Vec<i16> {
        let mut state = 0x2545_f491_u32;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            i16::try_from(state % (2 * u32::from(limit.unsigned_abs()) + 1)).unwrap() - limit
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn every_width_gives_the_plain_products() {
        for (rows, tokens, inputs) in
            [(32, 1, 64), (64, 5, 96), (96, 4, 256), (32, 9, 768), (32, 19, 1536), (64, 33, 128)]
        {
            let (r, t) = (numbers(rows * inputs, 127), numbers(tokens * inputs, 2047));
            let expected: Vec<i32> = t
                .chunks(inputs)
                .flat_map(|token| r.chunks(inputs).map(move |row| (row, token)))
                .map(|(row, token)| row.iter().zip(token).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum())
                .collect();
            let bytes: Vec<u8> =
                r.iter().map(|weight| i8::try_from(*weight).unwrap().cast_unsigned()).collect();
            assert_eq!(Matrix::new(&bytes, rows, inputs).unwrap().times(&t), expected);
            let matrix = Matrix::in_pairs(&bytes, rows, inputs).unwrap();
            assert_eq!(matrix.times(&t), expected);
            #[allow(irrefutable_let_patterns)] // elsewhere there are no tiles
            let Packed::Pairs(packs) = &matrix.packed else { panic!("in pairs") };
            let task = Task { packs, rows, inputs, tokens: &t };
            assert_eq!(multiply::<_, TOKENS, 2>(&Plain, &task), expected);
        }
    }

    #[test]
    fn sides_that_do_not_divide_are_refused() {
        assert!(Matrix::new(&[0; 30 * 4], 30, 4).is_none());
        assert!(Matrix::new(&[0; 10], 32, 4).is_none());
    }
}
