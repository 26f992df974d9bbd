//! Events that are about no question and no session: what the person changed, and the hook's errors.
//! They are few, and each is a row of its own, found by the event's id.

use chrono_tz::Tz;
use duckdb::arrow::error::ArrowError;
use plantune_domain::event::Event;

use super::question::labels;
use super::row::day;
use super::words;
use crate::spool::Decoded;
use crate::store::columns::{BatchBuilder, Columns, Type, Value};

/// The columns of the table `preference_changes`, in its order.
pub(crate) const CHANGES: Columns = &[
    ("id", Type::Id),
    ("ts", Type::Time),
    ("day", Type::Day),
    ("project", Type::Text),
    ("session_id", Type::Text),
    ("tool_use_id", Type::Text),
    ("question_index", Type::U32),
    ("question_key", Type::Text),
    ("key_source", Type::Text),
    ("question", Type::Text),
    ("header", Type::Text),
    ("options", Type::Text),
    ("recommended", Type::Text),
    ("multi_select", Type::Bool),
    ("preference", Type::Text),
    ("preference_scope", Type::Text),
    ("answer", Type::Text),
    ("reason", Type::Text),
    ("detail", Type::Text),
];

/// The columns of the table `hook_errors`, in its order.
pub(crate) const ERRORS: Columns = &[
    ("id", Type::Id),
    ("ts", Type::Time),
    ("day", Type::Day),
    ("project", Type::Text),
    ("error_kind", Type::Text),
    ("error", Type::Text),
];

/// True for an event whose row has its id.
pub(crate) fn needs_id(event: &Event<'_>) -> bool {
    matches!(&*event.kind, "hook_error" | "preference_changed")
}

/// Adds the row of `decoded`, if it is such an event, for a person in `zone`.
///
/// # Errors
/// Arrow's; none is known for these columns.
pub(crate) fn push(
    decoded: &Decoded<'_>,
    zone: Tz,
    changes: &mut BatchBuilder,
    errors: &mut BatchBuilder,
) -> Result<(), ArrowError> {
    let event = &decoded.event;
    let head = [
        Value::Id(decoded.id),
        Value::Time(Some(decoded.micros)),
        Value::Day(day(decoded.micros, zone)),
        Value::Text(Some(&event.project)),
    ];
    match &*event.kind {
        "hook_error" => errors.push(head.into_iter().chain([
            Value::Text(event.error_kind.as_deref()),
            Value::Text(event.error.as_deref()),
        ])),
        "preference_changed" => {
            let options = event.options.as_deref().map(labels);
            let answer = event.answer.as_deref().map(labels);
            changes.push(head.into_iter().chain([
                Value::Text(Some(&event.session_id)),
                Value::Text(event.tool_use_id.as_deref()),
                Value::U32(event.question_index),
                Value::Text(event.question_key.as_deref()),
                Value::Text(Some(words::key_source(event.key_source.as_deref()))),
                Value::Text(event.question.as_deref()),
                Value::Text(event.header.as_deref()),
                Value::Text(options.as_deref()),
                Value::Text(event.recommended.as_deref()),
                Value::Bool(event.multi_select),
                Value::Text(event.preference.as_deref()),
                Value::Text(event.preference_scope.as_deref()),
                Value::Text(answer.as_deref()),
                Value::Text(event.reason.as_deref()),
                Value::Text(event.detail.as_deref()),
            ]))
        }
        _ => Ok(()),
    }
}
