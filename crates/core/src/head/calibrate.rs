//! How far may a head be believed? Fitted on examples it had not learned from.

use super::promise::Judged;
use super::{Features, Head, Heard, Judgement, Select, Shape, exact, softmax};

/// The share of a catalog's own messages that may be doubted as belonging nowhere, for foreign ones to be noticed.
const DOUBTED_SHARE: f32 = 0.05;
/// How steeply doubt sets in, in standard deviations of the fit of the catalog's own messages.
const DOUBT_WIDTH: f32 = 0.5;
/// The bound of the search for the best temperature, as a logarithm: twelve times either way.
const LOG_TEMPERATURE_MAX: f32 = 2.5;
/// Steps of the search for the best temperature; each shortens the interval by a third.
const SEARCH_STEPS: usize = 24;
/// Fewest examples that a calibration is fitted on; with fewer, nearness alone tells what fits.
const EXAMPLES_MIN: usize = 30;
/// How like the nearest example a message is that might as well belong nowhere, where there are too few examples to fit
/// that, and how steeply doubt sets in below; measured with none to three examples a class of a public set's train part.
const NEAR_ENOUGH: f32 = 0.36;
const NEAR_WIDTH: f32 = 0.06;
/// Most examples a temperature is fitted on: one number needs no more.
const FITTED_ON_MAX: usize = 2_000;
/// Pulls tried: what is found on the valid parts of public sets lies between one and six.
const PULLS: [f32; 8] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0];
/// The most a belief counts as: certainty is for names and commands.
const BELIEF_MAX: f32 = 0.99;
/// The least belief that is kept of what was said; what lies below is never acted on.
const KEPT_BELIEF_MIN: f32 = 0.05;

/// What a head's raw words are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// What logits are divided by before they become beliefs.
    pub(super) temperature: f32,
    /// How much the likeness of the nearest example counts among the likeliest classes.
    pub(super) pull: f32,
    /// Mean and deviation of the highest logit over the catalog's own messages; nothing where there are too few.
    pub(super) logit: Option<Spread>,
    /// The same of the likeness of the nearest example.
    pub(super) nearness: Spread,
    /// The fit below which a message more likely belongs nowhere.
    pub(super) doubt_below: f32,
    /// How steeply doubt sets in there.
    pub(super) doubt_width: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    pub(super) mean: f32,
    pub(super) deviation: f32,
}

/// What a head said about an example it had not learned from.
#[derive(Clone, Debug)]
pub struct Said {
    /// What it heard.
    heard: Heard,
    /// Where the example belongs.
    classes: Vec<usize>,
}

impl Said {
    /// Lets a head speak about an example.
    pub fn of(head: &Head, features: &Features, classes: &[usize]) -> Said {
        Said { heard: head.hear(features), classes: classes.to_vec() }
    }
}

impl Calibration {
    /// What holds before anything is fitted: likeness of the nearest example, by itself.
    pub(super) const fn unfitted() -> Calibration {
        Calibration {
            temperature: 1.0,
            pull: 0.0,
            logit: None,
            nearness: Spread { mean: 0.0, deviation: 1.0 },
            doubt_below: NEAR_ENOUGH,
            doubt_width: NEAR_WIDTH,
        }
    }

    /// Fits a calibration, as far as there is enough to fit it on.
    pub(super) fn fit(shape: Shape, said: &[Said]) -> Calibration {
        let inside: Vec<&Said> = said.iter().filter(|said| !said.classes.is_empty()).collect();
        if inside.len() < EXAMPLES_MIN {
            return Calibration::unfitted();
        }
        let highest = |said: &&Said| highest(shape, &said.heard.logits);
        let logit = Spread::of(inside.iter().map(highest));
        let nearness = Spread::of(inside.iter().map(|said| said.heard.nearness));
        let fit = |said: &&Said| logit.units(highest(said)) + nearness.units(said.heard.nearness);
        let mut fits: Vec<f32> = inside.iter().map(fit).collect();
        fits.sort_by(f32::total_cmp);
        let some: Vec<&Said> = said.iter().step_by(said.len().div_ceil(FITTED_ON_MAX)).collect();
        let coarse = best_temperature(shape, &some, 0.0);
        let pull = best_pull(shape, said, coarse);
        Calibration {
            temperature: if pull > 0.0 { best_temperature(shape, &some, pull) } else { coarse },
            pull,
            logit: Some(logit),
            nearness,
            doubt_below: quantile(&fits, DOUBTED_SHARE),
            doubt_width: DOUBT_WIDTH,
        }
    }

    /// What a head's words come to. Where the message more likely belongs to no class, doubt is taken off.
    pub(super) fn judge(&self, shape: Shape, heard: &Heard) -> Judgement {
        let near = self.fits(shape, &heard.logits, heard.nearness);
        let mut beliefs = believed(shape, heard, self.temperature, self.pull);
        let none: f32 = beliefs.drain(shape.classes.min(beliefs.len())..).sum();
        let fits = near * (1.0 - none);
        let undoubted = (2.0 * fits).min(1.0);
        for belief in &mut beliefs {
            *belief *= undoubted;
        }
        Judgement { beliefs, fits }
    }

    /// How likely the message belongs to the catalog at all: one half where its fit is that of the oddest share.
    fn fits(&self, shape: Shape, logits: &[f32], nearness: f32) -> f32 {
        if shape.dimensions == 0 && self.logit.is_none() {
            return 1.0;
        }
        let logit = self.logit.map_or(0.0, |spread| spread.units(highest(shape, logits)));
        let fit = logit + self.nearness.units(nearness);
        exact::sigmoid((fit - self.doubt_below) / self.doubt_width)
    }

    /// What was said, as it would have been judged.
    pub(super) fn judged(&self, shape: Shape, said: &[Said]) -> Vec<Judged> {
        let mut judged = Vec::new();
        for said in said {
            let beliefs = self.judge(shape, &said.heard).beliefs;
            // A confidence is never more, so no threshold may ask for more.
            let beliefs = beliefs.into_iter().map(|belief| belief.min(BELIEF_MAX)).collect::<Vec<f32>>();
            let of = |(class, belief): (usize, f32)| Judged {
                class,
                belief,
                right: said.classes.contains(&class),
            };
            let believed = beliefs.into_iter().enumerate();
            match shape.select {
                Select::One => judged.extend(believed.max_by(|a, b| a.1.total_cmp(&b.1)).map(of)),
                Select::Many => {
                    judged.extend(believed.filter(|(_, belief)| *belief >= KEPT_BELIEF_MIN).map(of));
                }
            }
        }
        judged
    }
}

/// What is believed of each output at a temperature, the likeliest pulled by their nearest examples.
fn believed(shape: Shape, heard: &Heard, temperature: f32, pull: f32) -> Vec<f32> {
    let cooled: Vec<f32> = heard.logits.iter().map(|logit| logit / temperature).collect();
    match shape.select {
        Select::One => {
            let mut beliefs = softmax(&cooled);
            pulled(&mut beliefs, &heard.contenders, pull);
            beliefs
        }
        Select::Many => cooled.into_iter().map(exact::sigmoid).collect(),
    }
}

/// What is believed of the likeliest in all stays; how they share it is pulled towards the nearest examples.
fn pulled(beliefs: &mut [f32], contenders: &[(usize, f32)], pull: f32) {
    if pull <= 0.0 {
        return;
    }
    let belief = |beliefs: &[f32], class: usize| beliefs.get(class).copied().unwrap_or_default();
    let all: f32 = contenders.iter().map(|(class, _)| belief(beliefs, *class)).sum();
    let weighed: Vec<f32> =
        contenders.iter().map(|(class, alike)| belief(beliefs, *class) * exact::exp(pull * alike)).collect();
    let sum: f32 = weighed.iter().sum();
    for ((class, _), weighed) in contenders.iter().zip(weighed) {
        if let Some(belief) = beliefs.get_mut(*class).filter(|_| sum > 0.0) {
            *belief = weighed / sum * all;
        }
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

/// The highest of the classes' logits.
fn highest(shape: Shape, logits: &[f32]) -> f32 {
    logits.iter().take(shape.classes).copied().fold(f32::MIN, f32::max)
}

#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a place in a list
fn quantile(sorted: &[f32], share: f32) -> f32 {
    let at = (sorted.len() as f32 * share) as usize;
    sorted.get(at).copied().unwrap_or_default()
}

/// The pull at which what was right is likeliest, of those tried.
fn best_pull(shape: Shape, said: &[Said], temperature: f32) -> f32 {
    if shape.select == Select::Many || shape.dimensions == 0 {
        return 0.0;
    }
    let plain: Vec<Vec<f32>> =
        said.iter().map(|said| believed(shape, &said.heard, temperature, 0.0)).collect();
    let unlikeliness = |pull: f32| -> f32 {
        let each = said.iter().zip(&plain).map(|(said, plain)| {
            let mut beliefs = plain.clone();
            pulled(&mut beliefs, &said.heard.contenders, pull);
            unlikely(shape, said, &beliefs)
        });
        each.sum()
    };
    let tried = PULLS.iter().map(|pull| (*pull, unlikeliness(*pull)));
    tried.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0.0, |(pull, _)| pull)
}

/// The temperature at which what was right is likeliest, by thirds on its logarithm.
fn best_temperature(shape: Shape, said: &[&Said], pull: f32) -> f32 {
    let unlikeliness = |log: f32| -> f32 {
        let temperature = exact::exp(log);
        said.iter().map(|said| unlikely(shape, said, &believed(shape, &said.heard, temperature, pull))).sum()
    };
    let (mut low, mut high) = (-LOG_TEMPERATURE_MAX, LOG_TEMPERATURE_MAX);
    for _ in 0..SEARCH_STEPS {
        let third = (high - low) / 3.0;
        if unlikeliness(low + third) < unlikeliness(high - third) { high -= third } else { low += third }
    }
    exact::exp(f32::midpoint(low, high))
}

/// How unlikely what is right was, by what was believed.
fn unlikely(shape: Shape, said: &Said, beliefs: &[f32]) -> f32 {
    let surprise = |belief: f32| exact::ln(1.0 / belief.clamp(1e-7, 1.0));
    let of = |class: usize| beliefs.get(class).copied().unwrap_or_default();
    match shape.select {
        Select::One if said.classes.is_empty() => surprise(of(shape.classes)),
        Select::One => surprise(said.classes.iter().map(|class| of(*class)).sum()),
        Select::Many => {
            let each = beliefs.iter().enumerate();
            each.map(
                |(class, belief)| {
                    if said.classes.contains(&class) { surprise(*belief) } else { surprise(1.0 - belief) }
                },
            )
            .sum()
        }
    }
}
