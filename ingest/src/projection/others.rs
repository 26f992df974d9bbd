//! Events that are about no question: sessions that begin and end, what the person changed, and the hook's
//! errors. Each is a row of its own; SQL puts together the rows of one session, and repeated ones.

use chrono_tz::Tz;
use duckdb::arrow::array::{Array as _, ArrayRef, BooleanArray, RecordBatch, StringArray};
use duckdb::arrow::compute::kernels::cmp::neq;
use duckdb::arrow::compute::{filter_record_batch, nullif};
use duckdb::arrow::error::ArrowError;

use super::fields::field;
use crate::arrow::texts;

/// The tables, and the kinds of events that they have rows of.
const TABLES: [(&str, &[&str]); 4] = [
    ("sessions", &["session_started", "session_ended"]),
    ("preference_changes", &["preference_changed"]),
    (
        "permission_events",
        &[
            "permission_asked",
            "permission_granted",
            "permission_refused",
            "permission_denied",
            "permission_auto",
        ],
    ),
    ("hook_errors", &["hook_error"]),
];

/// The events that are rows of other tables than `questions`, by table.
pub(crate) fn others(events: &RecordBatch) -> Result<Vec<(&'static str, RecordBatch)>, ArrowError> {
    let (kinds, sessions) = (texts(events, "kind")?, texts(events, "session_id")?);
    let mut tables = Vec::new();
    for (table, of_kinds) in TABLES {
        let is_row = |row: usize| {
            let has_session = sessions.is_valid(row) && !sessions.value(row).is_empty();
            of_kinds.contains(&kinds.value(row)) && (table != "sessions" || has_session)
        };
        let rows: Vec<bool> = (0..events.num_rows()).map(is_row).collect();
        if rows.contains(&true) {
            let rows = filter_record_batch(events, &BooleanArray::from(rows))?;
            tables.push((table, rows));
        }
    }
    Ok(tables)
}

/// The rows that `events` are in a table with these `columns`: each holds the field of its name.
pub(crate) fn rows(
    events: &RecordBatch,
    columns: &[String],
    zone: Tz,
) -> Result<RecordBatch, ArrowError> {
    let values = |name: &str| -> Result<ArrayRef, ArrowError> {
        match name {
            "first_at" | "last_at" => field(events, "ts", None, zone),
            "ended_at" => {
                let end = StringArray::new_scalar("session_ended");
                let goes_on = neq(texts(events, "kind")?, &end)?;
                nullif(&field(events, "ts", None, zone)?, &goes_on)
            }
            name => field(events, name, None, zone),
        }
    };
    let columns = columns.iter().map(|name| Ok((name, values(name)?, true)));
    let columns: Result<Vec<_>, ArrowError> = columns.collect();
    RecordBatch::try_from_iter_with_nullable(columns?)
}
