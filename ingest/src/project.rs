//! Keeps the projections and rollups in step with the log, in the transaction that appends to it.

use duckdb::{Connection, params};

/// What a projection step is given, in the order of its parameters.
enum Needs {
    Nothing,
    /// The first and the last batch.
    Batches,
    /// The batch that touched rows are marked with.
    Mark,
    MarkAndZone,
    ZoneAndBatches,
}

/// The steps in order; each file says what it computes.
const STEPS: [(Needs, &str); 15] = [
    (
        Needs::Batches,
        include_str!("../sql/project/01_delta_rows.sql"),
    ),
    (Needs::Batches, include_str!("../sql/project/02_delta.sql")),
    (
        Needs::Batches,
        include_str!("../sql/project/03_session_delta.sql"),
    ),
    (
        Needs::Nothing,
        include_str!("../sql/project/04_sessions.sql"),
    ),
    (
        Needs::Nothing,
        include_str!("../sql/project/05_previous.sql"),
    ),
    (
        Needs::Nothing,
        include_str!("../sql/project/06_questions.sql"),
    ),
    (
        Needs::MarkAndZone,
        include_str!("../sql/project/07_questions_now.sql"),
    ),
    (Needs::Mark, include_str!("../sql/project/08_cells.sql")),
    (Needs::Nothing, include_str!("../sql/project/09_daily.sql")),
    (
        Needs::Nothing,
        include_str!("../sql/project/10_daily_answers.sql"),
    ),
    (
        Needs::Mark,
        include_str!("../sql/project/11_session_cells.sql"),
    ),
    (
        Needs::Nothing,
        include_str!("../sql/project/12_daily_sessions.sql"),
    ),
    (
        Needs::Mark,
        include_str!("../sql/project/13_error_cells.sql"),
    ),
    (
        Needs::Nothing,
        include_str!("../sql/project/14_daily_errors.sql"),
    ),
    (
        Needs::ZoneAndBatches,
        include_str!("../sql/project/15_hook_errors.sql"),
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
            Needs::Mark => {
                connection.execute(sql, params![last])?;
            }
            Needs::MarkAndZone => {
                connection.execute(sql, params![last, time_zone])?;
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
