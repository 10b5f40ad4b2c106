//! `waypost outcome`: how did a tool end that a conversation handed over?

use std::sync::Arc;

use anyhow::bail;
use waypost::arguments::Interpreter;
use waypost::encode::BuiltIn;
use waypost::ports::conversation::{Conversations, Outcome};

use super::chat::clock;
use super::definitions::OutcomeFlags;
use super::output::Output;
use super::{Ending, history, input};
use crate::report;

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &OutcomeFlags, output: &mut Output) -> anyhow::Result<Ending> {
    if asked.session.is_empty() {
        bail!("SESSION must not be empty");
    }
    let router = input::ready(catalog)?;
    if router.catalog().tool_place(&asked.tool).is_none() {
        bail!("the catalog {} has no tool {:?}", router.catalog().name(), asked.tool);
    }
    let facts = input::facts(&asked.fact)?;
    let known = router.catalog().facts();
    if let Some(unknown) = facts.keys().find(|name| !known.is_empty() && !known.contains_key(*name)) {
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        bail!("unknown fact {unknown:?}; the catalog has {}", names.join(", "));
    }
    let interpreter = Interpreter::new(&router, BuiltIn::shipped()?);
    let mut talks = Conversations::new(&router, interpreter, Arc::new(history::open(&asked.kept)?));
    if let Some(now) = &asked.now {
        talks = talks.with_clock(clock(now)?);
    }
    let answer = talks.report(&Outcome {
        tenant: asked.tenant.as_deref(),
        user: asked.user.as_deref(),
        session: &asked.session,
        tool: &asked.tool,
        success: asked.success,
        facts,
    })?;
    if asked.json {
        output.json(&answer)?;
    } else {
        output.text(&report::turn(&answer, output.paint()))?;
    }
    Ok(Ending::Good)
}
