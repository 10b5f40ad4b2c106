//! How did runs of tools go?

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Row, params};
use waypost_core::history::{TOOL_RUNS_MIN, ToolFigures, ToolRuns};

/// Most tools of which runs are kept; a decision reads all of them, in some milliseconds at most.
pub const TOOLS_MEASURED_MAX: u64 = 10_000;

pub(super) fn record(
    connection: &Connection,
    tool: &str,
    success: bool,
    elapsed_ms: Option<u64>,
    most: u64,
) -> rusqlite::Result<()> {
    let find = "SELECT runs, error_rate, timed, avg_latency_ms FROM tool_runs WHERE tool = ?1";
    let found = connection.prepare_cached(find)?.query_row([tool], |row| read(row, 0)).optional()?;
    let mut runs = found.unwrap_or_default();
    runs.record(success, elapsed_ms);
    // What is replaced gets a new place, behind all others.
    let replace = "INSERT OR REPLACE INTO tool_runs (seq, tool, runs, error_rate, timed, avg_latency_ms)
                   VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM tool_runs), ?1, ?2, ?3, ?4, ?5)";
    let ToolRuns { runs, error_rate, timed, avg_latency_ms } = runs;
    connection.prepare_cached(replace)?.execute(params![tool, runs, error_rate, timed, avg_latency_ms])?;
    let oldest =
        "DELETE FROM tool_runs WHERE seq <= (SELECT seq FROM tool_runs ORDER BY seq DESC LIMIT 1 OFFSET ?1)";
    connection.prepare_cached(oldest)?.execute([most])?;
    Ok(())
}

/// What is known of tools, by their names.
pub(super) fn figures(connection: &Connection) -> rusqlite::Result<BTreeMap<String, ToolFigures>> {
    let sql = "SELECT tool, runs, error_rate, timed, avg_latency_ms FROM tool_runs WHERE runs >= ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([TOOL_RUNS_MIN], |row| Ok((row.get(0)?, read(row, 1)?.figures())))?;
    let known = rows.map(|row| row.map(|(tool, figures): (String, _)| Some((tool, figures?))));
    known.filter_map(Result::transpose).collect()
}

fn read(row: &Row<'_>, from: usize) -> rusqlite::Result<ToolRuns> {
    Ok(ToolRuns {
        runs: row.get(from)?,
        error_rate: row.get(from + 1)?,
        timed: row.get(from + 2)?,
        avg_latency_ms: row.get(from + 3)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locks;
    use crate::store::Sqlite;

    #[test]
    fn tools_that_ran_longest_ago_give_way() {
        let store = Sqlite::in_memory().unwrap();
        let connection = locks::open(&store.writer);
        for tool in ["a", "b", "c", "a", "d"] {
            for _ in 0..TOOL_RUNS_MIN {
                record(&connection, tool, true, Some(10), 3).unwrap();
            }
        }
        let known = figures(&connection).unwrap();
        let runs: Vec<(&str, u64)> = known.iter().map(|(tool, known)| (tool.as_str(), known.runs)).collect();
        assert_eq!(runs, [("a", 10), ("c", 5), ("d", 5)]);
    }
}
