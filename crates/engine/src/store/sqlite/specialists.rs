//! How do tasks of specialists end? One sum per specialist, area, operation and kind of error.

use rusqlite::{Connection, params};
use waypost_core::history::{Completion, ERROR_UNKNOWN, SpecialistRecord};

use super::histories::{WHOLE, all};
use super::kept;

/// Counts a completed task, for its user and for the tenant as a whole; one of no known specialist counts for none.
pub(super) fn count(connection: &Connection, completion: &Completion) -> rusqlite::Result<()> {
    let Some(specialist) = completion.specialist.as_deref().filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let kind = completion.error_kind.as_deref().filter(|kind| !kind.is_empty());
    let error = if completion.success { "" } else { kind.unwrap_or(ERROR_UNKNOWN) };
    let (area, operation) = (kept(completion.area.as_deref()), kept(completion.operation.as_deref()));
    let sql = "INSERT INTO specialists VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1)
               ON CONFLICT DO UPDATE SET total = total + 1";
    for who in [&*completion.user, WHOLE] {
        let tenant = kept(completion.tenant.as_deref());
        connection.prepare_cached(sql)?.execute(params![tenant, who, specialist, area, operation, error])?;
    }
    Ok(())
}

/// The records of a user, or of the tenant as a whole, ordered by specialist and area.
pub(super) fn of(
    connection: &Connection,
    tenant: &str,
    user: &str,
) -> rusqlite::Result<Vec<SpecialistRecord>> {
    let sql = "SELECT specialist, area, error, sum(total) FROM specialists WHERE tenant = ?1 AND user = ?2
               GROUP BY specialist, area, error ORDER BY specialist, area, error";
    let rows: Vec<(String, String, String, u64)> = all(connection, sql, params![tenant, user], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    })?;
    let mut records: Vec<SpecialistRecord> = Vec::new();
    for (specialist, area, error, total) in rows {
        let is_last = |last: &&mut SpecialistRecord| last.specialist == specialist && last.area == area;
        let mut fresh =
            SpecialistRecord { specialist: specialist.clone(), area: area.clone(), ..Default::default() };
        let known = records.last_mut().filter(is_last);
        let is_new = known.is_none();
        let record = known.unwrap_or(&mut fresh);
        record.total += total;
        if !error.is_empty() {
            record.failed += total;
            record.errors.insert(error, total);
        }
        if is_new {
            records.push(fresh);
        }
    }
    Ok(records)
}

/// Takes the tasks of a user out of all sums.
pub(super) fn forget(connection: &Connection, tenant: &str, user: &str) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE specialists SET total = specialists.total - gone.total
         FROM (SELECT * FROM specialists WHERE tenant = ?1 AND user = ?2) AS gone
         WHERE specialists.tenant = ?1 AND specialists.user = '' AND specialists.specialist = gone.specialist
               AND specialists.area = gone.area AND specialists.operation = gone.operation
               AND specialists.error = gone.error",
        [tenant, user],
    )?;
    let delete = "DELETE FROM specialists WHERE tenant = ?1 AND (user = ?2 OR total = 0)";
    connection.execute(delete, [tenant, user]).map(drop)
}
