//! Events that are about no question: sessions that begin and end, what the person changed, and the hook's
//! errors. Each is a row of its own; SQL puts together the rows of one session, and repeated ones.

use chrono_tz::Tz;
use duckdb::types::{TimeUnit, Value};
use plantune_domain::event::{Event, Text};

use super::question::{day, key_source, labels, session_kind};
use crate::spool::Decoded;

/// A row of another table than `questions`.
#[derive(Debug, PartialEq)]
pub(crate) struct OtherRow {
    pub(crate) table: &'static str,
    pub(crate) values: Vec<Value>,
}

/// True for an event whose row has its id.
pub(crate) fn needs_id(event: &Event<'_>) -> bool {
    matches!(&*event.kind, "hook_error" | "preference_changed")
}

/// A time in microseconds since 1970.
pub(crate) fn time(micros: Option<i64>) -> Value {
    micros.map_or(Value::Null, |micros| {
        Value::Timestamp(TimeUnit::Microsecond, micros)
    })
}

/// A text.
pub(crate) fn text(text: Option<&str>) -> Value {
    text.map_or(Value::Null, |text| Value::Text(text.to_owned()))
}

impl OtherRow {
    /// The row of `decoded`, for a person in `zone`; `None` for other events.
    pub(crate) fn of(decoded: &Decoded<'_>, zone: Tz) -> Option<Self> {
        let (table, values) = match &*decoded.event.kind {
            "session_started" | "session_ended" if !decoded.event.session_id.is_empty() => {
                ("sessions", session(decoded))
            }
            "preference_changed" => ("preference_changes", change(decoded, zone)),
            "hook_error" => ("hook_errors", hook_error(decoded, zone)),
            _ => return None,
        };
        Some(Self { table, values })
    }

    /// How many bytes it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = self.values.iter().map(|value| match value {
            Value::Text(text) => text.len(),
            Value::Blob(bytes) => bytes.len(),
            _ => 0,
        });
        size_of_val(&*self.values) + bytes.sum::<usize>()
    }
}

fn session(decoded: &Decoded<'_>) -> Vec<Value> {
    let event = &decoded.event;
    let ts = time(Some(decoded.micros));
    let is_end = &*event.kind == "session_ended";
    vec![
        text(Some(&event.session_id)),
        text(Some(session_kind(event))),
        text(Some(&event.project)),
        ts.clone(),
        ts,
        time(is_end.then_some(decoded.micros)),
    ]
}

fn change(decoded: &Decoded<'_>, zone: Tz) -> Vec<Value> {
    let event = &decoded.event;
    let optional = |field: &Option<Text<'_>>| text(field.as_deref());
    let list = |field: &Option<Vec<Text<'_>>>| {
        field
            .as_deref()
            .map_or(Value::Null, |field| Value::Text(labels(field)))
    };
    let mut values = head(decoded, zone);
    values.extend([
        text(Some(&event.session_id)),
        optional(&event.tool_use_id),
        event.question_index.map_or(Value::Null, Value::UInt),
        optional(&event.question_key),
        text(Some(key_source(event))),
        optional(&event.question),
        optional(&event.header),
        list(&event.options),
        optional(&event.recommended),
        event.multi_select.map_or(Value::Null, Value::Boolean),
        optional(&event.preference),
        optional(&event.preference_scope),
        list(&event.answer),
        optional(&event.reason),
        optional(&event.detail),
    ]);
    values
}

fn hook_error(decoded: &Decoded<'_>, zone: Tz) -> Vec<Value> {
    let event = &decoded.event;
    let mut values = head(decoded, zone);
    values.extend([&event.error_kind, &event.error].map(|field| text(field.as_deref())));
    values
}

/// The columns that both tables begin with.
fn head(decoded: &Decoded<'_>, zone: Tz) -> Vec<Value> {
    let id = u128::from_be_bytes(decoded.id);
    vec![
        Value::Text(format!("{id:032x}")),
        time(Some(decoded.micros)),
        Value::Date32(day(decoded.micros, zone)),
        text(Some(&decoded.event.project)),
    ]
}
