//! How is a head kept for the next time? As bytes with a checksum, the same on every machine.

use sha2::{Digest, Sha256};

use super::calibrate::{Calibration, Spread};
use super::exemplars::Exemplars;
use super::promise::Judged;
use super::table::{Table, stride_of};
use super::{BLOCK_WEIGHT, BUCKETS, Head, NO_ROW, Select, Shape};

/// The version of the layout and of the way of learning: what another version learned is another head.
pub const LEARNING_VERSION: u32 = 3;
/// What such bytes begin with; the number goes up whenever the layout or the way of learning changes.
const MAGIC: &[u8; 16] = b"waypost-head-03\n";
/// Bytes of the checksum behind it.
pub(super) const CHECKSUM: usize = 32;

/// All that is kept of one learning: the head, and which lessons it was taught.
#[derive(Clone, Debug, PartialEq)]
pub struct Taught {
    /// The head.
    pub head: Head,

    /// A mark of each lesson, in their order: equal marks are equal lessons.
    pub lessons: Vec<u64>,
}

/// Why kept bytes cannot be used. The head is learned anew then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Another version wrote them, or another program.
    Foreign,
    /// They are cut or altered.
    Damaged,
}

impl Taught {
    /// The bytes to keep.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Head { shape, outputs, rows, rarity, weights, moved, exemplars, calibration, judged, .. } =
            &self.head;
        let mut body =
            Writer(Vec::with_capacity(weights.cells().len() * 2 + exemplars.bytes().len() + (1 << 16)));
        let many = u64::from(shape.select == Select::Many);
        for number in [shape.classes as u64, shape.dimensions as u64, many, *outputs as u64] {
            body.number(number);
        }
        let mut buckets = vec![0u32; rarity.len()];
        for (row, bucket) in rows.iter().zip(0..) {
            if let Some(place) = buckets.get_mut(*row as usize) {
                *place = bucket;
            }
        }
        body.list(&buckets, |bucket| bucket.to_le_bytes());
        for floats in [rarity, moved] {
            body.list(floats, |float| float.to_le_bytes());
        }
        body.list(weights.cells(), |cell| cell.to_le_bytes());
        let Calibration { temperature, pull, logit, nearness, doubt_below, doubt_width } = calibration;
        let (fitted, logit) = (logit.is_some(), logit.unwrap_or(Spread { mean: 0.0, deviation: 1.0 }));
        let fit =
            [logit.mean, logit.deviation, nearness.mean, nearness.deviation, *doubt_below, *doubt_width];
        body.number(u64::from(fitted));
        body.list(&fit, |float| float.to_le_bytes());
        body.list(&[*temperature, *pull], |float| float.to_le_bytes());
        body.list(judged, |judged| (judged.class as u64 * 2 + u64::from(judged.right)).to_le_bytes());
        body.list(judged, |judged| judged.belief.to_le_bytes());
        body.list(exemplars.bytes(), |byte| byte.to_le_bytes());
        for own in exemplars.of_class() {
            body.list(own, |place| place.to_le_bytes());
        }
        body.list(&self.lessons, |mark| mark.to_le_bytes());
        [&MAGIC[..], &Sha256::digest(&body.0), &body.0].concat()
    }

    /// Reads kept bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Taught, Unreadable> {
        let rest = bytes.strip_prefix(&MAGIC[..]).ok_or(Unreadable::Foreign)?;
        let (checksum, body) = rest.split_at_checked(CHECKSUM).ok_or(Unreadable::Damaged)?;
        if Sha256::digest(body)[..] != *checksum {
            return Err(Unreadable::Damaged);
        }
        Reader(body).taught().ok_or(Unreadable::Damaged)
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    /// How many there are, then each.
    fn list<T, const N: usize>(&mut self, items: &[T], bytes: impl Fn(&T) -> [u8; N]) {
        self.number(items.len() as u64);
        for item in items {
            self.0.extend_from_slice(&bytes(item));
        }
    }
}

struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<usize> {
        let (eight, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        usize::try_from(u64::from_le_bytes(*eight)).ok()
    }

    fn list<T, const N: usize>(&mut self, of: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
        let count = self.number()?;
        let (bytes, rest) = self.0.split_at_checked(count.checked_mul(N)?)?;
        self.0 = rest;
        Some(bytes.as_chunks::<N>().0.iter().map(|chunk| of(*chunk)).collect())
    }

    fn taught(mut self) -> Option<Taught> {
        let (classes, dimensions, many, outputs) =
            (self.number()?, self.number()?, self.number()?, self.number()?);
        let select = if many == 1 { Select::Many } else { Select::One };
        let buckets = self.list(u32::from_le_bytes)?;
        let mut rows = vec![NO_ROW; BUCKETS];
        for (bucket, row) in buckets.iter().zip(0..) {
            *rows.get_mut(*bucket as usize)? = row;
        }
        let (rarity, moved) = (self.list(f32::from_le_bytes)?, self.list(f32::from_le_bytes)?);
        let weights = Table::of_cells(self.list(u16::from_le_bytes)?, stride_of(outputs));
        let fitted = self.number()? == 1;
        let fit = self.list(f32::from_le_bytes)?;
        let [logit_mean, logit_deviation, mean, deviation, doubt_below, doubt_width] = *fit.first_chunk()?;
        let logit = fitted.then_some(Spread { mean: logit_mean, deviation: logit_deviation });
        let [temperature, pull] = *self.list(f32::from_le_bytes)?.first_chunk()?;
        let nearness = Spread { mean, deviation };
        let calibration = Calibration { temperature, pull, logit, nearness, doubt_below, doubt_width };
        let (classes_judged, beliefs) = (self.list(u64::from_le_bytes)?, self.list(f32::from_le_bytes)?);
        let judged = classes_judged.into_iter().zip(beliefs).map(|(class, belief)| {
            Some(Judged { class: usize::try_from(class / 2).ok()?, belief, right: class % 2 == 1 })
        });
        let judged: Vec<Judged> = judged.collect::<Option<_>>()?;
        let shape = Shape { classes, dimensions, select };
        let bytes = self.list(i8::from_le_bytes)?;
        let of_class: Option<Vec<Vec<u32>>> = (0..=classes).map(|_| self.list(u32::from_le_bytes)).collect();
        let exemplars = Exemplars::kept(dimensions, bytes, of_class?);
        let head = Head {
            shape,
            outputs,
            rows,
            rarity,
            weights,
            moved,
            exemplars,
            block_weight: BLOCK_WEIGHT,
            calibration,
            judged,
        };
        let lessons = self.list(u64::from_le_bytes)?;
        self.0.is_empty().then_some(Taught { head, lessons })
    }
}
