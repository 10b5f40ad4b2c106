//! `waypost eval conversations`: do conversations end as intended?

use std::sync::Arc;

use anyhow::{Context, bail};
use serde_json::json;
use waypost::arguments::Interpreter;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::BuiltIn;
use waypost::eval::{ConversationPrediction, ConversationRow, Share};
use waypost::ports::conversation::Conversations;
use waypost::store::Sqlite;

use super::definitions::EvalConversationsFlags;
use super::eval_catalogs::write;
use super::output::Output;
use super::rows::read;
use super::{Ending, input, progress};

/// Runs the command.
pub fn run(
    catalog: Option<&str>,
    asked: &EvalConversationsFlags,
    output: &mut Output,
) -> anyhow::Result<Ending> {
    let mut rows: Vec<ConversationRow> = Vec::new();
    for file in &asked.files {
        rows.extend(read(file, |line| serde_json::from_str(line))?);
    }
    if rows.is_empty() {
        bail!("no conversations in the given files");
    }
    let router = input::ready(catalog)?;
    let interpreter = Interpreter::new(&router, BuiltIn::shipped()?);
    let talks = Conversations::new(&router, interpreter, Arc::new(Sqlite::in_memory()?))
        .spoken_at(Some(asked.now.clone()), None);
    let bar = progress::bar(Some(rows.len() as u64), "holding conversations");
    let mut predictions: Vec<ConversationPrediction> = Vec::new();
    for (row, number) in rows.iter().zip(1..) {
        let judged = row.judge(&talks, &format!("conversation-{number}")).map_err(anyhow::Error::msg);
        predictions.push(judged.with_context(|| format!("conversation {number}"))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(file) = &asked.predictions {
        write(file, &predictions).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let share = |is: &dyn Fn(&ConversationPrediction) -> bool| Share {
        right: predictions.iter().filter(|one| is(one)).count(),
        of: predictions.len(),
    };
    let (right, calls) = (share(&ConversationPrediction::right), share(&|one| one.calls_right));
    let end = share(&|one| one.end_right);
    if asked.json {
        let report = json!({ "right": right, "calls_right": calls, "end_right": end });
        output.json(&json!({ "version": CONTRACT_VERSION, "report": report }))?;
    } else {
        let line = |name: &str, share: Share| {
            format!("  {name:<32} {:5.1} %  of {}\n", 100.0 * share.value(), share.of)
        };
        output.text(
            &[
                line("conversations end as intended", right),
                line("all calls right", calls),
                line("last turn right", end),
            ]
            .concat(),
        )?;
    }
    let missed = asked.min.filter(|least| right.value() < *least);
    output.remarks(missed.map(|least| format!("ended as intended: {:.4} (minimum {least})", right.value())));
    Ok(if missed.is_some() { Ending::SomeBad } else { Ending::Good })
}
