//! What was decided, and how did it end?

use rusqlite::{Connection, OptionalExtension, params};

use super::histories::all;
use super::{Adjustment, DecisionKept, Outcome, kept, told};

/// Most decisions kept; the oldest give way. A million takes some 200 MB, and outcomes are told within days.
pub const DECISIONS_MAX: u64 = 1_000_000;

/// Most outcomes given at once, of the latest decisions: a correlation over so many has no need of more.
pub const OUTCOMES_MAX: u64 = 1_000_000;

pub(super) fn keep(connection: &Connection, decision: &DecisionKept, most: u64) -> rusqlite::Result<()> {
    let insert = "INSERT INTO decisions (id, tenant, user, route, confidence, area, operation, complexity,
                                         threshold, at_ms, threshold_base, threshold_rule, gates)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT DO NOTHING";
    let inserted = connection.prepare_cached(insert)?.execute(params![
        decision.id,
        kept(decision.tenant.as_deref()),
        kept(decision.user.as_deref()),
        decision.route,
        decision.confidence,
        kept(decision.area.as_deref()),
        kept(decision.operation.as_deref()),
        decision.complexity,
        decision.threshold,
        decision.at_ms,
        decision.threshold_base,
        kept(decision.threshold_rule.as_deref()),
        decision.gates.join("\n"),
    ])?;
    if inserted > 0 {
        let oldest = "DELETE FROM decisions WHERE seq <= (SELECT max(seq) FROM decisions) - ?1";
        connection.prepare_cached(oldest)?.execute([most])?;
    }
    Ok(())
}

pub(super) fn find(connection: &Connection, id: &str) -> rusqlite::Result<Option<DecisionKept>> {
    let sql = "SELECT id, tenant, user, route, confidence, area, operation, complexity, threshold, at_ms,
                      threshold_base, threshold_rule, gates
               FROM decisions WHERE id = ?1";
    let found = connection.prepare_cached(sql)?.query_row([id], |row| {
        Ok(DecisionKept {
            id: row.get(0)?,
            tenant: told(row.get(1)?),
            user: told(row.get(2)?),
            route: row.get(3)?,
            confidence: row.get(4)?,
            area: told(row.get(5)?),
            operation: told(row.get(6)?),
            complexity: row.get(7)?,
            threshold: row.get(8)?,
            at_ms: row.get(9)?,
            threshold_base: row.get(10)?,
            threshold_rule: told(row.get(11)?),
            gates: row.get::<_, String>(12)?.lines().map(str::to_owned).collect(),
        })
    });
    found.optional()
}

/// The last thresholds of a tenant that a rule decided, or of one user of it; the latest first.
pub(super) fn adjustments(
    connection: &Connection,
    tenant: &str,
    user: Option<&str>,
    most: usize,
) -> rusqlite::Result<Vec<Adjustment>> {
    let sql = "SELECT id, user, threshold_base, threshold, threshold_rule, at_ms FROM decisions
               WHERE tenant = ?1 AND (?2 IS NULL OR user = ?2) AND threshold_rule <> '' AND threshold_base IS NOT NULL
               ORDER BY seq DESC LIMIT ?3";
    all(connection, sql, params![tenant, user, most], |row| {
        Ok(Adjustment {
            decision_id: row.get(0)?,
            user: told(row.get(1)?),
            base: row.get(2)?,
            adjusted: row.get(3)?,
            rule: row.get(4)?,
            at_ms: row.get(5)?,
        })
    })
}

pub(super) fn outcomes(connection: &Connection) -> rusqlite::Result<Vec<Outcome>> {
    // An outcome of another tenant says nothing of a decision, though it names its id.
    let sql = "SELECT decisions.confidence, completions.success FROM decisions
               JOIN completions ON completions.decision = decisions.id AND completions.tenant = decisions.tenant
               ORDER BY decisions.seq DESC, completions.task DESC LIMIT ?1";
    let mut outcomes = all(connection, sql, [OUTCOMES_MAX], |row| {
        Ok(Outcome { confidence: row.get(0)?, success: row.get(1)? })
    })?;
    outcomes.reverse();
    Ok(outcomes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locks;
    use crate::store::Sqlite;

    #[test]
    fn the_oldest_decisions_give_way() {
        let store = Sqlite::in_memory().unwrap();
        let connection = locks::open(&store.writer);
        for id in ["a", "b", "c", "b", "d"] {
            keep(&connection, &DecisionKept { id: id.to_owned(), ..DecisionKept::default() }, 3).unwrap();
        }
        let ids = ["a", "b", "c", "d"].into_iter();
        let left: String = ids.filter(|id| find(&connection, id).unwrap().is_some()).collect();
        assert_eq!(left, "bcd");
    }
}
