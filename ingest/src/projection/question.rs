//! A question, as the events about it describe it together, and its row in the table `questions`.
//!
//! Of several events of a kind one wins, by an order that does not depend on which was read first, and
//! each kind fills its own columns. So merging is commutative, associative and idempotent: events may be
//! applied in any order, and twice.

use std::borrow::Cow;
use std::sync::LazyLock;

use chrono::{DateTime, NaiveDate};
use chrono_tz::Tz;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::error::ArrowError;
use plantune_domain::decision::{AskReason, NOT_PRINTED};
use plantune_domain::doors::Door;
use plantune_domain::event::{Event, QuestionOutcome, Text};
use plantune_domain::question::KeySource;
use plantune_domain::recommended::strip_mark;
use plantune_domain::session_kind::SessionKind;

use crate::store::columns::{BatchBuilder, Column, Type, Value, rows};

/// The kinds of events about a question, by rank: the description is taken from the first there is.
pub(crate) const KINDS: [&str; 5] = ["asked", "auto_decided", "answered", "dismissed", "failed"];

const HEAD: &[Column] = &[("id", Type::U64), ("ts", Type::Time), ("day", Type::Day)];

/// What describes a question.
const DESCRIPTION: &[Column] = &[
    ("project", Type::Text),
    ("session_id", Type::Text),
    ("session_kind", Type::Text),
    ("source", Type::Text),
    ("tool_name", Type::Text),
    ("agent_id", Type::Text),
    ("tool_use_id", Type::Text),
    ("question_index", Type::U32),
    ("question_count", Type::U32),
    ("question_key", Type::Text),
    ("key_source", Type::Text),
    ("question", Type::Text),
    ("header", Type::Text),
    ("options", Type::Text),
    ("descriptions", Type::Text),
    ("previews", Type::Text),
    ("recommended", Type::Text),
    ("multi_select", Type::Bool),
    ("door", Type::Text),
    ("door_reason", Type::Text),
    ("skill", Type::Text),
];

const ENDING: &[Column] = &[("outcome", Type::Text), ("human_seconds", Type::F64)];

/// What each of the [`KINDS`] fills; its time first.
const FACTS: [&[Column]; 5] = [
    &[
        ("asked_at", Type::Time),
        ("ask_reason", Type::Text),
        ("ask_detail", Type::Text),
        ("spot_check_answer", Type::Text),
        ("spot_check_preference", Type::Text),
        ("spot_check_scope", Type::Text),
        ("assisted", Type::Bool),
    ],
    &[
        ("auto_decided_at", Type::Time),
        ("auto_answer", Type::Text),
        ("preference", Type::Text),
        ("preference_scope", Type::Text),
        ("mechanism", Type::Text),
        ("auto_reason", Type::Text),
        ("level", Type::Text),
    ],
    &[
        ("answered_at", Type::Time),
        ("answer", Type::Text),
        ("answer_name", Type::Text),
        ("free_text", Type::Text),
        ("notes", Type::Text),
        ("was_auto_decided", Type::Bool),
        ("followed_recommendation", Type::Bool),
    ],
    &[
        ("dismissed_at", Type::Time),
        ("dismissed_reason", Type::Text),
    ],
    &[
        ("failed_at", Type::Time),
        ("error_kind", Type::Text),
        ("error", Type::Text),
    ],
];

const ASKED: usize = 0;
const AUTO_DECIDED: usize = 1;
const ANSWERED: usize = 2;
const DISMISSED: usize = 3;
const FAILED: usize = 4;

/// The columns of the table `questions`, in its order (a test compares the two).
pub(crate) static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let parts = [HEAD, DESCRIPTION, ENDING].into_iter().chain(FACTS);
    parts.flatten().copied().collect()
});

/// The description: of several, the first in the order of these fields counts. The kind's rank decides;
/// then, of two that ask, the hook's comes before an import's; then the earlier one.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
struct Description<'a> {
    rank: usize,
    is_imported_asking: bool,
    /// Microseconds since 1970, UTC, as all times here.
    ts: i64,
    values: Vec<Value<'a>>,
}

/// What an event of a kind says, its time first; of several, the first in the order of these fields counts.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
struct Facts<'a> {
    is_imported_asking: bool,
    values: Vec<Value<'a>>,
}

/// One question of one call, as some events describe it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question<'a> {
    /// The call and the index, which identify the question.
    key: (Cow<'a, str>, u32),
    description: Description<'a>,
    facts: [Option<Facts<'a>>; 5],
}

impl<'a> Question<'a> {
    /// The question that `event` (logged at `ts`) is about, with what identifies it: the call and the index.
    /// `None` for an event that is about none.
    pub(crate) fn of(event: &'a Event<'_>, ts: i64) -> Option<((&'a str, u32), Self)> {
        let rank = KINDS.iter().position(|kind| *kind == &*event.kind)?;
        let is_imported_asking = rank == ASKED && is_import(&event.source);
        let key = (event.tool_use_id.as_deref()?, event.question_index?);
        let values = describe(event)?;
        let mut facts = [const { None }; 5];
        if let Some(facts) = facts.get_mut(rank) {
            let values = facts_of(event, rank, Value::Time(ts));
            *facts = Some(Facts {
                is_imported_asking,
                values,
            });
        }
        let description = Description {
            rank,
            is_imported_asking,
            ts,
            values,
        };
        let question = Self {
            key: (Cow::Borrowed(key.0), key.1),
            description,
            facts,
        };
        Some((key, question))
    }

    /// The questions of rows of the table, all columns in order, enumerated ones as text.
    ///
    /// # Errors
    /// When a column is missing or of another type.
    pub(crate) fn read(batch: &'a RecordBatch) -> Result<Vec<Self>, ArrowError> {
        Ok(rows(batch, &COLUMNS)?.map(Self::of_row).collect())
    }

    fn of_row(row: Vec<Value<'a>>) -> Self {
        let mut row = row.into_iter();
        let mut take =
            |columns: &[Column]| -> Vec<Value<'a>> { row.by_ref().take(columns.len()).collect() };
        let ts = take(HEAD).get(1).and_then(Value::time);
        let values = take(DESCRIPTION);
        take(ENDING);
        let facts = FACTS.map(|columns| Some(take(columns)).filter(|facts| has_time(facts)));
        // The event that describes a question is one of the first kind there is.
        let rank = facts.iter().position(Option::is_some).unwrap_or(ASKED);
        let is_imported_asking = rank == ASKED && is_import(find(DESCRIPTION, &values, "source"));
        let facts = facts.map(|values| {
            values.map(|values| Facts {
                is_imported_asking: false,
                values,
            })
        });
        let mut question = Self {
            key: key_of(&values),
            description: Description {
                rank,
                is_imported_asking,
                ts: ts.unwrap_or_default(),
                values,
            },
            facts,
        };
        if let [Some(asked), ..] = &mut question.facts {
            asked.is_imported_asking = is_imported_asking;
        }
        question
    }

    /// The call and the index, which identify the question.
    pub(crate) fn key(&self) -> (&str, u32) {
        (&self.key.0, self.key.1)
    }

    /// The row's id.
    pub(crate) fn id(&self) -> u64 {
        row_id(&self.key.0, self.key.1)
    }

    /// What both say together, of the same question.
    pub(crate) fn merge(&mut self, other: Self) {
        if other.description < self.description {
            self.description = other.description;
        }
        for (one, other) in self.facts.iter_mut().zip(other.facts) {
            if let Some(other) = other
                && one.as_ref().is_none_or(|one| other < *one)
            {
                *one = Some(other);
            }
        }
    }

    /// A value of the description, by its column.
    pub(crate) fn described(&self, column: &str) -> &Value<'a> {
        find_value(DESCRIPTION, &self.description.values, column)
    }

    /// A value of what an event of the kind says, by its column; null without such an event.
    pub(crate) fn fact(&self, kind: usize, column: &str) -> &Value<'a> {
        match (FACTS.get(kind), self.facts.get(kind)) {
            (Some(columns), Some(Some(facts))) => find_value(columns, &facts.values, column),
            _ => &Value::Null,
        }
    }

    /// How the question ended. One that nothing came of is open here; that its session went on without
    /// it is found out in the store.
    pub(crate) fn outcome(&self) -> QuestionOutcome {
        let has = |kind: usize| self.facts.get(kind).is_some_and(Option::is_some);
        let was_auto_decided = self.fact(ANSWERED, "was_auto_decided");
        if *was_auto_decided == Value::Bool(false) && self.was_answered_otherwise() {
            QuestionOutcome::Answered
        } else if self.is_auto_decided() || *was_auto_decided == Value::Bool(true) {
            QuestionOutcome::AutoDecided
        } else if has(ANSWERED) {
            QuestionOutcome::Answered
        } else if has(FAILED) {
            QuestionOutcome::Failed
        } else if has(DISMISSED) {
            QuestionOutcome::Dismissed
        } else {
            QuestionOutcome::Open
        }
    }

    /// True when an answer was given for the person, and reached the caller.
    fn is_auto_decided(&self) -> bool {
        let was_printed = self.fact(ASKED, "ask_detail").text() != Some(NOT_PRINTED);
        was_printed && self.fact(AUTO_DECIDED, "auto_decided_at").time().is_some()
    }

    /// True when somebody gave another answer than the preference: then the answer is theirs.
    fn was_answered_otherwise(&self) -> bool {
        let decided = self.fact(AUTO_DECIDED, "auto_answer").text();
        let answered = self.fact(ANSWERED, "answer_name").text();
        decided
            .zip(answered)
            .is_some_and(|(decided, answered)| name_of_labels(decided) != answered)
    }

    /// From asked to answered in seconds, shared among the questions of the call; `None` for what no
    /// person answered.
    pub(crate) fn human_seconds(&self) -> Option<f64> {
        let asked = self.fact(ASKED, "asked_at").time()?;
        let answered = self.fact(ANSWERED, "answered_at").time()?;
        let count = match self.described("question_count") {
            Value::U32(count) => (*count).max(1),
            _ => 1,
        };
        (self.outcome() == QuestionOutcome::Answered && answered >= asked)
            .then(|| (answered - asked) as f64 / 1_000_000.0 / f64::from(count))
    }

    /// Adds its row to `rows`, for a person in `zone`.
    ///
    /// # Errors
    /// Arrow's; none is known for [`COLUMNS`].
    pub(crate) fn push(&self, zone: Tz, rows: &mut BatchBuilder) -> Result<(), ArrowError> {
        let ts = self.description.ts;
        let head = [
            Value::U64(self.id()),
            Value::Time(ts),
            Value::Day(day(ts, zone)),
        ];
        let seconds = self.human_seconds().map_or(Value::Null, Value::F64);
        let ending = [self.outcome().as_str().into(), seconds];
        // What a kind fills of which there was no event.
        let nulls: [Value<'a>; 7] = [const { Value::Null }; 7];
        let facts = |kind: usize| -> &[Value<'a>] {
            let columns = FACTS.get(kind).map_or(0, |columns| columns.len());
            match self.facts.get(kind) {
                Some(Some(facts)) => &facts.values,
                _ => nulls.get(..columns).unwrap_or_default(),
            }
        };
        rows.push(&[
            &head,
            &self.description.values,
            &ending,
            facts(ASKED),
            facts(AUTO_DECIDED),
            facts(ANSWERED),
            facts(DISMISSED),
            facts(FAILED),
        ])
    }
}

/// The call and the index of a description.
fn key_of<'a>(values: &[Value<'a>]) -> (Cow<'a, str>, u32) {
    let call = find_value(DESCRIPTION, values, "tool_use_id");
    let index = find_value(DESCRIPTION, values, "question_index");
    match (call, index) {
        (Value::Text(call), Value::U32(index)) => (call.clone(), *index),
        _ => (Cow::Borrowed(""), 0),
    }
}

fn is_import(source: &str) -> bool {
    source.starts_with("import")
}

fn has_time(facts: &[Value<'_>]) -> bool {
    facts.first().is_some_and(|time| time.time().is_some())
}

fn find_value<'v, 'a>(columns: &[Column], values: &'v [Value<'a>], name: &str) -> &'v Value<'a> {
    let position = columns.iter().position(|(column, _)| *column == name);
    let value = position.and_then(|position| values.get(position));
    value.unwrap_or(&Value::Null)
}

fn find<'v>(columns: &[Column], values: &'v [Value<'_>], name: &str) -> &'v str {
    find_value(columns, values, name).text().unwrap_or_default()
}

/// The values of [`DESCRIPTION`]; `None` for an event that is about no question.
fn describe<'a>(event: &'a Event<'_>) -> Option<Vec<Value<'a>>> {
    Some(vec![
        (&event.project).into(),
        (&event.session_id).into(),
        session_kind(event).into(),
        (&event.source).into(),
        event.tool_name.as_ref().into(),
        event.agent_id.as_ref().into(),
        event.tool_use_id.as_ref().into(),
        event.question_index.into(),
        event.question_count.into(),
        event.question_key.as_deref()?.into(),
        key_source(event).into(),
        event.question.as_deref().unwrap_or_default().into(),
        event.header.as_ref().into(),
        event.options.as_deref().map(labels).into(),
        event.descriptions.as_deref().map(labels).into(),
        event.previews.as_deref().map(labels).into(),
        event.recommended.as_ref().into(),
        event.multi_select.into(),
        // Events of early versions have no door.
        event
            .door
            .as_deref()
            .map_or("two-way", |word| known(Door::parse(word).map(Door::as_str)))
            .into(),
        event.door_reason.as_ref().into(),
        event.skill.as_ref().into(),
    ])
}

/// The values of [`FACTS`].
fn facts_of<'a>(event: &'a Event<'_>, kind: usize, ts: Value<'a>) -> Vec<Value<'a>> {
    let answer = || event.answer.as_deref().map(labels).into();
    let ask_reason = |word: &Text<'_>| known(AskReason::parse(word).map(AskReason::as_str));
    let [preference, scope, reason] = [&event.preference, &event.preference_scope, &event.reason]
        .map(|text| Value::from(text.as_ref()));
    match kind {
        ASKED => {
            let ask_reason = event.ask_reason.as_ref().map(ask_reason);
            let (ask_reason, assisted) = (ask_reason.into(), event.assisted.into());
            vec![
                ts,
                ask_reason,
                reason,
                answer(),
                preference,
                scope,
                assisted,
            ]
        }
        AUTO_DECIDED => {
            let mechanism = event.mechanism.as_ref().into();
            let level = event.level.as_ref().into();
            vec![ts, answer(), preference, scope, mechanism, reason, level]
        }
        ANSWERED => vec![
            ts,
            answer(),
            answer_name(event),
            event.free_text.as_ref().into(),
            event.notes.as_ref().into(),
            event.was_auto_decided.into(),
            event.followed_recommendation.flatten().into(),
        ],
        DISMISSED => vec![ts, reason],
        _ => vec![
            ts,
            event.error_kind.as_ref().into(),
            event.error.as_ref().into(),
        ],
    }
}

/// Finds a question's row: FNV-1a, 64 bits, of the call and the index. Two questions may share one; what
/// tells them apart are the call and the index themselves.
pub(crate) fn row_id(tool_use_id: &str, index: u32) -> u64 {
    let bytes = tool_use_id.bytes().chain(index.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The day of a time (microseconds since 1970, UTC) in `zone`, in days since 1970.
pub(crate) fn day(micros: i64, zone: Tz) -> i32 {
    let time = DateTime::from_timestamp_micros(micros).unwrap_or_default();
    let day = time.with_timezone(&zone).date_naive();
    i32::try_from((day - NaiveDate::default()).num_days()).unwrap_or_default()
}

/// A word of a closed set as the store has it.
fn known(word: Option<&'static str>) -> &'static str {
    word.unwrap_or("unknown")
}

pub(crate) fn session_kind(event: &Event<'_>) -> &'static str {
    known(SessionKind::parse(&event.session_kind).map(SessionKind::as_str))
}

/// Events of early versions have no key source, and were found by their fingerprint.
pub(crate) fn key_source(event: &Event<'_>) -> &'static str {
    let parse = |word| known(KeySource::parse(word).map(KeySource::as_str));
    event.key_source.as_deref().map_or("fingerprint", parse)
}

/// Labels as the store has them: a JSON array.
pub(crate) fn labels(labels: &[Text<'_>]) -> String {
    // Writing strings to memory cannot fail.
    serde_json::to_string(labels).unwrap_or_default()
}

/// What an answer is counted by: the labels without marks of recommendation, joined, or `(typed)` or
/// `(noted)`.
fn answer_name<'e>(event: &'e Event<'_>) -> Value<'e> {
    match event.answer.as_deref() {
        Some([]) | None if event.free_text.is_some() => "(typed)".into(),
        Some([]) => "(noted)".into(),
        Some([label]) => strip_mark(label).0.into(),
        Some(labels) => joined(labels.iter().map(|label| &**label)).into(),
        None => Value::Null,
    }
}

fn name_of_labels(json: &str) -> String {
    let labels: Vec<String> = serde_json::from_str(json).unwrap_or_default();
    if labels.is_empty() {
        return "(noted)".to_owned();
    }
    joined(labels.iter().map(String::as_str))
}

fn joined<'l>(labels: impl Iterator<Item = &'l str>) -> String {
    labels
        .map(|label| strip_mark(label).0)
        .collect::<Vec<_>>()
        .join(", ")
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
