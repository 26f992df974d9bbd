//! Events as rows of the table `events`, behind its column `batch`.

use std::sync::LazyLock;

use duckdb::arrow::datatypes::SchemaRef;
use plantune_hooks::recommended::strip_mark;

use crate::columns::{Cell, Columns, Holds, schema};
use crate::decode::Decoded;

/// The columns, in the order of the table.
const COLUMNS: [(&str, Holds); 40] = [
    ("id", Holds::Id),
    ("ts", Holds::Time),
    ("kind", Holds::Text),
    ("session_id", Holds::Text),
    ("session_kind", Holds::Text),
    ("project", Holds::Text),
    ("cwd", Holds::Text),
    ("permission_mode", Holds::Text),
    ("entrypoint", Holds::Text),
    ("agent_id", Holds::Text),
    ("source", Holds::Text),
    ("tool_name", Holds::Text),
    ("tool_use_id", Holds::Text),
    ("question_index", Holds::Number),
    ("question_count", Holds::Number),
    ("question_key", Holds::Text),
    ("key_source", Holds::Text),
    ("question", Holds::Text),
    ("header", Holds::Text),
    ("options", Holds::List),
    ("recommended", Holds::Text),
    ("multi_select", Holds::Flag),
    ("door", Holds::Text),
    ("door_reason", Holds::Text),
    ("skill", Holds::Text),
    ("ask_reason", Holds::Text),
    ("answer", Holds::List),
    ("free_text", Holds::Text),
    ("notes", Holds::Text),
    ("was_auto_decided", Holds::Flag),
    ("followed_recommendation", Holds::Flag),
    ("preference", Holds::Text),
    ("preference_scope", Holds::Text),
    ("mechanism", Holds::Text),
    ("error", Holds::Text),
    ("error_kind", Holds::Text),
    ("reason", Holds::Text),
    ("detail", Holds::Text),
    ("truncated", Holds::Flag),
    ("answer_name", Holds::Text),
];

/// The schema of [`columns`].
pub(crate) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema(&COLUMNS));

/// No rows yet.
pub(crate) fn columns() -> Columns {
    Columns::new(SCHEMA.clone(), &COLUMNS)
}

/// An event's cells; `name` is its [`answer_name`].
pub(crate) fn row<'a>(
    decoded: &'a Decoded<'_>,
    name: Option<&'a str>,
) -> [Cell<'a>; COLUMNS.len()] {
    let event = &decoded.event;
    [
        Cell::Id(decoded.id),
        Cell::Time(Some(decoded.micros)),
        Cell::Text(Some(&event.kind)),
        Cell::Text(Some(&event.session_id)),
        Cell::Text(Some(&event.session_kind)),
        Cell::Text(Some(&event.project)),
        Cell::Text(Some(&event.cwd)),
        Cell::Text(event.permission_mode.as_deref()),
        Cell::Text(event.entrypoint.as_deref()),
        Cell::Text(event.agent_id.as_deref()),
        Cell::Text(Some(&event.source)),
        Cell::Text(event.tool_name.as_deref()),
        Cell::Text(event.tool_use_id.as_deref()),
        Cell::Number(event.question_index),
        Cell::Number(event.question_count),
        Cell::Text(event.question_key.as_deref()),
        Cell::Text(event.key_source.as_deref()),
        Cell::Text(event.question.as_deref()),
        Cell::Text(event.header.as_deref()),
        Cell::List(event.options.as_deref()),
        Cell::Text(event.recommended.as_deref()),
        Cell::Flag(event.multi_select),
        Cell::Text(event.door.as_deref()),
        Cell::Text(event.door_reason.as_deref()),
        Cell::Text(event.skill.as_deref()),
        Cell::Text(event.ask_reason.as_deref()),
        Cell::List(event.answer.as_deref()),
        Cell::Text(event.free_text.as_deref()),
        Cell::Text(event.notes.as_deref()),
        Cell::Flag(event.was_auto_decided),
        Cell::Flag(event.followed_recommendation.flatten()),
        Cell::Text(event.preference.as_deref()),
        Cell::Text(event.preference_scope.as_deref()),
        Cell::Text(event.mechanism.as_deref()),
        Cell::Text(event.error.as_deref()),
        Cell::Text(event.error_kind.as_deref()),
        Cell::Text(event.reason.as_deref()),
        Cell::Text(event.detail.as_deref()),
        Cell::Flag(Some(event.truncated)),
        Cell::Text(name),
    ]
}

/// What an answer is counted by; see the table `events`.
pub(crate) fn answer_name(decoded: &Decoded<'_>) -> Option<String> {
    let event = &decoded.event;
    match event.answer.as_deref() {
        Some([]) | None if event.free_text.is_some() => Some("(typed)".to_owned()),
        Some([]) => Some("(noted)".to_owned()),
        Some([label]) => Some(strip_mark(label).0.to_owned()),
        Some(labels) => {
            let names: Vec<&str> = labels.iter().map(|label| strip_mark(label).0).collect();
            Some(names.join(", "))
        }
        None => None,
    }
}
