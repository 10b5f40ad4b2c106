//! How do processors with VNNI multiply? Four products and their sum in one instruction, and exactly, as all others do.
//!
//! One of the factors has no sign there: 128 is added to every input, and 128 times the sum of a row's weights taken away from its product.
//! `pulp` does not know this set of instructions, so the intrinsics are called here. Values of [`Vnni`] exist only where the
//! processor has them.
#![allow(unsafe_code, clippy::inline_always)]

use std::arch::x86_64::{
    __m512i, _MM_HINT_T0, _mm_prefetch, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32,
    _mm512_setzero_si512,
};

use super::{DEPTH, PACK, ROWS, Registers, Task, multiply};

/// What is added to an input so that it has no sign.
const SHIFT: i32 = 128;

/// How far ahead weights are asked for, in bytes: what is multiplied while memory answers.
const AHEAD: usize = 2048;

/// Proof that the processor has the instructions.
#[derive(Clone, Copy)]
pub(super) struct Vnni(());

impl Vnni {
    /// The registers, where the processor has them.
    pub(super) fn try_new() -> Option<Vnni> {
        let has = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni");
        has.then_some(Vnni(()))
    }

    /// The products of a task.
    pub(super) fn multiply(self, task: &Task<'_>, row_sums: &[i32]) -> Vec<i32> {
        // SAFETY: a `Vnni` is made only where the processor has what the function is compiled for.
        let mut products = unsafe { multiply_with(self, task) };
        for products in products.chunks_exact_mut(row_sums.len().max(1)) {
            for (product, sum) in products.iter_mut().zip(row_sums) {
                *product -= SHIFT * sum;
            }
        }
        products
    }
}

#[target_feature(enable = "avx512f,avx512vnni")]
fn multiply_with(registers: Vnni, task: &Task<'_>) -> Vec<i32> {
    // The sums of twelve tokens take twenty-four of the thirty-two registers.
    multiply::<_, 12, 8, 4>(&registers, task)
}

impl Registers for Vnni {
    type Sums = __m512i;
    type Weights = __m512i;
    type Inputs = i32;

    #[inline(always)]
    fn zero(&self) -> __m512i {
        // SAFETY: as in `Vnni::multiply`.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn widen(&self, pack: &[i8; PACK]) -> __m512i {
        let bytes = pack.as_ptr();
        // SAFETY: as in `Vnni::multiply`; a pack has the 64 bytes that are read, and they need no alignment. What is asked for ahead is not read.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(bytes.wrapping_add(AHEAD));
            _mm512_loadu_si512(bytes.cast())
        }
    }

    #[inline(always)]
    fn inputs(four: [i8; DEPTH]) -> i32 {
        i32::from_ne_bytes(four.map(|input| input.cast_unsigned() ^ 0x80))
    }

    #[inline(always)]
    fn add(&self, sums: __m512i, weights: __m512i, inputs: i32) -> __m512i {
        // SAFETY: as in `Vnni::multiply`.
        unsafe { _mm512_dpbusd_epi32(sums, _mm512_set1_epi32(inputs), weights) }
    }

    #[inline(always)]
    fn read(&self, sums: __m512i) -> [i32; ROWS] {
        pulp::cast(sums)
    }
}
