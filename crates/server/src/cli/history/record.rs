//! `waypost history record`: how did a task end?

use anyhow::bail;
use serde::Serialize;
use waypost::core::history::{Completion, Standing};
use waypost::core::trace::CONTRACT_VERSION;
use waypost::store::{Recorded, Reported, Store, StoreError};

use super::super::batch::{self, Bad, Pace};
use super::super::definitions::RecordFlags;
use super::{Ending, Output, name, named, now_ms, open};
use crate::report::tame;

/// Runs the command.
pub fn run(asked: RecordFlags, output: &mut Output) -> anyhow::Result<Ending> {
    asked.user.as_deref().map(named).transpose()?;
    if asked.batch.is_none() {
        complete(&asked)?;
    }
    let store = open(&asked.kept)?;
    if let Some(file) = &asked.batch {
        let answer = |row: &str| {
            let reported: Reported = serde_json::from_str(row).map_err(|error| Bad::unread(&error))?;
            let (completion, recorded) = record(&store, reported).map_err(told)?;
            Ok(as_json(completion, recorded, None))
        };
        return batch::each(file, output, Pace::EveryRow, "one with `success`", answer);
    }
    let json = asked.json;
    let (completion, recorded) = record(&store, reported(asked))?;
    let history = store.history(completion.tenant.as_deref(), &completion.user)?;
    let standing = history.standing(completion.area.as_deref(), completion.operation.as_deref(), now_ms());
    if json {
        output.json(&as_json(completion, recorded, Some(standing)))?;
    } else {
        output.text(&as_line(&completion, recorded, &standing))?;
    }
    Ok(Ending::Good)
}

/// What one outcome cannot do without, each with all the ways to say it.
fn complete(asked: &RecordFlags) -> anyhow::Result<()> {
    if asked.task.is_none() && asked.decision.is_none() {
        bail!("which task was it? Name it with --task ID, or the decision that sent it with --decision ID");
    }
    if !asked.success && !asked.failure {
        bail!("how did it end? Say --success or --failure");
    }
    Ok(())
}

fn reported(asked: RecordFlags) -> Reported {
    Reported {
        task_id: asked.task,
        tenant: asked.tenant,
        user: asked.user,
        decision_id: asked.decision,
        success: asked.success,
        area: asked.area,
        operation: asked.operation,
        complexity: asked.complexity,
        confidence_used: asked.confidence,
        execution_time_ms: asked.time_ms,
        error_message: asked.error,
        error_kind: asked.error_kind,
        specialist: asked.specialist,
        gates: asked.gates.into_iter().collect(),
        at_ms: asked.at,
    }
}

fn record(store: &dyn Store, reported: Reported) -> Result<(Completion, Recorded), StoreError> {
    let completion = reported.complete(store, now_ms())?;
    let recorded = store.record(&completion)?;
    Ok((completion, recorded))
}

#[allow(clippy::needless_pass_by_value)] // it is handed to `map_err`
fn told(error: StoreError) -> Bad {
    Bad::new(error.code(), error.to_string())
}

/// What became of an outcome.
#[derive(Serialize)]
struct Told {
    version: u32,
    task_id: String,
    user: String,
    tenant: Option<String>,
    recorded: Recorded,
    #[serde(skip_serializing_if = "Option::is_none")]
    standing: Option<Standing>,
}

fn as_json(completion: Completion, recorded: Recorded, standing: Option<Standing>) -> Told {
    Told {
        version: CONTRACT_VERSION,
        task_id: completion.task_id,
        user: completion.user,
        tenant: completion.tenant,
        recorded,
        standing,
    }
}

fn as_line(completion: &Completion, recorded: Recorded, standing: &Standing) -> String {
    let user = name(completion.tenant.as_deref(), &completion.user);
    let task = tame(&completion.task_id);
    let what = match recorded {
        Recorded::New if completion.success => format!("recorded the success of {task}"),
        Recorded::New => format!("recorded the failure of {task}"),
        Recorded::AlreadyKnown => format!("{task} was told before; nothing changed"),
    };
    let reputation = standing.reputation_score.unwrap_or_default();
    let tasks = standing.total_tasks_completed.unwrap_or_default();
    format!("{what}; {user} has reputation {reputation:.2}, tasks: {tasks}\n")
}
