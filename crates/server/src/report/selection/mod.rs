//! Who was selected, and why? The report of the detection document: one value, shown as text, Markdown or JSON.

mod sentence;
mod phrases;
mod page;

use serde::Serialize;
use waypost::core::decision::Outcome;
use waypost::core::measure::{Confidence, Points};
use waypost::core::preflight::{Cause, ModeUsed, Risk, RiskPart};
use waypost::core::scores::FactorKind;
use waypost::core::signals::MatchedBy;
use waypost::core::threshold::{Adjusted, Level, Selection};
use waypost::core::trace::CatalogRef;
use waypost::core::trace::steps::{
    Alternative, DecisionFactor, Factor, PartKey, Rejection, RiskKind, RiskLevel, Steps,
};
use waypost::{Catalog, Trace};

use super::words::{ENGLISH, VIETNAMESE, Words};
pub use page::{markdown, text};
use sentence::Sentence;

/// A language the report is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English
    #[default]
    En,
    /// Vietnamese
    Vi,
}

impl Lang {
    const fn words(self) -> &'static Words {
        match self {
            Lang::En => &ENGLISH,
            Lang::Vi => &VIETNAMESE,
        }
    }
}

/// The report with what it is a report of. Keys are the same in every language; sentences are not.
#[derive(Debug, Serialize)]
pub struct SelectionReport<'t> {
    version: u32,
    id: &'t str,
    catalog: &'t CatalogRef,
    lang: Lang,
    report: Report<'t>,
    /// What did not go as it should, and what was done instead.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'t [String],
}

#[derive(Debug, Serialize)]
struct Report<'t> {
    agent: Option<&'t str>,
    outcome: Outcome,
    says: Sentence,
    confidence: Confidence,
    confidence_percent: f64,
    confidence_level: RiskLevel,
    selection: Selection,
    /// Whose confidence it is.
    candidate: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forced_by: Option<MatchedBy>,
    factors: Vec<FactorShown>,
    decision_factors: Vec<PartShown>,
    threshold: ThresholdShown<'t>,
    alternatives: Vec<AlternativeShown<'t>>,
    flags_activated: Vec<FlagShown<'t>>,
    flags_given: &'t [String],
    risks: Vec<RiskShown>,
    risk: TotalRisk,
    uncertainties: Vec<Sentence>,
    suggestions: Vec<Sentence>,
    /// How much the best specialist lacks, where it does.
    gap: Option<Points>,
    budget: Budget,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    caution: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    monitoring: Option<bool>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    safe_mode: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'t ModeUsed>,
}

#[derive(Debug, Serialize)]
struct FactorShown {
    kind: FactorKind,
    name: &'static str,
    points: Points,
    parts: Vec<PartShown>,
}

#[derive(Debug, Serialize)]
struct PartShown {
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<PartKey>,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    what: Sentence,
    points: Points,
    percent: u32,
}

#[derive(Debug, Serialize)]
struct ThresholdShown<'t> {
    original: Confidence,
    adjusted: Confidence,
    delta: Points,
    rule: Option<&'t str>,
    level: Level,
    reason: Sentence,
    signals: Vec<SignalShown<'t>>,
}

#[derive(Debug, Serialize)]
struct SignalShown<'t> {
    name: &'t str,
    source: &'static str,
    recommends: &'static str,
    value: Option<Confidence>,
    reason: &'t str,
    #[serde(skip)]
    about: Sentence,
}

#[derive(Debug, Serialize)]
struct AlternativeShown<'t> {
    agent: &'t str,
    confidence: Confidence,
    confidence_percent: f64,
    rejected: Sentence,
    #[serde(flatten)]
    rejection: &'t Rejection,
}

#[derive(Debug, Serialize)]
struct FlagShown<'t> {
    flag: &'t str,
    by: &'t str,
    says: Sentence,
}

#[derive(Debug, Serialize)]
struct RiskShown {
    kind: RiskKind,
    level: RiskLevel,
    amount: Option<Points>,
    says: Sentence,
}

#[derive(Debug, Serialize)]
struct TotalRisk {
    total: Points,
    safe_mode: bool,
    parts: Vec<RiskPartShown>,
}

#[derive(Debug, Serialize)]
struct RiskPartShown {
    name: RiskPart,
    points: Points,
    likelihood: Points,
    weight: Points,
    grounds: Vec<GroundShown>,
}

#[derive(Debug, Serialize)]
struct GroundShown {
    points: Points,
    says: Sentence,
    cause: Cause,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Budget {
    tokens: Option<u32>,
    minutes: Option<u32>,
}

/// The report of a trace; nothing where the catalog does not score by factors.
pub fn selection<'t>(trace: &'t Trace, catalog: &Catalog, lang: Lang) -> Option<SelectionReport<'t>> {
    let steps = trace.steps.as_deref()?;
    let answer = &trace.answer;
    Some(SelectionReport {
        version: answer.version,
        id: &answer.id,
        catalog: &answer.catalog,
        lang,
        report: report(trace, steps, catalog, lang.words()),
        notes: &answer.notes,
    })
}

fn report<'t>(trace: &'t Trace, steps: &'t Steps, catalog: &Catalog, words: &'static Words) -> Report<'t> {
    let reasoning = &steps.step_6.detailed_reasoning_report;
    let forced_by = steps.step_5.forced_by;
    let budget = &steps.step_8.resource_allocation;
    Report {
        agent: reasoning.agent.as_deref(),
        outcome: trace.answer.outcome,
        says: phrases::choice(trace, reasoning.selection, forced_by, words),
        confidence: reasoning.confidence,
        confidence_percent: percent(reasoning.confidence.points()),
        confidence_level: level(reasoning.selection),
        selection: reasoning.selection,
        candidate: steps.step_4.candidate.as_deref(),
        forced_by,
        factors: reasoning.factors.iter().map(|factor| factor_shown(factor, words)).collect(),
        decision_factors: decision_factors(&reasoning.decision_factors, forced_by, words),
        threshold: threshold(&reasoning.threshold, catalog, words),
        alternatives: reasoning.alternatives.iter().map(|other| alternative(other, words)).collect(),
        flags_activated: flags_activated(trace, steps, words),
        flags_given: &reasoning.flags_given,
        risks: risks(trace, steps, catalog, words),
        risk: total_risk(&reasoning.risk, words),
        uncertainties: phrases::uncertainties(steps, words),
        suggestions: phrases::suggestions(trace, steps, words),
        gap: steps.step_5.gap,
        budget: Budget { tokens: budget.tokens, minutes: budget.minutes },
        action: trace.answer.action.as_deref(),
        caution: trace.answer.caution,
        monitoring: trace.answer.monitoring,
        safe_mode: trace.answer.safe_mode,
        mode: trace.answer.mode.as_ref(),
    }
}

/// How sure that is, in a word. It goes by what comes of it, as the threshold that counts is not always the same.
const fn level(selection: Selection) -> RiskLevel {
    match selection {
        Selection::SpecialistHigh => RiskLevel::High,
        Selection::Specialist => RiskLevel::Medium,
        Selection::Universal => RiskLevel::Low,
    }
}

fn factor_shown(factor: &Factor, words: &'static Words) -> FactorShown {
    FactorShown {
        kind: factor.kind,
        name: phrases::factor(factor.kind, words),
        points: factor.points,
        parts: factor.parts.iter().map(|part| part_shown(part, words)).collect(),
    }
}

fn part_shown(part: &DecisionFactor, words: &Words) -> PartShown {
    let what = phrases::part(part.key, part.about.as_deref(), words);
    PartShown {
        key: Some(part.key),
        about: part.about.clone(),
        what,
        points: part.points,
        percent: part.percent,
    }
}

/// What decided: the parts that weigh most, or the one thing that settled everything.
fn decision_factors(parts: &[DecisionFactor], forced_by: Option<MatchedBy>, words: &Words) -> Vec<PartShown> {
    let settled = match forced_by {
        Some(MatchedBy::Command) => words.parts.by_command,
        Some(_) => words.parts.by_name,
        None => return parts.iter().map(|part| part_shown(part, words)).collect(),
    };
    let what = Sentence::ours(settled);
    vec![PartShown { key: None, about: None, what, points: Points::ONE, percent: 100 }]
}

fn threshold<'t>(adjusted: &'t Adjusted, catalog: &Catalog, words: &Words) -> ThresholdShown<'t> {
    let rule = adjusted.rule.as_ref();
    let rule = rule.and_then(|id| catalog.thresholds().rules.iter().find(|rule| rule.id == *id));
    let signals = adjusted.signals.iter().map(|signal| SignalShown {
        name: &signal.name,
        source: signal.source.name(),
        recommends: signal.recommends.name(),
        value: signal.value,
        reason: &signal.reason,
        about: phrases::signal(signal, words),
    });
    ThresholdShown {
        original: adjusted.original,
        adjusted: adjusted.threshold,
        delta: adjusted.delta,
        rule: adjusted.rule.as_deref(),
        level: adjusted.level,
        reason: phrases::threshold(adjusted, rule, words),
        signals: signals.collect(),
    }
}

fn alternative<'t>(other: &'t Alternative, words: &Words) -> AlternativeShown<'t> {
    AlternativeShown {
        agent: &other.agent,
        confidence: other.confidence,
        confidence_percent: percent(other.confidence.points()),
        rejected: phrases::rejection(&other.rejection, words),
        rejection: &other.rejection,
    }
}

fn flags_activated<'t>(trace: &'t Trace, steps: &'t Steps, words: &Words) -> Vec<FlagShown<'t>> {
    let activated = trace.preflight.iter().flat_map(|preflight| &preflight.actions.activated);
    let shown = activated.map(|set| FlagShown {
        flag: &set.flag,
        by: &set.by,
        says: phrases::activated(&set.by, steps, words),
    });
    shown.collect()
}

fn risks(trace: &Trace, steps: &Steps, catalog: &Catalog, words: &Words) -> Vec<RiskShown> {
    let bounds = &catalog.precautions().bounds;
    let pressure = trace.situation.resources.pressure(bounds);
    let told = steps.step_6.detailed_reasoning_report.risks.iter();
    let shown = told.map(|risk| RiskShown {
        kind: risk.kind,
        level: risk.level,
        amount: risk.amount,
        says: phrases::risk(risk, &pressure, words),
    });
    shown.collect()
}

fn total_risk(risk: &Risk, words: &Words) -> TotalRisk {
    let parts = risk.parts.iter().map(|part| RiskPartShown {
        name: part.name,
        points: part.points,
        likelihood: part.likelihood,
        weight: part.weight,
        grounds: part
            .grounds
            .iter()
            .map(|ground| GroundShown {
                points: ground.points,
                says: phrases::cause(ground.cause, words),
                cause: ground.cause,
            })
            .collect(),
    });
    TotalRisk { total: risk.risk, safe_mode: risk.safe_mode, parts: parts.collect() }
}

/// A share in per cent, with as many decimals as it has.
fn percent(share: Points) -> f64 {
    // Ten thousand units of a millionth make one per cent; rounding gives back what division blurred.
    (share.share() * 1e6).round() / 1e4
}

#[cfg(test)]
mod tests;
