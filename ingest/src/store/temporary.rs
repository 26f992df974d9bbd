//! Rows that SQL statements read, as the temporary table `incoming`.

use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;

use super::columns::{Columns, Type};
use crate::error::Error;

/// The columns of [`Table::Ids`].
pub(crate) const IDS: Columns = &[("id", Type::U64)];

/// Whose columns the table `incoming` has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Table {
    Segments,
    Sessions,
    PreferenceChanges,
    HookErrors,
    Quarantine,
    /// [`IDS`].
    Ids,
    /// One column, `session_id`.
    SessionIds,
}

impl Table {
    fn sql(self) -> &'static str {
        match self {
            Self::Segments => include_str!("../../sql/incoming/segments.sql"),
            Self::Sessions => include_str!("../../sql/incoming/sessions.sql"),
            Self::PreferenceChanges => include_str!("../../sql/incoming/preference_changes.sql"),
            Self::HookErrors => include_str!("../../sql/incoming/hook_errors.sql"),
            Self::Quarantine => include_str!("../../sql/incoming/quarantine.sql"),
            Self::Ids => include_str!("../../sql/incoming/ids.sql"),
            Self::SessionIds => include_str!("../../sql/incoming/session_ids.sql"),
        }
    }
}

/// The table `incoming` while it is filled.
pub(crate) struct Temporary<'c> {
    connection: &'c Connection,
}

impl<'c> Temporary<'c> {
    /// Fills it with `batches`, whose columns are those of `table`, and makes it with these columns.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn like(
        connection: &'c Connection,
        table: Table,
        batches: Vec<RecordBatch>,
    ) -> Result<Self, Error> {
        connection.execute_batch(table.sql())?;
        append(connection, "incoming", batches)?;
        Ok(Self { connection })
    }

    /// Drops the table.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn drop(self) -> Result<(), Error> {
        let drop = include_str!("../../sql/incoming/drop.sql");
        Ok(self.connection.execute_batch(drop)?)
    }
}

/// Appends `batches` to a table with the same columns.
///
/// # Errors
/// DuckDB's.
pub(crate) fn append(
    connection: &Connection,
    table: &str,
    batches: Vec<RecordBatch>,
) -> Result<(), Error> {
    let mut appender = connection.appender(table)?;
    for batch in batches {
        appender.append_record_batch(batch)?;
    }
    // An appender that is dropped would swallow the error of its last flush.
    Ok(appender.flush()?)
}
