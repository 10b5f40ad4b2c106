//! How sure did it have to be, and who takes it then?

use serde::{Deserialize, Serialize};

use super::Account;
use crate::measure::{Confidence, Points};
use crate::threshold::{self, Noticed, Selection};

/// The confidence that was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThresholdUsed {
    /// The catalog's.
    pub base: Confidence,
    /// The one used.
    pub value: Confidence,
    /// The difference.
    pub delta: Points,
    /// The rule that moved it.
    pub rule: Option<String>,
    /// `strict`, `moderate` or `lenient`.
    pub level: String,
    /// One sentence on it.
    pub reason: String,
    /// What was noticed of the user, the machine and the task, with what it would do to the threshold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<Noticed>,
}

/// Who takes a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelectionTold {
    /// A specialist without a doubt, a specialist that is watched, or the universal agent.
    pub selection: Selection,
    /// How much the best specialist falls short, where it does.
    pub gap: Option<Points>,
}

/// The threshold an account was held against.
pub(super) fn threshold_used(account: &Account<'_>) -> ThresholdUsed {
    let Account { catalog, decision, adjusted, .. } = account;
    let (base, value) = (catalog.thresholds().base, decision.threshold);
    let promised = value != adjusted.threshold;
    ThresholdUsed {
        base,
        value,
        delta: value.points() - base.points(),
        rule: adjusted.rule.clone().or_else(|| promised.then(|| "target_precision".to_owned())),
        level: adjusted.level.name().to_owned(),
        reason: match &adjusted.rule {
            None if promised => format!("What was learned must reach {value} for the precision wanted."),
            None => format!("The catalog asks for {base}."),
            Some(_) => adjusted.reason.clone(),
        },
        signals: adjusted.signals.clone(),
    }
}

/// Who takes it: by how sure the best specialist is.
pub(super) fn selection(account: &Account<'_>) -> SelectionTold {
    let Account { catalog, adjusted, .. } = account;
    let best = super::steps::best(account).map(|score| score.confidence);
    let (selection, gap) =
        threshold::select(catalog.thresholds(), adjusted.threshold, best.unwrap_or(Confidence::NONE));
    SelectionTold { selection, gap }
}
