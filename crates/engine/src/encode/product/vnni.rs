//! How do processors with VNNI multiply? Product and sum in one instruction, and exactly, as all others do.
//!
//! `pulp` does not know this set of instructions, so the intrinsics are called here. Values of [`Vnni`] exist only where the
//! processor has them.
#![allow(unsafe_code, clippy::inline_always)]

use std::arch::x86_64::{
    __m512i, _mm256_loadu_si256, _mm512_cvtepi8_epi16, _mm512_dpwssd_epi32, _mm512_set1_epi32,
    _mm512_setzero_si512,
};

use super::{PACK, ROWS, Registers, TOKENS_WIDE, Task, multiply};

/// Proof that the processor has the instructions.
#[derive(Clone, Copy)]
pub(super) struct Vnni(());

impl Vnni {
    /// The registers, where the processor has them.
    pub(super) fn try_new() -> Option<Vnni> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vnni");
        has.then_some(Vnni(()))
    }

    /// The products of a task.
    pub(super) fn multiply(self, task: &Task<'_>) -> Vec<i32> {
        // SAFETY: a `Vnni` is made only where the processor has what the function is compiled for.
        unsafe { multiply_with(self, task) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn multiply_with(registers: Vnni, task: &Task<'_>) -> Vec<i32> {
    multiply::<_, TOKENS_WIDE, { TOKENS_WIDE / 2 }>(&registers, task)
}

impl Registers for Vnni {
    type Sums = __m512i;
    type Weights = __m512i;

    #[inline(always)]
    fn zero(&self) -> __m512i {
        // SAFETY: as in `Vnni::multiply`.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn widen(&self, pack: &[i8; PACK]) -> __m512i {
        // SAFETY: as in `Vnni::multiply`; a pack has the 32 bytes that are read, and they need no alignment.
        unsafe { _mm512_cvtepi8_epi16(_mm256_loadu_si256(pack.as_ptr().cast())) }
    }

    #[inline(always)]
    fn add(&self, sums: __m512i, weights: __m512i, pair: i32) -> __m512i {
        // SAFETY: as in `Vnni::multiply`.
        unsafe { _mm512_dpwssd_epi32(sums, weights, _mm512_set1_epi32(pair)) }
    }

    #[inline(always)]
    fn read(&self, sums: __m512i) -> [i32; ROWS] {
        pulp::cast(sums)
    }
}
