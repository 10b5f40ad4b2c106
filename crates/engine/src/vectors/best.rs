//! Which rows score highest? A pool twice as large as asked for, cut to the best whenever it is full.

use std::cmp::Reverse;

/// The highest scores so far. Rows come in ascending order; of equal scores the lower row wins.
#[derive(Debug)]
pub(super) struct Best {
    most: usize,
    /// Only what is above can still be among the best.
    floor: i32,
    /// Ordered as it is wanted.
    pool: Vec<(Reverse<i32>, u32)>,
}

impl Best {
    pub(super) fn new(most: usize) -> Best {
        let floor = if most == 0 { i32::MAX } else { i32::MIN };
        Best { most, floor, pool: Vec::new() }
    }

    /// What a score must be above.
    pub(super) fn floor(&self) -> i32 {
        self.floor
    }

    pub(super) fn offer(&mut self, score: i32, row: u32) {
        if score > self.floor {
            self.pool.push((Reverse(score), row));
            if self.pool.len() >= self.most.saturating_mul(2) {
                self.cut();
            }
        }
    }

    #[cold]
    fn cut(&mut self) {
        let Some(last) = self.most.checked_sub(1).filter(|last| *last < self.pool.len()) else { return };
        let (_, (Reverse(floor), _), _) = self.pool.select_nth_unstable(last);
        self.floor = *floor;
        self.pool.truncate(self.most);
    }

    /// The best, highest first.
    pub(super) fn into_sorted(mut self) -> Vec<(i32, u32)> {
        self.cut();
        self.pool.sort_unstable();
        self.pool.into_iter().map(|(Reverse(score), row)| (score, row)).collect()
    }
}

/// A similarity as a whole number of the same order.
pub(super) fn rank(similarity: f32) -> i32 {
    in_order(similarity.to_bits().cast_signed())
}

/// The similarity of a rank.
pub(super) fn similarity(rank: i32) -> f32 {
    f32::from_bits(in_order(rank).cast_unsigned())
}

/// The bits of negative numbers fall as they rise: turned around, whole numbers order as floats do.
const fn in_order(bits: i32) -> i32 {
    bits ^ ((bits >> 31).cast_unsigned() >> 1).cast_signed()
}
