//! What do the tokens of a text mean together? Six attention layers, as BERT has them.
//!
//! Everything runs on the widest registers at hand; whole-number sums are exact and real-number sums keep their order, so that the
//! width changes no bit.
#![allow(clippy::inline_always)] // or the code would not be compiled for the registers that were found

use pulp::{Arch, Simd, WithSimd};

use super::super::layers::{Linear, Norm, add, gelu};
use super::super::weights::{ModelError, Weights};
use super::WIDTH;
use super::attention::attend;

/// Layers of the model.
const LAYERS: usize = 6;
/// What keeps a norm from dividing by nothing; the number of the training.
const NORM_EPSILON: f32 = 1e-12;

/// The layers, and the norm in front of them.
#[derive(Clone, Debug)]
pub(super) struct Stack {
    norm: Norm,
    layers: Vec<Layer>,
}

#[derive(Clone, Debug)]
struct Layer {
    qkv: Linear,
    out: Linear,
    norm_a: Norm,
    up: Linear,
    down: Linear,
    norm_b: Norm,
}

impl Stack {
    pub(super) fn read(weights: &Weights) -> Result<Stack, ModelError> {
        let layers: Result<Vec<Layer>, ModelError> = (0..LAYERS).map(|at| Layer::read(weights, at)).collect();
        Ok(Stack { norm: Norm::read(weights, "norm", NORM_EPSILON)?, layers: layers? })
    }

    /// What the layers make of a text's tokens.
    pub(super) fn apply(&self, tokens: &[f32]) -> Vec<f32> {
        Arch::new().dispatch(Pass { stack: self, tokens })
    }
}

struct Pass<'s> {
    stack: &'s Stack,
    tokens: &'s [f32],
}

impl WithSimd for Pass<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<f32> {
        let mut tokens = self.stack.norm.apply(self.tokens, WIDTH);
        for layer in &self.stack.layers {
            tokens = layer.apply(tokens);
        }
        tokens
    }
}

impl Layer {
    fn read(weights: &Weights, at: usize) -> Result<Layer, ModelError> {
        let linear = |name: &str| Linear::read(weights, &format!("{at}.{name}"));
        let norm = |name: &str| Norm::read(weights, &format!("{at}.{name}"), NORM_EPSILON);
        Ok(Layer {
            qkv: linear("qkv")?,
            out: linear("out")?,
            norm_a: norm("norm_a")?,
            up: linear("up")?,
            down: linear("down")?,
            norm_b: norm("norm_b")?,
        })
    }

    #[inline(always)]
    fn apply(&self, mut tokens: Vec<f32>) -> Vec<f32> {
        let seen = attend(&self.qkv.apply(&tokens));
        add(&mut tokens, &self.out.apply(&seen));
        let mut tokens = self.norm_a.apply(&tokens, WIDTH);
        let mut up = self.up.apply(&tokens);
        for value in &mut up {
            *value = gelu(*value);
        }
        add(&mut tokens, &self.down.apply(&up));
        self.norm_b.apply(&tokens, WIDTH)
    }
}
