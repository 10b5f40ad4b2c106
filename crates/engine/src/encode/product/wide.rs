//! How do processors without VNNI multiply? Sixteen-bit numbers, whose neighbours are added up, so that each row has two sums until the end.
#![allow(clippy::inline_always)] // or the code would not be compiled for the registers that the caller has found

use std::arch::x86_64::{__m128i, __m256i, __m512i};

use pulp::NullaryFnOnce;
use pulp::x86::{V3, V4};

use super::{DEPTH, PACK, ROWS, Registers, Task, multiply};

/// A task on the registers of one kind of processor.
pub(super) struct Wide<'t, S>(pub S, pub Task<'t>);

impl NullaryFnOnce for Wide<'_, V3> {
    type Output = Vec<i32>;

    #[inline(always)]
    fn call(self) -> Vec<i32> {
        // The sums of a token, of two packs, take half of the sixteen registers.
        multiply::<_, 1, 1, 1>(&self.0, &self.1)
    }
}

impl NullaryFnOnce for Wide<'_, V4> {
    type Output = Vec<i32>;

    #[inline(always)]
    fn call(self) -> Vec<i32> {
        // The sums of six tokens take twenty-four of the thirty-two registers.
        multiply::<_, 6, 4, 2>(&self.0, &self.1)
    }
}

/// Four inputs as sixteen-bit numbers side by side.
fn sixteen_bits(four: [i8; DEPTH]) -> i64 {
    pulp::cast(four.map(i16::from))
}

/// Both sums of each row together.
fn both(sums: [i32; 2 * ROWS]) -> [i32; ROWS] {
    let mut rows = [0; ROWS];
    for (row, [one, two]) in rows.iter_mut().zip(sums.as_chunks::<2>().0) {
        *row = one + two;
    }
    rows
}

impl Registers for V3 {
    type Sums = [__m256i; 4];
    type Weights = [__m256i; 4];
    type Inputs = i64;

    #[inline(always)]
    fn zero(&self) -> [__m256i; 4] {
        [self.avx._mm256_setzero_si256(); 4]
    }

    #[inline(always)]
    fn widen(&self, pack: &[i8; PACK]) -> [__m256i; 4] {
        let quarters: [__m128i; 4] = pulp::cast(*pack);
        quarters.map(|quarter| self.avx2._mm256_cvtepi8_epi16(quarter))
    }

    #[inline(always)]
    fn inputs(four: [i8; DEPTH]) -> i64 {
        sixteen_bits(four)
    }

    #[inline(always)]
    fn add(&self, mut sums: [__m256i; 4], weights: [__m256i; 4], inputs: i64) -> [__m256i; 4] {
        let inputs = self.avx._mm256_set1_epi64x(inputs);
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum = self.avx2._mm256_add_epi32(*sum, self.avx2._mm256_madd_epi16(weights, inputs));
        }
        sums
    }

    #[inline(always)]
    fn read(&self, sums: [__m256i; 4]) -> [i32; ROWS] {
        both(pulp::cast(sums))
    }
}

impl Registers for V4 {
    type Sums = [__m512i; 2];
    type Weights = [__m512i; 2];
    type Inputs = i64;

    #[inline(always)]
    fn zero(&self) -> [__m512i; 2] {
        [self.avx512f._mm512_setzero_si512(); 2]
    }

    #[inline(always)]
    fn widen(&self, pack: &[i8; PACK]) -> [__m512i; 2] {
        let halves: [__m256i; 2] = pulp::cast(*pack);
        halves.map(|half| self.avx512bw._mm512_cvtepi8_epi16(half))
    }

    #[inline(always)]
    fn inputs(four: [i8; DEPTH]) -> i64 {
        sixteen_bits(four)
    }

    #[inline(always)]
    fn add(&self, mut sums: [__m512i; 2], weights: [__m512i; 2], inputs: i64) -> [__m512i; 2] {
        let inputs = self.avx512f._mm512_set1_epi64(inputs);
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum = self.avx512f._mm512_add_epi32(*sum, self.avx512bw._mm512_madd_epi16(weights, inputs));
        }
        sums
    }

    #[inline(always)]
    fn read(&self, sums: [__m512i; 2]) -> [i32; ROWS] {
        both(pulp::cast(sums))
    }
}
