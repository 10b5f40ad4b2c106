//! How well are kinds of request told apart? Labelled messages in, figures a layer out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use waypost_core::catalog::context::Labels;
use waypost_core::context;
use waypost_core::message::{Message, Reading};
use waypost_core::trace::Context;

use super::metrics::share;
use crate::{Error, Router};

/// Pairs of labels that are taken for each other, told at most.
const CONFUSED_MAX: usize = 8;
/// What the route of a row is told under, beside the layers.
const ROUTE: &str = "route";

/// A message with the labels it should get.
#[derive(Clone, Debug, Deserialize)]
pub struct ContextRow {
    /// The message.
    pub text: String,
    /// The route it should take.
    #[serde(default)]
    pub route: Option<String>,
    /// What it names.
    #[serde(default)]
    pub entities: Option<Vec<EntityWanted>>,
    /// Its labels, by layer; other fields are passed over.
    #[serde(flatten)]
    pub labels: BTreeMap<String, Value>,
}

/// Something a message names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct EntityWanted {
    /// As it is written.
    pub text: String,
    /// What it is.
    pub kind: String,
}

/// What was made of a row, layer by layer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ContextPrediction {
    /// The message.
    pub text: String,
    /// Each layer that the row has a label for; the route under `route`.
    pub layers: BTreeMap<String, Judged>,
}

/// What should have been given, and what was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// What is right.
    pub label: String,
    /// What was given.
    pub given: String,
}

/// What came of all rows.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ContextReport {
    /// How many rows.
    pub messages: usize,
    /// The figures of each layer that rows have labels for.
    pub layers: Vec<LayerFigures>,
    /// How well what messages name was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<EntityFigures>,
    /// How often the right route was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routes: Option<LayerFigures>,
}

/// How often a layer got the right label.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LayerFigures {
    /// The layer.
    pub name: String,
    /// How many rows have a label for it.
    pub messages: usize,
    /// How many of them got it.
    pub right: usize,
    /// The share.
    pub accuracy: f64,
    /// Each label: how often it was right to give, how often it was given, how often both.
    pub labels: Vec<LabelFigures>,
    /// What was taken for something else, most often first.
    pub confused: Vec<Confused>,
}

/// How a label fared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LabelFigures {
    /// The label.
    pub label: String,
    /// How many rows should get it.
    pub wanted: usize,
    /// How many got it.
    pub given: usize,
    /// How many got it rightly.
    pub right: usize,
}

/// A label that was taken for another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Confused {
    /// What was right.
    pub label: String,
    /// What was given.
    pub given: String,
    /// How often.
    pub count: usize,
}

/// How well what messages name was found: kind and text must be right, and the text may be cut differently.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EntityFigures {
    /// How many there are.
    pub wanted: usize,
    /// How many were found.
    pub found: usize,
    /// How many of those are right.
    pub right: usize,
    /// Right of found.
    pub precision: f64,
    /// Right of wanted.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
}

/// Lets a router tell the context of every row.
pub fn judge_context(
    router: &Router,
    rows: &[ContextRow],
) -> Result<(ContextReport, Vec<ContextPrediction>), Error> {
    let (mut entities, mut predictions) = (EntityFigures::default(), Vec::with_capacity(rows.len()));
    for row in rows {
        let answer = router.route(&Message::from(row.text.as_str()))?;
        let mut prediction = ContextPrediction { text: row.text.clone(), ..ContextPrediction::default() };
        for (layer, given) in labels_told(&answer.context) {
            if let Some(wanted) = row.labels.get(&layer).and_then(Value::as_str) {
                prediction.layers.insert(layer, Judged { label: wanted.to_owned(), given });
            }
        }
        if let Some(label) = row.route.clone() {
            prediction
                .layers
                .insert(ROUTE.to_owned(), Judged { label, given: answer.route.unwrap_or_default() });
        }
        if let Some(wanted) = &row.entities {
            entities.add(wanted, &answer.context);
        }
        predictions.push(prediction);
    }
    let mut report = figures(router.catalog().context(), &predictions);
    report.entities = (entities.wanted > 0).then(|| entities.finished());
    Ok((report, predictions))
}

/// The figures of predictions.
fn figures(labels: Option<&Labels>, predictions: &[ContextPrediction]) -> ContextReport {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for (layer, judged) in predictions.iter().flat_map(|prediction| &prediction.layers) {
        tallies.entry(layer).or_default().add(&judged.label, &judged.given);
    }
    let names = labels.into_iter().flat_map(Labels::layers).map(|layer| layer.name.as_str());
    let layers = names.filter_map(|name| Some(tallies.get(name)?.figures(name))).collect();
    let routes = tallies.get(ROUTE).map(|tally| tally.figures(ROUTE));
    ContextReport { messages: predictions.len(), layers, entities: None, routes }
}

/// Lets each labelled message of the catalog be told by what was learned from the others.
pub fn cross_judge_context(router: &Router) -> Result<(ContextReport, Vec<ContextPrediction>), Error> {
    let Some(labels) = router.catalog().context() else { return Ok(Default::default()) };
    let judged = router.cross_judge_kinds()?;
    let mut predictions = Vec::with_capacity(judged.len());
    for (message, beliefs) in &judged {
        let mut prediction = ContextPrediction { text: message.text.clone(), ..ContextPrediction::default() };
        let reading = Reading::new(&message.text);
        let told = context::tell(labels, context::glance(labels, &message.text, &reading), Some(beliefs));
        for ((layer, answered), wanted) in labels.layers().iter().zip(&told.layers).zip(&message.labels) {
            let Some(wanted) = wanted.and_then(|wanted| layer.labels.get(wanted)) else { continue };
            let band = told.complexity.filter(|complexity| {
                labels.layers().get(complexity.layer).is_some_and(|graded| graded.name == layer.name)
            });
            let banded = band.and_then(|complexity| layer.labels.get(complexity.band));
            let given = banded.map_or_else(|| answered.name(layer), |label| &label.name);
            let judged = Judged { label: wanted.name.clone(), given: given.to_owned() };
            prediction.layers.insert(layer.name.clone(), judged);
        }
        predictions.push(prediction);
    }
    Ok((figures(Some(labels), &predictions), predictions))
}

/// Every layer an answer tells, with its label.
fn labels_told(context: &Context) -> Vec<(String, String)> {
    let layers = context.layers.iter().map(|(layer, told)| (layer.clone(), told.label.clone()));
    let complexity = context.complexity.iter().map(|told| ("complexity".to_owned(), told.band.clone()));
    layers.chain(complexity).collect()
}

/// How often each label was wanted and each given.
#[derive(Clone, Debug, Default)]
struct Tally(BTreeMap<(String, String), usize>);

impl Tally {
    fn add(&mut self, wanted: &str, given: &str) {
        *self.0.entry((wanted.to_owned(), given.to_owned())).or_default() += 1;
    }

    fn messages(&self) -> usize {
        self.0.values().sum()
    }

    fn figures(&self, name: &str) -> LayerFigures {
        let mut labels: BTreeMap<&str, LabelFigures> = BTreeMap::new();
        let mut confused = Vec::new();
        for ((wanted, given), count) in &self.0 {
            labels.entry(wanted).or_default().wanted += count;
            labels.entry(given).or_default().given += count;
            if wanted == given {
                labels.entry(wanted).or_default().right += count;
            } else {
                confused.push(Confused { label: wanted.clone(), given: given.clone(), count: *count });
            }
        }
        confused.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.label.cmp(&b.label)));
        confused.truncate(CONFUSED_MAX);
        let named =
            |(label, figures): (&str, LabelFigures)| LabelFigures { label: label.to_owned(), ..figures };
        let labels: Vec<LabelFigures> = labels.into_iter().map(named).collect();
        let (messages, right) = (self.messages(), labels.iter().map(|label| label.right).sum());
        LayerFigures {
            name: name.to_owned(),
            messages,
            right,
            accuracy: share(right, messages),
            labels,
            confused,
        }
    }
}

impl EntityFigures {
    fn add(&mut self, wanted: &[EntityWanted], context: &Context) {
        let found = context.entities.as_deref().unwrap_or_default();
        self.wanted += wanted.len();
        self.found += found.len();
        let mut left: Vec<&EntityWanted> = wanted.iter().collect();
        for entity in found {
            let same = |wanted: &&EntityWanted| {
                wanted.kind == entity.kind
                    && (wanted.text.contains(&entity.text) || entity.text.contains(&wanted.text))
            };
            if let Some(at) = left.iter().position(same) {
                left.swap_remove(at);
                self.right += 1;
            }
        }
    }

    fn finished(mut self) -> EntityFigures {
        self.precision = share(self.right, self.found);
        self.recall = share(self.right, self.wanted);
        self.f1 = share(2 * self.right, self.found + self.wanted);
        self
    }
}
