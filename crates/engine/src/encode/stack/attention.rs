//! What does each token see of the others? Attention of twelve heads, four tokens at a time.
//!
//! Keys lie sixteen tokens side by side, one number of all sixteen after the other, so that sixteen are compared at once and nothing
//! has to be summed across a register. Sums keep their order, whatever the width of the registers.
#![allow(clippy::inline_always)] // or the code would not be compiled for the registers that were found
#![allow(clippy::indexing_slicing)] // of arrays, by remainders and counts of their own length

use super::super::layers::{count, exp};
use super::WIDTH;

/// Attention heads; the number of the training.
const HEADS: usize = 12;
/// Numbers that a head looks at.
const HEAD_WIDTH: usize = WIDTH / HEADS;
/// Tokens side by side.
const LANES: usize = 16;
/// Tokens that look at once: their sums fit the registers.
const AT_ONCE: usize = 4;
/// The likeness of a place without a token, beside which any other is likelier.
const NOTHING: f32 = -1e30;

/// Sixteen tokens' keys for one head.
type Block = [[f32; LANES]; HEAD_WIDTH];

/// What tokens show to others: their keys, head by head, and their values.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    keys: Vec<Block>,
    values: Vec<f32>,
    tokens: usize,
}

impl Kept {
    #[inline(always)]
    pub(super) fn of(qkv: &[f32]) -> Kept {
        let tokens = qkv.len() / (3 * WIDTH);
        let blocks = tokens.div_ceil(LANES);
        let mut keys: Vec<Block> = vec![[[0.0; LANES]; HEAD_WIDTH]; HEADS * blocks];
        if blocks > 0 {
            for (head, keys) in keys.chunks_exact_mut(blocks).enumerate() {
                set_keys(qkv, head, keys);
            }
        }
        let values =
            qkv.chunks_exact(3 * WIDTH).flat_map(|token| token.iter().skip(2 * WIDTH)).copied().collect();
        Kept { keys, values, tokens }
    }

    #[inline(always)]
    fn keys(&self, head: usize) -> &[Block] {
        let blocks = self.tokens.div_ceil(LANES);
        self.keys.get(head * blocks..(head + 1) * blocks).unwrap_or_default()
    }
}

/// Each token's view of all tokens, and of those of another text where there is one.
#[inline(always)]
pub(super) fn attend(qkv: &[f32], beside: Option<&Kept>) -> Vec<f32> {
    let tokens = qkv.len() / (3 * WIDTH);
    let others = beside.map_or(0, |beside| beside.tokens);
    let mut seen = vec![0.0; tokens * WIDTH];
    let mut keys: Vec<Block> = vec![[[0.0; LANES]; HEAD_WIDTH]; tokens.div_ceil(LANES)];
    let mut near: Vec<[[f32; LANES]; AT_ONCE]> =
        vec![[[0.0; LANES]; AT_ONCE]; others.div_ceil(LANES) + keys.len()];
    for head in 0..HEADS {
        set_keys(qkv, head, &mut keys);
        let kept = beside.map(|beside| beside.keys(head)).unwrap_or_default();
        for first in (0..tokens).step_by(AT_ONCE) {
            let queries: [&[f32; HEAD_WIDTH]; AT_ONCE] =
                std::array::from_fn(|at| part(qkv, (first + at).min(tokens - 1), 0, head));
            let (near_others, near_own) = near.split_at_mut(kept.len());
            for (near, keys) in near_others.iter_mut().zip(kept) {
                *near = likeness(queries, keys);
            }
            for (near, keys) in near_own.iter_mut().zip(&keys) {
                *near = likeness(queries, keys);
            }
            forget_beyond(near_others, others);
            forget_beyond(near_own, tokens);
            let totals = to_weights(&mut near);
            let (near_others, near_own) = near.split_at(kept.len());
            for half in 0..HEAD_WIDTH / LANES {
                let place = head * HEAD_WIDTH + half * LANES;
                let mut sums = [[0.0; LANES]; AT_ONCE];
                let values = beside.map(|beside| beside.values.as_slice()).unwrap_or_default();
                add_seen(&mut sums, near_others, values, (place, WIDTH), others);
                add_seen(&mut sums, near_own, qkv, (2 * WIDTH + place, 3 * WIDTH), tokens);
                for (at, (sums, total)) in sums.iter().zip(totals).enumerate().take(tokens - first) {
                    let start = (first + at) * WIDTH + place;
                    let Some(seen) = seen.get_mut(start..start + LANES) else { break };
                    for (seen, sum) in seen.iter_mut().zip(sums) {
                        *seen = sum * total;
                    }
                }
            }
        }
    }
    seen
}

/// Adds what is seen of so many tokens, whose values lie from a place on, a stride apart.
#[inline(always)]
fn add_seen(
    sums: &mut [[f32; LANES]; AT_ONCE],
    near: &[[[f32; LANES]; AT_ONCE]],
    values: &[f32],
    (place, stride): (usize, usize),
    tokens: usize,
) {
    for token in 0..tokens {
        let start = token * stride + place;
        let Some(values) = values.get(start..).and_then(|rest| rest.first_chunk()) else { break };
        add_weighted(sums, weights_of(near, token), values);
    }
}

/// A head's part of a token's query, key or value.
#[inline(always)]
fn part(qkv: &[f32], token: usize, which: usize, head: usize) -> &[f32; HEAD_WIDTH] {
    let start = token * 3 * WIDTH + which * WIDTH + head * HEAD_WIDTH;
    qkv.get(start..).and_then(|rest| rest.first_chunk()).unwrap_or(&[0.0; HEAD_WIDTH])
}

/// The keys for a head, sixteen tokens side by side.
#[inline(always)]
fn set_keys(qkv: &[f32], head: usize, keys: &mut [Block]) {
    let scale = 1.0 / count(HEAD_WIDTH).sqrt();
    for token in 0..qkv.len() / (3 * WIDTH) {
        let Some(block) = keys.get_mut(token / LANES) else { return };
        for (lanes, value) in block.iter_mut().zip(part(qkv, token, 1, head)) {
            lanes[token % LANES] = value * scale;
        }
    }
}

/// How like a few queries are to sixteen keys.
#[inline(always)]
fn likeness(queries: [&[f32; HEAD_WIDTH]; AT_ONCE], keys: &Block) -> [[f32; LANES]; AT_ONCE] {
    let mut near = [[0.0; LANES]; AT_ONCE];
    for (at, lanes) in keys.iter().enumerate() {
        for (near, query) in near.iter_mut().zip(queries) {
            for (near, key) in near.iter_mut().zip(lanes) {
                *near += query[at] * key;
            }
        }
    }
    near
}

/// Places behind the last token are like nothing.
#[inline(always)]
fn forget_beyond(near: &mut [[[f32; LANES]; AT_ONCE]], tokens: usize) {
    let used = tokens % LANES;
    if used > 0
        && let Some(last) = near.get_mut(tokens / LANES)
    {
        for near in last {
            for near in near.iter_mut().skip(used) {
                *near = NOTHING;
            }
        }
    }
}

/// Turns likeness into weights, and gives back what their sums are to be multiplied with to add up to one.
#[inline(always)]
fn to_weights(near: &mut [[[f32; LANES]; AT_ONCE]]) -> [f32; AT_ONCE] {
    let mut most = [[NOTHING; LANES]; AT_ONCE];
    for block in near.iter() {
        for (most, near) in most.as_flattened_mut().iter_mut().zip(block.as_flattened()) {
            *most = if *near > *most { *near } else { *most };
        }
    }
    let most =
        most.map(|lanes| lanes.into_iter().fold(NOTHING, |one, two| if two > one { two } else { one }));
    let mut sums = [[0.0; LANES]; AT_ONCE];
    for block in near.iter_mut() {
        for ((near, most), sums) in block.iter_mut().zip(most).zip(&mut sums) {
            for (near, sum) in near.iter_mut().zip(sums) {
                *near = exp(*near - most);
                *sum += *near;
            }
        }
    }
    sums.map(|lanes| 1.0 / lanes.iter().sum::<f32>())
}

/// The weights of one token for those that look.
#[inline(always)]
fn weights_of(near: &[[[f32; LANES]; AT_ONCE]], token: usize) -> [f32; AT_ONCE] {
    let Some([a, b, c, d]) = near.get(token / LANES) else { return [0.0; AT_ONCE] };
    let lane = token % LANES;
    [a[lane], b[lane], c[lane], d[lane]]
}

#[inline(always)]
fn add_weighted(sums: &mut [[f32; LANES]; AT_ONCE], weights: [f32; AT_ONCE], values: &[f32; LANES]) {
    for (sums, weight) in sums.iter_mut().zip(weights) {
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += weight * value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, token by token.
    fn plainly(qkv: &[f32]) -> Vec<f32> {
        let tokens = qkv.len() / (3 * WIDTH);
        let mut seen = vec![0.0; tokens * WIDTH];
        for head in 0..HEADS {
            for token in 0..tokens {
                let near = (0..tokens).map(|other| {
                    let pairs = part(qkv, token, 0, head).iter().zip(part(qkv, other, 1, head));
                    (pairs.map(|(query, key)| query * key).sum::<f32>() / count(HEAD_WIDTH).sqrt()).exp()
                });
                let near: Vec<f32> = near.collect();
                for (other, weight) in near.iter().enumerate() {
                    let start = token * WIDTH + head * HEAD_WIDTH;
                    for (sum, value) in seen[start..].iter_mut().zip(part(qkv, other, 2, head)) {
                        *sum += value * weight / near.iter().sum::<f32>();
                    }
                }
            }
        }
        seen
    }

    #[test]
    fn whole_and_broken_blocks_are_seen_as_they_are_token_by_token() {
        for tokens in [0_usize, 1, 3, 5, 16, 17, 33] {
            let qkv: Vec<f32> = (0..tokens * 3 * WIDTH)
                .map(|at| f32::from(u16::try_from(at * 7919 % 2003).unwrap()) / 1000.0 - 1.0)
                .collect();
            let (seen, expected) = (attend(&qkv, None), plainly(&qkv));
            let far = seen.iter().zip(&expected).map(|(one, two)| (one - two).abs()).fold(0.0, f32::max);
            assert!(seen.len() == expected.len() && far < 1e-4, "{tokens} tokens: {far}");
        }
    }

    #[test]
    fn a_text_beside_is_seen_as_if_it_stood_in_front() {
        for (others, tokens) in [(1_usize, 1_usize), (5, 3), (16, 17), (19, 40)] {
            let qkv: Vec<f32> = (0..(others + tokens) * 3 * WIDTH)
                .map(|at| f32::from(u16::try_from(at * 7919 % 2003).unwrap()) / 1000.0 - 1.0)
                .collect();
            let (first, second) = qkv.split_at(others * 3 * WIDTH);
            let whole = attend(&qkv, None);
            let seen = attend(second, Some(&Kept::of(first)));
            let far = seen.iter().zip(&whole[others * WIDTH..]).map(|(one, two)| (one - two).abs());
            assert!(far.fold(0.0, f32::max) < 1e-4, "{others} beside {tokens}");
        }
    }
}
