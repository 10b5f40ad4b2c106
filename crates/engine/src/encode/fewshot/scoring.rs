//! Which numbers score a reading? Those of the model file.

use waypost_core::fewshot::{Network, READINGS, Scoring};

use super::super::weights::{ModelError, Weights};

/// Reads how readings are scored.
pub(super) fn read(weights: &Weights) -> Result<Scoring, ModelError> {
    let one = |name: &str| -> Result<f32, ModelError> {
        weights.floats(name)?.first().copied().ok_or_else(|| ModelError::NoTensor(name.to_owned()))
    };
    let none: Result<Vec<Network>, ModelError> =
        (0..READINGS).map(|at| network(weights, &format!("score.none.{at}"))).collect();
    let scoring = Scoring::new(
        one("score.scale")?,
        &weights.floats("score.mix")?,
        network(weights, "score.bend")?,
        none?,
        one("score.hush")?,
    );
    scoring.ok_or_else(|| ModelError::NoTensor("score".to_owned()))
}

fn network(weights: &Weights, name: &str) -> Result<Network, ModelError> {
    let floats = |part: &str| weights.floats(&format!("{name}.{part}"));
    let network =
        Network::new(floats("0.weight")?, floats("0.bias")?, floats("2.weight")?, &floats("2.bias")?);
    network.ok_or_else(|| ModelError::NoTensor(name.to_owned()))
}
