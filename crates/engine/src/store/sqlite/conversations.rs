//! What was said before, and how did choices go?

use rusqlite::{Connection, OptionalExtension, Row, params};
use waypost_core::arguments::Outcome;
use waypost_core::conversation::Conversation;

use super::histories::all;
use super::{ChoiceCounts, ChoiceFigures, ChoiceKept, Forgotten, TurnOf, Turned, kept};

/// Most choices kept; the oldest give way. A million takes some 150 MB, and figures over more say no more.
pub const CHOICES_MAX: u64 = 1_000_000;
/// Most conversations kept at once, whatever their times: those without a turn for longest give way.
pub const CONVERSATIONS_MAX: u64 = 1_000_000;
/// Longest state kept, in bytes: hundreds of values fit; a conversation beyond it begins anew.
const STATE_BYTES_MAX: usize = 256 << 10;

/// A conversation as it was read: nothing where it is new, over or cannot be read, and the mark of what was read.
pub(super) fn find(
    connection: &Connection,
    of: &TurnOf<'_>,
) -> rusqlite::Result<(Option<i64>, Conversation)> {
    let sql = "SELECT seq, state FROM conversations WHERE tenant = ?1 AND session = ?2 AND until_ms > ?3";
    let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params![kept(of.tenant), of.session, of.now_ms], read).optional()?;
    Ok(match found {
        Some((seq, state)) => (Some(seq), serde_json::from_str(&state).unwrap_or_default()),
        None => (None, Conversation::default()),
    })
}

/// Keeps a conversation after a turn, unless another turn came between; says whether it did.
pub(super) fn keep(
    connection: &Connection,
    of: &TurnOf<'_>,
    read: Option<i64>,
    turned: &Turned,
) -> rusqlite::Result<bool> {
    if find(connection, of)?.0 != read {
        return Ok(false);
    }
    let (tenant, user) = (kept(of.tenant), kept(of.user));
    // Whose time is over is deleted by whoever writes next.
    connection.prepare_cached("DELETE FROM conversations WHERE until_ms <= ?1")?.execute([of.now_ms])?;
    let mut state = serde_json::to_string(&turned.conversation).unwrap_or_default();
    if state.len() > STATE_BYTES_MAX {
        "{}".clone_into(&mut state);
    }
    let replace = "INSERT OR REPLACE INTO conversations (tenant, session, user, state, until_ms)
                   VALUES (?1, ?2, ?3, ?4, ?5)";
    let until_ms = of.now_ms.saturating_add(turned.keep_ms).min(i64::MAX as u64);
    connection.prepare_cached(replace)?.execute(params![tenant, of.session, user, state, until_ms])?;
    let oldest = "DELETE FROM conversations WHERE seq <= (SELECT max(seq) FROM conversations) - ?1";
    connection.prepare_cached(oldest)?.execute([CONVERSATIONS_MAX])?;
    if let Some(verdict) = turned.verdict {
        let judge = "UPDATE choices SET verdict = ?3
                     WHERE tenant = ?1 AND session = ?2 AND verdict = '' AND outcome = 'run'";
        connection.prepare_cached(judge)?.execute([tenant, of.session, verdict.name()])?;
    }
    if let Some(choice) = &turned.choice {
        add(connection, of, choice)?;
    }
    Ok(true)
}

fn add(connection: &Connection, of: &TurnOf<'_>, choice: &ChoiceKept) -> rusqlite::Result<()> {
    let insert =
        "INSERT INTO choices (tenant, session, user, tool, outcome, matched_by, confidence, latency_us,
                                       verdict, at_ms)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '', ?9)";
    connection.prepare_cached(insert)?.execute(params![
        kept(of.tenant),
        of.session,
        kept(of.user),
        kept(choice.tool.as_deref()),
        name(choice.outcome),
        choice.matched_by.name(),
        choice.confidence,
        choice.latency_us,
        of.now_ms,
    ])?;
    let oldest = "DELETE FROM choices WHERE seq <= (SELECT max(seq) FROM choices) - ?1";
    connection.prepare_cached(oldest)?.execute([CHOICES_MAX])?;
    Ok(())
}

const fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Run => "run",
        Outcome::Clarify => "clarify",
        Outcome::Rephrase => "rephrase",
    }
}

/// Forgets a conversation, and what it was offered.
pub(super) fn forget(connection: &Connection, tenant: &str, session: &str) -> rusqlite::Result<Forgotten> {
    let delete = |sql: &str| connection.execute(sql, [tenant, session]).map(|rows| rows as u64);
    let conversations = delete("DELETE FROM conversations WHERE tenant = ?1 AND session = ?2")?;
    let choices = delete("DELETE FROM choices WHERE tenant = ?1 AND session = ?2")?;
    delete("DELETE FROM offered WHERE tenant = ?1 AND session = ?2")?;
    Ok(Forgotten { conversations, choices, ..Forgotten::default() })
}

/// Forgets all conversations of a user.
pub(super) fn forget_user(connection: &Connection, tenant: &str, user: &str) -> rusqlite::Result<Forgotten> {
    let delete = |sql: &str| connection.execute(sql, [tenant, user]).map(|rows| rows as u64);
    // What a conversation was offered has no user of its own.
    delete(
        "DELETE FROM offered WHERE tenant = ?1 AND session IN
         (SELECT session FROM conversations WHERE tenant = ?1 AND user = ?2
          UNION SELECT session FROM choices WHERE tenant = ?1 AND user = ?2)",
    )?;
    let conversations = delete("DELETE FROM conversations WHERE tenant = ?1 AND user = ?2")?;
    let choices = delete("DELETE FROM choices WHERE tenant = ?1 AND user = ?2")?;
    Ok(Forgotten { conversations, choices, ..Forgotten::default() })
}

/// How choices of a tenant went since a time, or of all tenants.
pub(super) fn figures(
    connection: &Connection,
    tenant: Option<&str>,
    since_ms: u64,
) -> rusqlite::Result<ChoiceFigures> {
    let names =
        "SELECT DISTINCT tool FROM choices WHERE (?1 IS NULL OR tenant = ?1) AND at_ms >= ?2 ORDER BY tool";
    let names: Vec<String> = all(connection, names, params![tenant, since_ms], |row| row.get(0))?;
    let mut tools = Vec::new();
    for tool in names {
        let counted = counts(connection, tenant, since_ms, Some(&tool))?;
        tools.push((tool, counted));
    }
    let ways = "SELECT matched_by, count(*) FROM choices
                WHERE (?1 IS NULL OR tenant = ?1) AND at_ms >= ?2 AND outcome = 'run'
                GROUP BY matched_by ORDER BY count(*) DESC, matched_by";
    let matched_by = all(connection, ways, params![tenant, since_ms], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(ChoiceFigures { all: counts(connection, tenant, since_ms, None)?, tools, matched_by })
}

fn counts(
    connection: &Connection,
    tenant: Option<&str>,
    since_ms: u64,
    tool: Option<&str>,
) -> rusqlite::Result<ChoiceCounts> {
    let of = "FROM choices WHERE (?1 IS NULL OR tenant = ?1) AND at_ms >= ?2 AND (?3 IS NULL OR tool = ?3)";
    let sums = format!(
        "SELECT count(*), count(*) FILTER (WHERE outcome = 'run'), count(*) FILTER (WHERE outcome = 'clarify'),
                count(*) FILTER (WHERE outcome = 'rephrase'), count(*) FILTER (WHERE verdict = 'accepted'),
                count(*) FILTER (WHERE verdict = 'corrected'), count(*) FILTER (WHERE verdict = 'abandoned') {of}"
    );
    let whose = params![tenant, since_ms, tool];
    let counted = connection.prepare_cached(&sums)?.query_row(whose, |row| {
        Ok(ChoiceCounts {
            turns: row.get(0)?,
            ran: row.get(1)?,
            clarified: row.get(2)?,
            rephrased: row.get(3)?,
            accepted: row.get(4)?,
            corrected: row.get(5)?,
            abandoned: row.get(6)?,
            ..ChoiceCounts::default()
        })
    })?;
    // The smallest that at least so many of a hundred do not exceed.
    let at = |hundredths: u64| {
        let place = (counted.turns * hundredths).div_ceil(100).saturating_sub(1);
        let nth = format!("SELECT latency_us {of} ORDER BY latency_us LIMIT 1 OFFSET ?4");
        connection
            .prepare_cached(&nth)?
            .query_row(params![tenant, since_ms, tool, place], |row| row.get(0))
            .optional()
    };
    let (latency_us_p50, latency_us_p99) = (at(50)?, at(99)?);
    Ok(ChoiceCounts { latency_us_p50, latency_us_p99, ..counted }.with_rates())
}
