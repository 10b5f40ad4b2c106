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

/// Each token's view of all tokens.
#[inline(always)]
pub(super) fn attend(qkv: &[f32]) -> Vec<f32> {
    let tokens = qkv.len() / (3 * WIDTH);
    let mut seen = vec![0.0; tokens * WIDTH];
    let mut keys: Vec<Block> = vec![[[0.0; LANES]; HEAD_WIDTH]; tokens.div_ceil(LANES)];
    let mut near: Vec<[[f32; LANES]; AT_ONCE]> = vec![[[0.0; LANES]; AT_ONCE]; keys.len()];
    for head in 0..HEADS {
        set_keys(qkv, head, &mut keys);
        for first in (0..tokens).step_by(AT_ONCE) {
            let queries: [&[f32; HEAD_WIDTH]; AT_ONCE] =
                std::array::from_fn(|at| part(qkv, (first + at).min(tokens - 1), 0, head));
            for (near, keys) in near.iter_mut().zip(&keys) {
                *near = likeness(queries, keys);
            }
            forget_beyond(&mut near, tokens);
            let totals = to_weights(&mut near);
            for half in 0..HEAD_WIDTH / LANES {
                let place = head * HEAD_WIDTH + half * LANES;
                let mut sums = [[0.0; LANES]; AT_ONCE];
                for other in 0..tokens {
                    let start = other * 3 * WIDTH + 2 * WIDTH + place;
                    let Some(values) = qkv.get(start..).and_then(|rest| rest.first_chunk()) else { break };
                    add_weighted(&mut sums, weights_of(&near, other), values);
                }
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
            let (seen, expected) = (attend(&qkv), plainly(&qkv));
            let far = seen.iter().zip(&expected).map(|(one, two)| (one - two).abs()).fold(0.0, f32::max);
            assert!(seen.len() == expected.len() && far < 1e-4, "{tokens} tokens: {far}");
        }
    }
}
