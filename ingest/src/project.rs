//! Keeps the projections and rollups in step with the log, in the transaction that appends to it.

use duckdb::{Connection, params};

use crate::trace;

/// How many events of the log are projected at a time when the projections are computed anew.
const REBUILD_EVENTS: u64 = 400_000;

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

struct Step {
    name: &'static str,
    needs: Needs,
    sql: &'static str,
}

macro_rules! step {
    ($name:literal, $needs:ident) => {
        Step {
            name: $name,
            needs: Needs::$needs,
            sql: include_str!(concat!("../sql/project/", $name, ".sql")),
        }
    };
}

/// What just came, from the feeds.
const FROM_FEEDS: [Step; 2] = [
    step!("01_parts", Nothing),
    step!("03_session_delta", Nothing),
];

/// The same, from the log.
const FROM_LOG: [Step; 2] = [
    step!("01_parts_of_log", Batches),
    step!("03_session_delta_of_log", Batches),
];

/// The steps after that, in order; each file says what it computes.
const STEPS: [Step; 12] = [
    step!("02_delta", Nothing),
    step!("04_sessions", Nothing),
    step!("05_previous", Nothing),
    step!("06_questions", Nothing),
    step!("07_questions_now", MarkAndZone),
    step!("08_cells", Mark),
    step!("09_daily", Nothing),
    step!("10_daily_answers", Nothing),
    step!("11_daily_sessions", Nothing),
    step!("12_daily_errors", Nothing),
    step!("13_hook_errors", ZoneAndBatches),
    step!("14_daily_hook_errors", Nothing),
];

/// Applies what the feeds bring, which is what batch `batch` brought to the log, to the
/// projections; days are those of `time_zone` (IANA).
///
/// # Errors
/// DuckDB's; the caller's transaction is to be rolled back then.
pub(crate) fn project(connection: &Connection, batch: u32, time_zone: &str) -> duckdb::Result<()> {
    for step in FROM_FEEDS.iter().chain(&STEPS) {
        apply(connection, step, (batch, batch), time_zone)?;
    }
    Ok(())
}

/// Empties the projections and computes them anew from the whole log. The feeds must be empty.
///
/// # Errors
/// DuckDB's; the caller's transaction is to be rolled back then.
pub(crate) fn rebuild(connection: &Connection, time_zone: &str) -> duckdb::Result<()> {
    connection.execute_batch(include_str!("../sql/project/clear.sql"))?;
    let mut statement = connection.prepare(include_str!("../sql/batches.sql"))?;
    let rows = statement.query_map([REBUILD_EVENTS], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for batches in rows.collect::<duckdb::Result<Vec<_>>>()? {
        for step in FROM_LOG.iter().chain(&STEPS) {
            apply(connection, step, batches, time_zone)?;
        }
    }
    Ok(())
}

fn apply(
    connection: &Connection,
    step: &Step,
    (first, last): (u32, u32),
    time_zone: &str,
) -> duckdb::Result<()> {
    trace::step(step.name, || match step.needs {
        Needs::Nothing => connection.execute_batch(step.sql),
        Needs::Batches => connection.execute(step.sql, params![first, last]).map(drop),
        Needs::Mark => connection.execute(step.sql, params![last]).map(drop),
        Needs::MarkAndZone => connection
            .execute(step.sql, params![last, time_zone])
            .map(drop),
        Needs::ZoneAndBatches => connection
            .execute(step.sql, params![time_zone, first, last])
            .map(drop),
    })
}
