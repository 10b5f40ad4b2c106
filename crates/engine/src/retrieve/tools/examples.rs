//! What do the tools' own examples tell? How legs and confidence should count, and which example a message is like.

use serde::Serialize;
use waypost_core::catalog::tools::Tool;
use waypost_core::head::similarity;
use waypost_core::selection::fitting::{Sample, WORDS_TRIED, best_weight, fit};
use waypost_core::selection::legs::Weights;
use waypost_core::selection::ranked::{Candidate, Fusion};

use super::Toolbox;
use crate::Error;
use crate::encode::BuiltIn;
use crate::retrieve::in_parallel;

/// Fewest examples that anything is fitted on, and fewest tools that have some: less shows nothing that the statistics do not.
const EXAMPLES_MIN: usize = 40;
const TOOLS_MIN: usize = 8;
/// Most examples looked at, evenly over all: each is ranked half a dozen times before the first answer.
const EXAMPLES_MAX: usize = 160;
/// Most tools of a pool that is fitted: it is read again for each fold.
const FITTED_TOOLS_MAX: usize = 1_000;
/// Examples are held out in so many folds: with two, those of a tool that has one or two are each left out alone.
const FOLDS: usize = 2;
/// Candidates of an example that confidence is fitted on, and that its tool is looked for among.
const SAMPLED: usize = 5;
const DEPTH: usize = 10;
/// Most examples of a tool that a message is compared with.
const COMPARED_MAX: usize = 32;
/// How like an example a message must be for that to be a reason.
const LIKE_FROM: f32 = 0.5;

/// By what legs and confidence count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FusionTold {
    /// Examples of the tools, or statistics of the pool.
    pub by: &'static str,
    /// How many examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<usize>,
    /// What words count, where meaning counts one.
    pub words: f64,
}

/// What the examples of each tool mean.
pub(super) struct Examples(Vec<Vec<Vec<f32>>>);

impl Examples {
    pub(super) fn read(tools: &[Tool], encoder: &BuiltIn) -> Examples {
        let of = |tool: &Tool| {
            tool.success_examples.iter().take(COMPARED_MAX).map(|text| encoder.vector(text)).collect()
        };
        Examples(in_parallel(tools, of))
    }
}

/// An example: the place of its tool, its own place there, and what it says.
struct Example<'t> {
    tool: usize,
    own: usize,
    text: &'t str,
}

impl Toolbox {
    /// By what legs and confidence count here.
    pub fn fusion(&self) -> FusionTold {
        let by_statistics = || Fusion::by_statistics(&self.pool);
        let words = self.fusion.unwrap_or_else(by_statistics).weights.words;
        // Three digits say all there is to say.
        let words = (f64::from(words) * 1000.0).round() / 1000.0;
        let examples = self.fitted_on;
        FusionTold { by: if examples.is_some() { "examples" } else { "statistics" }, examples, words }
    }

    /// The example of a tool that a message is most like, by what it means, where it is like one.
    pub(super) fn nearest_example(&self, tool: usize, query: &[f32]) -> Option<&str> {
        let own = self.examples.0.get(tool).filter(|own| !own.is_empty())?;
        let alike = own.iter().map(|own| similarity(own, query)).enumerate();
        let (nearest, alike) = alike.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
        let text = self.tools().get(tool)?.success_examples.get(nearest)?;
        (alike >= LIKE_FROM).then_some(text.as_str())
    }

    /// The same tools, with legs and confidence as their examples show, where there are enough of them.
    pub(super) fn fitted(mut self) -> Result<Toolbox, Error> {
        let (fusion, count) = {
            let examples = self.examples();
            let mut owners: Vec<usize> = examples.iter().map(|example| example.tool).collect();
            owners.dedup();
            if examples.len() < EXAMPLES_MIN
                || owners.len() < TOOLS_MIN
                || self.tools().len() > FITTED_TOOLS_MAX
            {
                return Ok(self);
            }
            let step = examples.len().div_ceil(EXAMPLES_MAX);
            let some: Vec<Example<'_>> = examples.into_iter().step_by(step).collect();
            (self.shown_by(&some)?, some.len())
        };
        (self.fusion, self.fitted_on) = (Some(fusion), Some(count));
        Ok(self)
    }

    fn examples(&self) -> Vec<Example<'_>> {
        fn of((tool, owner): (usize, &Tool)) -> Vec<Example<'_>> {
            let texts = owner.success_examples.iter().enumerate();
            texts.map(|(own, text)| Example { tool, own, text }).collect()
        }
        self.tools().iter().enumerate().flat_map(of).collect()
    }

    fn shown_by(&self, examples: &[Example<'_>]) -> Result<Fusion, Error> {
        let folds: Vec<Toolbox> = (0..FOLDS).map(|fold| self.without(fold)).collect::<Result<_, Error>>()?;
        let given = Fusion::by_statistics(&self.pool);
        let with_words = |words: f32| Fusion { weights: Weights { words, ..given.weights }, ..given };
        let tried = WORDS_TRIED.map(|part| {
            let fusion = with_words(part * given.weights.words);
            let ranks = in_parallel(examples, |example| {
                let ranked = ranked(&folds, example, fusion, None);
                let place = ranked.iter().position(|candidate| candidate.tool == example.tool);
                place.map_or(0.0, reciprocal)
            });
            (fusion.weights.words, ranks.iter().sum::<f64>() / count(ranks.len()))
        });
        let fusion = with_words(best_weight(&tried).unwrap_or(given.weights.words));
        // Each with its tool, and without: what is found then serves nobody.
        let samples = in_parallel(examples, |example| {
            let others: Vec<usize> = (0..self.tools().len()).filter(|tool| *tool != example.tool).collect();
            let with = ranked(&folds, example, fusion, None);
            let without = ranked(&folds, example, fusion, Some(&others));
            [sampled(&with, example.tool), sampled(&without, example.tool)].concat()
        });
        Ok(Fusion { curve: fit(&samples.concat(), given.curve), ..fusion })
    }

    /// The same tools without the examples of a fold.
    fn without(&self, fold: usize) -> Result<Toolbox, Error> {
        let mut tools = self.tools().to_vec();
        for tool in &mut tools {
            let mut at = 0;
            tool.success_examples.retain(|_| {
                at += 1;
                (at - 1) % FOLDS != fold
            });
        }
        Toolbox::read(tools, self.encoder.clone())
    }
}

/// How an example ranks among tools that do not know it.
fn ranked(
    folds: &[Toolbox],
    example: &Example<'_>,
    fusion: Fusion,
    among: Option<&[usize]>,
) -> Vec<Candidate> {
    let fold = folds.get(example.own % FOLDS);
    fold.map(|fold| fold.rank_by(example.text, DEPTH, among, Some(&fusion))).unwrap_or_default()
}

fn sampled(ranked: &[Candidate], right: usize) -> Vec<Sample> {
    let score = |at: usize| ranked.get(at).map_or(0.0, |candidate| candidate.score);
    let sample = |(at, candidate): (usize, &Candidate)| Sample {
        alike: candidate.evidence.alike,
        ahead: candidate.score - if at == 0 { score(1) } else { score(0) },
        right: candidate.tool == right,
    };
    ranked.iter().enumerate().take(SAMPLED).map(sample).collect()
}

fn reciprocal(place: usize) -> f64 {
    1.0 / count(place + 1)
}

#[allow(clippy::cast_precision_loss)] // a few hundred at most
fn count(of: usize) -> f64 {
    of.max(1) as f64
}
