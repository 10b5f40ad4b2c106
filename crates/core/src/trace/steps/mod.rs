//! How was a specialist chosen? The nine steps of the detection document, and what each leaves behind.

mod request;
mod reasoning;
mod hand_over;

use serde::{Deserialize, Serialize};

pub use hand_over::{CompletionDue, HandOver, ResourceAllocation};
pub use reasoning::{
    Alternative, DecisionFactor, Factor, PartKey, Reasoning, Rejection, RiskKind, RiskLevel, RiskTold,
};
pub use request::{AreaScore, Assessment, Request};

use super::Account;
use crate::catalog::Scoring;
use crate::decision::{Decision, Loser, Lost, Outcome, Why};
use crate::history::SpecialistRecord;
use crate::measure::{Confidence, Points};
use crate::message::Fact;
use crate::preflight::{self, Band, Blocked, Gate, Permission, Preflight, Task};
use crate::scores::Score;
use crate::signals::{Force, MatchedBy};
use crate::threshold::{Adjusted, Selection};

/// The steps, each under its name, with the output the document names for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Steps {
    /// Parsing the request.
    pub step_1: StructuredRequest,
    /// Matching domains.
    pub step_2: DomainScores,
    /// Scoring complexity.
    pub step_3: ComplexityAssessment,
    /// Calculating confidence.
    pub step_4: BaseConfidence,
    /// Adjusting the threshold.
    pub step_4_5: ThresholdAdjustment,
    /// Selecting the agent.
    pub step_5: AgentSelection,
    /// Giving reasons.
    pub step_6: DetailedReasoning,
    /// Validating before anything is done.
    pub step_7: Validation,
    /// Handing over.
    pub step_8: HandOver,
    /// Tracking what comes of it.
    pub step_9: CompletionDue,
}

/// The output of step 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructuredRequest {
    /// The request, taken apart.
    pub structured_request_object: Request,
}

/// The output of step 2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DomainScores {
    /// How far each area is meant.
    pub domain_scores_array: Vec<AreaScore>,
}

/// The output of step 3.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComplexityAssessment {
    /// How complex it is, and what that takes.
    pub complexity_assessment: Assessment,
}

/// The output of step 4.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BaseConfidence {
    /// The route that comes nearest.
    pub candidate: Option<String>,
    /// How sure it is.
    pub base_confidence_score: Confidence,
    /// The four factors it is the sum of.
    pub factors: Vec<Factor>,
}

/// The output of step 4.5.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThresholdAdjustment {
    /// The threshold, and how it came about.
    pub threshold_adjustment_result: Adjusted,
}

/// The output of step 5.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentSelection {
    /// Who takes it.
    pub agent: Option<String>,
    /// As what.
    pub selection: Selection,
    /// The threshold before any rule.
    pub original_threshold: Confidence,
    /// The threshold that holds.
    pub adjusted_threshold: Confidence,
    /// How far it was moved.
    pub adjustment_delta: Points,
    /// The rules that moved it.
    pub applied_rules: Vec<String>,
    /// How far the user is trusted, where that is known.
    pub user_reputation: Option<f64>,
    /// How much the best specialist falls short, where it does.
    pub gap: Option<Points>,
    /// What settled the matter, a command or a name that is certain, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced_by: Option<MatchedBy>,
}

/// The output of step 6.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DetailedReasoning {
    /// The report.
    pub detailed_reasoning_report: Reasoning,
}

/// The output of step 7.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// Whether it may be handed over.
    pub validation_passed_or_escalated: Gate,
}

/// The steps of an account; nothing where the catalog does not score by factors.
pub(super) fn steps(account: &Account<'_>) -> Option<Steps> {
    if account.catalog.scoring() != Scoring::Factors {
        return None;
    }
    let best = best(account);
    let confidence = best.map_or(Confidence::NONE, |score| score.confidence);
    let adjusted = &account.adjusted;
    let (selection, gap) =
        crate::threshold::select(account.catalog.thresholds(), adjusted.threshold, confidence);
    let taken = account.decision.ranked.first().map(|route| account.catalog.route_name(*route).to_owned());
    let preflight = account.preflight.clone().unwrap_or_else(|| preflight(account));
    let gate = gate(account, &preflight);
    Some(Steps {
        step_1: StructuredRequest { structured_request_object: request::parse(account, &preflight) },
        step_2: DomainScores { domain_scores_array: request::areas(account) },
        step_3: ComplexityAssessment { complexity_assessment: request::assess(account) },
        step_4: BaseConfidence {
            candidate: best.map(|score| account.catalog.route_name(score.route).to_owned()),
            base_confidence_score: confidence,
            factors: best.map(reasoning::factors).unwrap_or_default(),
        },
        step_4_5: ThresholdAdjustment { threshold_adjustment_result: adjusted.clone() },
        step_5: AgentSelection {
            agent: taken.clone(),
            selection,
            original_threshold: adjusted.original,
            adjusted_threshold: adjusted.threshold,
            adjustment_delta: adjusted.delta,
            applied_rules: adjusted.applied_rules.clone(),
            user_reputation: account.standing.reputation_score,
            gap,
            forced_by: forced_by(account),
        },
        step_6: DetailedReasoning {
            detailed_reasoning_report: reasoning::report(account, best, selection, &preflight),
        },
        step_7: Validation { validation_passed_or_escalated: gate },
        step_8: hand_over::hand_over(account, taken.as_deref(), &preflight),
        step_9: hand_over::completion_due(account),
    })
}

/// What settled the matter. A name that is only a hint settles nothing.
fn forced_by(account: &Account<'_>) -> Option<MatchedBy> {
    let taken = account.decision.ranked.first()?;
    let score = account.scores.iter().find(|score| score.route == *taken)?;
    score.force.map(|force| match force {
        Force::Command => MatchedBy::Command,
        Force::Name => MatchedBy::Name,
    })
}

/// The route that comes nearest: the one taken, or the best of those that were not enough.
pub(super) fn best<'a, 'c>(account: &'a Account<'c>) -> Option<&'a Score<'c>> {
    let route = match account.decision.why {
        Why::Fallback => allowed(&account.decision).map(|loser| loser.route),
        _ => account.decision.ranked.first().copied(),
    };
    let nearest = || account.scores.iter().max_by_key(|score| score.confidence);
    route.and_then(|route| account.scores.iter().find(|score| score.route == route)).or_else(nearest)
}

/// The surest route that was not taken and might have been.
fn allowed(decision: &Decision) -> Option<&Loser> {
    decision.losers.iter().find(|loser| loser.lost != Lost::SafeMode)
}

/// What is to be done, as far as it matters before it is.
pub(super) fn task(account: &Account<'_>) -> Task {
    let kind = account.catalog.context().zip(account.context.as_ref());
    let label =
        |layer: &str| kind.and_then(|(labels, context)| context.label(labels, layer)).map(str::to_owned);
    let complexity = account.context.as_ref().and_then(|context| context.complexity);
    let touched = kind.and_then(|(labels, context)| context.answered(labels, "area"));
    let holds = |fact: &str| {
        let said = account.situation.message.environment.get(fact);
        let brought = || kind.is_some_and(|(labels, context)| context.facts(labels).any(|own| own == fact));
        said.map_or_else(brought, |said| *said == Fact::Flag(true))
    };
    let persona = account.decision.ranked.first().map(|route| account.catalog.route_name(*route).to_owned());
    let failed = |(specialist, area): (&String, String)| {
        SpecialistRecord::failed_in(&account.situation.specialists, specialist, &area)
    };
    Task {
        specialist_failed: persona.as_ref().zip(label("area")).and_then(failed),
        persona,
        command: account.reading.command().map(|command| command.name.clone()),
        operation: label("operation"),
        complexity: complexity.map(|complexity| complexity.score),
        own_band: complexity.map(|complexity| Band::at(complexity.band, band_count(account))),
        areas: touched.map_or(0, |answered| answered.scores.len()),
        tokens: complexity.map(|complexity| request::tokens(account, complexity.score)),
        token_budget: complexity.and_then(|complexity| complexity.budget.tokens).map(u64::from),
        production: holds("is_production"),
        // What forbids a task is not lifted by its wording: whoever runs the machine says that it is critical.
        critical: account.situation.message.environment.get("is_critical_task") == Some(&Fact::Flag(true)),
        mode: preflight::mode(account.catalog.precautions(), &account.situation.message.environment)
            .0
            .map(|mode| mode.name.clone()),
    }
}

/// How many bands the catalog's complexity has.
fn band_count(account: &Account<'_>) -> usize {
    let scale =
        account.context.as_ref().and_then(|context| context.complexity).map(|complexity| complexity.layer);
    let layer = account.catalog.context().zip(scale).and_then(|(labels, layer)| labels.layers().get(layer));
    layer.map_or(0, |layer| layer.labels.len())
}

/// What is found before anything is done.
pub(super) fn preflight(account: &Account<'_>) -> Preflight {
    let Account { catalog, reading, situation, standing, .. } = account;
    let task = task(account);
    preflight::look(
        catalog.precautions(),
        reading,
        &task,
        &situation.resources,
        standing,
        &situation.observed,
    )
}

/// What forbids that the task begins, whether or not a route is taken: a tool may be called without one.
pub(super) fn verdict(account: &Account<'_>, preflight: &Preflight) -> Option<(Permission, Blocked)> {
    let is_handed_over =
        account.catalog.scoring() == Scoring::Factors && account.decision.outcome == Outcome::Act;
    let gate = is_handed_over.then(|| gate(account, preflight));
    preflight::verdict(account.catalog.precautions(), &task(account), preflight, gate.as_ref())
}

/// The gate before it is handed over.
fn gate(account: &Account<'_>, preflight: &Preflight) -> Gate {
    let taken = account.decision.ranked.first();
    let score = taken.and_then(|route| account.scores.iter().find(|score| score.route == *route));
    let falls_back = account.decision.why == Why::Fallback;
    let confidence = score.map_or(Confidence::NONE, |score| score.confidence);
    // What is taken where nothing is sure enough need not be.
    let threshold = if falls_back { Confidence::NONE } else { account.adjusted.threshold };
    let bands = taken.and_then(|route| account.catalog.route(*route)).map(|route| &route.expertise.bands);
    let count = band_count(account);
    let handles: Vec<Band> = bands.into_iter().flatten().map(|place| Band::at(*place, count)).collect();
    preflight::gate(confidence, threshold, &preflight.pressure, &preflight.actions, &task(account), &handles)
}
