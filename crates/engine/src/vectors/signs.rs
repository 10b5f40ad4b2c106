//! How alike are the pieces of texts to a piece of a message? One bit a dimension of each piece, text by text.

use super::query::Whole;
use super::registers::{BLOCK_ROWS, PAIR_BYTES, Registers, Work, Worths, on_widest, place};
use super::turn::turn;

/// The mean size of a number of a long vector of length one, times the root of how many there are: √(2/π). What the signs of a
/// vector lose of its likeness to another.
const OF_SIGNS: f32 = 0.797_884_6;

/// The signs of one text's pieces, packed.
pub(crate) type Packed = Vec<[u8; PAIR_BYTES]>;

/// The pieces of many texts, by their signs.
#[derive(Debug, Default)]
pub(crate) struct Signs {
    blocks: Packed,
    /// Where the blocks of each text begin, and where the last ones end.
    starts: Vec<usize>,
    dimensions: usize,
}

impl Signs {
    /// Packs the pieces of a text, given one after the other; their length is a multiple of 64. What is left of the last block
    /// has its last piece again, which changes no maximum.
    pub(crate) fn pack(pieces: &[f32], dimensions: usize) -> Packed {
        let columns = dimensions / 8;
        let mut packed = Packed::new();
        for rows in pieces.chunks(BLOCK_ROWS * dimensions) {
            let mut block = vec![0_u8; BLOCK_ROWS * columns];
            let rows: Vec<Vec<f32>> = rows.chunks_exact(dimensions).map(turn).collect();
            for at in 0..BLOCK_ROWS {
                let Some(row) = rows.get(at).or(rows.last()) else { break };
                let column = block.iter_mut().skip(place(at)).step_by(BLOCK_ROWS);
                for (byte, numbers) in column.zip(row.as_chunks::<8>().0) {
                    *byte = (0..).zip(numbers).map(|(bit, number)| u8::from(*number >= 0.0) << bit).sum();
                }
            }
            packed.extend_from_slice(block.as_chunks().0);
        }
        packed
    }

    /// Takes texts in, in their order.
    pub(crate) fn new(texts: impl IntoIterator<Item = Packed>, dimensions: usize) -> Signs {
        let mut signs = Signs { blocks: Packed::new(), starts: vec![0], dimensions };
        for text in texts {
            signs.blocks.extend(text);
            signs.starts.push(signs.blocks.len());
        }
        signs
    }

    /// How alike the nearest piece of each of these texts is to a piece of a message, about; zero where a text has none.
    pub(crate) fn nearest(&self, piece: &[f32], texts: &[usize]) -> Vec<f32> {
        let Some(whole) = Whole::query(piece).filter(|_| piece.len() == self.dimensions) else {
            return vec![0.0; texts.len()];
        };
        let worths = whole.worths();
        let most = on_widest(Highest { signs: self, worths: &worths, texts });
        let weights = whole.weights();
        let sum = weights.iter().map(|weight| f32::from(*weight)).sum::<f32>();
        let squares = weights.iter().map(|weight| f32::from(*weight).powi(2)).sum::<f32>();
        #[allow(clippy::cast_precision_loss)] // dimensions are few
        let scale = 1.0 / (squares * self.dimensions as f32).sqrt().max(1.0) / OF_SIGNS;
        most.into_iter().map(|most| most.map_or(0.0, |most| (2.0 * f32::from(most) - sum) * scale)).collect()
    }

    fn of(&self, text: usize) -> &[[u8; PAIR_BYTES]] {
        let (from, to) = (self.starts.get(text), self.starts.get(text + 1));
        from.zip(to).and_then(|(from, to)| self.blocks.get(*from..*to)).unwrap_or_default()
    }
}

/// The piece of each text whose signs are worth most.
struct Highest<'s> {
    signs: &'s Signs,
    worths: &'s [Worths],
    texts: &'s [usize],
}

impl Work for Highest<'_> {
    type Output = Vec<Option<u16>>;

    #[allow(clippy::inline_always)] // or it would not be compiled for the registers that were found
    #[inline(always)]
    fn run<R: Registers>(self, registers: &R) -> Vec<Option<u16>> {
        let mut highest = Vec::with_capacity(self.texts.len());
        for text in self.texts {
            let mut most = None;
            for block in self.signs.of(*text).chunks_exact(self.worths.len().max(1)) {
                let worths = registers.weigh(block, self.worths);
                // Number by number, so that whole registers are compared.
                let own = worths.iter().fold(0, |most: u16, worth| most.max(*worth));
                most = most.max(Some(own));
            }
            highest.push(most);
        }
        highest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::registers::on_each;

    /// Vectors that look random, of length one.
    fn vector(seed: u32) -> Vec<f32> {
        let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            f32::from(u16::try_from(state >> 16).unwrap()) / 32_768.0 - 1.0
        };
        let values: Vec<f32> = (0..256).map(|_| next()).collect();
        let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        values.iter().map(|value| value / length).collect()
    }

    fn signs() -> Signs {
        let text =
            |seeds: std::ops::Range<u32>| Signs::pack(&seeds.flat_map(vector).collect::<Vec<_>>(), 256);
        Signs::new([text(1..4), text(4..74), text(0..0)], 256)
    }

    #[test]
    fn the_nearest_piece_of_each_text_counts() {
        let signs = signs();
        for seed in [1, 3, 4, 40, 73] {
            let near = signs.nearest(&vector(seed), &[0, 1, 2]);
            let (own, other) = if seed < 4 { (near[0], near[1]) } else { (near[1], near[0]) };
            assert!((own - 1.0).abs() < 0.12 && other < 0.5, "{seed}: {near:?}");
            assert!(near[2].abs() < f32::EPSILON, "a text without pieces");
        }
        assert_eq!(
            signs.nearest(&[1.0], &[0, 9]),
            [0.0, 0.0],
            "a piece of another length is near to nothing"
        );
    }

    #[test]
    fn the_same_is_found_on_all_registers() {
        let signs = signs();
        let worths = Whole::query(&vector(5)).unwrap().worths();
        let all = on_each(|| Highest { signs: &signs, worths: &worths, texts: &[0, 1, 2] });
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
