//! Fields of events in the form of the store's tables, and the rows of events that are not about a question.

use std::borrow::Cow;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate};
use chrono_tz::Tz;
use duckdb::arrow::array::{
    Array as _, ArrayRef, AsArray, BooleanArray, Date32Array, ListArray, RecordBatch, StringArray,
    StringBuilder, TimestampMicrosecondArray, UInt32Array,
};
use duckdb::arrow::compute::kernels::cmp::neq;
use duckdb::arrow::compute::{filter_record_batch, nullif, take};
use duckdb::arrow::datatypes::TimestampMicrosecondType;
use duckdb::arrow::error::ArrowError;
use plantune_domain::doors::Door;
use plantune_domain::event::{AskReason, Kind};
use plantune_domain::keys::{KeySource, is_of_early_version, key_of};
use plantune_domain::recommended::strip_mark;
use plantune_domain::session_kind::{SessionKind, host, is_known};
use serde::Serializer as _;

use crate::arrow::{array, texts};

/// The values of a field in the event rows `rows` (null for a null row number), or in all events without `rows`. Words
/// of closed sets are those of the store, and lists of texts become JSON arrays. `day`, `host`, `answer_name` and
/// `question_or_empty` are computed from other fields.
pub(super) fn field(
    events: &RecordBatch,
    name: &str,
    rows: Option<&UInt32Array>,
    zone: Tz,
) -> Result<ArrayRef, ArrowError> {
    let raw = |name: &str| match (array(events, name)?, rows) {
        (field, Some(rows)) => take(field, rows, None),
        (field, None) => Ok(field.clone()),
    };
    let words = |default: Option<&'static str>, parse: fn(&str) -> Option<&'static str>| {
        let field = raw(name)?;
        let words = field.as_string::<i32>().iter().map(|word| match word {
            Some(word) => Some(parse(word).unwrap_or(UNKNOWN)),
            None => default,
        });
        Ok(Arc::new(words.collect::<StringArray>()) as ArrayRef)
    };
    match name {
        "options" | "descriptions" | "previews" | "answer" | "suggestions" => {
            Ok(labels(raw(name)?.as_list()))
        }
        "answer_name" => Ok(answer_names(
            raw("answer")?.as_list(),
            raw("free_text")?.as_string(),
        )),
        "question_or_empty" => {
            let texts = raw("question")?;
            let texts = texts.as_string::<i32>().iter();
            let texts: StringArray = texts.map(|text| Some(text.unwrap_or_default())).collect();
            Ok(Arc::new(texts))
        }
        "host" => {
            let (tools, entrypoints) = (raw("tool_name")?, raw("entrypoint")?);
            let tools = tools.as_string::<i32>().iter();
            let hosts = tools.zip(entrypoints.as_string::<i32>());
            let hosts: StringArray = hosts
                .map(|(tool, entrypoint)| Some(host(tool?, entrypoint)))
                .collect();
            Ok(Arc::new(hosts))
        }
        // If it is not known who answers, a person is not assumed.
        "session_kind" => {
            let (kinds, entrypoints) = (raw("session_kind")?, raw("entrypoint")?);
            let kinds = kinds.as_string::<i32>().iter();
            let kinds = kinds.zip(entrypoints.as_string::<i32>());
            let kind = |(kind, entrypoint): (Option<&str>, _)| {
                Some(match SessionKind::parse(kind?) {
                    Some(SessionKind::Interactive) if !is_known(entrypoint) => {
                        SessionKind::Spawned.as_str()
                    }
                    Some(kind) => kind.as_str(),
                    None => UNKNOWN,
                })
            };
            Ok(Arc::new(kinds.map(kind).collect::<StringArray>()))
        }
        // Events of early versions have other keys for unmarked questions, and no door.
        "question_key" | "key_source" => {
            let names = ["question_key", "key_source", "question"].map(raw);
            let [keys, sources, texts] = names;
            let (keys, sources, texts, options) = (keys?, sources?, texts?, raw("options")?);
            let columns = [&keys, &sources, &texts].map(AsArray::as_string::<i32>);
            let known = known_keys(columns, options.as_list());
            let values = known.into_iter().map(|known| match name {
                "question_key" => known.map(|(key, _)| key),
                _ => Some(known.map_or(UNKNOWN, |(_, source)| source).into()),
            });
            Ok(Arc::new(values.collect::<StringArray>()))
        }
        "door" => words(Some(Door::TwoWay.as_str()), |word| {
            Door::parse(word).map(Door::as_str)
        }),
        "ask_reason" => words(None, |word| AskReason::parse(word).map(AskReason::as_str)),
        "called_at" => Ok(times_of_calls(&raw("called_at")?, &raw("ts")?)),
        // A prompt counts for the day on which it came up, not the day of its answer.
        "day" => {
            let (times, called) = (raw("ts")?, times_of_calls(&raw("called_at")?, &raw("ts")?));
            let called = called.as_primitive::<TimestampMicrosecondType>().iter();
            let times = times.as_primitive::<TimestampMicrosecondType>().iter();
            let times: TimestampMicrosecondArray = called
                .zip(times)
                .map(|(called, time)| called.or(time))
                .collect();
            Ok(days(&(Arc::new(times) as ArrayRef), zone))
        }
        _ => raw(name),
    }
}

/// The word of the store's closed sets for a word that this version does not know.
const UNKNOWN: &str = "unknown";

/// The key of each event, and how it was found; `None` for one without a key. An unmarked question with a key of an early
/// version gets the one that it has today.
fn known_keys<'a>(
    [keys, sources, texts]: [&'a StringArray; 3],
    options: &ListArray,
) -> Vec<Option<(Cow<'a, str>, &'static str)>> {
    let rows = keys
        .iter()
        .zip(sources.iter())
        .zip(texts.iter())
        .enumerate();
    let known = rows.map(|(row, ((key, source), text))| {
        let key = key?;
        if let Some(text) = text.filter(|_| is_of_early_version(key)) {
            let options: Vec<String> = items(options, row).map(str::to_owned).collect();
            let (key, source) = key_of(text, &options);
            return Some((Cow::Owned(key), source.as_str()));
        }
        // A change of a preference may not say how its key was found: one that can be read is a marker's.
        let source = source.unwrap_or(KeySource::Marker.as_str());
        let source = KeySource::parse(source).map_or(UNKNOWN, KeySource::as_str);
        Some((Cow::Borrowed(key), source))
    });
    known.collect()
}

/// When calls were made, parsed from the events' texts; null for an invalid time or one that is not before the event's
/// in `times`.
fn times_of_calls(called: &ArrayRef, times: &ArrayRef) -> ArrayRef {
    let times = times.as_primitive::<TimestampMicrosecondType>().iter();
    let called = called.as_string::<i32>().iter().zip(times);
    let called = called.map(|(called, time)| {
        let called = DateTime::parse_from_rfc3339(called?)
            .ok()?
            .timestamp_micros();
        (called <= time?).then_some(called)
    });
    Arc::new(called.collect::<TimestampMicrosecondArray>())
}

/// The days of times in `zone`.
pub(super) fn days(times: &ArrayRef, zone: Tz) -> ArrayRef {
    let times = times.as_primitive::<TimestampMicrosecondType>().iter();
    let days = times.map(|time| time.map(|time| day(time, zone)));
    Arc::new(days.collect::<Date32Array>())
}

/// The day of a time (microseconds since 1970, UTC) in `zone`, in days since 1970.
fn day(micros: i64, zone: Tz) -> i32 {
    let time = DateTime::from_timestamp_micros(micros).unwrap_or_default();
    let day = time.with_timezone(&zone).date_naive();
    i32::try_from((day - NaiveDate::default()).num_days()).unwrap_or_default()
}

/// Lists of texts, as JSON arrays.
fn labels(lists: &ListArray) -> ArrayRef {
    let mut arrays = StringBuilder::new();
    let mut json = Vec::new();
    for row in 0..lists.len() {
        json.clear();
        // Writing strings to memory cannot fail.
        let _ = serde_json::Serializer::new(&mut json).collect_seq(items(lists, row));
        arrays.append_option(
            std::str::from_utf8(&json)
                .ok()
                .filter(|_| lists.is_valid(row)),
        );
    }
    Arc::new(arrays.finish())
}

/// The texts of a list.
fn items(lists: &ListArray, row: usize) -> impl Iterator<Item = &str> {
    let texts = lists.values().as_string::<i32>();
    let start = lists.value_offsets().get(row).copied().unwrap_or_default();
    (start..start + lists.value_length(row)).map(|item| texts.value(item as usize))
}

/// The names under which answers are counted: the labels joined, without marks of recommendation, or `(typed)` or
/// `(noted)`.
fn answer_names(answers: &ListArray, free_texts: &StringArray) -> ArrayRef {
    let name = |row: usize| {
        let has_labels = answers.is_valid(row) && answers.value_length(row) > 0;
        if has_labels {
            Some(joined(items(answers, row)))
        } else if free_texts.is_valid(row) {
            Some("(typed)".to_owned())
        } else {
            answers.is_valid(row).then(|| "(noted)".to_owned())
        }
    };
    Arc::new((0..answers.len()).map(name).collect::<StringArray>())
}

/// The same for labels in a JSON array.
pub(super) fn name_of_labels(json: &str) -> String {
    let labels: Vec<String> = serde_json::from_str(json).unwrap_or_default();
    if labels.is_empty() {
        return "(noted)".to_owned();
    }
    joined(labels.iter().map(String::as_str))
}

fn joined<'l>(labels: impl Iterator<Item = &'l str>) -> String {
    let labels: Vec<&str> = labels.map(|label| strip_mark(label).0).collect();
    labels.join(", ")
}

/// The tables for events that are not about a question, and the kinds of events in each. Each event is one row. SQL
/// merges the rows of one session, and repeated rows.
const TABLES: [(&str, &[Kind]); 4] = [
    ("sessions", &[Kind::SessionStarted, Kind::SessionEnded]),
    ("preference_changes", &[Kind::PreferenceChanged]),
    (
        "permission_events",
        &[
            Kind::PermissionAsked,
            Kind::PermissionGranted,
            Kind::PermissionRefused,
            Kind::PermissionDenied,
            Kind::PermissionAuto,
            Kind::SkillCommand,
        ],
    ),
    ("hook_errors", &[Kind::HookError]),
];

/// The events for tables other than `questions`, by table.
pub(crate) fn others(events: &RecordBatch) -> Result<Vec<(&'static str, RecordBatch)>, ArrowError> {
    let (kinds, sessions) = (texts(events, "kind")?, texts(events, "session_id")?);
    let mut tables = Vec::new();
    for (table, of_kinds) in TABLES {
        let is_row = |row: usize| {
            let has_session = sessions.is_valid(row) && !sessions.value(row).is_empty();
            let is_of_kind =
                Kind::parse(kinds.value(row)).is_some_and(|one| of_kinds.contains(&one));
            is_of_kind && (table != "sessions" || has_session)
        };
        let rows: Vec<bool> = (0..events.num_rows()).map(is_row).collect();
        if rows.contains(&true) {
            let rows = filter_record_batch(events, &BooleanArray::from(rows))?;
            tables.push((table, rows));
        }
    }
    Ok(tables)
}

/// The rows of `events` for a table with these `columns`. Each column contains the field of the same name.
pub(crate) fn rows(
    events: &RecordBatch,
    columns: &[String],
    zone: Tz,
) -> Result<RecordBatch, ArrowError> {
    let values = |name: &str| -> Result<ArrayRef, ArrowError> {
        match name {
            "first_at" | "last_at" => field(events, "ts", None, zone),
            "ended_at" => {
                let end = StringArray::new_scalar(Kind::SessionEnded.as_str());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_zone() {
        let day = |text: &str, zone| {
            let time = text.parse::<DateTime<chrono::Utc>>().unwrap();
            day(time.timestamp_micros(), zone)
        };
        assert_eq!(day("1970-01-01T00:00:00Z", Tz::UTC), 0);
        assert_eq!(day("1969-12-31T23:30:00Z", Tz::UTC), -1);
        assert_eq!(day("1969-12-31T23:30:00Z", Tz::Europe__Berlin), 0);
        // The clocks go forward at 01:00 UTC, and back at 01:00 UTC.
        assert_eq!(
            day("2026-03-28T23:30:00Z", Tz::Europe__Berlin) + 1,
            day("2026-03-29T22:00:00Z", Tz::Europe__Berlin)
        );
        assert_eq!(
            day("2026-10-25T22:30:00Z", Tz::Europe__Berlin) + 1,
            day("2026-10-25T23:00:00Z", Tz::Europe__Berlin)
        );
    }
}
