//! What does whoever takes the task get, and what is to be told when it is done?

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::super::Account;
use crate::measure::Confidence;
use crate::preflight::{Permission, Preflight};
use crate::resources::Zone;
use crate::threshold::Adjusted;

/// What whoever takes the task gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandOver {
    /// Who takes it.
    pub subagent_type: Option<String>,
    /// The message, and what is known about it.
    pub prompt_with_context: String,
    /// What the task is given.
    pub resource_allocation: ResourceAllocation,
    /// The threshold, and how it came about.
    pub threshold_adjustment_metadata: Adjusted,
}

/// What a task is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceAllocation {
    /// Tokens.
    pub tokens: Option<u32>,
    /// Minutes.
    pub minutes: Option<u32>,
    /// Tools: those of the agent, and those its operation usually needs.
    pub tools: Vec<String>,
    /// Servers.
    pub servers: Vec<String>,
    /// Flags, given and set.
    pub flags: Vec<String>,
    /// The zone the machine is in.
    pub zone: Zone,
    /// Whether the task may begin.
    pub permission: Permission,
}

/// What is to be told once the task is done; nothing where only its end can tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompletionDue {
    /// The decision, which stands for the task.
    pub task_id: String,
    /// Who it is for.
    pub user: Option<String>,
    /// Where they belong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The decision it was sent with.
    pub decision_id: String,
    /// Whether it succeeded.
    pub success: Option<bool>,
    /// Its area.
    pub area: Option<String>,
    /// Its operation.
    pub operation: Option<String>,
    /// How complex it is.
    pub complexity: Option<f64>,
    /// The threshold it was held against.
    pub confidence_used: Confidence,
    /// How long it took.
    pub execution_time_ms: Option<u64>,
    /// Why it failed.
    pub error_message: Option<String>,
    /// How far the user is trusted before the task; what it is afterwards, the record answers.
    pub updated_user_reputation: Option<f64>,
}

pub(super) fn hand_over(account: &Account<'_>, agent: Option<&str>, preflight: &Preflight) -> HandOver {
    HandOver {
        subagent_type: agent.map(str::to_owned),
        prompt_with_context: prompt(account, preflight),
        resource_allocation: allocation(account, preflight),
        threshold_adjustment_metadata: account.adjusted.clone(),
    }
}

/// The message, and a line for everything that is known about it.
fn prompt(account: &Account<'_>, preflight: &Preflight) -> String {
    let text = &account.situation.message.text;
    let mut prompt = format!("{text}\n\n");
    if let Some((labels, context)) = account.catalog.context().zip(account.context.as_ref()) {
        for (layer, answered) in labels.layers().iter().zip(&context.layers) {
            let _ = writeln!(prompt, "{}: {}", layer.name, answered.name(layer));
        }
        for entity in &context.entities {
            let _ = writeln!(prompt, "{}: {}", entity.kind.name(), entity.span.of(text));
        }
    }
    for flag in flags(preflight) {
        let _ = writeln!(prompt, "flag: {flag}");
    }
    prompt
}

fn flags(preflight: &Preflight) -> Vec<String> {
    let given = preflight.given.flags.iter().map(|given| given.flag.clone());
    given.chain(preflight.actions.activated.iter().map(|activated| activated.flag.clone())).collect()
}

fn allocation(account: &Account<'_>, preflight: &Preflight) -> ResourceAllocation {
    let route = account.decision.ranked.first().and_then(|route| account.catalog.route(*route));
    let budget =
        account.context.as_ref().and_then(|context| Some(context.complexity?.budget)).unwrap_or_default();
    let kind = account.catalog.context().zip(account.context.as_ref());
    let operation = kind.and_then(|(labels, context)| {
        let layer = labels.layers().get(labels.layer("operation")?)?;
        layer.labels.get(context.answered(labels, "operation")?.label?)
    });
    let own = route.map(|route| route.expertise.tools.clone()).unwrap_or_default();
    let mut tools = own;
    for tool in operation.into_iter().flat_map(|operation| &operation.tools) {
        if !tools.contains(tool) {
            tools.push(tool.clone());
        }
    }
    ResourceAllocation {
        tokens: budget.tokens,
        minutes: budget.minutes,
        tools,
        servers: route.map(|route| route.expertise.servers.clone()).unwrap_or_default(),
        flags: flags(preflight),
        zone: preflight.pressure.zone,
        permission: preflight.actions.permission,
    }
}

pub(super) fn completion_due(account: &Account<'_>) -> CompletionDue {
    let kind = account.catalog.context().zip(account.context.as_ref());
    let label =
        |layer: &str| kind.and_then(|(labels, context)| context.label(labels, layer)).map(str::to_owned);
    let complexity = account.context.as_ref().and_then(|context| context.complexity);
    CompletionDue {
        task_id: String::new(),
        user: account.situation.message.user.clone(),
        tenant: account.situation.message.tenant.clone(),
        decision_id: String::new(),
        success: None,
        area: label("area"),
        operation: label("operation"),
        complexity: complexity.map(|complexity| complexity.score.share()),
        confidence_used: account.adjusted.threshold,
        execution_time_ms: None,
        error_message: None,
        updated_user_reputation: account.standing.reputation_score,
    }
}
