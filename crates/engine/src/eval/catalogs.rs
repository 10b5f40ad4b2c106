//! How good are decisions over catalogs that nobody tuned to? Many small catalogs, each with messages of many kinds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use waypost_core::catalog::{Catalog, Source};
use waypost_core::decision::Outcome;
use waypost_core::message::{Message, Turn};
use waypost_core::signals::Depth;

use super::or_nothing;
use crate::learn::Cache;
use crate::{Error, Router};

/// Bins of the calibration error.
const BINS: usize = 15;

/// A small catalog and what people say to it: one line of a file of such catalogs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SmallCatalog {
    /// Its name.
    pub catalog: String,
    /// What it is about.
    #[serde(default)]
    pub domain: String,
    /// What can be chosen.
    pub routes: Vec<SmallRoute>,
    /// What is said.
    pub messages: Vec<SmallMessage>,
}

/// A route of a small catalog.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SmallRoute {
    /// Its name.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// What asks for it.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// A message and what is right for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SmallMessage {
    /// The message.
    pub text: String,
    /// The route it asks for; nothing where it asks for none.
    pub route: Option<String>,
    /// What kind of message it is.
    #[serde(default)]
    pub group: String,
    /// A second route it asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<String>,
    /// A route it does not want.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied: Option<String>,
    /// Earlier turns, oldest first.
    #[serde(default, deserialize_with = "or_nothing", skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Turn>,
    /// The earlier turn it continues, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<usize>,
}

/// What was made of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SmallPrediction {
    /// The catalog.
    pub catalog: String,
    /// The message and what is right for it.
    #[serde(flatten)]
    pub message: SmallMessage,
    /// How many routes there were to choose from, and how many examples each had on average.
    pub routes: usize,
    /// See `routes`.
    pub examples: f64,
    /// What was decided.
    pub outcome: Outcome,
    /// The route acted on.
    pub acted_on: Option<String>,
    /// The best-ranked route, and how sure it was.
    pub best: String,
    /// See `best`.
    pub confidence: f64,
    /// The second request that was reported.
    pub also_found: Option<String>,
    /// What was reported as not wanted.
    pub denied_found: Vec<String>,
    /// The turn that was reported as continued.
    pub continues_found: Option<usize>,
    /// What had the last word.
    pub read_by: Option<Depth>,
    /// The whole of `Router::route`, in microseconds.
    pub elapsed_us: f64,
}

impl SmallPrediction {
    /// Whether the decision is right: one of the routes that are asked for is acted on, or none where none is.
    pub fn is_right(&self) -> bool {
        match (&self.acted_on, &self.message.route) {
            (None, None) => true,
            (Some(taken), Some(wanted)) => taken == wanted || self.message.also.as_ref() == Some(taken),
            _ => false,
        }
    }

    /// The group it is reported under: a negation is a denial or a fact.
    fn group(&self) -> &str {
        match (self.message.group.as_str(), &self.message.denied) {
            ("negation", Some(_)) => "denial",
            ("negation", None) => "negated_fact",
            (group, _) => group,
        }
    }
}

/// How catalogs are set up to be judged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SmallSetting {
    /// The most examples a route has; all of them where nothing is said.
    pub examples_max: Option<usize>,
    /// How often what is acted on must be right.
    pub target_precision: Option<f64>,
}

impl SmallCatalog {
    /// A router for the catalog.
    pub fn router(&self, setting: SmallSetting, cache: &Cache) -> Result<Router, Error> {
        let routes = self.routes.iter().map(|route| {
            let examples = route.examples.iter().take(setting.examples_max.unwrap_or(usize::MAX));
            serde_json::json!({ "name": route.name, "description": route.description, "examples": examples.collect::<Vec<_>>() })
        });
        let thresholds = match setting.target_precision {
            Some(target) => serde_json::json!({ "target_precision": target }),
            None => serde_json::json!({}),
        };
        let json = serde_json::json!({
            "name": self.catalog, "thresholds": thresholds, "routes": routes.collect::<Vec<_>>() });
        let sources = vec![Source::new(self.catalog.clone(), json.to_string())];
        let checked = Catalog::read(&sources, &self.catalog);
        let catalog = checked.catalog.ok_or(Error::BadCatalog {
            problems: checked.problems,
            omitted: checked.omitted,
            sources,
        })?;
        Ok(Router::learning_catalog(catalog, cache))
    }

    /// Decides every message.
    pub fn judge(&self, router: &Router) -> Result<Vec<SmallPrediction>, Error> {
        let taught: usize = router.catalog().routes().map(|(_, route)| route.examples.len()).sum();
        let decide = |message: &SmallMessage| {
            let history = message.history.clone();
            let answer = router.route(&Message { history, ..Message::from(message.text.as_str()) })?;
            let taken = answer.routes.first().map(|route| (route.name.clone(), route.confidence));
            let considered =
                answer.considered.first().map(|loser| (loser.name.to_string(), loser.confidence));
            let (best, confidence) = taken.or(considered).unwrap_or_default();
            #[allow(clippy::cast_precision_loss)] // counts of a small catalog
            let examples = taught as f64 / self.routes.len().max(1) as f64;
            Ok(SmallPrediction {
                catalog: self.catalog.clone(),
                message: message.clone(),
                routes: self.routes.len(),
                examples,
                outcome: answer.outcome,
                acted_on: answer.route.filter(|_| answer.outcome == Outcome::Act),
                best,
                confidence: confidence.points().share(),
                also_found: answer.also.into_iter().next().map(|also| also.route),
                denied_found: answer.denied.into_iter().map(|denied| denied.route).collect(),
                continues_found: answer.continues.map(|continued| continued.turn),
                read_by: answer.read_by,
                elapsed_us: answer.elapsed_us,
            })
        };
        self.messages.iter().map(decide).collect()
    }
}

/// Figures over many small catalogs. Shares are between 0 and 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CatalogsReport {
    /// Catalogs and messages judged.
    pub catalogs: usize,
    /// See `catalogs`.
    pub messages: usize,
    /// Decisions that are right.
    pub right: f64,
    /// Of the messages that ask for a route, those whose best-ranked route is right.
    pub top_1: f64,
    /// Of the messages acted on, those acted on rightly.
    pub precision: f64,
    /// Of the messages that ask for a route, those acted on.
    pub coverage: f64,
    /// How far the confidence of the best-ranked route is from how often it is right.
    pub calibration_error: f64,
    /// Of the messages that do not want a route, those where it was acted on.
    pub acted_on_denied: f64,
    /// Of the messages that do not want a route, those where it was reported.
    pub denied_reported: f64,
    /// Of the messages with two requests, those where both were reported.
    pub second_reported: f64,
    /// Of the follow-ups that continue a turn, those where it was named.
    pub turn_named: f64,
    /// Messages decided by the full model.
    pub read_fully: f64,
    /// Right decisions by group, by number of examples and by number of routes.
    pub by_group: BTreeMap<String, Share>,
    /// See `by_group`.
    pub by_examples: BTreeMap<String, Share>,
    /// See `by_group`.
    pub by_routes: BTreeMap<String, Share>,
    /// Microseconds per message: the middle, and the ninety-ninth of a hundred; by the full model and without it.
    pub full_us: Percentiles,
    /// See `full_us`.
    pub fast_us: Percentiles,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// How many were right.
    pub right: usize,
    /// Of how many.
    pub of: usize,
}

/// Times, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Percentiles {
    /// The middle.
    pub p50: f64,
    /// The ninety-ninth of a hundred.
    pub p99: f64,
}

impl Share {
    pub(super) fn count(&mut self, right: bool) {
        self.right += usize::from(right);
        self.of += 1;
    }

    /// The share, nothing of nothing being nothing.
    pub fn value(self) -> f64 {
        share(self.right, self.of)
    }
}

/// The figures of predictions over small catalogs.
pub fn catalogs_report(predictions: &[SmallPrediction]) -> CatalogsReport {
    let of = |chosen: &dyn Fn(&SmallPrediction) -> bool, right: &dyn Fn(&SmallPrediction) -> bool| {
        let chosen = predictions.iter().filter(|row| chosen(row));
        let (right, count) =
            chosen.fold((0, 0), |(sum, count), row| (sum + usize::from(right(row)), count + 1));
        share(right, count)
    };
    let asks = |row: &SmallPrediction| row.message.route.is_some();
    let denies = |row: &SmallPrediction| row.message.denied.is_some();
    let best_is_right = |row: &SmallPrediction| {
        asks(row)
            && (Some(&row.best) == row.message.route.as_ref() || Some(&row.best) == row.message.also.as_ref())
    };
    let is_full = |row: &SmallPrediction| row.read_by == Some(Depth::Full);
    let catalogs: std::collections::BTreeSet<&str> =
        predictions.iter().map(|row| row.catalog.as_str()).collect();
    let by = |label: &dyn Fn(&SmallPrediction) -> String| {
        let mut shares: BTreeMap<String, Share> = BTreeMap::new();
        for row in predictions {
            shares.entry(label(row)).or_default().count(row.is_right());
        }
        shares
    };
    CatalogsReport {
        catalogs: catalogs.len(),
        messages: predictions.len(),
        right: of(&|_| true, &SmallPrediction::is_right),
        top_1: of(&asks, &best_is_right),
        precision: of(&|row| row.acted_on.is_some(), &SmallPrediction::is_right),
        coverage: of(&asks, &|row| row.acted_on.is_some()),
        calibration_error: calibration_error(predictions, &best_is_right),
        acted_on_denied: of(&denies, &|row| row.acted_on == row.message.denied),
        denied_reported: of(&denies, &|row| row.message.denied.iter().all(|d| row.denied_found.contains(d))),
        second_reported: of(&|row| row.message.also.is_some(), &both_reported),
        turn_named: of(&|row| row.message.continues.is_some(), &|row| row.continues_found == row.message.continues),
        read_fully: of(&|_| true, &is_full),
        by_group: by(&|row| row.group().to_owned()),
        by_examples: by(&|row| band(row.examples, &[0.0, 1.0, 3.5, 7.5, 15.0])),
        #[allow(clippy::cast_precision_loss)] // counts of a small catalog
        by_routes: by(&|row| band(row.routes as f64, &[0.0, 6.5, 10.5, 15.5, 20.5])),
        full_us: percentiles(predictions.iter().filter(|row| is_full(row)).map(|row| row.elapsed_us)),
        fast_us: percentiles(predictions.iter().filter(|row| !is_full(row)).map(|row| row.elapsed_us)),
    }
}

/// Whether both requests of a message were found, in whichever order.
fn both_reported(row: &SmallPrediction) -> bool {
    let found = [row.acted_on.as_ref(), row.also_found.as_ref()];
    [row.message.route.as_ref(), row.message.also.as_ref()].into_iter().all(|wanted| found.contains(&wanted))
}

/// The name of the stretch that a number lies in; each begins at a bound.
fn band(value: f64, bounds: &[f64]) -> String {
    let at = bounds.iter().rposition(|bound| value >= *bound).unwrap_or_default();
    let first = bounds.get(at).copied().unwrap_or_default().ceil();
    match bounds.get(at + 1) {
        Some(next) if next.floor() > first && next.fract() > 0.0 => format!("{first:02}–{:02}", next.floor()),
        Some(next) if next.fract() == 0.0 && *next - 1.0 > first => format!("{first:02}–{:02}", next - 1.0),
        Some(_) => format!("{first:02}"),
        None => format!("{first:02} and more"),
    }
}

/// The mean distance between confidence and share of right ones over bins of confidence, each as much as it holds.
fn calibration_error(predictions: &[SmallPrediction], right: &dyn Fn(&SmallPrediction) -> bool) -> f64 {
    let mut bins = vec![(0.0, 0_usize, 0_usize); BINS];
    for row in predictions {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        // a share of fifteen bins
        let at = ((row.confidence * BINS as f64) as usize).min(BINS - 1);
        if let Some((sum, sure, count)) = bins.get_mut(at) {
            *sum += row.confidence;
            *sure += usize::from(right(row));
            *count += 1;
        }
    }
    #[allow(clippy::cast_precision_loss)] // counts of messages
    let off: f64 = bins.iter().map(|(sum, sure, _)| (sum - *sure as f64).abs()).sum();
    #[allow(clippy::cast_precision_loss)]
    let count = predictions.len().max(1) as f64;
    off / count
}

/// The percentiles of times.
pub(super) fn percentiles(times: impl Iterator<Item = f64>) -> Percentiles {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    let at = |hundredth: usize| {
        times.get((times.len() * hundredth / 100).min(times.len().saturating_sub(1))).copied()
    };
    Percentiles { p50: at(50).unwrap_or_default(), p99: at(99).unwrap_or_default() }
}

#[allow(clippy::cast_precision_loss)] // counts of messages
fn share(part: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}
