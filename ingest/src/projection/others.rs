//! Events that are about no question: sessions that begin and end, what the person changed, and the hook's
//! errors. Each is a row of its own; SQL puts together the rows of one session, and repeated ones.

use chrono_tz::Tz;
use duckdb::arrow::array::{Array as _, RecordBatch, UInt32Array};
use duckdb::arrow::error::ArrowError;

use super::fields::field;
use crate::arrow::texts;

/// The tables, the kinds of events that they have rows of, and the fields that are their columns.
const TABLES: [(&str, &[&str], &[&str]); 4] = [
    (
        "sessions",
        &["session_started", "session_ended"],
        &[
            "session_id",
            "session_kind",
            "project",
            "ts",
            "ts",
            "ended_at",
        ],
    ),
    (
        "preference_changes",
        &["preference_changed"],
        &[
            "id",
            "ts",
            "day",
            "project",
            "session_id",
            "tool_use_id",
            "question_index",
            "question_key",
            "key_source",
            "question",
            "header",
            "options",
            "recommended",
            "multi_select",
            "preference",
            "preference_scope",
            "answer",
            "reason",
            "detail",
        ],
    ),
    (
        "permission_events",
        &[
            "permission_asked",
            "permission_granted",
            "permission_refused",
            "permission_denied",
            "permission_auto",
        ],
        &[
            "id",
            "kind",
            "ts",
            "day",
            "project",
            "cwd",
            "session_id",
            "session_kind",
            "source",
            "entrypoint",
            "permission_mode",
            "agent_id",
            "skill",
            "tool_name",
            "tool_use_id",
            "mcp_server",
            "subject",
            "tier",
            "input",
            "input_digest",
            "suggestions",
            "transcript",
            "asked_id",
            "grant",
            "waited_seconds",
            "ambiguous",
            "reason",
            "free_text",
            "calls",
        ],
    ),
    (
        "hook_errors",
        &["hook_error"],
        &["id", "ts", "day", "project", "error_kind", "error"],
    ),
];

/// The rows of other tables than `questions` for `events`, by table.
pub(crate) fn others(
    events: &RecordBatch,
    zone: Tz,
) -> Result<Vec<(&'static str, RecordBatch)>, ArrowError> {
    let (kinds, sessions) = (texts(events, "kind")?, texts(events, "session_id")?);
    let mut tables = Vec::new();
    for (table, of_kinds, columns) in TABLES {
        let is_row = |row: &usize| {
            let has_session = sessions.is_valid(*row) && !sessions.value(*row).is_empty();
            of_kinds.contains(&kinds.value(*row)) && (table != "sessions" || has_session)
        };
        let rows: Vec<usize> = (0..events.num_rows()).filter(is_row).collect();
        if rows.is_empty() {
            continue;
        }
        let all: UInt32Array = rows.iter().map(|row| Some(*row as u32)).collect();
        let ends = rows.iter().map(|row| {
            let is_end = kinds.value(*row) == "session_ended";
            is_end.then_some(*row as u32)
        });
        let ends: UInt32Array = ends.collect();
        let columns: Result<Vec<_>, ArrowError> = columns
            .iter()
            .map(|name| match *name {
                "ended_at" => Ok((*name, field(events, "ts", Some(&ends), zone)?, true)),
                name => Ok((name, field(events, name, Some(&all), zone)?, true)),
            })
            .collect();
        tables.push((table, RecordBatch::try_from_iter_with_nullable(columns?)?));
    }
    Ok(tables)
}
