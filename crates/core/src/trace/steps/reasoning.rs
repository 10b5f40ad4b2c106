//! Why this agent? The report of the detection document, as a value.

use serde::{Deserialize, Serialize};

use super::super::Account;
use crate::catalog::Catalog;
use crate::decision::{Lost, Why};
use crate::measure::{Confidence, Points};
use crate::preflight::{Activated, Permission, Preflight, Risk};
use crate::resources::Zone;
use crate::scores::{FactorKind, Note, Reason, Score, Step};
use crate::signals::{Force, MatchedBy};
use crate::threshold::{Adjusted, Selection};

/// Factors told as what decided.
const DECIDING_MAX: usize = 3;
/// Other agents told.
const ALTERNATIVES_MAX: usize = 3;
/// From here on a risk is called high, and from there on medium.
const RISK_HIGH: Points = Points::hundredths(70);
const RISK_MEDIUM: Points = Points::hundredths(30);

/// Why an agent was chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reasoning {
    /// Who takes it.
    pub agent: Option<String>,
    /// How sure the best specialist is.
    pub confidence: Confidence,
    /// As what the agent takes it.
    pub selection: Selection,
    /// The four factors of the best specialist.
    pub factors: Vec<Factor>,
    /// What decided, with its share of the confidence.
    pub decision_factors: Vec<DecisionFactor>,
    /// Who else was considered, and why not.
    pub alternatives: Vec<Alternative>,
    /// The threshold, and how it came about.
    pub threshold: Adjusted,
    /// Flags the message gives.
    pub flags_given: Vec<String>,
    /// Flags set without being asked for.
    pub flags_activated: Vec<Activated>,
    /// What is suggested.
    pub suggestions: Vec<String>,
    /// What may go wrong, of three kinds.
    pub risks: Vec<RiskTold>,
    /// How risky it is on the whole, and why.
    pub risk: Risk,
    /// What is not certain, where the universal agent takes it.
    pub uncertainties: Vec<String>,
}

/// One of the four factors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// Which one.
    pub kind: FactorKind,
    /// Its name.
    pub name: String,
    /// What it comes to.
    pub points: Points,
    /// What it is made of.
    pub parts: Vec<DecisionFactor>,
}

/// Something that counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionFactor {
    /// What, in a person's words.
    pub what: String,
    /// What, by a name that stays.
    pub key: PartKey,
    /// What it is about: a word, an operation, an area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// How much it counted.
    pub points: Points,
    /// Its share of the confidence, in whole hundredths.
    pub percent: u32,
}

/// What a part of a factor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKey {
    /// A keyword of the route.
    Keyword,
    /// A pattern of the route.
    Pattern,
    /// Something else of the route that matched.
    Matched,
    /// What went beyond the most of the factor.
    Beyond,
    /// Something that was noted.
    #[serde(untagged)]
    Noted(Note),
}

/// Somebody else who was considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// Who.
    pub agent: String,
    /// How sure.
    pub confidence: Confidence,
    /// Why not, in a person's words.
    pub rejected: String,
    /// Why not.
    pub rejection: Rejection,
}

/// Why somebody else was not taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Rejection {
    /// Another was ordered by its command.
    OverruledByCommand {
        /// Which.
        winner: String,
    },
    /// Another was called by its name.
    OverruledByName {
        /// Which.
        winner: String,
    },
    /// Another is about as sure and has priority.
    Outranked {
        /// Which.
        winner: String,
    },
    /// Another is surer.
    LessSure {
        /// Which.
        winner: String,
        /// By how much.
        gap: Points,
    },
    /// It is not sure enough.
    BelowThreshold {
        /// How much is missing.
        gap: Points,
        /// How sure it had to be.
        threshold: Confidence,
    },
    /// The message is listed as not belonging to it.
    Excluded {
        /// As what it is listed.
        listed: String,
    },
    /// Keywords alone never activate.
    KeywordsAlone,
    /// What matched is denied.
    Denied,
    /// It is taken only where nothing else is.
    NotNeeded,
    /// Nothing matched.
    NothingMatched,
    /// The command is unknown.
    UnknownCommand,
    /// Two flags of the message exclude each other.
    ConflictingFlags,
    /// The message names nothing, and the person is asked.
    NamesNothing,
    /// Safe mode does not allow it.
    SafeMode,
}

impl Rejection {
    fn of(lost: &Lost, catalog: &Catalog) -> Rejection {
        let name = |route| catalog.route_name(route).to_owned();
        match lost {
            Lost::Overruled(Force::Command, winner) => {
                Rejection::OverruledByCommand { winner: name(*winner) }
            }
            Lost::Overruled(Force::Name, winner) => Rejection::OverruledByName { winner: name(*winner) },
            Lost::Outranked(winner) => Rejection::Outranked { winner: name(*winner) },
            Lost::LessSure(winner, gap) => Rejection::LessSure { winner: name(*winner), gap: *gap },
            Lost::BelowThreshold(gap, threshold) => {
                Rejection::BelowThreshold { gap: *gap, threshold: *threshold }
            }
            Lost::Excluded(listed) => Rejection::Excluded { listed: listed.clone() },
            Lost::KeywordsAlone => Rejection::KeywordsAlone,
            Lost::Denied => Rejection::Denied,
            Lost::NotNeeded => Rejection::NotNeeded,
            Lost::NothingMatched => Rejection::NothingMatched,
            Lost::UnknownCommand => Rejection::UnknownCommand,
            Lost::ConflictingFlags => Rejection::ConflictingFlags,
            Lost::NamesNothing => Rejection::NamesNothing,
            Lost::SafeMode => Rejection::SafeMode,
        }
    }
}

/// How much of a kind of risk there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskLevel {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
    /// Nobody knows.
    Unknown,
}

impl RiskLevel {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            RiskLevel::Low => "low",
            RiskLevel::Medium => "medium",
            RiskLevel::High => "high",
            RiskLevel::Unknown => "unknown",
        }
    }

    fn of(amount: Points) -> RiskLevel {
        match amount {
            high if high > RISK_HIGH => RiskLevel::High,
            medium if medium >= RISK_MEDIUM => RiskLevel::Medium,
            _ => RiskLevel::Low,
        }
    }
}

/// A kind of risk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskKind {
    /// By how complex the task is.
    Complexity,
    /// By how hard the machine is pressed.
    Resource,
    /// By how much the confidence lacks.
    Uncertainty,
}

/// One kind of risk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RiskTold {
    /// Which kind.
    pub kind: RiskKind,
    /// How much.
    pub level: RiskLevel,
    /// What that goes by, from 0 to 1; nothing where nobody knows.
    pub amount: Option<Points>,
    /// Why.
    pub says: String,
}

pub(super) fn report(
    account: &Account<'_>,
    best: Option<&Score<'_>>,
    selection: Selection,
    preflight: &Preflight,
) -> Reasoning {
    let confidence = best.map_or(Confidence::NONE, |score| score.confidence);
    let factors = best.map(factors).unwrap_or_default();
    let mut deciding: Vec<DecisionFactor> = factors
        .iter()
        .flat_map(|factor| factor.parts.clone())
        .filter(|part| part.points > Points::ZERO)
        .collect();
    deciding.sort_by_key(|part| std::cmp::Reverse(part.points));
    deciding.truncate(DECIDING_MAX);
    let taken = account.decision.ranked.first();
    Reasoning {
        agent: taken.map(|route| account.catalog.route_name(*route).to_owned()),
        confidence,
        selection,
        factors,
        decision_factors: deciding,
        alternatives: alternatives(account),
        threshold: account.adjusted.clone(),
        flags_given: preflight.given.flags.iter().map(|given| given.flag.clone()).collect(),
        flags_activated: preflight.actions.activated.clone(),
        suggestions: suggestions(account, selection, preflight),
        risks: risks(account, confidence, preflight),
        risk: preflight.risk.clone(),
        uncertainties: if selection == Selection::Universal {
            uncertainties(account, best)
        } else {
            Vec::new()
        },
    }
}

/// The factors of a score, each with what it is made of.
pub(super) fn factors(score: &Score<'_>) -> Vec<Factor> {
    let factor = |reason: &Reason<'_>| match reason.step {
        Step::Factor(kind) => Some(Factor {
            kind,
            name: kind.name().to_owned(),
            points: reason.points,
            parts: reason.parts.iter().map(|part| counted(part, score.confidence)).collect(),
        }),
        _ => None,
    };
    score.reasons.iter().filter_map(factor).collect()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of a hundred
fn counted(part: &Reason<'_>, confidence: Confidence) -> DecisionFactor {
    let share = part.points.share() / confidence.points().share().max(f64::MIN_POSITIVE);
    let percent = (share * 100.0).round().clamp(0.0, 100.0) as u32;
    let (key, about) = keyed(part);
    let about = Some(about).filter(|about| !about.is_empty()).map(str::to_owned);
    DecisionFactor { what: part.words(), key, about, points: part.points, percent }
}

/// What a part is, and what it is about.
fn keyed<'c>(part: &Reason<'c>) -> (PartKey, &'c str) {
    match (part.step, part.signal()) {
        (Step::Noted(note, about), _) => (PartKey::Noted(note), about),
        (_, Some(signal)) if signal.kind == MatchedBy::Keyword => (PartKey::Keyword, signal.what),
        (_, Some(signal)) if signal.kind == MatchedBy::Pattern => (PartKey::Pattern, signal.what),
        (_, Some(signal)) => (PartKey::Matched, signal.what),
        (_, None) => (PartKey::Beyond, ""),
    }
}

fn alternatives(account: &Account<'_>) -> Vec<Alternative> {
    let others =
        account.decision.losers.iter().filter(|loser| Some(loser.route) != account.catalog.fallback());
    let told = others.take(ALTERNATIVES_MAX).map(|loser| Alternative {
        agent: account.catalog.route_name(loser.route).to_owned(),
        confidence: loser.confidence,
        rejected: loser.lost.words(account.catalog).into_owned(),
        rejection: Rejection::of(&loser.lost, account.catalog),
    });
    told.collect()
}

fn suggestions(account: &Account<'_>, selection: Selection, preflight: &Preflight) -> Vec<String> {
    let mut suggestions = preflight.actions.suggested.clone();
    suggestions.extend(preflight.actions.say.clone());
    if preflight.actions.permission != Permission::Granted {
        suggestions.extend(preflight.actions.because.clone());
    }
    if preflight.risk.safe_mode {
        suggestions.push("Safe mode: the risk is above its bound.".to_owned());
    }
    if selection == Selection::Universal && account.decision.why == Why::Fallback {
        let best = super::allowed(&account.decision).map_or(Confidence::NONE, |loser| loser.confidence);
        let gap = account.adjusted.threshold.points() - best.points();
        suggestions.push(format!("Review the threshold: the best specialist falls {gap} short of it."));
    }
    suggestions
}

fn risks(account: &Account<'_>, confidence: Confidence, preflight: &Preflight) -> Vec<RiskTold> {
    let complexity = account.context.as_ref().and_then(|context| context.complexity);
    let resource = match (preflight.pressure.worst, preflight.pressure.zone) {
        (None, _) => RiskLevel::Unknown,
        (Some(_), Zone::Green) => RiskLevel::Low,
        (Some(_), Zone::Yellow | Zone::Orange) => RiskLevel::Medium,
        (Some(_), Zone::Red | Zone::Critical) => RiskLevel::High,
    };
    let doubt = Points::ONE - confidence.points();
    let score = complexity.map(|complexity| complexity.score);
    vec![
        RiskTold {
            kind: RiskKind::Complexity,
            level: score.map_or(RiskLevel::Unknown, RiskLevel::of),
            amount: score,
            says: score.map_or_else(|| "unknown".to_owned(), |score| score.to_string()),
        },
        RiskTold {
            kind: RiskKind::Resource,
            level: resource,
            amount: preflight.pressure.used,
            says: preflight.pressure.words(),
        },
        RiskTold {
            kind: RiskKind::Uncertainty,
            level: RiskLevel::of(doubt),
            amount: Some(doubt),
            says: doubt.to_string(),
        },
    ]
}

/// What the best specialist lacks.
fn uncertainties(account: &Account<'_>, best: Option<&Score<'_>>) -> Vec<String> {
    let Some(best) = best else { return vec!["No specialist was considered.".to_owned()] };
    let name = account.catalog.route_name(best.route);
    let gap = account.adjusted.threshold.points() - best.confidence.points();
    let mut told = vec![format!("{name} comes nearest at {} and falls {gap} short.", best.confidence)];
    let is_told = |factor: &&Factor| matches!(factor.kind, FactorKind::Pattern | FactorKind::Domain);
    told.extend(factors(best).iter().filter(is_told).map(|factor| {
        let parts: Vec<&str> = factor.parts.iter().map(|part| part.what.as_str()).collect();
        let what = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
        format!("{}: {what}", factor.name)
    }));
    told
}
