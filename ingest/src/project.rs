//! Keeps the projections and rollups in step with the log, in the transaction that appends to it.

use duckdb::{Connection, params};

/// What a projection step is given.
enum Needs {
    Nothing,
    Batches,
    Zone,
    ZoneAndBatches,
}

/// The steps in order; each file says what it computes.
const STEPS: [(Needs, &str); 12] = [
    (Needs::Batches, include_str!("../sql/project/01_delta.sql")),
    (
        Needs::Batches,
        include_str!("../sql/project/02_session_delta.sql"),
    ),
    (
        Needs::Nothing,
        include_str!("../sql/project/03_sessions.sql"),
    ),
    (
        Needs::Nothing,
        include_str!("../sql/project/04_previous.sql"),
    ),
    (Needs::Zone, include_str!("../sql/project/05_merged.sql")),
    (
        Needs::Nothing,
        include_str!("../sql/project/06_questions.sql"),
    ),
    (Needs::Nothing, include_str!("../sql/project/07_cells.sql")),
    (Needs::Nothing, include_str!("../sql/project/08_daily.sql")),
    (
        Needs::Nothing,
        include_str!("../sql/project/09_daily_answers.sql"),
    ),
    (
        Needs::Nothing,
        include_str!("../sql/project/10_daily_sessions.sql"),
    ),
    (
        Needs::Nothing,
        include_str!("../sql/project/11_daily_errors.sql"),
    ),
    (
        Needs::ZoneAndBatches,
        include_str!("../sql/project/12_hook_errors.sql"),
    ),
];

/// Applies the batches `first..=last` to the projections; days are those of `time_zone` (IANA).
///
/// # Errors
/// DuckDB's; the caller's transaction is to be rolled back then.
pub(crate) fn project(
    connection: &Connection,
    first: u32,
    last: u32,
    time_zone: &str,
) -> duckdb::Result<()> {
    for (needs, sql) in STEPS {
        match needs {
            Needs::Nothing => connection.execute_batch(sql)?,
            Needs::Batches => {
                connection.execute(sql, params![first, last])?;
            }
            Needs::Zone => {
                connection.execute(sql, params![time_zone])?;
            }
            Needs::ZoneAndBatches => {
                connection.execute(sql, params![time_zone, first, last])?;
            }
        }
    }
    Ok(())
}

/// Empties the projections and computes them anew from the whole log.
///
/// # Errors
/// DuckDB's; the caller's transaction is to be rolled back then.
pub(crate) fn rebuild(connection: &Connection, time_zone: &str) -> duckdb::Result<()> {
    connection.execute_batch(include_str!("../sql/project/clear.sql"))?;
    project(connection, 0, u32::MAX, time_zone)
}
