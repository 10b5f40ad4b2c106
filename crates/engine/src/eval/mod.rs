//! How good are the decisions? Rows with their right answers in, figures out.

mod metrics;
mod compare;
mod catalogs;
mod context;
mod outcomes;
mod retrieval;
mod duckling;
mod arguments;
mod calls;
mod calls_report;
mod conversations;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use waypost_core::catalog::context::{LabelledBy, Labels};
use waypost_core::catalog::{Catalog, Checked, Source};
use waypost_core::decision::Outcome;
use waypost_core::message::{Fact, Message, Turn};

use crate::{Error, Router};

pub use arguments::{
    ArgsPrediction, ArgsReport, ArgsRow, ArgsSetting, JudgedAs, KindFigures, OutcomeCount, SlotJudged,
    Verdict, args_report, judge_args,
};
pub use calls::{
    CALLS_NOW, CallAct, CallPrediction, CallRow, CallSlot, CallTool, CallValue, CallWanted, RejectedValue,
};
pub use calls_report::{CallsReport, calls_report};
pub use catalogs::{
    CatalogsReport, Percentiles, Share, SmallCatalog, SmallMessage, SmallPrediction, SmallRoute,
    SmallSetting, catalogs_report,
};
pub use compare::{Comparison, compare};
pub use context::{
    Confused, ContextPrediction, ContextReport, ContextRow, EntityFigures, EntityWanted, Judged,
    LabelFigures, LayerFigures, cross_judge_context, judge_context,
};
pub use conversations::{ConversationEnd, ConversationPrediction, ConversationRow, ConversationStep};
pub use metrics::{
    Bin, Confusion, CoveragePoint, FitBin, Latency, OutOfScope, Report, RouteFigures, ScopePoint,
    out_of_scope, report,
};
pub use outcomes::{Band, OUTCOMES_MIN, OutcomesReport, judge_outcomes};
pub use retrieval::{Lookup, Missed, NeedRow, Ranking, RetrievalReport, rank_rows, retrieval_report};

/// A message and where it belongs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The message.
    pub text: String,
    /// The route it belongs to; empty or `null` where it needs none.
    #[serde(deserialize_with = "or_nothing")]
    pub label: String,
    /// Earlier turns, oldest first.
    #[serde(default, deserialize_with = "or_nothing", skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Turn>,
    /// Facts of the session it is said in.
    #[serde(default, deserialize_with = "or_nothing", skip_serializing_if = "BTreeMap::is_empty")]
    pub session: BTreeMap<String, Fact>,
}

/// A `null` is as good as a field that is not there.
fn or_nothing<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// What was made of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The message.
    pub text: String,
    /// Where it belongs.
    pub label: String,
    /// The best-ranked route, whether or not it was taken.
    pub predicted: String,
    /// What was decided.
    pub outcome: Outcome,
    /// How sure the best-ranked route was.
    pub confidence: f64,
    /// How likely the message belongs to any route, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fits: Option<f64>,
    /// The whole of `Router::climb`, in microseconds; with local encoders that is `Router::route`.
    pub elapsed_us: f64,
}

/// Decides one row.
pub fn predict(router: &Router, row: &Row) -> Result<Prediction, Error> {
    let (session, history) = (row.session.clone(), row.history.clone());
    let said = Message { session, history, ..Message::from(row.text.as_str()) };
    let answer = router.climb(&said)?;
    let taken = answer.routes.first().map(|route| (route.name.clone(), route.confidence));
    let best = answer.considered.first().map(|loser| (loser.name.to_string(), loser.confidence));
    let (predicted, confidence) = taken.or(best).unwrap_or_default();
    Ok(Prediction {
        text: row.text.clone(),
        label: row.label.clone(),
        predicted,
        outcome: answer.outcome,
        confidence: confidence.points().share(),
        fits: answer.fits.map(|fits| fits.points().share()),
        elapsed_us: answer.elapsed_us,
    })
}

/// A catalog of the rows' labels as routes, each taught by its texts.
pub fn catalog_of(name: &str, rows: &[Row]) -> Result<Catalog, Error> {
    let examples: Vec<(&str, &str)> =
        rows.iter().map(|row| (row.text.as_str(), row.label.as_str())).collect();
    let Checked { catalog, problems, omitted } = Catalog::of_examples(name, &examples);
    let quoted = || rows.iter().map(|row| row.text.replace('\n', " ")).collect::<Vec<_>>().join("\n");
    catalog.ok_or_else(|| Error::BadCatalog {
        problems,
        omitted,
        sources: vec![Source::new("rows", quoted())],
    })
}

/// The examples of a catalog as rows, and the messages that need no route.
pub fn rows_of(catalog: &Catalog) -> Vec<Row> {
    let of_route = |(_, route): (_, &waypost_core::catalog::Route)| {
        let row = |text: &String| Row { text: text.clone(), label: route.name.to_string(), ..Row::default() };
        route.examples.iter().map(row).collect::<Vec<_>>()
    };
    let ordinary = catalog.ordinary().iter().map(|text| Row { text: text.clone(), ..Row::default() });
    catalog.routes().flat_map(of_route).chain(ordinary).collect()
}

/// Messages of a catalog to measure with: its examples, else the messages that teach it kinds of request.
pub fn messages_of(catalog: &Catalog) -> Vec<Message> {
    let rows = rows_of(catalog);
    if !rows.is_empty() {
        return rows.into_iter().map(|row| Message::from(row.text)).collect();
    }
    let labelled = catalog.context().map(Labels::examples).unwrap_or_default();
    let messages = labelled.iter().filter(|example| example.kind == LabelledBy::Message);
    messages.map(|example| Message::from(example.text.as_str())).collect()
}

/// Deals rows into parts, each route's evenly: for each part, what to learn from and what to judge.
pub fn folds(rows: &[Row], count: usize) -> Vec<(Vec<Row>, Vec<Row>)> {
    let mut dealt: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    let mut parts: Vec<usize> = Vec::with_capacity(rows.len());
    for row in rows {
        let seen = dealt.entry(&row.label).or_default();
        parts.push(*seen % count.max(1));
        *seen += 1;
    }
    let part = |fold: usize| {
        let pick = |judged: bool| {
            let chosen = rows.iter().zip(&parts).filter(|(_, part)| (**part == fold) == judged);
            chosen.map(|(row, _)| row.clone()).collect()
        };
        (pick(false), pick(true))
    };
    (0..count.max(1)).map(part).collect()
}
