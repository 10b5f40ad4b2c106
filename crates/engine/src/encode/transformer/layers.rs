//! What do the pieces of a text mean together? The layers of BERT.
//!
//! States are kept with a column a token: the matrices then stand on the left of every product, where their rows are read
//! as they lie in memory, and norms and attention weights are computed for all tokens side by side.

use candle_core::{CpuStorage, Device, InplaceOp1, Layout, Tensor};

use super::files::{Settings, Tensors};
use crate::encode::{ModelError, TokenId};

/// How likely a normal number is to lie between nought and x, over x: a polynomial in x²/16 − 1, from its constant up.
/// Fitted to the real one at Chebyshev's points; times x it is within 2e-7 of it.
const BEND: [f32; 16] = [
    0.124_992_07,
    -0.062_429_12,
    0.046_554_94,
    -0.038_081_7,
    0.031_877_88,
    -0.026_413_936,
    0.021_298_233,
    -0.016_230_678,
    0.011_207_337,
    -0.007_751_740_5,
    0.006_066_749,
    -0.003_443_904_2,
    0.000_608_764_07,
    -0.000_462_326_95,
    0.001_059_326,
    -0.000_463_557_23,
];
/// Up to where it is fitted: √32. Beyond, the likelihood is a half but for 1e-8.
const BEND_END: f32 = 5.656_854;

/// Texts of like length, the shorter ones filled up.
pub(super) struct Batch<'t> {
    /// The tokens of each.
    pub(super) texts: &'t [&'t [TokenId]],
    /// Tokens of the longest.
    pub(super) length: usize,
}

/// A BERT model: vectors of words and places, and layers over them.
#[derive(Debug)]
pub(super) struct Bert {
    pub(super) hidden: usize,
    pub(super) places_max: usize,
    words: Vec<f32>,
    places: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    heads: usize,
    qkv: Linear,
    out: Linear,
    norm_a: Norm,
    up: Linear,
    down: Linear,
    norm_b: Norm,
}

#[derive(Debug)]
struct Linear {
    matrix: Tensor,
    bias: Vec<f32>,
}

#[derive(Debug)]
struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl Bert {
    /// Takes what the settings speak of out of the tensors.
    pub(super) fn read(settings: &Settings, tensors: &mut Tensors) -> Result<Bert, ModelError> {
        let (hidden, places_max) = (settings.hidden_size, settings.max_position_embeddings);
        let mut table = |name: &str, rows: usize| {
            tensors.take(&format!("embeddings.{name}_embeddings.weight"), &[rows, hidden])
        };
        let words = table("word", settings.vocab_size)?;
        let mut places = table("position", places_max)?;
        // Every token is of the first type, so that type's vector is part of each place.
        let types = table("token_type", settings.type_vocab_size)?;
        for place in places.chunks_exact_mut(hidden) {
            add(place, &types);
        }
        let norm = Norm::read(settings, tensors, "embeddings.LayerNorm")?;
        let layers = (0..settings.num_hidden_layers).map(|at| Layer::read(settings, tensors, at));
        let layers = layers.collect::<Result<Vec<Layer>, ModelError>>()?;
        Ok(Bert { hidden, places_max, words, places, norm, layers })
    }

    /// The states of all tokens behind the last layer, a column a token.
    pub(super) fn states(&self, batch: &Batch<'_>) -> candle_core::Result<Vec<f32>> {
        let columns = batch.texts.len() * batch.length;
        let mut states = vec![0.0; self.hidden * columns];
        for (text, tokens) in batch.texts.iter().enumerate() {
            for (place, token) in tokens.iter().enumerate() {
                let word = row(&self.words, *token as usize, self.hidden);
                let cells = states.iter_mut().skip(text * batch.length + place).step_by(columns);
                let place = row(&self.places, place, self.hidden);
                for ((cell, word), place) in cells.zip(word).zip(place) {
                    *cell = word + place;
                }
            }
        }
        self.norm.apply(&mut states);
        let mut states = Tensor::from_vec(states, (self.hidden, columns), &Device::Cpu)?;
        for layer in &self.layers {
            states = layer.apply(&states, batch)?;
        }
        states.flatten_all()?.to_vec1()
    }
}

impl Layer {
    fn read(settings: &Settings, tensors: &mut Tensors, at: usize) -> Result<Layer, ModelError> {
        let (hidden, inner, heads) =
            (settings.hidden_size, settings.intermediate_size, settings.num_attention_heads);
        let name = |part: &str| format!("encoder.layer.{at}.{part}");
        let mut linear = |part: &str, rows: usize, inputs: usize| {
            let matrix = tensors.take(&name(&format!("{part}.weight")), &[rows, inputs])?;
            Ok((matrix, tensors.take(&name(&format!("{part}.bias")), &[rows])?))
        };
        let (mut matrix, mut bias) = linear("attention.self.query", hidden, hidden)?;
        // Scores are scaled by the width of a head; the queries are, once and for all.
        let scale = 1.0 / count(hidden / heads).sqrt();
        matrix.iter_mut().chain(&mut bias).for_each(|value| *value *= scale);
        for part in ["attention.self.key", "attention.self.value"] {
            let (more, more_bias) = linear(part, hidden, hidden)?;
            matrix.extend(more);
            bias.extend(more_bias);
        }
        let out = linear("attention.output.dense", hidden, hidden)?;
        let up = linear("intermediate.dense", inner, hidden)?;
        let down = linear("output.dense", hidden, inner)?;
        Ok(Layer {
            heads,
            qkv: Linear::new((matrix, bias), hidden)?,
            out: Linear::new(out, hidden)?,
            norm_a: Norm::read(settings, tensors, &name("attention.output.LayerNorm"))?,
            up: Linear::new(up, hidden)?,
            down: Linear::new(down, inner)?,
            norm_b: Norm::read(settings, tensors, &name("output.LayerNorm"))?,
        })
    }

    fn apply(&self, states: &Tensor, batch: &Batch<'_>) -> candle_core::Result<Tensor> {
        let qkv = self.qkv.apply(states)?;
        change(&qkv, |values| self.qkv.add_bias(values))?;
        let seen = (self.out.apply(&self.attend(&qkv, batch)?)? + states)?;
        change(&seen, |values| {
            self.out.add_bias(values);
            self.norm_a.apply(values);
        })?;
        let up = self.up.apply(&seen)?;
        change(&up, |values| self.up.add_bias_and_bend(values))?;
        let states = (self.down.apply(&up)? + &seen)?;
        change(&states, |values| {
            self.down.add_bias(values);
            self.norm_b.apply(values);
        })?;
        Ok(states)
    }

    /// Each token's view of the tokens of its text.
    fn attend(&self, qkv: &Tensor, batch: &Batch<'_>) -> candle_core::Result<Tensor> {
        let (rows, columns) = qkv.dims2()?;
        let (texts, length) = (batch.texts.len(), batch.length);
        let (hidden, width) = (rows / 3, rows / 3 / self.heads);
        let parts = qkv.reshape((3, self.heads, width, texts, length))?.permute((0, 3, 1, 2, 4))?;
        let parts = parts.reshape((3, texts * self.heads, width, length))?;
        let (queries, keys, values) = (parts.get(0)?, parts.get(1)?, parts.get(2)?);
        let near = keys.t()?.matmul(&queries)?;
        change(&near, |values| {
            let squares = values.chunks_exact_mut(self.heads * length * length);
            for (squares, tokens) in squares.zip(batch.texts) {
                squares
                    .chunks_exact_mut(length * length)
                    .for_each(|square| softmax(square, length, tokens.len()));
            }
        })?;
        let seen = values.matmul(&near)?.reshape((texts, self.heads, width, length))?;
        seen.permute((1, 2, 0, 3))?.reshape((hidden, columns))
    }
}

impl Linear {
    fn new((matrix, bias): (Vec<f32>, Vec<f32>), inputs: usize) -> Result<Linear, ModelError> {
        let matrix = Tensor::from_vec(matrix, (bias.len(), inputs), &Device::Cpu);
        let matrix = matrix.map_err(|error| ModelError::Unreadable(error.to_string()))?;
        Ok(Linear { matrix, bias })
    }

    fn apply(&self, states: &Tensor) -> candle_core::Result<Tensor> {
        self.matrix.matmul(states)
    }

    fn add_bias(&self, values: &mut [f32]) {
        for (row, bias) in rows(values, self.bias.len()).zip(&self.bias) {
            for value in row {
                *value += bias;
            }
        }
    }

    fn add_bias_and_bend(&self, values: &mut [f32]) {
        for (row, bias) in rows(values, self.bias.len()).zip(&self.bias) {
            for value in row {
                *value = gelu(*value + bias);
            }
        }
    }
}

impl Norm {
    fn read(settings: &Settings, tensors: &mut Tensors, name: &str) -> Result<Norm, ModelError> {
        let mut take = |part: &str| tensors.take(&format!("{name}.{part}"), &[settings.hidden_size]);
        Ok(Norm { weight: take("weight")?, bias: take("bias")?, epsilon: settings.layer_norm_eps })
    }

    /// Brings each column to mean nought and spread one, then to its weights.
    fn apply(&self, values: &mut [f32]) {
        let height = self.weight.len();
        let mut means = vec![0.0; values.len() / height];
        for row in rows(values, height) {
            add(&mut means, row);
        }
        for mean in &mut means {
            *mean /= count(height);
        }
        let mut scales = vec![0.0; means.len()];
        for row in rows(values, height) {
            for ((scale, value), mean) in scales.iter_mut().zip(row).zip(&means) {
                *value -= mean;
                *scale += *value * *value;
            }
        }
        for scale in &mut scales {
            *scale = 1.0 / (*scale / count(height) + self.epsilon).sqrt();
        }
        for ((row, weight), bias) in rows(values, height).zip(&self.weight).zip(&self.bias) {
            for (value, scale) in row.iter_mut().zip(&scales) {
                *value = *value * scale * weight + bias;
            }
        }
    }
}

/// Makes each column of a square add up to one, over the first rows alone; the others are filling and count nothing.
fn softmax(square: &mut [f32], side: usize, counted: usize) {
    let (counted, filling) = square.split_at_mut(square.len().min(counted * side));
    filling.fill(0.0);
    let mut highest = vec![f32::MIN; side];
    for row in counted.chunks_exact(side) {
        highest.iter_mut().zip(row).for_each(|(highest, value)| *highest = highest.max(*value));
    }
    let mut sums = vec![0.0; side];
    for row in counted.chunks_exact_mut(side) {
        for ((value, highest), sum) in row.iter_mut().zip(&highest).zip(&mut sums) {
            *value = (*value - highest).exp();
            *sum += *value;
        }
    }
    for row in counted.chunks_exact_mut(side) {
        row.iter_mut().zip(&sums).for_each(|(value, sum)| *value /= sum);
    }
}

/// The bend of the feed-forward part: x times the chance that a normal number is below it.
fn gelu(x: f32) -> f32 {
    let within = x.clamp(-BEND_END, BEND_END);
    let at = within * within * 0.062_5 - 1.0;
    let series = BEND.iter().rev().fold(0.0, |sum, factor| sum * at + factor);
    x * (0.5 + within * series)
}

fn add(sum: &mut [f32], more: &[f32]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += more;
    }
}

/// The rows of a matrix of this height.
fn rows(values: &mut [f32], height: usize) -> std::slice::ChunksExactMut<'_, f32> {
    let width = (values.len() / height.max(1)).max(1);
    values.chunks_exact_mut(width)
}

/// One row of a table.
fn row(table: &[f32], at: usize, width: usize) -> &[f32] {
    table.get(at * width..(at + 1) * width).unwrap_or_default()
}

#[allow(clippy::cast_precision_loss)] // sides of matrices are far below 2^24
fn count(side: usize) -> f32 {
    side as f32
}

/// Changes the numbers of a tensor where they stand. It must be one that a product or a sum has just made, whole and in
/// order.
fn change(tensor: &Tensor, each: impl Fn(&mut [f32])) -> candle_core::Result<()> {
    tensor.inplace_op1(&Change(each))
}

struct Change<F>(F);

impl<F: Fn(&mut [f32])> InplaceOp1 for Change<F> {
    fn name(&self) -> &'static str {
        "change"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, _: &Layout) -> candle_core::Result<()> {
        match storage {
            CpuStorage::F32(values) => {
                (self.0)(values);
                Ok(())
            }
            _ => candle_core::bail!("numbers of another type"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bend_is_close_to_the_real_one() {
        let real = [
            (-9.0, 0.0),
            (-5.7, -3.415_2e-8),
            (-1.0, -0.158_655_25),
            (-0.1, -0.046_017_216),
            (0.0, 0.0),
            (0.5, 0.345_731_23),
            (2.0, 1.954_499_7),
            (3.0, 2.995_950_3),
            (9.0, 9.0),
        ];
        for (x, expected) in real {
            assert!((gelu(x) - expected).abs() < 2e-6, "{x}: {}", gelu(x));
        }
    }

    #[test]
    fn filling_counts_nothing() {
        let mut square = [1.0, 2.0, 9.0, 1.0, 2.0, 9.0, 50.0, 60.0, 70.0];
        softmax(&mut square, 3, 2);
        let expected = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0_f32];
        assert_eq!(square.map(f32::to_bits), expected.map(f32::to_bits));
    }
}
