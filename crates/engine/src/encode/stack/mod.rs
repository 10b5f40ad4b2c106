//! What do the tokens of a text mean together? Attention layers as BERT has them, by themselves or beside a text that was read before.
//!
//! Everything runs on the widest registers at hand; whole-number sums are exact and real-number sums keep their order, so that the
//! width changes no bit.
#![allow(clippy::inline_always)] // or the code would not be compiled for the registers that were found

mod attention;

use pulp::{Arch, Simd, WithSimd};

use super::layers::{Linear, Norm, add, gelu};
use super::weights::{ModelError, Weights};
use attention::{Kept, attend};

/// Length of a state.
pub(super) const WIDTH: usize = 384;
/// Most layers a model may have: more would not be worth their time here.
const LAYERS_MAX: usize = 12;
/// How much wider a state is between the two matrices behind the attention.
const UP: usize = 4;
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

/// What is kept of a text that others are read beside: what each layer shows to them.
#[derive(Clone, Debug)]
pub(super) struct KeptText(Vec<Kept>);

/// States that join a text at a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joining<'s> {
    pub states: &'s [f32],
    pub layer: usize,
}

impl Stack {
    pub(super) fn read(weights: &Weights) -> Result<Stack, ModelError> {
        let count = (0..LAYERS_MAX).take_while(|at| weights.has(&format!("{at}.qkv"))).count();
        let layers: Result<Vec<Layer>, ModelError> = (0..count).map(|at| Layer::read(weights, at)).collect();
        Ok(Stack { norm: Norm::of_width(weights, "norm", NORM_EPSILON, WIDTH)?, layers: layers? })
    }

    /// How many layers there are.
    pub(super) fn depth(&self) -> usize {
        self.layers.len()
    }

    /// What the layers make of a text's tokens.
    pub(super) fn apply(&self, tokens: &[f32]) -> Vec<f32> {
        Arch::new().dispatch(Pass { stack: self, tokens, beside: None, joining: None })
    }

    /// What the layers make of a text's tokens beside a kept text, and of the states that join them.
    pub(super) fn apply_beside(&self, tokens: &[f32], beside: &KeptText, joining: Joining<'_>) -> Vec<f32> {
        Arch::new().dispatch(Pass { stack: self, tokens, beside: Some(beside), joining: Some(joining) })
    }

    /// Keeps a text for others to be read beside, with the states that go into a layer.
    pub(super) fn keep(&self, tokens: &[f32], layer: usize) -> (KeptText, Vec<f32>) {
        Arch::new().dispatch(Keeping { stack: self, tokens, layer })
    }
}

struct Pass<'s> {
    stack: &'s Stack,
    tokens: &'s [f32],
    beside: Option<&'s KeptText>,
    joining: Option<Joining<'s>>,
}

impl WithSimd for Pass<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<f32> {
        let mut tokens = self.stack.norm.apply(self.tokens, WIDTH);
        for (at, layer) in self.stack.layers.iter().enumerate() {
            if let Some(joining) = self.joining.filter(|joining| joining.layer == at) {
                tokens.extend_from_slice(joining.states);
            }
            let beside = self.beside.and_then(|beside| beside.0.get(at));
            let seen = attend(&layer.qkv.apply(&tokens), beside);
            tokens = layer.finish(tokens, &seen);
        }
        tokens
    }
}

struct Keeping<'s> {
    stack: &'s Stack,
    tokens: &'s [f32],
    layer: usize,
}

impl WithSimd for Keeping<'_> {
    type Output = (KeptText, Vec<f32>);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (KeptText, Vec<f32>) {
        let mut tokens = self.stack.norm.apply(self.tokens, WIDTH);
        let (mut kept, mut states) = (Vec::with_capacity(self.stack.depth()), Vec::new());
        for (at, layer) in self.stack.layers.iter().enumerate() {
            if at == self.layer {
                states.clone_from(&tokens);
            }
            let qkv = layer.qkv.apply(&tokens);
            kept.push(Kept::of(&qkv));
            if at + 1 < self.stack.layers.len() {
                tokens = layer.finish(tokens, &attend(&qkv, None));
            }
        }
        (KeptText(kept), states)
    }
}

impl Layer {
    fn read(weights: &Weights, at: usize) -> Result<Layer, ModelError> {
        let linear = |name: &str, rows: usize, inputs: usize| {
            Linear::of_shape(weights, &format!("{at}.{name}"), rows, inputs)
        };
        let norm = |name: &str| Norm::of_width(weights, &format!("{at}.{name}"), NORM_EPSILON, WIDTH);
        Ok(Layer {
            qkv: linear("qkv", 3 * WIDTH, WIDTH)?,
            out: linear("out", WIDTH, WIDTH)?,
            norm_a: norm("norm_a")?,
            up: linear("up", UP * WIDTH, WIDTH)?,
            down: linear("down", WIDTH, UP * WIDTH)?,
            norm_b: norm("norm_b")?,
        })
    }

    /// What comes behind the attention.
    #[inline(always)]
    fn finish(&self, mut tokens: Vec<f32>, seen: &[f32]) -> Vec<f32> {
        add(&mut tokens, &self.out.apply(seen));
        let mut tokens = self.norm_a.apply(&tokens, WIDTH);
        let mut up = self.up.apply(&tokens);
        for value in &mut up {
            *value = gelu(*value);
        }
        add(&mut tokens, &self.down.apply(&up));
        self.norm_b.apply(&tokens, WIDTH)
    }
}
