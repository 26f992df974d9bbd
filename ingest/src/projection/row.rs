//! A question as a row of the table `questions`, there and back.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate};
use chrono_tz::Tz;
use duckdb::arrow::array::{
    Array, BooleanArray, RecordBatch, StringArray, TimestampMicrosecondArray, UInt32Array,
};
use duckdb::arrow::error::ArrowError;

use super::question::{
    Answered, Asked, AutoDecided, Description, Dismissed, Failed, Question, row_id,
};
use crate::store::columns::{Columns, Type, Value};

/// The columns of the table `questions`, in its order (a test compares the two).
pub(crate) const COLUMNS: Columns = &[
    ("id", Type::U64),
    ("ts", Type::Time),
    ("day", Type::Day),
    ("project", Type::Text),
    ("session_id", Type::Text),
    ("session_kind", Type::Text),
    ("source", Type::Text),
    ("tool_use_id", Type::Text),
    ("question_index", Type::U32),
    ("question_count", Type::U32),
    ("question_key", Type::Text),
    ("key_source", Type::Text),
    ("question", Type::Text),
    ("header", Type::Text),
    ("options", Type::Text),
    ("recommended", Type::Text),
    ("multi_select", Type::Bool),
    ("door", Type::Text),
    ("door_reason", Type::Text),
    ("skill", Type::Text),
    ("outcome", Type::Text),
    ("human_seconds", Type::F64),
    ("asked_at", Type::Time),
    ("ask_reason", Type::Text),
    ("ask_detail", Type::Text),
    ("spot_check_answer", Type::Text),
    ("spot_check_preference", Type::Text),
    ("spot_check_scope", Type::Text),
    ("auto_decided_at", Type::Time),
    ("auto_answer", Type::Text),
    ("preference", Type::Text),
    ("preference_scope", Type::Text),
    ("mechanism", Type::Text),
    ("auto_reason", Type::Text),
    ("answered_at", Type::Time),
    ("answer", Type::Text),
    ("answer_name", Type::Text),
    ("free_text", Type::Text),
    ("notes", Type::Text),
    ("was_auto_decided", Type::Bool),
    ("followed_recommendation", Type::Bool),
    ("dismissed_at", Type::Time),
    ("dismissed_reason", Type::Text),
    ("failed_at", Type::Time),
    ("error_kind", Type::Text),
    ("error", Type::Text),
];

/// The values of `question`'s row, for a person in `zone`.
pub(crate) fn values<'q>(question: &'q Question<'_>, zone: Tz) -> [Value<'q>; COLUMNS.len()] {
    let description = &question.description;
    let asked = question.asked.as_ref();
    let decided = question.auto_decided.as_ref();
    let answered = question.answered.as_ref();
    let dismissed = question.dismissed.as_ref();
    let failed = question.failed.as_ref();
    [
        Value::U64(row_id(question.tool_use_id, question.index)),
        Value::Time(Some(question.ts())),
        Value::Day(day(question.ts(), zone)),
        Value::Text(Some(description.project)),
        Value::Text(Some(description.session_id)),
        Value::Text(Some(description.session_kind)),
        Value::Text(Some(description.source)),
        Value::Text(Some(question.tool_use_id)),
        Value::U32(Some(question.index)),
        Value::U32(description.question_count),
        Value::Text(Some(description.question_key)),
        Value::Text(Some(description.key_source)),
        Value::Text(Some(description.question)),
        Value::Text(description.header),
        Value::Text(description.options.as_deref()),
        Value::Text(description.recommended),
        Value::Bool(description.multi_select),
        Value::Text(Some(description.door)),
        Value::Text(description.door_reason),
        Value::Text(description.skill),
        Value::Text(Some(question.outcome().name())),
        Value::F64(question.human_seconds()),
        Value::Time(asked.map(|asked| asked.ts)),
        Value::Text(asked.and_then(|asked| asked.reason)),
        Value::Text(asked.and_then(|asked| asked.detail)),
        Value::Text(asked.and_then(|asked| asked.spot_check_answer.as_deref())),
        Value::Text(asked.and_then(|asked| asked.spot_check_preference)),
        Value::Text(asked.and_then(|asked| asked.spot_check_scope)),
        Value::Time(decided.map(|decided| decided.ts)),
        Value::Text(decided.and_then(|decided| decided.answer.as_deref())),
        Value::Text(decided.and_then(|decided| decided.preference)),
        Value::Text(decided.and_then(|decided| decided.preference_scope)),
        Value::Text(decided.and_then(|decided| decided.mechanism)),
        Value::Text(decided.and_then(|decided| decided.reason)),
        Value::Time(answered.map(|answered| answered.ts)),
        Value::Text(answered.and_then(|answered| answered.answer.as_deref())),
        Value::Text(answered.and_then(|answered| answered.name.as_deref())),
        Value::Text(answered.and_then(|answered| answered.free_text)),
        Value::Text(answered.and_then(|answered| answered.notes)),
        Value::Bool(answered.and_then(|answered| answered.was_auto_decided)),
        Value::Bool(answered.and_then(|answered| answered.followed_recommendation)),
        Value::Time(dismissed.map(|dismissed| dismissed.ts)),
        Value::Text(dismissed.and_then(|dismissed| dismissed.reason)),
        Value::Time(failed.map(|failed| failed.ts)),
        Value::Text(failed.and_then(|failed| failed.error_kind)),
        Value::Text(failed.and_then(|failed| failed.error)),
    ]
}

/// The day of a time (microseconds since 1970, UTC) in `zone`, in days since 1970.
pub(crate) fn day(micros: i64, zone: Tz) -> i32 {
    let time = DateTime::from_timestamp_micros(micros).unwrap_or_default();
    let day = time.with_timezone(&zone).date_naive();
    i32::try_from((day - NaiveDate::default()).num_days()).unwrap_or_default()
}

/// Rows of the table, all columns in order, read back. Enumerated columns must come as text.
pub(crate) struct Rows<'b> {
    batch: &'b RecordBatch,
}

impl<'b> Rows<'b> {
    pub(crate) fn new(batch: &'b RecordBatch) -> Self {
        Self { batch }
    }

    /// The questions.
    ///
    /// # Errors
    /// When a column is missing or of another type.
    pub(crate) fn questions(&self) -> Result<Vec<Question<'b>>, ArrowError> {
        (0..self.batch.num_rows())
            .map(|row| self.question(row))
            .collect()
    }

    fn question(&self, row: usize) -> Result<Question<'b>, ArrowError> {
        let text = |name| self.text(name, row);
        let time = |name| self.time(name, row);
        let times = [
            time("asked_at")?,
            time("auto_decided_at")?,
            time("answered_at")?,
            time("dismissed_at")?,
            time("failed_at")?,
        ];
        let [
            asked_at,
            auto_decided_at,
            answered_at,
            dismissed_at,
            failed_at,
        ] = times;
        // The event that describes a question is one of the first kind there is.
        let rank = times.iter().position(Option::is_some).unwrap_or_default();
        let source = text("source")?.unwrap_or_default();
        let is_imported = source.starts_with("import");
        let owned = |text: Option<&'b str>| text.map(Cow::Borrowed);
        Ok(Question {
            tool_use_id: text("tool_use_id")?.unwrap_or_default(),
            index: self.number("question_index", row)?.unwrap_or_default(),
            description: Description {
                rank: rank as u8,
                is_imported_asking: rank == 0 && is_imported,
                ts: time("ts")?.unwrap_or_default(),
                session_id: text("session_id")?.unwrap_or_default(),
                session_kind: text("session_kind")?.unwrap_or_default(),
                project: text("project")?.unwrap_or_default(),
                source,
                question_count: self.number("question_count", row)?,
                question_key: text("question_key")?.unwrap_or_default(),
                key_source: text("key_source")?.unwrap_or_default(),
                question: text("question")?.unwrap_or_default(),
                header: text("header")?,
                options: owned(text("options")?),
                recommended: text("recommended")?,
                multi_select: self.flag("multi_select", row)?,
                door: text("door")?.unwrap_or_default(),
                door_reason: text("door_reason")?,
                skill: text("skill")?,
            },
            asked: match asked_at {
                None => None,
                Some(ts) => Some(Asked {
                    is_imported,
                    ts,
                    reason: text("ask_reason")?,
                    detail: text("ask_detail")?,
                    spot_check_answer: owned(text("spot_check_answer")?),
                    spot_check_preference: text("spot_check_preference")?,
                    spot_check_scope: text("spot_check_scope")?,
                }),
            },
            auto_decided: match auto_decided_at {
                None => None,
                Some(ts) => Some(AutoDecided {
                    ts,
                    answer: owned(text("auto_answer")?),
                    preference: text("preference")?,
                    preference_scope: text("preference_scope")?,
                    mechanism: text("mechanism")?,
                    reason: text("auto_reason")?,
                }),
            },
            answered: match answered_at {
                None => None,
                Some(ts) => Some(Answered {
                    ts,
                    answer: owned(text("answer")?),
                    name: owned(text("answer_name")?),
                    free_text: text("free_text")?,
                    notes: text("notes")?,
                    was_auto_decided: self.flag("was_auto_decided", row)?,
                    followed_recommendation: self.flag("followed_recommendation", row)?,
                }),
            },
            dismissed: match dismissed_at {
                None => None,
                Some(ts) => Some(Dismissed {
                    ts,
                    reason: text("dismissed_reason")?,
                }),
            },
            failed: match failed_at {
                None => None,
                Some(ts) => Some(Failed {
                    ts,
                    error_kind: text("error_kind")?,
                    error: text("error")?,
                }),
            },
        })
    }

    fn column<A: Array + 'static>(&self, name: &str) -> Result<&'b A, ArrowError> {
        let column = self.batch.column_by_name(name);
        column
            .and_then(|column| column.as_any().downcast_ref())
            .ok_or_else(|| ArrowError::SchemaError(format!("no column {name} of its type")))
    }

    fn text(&self, name: &str, row: usize) -> Result<Option<&'b str>, ArrowError> {
        let column: &StringArray = self.column(name)?;
        Ok(column.is_valid(row).then(|| column.value(row)))
    }

    fn time(&self, name: &str, row: usize) -> Result<Option<i64>, ArrowError> {
        let column: &TimestampMicrosecondArray = self.column(name)?;
        Ok(column.is_valid(row).then(|| column.value(row)))
    }

    fn number(&self, name: &str, row: usize) -> Result<Option<u32>, ArrowError> {
        let column: &UInt32Array = self.column(name)?;
        Ok(column.is_valid(row).then(|| column.value(row)))
    }

    fn flag(&self, name: &str, row: usize) -> Result<Option<bool>, ArrowError> {
        let column: &BooleanArray = self.column(name)?;
        Ok(column.is_valid(row).then(|| column.value(row)))
    }
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

    #[test]
    fn the_columns_are_those_of_the_table() {
        let store = duckdb::Connection::open_in_memory().unwrap();
        plantune_migrations::create(&store).unwrap();
        let mut statement = store
            .prepare("SELECT column_name FROM duckdb_columns() WHERE table_name = 'questions' ORDER BY column_index")
            .unwrap();
        let names = statement.query_map([], |row| row.get(0)).unwrap();
        let names: Vec<String> = names.map(Result::unwrap).collect();
        let ours: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ours);
    }
}
