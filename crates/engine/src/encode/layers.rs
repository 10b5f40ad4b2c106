//! What do the pieces of a text mean together? Two small attention layers over the token vectors.
//!
//! Weights and activations are eight-bit whole numbers, so products and sums are exact, and the result is the
//! same on every machine however wide its registers. What must be real numbers (norms, attention weights, the bend of the
//! feed-forward part) is computed in plain single precision in a fixed order.
#![allow(clippy::inline_always)] // or the code would not be compiled for the registers that the caller has found

use waypost_core::head::similarity;

use super::product::Matrix;
use super::weights::{ModelError, Weights};

/// Most layers a model may have: more would not be worth their time here.
const LAYERS_MAX: usize = 12;
/// Attention heads; the number of the training.
const HEADS: usize = 4;
/// Activations are rounded to whole numbers up to this, what eight bits hold. Twelve bits decide no better: of 1,450 calls 60.8 % are right as a whole with eight
/// and 60.7 with twelve.
const ACTIVATION_MAX: f32 = 127.0;
/// Adding and taking away this number rounds to the nearest whole one, without a call a value.
const ROUNDER: f32 = 12_582_912.0;
/// What keeps a norm of these layers from dividing by nothing; the number of the training.
const NORM_EPSILON: f32 = 1e-5;

/// The layers of an encoder.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    layers: Vec<Layer>,
    dimensions: usize,
}

#[derive(Clone, Debug)]
struct Layer {
    norm_a: Norm,
    norm_b: Norm,
    qkv: Linear,
    out: Linear,
    up: Linear,
    down: Linear,
}

/// Brings each token to a mean of nothing and a deviation of one, then weighs it.
#[derive(Clone, Debug)]
pub(super) struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    /// What keeps it from dividing by nothing.
    epsilon: f32,
}

/// A matrix of whole numbers with a scale a row.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    matrix: Matrix,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

impl Layers {
    /// Reads as many layers as the file has.
    pub(super) fn read(weights: &Weights, dimensions: usize) -> Result<Layers, ModelError> {
        let count = (0..LAYERS_MAX).take_while(|at| weights.has(&format!("{at}.qkv"))).count();
        let layers: Result<Vec<Layer>, ModelError> = (0..count).map(|at| Layer::read(weights, at)).collect();
        Ok(Layers { layers: layers?, dimensions })
    }

    /// Whether there are any.
    pub(super) fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// What the layers make of token vectors, in place.
    pub(super) fn apply(&self, tokens: &mut [f32]) {
        for layer in &self.layers {
            layer.apply(tokens, self.dimensions);
        }
    }
}

impl Layer {
    fn read(weights: &Weights, at: usize) -> Result<Layer, ModelError> {
        let linear = |name: &str| Linear::read(weights, &format!("{at}.{name}"));
        let norm = |name: &str| Norm::read(weights, &format!("{at}.{name}"), NORM_EPSILON);
        Ok(Layer {
            norm_a: norm("norm_a")?,
            norm_b: norm("norm_b")?,
            qkv: linear("qkv")?,
            out: linear("out")?,
            up: linear("up")?,
            down: linear("down")?,
        })
    }

    fn apply(&self, tokens: &mut [f32], dimensions: usize) {
        let qkv = self.qkv.apply(&self.norm_a.apply(tokens, dimensions));
        let seen = attend(&qkv, dimensions);
        add(tokens, &self.out.apply(&seen));
        let mut up = self.up.apply(&self.norm_b.apply(tokens, dimensions));
        for value in &mut up {
            *value = gelu(*value);
        }
        add(tokens, &self.down.apply(&up));
    }
}

#[inline(always)]
pub(super) fn add(sum: &mut [f32], more: &[f32]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += more;
    }
}

impl Norm {
    pub(super) fn read(weights: &Weights, name: &str, epsilon: f32) -> Result<Norm, ModelError> {
        let floats = |part: &str| weights.floats(&format!("{name}.{part}"));
        Ok(Norm { weight: floats("weight")?, bias: floats("bias")?, epsilon })
    }

    /// The same, of tokens that must have this width.
    pub(super) fn of_width(
        weights: &Weights,
        name: &str,
        epsilon: f32,
        width: usize,
    ) -> Result<Norm, ModelError> {
        let norm = Norm::read(weights, name, epsilon)?;
        let fits = norm.weight.len() == width && norm.bias.len() == width;
        fits.then_some(norm).ok_or_else(|| ModelError::NoTensor(name.to_owned()))
    }

    #[inline(always)]
    pub(super) fn apply(&self, tokens: &[f32], dimensions: usize) -> Vec<f32> {
        let mut normed = Vec::with_capacity(tokens.len());
        for token in tokens.chunks_exact(dimensions) {
            let mean = lanes(token, |value| value) / count(dimensions);
            let square = lanes(token, |value| (value - mean) * (value - mean)) / count(dimensions);
            let scale = 1.0 / (square + self.epsilon).sqrt();
            let start = normed.len();
            normed.resize(start + dimensions, 0.0);
            let normed = normed.get_mut(start..).unwrap_or_default();
            for (((normed, value), weight), bias) in
                normed.iter_mut().zip(token).zip(&self.weight).zip(&self.bias)
            {
                *normed = (value - mean) * scale * weight + bias;
            }
        }
        normed
    }
}

/// The highest value, in sixteen lanes; at least the lowest number there is.
#[inline(always)]
fn highest(values: &[f32], each: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = values.as_chunks::<16>();
    let higher = |one: f32, two: f32| if two > one { two } else { one };
    let mut lanes = [f32::MIN; 16];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = higher(*lane, each(*value));
        }
    }
    lanes.into_iter().chain(rest.iter().map(|value| each(*value))).fold(f32::MIN, higher)
}

/// A sum in eight lanes, in order, whatever the machine. Lengths are multiples of eight.
#[inline(always)]
fn lanes(values: &[f32], each: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0_f32; 8];
    for chunk in values.as_chunks::<8>().0 {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += each(*value);
        }
    }
    lanes.iter().sum()
}

#[allow(clippy::cast_precision_loss)] // dimensions are far below 2^24
pub(super) fn count(dimensions: usize) -> f32 {
    dimensions as f32
}

impl Linear {
    pub(super) fn read(weights: &Weights, name: &str) -> Result<Linear, ModelError> {
        let (bytes, shape) = weights.bytes(name, "I8")?;
        let matrix = match shape {
            [rows, inputs] => Matrix::new(bytes, *rows, *inputs),
            _ => None,
        };
        let matrix = matrix.ok_or_else(|| ModelError::NoTensor(name.to_owned()))?;
        let floats = |part: &str| {
            let floats = weights.floats(&format!("{name}.{part}"))?;
            if floats.len() == matrix.rows() {
                Ok(floats)
            } else {
                Err(ModelError::NoTensor(name.to_owned()))
            }
        };
        Ok(Linear { scales: floats("scale")?, bias: floats("bias")?, matrix })
    }

    /// Reads a matrix that must have these sides.
    pub(super) fn of_shape(
        weights: &Weights,
        name: &str,
        rows: usize,
        inputs: usize,
    ) -> Result<Linear, ModelError> {
        let linear = Linear::read(weights, name)?;
        let found = vec![linear.matrix.rows(), linear.matrix.inputs()];
        if found == [rows, inputs] {
            return Ok(linear);
        }
        Err(ModelError::WrongShape { tensor: name.to_owned(), found, expected: vec![rows, inputs] })
    }

    /// The product of the matrix with each token.
    #[inline(always)]
    pub(super) fn apply(&self, tokens: &[f32]) -> Vec<f32> {
        let inputs = self.matrix.inputs();
        let mut rounded = Vec::with_capacity(tokens.len());
        let mut steps = Vec::with_capacity(tokens.len() / inputs);
        // A loop rather than an iterator's closure, which would not be compiled for the registers that were found.
        for token in tokens.chunks_exact(inputs) {
            steps.push(round(token, &mut rounded));
        }
        let products = self.matrix.times(&rounded);
        let mut result = vec![0.0; products.len()];
        let tokens =
            result.chunks_exact_mut(self.matrix.rows()).zip(products.chunks_exact(self.matrix.rows()));
        for ((result, products), step) in tokens.zip(&steps) {
            for (((result, product), scale), bias) in
                result.iter_mut().zip(products).zip(&self.scales).zip(&self.bias)
            {
                #[allow(clippy::cast_precision_loss)]
                // a sum beyond 2^24 loses less than its own rounding did
                let product = *product as f32;
                *result = product * (scale * step) + bias;
            }
        }
        result
    }
}

/// Rounds a token to whole numbers; what one of them stands for.
#[allow(clippy::cast_possible_truncation)] // within ±127 by the scale
#[inline(always)]
pub(super) fn round(token: &[f32], rounded: &mut Vec<i8>) -> f32 {
    let highest = highest(token, f32::abs);
    let (step, scale) =
        if highest > 0.0 { (highest / ACTIVATION_MAX, ACTIVATION_MAX / highest) } else { (0.0, 0.0) };
    let start = rounded.len();
    rounded.resize(start + token.len(), 0);
    let rounded = rounded.get_mut(start..).unwrap_or_default();
    for (rounded, value) in rounded.iter_mut().zip(token) {
        // The whole number stands in the lowest bits of the sum.
        *rounded = (value * scale + ROUNDER).to_bits() as i8;
    }
    step
}

/// Each token's view of all tokens.
fn attend(qkv: &[f32], dimensions: usize) -> Vec<f32> {
    let width = dimensions / HEADS;
    let scale = 1.0 / count(width).sqrt();
    let tokens: Vec<&[f32]> = qkv.chunks_exact(3 * dimensions).collect();
    let mut seen = vec![0.0; tokens.len() * dimensions];
    for head in 0..HEADS {
        let part = |token: usize, which: usize| {
            let start = which * dimensions + head * width;
            tokens.get(token).and_then(|token| token.get(start..start + width)).unwrap_or_default()
        };
        for at in 0..tokens.len() {
            let query = part(at, 0);
            let near = (0..tokens.len()).map(|other| similarity(query, part(other, 1)) * scale);
            let weights = softmax(near.collect());
            let start = at * dimensions + head * width;
            let Some(sum) = seen.get_mut(start..start + width) else { continue };
            for (other, weight) in weights.iter().enumerate() {
                for (sum, value) in sum.iter_mut().zip(part(other, 2)) {
                    *sum += weight * value;
                }
            }
        }
    }
    seen
}

/// Weights that add up to one.
#[inline(always)]
pub(super) fn softmax(mut weights: Vec<f32>) -> Vec<f32> {
    let highest = highest(&weights, |weight| weight);
    for weight in &mut weights {
        *weight = exp(*weight - highest);
    }
    let sum: f32 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= sum;
    }
    weights
}

/// The bend of the feed-forward part: x · σ(1.702 x)'s better known relative, x/2 · (1 + tanh(√(2/π)(x + 0.0447 x³))).
#[inline(always)]
pub(super) fn gelu(x: f32) -> f32 {
    let inner = 0.797_884_6 * (x + 0.044_715 * x * x * x);
    x - x / (exp(2.0 * inner) + 1.0)
}

/// e to the x in single precision, without a branch or a cast, so that whole rows are done at once.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 87.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUNDER;
    let doublings = shifted - ROUNDER;
    // ln 2 in two parts, so that taking it away so often loses nothing.
    let rest = (x - doublings * 0.693_359_4) + doublings * 2.121_944_4e-4;
    let power = 1.0 / 720.0 * rest + 1.0 / 120.0;
    let power = power * rest + 1.0 / 24.0;
    let power = power * rest + 1.0 / 6.0;
    let power = power * rest + 0.5;
    let power = power * rest + 1.0;
    let power = power * rest + 1.0;
    // The whole number stands in the lowest bits of what was shifted.
    let whole = shifted.to_bits().wrapping_sub(ROUNDER.to_bits());
    power * f32::from_bits(whole.wrapping_add(127) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_close_to_the_real_one() {
        for step in -860_i16..=860 {
            let x = f32::from(step) / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 2e-6, "{x}");
        }
        assert!((gelu(1.0) - 0.841_192).abs() < 1e-5 && gelu(-30.0).abs() < 1e-6);
    }
}
