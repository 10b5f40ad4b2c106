//! What does a small network make of a few numbers? One layer that bends, one that sums.

use crate::head::exact::exp;

/// A network with one hidden layer and one output.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Hidden rows, one after the other.
    rows: Vec<f32>,
    bias: Vec<f32>,
    out: Vec<f32>,
    out_bias: f32,
}

impl Network {
    /// Takes weights; nothing where they do not fit together.
    pub fn new(rows: Vec<f32>, bias: Vec<f32>, out: Vec<f32>, out_bias: &[f32]) -> Option<Network> {
        let fits = !bias.is_empty() && rows.len().is_multiple_of(bias.len()) && out.len() == bias.len();
        let [out_bias] = *out_bias else { return None };
        fits.then_some(Network { rows, bias, out, out_bias })
    }

    /// How many numbers it looks at.
    pub fn inputs(&self) -> usize {
        self.rows.len() / self.bias.len()
    }

    /// What it makes of them.
    pub fn apply(&self, inputs: &[f32]) -> f32 {
        let rows = self.rows.chunks_exact(self.inputs().max(1)).zip(&self.bias).zip(&self.out);
        let sum: f32 = rows
            .map(|((row, bias), out)| {
                let seen: f32 = row.iter().zip(inputs).map(|(weight, input)| weight * input).sum();
                out * bent(seen + bias)
            })
            .sum();
        sum + self.out_bias
    }
}

/// GELU, by the hyperbolic tangent.
fn bent(x: f32) -> f32 {
    let inner = 0.797_884_6 * (x + 0.044_715 * x * x * x);
    x - x / (exp(2.0 * inner) + 1.0)
}
