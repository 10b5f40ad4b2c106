//! Which tools was a conversation offered?

use rusqlite::{Connection, OptionalExtension, params};
use waypost_core::selection::offered::Offered;

/// A conversation that had no turn among so many last ones is forgotten: a hundred thousand of them with ten turns each are kept.
pub const TURNS_KEPT_MAX: u64 = 1_000_000;

/// What a conversation was offered; nothing where it is new. A state that cannot be read is as good as none: the set begins anew.
pub(super) fn find(connection: &Connection, tenant: &str, session: &str) -> rusqlite::Result<Offered> {
    let sql = "SELECT state FROM offered WHERE tenant = ?1 AND session = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let state: Option<String> = statement.query_row([tenant, session], |row| row.get(0)).optional()?;
    Ok(state.and_then(|state| serde_json::from_str(&state).ok()).unwrap_or_default())
}

pub(super) fn keep(
    connection: &Connection,
    tenant: &str,
    session: &str,
    offered: &Offered,
    most: u64,
) -> rusqlite::Result<()> {
    let state = serde_json::to_string(offered).unwrap_or_default();
    // What is replaced gets a new place, behind all others.
    let replace = "INSERT OR REPLACE INTO offered (seq, tenant, session, state)
                   VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM offered), ?1, ?2, ?3)";
    connection.prepare_cached(replace)?.execute(params![tenant, session, state])?;
    let oldest = "DELETE FROM offered WHERE seq <= (SELECT max(seq) FROM offered) - ?1";
    connection.prepare_cached(oldest)?.execute([most])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locks;
    use crate::store::Sqlite;

    #[test]
    fn conversations_without_a_turn_for_long_give_way() {
        let store = Sqlite::in_memory().unwrap();
        let connection = locks::open(&store.writer);
        let offered = Offered::default().with_failure("x");
        for session in ["a", "b", "a", "c"] {
            keep(&connection, "", session, &offered, 3).unwrap();
        }
        let known = |session: &str| find(&connection, "", session).unwrap() == offered;
        assert_eq!(["a", "b", "c"].map(known), [true, true, true]);
        keep(&connection, "", "d", &offered, 3).unwrap();
        assert_eq!(["a", "b", "c", "d"].map(known), [true, false, true, true]);
    }
}
