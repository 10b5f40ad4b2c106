//! How did it go before? Sums are written with the task they sum, so that one user is a few rows.

use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use waypost_core::history::{Completion, History, Kind, RECENT_TASKS};

use super::{Forgotten, KnownUser, Recorded, kept, specialists, told};

/// The row of a tenant as a whole, among its users.
pub(super) const WHOLE: &str = "";

pub(super) fn of_user(connection: &Connection, tenant: &str, user: &str) -> rusqlite::Result<History> {
    let recent = "SELECT success FROM completions WHERE tenant = ?1 AND user = ?2
                  ORDER BY at_ms DESC, task DESC LIMIT ?3";
    history(connection, (tenant, user), || {
        all(connection, recent, params![tenant, user, RECENT_TASKS], first)
    })
}

pub(super) fn of_tenant(connection: &Connection, tenant: &str) -> rusqlite::Result<History> {
    let recent = "SELECT success FROM completions WHERE tenant = ?1 ORDER BY at_ms DESC, task DESC LIMIT ?2";
    history(connection, (tenant, WHOLE), || all(connection, recent, params![tenant, RECENT_TASKS], first))
}

fn history(
    connection: &Connection,
    (tenant, user): (&str, &str),
    recent: impl FnOnce() -> rusqlite::Result<Vec<bool>>,
) -> rusqlite::Result<History> {
    let sums = "SELECT total, succeeded, last_ms FROM users WHERE tenant = ?1 AND user = ?2";
    let sums = connection
        .prepare_cached(sums)?
        .query_row([tenant, user], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((total, succeeded, last_ms)) = sums else { return Ok(History::default()) };
    let kinds = "SELECT area, operation, total, succeeded FROM kinds WHERE tenant = ?1 AND user = ?2
                 ORDER BY area, operation";
    let kind = |row: &Row<'_>| {
        Ok(Kind { area: row.get(0)?, operation: row.get(1)?, total: row.get(2)?, succeeded: row.get(3)? })
    };
    let kinds = all(connection, kinds, [tenant, user], kind)?;
    let mut recent = recent()?;
    recent.reverse();
    Ok(History { recent, total, succeeded, last_ms, kinds })
}

pub(super) fn users(
    connection: &Connection,
    tenant: Option<&str>,
    most: usize,
) -> rusqlite::Result<Vec<KnownUser>> {
    let sql = "SELECT tenant, user, total, succeeded, last_ms FROM users
               WHERE user <> '' AND (?1 IS NULL OR tenant = ?1)
               ORDER BY last_ms DESC, tenant, user LIMIT ?2";
    all(connection, sql, params![tenant, most], |row| {
        Ok(KnownUser {
            tenant: told(row.get(0)?),
            user: row.get(1)?,
            total: row.get(2)?,
            succeeded: row.get(3)?,
            last_ms: row.get(4)?,
        })
    })
}

pub(super) fn last_tasks(
    connection: &Connection,
    tenant: &str,
    user: &str,
    most: usize,
) -> rusqlite::Result<Vec<Completion>> {
    let sql =
        "SELECT task, tenant, user, decision, success, area, operation, complexity, confidence, time_ms,
                      error, at_ms, specialist, error_kind
               FROM completions WHERE tenant = ?1 AND user = ?2 ORDER BY at_ms DESC, task DESC LIMIT ?3";
    all(connection, sql, params![tenant, user, most], |row| {
        Ok(Completion {
            task_id: row.get(0)?,
            tenant: told(row.get(1)?),
            user: row.get(2)?,
            decision_id: row.get(3)?,
            success: row.get(4)?,
            area: told(row.get(5)?),
            operation: told(row.get(6)?),
            complexity: row.get(7)?,
            confidence_used: row.get(8)?,
            execution_time_ms: row.get(9)?,
            error_message: row.get(10)?,
            at_ms: row.get(11)?,
            specialist: told(row.get(12)?),
            error_kind: told(row.get(13)?),
        })
    })
}

/// Whose a task is that is told again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Nobody told it before, or it was told for the same user.
    For(Recorded),
    /// It was told for another user of the tenant; nothing changed.
    ForAnother,
}

pub(super) fn record(connection: &Connection, completion: &Completion) -> rusqlite::Result<Told> {
    let Completion { success, at_ms, .. } = *completion;
    let tenant = kept(completion.tenant.as_deref());
    let (area, operation) = (kept(completion.area.as_deref()), kept(completion.operation.as_deref()));
    let insert =
        "INSERT INTO completions (task, tenant, user, decision, success, area, operation, complexity,
                                           confidence, time_ms, error, at_ms, specialist, error_kind)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) ON CONFLICT DO NOTHING";
    let inserted = connection.prepare_cached(insert)?.execute(params![
        completion.task_id,
        tenant,
        completion.user,
        completion.decision_id,
        success,
        area,
        operation,
        completion.complexity,
        completion.confidence_used,
        completion.execution_time_ms,
        completion.error_message,
        at_ms,
        kept(completion.specialist.as_deref()),
        kept(completion.error_kind.as_deref()),
    ])?;
    if inserted == 0 {
        let whose = "SELECT user = ?3 FROM completions WHERE tenant = ?1 AND task = ?2";
        let same = connection
            .prepare_cached(whose)?
            .query_row([tenant, &completion.task_id, &completion.user], first)?;
        return Ok(if same { Told::For(Recorded::AlreadyKnown) } else { Told::ForAnother });
    }
    let users = "INSERT INTO users VALUES (?1, ?2, 1, ?3, ?4) ON CONFLICT DO UPDATE SET
                 total = total + 1, succeeded = succeeded + ?3, last_ms = max(last_ms, ?4)";
    let kinds = "INSERT INTO kinds VALUES (?1, ?2, ?3, ?4, 1, ?5) ON CONFLICT DO UPDATE SET
                 total = total + 1, succeeded = succeeded + ?5";
    for who in [&*completion.user, WHOLE] {
        connection.prepare_cached(users)?.execute(params![tenant, who, success, at_ms])?;
        connection.prepare_cached(kinds)?.execute(params![tenant, who, area, operation, success])?;
    }
    specialists::count(connection, completion)?;
    Ok(Told::For(Recorded::New))
}

pub(super) fn forget(connection: &Connection, tenant: &str, user: &str) -> rusqlite::Result<Forgotten> {
    let whose = [tenant, user];
    let delete = |sql: &str| connection.execute(sql, whose).map(|rows| rows as u64);
    let completions = delete("DELETE FROM completions WHERE tenant = ?1 AND user = ?2")?;
    let decisions = delete("DELETE FROM decisions WHERE tenant = ?1 AND user = ?2")?;
    specialists::forget(connection, tenant, user)?;
    // The tenant as a whole is the sum of those who are left.
    connection.execute(
        "UPDATE users SET total = users.total - gone.total, succeeded = users.succeeded - gone.succeeded,
                          last_ms = coalesce((SELECT max(at_ms) FROM completions WHERE tenant = ?1), 0)
         FROM (SELECT * FROM users WHERE tenant = ?1 AND user = ?2) AS gone
         WHERE users.tenant = ?1 AND users.user = ''",
        whose,
    )?;
    connection.execute(
        "UPDATE kinds SET total = kinds.total - gone.total, succeeded = kinds.succeeded - gone.succeeded
         FROM (SELECT * FROM kinds WHERE tenant = ?1 AND user = ?2) AS gone
         WHERE kinds.tenant = ?1 AND kinds.user = '' AND kinds.area = gone.area
               AND kinds.operation = gone.operation",
        whose,
    )?;
    delete("DELETE FROM users WHERE tenant = ?1 AND (user = ?2 OR total = 0)")?;
    delete("DELETE FROM kinds WHERE tenant = ?1 AND (user = ?2 OR total = 0)")?;
    Ok(Forgotten { completions, decisions, ..Forgotten::default() })
}

/// All rows of a query.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    connection.prepare_cached(sql)?.query_map(params, read)?.collect()
}

fn first(row: &Row<'_>) -> rusqlite::Result<bool> {
    row.get(0)
}
