//! How far may a head be believed? Fitted on examples it had not learned from.

use super::{Features, Head, exact, softmax};

/// The share of a catalog's own messages that may be doubted as belonging nowhere, for foreign ones to be noticed.
const DOUBTED_SHARE: f32 = 0.05;
/// How steeply doubt sets in, in standard deviations of the fit of the catalog's own messages.
const DOUBT_WIDTH: f32 = 0.5;
/// Steps of the search for the best temperature; each shortens the interval by a third.
const SEARCH_STEPS: usize = 24;
/// Fewest examples that a calibration is fitted on; with fewer a head's word is taken as it is.
const EXAMPLES_MIN: usize = 30;

/// What a head's raw words are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// What logits are divided by before they become beliefs.
    temperature: f32,
    /// Mean and deviation of the highest logit over the catalog's own messages.
    logit: Spread,
    /// The same of the similarity with the nearest class.
    nearness: Spread,
    /// The fit below which a message more likely belongs nowhere.
    doubt_below: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    mean: f32,
    deviation: f32,
}

/// What a head said about an example it had not learned from.
#[derive(Clone, Debug)]
pub struct Said {
    /// What spoke for each class.
    pub logits: Vec<f32>,
    /// How near the nearest class was.
    pub nearness: f32,
    /// Where the example belongs.
    pub class: usize,
}

impl Said {
    /// Lets a head speak about an example.
    pub fn of(head: &Head, features: &Features, class: usize) -> Said {
        let logits = head.logits(features);
        let nearness = head.nearness(&logits, &features.vector);
        Said { logits, nearness, class }
    }
}

impl Calibration {
    /// Fits a calibration; nothing where there is too little to fit it on.
    pub fn fit(said: &[Said]) -> Option<Calibration> {
        if said.len() < EXAMPLES_MIN {
            return None;
        }
        let logit = Spread::of(said.iter().map(|said| highest(&said.logits)));
        let nearness = Spread::of(said.iter().map(|said| said.nearness));
        let mut fits: Vec<f32> = said
            .iter()
            .map(|said| logit.units(highest(&said.logits)) + nearness.units(said.nearness))
            .collect();
        fits.sort_by(f32::total_cmp);
        let doubt_below = quantile(&fits, DOUBTED_SHARE);
        Some(Calibration { temperature: best_temperature(said), logit, nearness, doubt_below })
    }

    /// What is believed of each class. Where the message more likely belongs to none, doubt is taken off.
    pub(super) fn beliefs(&self, logits: &[f32], fits: f32) -> Vec<f32> {
        let cooled: Vec<f32> = logits.iter().map(|logit| logit / self.temperature).collect();
        let undoubted = (2.0 * fits).min(1.0);
        softmax(&cooled).into_iter().map(|belief| belief * undoubted).collect()
    }

    /// How likely the message belongs to the catalog at all: one half where its fit is that of the oddest share.
    pub(super) fn fits(&self, logits: &[f32], nearness: f32) -> f32 {
        let fit = self.logit.units(highest(logits)) + self.nearness.units(nearness);
        1.0 / (1.0 + exact::exp((self.doubt_below - fit) / DOUBT_WIDTH))
    }
}

impl Spread {
    #[allow(clippy::cast_precision_loss)] // counts of examples are far below 2^24
    fn of(values: impl Iterator<Item = f32> + Clone) -> Spread {
        let count = values.clone().count().max(1) as f32;
        let mean = values.clone().sum::<f32>() / count;
        let square = values.map(|value| (value - mean) * (value - mean)).sum::<f32>() / count;
        Spread { mean, deviation: square.sqrt().max(1e-6) }
    }

    fn units(self, value: f32) -> f32 {
        (value - self.mean) / self.deviation
    }
}

fn highest(logits: &[f32]) -> f32 {
    logits.iter().copied().fold(f32::MIN, f32::max)
}

#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a place in a list
fn quantile(sorted: &[f32], share: f32) -> f32 {
    let at = (sorted.len() as f32 * share) as usize;
    sorted.get(at).copied().unwrap_or_default()
}

/// The temperature at which what was right is likeliest, by golden section on its logarithm.
fn best_temperature(said: &[Said]) -> f32 {
    let unlikeliness = |log: f32| -> f32 {
        let temperature = exact::exp(log);
        said.iter()
            .map(|said| {
                let cooled: Vec<f32> = said.logits.iter().map(|logit| logit / temperature).collect();
                let belief = softmax(&cooled).get(said.class).copied().unwrap_or_default();
                exact::ln(1.0 / belief.max(1e-7))
            })
            .sum()
    };
    let (mut low, mut high) = (-2.5_f32, 2.5_f32);
    for _ in 0..SEARCH_STEPS {
        let third = (high - low) / 3.0;
        if unlikeliness(low + third) < unlikeliness(high - third) { high -= third } else { low += third }
    }
    exact::exp(f32::midpoint(low, high))
}
