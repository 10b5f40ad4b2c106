//! What is said to the caller? The JSON contract of `waypost route`.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::clarification::{Clarification, clarification, way_on};
use super::context::Context;
use super::parts::{self, Continued, PartOfMessage, Team};
use super::threshold::{SelectionTold, ThresholdUsed, selection, threshold_used};
use super::why::why;
use super::{Account, CONTRACT_VERSION, RouteEvidence, TroubleNoted};
use crate::catalog::{Catalog, Caution, RouteId, Scoring};
use crate::decision::{Decision, Outcome, Why};
use crate::gates::{self, GateAnswer};
use crate::measure::{Confidence, Points};
use crate::message::Span;
use crate::preflight::{self, Activated, Blocked, ModeUsed};
use crate::scores::{Reason, Score};
use crate::signals::{Depth, MatchedBy, Named};
use crate::threshold::Selection;

/// The answer to one message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The version of this contract.
    pub version: u32,
    /// A UUIDv7 for this answer, given by the engine.
    pub id: String,
    /// The catalog it was decided by.
    pub catalog: CatalogRef,
    /// What is to happen.
    pub outcome: Outcome,
    /// The route taken; where `outcome` is `clarify`, the route whose gate is closed.
    pub route: Option<String>,
    /// One sentence on why.
    pub message: String,
    /// What was named to work on and is not known, whether or not a route was taken.
    pub target_unresolved: Option<String>,
    /// The route taken and the others above the threshold.
    pub routes: Vec<Ranked>,
    /// Every route not taken.
    pub considered: Vec<Considered>,
    /// The confidence that was asked for.
    pub threshold: ThresholdUsed,
    /// How far the best is ahead of the next.
    pub margin: Margin,
    /// How likely the message belongs to any of the routes, by what was learned from examples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fits: Option<Confidence>,
    /// What else the message asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<PartOfMessage>,
    /// Who leads and who assists, where a message needs several of a catalog's specialists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Team>,
    /// What the message does not want.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denied: Vec<PartOfMessage>,
    /// The earlier turn that the message continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<Continued>,
    /// What had the last word on what was learned: `head` or `full`; nothing if it was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_by: Option<Depth>,
    /// What kind of message it is.
    pub context: Context,
    /// The tools selected for it.
    pub tools: Vec<Value>,
    /// The knowledge selected for it.
    pub sources: Vec<Value>,
    /// The gates that guard the route.
    pub gates: Vec<GateAnswer>,
    /// What forbids that it begins, where the outcome is `blocked` or `deferred`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
    /// The question to ask back.
    pub clarification: Option<Clarification>,
    /// Flags that are set without being asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Activated>,
    /// Whether safe mode restricts what may be chosen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub safe_mode: bool,
    /// Tools that serve the message and may not be chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected_tools: Vec<Considered>,
    /// The operating mode, with the quality gates it requires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<ModeUsed>,
    /// What to do at this confidence, where the catalog says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Whether to proceed with caution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caution: Option<bool>,
    /// Whether to monitor the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monitoring: Option<bool>,
    /// Who takes it, where a catalog scores by factors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionTold>,
    /// What did not go as it should, and what was done instead; told by the engine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How long it took, in microseconds; measured by the engine.
    pub elapsed_us: f64,
}

/// Which catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogRef {
    /// Its name.
    pub name: String,
    /// The hash of what it says.
    pub hash: String,
}

/// A route that is sure enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// The route.
    pub name: String,
    /// How sure.
    pub confidence: Confidence,
    /// `high`, or `enough`.
    pub band: String,
    /// What weighed most.
    pub matched_by: Option<MatchedBy>,
    /// The domain its messages are in, where the catalog says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// What its messages want, where the catalog says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// What it is to work on, in the registry's spelling.
    pub target: Option<String>,
    /// What was named to work on and is not known.
    pub target_unresolved: Option<String>,
    /// Why it is that sure; those that count add up.
    pub reasons: Vec<Evidence>,
}

/// One reason, and the text that caused it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// What it adds.
    pub points: Points,
    /// Whether it is part of the sum.
    pub counts: bool,
    /// What it is, in a person's words.
    pub what: String,
    /// How it was noticed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched_by: Option<MatchedBy>,
    /// Where the text stands in the message, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<[usize; 2]>,
    /// The text itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A second text without which it would not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<[usize; 2]>,
    /// The negation that denies it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_by: Option<[usize; 2]>,
    /// What it is the sum of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Evidence>,
}

/// A route that was not taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Considered {
    /// The route.
    pub name: Arc<str>,
    /// How sure it was.
    pub confidence: Confidence,
    /// Why it lost, in a person's words.
    pub rejected: Cow<'static, str>,
    /// Why it lost, as a stable code.
    pub code: Cow<'static, str>,
}

/// How far the best route is ahead of the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Margin {
    /// The route taken less the surest other one; negative where priority settled it. Nothing without a route.
    pub value: Option<Points>,
    /// The surest other route that has any confidence.
    pub runner_up: Option<String>,
    /// Routes closer than this, or as close, are settled by priority.
    pub window: Points,
}

/// The answer of an account; the engine adds id and time.
pub(super) fn answer(account: &Account<'_>) -> Answer {
    let Account { catalog, decision, .. } = account;
    let acted = decision.ranked.first().filter(|_| decision.outcome == Outcome::Act);
    let selected = is_selected(account).then(|| selection(account));
    let caution = selected.as_ref().and_then(|told| caution(catalog, told.selection));
    Answer {
        version: CONTRACT_VERSION,
        id: String::new(),
        catalog: CatalogRef { name: catalog.name().to_owned(), hash: catalog.hash().to_owned() },
        outcome: account.outcome(),
        route: acted.map(|route| catalog.route_name(*route).to_owned()),
        message: message(account),
        target_unresolved: unresolved(account),
        routes: decision.ranked.iter().map(|route| ranked(account, *route)).collect(),
        considered: considered(catalog, decision),
        threshold: threshold_used(account),
        margin: margin(account),
        fits: account.signals.fits,
        also: parts::also(account),
        team: None,
        denied: parts::denied(account),
        continues: parts::continued(account),
        read_by: account.signals.read_by,
        context: super::context::told(account),
        tools: Vec::new(),
        sources: Vec::new(),
        gates: account.gates.clone(),
        blocked: blocked(account).cloned(),
        clarification: (account.outcome() == Outcome::Clarify).then(|| clarification(account)),
        flags: account
            .preflight
            .as_ref()
            .map(|preflight| preflight.actions.activated.clone())
            .unwrap_or_default(),
        safe_mode: account.signals.safe_mode,
        rejected_tools: Vec::new(),
        mode: preflight::mode_used(catalog.precautions(), &account.situation),
        action: caution.map(|caution| caution.action.clone()),
        caution: caution.map(|caution| caution.caution),
        monitoring: caution.map(|caution| caution.monitoring),
        selection: selected,
        notes: Vec::new(),
        elapsed_us: 0.0,
    }
}

/// What follows from how sure the selection is.
fn caution(catalog: &Catalog, selection: Selection) -> Option<&Caution> {
    let [high, medium, low] = &catalog.precautions().conduct.caution;
    match selection {
        Selection::SpecialistHigh => high,
        Selection::Specialist => medium,
        Selection::Universal => low,
    }
    .as_ref()
}

/// Whether somebody is chosen by factors; not where the message is refused, whoever is sure.
fn is_selected(account: &Account<'_>) -> bool {
    let refused =
        matches!(account.decision.why, Why::Conflict(_) | Why::UnknownCommand(_) | Why::NamesNothing);
    account.catalog.scoring() == Scoring::Factors && !refused
}

/// The reasons of every route that had any.
pub(super) fn all_evidence(account: &Account<'_>) -> Vec<RouteEvidence> {
    let of = |score: &Score<'_>| RouteEvidence {
        name: account.catalog.route_name(score.route).to_owned(),
        confidence: score.confidence,
        reasons: evidence(&score.reasons, &account.situation.message.text),
    };
    account.scores.iter().map(of).collect()
}

impl Answer {
    /// Asks at gates of which one is closed, instead of acting.
    pub fn ask_at(&mut self, gates: Vec<GateAnswer>) {
        if let Some(gate) = gates::closed(&gates) {
            self.outcome = Outcome::Clarify;
            self.message = format!("{} Its gate {} is closed: {}", self.message, gate.name, gate.reason);
            self.clarification = Some(way_on(gate));
        }
        self.gates.extend(gates);
    }
}

/// Where the message says that something is wrong.
pub(super) fn trouble(account: &Account<'_>) -> Vec<TroubleNoted> {
    let chars = |span: Span| span.in_chars(&account.situation.message.text);
    let noted = account.signals.trouble.iter();
    noted.map(|t| TroubleNoted { span: chars(t.span), denied_by: t.denied.map(chars) }).collect()
}

fn message(account: &Account<'_>) -> String {
    let why = why(account.catalog, &account.decision, account);
    match (gates::closed(&account.gates), blocked(account)) {
        (Some(gate), _) => format!("{why} Its gate {} is closed: {}", gate.name, gate.reason),
        (None, Some(blocked)) => format!("{why} {}", blocked.reason),
        (None, None) => why,
    }
}

/// What forbids that a route is acted on.
fn blocked<'a>(account: &'a Account<'_>) -> Option<&'a Blocked> {
    let blocked = account.blocked.as_ref().filter(|_| account.decision.outcome == Outcome::Act);
    blocked.map(|(_, blocked)| blocked)
}

fn unresolved(account: &Account<'_>) -> Option<String> {
    let taken = account.decision.ranked.first();
    let mut named =
        account.signals.targets.iter().filter(|target| taken.is_none_or(|route| target.route == *route));
    named.find_map(|target| match &target.named {
        Named::Unresolved(name) => Some(name.clone()),
        Named::Resolved(_) => None,
    })
}

pub(super) fn score<'a, 'c>(account: &'a Account<'c>, route: RouteId) -> Option<&'a Score<'c>> {
    account.scores.iter().find(|score| score.route == route)
}

fn ranked(account: &Account<'_>, route: RouteId) -> Ranked {
    // What is taken because nothing else is may have nothing that speaks for it.
    let score = score(account, route);
    let confidence = score.map_or(Confidence::NONE, |score| score.confidence);
    let high = confidence >= account.catalog.thresholds().high;
    let named =
        account.signals.targets.iter().find(|target| target.route == route).map(|target| &target.named);
    let (target, target_unresolved) = match named {
        Some(Named::Resolved(target)) => (Some(target.clone()), None),
        Some(Named::Unresolved(target)) => (None, Some(target.clone())),
        None => (None, None),
    };
    Ranked {
        name: account.catalog.route_name(route).to_owned(),
        confidence,
        band: if high { "high" } else { "enough" }.to_owned(),
        matched_by: score.map_or(Some(MatchedBy::Always), |score| score.matched_by),
        domain: account.catalog.route(route).and_then(|route| route.domain.clone()),
        intent: account.catalog.route(route).and_then(|route| route.intent.clone()),
        target,
        target_unresolved,
        reasons: score
            .map(|score| evidence(&score.reasons, &account.situation.message.text))
            .unwrap_or_default(),
    }
}

fn evidence(reasons: &[Reason<'_>], text: &str) -> Vec<Evidence> {
    let of = |reason: &Reason<'_>| {
        let signal = reason.signal();
        let chars = |span: Span| span.in_chars(text);
        Evidence {
            points: reason.points,
            counts: reason.counts,
            what: reason.words(),
            matched_by: signal.map(|signal| signal.kind),
            span: signal.map(|signal| chars(signal.span)),
            text: signal.map(|signal| signal.span.of(text).to_owned()),
            beside: signal.and_then(|signal| signal.beside).map(chars),
            denied_by: signal.and_then(|signal| signal.denied).map(chars),
            parts: evidence(&reason.parts, text),
        }
    };
    reasons.iter().map(of).collect()
}

fn considered(catalog: &Catalog, decision: &Decision) -> Vec<Considered> {
    let losers = decision.losers.iter().map(|loser| Considered {
        name: catalog.route(loser.route).map(|route| Arc::clone(&route.name)).unwrap_or_default(),
        confidence: loser.confidence,
        rejected: loser.lost.words(catalog),
        code: loser.lost.code().into(),
    });
    losers.collect()
}

fn margin(account: &Account<'_>) -> Margin {
    let Account { catalog, decision, .. } = account;
    let taken = decision.ranked.first().and_then(|route| score(account, *route));
    let runner_up = decision.losers.first().filter(|loser| loser.confidence > Confidence::NONE);
    let behind = runner_up.map_or(Points::ZERO, |loser| loser.confidence.points());
    Margin {
        value: taken.map(|score| score.confidence.points() - behind),
        runner_up: runner_up.map(|loser| catalog.route_name(loser.route).to_owned()),
        window: catalog.thresholds().window,
    }
}
