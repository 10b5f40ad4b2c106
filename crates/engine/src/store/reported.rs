//! What was told of a task, and what does it come to? What is left out is taken from the decision it followed.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use waypost_core::history::{Completion, INSTANT_MS_MAX, error_kind, read_instant, show_instant};

use super::{DecisionKept, Store, StoreError};

/// Longest name of a task, tenant, user, decision, area, operation, specialist or kind of error, in bytes: identifiers of other systems fit.
pub const NAME_BYTES_MAX: usize = 512;

/// How much of an error message is kept, in bytes: the beginning of a stack trace says what happened.
pub const ERROR_BYTES_MAX: usize = 4096;

/// How far ahead of ours another machine's clock may be, in milliseconds: a day is more than any mistaken time zone. What
/// is told for a year ahead would be the user's last task until then, whatever came after.
pub const AHEAD_MS_MAX: u64 = 24 * 3_600_000;

/// The completion of a task as somebody tells it: only whether it succeeded is never left out.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Reported {
    /// The task; the decision stands for it where it has no id of its own.
    #[serde(default, alias = "task")]
    pub task_id: Option<String>,
    /// Whose user it was done for.
    #[serde(default)]
    pub tenant: Option<String>,
    /// The user it was done for.
    #[serde(default)]
    pub user: Option<String>,
    /// The decision that sent it where it was done.
    #[serde(default, alias = "decision")]
    pub decision_id: Option<String>,
    /// Whether it succeeded.
    pub success: bool,
    /// Quality gates, and whether they were passed. A success counts only if all that the decision requires were.
    #[serde(default)]
    pub gates: BTreeMap<String, bool>,
    /// Its area.
    #[serde(default)]
    pub area: Option<String>,
    /// Its operation.
    #[serde(default)]
    pub operation: Option<String>,
    /// How complex it was, from 0 to 1.
    #[serde(default)]
    pub complexity: Option<f64>,
    /// The confidence it was sent with, from 0 to 1.
    #[serde(default, alias = "confidence")]
    pub confidence_used: Option<f64>,
    /// How long it took.
    #[serde(default, alias = "time_ms")]
    pub execution_time_ms: Option<u64>,
    /// Why it failed.
    #[serde(default, alias = "error")]
    pub error_message: Option<String>,
    /// The same in a word, such as `timeout`; without it, the error message says it.
    #[serde(default)]
    pub error_kind: Option<String>,
    /// The specialist that did it: the route that was taken.
    #[serde(default, alias = "route")]
    pub specialist: Option<String>,
    /// When it was completed, in milliseconds since 1970-01-01 UTC or as RFC 3339; now, where that is left out.
    #[serde(default, alias = "at", deserialize_with = "instant")]
    pub at_ms: Option<u64>,
}

fn instant<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "a time is milliseconds since 1970, or a text such as 2026-03-01T09:30:00Z"
    )]
    enum Written {
        Ms(u64),
        Text(String),
    }
    match Option::deserialize(deserializer)? {
        None => Ok(None),
        Some(Written::Ms(ms)) => Ok(Some(ms)),
        Some(Written::Text(text)) => read_instant(&text).map(Some).map_err(serde::de::Error::custom),
    }
}

impl Reported {
    /// The whole record: what was told, and for the rest what the store knows of the decision.
    pub fn complete(self, store: &dyn Store, now_ms: u64) -> Result<Completion, StoreError> {
        let decision = match &self.decision_id {
            Some(id) => store.decision(id)?,
            None => None,
        };
        if let Some(decision) = &decision {
            self.agree(decision)?;
            self.pass(decision)?;
        }
        let missing = |what| refused(format!("it needs {what}{}", self.without(decision.as_ref())));
        let known = decision.clone().unwrap_or_default();
        let completion = Completion {
            task_id: or(self.task_id.as_deref(), self.decision_id.as_deref())
                .ok_or_else(|| missing("a task"))?,
            tenant: or(self.tenant.as_deref(), known.tenant.as_deref()),
            user: or(self.user.as_deref(), known.user.as_deref()).ok_or_else(|| missing("a user"))?,
            area: or(self.area.as_deref(), known.area.as_deref()),
            operation: or(self.operation.as_deref(), known.operation.as_deref()),
            complexity: self.complexity.or(known.complexity),
            confidence_used: self
                .confidence_used
                .or_else(|| Some(known.confidence).filter(|_| !known.id.is_empty())),
            success: self.success,
            execution_time_ms: self.execution_time_ms,
            at_ms: self.at_ms.unwrap_or(now_ms),
            specialist: or(self.specialist.as_deref(), known.route.as_deref()),
            error_kind: or(self.error_kind.as_deref(), self.error_message.as_deref().map(error_kind))
                .filter(|_| !self.success),
            error_message: self.error_message.map(cut),
            decision_id: self.decision_id,
        };
        check(&completion)?;
        if completion.at_ms > now_ms.saturating_add(AHEAD_MS_MAX) {
            let (at, now) = (show_instant(completion.at_ms), show_instant(now_ms));
            return Err(refused(format!(
                "it was completed at {at}, and it is {now}; expected a time in the past"
            )));
        }
        Ok(completion)
    }

    /// A task is complete when it passed the quality gates of its mode.
    fn pass(&self, decision: &DecisionKept) -> Result<(), StoreError> {
        let is_open = |gate: &&String| self.gates.get(*gate) != Some(&true);
        let open: Vec<&str> = decision.gates.iter().filter(is_open).map(String::as_str).collect();
        if !self.success || open.is_empty() {
            return Ok(());
        }
        let gates: Vec<String> = open.iter().map(|gate| format!("--gate {gate}=true")).collect();
        Err(refused(format!(
            "it is not complete: the quality gates {} are not passed; report {}, or --failure",
            open.join(", "),
            gates.join(" ")
        )))
    }

    /// An outcome of one user told against the decision of another would count for the wrong one.
    fn agree(&self, decision: &DecisionKept) -> Result<(), StoreError> {
        let differ = |told: Option<&str>, known: Option<&str>| {
            said(told).zip(said(known)).is_some_and(|(told, known)| told != known)
        };
        let users = (self.user.as_deref(), decision.user.as_deref());
        let tenants = (self.tenant.as_deref(), decision.tenant.as_deref());
        if differ(users.0, users.1) || differ(tenants.0, tenants.1) {
            return Err(refused(format!(
                "the decision {} was made for another user or tenant; leave out --user and --tenant, since the decision \
                 tells them",
                decision.id
            )));
        }
        Ok(())
    }

    /// What to add where something is missing that the decision does not tell.
    fn without(&self, decision: Option<&DecisionKept>) -> String {
        match (&self.decision_id, decision) {
            (Some(id), None) => format!("; the decision {id} is not kept here"),
            (Some(id), Some(_)) => format!("; the decision {id} was made for nobody in particular"),
            (None, _) => " or a decision that is kept here".to_owned(),
        }
    }
}

/// What was told, or else what is known; an empty text tells nothing.
fn or(told: Option<&str>, known: Option<&str>) -> Option<String> {
    said(told).or_else(|| said(known)).map(str::to_owned)
}

fn said(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

fn cut(mut message: String) -> String {
    let fits = (0..=ERROR_BYTES_MAX.min(message.len())).rev().find(|at| message.is_char_boundary(*at));
    message.truncate(fits.unwrap_or_default());
    message
}

/// Holds a completion against what a store can keep.
pub(super) fn check(completion: &Completion) -> Result<(), StoreError> {
    let Completion { task_id, user, complexity, confidence_used, at_ms, .. } = completion;
    for (what, name) in [("task", task_id), ("user", user)] {
        if name.is_empty() {
            return Err(refused(format!("it needs a {what}")));
        }
    }
    let told = [
        ("tenant", completion.tenant.as_ref()),
        ("decision", completion.decision_id.as_ref()),
        ("area", completion.area.as_ref()),
        ("operation", completion.operation.as_ref()),
        ("specialist", completion.specialist.as_ref()),
        ("kind of error", completion.error_kind.as_ref()),
        ("task", Some(task_id)),
        ("user", Some(user)),
    ];
    for (what, name) in told {
        if let Some(bytes) = name.map(String::len).filter(|bytes| *bytes > NAME_BYTES_MAX) {
            return Err(refused(format!("its {what} has {bytes} bytes; the most is {NAME_BYTES_MAX}")));
        }
    }
    for (what, share) in [("complexity", complexity), ("confidence", confidence_used)] {
        if let Some(share) = share.filter(|share| !(0.0..=1.0).contains(share)) {
            return Err(refused(format!("its {what} is {share}, and must be between 0 and 1")));
        }
    }
    let longest = [Some(*at_ms), completion.execution_time_ms].into_iter().flatten().max();
    if longest.is_some_and(|ms| ms > INSTANT_MS_MAX) {
        return Err(refused("a time is beyond the year 9999; expected milliseconds".to_owned()));
    }
    if completion.error_message.as_ref().is_some_and(|message| message.len() > ERROR_BYTES_MAX) {
        return Err(refused(format!("its error message has more than {ERROR_BYTES_MAX} bytes")));
    }
    Ok(())
}

/// That a tool has a name that can be kept.
pub(super) fn check_tool(tool: &str) -> Result<(), StoreError> {
    match tool.len() {
        0 => Err(refused("it needs a tool".to_owned())),
        bytes if bytes > NAME_BYTES_MAX => {
            Err(refused(format!("its tool has {bytes} bytes; the most is {NAME_BYTES_MAX}")))
        }
        _ => Ok(()),
    }
}

fn refused(what: String) -> StoreError {
    StoreError::BadOutcome { what }
}
