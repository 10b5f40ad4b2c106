//! What do a few rows of real numbers make of a state? Sums in a fixed order.

use waypost_core::head::similarity;

use super::bring_to_length_one;
use super::stack::WIDTH;
use super::weights::{ModelError, Weights};

/// A few rows of real numbers with a bias each.
#[derive(Debug)]
pub(super) struct Dense {
    rows: Vec<f32>,
    bias: Vec<f32>,
    inputs: usize,
}

impl Dense {
    pub(super) fn read(
        weights: &Weights,
        name: &str,
        rows: usize,
        inputs: usize,
    ) -> Result<Dense, ModelError> {
        let (numbers, bias) =
            (weights.floats(&format!("{name}.weight"))?, weights.floats(&format!("{name}.bias"))?);
        if numbers.len() == rows * inputs && bias.len() == rows {
            Ok(Dense { rows: numbers, bias, inputs })
        } else {
            Err(ModelError::NoTensor(name.to_owned()))
        }
    }

    /// What one row makes of each state.
    pub(super) fn row(&self, at: usize, states: &[f32]) -> Vec<f32> {
        states.chunks_exact(self.inputs).map(|state| self.one(at, state)).collect()
    }

    /// What one row makes of one state.
    pub(super) fn one(&self, at: usize, state: &[f32]) -> f32 {
        let row = self.rows.get(at * self.inputs..(at + 1) * self.inputs).unwrap_or_default();
        similarity(row, state) + self.bias.get(at).copied().unwrap_or_default()
    }
}

/// The weighted mean of states, brought to length one.
pub(super) fn mean(states: &[f32], weights: &[f32]) -> Vec<f32> {
    let mut sum = vec![0.0; WIDTH];
    for (state, weight) in states.chunks_exact(WIDTH).zip(weights) {
        for (sum, value) in sum.iter_mut().zip(state) {
            *sum += weight * value;
        }
    }
    bring_to_length_one(&mut sum);
    sum
}
