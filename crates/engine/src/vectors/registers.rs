//! How are a row's bits and numbers held against a query fast? By the widest registers at hand; all sums are of whole
//! numbers, so they are the same whichever those are.
#![allow(clippy::inline_always)] // or the code would not be compiled for the registers that were found

/// Rows whose bits are kept together, a column of eight dimensions after the other: one lookup serves them all.
pub(super) const BLOCK_ROWS: usize = 32;
/// Two columns of a block, or a cache line: what the widest registers hold.
pub(super) const PAIR_BYTES: usize = 2 * BLOCK_ROWS;
/// Rows on the even bytes of a column; the others are on the odd ones, so that sums come out in the order of rows.
const EVEN_ROWS: usize = BLOCK_ROWS / 2;

/// Where in a column the byte of a block's row stands.
pub(super) const fn place(row: usize) -> usize {
    if row < EVEN_ROWS { 2 * row } else { 2 * (row - EVEN_ROWS) + 1 }
}

/// What four bits of a row are worth to a query, for two columns: sixteen entries for the lower four bits of each byte and
/// sixteen for the upper ones, each repeated for as many bytes as share them. No entry is above [`Worths::MAX`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Worths {
    pub(super) low: [u8; PAIR_BYTES],
    pub(super) high: [u8; PAIR_BYTES],
}

impl Worths {
    /// Largest entry: two of them fit a byte.
    pub(super) const MAX: u8 = 127;
}

/// Registers that know both kinds of sums.
pub(super) trait Registers {
    /// What the bits of each row of a block are worth: the sum of its entries, which must fit sixteen bits.
    fn weigh(&self, columns: &[[u8; PAIR_BYTES]], worths: &[Worths]) -> [u16; BLOCK_ROWS];

    /// The product of a row of eight-bit numbers with a query, whose length is a multiple of 64.
    fn product(&self, row: &[u8], query: &[i16]) -> i32;
}

/// Work for registers. Its `run` is to be `#[inline(always)]`.
pub(super) trait Work {
    type Output;
    fn run<R: Registers>(self, registers: &R) -> Self::Output;
}

/// Does work on the widest registers of this machine.
pub(super) fn on_widest<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(wide) = pulp::x86::V4::try_new() {
            return wide.vectorize(wide::On(wide, work));
        }
        if let Some(wide) = pulp::x86::V3::try_new() {
            return wide.vectorize(wide::On(wide, work));
        }
        if let Some(wide) = pulp::x86::V2::try_new() {
            return wide.vectorize(wide::On(wide, work));
        }
    }
    work.run(&Plain)
}

/// Does the same work on all registers of this machine.
#[cfg(test)]
pub(super) fn on_each<W: Work>(work: impl Fn() -> W) -> Vec<W::Output> {
    let mut outputs = vec![work().run(&Plain)];
    #[cfg(target_arch = "x86_64")]
    {
        let wide = pulp::x86::V2::try_new().map(|wide| wide.vectorize(wide::On(wide, work())));
        outputs.extend(wide);
        let wide = pulp::x86::V3::try_new().map(|wide| wide.vectorize(wide::On(wide, work())));
        outputs.extend(wide);
        let wide = pulp::x86::V4::try_new().map(|wide| wide.vectorize(wide::On(wide, work())));
        outputs.extend(wide);
    }
    outputs
}

/// Registers every machine has.
pub(super) struct Plain;

impl Registers for Plain {
    #[inline(always)]
    fn weigh(&self, columns: &[[u8; PAIR_BYTES]], worths: &[Worths]) -> [u16; BLOCK_ROWS] {
        let entry = |entries: &[u8], at: u8| entries.get(usize::from(at)).copied().map_or(0, u16::from);
        let mut sums = [0_u16; BLOCK_ROWS];
        for (pair, worths) in columns.iter().zip(worths) {
            let tables = worths.low.chunks_exact(BLOCK_ROWS).zip(worths.high.chunks_exact(BLOCK_ROWS));
            for (column, (low, high)) in pair.chunks_exact(BLOCK_ROWS).zip(tables) {
                let (even, odd) = sums.split_at_mut(EVEN_ROWS);
                for ((even, odd), [first, second]) in even.iter_mut().zip(odd).zip(column.as_chunks().0) {
                    *even = even.wrapping_add(entry(low, first & 15) + entry(high, first >> 4));
                    *odd = odd.wrapping_add(entry(low, second & 15) + entry(high, second >> 4));
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn product(&self, row: &[u8], query: &[i16]) -> i32 {
        row.iter().zip(query).map(|(a, b)| i32::from(a.cast_signed()) * i32::from(*b)).sum()
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::{__m128i, __m256i, __m512i};

    use pulp::NullaryFnOnce;
    use pulp::x86::{V2, V3, V4};

    use super::{BLOCK_ROWS, EVEN_ROWS, PAIR_BYTES, Plain, Registers, Work, Worths};

    /// Work on the registers of one kind of processor.
    pub(super) struct On<S, W>(pub(super) S, pub(super) W);

    impl<S: Registers, W: Work> NullaryFnOnce for On<S, W> {
        type Output = W::Output;

        #[inline(always)]
        fn call(self) -> W::Output {
            self.1.run(&self.0)
        }
    }

    /// The sums of rows, out of sums of two bytes at once and of the odd bytes alone, each of sixteen lanes and again.
    #[inline(always)]
    fn rows<const LANES: usize>(both: [u16; LANES], odd: [u16; LANES]) -> [u16; BLOCK_ROWS] {
        let mut sums = [0_u16; BLOCK_ROWS];
        let (even_sums, odd_sums) = sums.split_at_mut(EVEN_ROWS);
        for (both, odd) in both.chunks_exact(EVEN_ROWS).zip(odd.chunks_exact(EVEN_ROWS)) {
            let lanes = both.iter().zip(odd).zip(even_sums.iter_mut().zip(odd_sums.iter_mut()));
            for ((both, odd), (even_sum, odd_sum)) in lanes {
                *even_sum = even_sum.wrapping_add(both.wrapping_sub(odd << 8));
                *odd_sum = odd_sum.wrapping_add(*odd);
            }
        }
        sums
    }

    /// A step of weighing: looks the lower and upper four bits of bytes up, and adds what they are worth.
    trait Lookup {
        type Bytes: Copy;
        fn add(
            &self,
            sums: [Self::Bytes; 2],
            bytes: Self::Bytes,
            low: Self::Bytes,
            high: Self::Bytes,
        ) -> [Self::Bytes; 2];
    }

    impl Lookup for V2 {
        type Bytes = __m128i;

        #[inline(always)]
        fn add(&self, sums: [__m128i; 2], bytes: __m128i, low: __m128i, high: __m128i) -> [__m128i; 2] {
            let mask = self.sse2._mm_set1_epi8(15);
            let upper = self.sse2._mm_and_si128(self.sse2._mm_srli_epi16::<4>(bytes), mask);
            let low = self.ssse3._mm_shuffle_epi8(low, self.sse2._mm_and_si128(bytes, mask));
            let worth = self.sse2._mm_add_epi8(low, self.ssse3._mm_shuffle_epi8(high, upper));
            let [both, odd] = sums;
            [
                self.sse2._mm_add_epi16(both, worth),
                self.sse2._mm_add_epi16(odd, self.sse2._mm_srli_epi16::<8>(worth)),
            ]
        }
    }

    impl Lookup for V3 {
        type Bytes = __m256i;

        #[inline(always)]
        fn add(&self, sums: [__m256i; 2], bytes: __m256i, low: __m256i, high: __m256i) -> [__m256i; 2] {
            let mask = self.avx._mm256_set1_epi8(15);
            let upper = self.avx2._mm256_and_si256(self.avx2._mm256_srli_epi16::<4>(bytes), mask);
            let low = self.avx2._mm256_shuffle_epi8(low, self.avx2._mm256_and_si256(bytes, mask));
            let worth = self.avx2._mm256_add_epi8(low, self.avx2._mm256_shuffle_epi8(high, upper));
            let [both, odd] = sums;
            [
                self.avx2._mm256_add_epi16(both, worth),
                self.avx2._mm256_add_epi16(odd, self.avx2._mm256_srli_epi16::<8>(worth)),
            ]
        }
    }

    impl Lookup for V4 {
        type Bytes = __m512i;

        #[inline(always)]
        fn add(&self, sums: [__m512i; 2], bytes: __m512i, low: __m512i, high: __m512i) -> [__m512i; 2] {
            let mask = self.avx512f._mm512_set1_epi8(15);
            let upper = self.avx512f._mm512_and_si512(self.avx512bw._mm512_srli_epi16::<4>(bytes), mask);
            let low = self.avx512bw._mm512_shuffle_epi8(low, self.avx512f._mm512_and_si512(bytes, mask));
            let worth = self.avx512bw._mm512_add_epi8(low, self.avx512bw._mm512_shuffle_epi8(high, upper));
            let [both, odd] = sums;
            [
                self.avx512bw._mm512_add_epi16(both, worth),
                self.avx512bw._mm512_add_epi16(odd, self.avx512bw._mm512_srli_epi16::<8>(worth)),
            ]
        }
    }

    impl Registers for V2 {
        #[inline(always)]
        fn weigh(&self, columns: &[[u8; PAIR_BYTES]], worths: &[Worths]) -> [u16; BLOCK_ROWS] {
            let (mut one, mut two) = ([self.sse2._mm_setzero_si128(); 2], [self.sse2._mm_setzero_si128(); 2]);
            for (pair, worths) in columns.iter().zip(worths) {
                let [a, b, c, d]: [__m128i; 4] = pulp::cast(*pair);
                let [low_a, low_b, low_c, low_d]: [__m128i; 4] = pulp::cast(worths.low);
                let [high_a, high_b, high_c, high_d]: [__m128i; 4] = pulp::cast(worths.high);
                one = self.add(self.add(one, a, low_a, high_a), c, low_c, high_c);
                two = self.add(self.add(two, b, low_b, high_b), d, low_d, high_d);
            }
            let ([one_both, one_odd], [two_both, two_odd]) = (one, two);
            rows::<EVEN_ROWS>(pulp::cast([one_both, two_both]), pulp::cast([one_odd, two_odd]))
        }

        #[inline(always)]
        fn product(&self, row: &[u8], query: &[i16]) -> i32 {
            Plain.product(row, query)
        }
    }

    impl Registers for V3 {
        #[inline(always)]
        fn weigh(&self, columns: &[[u8; PAIR_BYTES]], worths: &[Worths]) -> [u16; BLOCK_ROWS] {
            let mut sums = [self.avx._mm256_setzero_si256(); 2];
            for (pair, worths) in columns.iter().zip(worths) {
                let [a, b]: [__m256i; 2] = pulp::cast(*pair);
                let [low_a, low_b]: [__m256i; 2] = pulp::cast(worths.low);
                let [high_a, high_b]: [__m256i; 2] = pulp::cast(worths.high);
                sums = self.add(self.add(sums, a, low_a, high_a), b, low_b, high_b);
            }
            let [both, odd] = sums;
            rows::<EVEN_ROWS>(pulp::cast(both), pulp::cast(odd))
        }

        #[inline(always)]
        fn product(&self, row: &[u8], query: &[i16]) -> i32 {
            let (mut one, mut two) = (self.avx._mm256_setzero_si256(), self.avx._mm256_setzero_si256());
            for (row, query) in row.as_chunks::<32>().0.iter().zip(query.as_chunks::<32>().0) {
                let [row_a, row_b]: [__m128i; 2] = pulp::cast(*row);
                let [query_a, query_b]: [__m256i; 2] = pulp::cast(*query);
                let a = self.avx2._mm256_madd_epi16(self.avx2._mm256_cvtepi8_epi16(row_a), query_a);
                let b = self.avx2._mm256_madd_epi16(self.avx2._mm256_cvtepi8_epi16(row_b), query_b);
                one = self.avx2._mm256_add_epi32(one, a);
                two = self.avx2._mm256_add_epi32(two, b);
            }
            let sums: [i32; 8] = pulp::cast(self.avx2._mm256_add_epi32(one, two));
            sums.iter().sum()
        }
    }

    impl Registers for V4 {
        #[inline(always)]
        fn weigh(&self, columns: &[[u8; PAIR_BYTES]], worths: &[Worths]) -> [u16; BLOCK_ROWS] {
            let mut sums = [self.avx512f._mm512_setzero_si512(); 2];
            for (pair, worths) in columns.iter().zip(worths) {
                sums = self.add(sums, pulp::cast(*pair), pulp::cast(worths.low), pulp::cast(worths.high));
            }
            let [both, odd] = sums;
            rows::<BLOCK_ROWS>(pulp::cast(both), pulp::cast(odd))
        }

        #[inline(always)]
        fn product(&self, row: &[u8], query: &[i16]) -> i32 {
            let (mut one, mut two) =
                (self.avx512f._mm512_setzero_si512(), self.avx512f._mm512_setzero_si512());
            for (row, query) in row.as_chunks::<64>().0.iter().zip(query.as_chunks::<64>().0) {
                let [row_a, row_b]: [__m256i; 2] = pulp::cast(*row);
                let [query_a, query_b]: [__m512i; 2] = pulp::cast(*query);
                let a = self.avx512bw._mm512_madd_epi16(self.avx512bw._mm512_cvtepi8_epi16(row_a), query_a);
                let b = self.avx512bw._mm512_madd_epi16(self.avx512bw._mm512_cvtepi8_epi16(row_b), query_b);
                one = self.avx512f._mm512_add_epi32(one, a);
                two = self.avx512f._mm512_add_epi32(two, b);
            }
            let sums: [i32; 16] = pulp::cast(self.avx512f._mm512_add_epi32(one, two));
            sums.iter().sum()
        }
    }
}
