//! The columns of a sealed segment: an event's fields, in their order and with their names, and `extra`.

use duckdb::arrow::array::{
    Array, BooleanArray, ListArray, RecordBatch, StringArray, TimestampMicrosecondArray,
    UInt32Array,
};
use duckdb::arrow::error::ArrowError;
use plantune_domain::event::{Event, SCHEMA_VERSION, Text};
use plantune_domain::hash;

use super::unknown_fields::unknown_fields;
use crate::spool::{Decoded, decode_id};
use crate::store::columns::{Columns, Type, Value};

/// The columns. Each is a field of [`Event`], but for the last, `extra`: a JSON object of the fields that
/// this version does not know.
pub(crate) const COLUMNS: Columns = &[
    ("v", Type::U32),
    ("id", Type::Text),
    ("ts", Type::Time),
    ("kind", Type::Text),
    ("session_id", Type::Text),
    ("session_kind", Type::Text),
    ("project", Type::Text),
    ("cwd", Type::Text),
    ("permission_mode", Type::Text),
    ("entrypoint", Type::Text),
    ("agent_id", Type::Text),
    ("source", Type::Text),
    ("tool_name", Type::Text),
    ("tool_use_id", Type::Text),
    ("question_index", Type::U32),
    ("question_count", Type::U32),
    ("question_key", Type::Text),
    ("key_source", Type::Text),
    ("question", Type::Text),
    ("header", Type::Text),
    ("options", Type::Texts),
    ("recommended", Type::Text),
    ("multi_select", Type::Bool),
    ("door", Type::Text),
    ("door_reason", Type::Text),
    ("skill", Type::Text),
    ("ask_reason", Type::Text),
    ("answer", Type::Texts),
    ("free_text", Type::Text),
    ("notes", Type::Text),
    ("was_auto_decided", Type::Bool),
    ("followed_recommendation", Type::Bool),
    ("preference", Type::Text),
    ("preference_scope", Type::Text),
    ("mechanism", Type::Text),
    ("error", Type::Text),
    ("error_kind", Type::Text),
    ("reason", Type::Text),
    ("detail", Type::Text),
    ("truncated", Type::Bool),
    (EXTRA, Type::Text),
];

const EXTRA: &str = "extra";

/// The columns that no projection reads, and the id, which only some kinds of events need.
const NOT_PROJECTED: [&str; 8] = [
    "id",
    "cwd",
    "permission_mode",
    "entrypoint",
    "agent_id",
    "tool_name",
    "truncated",
    EXTRA,
];

/// True for the name of a field of [`Event`].
pub(super) fn is_field(name: &str) -> bool {
    name != EXTRA && COLUMNS.iter().any(|(column, _)| *column == name)
}

/// The columns to select: all, or those that projections read and null for the rest.
pub(super) fn selected(all: bool) -> String {
    let column = |(name, r#type): &(&str, Type)| match (all, NOT_PROJECTED.contains(name)) {
        (false, true) => format!("NULL::{} AS \"{name}\"", sql_type(*r#type)),
        _ => format!("\"{name}\""),
    };
    COLUMNS.iter().map(column).collect::<Vec<_>>().join(", ")
}

/// The names and SQL types of the columns.
pub(crate) fn sql_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    let named = |(name, r#type): &(&'static str, Type)| (*name, sql_type(*r#type));
    COLUMNS.iter().map(named)
}

fn sql_type(r#type: Type) -> &'static str {
    match r#type {
        Type::U32 => "UINTEGER",
        Type::Time => "TIMESTAMP",
        Type::Texts => "VARCHAR[]",
        Type::Bool => "BOOLEAN",
        _ => "VARCHAR",
    }
}

/// An event as a row.
pub(super) struct Row<'a> {
    event: &'a Event<'a>,
    id: String,
    micros: i64,
    extra: Option<String>,
}

impl<'a> Row<'a> {
    /// The row of `decoded`.
    ///
    /// # Errors
    /// None is known: what was decoded is JSON.
    pub(super) fn of(decoded: &'a Decoded<'a>) -> serde_json::Result<Self> {
        Ok(Self {
            event: &decoded.event,
            id: hash::to_hex(&decoded.id),
            micros: decoded.micros,
            extra: unknown_fields(decoded.json)?,
        })
    }

    /// The values of [`COLUMNS`].
    pub(super) fn values(&self) -> [Value<'_>; COLUMNS.len()] {
        let event = self.event;
        let required = |text: &'a Text<'a>| Value::Text(Some(text));
        let text = |text: &'a Option<Text<'a>>| Value::Text(text.as_deref());
        [
            Value::U32(Some(event.v)),
            Value::Text(Some(&self.id)),
            Value::Time(Some(self.micros)),
            required(&event.kind),
            required(&event.session_id),
            required(&event.session_kind),
            required(&event.project),
            required(&event.cwd),
            text(&event.permission_mode),
            text(&event.entrypoint),
            text(&event.agent_id),
            required(&event.source),
            text(&event.tool_name),
            text(&event.tool_use_id),
            Value::U32(event.question_index),
            Value::U32(event.question_count),
            text(&event.question_key),
            text(&event.key_source),
            text(&event.question),
            text(&event.header),
            Value::Texts(event.options.as_deref()),
            text(&event.recommended),
            Value::Bool(event.multi_select),
            text(&event.door),
            text(&event.door_reason),
            text(&event.skill),
            text(&event.ask_reason),
            Value::Texts(event.answer.as_deref()),
            text(&event.free_text),
            text(&event.notes),
            Value::Bool(event.was_auto_decided),
            Value::Bool(event.followed_recommendation.flatten()),
            text(&event.preference),
            text(&event.preference_scope),
            text(&event.mechanism),
            text(&event.error),
            text(&event.error_kind),
            text(&event.reason),
            text(&event.detail),
            Value::Bool(Some(event.truncated)),
            Value::Text(self.extra.as_deref()),
        ]
    }

    /// A hash of the values that are not null, with their names: FNV-1a, 64 bits. Columns that a later
    /// version adds do not change it.
    pub(super) fn digest(&self) -> u64 {
        let mut hash = Fnv::default();
        for ((name, _), value) in COLUMNS.iter().zip(self.values()) {
            match value {
                Value::Text(Some(text)) => hash.texts(&[name, text]),
                Value::Texts(Some(texts)) => {
                    hash.texts(&[name]);
                    hash.number(texts.len() as u64);
                    texts.iter().for_each(|text| hash.texts(&[text]));
                }
                Value::U32(Some(number)) => hash.named(name, u64::from(number)),
                Value::Bool(Some(flag)) => hash.named(name, u64::from(flag)),
                Value::Time(Some(time)) => hash.named(name, time.cast_unsigned()),
                _ => {}
            }
        }
        hash.0
    }
}

struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn number(&mut self, number: u64) {
        self.add(&number.to_le_bytes());
    }

    fn texts(&mut self, texts: &[&str]) {
        for text in texts {
            self.number(text.len() as u64);
            self.add(text.as_bytes());
        }
    }

    fn named(&mut self, name: &str, number: u64) {
        self.texts(&[name]);
        self.number(number);
    }
}

/// The events of a batch of [`COLUMNS`]; their ids are zero when that column was not read.
///
/// # Errors
/// When a column is missing or of another type, or a row holds no event.
pub(crate) fn decode_rows(batch: &RecordBatch) -> Result<Vec<Decoded<'_>>, ArrowError> {
    let columns = COLUMNS.iter().zip(batch.columns());
    let columns: Option<Vec<Column<'_>>> = columns
        .map(|((_, r#type), array)| Column::new(*r#type, array.as_ref()))
        .collect();
    let columns = columns.filter(|columns| columns.len() == COLUMNS.len());
    let columns = columns.ok_or_else(|| wrong("the columns are not those of a sealed segment"))?;
    (0..batch.num_rows())
        .map(|row| decode_row(&columns, row))
        .collect()
}

fn wrong(words: &str) -> ArrowError {
    ArrowError::SchemaError(words.to_owned())
}

enum Column<'b> {
    Text(&'b StringArray),
    Texts(&'b ListArray, &'b StringArray),
    Time(&'b TimestampMicrosecondArray),
    U32(&'b UInt32Array),
    Bool(&'b BooleanArray),
}

impl<'b> Column<'b> {
    fn new(r#type: Type, array: &'b dyn Array) -> Option<Self> {
        let array = array.as_any();
        Some(match r#type {
            Type::Texts => {
                let lists: &ListArray = array.downcast_ref()?;
                Self::Texts(lists, lists.values().as_any().downcast_ref()?)
            }
            Type::Time => Self::Time(array.downcast_ref()?),
            Type::U32 => Self::U32(array.downcast_ref()?),
            Type::Bool => Self::Bool(array.downcast_ref()?),
            _ => Self::Text(array.downcast_ref()?),
        })
    }
}

/// The values of one row, one after the other.
struct Values<'r, 'b> {
    columns: std::slice::Iter<'r, Column<'b>>,
    row: usize,
}

impl<'b> Values<'_, 'b> {
    fn str(&mut self) -> Option<&'b str> {
        match self.columns.next() {
            Some(Column::Text(texts)) if texts.is_valid(self.row) => Some(texts.value(self.row)),
            _ => None,
        }
    }

    fn text(&mut self) -> Option<Text<'b>> {
        self.str().map(Text::from)
    }

    fn required(&mut self) -> Text<'b> {
        self.text().unwrap_or_default()
    }

    fn texts(&mut self) -> Option<Vec<Text<'b>>> {
        let Some(Column::Texts(lists, texts)) = self.columns.next() else {
            return None;
        };
        let offset = |row: usize| {
            lists
                .value_offsets()
                .get(row)
                .map(|offset| *offset as usize)
        };
        let (start, end) = (offset(self.row)?, offset(self.row + 1)?);
        let items = || (start..end).map(|item| texts.value(item).into());
        lists.is_valid(self.row).then(|| items().collect())
    }

    fn number(&mut self) -> Option<u32> {
        match self.columns.next() {
            Some(Column::U32(numbers)) if numbers.is_valid(self.row) => {
                Some(numbers.value(self.row))
            }
            _ => None,
        }
    }

    fn flag(&mut self) -> Option<bool> {
        match self.columns.next() {
            Some(Column::Bool(flags)) if flags.is_valid(self.row) => Some(flags.value(self.row)),
            _ => None,
        }
    }

    fn time(&mut self) -> Option<i64> {
        match self.columns.next() {
            Some(Column::Time(times)) if times.is_valid(self.row) => Some(times.value(self.row)),
            _ => None,
        }
    }
}

fn decode_row<'b>(columns: &[Column<'b>], row: usize) -> Result<Decoded<'b>, ArrowError> {
    let mut next = Values {
        columns: columns.iter(),
        row,
    };
    let v = next.number().filter(|v| *v == SCHEMA_VERSION);
    let id = next
        .str()
        .map(|id| decode_id(id).ok_or_else(|| wrong("an id that is none")));
    let micros = next.time();
    // The fields are evaluated in the order in which they stand here.
    let event = Event {
        v: v.ok_or_else(|| wrong("a row of another schema version"))?,
        id: Text::default(),
        ts: Text::default(),
        kind: next.required(),
        session_id: next.required(),
        session_kind: next.required(),
        project: next.required(),
        cwd: next.required(),
        permission_mode: next.text(),
        entrypoint: next.text(),
        agent_id: next.text(),
        source: next.required(),
        tool_name: next.text(),
        tool_use_id: next.text(),
        question_index: next.number(),
        question_count: next.number(),
        question_key: next.text(),
        key_source: next.text(),
        question: next.text(),
        header: next.text(),
        options: next.texts(),
        recommended: next.text(),
        multi_select: next.flag(),
        door: next.text(),
        door_reason: next.text(),
        skill: next.text(),
        ask_reason: next.text(),
        answer: next.texts(),
        free_text: next.text(),
        notes: next.text(),
        was_auto_decided: next.flag(),
        followed_recommendation: next.flag().map(Some),
        preference: next.text(),
        preference_scope: next.text(),
        mechanism: next.text(),
        error: next.text(),
        error_kind: next.text(),
        reason: next.text(),
        detail: next.text(),
        truncated: next.flag().unwrap_or_default(),
    };
    Ok(Decoded {
        event,
        id: id.transpose()?.unwrap_or_default(),
        micros: micros.ok_or_else(|| wrong("a row without a time"))?,
        json: next.str().unwrap_or_default(),
    })
}
